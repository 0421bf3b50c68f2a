//! `quarantine prove`: the cases over HTTP, without a browser.

mod client;

use std::process::ExitCode;

use clap::Args;
use proof::case::{self, Group};
use proof::controls::{self, Controlled};
use proof::over_http::OverHttp;
use proof::report::{Checked, Report, Totals, Verdict};
use proof::{ready, run};
use serde_json::json;

use super::Failed;
use client::{Approval, Client};

/// Texts of strangers in each step of that kind. In memory there are thousands; here each is a few requests.
const VARIANTS: usize = 50;

/// Where and as whom.
#[derive(Debug, Args)]
pub(super) struct Prove {
    /// The desk to try, for example http://localhost:8080
    #[arg(long, env = "QUARANTINE_URL", value_name = "URL")]
    url: String,
    /// Who approves: the code of a console sign-in link (or the link), or `page` where a person at the page may.
    /// Without it, cases that need an approver are not run
    #[arg(long, env = "QUARANTINE_APPROVER", value_name = "TOKEN")]
    approver: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(asked: &Prove) -> Result<ExitCode, Failed> {
    let cases = case::all().map_err(Failed::new)?;
    let approval = match asked.approver.as_deref() {
        None => Approval::Nobody,
        Some("page") => Approval::Page,
        Some(code) => Approval::Console(code.rsplit("code=").next().unwrap_or(code).to_owned()),
    };
    let client = Client::open(&asked.url, approval).map_err(Failed)?;
    let door = OverHttp::new(client, VARIANTS);
    let report = ready::now(run::all(&door, &cases, |checked| {
        if !asked.json {
            print(checked);
        }
    }));
    let controls: Vec<_> = controls::all()
        .map_err(Failed::new)?
        .iter()
        .map(|control| ready::now(controls::one(control, &cases)))
        .collect();
    if asked.json {
        println!("{}", document(&report, &controls));
    } else {
        conclude(&report, &controls);
    }
    Ok(exit(report.totals(), &controls))
}

/// 0 all passed, 1 some failed, 2 none failed but some or all were not run.
fn exit(totals: Totals, controls: &[Controlled]) -> ExitCode {
    match totals {
        Totals { failed: 0, .. } if !controls.iter().all(Controlled::behaved) => ExitCode::from(1),
        Totals { failed: 0, not_run: 0, .. } => ExitCode::SUCCESS,
        Totals { failed: 0, .. } => ExitCode::from(2),
        Totals { .. } => ExitCode::from(1),
    }
}

fn print(checked: &Checked) {
    match &checked.verdict {
        Verdict::Passed => println!("passed   {}", checked.id),
        Verdict::NotRun { because } => println!("not run  {}: {because}", checked.id),
        Verdict::Failed => {
            println!("FAILED   {} ({}, {})", checked.id, checked.group, checked.ticket);
            println!("         {}", checked.why);
            for line in checked.lines.iter().filter(|line| !line.ok) {
                println!("         {}", line.did);
                println!("           expected {}", line.expected);
                println!("           got      {}", line.got);
            }
        }
    }
}

fn conclude(report: &Report, controls: &[Controlled]) {
    println!();
    for group in Group::ALL {
        let Totals { passed, failed, not_run } = report.totals_of(group);
        println!("{:42} {passed} passed, {failed} failed, {not_run} not run", group.title());
    }
    let behaved = controls.iter().filter(|one| one.behaved()).count();
    println!("{:42} {behaved} of {}", "Controls that behaved (not counted)", controls.len());
    for control in controls.iter().filter(|one| !one.behaved()) {
        println!("  {} Missed: {:?}. Stray: {:?}.", control.says, control.missed, control.stray);
    }
    println!("{:42} {}", "Texts of strangers", report.variants());
    let Totals { passed, failed, not_run } = report.totals();
    let rest = if not_run == 0 { String::new() } else { format!(", {not_run} not run") };
    println!("\n{passed} passed, {failed} failed{rest}");
}

fn document(report: &Report, controls: &[Controlled]) -> serde_json::Value {
    let Totals { passed, failed, not_run } = report.totals();
    let behaved = controls.iter().filter(|one| one.behaved()).count();
    json!({
        "passed": passed, "failed": failed, "not_run": not_run, "variants": report.variants(),
        "checks": report.checks,
        "controls": {"behaved": behaved, "of": controls.len(), "each": controls},
    })
}
