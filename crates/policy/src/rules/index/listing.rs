//! Sorted listings of where rules stand, by a text of theirs; what the text means is the caller's.

/// Where a rule stands: layer, then place in it.
pub(in crate::rules) type Slot = (usize, usize);

/// Rules by the hash of a text, to be found by the whole text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Hashes(Vec<(u64, Slot)>);

impl Hashes {
    /// Takes in a rule. What is taken in is found once it is sorted.
    pub(super) fn add(&mut self, text: &str, slot: Slot) {
        self.0.push((hash(text), slot));
    }

    /// Makes everything to be found.
    pub(super) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Adds the rules of one text; two texts of one hash only cost a comparison.
    pub(super) fn find(&self, text: &str, out: &mut Vec<Slot>) {
        if self.0.is_empty() {
            return;
        }
        let hash = hash(text);
        let start = self.0.partition_point(|(own, _)| *own < hash);
        let from = self.0.iter().skip(start);
        let same = from.take_while(|(own, _)| *own == hash);
        out.extend(same.map(|(_, slot)| *slot));
    }
}

/// Rules by a text, to be found also by how it begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Texts(Vec<(String, Slot)>);

impl Texts {
    /// Takes in a rule. What is taken in is found once it is sorted.
    pub(super) fn add(&mut self, text: String, slot: Slot) {
        self.0.push((text, slot));
    }

    /// Makes everything to be found.
    pub(super) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Adds the rules whose text is this one.
    pub(super) fn equal(&self, text: &str, out: &mut Vec<Slot>) {
        let same = self.from(text).take_while(|(own, _)| own == text);
        out.extend(same.map(|(_, slot)| *slot));
    }

    /// Adds the rules whose text begins so: all where it is empty.
    pub(super) fn starting(&self, front: &str, out: &mut Vec<Slot>) {
        let same = self
            .from(front)
            .take_while(|(own, _)| own.starts_with(front));
        out.extend(same.map(|(_, slot)| *slot));
    }

    /// What stands at or behind a text.
    fn from(&self, text: &str) -> impl Iterator<Item = &(String, Slot)> {
        let start = self.0.partition_point(|(own, _)| own.as_str() < text);
        self.0.iter().skip(start)
    }
}

/// FNV-1a: short texts, no adversary, since a collision only costs a comparison.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
