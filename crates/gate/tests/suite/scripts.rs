//! What is found of the project's own scripts: package.json, makefiles, justfiles, cargo's aliases and shell scripts.
//! Where make is installed its own dry run says the same.

use crate::example::directory;
use countersign_gate::world::environment::Environment;
use countersign_gate::world::look;
use countersign_policy::path::AbsPath;
use countersign_policy::project::{Runner, ScriptText};
use countersign_policy::world::{Found, Lookup};
use std::fs;
use std::process::Command;

/// A project in a directory of its own.
struct Project {
    _keep: tempfile::TempDir,
    root: AbsPath,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let (keep, root) = directory();
        let project = Self { _keep: keep, root };
        for (file, text) in files {
            project.write(file, text.as_bytes());
        }
        project
    }

    fn write(&self, file: &str, bytes: &[u8]) {
        let file = self.root.join(file);
        fs::create_dir_all(file.parent().as_str()).unwrap();
        fs::write(file.as_str(), bytes).unwrap();
    }

    fn ask(
        &self,
        runner: Runner,
        directory: &str,
        file: Option<&str>,
        name: Option<&str>,
    ) -> Found {
        look(
            &Lookup::Script {
                runner,
                directory: self.root.join(directory),
                file: file.map(|file| self.root.join(file)),
                name: name.map(str::to_owned),
            },
            &Environment::default(),
        )
    }

    fn script(&self, runner: Runner, directory: &str, name: Option<&str>) -> Option<ScriptText> {
        match self.ask(runner, directory, None, name) {
            Found::Script(script) => script,
            other => panic!("{other:?}"),
        }
    }

    fn texts(&self, runner: Runner, name: &str) -> Vec<String> {
        let name = (!name.is_empty()).then_some(name);
        let script = self.script(runner, ".", name);
        script.map_or(Vec::new(), |script| script.texts)
    }
}

#[test]
fn a_package_script_runs_between_its_two_others() {
    let project = Project::new(&[(
        "package.json",
        r#"{"scripts": {"pretest": "tsc", "test": "jest --ci", "posttest": "rm -rf out", "lint": "eslint ."}}"#,
    )]);
    let found = project
        .script(Runner::Package, "src/deep", Some("test"))
        .unwrap();
    assert_eq!(found.texts, ["tsc", "jest --ci \"$@\"", "rm -rf out"]);
    assert_eq!(found.file, project.root.join("package.json"));
    assert_eq!(found.directory, project.root);
    assert_eq!(project.texts(Runner::Package, "lint"), ["eslint . \"$@\""]);
    assert_eq!(project.script(Runner::Package, ".", Some("build")), None);
}

const MAKEFILE: &str = "\
OUT := build
FLAGS = -O2 \\
  -g
NAME ?= thing
.PHONY: all clean
all: $(OUT)/$(NAME) extra ; @echo done
\t@echo all $(FLAGS)
$(OUT)/$(NAME): main.c
\tcc $(FLAGS) -o $@ $<
extra:
\t-for f in a b; do \\
\t  echo $$f; \\
\tdone
clean:
\trm -rf $(OUT)
";

#[test]
fn a_target_runs_its_recipe_and_those_of_what_it_needs() {
    let project = Project::new(&[("Makefile", MAKEFILE), ("main.c", "")]);
    let all = project.texts(Runner::Make, "");
    assert_eq!(
        all,
        [
            "echo done",
            "echo all -O2  -g",
            "cc -O2  -g -o build/thing main.c",
            "for f in a b; do \\\n  echo $f; \\\ndone",
        ]
    );
    assert_eq!(project.texts(Runner::Make, "clean"), ["rm -rf build"]);
    assert_eq!(project.script(Runner::Make, ".", Some("nothing")), None);
    // A makefile is not looked for further up.
    assert_eq!(project.script(Runner::Make, "sub", None), None);
    let Ok(dry) = Command::new("make")
        .args(["-n", "all"])
        .current_dir(project.root.as_str())
        .output()
    else {
        println!("skipped: make is not installed");
        return;
    };
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut said: Vec<String> = words(&String::from_utf8(dry.stdout).unwrap());
    let mut ours: Vec<String> = all.iter().flat_map(|text| words(text)).collect();
    said.sort();
    ours.sort();
    assert_eq!(said, ours);
}

#[test]
fn what_only_the_runner_can_tell_is_a_variable() {
    let project = Project::new(&[
        (
            "Makefile",
            "V := $(shell git describe)\nx:\n\techo $(V) $(UNSET) $(wildcard *.c) $(call f,$(X)) $*\n\t$(MAKE) -C sub\n",
        ),
        (
            "justfile",
            "name := 'thing'\nrev := `git describe`\n\n# comment\nbuild target=name: (test 'a')\n    @cc {{name}} {{target}}\n\n\
             test arg:\n    cargo test\n\nscript:\n    #!/usr/bin/env bash\n    set -e\n    git push\n\n\
             other:\n    #!/usr/bin/env python3\n    print()\n\nalias b := build\n",
        ),
    ]);
    assert_eq!(
        project.texts(Runner::Make, "x"),
        [
            ": $(git describe)",
            "echo $(git describe) ${untold_by_make} ${untold_by_make} ${untold_by_make} ${untold_by_make}",
            "make -C sub",
        ]
    );
    for name in ["build", "b", ""] {
        let texts = project.texts(Runner::Just, name);
        assert_eq!(
            texts,
            ["git describe", "cc thing ${untold_by_just}", "cargo test"],
            "{name}"
        );
    }
    assert_eq!(
        project.texts(Runner::Just, "script"),
        ["git describe", "#!/usr/bin/env bash\nset -e\ngit push\n"]
    );
    assert_eq!(project.texts(Runner::Just, "other"), ["git describe"]);
}

#[test]
fn the_nearest_alias_of_cargo_counts() {
    let project = Project::new(&[
        (
            ".cargo/config.toml",
            "[alias]\nxtask = \"run -p xtask --\"\nup = ['run', '--bin', 'up it']\n",
        ),
        (
            "sub/.cargo/config.toml",
            "[alias]\nxtask = \"run -p other --\"\n",
        ),
    ]);
    let text = |directory, name| {
        let script = project.script(Runner::Cargo, directory, Some(name))?;
        Some(script.texts.concat())
    };
    assert_eq!(
        text(".", "xtask").unwrap(),
        "cargo 'run' '-p' 'xtask' '--' \"$@\""
    );
    assert_eq!(
        text("sub", "xtask").unwrap(),
        "cargo 'run' '-p' 'other' '--' \"$@\""
    );
    assert_eq!(
        text("sub", "up").unwrap(),
        "cargo 'run' '--bin' 'up it' \"$@\""
    );
    assert_eq!(text(".", "none"), None);
}

#[test]
fn a_file_is_a_shell_script_by_its_first_line() {
    let project = Project::new(&[
        ("a.sh", "git push\n"),
        ("b", "#!/usr/bin/env -S bash -e\ngit push\n"),
        ("c", "#!/bin/sh\ngit push\n"),
        ("d.py", "#!/usr/bin/python3\nprint()\n"),
        ("e", "\0\u{1}"),
    ]);
    let ask = |file| project.ask(Runner::Shell, ".", Some(file), None);
    for file in ["a.sh", "b", "c"] {
        assert!(matches!(ask(file), Found::Script(Some(_))), "{file}");
    }
    for file in ["d.py", "e", "missing"] {
        assert_eq!(ask(file), Found::Script(None), "{file}");
    }
}

#[test]
fn what_is_too_large_or_no_text_is_not_looked_at_and_nothing_hangs() {
    let project = Project::new(&[("deep.mk", &"A = $(A)\nx: ; $(A)\n".repeat(100))]);
    project.write("long.sh", &vec![b'a'; 300 * 1024]);
    project.write("bytes.sh", b"\xff\xfe");
    let pipe = Command::new("mkfifo")
        .arg(project.root.join("pipe").as_str())
        .status();
    assert!(pipe.unwrap().success());
    let failed = |file| {
        let found = project.ask(Runner::Shell, ".", Some(file), None);
        assert!(matches!(found, Found::Failed(_)), "{file}: {found:?}");
    };
    ["long.sh", "bytes.sh", "pipe", "."]
        .into_iter()
        .for_each(failed);
    project.write("package.json", b"{\"scripts\": ");
    let broken = project.ask(Runner::Package, ".", None, Some("test"));
    assert!(matches!(broken, Found::Failed(_)));
    let Found::Script(Some(script)) = project.ask(Runner::Make, ".", Some("deep.mk"), Some("x"))
    else {
        panic!("no script");
    };
    assert!(script.texts.concat().len() < 64 * 64 * 1024);
}
