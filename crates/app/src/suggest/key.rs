//! What a rule would have to say so that one request of a call is not asked about; nothing for what a person should see
//! each time.

use crate::suggestion;
use countersign_policy::grant::offer::family;
use countersign_policy::request::{Category, Kind, Target};
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use countersign_policy::verdict::{Finding, Source};

/// A pattern for a kind, in one or two widths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The kind.
    pub(super) kind: Kind,
    /// The family of a command; else what is exactly asked for.
    pub(super) wide: String,
    /// What is exactly asked for, where a rule can say it.
    pub(super) exact: Option<String>,
}

/// The key of a finding that asks.
pub(super) fn key(finding: &Finding, session: &Session) -> Option<Key> {
    let request = &finding.request;
    let scripted = request.within.is_some();
    if scripted || finding.person_only || !is_for_rules(request.category) || !is_open(finding) {
        return None;
    }
    let exact = suggestion::pattern(request, session);
    let wide = match &request.target {
        Target::Command(line) => family(line)
            .map(|family| family.to_string())
            .or_else(|| exact.clone()),
        Target::Path(path) if path.pattern.is_some() => None,
        Target::Path(_) | Target::Host(_) | Target::Name(_) => exact.clone(),
        Target::Opaque(_) => None,
    };
    Some(Key {
        kind: request.kind,
        wide: wide?,
        exact,
    })
}

/// Whether a rule should answer what is of this category.
const fn is_for_rules(category: Category) -> bool {
    match category {
        Category::Reads
        | Category::Writes
        | Category::Builds
        | Category::Fetches
        | Category::Installs
        | Category::Unknown => true,
        Category::Removes | Category::Remote | Category::Privilege | Category::Opaque => false,
    }
}

/// Whether nobody's rule asks on purpose: no rule of a file, and no built-in one about secrets and places from which
/// something runs later.
fn is_open(finding: &Finding) -> bool {
    match &finding.source {
        Source::Mode(_) | Source::CategoryChoice(_) => true,
        Source::Rule(rule) => {
            let particular = match finding.request.kind {
                Kind::Read | Kind::Edit | Kind::Delete => true,
                Kind::Shell
                | Kind::Terminal
                | Kind::Net
                | Kind::WebSearch
                | Kind::Mcp
                | Kind::Memory
                | Kind::Task
                | Kind::ExternalDirectory
                | Kind::Tool => false,
            };
            rule.authority == Authority::Builtin && !particular
        }
        Source::Floor(_)
        | Source::PerhapsRule(_)
        | Source::Confinement(_)
        | Source::Opacity(_)
        | Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => false,
    }
}
