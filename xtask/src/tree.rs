//! The files of this repository, by their paths from its root.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file of the repository.
#[derive(Debug, Clone)]
pub struct File {
    /// The path from the root, with slashes.
    pub path: String,
    /// The text; nothing where it is not UTF-8.
    pub text: Option<String>,
}

impl File {
    /// Whether the name ends in this, after a dot.
    pub fn is(&self, extension: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|own| own == extension)
    }

    /// The text, or none where it is not UTF-8.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("")
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// All files in order of their paths. What builds leave behind and what git keeps is left out.
pub fn files(root: &Path) -> io::Result<Vec<File>> {
    let mut out = Vec::new();
    let mut open = vec![String::new()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(root.join(&directory))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = match directory.as_str() {
                "" => name.clone(),
                directory => format!("{directory}/{name}"),
            };
            let kind = entry.file_type()?;
            if kind.is_dir() && !matches!(name.as_str(), "target" | ".git" | "node_modules") {
                open.push(path);
            } else if kind.is_file() && name != ".git" {
                let text = String::from_utf8(fs::read(entry.path())?).ok();
                out.push(File { path, text });
            }
        }
    }
    out.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(out)
}
