//! Recorded verdicts of others beside ours: `compare peers|labels`. The data is where `COUNTERSIGN_DATA` says.

use countersign_bench::peers::{self, Outcome, differences};
use countersign_bench::{finish, labels, rows};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let report = match std::env::args().nth(1).as_deref() {
        Some("peers") => recorded("peer-cases.jsonl").and_then(|data| peer_cases(&data)),
        Some("labels") => recorded("labelled-commands.jsonl").map(|data| labels::report(&data)),
        Some(_) | None => Err("usage: compare peers|labels".to_owned()),
    };
    finish(report)
}

fn recorded(name: &str) -> Result<Vec<serde_json::Value>, String> {
    rows::recorded(name).ok_or_else(|| format!("skipped: COUNTERSIGN_DATA does not hold {name}"))
}

/// Agreement for each system, then the kinds of differences, then what nobody looked at.
fn peer_cases(data: &[serde_json::Value]) -> Result<String, String> {
    let all = peers::compare(data)?;
    let mut systems: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::new();
    for one in &all {
        *systems
            .entry((&one.system, one.outcome.to_string()))
            .or_default() += 1;
        match (one.outcome, differences::kind(one)) {
            (Outcome::Agrees | Outcome::Elsewhere(_), _) => {}
            (_, Some(kind)) => *kinds.entry(kind.name).or_default() += 1,
            (_, None) => {
                let _ = writeln!(out, "no kind: {} {} {}", one.id, one.outcome, one.words);
            }
        }
    }
    for ((system, outcome), count) in &systems {
        let _ = writeln!(out, "{system:10} {outcome:20} {count}");
    }
    for kind in differences::KINDS {
        let count = kinds.get(kind.name).unwrap_or(&0);
        let _ = writeln!(
            out,
            "{count:4} {} ({:?} right): {}",
            kind.name, kind.right, kind.why
        );
    }
    Ok(out)
}
