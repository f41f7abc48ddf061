//! Matching, inclusion and overlap of sequences with runs, once for the characters of a word and once for the
//! components of a path; it does not know what the items are.

/// Whether `pattern` matches all of `items`, or a beginning of them where `open` is set. A run takes any number of
/// items that `passes` lets through.
pub(super) fn matches<T, I>(
    pattern: &[T],
    items: I,
    open: bool,
    is_run: impl Fn(&T) -> bool,
    meets: impl Fn(&T, &I::Item) -> bool,
    passes: impl Fn(&I::Item) -> bool,
) -> bool
where
    I: Iterator + Clone,
{
    let mut rest = pattern;
    let mut items = items;
    // The last run and where it began to take items; going back to earlier ones never helps.
    let mut retry: Option<(&[T], I)> = None;
    loop {
        let advanced = match rest.split_first() {
            Some((first, after)) if is_run(first) => {
                retry = Some((after, items.clone()));
                rest = after;
                true
            }
            Some((first, after)) => match items.next() {
                None => return false,
                Some(item) => {
                    rest = after;
                    meets(first, &item)
                }
            },
            None if open => return true,
            None => match items.next() {
                None => return true,
                Some(_) => false,
            },
        };
        if advanced {
            continue;
        }
        let Some((after, from)) = &mut retry else {
            return false;
        };
        match from.next() {
            Some(item) if passes(&item) => {
                rest = after;
                items = from.clone();
            }
            Some(_) | None => return false,
        }
    }
}

/// Whether everything that `narrow` matches is matched by `wide`. It decides by structure: true is proof, false is not.
pub(super) fn included<T>(
    narrow: &[T],
    wide: &[T],
    is_run: impl Fn(&T) -> bool,
    covers: impl Fn(&T, &T) -> bool,
    passes: impl Fn(&T) -> bool,
) -> bool {
    // Row by row from the end; an entry says whether the rest of `narrow` lies in the rest of `wide`, last entry first.
    let mut row = vec![true];
    let mut runs = true;
    for item in wide.iter().rev() {
        runs &= is_run(item);
        row.push(runs);
    }
    for item in narrow.iter().rev() {
        let mut last = false;
        let mut next = vec![last];
        for (other, pair) in wide.iter().rev().zip(row.windows(2)) {
            let [after, here] = pair else { continue };
            last = if is_run(other) {
                last || (passes(item) && *here)
            } else {
                !is_run(item) && covers(item, other) && *after
            };
            next.push(last);
        }
        row = next;
    }
    row.last().copied().unwrap_or(false)
}

/// Whether something is matched by both. `meets` also says whether a run of `left` takes an item of `right`.
pub(super) fn overlap<T>(
    left: &[T],
    right: &[T],
    is_run: impl Fn(&T) -> bool,
    meets: impl Fn(&T, &T) -> bool,
) -> bool {
    let mut row = vec![true];
    let mut runs = true;
    for item in right.iter().rev() {
        runs &= is_run(item);
        row.push(runs);
    }
    for item in left.iter().rev() {
        let mut last = is_run(item) && row.first().copied().unwrap_or(false);
        let mut next = vec![last];
        for (other, pair) in right.iter().rev().zip(row.windows(2)) {
            let [after, here] = pair else { continue };
            last = if is_run(item) {
                (last && (is_run(other) || meets(item, other))) || *here
            } else if is_run(other) {
                last || *here
            } else {
                meets(item, other) && *after
            };
            next.push(last);
        }
        row = next;
    }
    row.last().copied().unwrap_or(false)
}
