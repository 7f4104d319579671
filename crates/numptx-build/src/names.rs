//! Python's names as Rust identifiers: no keyword, nothing that a generated function uses
//! itself, none twice.

use numptx_driver::ir::DType;
use numptx_driver::ir::signature::{MemoryOrder, Parameter, ParameterType};

/// Names that are taken in one scope.
#[derive(Debug, Default)]
pub struct Names(Vec<String>);

/// Keywords of Rust that Python allows as names, and names that would mean something else in generated functions.
const RESERVED: &[&str] = &[
    "_",
    "Err",
    "None",
    "Ok",
    "Self",
    "Some",
    "abstract",
    "arguments",
    "as",
    "async",
    "await",
    "become",
    "box",
    "const",
    "crate",
    "do",
    "dyn",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "gen",
    "impl",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "results",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "yield",
];

/// Python's name as a Rust identifier.
pub fn identifier(name: &str) -> String {
    if RESERVED.contains(&name) { format!("{name}_") } else { name.to_string() }
}

/// A generated function's name, and another one of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    /// The name of its types, where the other one is Python's.
    pub other: Option<String>,
}

impl Names {
    /// Names of Python functions: first overloads carry them, whatever others are called.
    pub fn taken<'n>(functions: impl Iterator<Item = &'n str>) -> Names {
        Names(functions.map(identifier).collect())
    }

    /// `name`, or with underscores where it is taken.
    pub fn unique(&mut self, mut name: String) -> String {
        while self.0.contains(&name) {
            name.push('_');
        }
        self.0.push(name.clone());
        name
    }

    /// The names of an overload's function over host views, or over the runtime's arrays. That of its types no other export line changes.
    pub fn function(&mut self, name: &str, types: &str, overload: usize, on_device: bool) -> Named {
        let place = if on_device { "_on_device" } else { "" };
        let typed = if types.is_empty() { name.to_string() } else { format!("{name}_{types}") };
        if overload > 0 {
            return Named { name: self.unique(format!("{typed}{place}")), other: None };
        }
        let first = if on_device { self.unique(format!("{name}{place}")) } else { identifier(name) };
        let other = (!types.is_empty()).then(|| self.unique(format!("{typed}{place}")));
        Named { name: first, other }
    }
}

/// The types of parameters as part of a name: `f32_2d_int` of `(float32[:,:], int)`.
pub fn type_names(parameters: &[Parameter]) -> String {
    let names: Vec<String> = parameters.iter().map(|parameter| type_name(&parameter.ty)).collect();
    names.join("_")
}

fn type_name(ty: &ParameterType) -> String {
    match ty {
        ParameterType::Scalar { dtype, python: true } => match dtype {
            DType::I64 => "int".to_string(),
            DType::F64 => "float".to_string(),
            DType::C128 => "complex".to_string(),
            other => other.short_name().to_string(),
        },
        ParameterType::Scalar { dtype, python: false } => dtype.short_name().to_string(),
        ParameterType::Array { dtype, extents, order } => {
            let axes = match extents.iter().any(Option::is_some) {
                true => {
                    extents.iter().map(|e| e.map_or("n".to_string(), |n| n.to_string())).collect::<Vec<_>>().join("x")
                }
                false => format!("{}d", extents.len()),
            };
            let order = match order {
                None => "",
                Some(MemoryOrder::C) => "_c",
                Some(MemoryOrder::F) => "_f",
            };
            format!("{}_{axes}{order}", dtype.short_name())
        }
        ParameterType::Tuple(members) => {
            let mut names = vec![format!("tuple{}", members.len())];
            names.extend(members.iter().map(type_name));
            names.join("_")
        }
        ParameterType::Record(record, _) => record.name.to_lowercase(),
        ParameterType::None => "none".to_string(),
        ParameterType::Str(None) => "str".to_string(),
        ParameterType::Object(_) => "object".to_string(),
        ParameterType::Str(Some(text)) => {
            let word: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            format!("str_{word}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_names_that_are_taken_get_underscores() {
        assert_eq!(identifier("type"), "type_");
        assert_eq!(identifier("x"), "x");
        let mut names = Names::default();
        assert_eq!(names.unique(identifier("type")), "type_");
        assert_eq!(names.unique(identifier("type_")), "type__");
    }

    fn named(name: &str, other: Option<&str>) -> Named {
        Named { name: name.to_string(), other: other.map(str::to_string) }
    }

    #[test]
    fn a_python_function_keeps_its_name_beside_overloads_of_another() {
        let mut names = Names::taken(["f", "f_f64", "f_on_device"].into_iter());
        assert_eq!(names.function("f", "int", 0, false), named("f", Some("f_int")));
        assert_eq!(names.function("f", "f64", 1, false), named("f_f64_", None));
        assert_eq!(names.function("f_f64", "", 0, false), named("f_f64", None));
        assert_eq!(names.function("f", "int", 0, true), named("f_on_device_", Some("f_int_on_device")));
        assert_eq!(names.function("f_on_device", "int", 0, false), named("f_on_device", Some("f_on_device_int")));
    }

    #[test]
    fn an_overload_has_the_name_of_its_types_wherever_its_line_stands() {
        for order in [["f32_2d", "f64_2d"], ["f64_2d", "f32_2d"]] {
            let mut names = Names::taken(["blur"].into_iter());
            let found: Vec<Named> = (0..2).map(|n| names.function("blur", order[n], n, false)).collect();
            let all: Vec<&str> =
                found.iter().flat_map(|n| [Some(n.name.as_str()), n.other.as_deref()]).flatten().collect();
            assert!(all.contains(&"blur_f32_2d") && all.contains(&"blur_f64_2d"), "{all:?}");
            assert_eq!(all[0], "blur");
        }
    }

    #[test]
    fn types_have_names_that_differ_where_the_types_do() {
        let array = |extents: &[Option<i64>], order| ParameterType::Array {
            dtype: DType::F32,
            extents: extents.to_vec(),
            order,
        };
        let scalar = |dtype, python| ParameterType::Scalar { dtype, python };
        assert_eq!(type_name(&array(&[None, None], None)), "f32_2d");
        assert_eq!(type_name(&array(&[None, Some(3)], Some(MemoryOrder::C))), "f32_nx3_c");
        assert_eq!(type_name(&scalar(DType::F64, true)), "float");
        assert_eq!(type_name(&scalar(DType::F64, false)), "f64");
        let pair = ParameterType::Tuple(vec![scalar(DType::Bool, true), ParameterType::None]);
        assert_eq!(type_name(&pair), "tuple2_bool_none");
        assert_eq!(type_name(&ParameterType::Str(Some("a-b".to_string()))), "str_a_b");
    }
}
