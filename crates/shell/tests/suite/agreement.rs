//! How the reader agrees with bash and with what agents write, on the recorded data sets.

use countersign_shell::read::{Extended, Limits, read, read_with};

use crate::data::{rows, text};

/// How often reading and `bash -n` agree over all rows.
///
/// `bash -n` leaves with success after an error inside of `[[ … ]]`, which it reports, and it never looks at the inside
/// of expansions; what it calls a script there and we do not read is counted against us all the same.
fn agreement(rows: &[serde_json::Value], extended: Extended, field: &str) -> (usize, usize) {
    let (mut all, mut accepts, mut rejects) = (0, 0, 0);
    let verbose = std::env::var_os("COUNTERSIGN_VERBOSE").is_some();
    let limits = Limits {
        extended,
        ..Limits::default()
    };
    for row in rows {
        let bash = row.get(field).and_then(serde_json::Value::as_bool);
        let script = row.get("script").and_then(serde_json::Value::as_str);
        let (Some(bash), Some(script)) = (bash, script) else {
            continue;
        };
        all += 1;
        match (bash, read_with(script, limits)) {
            (true, Ok(_)) | (false, Err(_)) => {}
            (false, Ok(_)) => {
                accepts += 1;
                if verbose {
                    println!("{extended:?} accept {}", text(row, "id"));
                }
            }
            (true, Err(unread)) => {
                rejects += 1;
                if verbose {
                    println!("{extended:?} reject {} {unread:?}", text(row, "id"));
                }
            }
        }
    }
    let agree = all - accepts - rejects;
    println!(
        "extended {extended:?}: {agree} of {all} agree; read against bash {accepts}, unread against bash {rejects}"
    );
    (agree, all)
}

#[test]
fn p5_agrees_with_bash_on_what_is_a_script() {
    let Some(rows) = rows("grammar.jsonl") else {
        return;
    };
    // With extended patterns on, two rows more are refused than can be told apart safely.
    for (extended, field, permille) in [
        (Extended::Off, "bash_n", 980),
        (Extended::On, "bash_n_extglob", 979),
    ] {
        let (agree, all) = agreement(&rows, extended, field);
        assert!(
            agree * 1000 >= all * permille,
            "{extended:?}: {agree} of {all}"
        );
    }
}

#[test]
fn p5_reads_what_agents_write() {
    let Some(rows) = rows("agent-commands.jsonl") else {
        return;
    };
    let (mut all, mut understood) = (0, 0);
    for row in &rows {
        let seen = row
            .get("n_seen")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(1);
        all += seen;
        match read(text(row, "cmd")) {
            Ok(_) => understood += seen,
            Err(unread) => {
                if std::env::var_os("COUNTERSIGN_VERBOSE").is_some() {
                    println!("unread {} {:?}", text(row, "id"), unread);
                }
            }
        }
    }
    println!("{understood} of {all} commands read");
    assert!(understood * 100 >= all * 97);
}
