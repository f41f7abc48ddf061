//! Rules over paths by where they lead and what they name, so that a target that stands for many paths finds the few
//! that may meet it; a target that is one path is found by its components alone.

use super::listing::{Hashes, Slot, Texts};
use crate::path::AbsPath;
use crate::request::{Kind, PathTarget};
use crate::rules::pattern::glob::{Glob, Token};
use crate::rules::pattern::path::{Anchor, PathPattern, Touch, found_names, names_nothing};
use crate::session::Session;

/// The rules over paths that hold a component of plain text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Places {
    /// By the plain components with which they begin, each with a slash behind: for each anchor one listing.
    leads: [Texts; Anchor::ALL.len()],
    /// Those that begin with a wildcard, by the component that every match has.
    loose: Texts,
    /// The same by that component read backwards.
    backwards: Texts,
}

/// What a target asks for, as far as all of its places share it.
struct Query<'a> {
    /// The components of its bash pattern.
    names: &'a [Glob],
    /// Whether everything below is meant too.
    recursive: bool,
    /// Whether only rules count that name a place inside, beside those whose every plain component is in the target.
    inside: bool,
}

impl Places {
    /// Takes in a rule with a component that every match has.
    pub(super) fn add(&mut self, pattern: &PathPattern, key: &str, slot: Slot) {
        let lead = pattern.lead();
        if lead.is_empty() {
            self.loose.add(key.to_owned(), slot);
            self.backwards.add(key.chars().rev().collect(), slot);
        }
        let mut listings = Anchor::ALL.into_iter().zip(&mut self.leads);
        if let Some((_, texts)) = listings.find(|(anchor, _)| *anchor == pattern.anchor()) {
            texts.add(lead, slot);
        }
    }

    /// Makes everything to be found.
    pub(super) fn sort(&mut self) {
        self.leads.iter_mut().for_each(Texts::sort);
        self.loose.sort();
        self.backwards.sort();
    }

    /// Adds the rules that may match; false where the target may lie anywhere, so that every ask or deny may.
    pub(super) fn find(
        &self,
        target: &PathTarget,
        kind: Kind,
        session: &Session,
        keyed: &Hashes,
        out: &mut Vec<Slot>,
    ) -> bool {
        if target.places.is_empty() {
            return false;
        }
        // What is matched at or below a plain path has all plain components of its rule.
        for name in target.places.iter().flat_map(AbsPath::components) {
            keyed.find(name, out);
        }
        if target.pattern.is_none() && !target.recursive {
            return true;
        }
        let Some(names) = found_names(target) else {
            return false;
        };
        for name in names.iter().filter_map(Glob::as_literal) {
            keyed.find(name, out);
        }
        let plain = names.iter().map_while(Glob::as_literal);
        // A slash in a name is text there and would be none in a path.
        let plain: Vec<&str> = plain.take_while(|name| !name.contains('/')).collect();
        let vague = target.recursive || names_nothing(target);
        let query = Query {
            names: &names,
            recursive: target.recursive,
            inside: vague && Touch::of(kind) == Touch::Reads && plain.is_empty(),
        };
        for place in &target.places {
            let reach = plain.iter().fold(place.clone(), |at, name| at.join(name));
            self.near(&reach, &query, session, out);
        }
        if !query.inside && !query.recursive {
            query.names.iter().for_each(|name| self.named(name, out));
        }
        true
    }

    /// Adds the rules whose beginning does not part from this place.
    fn near(&self, place: &AbsPath, query: &Query<'_>, session: &Session, out: &mut Vec<Slot>) {
        for (anchor, texts) in Anchor::ALL.into_iter().zip(&self.leads) {
            let Some(base) = anchor.base(session) else {
                // The session does not say where these lead.
                texts.starting("", out);
                continue;
            };
            let Some(rest) = place.below(&base) else {
                if base.is_within(place) {
                    texts.starting("", out);
                }
                continue;
            };
            let rest = if rest.is_empty() {
                String::new()
            } else {
                format!("{rest}/")
            };
            texts.starting(&rest, out);
            if query.inside {
                continue;
            }
            // Those that lead to a place above and go on with wildcards. Where nothing leads anywhere, names tell more.
            let ends = rest.match_indices('/').map(|(at, _)| at + 1);
            let above = ends.filter_map(|end| rest.get(..end));
            above.for_each(|lead| texts.equal(lead, out));
            if query.recursive {
                texts.equal("", out);
            }
        }
    }

    /// Adds the rules that begin with a wildcard and whose component a glob may find.
    fn named(&self, glob: &Glob, out: &mut Vec<Slot>) {
        let tokens = glob.tokens();
        let text = |token: &Token| match token {
            Token::Char(c) => Some(*c),
            Token::Hex | Token::One | Token::Run => None,
        };
        let front: String = tokens.iter().map_while(text).collect();
        if front.is_empty() {
            let back: String = tokens.iter().rev().map_while(text).collect();
            self.backwards.starting(&back, out);
        } else {
            self.loose.starting(&front, out);
        }
    }
}
