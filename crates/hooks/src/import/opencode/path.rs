//! `OpenCode`'s path patterns, whose star passes slashes, into ours, whose star does not.

use countersign_policy::action::Action;

/// Our patterns for one of theirs: for an allow no more than it says, for an ask or deny no less.
pub(super) fn patterns(action: Action, text: &str) -> Result<Vec<String>, String> {
    let strict = action != Action::Allow;
    let home = text
        .strip_prefix("$HOME")
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let text = home.map_or_else(|| text.to_owned(), |rest| format!("~{rest}"));
    if text.split('/').any(|part| part == "..") || text.starts_with('$') {
        return Err("write the path from `/` (project), `//` (disk) or `~`".to_owned());
    }
    if text.contains(['[', '\\']) {
        return Err("it has characters that mean something else in our patterns".to_owned());
    }
    if matches!(text.as_str(), "*" | "**") {
        return Ok(vec!["**".to_owned()]);
    }
    let (anchor, rest) = if let Some(rest) = text.strip_prefix('/') {
        ("//", rest)
    } else if text == "~" {
        return Ok(vec![text]);
    } else if let Some(rest) = text.strip_prefix("~/") {
        ("~/", rest)
    } else if strict && text.starts_with('*') {
        ("", text.as_str())
    } else {
        ("/", text.strip_prefix("./").unwrap_or(&text))
    };
    let mut out = vec![anchor.to_owned()];
    for (at, part) in rest.split('/').enumerate() {
        let choices = component(part);
        let joined = |front: &String| {
            let slash = if at == 0 { "" } else { "/" };
            let choices = choices.iter();
            choices
                .map(|choice| format!("{front}{slash}{choice}"))
                .collect::<Vec<String>>()
        };
        out = out.iter().flat_map(joined).collect();
    }
    Ok(out)
}

/// One component, in the ways in which it may go on over slashes.
fn component(part: &str) -> Vec<String> {
    let text = part.trim_matches('*');
    if text.is_empty() && !part.is_empty() {
        return vec!["**".to_owned()];
    }
    let front = if part.starts_with('*') { "**/*" } else { "" };
    let back = if part.ends_with('*') && !part.is_empty() {
        "*/**"
    } else {
        ""
    };
    let plain = format!("{front}{text}{back}");
    match text.split_once('*') {
        None => vec![plain],
        Some((before, after)) => {
            let after = after.trim_start_matches('*');
            vec![plain, format!("{front}{before}*/**/*{after}{back}")]
        }
    }
}
