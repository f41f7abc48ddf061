//! Commands, effects, findings and outcomes as lines of a case file; the words for people are policy's.

use countersign_policy::effects::effect::{Act, Effect};
use countersign_policy::explain;
use countersign_policy::outcome::{Answer, Review};
use countersign_policy::path::AbsPath;
use countersign_policy::request::PathTarget;
use countersign_policy::rules::parse::diagnostic::{Diagnostic, Severity};
use countersign_policy::rules::rule::RuleRef;
use countersign_policy::verdict::{Finding, Source, Verdict};
use countersign_shell::print::print;
use countersign_shell::read::read;
use countersign_shell::tree::{AndOr, Command, CommandKind, Entry, List, Pipeline, Script};
use countersign_shell::walk::{Visit, visit};

/// The longest field, in characters.
const WIDEST: usize = 160;

/// The simple commands that the reader sees, in canonical form, or why it does not read the text.
pub(crate) fn commands(text: &str) -> Vec<String> {
    let script = match read(text) {
        Ok(script) => script,
        Err(unread) => return vec![format!("unread: {}", unread.kind)],
    };
    let mut out = Vec::new();
    visit(&script, &mut |visit| match visit {
        Visit::Command(command) => match &command.kind {
            CommandKind::Simple(_) => out.push(plain(print(&alone(command)).trim_end())),
            CommandKind::Subshell(_)
            | CommandKind::Group(_)
            | CommandKind::If(_)
            | CommandKind::Loop(_)
            | CommandKind::For(_)
            | CommandKind::Select(_)
            | CommandKind::ArithmeticFor(_)
            | CommandKind::Case(_)
            | CommandKind::Function(_)
            | CommandKind::Arithmetic(_)
            | CommandKind::Test(_)
            | CommandKind::Coprocess(_) => {}
        },
        Visit::CommandSubstitution(_) | Visit::ProcessSubstitution(_) => {}
    });
    out
}

/// A script of one command.
fn alone(command: &Command) -> Script {
    let pipeline = Pipeline {
        negations: 0,
        timed: None,
        commands: vec![command.clone()],
        operators: Vec::new(),
        span: command.span,
    };
    let entry = Entry {
        chain: AndOr {
            first: pipeline,
            rest: Vec::new(),
        },
        background: false,
        span: command.span,
    };
    Script {
        body: List {
            entries: vec![entry],
            span: command.span,
        },
        comments: Vec::new(),
    }
}

/// Effects, one to a line.
pub(crate) fn effects(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .map(|effect| plain(&act(&effect.act)))
        .collect()
}

fn act(act: &Act) -> String {
    match act {
        Act::Run(run) => {
            let words = explain::command_words(&run.line);
            let shown = if run.by_effects {
                "its effects"
            } else {
                run.category.name()
            };
            let changed = run.line.changed_by.join(", ");
            let separator = if changed.is_empty() {
                ""
            } else {
                "  changed by "
            };
            format!("run  {words}  {shown}{separator}{changed}")
        }
        Act::Read(target) => format!("read  {}", path(target)),
        Act::Write(target) => format!("write  {}", path(target)),
        Act::Move(target) => format!("move  {}", path(target)),
        Act::Delete(target) => format!("delete  {}", path(target)),
        Act::Discard(target) => format!("discard  {}", path(target)),
        Act::Net(host) => format!("net  {host}"),
        Act::WebSearch(query) => format!("web-search  {query}"),
        Act::Mcp(name) => format!("mcp  {name}"),
        Act::Memory(name) => format!("memory  {name}"),
        Act::Task { read_only: true } => "task  readonly".to_owned(),
        Act::Task { read_only: false } => "task  mutating".to_owned(),
        Act::Terminal(name) => format!("terminal  {name}"),
        Act::Tool(name) => format!("tool  {name}"),
        Act::Spread { from, to } => format!("spread  {}  to  {}", path(from), path(to)),
        Act::GitAlias { name, .. } => format!("git-alias  {name}"),
        Act::Script(script) => format!("script  {}", explain::project_script(script)),
        Act::Breaks(floor) => format!("breaks  {}", floor.name()),
        Act::Opaque(opacity) => format!("opaque  {}", opacity.name()),
    }
}

/// A path as written, then where it may stand.
fn path(target: &PathTarget) -> String {
    let places: Vec<&str> = target.places.iter().map(AbsPath::as_str).collect();
    let pattern = target
        .pattern
        .as_ref()
        .map_or(String::new(), |pattern| format!("  names {pattern}"));
    let below = if target.recursive { "  and below" } else { "" };
    format!("{}  {}{pattern}{below}", target.written, places.join(" "))
}

/// A verdict: the action, then one line for each finding.
pub(crate) fn verdict(verdict: &Verdict) -> Vec<String> {
    let mut out = vec![verdict.action.name().to_owned()];
    if let Some(words) = &verdict.malformed {
        out.push(format!("malformed: {words}"));
    }
    out.extend(verdict.findings.iter().map(finding));
    out
}

fn finding(finding: &Finding) -> String {
    plain(&format!(
        "{}  {}  {}  {}",
        finding.request.kind.name(),
        explain::target(&finding.request.target),
        finding.action.name(),
        source(&finding.source)
    ))
}

fn source(source: &Source) -> String {
    match source {
        Source::Floor(floor) => format!("floor {}", floor.name()),
        Source::Rule(by) => rule(by),
        Source::PerhapsRule(by) => format!("perhaps {}", rule(by)),
        Source::Confinement(by) => format!("unconfined {}", rule(by)),
        Source::Opacity(_) => "opaque".to_owned(),
        Source::Mode(category) => format!("mode {}", category.name()),
        Source::CategoryChoice(category) => format!("choice {}", category.name()),
        Source::SettledByCommand(by) => format!("settled {}", rule(by)),
        Source::ItsStarter => "its starter".to_owned(),
        Source::ItsEffects => "its effects".to_owned(),
        Source::ScopedAllow(prefix) => format!("scoped {prefix}"),
        Source::ReadOnlyTurn => "read-only turn".to_owned(),
        Source::BrokenRules => "broken rules".to_owned(),
    }
}

/// A rule by its file and name. A built-in rule without a name is known by what it says: lines of that table move.
fn rule(rule: &RuleRef) -> String {
    match &rule.id {
        Some(id) => format!("{}:{id}", rule.origin),
        None if rule.origin == "built-in" => format!("built-in:{}", rule.label),
        None => format!("{}:{}", rule.origin, rule.line),
    }
}

/// What is wrong with a rule file.
pub(crate) fn diagnostic(file: &str, found: &Diagnostic) -> String {
    let severity = match found.severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let hint = found
        .hint
        .as_ref()
        .map_or(String::new(), |hint| format!("  {hint}"));
    let place = format!("{file}:{}:{}", found.line, found.column);
    plain(&format!("{severity}  {place}  {}{hint}", found.message))
}

/// The outcome for every answer, and for a reviewer's block.
pub(crate) fn outcomes(verdict: &Verdict) -> Vec<String> {
    let answers = [
        ("none", None),
        ("allow", Some(Answer::Allow)),
        ("deny", Some(Answer::Deny)),
        ("cancelled", Some(Answer::Cancelled)),
        ("unavailable", Some(Answer::Unavailable)),
        ("host-asks", Some(Answer::HostAsks)),
    ];
    let line =
        |name: &str, answer, review| format!("{name}  {}", verdict.settle(answer, review).name());
    let mut out: Vec<String> = answers
        .map(|(name, answer)| line(name, answer, Review::Pass))
        .into();
    out.push(line("allow, blocked", Some(Answer::Allow), Review::Block));
    out
}

/// A text on one line, of bounded width, its control characters visible.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == WIDEST {
            out.push('…');
            break;
        }
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
