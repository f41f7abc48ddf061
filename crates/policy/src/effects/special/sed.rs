//! `sed`: reads its scripts for the commands that write files and run programs.

use crate::effects::command::Field;
use crate::effects::invocation::Invocation;
use crate::effects::opacity::Opacity;
use crate::effects::programs::Role;
use crate::request::Category;
use std::ops::ControlFlow;

/// Reads the scripts; the operands that are files are left to their roles.
pub(crate) fn read(run: &mut Invocation<'_>) -> ControlFlow<()> {
    let mut scripts: Vec<Field> = Vec::new();
    let mut from_file = false;
    for used in &run.argv.options {
        let Some(option) = used.option else { continue };
        if option.names.contains(&"-e") {
            scripts.extend(used.value.clone());
        }
        from_file |= option.names.contains(&"-f");
    }
    if scripts.is_empty()
        && !from_file
        && let Some(first) = run.argv.operands.first()
    {
        scripts.push(first.clone());
    }
    if from_file {
        run.opaque(Opacity::ForeignCode);
    }
    for script in scripts {
        match script.known().map(files) {
            Some(Some(files)) => {
                for (file, writes) in files {
                    let role = if writes { Role::Write } else { Role::Read };
                    if writes {
                        run.raise(Category::Writes);
                    }
                    run.act(role, &Field::Known(file), false);
                }
            }
            Some(None) | None => run.opaque(Opacity::ForeignCode),
        }
    }
    let suffix = run.argv.option("-i").and_then(|used| used.value.clone());
    if suffix.is_some_and(|suffix| suffix.known().is_none_or(|text| text.contains('/'))) {
        // The copy goes to another directory, under a name made from the file's.
        run.opaque(Opacity::ComputedPath);
    }
    if run.argv.has(crate::effects::programs::Tag::InPlace) {
        run.raise(Category::Writes);
    }
    ControlFlow::Continue(())
}

/// The files that a script writes (true) or reads (false); nothing where it runs programs or is not understood.
fn files(script: &str) -> Option<Vec<(String, bool)>> {
    let mut reader = Reader {
        rest: script,
        files: Vec::new(),
    };
    while reader.command()? {}
    Some(reader.files)
}

struct Reader<'s> {
    rest: &'s str,
    files: Vec<(String, bool)>,
}

impl Reader<'_> {
    /// Reads one command: false at the end, nothing where it is not understood.
    fn command(&mut self) -> Option<bool> {
        self.rest = self
            .rest
            .trim_start_matches([' ', '\t', '\n', ';', '{', '}']);
        if self.rest.is_empty() {
            return Some(false);
        }
        self.address()?;
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        if self.rest.starts_with(',') {
            self.take();
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            self.address()?;
        }
        self.rest = self.rest.trim_start_matches([' ', '\t', '!']);
        let Some(command) = self.take() else {
            return Some(true);
        };
        match command {
            '{' | '}' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x'
            | 'z' | 'F' | ';' | '\n' => {}
            'l' | 'L' | 'q' | 'Q' => {
                self.rest = self
                    .rest
                    .trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
            }
            '#' => {
                self.line();
            }
            'b' | 't' | 'T' | ':' | 'v' => {
                // A label ends at white space, too; what stands behind is the next command.
                self.rest = self.rest.trim_start_matches([' ', '\t']);
                let end = self
                    .rest
                    .find(['\n', ';', '}', ' ', '\t'])
                    .unwrap_or(self.rest.len());
                self.rest = self.rest.get(end..)?;
            }
            'a' | 'i' | 'c' => self.text(),
            's' => return self.substitution().map(|()| true),
            'y' => {
                let delimiter = self.take()?;
                self.until(delimiter)?;
                self.until(delimiter)?;
            }
            'w' | 'W' | 'r' | 'R' => {
                let file = self.line();
                self.files
                    .push((file.trim_start().to_owned(), matches!(command, 'w' | 'W')));
            }
            _ => return None,
        }
        Some(true)
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    /// The rest of the line.
    fn line(&mut self) -> String {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line.to_owned()
    }

    /// Text of `a`, `i`, `c`: up to the end of a line that does not end in a backslash.
    fn text(&mut self) {
        loop {
            let line = self.line();
            let more = line.ends_with('\\') && !self.rest.is_empty();
            self.take();
            if !more {
                return;
            }
        }
    }

    fn address(&mut self) -> Option<()> {
        match self.rest.chars().next()? {
            '/' => {
                self.take();
                self.until('/')?;
                self.rest = self.rest.trim_start_matches(['I', 'M']);
            }
            '\\' => {
                self.take();
                let delimiter = self.take()?;
                self.until(delimiter)?;
                self.rest = self.rest.trim_start_matches(['I', 'M']);
            }
            '$' => {
                self.take();
            }
            _ => {
                self.rest = self
                    .rest
                    .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '~' | '+'));
            }
        }
        Some(())
    }

    /// Skips to behind the next delimiter that is not escaped. Whether brackets hide a delimiter differs between
    /// seds, so that a text in which it would matter is not understood.
    fn until(&mut self, delimiter: char) -> Option<()> {
        let mut in_class = false;
        loop {
            match self.take()? {
                '\\' => {
                    self.take()?;
                }
                c if c == delimiter && in_class => return self.ambiguous(delimiter),
                c if c == delimiter => return Some(()),
                '[' => in_class = true,
                ']' => in_class = false,
                _ => {}
            }
        }
    }

    /// A delimiter stands inside brackets: understood only where the brackets are closed right behind it.
    fn ambiguous(&mut self, delimiter: char) -> Option<()> {
        let end = self.rest.find(']')?;
        self.rest = self.rest.get(end + 1..)?;
        self.until(delimiter)
    }

    fn substitution(&mut self) -> Option<()> {
        let delimiter = self.take()?;
        if matches!(delimiter, '\n' | '\\') {
            return None;
        }
        self.until(delimiter)?;
        self.until(delimiter)?;
        loop {
            match self.rest.chars().next() {
                Some('g' | 'p' | 'I' | 'i' | 'm' | 'M' | '0'..='9') => {
                    self.take();
                }
                Some('w') => {
                    self.take();
                    let file = self.line();
                    self.files.push((file.trim_start().to_owned(), true));
                    return Some(());
                }
                Some(' ' | '\t' | ';' | '\n' | '}' | '#') | None => return Some(()),
                Some(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn p5_sed_scripts_that_only_edit() {
        for script in [
            "1,240p",
            "s/a/b/g",
            "/x/d",
            "$!N;s/\\n/ /",
            "/a/,/b/p",
            "s|a/b|c|",
            "/^#/!{s/x/y/;p}",
            "y/abc/xyz/",
            "$p",
            "1d;$d",
            "s/a\\/b/c/2",
            ":a;N;$!ba;s/x/y/",
            "a\\\ntext e w",
            "0~3p",
            "/x/I,+2p",
            "s/[/]x/y/",
            "2q",
        ] {
            assert!(
                files(script).is_some_and(|files| files.is_empty()),
                "{script}"
            );
        }
    }

    #[test]
    fn p5_sed_scripts_that_write_or_run() {
        assert_eq!(files("w out"), Some(vec![("out".to_owned(), true)]));
        assert_eq!(files("s/a/b/w out"), Some(vec![("out".to_owned(), true)]));
        assert_eq!(files("s/a/b/gw out"), Some(vec![("out".to_owned(), true)]));
        assert_eq!(files("/x/r in"), Some(vec![("in".to_owned(), false)]));
        for script in [
            "e",
            "1e touch x",
            "s/a/b/e",
            "s/a/b/ge",
            "/x/e",
            "s/x",
            "}}s/a/b/e",
            "1!e id",
            ":a e id",
            ": a e id",
            "b x e",
        ] {
            assert_eq!(files(script), None, "{script}");
        }
    }
}
