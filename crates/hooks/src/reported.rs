//! What a host reports of a call, against what was recorded of it: the pair is closed once, and what does not fit is
//! noticed.

use crate::asked::Report;
use countersign_gate::journal::Journal;
use countersign_gate::journal::back::Back;
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::event::{CallReported, Event, NoticeCode, Ran};
use countersign_gate::journal::name::short_identity;
use countersign_policy::outcome::Outcome;

/// What was recorded of a call before.
enum Before {
    /// It was judged, and this became of it.
    Judged(Outcome),
    /// It was refused without a verdict.
    Failed,
    /// What became of it was reported already.
    Reported,
    /// Nothing.
    Nothing,
}

/// Records a report. Returns what the person has to know, if anything.
pub fn reported(report: &Report, journal: &Journal) -> Result<Option<String>, JournalError> {
    let mut told = None;
    journal.record_seeing(|back| {
        let before = before(&short_identity(&report.call), back)?;
        let (events, words) = follows(report, &before);
        told = words;
        Ok(events)
    })?;
    Ok(told)
}

/// What was recorded last of a call. A report without an identity is about no call that we could know.
fn before(call: &str, back: Back<'_>) -> Result<Before, JournalError> {
    if call.is_empty() {
        return Ok(Before::Nothing);
    }
    for entry in back {
        match entry?.event {
            Event::CallReported(reported) if reported.call == call => return Ok(Before::Reported),
            Event::CallClosed(closed) if closed.call() == call => {
                return Ok(Before::Judged(closed.outcome()));
            }
            Event::HookFailed(failed) if failed.call.as_deref() == Some(call) => {
                return Ok(Before::Failed);
            }
            Event::SessionOpened(_)
            | Event::TurnOpened(_)
            | Event::TurnClosed(_)
            | Event::CallJudged(_)
            | Event::ApprovalAsked(_)
            | Event::ApprovalDecided(_)
            | Event::ApprovalPolicy(_)
            | Event::CallClosed(_)
            | Event::CallReported(_)
            | Event::GrantSaved(_)
            | Event::GrantUsed(_)
            | Event::GrantRevoked(_)
            | Event::ReviewDone(_)
            | Event::HookFailed(_)
            | Event::Notice(_) => {}
        }
    }
    Ok(Before::Nothing)
}

/// The events that follow from a report, and what the person has to know.
fn follows(report: &Report, before: &Before) -> (Vec<Event>, Option<String>) {
    let closing = Event::CallReported(CallReported {
        call: short_identity(&report.call),
        ran: report.ran,
    });
    let ran = match report.ran {
        Ran::Done => "done",
        Ran::Failed => "failed",
        Ran::Not => "not run",
    };
    let (tool, call) = (&report.tool, short_identity(&report.call));
    match before {
        Before::Reported => (Vec::new(), None),
        Before::Judged(Outcome::Allowed | Outcome::Deferred) => (vec![closing], None),
        Before::Judged(Outcome::Rejected | Outcome::Cancelled | Outcome::Unavailable)
        | Before::Failed => {
            let words = format!("the host ran a call that was refused: `{tool}` {call}, {ran}");
            let notice = Event::notice(NoticeCode::Other, &words);
            (vec![closing, notice], Some(words))
        }
        Before::Nothing => {
            let words =
                format!("a call that was never judged was reported: `{tool}` {call}, {ran}");
            let notice = Event::notice(NoticeCode::Other, &words);
            (vec![notice], None)
        }
    }
}
