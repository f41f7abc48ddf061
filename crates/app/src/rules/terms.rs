//! What a rule says beside action, kind and pattern, key by key as a rule file writes it.

use countersign_gate::journal::time::Timestamp;
use countersign_policy::rules::confinement::Confinement;
use countersign_policy::rules::pattern::argument::Argument;
use countersign_policy::rules::rule::Terms;

/// The keys that bound a rule, each with its values.
pub(super) fn terms(terms: &Terms) -> Vec<(&'static str, Vec<String>)> {
    let arguments = |all: &[Argument]| all.iter().map(ToString::to_string).collect();
    let mut out: Vec<(&'static str, Vec<String>)> = vec![
        ("with", arguments(&terms.with)),
        ("without", arguments(&terms.without)),
        (
            "unless",
            terms.unless.iter().map(ToString::to_string).collect(),
        ),
        (
            "in",
            terms.directory.iter().map(ToString::to_string).collect(),
        ),
        (
            "until",
            terms.until.iter().map(|until| moment(*until)).collect(),
        ),
    ];
    let confine = terms.confine.iter().copied().map(Confinement::name);
    out.push(("confine", confine.map(str::to_owned).collect()));
    if terms.person {
        out.push(("person", vec!["true".to_owned()]));
    }
    // These are written in the built-in table only.
    out.push(("by", terms.by.clone()));
    for (key, is_set) in [("recursive", terms.recursive), ("outside", terms.outside)] {
        if is_set {
            out.push((key, vec!["true".to_owned()]));
        }
    }
    let modes = terms.modes.iter().map(|mode| mode.name().to_owned());
    out.push(("modes", modes.collect()));
    out.retain(|(_, values)| !values.is_empty());
    out
}

/// A second of the Unix clock, as a rule file writes it.
fn moment(seconds: i64) -> String {
    let millis = u64::try_from(seconds).unwrap_or(0).saturating_mul(1000);
    Timestamp::from_millis(millis)
        .to_string()
        .replace(".000Z", "Z")
}
