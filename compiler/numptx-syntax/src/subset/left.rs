//! What a module holds beside imports, constants and functions: it is left to Python, and its names are refused where compiled code reads them.
//!
//! In: module-level statements. Out: the names that they bind, constants that they may change, and one note about the file.
//! Code under `if __name__ == "__main__":` runs in no module that is imported, and changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use numptx_source::{Report, Span, code};

use super::Converter;
use super::import::{self, Bound, Origin};
use super::statement::outside_everywhere;
use crate::ast::{self, Expr, ExprKind};
use crate::parse::{Parsed, python, span_of};
use crate::signature::names;

/// Names that a list in a note holds at most.
const MAX_LISTED: usize = 6;

/// What was left out so far.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// Modules that are imported, and where.
    pub imports: Vec<(String, Span)>,
    /// Decorators that change nothing in compiled code, as they are written.
    pub decorators: Vec<(String, Span)>,
    /// Statements.
    pub statements: Vec<Span>,
    /// Names that stand in them: by the first statement that does.
    mentioned: BTreeMap<String, Span>,
    /// Functions that are defined in them.
    functions: Vec<(String, Span)>,
}

impl Converter<'_> {
    /// A module-level statement that is left to Python; the names that it binds are none of compiled code.
    pub(super) fn leave(&mut self, statement: &python::Stmt, module: &mut ast::Module) {
        let (span, line) = (span_of(python::Ranged::range(statement)), self.first_line(statement));
        self.left_out.statements.push(line);
        let mut functions = Vec::new();
        functions_in(std::slice::from_ref(statement), &mut functions);
        let is_run = |at: u32| !functions.iter().any(|(_, body): &(String, Span)| (body.start..body.end).contains(&at));
        for (_, name) in self.parsed.names_in(span).filter(|(at, _)| is_run(*at)) {
            self.left_out.mentioned.entry(name.to_owned()).or_insert(line);
        }
        self.left_out.functions.extend(functions);
        let (what, help) = described(statement);
        let mut bound = Vec::new();
        bound_names(std::slice::from_ref(statement), &mut |name, _| bound.push(name.to_owned()));
        for name in bound {
            let is_imported =
                module.imports.iter().any(|i| i.alias == name) || module.left.iter().any(|l| l.name == name);
            if !is_imported {
                let message = format!("`{name}` is bound by {what}, which is outside the Python that numptx compiles");
                let report = Report::error(code::UNSUPPORTED_MODULE_STATEMENT, line, message);
                module.left.push(ast::Left { name, report: report.label("left to Python").help(help) });
            }
        }
    }

    /// A constant whose value is outside the subset.
    pub(super) fn leave_constant(&mut self, name: String, report: &Report, module: &mut ast::Module) {
        self.left_out.statements.push(report.span);
        let message = format!("`{name}` is no constant of compiled code: {}", report.message);
        module.left.push(ast::Left { name, report: Report { message, ..report.clone() } });
    }

    /// Records what imports in a branch bind: of several that a name has, the one that compiled code may use.
    pub(super) fn import_in_branches(&mut self, statement: &python::Stmt, module: &mut ast::Module) {
        let mut all: Vec<Bound> = Vec::new();
        imports_in(std::slice::from_ref(statement), &mut |name| all.push(name));
        let is_try = matches!(statement, python::Stmt::Try(_));
        while !all.is_empty() {
            let alias = all[0].alias.clone();
            let (own, others): (Vec<Bound>, Vec<Bound>) = all.into_iter().partition(|b| b.alias == alias);
            all = others;
            let imports = &self.source.imports;
            let is_known = |b: &Bound| matches!(b.origin(imports), Origin::Known | Origin::File);
            let paths: BTreeSet<&str> = own.iter().filter(|b| is_known(b)).map(|b| b.path.as_str()).collect();
            // Which branch runs, only Python knows; the first one of a `try` is the one that is meant.
            if alias != "*" && paths.len() > 1 && !is_try {
                continue;
            }
            let chosen = own.iter().position(is_known).unwrap_or(0);
            own.into_iter().nth(chosen).into_iter().for_each(|b| self.import(b, module));
        }
    }

    /// The one note about all that was left out.
    pub(super) fn note_what_is_left(&mut self) {
        let LeftOut { imports, decorators, statements, .. } = &self.left_out;
        let spans = imports.iter().chain(decorators).map(|(_, span)| span).chain(statements);
        let Some(first) = spans.min().copied() else { return };
        let mut parts = Vec::new();
        parts.extend(listed("the import of", "the imports of", imports));
        parts.extend(listed("the decorator", "the decorators", decorators));
        parts.extend(match statements.len() {
            0 => None,
            1 => Some("a module-level statement".to_owned()),
            n => Some(format!("{n} module-level statements")),
        });
        let message = format!("compiled code does not see {}", joined(&parts));
        let report = Report::note(code::LEFT_TO_PYTHON, self.line_of(first), message).label("left to Python");
        self.reports.push(report.help("nothing is to be done: functions that need it are refused where they do"));
    }
}

impl LeftOut {
    /// Notes a statement that seeds the state of `np.random`.
    pub(super) fn seeds_random(&mut self, statement: Span) {
        self.mentioned.insert(ast::SEEDS_RANDOM.to_owned(), statement);
    }

    /// Constants that a statement may change which only Python runs are left to it, too. What an exported function calls is compiled, and changes none.
    pub(crate) fn leave_changed_constants(self, parsed: &Parsed, module: &mut ast::Module) {
        let names_in = |span: Span| parsed.names_in(span).map(|(_, name)| name.to_owned());
        let mut compiled: BTreeSet<String> = module.exports.iter().map(|e| e.name.clone()).collect();
        let mut functions: Vec<(String, Span)> = module.functions.iter().map(|f| (f.name.clone(), f.span)).collect();
        while let Some(at) = functions.iter().position(|(name, _)| compiled.contains(name)) {
            compiled.extend(names_in(functions.remove(at).1));
        }
        functions.extend(self.functions);
        let open: BTreeSet<String> =
            module.constants.iter().filter(|c| !is_fixed(&c.value, module)).map(|c| c.name.clone()).collect();
        let mut changed = self.mentioned;
        loop {
            let n_before = changed.len();
            for (name, span) in &functions {
                let Some(statement) = changed.get(name).copied() else { continue };
                names_in(*span).for_each(|name| {
                    changed.entry(name).or_insert(statement);
                });
            }
            for constant in module.constants.iter().filter(|c| open.contains(&c.name)) {
                // A constant may be a view of another one.
                let mut group = BTreeSet::new();
                read_names(&constant.value, &mut group);
                group.retain(|name| open.contains(name));
                group.insert(constant.name.clone());
                if let Some(statement) = group.iter().find_map(|name| changed.get(name).copied()) {
                    for name in group {
                        changed.entry(name).or_insert(statement);
                    }
                }
            }
            if changed.len() == n_before {
                break;
            }
        }
        let (left, kept): (Vec<ast::Constant>, Vec<ast::Constant>) = std::mem::take(&mut module.constants)
            .into_iter()
            .partition(|c| changed.contains_key(&c.name) && open.contains(&c.name));
        module.constants = kept;
        for constant in left {
            let statement = changed[&constant.name];
            names_in(constant.value.span).for_each(|name| {
                changed.entry(name).or_insert(statement);
            });
            module.left.push(changed_constant(&constant.name, constant.name.clone(), statement));
        }
        module.touched = changed;
    }
}

/// A constant that a statement may change, under a name that may be another one in the module that is compiled.
pub(crate) fn changed_constant(shown: &str, name: String, statement: Span) -> ast::Left {
    let message = format!("`{shown}` may be changed by a statement that is left to Python");
    let report = Report::error(code::UNSUPPORTED_MODULE_STATEMENT, statement, message);
    let help = format!("make it in one expression, `{shown} = np.arange(3.0) ** 2`, or in a function");
    ast::Left { name, report: report.label("left to Python").help(help) }
}

/// The functions that are defined among statements and in their branches.
pub(super) fn functions_in(statements: &[python::Stmt], functions: &mut Vec<(String, Span)>) {
    for statement in statements {
        match statement {
            python::Stmt::FunctionDef(def) => functions.push((def.name.to_string(), span_of(def.range))),
            python::Stmt::ClassDef(class) => functions_in(&class.body, functions),
            _ => blocks(statement).into_iter().for_each(|block| functions_in(block, functions)),
        }
    }
}

/// `the imports of numba and os`
fn listed(one: &str, several: &str, all: &[(String, Span)]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in all {
        let name = format!("`{name}`");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let n_more = names.len().saturating_sub(MAX_LISTED);
    names.truncate(MAX_LISTED);
    names.extend((n_more > 0).then(|| format!("{n_more} more")));
    match names.len() {
        0 => None,
        1 => Some(format!("{one} {}", names[0])),
        _ => Some(format!("{several} {}", joined(&names))),
    }
}

fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// What a statement is called, and what to write instead.
fn described(statement: &python::Stmt) -> (&'static str, &'static str) {
    if let Some(described) = outside_everywhere(statement) {
        return described;
    }
    let what = match statement {
        python::Stmt::AugAssign(_) => "a module-level augmented assignment",
        python::Stmt::For(_) | python::Stmt::While(_) => "a module-level loop",
        python::Stmt::If(_) => "a module-level `if`",
        python::Stmt::Assign(_) | python::Stmt::AnnAssign(_) => {
            "a module-level assignment to several names, or to a part of something"
        }
        _ => "a module-level statement",
    };
    (what, "bind it once, at module level, as `NAME = value`, or pass it as a parameter")
}

/// Every name that statements bind, those of branches and loops included, with the place.
fn bound_names(statements: &[python::Stmt], see: &mut dyn FnMut(&str, Span)) {
    for statement in statements {
        match statement {
            python::Stmt::Assign(s) => s.targets.iter().for_each(|t| target_names(t, see)),
            python::Stmt::AugAssign(s) => target_names(&s.target, see),
            python::Stmt::AnnAssign(s) if s.value.is_some() => target_names(&s.target, see),
            python::Stmt::For(s) => target_names(&s.target, see),
            python::Stmt::With(s) => {
                s.items.iter().filter_map(|i| i.optional_vars.as_deref()).for_each(|t| target_names(t, see))
            }
            python::Stmt::Delete(s) => s.targets.iter().for_each(|t| target_names(t, see)),
            python::Stmt::FunctionDef(s) => see(s.name.as_str(), span_of(s.range)),
            python::Stmt::AsyncFunctionDef(s) => see(s.name.as_str(), span_of(s.range)),
            python::Stmt::ClassDef(s) => see(s.name.as_str(), span_of(s.range)),
            python::Stmt::Import(_) | python::Stmt::ImportFrom(_) => {
                import::bound(statement).iter().filter(|b| b.alias != "*").for_each(|b| see(&b.alias, b.span));
            }
            _ => {}
        }
        blocks(statement).into_iter().for_each(|block| bound_names(block, see));
    }
}

fn target_names(target: &python::Expr, see: &mut dyn FnMut(&str, Span)) {
    match target {
        python::Expr::Name(name) => see(name.id.as_str(), span_of(name.range)),
        python::Expr::Tuple(all) => all.elts.iter().for_each(|t| target_names(t, see)),
        python::Expr::List(all) => all.elts.iter().for_each(|t| target_names(t, see)),
        python::Expr::Starred(inner) => target_names(&inner.value, see),
        _ => {}
    }
}

/// The imports among statements and in their branches, in order.
pub(super) fn imports_in(statements: &[python::Stmt], see: &mut dyn FnMut(Bound)) {
    for statement in statements {
        import::bound(statement).into_iter().for_each(&mut *see);
        blocks(statement).into_iter().for_each(|block| imports_in(block, see));
    }
}

/// The imports among statements, those of functions included.
pub(super) fn imports_anywhere(statements: &[python::Stmt], see: &mut dyn FnMut(Bound)) {
    for statement in statements {
        import::bound(statement).into_iter().for_each(&mut *see);
        blocks(statement).into_iter().for_each(|block| imports_anywhere(block, see));
        if let python::Stmt::FunctionDef(def) = statement {
            imports_anywhere(&def.body, see);
        }
    }
}

/// The blocks of a statement that run where it does: none of functions and classes.
fn blocks(statement: &python::Stmt) -> Vec<&[python::Stmt]> {
    match statement {
        python::Stmt::If(s) => vec![&s.body, &s.orelse],
        python::Stmt::For(s) => vec![&s.body, &s.orelse],
        python::Stmt::While(s) => vec![&s.body, &s.orelse],
        python::Stmt::With(s) => vec![&s.body],
        python::Stmt::Try(s) => {
            let handlers = s.handlers.iter().map(|python::ExceptHandler::ExceptHandler(h)| h.body.as_slice());
            std::iter::once(s.body.as_slice()).chain(handlers).chain([s.orelse.as_slice(), &s.finalbody]).collect()
        }
        python::Stmt::Match(s) => s.cases.iter().map(|case| case.body.as_slice()).collect(),
        _ => Vec::new(),
    }
}

/// Whether a value cannot be changed: a number, a string, a function, or a tuple of such.
pub(crate) fn is_fixed(value: &Expr, module: &ast::Module) -> bool {
    match &value.kind {
        ExprKind::Name(name) => {
            let constant = module.constants.iter().find(|c| c.name == *name && c.value.span != value.span);
            constant.is_none_or(|c| is_fixed_literal(&c.value))
        }
        _ => is_fixed_literal(value),
    }
}

fn is_fixed_literal(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Imaginary(_) | ExprKind::Bool(_) => true,
        ExprKind::Record(_) => true,
        ExprKind::None | ExprKind::Str(_) | ExprKind::Formatted(_) | ExprKind::Lambda(_) | ExprKind::Compare { .. } => {
            true
        }
        ExprKind::Attribute { value: owner, name, .. } => {
            matches!(owner.kind, ExprKind::Name(_))
                && matches!(name.as_str(), "pi" | "e" | "inf" | "nan" | "tau" | "newaxis")
        }
        ExprKind::Call { function, .. } => {
            let name = match &function.kind {
                ExprKind::Name(name) => name,
                ExprKind::Attribute { value: owner, name, .. } => match &owner.kind {
                    ExprKind::Name(owner) if owner == "math" => return true,
                    _ => name,
                },
                _ => return false,
            };
            matches!(name.as_str(), "len" | "str") || names::scalar(name).is_some()
        }
        ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Tuple(_) | ExprKind::Logical { .. } => {
            value.children().into_iter().all(is_fixed_literal)
        }
        _ => false,
    }
}

fn read_names(expr: &Expr, names: &mut BTreeSet<String>) {
    if let ExprKind::Name(name) = &expr.kind {
        names.insert(name.clone());
    }
    expr.children().into_iter().for_each(|e| read_names(e, names));
}
