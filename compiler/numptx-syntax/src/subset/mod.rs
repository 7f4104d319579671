//! Python's statements → the module of the accepted subset, and what lies outside it by name.
//!
//! In: what the parser read. Out: the module without its exports, the annotations of its functions,
//! and reports. A report found in a function's body is kept at the function; the module's own go to
//! the file's reports. It does not resolve names, except that `np.newaxis` is read as `None`.

mod cases;
mod decorator;
mod exceptions;
mod expression;
mod function;
pub(crate) mod import;
mod independence;
pub(crate) mod left;
mod outer_names;
mod quiet;
mod records;
mod scoped;
mod seeding;
mod statement;

use std::collections::{BTreeMap, BTreeSet};

use numptx_source::{Report, Reports, Source, Span, code};

use crate::ast;
use crate::parse::{Parsed, python, span_of};
use crate::signature::hint::Hint;

/// Trees deeper than this are refused, so that no later stage can overflow its stack.
const MAX_DEPTH: usize = 200;

/// The type annotations of one function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionAnnotations {
    /// The function's index in the module.
    pub function: usize,
    /// One entry a parameter.
    pub parameters: Vec<Option<Annotation>>,
    /// The function has a return annotation.
    pub has_return: bool,
}

/// One annotation.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    /// The type's text.
    pub text: String,
    /// Where `text` stands; a string with escapes stands here as a whole.
    pub span: Span,
    /// Written as a string.
    pub is_string: bool,
    /// What it stands for as a type hint; `None` for a string that is no expression.
    pub hint: Option<Hint>,
}

/// The outcome of [`convert`].
pub(crate) struct Converted {
    /// Everything but the exports.
    pub module: ast::Module,
    /// Annotated functions.
    pub annotations: Vec<FunctionAnnotations>,
    /// What is left to Python.
    pub left_out: left::LeftOut,
    /// The names of classes of records.
    pub records: BTreeSet<String>,
}

/// What is known while a tree is converted.
pub(crate) struct Converter<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
    /// Names that stand for the module `numpy`.
    numpy: BTreeSet<String>,
    /// Names that stand for `numpy.newaxis`.
    new_axis: BTreeSet<String>,
    /// What every name at module level was imported as.
    paths: BTreeMap<String, String>,
    left_out: left::LeftOut,
    /// The names of classes of records.
    records: BTreeSet<String>,
    reports: Reports,
    /// See [`ast::Module::independent`].
    independent: Vec<Span>,
    /// The comments that made them so, by number.
    heard: Vec<usize>,
    depth: usize,
    /// Loops of the present function around the present statement.
    n_loops: usize,
    /// What the handlers around call their exceptions, innermost last.
    handlers: Vec<Option<String>>,
    /// Functions around the present statement.
    n_functions: usize,
    /// Names that the present function says to be none of its own.
    outer_names: Vec<outer_names::OuterName>,
    /// Names that were made up so far.
    n_names: usize,
    /// Inside a comprehension, where `:=` would bind a name outside of it.
    in_comprehension: bool,
}

/// Converts all statements of a module.
pub(crate) fn convert(source: &Source, parsed: &Parsed, reports: &mut Reports) -> Converted {
    let mut converter = Converter {
        source,
        parsed,
        numpy: BTreeSet::new(),
        new_axis: BTreeSet::new(),
        paths: BTreeMap::new(),
        left_out: left::LeftOut::default(),
        records: BTreeSet::new(),
        reports: Reports::new(),
        independent: Vec::new(),
        heard: Vec::new(),
        depth: 0,
        n_loops: 0,
        handlers: Vec::new(),
        n_functions: 0,
        outer_names: Vec::new(),
        n_names: 0,
        in_comprehension: false,
    };
    let (left_out, records) = Default::default();
    let mut converted = Converted { module: ast::Module::default(), annotations: Vec::new(), left_out, records };
    for statement in &parsed.statements {
        converter.imports_of(statement, &mut converted.module);
    }
    for import in &converted.module.imports {
        match import.path.as_str() {
            "numpy" => converter.numpy.insert(import.alias.clone()),
            "numpy.newaxis" => converter.new_axis.insert(import.alias.clone()),
            _ => false,
        };
    }
    converter.records = converter.names_of_records(&parsed.statements);
    for (i, statement) in parsed.statements.iter().enumerate() {
        converter.module_statement(statement, i == 0, &mut converted);
    }
    if let Some(statement) = seeding::seeding_statement(source, parsed, &converter.paths) {
        let line = converter.line_of(statement);
        converter.left_out.seeds_random(line);
    }
    converter.check_definitions(&mut converted.module);
    converter.note_what_is_left();
    (converted.left_out, converted.records) = (converter.left_out, converter.records);
    converted.module.independent = std::mem::take(&mut converter.independent);
    reports.extend(converter.reports);
    independence::warn_of_others(source, &parsed.comments, &converter.heard, reports);
    converted
}

impl Converter<'_> {
    fn module_statement(&mut self, statement: &python::Stmt, is_first: bool, out: &mut Converted) {
        match statement {
            python::Stmt::Import(_) | python::Stmt::ImportFrom(_) | python::Stmt::Pass(_) => {}
            python::Stmt::FunctionDef(def) => self.function(def, out),
            python::Stmt::AsyncFunctionDef(def) => self.async_function(def, out),
            python::Stmt::ClassDef(class) => self.class(class, statement, &mut out.module),
            python::Stmt::Assign(assign) => {
                let is_constant = assign.targets.iter().all(|target| is_constant(target, &assign.value));
                match is_constant {
                    true => assign.targets.iter().for_each(|t| self.constant(t, &assign.value, &mut out.module)),
                    false => self.leave(statement, &mut out.module),
                }
            }
            python::Stmt::AnnAssign(assign) => match &assign.value {
                Some(value) if is_constant(&assign.target, value) => {
                    self.constant(&assign.target, value, &mut out.module)
                }
                Some(_) => self.leave(statement, &mut out.module),
                None => {}
            },
            python::Stmt::Expr(text) if is_string(&text.value) => {
                if is_first {
                    out.module.docstring = string_value(&text.value);
                }
            }
            python::Stmt::If(branch) if is_main_guard(&branch.test) && branch.orelse.is_empty() => {}
            python::Stmt::If(branch) if is_type_checking(&branch.test) => {
                branch.orelse.iter().for_each(|s| self.module_statement(s, false, out));
            }
            other => self.leave(other, &mut out.module),
        }
    }

    /// Records the imports of a module-level statement.
    fn imports_of(&mut self, statement: &python::Stmt, module: &mut ast::Module) {
        match statement {
            python::Stmt::Import(_) | python::Stmt::ImportFrom(_) => {
                import::bound(statement).into_iter().for_each(|bound| self.import(bound, module));
            }
            python::Stmt::If(branch) if is_main_guard(&branch.test) => {}
            python::Stmt::If(branch) if is_type_checking(&branch.test) => {
                branch.orelse.iter().for_each(|s| self.imports_of(s, module));
            }
            python::Stmt::FunctionDef(def) => {
                // Imports in functions tell, too, what stands for the modules `numpy` and `warnings`.
                left::imports_in(&def.body, &mut |bound| {
                    if bound.path == "numpy" {
                        self.numpy.insert(bound.alias);
                    } else if bound.module == "warnings" {
                        self.paths.insert(bound.alias, bound.path);
                    }
                });
            }
            other => self.import_in_branches(other, module),
        }
    }

    fn constant(&mut self, target: &python::Expr, value: &python::Expr, module: &mut ast::Module) {
        match (target, value) {
            (python::Expr::Tuple(names), python::Expr::Tuple(values)) => {
                for (name, value) in names.elts.iter().zip(&values.elts) {
                    self.constant(name, value, module);
                }
            }
            (python::Expr::Name(name), python::Expr::Call(call)) if self.makes_records(call) => {
                self.class_of_call(name, call, module);
            }
            (python::Expr::Name(name), value) => {
                self.note_owner(name.id.as_str(), value);
                let value = match self.undecorated(value) {
                    Some(python::Expr::Name(function)) if function.id == name.id => return,
                    Some(function) => function,
                    None => value,
                };
                let reports = std::mem::take(&mut self.reports);
                let value = self.expression(value);
                let own = std::mem::replace(&mut self.reports, reports);
                let (name, name_span) = (name.id.to_string(), span_of(name.range));
                match own.iter().next() {
                    Some(report) => self.leave_constant(name, report, module),
                    None => module.constants.push(ast::Constant { name, name_span, value }),
                }
            }
            _ => {}
        }
    }

    /// Python would let the last definition win, silently. What has several is refused where it is read, but for functions.
    fn check_definitions(&mut self, module: &mut ast::Module) {
        let mut firsts: BTreeMap<String, Span> = BTreeMap::new();
        let twice = |name: &str, span, first| {
            Report::error(code::DUPLICATE_DEFINITION, span, format!("`{name}` is defined twice"))
                .label("the second definition")
                .related(first, "the first definition")
                .help("give one of them another name; several types of one function are several export lines")
        };
        for function in &module.functions {
            let first = *firsts.entry(function.name.clone()).or_insert(function.name_span);
            if first != function.name_span {
                self.reports.push(twice(&function.name, function.name_span, first));
            }
        }
        for constant in &module.constants {
            let first = *firsts.entry(constant.name.clone()).or_insert(constant.name_span);
            if first != constant.name_span {
                let (first, second) = (first.min(constant.name_span), first.max(constant.name_span));
                let report = twice(&constant.name, second, first);
                module.left.push(ast::Left { name: constant.name.clone(), report });
            }
        }
        module.constants.retain(|c| !module.left.iter().any(|left| left.name == c.name));
        for function in &mut module.functions {
            let other = module.left.iter().find(|left| left.name == function.name);
            other.into_iter().for_each(|left| function.refused.push(left.report.clone()));
        }
    }

    /// Reports a construct outside the subset.
    fn refuse(&mut self, code: numptx_source::Code, span: Span, what: &str, help: &str) {
        let report = Report::error(code, span, format!("{what} is outside the Python that numptx compiles"));
        self.reports.push(report.label("not compiled").help(help));
    }

    /// Whether the tree is too deep to go on; reports it once at a place.
    fn is_too_deep(&mut self, span: Span) -> bool {
        if self.depth < MAX_DEPTH {
            return false;
        }
        self.reports.push(
            Report::error(
                code::TOO_DEEPLY_NESTED,
                span,
                format!("more than {MAX_DEPTH} operations inside one another"),
            )
            .label("the limit is reached here")
            .help("name intermediate results: `t = a + b` and then `t + c`"),
        );
        true
    }

    /// The first line of a statement.
    fn first_line(&self, statement: &python::Stmt) -> Span {
        self.line_of(span_of(python::Ranged::range(statement)))
    }

    /// The part of a span on its first line.
    fn line_of(&self, span: Span) -> Span {
        let line = self.source.slice(span).lines().next().unwrap_or("").trim_end();
        Span::new(span.start, span.start + line.len() as u32)
    }
}

fn is_string(expr: &python::Expr) -> bool {
    string_value(expr).is_some()
}

fn string_value(expr: &python::Expr) -> Option<String> {
    match expr {
        python::Expr::Constant(python::ExprConstant { value: python::Constant::Str(text), .. }) => Some(text.clone()),
        _ => None,
    }
}

/// `NAME = value`, or `A, B = 1, 2`
fn is_constant(target: &python::Expr, value: &python::Expr) -> bool {
    match (target, value) {
        (python::Expr::Name(_), _) => true,
        (python::Expr::Tuple(names), python::Expr::Tuple(values)) => {
            names.elts.len() == values.elts.len() && names.elts.iter().zip(&values.elts).all(|(n, v)| is_constant(n, v))
        }
        _ => false,
    }
}

/// `TYPE_CHECKING` or `typing.TYPE_CHECKING`
fn is_type_checking(test: &python::Expr) -> bool {
    match test {
        python::Expr::Name(name) => name.id.as_str() == "TYPE_CHECKING",
        python::Expr::Attribute(attribute) => attribute.attr.as_str() == "TYPE_CHECKING",
        _ => false,
    }
}

/// `__name__ == "__main__"`
fn is_main_guard(test: &python::Expr) -> bool {
    let python::Expr::Compare(compare) = test else { return false };
    let is_name = |e: &python::Expr| matches!(e, python::Expr::Name(n) if n.id.as_str() == "__name__");
    let is_main = |e: &python::Expr| string_value(e).is_some_and(|s| s == "__main__");
    match compare.comparators.as_slice() {
        [right] if compare.ops == [python::CmpOp::Eq] => {
            (is_name(&compare.left) && is_main(right)) || (is_main(&compare.left) && is_name(right))
        }
        _ => false,
    }
}
