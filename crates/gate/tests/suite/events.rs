//! Rows P12, S3, A8: every event is written and read back as it was, and only the journal hands out permits.

use crate::example::{call, finding, journal, rule, turn, verdict};
use countersign_gate::journal::broken::Flaw;
use countersign_gate::journal::clip::Clip;
use countersign_gate::journal::closed::{CallClosed, Decider, Refusal};
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::event::{
    Answered, Answerer, ApprovalAsked, ApprovalDecided, ApprovalPolicy, CallReported, Event,
    GrantRevoked, GrantSaved, GrantUsed, HookFailed, NoticeCode, Opinion, Policy, Ran, ReviewDone,
    Risk, Scope, SessionOpened, Turn,
};
use countersign_gate::journal::judged::{CallJudged, Code, FINDINGS, INPUT_BYTES, Phase};
use countersign_gate::journal::standing::{OpenAsk, Standing};
use countersign_gate::journal::time::Timestamp;
use countersign_gate::journal::verify::verify;
use countersign_gate::journal::{Journal, Options, Sync};
use countersign_policy::action::Action;
use countersign_policy::effects::command::{CommandLine, Field, Why};
use countersign_policy::effects::opacity::Opacity;
use countersign_policy::mode::Mode;
use countersign_policy::outcome::{Answer, Outcome, Review};
use countersign_policy::request::{Category, Floor, PathTarget, Target};
use countersign_policy::verdict::Source;
use std::collections::BTreeSet;
use std::fs;

fn clip(text: &str) -> Clip {
    Clip::of(text, 1000)
}

fn judged() -> CallJudged {
    let command = CommandLine {
        words: vec![
            Field::Known("git".to_owned()),
            Field::Known("a b'c".to_owned()),
            Field::Names("*.rs".to_owned()),
            Field::Unknown {
                why: Why::Variable,
                prefix: "x".to_owned(),
                single: true,
            },
        ],
        options: Vec::new(),
        operands: Vec::new(),
        other_names: Vec::new(),
        changed_by: Vec::new(),
    };
    let path = PathTarget {
        written: "~/x".to_owned(),
        places: vec![crate::example::path("/home/u/x")],
        pattern: None,
        recursive: false,
    };
    let findings = [
        (Target::Command(command), Source::Rule(rule())),
        (Target::Path(path), Source::PerhapsRule(rule())),
        (
            Target::Host("example.org".to_owned()),
            Source::Confinement(rule()),
        ),
        (
            Target::Name("n".to_owned()),
            Source::SettledByCommand(rule()),
        ),
        (
            Target::Opaque(Opacity::Syntax),
            Source::Opacity(Opacity::Syntax),
        ),
        (Target::Name(String::new()), Source::Floor(Floor::WipesHome)),
        (
            Target::Name("\u{202e}\0".to_owned()),
            Source::Mode(Category::Remote),
        ),
        (
            Target::Name("n".to_owned()),
            Source::CategoryChoice(Category::Builds),
        ),
        (Target::Name("n".to_owned()), Source::ItsEffects),
        (Target::Name("n".to_owned()), Source::ReadOnlyTurn),
        (
            Target::Name("n".to_owned()),
            Source::ScopedAllow("gh pr view".to_owned()),
        ),
        (Target::Name("n".to_owned()), Source::BrokenRules),
    ];
    let findings = findings.map(|(target, source)| finding(target, Action::Ask, source));
    let verdict = verdict(Action::Ask, findings.into());
    CallJudged::of(
        &call("{}"),
        &verdict,
        (Code::of(&verdict), Phase::PreCheck),
        87,
    )
}

fn decided(approval: &str, by: Answerer) -> Event {
    Event::ApprovalDecided(ApprovalDecided {
        approval: approval.to_owned(),
        call: "toolu_1".to_owned(),
        outcome: Outcome::Allowed,
        answer: Answered::AllowOnce,
        by,
        words: Some(clip("go")),
        micros: 5,
    })
}

fn all() -> Vec<Event> {
    let turn_of = |name: &str| Turn {
        turn: name.to_owned(),
    };
    vec![
        Event::SessionOpened(SessionOpened {
            session: clip("../../x"),
            host: "claude-code".to_owned(),
            version: "0.1.0".to_owned(),
            cwd: clip("/work"),
            workspace: Some(clip("/work")),
            mode: Mode::Default,
        }),
        turn("1"),
        Event::CallJudged(Box::new(judged())),
        Event::ApprovalAsked(ApprovalAsked::new(
            "q1",
            &call("{}"),
            "git push",
            Answerer::Person,
        )),
        decided("q1", Answerer::Person),
        Event::ApprovalPolicy(ApprovalPolicy {
            policy: Policy::Never,
            by: Answerer::Person,
        }),
        Event::CallClosed(CallClosed::refused(
            &call("{}"),
            Refusal::Cancelled,
            Decider::Nobody,
            9,
        )),
        Event::CallReported(CallReported {
            call: "toolu_1".to_owned(),
            ran: Ran::Not,
        }),
        Event::GrantSaved(GrantSaved {
            grant: "g1".to_owned(),
            approval: "q1".to_owned(),
            rule: clip("allow shell go test *"),
            scope: Scope::Project,
        }),
        Event::GrantUsed(GrantUsed {
            grant: "g1".to_owned(),
            call: "toolu_2".to_owned(),
            rule: clip("allow shell go test *"),
        }),
        Event::GrantRevoked(GrantRevoked {
            grant: "g1".to_owned(),
            by: Answerer::Person,
        }),
        Event::ReviewDone(ReviewDone {
            call: "toolu_1".to_owned(),
            decision: Opinion::Block,
            reason: clip("no"),
            risk: Risk::High,
            model: Some("m".to_owned()),
            from_allowlist: false,
            micros: 1,
        }),
        Event::HookFailed(HookFailed {
            hook: clip("h"),
            call: None,
            error: clip("timeout"),
        }),
        Event::notice(NoticeCode::Other, "words"),
        Event::TurnClosed(turn_of("1")),
    ]
}

#[test]
fn every_event_comes_back_as_it_was() {
    let state = tempfile::tempdir().unwrap();
    let options = Options {
        clock: || Timestamp::from_millis(1_796_029_800_123),
        ..Options::default()
    };
    let journal = Journal::open(state.path(), "s", options).unwrap();
    let events = all();
    let recorded = journal.record(&events).unwrap();
    let read: Vec<_> = entries(journal.path())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(read.len(), events.len());
    for ((entry, event), proof) in read.iter().zip(&events).zip(&recorded) {
        assert_eq!(&entry.event, event);
        assert_eq!(
            (entry.seq, entry.hash, entry.time),
            (proof.seq(), proof.hash(), proof.time())
        );
    }
    let names: BTreeSet<_> = events.iter().map(Event::name).collect();
    assert_eq!(names, Event::NAMES.into_iter().collect());
}

#[test]
fn a_line_says_what_it_must() {
    let state = tempfile::tempdir().unwrap();
    let options = Options {
        clock: || Timestamp::from_millis(1_796_029_800_123),
        ..Options::default()
    };
    let journal = Journal::open(state.path(), "s", options).unwrap();
    journal
        .record(&[Event::CallJudged(Box::new(judged()))])
        .unwrap();
    let text = fs::read_to_string(journal.path()).unwrap();
    let line: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(
        text.starts_with(r#"{"v":1,"seq":1,"time":"2026-11-30T09:10:00.123Z","prev":""#),
        "{text}"
    );
    for (pointer, expected) in [
        ("/event", "call/judged"),
        ("/call", "toolu_1"),
        ("/tool/head", "Bash"),
        ("/action", "ask"),
        ("/code", "permission_required"),
        ("/phase", "pre-check"),
        ("/mode", "default"),
        ("/findings/0/kind", "shell"),
        (
            "/findings/0/target/head",
            r"git 'a b'\''c' ‹names *.rs› ‹x…›",
        ),
        ("/findings/0/source/by", "rule"),
        ("/findings/0/source/rule/id/head", "no-force"),
        (
            "/findings/0/source/rule/origin/head",
            "~/.config/countersign/rules.toml",
        ),
        ("/findings/1/places/0/head", "/home/u/x"),
        ("/findings/4/source/why", "syntax"),
        ("/findings/5/source/floor", "wipes-home"),
        ("/findings/6/category", "remote"),
    ] {
        assert_eq!(line.pointer(pointer).unwrap(), expected, "{pointer}");
    }
    assert_eq!(line.pointer("/findings/0/source/rule/line").unwrap(), 7);
    assert_eq!(
        line["digest"].as_str().unwrap(),
        call("{}").digest().to_string()
    );
}

#[test]
fn only_an_allowed_and_written_call_holds_a_permit() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    let call = call(r#"{"command":"git push"}"#);
    let ask = verdict(Action::Ask, Vec::new());
    let deny = verdict(Action::Deny, Vec::new());
    let close = |verdict, answer| {
        let closed =
            CallClosed::settled(&call, verdict, (answer, Review::Pass), Decider::Person, 1);
        journal
            .record(&[turn("t"), Event::CallClosed(closed)])
            .unwrap()
            .pop()
            .unwrap()
    };
    let allowed = close(&ask, Some(Answer::Allow));
    assert_eq!(allowed.outcome(), Some(Outcome::Allowed));
    let permit = allowed.permit().unwrap();
    assert_eq!((permit.call(), permit.digest()), (&call, call.digest()));
    for (verdict, answer, outcome) in [
        (&ask, None, Outcome::Unavailable),
        (&ask, Some(Answer::Deny), Outcome::Rejected),
        (&ask, Some(Answer::Cancelled), Outcome::Cancelled),
        (&ask, Some(Answer::HostAsks), Outcome::Deferred),
        (&deny, Some(Answer::Allow), Outcome::Rejected),
    ] {
        let recorded = close(verdict, answer);
        assert_eq!(recorded.outcome(), Some(outcome));
        assert_eq!(recorded.permit(), None);
    }
    // What was read permits nothing, even if it is written again.
    let read: Vec<Event> = entries(journal.path())
        .unwrap()
        .map(|entry| entry.unwrap().event)
        .collect();
    assert!(
        journal
            .record(&read)
            .unwrap()
            .into_iter()
            .all(|recorded| recorded.permit().is_none())
    );
}

#[test]
fn huge_calls_make_lines_with_a_limit() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    // Control characters take the most room in JSON.
    let huge = "\u{1}".repeat(10_000_000);
    let mut call = call(&huge);
    call.id.0.clone_from(&huge);
    call.tool.clone_from(&huge);
    let mut rule = rule();
    for text in [&mut rule.label, &mut rule.origin, rule.id.as_mut().unwrap()] {
        *text = "\u{1}".repeat(10_000);
    }
    let target = Target::Name("\u{1}".repeat(10_000));
    let mut findings = vec![finding(target, Action::Ask, Source::Rule(rule)); FINDINGS + 10];
    findings.last_mut().unwrap().action = Action::Deny;
    let mut verdict = verdict(Action::Deny, findings);
    verdict.broken = vec![huge.clone(); 100];
    let judged = CallJudged::of(&call, &verdict, (Code::of(&verdict), Phase::PreCheck), 1);
    journal
        .record(&[Event::CallJudged(Box::new(judged))])
        .unwrap();
    let entry = entries(journal.path()).unwrap().next().unwrap().unwrap();
    let Event::CallJudged(judged) = entry.event else {
        panic!()
    };
    assert_eq!(judged.input.bytes, 10_000_000);
    assert_eq!(
        judged.input.head.len() + judged.input.tail.unwrap().len(),
        INPUT_BYTES
    );
    assert_eq!(
        (judged.findings.len(), judged.findings_left_out),
        (FINDINGS, 10)
    );
    assert_eq!(judged.findings[0].action, Action::Deny);
    verify(journal.path()).unwrap();
}

#[test]
fn an_event_that_is_too_long_is_refused_and_leaves_nothing() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    let long = turn(&"x".repeat(5_000_000));
    let refused = journal.record(&[turn("a"), long]);
    assert!(matches!(
        refused,
        Err(JournalError::TooLong {
            event: "turn/opened"
        })
    ));
    assert_eq!(verify(journal.path()).unwrap().lines, 0);
}

#[test]
fn what_is_not_known_is_named_and_never_skipped() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    journal.record(&[turn("a")]).unwrap();
    let text = fs::read_to_string(journal.path()).unwrap();
    let flaw = |from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        fs::write(journal.path(), changed).unwrap();
        match entries(journal.path()).unwrap().next().unwrap() {
            Err(JournalError::Broken(broken)) => broken.flaw,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        flaw("turn/opened", "turn/paused"),
        Flaw::UnknownEvent("turn/paused".to_owned())
    );
    assert_eq!(flaw(r#""v":1"#, r#""v":2"#), Flaw::Version(2));
    let newer = flaw(r#""v":1,"seq":1"#, r#""v":2,"number":1"#);
    assert_eq!(newer, Flaw::Version(2));
    for (from, to) in [
        (r#""turn":"a""#, r#""turn":"a","more":1"#),
        (r#""turn":"a""#, r#""turn":"a","turn":"b""#),
        (r#""seq":1"#, r#""seq":1,"seq":1"#),
        (r#","turn":"a""#, ""),
        (r#","event":"turn/opened""#, ""),
        ("{", "["),
    ] {
        assert!(matches!(flaw(from, to), Flaw::Form(_)), "{from} -> {to}");
    }
}

#[test]
fn a_line_that_is_being_written_is_not_returned() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    journal.record(&[turn("a"), turn("b")]).unwrap();
    let text = fs::read(journal.path()).unwrap();
    fs::write(journal.path(), &text[..text.len() - 1]).unwrap();
    assert_eq!(
        entries(journal.path()).unwrap().map(Result::unwrap).count(),
        1
    );
}

#[test]
fn the_rest_of_a_damaged_journal_can_be_read() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    let events: Vec<_> = ["a", "b", "c", "d", "e"].map(turn).into();
    journal.record(&events).unwrap();
    let text = fs::read_to_string(journal.path()).unwrap();
    fs::write(
        journal.path(),
        text.replace(r#""turn":"b""#, r#""turn":"B""#),
    )
    .unwrap();
    let read: Vec<bool> = entries(journal.path())
        .unwrap()
        .map(|entry| entry.is_ok())
        .collect();
    assert_eq!(read, [true, true, false, true, true]);
}

#[test]
fn s3_open_questions_are_found_and_cancelled() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    let ask = |approval: &str| {
        Event::ApprovalAsked(ApprovalAsked::new(
            approval,
            &call("{}"),
            "git push",
            Answerer::Person,
        ))
    };
    let policy = Event::ApprovalPolicy(ApprovalPolicy {
        policy: Policy::Review,
        by: Answerer::Person,
    });
    let events = [
        turn("t"),
        ask("q1"),
        ask("q2"),
        policy,
        decided("q1", Answerer::Person),
        ask("q3"),
    ];
    journal.record(&events).unwrap();
    let standing = Standing::of(journal.path()).unwrap();
    let open: Vec<_> = standing
        .open
        .iter()
        .map(|open| (open.approval.as_str(), open.seq))
        .collect();
    assert_eq!(open, [("q2", 3), ("q3", 6)]);
    assert_eq!(
        (standing.policy, standing.turns.len()),
        (Some(Policy::Review), 1)
    );
    let cancelled: Vec<_> = standing.open.iter().map(OpenAsk::cancelled).collect();
    journal.record(&cancelled).unwrap();
    assert_eq!(Standing::of(journal.path()).unwrap().open, []);
}

#[test]
fn synced_records_are_records_like_others() {
    for sync in [Sync::Answers, Sync::All] {
        let state = tempfile::tempdir().unwrap();
        let options = Options {
            sync,
            ..Options::default()
        };
        let journal = Journal::open(state.path(), "s", options).unwrap();
        journal
            .record(&[turn("a"), decided("q", Answerer::Person)])
            .unwrap();
        assert_eq!(verify(journal.path()).unwrap().lines, 2);
    }
    assert!(decided("q", Answerer::Person).is_a_persons_word());
    assert!(!decided("q", Answerer::Host).is_a_persons_word());
}
