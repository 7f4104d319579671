//! The C header `NAME.h` of a compiled module: the types of the interface, once, and one typed function an overload.
//!
//! Functions are inline, so that what users call keeps its name in the source and is no symbol; they refer to the library by one that holds its hash.
//! What C's types do not say (dtypes, ranks, fixed extents, memory order) the runtime checks at the call.

use numptx_codegen::Symbols;
use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::signature::{ParameterType, ResultType, Signature};

use crate::stub::signatures;

/// Types and functions that all headers share, guarded.
const COMMON: &str = include_str!("numptx.h");

/// The header's text. Functions are `NAME_function`, and `NAME_function_2`, … for further overloads.
pub fn header(module: &Module, symbols: &Symbols) -> String {
    let name = &module.name;
    let accessor = symbols.accessor();
    // With the hash: of two modules of one name the second would else be left out in silence.
    let guard = format!("NUMPTX_{}_{}_H", name.to_uppercase(), symbols.hash().to_uppercase());
    let mut text = format!(
        "/* Made by numptx from the module `{name}`, for the library of the same compilation: {name}.so or {name}.a, with libnumptx_runtime.so. */\n"
    );
    text.push_str(&format!("#ifndef {guard}\n#define {guard}\n\n{COMMON}\n"));
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    text.push_str(&format!("/* The library. */\nconst numptx_module *{accessor}(void);\n"));
    let signatures = signatures(module);
    let mut functions: Vec<(&str, usize)> = Vec::new();
    for signature in &signatures {
        if !functions.iter().any(|(f, _)| *f == signature.function) {
            functions.push((&signature.function, 0));
        }
    }
    let prefix = prefix(name);
    let mut text_left_out = String::new();
    let mut names = Names(Vec::new());
    let first: Vec<String> = functions.iter().map(|(f, _)| names.unique(&format!("{prefix}_{f}"))).collect();
    for signature in signatures {
        let Some(position) = functions.iter().position(|(f, _)| *f == signature.function) else { continue };
        let overload = functions[position].1;
        functions[position].1 += 1;
        if signature.has_objects() {
            text_of_left_out(&mut text_left_out, &comment(&signature.text));
            continue;
        }
        let name = match overload {
            0 => first[position].clone(),
            n => names.unique(&format!("{prefix}_{}_{}", signature.function, n + 1)),
        };
        text.push_str(&Function { accessor: &accessor, signature, name, at: (position, overload) }.text());
    }
    text.push_str(&text_left_out);
    text.push_str(&format!("\n#ifdef __cplusplus\n}}\n#endif\n#endif /* {guard} */\n"));
    text
}

/// Tells of a function that only Python calls.
fn text_of_left_out(text: &mut String, signature: &str) {
    text.push_str(&format!(
        "\n/* {signature}\n   takes or gives lists, dictionaries, sets or strings, which only Python passes. */\n"
    ));
}

/// What the names of a module's functions begin with. C reserves names that begin with `_`, and numptx those that begin with its own.
fn prefix(module: &str) -> String {
    let is_reserved = module.starts_with('_') || module == "numptx" || module.starts_with("numptx_");
    if is_reserved { format!("module_{module}") } else { module.to_string() }
}

/// A name without two underscores together, which C++ reserves: `a__b` is `a_u_b`.
fn without_double_underscores(name: &str) -> String {
    name.split('_').enumerate().fold(String::new(), |mut text, (n, part)| {
        if n > 0 {
            text.push_str(if text.ends_with('_') { "u_" } else { "_" });
        }
        text + part
    })
}

/// Names that are taken in one scope.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// A name that C takes, or with a letter more where it is taken.
    fn unique(&mut self, name: &str) -> String {
        let mut name = without_double_underscores(name);
        while self.0.contains(&name) {
            name.push('u');
        }
        self.0.push(name.clone());
        name
    }
}

/// One typed function.
struct Function<'a> {
    accessor: &'a str,
    signature: &'a Signature,
    /// As C calls it.
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
        let results = described(&self.signature.result);
        let Leaves { mut parameters, arguments, .. } = leaves;
        let (n_arguments, n_results) = (arguments.len(), results.len());
        if n_results > 0 {
            parameters.push(format!("numptx_value results[{n_results}]"));
        }
        parameters.extend(["const numptx_options *options".to_string(), "numptx_error *error".to_string()]);
        // C has no empty arrays.
        let (list, passed) = match n_arguments {
            0 => (String::new(), "NULL"),
            _ => (format!("    const numptx_argument arguments[] = {{{}}};\n", arguments.join(", ")), "arguments"),
        };
        let lines: String =
            results.iter().enumerate().map(|(n, result)| format!("     results[{n}]: {result}\n")).collect();
        let (accessor, (position, overload)) = (self.accessor, self.at);
        format!(
            "\n/* {}\n{lines}   Returns 0, or an error's kind. `options` and `error` may be NULL. */\n\
             static inline int32_t {}({}) {{\n{list}    \
             return numptx_call({accessor}(), {position}, {overload}, {passed}, {n_arguments}, {}, {n_results}, options, error);\n}}\n",
            comment(&self.signature.text),
            self.name,
            parameters.join(", "),
            if n_results > 0 { "results" } else { "NULL" },
        )
    }
}

/// Text that neither ends nor begins a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// The leaves of a result, in words.
fn described(result: &ResultType) -> Vec<String> {
    match result {
        ResultType::None | ResultType::Object(_) | ResultType::OneOf(_) => Vec::new(),
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            members.iter().flat_map(described).collect()
        }
        ResultType::Array { dtype, rank } => {
            vec![format!("array of {}, {rank} {}", dtype.name(), if *rank == 1 { "axis" } else { "axes" })]
        }
        ResultType::PythonScalar(dtype) | ResultType::NumpyScalar(dtype) | ResultType::DeviceScalar(dtype) => {
            vec![format!("{0}, one number: numptx_get_{0}", dtype.name())]
        }
    }
}

/// The C parameters of a function and the ABI arguments made of them.
#[derive(Default)]
struct Leaves {
    names: Names,
    parameters: Vec<String>,
    arguments: Vec<String>,
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
            ParameterType::Array { .. } => {
                let name = self.parameter_name(name);
                self.parameters.push(format!("numptx_argument {name}"));
                self.arguments.push(name);
            }
            ParameterType::Tuple(members) | ParameterType::Record(_, members) => {
                members.iter().enumerate().for_each(|(n, member)| self.add(&format!("{name}_{n}"), member));
            }
            ParameterType::None | ParameterType::Str(_) | ParameterType::Object(_) => {}
        }
    }

    /// With an underscore behind it: nobody writes the names of C's parameters at a call, and no keyword of C or C++ and no macro (`EOF`, `errno`, …) ends so.
    fn parameter_name(&mut self, name: &str) -> String {
        let begins = if name.starts_with('_') { "u" } else { "" };
        self.names.unique(&format!("{begins}{name}_"))
    }
}

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
        DType::F16 => ("numptx_float16", format!("numptx_unsigned({code}, {name})")),
        DType::F32 => ("float", format!("numptx_float32({name})")),
        DType::F64 => ("double", format!("numptx_float64({name})")),
        DType::C64 => ("numptx_complex64", format!("numptx_c64({name})")),
        DType::C128 => ("numptx_complex128", format!("numptx_c128({name})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_interfaces_version() {
        let version = numptx_codegen::ABI_VERSION;
        assert!(COMMON.contains(&format!("#define NUMPTX_ABI_VERSION {version}\n")));
        assert!(COMMON.contains(&format!("&& NUMPTX_ABI_VERSION != {version}\n")));
    }

    #[test]
    fn no_name_is_reserved() {
        let mut leaves = Leaves::default();
        let names = ["x", "EOF", "_Bool", "__x", "a__b", "default_", "_"].map(|name| leaves.parameter_name(name));
        assert_eq!(names, ["x_", "EOF_", "u_Bool_", "u_u_x_", "a_u_b_", "default_u_", "u_u_"]);
        assert_eq!(leaves.parameter_name("x"), "x_u");
        assert_eq!(
            ["kernels", "_k", "numptx", "numptx_x"].map(prefix),
            ["kernels", "module__k", "module_numptx", "module_numptx_x"]
        );
        let mut names = Names::default();
        assert_eq!(names.unique(&format!("{}_{}", prefix("_k"), "_f")), "module_u_k_u_f");
        assert_eq!(comment("f(str '*/ /*')"), "f(str '* / / *')");
    }

    #[test]
    fn dtypes_have_the_codes_of_the_header() {
        for dtype in DType::ALL {
            let name = dtype.name().to_uppercase();
            let names = COMMON.lines().map(|line| line.trim().trim_end_matches(','));
            let at = names.skip_while(|line| *line != "NUMPTX_BOOL").position(|line| line == format!("NUMPTX_{name}"));
            assert_eq!(at, Some(usize::from(dtype.code())), "{name}");
        }
    }
}
