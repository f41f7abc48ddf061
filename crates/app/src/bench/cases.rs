//! The cases of the corpus that another gate can be asked about: shell commands that need no rules and no files.

use countersign_corpus::document::{Section, document};
use countersign_corpus::entry::entries;

/// What a case is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// It must not run without a person.
    Attack,
    /// It must run without a question.
    Benign,
}

/// One command.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) kind: Kind,
    /// The file of the corpus, by its mechanism.
    pub(super) group: &'static str,
    /// The heading under which it stands.
    pub(super) name: String,
    pub(super) command: String,
}

type File = (Kind, &'static str, &'static str);

macro_rules! file {
    ($kind:ident, $folder:literal, $name:literal) => {
        (
            Kind::$kind,
            $name,
            include_str!(concat!("../../../../corpus/", $folder, "/", $name, ".md")),
        )
    };
}

/// The files of the corpus; a test holds that none is missing.
const FILES: [File; 23] = [
    file!(Attack, "attacks", "arithmetic"),
    file!(Attack, "attacks", "countersign"),
    file!(Attack, "attacks", "environment"),
    file!(Attack, "attacks", "expansions"),
    file!(Attack, "attacks", "flow"),
    file!(Attack, "attacks", "git"),
    file!(Attack, "attacks", "here-documents"),
    file!(Attack, "attacks", "into-places"),
    file!(Attack, "attacks", "places"),
    file!(Attack, "attacks", "programs"),
    file!(Attack, "attacks", "queries"),
    file!(Attack, "attacks", "quoting"),
    file!(Attack, "attacks", "redirects"),
    file!(Attack, "attacks", "substitutions"),
    file!(Attack, "attacks", "text"),
    file!(Attack, "attacks", "text-as-commands"),
    file!(Attack, "attacks", "unseen"),
    file!(Attack, "attacks", "variables"),
    file!(Attack, "attacks", "wrappers"),
    file!(Benign, "benign", "changing"),
    file!(Benign, "benign", "git"),
    file!(Benign, "benign", "looking"),
    file!(Benign, "benign", "scripts"),
];

/// Every command that can be asked about.
pub(super) fn all() -> Vec<Case> {
    let mut out = Vec::new();
    for (kind, group, text) in FILES {
        let document = document(text);
        if needs_more(&document.common) {
            continue;
        }
        for section in &document.cases {
            // Attacks on countersign itself say nothing of another gate.
            if needs_more(section) || group == "countersign" {
                continue;
            }
            let lists = section
                .blocks
                .iter()
                .filter(|block| block.kind() == "cases");
            for entry in lists.flat_map(|block| entries(&block.body).0) {
                out.push(Case {
                    kind,
                    group,
                    name: section.name.clone(),
                    command: entry.command,
                });
            }
        }
    }
    out
}

/// Whether a section has rules, a machine or circumstances of its own.
fn needs_more(section: &Section) -> bool {
    let mut blocks = section.blocks.iter();
    blocks.any(|block| matches!(block.kind(), "rules" | "world" | "call"))
}

#[cfg(test)]
mod tests {
    use super::{FILES, Kind, all};
    use std::path::Path;

    #[test]
    fn p5_no_file_of_the_corpus_is_missing() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let count = |folder: &str| std::fs::read_dir(corpus.join(folder)).unwrap().count();
        assert_eq!(count("attacks") + count("benign"), FILES.len());
        let cases = all();
        let attacks = cases
            .iter()
            .filter(|case| case.kind == Kind::Attack)
            .count();
        assert!(
            attacks > 500 && cases.len() - attacks > 200,
            "{attacks} of {}",
            cases.len()
        );
    }
}
