//! The rules in force as a page: the highest layer first, each rule with its place.

use super::answers::answers;
use super::terms::terms;
use crate::counted::counted;
use crate::ink;
use crate::page::{Ink, Layout, Page, Piece, Target};
use crate::record::layer as name;
use countersign_gate::rules::{RuleFile, Rules, Standing};
use countersign_policy::action::Action;
use countersign_policy::rules::layer::Layer;
use countersign_policy::rules::rule::{Authority, Rule};

/// All layers, and what is answered where no rule decides. `all` lists the built-in rules too.
pub(super) fn page(rules: &Rules, all: bool) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    for layer in rules.set.layers().iter().rev() {
        let mut files = rules.files.iter();
        let file = files.find(|file| file.authority == layer.authority);
        heading(&mut page, layer, file);
        if layer.authority != Authority::Builtin || all {
            layer.rules.iter().for_each(|rule| line(&mut page, rule));
        }
        directories(&mut page, layer);
        page.gap();
    }
    page.section("where no rule decides");
    for answer in answers(&rules.set) {
        let by = match answer.by {
            "built-in" => "  built-in".to_owned(),
            by => format!("  {by} {}", answer.origin),
        };
        let ink = Action::parse(answer.value).map_or(Ink::Plain, ink::of);
        let what = format!("{:<10} ", answer.what);
        let pieces = [
            Piece::plain(&what),
            Piece::new(ink, answer.value),
            Piece::new(Ink::Faint, &by),
        ];
        page.line((2, 4), &pieces);
    }
    page
}

fn heading(page: &mut Page, layer: &Layer, file: Option<&RuleFile>) {
    let (ink, standing) = match file.map(|file| &file.standing) {
        None | Some(Standing::InForce) => (Ink::Good, "in force".to_owned()),
        Some(Standing::Broken(why)) => (
            Ink::Bad,
            format!("broken, and what can be read of it only tightens: {why}"),
        ),
        Some(Standing::Untrusted {
            allows, changed, ..
        }) => {
            let since = if *changed {
                " any more, as it changed"
            } else {
                ""
            };
            let are = if *allows == 1 { "is" } else { "are" };
            let allows = counted(*allows, "allow");
            (
                Ink::Careful,
                format!("not trusted{since}; {allows} {are} not in force"),
            )
        }
    };
    let title = match layer.authority {
        Authority::Builtin => name(layer.authority).to_owned(),
        Authority::Project | Authority::User | Authority::Managed => {
            format!("{} {}", name(layer.authority), layer.origin)
        }
    };
    let counts = format!(", {}", counts(layer));
    let pieces = [
        Piece::new(Ink::Strong, &title),
        Piece::plain(": "),
        Piece::new(ink, &standing),
        Piece::plain(&counts),
    ];
    page.line((0, 2), &pieces);
}

/// How many rules of each action there are.
fn counts(layer: &Layer) -> String {
    let each = Action::ALL.map(|action| {
        let own = layer.rules.iter().filter(|rule| rule.action == action);
        format!("{} {}", own.count(), action.name())
    });
    format!(
        "{} ({})",
        counted(layer.rules.len(), "rule"),
        each.join(", ")
    )
}

fn line(page: &mut Page, rule: &Rule) {
    let what = format!(" {} {}", rule.kind.name(), rule.pattern);
    let mut pieces = vec![
        Piece::new(ink::of(rule.action), rule.action.name()),
        Piece::plain(&what),
    ];
    for (key, values) in terms(&rule.terms) {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        pieces.push(Piece::plain(&format!(", {key} {}", values.join(" "))));
    }
    let id = rule.terms.id.iter().map(|id| format!("  {id}"));
    let reason = rule
        .terms
        .reason
        .iter()
        .map(|reason| format!("  ({reason})"));
    let place = format!("  {}:{}", rule.origin, rule.line);
    for words in id.chain(reason).chain([place]) {
        pieces.push(Piece::new(Ink::Faint, &words));
    }
    page.line((2, 4), &pieces);
}

/// The directories that bind MCP servers.
fn directories(page: &mut Page, layer: &Layer) {
    for limit in &layer.directories {
        let patterns: Vec<String> = limit
            .patterns
            .iter()
            .map(|one| format!("`{one}`"))
            .collect();
        let words = format!("mcp_directories {} {}", limit.server, patterns.join(" "));
        let place = format!("  {}:{}", layer.origin, limit.line);
        page.line(
            (2, 4),
            &[Piece::plain(&words), Piece::new(Ink::Faint, &place)],
        );
    }
}
