//! Files whose names a program makes of what it is given: copies that are kept (`sed -i.old`), packed and unpacked
//! files, pieces (`split`), pictures and texts that are put beside what they are made from.

use crate::effects::command::Field;
use crate::effects::effect::Act;
use crate::effects::invocation::{self, Invocation};
use crate::effects::opacity::Opacity;
use crate::effects::programs::Role;
use crate::effects::value::literal_pattern;
use crate::effects::word::pattern_of;
use crate::request::{Category, PathTarget};

/// Endings that unpacking takes off, in lower case.
const PACKED: [&str; 14] = [
    ".gz", "-gz", ".z", "-z", "_z", ".bz2", ".bz", ".xz", ".lzma", ".zst", ".lz4", ".lz", ".br",
    ".zz",
];

/// More letters than this in the ending of a piece count as any text.
const MOST_LETTERS: usize = 16;

/// Adds what a program writes under a name of its own making.
pub(crate) fn read(name: &str, run: &mut Invocation<'_>) {
    match name {
        "cp" | "gcp" | "mv" | "gmv" | "ln" | "gln" | "install" | "ginstall" => {
            // Whether it takes a word, so that the last operand is another, differs between systems.
            if run.argv.options.iter().any(|used| used.spelled == "-S") {
                run.opaque(Opacity::ComputedArguments);
            }
            with_parents(run);
            copies("--suffix", run);
        }
        "sed" | "gsed" => copies("-i", run),
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "lzma" | "unlzma"
        | "compress" | "uncompress" | "pigz" | "unpigz" | "pbzip2" | "lzip" | "lz4" | "unlz4"
        | "brotli" | "zstd" | "unzstd" | "zstdmt" => packed(name, run),
        "split" => split(run),
        "csplit" => csplit(run),
        "dot" | "neato" | "fdp" | "sfdp" | "twopi" | "circo" => pictures(run),
        "pdftotext" | "pdftohtml" => texts(run),
        _ => {}
    }
}

/// `cp --parents`: a file keeps the directories in front of its name where it is put.
fn with_parents(run: &mut Invocation<'_>) {
    let keeps = |spelled: &str| spelled.len() > 3 && "--parents".starts_with(spelled);
    if !run.argv.options.iter().any(|used| keeps(&used.spelled)) {
        return;
    }
    let mut operands = run.argv.operands.clone();
    let target = run.argv.option("-t").and_then(|used| used.value.clone());
    let Some(into) = target.or_else(|| operands.pop()) else {
        return;
    };
    let into = pattern_of(&into);
    let mut fields = Vec::new();
    for operand in &operands {
        match (&into, pattern_of(operand)) {
            (Some(into), Some(path)) => fields.push(Field::Names(format!("{into}/{path}"))),
            (Some(_) | None, _) => run.opaque(Opacity::ComputedPath),
        }
    }
    write_all(fields, run);
}

/// What stood at a path that is written stays under its name with an ending.
fn copies(option: &str, run: &mut Invocation<'_>) {
    let Some(value) = run.argv.option(option).and_then(|used| used.value.clone()) else {
        return;
    };
    let Some(ending) = value.known().filter(|text| !text.contains('/')) else {
        run.opaque(Opacity::ComputedPath);
        return;
    };
    let written = |act: &Act| match act {
        Act::Write(target) => Some(named(target, ending)),
        Act::Run(_)
        | Act::Read(_)
        | Act::Move(_)
        | Act::Delete(_)
        | Act::Discard(_)
        | Act::Net(_)
        | Act::WebSearch(_)
        | Act::Mcp(_)
        | Act::Memory(_)
        | Act::Task { .. }
        | Act::Terminal(_)
        | Act::Tool(_)
        | Act::Spread { .. }
        | Act::GitAlias { .. }
        | Act::Script(_)
        | Act::Breaks(_)
        | Act::Opaque(_) => None,
    };
    let fields: Vec<Field> = run.acts.iter().filter_map(written).collect();
    if !ending.is_empty() {
        write_all(fields, run);
    }
}

/// A path's name with an ending; a star in the ending stands for the name, which then stands there only.
fn named(target: &PathTarget, ending: &str) -> Field {
    let after_slash = target.written.rfind('/').map_or(0, |at| at + 1);
    let (directory, base) = target.written.split_at(after_slash);
    let literal = target.pattern.is_none();
    let escaped = |text: &str| {
        if literal {
            text.to_owned()
        } else {
            literal_pattern(text)
        }
    };
    let name = if ending.contains('*') {
        let pieces: Vec<String> = ending.split('*').map(escaped).collect();
        pieces.join(base)
    } else {
        format!("{base}{}", escaped(ending))
    };
    let path = format!("{directory}{name}");
    if literal {
        Field::Known(path)
    } else {
        Field::Names(path)
    }
}

/// A program that puts a packed or unpacked file beside the one that it is given, or in its place; none of it where
/// everything is printed.
fn packed(name: &str, run: &mut Invocation<'_>) {
    if invocation::became(&run.argv) == Some(Category::Reads) {
        return;
    }
    let unpacks = name.contains("un") || run.argv.uses("-d");
    // The name that the file had when it was packed stands in the file.
    if unpacks && run.argv.uses("-N") {
        run.opaque(Opacity::ComputedPath);
    }
    let own = run.argv.option("-S").and_then(|used| used.value.clone());
    if own.as_ref().is_some_and(|own| own.known().is_none()) {
        run.opaque(Opacity::ComputedPath);
    }
    let own = own.as_ref().and_then(Field::known).unwrap_or("");
    let mut fields = Vec::new();
    for operand in &run.argv.operands {
        match operand {
            Field::Known(text) => {
                fields.extend(bare(text, own).into_iter().map(Field::Known));
                if !own.is_empty() {
                    fields.push(Field::Known(format!("{text}{own}")));
                }
            }
            Field::Names(pattern) if unpacks => {
                let ends = bare(pattern, own);
                // Where the pattern leaves the ending open, so it leaves the name.
                let open = ends.is_empty().then(|| pattern.clone());
                fields.extend(ends.into_iter().chain(open).map(Field::Names));
            }
            Field::Names(_) | Field::Listed(_) | Field::Unknown { .. } => {}
        }
    }
    write_all(fields, run);
}

/// A name without what unpacking takes off its end.
fn bare(text: &str, own: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let mut out: Vec<String> = PACKED
        .iter()
        .filter(|ending| lower.ends_with(*ending))
        .filter_map(|ending| text.get(..text.len() - ending.len()))
        .map(str::to_owned)
        .collect();
    if let Some(rest) = text.strip_suffix(own).filter(|_| !own.is_empty()) {
        out.push(rest.to_owned());
    }
    out
}

/// `split`: a front, letters, perhaps an ending.
fn split(run: &mut Invocation<'_>) {
    let front = run.argv.operands.get(1).cloned();
    let front = front.unwrap_or_else(|| Field::Known("x".to_owned()));
    let ending = value(run, "--additional-suffix");
    let (Some(front), Some(ending)) = (pattern_of(&front), ending) else {
        run.opaque(Opacity::ComputedPath);
        return;
    };
    let asked = value(run, "-a").and_then(|text| text.parse::<usize>().ok());
    // Where nothing is asked there are two letters, and then two more.
    let lengths = match asked {
        Some(length) if length > 0 => vec![length],
        Some(_) | None => vec![2, 4],
    };
    let ending = literal_pattern(&ending);
    let fields = lengths.into_iter().map(|length| {
        let letters = if length > MOST_LETTERS {
            "*".to_owned()
        } else {
            "[a-z0-9]".repeat(length)
        };
        Field::Names(format!("{front}{letters}{ending}"))
    });
    write_all(fields.collect(), run);
}

/// `csplit`: a front and a number, which a format may hold in a text.
fn csplit(run: &mut Invocation<'_>) {
    let front = run.argv.option("-f").and_then(|used| used.value.clone());
    let front = front.unwrap_or_else(|| Field::Known("xx".to_owned()));
    let (Some(front), Some(format)) = (pattern_of(&front), value(run, "-b")) else {
        run.opaque(Opacity::ComputedPath);
        return;
    };
    let digits = value(run, "-n").and_then(|text| text.parse::<usize>().ok());
    let digits = digits.unwrap_or(2);
    let end = if !format.is_empty() {
        formatted(&format)
    } else if digits > MOST_LETTERS {
        "*".to_owned()
    } else {
        "[0-9]".repeat(digits)
    };
    write_all(vec![Field::Names(format!("{front}{end}"))], run);
}

/// The names that a format of `csplit` makes: anything may stand where the number does, nothing too.
fn formatted(format: &str) -> String {
    let mut pieces = format.split('%');
    let mut out = literal_pattern(pieces.next().unwrap_or(""));
    for piece in pieces {
        let rest = piece
            .find(|c: char| c.is_ascii_alphabetic())
            .and_then(|at| piece.get(at + 1..));
        out.push('*');
        out.push_str(&literal_pattern(rest.unwrap_or("")));
    }
    out
}

/// `dot -O`: the picture is named after what it is made from, and its format.
fn pictures(run: &mut Invocation<'_>) {
    if !run.argv.uses("-O") {
        return;
    }
    let mut formats: Vec<Option<String>> = Vec::new();
    for used in run.argv.options.iter().filter(|used| used.spelled == "-T") {
        let plain = used.value.as_ref().and_then(Field::known);
        let plain = plain.filter(|text| text.chars().all(|c| c.is_ascii_alphanumeric()));
        formats.push(plain.map(str::to_owned));
    }
    if formats.is_empty() {
        formats.push(Some("dot".to_owned()));
    }
    let mut fields = Vec::new();
    for front in run.argv.operands.iter().map(pattern_of) {
        for format in &formats {
            fields.push(front.as_ref().map(|front| match format {
                Some(format) => Field::Names(format!("{front}.{format}")),
                None => Field::Names(format!("{front}.*")),
            }));
        }
    }
    if fields.iter().any(Option::is_none) {
        run.opaque(Opacity::ComputedPath);
    }
    write_all(fields.into_iter().flatten().collect(), run);
}

/// `pdftotext a.pdf`: without a second operand the text stands beside the document.
fn texts(run: &mut Invocation<'_>) {
    let [only] = run.argv.operands.as_slice() else {
        return;
    };
    let Some(text) = pattern_of(only) else {
        run.opaque(Opacity::ComputedPath);
        return;
    };
    let stem = text
        .strip_suffix(".pdf")
        .or_else(|| text.strip_suffix(".PDF"))
        .unwrap_or(&text)
        .to_owned();
    run.raise(Category::Writes);
    let fields = [".txt", ".html"].map(|ending| Field::Names(format!("{stem}{ending}")));
    write_all(fields.into(), run);
}

/// The value of an option: empty where it is not given, nothing where it is not known.
fn value(run: &Invocation<'_>, option: &str) -> Option<String> {
    match run.argv.option(option).and_then(|used| used.value.as_ref()) {
        Some(value) => value.known().map(str::to_owned),
        None => Some(String::new()),
    }
}

fn write_all(fields: Vec<Field>, run: &mut Invocation<'_>) {
    for field in fields {
        let field = match field {
            Field::Names(pattern) if crate::effects::glob::is_literal(&pattern) => {
                Field::Known(crate::effects::glob::unescaped(&pattern))
            }
            Field::Known(_) | Field::Names(_) | Field::Listed(_) | Field::Unknown { .. } => field,
        };
        run.act(Role::Write, &field, false);
    }
}
