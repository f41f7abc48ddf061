//! `curl`: what is sent, and files named after `@`.

use crate::effects::command::Field;
use crate::effects::invocation::Invocation;
use crate::effects::opacity::Opacity;
use crate::effects::programs::Role;
use crate::request::Category;
use std::ops::ControlFlow;

/// Options whose value is sent.
const SENDS: [&str; 10] = [
    "-d",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "--url-query",
];

/// Reads methods and bodies; URLs are left to the operands' role.
pub(crate) fn read(run: &mut Invocation<'_>) -> ControlFlow<()> {
    let mut files = Vec::new();
    let mut sends = false;
    let mut writes = false;
    let mut hidden = false;
    for used in &run.argv.options {
        let names: &[&str] = used.option.map_or(&[], |option| option.names);
        let is = |wanted: &[&str]| names.iter().any(|name| wanted.contains(name));
        if is(&["-X", "--request"]) {
            sends |= !matches!(
                used.value.as_ref().and_then(Field::known),
                Some("GET" | "HEAD" | "OPTIONS")
            );
        }
        writes |= is(&["-O", "--remote-name", "--remote-name-all"]);
        if is(&["-w", "--write-out", "-H", "--header", "--variable"]) {
            // These may name files, too: to read after `@`, to write in `%output{}`.
            let plain = |text: &str| {
                !text.starts_with('@') && !text.contains("=@") && !text.contains("%output")
            };
            hidden |= !used
                .value
                .as_ref()
                .and_then(Field::known)
                .is_some_and(plain)
                && !matches!(&used.value, Some(Field::Unknown { prefix, single: true, .. })
                    if !prefix.is_empty() && plain(prefix));
        }
        if !is(&SENDS) {
            continue;
        }
        sends = true;
        // `--data-raw` alone takes `@` literally.
        if is(&["--data-raw"]) {
            continue;
        }
        match &used.value {
            Some(Field::Known(text)) => {
                if let Some((_, file)) = text.split_once(['@', '<']) {
                    files.push(file.split(';').next().unwrap_or(file).to_owned());
                }
            }
            Some(Field::Unknown { prefix, .. })
                if !prefix.is_empty() && !prefix.contains(['@', '<']) => {}
            Some(_) => files.push(String::new()),
            None => {}
        }
    }
    if hidden {
        run.opaque(Opacity::ComputedArguments);
    }
    if writes {
        run.act(Role::Write, &Field::Known(".".to_owned()), false);
    }
    if sends {
        run.raise(Category::Remote);
    }
    for file in files {
        if file.is_empty() {
            run.opaque(Opacity::ComputedArguments);
        } else {
            run.act(Role::Read, &Field::Known(file), false);
        }
    }
    ControlFlow::Continue(())
}
