//! The C header `NAME.h` of a compiled module: the types of the interface, once, and one typed function an overload.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::signature::{ParameterType, ResultType, Signature};

use crate::stub::signatures;

/// Types and functions that all headers share, guarded.
const COMMON: &str = include_str!("numptx.h");

/// The header's text. Functions are `NAME_function`, and `NAME_function_2`, … for further overloads.
pub fn header(module: &Module) -> String {
    let name = &module.name;
    let guard = format!("{}_H", name.to_uppercase());
    let mut text = format!("/* Made by numptx from the module `{name}`. Link with {name}.so and libnumptx_runtime.so. */\n");
    text.push_str(&format!("#ifndef {guard}\n#define {guard}\n\n{COMMON}\n"));
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    text.push_str(&format!("extern const numptx_module numptx_module_{name};\n"));
    let mut functions: Vec<(&str, usize)> = Vec::new();
    for signature in signatures(module) {
        let position = functions.iter().position(|(f, _)| *f == signature.function).unwrap_or_else(|| {
            functions.push((&signature.function, 0));
            functions.len() - 1
        });
        let overload = functions[position].1;
        functions[position].1 += 1;
        text.push_str(&function(name, signature, position, overload));
    }
    text.push_str(&format!("\n#ifdef __cplusplus\n}}\n#endif\n#endif /* {guard} */\n"));
    text
}

fn function(module: &str, signature: &Signature, position: usize, overload: usize) -> String {
    let suffix = if overload == 0 { String::new() } else { format!("_{}", overload + 1) };
    let mut leaves = Leaves { parameters: Vec::new(), arguments: Vec::new() };
    for parameter in &signature.parameters {
        leaves.add(&parameter.name, &parameter.ty);
    }
    let n_results = result_leaves(&signature.result);
    let mut parameters = leaves.parameters;
    if n_results > 0 {
        parameters.push(format!("numptx_value results[{n_results}]"));
    }
    parameters.extend(["const numptx_options *options".to_string(), "numptx_error *error".to_string()]);
    let arguments = match leaves.arguments.as_slice() {
        [] => "    const numptx_argument *arguments = NULL;\n".to_string(),
        list => format!("    const numptx_argument arguments[] = {{\n        {},\n    }};\n", list.join(",\n        ")),
    };
    let results = if n_results > 0 { "results" } else { "NULL" };
    format!(
        "\n/* {}; returns 0, or an error's kind. `options` may be null. */\nstatic inline int32_t {module}_{}{suffix}({}) {{\n\
         {arguments}    return numptx_invoke(&numptx_module_{module}, {position}, {overload}, arguments, {results}, options, error);\n}}\n",
        comment(&signature.text),
        signature.function,
        parameters.join(", "),
    )
}

/// Text that ends no comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// The C parameters of a function and the ABI arguments made of them.
struct Leaves {
    parameters: Vec<String>,
    arguments: Vec<String>,
}

impl Leaves {
    fn add(&mut self, name: &str, ty: &ParameterType) {
        let name = match name {
            "results" | "options" | "error" | "arguments" => format!("{name}_"),
            name if C_KEYWORDS.contains(&name) => format!("{name}_"),
            name => name.to_string(),
        };
        match ty {
            ParameterType::Scalar { dtype, .. } => {
                let (c_type, argument) = scalar(*dtype, &name);
                self.parameters.push(format!("{c_type} {name}"));
                self.arguments.push(argument);
            }
            ParameterType::Array { dtype, .. } => {
                self.parameters.push(format!("numptx_argument {name}"));
                self.arguments.push(format!("numptx_typed({name}, {})", dtype.code()));
            }
            ParameterType::Tuple(members) => {
                members.iter().enumerate().for_each(|(n, member)| self.add(&format!("{name}_{n}"), member));
            }
            ParameterType::None | ParameterType::Str(_) => {}
        }
    }
}

/// Names that a Python parameter may have and a C parameter may not.
const C_KEYWORDS: [&str; 37] = [
    "auto", "case", "char", "const", "default", "do", "double", "enum", "extern", "float", "goto", "inline", "int", "long",
    "register", "restrict", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "bool", "this", "new", "delete", "template", "namespace", "private", "public", "operator", "virtual",
];

fn scalar(dtype: DType, name: &str) -> (&'static str, String) {
    let code = dtype.code();
    match dtype {
        DType::Bool => ("int", format!("numptx_unsigned({code}, {name} != 0)")),
        DType::I8 => ("int8_t", format!("numptx_integer({code}, {name})")),
        DType::I16 => ("int16_t", format!("numptx_integer({code}, {name})")),
        DType::I32 => ("int32_t", format!("numptx_integer({code}, {name})")),
        DType::I64 => ("int64_t", format!("numptx_integer({code}, {name})")),
        DType::U8 => ("uint8_t", format!("numptx_unsigned({code}, {name})")),
        DType::U16 => ("uint16_t", format!("numptx_unsigned({code}, {name})")),
        DType::U32 => ("uint32_t", format!("numptx_unsigned({code}, {name})")),
        DType::U64 => ("uint64_t", format!("numptx_unsigned({code}, {name})")),
        DType::F32 => ("float", format!("numptx_float32({name})")),
        DType::F64 => ("double", format!("numptx_float64({name})")),
        DType::C64 => ("numptx_complex64", format!("numptx_c64({name})")),
        DType::C128 => ("numptx_complex128", format!("numptx_c128({name})")),
    }
}

fn result_leaves(result: &ResultType) -> usize {
    match result {
        ResultType::None => 0,
        ResultType::Tuple(members) => members.iter().map(result_leaves).sum(),
        _ => 1,
    }
}
