//! The hooks through their real process: event files on stdin, the harness's protocol on stdout.

#![expect(clippy::unwrap_used, reason = "a test ends where its set-up fails")]

mod advise;
mod batch;
mod before;
mod boundary;
mod commands;
mod extract;
mod process;
mod stand_in;
