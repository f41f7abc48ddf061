//! Rows P12, S7: many hook processes at once lose no line and tear none; each call is a turn of its own.

use crate::place::{Place, is_full, run};
use countersign_gate::journal::verify::verify;
use serde_json::json;
use std::collections::BTreeMap;

#[test]
fn p12_parallel_hooks_record_every_call_whole() {
    let (workers, calls) = if is_full() { (200, 50) } else { (20, 50) };
    let place = Place::new();
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let place = &place;
            scope.spawn(move || {
                for call in 0..calls {
                    let command = ["ls", "git push", "rm -rf /", "touch x"][call % 4];
                    let mut message =
                        place.message("default", "Bash", &json!({ "command": command }));
                    message["tool_use_id"] = json!(format!("{worker}-{call}"));
                    let heard = run(&mut place.hook(), message.to_string().as_bytes());
                    let due = ["allow", "ask", "deny", "nothing"][call % 4];
                    assert_eq!(heard.decision(), due, "{heard:?}");
                }
            });
        }
    });
    let verified = verify(&place.journals().join("5f0c.jsonl")).unwrap();
    let all = workers * calls;
    assert_eq!(verified.lines, 4 * all as u64 + 1);
    let events = place.events("5f0c");
    assert_eq!(events[0]["event"], "session/opened");
    assert_eq!(
        events
            .iter()
            .filter(|event| event["event"] == "session/opened")
            .count(),
        1
    );
    let mut turns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for lines in events[1..].chunks(4) {
        let name = |at: usize| lines[at]["event"].as_str().unwrap().to_owned();
        assert_eq!(
            [name(0), name(1), name(2), name(3)],
            ["turn/opened", "call/judged", "call/closed", "turn/closed"]
        );
        let turn = lines[0]["turn"].as_str().unwrap().to_owned();
        assert!(
            lines[1]["call"] == lines[0]["turn"]
                && lines[2]["call"] == lines[0]["turn"]
                && lines[3]["turn"] == lines[0]["turn"]
        );
        turns
            .entry(turn)
            .or_default()
            .push(lines[2]["outcome"].as_str().unwrap().to_owned());
    }
    assert_eq!(turns.len(), all);
    for (turn, outcomes) in turns {
        let call: usize = turn.split_once('-').unwrap().1.parse().unwrap();
        assert_eq!(
            outcomes,
            [["allowed", "deferred", "rejected", "deferred"][call % 4]]
        );
    }
}
