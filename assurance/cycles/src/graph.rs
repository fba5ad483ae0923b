//! A directed graph over files, and its cycles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For every file the files that it uses, each with a line on which it does.
pub type Graph = BTreeMap<String, BTreeMap<String, usize>>;

/// Files that all reach each other, and a shortest cycle among them.
#[derive(Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Every file that can be reached from the others and reaches them.
    pub files: BTreeSet<String>,
    /// A shortest cycle: each file uses the next one, and the last uses the first.
    pub shortest: Vec<String>,
}

/// All strongly connected components of more than one file.
pub fn cycles(graph: &Graph) -> Vec<Cycle> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|file| (file.as_str(), reachable(graph, file))).collect();
    let mut found: Vec<Cycle> = Vec::new();
    for (file, targets) in &reached {
        if found.iter().any(|cycle| cycle.files.contains(*file)) || !targets.contains(file) {
            continue;
        }
        let files: BTreeSet<String> = targets
            .iter()
            .filter(|target| reached.get(*target).is_some_and(|back| back.contains(file)))
            .map(|&name| name.to_owned())
            .collect();
        let shortest = files
            .iter()
            .filter_map(|start| path_back(graph, start))
            .min_by_key(Vec::len)
            .unwrap_or_default();
        found.push(Cycle { files, shortest });
    }
    found
}

/// What can be reached from a file in one step or more.
fn reachable<'a>(graph: &'a Graph, start: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&str> = vec![start];
    while let Some(file) = next.pop() {
        for target in graph.get(file).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(target.as_str()) {
                next.push(target);
            }
        }
    }
    seen
}

/// The files of a shortest path from a file back to itself.
fn path_back(graph: &Graph, start: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(file) = next.pop_front() {
        for target in graph.get(file)?.keys() {
            if target == start {
                let mut path = vec![file.to_owned()];
                let mut at = file;
                while let Some(&earlier) = before.get(at) {
                    path.push(earlier.to_owned());
                    at = earlier;
                }
                path.reverse();
                return Some(path);
            }
            if graph.contains_key(target) && !before.contains_key(target.as_str()) {
                before.insert(target, file);
                next.push_back(target);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry((*to).to_owned()).or_default();
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned(), 1);
        }
        graph
    }

    #[test]
    fn a_graph_without_a_cycle_has_none() {
        assert_eq!(cycles(&graph(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])), []);
    }

    #[test]
    fn the_shortest_cycle_among_the_files_is_reported() {
        let found = cycles(&graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "b"), ("c", "d")]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].files, ["a", "b", "c"].map(str::to_owned).into());
        assert_eq!(found[0].shortest, ["b", "c"]);
    }

    #[test]
    fn separate_cycles_are_reported_separately() {
        let edges = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "c")];
        let found = cycles(&graph(&edges));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].shortest, ["a", "b"]);
        assert_eq!(found[1].shortest, ["c", "d", "e"]);
    }
}
