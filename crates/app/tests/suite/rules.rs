//! `rules`: what is in force with its places, and files checked before they are in place.

use crate::expected::expect;
use crate::place::{Place, write};
use serde_json::Value;

const MINE: &str = r#"mode = "accept-edits"
category = { builds = "allow", fetches = "deny" }

[allow]
shell = ["git push origin *", "make *",
  "make all", "make *"]

[deny]
shell = ["git push *"]

[mcp_directories]
files = ["/", "~/notes"]

[[rule]]
id = "no-force"
deny = { shell = "git push *" }
with = ["--force", "-f", "+*", "--", "--color=always"]
without = ["-n"]
unless = { shell = "git push backup *" }
in = "/src/**"
until = "2100-01-31T18:00:00Z"
reason = "shared history"

[[rule]]
ask = { read = "~/old/**" }
person = true
until = "2020-01-01T00:00:00Z"

[[rule]]
allow = { shell = "just x" }
confine = ["workspace", "no-network"]
"#;

/// A project whose file allows something and is not trusted.
fn project(place: &Place) {
    let rules = "mode = \"default\"\ncategory = { builds = \"ask\" }\n[allow]\nshell = [\"just *\"]\n[ask]\nshell = \"git push origin *\"\n";
    write(&place.work().join(".countersign/rules.toml"), rules);
}

#[test]
fn p13_what_is_in_force_with_its_places() {
    let place = Place::new();
    place.rules(MINE);
    project(&place);
    let run = place.run(&["rules"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let masked = masked(&run.out);
    expect(
        "rules/listing",
        &format!("{masked}--- messages\n{}", run.err),
    );
    let all = place.run(&["rules", "--all"]);
    assert!(all.out.lines().count() > run.out.lines().count() + 50);
    assert!(all.out.contains("  built-in:"), "{}", all.out);
}

/// How many rules are built in changes more often than how they are shown.
fn masked(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let built_in = line.starts_with("built-in: ");
        let digits = |c: char| if c.is_ascii_digit() { '#' } else { c };
        let masked: String = line.chars().map(digits).collect();
        let line = if built_in { masked } else { line.to_owned() };
        line.replace("####", "###") + "\n"
    });
    lines.collect()
}

#[test]
fn p13_nothing_of_ones_own() {
    let place = Place::new();
    let run = place.run(&["rules", "--cwd", "/"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("rules/none", &masked(&run.out));
    assert_eq!(place.run(&["rules", "--cwd", "absent"]).code, 2);
}

#[test]
fn p13_the_record() {
    let place = Place::new();
    place.rules(MINE);
    project(&place);
    let run = place.run(&["rules", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let record: Value = serde_json::from_str(&run.out).unwrap();
    let layers = record["layers"].as_array().unwrap();
    let names: Vec<&str> = layers
        .iter()
        .filter_map(|one| one["layer"].as_str())
        .collect();
    assert_eq!(names, ["user", "project", "built-in"]);
    assert_eq!(layers[1]["standing"], "untrusted");
    assert_eq!(layers[1]["allows_not_in_force"], 1);
    assert_eq!(layers[2]["rules"], Value::Null);
    assert!(layers[2]["counts"]["deny"].as_u64() > Some(0));
    let rules = layers[0]["rules"].as_array().unwrap();
    let force = rules.iter().find(|rule| rule["id"] == "no-force").unwrap();
    assert_eq!(force["terms"]["until"][0], "2100-01-31T18:00:00Z");
    assert_eq!(force["terms"]["with"][4], "--color=always");
    assert!(force["line"].as_u64() > Some(10));
    let why: Vec<&str> = record["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["why"].as_str())
        .collect();
    assert_eq!(why, ["contained", "repeated", "over"]);
    let builds = record["answers"].as_array().unwrap();
    let builds = builds.iter().find(|one| one["what"] == "builds").unwrap();
    assert_eq!(
        (&builds["value"], &builds["by"]),
        (&"ask".into(), &"project".into())
    );
    let all = place.run(&["rules", "--json", "--all"]);
    let record: Value = serde_json::from_str(&all.out).unwrap();
    assert!(record["layers"][2]["rules"].as_array().unwrap().len() > 50);
}

#[test]
fn p13_a_broken_file_is_said_and_so_is_one_that_everybody_may_write() {
    let place = Place::new();
    let path = place.rules("[alow]\nshell = \"x\"\n[deny]\nshell = \"git push *\"\n");
    let run = place.run(&["rules"]);
    assert_eq!(run.code, 2);
    assert!(
        run.out
            .contains("broken, and what can be read of it only tightens"),
        "{}",
        run.out
    );
    assert!(run.out.contains("deny shell git push *"), "{}", run.out);
    assert!(run.err.contains("rules.toml:1:2"), "{}", run.err);
    let writable = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(&path, writable).unwrap();
    let run = place.run(&["rules", "--json"]);
    assert_eq!(run.code, 2);
    let record: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(record["layers"][0]["standing"], "broken");
}

#[test]
fn a6_what_cannot_be_seen_is_shown() {
    let place = Place::new();
    place.rules("[[rule]]\ndeny = { shell = \"x\\u202Ey *\" }\nreason = \"a\\u001B[31mb\"\n");
    let run = place.run(&["rules"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("x‹U+202E›y") && run.out.contains("a‹U+001B›[31mb"),
        "{}",
        run.out
    );
    let run = place.run(&["rules", "--json"]);
    assert!(
        !run.out.contains('\u{202e}') && !run.out.contains('\u{1b}'),
        "{}",
        run.out
    );
}

#[test]
fn p13_files_are_checked_before_they_are_in_place() {
    let place = Place::new();
    write(
        &place.work().join("good.toml"),
        "[allow]\nshell = \"make *\"\n",
    );
    write(&place.work().join("idle.toml"), MINE);
    write(
        &place.work().join("bad.toml"),
        "version = 2\n[allow]\nshel = \"x\"\nshell = [\"a && b\", \"\"]\n[deny]\nread = \"../x\"\n",
    );
    let run = place.run(&["rules", "--check", "good.toml"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        "good.toml: in order: 1 rule, 0 errors, 0 warnings\n"
    );
    let run = place.run(&["rules", "--check", "idle.toml"]);
    assert_eq!(run.code, 0);
    let run = place.run(&[
        "rules",
        "--check",
        "good.toml",
        "bad.toml",
        "idle.toml",
        "absent.toml",
    ]);
    assert_eq!(run.code, 2);
    expect(
        "rules/check",
        &format!("{}--- messages\n{}", run.out, run.err),
    );
}
