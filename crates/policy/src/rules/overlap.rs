//! Rules that do nothing: whose time is over, that lie wholly in another, or that are outvoted whenever they match.
//! Only what is certain is told, so that such a rule can be taken out and no verdict changes. What the built-in rules
//! or the mode would allow anyway is not told: a person may want to be sure of it.

use super::layer::RuleSet;
use super::parse::diagnostic::{Diagnostic, Severity};
use super::pattern::{contained, contained_strictly};
use super::rule::{Authority, Rule, Terms};
use crate::action::Action;
use crate::request::Kind;

/// What is to be said of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark<'r> {
    /// The rule that does nothing.
    pub rule: &'r Rule,
    /// Why not.
    pub why: Why<'r>,
}

/// Why a rule does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why<'r> {
    /// Its `until` lies in the past.
    Over,
    /// The other says the same.
    Repeated(&'r Rule),
    /// It lies within the other, of the same action and terms.
    Contained(&'r Rule),
    /// The other asks about or denies whatever this allow matches, and is not lifted by it.
    Outvoted(&'r Rule),
}

/// The rules of files that do nothing, in order of authority and line. `now` is the time by the Unix clock, in seconds.
pub fn remarks(set: &RuleSet, now: i64) -> Vec<Remark<'_>> {
    let mut out = Vec::new();
    for kind in Kind::ALL {
        let group = Group::of(set, kind, now);
        let own = group.rules.iter().enumerate();
        let own = own.filter(|(_, rule)| rule.authority != Authority::Builtin);
        out.extend(own.filter_map(|(at, rule)| {
            let why = group.why(at, rule)?;
            Some(Remark { rule, why })
        }));
    }
    let over = set.rules().filter(|rule| is_over(rule, now));
    let why = Why::Over;
    out.extend(over.map(|rule| Remark {
        rule,
        why: why.clone(),
    }));
    out.sort_by_key(|remark| (remark.rule.authority, remark.rule.line));
    out
}

impl Why<'_> {
    /// Its name in records.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Repeated(_) => "repeated",
            Self::Contained(_) => "contained",
            Self::Outvoted(_) => "outvoted",
        }
    }

    /// The other rule, where there is one.
    pub const fn other(&self) -> Option<&Rule> {
        match self {
            Self::Over => None,
            Self::Repeated(other) | Self::Contained(other) | Self::Outvoted(other) => Some(other),
        }
    }
}

impl Remark<'_> {
    /// The same as what is wrong with a file. A rule knows its line, not its column.
    pub fn diagnostic(&self) -> Diagnostic {
        let own = self.rule.reference().label;
        let named = |other: &Rule| {
            let label = other.reference().label;
            if other.origin == self.rule.origin {
                format!("`{label}` in line {}", other.line)
            } else {
                format!("`{label}` ({}:{})", other.origin, other.line)
            }
        };
        let (message, hint) = match &self.why {
            Why::Over => (
                format!("`{own}` does nothing any more: its `until` lies in the past"),
                "take it out, or set another time",
            ),
            Why::Repeated(other) => (
                format!("`{own}` stands there twice: {} says the same", named(other)),
                "take one of them out",
            ),
            Why::Contained(other) => (
                format!("`{own}` does nothing: it lies within {}", named(other)),
                "take it out, or make the other narrower",
            ),
            Why::Outvoted(other) => (
                format!(
                    "`{own}` does nothing: whatever it matches is stopped by {}",
                    named(other)
                ),
                "an allow lifts only what is wider than itself, in its own file or one of lower authority",
            ),
        };
        Diagnostic {
            severity: Severity::Warning,
            line: self.rule.line,
            column: 1,
            message,
            hint: Some(hint.to_owned()),
        }
    }
}

fn is_over(rule: &Rule, now: i64) -> bool {
    rule.terms.until.is_some_and(|until| until < now)
}

/// The rules of one kind that are not over, in order of authority.
struct Group<'r> {
    rules: Vec<&'r Rule>,
}

impl<'r> Group<'r> {
    fn of(set: &'r RuleSet, kind: Kind, now: i64) -> Self {
        let rules = set.rules().filter(|rule| rule.kind == kind);
        Self {
            rules: rules.filter(|rule| !is_over(rule, now)).collect(),
        }
    }

    /// Why the rule at a place does nothing, where it does nothing.
    fn why(&self, at: usize, rule: &Rule) -> Option<Why<'r>> {
        let peers = self.rules.iter().enumerate();
        let mut peers = peers.filter(|(place, other)| {
            *place != at && other.authority == rule.authority && other.origin == rule.origin
        });
        let found = peers.find_map(|(place, other)| {
            if !self.is_contained(rule, other) {
                None
            } else if !self.is_contained(other, rule) {
                Some(Why::Contained(other))
            } else {
                // Of two that say the same the later one is told of.
                (place < at).then_some(Why::Repeated(other))
            }
        });
        found.or_else(|| self.outvoter(rule).map(Why::Outvoted))
    }

    /// Whether a rule of the same file makes this one superfluous: it matches all of it, under the same terms, and
    /// lifts, or is lifted by, the same rules.
    fn is_contained(&self, narrow: &Rule, wide: &Rule) -> bool {
        if narrow.action != wide.action || !says_no_more(&narrow.terms, &wide.terms) {
            return false;
        }
        match narrow.action {
            // The narrower an allow is, the more it lifts.
            Action::Allow => {
                contained(&narrow.pattern, &wide.pattern)
                    && self
                        .strict()
                        .all(|other| !narrow.lifts(other) || wide.lifts(other))
            }
            // The wider an ask or deny is, the more lifts it.
            Action::Ask | Action::Deny => {
                contained_strictly(&narrow.pattern, &wide.pattern)
                    && self
                        .allows()
                        .all(|allow| !allow.lifts(wide) || allow.lifts(narrow))
            }
        }
    }

    /// An ask or deny that stands against whatever an allow matches.
    fn outvoter(&self, allow: &Rule) -> Option<&'r Rule> {
        if allow.is_strict() {
            return None;
        }
        let mut above = self
            .strict()
            .filter(|other| other.authority >= allow.authority && allow.is_stopped_by(other));
        above.find(|other| {
            let lifted = || self.strict().filter(|lower| allow.lifts(lower));
            let always = || !self.allows().any(|other_allow| other_allow.lifts(other));
            let milder = |lower: &Rule| {
                lower.action <= other.action && (!lower.terms.person || other.terms.person)
            };
            // What it lifts of other rules counts, unless this one stands always and says no less.
            if lifted().next().is_some() {
                always() && lifted().all(milder)
            } else {
                !self.is_excepted(other)
            }
        })
    }

    /// Whether the administrator made exceptions to a rule of theirs, within which another's allow may count.
    fn is_excepted(&self, strict: &Rule) -> bool {
        strict.authority == Authority::Managed && self.allows().any(|allow| allow.lifts(strict))
    }

    fn strict(&self) -> impl Iterator<Item = &'r Rule> {
        self.rules.iter().copied().filter(|rule| rule.is_strict())
    }

    fn allows(&self) -> impl Iterator<Item = &'r Rule> {
        self.rules.iter().copied().filter(|rule| !rule.is_strict())
    }
}

/// Whether the terms of a rule are those of another, and its words are too or are none.
fn says_no_more(own: &Terms, other: &Terms) -> bool {
    let words = |own: &Option<String>, other: &Option<String>| own.is_none() || own == other;
    let Terms {
        id: _,
        reason,
        hint,
        with,
        without,
        unless,
        directory,
        until,
        person,
        confine,
        by,
        recursive,
        outside,
        modes,
    } = own;
    words(reason, &other.reason)
        && words(hint, &other.hint)
        && *with == other.with
        && *without == other.without
        && *unless == other.unless
        && *directory == other.directory
        && *until == other.until
        && *person == other.person
        && *confine == other.confine
        && *by == other.by
        && *recursive == other.recursive
        && *outside == other.outside
        && *modes == other.modes
}

#[cfg(test)]
mod tests {
    use super::{Why, remarks};
    use crate::rules::builtin::builtin;
    use crate::rules::layer::RuleSet;
    use crate::rules::parse::parse;
    use crate::rules::rule::Authority;
    use std::fmt::Write as _;

    const NOW: i64 = 1_800_000_000;

    /// The remarks on files, as `LINE why OTHER-LINE`.
    fn told(files: &[(Authority, &str)]) -> Vec<String> {
        let mut layers = vec![builtin()];
        for (authority, text) in files {
            let parsed = parse(text, &format!("{authority:?}"), *authority);
            assert_eq!(parsed.layer.broken, None, "{text}");
            layers.push(parsed.layer);
        }
        let set = RuleSet::new(layers);
        let line = |why: &Why<'_>| {
            why.other()
                .map_or(String::new(), |other| format!(" {}", other.line))
        };
        let found = remarks(&set, NOW);
        let told = found.iter().map(|remark| {
            assert!(!remark.diagnostic().message.is_empty());
            format!(
                "{} {}{}",
                remark.rule.line,
                remark.why.name(),
                line(&remark.why)
            )
        });
        told.collect()
    }

    fn mine(text: &str) -> Vec<String> {
        told(&[(Authority::User, text)])
    }

    #[test]
    fn p13_what_is_over_is_told() {
        let text = "[[rule]]\nallow = { shell = \"make *\" }\nuntil = \"2020-01-01T00:00:00Z\"\n[[rule]]\nallow = { shell = \"just *\" }\nuntil = \"2100-01-01T00:00:00Z\"\n";
        assert_eq!(mine(text), ["2 over"]);
    }

    #[test]
    fn p13_what_stands_there_twice_is_told_once() {
        let text = "[allow]\nshell = [\"make *\",\n\"just *\",\n\"make  *\"]\n[deny]\nread = [\"a/b\",\n\"a/b\"]\n";
        assert_eq!(mine(text), ["4 repeated 2", "7 repeated 6"]);
    }

    #[test]
    fn p13_what_lies_in_another_is_told() {
        for (kind, narrow, wide) in [
            ("shell", "git push origin *", "git push *"),
            ("shell", "git push", "git *"),
            ("read", "/a/b/c.txt", "/a/**"),
            ("edit", "/a/b/**", "/a/**"),
            ("net", "a.example.org", "*.example.org"),
            ("mcp", "github/get_x", "github/*"),
            ("tool", "Note", "N*"),
        ] {
            for action in ["allow", "ask", "deny"] {
                let text = format!("[{action}]\n{kind} = [\"{narrow}\",\n\"{wide}\"]\n");
                let found = mine(&text);
                // A built-in question that only the narrower one lifts is a reason for it to stand there.
                assert!(
                    found == ["2 contained 3"] || action == "allow",
                    "{text}: {found:?}"
                );
                assert!(found.len() <= 1, "{text}: {found:?}");
                let apart = format!(
                    "[{action}]\n{kind} = [\"{narrow}\"]\n[{}]\n{kind} = [\"{wide}\"]\n",
                    if action == "ask" { "deny" } else { "ask" }
                );
                assert!(mine(&apart).is_empty(), "{apart}: {:?}", mine(&apart));
            }
        }
        assert_eq!(
            mine("[allow]\nshell = [\"make a *\",\n\"make *\"]\n"),
            ["2 contained 3"]
        );
    }

    #[test]
    fn p13_what_says_more_is_no_part_of_another() {
        for text in [
            // Its own words are shown.
            "[deny]\nshell = \"git push *\"\n[[rule]]\ndeny = { shell = \"git push origin *\" }\nreason = \"shared\"\n",
            // Other terms.
            "[ask]\nshell = \"git push *\"\n[[rule]]\nask = { shell = \"git push origin *\" }\nperson = true\n",
            "[[rule]]\ndeny = { shell = \"git push *\" }\nwith = [\"-f\"]\n[[rule]]\ndeny = { shell = \"git push origin *\" }\nwith = [\"-n\"]\n",
            // Only the narrower allow lifts the deny.
            "[deny]\nshell = \"git push *\"\n[allow]\nshell = [\"git *\", \"git push origin *\"]\n",
            // The allow lifts the wider deny, and not the narrower one.
            "[deny]\nshell = [\"git push *\", \"git push origin *\"]\n[allow]\nshell = \"git push * main\"\n",
            // Options in any order match where the wildcard, which stands for one place, does not.
            "[deny]\nshell = [\"git push -f origin\", \"git push * origin\"]\n",
            // A search that names nothing is stopped by the rule that names a place only.
            "[deny]\nread = [\"/secrets/*.env\", \"*.env\"]\n",
        ] {
            assert!(mine(text).is_empty(), "{text}: {:?}", mine(text));
        }
    }

    #[test]
    fn p13_an_allow_that_never_counts_is_told() {
        assert_eq!(
            mine("[allow]\nshell = \"git push *\"\n[deny]\nshell = \"git push *\"\n"),
            ["2 outvoted 4"]
        );
        // It is wider than what stops a part of it, or narrower and lifts it.
        for text in [
            "[allow]\nshell = \"git *\"\n[deny]\nshell = \"git push *\"\n",
            "[allow]\nshell = \"git push origin *\"\n[deny]\nshell = \"git push *\"\n",
            "[allow]\nshell = \"git push *\"\n[[rule]]\ndeny = { shell = \"git push *\" }\nwith = [\"-f\"]\n",
            "[allow]\nshell = \"git push *\"\n[[rule]]\ndeny = { shell = \"git push *\" }\nwithout = [\"-n\"]\n",
            "[allow]\nshell = \"git push *\"\n[[rule]]\ndeny = { shell = \"git push *\" }\nunless = { shell = \"git push x\" }\n",
            "[allow]\nshell = \"git push *\"\n[[rule]]\ndeny = { shell = \"git push *\" }\nuntil = \"2100-01-01T00:00:00Z\"\n",
            "[allow]\nshell = \"git push *\"\n[[rule]]\ndeny = { shell = \"git push *\" }\nin = \"/a\"\n",
        ] {
            assert!(mine(text).is_empty(), "{text}: {:?}", mine(text));
        }
    }

    #[test]
    fn p13_layers_count_by_authority() {
        let allow = "[allow]\nshell = \"git push origin *\"\n";
        let deny = "\n\n[deny]\nshell = \"git push *\"\n";
        let (project, user, managed) = (Authority::Project, Authority::User, Authority::Managed);
        assert_eq!(told(&[(project, allow), (user, deny)]), ["2 outvoted 4"]);
        assert_eq!(told(&[(user, allow), (managed, deny)]), ["2 outvoted 4"]);
        assert!(told(&[(user, allow), (project, deny)]).is_empty());
        // Within the administrator's exception the user's allow counts.
        let excepted = format!("{deny}[allow]\nshell = \"git push origin *\"\n");
        assert!(told(&[(user, allow), (managed, &excepted)]).is_empty());
        // What two files say is the business of both.
        assert!(told(&[(project, deny), (user, deny)]).is_empty());
        // What is allowed anyway, or asked about anyway, may still be said.
        assert!(mine("[allow]\nshell = [\"ls *\", \"git status *\"]\nread = \"/src/**\"\n[ask]\nread = \"~/.ssh/**\"\n").is_empty());
    }

    #[test]
    fn p13_hundreds_of_rules_are_no_burden() {
        let mut text = "[allow]\nshell = [\n".to_owned();
        for number in 0..300 {
            let _ = writeln!(text, "\"tool{} run{number} *\",", number % 7);
        }
        assert!(mine(&format!("{text}]\n")).is_empty());
        assert_eq!(mine(&format!("{text}\"tool1 *\"]\n")).len(), 43);
    }
}
