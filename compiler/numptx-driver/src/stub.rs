//! The typed stub `NAME.pyi` of a compiled module.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::signature::{ElementType, ObjectType, Parameter, ParameterType, ResultType, Signature};

use crate::unexported::Unexported;

/// What a parameter that takes arrays takes besides NumPy's: arrays of numptx and of libraries that share their memory.
const PRODUCER: &str = "ArrayProducer";
const NUMPTX_ARRAY: &str = "numptx.Array";

/// The stub's text. Overloads become `@overload`s. Functions that are not exported are Python's, where their source is there.
pub fn stub(module: &Module, unexported: &Unexported) -> String {
    let signatures = signatures(module);
    let names_arrays = signatures.iter().any(|s| s.parameters.iter().any(|p| has_array(&p.ty)));
    let mut text = unexported.inputs_line().unwrap_or_default();
    let at = text.len();
    text.push_str(
        "from typing import Any, Literal, overload\n\nimport numpy as np\nfrom numpy.typing import NDArray\n",
    );
    let classes = classes_of(&signatures);
    if !classes.is_empty() {
        text.insert_str(at, &format!("from collections import {}\n", classes.join(", ")));
    }
    if names_arrays {
        text.push_str("\nimport numptx\nfrom numptx.typing import ArrayProducer\n");
    }
    let is_private = |name: &str| name.starts_with("__");
    for (name, ty) in unexported.constants.iter().filter(|(name, _)| !is_private(name)) {
        text.push_str(&format!("\n{name}: {ty}\n"));
    }
    for global in &module.globals {
        text.push_str(&format!("\n{}: {}\n", global.name, python_scalar(global.dtype)));
    }
    let mut names: Vec<&str> = Vec::new();
    for signature in &signatures {
        if !names.contains(&signature.function.as_str()) {
            names.push(&signature.function);
        }
    }
    for name in names {
        let own: Vec<&Signature> = signatures.iter().copied().filter(|s| s.function == name).collect();
        let definitions = definitions(&own);
        for definition in &definitions {
            text.push_str(if definitions.len() > 1 { "\n@overload\n" } else { "\n" });
            text.push_str(&definition.text(name));
        }
    }
    for (name, _) in unexported.functions.iter().filter(|(name, _)| !is_private(name)) {
        text.push_str(&format!("\ndef {name}(*arguments: Any, **keywords: Any) -> Any: ...\n"));
    }
    text
}

/// The classes of `collections` that results are.
fn classes_of(signatures: &[&Signature]) -> Vec<&'static str> {
    let results: Vec<String> = signatures.iter().map(|s| result_type(&s.result, Family::NumPy)).collect();
    let is_named = |name: &&str| results.iter().any(|result| result.contains(&format!("{name}[")));
    ["Counter", "defaultdict", "deque"].into_iter().filter(is_named).collect()
}

/// Which arrays a definition is for: results are of the arguments' family.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    NumPy,
    Numptx,
    /// Mixed, or of another library: the result's type is not known from the arguments'.
    Any,
}

/// A function's types for arguments of one family.
struct Definition {
    parameters: Vec<(String, String)>,
    /// How many of them, the first ones, may be given by position.
    n_by_position: usize,
    result: String,
}

impl Definition {
    fn of(signature: &Signature, family: Family) -> Definition {
        let parameter = |p: &Parameter| (p.name.to_string(), parameter_type(&p.ty, family));
        let result = match family {
            Family::Any if has_array_result(&signature.result) => "Any".to_string(),
            family => result_type(&signature.result, family),
        };
        let n_by_position = signature.parameters.iter().take_while(|p| !p.by_name).count();
        let shown = signature.parameters.iter().filter(|p| !p.is_hidden());
        Definition { parameters: shown.map(parameter).collect(), n_by_position, result }
    }

    fn text(&self, name: &str) -> String {
        let mut parameters: Vec<String> = self.parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        if self.n_by_position < parameters.len() {
            parameters.insert(self.n_by_position, "*".to_string());
        }
        format!("def {name}({}) -> {}: ...\n", parameters.join(", "), self.result)
    }

    /// Whether every call that fits the other fits this one, as type checkers see it.
    fn covers(&self, other: &Definition) -> bool {
        let pairs = || self.parameters.iter().zip(&other.parameters);
        self.parameters.len() == other.parameters.len()
            && pairs().all(|((own_name, own), (name, ty))| own_name == name && is_within(ty, own))
    }
}

/// A function's definitions, the narrower before the wider: type checkers take the first that fits, and complain of those that are never taken.
fn definitions(signatures: &[&Signature]) -> Vec<Definition> {
    let mut definitions: Vec<Definition> = Vec::new();
    for family in [Family::NumPy, Family::Numptx, Family::Any] {
        for signature in signatures {
            let takes_arrays = signature.parameters.iter().any(|p| has_array(&p.ty));
            let gives_arrays = has_array_result(&signature.result);
            let is_wanted = match family {
                Family::NumPy => !takes_arrays || gives_arrays,
                Family::Numptx => takes_arrays && gives_arrays,
                Family::Any => takes_arrays,
            };
            if is_wanted {
                add(&mut definitions, Definition::of(signature, family));
            }
        }
    }
    definitions
}

/// Adds a definition where it is found by those who mean it; of two for the same types the result is either's.
fn add(definitions: &mut Vec<Definition>, added: Definition) {
    let Some(at) = definitions.iter().position(|known| known.covers(&added)) else {
        definitions.push(added);
        return;
    };
    let known = &mut definitions[at];
    if known.result == added.result || known.result == "Any" {
        return;
    }
    if added.covers(known) {
        known.result = "Any".to_string();
    } else {
        definitions.insert(at, added);
    }
}

/// Whether all members of a union are members of another one, or narrower: an int is taken for a float.
fn is_within(inner: &str, outer: &str) -> bool {
    const SCALARS: [&str; 4] = ["bool", "int", "float", "complex"];
    let rank = |ty: &str| SCALARS.iter().position(|scalar| *scalar == ty);
    let fits = |inner: &str, outer: &str| {
        let is_lower = rank(inner).is_some_and(|inner| rank(outer).is_some_and(|outer| inner < outer));
        inner == outer || is_lower || (inner.starts_with("Literal[") && outer == "str")
    };
    inner.split(" | ").all(|inner| outer.split(" | ").any(|outer| fits(inner, outer)))
}

fn has_array(ty: &ParameterType) -> bool {
    match ty {
        ParameterType::Array { .. } => true,
        ParameterType::Tuple(members) | ParameterType::Record(_, members) => members.iter().any(has_array),
        _ => false,
    }
}

/// Whether a result is an array where the arguments are numptx's: results without axes are.
fn has_array_result(ty: &ResultType) -> bool {
    match ty {
        ResultType::Array { .. } | ResultType::DeviceScalar(_) => true,
        ResultType::Tuple(members)
        | ResultType::List(members)
        | ResultType::OneOf(members)
        | ResultType::Record(_, members) => members.iter().any(has_array_result),
        _ => false,
    }
}

/// One signature per overload, in order.
pub fn signatures(module: &Module) -> Vec<&Signature> {
    let mut signatures: Vec<&Signature> = Vec::new();
    for function in module.functions.iter().filter(|f| !f.is_routine) {
        let signature = &function.signature;
        if !signatures.iter().any(|s| s.function == signature.function && s.text == signature.text) {
            signatures.push(signature);
        }
    }
    signatures
}

fn parameter_type(ty: &ParameterType, family: Family) -> String {
    match ty {
        ParameterType::Scalar { dtype, python: true } => python_scalar(*dtype).to_string(),
        ParameterType::Scalar { dtype, python: false } => {
            format!("{} | {}", python_scalar(*dtype), numpy_scalar(*dtype))
        }
        ParameterType::Array { dtype, .. } => match family {
            Family::NumPy => numpy_array(*dtype),
            Family::Numptx => NUMPTX_ARRAY.to_string(),
            Family::Any => format!("{} | {PRODUCER}", numpy_array(*dtype)),
        },
        ParameterType::Tuple(members) => tuple(members.iter().map(|member| parameter_type(member, family))),
        ParameterType::None => "None".to_string(),
        ParameterType::Str(Some(text)) => format!("Literal[{}]", python_string(text)),
        ParameterType::Str(None) => "str".to_string(),
        ParameterType::Object(object) => object_type(object),
        // What class it is says its name in the module, where it is no type to a checker.
        ParameterType::Record(..) => "Any".to_string(),
    }
}

fn object_type(ty: &ObjectType) -> String {
    match ty {
        ObjectType::List(member) => format!("list[{}]", element_type(member)),
        ObjectType::Set(member) => format!("set[{}]", element_type(member)),
        ObjectType::Dictionary(key, value) => format!("dict[{}, {}]", element_type(key), element_type(value)),
        ObjectType::Text => "str".to_string(),
        ObjectType::Generator => "np.random.Generator".to_string(),
        ObjectType::RandomState | ObjectType::GlobalRandom => "np.random.RandomState".to_string(),
        ObjectType::Tuple(member) => format!("tuple[{}, ...]", element_type(member)),
        ObjectType::Deque(member) => format!("deque[{}]", element_type(member)),
        ObjectType::Counter(key, _) => format!("Counter[{}]", element_type(key)),
        ObjectType::Default(_, key, value) => format!("defaultdict[{}, {}]", element_type(key), element_type(value)),
    }
}

fn element_type(ty: &ElementType) -> String {
    match ty {
        ElementType::Scalar { dtype, python: true } => python_scalar(*dtype).to_string(),
        ElementType::Scalar { dtype, python: false } => numpy_scalar(*dtype),
        ElementType::None => "None".to_string(),
        ElementType::Array { dtype, .. } => numpy_array(*dtype),
        ElementType::Tuple(members) => tuple(members.iter().map(element_type)),
        ElementType::Record(..) => "Any".to_string(),
        ElementType::Object(object) => object_type(object),
    }
}

/// A string literal, with escapes that Python and JSON share.
fn python_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn result_type(ty: &ResultType, family: Family) -> String {
    match ty {
        ResultType::Array { .. } | ResultType::DeviceScalar(_) if family == Family::Numptx => NUMPTX_ARRAY.to_string(),
        ResultType::None => "None".to_string(),
        ResultType::PythonScalar(dtype) => python_scalar(*dtype).to_string(),
        ResultType::NumpyScalar(dtype) | ResultType::DeviceScalar(dtype) => numpy_scalar(*dtype),
        ResultType::Array { dtype, .. } => numpy_array(*dtype),
        ResultType::Tuple(members) => tuple(members.iter().map(|member| result_type(member, family))),
        ResultType::List(members) => list(members.iter().map(|member| result_type(member, family))),
        ResultType::Object(object) => object_type(object),
        ResultType::OneOf(members) => union(members.iter().map(|member| result_type(member, family))),
        ResultType::Record(..) => "Any".to_string(),
    }
}

/// Members of different types are a union.
fn list(members: impl Iterator<Item = String>) -> String {
    let types = union(members);
    if types.is_empty() { "list[object]".to_string() } else { format!("list[{types}]") }
}

/// Each type once.
fn union(types: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    types.for_each(|ty| {
        if !all.contains(&ty) {
            all.push(ty);
        }
    });
    all.join(" | ")
}

fn tuple(members: impl Iterator<Item = String>) -> String {
    let members: Vec<String> = members.collect();
    if members.is_empty() { "tuple[()]".to_string() } else { format!("tuple[{}]", members.join(", ")) }
}

fn python_scalar(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        d if d.is_complex() => "complex",
        d if d.is_float() => "float",
        _ => "int",
    }
}

fn numpy_array(dtype: DType) -> String {
    format!("NDArray[{}]", numpy_scalar(dtype))
}

fn numpy_scalar(dtype: DType) -> String {
    match dtype {
        DType::Bool => "np.bool_".to_string(),
        dtype => format!("np.{}", dtype.name()),
    }
}
