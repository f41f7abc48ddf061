//! Makes a failing text shorter as long as it still fails.

/// Removes characters, in large pieces first, while `fails` holds. `most` bounds how often that is asked.
pub fn minimise(text: &str, most: usize, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut best: Vec<char> = text.chars().collect();
    let mut asked = 0;
    let mut size = (best.len() / 2).max(1);
    loop {
        let mut at = 0;
        let mut shrunk = false;
        while at < best.len() && asked < most {
            let end = (at + size).min(best.len());
            let shorter: Vec<char> = best
                .iter()
                .enumerate()
                .filter(|(index, _)| *index < at || *index >= end)
                .map(|(_, character)| *character)
                .collect();
            asked += 1;
            if fails(&shorter.iter().collect::<String>()) {
                best = shorter;
                shrunk = true;
            } else {
                at += size;
            }
        }
        if asked >= most || (size == 1 && !shrunk) {
            return best.into_iter().collect();
        }
        if !shrunk {
            size = (size / 2).max(1);
        }
    }
}
