//! Type hints as Python has them: `np.ndarray[tuple[int, int], np.dtype[np.float32]]`, `Optional[int]`, `Float[np.ndarray, "n m"]`.
//!
//! In: the expression of an annotation. Out: the types that it stands for, or why it stands for none. Names count by their last part, so that
//! `npt.NDArray` and `NDArray` are the same.

use std::collections::BTreeSet;

use numptx_source::{Report, Span, code};

use super::lexer::tokens_within;
use super::{grammar, names};
use crate::ast::{ArraySpec, ExtentSpec, ScalarName, TypeSpec};
use crate::parse::{self, python, span_of};

/// What an annotation stands for.
#[derive(Clone, Debug)]
pub(crate) enum Hint {
    /// Any of these types.
    Types(Vec<TypeSpec>),
    /// An array of which it does not say how many axes it has, or of what; how to say it.
    Incomplete(Report),
    /// A mistake in what is meant to be a type.
    Wrong(Report),
    /// A type that no parameter of compiled code has.
    Foreign(Report),
}

impl Hint {
    /// The same, about another place.
    pub fn at(self, span: Span) -> Hint {
        match self {
            Hint::Types(types) => Hint::Types(types),
            Hint::Incomplete(report) => Hint::Incomplete(Report { span, ..report }),
            Hint::Wrong(report) => Hint::Wrong(Report { span, ..report }),
            Hint::Foreign(report) => Hint::Foreign(Report { span, ..report }),
        }
    }
}

/// Hints inside one another.
const MAX_DEPTH: usize = 16;

/// What an expression stands for; `records`: the names of classes of records.
pub(crate) fn of(expr: &python::Expr, records: &BTreeSet<String>) -> Hint {
    Reader { records }.types(expr, 0).map_or_else(|hint| *hint, Hint::Types)
}

/// What a text stands for that begins at `offset` of the file.
pub(crate) fn of_text(text: &str, offset: u32, records: &BTreeSet<String>) -> Option<Hint> {
    parse::expression(text, offset).map(|expr| of(&expr, records))
}

/// Whether types name a record that is none of these.
pub(crate) fn names_other_record(types: &[TypeSpec], records: &BTreeSet<String>) -> bool {
    types.iter().any(|ty| match ty {
        TypeSpec::Record(name) | TypeSpec::Records(name, _) => !records.contains(name),
        TypeSpec::Tuple(members) => names_other_record(members, records),
        TypeSpec::List(member) | TypeSpec::Set(member) => names_other_record(std::slice::from_ref(member), records),
        TypeSpec::Dictionary(key, value) => {
            [key, value].into_iter().any(|ty| names_other_record(std::slice::from_ref(ty), records))
        }
        TypeSpec::Scalar(_)
        | TypeSpec::Array(_)
        | TypeSpec::Str
        | TypeSpec::None
        | TypeSpec::Generator
        | TypeSpec::RandomState => false,
    })
}

impl Hint {
    /// The same, where a class of records that is none of these is no type.
    pub(crate) fn of_records(self, records: &BTreeSet<String>, span: Span) -> Hint {
        match self {
            Hint::Types(types) if names_other_record(&types, records) => *foreign("this class", span),
            other => other,
        }
    }
}

/// The type of a field of a structured dtype that is written as a string: `"f8"`, `"<i4"`, `"float64"`.
pub(crate) fn of_code(code: &str) -> Option<TypeSpec> {
    let bare = code.trim_start_matches(['<', '=', '|']);
    let name = match bare {
        "?" | "b1" => "bool",
        "i1" | "b" => "int8",
        "i2" | "h" => "int16",
        "i4" | "i" => "int32",
        "i8" | "q" | "l" => "int64",
        "u1" | "B" => "uint8",
        "u2" | "H" => "uint16",
        "u4" | "I" => "uint32",
        "u8" | "Q" | "L" => "uint64",
        "f2" | "e" => "float16",
        "f4" | "f" => "float32",
        "f8" | "d" => "float64",
        "c8" | "F" => "complex64",
        "c16" | "D" => "complex128",
        name => name,
    };
    names::scalar(name).map(TypeSpec::Scalar)
}

/// A type as that of an array's elements: NumPy's number for Python's. `None` of anything but numbers.
pub(crate) fn as_element(ty: &TypeSpec) -> Option<TypeSpec> {
    match ty {
        TypeSpec::Scalar(scalar) => Some(TypeSpec::Scalar(names::element(*scalar))),
        _ => None,
    }
}

struct Reader<'a> {
    records: &'a BTreeSet<String>,
}

type Types = Result<Vec<TypeSpec>, Box<Hint>>;

impl Reader<'_> {
    fn types(&self, expr: &python::Expr, depth: usize) -> Types {
        let span = span_of(python::Ranged::range(expr));
        if depth > MAX_DEPTH {
            return Err(foreign("this type", span));
        }
        match expr {
            python::Expr::Constant(constant) => match &constant.value {
                python::Constant::None => Ok(vec![TypeSpec::None]),
                python::Constant::Str(text) => self.written(text, span),
                _ => Err(foreign("this value", span)),
            },
            python::Expr::BinOp(or) if or.op == python::Operator::BitOr => {
                Ok([self.types(&or.left, depth + 1)?, self.types(&or.right, depth + 1)?].concat())
            }
            python::Expr::Name(_) | python::Expr::Attribute(_) => self.named(&dotted(expr), span),
            python::Expr::Subscript(generic) => {
                let arguments = match &*generic.slice {
                    python::Expr::Tuple(all) => all.elts.as_slice(),
                    one => std::slice::from_ref(one),
                };
                self.of_generic(&dotted(&generic.value), arguments, span, depth)
            }
            _ => Err(foreign("this annotation", span)),
        }
    }

    /// A string in a hint: a type as it is written in an export line, or a hint.
    fn written(&self, text: &str, span: Span) -> Types {
        let parsed = grammar::annotation(&tokens_within(text, span), span, self.records);
        match parsed {
            Ok(parameter) => Ok(parameter.alternatives),
            Err(report) if names::starts_with_a_type(text) => Err(Box::new(Hint::Wrong(*report))),
            Err(_) => match of_text(text, span.start, self.records) {
                Some(Hint::Types(types)) => Ok(types),
                Some(hint) => Err(Box::new(hint.at(span))),
                None => Err(foreign("this annotation", span)),
            },
        }
    }

    fn named(&self, name: &str, span: Span) -> Types {
        if let Some(scalar) = scalar(name) {
            return Ok(vec![TypeSpec::Scalar(scalar)]);
        }
        if self.records.contains(name) {
            return Ok(vec![TypeSpec::Record(name.to_owned())]);
        }
        if let Some(generator) =
            grammar::generator(name.strip_suffix(last(name)).map_or(name, |module| {
                if module.is_empty() || module.ends_with("random.") { last(name) } else { name }
            }))
        {
            return Ok(vec![generator]);
        }
        match last(name) {
            "str" => Ok(vec![TypeSpec::Str]),
            "None" | "NoneType" => Ok(vec![TypeSpec::None]),
            "ndarray" | "NDArray" | "ArrayLike" | "Array" => Err(incomplete(name, span)),
            bare if names::is_misspelt(bare) || names::is_refused_dtype(name) => {
                Err(Box::new(Hint::Wrong(names::unknown(name, span))))
            }
            _ => Err(foreign(&format!("`{name}`"), span)),
        }
    }

    fn of_generic(&self, name: &str, arguments: &[python::Expr], span: Span, depth: usize) -> Types {
        let all = |arguments: &[python::Expr]| {
            let alternatives: Vec<Vec<TypeSpec>> =
                arguments.iter().map(|a| self.types(a, depth + 1)).collect::<Result<_, _>>()?;
            Ok::<_, Box<Hint>>(alternatives)
        };
        match (last(name), arguments) {
            ("Optional", [inner]) => Ok([self.types(inner, depth + 1)?, vec![TypeSpec::None]].concat()),
            ("Union", _) => Ok(all(arguments)?.concat()),
            ("Final" | "ClassVar", [inner]) => self.types(inner, depth + 1),
            ("Literal", _) => literals(arguments, span),
            ("tuple" | "Tuple", _) if !arguments.iter().any(is_ellipsis) => {
                let mut tuples: Vec<Vec<TypeSpec>> = vec![Vec::new()];
                for alternatives in all(arguments)? {
                    let longer = tuples
                        .iter()
                        .flat_map(|head| alternatives.iter().map(|ty| [&head[..], std::slice::from_ref(ty)].concat()));
                    tuples = longer.collect();
                    if tuples.len() > grammar::MAX_OVERLOADS {
                        return Err(Box::new(Hint::Wrong(*grammar::too_many(span, tuples.len()))));
                    }
                }
                Ok(tuples.into_iter().map(TypeSpec::Tuple).collect())
            }
            ("ndarray", [shape, dtype]) => {
                let extents = shape_of(shape).ok_or_else(|| incomplete(name, span))?;
                let dtype = dtype_of(dtype).ok_or_else(|| incomplete(name, span))?;
                Ok(vec![array(dtype, extents)])
            }
            ("ndarray" | "NDArray" | "ArrayLike" | "Array", _) => Err(incomplete(name, span)),
            ("Annotated", [inner, rest @ ..]) => match self.types(inner, depth + 1) {
                // What stands behind it may say what it leaves open.
                Err(hint) if matches!(*hint, Hint::Incomplete(_)) => {
                    rest.iter().find_map(|e| self.types(e, depth + 1).ok()).ok_or(hint)
                }
                types => types,
            },
            (kind, [_, python::Expr::Constant(dims)]) => match (&dims.value, of_jaxtyping(kind)) {
                (python::Constant::Str(dims), Some(dtype)) => {
                    let extents = extents_of(dims).ok_or_else(|| incomplete(name, span))?;
                    Ok(vec![array(dtype.ok_or_else(|| incomplete(name, span))?, extents)])
                }
                _ => Err(foreign(&format!("`{name}[…]`"), span)),
            },
            _ => Err(foreign(&format!("`{name}[…]`"), span)),
        }
    }
}

/// `a.b.c`; empty for anything else.
fn dotted(expr: &python::Expr) -> String {
    match expr {
        python::Expr::Name(name) => name.id.to_string(),
        python::Expr::Attribute(attribute) => format!("{}.{}", dotted(&attribute.value), attribute.attr),
        _ => String::new(),
    }
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// A scalar type; `np.float64`, also of NumPy by another name.
fn scalar(name: &str) -> Option<ScalarName> {
    match name.rsplit_once('.') {
        Some((module, own)) if !module.contains('.') => {
            names::scalar(own).filter(|_| !matches!(own, "int" | "float" | "complex" | "bool"))
        }
        Some(_) => None,
        None => names::scalar(name),
    }
}

fn array(dtype: ScalarName, extents: Vec<ExtentSpec>) -> TypeSpec {
    TypeSpec::Array(ArraySpec { dtype: names::element(dtype), extents, order: None })
}

fn is_ellipsis(expr: &python::Expr) -> bool {
    matches!(expr, python::Expr::Constant(constant) if constant.value == python::Constant::Ellipsis)
}

/// `Literal["a", "b"]` is a string, `Literal[1, 2]` an int.
fn literals(values: &[python::Expr], span: Span) -> Types {
    let mut types: Vec<TypeSpec> = Vec::new();
    for value in values {
        let python::Expr::Constant(constant) = value else { return Err(foreign("this value", span)) };
        let ty = match &constant.value {
            python::Constant::Str(_) => TypeSpec::Str,
            python::Constant::Int(_) => TypeSpec::Scalar(ScalarName::PyInt),
            python::Constant::Bool(_) => TypeSpec::Scalar(ScalarName::PyBool),
            python::Constant::None => TypeSpec::None,
            _ => return Err(foreign("this value", span)),
        };
        if !types.contains(&ty) {
            types.push(ty);
        }
    }
    Ok(types)
}

/// `tuple[int, int]`, `tuple[Literal[3], int]`
fn shape_of(shape: &python::Expr) -> Option<Vec<ExtentSpec>> {
    let python::Expr::Subscript(generic) = shape else { return None };
    let members = match &*generic.slice {
        python::Expr::Tuple(all) => all.elts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let extent = |member: &python::Expr| match member {
        member if is_ellipsis(member) => None,
        python::Expr::Subscript(literal) if last(&dotted(&literal.value)) == "Literal" => match &*literal.slice {
            python::Expr::Constant(python::ExprConstant { value: python::Constant::Int(n), .. }) => {
                parse::integer(n).and_then(|n| i64::try_from(n).ok()).filter(|n| *n > 0).map(ExtentSpec::Fixed)
            }
            _ => None,
        },
        _ => Some(ExtentSpec::Any),
    };
    let is_tuple = matches!(last(&dotted(&generic.value)), "tuple" | "Tuple");
    members.iter().map(extent).collect::<Option<Vec<_>>>().filter(|extents| is_tuple && !extents.is_empty())
}

/// `np.dtype[np.float32]`
fn dtype_of(dtype: &python::Expr) -> Option<ScalarName> {
    let python::Expr::Subscript(generic) = dtype else { return None };
    scalar(&dotted(&generic.slice)).filter(|_| last(&dotted(&generic.value)) == "dtype")
}

/// The dtype of a name of jaxtyping's: `Float` is `float64`, as `float[:]` is; `Some(None)` where it leaves it open.
fn of_jaxtyping(kind: &str) -> Option<Option<ScalarName>> {
    const WIDTHS: [&str; 4] = ["Float", "Int", "UInt", "Complex"];
    Some(match kind {
        "Float" => Some(ScalarName::Float64),
        "Int" | "Integer" => Some(ScalarName::Int64),
        "UInt" => Some(ScalarName::UInt64),
        "Complex" => Some(ScalarName::Complex128),
        "Bool" => Some(ScalarName::Bool),
        "Num" | "Shaped" | "Inexact" | "Real" | "Key" => None,
        kind if WIDTHS.iter().any(|w| kind.strip_prefix(w).is_some_and(|n| n.parse::<u32>().is_ok())) => {
            Some(names::scalar(&kind.to_lowercase())?)
        }
        _ => return None,
    })
}

/// The axes of `"n m"`, `"3 n"`; `None` where their number is open: `"... n"`, `"*batch n"`.
fn extents_of(dims: &str) -> Option<Vec<ExtentSpec>> {
    let extent = |dim: &str| match dim.rsplit('=').next().unwrap_or(dim).parse() {
        _ if dim.contains("...") || dim.trim_start_matches('#').starts_with('*') => None,
        Ok(n) if n > 0 => Some(ExtentSpec::Fixed(n)),
        _ => Some(ExtentSpec::Any),
    };
    dims.split_whitespace().map(extent).collect::<Option<Vec<_>>>().filter(|extents| !extents.is_empty())
}

fn incomplete(name: &str, span: Span) -> Box<Hint> {
    let message = format!("`{name}` does not say how many axes an array has, and of which dtype");
    let report = Report::error(code::EXPORT_SYNTAX, span, message).label("no rank");
    let help = "write `\"float64[:, :]\"`, `np.ndarray[tuple[int, int], np.dtype[np.float64]]`, or a line `#numptx export f(float64[:, :])` above the function";
    Box::new(Hint::Incomplete(report.help(help)))
}

fn foreign(what: &str, span: Span) -> Box<Hint> {
    let message = format!("{what} is no type of a compiled function's parameter");
    let help = "write a type such as `float`, `int` or `\"float64[:]\"`, or a line `#numptx export f(float64[:], int)` above the function";
    Box::new(Hint::Foreign(Report::error(code::UNKNOWN_DTYPE, span, message).label("not a type here").help(help)))
}
