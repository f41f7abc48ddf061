//! Patterns over paths (kinds `read`, `edit`, `delete`, `external_directory`): gitignore-like, anchored at the project
//! root, the disk root, the home directory, or nowhere.

use super::bash;
use super::glob::{Barrier, Glob, Token};
use super::matching::{Match, Sense};
use super::sequence;
use super::words::PatternError;
use crate::path::AbsPath;
use crate::request::{Kind, PathTarget};
use crate::session::Session;
use std::fmt;

/// A pattern over paths.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathPattern {
    /// From where the segments lead.
    anchor: Anchor,
    /// Component by component. At the disk root a first `**` makes it a pattern for any depth.
    segments: Vec<Segment>,
}

/// From where a path pattern leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::rules) enum Anchor {
    /// The root of the disk: `//`.
    Root,
    /// The project root: `/`, or a slash in the middle.
    Workspace,
    /// The home directory: `~`.
    Home,
}

/// One component of a path pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Segment {
    /// Any number of components, also none: `**`.
    Deep,
    /// Any number of components that are not hidden, as `**` finds them for bash; no pattern of a rule has it.
    Visible,
    /// One component.
    Name(Glob),
}

/// What a request does to what lies below a path, as far as patterns care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Touch {
    /// It reads.
    Reads,
    /// It changes or deletes.
    Changes,
}

impl Touch {
    /// What requests of a kind do.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Edit | Kind::Delete => Self::Changes,
            Kind::Read
            | Kind::Shell
            | Kind::Terminal
            | Kind::Net
            | Kind::WebSearch
            | Kind::Mcp
            | Kind::Memory
            | Kind::Task
            | Kind::ExternalDirectory
            | Kind::Tool => Self::Reads,
        }
    }
}

impl Anchor {
    /// All anchors.
    pub(in crate::rules) const ALL: [Self; 3] = [Self::Root, Self::Workspace, Self::Home];

    /// The directory, where the session has it.
    pub(in crate::rules) fn base(self, session: &Session) -> Option<AbsPath> {
        match self {
            Self::Root => Some(AbsPath::root()),
            Self::Workspace => session.workspace.clone(),
            Self::Home => session.home.clone(),
        }
    }
}

impl PathPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let (anchor, rest) = anchor(text)?;
        let parts = parts(rest)?;
        // One more for what a slash at the end, or no slash at all, means.
        let mut segments = Vec::with_capacity(parts.len() + 1);
        let mut parts = parts.into_iter().peekable();
        let slashed = parts.len() > 1;
        // A slash in front or in the middle ties a pattern to the project root; one at the end does not.
        let tied = parts.len() > 2 || (slashed && !text.ends_with('/'));
        let mut fixed = anchor;
        while let Some(part) = parts.next() {
            let last = parts.peek().is_none();
            match part.glob.as_literal() {
                // A trailing slash means a directory with everything in it.
                Some("") if last && slashed => segments.push(Segment::Deep),
                Some("") if last => {}
                Some("." | "") => {
                    // `./x` is meant from the project root.
                    fixed = fixed.or(Some(Anchor::Workspace));
                }
                Some("..") => {
                    return Err(PatternError::new(
                        format!("`{text}` can never match: paths are compared without `..`"),
                        "write the path from `/` (project), `//` (disk) or `~`",
                    ));
                }
                Some(_) | None if part.deep => segments.push(Segment::Deep),
                Some(_) | None => segments.push(Segment::Name(part.glob)),
            }
        }
        Ok(Self::of(fixed, tied, segments))
    }

    /// The pattern that matches exactly this path.
    pub fn literal(path: &AbsPath) -> Self {
        Self {
            anchor: Anchor::Root,
            segments: names(path),
        }
    }

    /// The pattern that matches this directory and everything below.
    pub fn directory(path: &AbsPath) -> Self {
        let mut out = Self::literal(path);
        out.segments.push(Segment::Deep);
        out
    }

    /// Whether it matches what a request asks for.
    pub fn matches(
        &self,
        target: &PathTarget,
        touch: Touch,
        session: &Session,
        sense: Sense,
    ) -> Match {
        match sense {
            Sense::Grant => Match::sure(
                !target.places.is_empty()
                    && target
                        .places
                        .iter()
                        .all(|place| self.holds_all(place, target, session)),
            ),
            Sense::Forbid | Sense::Caution if self.is_universal() => Match::Yes,
            Sense::Forbid | Sense::Caution if target.places.is_empty() => Match::Perhaps,
            Sense::Forbid | Sense::Caution => target
                .places
                .iter()
                .map(|place| self.holds_any(place, target, touch, session, sense))
                .fold(Match::No, Match::or),
        }
    }

    /// Whether a directory is matched or lies below one that is.
    pub fn has_above(&self, path: &AbsPath, session: &Session) -> bool {
        self.anchor
            .base(session)
            .and_then(|base| path.below(&base))
            .is_some_and(|rest| meets(&self.segments, rest, true))
    }

    /// Whether everything that it matches is matched by `wide` as an allow is read; false where not provable.
    pub fn is_within(&self, wide: &Self) -> bool {
        if wide.is_universal() {
            return true;
        }
        if self.anchor == wide.anchor {
            return included(&self.segments, &wide.segments);
        }
        // Wherever another anchor lies, it lies somewhere below the root.
        let anywhere: Vec<Segment> = [Segment::Deep]
            .into_iter()
            .chain(self.segments.iter().cloned())
            .collect();
        wide.anchor == Anchor::Root && included(&anywhere, &wide.segments)
    }

    /// The same, with `wide` read as an ask or deny: what lies below a match is matched too.
    pub fn is_within_meaning(&self, wide: &Self) -> bool {
        let mut below = wide.clone();
        below.segments.push(Segment::Deep);
        self.is_within(&Self::canonical(below.anchor, below.segments))
    }

    /// Whether `wide` names a directory by plain text, or everything, and all that this matches lies in it. False where
    /// not provable.
    pub fn lies_in(&self, wide: &Self) -> bool {
        let names = match wide.segments.split_last() {
            Some((Segment::Deep, names)) => names,
            Some((Segment::Visible | Segment::Name(_), _)) | None => wide.segments.as_slice(),
        };
        let plain = names.iter().all(|segment| segment.text().is_some());
        wide.is_universal()
            || plain
                && !names.is_empty()
                && self.anchor == wide.anchor
                && self.segments.starts_with(names)
    }

    /// Whether it matches every path.
    pub fn is_universal(&self) -> bool {
        self.anchor == Anchor::Root && self.segments == [Segment::Deep]
    }

    /// Whether it holds at any depth.
    pub fn is_at_any_depth(&self) -> bool {
        self.anchor == Anchor::Root && self.segments.first() == Some(&Segment::Deep)
    }

    /// Whether it holds at any depth and matches a path or a directory above it.
    pub fn holds_anywhere(&self, path: &AbsPath) -> bool {
        self.is_at_any_depth() && meets(&self.segments, path.as_str(), true)
    }

    /// A component that every matched path has, by which targets are found: the last one that is plain text.
    pub fn key(&self) -> Option<&str> {
        self.segments.iter().rev().find_map(Segment::text)
    }

    /// From where it leads.
    pub(in crate::rules) fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The plain components with which it begins, each with a slash behind.
    pub(in crate::rules) fn lead(&self) -> String {
        let names = self.segments.iter().map_while(Segment::text);
        names.flat_map(|name| [name, "/"]).collect()
    }

    /// A pattern of these segments; without an anchor it may lie at any depth unless it is tied.
    fn of(anchor: Option<Anchor>, tied: bool, segments: Vec<Segment>) -> Self {
        match anchor {
            Some(anchor) => Self::canonical(anchor, segments),
            None if tied && segments.first() != Some(&Segment::Deep) => {
                Self::canonical(Anchor::Workspace, segments)
            }
            None => {
                let mut segments = segments;
                segments.insert(0, Segment::Deep);
                Self::canonical(Anchor::Root, segments)
            }
        }
    }

    /// Brings `**` and `*` beside one another into one order, so that equal patterns are equal values.
    fn canonical(anchor: Anchor, segments: Vec<Segment>) -> Self {
        // A `**` in front at the root stays there: it is how a pattern for any depth is told.
        let leading = anchor == Anchor::Root && segments.first() == Some(&Segment::Deep);
        if leading && segments.iter().all(Segment::is_wild) {
            return Self {
                anchor,
                segments: vec![Segment::Deep],
            };
        }
        let wild = segments.iter().filter(|segment| segment.is_wild()).count();
        if wild < 2 {
            return Self { anchor, segments };
        }
        let mut out: Vec<Segment> = Vec::with_capacity(segments.len());
        let mut deep = false;
        for segment in segments {
            if segment == Segment::Deep {
                deep = true;
                continue;
            }
            if deep && ((leading && out.is_empty()) || !segment.is_any()) {
                out.push(Segment::Deep);
                deep = false;
            }
            out.push(segment);
        }
        if deep {
            out.push(Segment::Deep);
        }
        Self {
            anchor,
            segments: out,
        }
    }

    /// Whether every path that the target may mean below this place is matched.
    fn holds_all(&self, place: &AbsPath, target: &PathTarget, session: &Session) -> bool {
        if target.pattern.is_none() && !target.recursive {
            return self.meets(place, session, false);
        }
        let Some(base) = self.anchor.base(session) else {
            return false;
        };
        segments_of(place, target)
            .is_some_and(|whole| included(&whole, &from_root(&base, &self.segments)))
    }

    /// Whether some path that the target may mean below this place is matched.
    fn holds_any(
        &self,
        place: &AbsPath,
        target: &PathTarget,
        touch: Touch,
        session: &Session,
        sense: Sense,
    ) -> Match {
        // What lies at or below a match is matched, and so is every name that a bash pattern finds there.
        if self.meets(place, session, true) {
            return Match::Yes;
        }
        if target.pattern.is_none() && !target.recursive {
            return Match::No;
        }
        let Some(base) = self.anchor.base(session) else {
            return Match::Perhaps;
        };
        let vague = target.recursive || names_nothing(target);
        let reads = touch == Touch::Reads;
        let cautious = sense == Sense::Caution;
        let inside = vague && (reads || cautious);
        // All that lies below a place is matched for certain only where the place is, which was looked at above.
        if inside && target.pattern.is_none() && !self.names_place_in(place, &base) {
            return Match::No;
        }
        let Some(whole) = segments_of(place, target) else {
            return Match::Perhaps;
        };
        if !self.may_lie_near(place, &base) {
            return Match::No;
        }
        let own = from_root(&base, &self.segments);
        let mut below = own.clone();
        below.push(Segment::Deep);
        if included(&whole, &below) {
            return Match::Yes;
        }
        if inside {
            // Reading a directory that could hold such a file is no reason; one in which the rule names a place is.
            return Match::possible(self.names_place_in(place, &base) && overlap(&whole, &own));
        }
        if cautious && reads {
            let plain =
                ["", "x"].map(|filling| from_root(&base, &instances(&self.segments, filling)));
            return Match::possible(plain.iter().any(|plain| overlap(&whole, plain)));
        }
        // That a name of the built-in table is also that of a directory is merely conceivable: it writes `/**` for one.
        Match::possible(overlap(&whole, if cautious { &own } else { &below }))
    }

    /// Whether it matches one path; with `below` also what lies below a match. An anchor that the session does not have
    /// is looked for at every depth where `below` widens, and matches nothing otherwise.
    fn meets(&self, path: &AbsPath, session: &Session, below: bool) -> bool {
        let rest = match self.anchor {
            Anchor::Root => Some(path.as_str()),
            Anchor::Workspace => match &session.workspace {
                Some(base) => path.below(base),
                None => return below && self.meets_anywhere(path),
            },
            Anchor::Home => match &session.home {
                Some(base) => path.below(base),
                None => return below && self.meets_anywhere(path),
            },
        };
        rest.is_some_and(|rest| meets(&self.segments, rest, below))
    }

    /// Whether a path matches at whatever depth.
    fn meets_anywhere(&self, path: &AbsPath) -> bool {
        let deep: Vec<Segment> = [Segment::Deep]
            .into_iter()
            .chain(self.segments.iter().cloned())
            .collect();
        meets(&deep, path.as_str(), true)
    }

    /// False where the plain beginning of the pattern and the place part ways.
    fn may_lie_near(&self, place: &AbsPath, base: &AbsPath) -> bool {
        match place.below(base) {
            None => base.is_within(place),
            Some(rest) => {
                let components = rest.split('/').filter(|part| !part.is_empty());
                let mut pairs = self.segments.iter().zip(components);
                pairs
                    .find_map(|(segment, part)| match segment {
                        Segment::Deep | Segment::Visible => Some(true),
                        Segment::Name(glob) if glob.matches(part, Barrier::None) => None,
                        Segment::Name(_) => Some(false),
                    })
                    .unwrap_or(true)
            }
        }
    }

    /// Whether the pattern begins with plain names that lead to a place at or below `place`.
    fn names_place_in(&self, place: &AbsPath, base: &AbsPath) -> bool {
        let mut at = base.clone();
        for name in self.segments.iter().map_while(Segment::text) {
            at = at.join(name);
        }
        at.is_within(place) && at != AbsPath::root()
    }
}

impl Segment {
    /// The text where it is a plain name.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Deep | Self::Visible => None,
            Self::Name(glob) => glob.as_literal(),
        }
    }

    /// Whether it takes any number of components.
    fn is_run(&self) -> bool {
        match self {
            Self::Deep | Self::Visible => true,
            Self::Name(_) => false,
        }
    }

    /// Whether it is a wildcard and nothing else.
    fn is_wild(&self) -> bool {
        *self == Self::Deep || self.is_any()
    }

    /// Whether it is any one component.
    fn is_any(&self) -> bool {
        *self == Self::Name(Glob::Any)
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        let mut segments = self.segments.as_slice();
        match self.anchor {
            Anchor::Home => out.push('~'),
            Anchor::Workspace => {}
            Anchor::Root => match segments {
                [Segment::Deep, rest @ ..] => {
                    out.push_str("**");
                    segments = rest;
                }
                [] | [Segment::Visible | Segment::Name(_), ..] => out.push('/'),
            },
        }
        for segment in segments {
            out.push('/');
            match segment {
                Segment::Deep | Segment::Visible => out.push_str("**"),
                Segment::Name(glob) => glob.write(&mut out, |c| c == '/'),
            }
        }
        if out.is_empty() || out == "/" {
            out.push('/');
        }
        f.write_str(&out)
    }
}

/// One part between slashes, and whether its text was two stars.
struct Part {
    glob: Glob,
    deep: bool,
}

/// Parts the anchor from the rest of the text.
fn anchor(text: &str) -> Result<(Option<Anchor>, &str), PatternError> {
    if text.is_empty() {
        return Err(PatternError::new(
            "the pattern is empty",
            "write a path, or `**` for all",
        ));
    }
    if let Some(rest) = text.strip_prefix("//") {
        return Ok((Some(Anchor::Root), rest));
    }
    if let Some(rest) = text.strip_prefix('/') {
        return Ok((Some(Anchor::Workspace), rest));
    }
    match text.strip_prefix('~') {
        Some("") => Ok((Some(Anchor::Home), "")),
        Some(rest) => match rest.strip_prefix('/') {
            Some(rest) => Ok((Some(Anchor::Home), rest)),
            None => Err(PatternError::new(
                format!("`{text}` names another user's home directory"),
                "write its path from the disk root, `//…`, or `\\~` for a name with a tilde",
            )),
        },
        None => Ok((None, text)),
    }
}

/// Splits at slashes and reads wildcards and backslash escapes.
fn parts(text: &str) -> Result<Vec<Part>, PatternError> {
    if !text.contains('\\') {
        let part = |text: &str| Part {
            glob: Glob::of_text(text),
            deep: text == "**",
        };
        let mut out = Vec::with_capacity(text.bytes().filter(|byte| *byte == b'/').count() + 1);
        out.extend(text.split('/').map(part));
        return Ok(out);
    }
    let mut out = Vec::new();
    let mut tokens = Vec::new();
    let mut stars = 0;
    let mut chars = text.chars();
    loop {
        let next = chars.next();
        match next {
            None | Some('/') => {
                let deep = stars == 2 && tokens.len() == 2;
                out.push(Part {
                    glob: Glob::new(&tokens),
                    deep,
                });
                tokens.clear();
                stars = 0;
                if next.is_none() {
                    return Ok(out);
                }
            }
            Some('*') => {
                stars += 1;
                tokens.push(Token::Run);
            }
            Some('?') => tokens.push(Token::One),
            Some('\\') => tokens.push(Token::Char(chars.next().ok_or_else(|| {
                PatternError::new(
                    "the pattern ends in a backslash",
                    "write `\\\\` for a backslash",
                )
            })?)),
            Some(c) => tokens.push(Token::Char(c)),
        }
    }
}

/// Segments from the disk root down.
fn from_root(base: &AbsPath, segments: &[Segment]) -> Vec<Segment> {
    let mut out = names(base);
    out.extend(segments.iter().cloned());
    out
}

/// The components of a path as segments.
fn names(path: &AbsPath) -> Vec<Segment> {
    path.components()
        .map(|name| Segment::Name(Glob::literal(name)))
        .collect()
}

/// Everything that a target may mean below a place, as segments; nothing where its pattern may go up.
fn segments_of(place: &AbsPath, target: &PathTarget) -> Option<Vec<Segment>> {
    let mut out = names(place);
    let found = bash::components(target.pattern.as_deref().unwrap_or(""))?;
    out.extend(found.into_iter().map(|component| {
        if component.deep {
            Segment::Visible
        } else {
            Segment::Name(component.glob)
        }
    }));
    if target.recursive {
        out.push(Segment::Deep);
    }
    Some(out)
}

/// The components of a target's bash pattern; nothing where it may go up.
pub(in crate::rules) fn found_names(target: &PathTarget) -> Option<Vec<Glob>> {
    let found = bash::components(target.pattern.as_deref().unwrap_or(""))?;
    Some(found.into_iter().map(|component| component.glob).collect())
}

/// Whether a target's bash pattern names nothing: only stars.
pub(in crate::rules) fn names_nothing(target: &PathTarget) -> bool {
    target
        .pattern
        .as_ref()
        .is_some_and(|pattern| pattern.chars().all(|c| matches!(c, '*' | '/')))
}

/// Whether segments match the components of a relative path.
fn meets(segments: &[Segment], rest: &str, open: bool) -> bool {
    sequence::matches(
        segments,
        rest.split('/').filter(|part| !part.is_empty()),
        open,
        Segment::is_run,
        |segment, part| match segment {
            Segment::Deep | Segment::Visible => false,
            Segment::Name(glob) => glob.matches(part, Barrier::None),
        },
        |_| true,
    )
}

/// Whether all that `narrow` matches is matched by `wide`.
fn included(narrow: &[Segment], wide: &[Segment]) -> bool {
    sequence::included(
        narrow,
        wide,
        Segment::is_run,
        |narrow, wide| match (narrow, wide) {
            (Segment::Name(narrow), Segment::Name(wide)) => narrow.is_within(wide, Barrier::None),
            (Segment::Deep | Segment::Visible, _) | (_, Segment::Deep | Segment::Visible) => false,
        },
        |_| true,
    )
}

/// Whether something that bash finds by `found` is matched by `own`.
fn overlap(found: &[Segment], own: &[Segment]) -> bool {
    sequence::overlap(found, own, Segment::is_run, |found, own| {
        match (found, own) {
            // Bash's wildcards do not match a leading dot.
            (Segment::Name(found), Segment::Name(own)) => {
                let wild = matches!(found.tokens().first(), Some(Token::Run | Token::One));
                !(wild && own.begins_with('.')) && found.overlaps(own)
            }
            (Segment::Visible, Segment::Name(own)) => !own.begins_with('.'),
            (Segment::Deep, _)
            | (Segment::Visible | Segment::Name(_), Segment::Deep | Segment::Visible) => true,
        }
    })
}

/// Segments with their wildcards replaced by plain text.
fn instances(segments: &[Segment], filling: &str) -> Vec<Segment> {
    segments
        .iter()
        .map(|segment| match segment {
            Segment::Deep => Segment::Deep,
            Segment::Visible => Segment::Visible,
            Segment::Name(glob) => Segment::Name(glob.instance(filling)),
        })
        .collect()
}
