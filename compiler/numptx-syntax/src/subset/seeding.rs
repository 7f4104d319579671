//! Whether Python seeds the state of `np.random` where it runs a module: compiled code does not run that statement.
//!
//! In: the statements of a module and what its imports bind. Out: the first statement that names `np.random.seed` or `np.random.set_state`, or that
//! names a function of the file which does. Naming it is enough: what a statement does with it, only Python knows.

use std::collections::{BTreeMap, BTreeSet};

use numptx_source::{Source, Span};

use super::{is_main_guard, left};
use crate::parse::{Parsed, python, span_of};

/// What is not run where it stands.
const SEEDING: &[&str] = &["numpy.random.seed", "numpy.random.set_state"];

/// What is known of a module.
struct Names<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
    /// What names stand for.
    paths: BTreeMap<String, String>,
    /// Functions of the file.
    functions: Vec<(String, Span)>,
}

/// The first statement that seeds the state. `paths`: what the names of the module are imported as.
pub(super) fn seeding_statement(source: &Source, parsed: &Parsed, paths: &BTreeMap<String, String>) -> Option<Span> {
    let mut names = Names { source, parsed, paths: paths.clone(), functions: Vec::new() };
    left::functions_in(&parsed.statements, &mut names.functions);
    left::imports_anywhere(&parsed.statements, &mut |bound| {
        names.paths.entry(bound.alias).or_insert(bound.path);
    });
    parsed.statements.iter().find(|statement| names.is_seeding(statement)).map(|s| span_of(python::Ranged::range(s)))
}

impl Names<'_> {
    fn is_seeding(&mut self, statement: &python::Stmt) -> bool {
        match statement {
            python::Stmt::Import(_) | python::Stmt::ImportFrom(_) => return false,
            python::Stmt::FunctionDef(_) | python::Stmt::AsyncFunctionDef(_) => return false,
            python::Stmt::If(branch) if is_main_guard(&branch.test) && branch.orelse.is_empty() => return false,
            python::Stmt::Assign(assign) => {
                // `seed = np.random.seed` gives it another name.
                let whole = span_of(python::Ranged::range(&*assign.value));
                if let ([python::Expr::Name(name)], [(at, path)]) =
                    (assign.targets.as_slice(), self.paths_in(whole).as_slice())
                    && path.starts_with("numpy.random")
                    && self
                        .source
                        .slice(Span::new(*at, whole.end))
                        .chars()
                        .all(|c| c.is_alphanumeric() || "._".contains(c))
                {
                    self.paths.insert(name.id.to_string(), path.clone());
                    return false;
                }
            }
            _ => {}
        }
        let mut inner = Vec::new();
        left::functions_in(std::slice::from_ref(statement), &mut inner);
        let is_run = |at: u32| !inner.iter().any(|(_, body)| (body.start..body.end).contains(&at));
        let span = span_of(python::Ranged::range(statement));
        let run = self.paths_in(span).into_iter().filter(|(at, _)| is_run(*at)).map(|(_, path)| path);
        self.leads_to_seeding(run.collect())
    }

    /// Whether one of these is what seeds, or a function of the file that leads there.
    fn leads_to_seeding(&self, mut paths: Vec<String>) -> bool {
        let mut seen = BTreeSet::new();
        while let Some(path) = paths.pop() {
            if SEEDING.contains(&path.as_str()) {
                return true;
            }
            if seen.insert(path.clone()) {
                for (_, body) in self.functions.iter().filter(|(name, _)| *name == path) {
                    paths.extend(self.paths_in(*body).into_iter().map(|(_, path)| path));
                }
            }
        }
        false
    }

    /// The names in a part of the text with the attributes that follow them, as paths, and where they stand.
    fn paths_in(&self, span: Span) -> Vec<(u32, String)> {
        let mut found: Vec<(u32, String)> = Vec::new();
        let mut end = None;
        for (at, name) in self.parsed.names_in(span) {
            let is_attribute = end.is_some_and(|end| at > end && self.source.slice(Span::new(end, at)).trim() == ".");
            match found.last_mut() {
                Some((_, path)) if is_attribute => {
                    path.push('.');
                    path.push_str(name);
                }
                _ => found.push((at, self.path_of_name(name))),
            }
            end = Some(at + name.len() as u32);
        }
        found
    }

    fn path_of_name(&self, name: &str) -> String {
        match (self.paths.get(name), self.paths.get("*")) {
            (Some(path), _) => path.clone(),
            (None, Some(module)) if module == "numpy.random" => format!("{module}.{name}"),
            (None, _) => name.to_owned(),
        }
    }
}
