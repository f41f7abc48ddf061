//! The only wording in the house: requests, findings and verdicts as plain sentences. It decides nothing.

use crate::action::Action;
use crate::effects::command::{CommandLine, Field, Why};
use crate::effects::is_builtin;
use crate::effects::opacity::Opacity;
use crate::mode::Mode;
use crate::path::AbsPath;
use crate::project::{ProjectScript, Runner};
use crate::request::{Category, Kind, PathTarget, Request, Target};
use crate::rules::rule::RuleRef;
use crate::verdict::{Finding, Lifted, Source, Verdict};

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
    let Some(first) = decisive(verdict) else {
        return "it touches nothing".to_owned();
    };
    let more = match deciding(verdict).count().saturating_sub(1) {
        more @ 1.. if verdict.action != Action::Allow => format!(" (and {more} more)"),
        _ => String::new(),
    };
    let mut broken = String::new();
    for file in &verdict.broken {
        broken.push_str("; nothing is allowed without you until this is mended: ");
        broken.push_str(file);
    }
    let because = because(first);
    match verdict.action {
        Action::Allow => format!("allowed: {because}{broken}"),
        Action::Ask | Action::Deny => {
            let (kind, subject) = (first.request.kind.name(), subject(&first.request));
            let scripts = match first.request.within {
                Some(_) => String::new(),
                None => script_words(verdict, first),
            };
            format!("{kind} {subject}: {because}{scripts}{more}{broken}")
        }
    }
}

/// What the project's own scripts run that a command starts, the first few: `, jest --ci (package.json)`.
fn script_words(verdict: &Verdict, starter: &Finding) -> String {
    const MOST: usize = 3;
    let command = starter.request.command;
    let runs = starter.request.kind == Kind::Shell;
    match inside(verdict.findings.iter(), command, MOST).filter(|_| runs) {
        Some(words) => format!(", {words}"),
        None => String::new(),
    }
}

/// The programs that the project's own scripts run for one command, and the file that says so; nothing where none is
/// known. What the shell does itself is left out.
pub fn inside<'v>(
    findings: impl Iterator<Item = &'v Finding>,
    command: usize,
    most: usize,
) -> Option<String> {
    let mut file: Option<&AbsPath> = None;
    let mut programs: Vec<String> = Vec::new();
    for request in findings.map(|finding| &finding.request) {
        let (Some(within), Target::Command(line)) = (&request.within, &request.target) else {
            continue;
        };
        let name = line.words.first().and_then(Field::known);
        let program = name.is_some_and(|name| !is_builtin(name));
        let words = shortened(&of_target(request));
        if request.command == command && program && !programs.contains(&words) {
            file = file.or(Some(within));
            programs.push(words);
        }
    }
    let more = match programs.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    programs.truncate(most);
    Some(format!("{}{more} ({})", programs.join(", "), file?.name()))
}

/// The beginning of a text, short enough to stand among others.
fn shortened(text: &str) -> String {
    const WIDEST: usize = 60;
    match text.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}…`", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The findings that make the verdict what it is.
pub fn deciding(verdict: &Verdict) -> impl Iterator<Item = &Finding> {
    verdict
        .findings
        .iter()
        .filter(|finding| finding.action == verdict.action)
}

/// The finding that says most about why the verdict is what it is.
pub fn decisive(verdict: &Verdict) -> Option<&Finding> {
    deciding(verdict).min_by_key(|finding| rank(&finding.source))
}

/// How much a source says: what nothing lifts first, what is merely the rule of a mode last.
const fn rank(source: &Source) -> u8 {
    match source {
        Source::Floor(_) => 0,
        Source::Opacity(_) | Source::ReadOnlyTurn => 1,
        Source::Rule(_) => 2,
        Source::Confinement(_) => 3,
        Source::PerhapsRule(_) => 4,
        Source::CategoryChoice(_) => 5,
        Source::Mode(_) => 6,
        Source::SettledByCommand(_) | Source::ScopedAllow(_) => 7,
        Source::ItsEffects | Source::ItsStarter => 8,
        Source::BrokenRules => 9,
    }
}

/// What the model is told to do instead, where a rule says it.
pub fn hint(verdict: &Verdict) -> Option<&str> {
    deciding(verdict)
        .find_map(|finding| rule(&finding.source).and_then(|rule| rule.hint.as_deref()))
}

/// What a request is about, in backticks where it is text of the call.
pub fn subject(request: &Request) -> String {
    let subject = of_target(request);
    match &request.within {
        Some(file) => format!("{subject} in {}", file.name()),
        None => subject,
    }
}

fn of_target(request: &Request) -> String {
    match &request.target {
        Target::Opaque(why) => match &request.program {
            Some(program) => format!("`{program}`"),
            None => why.name().to_owned(),
        },
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
        Source::ItsStarter => "the command that starts it is asked in its stead".to_owned(),
        Source::ItsEffects => "the command does nothing beyond its effects".to_owned(),
        Source::ScopedAllow(prefix) => {
            format!("this turn allows commands that begin with `{prefix}`")
        }
        Source::ReadOnlyTurn => "this turn only reads".to_owned(),
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
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => None,
    }
}

/// A rule as a person knows it: its reason, its name and where it stands.
pub fn rule_words(rule: &RuleRef) -> String {
    let name = rule
        .id
        .clone()
        .unwrap_or_else(|| format!("`{}`", rule.label));
    let place = match rule.line {
        0 => rule.origin.clone(),
        line => format!("{}:{line}", rule.origin),
    };
    match &rule.reason {
        Some(reason) => format!("{reason} (rule {name}, {place})"),
        None => format!("rule {name} ({place})"),
    }
}

/// A rule by its name and the file in which it stands.
pub fn rule_name(rule: &RuleRef) -> String {
    let name = rule.id.as_deref().unwrap_or(&rule.label);
    format!("{name} ({})", rule.origin)
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

/// What a request would do, as a predicate: "writes `a`", "cannot be told".
pub fn does(request: &Request) -> String {
    match &request.target {
        Target::Opaque(_) => "does what cannot be told".to_owned(),
        Target::Path(path) => format!("{} {}", kind_words(request.kind), path_words(path)),
        Target::Command(line) if !line.changed_by.is_empty() => format!(
            "{} {}, changed by `{}`",
            kind_words(request.kind),
            subject(request),
            line.changed_by.join("`, `")
        ),
        Target::Command(_) | Target::Host(_) | Target::Name(_) => {
            format!("{} {}", kind_words(request.kind), subject(request))
        }
    }
}

/// Why a word is known only when the command runs.
pub const fn why_words(why: Why) -> &'static str {
    match why {
        Why::Variable => "a variable that the text does not set",
        Why::Output => "the output of a command",
        Why::Arithmetic => "the result of a calculation",
        Why::Pipe => "the name of a pipe",
        Why::Transformation => "a value that is transformed in a way that is not followed",
        Why::TooMany => "one of more values than are followed",
        Why::Input => "a name that is read while it runs",
    }
}

/// A path as written, with what else there is to know about it.
fn path_words(path: &PathTarget) -> String {
    let below = if path.recursive {
        ", with everything below"
    } else {
        ""
    };
    match path.places.as_slice() {
        [] => format!("`{}`{below}, wherever that is", path.written),
        [place] if place.as_str() == path.written => format!("`{}`{below}", path.written),
        places if path.pattern.is_some() => {
            let names: Vec<&str> = places.iter().map(AbsPath::as_str).collect();
            format!(
                "what `{}` matches in {}{below}",
                path.written,
                names.join(" or ")
            )
        }
        places => {
            let names: Vec<&str> = places.iter().map(AbsPath::as_str).collect();
            format!("`{}` ({}){below}", path.written, names.join(" or "))
        }
    }
}

/// What decided a finding: the rule and its place, or the mode.
pub fn decided_by(finding: &Finding, mode: Mode) -> String {
    match &finding.source {
        Source::Mode(_) => format!("{} (mode {})", because(finding), mode.name()),
        Source::ItsStarter => "the command that starts it is asked in its stead".to_owned(),
        Source::ItsEffects => "only through its effects, which are judged on their own".to_owned(),
        Source::Floor(floor) => format!("{} (the floor, {})", floor.words(), floor.name()),
        Source::Opacity(why) => format!("{} ({})", because(finding), why.name()),
        Source::Rule(_)
        | Source::PerhapsRule(_)
        | Source::Confinement(_)
        | Source::CategoryChoice(_)
        | Source::SettledByCommand(_)
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => because(finding),
    }
}

/// A script of the project as a command names it.
pub fn project_script(script: &ProjectScript) -> String {
    let runner = match script.runner {
        Runner::Package => "package",
        Runner::Make => "make",
        Runner::Just => "just",
        Runner::Cargo => "cargo",
        Runner::Shell => "shell",
    };
    let named = match (&script.file, &script.name) {
        (Some(file), Some(name)) => format!(" {file} {name}"),
        (Some(file), None) => format!(" {file}"),
        (None, Some(name)) => format!(" {name}"),
        (None, None) => String::new(),
    };
    format!("{runner}{named}")
}

/// What was lifted, and by what.
pub fn lifted_words(lifted: &Lifted) -> String {
    match &lifted.by {
        Some(by) => format!(
            "{} is lifted by {}",
            rule_words(&lifted.rule),
            rule_words(by)
        ),
        None => format!("{} is lifted by its own `unless`", rule_words(&lifted.rule)),
    }
}

/// Why it cannot be told what happens, for a person who wonders.
pub const fn opacity_words(why: Opacity) -> &'static str {
    match why {
        Opacity::Syntax => "the whole text is left unread where a part of it is not understood",
        Opacity::ComputedCommand => "which program runs is known only when it runs",
        Opacity::ComputedScript => "what is run is known only when it runs",
        Opacity::DownloadedScript => {
            "what is run is known only once it has arrived, and may differ each time"
        }
        Opacity::ForeignCode => "only shell is read, and a few small languages",
        Opacity::ComputedArguments => {
            "what the program does depends on words that are known only when it runs"
        }
        Opacity::ComputedPath => "which file is meant is known only when it runs",
        Opacity::ComputedHost => "which host is meant is known only when it runs",
        Opacity::UnknownDirectory => "every relative path depends on it",
        Opacity::ShellChanged => "what follows may mean something else than it says",
        Opacity::Arithmetic => "bash evaluates subscripts in it, which may hold commands",
        Opacity::RawConnection => "what is sent and received is not seen",
        Opacity::TerminalInput => "what the input means depends on that program",
        Opacity::UnknownTool => "what it does is not known here",
        Opacity::NotUtf8 => "only UTF-8 is read",
        Opacity::TooLarge => "what lies beyond the limit is not read",
        Opacity::BareRepository => {
            "such a directory is like any file of the project: whoever wrote it decides"
        }
        Opacity::LookupsExhausted => "what lies beyond the limit is not looked up",
    }
}

/// An action as what would be done with a call.
pub const fn action_predicate(action: Action) -> &'static str {
    match action {
        Action::Allow => "allow it",
        Action::Ask => "ask",
        Action::Deny => "deny it",
    }
}

/// An action in words, for a headline.
pub const fn action_words(action: Action) -> &'static str {
    match action {
        Action::Allow => "it may run",
        Action::Ask => "a person decides",
        Action::Deny => "it may not run",
    }
}
