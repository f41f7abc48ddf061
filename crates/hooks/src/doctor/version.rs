//! The host's version as its files name it. The host itself is not run: whatever is called `claude` may be anything.

use super::finding::{Finding, Promise};
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use serde::Deserialize;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

/// The first version that knows `onFailure`.
const FIRST: [u32; 3] = [2, 1, 295];

/// The most bytes of a `package.json` that are read.
const MOST_BYTES: u64 = 1 << 20;

const REMEDY: &str = "see that `claude --version` says 2.1.295 or later; earlier ones let calls run where a hook fails";

/// Whether the host's version knows `onFailure`.
pub(super) fn look(environment: &Environment) -> Finding {
    let directories = environment.path.as_deref().unwrap_or_default().split(':');
    let home = environment.home().map(|home| home.join(".claude/local"));
    let home = home.as_ref().map(AbsPath::as_str);
    let found = directories
        .chain(home)
        .filter(|directory| directory.starts_with('/'))
        .map(|directory| Path::new(directory).join("claude"))
        .find_map(|link| fs::canonicalize(link).ok());
    let Some(program) = found else {
        return Finding::unknown(
            Promise::Version,
            "no `claude` is on the search path",
            REMEDY,
        );
    };
    let place = program.display();
    match version(&program) {
        None => {
            let words = format!("`{place}` does not say its version");
            Finding::unknown(Promise::Version, words, REMEDY)
        }
        Some((text, numbers)) if numbers < FIRST => {
            let words = format!("`{place}` is version {text}");
            Finding::broken(Promise::Version, words, REMEDY)
        }
        Some((text, _)) => Finding::holds(Promise::Version, format!("`{place}` is version {text}")),
    }
}

/// The part of a `package.json` that counts.
#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// The version of an installation: the name of its file, or what the package around it says.
fn version(program: &Path) -> Option<(String, [u32; 3])> {
    let name = program.file_name()?.to_str()?;
    if let Some(numbers) = numbers(name) {
        return Some((name.to_owned(), numbers));
    }
    program.ancestors().skip(1).take(3).find_map(|directory| {
        let file = File::open(directory.join("package.json")).ok()?;
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        let package: Package = serde_json::from_str(&text).ok()?;
        let numbers = numbers(&package.version)?;
        (package.name == "@anthropic-ai/claude-code").then_some((package.version, numbers))
    })
}

/// The numbers of a version like `2.1.332`.
fn numbers(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}
