//! Which file of a crate uses which, and the cycles in that.
//!
//! A file uses another one that defines an item which it imports or names from `crate` on, or a method which it calls. Methods are
//! found by the type of `self`, of a name whose type is written, and of their fields. What no such type is known of is no use.

mod rust;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rust::Contents;

/// For each file the files that it uses, and by which names.
pub type Graph = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The graph of the files below a crate's `src`. Uses by a name of `entries` are left out.
///
/// # Panics
/// If there are none, or one cannot be read.
pub fn graph_of(src: &Path, entries: &[&str]) -> Graph {
    let paths = crate::files_in(src, "rs");
    assert!(!paths.is_empty(), "{} holds no file", src.display());
    let named = |path: &Path| path.strip_prefix(src).unwrap_or(path).to_string_lossy().into_owned();
    graph(paths.iter().map(|path| (named(path), crate::read(path))).collect(), entries)
}

/// The graph of files that are given with their texts.
pub fn graph(files: BTreeMap<String, String>, entries: &[&str]) -> Graph {
    let files = files.into_iter().filter(|(name, _)| !name.ends_with("tests.rs"));
    let found = Crate::new(files.map(|(name, text)| (name, rust::contents(&text))).collect());
    let mut graph = Graph::new();
    for (file, contents) in &found.files {
        let uses = graph.entry(file.clone()).or_default();
        for (used, name) in found.uses(file, contents) {
            let is_root = used == "lib.rs" || used == "main.rs";
            if used != *file && !is_root && !entries.contains(&name.as_str()) {
                uses.entry(used).or_default().insert(name);
            }
        }
    }
    graph
}

struct Crate {
    files: BTreeMap<String, Contents>,
    /// The file of each module: its path from the crate on.
    modules: BTreeMap<Vec<String>, String>,
    /// The files that define a type with a name.
    types: BTreeMap<String, BTreeSet<String>>,
    /// The files that define a method, by the type's file, its name, and the method's.
    methods: BTreeMap<(String, String, String), BTreeSet<String>>,
    /// The type of a field, by the file and the name of its struct, and its name.
    fields: BTreeMap<(String, String, String), (String, String)>,
}

impl Crate {
    fn new(files: BTreeMap<String, Contents>) -> Self {
        let modules = files.keys().map(|file| (module_of(file), file.clone())).collect();
        let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, contents) in &files {
            for item in contents.items.iter().filter(|item| item.starts_with(char::is_uppercase)) {
                types.entry(item.clone()).or_default().insert(file.clone());
            }
        }
        let mut found = Crate { files, modules, types, methods: BTreeMap::new(), fields: BTreeMap::new() };
        for (file, contents) in &found.files {
            for (ty, method) in &contents.methods {
                if let Some((of, ty)) = found.type_in(file, ty) {
                    found.methods.entry((of, ty, method.clone())).or_default().insert(file.clone());
                }
            }
            for (ty, field, of) in &contents.fields {
                if let Some(of) = found.type_in(file, of) {
                    found.fields.insert((file.clone(), ty.clone(), field.clone()), of);
                }
            }
        }
        found
    }

    /// What a file uses: the other file, and the name.
    fn uses(&self, file: &str, contents: &Contents) -> Vec<(String, String)> {
        let imports = contents.imports.iter().filter(|(seen, ..)| !(*seen && file.ends_with("mod.rs")));
        let paths = imports.map(|(_, path, _)| path).chain(&contents.paths);
        let items = paths.filter_map(|path| {
            let path = self.absolute(file, path)?;
            Some((self.defining(&path, 0)?, path.last()?.clone()))
        });
        let methods = contents.calls.iter().flat_map(|(ty, fields, method)| {
            let ty = fields.iter().try_fold(self.type_in(file, ty), |ty, field| {
                let (of, ty) = ty?;
                Some(self.fields.get(&(of, ty, field.clone())).cloned())
            });
            let key = ty.flatten().map(|(of, ty)| (of, ty, method.clone()));
            let files = key.and_then(|key| self.methods.get(&key)).into_iter().flatten();
            files.map(|used| (used.clone(), method.clone()))
        });
        items.chain(methods).collect()
    }

    /// A path from the crate on; nothing for what other crates define.
    fn absolute(&self, file: &str, path: &[String]) -> Option<Vec<String>> {
        let mut base = module_of(file);
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let within: Vec<String> = base.iter().cloned().chain([first.to_string()]).collect();
                self.modules.get(&within)?;
            }
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The file that defines what a path names, also if another one passes it on.
    fn defining(&self, path: &[String], depth: usize) -> Option<String> {
        let length = (0..=path.len()).rev().find(|n| self.modules.contains_key(&path[..*n]))?;
        let file = &self.modules[&path[..length]];
        let contents = &self.files[file];
        let Some(name) = path.get(length).filter(|name| !contents.items.contains(name)) else {
            return Some(file.clone());
        };
        let passed_on = contents.imports.iter().find(|(seen, _, import)| *seen && import == name);
        let further = passed_on.filter(|_| depth < 8).and_then(|(_, import, _)| self.absolute(file, import));
        match further {
            Some(further) => self.defining(&further, depth + 1),
            None => Some(file.clone()),
        }
    }

    /// The file that defines the type that a name means in a file, and the type's name there.
    fn type_in(&self, file: &str, name: &str) -> Option<(String, String)> {
        let files = self.types.get(name);
        if files.is_some_and(|files| files.contains(file)) {
            return Some((file.to_string(), name.to_string()));
        }
        let imported = self.files[file].imports.iter().find(|(_, _, import)| import == name);
        if let Some(path) = imported.and_then(|(_, path, _)| self.absolute(file, path)) {
            return Some((self.defining(&path, 0)?, path.last()?.clone()));
        }
        let files = files.filter(|files| imported.is_none() && files.len() == 1)?;
        Some((files.first()?.clone(), name.to_string()))
    }
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').filter(|word| !matches!(*word, "lib" | "main" | "mod")).map(str::to_owned).collect()
}

/// The groups of files of which each one uses each other one, perhaps by way of others, largest first.
pub fn cycles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = graph.keys().map(|file| (file, reached(graph, file))).collect();
    let mut groups: Vec<BTreeSet<String>> = Vec::new();
    for (file, others) in &reached {
        if others.contains(file) && !groups.iter().any(|group| group.contains(*file)) {
            let back = others.iter().filter(|other| reached[**other].contains(file));
            groups.push(back.map(|other| (*other).clone()).collect());
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

fn reached<'a>(graph: &'a Graph, file: &'a String) -> BTreeSet<&'a String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(file) = open.pop() {
        open.extend(graph[file].keys().filter(|used| found.insert(*used)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{cycles, graph};

    fn groups(files: &[(&str, &str)], entries: &[&str]) -> Vec<Vec<String>> {
        let files = files.iter().map(|(name, text)| (format!("{name}.rs"), (*text).to_string())).collect();
        cycles(&graph(files, entries)).into_iter().map(|group| group.into_iter().collect()).collect()
    }

    #[test]
    fn imports_make_a_cycle() {
        let (a, b) = (("a", "use crate::b::{f, g as h};"), ("b", "use super::a; pub fn f() {}"));
        assert_eq!(groups(&[a, b], &[]), [["a.rs", "b.rs"]]);
        assert!(groups(&[a, ("b", "pub fn f() {}")], &[]).is_empty());
    }

    #[test]
    fn a_path_and_what_another_file_passes_on_are_uses() {
        let a = ("a", "fn f() { crate::all::g(); }");
        let all = ("all", "pub use crate::b::g;");
        assert_eq!(groups(&[a, all, ("b", "use crate::a::f; pub fn g() {}")], &[]), [["a.rs", "b.rs"]]);
    }

    #[test]
    fn methods_of_one_type_in_several_files_make_a_cycle() {
        let a = ("a", "pub struct Pass<'a> { x: &'a str } impl Pass<'_> { fn f(&self) {\n self\n .g() } }");
        let b = ("b", "impl Pass<'_> { pub fn g(&self) { helped(self) } } fn helped(pass: &mut Pass<'_>) { pass.f() }");
        assert_eq!(groups(&[a, b], &[]), [["a.rs", "b.rs"]]);
        assert!(groups(&[a, b], &["g"]).is_empty(), "an entry is no use");
    }

    #[test]
    fn methods_of_fields_and_of_closures_are_uses() {
        let a = ("a", "pub struct Of { part: Part } impl Of { fn f(&self) { self.part.g() } fn k(&self) {} }");
        let part = ("part", "pub struct Part; impl Part { pub fn g(&self) { |s: &mut Of| s.k(); Of::k } }");
        assert_eq!(groups(&[a, part], &[]), [["a.rs", "part.rs"]]);
    }

    #[test]
    fn a_name_is_the_type_that_the_file_means() {
        let a = ("a", "struct Walk; impl Walk { fn f(&self) { self.g() } fn g(&self) {} } use crate::b::h;");
        let b = ("b", "struct Walk; impl Walk { fn g(&self) {} } pub fn h(walk: &Walk) { walk.g() }");
        assert!(groups(&[a, b], &[]).is_empty());
    }

    #[test]
    fn what_is_no_code_is_no_use() {
        let a = (
            "a",
            "// use crate::b::f;\nconst A: &str = \"crate::b::f()\"; const Q: char = '\"'; const R: &str = r\"\\\";",
        );
        let tests = ("c", "#[cfg(test)] mod tests { use crate::b::f; } pub fn g() {}");
        assert!(groups(&[a, tests, ("b", "use crate::a; use crate::c::g;")], &[]).is_empty());
    }
}
