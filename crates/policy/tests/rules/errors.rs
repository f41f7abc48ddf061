//! What is said of files with mistakes, with exact places and hints.

use crate::world::{session, shell};
use countersign_policy::request::Request;
use countersign_policy::rules::parse::diagnostic::Severity;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::parse::parsed::Parsed;
use countersign_policy::rules::rule::Authority;

/// The diagnostics as lines: `E 1:2 message | hint`.
fn lines(parsed: &Parsed) -> Vec<String> {
    let line = |found: &countersign_policy::rules::parse::diagnostic::Diagnostic| {
        let severity = match found.severity {
            Severity::Error => "E",
            Severity::Warning => "W",
        };
        let hint = found.hint.as_deref().unwrap_or("-");
        format!(
            "{severity} {}:{} {} | {hint}",
            found.line, found.column, found.message
        )
    };
    parsed.diagnostics.iter().map(line).collect()
}

/// Files with one mistake each, and what is said of it.
const MISTAKES: &[(&str, &str)] = &[
    (
        "versoin = 1",
        "E 1:1 unknown key `versoin` | did you mean `version`?",
    ),
    (
        "version = 2",
        "E 1:11 version `2` is not known | write `version = 1`, or update countersign",
    ),
    (
        "version = '1'",
        "E 1:11 `version` is a string | write a number",
    ),
    (
        "mode = 'accept_edit'",
        "E 1:8 unknown mode `accept_edit` | did you mean `accept-edits`?",
    ),
    (
        "mode = true",
        "E 1:8 the mode is true or false | write a string",
    ),
    (
        "approvals = 'sometimes'",
        "E 1:13 unknown answer to `approvals` `sometimes` | known are `never`, `ask`, `review`",
    ),
    (
        "category = { buildz = 'allow' }",
        "E 1:14 unknown category `buildz` | did you mean `builds`?",
    ),
    (
        "category = { builds = 'yes' }",
        "E 1:23 unknown action `yes` | known are `allow`, `ask`, `deny`",
    ),
    (
        "category = { opaque = 'allow' }",
        "E 1:23 what cannot be told is never allowed | write `ask` or `deny` for `opaque`",
    ),
    (
        "[alow]\nshell = ['x']",
        "E 1:2 unknown key `alow` | did you mean `allow`?",
    ),
    (
        "[deny]\nshel = ['x']",
        "E 2:1 unknown kind `shel` | did you mean `shell`?",
    ),
    (
        "[deny]\nshell = 1",
        "E 2:9 the pattern is a number | write a string, or a list of strings",
    ),
    (
        "[deny]\nshell = ['a', 1]",
        "E 2:15 the pattern is a number | write a string",
    ),
    (
        "[deny]\nshell = ['']",
        "E 2:10 the pattern is empty | write a program and its words, or `*` for every command",
    ),
    (
        "[deny]\nshell = [\"ü\", \"a 'b\"]",
        "E 2:15 the quote `'` is not closed | close it, or write `\\'` for the character",
    ),
    (
        "[deny]\nread = ['a/../b']",
        "E 2:9 `a/../b` can never match: paths are compared without `..` | write the path from `/` (project), `//` (disk) or `~`",
    ),
    (
        "[deny]\nread = ['~bob/x']",
        "E 2:9 `~bob/x` names another user's home directory | write its path from the disk root, `//…`, or `\\~` for a name with a tilde",
    ),
    (
        "[deny]\nnet = ['https://x.org/a']",
        "E 2:8 `https://x.org/a` is a url, not a host | write `x.org`",
    ),
    (
        "[deny]\nmcp = ['github']",
        "E 2:8 `github` can never match: a tool is named `server/tool` | write `github/*` for every tool of the server",
    ),
    (
        "[[rule]]\nid = 'x'",
        "E 1:1 the rule has no action | add one like `ask = { shell = \"git push *\" }`",
    ),
    (
        "[[rule]]\nask = {}",
        "E 2:7 `ask` is empty | add a kind with a pattern, like `{ shell = \"git push *\" }`",
    ),
    (
        "[[rule]]\nask = 'x'",
        "E 2:7 `ask` is a string | write a kind with a pattern, like `{ shell = \"git push *\" }`",
    ),
    (
        "[[rule]]\nask = { shell = 'x', net = 'y' }",
        "E 2:22 a rule is about one kind | write a `[[rule]]` of its own for the other kind",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\ndeny = { shell = 'x' }",
        "E 3:1 a rule has one action | write a `[[rule]]` of its own for the other action",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nuntill = 1",
        "E 3:1 unknown key `untill` | did you mean `until`?",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nby = ['x']",
        "E 3:1 unknown key `by` | known are `id`, `allow`, `ask`, `deny`, `with`, `without`, `unless`, `in`, `until`, `person`, `confine`, `reason`, `hint`, `matches`, `not_matches`",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nuntil = 2027-01-31",
        "E 3:9 `2027-01-31` is not a timestamp with an offset | write one like `2027-01-31T18:00:00Z`",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nuntil = '2027-02-30T00:00:00Z'",
        "E 3:9 `2027-02-30T00:00:00Z` is not a timestamp with an offset | write one like `2027-01-31T18:00:00Z`",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nwith = ['a b']",
        "E 3:9 `a b` is not one word | write each option or operand as a string of its own",
    ),
    (
        "[[rule]]\nask = { read = 'x' }\nwith = ['-a']",
        "E 3:1 `with` is about the arguments of a command, the rule about `read` | use it with `shell` only",
    ),
    (
        "[[rule]]\ndeny = { shell = 'x' }\nperson = true",
        "E 3:1 `person` says nothing in a rule that is `deny` | use it with `ask`",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nconfine = ['workspace']",
        "E 3:1 `confine` says nothing in a rule that is `ask` | use it with `allow`",
    ),
    (
        "[[rule]]\nallow = { shell = 'x' }\nconfine = ['no_network']",
        "E 3:12 unknown confinement `no_network` | did you mean `no-network`?",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nunless = { read = 'y' }",
        "E 3:10 `unless` is about `read`, the rule about `shell` | an exception is of the same kind as its rule",
    ),
    (
        "[[rule]]\nid = 'a'\nask = { shell = 'x' }\n[[rule]]\nid = 'a'\nask = { shell = 'y' }",
        "E 5:6 the id `a` is taken by the rule in line 2 | give each rule an id of its own",
    ),
    ("rule = 1", "E 1:8 `rule` is a number | write `[[rule]]`"),
    // Warnings: the file holds.
    (
        "[deny]\nshell = []",
        "W 2:9 the list of patterns is empty | add one, or remove the key",
    ),
    (
        "[deny]\nshell = ['/bin/rm *']",
        "W 2:10 `/bin/rm *` can never match: a program is named without its directory | write `rm`",
    ),
    (
        "[deny]\nshell = ['A=1 rm *']",
        "W 2:10 `A=1 rm *` can never match: assignments are set aside | begin with the program",
    ),
    (
        "[deny]\nshell = ['a && b']",
        "W 2:10 `a && b` can never match: `&&` parts two commands | write one pattern for each command",
    ),
    (
        "[deny]\ntask = ['write']",
        "W 2:9 `write` can never match: a task is `readonly` or `mutating` | write one of the two, or `*`",
    ),
    (
        "[deny]\nread = ['/etc/x']",
        "W 2:9 `/etc/x` lies in the project: `/` is the project root | write `//etc/x` for a path from the root of the disk",
    ),
    (
        "[[rule]]\nask = { shell = 'x a' }\nunless = { shell = 'x *' }",
        "W 3:10 the rule can never match: `unless` exempts all of it | make the exception narrower",
    ),
    (
        "[[rule]]\nask = { shell = 'x' }\nwith = ['-a']\nwithout = ['-a']",
        "W 4:1 the rule can never match: `without` excludes all that `with` wants | remove one of the two",
    ),
];

#[test]
fn p13_every_mistake_has_a_place_and_a_hint() {
    for &(text, expected) in MISTAKES {
        let parsed = parse(text, "r.toml", Authority::User);
        assert_eq!(lines(&parsed), [expected], "{text}");
        assert_eq!(
            parsed.layer.broken.is_some(),
            expected.starts_with('E'),
            "{text}"
        );
    }
}

#[test]
fn p13_all_mistakes_are_told_and_the_rest_holds() {
    let text =
        "mode = 'opne'\n[deny]\nshell = ['rm *', '', 'dd *']\nshel = 1\n[ask]\nread = ['*.env']\n";
    let parsed = parse(text, "r.toml", Authority::User);
    assert_eq!(parsed.diagnostics.len(), 3);
    assert_eq!(parsed.layer.rules.len(), 3);
    assert_eq!(parsed.layer.mode, None);
    assert_eq!(
        parsed.layer.broken.as_deref(),
        Some("r.toml:1:8: unknown mode `opne`, and 2 more errors")
    );
    let parsed = parse(
        "[deny]\nshell = ['rm *']\n[ask\nx",
        "r.toml",
        Authority::User,
    );
    assert!(parsed.layer.broken.is_some());
    assert_eq!(parsed.layer.rules.len(), 1);
    assert!(
        parsed.diagnostics[0]
            .message
            .starts_with("not valid toml: ")
    );
}

#[test]
fn p13_an_allow_that_lost_a_part_is_left_out_and_a_deny_only_widens() {
    let rules = |text: &str| parse(text, "r.toml", Authority::User).layer.rules;
    assert_eq!(rules("[[rule]]\nallow = { shell = 'x *' }\nin = 1"), []);
    let deny = rules("[[rule]]\ndeny = { shell = 'x *' }\nwith = ['-f', 'a b']");
    assert_eq!(deny.len(), 1);
    assert!(deny[0].terms.with.is_empty());
}

#[test]
fn p13_examples_are_checked() {
    let text = "[[rule]]\nask = { shell = 'git push *' }\nwith = ['-f']\nmatches = ['git push -f', 'git push']\nnot_matches = ['git push --force', 'git pull']\n";
    let read = |text: &str| -> Vec<Request> { vec![shell(text)] };
    let mut parsed = parse(text, "r.toml", Authority::User);
    assert!(parsed.layer.broken.is_none());
    parsed.check_examples(&session(), &read);
    assert_eq!(
        lines(&parsed),
        [
            "E 4:27 the example `git push` is not matched by the rule | change the rule, or move the example to `not_matches`",
            "E 5:16 the example `git push --force` is matched by the rule | change the rule, or move the example to `matches`",
        ]
    );
    assert!(parsed.layer.broken.is_some());
}

#[test]
fn p13_the_whole_language_is_read() {
    let text = r#"
version = 1
mode = "default"
approvals = "ask"
category = { builds = "allow" }

[allow]
shell = ["git fetch *", "just test *"]
edit  = ["/src/**"]
net   = ["en.wikipedia.org", "*.example.org"]
mcp   = ["github/get_*"]
[ask]
shell = ["git push *"]
[deny]
read  = ["~/.ssh/**"]

[[rule]]
id = "no-force"
deny = { shell = "git push *" }
with = ["--force", "+*"]
without = ["--dry-run"]
unless = { shell = "git push backup *" }
reason = "shared history"
hint = "push a new branch"
matches = ["git -C . push -f"]
not_matches = ["git push"]

[[rule]]
id = "publish"
ask = { shell = "cargo publish *" }
person = true

[[rule]]
id = "site"
allow = { shell = "npm run build *" }
in = "~/work/site"
confine = ["workspace", "no-network"]
until = 2027-01-31T18:00:00Z
"#;
    let parsed = parse(text, "r.toml", Authority::User);
    assert_eq!(lines(&parsed), [""; 0]);
    assert_eq!(parsed.layer.rules.len(), 11);
    assert_eq!(parsed.layer.rules[10].terms.until, Some(1_801_418_400));
}
