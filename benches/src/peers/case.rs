//! What a case of a peer's says, in our words: a call, the rules and the mode it is judged under, and what they expect.

use countersign_gate::imagined;
use countersign_policy::action::Action;
use countersign_policy::call::{self, Call, CallId};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;

/// What a case says, in our words.
#[derive(Debug, Clone)]
pub(super) enum Case {
    /// A call under rules, and the verdict that they expect of it.
    Verdict(Situation, Expected),
    /// The programs that a text runs, theirs and ours.
    Programs(Vec<String>, Vec<String>),
    /// Our language has no counterpart, or the case asks something else; in words, what.
    Elsewhere(&'static str),
}

/// What they expect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// Exactly this.
    Exactly(Action),
    /// That it is not allowed, or that it is.
    Stopped(bool),
    /// That it is not denied.
    NotDenied,
}

/// A call and what it is judged under.
#[derive(Debug, Clone)]
pub(super) struct Situation {
    /// The user's file.
    pub(super) rules: String,
    /// The mode that is nearest to their default.
    pub(super) mode: Mode,
    /// The workspace and working directory.
    pub(super) workspace: AbsPath,
    /// The tool by its name there.
    pub(super) tool: String,
    /// What it wants.
    pub(super) action: call::Action,
}

impl Situation {
    /// A call of the shell.
    pub(super) fn shell(rules: String, mode: Mode, text: &str) -> Self {
        Self::of("Bash", rules, mode, call::Action::Shell(text.to_owned()))
    }

    /// A call of a tool in the usual workspace.
    pub(super) fn of(tool: &str, rules: String, mode: Mode, action: call::Action) -> Self {
        let workspace = AbsPath::root().join("repo");
        let tool = tool.to_owned();
        Self {
            rules,
            mode,
            workspace,
            tool,
            action,
        }
    }

    /// Our verdict. A policy that our language does not take is an error in its words.
    pub(super) fn verdict(&self) -> Result<Action, String> {
        let text = format!("version = 1\n{}", self.rules);
        let parsed = parse(&text, "rules", Authority::User);
        if parsed.layer.broken.is_some() {
            return Err(format!("{text}{:?}", parsed.diagnostics));
        }
        let rules = RuleSet::new(vec![builtin(), parsed.layer]);
        let call = Call {
            id: CallId(String::new()),
            tool: self.tool.clone(),
            input: String::new(),
            cwd: self.workspace.clone(),
            action: self.action.clone(),
        };
        let session = imagined::session(&self.workspace);
        Ok(imagined::verdict(&call, &session, &rules, self.mode).action)
    }
}
