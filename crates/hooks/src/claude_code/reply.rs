//! What is replied to each event, in the event's own form, and the exit code that says the same.

use super::event;
use crate::answer::{Answer, Denial};
use crate::exit::BLOCK;
use serde::Serialize;

/// The forms of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `permissionDecision`, and exit code 2 refuses too.
    Permission,
    /// `decision.behavior`. Exit code 2 is not honoured and hides the JSON, so that a refusal ends with 0.
    Behavior,
    /// `decision: "block"` or nothing, and exit code 2 refuses too.
    Block,
    /// Nothing can be refused any more, or must be; the person is told what is wrong.
    Told,
}

impl Shape {
    /// The form for an event; that of the gate for those that are not known.
    fn of(event: &str) -> Self {
        match event {
            event::PERMISSION_REQUEST => Self::Behavior,
            event::USER_PROMPT_EXPANSION | event::CONFIG_CHANGE => Self::Block,
            event::SESSION_START | event::POST_TOOL_USE | event::POST_TOOL_USE_FAILURE => {
                Self::Told
            }
            _ => Self::Permission,
        }
    }
}

/// A reply as it stands on the wire.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Output<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
}

/// The part of a reply that is the event's own.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Behavior>,
}

/// The decision where the host is about to ask its user.
#[derive(Serialize)]
struct Behavior {
    behavior: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// What is replied to a message about `event`: a line of JSON, or nothing.
pub(super) fn reply(event: &str, answer: &Answer) -> String {
    let reply = match Shape::of(event) {
        Shape::Permission => permission(event, answer),
        Shape::Behavior => behavior(event, answer),
        Shape::Block => block(answer),
        Shape::Told => told(event, answer),
    };
    // Texts always serialise; an empty reply would leave the exit code to speak, which refuses.
    reply.map_or_else(String::new, |reply| {
        serde_json::to_string(&reply).unwrap_or_default()
    })
}

/// The exit code: 2 refuses, whatever stands on stdout, and 0 leaves the word to it. A refusal uses both where the
/// event takes both, as hosts have been seen to lose either.
pub(super) fn exit_code(event: &str, answer: &Answer) -> i32 {
    match (answer, Shape::of(event)) {
        (Answer::Allow(_) | Answer::Ask(_) | Answer::Nothing | Answer::Tell(_), _)
        | (Answer::Deny(_), Shape::Behavior | Shape::Told) => 0,
        (Answer::Deny(_), Shape::Permission | Shape::Block) => BLOCK,
    }
}

fn permission<'a>(event: &'a str, answer: &'a Answer) -> Option<Reply<'a>> {
    let (decision, reason, context, person) = match answer {
        Answer::Nothing => return None,
        Answer::Tell(words) => return Some(words_only(words)),
        Answer::Allow(reason) => ("allow", reason, None, None),
        Answer::Ask(reason) => ("ask", reason, None, None),
        Answer::Deny(denial) => (
            "deny",
            &denial.reason,
            denial.hint.as_deref(),
            denial.person.as_deref(),
        ),
    };
    Some(Reply {
        hook_specific_output: Some(Output {
            hook_event_name: event,
            permission_decision: Some(decision),
            permission_decision_reason: Some(reason),
            additional_context: context,
            ..Output::default()
        }),
        system_message: person,
        ..Reply::default()
    })
}

/// The host is about to ask its user: where we would ask, it asks.
fn behavior<'a>(event: &'a str, answer: &'a Answer) -> Option<Reply<'a>> {
    let (behavior, message, person) = match answer {
        Answer::Nothing | Answer::Ask(_) => return None,
        Answer::Tell(words) => return Some(words_only(words)),
        Answer::Allow(_) => ("allow", None, None),
        Answer::Deny(denial) => ("deny", Some(in_full(denial)), denial.person.as_deref()),
    };
    Some(Reply {
        hook_specific_output: Some(Output {
            hook_event_name: event,
            decision: Some(Behavior { behavior, message }),
            ..Output::default()
        }),
        system_message: person,
        ..Reply::default()
    })
}

fn block(answer: &Answer) -> Option<Reply<'_>> {
    match answer {
        Answer::Nothing | Answer::Ask(_) | Answer::Allow(_) => None,
        Answer::Tell(words) => Some(words_only(words)),
        Answer::Deny(denial) => Some(Reply {
            decision: Some("block"),
            reason: Some(in_full(denial)),
            system_message: denial.person.as_deref(),
            ..Reply::default()
        }),
    }
}

fn told<'a>(event: &'a str, answer: &'a Answer) -> Option<Reply<'a>> {
    let words = match answer {
        Answer::Nothing | Answer::Ask(_) | Answer::Allow(_) => return None,
        Answer::Tell(words) => words,
        Answer::Deny(denial) => denial.person.as_ref().unwrap_or(&denial.reason),
    };
    Some(Reply {
        hook_specific_output: Some(Output {
            hook_event_name: event,
            additional_context: Some(words),
            ..Output::default()
        }),
        system_message: Some(words),
        ..Reply::default()
    })
}

fn words_only(words: &str) -> Reply<'_> {
    Reply {
        system_message: Some(words),
        ..Reply::default()
    }
}

/// The reason with what can be done, where there is one field for both.
fn in_full(denial: &Denial) -> String {
    match &denial.hint {
        Some(hint) => format!("{}\nhint: {hint}", denial.reason),
        None => denial.reason.clone(),
    }
}
