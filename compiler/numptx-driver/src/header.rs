//! The C header `NAME.h` of a compiled module: the types of the interface, once, and one typed function an overload.
//!
//! What C's types do not say (ranks, fixed extents, memory order) is checked by the typed functions before the call.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::signature::{MemoryOrder, ParameterType, ResultType, Signature};

use crate::stub::signatures;

/// Types and functions that all headers share, guarded.
const COMMON: &str = include_str!("numptx.h");

/// The header's text. Functions are `NAME_function`, and `NAME_function_2`, … for further overloads.
pub fn header(module: &Module) -> String {
    let name = &module.name;
    let guard = format!("{}_H", name.to_uppercase());
    let mut text =
        format!("/* Made by numptx from the module `{name}`. Link with {name}.so and libnumptx_runtime.so. */\n");
    text.push_str(&format!("#ifndef {guard}\n#define {guard}\n\n{COMMON}\n"));
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    text.push_str(&format!("extern const numptx_module numptx_module_{name};\n"));
    let signatures = signatures(module);
    let mut functions: Vec<(&str, usize)> = Vec::new();
    for signature in &signatures {
        if !functions.iter().any(|(f, _)| *f == signature.function) {
            functions.push((&signature.function, 0));
        }
    }
    let mut names: Vec<String> = functions.iter().map(|(f, _)| f.to_string()).collect();
    for signature in signatures {
        let Some(position) = functions.iter().position(|(f, _)| *f == signature.function) else { continue };
        let overload = functions[position].1;
        functions[position].1 += 1;
        let function_name = match overload {
            0 => signature.function.clone(),
            n => unique(&mut names, format!("{}_{}", signature.function, n + 1)),
        };
        text.push_str(&Function { module: name, signature, name: function_name, at: (position, overload) }.text());
    }
    text.push_str(&format!("\n#ifdef __cplusplus\n}}\n#endif\n#endif /* {guard} */\n"));
    text
}

/// `name`, or with underscores where it is taken.
fn unique(names: &mut Vec<String>, mut name: String) -> String {
    while names.contains(&name) {
        name.push('_');
    }
    names.push(name.clone());
    name
}

/// One typed function.
struct Function<'a> {
    module: &'a str,
    signature: &'a Signature,
    /// Without the module's.
    name: String,
    /// The function's and the overload's number in the library.
    at: (usize, usize),
}

impl Function<'_> {
    fn text(&self) -> String {
        let mut leaves = Leaves::default();
        for parameter in &self.signature.parameters {
            leaves.add(&parameter.name, &parameter.ty);
        }
        let n_results = result_leaves(&self.signature.result);
        let mut parameters = leaves.parameters;
        if n_results > 0 {
            parameters.push(format!("numptx_value results[{n_results}]"));
        }
        parameters.extend(["const numptx_options *options".to_string(), "numptx_error *error".to_string()]);
        // C has no empty arrays.
        let arguments = match leaves.arguments.as_slice() {
            [] => "    const numptx_argument *arguments = NULL;\n".to_string(),
            list => format!("    numptx_argument arguments[] = {{{}}};\n", list.join(", ")),
        };
        let results = if n_results > 0 { "results" } else { "NULL" };
        let (module, (position, overload)) = (self.module, self.at);
        format!(
            "\n/* {}; returns 0, or an error's kind. `options` may be null. */\n\
             static inline int32_t {module}_{}({}) {{\n{arguments}{}    \
             return numptx_invoke(&numptx_module_{module}, {position}, {overload}, arguments, {results}, options, error);\n}}\n",
            comment(&self.signature.text),
            self.name,
            parameters.join(", "),
            checks(&leaves.forms),
        )
    }
}

/// Text that ends no comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// Statements that fit the arguments to their parameters.
fn checks(forms: &[Form]) -> String {
    let mut text = String::new();
    for Form { argument, refusal, dtype, extents, order } in forms {
        let rank = extents.len();
        let list: Vec<String> = extents.iter().map(|e| e.unwrap_or(-1).to_string()).collect();
        let list = if list.is_empty() { "0".to_string() } else { list.join(", ") };
        text.push_str(&format!(
            "    {{\n        static const int64_t extents[] = {{{list}}};\n        \
             static const numptx_parameter parameter = {{{refusal:?}, {}, {rank}, {}, extents, '{order}'}};\n        \
             if (numptx_fit(&arguments[{argument}], &parameter, error)) return error->kind;\n    }}\n",
            dtype.code(),
            dtype.itemsize(),
        ));
    }
    text
}

/// What an array parameter asks for.
struct Form {
    argument: usize,
    refusal: String,
    dtype: DType,
    extents: Vec<Option<i64>>,
    order: char,
}

/// The C parameters of a function and the ABI arguments made of them.
#[derive(Default)]
struct Leaves {
    names: Vec<String>,
    parameters: Vec<String>,
    arguments: Vec<String>,
    forms: Vec<Form>,
}

impl Leaves {
    fn add(&mut self, name: &str, ty: &ParameterType) {
        match ty {
            ParameterType::Scalar { dtype, .. } => {
                let name = self.parameter_name(name);
                let (c_type, argument) = scalar(*dtype, &name);
                self.parameters.push(format!("{c_type} {name}"));
                self.arguments.push(argument);
            }
            ParameterType::Array { dtype, extents, order } => {
                self.forms.push(Form {
                    argument: self.arguments.len(),
                    refusal: format!("`{name}` must be an array of {}", declared(*dtype, extents, *order)),
                    dtype: *dtype,
                    extents: extents.clone(),
                    order: order.map_or(' ', |o| if o == MemoryOrder::C { 'C' } else { 'F' }),
                });
                let name = self.parameter_name(name);
                self.parameters.push(format!("numptx_argument {name}"));
                self.arguments.push(name);
            }
            ParameterType::Tuple(members) => {
                members.iter().enumerate().for_each(|(n, member)| self.add(&format!("{name}_{n}"), member));
            }
            ParameterType::None | ParameterType::Str(_) => {}
        }
    }

    fn parameter_name(&mut self, name: &str) -> String {
        let name = if C_KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_string() };
        unique(&mut self.names, name)
    }
}

/// An array type as exports write it.
fn declared(dtype: DType, extents: &[Option<i64>], order: Option<MemoryOrder>) -> String {
    let extents: Vec<String> = extents.iter().map(|e| e.map_or(":".to_string(), |n| n.to_string())).collect();
    let order = order.map_or("", |o| if o == MemoryOrder::C { " order(C)" } else { " order(F)" });
    format!("{}[{}]{order}", dtype.name(), extents.join(", "))
}

/// Names that a Python parameter may have and one of C or C++ may not, or that the functions use themselves.
const C_KEYWORDS: &[&str] = &[
    "NULL",
    "alignas",
    "alignof",
    "arguments",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "case",
    "catch",
    "char",
    "compl",
    "const",
    "constexpr",
    "default",
    "delete",
    "do",
    "double",
    "enum",
    "error",
    "explicit",
    "export",
    "extents",
    "extern",
    "false",
    "float",
    "friend",
    "goto",
    "inline",
    "int",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "nullptr",
    "operator",
    "options",
    "parameter",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "results",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "typedef",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "xor",
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
        ResultType::Tuple(members) | ResultType::List(members) => members.iter().map(result_leaves).sum(),
        _ => 1,
    }
}
