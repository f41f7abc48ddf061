//! What a file of the host's settings lets happen, as far as a change of it could loosen what holds: two of them are
//! compared, and no file is read.

use crate::entry::{self, Entry, Unfit};
use crate::hooked::Hooked;
use crate::printable::printable;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What settings let happen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Our entries that are whole.
    entries: Vec<String>,
    /// Hooks of other people that can answer for the user, or change what we judged.
    others: Vec<String>,
    /// What keeps our hook from running.
    switches: Vec<String>,
    /// What is allowed without a question.
    allow: Vec<String>,
    /// What is asked about.
    ask: Vec<String>,
    /// What is denied.
    deny: Vec<String>,
    /// The directories beside the project that may be worked in.
    directories: Vec<String>,
    /// Whatever else is said about permissions, name and value.
    rest: Vec<(String, String)>,
}

/// The settings that keep hooks of a user from running.
const SWITCHES: [&str; 2] = ["disableAllHooks", "allowManagedHooksOnly"];

/// The events in which another hook can answer for the user, or rewrite what was judged.
const ANSWERING: [Hooked; 3] = [
    Hooked::PreToolUse,
    Hooked::PermissionRequest,
    Hooked::PreSkillShellCommand,
];

/// The modes to which a change loosens nothing.
const CAREFUL_MODES: [&str; 2] = ["\"default\"", "\"plan\""];

/// The most reasons that are told.
const TOLD: usize = 5;

impl Surface {
    /// What a settings file lets happen; a file that cannot be understood is an error.
    pub fn of(text: &str) -> Result<Self, Unfit> {
        let mut surface = Self::default();
        let whole = entry::entries(text)?.into_iter().filter(Entry::is_whole);
        surface.entries = whole.map(|entry| written(&entry)).collect();
        for event in ANSWERING {
            let handlers = entry::others(text, event)?.into_iter();
            let named = handlers.map(|handler| format!("{} {handler}", event.name()));
            surface.others.extend(named);
        }
        // It was read as JSON before; what it says is looked at by name now.
        let settings: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
        for name in SWITCHES {
            if !matches!(
                settings.get(name),
                None | Some(Value::Bool(false) | Value::Null)
            ) {
                surface.switches.push(name.to_owned());
            }
        }
        if let Some(sandbox) = settings.get("sandbox") {
            let sandbox = ("sandbox".to_owned(), sandbox.to_string());
            surface.rest.push(sandbox);
        }
        match settings.get("permissions") {
            None | Some(Value::Null) => {}
            Some(Value::Object(permissions)) => surface.permissions(permissions)?,
            Some(_) => {
                return Err(Unfit::Shape {
                    at: "permissions",
                    wanted: "an object",
                });
            }
        }
        Ok(surface)
    }

    fn permissions(&mut self, permissions: &Map<String, Value>) -> Result<(), Unfit> {
        for (name, value) in permissions {
            let (list, at) = match name.as_str() {
                "allow" => (&mut self.allow, "permissions.allow"),
                "ask" => (&mut self.ask, "permissions.ask"),
                "deny" => (&mut self.deny, "permissions.deny"),
                "additionalDirectories" => {
                    (&mut self.directories, "permissions.additionalDirectories")
                }
                _ => {
                    let named = (format!("permissions.{name}"), value.to_string());
                    self.rest.push(named);
                    continue;
                }
            };
            let Value::Array(values) = value else {
                return Err(Unfit::Shape {
                    at,
                    wanted: "a list",
                });
            };
            let texts = values.iter().map(|value| match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            list.extend(texts);
        }
        Ok(())
    }

    /// Whether our entry for the event that no call gets around is here and whole.
    pub fn has_gate(&self) -> bool {
        let gate = format!("{} ", Hooked::PreToolUse.name());
        self.entries.iter().any(|entry| entry.starts_with(&gate))
    }

    /// The events for which there is a whole entry of ours.
    pub fn hooked(&self) -> impl Iterator<Item = Hooked> {
        Hooked::ALL.into_iter().filter(|event| {
            let name = format!("{} ", event.name());
            self.entries.iter().any(|entry| entry.starts_with(&name))
        })
    }

    /// In what `after` is looser than these settings are, in words; nothing where it is not.
    pub fn loosened_by(&self, after: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut tell = |from: &[String], without: &[String], words: &str| {
            let new = from.iter().filter(|value| !without.contains(value));
            found.extend(new.map(|value| format!("{words} `{}`", printable(value))));
        };
        tell(
            &self.entries,
            &after.entries,
            "takes out or changes our entry",
        );
        tell(&after.switches, &self.switches, "sets");
        tell(
            &after.others,
            &self.others,
            "adds a hook that may answer for you:",
        );
        tell(&after.allow, &self.allow, "allows");
        tell(&self.ask, &after.ask, "no longer asks about");
        tell(&self.deny, &after.deny, "no longer denies");
        tell(&after.directories, &self.directories, "adds the directory");
        for (name, value) in &after.rest {
            let careful =
                name == "permissions.defaultMode" && CAREFUL_MODES.contains(&value.as_str());
            if !careful
                && !self
                    .rest
                    .iter()
                    .any(|had| had == &(name.clone(), value.clone()))
            {
                found.push(format!(
                    "sets `{}` to `{}`",
                    printable(name),
                    printable(value)
                ));
            }
        }
        for (name, _) in &self.rest {
            let gone = !after.rest.iter().any(|(other, _)| other == name);
            if gone && name != "permissions.defaultMode" {
                found.push(format!("takes out `{}`", printable(name)));
            }
        }
        found
    }
}

/// The first few reasons in one line.
pub fn in_a_line(reasons: &[String]) -> String {
    let told: Vec<&str> = reasons.iter().take(TOLD).map(String::as_str).collect();
    match reasons.len().checked_sub(TOLD) {
        None | Some(0) => told.join("; "),
        Some(more) => format!("{}; and {more} more", told.join("; ")),
    }
}

/// An entry as it is compared: everything that it runs.
fn written(entry: &Entry) -> String {
    let mut words = vec![entry.event.name(), entry.program.as_str()];
    words.extend(entry.arguments.iter().map(String::as_str));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::Surface;
    use crate::entry::{Hook, alone};

    #[test]
    fn p14_only_what_loosens_is_told() {
        let ours = alone(Hook {
            program: "/opt/countersign-hook",
            pins: &[],
        })
        .unwrap();
        let with = |more: &str| ours.replacen('{', &format!("{{{more},"), 1);
        let held = with(r#""permissions": {"allow": ["A"], "ask": ["B"], "deny": ["C"], "x": 1}"#);
        let before = Surface::of(&held).unwrap();
        assert!(before.has_gate() && before.hooked().count() == 8);
        for (old, new, loosens) in [
            ("", "", false),
            ("{", "{\"model\": \"opus\",", false),
            ("[\"A\"]", "[]", false),
            ("[\"B\"]", "[\"B\", \"D\"]", false),
            ("[\"C\"]", "[\"D\", \"C\"]", false),
            ("\"x\": 1", "\"x\": 1, \"defaultMode\": \"plan\"", false),
            ("[\"A\"]", "[\"A\", \"Bash\"]", true),
            ("[\"B\"]", "[]", true),
            ("[\"C\"]", "[]", true),
            ("\"x\": 1", "\"x\": 2", true),
            (", \"x\": 1", "", true),
            (
                "\"x\": 1",
                "\"x\": 1, \"defaultMode\": \"bypassPermissions\"",
                true,
            ),
            (
                "\"x\": 1",
                "\"x\": 1, \"additionalDirectories\": [\"/\"]",
                true,
            ),
            ("{", "{\"disableAllHooks\": true,", true),
            (
                "{",
                "{\"sandbox\": {\"autoAllowBashIfSandboxed\": true},",
                true,
            ),
            ("/opt/countersign-hook", "/tmp/countersign-hook", true),
            (
                "\"onFailure\": \"block\"",
                "\"onFailure\": \"ignore\"",
                true,
            ),
            ("\"matcher\": \"*\"", "\"matcher\": \"Bash\"", true),
            ("\"PreToolUse\"", "\"PreToolUsed\"", true),
            (
                "\"PermissionRequest\": [",
                "\"PermissionRequest\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"yes\"}]},",
                true,
            ),
            (
                "\"PostToolUse\": [",
                "\"PostToolUse\": [{\"hooks\": [{\"command\": \"fmt\"}]},",
                false,
            ),
        ] {
            let text = held.replacen(old, new, 1);
            let after = Surface::of(&text).unwrap();
            let found = before.loosened_by(&after);
            assert_eq!(!found.is_empty(), loosens, "{old} {new}: {found:?}");
        }
    }
}
