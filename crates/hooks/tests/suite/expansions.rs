//! Row A13: the commands that a typed command or a skill embeds are judged before the host runs them.

use crate::place::{Heard, Place};
use serde_json::json;
use std::fs;

fn typed(place: &Place, name: &str, arguments: &str, prompt: &str) -> Heard {
    place.tell(
        "UserPromptExpansion",
        &json!({
            "expansion_type": "slash_command", "command_name": name, "command_args": arguments,
            "command_source": "project", "prompt": prompt,
        }),
    )
}

#[test]
fn a13_commands_in_a_text_are_judged() {
    let place = Place::new();
    typed(&place, "x", "", "/x").is_silent();
    typed(&place, "x", "", "Say `rm -rf /` aloud!").is_silent();
    assert!(place.events("5f0c").is_empty());
    typed(&place, "x", "", "now: !`ls` and !`git status`").is_silent();
    assert_eq!(place.outcomes("5f0c"), ["allowed", "allowed"]);
    typed(&place, "x", "", "!`ls` !`rm -rf /`").blocks("countersign: ");
    typed(&place, "x", "", "```!\nls\nrm -rf /\n```").blocks("countersign: ");
    let outcomes = place.outcomes("5f0c");
    assert_eq!(
        outcomes.get(2..).unwrap(),
        ["allowed", "rejected", "rejected"]
    );
    // Nobody can be asked here.
    let heard = typed(&place, "x", "", "!`git push`");
    heard.blocks("nobody can be asked");
    heard.blocks("run the command yourself");
    assert_eq!(place.outcomes("5f0c").pop().unwrap(), "unavailable");
    place.rules("[allow]\nshell = [\"git push\"]\n");
    typed(&place, "x", "", "!`git push`").is_silent();
}

#[test]
fn a13_the_file_of_a_typed_command_is_looked_at() {
    let place = Place::new();
    for (file, name) in [
        (place.project().join(".claude/commands/a.md"), "a"),
        (place.project().join(".claude/commands/team/b.md"), "team:b"),
        (place.project().join(".claude/commands/x/y/f.md"), "f"),
        (place.project().join(".claude/skills/c/SKILL.md"), "c"),
        (place.home().join(".claude/commands/d.md"), "/d"),
        (place.home().join(".claude/skills/e/SKILL.md"), "plugin:e"),
    ] {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        typed(&place, name, "", "typed").is_silent();
        fs::write(&file, "---\ndescription: x\n---\nState: !`git push`\n").unwrap();
        typed(&place, name, "", "typed").blocks("git push");
        fs::write(&file, "State: !`ls`\n").unwrap();
        typed(&place, name, "", "typed").is_silent();
        // One that cannot be read may say anything.
        fs::write(&file, b"\xff").unwrap();
        typed(&place, name, "", "typed").blocks("could not be decided");
        fs::write(&file, "").unwrap();
    }
    typed(&place, "../../x", "", "typed").is_silent();
    // What cannot be looked through may hold anything.
    let round = place.project().join(".claude/commands/round");
    std::os::unix::fs::symlink(place.project().join(".claude/commands"), round).unwrap();
    typed(&place, "a", "", "typed").blocks("too much to look through");
}

#[test]
fn a13_arguments_are_put_in_before_a_command_is_judged() {
    let place = Place::new();
    let file = place.project().join(".claude/commands/log.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "!`git log $ARGUMENTS`").unwrap();
    typed(&place, "log", "-3", "/log -3").is_silent();
    typed(&place, "log", "; rm -rf /", "/log x").blocks("countersign: ");
    typed(&place, "log", "x` !`rm -rf /", "/log x").blocks("countersign: ");
    // To bash it would look like an empty parameter.
    for text in ["!`echo $1`", "!`echo ${2}`", "!`echo $ARGUMENTS[0]`"] {
        fs::write(&file, text).unwrap();
        typed(&place, "log", "-3", "/log -3").blocks("by their number");
    }
}

#[test]
fn a13_a_text_that_cannot_be_understood_is_refused() {
    let place = Place::new();
    let whole = json!({ "command_name": "x", "command_args": "", "prompt": "!`ls`" });
    place.tell("UserPromptExpansion", &whole).is_silent();
    for (field, value, words) in [
        ("prompt", json!(null), "no prompt"),
        ("prompt", json!(["x"]), "no prompt"),
        ("command_name", json!(7), "no command"),
        ("command_args", json!({}), "no text"),
        ("cwd", json!("relative"), "not the"),
        ("prompt", json!("!`ls` ".repeat(100)), "more than 64"),
    ] {
        let mut bad = whole.clone();
        bad[field] = value;
        let heard = place.tell("UserPromptExpansion", &bad);
        if words == "not the" {
            heard.blocks("no working directory");
        } else {
            heard.blocks(words);
        }
    }
}

#[test]
fn a13_a_skills_command_that_needs_a_person_is_refused_with_what_to_do() {
    let place = Place::new();
    let message = place.message("default", "Bash", &json!({ "command": "git push" }));
    let heard = place.send("PreSkillShellCommand", message);
    assert_eq!(heard.decision(), "deny");
    assert!(
        heard.stderr.contains("run the command yourself"),
        "{heard:?}"
    );
}
