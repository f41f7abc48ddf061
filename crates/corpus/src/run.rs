//! Runs the cases of a file: text in, report out.

use crate::claim::{claims, showing};
use crate::document::{Block, Section, document};
use crate::entry::{Entry, entries, with_action, without_mark};
use crate::expected::{Expected, Scene};
use crate::folder::Folder;
use crate::report::{Failure, Report, difference};
use crate::shown;
use crate::situation::Situation;
use crate::table::{Judged, judged};
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::rules::layer::Layer;

/// Runs a file. `file` is its name for the report.
pub fn run(file: &str, text: &str, folder: Folder) -> Report {
    run_over(file, text, folder, &[])
}

/// Runs a file whose cases have these rules beneath their own.
pub fn run_over(file: &str, text: &str, folder: Folder, beneath: &[Layer]) -> Report {
    let document = document(text);
    let mut runner = Runner {
        file,
        folder,
        report: Report::default(),
        edits: Vec::new(),
    };
    for (line, words) in document.faults {
        runner.fail(line, words, Vec::new());
    }
    let mut common = Situation::over(beneath);
    for block in &document.common.blocks {
        runner.set(&mut common, block);
    }
    for case in &document.cases {
        runner.case(case, common.clone());
    }
    runner.report.rewritten = rewritten(text, runner.edits);
    runner.report
}

/// Collects what comes of one file.
struct Runner<'t> {
    file: &'t str,
    folder: Folder,
    report: Report,
    /// Line ranges, counted from 0, with what shall stand there.
    edits: Vec<(usize, usize, Vec<String>)>,
}

impl Runner<'_> {
    fn fail(&mut self, line: usize, words: String, detail: Vec<String>) {
        self.report.failures.push(Failure {
            file: self.file.to_owned(),
            line,
            words,
            detail,
        });
    }

    fn set(&mut self, situation: &mut Situation, block: &Block) {
        if let Err((line, words)) = situation.add(block) {
            self.fail(line, words, Vec::new());
        }
    }

    fn case(&mut self, case: &Section, mut situation: Situation) {
        if self.folder == Folder::Own && case.blocks.is_empty() {
            return;
        }
        let mut expected = Vec::new();
        for block in &case.blocks {
            match Expected::of(block) {
                Some(kind) => expected.push((kind, block)),
                None => self.set(&mut situation, block),
            }
        }
        if expected.is_empty() {
            let words = format!("{}: nothing is expected", case.name);
            self.fail(case.line, words, Vec::new());
        }
        let has = |kind| expected.iter().any(|(other, _)| *other == kind);
        if let (Some(broken), false) = (situation.broken(), has(Expected::Diagnostics)) {
            let words = format!("{}: the rules: {}", case.name, broken.message);
            self.fail(case.line, words, Vec::new());
        }
        let rules = situation.rule_set();
        let scene = Scene { situation, rules };
        let lists = [Expected::Cases, Expected::Programs];
        if expected.iter().any(|(kind, _)| !lists.contains(kind)) {
            self.report.cases += 1;
        }
        for (kind, block) in expected {
            match kind {
                Expected::Cases => self.list(case, block, &scene),
                Expected::Programs => self.table(block, &scene.situation),
                Expected::Commands
                | Expected::Effects
                | Expected::Verdict
                | Expected::Outcome
                | Expected::Diagnostics => self.expectation(case, kind, block, &scene),
            }
        }
    }

    /// One block of expectations about the case's own call.
    fn expectation(&mut self, case: &Section, kind: Expected, block: &Block, scene: &Scene) {
        let gap = block.says("known-gap");
        let mut results = Vec::new();
        for mode in self.modes(scene) {
            let Some(lines) = scene.lines(kind, block, mode) else {
                let words = format!("{}: there is no call", case.name);
                return self.fail(case.line, words, Vec::new());
            };
            results.push((mode, lines));
        }
        let verdict = kind == Expected::Verdict;
        if verdict && !self.permits(block.body.first()) {
            let words = format!("{}: this folder has no such verdict", case.name);
            self.fail(block.line, words, Vec::new());
        }
        let wrong = results.iter().find(|(_, lines)| *lines != block.body);
        self.report.gaps += usize::from(gap);
        match (gap, wrong) {
            (true, None) => {
                self.closed(block.line, &case.name);
                let new = block.opening().replace(" known-gap", "");
                self.edits.push((block.line - 1, block.line, vec![new]));
            }
            (false, Some((mode, lines))) => {
                let words = format!("{}: {} ({})", case.name, block.kind(), mode.name());
                self.fail(block.line, words, difference(&block.body, lines));
                if !verdict || self.permits(lines.first()) {
                    let end = block.line + block.body.len();
                    self.edits.push((block.line, end, lines.clone()));
                }
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// A list of commands with one expected action each.
    fn list(&mut self, case: &Section, block: &Block, scene: &Scene) {
        let modes: Vec<Mode> = block
            .info
            .iter()
            .filter_map(|word| Mode::parse(word))
            .collect();
        let modes = if modes.is_empty() {
            self.modes(scene)
        } else {
            modes
        };
        let (entries, faults) = entries(&block.body);
        for (at, words) in faults {
            self.fail(block.line + 1 + at, words, Vec::new());
        }
        for entry in entries {
            self.entry(case, block, &entry, scene, &modes);
        }
    }

    fn entry(
        &mut self,
        case: &Section,
        block: &Block,
        entry: &Entry,
        scene: &Scene,
        modes: &[Mode],
    ) {
        let line = block.line + 1 + entry.at;
        let name = format!("{}: `{}`", case.name, shown::plain(&entry.command));
        self.report.cases += 1;
        self.report.gaps += usize::from(entry.gap);
        if !self.folder.permits(entry.action) {
            let words = format!("{name}: this folder has no such verdict");
            self.fail(line, words, Vec::new());
        }
        let call = scene.situation.told.shell(&entry.command);
        let wrong = modes
            .iter()
            .map(|mode| scene.verdict(&call, *mode))
            .find(|verdict| verdict.action != entry.action);
        match (entry.gap, wrong) {
            (true, None) => {
                self.closed(line, &name);
                let old = block.body.get(entry.at).map_or("", String::as_str);
                self.edits.push((line - 1, line, vec![without_mark(old)]));
            }
            (false, Some(verdict)) => {
                let mode = verdict.mode.name();
                let (due, found) = (entry.action.name(), verdict.action.name());
                let words = format!("{name} ({mode}): expected {due}, found {found}");
                self.fail(line, words, shown::verdict(&verdict));
                let old = block.body.get(entry.at).map_or("", String::as_str);
                // What its folder demands of an entry is never rewritten away.
                if self.folder.permits(verdict.action) {
                    let new = with_action(old, verdict.action);
                    self.edits.push((line - 1, line, vec![new]));
                }
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// What each of many programs can do.
    fn table(&mut self, block: &Block, situation: &Situation) {
        let (claims, faults) = claims(&block.body);
        for (at, words) in faults {
            self.fail(block.line + 1 + at, words, Vec::new());
        }
        for (claim, judged) in claims.iter().zip(judged(&claims, situation)) {
            let line = block.line + 1 + claim.at;
            let name = format!("{} {}", claim.program, claim.kind.name());
            self.report.cases += 1;
            match judged {
                Judged::Holds => self.report.claims.push(claim.clone()),
                Judged::Wrong(words) => self.fail(line, format!("{name}: {words}"), Vec::new()),
                Judged::Differs(shows) => {
                    let old = block.body.get(claim.at).map_or("", String::as_str);
                    let new = showing(old, &shows);
                    let detail = vec![format!("- {old}"), format!("+ {new}")];
                    self.fail(line, format!("{name}: something else is shown"), detail);
                    self.edits.push((line - 1, line, vec![new]));
                }
            }
        }
    }

    fn closed(&mut self, line: usize, name: &str) {
        let words = format!("{name}: a known gap passes; take its mark away");
        self.fail(line, words, Vec::new());
    }

    fn modes(&self, scene: &Scene) -> Vec<Mode> {
        let told = &scene.situation.told.modes;
        match (told.as_slice(), self.folder.modes()) {
            ([], []) => vec![scene.rules.mode(None)],
            ([], usual) => usual.to_vec(),
            (told, _) => told.to_vec(),
        }
    }

    fn permits(&self, line: Option<&String>) -> bool {
        line.and_then(|line| Action::parse(line))
            .is_none_or(|action| self.folder.permits(action))
    }
}

fn rewritten(text: &str, mut edits: Vec<(usize, usize, Vec<String>)>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    edits.sort_by_key(|(start, _, _)| std::cmp::Reverse(*start));
    for (start, end, new) in edits {
        if end <= lines.len() {
            lines.splice(start..end, new);
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{run, run_over};
    use crate::folder::Folder;
    use countersign_policy::rules::parse::parse;
    use countersign_policy::rules::rule::Authority;

    #[test]
    fn a_wrong_expectation_fails_and_is_rewritten() {
        let text = "## a\n```call\nshell: git push\n```\n```verdict\nallow\n```\n";
        let report = run("f", text, Folder::Verdicts);
        assert_eq!(report.failures.len(), 1);
        assert_eq!(report.failures[0].line, 5);
        assert!(report.rewritten.contains("```verdict\nask\n```"));
        let again = run("f", &report.rewritten, Folder::Verdicts);
        assert!(again.failures.is_empty(), "{:?}", again.failures);
    }

    #[test]
    fn a_list_is_rewritten_line_by_line() {
        let text = "## a\n```cases\nallow  git push\nask  git status\n```\n";
        let report = run("f", text, Folder::Verdicts);
        assert_eq!((report.cases, report.failures.len()), (2, 2));
        assert!(
            report
                .rewritten
                .contains("ask  git push\nallow  git status\n")
        );
    }

    #[test]
    fn a_gap_must_fail() {
        let text = "## a\n```cases\nknown-gap ask  git push\nknown-gap allow  git push\n```\n";
        let report = run("f", text, Folder::Verdicts);
        assert_eq!((report.gaps, report.failures.len()), (2, 1));
        assert_eq!(report.failures[0].line, 3);
        let open = "## a\n```cases\nask  git push\nknown-gap allow  git push\n```\n";
        assert_eq!(report.rewritten, open);
    }

    #[test]
    fn an_attack_never_expects_allow() {
        let text = "## a\n```cases\nallow  ls\n```\n";
        assert_eq!(run("f", text, Folder::Attacks).failures.len(), 1);
        assert_eq!(run("f", text, Folder::Benign).failures.len(), 0);
    }

    #[test]
    fn a_table_of_programs_is_held_and_rewritten() {
        let text = "## a\n```programs\nsort  reads  sort a\n      runs   - it cannot\nmoon  runs   moon\n```\n";
        let report = run("f", text, Folder::Programs);
        let lines: Vec<usize> = report.failures.iter().map(|found| found.line).collect();
        assert_eq!(lines, [3, 4, 5], "{:?}", report.failures);
        assert!(
            report
                .rewritten
                .contains("sort  reads  sort a -> read /repo/a\n")
        );
    }

    #[test]
    fn own_tests_hold_in_the_mode_of_their_rules_and_over_what_lies_beneath() {
        let text = "## prose\nwords\n## a\n```rules\nmode = \"accept-edits\"\n```\n```cases\nallow  touch a\nask  git push\n```\n";
        let report = run("f", text, Folder::Own);
        assert_eq!((report.cases, report.failures), (2, Vec::new()));
        let mine = "[deny]\nshell = [\"git push *\"]\n";
        let mine = parse(mine, "mine", Authority::User).layer;
        let report = run_over("f", text, Folder::Own, &[mine]);
        let words = &report.failures[0].words;
        assert!(words.ends_with("expected ask, found deny"), "{words}");
    }

    #[test]
    fn faults_of_the_file_are_failures() {
        let text = "## a\n```moon\n```\n## b\n```world\nfile\n```\n```verdict\nask\n```\n";
        let report = run("f", text, Folder::Verdicts);
        assert_eq!(report.failures.len(), 4, "{:?}", report.failures);
    }
}
