//! A call as JSON, as it comes on standard input: read strictly, its input kept exactly as it was written.

use countersign_hooks::{acp, claude_code};
use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::effects::tools;
use countersign_policy::path::AbsPath;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A call as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallJson {
    tool: String,
    input: Box<RawValue>,
    /// The working directory.
    #[serde(default)]
    pub(crate) cwd: Option<String>,
    #[serde(default)]
    id: Option<String>,
}

impl CallJson {
    /// Reads a call, or says in words what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the call is not valid: {error}"))
    }

    /// A call as a journal keeps it.
    pub(crate) fn recorded(tool: &str, input: &str, id: &str) -> Result<Self, String> {
        let input = RawValue::from_string(input.to_owned());
        Ok(Self {
            tool: tool.to_owned(),
            input: input.map_err(|error| format!("its input is no JSON: {error}"))?,
            cwd: None,
            id: Some(id.to_owned()),
        })
    }

    /// The call in a working directory.
    pub(crate) fn call(self, cwd: &AbsPath) -> Call {
        let input = self.input.get();
        // It was JSON a moment ago; what still fails (too deep, a number too large) cannot be told.
        let parsed = serde_json::from_str::<Value>(input);
        let (action, cwd) = match &parsed {
            Ok(value) => {
                let native =
                    tools::native(&self.tool, value).or_else(|| acp::action(&self.tool, value));
                let action =
                    native.unwrap_or_else(|| claude_code::action(&self.tool, &*self.input, cwd));
                (action, directory(&self.tool, value, cwd))
            }
            Err(error) => (Action::Malformed(error.to_string()), cwd.clone()),
        };
        Call {
            id: CallId(self.id.unwrap_or_else(|| "standard-input".to_owned())),
            tool: self.tool,
            input: input.to_owned(),
            cwd,
            action,
        }
    }
}

/// The directory in which it would run.
fn directory(tool: &str, input: &Value, cwd: &AbsPath) -> AbsPath {
    let own = tools::directory(tool, input).or_else(|| acp::directory(tool, input));
    own.map_or_else(|| cwd.clone(), |own| cwd.join(own))
}
