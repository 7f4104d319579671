//! The Rust text of a module's bindings: for each overload, one typed function over host views and one over the runtime's arrays.
//!
//! It holds no `unsafe`. `numptx_runtime::bindings!`, with which it begins, has what must stand beside `ndarray`; what no type says (fixed extents,
//! memory order, the rank of arrays whose type leaves it open) the runtime checks by the library's descriptor.

use std::path::Path;

use numptx_driver::Export;
use numptx_driver::ir::DType;
use numptx_driver::ir::signature::{ParameterType, ResultType};

use crate::names::{Names, identifier, type_names};

/// Lints that generated functions are free of: names and shapes of functions are the Python program's.
const ALLOWED: &str = "\
#[allow(clippy::needless_lifetimes, clippy::needless_question_mark, clippy::too_many_arguments, clippy::type_complexity)]
#[allow(dead_code, non_snake_case)]";

/// The text of `NAME.rs`. A function's first overload carries its Python name, and each overload one of its types; functions over the runtime's
/// arrays end in `_on_device`. `symbol`: the library's descriptor.
pub fn bindings(symbol: &str, file: &Path, exports: &[Export]) -> String {
    let mut text = format!("// Made by numptx-build from {}.\n\n", file.display());
    text.push_str(&format!("::numptx_runtime::bindings! {{ 1, {symbol:?} }}\n"));
    let mut functions: Vec<(&str, usize)> = Vec::new();
    for export in exports {
        let function = export.signature.function.as_str();
        if !functions.iter().any(|(f, _)| *f == function) {
            functions.push((function, 0));
        }
    }
    let mut names = Names::taken(functions.iter().map(|(f, _)| *f));
    for export in exports {
        let Some(position) = functions.iter().position(|(f, _)| *f == export.signature.function) else { continue };
        let overload = functions[position].1;
        functions[position].1 += 1;
        if export.signature.has_objects() {
            continue;
        }
        for on_device in [false, true] {
            let types = type_names(&export.signature.parameters);
            let named = names.function(&export.signature.function, &types, overload, on_device);
            text.push_str(&Binding::new(export, (position, overload), on_device).text(&named.name));
            if let Some(other) = named.other {
                let hidden = "#[doc(no_inline)]\n#[allow(unused_imports)]";
                text.push_str(&format!("\n{hidden}\npub use self::{} as {other};\n", named.name));
            }
        }
    }
    text
}

/// One generated function.
struct Binding<'a> {
    export: &'a Export,
    /// The function's and the overload's number in the library.
    at: (usize, usize),
    on_device: bool,
    /// Bit `k`: results may be views of argument leaf `k`, which they borrow.
    kept: u64,
}

/// A result: its Rust type, and the expression that takes it from `results`.
type Made = (String, String);

impl<'a> Binding<'a> {
    fn new(export: &'a Export, at: (usize, usize), on_device: bool) -> Binding<'a> {
        let mut arrays = Vec::new();
        array_results(&export.signature.result, on_device, &mut 0, &mut arrays);
        let of = |leaf: &usize| export.viewed.get(*leaf).copied().unwrap_or(0);
        let mut arguments = (0, 0);
        export.signature.parameters.iter().for_each(|p| array_arguments(&p.ty, &mut arguments));
        let kept = arrays.iter().map(of).fold(0, |kept, viewed| kept | viewed) & arguments.1;
        Binding { export, at, on_device, kept }
    }

    fn text(&self, name: &str) -> String {
        let mut leaves =
            Leaves { binding: self, names: Names::default(), parameters: Vec::new(), arguments: Vec::new() };
        for parameter in &self.export.signature.parameters {
            leaves.add(&parameter.name, &parameter.ty);
        }
        let mut n_results = 0;
        let (ty, value) = self.result(&self.export.signature.result, &mut n_results);
        let lifetime = if self.kept != 0 { "<'a>" } else { "" };
        let results = if n_results > 0 { "let mut results = " } else { "" };
        let (function, overload) = self.at;
        format!(
            "\n{}{ALLOWED}\npub fn {name}{lifetime}({}) -> ::core::result::Result<{ty}, ::numptx_runtime::Error> {{\n    \
             let arguments = [{}];\n    \
             {results}numptx_support::call::<{}, {n_results}>(({function}, {overload}), {}, arguments)?;\n    \
             ::core::result::Result::Ok({value})\n}}\n",
            self.documentation(),
            leaves.parameters.join(", "),
            leaves.arguments.join(", "),
            leaves.arguments.len(),
            self.on_device,
        )
    }

    /// The docstring's first line as prose and the rest as it stands; the signature; what errors mean.
    fn documentation(&self) -> String {
        let signature = &self.export.signature;
        let text: String =
            signature.docstring.as_deref().unwrap_or("").chars().filter(|c| *c == '\n' || !c.is_control()).collect();
        let mut lines = text.trim().lines();
        let mut doc = String::new();
        if let Some(first) = lines.next() {
            let first = first.replace('[', "\\[").replace('<', "\\<");
            doc.push_str(&format!("/// {first}\n///\n"));
        }
        let rest: Vec<&str> = lines.filter(|l| !l.contains("~~~~")).collect();
        if rest.iter().any(|l| !l.trim().is_empty()) {
            // Fenced: indented lines would be taken for Rust code, and compiled by `cargo test`.
            doc.push_str("/// ~~~~text\n");
            rest.iter().for_each(|line| doc.push_str(&format!("/// {}\n", line.trim_end())));
            doc.push_str("/// ~~~~\n///\n");
        }
        let place = if self.on_device { " It runs where its arrays live, and its results stay there." } else { "" };
        doc.push_str(&format!("/// Compiled from `{}`.{place}\n///\n", signature.text));
        doc.push_str("/// # Errors\n/// What the Python function raises, an array that the signature does not take, or a failure of the device.\n");
        doc
    }

    /// `results` are taken in order; `next` counts them.
    fn result(&self, ty: &ResultType, next: &mut usize) -> Made {
        let is_leaf = !matches!(
            ty,
            ResultType::None
                | ResultType::Tuple(_)
                | ResultType::List(_)
                | ResultType::Object(_)
                | ResultType::Record(..)
        );
        if is_leaf {
            *next += 1;
        }
        let is_view = self.export.viewed.get(next.wrapping_sub(1)).is_some_and(|viewed| viewed & self.kept != 0);
        match ty {
            ResultType::None | ResultType::Object(_) | ResultType::OneOf(_) => ("()".into(), "()".into()),
            ResultType::PythonScalar(dtype) | ResultType::NumpyScalar(dtype) => {
                (rust_type(*dtype).into(), "results.scalar()?".into())
            }
            ResultType::DeviceScalar(dtype) if !self.on_device => {
                (rust_type(*dtype).into(), "results.element()?".into())
            }
            ResultType::Array { dtype, rank } if !self.on_device => {
                let (element, rank) = (rust_type(*dtype), dimension(*rank));
                match is_view {
                    true => (format!("::ndarray::CowArray<'a, {element}, {rank}>"), support("cow(&mut results)?")),
                    false => (format!("::ndarray::Array<{element}, {rank}>"), support("owned(&mut results)?")),
                }
            }
            ResultType::DeviceScalar(dtype) | ResultType::Array { dtype, .. } => {
                let element = rust_type(*dtype);
                match is_view {
                    true => (format!("::numptx_runtime::DeviceCow<'a, {element}>"), "results.device_cow()?".into()),
                    false => (format!("::numptx_runtime::DeviceArray<{element}>"), "results.device_array()?".into()),
                }
            }
            // Rust has no lists of different types, and nothing of Python's classes: all are tuples.
            ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
                let made: Vec<Made> = members.iter().map(|m| self.result(m, next)).collect();
                let (types, values): (Vec<String>, Vec<String>) = made.into_iter().unzip();
                (tuple(&types), tuple(&values))
            }
        }
    }
}

/// Numbers of the result's leaves that a function gives as arrays.
fn array_results(ty: &ResultType, on_device: bool, next: &mut usize, found: &mut Vec<usize>) {
    match ty {
        ResultType::None | ResultType::Object(_) | ResultType::OneOf(_) => {}
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            members.iter().for_each(|member| array_results(member, on_device, next, found));
        }
        leaf => {
            let is_array = matches!(leaf, ResultType::Array { .. } | ResultType::DeviceScalar(_) if on_device)
                || matches!(leaf, ResultType::Array { .. });
            if is_array {
                found.push(*next);
            }
            *next += 1;
        }
    }
}

/// How many leaves parameters have, and which of them are arrays.
fn array_arguments(ty: &ParameterType, (next, arrays): &mut (u32, u64)) {
    match ty {
        ParameterType::Scalar { .. } => *next += 1,
        ParameterType::Array { .. } => {
            *arrays |= 1u64.checked_shl(*next).unwrap_or(0);
            *next += 1;
        }
        ParameterType::Tuple(members) | ParameterType::Record(_, members) => {
            let mut inner = (*next, *arrays);
            members.iter().for_each(|member| array_arguments(member, &mut inner));
            (*next, *arrays) = inner;
        }
        ParameterType::None | ParameterType::Str(_) | ParameterType::Object(_) => {}
    }
}

fn tuple(members: &[String]) -> String {
    format!("({}{})", members.join(", "), if members.len() == 1 { "," } else { "" })
}

fn support(call: &str) -> String {
    format!("numptx_support::{call}")
}

/// The leaves of a function's parameters, as Rust parameters and as arguments of the call.
struct Leaves<'a> {
    binding: &'a Binding<'a>,
    names: Names,
    parameters: Vec<String>,
    arguments: Vec<String>,
}

impl Leaves<'_> {
    fn add(&mut self, name: &str, ty: &ParameterType) {
        match ty {
            ParameterType::Scalar { dtype, .. } => {
                let name = self.names.unique(identifier(name));
                self.arguments.push(support(&format!("CallArgument::scalar({name})")));
                self.parameters.push(format!("{name}: {}", rust_type(*dtype)));
            }
            ParameterType::Array { dtype, extents, .. } => {
                let name = self.names.unique(identifier(name));
                self.array(&name, rust_type(*dtype), extents.len());
            }
            ParameterType::Tuple(members) | ParameterType::Record(_, members) => {
                members.iter().enumerate().for_each(|(n, member)| self.add(&format!("{name}_{n}"), member));
            }
            ParameterType::None | ParameterType::Str(_) | ParameterType::Object(_) => {}
        }
    }

    fn array(&mut self, name: &str, element: &str, rank: usize) {
        let is = |bits: u64| bits >> self.arguments.len() & 1 == 1;
        let (is_written, is_kept) = (is(self.binding.export.written), is(self.binding.kept));
        let kept = if is_kept { ".kept()" } else { "" };
        if self.binding.on_device {
            let lifetime = if is_kept { "'a " } else { "" };
            let (ty, make) = match is_written {
                true => ("mut ::numptx_runtime::DeviceArray", "written_array"),
                false => ("::numptx_runtime::DeviceArrayRef", "array"),
            };
            self.parameters.push(format!("{name}: &{lifetime}{ty}<{element}>"));
            self.arguments.push(support(&format!("CallArgument::{make}({name}){kept}")));
        } else {
            let lifetime = if is_kept { "'a" } else { "'_" };
            let (view, make) = if is_written { ("ArrayViewMut", "written") } else { ("ArrayView", "read") };
            self.parameters.push(format!("{name}: ::ndarray::{view}<{lifetime}, {element}, {}>", dimension(rank)));
            self.arguments.push(support(&format!("{make}({name})?{kept}")));
        }
    }
}

fn rust_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::F16 => "::numptx_runtime::Float16",
        DType::C64 => "::numptx_runtime::Complex<f32>",
        DType::C128 => "::numptx_runtime::Complex<f64>",
        other => other.short_name(),
    }
}

fn dimension(rank: usize) -> String {
    if rank <= 6 { format!("::ndarray::Ix{rank}") } else { "::ndarray::IxDyn".to_string() }
}
