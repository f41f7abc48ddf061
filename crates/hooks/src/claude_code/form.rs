//! A tool's input, field by field: what is asked for is decoded, the rest is left as it stands.

use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A tool's input.
#[derive(Debug)]
pub(super) struct Form<'a>(Result<BTreeMap<String, &'a RawValue>, String>);

impl<'a> Form<'a> {
    /// The input of a message. Of two fields of one name the last counts, as it does for the host.
    pub(super) fn of(input: Option<&'a RawValue>) -> Self {
        let Some(input) = input else {
            return Self(Err("there is no input".to_owned()));
        };
        if !input.get().starts_with('{') {
            return Self(Err("the input is not an object".to_owned()));
        }
        Self(serde_json::from_str(input.get()).map_err(|error| error.to_string()))
    }

    /// Whether it is an input at all.
    pub(super) fn check(&self) -> Result<(), String> {
        self.0.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// A field that has to be a text.
    pub(super) fn text(&self, name: &str) -> Result<String, String> {
        self.optional_text(name)?
            .ok_or_else(|| format!("`{name}` is missing"))
    }

    /// A field that may be left out, and else has to be a text.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, String> {
        let Some(value) = self.field(name)? else {
            return Ok(None);
        };
        if !value.starts_with('"') {
            return Err(format!("`{name}` is not a string"));
        }
        let text = serde_json::from_str(value);
        text.map(Some)
            .map_err(|error| format!("`{name}` is not a string: {error}"))
    }

    /// A path, which is a text that is not empty and holds no NUL byte.
    pub(super) fn path(&self, name: &str) -> Result<String, String> {
        let path = self.text(name)?;
        if path.is_empty() || path.contains('\0') {
            return Err(format!("`{name}` is not a path"));
        }
        Ok(path)
    }

    /// A path that may be left out.
    pub(super) fn optional_path(&self, name: &str) -> Result<Option<String>, String> {
        match self.optional_text(name)? {
            Some(path) if path.contains('\0') => Err(format!("`{name}` is not a path")),
            // Hosts take an empty one for none.
            Some(path) if path.is_empty() => Ok(None),
            other => Ok(other),
        }
    }

    /// Whether a field is there and says neither `false` nor nothing.
    pub(super) fn is_set(&self, name: &str) -> bool {
        let field = self.field(name).ok().flatten();
        field.is_some_and(|value| value != "false")
    }

    /// All of it; an input too deep for the parser is an error.
    pub(super) fn value(&self) -> Result<Value, String> {
        let fields = self.0.as_ref().map_err(Clone::clone)?;
        let parsed = fields.iter().map(|(name, value)| {
            let value = serde_json::from_str(value.get())
                .map_err(|error| format!("`{name}` cannot be read: {error}"))?;
            Ok((name.clone(), value))
        });
        parsed.collect::<Result<_, String>>().map(Value::Object)
    }

    /// A field's JSON; a `null` counts as left out.
    fn field(&self, name: &str) -> Result<Option<&'a str>, String> {
        let fields = self.0.as_ref().map_err(Clone::clone)?;
        let value = fields.get(name).map(|value| value.get());
        Ok(value.filter(|value| *value != "null"))
    }
}
