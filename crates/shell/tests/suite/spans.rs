//! Spans point at the text they stand for.

use countersign_shell::read::read;
use countersign_shell::walk::{Visit, visit};

use crate::data::{rows, text};

/// True where every substitution of the text has a span that looks like one.
fn spans_fit(source: &str) -> bool {
    let Ok(script) = read(source) else {
        return true;
    };
    let mut fit = true;
    visit(&script, &mut |visit| {
        let (span, openers) = match visit {
            Visit::Command(command) => {
                fit &= command
                    .span
                    .text(source)
                    .is_some_and(|text| !text.is_empty());
                return;
            }
            Visit::CommandSubstitution(inner) => (inner.span, ["$(", "`"]),
            Visit::ProcessSubstitution(inner) => (inner.span, ["<(", ">("]),
        };
        fit &= span.text(source).is_some_and(|text| {
            openers.iter().any(|opener| text.starts_with(opener)) && text.ends_with([')', '`'])
        });
    });
    fit
}

#[test]
fn p5_spans_point_at_their_text() {
    assert!(spans_fit(
        "a \"$(b `c`)\" ${d:-$(e)}; cat <<E\n$(f) <(g)\nE\nh é$(i) >(j)"
    ));
    let Some(rows) = rows("agent-commands.jsonl") else {
        return;
    };
    for row in &rows {
        let source = text(row, "cmd");
        // Where bash rewrites the text, a span is that of the whole rewritten part.
        if !source.contains("\\\n") && !source.contains("\\`") && !source.contains("<<-") {
            assert!(
                spans_fit(source) || source.contains('`'),
                "{}",
                text(row, "id")
            );
        }
    }
}
