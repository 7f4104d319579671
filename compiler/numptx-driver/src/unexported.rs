//! What a file binds beside what its library exports: Python finds it in the library's module, too.
//!
//! In: the syntax tree. Out: constants as a program and with their types, and functions by their names and parameters. Nothing is evaluated:
//! Python does that, so that a constant is there what it is in Python.

use numptx_codegen::SourceFacts;
use numptx_source::{Source, code};
use numptx_syntax::ast::{Constant, Expr, ExprKind, Function, Module, UnaryOp};
use numptx_syntax::print_constants;

/// What is bound, in the file's order.
#[derive(Clone, Debug, Default)]
pub struct Unexported {
    /// Imports and constants, exported ones too, as Python statements.
    pub program: String,
    /// A constant's name, and its type as an annotation.
    pub constants: Vec<(String, String)>,
    /// A function's name, and its parameters'.
    pub functions: Vec<(String, Vec<String>)>,
    /// The other files that something of the library was taken from: their paths, and their bytes.
    pub inputs: Vec<(String, Vec<u8>)>,
}

impl Unexported {
    /// What a file binds; `used`: the helpers of its source that something was taken from.
    pub fn of(module: &Module, source: &Source, used: &[usize]) -> Unexported {
        let is_exported = |name: &str| module.exports.iter().any(|export| export.name == name);
        let constant = |c: &Constant| (c.name.clone(), annotation(&c.value));
        let function =
            |f: &Function| (f.name.clone(), f.parameters.iter().map(|parameter| parameter.name.clone()).collect());
        let constants = module.constants.iter().filter(|c| !is_exported(&c.name)).map(constant);
        // Modules are not told of, as those that compiled code uses are not.
        let left = module.left.iter().filter(|l| l.report.code != code::UNSUPPORTED_IMPORT);
        let left = left.map(|l| (l.name.clone(), "Any".to_owned()));
        let inputs = used.iter().map(|n| &source.helpers[*n]).map(|helper| (helper.path.clone(), helper.file.clone()));
        Unexported {
            inputs: inputs.collect(),
            program: print_constants(module),
            constants: constants.chain(left).collect(),
            functions: module.functions.iter().filter(|f| !is_exported(&f.name)).map(function).collect(),
        }
    }

    /// What a library tells of it; `None` where the source was read from no file.
    pub fn facts(&self, source: &Source) -> Option<SourceFacts> {
        let line = |(name, parameters): &(String, Vec<String>)| format!("{name} {}\n", parameters.join(" "));
        Some(SourceFacts {
            file: self.hashed(source.file.as_ref()?),
            constants: self.inputs_line().unwrap_or_default() + &self.program,
            functions: self.functions.iter().map(line).collect(),
        })
    }

    /// What tells the library's files from edited ones: those of the file, and of each input its path and its bytes. `numptx._modules` makes
    /// the same of the files that it finds.
    fn hashed(&self, file: &[u8]) -> Vec<u8> {
        let inputs = self.inputs.iter().flat_map(|(path, bytes)| [&b"\0"[..], path.as_bytes(), b"\0", bytes]);
        std::iter::once(file).chain(inputs).flatten().copied().collect()
    }

    /// A comment with the paths of the inputs; none, if there are none.
    pub fn inputs_line(&self) -> Option<String> {
        let paths: Vec<&str> = self.inputs.iter().map(|(path, _)| path.as_str()).collect();
        (!paths.is_empty()).then(|| format!("# inputs: {}\n", paths.join(" ")))
    }
}

/// The type of what can be seen to have one.
fn annotation(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Int(_) => "int".to_owned(),
        ExprKind::Float(_) => "float".to_owned(),
        ExprKind::Imaginary(_) => "complex".to_owned(),
        ExprKind::Bool(_) => "bool".to_owned(),
        ExprKind::Str(_) | ExprKind::Formatted(_) => "str".to_owned(),
        ExprKind::None => "None".to_owned(),
        ExprKind::Unary { op: UnaryOp::Negative, operand } => match operand.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Imaginary(_) => annotation(operand),
            _ => "Any".to_owned(),
        },
        ExprKind::Tuple(items) if !items.iter().any(|item| matches!(item.kind, ExprKind::Starred(_))) => {
            let items: Vec<String> = items.iter().map(annotation).collect();
            if items.is_empty() { "tuple[()]".to_owned() } else { format!("tuple[{}]", items.join(", ")) }
        }
        ExprKind::Record(_) => "Any".to_owned(),
        _ => "Any".to_owned(),
    }
}
