//! What an "always" to a question would keep, in words: one rule for each request, by the family of a command where it
//! has one (row P9).

use countersign_policy::grant::Allowed;
use countersign_policy::grant::offer::{Offer, offer};
use countersign_policy::verdict::Verdict;

/// What would be kept.
#[derive(Debug)]
pub(crate) enum Kept {
    /// Nothing, and why.
    Nothing(String),
    /// The exact call in its directory, and why no more.
    Exact(String),
    /// These rules.
    Rules(Vec<String>),
}

/// What an "always" to the question about a call would keep.
pub(crate) fn kept(verdict: &Verdict) -> Kept {
    match offer(verdict) {
        Offer::Nothing(why) => Kept::Nothing(why),
        Offer::Exactly(why) => Kept::Exact(why),
        Offer::Forms(forms) => {
            let rules = forms
                .into_iter()
                .map(|form| Allowed::Form(form).to_string());
            Kept::Rules(rules.collect())
        }
    }
}
