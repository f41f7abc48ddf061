//! The directories that bind what an MCP server's tools are given (row P10); not what such tools do.

use super::pattern::path::PathPattern;
use super::rule::{Authority, RuleRef};
use crate::request::{Request, Target};
use crate::session::Session;

/// The limit of one server: an entry of `[mcp_directories]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directories {
    /// The server's name, or `*` for every server without an entry of its own in the same file.
    pub server: String,
    /// Where paths may lie: at these, or below.
    pub patterns: Vec<PathPattern>,
    /// The line in the file, counted from 1.
    pub line: usize,
}

/// The id by which a violation is named; its code is `mcp_allowed_dirs_denied`.
pub const ID: &str = "mcp_allowed_dirs";

impl Directories {
    /// Whether it lets through what a request asks for: every place of the path, as written and with links resolved.
    /// A path of which no place can be told is not let through.
    fn holds(&self, request: &Request, session: &Session) -> bool {
        let Target::Path(target) = &request.target else {
            return false;
        };
        let below = |place| {
            let mut patterns = self.patterns.iter();
            patterns.any(|pattern| pattern.has_above(place, session))
        };
        target.pattern.is_none() && !target.places.is_empty() && target.places.iter().all(below)
    }

    /// By which a verdict names it.
    fn reference(&self, authority: Authority, origin: &str) -> RuleRef {
        let patterns: Vec<String> = self.patterns.iter().map(PathPattern::to_string).collect();
        RuleRef {
            authority,
            id: Some(ID.to_owned()),
            label: format!("mcp_directories {} {}", self.server, patterns.join(" ")),
            origin: origin.to_owned(),
            line: self.line,
            reason: Some("the path lies outside the directories of this MCP server".to_owned()),
            hint: Some("use a path inside the server's directories".to_owned()),
        }
    }
}

/// The limit of one file that a path given to this server breaks.
pub(super) fn broken(
    limits: &[Directories],
    server: &str,
    request: &Request,
    session: &Session,
    (authority, origin): (Authority, &str),
) -> Option<RuleRef> {
    let of = |name: &str| limits.iter().find(|limit| limit.server == name);
    let limit = of(server).or_else(|| of("*"))?;
    (!limit.holds(request, session)).then(|| limit.reference(authority, origin))
}
