//! Circles in a graph of names: sets of files each of which reaches all the others.

use std::collections::{BTreeMap, BTreeSet};

/// Who points at whom.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// The circles, each as its members in order of their names. A file that names itself is no circle.
pub fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> = graph
        .keys()
        .map(|from| (from, reached(graph, from)))
        .collect();
    let mut out: Vec<Vec<String>> = Vec::new();
    for (from, there) in &reach {
        let mutual = there
            .iter()
            .filter(|to| *to != from && reach.get(**to).is_some_and(|back| back.contains(from)));
        let mut members: Vec<String> = mutual.map(|to| (*to).clone()).collect();
        if members.is_empty() {
            continue;
        }
        members.push((*from).clone());
        members.sort();
        if !out.contains(&members) {
            out.push(members);
        }
    }
    out
}

/// The arrows inside a circle, as `a -> b`, so that a reader sees which to turn.
pub fn arrows(graph: &Graph, circle: &[String]) -> Vec<String> {
    let inside = |from: &String| {
        let targets = graph.get(from).into_iter().flatten();
        targets
            .filter(|to| *to != from && circle.contains(to))
            .map(|to| format!("{from} -> {to}"))
            .collect::<Vec<String>>()
    };
    circle.iter().flat_map(inside).collect()
}

/// Everything that can be reached from a file.
fn reached<'g>(graph: &'g Graph, from: &'g String) -> BTreeSet<&'g String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for to in graph.get(next).into_iter().flatten() {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::{Graph, arrows, circles};

    #[test]
    fn a_circle_is_found_whole_and_once() {
        let mut graph = Graph::new();
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "d")] {
            graph
                .entry(from.to_owned())
                .or_default()
                .insert(to.to_owned());
        }
        let found = circles(&graph);
        assert_eq!(found, [["b", "c"]]);
        assert_eq!(arrows(&graph, &found[0]), ["b -> c", "c -> b"]);
    }
}
