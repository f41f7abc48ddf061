//! Git's aliases, read as git reads them; where git is at hand it is asked too.

use crate::example::{directory, is_full};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::look;
use countersign_policy::path::AbsPath;
use countersign_policy::world::{Found, Lookup};
use std::fs;
use std::process::Command;

/// A home directory and a repository in it.
struct Machine {
    _keep: tempfile::TempDir,
    home: AbsPath,
    environment: Environment,
}

impl Machine {
    fn new() -> Self {
        let (keep, home) = directory();
        let environment = Environment {
            home: Some(home.clone()),
            ..Environment::default()
        };
        let machine = Self {
            _keep: keep,
            home,
            environment,
        };
        machine.repository("repo/.git");
        machine
    }

    fn repository(&self, directory: &str) {
        for part in ["objects", "refs"] {
            fs::create_dir_all(self.home.join(directory).join(part).as_str()).unwrap();
        }
        self.write(&format!("{directory}/HEAD"), "ref: refs/heads/main\n");
        self.write(
            &format!("{directory}/config"),
            "[core]\n\trepositoryformatversion = 0\n",
        );
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.home.join(file);
        fs::create_dir_all(file.parent().as_str()).unwrap();
        fs::write(file.as_str(), text).unwrap();
    }

    fn ask(&self, directory: &str, name: &str) -> Found {
        let directory = self.home.join(directory);
        look(
            &Lookup::GitAlias {
                directory,
                name: name.to_owned(),
            },
            &self.environment,
        )
    }

    /// What we say, having made sure that git says the same.
    fn alias(&self, directory: &str, name: &str) -> Option<String> {
        let Found::Text(ours) = self.ask(directory, name) else {
            panic!("{:?}", self.ask(directory, name));
        };
        if let Some(git) = self.git(directory, name) {
            assert_eq!(
                git,
                Ok(ours.clone()),
                "git differs on `{name}` in `{directory}`"
            );
        }
        ours
    }

    fn fails(&self, directory: &str, name: &str) -> bool {
        matches!(self.ask(directory, name), Found::Failed(_))
    }

    /// What git makes of the alias: nothing where there is no git, an error where it refuses.
    fn git(&self, directory: &str, name: &str) -> Option<Result<Option<String>, ()>> {
        let output = Command::new("git")
            .args(["config", "-z", "--list"])
            .env_clear()
            .env("PATH", std::env::var_os("PATH")?)
            .env("HOME", self.home.as_str())
            .current_dir(self.home.join(directory).as_str())
            .output()
            .ok()?;
        if !output.status.success() {
            return Some(Err(()));
        }
        let list = String::from_utf8(output.stdout).unwrap();
        let wanted = format!("alias.{name}");
        let mut value = None;
        for setting in list.split_terminator('\0') {
            match setting.split_once('\n') {
                Some((key, text)) if key.eq_ignore_ascii_case(&wanted) => value = some(text),
                // An alias without a value is an error, even where a later line gives it one.
                None if setting.eq_ignore_ascii_case(&wanted) => return Some(Err(())),
                _ => {}
            }
        }
        Some(Ok(value))
    }
}

/// The value that is expected, to be compared with what was found.
#[expect(clippy::unnecessary_wraps, reason = "it is compared with an option")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn the_last_file_wins() {
    let machine = Machine::new();
    assert_eq!(machine.alias("repo", "st"), None);
    machine.write(
        ".config/git/config",
        "[alias]\n\tst = from xdg\n\tx = only xdg\n",
    );
    assert_eq!(machine.alias("repo", "st"), some("from xdg"));
    machine.write(".gitconfig", "[alias]\n\tst = from home\n");
    assert_eq!(machine.alias("repo", "st"), some("from home"));
    assert_eq!(machine.alias("repo", "x"), some("only xdg"));
    machine.write(
        "repo/.git/config",
        "[alias] st = from repo\n[alias]\nST = again\n",
    );
    assert_eq!(machine.alias("repo", "st"), some("again"));
    fs::create_dir_all(machine.home.join("repo/a/b").as_str()).unwrap();
    assert_eq!(machine.alias("repo/a/b", "st"), some("again"));
    fs::create_dir_all(machine.home.join("elsewhere").as_str()).unwrap();
    assert_eq!(machine.alias("elsewhere", "st"), some("from home"));
}

#[test]
fn worktrees_bare_repositories_and_false_ones() {
    let machine = Machine::new();
    machine.write("repo/.git/config", "[alias]\n\tst = shared\n");
    machine.write("repo/.git/worktrees/w/commondir", "../..\n");
    machine.write("repo/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
    machine.write(
        "repo/.git/worktrees/w/config.worktree",
        "[alias]\n\tst = own\n",
    );
    machine.write("w/.git", "gitdir: ../repo/.git/worktrees/w\n");
    assert_eq!(machine.alias("w", "st"), some("shared"));
    machine.write(
        "repo/.git/config",
        "[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n[alias]\n\tst = shared\n",
    );
    assert_eq!(machine.alias("w", "st"), some("own"));

    machine.repository("bare");
    machine.write(
        "bare/config",
        "[core]\nrepositoryformatversion = 0\nbare = true\n[alias]\nst = bare\n",
    );
    assert_eq!(machine.alias("bare", "st"), some("bare"));

    // A `.git` that is none is passed over, and the repository above it counts.
    fs::create_dir_all(machine.home.join("repo/sub/.git").as_str()).unwrap();
    assert_eq!(machine.alias("repo/sub", "st"), some("shared"));
    machine.write("repo/bad/.git", "gitdir: nowhere\n");
    assert!(machine.fails("repo/bad", "st"));
    assert!(machine.fails("absent", "st"));
}

#[test]
fn values_are_read_with_quotes_escapes_and_comments() {
    let machine = Machine::new();
    for (text, value) in [
        ("a = !sh -c 'x' # no", "!sh -c 'x'"),
        ("a = \"!f() { x; }; f\" ; no", "!f() { x; }; f"),
        ("a = one\\\n two", "one two"),
        ("a = \"q # \\\" \\\\\" \\t.", "q # \" \\ \t."),
        ("a=", ""),
        ("A = x  y  ", "x  y"),
        ("a = x\r\n", "x"),
        ("a = \"  x  \"", "  x  "),
        (
            "a = one\n[other]\na = two\n[alias \"sub\"]\na = three\n[alias]",
            "one",
        ),
        ("# a = x\n; a = y\na = z", "z"),
    ] {
        machine.write(".gitconfig", &format!("[alias]\n{text}\n"));
        assert_eq!(machine.alias("repo", "a"), some(value), "{text}");
    }
    machine.write(".gitconfig", "[alias \"Sub\"]\na = dotted\n");
    assert_eq!(machine.alias("repo", "Sub.a"), some("dotted"));
    assert_eq!(machine.alias("repo", "a"), None);
    for wrong in [
        "a",
        "a = \"x",
        "a = \\q",
        "= x",
        "a ; x",
        "[alias",
        "a_b = x",
        "[alias \"x\\",
    ] {
        machine.write(".gitconfig", &format!("[alias]\n{wrong}\n"));
        assert!(machine.fails("repo", "a"), "{wrong}");
    }
}

#[test]
fn includes_are_followed_and_conditions_are_not_guessed() {
    let machine = Machine::new();
    machine.write(
        ".gitconfig",
        "[alias]\na = before\nb = before\n[include]\npath = more/inc\n[alias]\nb = after\n",
    );
    assert_eq!(machine.alias("repo", "a"), some("before"));
    machine.write(
        "more/inc",
        "[alias]\na = included\nb = included\n[include]\npath = deeper\npath = ~/tilde\n",
    );
    machine.write("more/deeper", "[alias]\nc = deep\n");
    machine.write("tilde", "[alias]\nd = tilde\n");
    for (name, value) in [
        ("a", "included"),
        ("b", "after"),
        ("c", "deep"),
        ("d", "tilde"),
    ] {
        assert_eq!(machine.alias("repo", name), some(value));
    }
    machine.write(
        ".gitconfig",
        "[alias]\na = x\n[includeIf \"gitdir:~/repo/\"]\npath = more/deeper\n",
    );
    assert_eq!(machine.alias("repo", "a"), some("x"));
    assert!(machine.fails("repo", "c"));
    machine.write(".gitconfig", "[include]\npath = .gitconfig\n");
    assert!(machine.fails("repo", "a"));
    machine.write(".gitconfig", "[include]\npath = ~other/x\n");
    assert!(machine.fails("repo", "a"));
}

#[test]
fn what_cannot_be_told_fails() {
    let mut machine = Machine::new();
    machine.write(".gitconfig", "[alias \"a\"]\ncommand = status\n");
    assert!(machine.fails("repo", "a"));
    fs::remove_file(machine.home.join(".gitconfig").as_str()).unwrap();
    fs::create_dir(machine.home.join(".gitconfig").as_str()).unwrap();
    assert!(machine.fails("repo", "a"));
    fs::remove_dir(machine.home.join(".gitconfig").as_str()).unwrap();
    let made = Command::new("mkfifo")
        .arg(machine.home.join(".gitconfig").as_str())
        .status();
    assert!(made.unwrap().success());
    assert!(machine.fails("repo", "a"));
    fs::remove_file(machine.home.join(".gitconfig").as_str()).unwrap();

    machine.write("system-one", "[alias]\na = one\n");
    machine.write("system-two", "[alias]\na = two\n");
    machine.environment.git_system =
        vec![machine.home.join("system-one"), machine.home.join("absent")];
    assert_eq!(machine.ask("repo", "a"), Found::Text(some("one")));
    machine
        .environment
        .git_system
        .push(machine.home.join("system-two"));
    assert!(machine.fails("repo", "a"));
    machine.environment.git_redirected = true;
    assert!(machine.fails("repo", "b"));
}

/// Texts put together at random from what means something in the format: git must read each as we do.
#[test]
fn git_reads_random_files_as_we_do() {
    const PARTS: [&str; 30] = [
        "[alias]",
        "[alias]\n",
        "[alias \"a\"]",
        "[alias.A]",
        "[Alias]",
        "[other]\n",
        "a",
        "A",
        "a = ",
        "a=",
        "=",
        "\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "\"",
        "\\",
        "\\n",
        "\\\n",
        "\\\"",
        "#",
        ";",
        "x",
        "!sh",
        "é",
        "\u{b}",
        "]",
        "a = x\n",
    ];
    let machine = Machine::new();
    if machine.git("repo", "a").is_none() {
        eprintln!("skipped: there is no git to compare with");
        return;
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for _ in 0..if is_full() { 20_000 } else { 400 } {
        let mut text = "[alias]\n".to_owned();
        for _ in 0..random(14) {
            text.push_str(PARTS[random(PARTS.len())]);
        }
        machine.write(".gitconfig", &text);
        let ours = match machine.ask("repo", "a") {
            Found::Text(value) => Ok(value),
            _ => Err(()),
        };
        let git = machine.git("repo", "a").unwrap();
        assert_eq!(ours, git, "{text:?}");
    }
}

#[test]
fn files_that_the_settings_name_are_found() {
    let machine = Machine::new();
    machine.write("repo/tools/clean.sh", "");
    machine.write("repo/more.gitconfig", "[core]\n\thooksPath = tools/hooks\n");
    machine.write(
        "repo/.git/config",
        "[include]\n\tpath = ../more.gitconfig\n[filter \"x\"]\n\tclean = sh ./tools/clean.sh %f\n",
    );
    machine.write(".gitconfig", "[core]\n\tpager = less\n");
    let repo = machine.home.join("repo");
    let found = look(&Lookup::NamedByGit(repo.clone()), &machine.environment);
    let expected = ["more.gitconfig", "tools/clean.sh", "tools/hooks"];
    let expected = expected.map(|name| repo.join(name).as_str().to_owned());
    assert_eq!(found, Found::Names(expected.to_vec()));
}
