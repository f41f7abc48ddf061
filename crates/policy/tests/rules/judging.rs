//! Which rule decides, by example.

use crate::world::{action, layer, path, request, session, shell, user, verdict, with_confinement};
use countersign_policy::action::Action;
use countersign_policy::effects::opacity::Opacity;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Category, Floor, Kind, Request, Target};
use countersign_policy::rules::approvals::Approvals;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::confinement::Confinement;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::rule::Authority;
use countersign_policy::verdict::Source;

#[test]
fn p4_an_exception_is_narrower_and_of_sufficient_authority() {
    for (rules, text, expected) in [
        (
            "[deny]\nshell = ['git push *']\n[allow]\nshell = ['git push origin *']",
            "git push origin x",
            Action::Allow,
        ),
        (
            "[deny]\nshell = ['git push *']\n[allow]\nshell = ['git push *']",
            "git push x",
            Action::Deny,
        ),
        (
            "[deny]\nshell = ['git push origin *']\n[allow]\nshell = ['git push *']",
            "git push origin x",
            Action::Deny,
        ),
        // The built-in ask is lifted by the same pattern of a higher layer, or a narrower one.
        (
            "[allow]\nshell = ['git push *']",
            "git push x",
            Action::Allow,
        ),
        ("[allow]\nshell = ['git *']", "git push x", Action::Ask),
        // A rule about forced pushes is not narrower for speaking of all pushes to one remote.
        (
            "[[rule]]\ndeny = { shell = 'git push *' }\nwith = ['--force']\n[allow]\nshell = ['git push origin *']",
            "git push origin --force",
            Action::Deny,
        ),
        (
            "[[rule]]\ndeny = { shell = 'git push *' }\nwith = ['--force']\n[allow]\nshell = ['git push --force origin *']",
            "git push --force origin x",
            Action::Allow,
        ),
        (
            "[[rule]]\ndeny = { shell = 'git push *' }\nunless = { shell = 'git push backup *' }",
            "git push backup x",
            Action::Ask,
        ),
    ] {
        assert_eq!(action(rules, &shell(text)), expected, "{rules}\n{text}");
    }
}

#[test]
fn p14_layers() {
    let push = [shell("git push origin x")];
    let judged = |layers: Vec<Layer>| {
        let all = [builtin()].into_iter().chain(layers).collect();
        verdict(&RuleSet::new(all), Mode::Default, &push).action
    };
    let allow = "[allow]\nshell = ['git push origin *']";
    let ask = "[ask]\nshell = ['git push *']";
    let deny = "[deny]\nshell = ['git push *']";
    let of = layer;
    assert_eq!(judged(vec![of(Authority::Project, allow)]), Action::Allow);
    assert_eq!(
        judged(vec![of(Authority::Project, allow).without_allows()]),
        Action::Ask
    );
    assert_eq!(
        judged(vec![
            of(Authority::Project, allow),
            of(Authority::User, ask)
        ]),
        Action::Ask
    );
    assert_eq!(
        judged(vec![
            of(Authority::User, allow),
            of(Authority::Project, deny)
        ]),
        Action::Allow
    );
    assert_eq!(
        judged(vec![
            of(Authority::User, allow),
            of(Authority::Managed, ask)
        ]),
        Action::Ask
    );
    // An administrator's allow is an exception to the administrator's own rules and grants nothing.
    assert_eq!(judged(vec![of(Authority::Managed, allow)]), Action::Ask);
    let exception = format!("{deny}\n{allow}");
    assert_eq!(
        judged(vec![of(Authority::Managed, &exception)]),
        Action::Ask
    );
    assert_eq!(
        judged(vec![
            of(Authority::Managed, &exception),
            of(Authority::User, allow)
        ]),
        Action::Allow
    );
}

#[test]
fn p14_floor_and_opacity_stand_above_all_rules() {
    let all = "[allow]\nshell = ['*']\nread = ['**']\nedit = ['**']\ndelete = ['**']\nnet = ['*']";
    let mut wipe = path(Kind::Delete, "/");
    wipe.floor = Some(Floor::WipesRoot);
    assert_eq!(action(all, &wipe), Action::Deny);
    let opaque = request(
        Kind::Shell,
        Target::Opaque(Opacity::Syntax),
        Category::Opaque,
    );
    let found = verdict(&user(all), Mode::Open, std::slice::from_ref(&opaque));
    assert_eq!(found.action, Action::Ask);
    assert_eq!(found.findings[0].source, Source::Opacity(Opacity::Syntax));
    assert_eq!(action("[deny]\nshell = ['*']", &opaque), Action::Deny);
    assert_eq!(action("[deny]\nshell = ['git *']", &opaque), Action::Ask);
    assert_eq!(
        action("category = { opaque = 'deny' }", &opaque),
        Action::Deny
    );
    let person = user("[[rule]]\nask = { shell = 'cargo publish *' }\nperson = true");
    assert!(verdict(&person, Mode::Open, &[opaque]).findings[0].person_only);
}

#[test]
fn p15_modes_and_categories() {
    let edit = path(Kind::Edit, "/w/x");
    let nothing = user("");
    for (mode, expected) in [
        (Mode::Strict, Action::Ask),
        (Mode::Default, Action::Ask),
        (Mode::AcceptEdits, Action::Allow),
        (Mode::Open, Action::Allow),
    ] {
        assert_eq!(
            verdict(&nothing, mode, std::slice::from_ref(&edit)).action,
            expected
        );
    }
    assert_eq!(
        action("category = { writes = 'allow' }", &edit),
        Action::Allow
    );
    assert_eq!(
        action("category = { writes = 'deny' }", &edit),
        Action::Deny
    );
    let layers = |text, authority| {
        RuleSet::new(vec![
            layer(
                Authority::User,
                "mode = 'accept-edits'\ncategory = { writes = 'allow' }",
            ),
            layer(authority, text),
        ])
    };
    for authority in [Authority::Project, Authority::Managed] {
        let looser = layers(
            "mode = 'open'\napprovals = 'review'\ncategory = { removes = 'allow' }",
            authority,
        );
        assert_eq!(looser.mode(None), Mode::AcceptEdits);
        assert_eq!(looser.approvals(None), Approvals::Ask);
        let delete = path(Kind::Delete, "/w/x");
        assert_eq!(verdict(&looser, Mode::Open, &[delete]).action, Action::Ask);
        let tighter = layers(
            "mode = 'strict'\napprovals = 'never'\ncategory = { writes = 'ask' }",
            authority,
        );
        assert_eq!(tighter.mode(Some(Mode::Open)), Mode::Strict);
        assert_eq!(tighter.approvals(None), Approvals::Never);
        let found = verdict(&tighter, Mode::Open, std::slice::from_ref(&edit));
        assert_eq!((found.action, found.mode), (Action::Ask, Mode::Strict));
        assert_eq!(
            found.findings[0].source,
            Source::CategoryChoice(Category::Writes)
        );
    }
}

#[test]
fn p15_builds_run_confined_in_accept_edits() {
    let build = request(
        Kind::Shell,
        Target::Command(crate::world::command("just test")),
        Category::Builds,
    );
    let found = verdict(&user(""), Mode::AcceptEdits, std::slice::from_ref(&build));
    assert_eq!(found.action, Action::Ask);
    let found = with_confinement(&user(""), Mode::AcceptEdits, &[build], &Confinement::ALL);
    assert_eq!(found.action, Action::Allow);
    assert_eq!(found.findings[0].confine, Confinement::ALL);
}

#[test]
fn p4_a_confined_allow_asks_where_it_cannot_be_enforced() {
    let rules =
        user("[[rule]]\nallow = { shell = 'npm run *' }\nconfine = ['workspace', 'no-network']");
    let run = [shell("npm run build")];
    let found = with_confinement(&rules, Mode::Open, &run, &[Confinement::Workspace]);
    assert_eq!(found.action, Action::Ask);
    assert!(matches!(found.findings[0].source, Source::Confinement(_)));
    let found = with_confinement(&rules, Mode::Default, &run, &Confinement::ALL);
    assert_eq!(found.action, Action::Allow);
    assert_eq!(found.findings[0].confine, Confinement::ALL);
}

#[test]
fn p4_time_and_place() {
    let run = shell("just x");
    let at = |places: &[&str]| Request {
        cwd: places
            .iter()
            .filter_map(|place| AbsPath::parse(place))
            .collect(),
        ..run.clone()
    };
    let allow = "[[rule]]\nallow = { shell = 'just *' }\nin = '/sub'";
    assert_eq!(action(allow, &at(&["/w/sub/x"])), Action::Allow);
    assert_eq!(action(allow, &at(&["/w/sub", "/w"])), Action::Ask);
    assert_eq!(action(allow, &at(&[])), Action::Ask);
    let deny = "[[rule]]\ndeny = { shell = 'just *' }\nin = '/sub'";
    assert_eq!(action(deny, &at(&["/w/sub", "/w"])), Action::Deny);
    assert_eq!(action(deny, &at(&["/w"])), Action::Ask);
    let found = verdict(&user(deny), Mode::Default, &[at(&[])]);
    assert!(matches!(found.findings[0].source, Source::PerhapsRule(_)));
    let passed = "[[rule]]\nallow = { shell = 'just *' }\nuntil = 2020-01-01T00:00:00Z";
    assert_eq!(action(passed, &run), Action::Ask);
    let open = "[[rule]]\nallow = { shell = 'just *' }\nuntil = '2100-01-01T00:00:00+02:00'";
    assert_eq!(action(open, &run), Action::Allow);
}

#[test]
fn p4_a_rule_that_only_may_match_asks() {
    let rules = "[[rule]]\ndeny = { shell = 'git push *' }\nwith = ['--force', '+*']";
    assert_eq!(action(rules, &shell("git push origin -f")), Action::Deny);
    assert_eq!(action(rules, &shell("git push origin +main")), Action::Deny);
    assert_eq!(action(rules, &shell("git push $x")), Action::Ask);
    let open = user("[[rule]]\ndeny = { shell = 'cp *' }\nwith = ['-f']");
    let found = verdict(&open, Mode::Open, &[shell("cp $x y")]);
    assert_eq!(found.action, Action::Ask);
    assert!(matches!(found.findings[0].source, Source::PerhapsRule(_)));
    let without = "[[rule]]\nallow = { shell = 'cp *' }\nwithout = ['-f']";
    assert_eq!(action(without, &shell("cp x y")), Action::Allow);
    assert_eq!(action(without, &shell("cp -f x y")), Action::Ask);
    assert_eq!(action(without, &shell("cp $x y")), Action::Ask);
}

#[test]
fn p4_an_allow_of_a_command_settles_its_own_effects() {
    let of = |mut request: Request, own: bool| {
        request.own = own;
        request.program = Some("curl".to_owned());
        request
    };
    let net = || {
        request(
            Kind::Net,
            Target::Host("example.org".to_owned()),
            Category::Fetches,
        )
    };
    let rules = user("[allow]\nshell = ['curl *', 'rm x']\n[ask]\nedit = ['/kept']");
    let judged = |requests: &[Request]| verdict(&rules, Mode::Default, requests);
    let curl = shell("curl example.org");
    let found = judged(&[
        curl.clone(),
        of(net(), true),
        of(path(Kind::Edit, "/w/x"), true),
    ]);
    assert_eq!(found.action, Action::Allow);
    assert!(matches!(
        found.findings[1].source,
        Source::SettledByCommand(_)
    ));
    for (other, own) in [
        (path(Kind::Edit, "/w/x"), false),
        (path(Kind::Edit, "/w/kept"), true),
        (path(Kind::Read, "/w/.env"), true),
        (path(Kind::Edit, "/home/u/.bashrc"), true),
        (path(Kind::ExternalDirectory, "/home/u/x"), true),
        (
            request(
                Kind::Net,
                Target::Opaque(Opacity::ComputedHost),
                Category::Opaque,
            ),
            true,
        ),
    ] {
        let found = judged(&[curl.clone(), of(other, own)]);
        assert_eq!(found.action, Action::Ask, "{found:?}");
    }
    let mut elsewhere = of(net(), true);
    elsewhere.command = 1;
    assert_eq!(judged(&[curl, elsewhere]).action, Action::Ask);
    // The other way round: the command does nothing but what its host is asked for.
    let mut curl = shell("curl example.org");
    curl.mode_applies = false;
    let rules = user("[allow]\nnet = ['example.org']");
    let found = verdict(&rules, Mode::Default, &[curl, of(net(), true)]);
    assert_eq!(found.action, Action::Allow);
    assert_eq!(found.findings[0].source, Source::ItsEffects);
}

#[test]
fn p13_a_broken_file_turns_every_allow_into_an_ask() {
    let broken = Layer::unreadable(Authority::User, "rules.toml", "no permission");
    let project = layer(Authority::Project, "[deny]\nshell = ['x *']");
    let rules = RuleSet::new(vec![builtin(), broken, project]);
    let found = verdict(&rules, Mode::Open, &[path(Kind::Read, "/w/x")]);
    assert_eq!(found.action, Action::Ask);
    assert_eq!(found.findings[0].source, Source::BrokenRules);
    assert_eq!(found.broken, ["rules.toml: no permission"]);
    assert_eq!(
        verdict(&rules, Mode::Open, &[shell("x y")]).action,
        Action::Deny
    );
}

#[test]
fn p1_calls_without_requests_and_malformed_ones() {
    let session = session();
    let mut circumstances = Circumstances {
        mode: Mode::Strict,
        session: &session,
        now: 0,
        enforceable: &[],
        malformed: None,
    };
    assert_eq!(judge(&user(""), &[], &circumstances).action, Action::Allow);
    circumstances.malformed = Some("no command".to_owned());
    assert_eq!(judge(&user(""), &[], &circumstances).action, Action::Deny);
    let read = [path(Kind::Read, "/w/x")];
    assert_eq!(judge(&user(""), &read, &circumstances).action, Action::Deny);
}

#[test]
fn p1_the_trace_names_rules_and_what_lifted_them() {
    let rules =
        user("[[rule]]\nid = 'ok'\nallow = { shell = 'git push origin *' }\nreason = 'why'");
    let found = verdict(&rules, Mode::Default, &[shell("git push origin x")]);
    let finding = &found.findings[0];
    assert_eq!(finding.lifted[0].rule.id.as_deref(), Some("git-push"));
    let by = finding.lifted[0].by.as_ref().unwrap();
    assert_eq!(
        (by.id.as_deref(), by.line, by.origin.as_str()),
        (Some("ok"), 3, "rules.toml")
    );
    assert_eq!(by.label, "allow shell git push origin *");
    assert_eq!(finding.source, Source::Rule(by.clone()));
    assert_eq!(finding.matched.len(), 2);
}
