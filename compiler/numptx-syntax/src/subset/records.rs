//! Classes whose instances are their fields: `typing.NamedTuple`, `collections.namedtuple`, `@dataclass`, and structured dtypes.
//!
//! In: a class or an assignment at module level. Out: a constant of the module, whose value is the class; or a name that is left to Python, with
//! what of the class is outside the subset.

use std::collections::BTreeSet;
use std::sync::Arc;

use numptx_source::{Report, Span, code};

use super::function::split_docstring;
use super::{Converter, string_value};
use crate::ast::{self, ExprKind, Field, Method, Parameter, Record, RecordKind};
use crate::parse::{python, span_of};
use crate::signature::annotation::hint_of;
use crate::signature::hint::{self, Hint};

/// Why a class is none of records: what it has, where, and what to do.
type Refusal = (Span, String, &'static str);

/// What a default is where each instance has its own.
const PLAIN: &str = "write a class of fields, `class P(NamedTuple): x: float`, and functions that take its instances";

impl Converter<'_> {
    /// The names at module level that look like those of classes of records.
    pub(super) fn names_of_records(&self, statements: &[python::Stmt]) -> BTreeSet<String> {
        let name = |statement: &python::Stmt| match statement {
            python::Stmt::ClassDef(class) if self.is_record(class) => Some(class.name.to_string()),
            python::Stmt::Assign(assign) => match (assign.targets.as_slice(), &*assign.value) {
                ([python::Expr::Name(name)], python::Expr::Call(call)) if self.makes_records(call) => {
                    Some(name.id.to_string())
                }
                _ => None,
            },
            _ => None,
        };
        statements.iter().filter_map(name).collect()
    }

    fn is_record(&self, class: &python::StmtClassDef) -> bool {
        class.bases.iter().any(|base| self.is_named_tuple(base)) || self.dataclass_of(class).is_some()
    }

    fn is_named_tuple(&self, base: &python::Expr) -> bool {
        self.path_of(base).is_some_and(|p| matches!(p.as_str(), "typing.NamedTuple" | "typing_extensions.NamedTuple"))
    }

    /// The decorator that makes a class a dataclass.
    fn dataclass_of<'c>(&self, class: &'c python::StmtClassDef) -> Option<&'c python::Expr> {
        class.decorator_list.iter().find(|decorator| {
            let function = if let python::Expr::Call(call) = decorator { &*call.func } else { *decorator };
            self.path_of(function).is_some_and(|path| path == "dataclasses.dataclass")
        })
    }

    /// Whether a call makes a class of records or a structured dtype.
    pub(super) fn makes_records(&self, call: &python::ExprCall) -> bool {
        match self.path_of(&call.func).as_deref() {
            Some("collections.namedtuple" | "typing.NamedTuple" | "typing_extensions.NamedTuple") => true,
            Some("numpy.dtype") => matches!(call.args.first(), Some(python::Expr::List(_))),
            _ => false,
        }
    }

    /// A class at module level.
    pub(super) fn class(&mut self, class: &python::StmtClassDef, statement: &python::Stmt, module: &mut ast::Module) {
        if !self.is_record(class) {
            return self.leave(statement, module);
        }
        match self.record(class) {
            Ok(record) => self.bind_record(class.name.as_str(), record, module),
            Err(refusal) => {
                self.leave(statement, module);
                let left = module.left.iter_mut().find(|left| left.name == class.name.as_str());
                left.into_iter().for_each(|left| left.report = outside(class.name.as_str(), refusal.clone()));
            }
        }
    }

    /// `P = namedtuple("P", "x y")`, `T = np.dtype([("x", np.float64)])`.
    pub(super) fn class_of_call(&mut self, name: &python::ExprName, call: &python::ExprCall, module: &mut ast::Module) {
        let (name, span) = (name.id.as_str(), span_of(name.range));
        let is_structure = self.path_of(&call.func).is_some_and(|path| path == "numpy.dtype");
        let made = if is_structure { self.structure(name, call) } else { self.named_tuple(call) };
        match made {
            Ok(record) => self.bind_record(name, Record { span, ..record }, module),
            Err(refusal) => {
                let report = outside(name, refusal);
                self.left_out.statements.push(self.line_of(report.span));
                module.left.push(ast::Left { name: name.to_owned(), report });
            }
        }
    }

    fn bind_record(&mut self, name: &str, record: Record, module: &mut ast::Module) {
        let span = record.span;
        let value = ast::Expr { kind: ExprKind::Record(Arc::new(record)), span };
        module.constants.push(ast::Constant { name: name.to_owned(), name_span: span, value });
    }

    fn record(&mut self, class: &python::StmtClassDef) -> Result<Record, Refusal> {
        let span = self.name_of_class(class);
        let kind = match self.dataclass_of(class) {
            None => RecordKind::NamedTuple,
            Some(decorator) => self.kind_of_dataclass(decorator)?,
        };
        let other = class.decorator_list.iter().find(|decorator| !self.is_its_decorator(kind, decorator));
        if let Some(decorator) = other {
            let at = self.line_of(span_of(python::Ranged::range(decorator)));
            return Err((at, "another decorator".to_owned(), "leave the decorator out"));
        }
        let base = class.bases.iter().find(|base| kind != RecordKind::NamedTuple || !self.is_named_tuple(base));
        if let Some(base) = base.map(python::Ranged::range).or(class.keywords.first().map(|keyword| keyword.range)) {
            let help = "write all fields in one class, or give one class a field of the other: `base: Base`";
            return Err((span_of(base), "a base class".to_owned(), help));
        }
        if !class.type_params.is_empty() {
            return Err((span, "type parameters".to_owned(), "write one class for each type"));
        }
        let (mut fields, mut methods) = (Vec::new(), Vec::new());
        let (_, body) = split_docstring(&class.body);
        for statement in body {
            match statement {
                python::Stmt::Pass(_) => {}
                python::Stmt::Expr(value) if is_ellipsis(&value.value) => {}
                python::Stmt::AnnAssign(assign) => fields.push(self.field(assign, kind)?),
                python::Stmt::FunctionDef(def) => methods.push(self.method(def)?),
                other => {
                    let at = self.first_line(other);
                    let help = "write what the class holds as annotated fields, and other names at module level";
                    return Err((at, "a statement that is neither a field nor a method".to_owned(), help));
                }
            }
        }
        let record = Record { name: class.name.to_string(), span, kind, fields, methods };
        checked(record)
    }

    fn is_its_decorator(&self, kind: RecordKind, decorator: &python::Expr) -> bool {
        let function = if let python::Expr::Call(call) = decorator { &*call.func } else { decorator };
        kind != RecordKind::NamedTuple && self.path_of(function).is_some_and(|path| path == "dataclasses.dataclass")
    }

    fn kind_of_dataclass(&self, decorator: &python::Expr) -> Result<RecordKind, Refusal> {
        let (mut frozen, mut ordered, mut named) = (false, false, false);
        let python::Expr::Call(call) = decorator else {
            return Ok(RecordKind::DataClass { frozen, ordered, named });
        };
        for keyword in &call.keywords {
            let name = keyword.arg.as_ref().map_or("**", |name| name.as_str());
            match (name, bool_of(&keyword.value)) {
                ("frozen", Some(value)) => frozen = value,
                ("order", Some(value)) => ordered = value,
                ("kw_only", Some(value)) => named = value,
                ("init" | "eq" | "repr", Some(true)) => {}
                ("slots" | "match_args" | "unsafe_hash" | "weakref_slot", Some(_)) => {}
                _ => {
                    let help = "of its options compiled code has `frozen`, `order`, `kw_only` and `slots`: `@dataclass(frozen=True)`";
                    return Err((span_of(keyword.range), format!("the option `{name}` of `dataclass`"), help));
                }
            }
        }
        Ok(RecordKind::DataClass { frozen, ordered, named })
    }

    fn field(&mut self, assign: &python::StmtAnnAssign, kind: RecordKind) -> Result<Field, Refusal> {
        let python::Expr::Name(name) = &*assign.target else {
            return Err((self.line_of(span_of(assign.range)), "an assignment".to_owned(), PLAIN));
        };
        let at = self.line_of(span_of(assign.range));
        let hint = self.source.slice(span_of(python::Ranged::range(&*assign.annotation)));
        if ["ClassVar", "InitVar", "KW_ONLY"].iter().any(|special| hint.contains(special)) {
            return Err((
                at,
                format!("a field of `{hint}`"),
                "write it as a constant of the module, or as a parameter",
            ));
        }
        let (default, is_made) = match assign.value.as_deref() {
            None => (None, false),
            Some(python::Expr::Call(call))
                if kind != RecordKind::NamedTuple
                    && self.path_of(&call.func).as_deref() == Some("dataclasses.field") =>
            {
                self.described_field(call)?
            }
            Some(value) => (Some(self.default(value)?), false),
        };
        let types = self.types_said(&assign.annotation);
        Ok(Field { name: name.id.to_string(), span: span_of(name.range), types, default, is_made, is_assigned: false })
    }

    /// The types that a field's hint stands for.
    fn types_said(&self, hint: &python::Expr) -> Vec<ast::TypeSpec> {
        types_of(hint_of(&self.annotation(hint), &self.records))
    }

    /// `field(default=0.0)`, `field(default_factory=list)`
    fn described_field(&mut self, call: &python::ExprCall) -> Result<(Option<ast::Expr>, bool), Refusal> {
        let (mut default, mut is_made) = (None, false);
        for keyword in &call.keywords {
            let value = &keyword.value;
            match keyword.arg.as_ref().map_or("**", |name| name.as_str()) {
                "default" => default = Some(self.default(value)?),
                "default_factory" => {
                    let function = Box::new(self.default(value)?);
                    let kind = ExprKind::Call { function, arguments: Vec::new(), keywords: Vec::new() };
                    (default, is_made) = (Some(ast::Expr { kind, span: span_of(keyword.range) }), true);
                }
                "repr" | "compare" | "init" | "hash" if bool_of(value) == Some(true) => {}
                name => {
                    let help = "of its options compiled code has `default` and `default_factory`";
                    return Err((span_of(keyword.range), format!("the option `{name}` of `field`"), help));
                }
            }
        }
        Ok((default, is_made))
    }

    /// A default, or what of it is outside the subset.
    fn default(&mut self, value: &python::Expr) -> Result<ast::Expr, Refusal> {
        let reports = std::mem::take(&mut self.reports);
        let value = self.expression(value);
        let own = std::mem::replace(&mut self.reports, reports);
        match own.iter().next() {
            None => Ok(value),
            Some(_) => {
                let help = "write a number, a string or `None` as a default, and pass anything else";
                Err((value.span, "a default that is outside the subset".to_owned(), help))
            }
        }
    }

    fn method(&mut self, def: &python::StmtFunctionDef) -> Result<Method, Refusal> {
        let at = self.parsed.definition_name(span_of(def.range).start).unwrap_or(self.line_of(span_of(def.range)));
        let name = def.name.as_str();
        if name.starts_with("__") {
            let help = match name {
                "__post_init__" | "__init__" | "__new__" => {
                    "compute it in a function that makes the instance: `def made(x): return P(x, 2.0 * x)`"
                }
                _ => "write a function with a name of its own: `def added(p, q): return P(p.x + q.x, p.y + q.y)`",
            };
            return Err((at, format!("`{name}`"), help));
        }
        let is_property = match def.decorator_list.as_slice() {
            [] => false,
            [python::Expr::Name(decorator)] if decorator.id.as_str() == "property" => true,
            [decorator, ..] => {
                let at = self.line_of(span_of(python::Ranged::range(decorator)));
                let help = "write a function at module level; methods may have `@property`, and no other decorator";
                return Err((at, "a method with a decorator".to_owned(), help));
            }
        };
        let reports = std::mem::take(&mut self.reports);
        let plain = python::StmtFunctionDef { decorator_list: Vec::new(), ..def.clone() };
        let mut function = self.local_function(&plain);
        let refused = std::mem::replace(&mut self.reports, reports);
        Arc::make_mut(&mut function).refused = refused;
        let takes_self = |p: &&Parameter| matches!(p.kind, ast::ParameterKind::Any | ast::ParameterKind::Positional);
        match function.parameters.first().filter(takes_self) {
            Some(_) => Ok(Method { function, is_property }),
            None => Err((at, "a method without a first parameter".to_owned(), "write `self` as its first parameter")),
        }
    }

    /// `namedtuple("P", "x y", defaults=(0.0,))`, `NamedTuple("P", [("x", float)])`
    fn named_tuple(&mut self, call: &python::ExprCall) -> Result<Record, Refusal> {
        let whole = self.line_of(span_of(call.range));
        let help = "write its fields: `P = namedtuple(\"P\", [\"x\", \"y\"])`";
        let odd = || (whole, "fields that are not written out".to_owned(), help);
        let [name, given] = call.args.as_slice() else { return Err(odd()) };
        let name = string_value(name).ok_or_else(odd)?;
        let mut fields = Vec::new();
        let mut add = |name: &str, span, types| {
            fields.push(Field {
                name: name.to_owned(),
                span,
                types,
                default: None,
                is_made: false,
                is_assigned: false,
            });
        };
        match given {
            python::Expr::List(python::ExprList { elts, .. }) | python::Expr::Tuple(python::ExprTuple { elts, .. }) => {
                for member in elts {
                    let span = span_of(python::Ranged::range(member));
                    match member {
                        python::Expr::Tuple(pair) if pair.elts.len() == 2 => {
                            let name = string_value(&pair.elts[0]).ok_or_else(odd)?;
                            add(&name, span, self.types_said(&pair.elts[1]));
                        }
                        member => add(&string_value(member).ok_or_else(odd)?, span, Vec::new()),
                    }
                }
            }
            given => {
                let (text, span) = (string_value(given).ok_or_else(odd)?, span_of(python::Ranged::range(given)));
                text.split([',', ' ', '\t', '\n']).filter(|n| !n.is_empty()).for_each(|n| add(n, span, Vec::new()));
            }
        }
        for keyword in &call.keywords {
            let values = match &keyword.value {
                python::Expr::Tuple(all) => Some(all.elts.as_slice()),
                python::Expr::List(all) => Some(all.elts.as_slice()),
                _ => None,
            };
            match (keyword.arg.as_ref().map_or("**", |name| name.as_str()), values) {
                ("defaults", Some(values)) if values.len() <= fields.len() => {
                    let first = fields.len() - values.len();
                    for (field, value) in fields[first..].iter_mut().zip(values) {
                        field.default = Some(self.default(value)?);
                    }
                }
                ("module", _) => {}
                (name, _) => {
                    let what = format!("the option `{name}` of `namedtuple`");
                    return Err((span_of(keyword.range), what, "of its options compiled code has `defaults`"));
                }
            }
        }
        checked(Record { name, span: whole, kind: RecordKind::NamedTuple, fields, methods: Vec::new() })
    }

    /// `np.dtype([("x", np.float64), ("n", "i4")])`
    fn structure(&mut self, name: &str, call: &python::ExprCall) -> Result<Record, Refusal> {
        let help = "write the name and the type of each field: `np.dtype([(\"x\", np.float64), (\"n\", np.int32)], align=True)`";
        let mut fields = Vec::new();
        let (whole, name) = (self.line_of(span_of(call.range)), name.to_owned());
        let members = if let Some(python::Expr::List(list)) = call.args.first() { list.elts.as_slice() } else { &[] };
        for member in members {
            let span = self.line_of(span_of(python::Ranged::range(member)));
            let odd = || (span, "a field that is no name and type".to_owned(), help);
            let python::Expr::Tuple(pair) = member else { return Err(odd()) };
            let [name, ty] = pair.elts.as_slice() else { return Err(odd()) };
            let name = string_value(name).ok_or_else(odd)?;
            let types = match string_value(ty) {
                Some(code) => hint::of_code(&code).into_iter().collect(),
                None => types_of(hint::of(ty, &self.records)),
            };
            let [ty] = types.as_slice() else { return Err(odd()) };
            let ty = hint::as_element(ty).ok_or_else(odd)?;
            fields.push(Field { name, span, types: vec![ty], default: None, is_made: false, is_assigned: false });
        }
        let option = call.keywords.iter().find(|keyword| keyword.arg.as_ref().is_none_or(|name| name != "align"));
        if let Some(keyword) = option {
            return Err((span_of(keyword.range), "an option".to_owned(), help));
        }
        if call.args.len() != 1 {
            return Err((whole, "an option".to_owned(), help));
        }
        checked(Record { name, span: whole, kind: RecordKind::Structure, fields, methods: Vec::new() })
    }

    fn name_of_class(&self, class: &python::StmtClassDef) -> Span {
        let span = span_of(class.range);
        let text = self.source.slice(span);
        let after = text.find("class").map_or(0, |at| at + "class".len());
        let at = text.get(after..).and_then(|rest| rest.find(class.name.as_str())).map(|at| after + at);
        match at {
            Some(at) => Span::new(span.start + at as u32, span.start + (at + class.name.as_str().len()) as u32),
            None => self.line_of(span),
        }
    }
}

/// A record without fields has nothing to be known by, and two of one name are a mistake that Python tells, too.
fn checked(record: Record) -> Result<Record, Refusal> {
    let mut names = BTreeSet::new();
    let own = record.fields.iter().map(|f| &f.name).chain(record.methods.iter().map(|m| &m.function.name));
    let is_odd = |name: &String| name.is_empty() || name.starts_with('_') && record.kind == RecordKind::NamedTuple;
    if record.fields.is_empty() {
        return Err((record.span, "no fields".to_owned(), PLAIN));
    }
    if own.into_iter().any(|name| is_odd(name) || !names.insert(name.clone())) {
        return Err((record.span, "a name twice, or one that Python does not take".to_owned(), PLAIN));
    }
    let first_default = record.fields.iter().position(|field| field.default.is_some()).unwrap_or(record.fields.len());
    let is_named = matches!(record.kind, RecordKind::DataClass { named: true, .. });
    if !is_named && let Some(field) = record.fields[first_default..].iter().find(|field| field.default.is_none()) {
        return Err((field.span, "a field without a default behind one with it".to_owned(), PLAIN));
    }
    Ok(record)
}

fn outside(name: &str, (span, what, help): Refusal) -> Report {
    let message = format!("`{name}` has {what}, which is outside the Python that numptx compiles");
    Report::error(code::UNSUPPORTED_MODULE_STATEMENT, span, message).label("left to Python").help(help)
}

fn types_of(hint: Hint) -> Vec<ast::TypeSpec> {
    match hint {
        Hint::Types(types) => types,
        _ => Vec::new(),
    }
}

fn is_ellipsis(expr: &python::Expr) -> bool {
    matches!(expr, python::Expr::Constant(constant) if constant.value == python::Constant::Ellipsis)
}

fn bool_of(expr: &python::Expr) -> Option<bool> {
    match expr {
        python::Expr::Constant(python::ExprConstant { value: python::Constant::Bool(value), .. }) => Some(*value),
        _ => None,
    }
}
