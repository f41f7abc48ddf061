//! What is answered where no rule decides, and who says so: the mode, the approvals, and each category.

use crate::record::layer;
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::Category;
use countersign_policy::rules::approvals::Approvals;
use countersign_policy::rules::layer::{Layer, RuleSet};
use serde::Serialize;

/// One answer.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    /// What is answered: `mode`, `approvals` or a category.
    pub(super) what: &'static str,
    /// The answer.
    pub(super) value: &'static str,
    /// Who says so: a layer, `mode` or `built-in`.
    pub(super) by: &'static str,
    /// The file, or the mode that answers.
    pub(super) origin: String,
}

/// All answers.
pub(super) fn answers(set: &RuleSet) -> Vec<Answer> {
    let mode = set.mode(None);
    let approvals = set.approvals(None);
    let mut out = vec![
        named(set, ("mode", mode.name()), |layer| {
            layer.mode.map(Mode::name)
        }),
        named(set, ("approvals", approvals.name()), |layer| {
            layer.approvals.map(Approvals::name)
        }),
    ];
    out.extend(Category::ALL.map(|category| of_category(set, category)));
    out
}

/// An answer that a file names, or that holds by itself.
fn named(
    set: &RuleSet,
    (what, answer): (&'static str, &'static str),
    own: impl Fn(&Layer) -> Option<&'static str>,
) -> Answer {
    let mut files = set.layers().iter().rev();
    let file = files.find(|layer| own(layer) == Some(answer));
    Answer {
        what,
        value: answer,
        by: file.map_or("built-in", |file| layer(file.authority)),
        origin: file
            .map_or("built-in", |file| file.origin.as_str())
            .to_owned(),
    }
}

fn of_category(set: &RuleSet, category: Category) -> Answer {
    let mode = set.mode(None);
    let choice = set.category_choice(category);
    let base = choice.unwrap_or_else(|| mode.answer(category, false));
    let action = base.max(set.category_floor(category));
    let what = category.name();
    if category == Category::Opaque && action == Action::Allow {
        // No file can have it otherwise; that the reader refuses it is no reason to say something else here.
        return Answer {
            what,
            value: Action::Ask.name(),
            by: "built-in",
            origin: "built-in".to_owned(),
        };
    }
    if choice.is_none() && action == base {
        return Answer {
            what,
            value: action.name(),
            by: "mode",
            origin: mode.name().to_owned(),
        };
    }
    named(set, (what, action.name()), |layer| {
        let own = layer.category.iter().find(|(own, _)| *own == category);
        own.map(|(_, action)| action.name())
    })
}
