//! Which file defines what a path names, and so which file uses which.

use std::collections::BTreeSet;
use std::path::Path;

use crate::graph::Graph;
use crate::modules::{Import, Module, Named};

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Module(usize),
    Item(usize),
}

/// The graph of the files of these modules, with names relative to a folder.
pub fn graph(modules: &[Module], folder: &Path) -> Graph {
    let names = Names { modules };
    let name = |at: usize| {
        let file = &modules[at].file;
        file.strip_prefix(folder).unwrap_or(file).display().to_string()
    };
    let mut graph = Graph::new();
    for (at, module) in modules.iter().enumerate() {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for import in module.imports.values().chain(module.local.values()) {
            // What is merely exported again, or a module of which a path names a part, is no use.
            if !import.exported
                && let Some(Target::Item(to)) = names.resolve(at, &import.path.segments)
            {
                edges.push((to, import.path.line));
            }
        }
        for import in module.globs.iter().filter(|import| !import.exported) {
            if let Some(Target::Module(to) | Target::Item(to)) =
                names.resolve(at, &import.path.segments)
            {
                edges.push((to, import.path.line));
            }
        }
        for Named { segments, line } in &module.named {
            if let Some(Target::Item(to)) = names.resolve(at, segments) {
                edges.push((to, *line));
            }
        }
        let from = name(at);
        let of_file = graph.entry(from.clone()).or_default();
        for (to, line) in edges {
            if name(to) != from {
                let first = of_file.entry(name(to)).or_insert(line);
                *first = line.min(*first);
            }
        }
    }
    graph
}

struct Names<'a> {
    modules: &'a [Module],
}

impl Names<'_> {
    /// What a path named in a module leads to; nothing if it leaves the crate.
    fn resolve(&self, from: usize, segments: &[String]) -> Option<Target> {
        self.path(from, segments, &mut BTreeSet::new())
    }

    fn path(
        &self,
        from: usize,
        segments: &[String],
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let (first, mut rest) = segments.split_first()?;
        let mut target = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(from),
            "super" => Target::Module(self.modules[from].parent?),
            name => match self.modules[from].local.get(name) {
                Some(import) => self.import(from, import, name, seen)?,
                None => self.name(from, name, seen)?,
            },
        };
        while let (Target::Module(module), [name, others @ ..]) = (target, rest) {
            target = match name.as_str() {
                "super" => Target::Module(self.modules[module].parent?),
                // Items that a macro makes are not seen; they belong to this file all the same.
                name => self.name(module, name, seen).unwrap_or(Target::Item(module)),
            };
            rest = others;
        }
        Some(target)
    }

    /// What a name means within a module.
    fn name(
        &self,
        module: usize,
        name: &str,
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let of = &self.modules[module];
        if of.items.contains(name) {
            return Some(Target::Item(module));
        }
        if let Some(&child) = of.children.get(name) {
            return Some(Target::Module(child));
        }
        if let Some(import) = of.imports.get(name) {
            return self.import(module, import, name, seen);
        }
        if !seen.insert((module, name.to_owned())) {
            return None;
        }
        of.globs.iter().find_map(|glob| match self.path(module, &glob.path.segments, seen)? {
            Target::Module(inner) => self.name(inner, name, seen),
            Target::Item(_) => None,
        })
    }

    fn import(
        &self,
        module: usize,
        import: &Import,
        name: &str,
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        // An import of a name by itself (`pub(crate) use a_macro;`) would lead here again.
        if !seen.insert((module, format!("use {name}"))) {
            return None;
        }
        self.path(module, &import.path.segments, seen)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::graph::cycles;
    use crate::modules::modules;

    /// The edges of a crate made of these files.
    fn edges(files: &[(&str, &str)]) -> Graph {
        let files: BTreeMap<&str, &str> = files.iter().copied().collect();
        let read = |path: &Path| files.get(path.to_str()?).map(|&text| text.to_owned());
        graph(&modules(Path::new("src/lib.rs"), &read).expect("modules"), Path::new("src"))
    }

    fn uses(graph: &Graph, from: &str) -> Vec<String> {
        graph[from].keys().cloned().collect()
    }

    #[test]
    fn a_parent_that_declares_and_exports_uses_nothing() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b; pub use a::A; pub(crate) use b::B;"),
            ("src/a.rs", "use crate::b::B; pub struct A(B);"),
            ("src/b.rs", "pub struct B;"),
        ]);
        assert_eq!(uses(&graph, "lib.rs"), [""; 0]);
        assert_eq!(uses(&graph, "a.rs"), ["b.rs"]);
        assert_eq!(cycles(&graph), []);
    }

    #[test]
    fn a_parent_that_mentions_what_it_exports_uses_it() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; pub use a::A; fn f(_: A) {}"),
            ("src/a.rs", "pub struct A;"),
        ]);
        assert_eq!(uses(&graph, "lib.rs"), ["a.rs"]);
    }

    #[test]
    fn two_files_that_import_each_other_are_a_cycle() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "\nuse crate::b::B; pub struct A;"),
            ("src/b.rs", "use super::a; pub struct B; fn f(_: a::A) {}"),
        ]);
        assert_eq!(cycles(&graph)[0].shortest, ["a.rs", "b.rs"]);
        assert_eq!(graph["a.rs"]["b.rs"], 2);
    }

    #[test]
    fn three_files_in_a_ring_are_a_cycle() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b; mod c;"),
            ("src/a.rs", "use crate::{b::{self, B as Other}}; pub struct A;"),
            ("src/b.rs", "pub struct B; fn f() { crate::c::g(); }"),
            ("src/c.rs", "pub fn g() { let _: crate::a::A; }"),
        ]);
        assert_eq!(cycles(&graph)[0].shortest, ["a.rs", "b.rs", "c.rs"]);
    }

    #[test]
    fn a_module_and_its_submodule_are_different_files() {
        let graph = edges(&[
            ("src/lib.rs", "mod a;"),
            ("src/a.rs", "mod b; pub struct A; fn f() { b::g(); }"),
            ("src/a/b.rs", "use super::A; pub fn g() -> A { A }"),
        ]);
        assert_eq!(cycles(&graph)[0].shortest, ["a.rs", "a/b.rs"]);
    }

    #[test]
    fn exports_lead_to_the_file_that_defines() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b; mod c; pub use a::*; pub use b::B;"),
            ("src/a.rs", "pub struct A;"),
            ("src/b.rs", "pub struct B;"),
            ("src/c.rs", "use crate::{A, B};"),
        ]);
        assert_eq!(uses(&graph, "c.rs"), ["a.rs", "b.rs"]);
    }

    #[test]
    fn modules_that_import_all_of_each_other_are_a_cycle() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "use crate::b::*; pub struct A; fn f(_: B) { c::d(); }"),
            ("src/b.rs", "use crate::a::*; pub struct B; fn f(_: A) { c::d(); }"),
        ]);
        assert_eq!(cycles(&graph)[0].shortest, ["a.rs", "b.rs"]);
    }

    #[test]
    fn what_is_compiled_for_tests_alone_is_ignored() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "#[cfg(test)] mod tests { use crate::b::B; } pub struct A;"),
            (
                "src/b.rs",
                "use crate::a::A; pub struct B; #[cfg(all(test, unix))] use crate::a::X; \
                 #[cfg(test)] mod tests; #[cfg(test)] const C: [A; 1] = [A {}; 1];",
            ),
        ]);
        assert_eq!(uses(&graph, "a.rs"), [""; 0]);
        assert_eq!(uses(&graph, "b.rs"), ["a.rs"]);
    }

    #[test]
    fn what_is_compiled_for_tests_among_others_counts() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "#[cfg(any(test, unix))] use crate::b::B; #[cfg(not(test))] mod c {}"),
            ("src/b.rs", "pub struct B;"),
        ]);
        assert_eq!(uses(&graph, "a.rs"), ["b.rs"]);
    }

    #[test]
    fn comments_strings_visibilities_and_fields_are_no_uses() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b;"),
            (
                "src/a.rs",
                "//! [`crate::b::B`]\nmod m { pub(in super::super) struct M; }\n\
                 fn f(x: X) { /* crate::b::B */ x.b::<u8>(); \"crate::b::B\"; }",
            ),
            ("src/b.rs", "pub struct B;"),
        ]);
        assert_eq!(uses(&graph, "a.rs"), [""; 0]);
    }

    #[test]
    fn bodies_of_macros_and_functions_are_read() {
        let graph = edges(&[
            ("src/lib.rs", "mod a; mod b; mod c;"),
            ("src/a.rs", "macro_rules! m { () => { $crate::b::B }; } pub(crate) use m;"),
            ("src/b.rs", "pub struct B; fn f() { use super::c::C::*; }"),
            ("src/c.rs", "pub enum C { X } fn f() { crate::a::m!(); }"),
        ]);
        assert_eq!(uses(&graph, "a.rs"), ["b.rs"]);
        assert_eq!(uses(&graph, "b.rs"), ["c.rs"]);
        assert_eq!(uses(&graph, "c.rs"), ["a.rs"]);
    }

    #[test]
    fn files_named_by_a_path_attribute_are_found() {
        let graph = edges(&[
            ("src/lib.rs", "#[cfg(x)] mod a; #[cfg(not(x))] #[path = \"b.rs\"] mod a; mod c;"),
            ("src/a.rs", "use crate::c::C;"),
            ("src/b.rs", "use crate::c::C;"),
            ("src/c.rs", "pub struct C;"),
        ]);
        assert_eq!(uses(&graph, "a.rs"), ["c.rs"]);
        assert_eq!(uses(&graph, "b.rs"), ["c.rs"]);
    }

    #[test]
    fn a_missing_file_and_a_broken_one_are_errors() {
        let read = |path: &Path| (path == Path::new("src/lib.rs")).then(|| "mod a;".to_owned());
        let error = modules(Path::new("src/lib.rs"), &read).expect_err("no a.rs");
        assert!(error.contains("a/mod.rs: cannot be read"), "{error}");
        let error = modules(Path::new("src/lib.rs"), &|_| Some("fn {".to_owned()));
        assert!(error.expect_err("an open brace").contains("src/lib.rs: cannot be parsed"));
    }
}
