//! `quarantine-gateway`: MCP servers and their tools stay in quarantine until a person has looked.

use std::process::ExitCode;

fn main() -> ExitCode {
    gateway::commands::run()
}
