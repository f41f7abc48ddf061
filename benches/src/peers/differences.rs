//! The closed list of kinds under which a difference from a peer's case falls: who is right, and why.

use super::{Compared, Outcome};

/// Who is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// We are.
    We,
    /// They are.
    They,
    /// It is a matter of policy.
    Policy,
}

/// A kind of difference.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Whether our answer is the laxer one.
    pub laxer: bool,
    /// Who is right.
    pub right: Right,
    /// Why.
    pub why: &'static str,
    /// The rows, by identity.
    rows: &'static [&'static str],
}

/// The kind of a difference; nothing for a difference that nobody looked at.
pub fn kind(one: &Compared) -> Option<&'static Kind> {
    let laxer = one.outcome == Outcome::Laxer;
    let mut kinds = KINDS.iter();
    kinds.find(|kind| kind.laxer == laxer && kind.rows.contains(&one.id.as_str()))
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "floor",
        laxer: false,
        right: Right::We,
        why: "wiping the disk is denied, where they ask",
        rows: &[
            "gemini-004",
            "gemini-005",
            "gemini-006",
            "gemini-008",
            "gemini-009",
            "gemini-010",
            "gemini-011",
            "gemini-012",
            "gemini-013",
            "gemini-016",
            "qwen-041",
            "openhands-025",
        ],
    },
    Kind {
        name: "deleting in open",
        laxer: false,
        right: Right::Policy,
        why: "a recursive delete is denied in the mode that gives up most questions (row P3)",
        rows: &[
            "zed-079", "zed-080", "zed-081", "zed-082", "zed-083", "zed-084", "zed-085",
        ],
    },
    Kind {
        name: "substitutions",
        laxer: false,
        right: Right::We,
        why: "what runs inside is judged, where they refuse every substitution and broken text",
        rows: &[
            "zed-007",
            "zed-013",
            "zed-014",
            "zed-015",
            "zed-016",
            "zed-017",
            "zed-018",
            "gemini-073",
        ],
    },
    Kind {
        name: "opaque",
        laxer: false,
        right: Right::We,
        why: "a text in another language, a script or what cannot be read asks, whatever is allowed",
        rows: &[
            "gemini-074",
            "qwen-025",
            "qwen-040",
            "roo-008",
            "openhands-021",
            "openhands-022",
            "openhands-034",
        ],
    },
    Kind {
        name: "unknown tools and programs",
        laxer: false,
        right: Right::We,
        why: "a name says nothing of what an undescribed tool does; a program's words may be paths",
        rows: &[
            "gemini-072",
            "goose-001",
            "goose-003",
            "zed-086",
            "openhands-023",
        ],
    },
    Kind {
        name: "order",
        laxer: false,
        right: Right::We,
        why: "a deny or ask holds wherever it stands, and only a narrower allow lifts it",
        rows: &[
            "gemini-042",
            "gemini-046",
            "opencode-001",
            "opencode-006",
            "opencode-031",
            "qwen-011",
        ],
    },
    Kind {
        name: "variables in front",
        laxer: false,
        right: Right::Policy,
        why: "a pattern of ours has no variables; one that changes what runs keeps an allow from matching",
        rows: &["zed-027", "qwen-043"],
    },
    Kind {
        name: "built-in questions",
        laxer: false,
        right: Right::Policy,
        why: "curl, pushing, deleting, overwriting by a checkout ask (row P3); writing in default",
        rows: &[
            "qwen-052",
            "qwen-054",
            "qwen-079",
            "qwen-080",
            "qwen-081",
            "qwen-082",
            "qwen-083",
            "qwen-084",
            "qwen-087",
            "openhands-026",
            "openhands-036",
        ],
    },
    Kind {
        name: "no such name",
        laxer: false,
        right: Right::Policy,
        why: "an agent's name and a tool's old name name no tool here: it asks",
        rows: &["gemini-047", "gemini-048"],
    },
    Kind {
        name: "meaning",
        laxer: false,
        right: Right::We,
        why: "an option counts under all its names, printed words are data, and a command's name has its case",
        rows: &["crush-013", "zed-048", "zed-049"],
    },
    Kind {
        name: "a directory, not a path below",
        laxer: false,
        right: Right::Policy,
        why: "leave to enter a directory is none to read in it in strict",
        rows: &["opencode-014"],
    },
    Kind {
        name: "files after two dashes",
        laxer: false,
        right: Right::They,
        why: "behind `--` the options are files, and nothing is deleted recursively",
        rows: &["openhands-024"],
    },
    Kind {
        name: "another reading",
        laxer: false,
        right: Right::We,
        why: "an expansion that they refuse is read and judged; a program keeps its path",
        rows: &["gemini-100", "gemini-101", "qwen-065"],
    },
    Kind {
        name: "harmless parts",
        laxer: true,
        right: Right::We,
        why: "each part is judged and only reads: a substitution, an indirect expansion",
        rows: &["qwen-049", "roo-005", "roo-006"],
    },
    Kind {
        name: "programs found by name",
        laxer: true,
        right: Right::Policy,
        why: "a program, or the unpackers of `rg -z`, found through the user's search path",
        rows: &["gemini-125", "gemini-126", "gemini-127"],
    },
    Kind {
        name: "a variable of no known meaning",
        laxer: true,
        right: Right::Policy,
        why: "variables that change what programs do are a list; they let only known ones pass",
        rows: &["qwen-036"],
    },
    Kind {
        name: "recoverable commits",
        laxer: true,
        right: Right::Policy,
        why: "git keeps what an amended commit was, so that accept-edits allows it",
        rows: &["qwen-078"],
    },
    Kind {
        name: "dry runs",
        laxer: true,
        right: Right::We,
        why: "with `-n` git only says what it would remove, whatever else is given",
        rows: &["qwen-069"],
    },
];
