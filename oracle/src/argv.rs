//! Argument lists as the recording handler writes them: a count, then that many words, each ended by a NUL byte.

/// One command that bash looked up, with its arguments.
pub type Argv = Vec<String>;

/// The argument lists in what was recorded. A torn record at the end, where a run was cut off, is left out.
pub fn parse(recorded: &[u8]) -> Vec<Argv> {
    let mut pieces = recorded.split(|byte| *byte == 0);
    let mut found: Vec<Argv> = Vec::new();
    while let Some(count) = pieces.next() {
        let Some(count) = number(count) else { break };
        let argv: Argv = pieces
            .by_ref()
            .take(count)
            .map(|word| String::from_utf8_lossy(word).replace('\u{1e}', "\n"))
            .collect();
        if argv.len() < count {
            break;
        }
        if !found.contains(&argv) {
            found.push(argv);
        }
    }
    found
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
