//! How the reader agrees with bash and with what agents write, on the recorded data sets.

use countersign_shell::read::read;

use crate::data::{rows, text};

#[test]
fn p5_agrees_with_bash_on_what_is_a_script() {
    let Some(rows) = rows("grammar.jsonl") else {
        return;
    };
    let (mut all, mut agree, mut accepts, mut rejects) = (0, 0, 0, 0);
    for row in &rows {
        let Some(script) = row.get("script").and_then(|script| script.as_str()) else {
            continue;
        };
        // Without running `shopt -s extglob` bash cannot know that the text turns extended patterns on.
        let field = if script.contains("extglob") {
            "bash_n_extglob"
        } else {
            "bash_n"
        };
        let Some(bash) = row.get(field).and_then(serde_json::Value::as_bool) else {
            continue;
        };
        all += 1;
        let ours = read(script);
        match (bash, &ours) {
            (true, Ok(_)) | (false, Err(_)) => agree += 1,
            (false, Ok(_)) => accepts += 1,
            (true, Err(unread)) => {
                rejects += 1;
                if std::env::var_os("COUNTERSIGN_VERBOSE").is_some() {
                    println!("reject {} {:?}", text(row, "id"), unread);
                }
            }
        }
        if bash || ours.is_err() {
            continue;
        }
        if std::env::var_os("COUNTERSIGN_VERBOSE").is_some() {
            println!("accept {}", text(row, "id"));
        }
    }
    println!("{agree} of {all} agree; read against bash {accepts}, unread against bash {rejects}");
    assert!(agree * 100 >= all * 98);
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
