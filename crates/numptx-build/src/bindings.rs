//! The Rust text of a module's bindings: one typed function an overload, for host views and for device arrays.

use std::path::Path;

use numptx_driver::Export;
use numptx_driver::ir::DType;
use numptx_driver::ir::signature::{ParameterType, ResultType};

/// What every module of bindings shares.
const SUPPORT: &str = include_str!("support.rs.txt");

/// The text of `NAME.rs`. Functions carry their Python names; further overloads get `_2`, `_3`, ….
pub fn bindings(name: &str, file: &Path, exports: &[Export]) -> String {
    let mut text = format!("// Made by numptx-build from {}.\n\n{SUPPORT}\n", file.display());
    text.push_str("unsafe extern \"C\" {\n");
    text.push_str(&format!("    #[link_name = \"numptx_module_{name}\"]\n    static MODULE: abi::Module;\n}}\n"));
    let mut functions: Vec<(&str, usize)> = Vec::new();
    for export in exports {
        let function = export.signature.function.as_str();
        let position = functions.iter().position(|(f, _)| *f == function).unwrap_or_else(|| {
            functions.push((function, 0));
            functions.len() - 1
        });
        let overload = functions[position].1;
        functions[position].1 += 1;
        text.push_str(&host_function(export, position, overload));
        text.push_str(&device_function(export, position, overload));
    }
    text
}

/// The leaves of a function's parameters, as Rust parameters and as ABI arguments.
struct Leaves<'a> {
    export: &'a Export,
    on_device: bool,
    parameters: Vec<String>,
    arguments: Vec<String>,
}

impl Leaves<'_> {
    fn of(export: &Export, on_device: bool) -> Leaves<'_> {
        let mut leaves = Leaves { export, on_device, parameters: Vec::new(), arguments: Vec::new() };
        for parameter in &export.signature.parameters {
            leaves.add(&identifier(&parameter.name), &parameter.ty);
        }
        leaves
    }

    fn add(&mut self, name: &str, ty: &ParameterType) {
        match ty {
            ParameterType::Scalar { dtype, .. } => {
                self.parameters.push(format!("{name}: {}", rust_type(*dtype)));
                self.arguments.push(scalar_argument(*dtype, name));
            }
            ParameterType::Array { dtype, extents, .. } if self.on_device => {
                self.parameters.push(format!("{name}: &DeviceArray<{}>", rust_type(*dtype)));
                let rank = extents.len();
                self.arguments.push(format!("device_argument({name}, {rank})?"));
            }
            ParameterType::Array { dtype, extents, .. } => {
                let written = self.export.written >> self.arguments.len() & 1 == 1;
                let view = if written { "ArrayViewMut" } else { "ArrayView" };
                let (element, dimension) = (rust_type(*dtype), dimension(extents.len()));
                self.parameters.push(format!("{name}: ndarray::{view}<'a, {element}, {dimension}>"));
                let read_only = !written;
                self.arguments.push(format!("argument({name}.as_ptr(), {name}.shape(), {name}.strides(), {read_only})"));
            }
            ParameterType::Tuple(members) => {
                members.iter().enumerate().for_each(|(n, member)| self.add(&format!("{name}_{n}"), member));
            }
            ParameterType::None | ParameterType::Str(_) => {}
        }
    }
}

fn host_function(export: &Export, position: usize, overload: usize) -> String {
    let leaves = Leaves::of(export, false);
    let mut next = 0;
    let (ty, value) = result(&export.signature.result, &mut next, false);
    function(export, &leaves, "", (position, overload, next), (&ty, &value))
}

fn device_function(export: &Export, position: usize, overload: usize) -> String {
    let leaves = Leaves::of(export, true);
    let mut next = 0;
    let (ty, value) = result(&export.signature.result, &mut next, true);
    function(export, &leaves, "_on_device", (position, overload, next), (&ty, &value))
}

fn function(
    export: &Export,
    leaves: &Leaves,
    suffix: &str,
    (position, overload, n_results): (usize, usize, usize),
    (ty, value): (&str, &str),
) -> String {
    let number = if overload == 0 { String::new() } else { format!("_{}", overload + 1) };
    let name = identifier(&format!("{}{number}{suffix}", export.signature.function));
    let on_device = leaves.on_device;
    let doc = export.signature.docstring.as_deref().unwrap_or("").lines().map(|l| format!("/// {l}\n")).collect::<String>();
    format!(
        "\n{doc}///\n/// Compiled from `{}`.\n#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::unit_arg, unused_mut, dead_code)]\n\
         pub fn {name}<'a>({}) -> Result<{ty}, Error> {{\n    let arguments = [{}];\n    \
         let mut results: [abi::Value; {n_results}] = std::array::from_fn(|_| no_value());\n    \
         call({position}, {overload}, &arguments, &mut results, {on_device})?;\n    \
         // SAFETY: the results have the types that the overload declares; what they may view is borrowed for `'a`.\n    \
         Ok({value})\n}}\n",
        export.signature.text,
        leaves.parameters.join(", "),
        leaves.arguments.join(", "),
    )
}

/// The Rust type of a result, and the expression that makes it of `results`.
fn result(result_type: &ResultType, next: &mut usize, on_device: bool) -> (String, String) {
    let mut leaf = |ty: String, make: &dyn Fn(usize) -> String| {
        *next += 1;
        (ty, make(*next - 1))
    };
    match result_type {
        ResultType::None => ("()".into(), "()".into()),
        ResultType::PythonScalar(dtype) | ResultType::NumpyScalar(dtype) => {
            leaf(rust_type(*dtype).into(), &|n| scalar_result(*dtype, n))
        }
        ResultType::DeviceScalar(dtype) if !on_device => {
            leaf(rust_type(*dtype).into(), &|n| format!("unsafe {{ element(&results[{n}]) }}?"))
        }
        ResultType::Array { dtype, rank } if !on_device => {
            let ty = format!("Returned<'a, {}, {}>", rust_type(*dtype), dimension(*rank));
            leaf(ty, &|n| format!("unsafe {{ returned(&results[{n}]) }}?"))
        }
        ResultType::DeviceScalar(dtype) | ResultType::Array { dtype, .. } => {
            let ty = format!("DeviceArray<{}>", rust_type(*dtype));
            leaf(ty, &|n| format!("unsafe {{ DeviceArray::from_value(&results[{n}]) }}?"))
        }
        ResultType::Tuple(members) => {
            let (types, values): (Vec<String>, Vec<String>) = members.iter().map(|m| result(m, next, on_device)).unzip();
            let close = |list: &[String]| format!("({}{})", list.join(", "), if list.len() == 1 { "," } else { "" });
            (close(&types), close(&values))
        }
    }
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
    if rank <= 6 { format!("ndarray::Ix{rank}") } else { "ndarray::IxDyn".to_string() }
}

fn scalar_argument(dtype: DType, name: &str) -> String {
    let code = dtype.code();
    match dtype {
        DType::F32 | DType::F64 => format!("scalar({code}, u64::from({name}.to_bits()), 0)"),
        DType::C64 | DType::C128 => {
            format!("scalar({code}, u64::from({name}[0].to_bits()), u64::from({name}[1].to_bits()))")
        }
        DType::Bool => format!("scalar({code}, u64::from({name}), 0)"),
        _ => format!("scalar({code}, {name} as i64 as u64, 0)"),
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

/// Python's name as a Rust identifier.
fn identifier(name: &str) -> String {
    const RESERVED: &[&str] = &[
        "as", "async", "await", "box", "const", "crate", "dyn", "enum", "extern", "fn", "impl", "let", "loop", "match", "mod", "move",
        "mut", "priv", "pub", "ref", "self", "static", "struct", "super", "trait", "type", "unsafe", "use", "where", "arguments",
        "results",
    ];
    if RESERVED.contains(&name) { format!("{name}_") } else { name.to_string() }
}
