//! What several tests need: the sound modules, arguments for their functions, and a fixed stream of random numbers.

use numptx_ir::array::interpret::{Value, View};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{Function, Module, Type};
use numptx_ir::scalar::{Constant, ScalarOp, eval};
use numptx_ir::{DType, array};

/// Name and text of every module below `tests/modules`.
pub fn texts() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|p| (p.display().to_string(), std::fs::read_to_string(p).unwrap())).collect()
}

/// The modules themselves.
#[allow(dead_code)]
pub fn modules() -> Vec<Module> {
    texts().iter().map(|(path, text)| parse(text).unwrap_or_else(|error| panic!("{path}: {error}"))).collect()
}

/// Arguments of small extents; scalars are `n`, elements count up.
#[allow(dead_code)]
pub fn arguments(function: &Function, n: i64) -> Vec<Value> {
    let number = |n: i64, dtype: DType| eval(ScalarOp::Cast, &[(Constant::Int(n), DType::I64)], dtype);
    let argument = |parameter: &array::ValueId| match function.ty(*parameter) {
        Type::Scalar(dtype) => Value::Scalar(number(n, dtype)),
        Type::Array(ty) => {
            let elements: Vec<Constant> = (1..=3i64.pow(ty.rank as u32)).map(|k| number(k, ty.dtype)).collect();
            Value::Array(View::new(ty.dtype, &vec![3; ty.rank], &elements))
        }
    };
    function.parameters.iter().map(argument).collect()
}

/// A linear congruential generator.
#[allow(dead_code)]
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    #[allow(dead_code)]
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}
