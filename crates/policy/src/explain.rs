//! The only wording in the house: requests, findings and verdicts as plain sentences. It decides nothing.

use crate::effects::command::{CommandLine, Field};
use crate::request::{Category, Kind, Request, Target};
use crate::rules::rule::RuleRef;
use crate::verdict::{Action, Finding, Source, Verdict};

/// What a request asks for, in one text: `git push origin main`, a path as written, a host.
pub fn target(target: &Target) -> String {
    match target {
        Target::Command(command) => command_words(command),
        Target::Path(path) => path.written.clone(),
        Target::Host(name) | Target::Name(name) => name.clone(),
        Target::Opaque(why) => why.name().to_owned(),
    }
}

/// The canonical words of a command; a word that could be taken for two is quoted, one that cannot be told is `‹…›`.
pub fn command_words(command: &CommandLine) -> String {
    let words: Vec<String> = command.words.iter().map(word).collect();
    words.join(" ")
}

fn word(field: &Field) -> String {
    match field {
        Field::Known(text) => {
            let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~^".contains(c);
            if !text.is_empty() && text.chars().all(plain) {
                text.clone()
            } else {
                format!("'{}'", text.replace('\'', r"'\''"))
            }
        }
        Field::Names(pattern) | Field::Listed(pattern) => format!("‹names {pattern}›"),
        Field::Unknown { prefix, .. } => format!("‹{prefix}…›"),
    }
}

/// One sentence for a person: what decided the verdict, and on what.
pub fn reason(verdict: &Verdict) -> String {
    if let Some(words) = &verdict.malformed {
        return format!("the input does not have the tool's form: {words}");
    }
    let mut deciding = verdict
        .findings
        .iter()
        .filter(|finding| finding.action == verdict.action);
    let Some(first) = deciding.next() else {
        return "it touches nothing".to_owned();
    };
    let more = deciding.count();
    let mut out = match verdict.action {
        Action::Allow => format!("allowed: {}", because(first)),
        Action::Ask | Action::Deny => {
            format!(
                "{} {}: {}",
                first.request.kind.name(),
                subject(&first.request),
                because(first)
            )
        }
    };
    if more > 0 && verdict.action != Action::Allow {
        out.push_str(&format!(" (and {more} more)"));
    }
    for file in &verdict.broken {
        out.push_str(&format!(
            "; {file} cannot be read whole, so nothing is allowed without you"
        ));
    }
    out
}

/// What the model is told to do instead, where a rule says it.
pub fn hint(verdict: &Verdict) -> Option<&str> {
    verdict
        .findings
        .iter()
        .filter(|finding| finding.action == verdict.action)
        .find_map(|finding| rule(&finding.source).and_then(|rule| rule.hint.as_deref()))
}

/// What a request is about, in backticks where it is text of the call.
pub fn subject(request: &Request) -> String {
    match &request.target {
        Target::Opaque(why) => why.name().to_owned(),
        Target::Command(_) | Target::Path(_) | Target::Host(_) | Target::Name(_) => {
            format!("`{}`", target(&request.target))
        }
    }
}

/// Why a finding is what it is.
pub fn because(finding: &Finding) -> String {
    match &finding.source {
        Source::Floor(floor) => format!("{}; nothing lifts this", floor.words()),
        Source::Rule(rule) => rule_words(rule),
        Source::PerhapsRule(rule) => {
            format!(
                "{}, which may match what cannot be told here",
                rule_words(rule)
            )
        }
        Source::Confinement(rule) => {
            format!(
                "{}, but its confinement cannot be enforced here",
                rule_words(rule)
            )
        }
        Source::Opacity(why) => why.words().to_owned(),
        Source::Mode(category) => format!("it {}", category_words(*category)),
        Source::CategoryChoice(category) => {
            format!(
                "your choice for {}: it {}",
                category.name(),
                category_words(*category)
            )
        }
        Source::SettledByCommand(rule) => format!("{} covers the command", rule_words(rule)),
        Source::ItsEffects => "the command does nothing beyond its effects".to_owned(),
        Source::BrokenRules => "a rule file cannot be read whole".to_owned(),
    }
}

/// The rule behind a source, where there is one.
pub const fn rule(source: &Source) -> Option<&RuleRef> {
    match source {
        Source::Rule(rule)
        | Source::PerhapsRule(rule)
        | Source::Confinement(rule)
        | Source::SettledByCommand(rule) => Some(rule),
        Source::Floor(_)
        | Source::Opacity(_)
        | Source::Mode(_)
        | Source::CategoryChoice(_)
        | Source::ItsEffects
        | Source::BrokenRules => None,
    }
}

/// A rule as a person knows it: its reason, its name and where it stands.
pub fn rule_words(rule: &RuleRef) -> String {
    let name = rule.id.as_deref().unwrap_or(&rule.label);
    let place = match rule.line {
        0 => rule.origin.clone(),
        line => format!("{}:{line}", rule.origin),
    };
    match &rule.reason {
        Some(reason) => format!("{reason} (rule {name}, {place})"),
        None => format!("rule {name} ({place})"),
    }
}

/// What a category is, as a predicate.
pub const fn category_words(category: Category) -> &'static str {
    match category {
        Category::Reads => "only reads",
        Category::Writes => "changes files in the workspace",
        Category::Builds => "runs the project's own code",
        Category::Fetches => "reads from the network",
        Category::Installs => "brings foreign code onto the machine",
        Category::Unknown => "is a program, or a use of one, that nobody described",
        Category::Removes => "deletes what may not come back",
        Category::Remote => "changes something elsewhere",
        Category::Privilege => "needs privilege",
        Category::Opaque => "cannot be told",
    }
}

/// A kind as a verb.
pub const fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "reads",
        Kind::Edit => "writes",
        Kind::Delete => "deletes",
        Kind::Shell => "runs",
        Kind::Terminal => "types into",
        Kind::Net => "reaches",
        Kind::WebSearch => "searches the web for",
        Kind::Mcp => "asks the MCP tool",
        Kind::Memory => "changes memory by",
        Kind::Task => "starts an agent that is",
        Kind::ExternalDirectory => "reaches outside the workspace to",
        Kind::Tool => "uses the tool",
    }
}
