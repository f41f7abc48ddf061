//! `curl`: what is sent, and files named after `@`.

use crate::effects::command::Field;
use crate::effects::effect::Opacity;
use crate::effects::programs::Role;
use crate::effects::run::Invocation;
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
    for used in &run.argv.options {
        let names: &[&str] = used.option.map_or(&[], |option| option.names);
        let is = |wanted: &[&str]| names.iter().any(|name| wanted.contains(name));
        if is(&["-X", "--request"]) {
            sends |= !matches!(
                used.value.as_ref().and_then(Field::known),
                Some("GET" | "HEAD" | "OPTIONS")
            );
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
