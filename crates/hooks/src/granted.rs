//! Whether what was kept of earlier answers answers a call; nothing is kept here.

use crate::asked::Asked;
use countersign_gate::decide::Setting;
use countersign_gate::grants::Store;
use countersign_gate::journal::clip::{Clip, WORDS_BYTES};
use countersign_gate::journal::event::{Event, GrantUsed};
use countersign_gate::journal::name::short_identity;
use countersign_policy::action::Action;
use countersign_policy::call::Call;
use countersign_policy::grant::{Grant, answering};
use countersign_policy::verdict::Verdict;
use std::time::{SystemTime, UNIX_EPOCH};

/// What is kept for a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Granted {
    /// Nothing that answers it.
    No,
    /// It cannot be read, so that nothing is granted.
    Broken(String),
    /// These answer all that is asked.
    By(Vec<Grant>),
}

/// Looks for grants that answer a verdict; they are read only where something is asked.
pub fn granted(setting: &Setting, asked: &Asked, verdict: &Verdict) -> Granted {
    // Neither a host's caution nor its mode that only reads is what was answered then.
    if verdict.action != Action::Ask || asked.caution.is_some() || asked.reads_only {
        return Granted::No;
    }
    let Some(store) = Store::of(&setting.session, &setting.environment) else {
        return Granted::No;
    };
    let grants = match store.load() {
        Ok(grants) => grants,
        Err(why) => return Granted::Broken(format!("{}: {why}", store.file().display())),
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since.map_or(i64::MAX, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    });
    let holds = |grant: &Grant| setting.holds(grant, &asked.session, now);
    match answering(&grants, verdict, &asked.call, &setting.session, &holds) {
        Some(used) => Granted::By(used.into_iter().cloned().collect()),
        None => Granted::No,
    }
}

impl Granted {
    /// The record of each use.
    pub fn events(&self, call: &Call) -> Vec<Event> {
        let grants = match self {
            Self::No | Self::Broken(_) => &[][..],
            Self::By(grants) => grants,
        };
        let used = |grant: &Grant| {
            Event::GrantUsed(GrantUsed {
                grant: grant.id.clone(),
                call: short_identity(&call.id.0),
                rule: Clip::of(&grant.rule(), WORDS_BYTES),
            })
        };
        grants.iter().map(used).collect()
    }
}
