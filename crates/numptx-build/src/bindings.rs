//! The Rust text of a module's bindings: for each overload, one typed function over host views and one over the runtime's arrays.
//!
//! What no type says (fixed extents, memory order, the rank of arrays whose type leaves it open) is checked by the text of
//! `support.rs.txt`, which every module of bindings holds.

use std::path::Path;

use numptx_driver::Export;
use numptx_driver::ir::DType;
use numptx_driver::ir::signature::{MemoryOrder, ParameterType, ResultType};

use crate::names::{Names, identifier};

/// What every module of bindings shares.
const SUPPORT: &str = include_str!("support.rs.txt");

/// Lints that generated functions are free of: names and shapes of functions are the Python program's.
const ALLOWED: &str = "\
#[allow(clippy::needless_lifetimes, clippy::too_many_arguments, clippy::type_complexity)]
#[allow(clippy::unit_arg, clippy::unnecessary_cast, clippy::useless_conversion)]
#[allow(dead_code, non_snake_case, unused_mut)]";

/// The text of `NAME.rs`. Functions carry their Python names; further overloads get `_2`, `_3`, …; functions over the runtime's
/// arrays end in `_on_device`. `descriptor`: the symbol of the library's descriptor.
pub fn bindings(descriptor: &str, file: &Path, exports: &[Export]) -> String {
    let mut text = format!("// Made by numptx-build from {}.\n\n", file.display());
    text.push_str("pub use support::{Error, Returned};\n\n#[allow(dead_code)]\nmod support {\n");
    text.push_str(SUPPORT);
    text.push_str(&format!(
        "\n    unsafe extern \"C\" {{\n        #[link_name = \"{descriptor}\"]\n        static MODULE: abi::Module;\n    }}\n}}\n"
    ));
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
        for on_device in [false, true] {
            let name = names.function(&export.signature.function, overload, on_device);
            text.push_str(&Binding { export, name, at: (position, overload), on_device }.text());
        }
    }
    text
}

/// One generated function.
struct Binding<'a> {
    export: &'a Export,
    name: String,
    /// The function's and the overload's number in the library.
    at: (usize, usize),
    on_device: bool,
}

/// A result: its Rust type, and the expression that makes it of `results`.
type Made = (String, String);

impl Binding<'_> {
    fn text(&self) -> String {
        let mut leaves =
            Leaves { binding: self, names: Names::default(), parameters: Vec::new(), arguments: Vec::new() };
        for parameter in &self.export.signature.parameters {
            leaves.add(&parameter.name, &parameter.ty);
        }
        let mut n_results = 0;
        let (ty, value) = self.result(&self.export.signature.result, &mut n_results);
        let parameters = leaves.parameters.join(", ");
        let lifetime = if format!("{parameters}{ty}").contains("'a") { "<'a>" } else { "" };
        let result = match value.contains("&results") {
            true => format!(
                "// SAFETY: the results have the types of the overload, and each is taken once.\n    \
                 ::core::result::Result::Ok(unsafe {{ {value} }})"
            ),
            false => format!("::core::result::Result::Ok({value})"),
        };
        let (function, overload) = self.at;
        format!(
            "\n{}{ALLOWED}\npub fn {}{lifetime}({parameters}) -> ::core::result::Result<{ty}, Error> {{\n    \
             let arguments = [{}];\n    \
             let mut results: [_; {n_results}] = ::core::array::from_fn(|_| support::no_value());\n    \
             // SAFETY: the arguments have the types of the overload, and their memory is borrowed.\n    \
             unsafe {{ support::call(({function}, {overload}), &arguments, &mut results, {}) }}?;\n    \
             {result}\n}}\n",
            self.documentation(),
            self.name,
            leaves.arguments.join(", "),
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
        let mut leaf = |ty: String, make: &dyn Fn(usize) -> String| {
            *next += 1;
            (ty, make(*next - 1))
        };
        match ty {
            ResultType::None => ("()".into(), "()".into()),
            ResultType::PythonScalar(dtype) | ResultType::NumpyScalar(dtype) => {
                leaf(rust_type(*dtype).into(), &|n| scalar_result(*dtype, n))
            }
            ResultType::DeviceScalar(dtype) if !self.on_device => {
                leaf(rust_type(*dtype).into(), &|n| format!("support::element(&results[{n}])?"))
            }
            ResultType::Array { dtype, rank } if !self.on_device => {
                let ty = format!("Returned<'a, {}, {}>", rust_type(*dtype), dimension(*rank));
                leaf(ty, &|n| format!("support::returned(&results[{n}])?"))
            }
            ResultType::DeviceScalar(dtype) | ResultType::Array { dtype, .. } => {
                let ty = format!("::numptx_runtime::DeviceArray<{}>", rust_type(*dtype));
                leaf(ty, &|n| format!("::numptx_runtime::DeviceArray::from_value(&results[{n}])?"))
            }
            // Rust has no lists of different types: both are tuples.
            ResultType::Tuple(members) | ResultType::List(members) => {
                let made: Vec<Made> = members.iter().map(|m| self.result(m, next)).collect();
                let (types, values): (Vec<String>, Vec<String>) = made.into_iter().unzip();
                (tuple(&types), tuple(&values))
            }
        }
    }
}

fn tuple(members: &[String]) -> String {
    format!("({}{})", members.join(", "), if members.len() == 1 { "," } else { "" })
}

/// The leaves of a function's parameters, as Rust parameters and as ABI arguments.
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
                self.arguments.push(scalar_argument(*dtype, &name));
                self.parameters.push(format!("{name}: {}", rust_type(*dtype)));
            }
            ParameterType::Array { dtype, extents, order } => {
                let declared = declared(*dtype, extents, *order);
                let extents: Vec<String> = extents.iter().map(|e| e.unwrap_or(-1).to_string()).collect();
                let order = order.map_or(' ', |o| if o == MemoryOrder::C { 'C' } else { 'F' });
                let form = format!(
                    "support::Parameter {{ name: {name:?}, declared: {declared:?}, extents: &[{}], order: {order:?} }}",
                    extents.join(", ")
                );
                let name = self.names.unique(identifier(name));
                self.array(&name, &form, rust_type(*dtype), extents.len());
            }
            ParameterType::Tuple(members) => {
                members.iter().enumerate().for_each(|(n, member)| self.add(&format!("{name}_{n}"), member));
            }
            ParameterType::None | ParameterType::Str(_) => {}
        }
    }

    fn array(&mut self, name: &str, form: &str, element: &str, rank: usize) {
        let is_written = self.binding.export.written >> self.arguments.len() & 1 == 1;
        if self.binding.on_device {
            let reference = if is_written { "&mut " } else { "&" };
            self.parameters.push(format!("{name}: {reference}::numptx_runtime::DeviceArray<{element}>"));
            self.arguments.push(format!("support::device_array(&{form}, {name})?"));
        } else {
            let view = if is_written { "ArrayViewMut" } else { "ArrayView" };
            self.parameters.push(format!("{name}: ::ndarray::{view}<'a, {element}, {}>", dimension(rank)));
            let layout = format!("({name}.shape(), {name}.strides())");
            self.arguments.push(format!("support::host_array(&{form}, {name}.as_ptr(), {layout}, {})?", !is_written));
        }
    }
}

/// An array type as exports write it.
fn declared(dtype: DType, extents: &[Option<i64>], order: Option<MemoryOrder>) -> String {
    let extents: Vec<String> = extents.iter().map(|e| e.map_or(":".to_string(), |n| n.to_string())).collect();
    let order = order.map_or("", |o| if o == MemoryOrder::C { " order(C)" } else { " order(F)" });
    format!("{}[{}]{order}", dtype.name(), extents.join(", "))
}

fn rust_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::C64 => "[f32; 2]",
        DType::C128 => "[f64; 2]",
        other => other.short_name(),
    }
}

fn dimension(rank: usize) -> String {
    if rank <= 6 { format!("::ndarray::Ix{rank}") } else { "::ndarray::IxDyn".to_string() }
}

fn scalar_argument(dtype: DType, name: &str) -> String {
    let code = dtype.code();
    match dtype {
        DType::F32 | DType::F64 => format!("support::scalar({code}, u64::from({name}.to_bits()), 0)"),
        DType::C64 | DType::C128 => {
            format!("support::scalar({code}, u64::from({name}[0].to_bits()), u64::from({name}[1].to_bits()))")
        }
        DType::Bool => format!("support::scalar({code}, u64::from({name}), 0)"),
        _ => format!("support::scalar({code}, {name} as i64 as u64, 0)"),
    }
}

fn scalar_result(dtype: DType, n: usize) -> String {
    match dtype {
        DType::F32 => format!("f32::from_bits(results[{n}].bits[0] as u32)"),
        DType::F64 => format!("f64::from_bits(results[{n}].bits[0])"),
        DType::C64 => format!("results[{n}].bits.map(|b| f32::from_bits(b as u32))"),
        DType::C128 => format!("results[{n}].bits.map(f64::from_bits)"),
        DType::Bool => format!("results[{n}].bits[0] != 0"),
        other => format!("results[{n}].bits[0] as {}", other.short_name()),
    }
}
