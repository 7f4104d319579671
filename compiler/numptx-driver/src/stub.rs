//! The typed stub `NAME.pyi` of a compiled module.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::signature::{Parameter, ParameterType, ResultType, Signature};

/// The stub's text. Overloads become `@overload`s.
pub fn stub(module: &Module) -> String {
    let mut text =
        String::from("from typing import Literal, overload\n\nimport numpy as np\nfrom numpy.typing import NDArray\n");
    for global in &module.globals {
        text.push_str(&format!("\n{}: {}\n", global.name, python_scalar(global.dtype)));
    }
    let signatures = signatures(module);
    let mut names: Vec<&str> = Vec::new();
    for signature in &signatures {
        if !names.contains(&signature.function.as_str()) {
            names.push(&signature.function);
        }
    }
    for name in names {
        let overloads: Vec<&&Signature> = signatures.iter().filter(|s| s.function == name).collect();
        for signature in &overloads {
            text.push('\n');
            if overloads.len() > 1 {
                text.push_str("@overload\n");
            }
            text.push_str(&definition(signature));
        }
    }
    text
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

fn definition(signature: &Signature) -> String {
    let parameter = |p: &Parameter| format!("{}: {}", p.name, parameter_type(&p.ty));
    let parameters: Vec<String> = signature.parameters.iter().map(parameter).collect();
    let result = result_type(&signature.result);
    format!("def {}({}) -> {result}: ...\n", signature.function, parameters.join(", "))
}

fn parameter_type(ty: &ParameterType) -> String {
    match ty {
        ParameterType::Scalar { dtype, python: true } => python_scalar(*dtype).to_string(),
        ParameterType::Scalar { dtype, python: false } => {
            format!("{} | {}", python_scalar(*dtype), numpy_scalar(*dtype))
        }
        ParameterType::Array { dtype, .. } => format!("NDArray[{}]", numpy_scalar(*dtype)),
        ParameterType::Tuple(members) => tuple(members.iter().map(parameter_type)),
        ParameterType::None => "None".to_string(),
        ParameterType::Str(Some(text)) => format!("Literal[{}]", python_string(text)),
        ParameterType::Str(None) => "str".to_string(),
    }
}

/// A string literal, with escapes that Python and JSON share.
fn python_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn result_type(ty: &ResultType) -> String {
    match ty {
        ResultType::None => "None".to_string(),
        ResultType::PythonScalar(dtype) => python_scalar(*dtype).to_string(),
        ResultType::NumpyScalar(dtype) | ResultType::DeviceScalar(dtype) => numpy_scalar(*dtype),
        ResultType::Array { dtype, .. } => format!("NDArray[{}]", numpy_scalar(*dtype)),
        ResultType::Tuple(members) => tuple(members.iter().map(result_type)),
        ResultType::List(members) => list(members.iter().map(result_type)),
    }
}

/// Members of different types are a union, each type once.
fn list(members: impl Iterator<Item = String>) -> String {
    let mut types: Vec<String> = Vec::new();
    members.for_each(|member| {
        if !types.contains(&member) {
            types.push(member);
        }
    });
    if types.is_empty() { "list[object]".to_string() } else { format!("list[{}]", types.join(" | ")) }
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

fn numpy_scalar(dtype: DType) -> String {
    match dtype {
        DType::Bool => "np.bool_".to_string(),
        dtype => format!("np.{}", dtype.name()),
    }
}
