//! Python's statements → the module of the accepted subset, and what lies outside it by name.
//!
//! In: what the parser read. Out: the module without its exports, the annotations of its functions,
//! and reports. A report found in a function's body is kept at the function; the module's own go to
//! the file's reports. It does not resolve names, except that `np.newaxis` is read as `None`.

mod errstate;
mod expression;
mod function;
pub(crate) mod import;
mod independence;
mod scoped;
mod statement;

use std::collections::{BTreeSet, HashMap};

use numptx_source::{Report, Reports, Source, Span, code};

use crate::ast;
use crate::parse::{Parsed, python, span_of};

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
}

/// The outcome of [`convert`].
pub(crate) struct Converted {
    /// Everything but the exports.
    pub module: ast::Module,
    /// Annotated functions.
    pub annotations: Vec<FunctionAnnotations>,
}

/// What is known while a tree is converted.
pub(crate) struct Converter<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
    /// Names that stand for the module `numpy`.
    numpy: BTreeSet<String>,
    /// Names that stand for `numpy.newaxis`.
    new_axis: BTreeSet<String>,
    reports: Reports,
    /// See [`ast::Module::independent`].
    independent: Vec<Span>,
    /// The comments that made them so, by number.
    heard: Vec<usize>,
    depth: usize,
    /// Loops of the present function around the present statement.
    n_loops: usize,
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
        reports: Reports::new(),
        independent: Vec::new(),
        heard: Vec::new(),
        depth: 0,
        n_loops: 0,
        in_comprehension: false,
    };
    let mut converted = Converted { module: ast::Module::default(), annotations: Vec::new() };
    for statement in &parsed.statements {
        converter.import_statement(statement, &mut converted.module);
    }
    for import in &converted.module.imports {
        match import.path.as_str() {
            "numpy" => converter.numpy.insert(import.alias.clone()),
            "numpy.newaxis" => converter.new_axis.insert(import.alias.clone()),
            _ => false,
        };
    }
    for (i, statement) in parsed.statements.iter().enumerate() {
        converter.module_statement(statement, i == 0, &mut converted);
    }
    converter.check_definitions(&converted.module);
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
            python::Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.constant(target, &assign.value, &mut out.module);
                }
            }
            python::Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.constant(&assign.target, value, &mut out.module);
                }
            }
            python::Stmt::Expr(text) if is_string(&text.value) => {
                if is_first {
                    out.module.docstring = string_value(&text.value);
                }
            }
            python::Stmt::If(branch) if is_main_guard(&branch.test) && branch.orelse.is_empty() => {}
            other => self.refuse_module_statement(other),
        }
    }

    fn constant(&mut self, target: &python::Expr, value: &python::Expr, module: &mut ast::Module) {
        match (target, value) {
            (python::Expr::Name(name), value) => {
                let value = self.expression(value);
                let name_span = span_of(name.range);
                module.constants.push(ast::Constant { name: name.id.to_string(), name_span, value });
            }
            (python::Expr::Tuple(names), python::Expr::Tuple(values)) if names.elts.len() == values.elts.len() => {
                for (name, value) in names.elts.iter().zip(&values.elts) {
                    self.constant(name, value, module);
                }
            }
            (target, _) => self.refuse(
                code::UNSUPPORTED_MODULE_STATEMENT,
                span_of(python::Ranged::range(target)),
                "a module-level assignment to something other than a name",
                "write `NAME = value`, or assign inside a function",
            ),
        }
    }

    fn refuse_module_statement(&mut self, statement: &python::Stmt) {
        if let Some((what, help)) = statement::outside_everywhere(statement) {
            let span = self.first_line(statement);
            return self.refuse(code::UNSUPPORTED_MODULE_STATEMENT, span, what, help);
        }
        let what = match statement {
            python::Stmt::AugAssign(_) => "a module-level augmented assignment",
            python::Stmt::For(_) | python::Stmt::While(_) => "a module-level loop",
            python::Stmt::If(_) => "a module-level `if`",
            python::Stmt::Expr(_) => "a module-level expression",
            python::Stmt::Assert(_) => "a module-level `assert`",
            python::Stmt::Raise(_) => "a module-level `raise`",
            _ => "this module-level statement",
        };
        let help = "move it into a function, or under `if __name__ == \"__main__\":`, which is left to Python";
        self.refuse(code::UNSUPPORTED_MODULE_STATEMENT, self.first_line(statement), what, help);
    }

    /// Python would let the last definition win, silently.
    fn check_definitions(&mut self, module: &ast::Module) {
        let constants = module.constants.iter().map(|c| (&c.name, c.name_span));
        let functions = module.functions.iter().map(|f| (&f.name, f.name_span));
        let mut all: Vec<(&String, Span)> = constants.chain(functions).collect();
        all.sort_by_key(|(_, span)| *span);
        let mut firsts = HashMap::new();
        for (name, span) in &all {
            let first = firsts.entry(name).or_insert(span);
            if *first != span {
                self.reports.push(
                    Report::error(code::DUPLICATE_DEFINITION, *span, format!("`{name}` is defined twice"))
                        .label("the second definition")
                        .related(**first, "the first definition")
                        .help("give one of them another name; several types of one function are several export lines"),
                );
            }
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
