//! Rule files of all layers: what a file that is not in order does, and which projects are trusted.

use crate::example::directory;
use countersign_gate::decide::Setting;
use countersign_gate::imagined::shell;
use countersign_gate::rules::trust::{Fingerprint, Trust};
use countersign_gate::rules::{PROJECT, Standing};
use countersign_gate::world::environment::{Environment, Managed};
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::rule::Authority;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

/// A machine with a repository and places for all rule files.
struct Machine {
    _keep: tempfile::TempDir,
    root: AbsPath,
}

impl Machine {
    fn new() -> Self {
        let (keep, root) = directory();
        let machine = Self { _keep: keep, root };
        fs::create_dir_all(machine.root.join("home/repo/.git").as_str()).unwrap();
        machine
    }

    fn file(&self, authority: Authority) -> AbsPath {
        self.root.join(match authority {
            Authority::Managed => "etc/countersign/rules.toml",
            Authority::User => "home/.config/countersign/rules.toml",
            Authority::Project => "home/repo/.countersign/rules.toml",
            Authority::Builtin => panic!("no file"),
        })
    }

    fn write(&self, authority: Authority, text: &[u8]) -> AbsPath {
        let file = self.file(authority);
        fs::create_dir_all(file.parent().as_str()).unwrap();
        fs::write(file.as_str(), text).unwrap();
        file
    }

    fn environment(&self) -> Environment {
        Environment {
            home: Some(self.root.join("home")),
            path: Some("/usr/bin:/bin".to_owned()),
            managed: Some(Managed {
                file: self.file(Authority::Managed),
                owner: rustix::process::geteuid().as_raw(),
            }),
            ..Environment::default()
        }
    }

    fn setting(&self) -> Setting {
        let repo = self.root.join("home/repo");
        Setting::load(self.environment(), &repo, None, Some(Mode::AcceptEdits))
    }

    fn verdict(&self, command: &str) -> (Action, String) {
        let setting = self.setting();
        let call = shell(command, &self.root.join("home/repo"));
        let verdict = setting.verdict(&call);
        (verdict.action, explain::reason(&verdict))
    }

    fn action(&self, command: &str) -> Action {
        self.verdict(command).0
    }

    fn standing(&self, authority: Authority) -> Option<Standing> {
        let files = self.setting().rules.files.into_iter();
        let mut of = files.filter(|file| file.authority == authority);
        of.next().map(|file| file.standing)
    }
}

const LAYERS: [Authority; 3] = [Authority::Managed, Authority::User, Authority::Project];

#[test]
fn p13_a_file_that_is_not_in_order_loosens_nothing_in_any_layer() {
    let long = format!("# {}\n", "x".repeat(10 << 20));
    let texts: [(&str, &[u8]); 8] = [
        ("not UTF-8", b"# \xff\n[deny]\nshell = ['git fetch *']\n"),
        ("syntax", b"[deny]\nshell = ['git fetch *'\n"),
        (
            "unknown key",
            b"shelf = 1\n[deny]\nshell = ['git fetch *']\n",
        ),
        (
            "unknown action",
            b"[permit]\nshell = ['x']\n[deny]\nshell = ['git fetch *']\n",
        ),
        (
            "empty action",
            b"[[rule]]\nid = 'x'\n[deny]\nshell = ['git fetch *']\n",
        ),
        ("too long", long.as_bytes()),
        (
            "unknown mode",
            b"mode = 'wild'\n[deny]\nshell = ['git fetch *']\n",
        ),
        (
            "wrong type",
            b"allow = 3\n[deny]\nshell = ['git fetch *']\n",
        ),
    ];
    for authority in LAYERS {
        for (name, text) in texts {
            let machine = Machine::new();
            let file = machine.write(authority, text);
            let (action, words) = machine.verdict("ls");
            assert_eq!(action, Action::Ask, "{authority:?} {name}");
            assert!(
                words.contains(file.as_str()),
                "{authority:?} {name}: {words}"
            );
            let denied = machine.action("git fetch");
            assert!(denied >= Action::Ask, "{authority:?} {name}");
            let standing = machine.standing(authority);
            assert!(
                matches!(standing, Some(Standing::Broken(_))),
                "{authority:?} {name}"
            );
            assert_eq!(
                fs::read(file.as_str()).unwrap(),
                text,
                "it is left as it was"
            );
        }
    }
}

#[test]
fn p13_a_file_that_is_missing_says_nothing_and_one_that_is_in_order_holds() {
    for authority in LAYERS {
        let machine = Machine::new();
        assert_eq!(machine.action("ls"), Action::Allow);
        assert_eq!(machine.standing(authority), None);
        machine.write(authority, b"[deny]\nshell = ['ls *']\n");
        assert_eq!(machine.action("ls"), Action::Deny, "{authority:?}");
    }
}

#[test]
fn p13_a_rule_that_can_never_match_is_told_and_the_others_hold() {
    for authority in LAYERS {
        let machine = Machine::new();
        machine.write(authority, b"[deny]\nshell = ['ls *', '']\n");
        let setting = machine.setting();
        let file = setting
            .rules
            .files
            .iter()
            .find(|file| file.authority == authority);
        assert!(!file.unwrap().diagnostics.is_empty(), "{authority:?}");
        assert!(machine.action("ls") >= Action::Ask, "{authority:?}");
    }
}

#[test]
fn p13_what_cannot_be_read_or_is_no_file_is_broken() {
    for authority in LAYERS {
        let machine = Machine::new();
        fs::create_dir_all(machine.file(authority).as_str()).unwrap();
        assert_eq!(machine.action("ls"), Action::Ask, "{authority:?}");
    }
}

#[test]
fn p14_a_link_is_followed_only_for_the_users_own_file() {
    for authority in LAYERS {
        let machine = Machine::new();
        let file = machine.write(authority, b"[deny]\nshell = ['ls *']\n");
        let elsewhere = machine.root.join("elsewhere");
        fs::rename(file.as_str(), elsewhere.as_str()).unwrap();
        symlink(elsewhere.as_str(), file.as_str()).unwrap();
        let expected = match authority {
            Authority::User => Action::Deny,
            Authority::Managed | Authority::Project | Authority::Builtin => Action::Ask,
        };
        assert_eq!(machine.action("ls"), expected, "{authority:?}");
    }
    let machine = Machine::new();
    machine.write(Authority::Project, b"[allow]\nshell = ['make *']\n");
    let directory = machine.file(Authority::Project).parent();
    let elsewhere = machine.root.join("other");
    fs::rename(directory.as_str(), elsewhere.as_str()).unwrap();
    symlink(elsewhere.as_str(), directory.as_str()).unwrap();
    assert_eq!(machine.action("ls"), Action::Ask);
}

#[test]
fn p14_what_others_may_write_to_is_refused() {
    for (authority, mode) in [
        (Authority::Managed, 0o664),
        (Authority::Managed, 0o646),
        (Authority::User, 0o646),
    ] {
        let machine = Machine::new();
        let file = machine.write(authority, b"[allow]\nshell = ['make *']\n");
        fs::set_permissions(file.as_str(), Permissions::from_mode(mode)).unwrap();
        let (action, words) = machine.verdict("ls");
        assert_eq!(action, Action::Ask, "{authority:?}");
        assert!(words.contains("write to it"), "{words}");
    }
    let machine = Machine::new();
    let file = machine.write(Authority::Managed, b"");
    fs::set_permissions(file.parent().as_str(), Permissions::from_mode(0o777)).unwrap();
    assert_eq!(machine.action("ls"), Action::Ask);
    let mut environment = machine.environment();
    fs::set_permissions(file.parent().as_str(), Permissions::from_mode(0o755)).unwrap();
    environment.managed = Some(Managed {
        file,
        owner: rustix::process::geteuid().as_raw() + 1,
    });
    let repo = machine.root.join("home/repo");
    let setting = Setting::load(environment, &repo, None, None);
    assert!(
        setting
            .rules
            .set
            .broken()
            .next()
            .unwrap()
            .contains("belongs to user")
    );
}

#[test]
fn p14_a_projects_allows_count_while_it_is_trusted_as_it_is() {
    let machine = Machine::new();
    let text = "[allow]\nshell = ['make *']\n[deny]\nshell = ['ls -l *']\n";
    let file = machine.write(Authority::Project, text.as_bytes());
    let untrusted = machine.standing(Authority::Project);
    assert!(
        matches!(
            untrusted,
            Some(Standing::Untrusted {
                allows: 1,
                changed: false,
                ..
            })
        ),
        "{untrusted:?}"
    );
    assert_eq!(machine.action("make all"), Action::Ask);
    assert_eq!(machine.action("ls -l"), Action::Deny);

    let environment = machine.environment();
    Trust::add(&environment, &file, Fingerprint::of(text)).unwrap();
    assert_eq!(machine.action("make all"), Action::Allow);
    assert_eq!(
        machine.standing(Authority::Project),
        Some(Standing::InForce)
    );
    // The same text in another project is another file.
    let other = Machine::new();
    other.write(Authority::Project, text.as_bytes());
    assert_eq!(other.action("make all"), Action::Ask);

    machine.write(Authority::Project, format!("{text}# more\n").as_bytes());
    assert_eq!(machine.action("make all"), Action::Ask);
    let changed = machine.standing(Authority::Project);
    assert!(
        matches!(changed, Some(Standing::Untrusted { changed: true, .. })),
        "{changed:?}"
    );

    machine.write(Authority::Project, text.as_bytes());
    assert_eq!(machine.action("make all"), Action::Allow);
    assert!(Trust::remove(&environment, &file).unwrap());
    assert!(!Trust::remove(&environment, &file).unwrap());
    assert_eq!(machine.action("make all"), Action::Ask);
    assert!(file.as_str().ends_with(PROJECT));
}

#[test]
fn p14_a_list_of_trusted_files_that_is_broken_trusts_nothing_and_is_kept() {
    let machine = Machine::new();
    let text = "[allow]\nshell = ['make *']\n";
    let file = machine.write(Authority::Project, text.as_bytes());
    let environment = machine.environment();
    Trust::add(&environment, &file, Fingerprint::of(text)).unwrap();
    let list = environment.state_dir().unwrap().join("trust.json");
    let mode = fs::metadata(list.as_str()).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    let good = fs::read_to_string(list.as_str()).unwrap();
    for broken in [
        "{",
        "{\"version\": 2, \"trusted\": []}",
        "{\"version\": 1, \"trusted\": [], \"more\": 1}",
    ] {
        fs::write(list.as_str(), broken).unwrap();
        assert_eq!(machine.action("make all"), Action::Ask, "{broken}");
        assert!(Trust::load(&environment).unreadable.is_some());
        Trust::add(&environment, &file, Fingerprint::of(text)).unwrap_err();
        assert_eq!(fs::read_to_string(list.as_str()).unwrap(), broken);
    }
    fs::write(list.as_str(), good).unwrap();
    fs::set_permissions(list.as_str(), Permissions::from_mode(0o666)).unwrap();
    assert_eq!(machine.action("make all"), Action::Ask);
    let real = machine.root.join("real.json");
    fs::rename(list.as_str(), real.as_str()).unwrap();
    fs::set_permissions(real.as_str(), Permissions::from_mode(0o600)).unwrap();
    symlink(real.as_str(), list.as_str()).unwrap();
    assert_eq!(machine.action("make all"), Action::Ask);
}

#[test]
fn p14_the_administrators_rules_are_protected_places() {
    let machine = Machine::new();
    let file = machine.write(Authority::Managed, b"");
    let touched = machine.action(&format!("echo x > {file}"));
    assert_eq!(touched, Action::Deny);
}
