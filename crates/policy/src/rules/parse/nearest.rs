//! The known word that a misspelt one probably means.

/// The word at the smallest edit distance, where that is small enough to be a slip.
pub(super) fn nearest<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let text = text.to_lowercase().replace('_', "-");
    let limit = text.chars().count().div_ceil(3).min(3);
    words
        .into_iter()
        .map(|word| (distance(&text, &word.replace('_', "-")), word))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many characters must be added, taken away or replaced.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (done, a) in left.chars().enumerate() {
        let mut last = done + 1;
        let mut next = vec![last];
        for (pair, b) in row.windows(2).zip(right.chars()) {
            let [diagonal, above] = pair else { continue };
            let replaced = diagonal + usize::from(a != b);
            last = replaced.min(above + 1).min(last + 1);
            next.push(last);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
