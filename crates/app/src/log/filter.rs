//! Which entries are wanted.

use super::summary::{Calls, call_of};
use crate::cli::LogArgs;
use crate::error::{CommandError, ErrorKind};
use countersign_gate::journal::event::Event;
use countersign_gate::journal::line::Entry;
use countersign_gate::journal::time::Timestamp;
use countersign_policy::outcome::Outcome;

/// What is wanted; everything where nothing was named.
#[derive(Debug)]
pub(crate) struct Filter {
    since: Option<Timestamp>,
    outcome: Option<Outcome>,
    tool: Option<String>,
    contains: Option<String>,
}

impl Filter {
    /// What was typed.
    pub(super) fn of(args: &LogArgs) -> Result<Self, CommandError> {
        let since = args.since.as_deref().map(|text| {
            moment(text, Timestamp::now()).ok_or_else(|| {
                CommandError::new(ErrorKind::Cli, format!("`{text}` is not a time"))
                    .hint("write `10m`, `2h`, `3d`, `2026-01-31` or `2026-01-31T08:00:00Z`")
            })
        });
        Ok(Self {
            since: since.transpose()?,
            outcome: args.outcome,
            tool: args.tool.clone(),
            contains: args.contains.clone(),
        })
    }

    /// Whether an entry is wanted. `line` is the line from which it was read.
    pub(super) fn admits(&self, entry: &Entry, calls: &Calls, line: &str) -> bool {
        let timely = self.since.is_none_or(|since| entry.time >= since);
        let ended = self
            .outcome
            .is_none_or(|wanted| outcome(&entry.event) == Some(wanted));
        let by = self.tool.as_ref().is_none_or(|tool| {
            let call = call_of(&entry.event);
            call.and_then(|call| calls.tool(call)) == Some(tool.as_str())
        });
        let holds = self.contains.as_ref().is_none_or(|text| {
            // What was typed is meant as it is read, not as JSON escapes it.
            let escaped = serde_json::to_string(text).unwrap_or_default();
            let escaped = escaped.trim_matches('"');
            line.contains(text.as_str()) || line.contains(escaped)
        });
        timely && ended && by && holds
    }
}

/// The outcome that an entry tells, where it tells one.
fn outcome(event: &Event) -> Option<Outcome> {
    match event {
        Event::CallClosed(closed) => Some(closed.outcome()),
        Event::ApprovalDecided(decided) => Some(decided.outcome),
        Event::SessionOpened(_)
        | Event::TurnOpened(_)
        | Event::TurnClosed(_)
        | Event::CallJudged(_)
        | Event::ApprovalAsked(_)
        | Event::ApprovalPolicy(_)
        | Event::CallReported(_)
        | Event::GrantSaved(_)
        | Event::GrantUsed(_)
        | Event::GrantRevoked(_)
        | Event::ReviewDone(_)
        | Event::HookFailed(_)
        | Event::Notice(_) => None,
    }
}

/// The moment that a text means, seen from `now`.
fn moment(text: &str, now: Timestamp) -> Option<Timestamp> {
    let units = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400)];
    if let Some((unit, seconds)) = units.into_iter().find(|(unit, _)| text.ends_with(*unit)) {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        let back = number.checked_mul(seconds)?.checked_mul(1000)?;
        return Some(Timestamp::from_millis(now.millis().saturating_sub(back)));
    }
    let full = match text.strip_suffix('Z') {
        Some(start) if start.contains('.') => text.to_owned(),
        Some(start) => format!("{start}.000Z"),
        None => format!("{text}T00:00:00.000Z"),
    };
    Timestamp::parse(&full)
}

#[cfg(test)]
mod tests {
    use super::moment;
    use countersign_gate::journal::time::Timestamp;

    #[test]
    fn p12_reads_moments() {
        let now = Timestamp::from_millis(1_796_029_800_000);
        for (text, expected) in [
            ("10m", "2026-11-30T09:00:00.000Z"),
            ("1d", "2026-11-29T09:10:00.000Z"),
            ("2026-01-31", "2026-01-31T00:00:00.000Z"),
            ("2026-01-31T08:00:00Z", "2026-01-31T08:00:00.000Z"),
            ("2026-01-31T08:00:00.500Z", "2026-01-31T08:00:00.500Z"),
        ] {
            assert_eq!(moment(text, now), Timestamp::parse(expected), "{text}");
        }
        for text in [
            "",
            "d",
            "-1d",
            "2026-02-30",
            "yesterday",
            "99999999999999999999d",
        ] {
            assert_eq!(moment(text, now), None, "{text}");
        }
    }
}
