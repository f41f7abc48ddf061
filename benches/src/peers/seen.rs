//! The programs that the reader sees in a text, in the order in which they stand; nothing is judged.

use countersign_shell::read::read;
use countersign_shell::tree::{CommandKind, Word};
use countersign_shell::walk::{Visit, visit};

/// The first word of every simple command as it is written, without quotes around it; none where the text is not read.
pub(super) fn programs(source: &str) -> Vec<String> {
    let Ok(script) = read(source) else {
        return Vec::new();
    };
    let mut words: Vec<Word> = Vec::new();
    visit(&script, &mut |seen| {
        if let Visit::Command(command) = seen
            && let CommandKind::Simple(simple) = &command.kind
        {
            words.extend(simple.words.first().cloned());
        }
    });
    words.sort_by_key(|word| word.span);
    let written = words.iter().filter_map(|word| word.span.text(source));
    written
        .map(|text| text.trim_matches('"').to_owned())
        .collect()
}
