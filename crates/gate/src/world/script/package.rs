//! The scripts of a `package.json`, with those that run before and after them; nothing else of the file.

use super::source::{Asked, nearest};
use countersign_policy::project::ScriptText;
use serde_json::Value;

pub(super) fn look(asked: &Asked<'_>) -> Result<Option<ScriptText>, String> {
    let Some(name) = asked.name else {
        return Ok(None);
    };
    let Some(source) = nearest(asked.directory, &["package.json"])? else {
        return Ok(None);
    };
    let package: Value = serde_json::from_str(&source.text)
        .map_err(|error| format!("`{}` is no JSON: {error}", source.file))?;
    let scripts = package.get("scripts");
    let script = |name: &str| scripts?.get(name)?.as_str();
    let Some(main) = script(name) else {
        return Ok(None);
    };
    // The words of the command follow the text.
    let mut texts = vec![format!("{main} \"$@\"")];
    texts.splice(0..0, script(&format!("pre{name}")).map(str::to_owned));
    texts.extend(script(&format!("post{name}")).map(str::to_owned));
    Ok(Some(ScriptText {
        directory: source.file.parent(),
        file: source.file,
        texts,
    }))
}
