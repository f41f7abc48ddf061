//! Other agents' own cases beside our verdicts: every difference is of a kind that somebody looked at.

use countersign_bench::peers::differences::kind;
use countersign_bench::peers::{Outcome, compare};
use countersign_bench::rows;

#[test]
fn p5_peers_differ_only_as_somebody_looked_at() {
    let Some(data) = rows::recorded("peer-cases.jsonl") else {
        println!("skipped: COUNTERSIGN_DATA does not hold peer-cases.jsonl");
        return;
    };
    let strange: Vec<String> = compare(&data)
        .unwrap()
        .iter()
        .filter(|one| !matches!(one.outcome, Outcome::Agrees | Outcome::Elsewhere(_)))
        .filter(|one| kind(one).is_none())
        .map(|one| format!("{} {} {}", one.id, one.outcome, one.words))
        .collect();
    assert!(strange.is_empty(), "{}", strange.join("\n"));
}
