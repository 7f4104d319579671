//! What several tests need: the sound modules, arguments for their functions, and a fixed stream of random numbers.

use numptx_ir::array::interpret::{Contents, Object, Value, View};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{Function, Module, Type};
use numptx_ir::scalar::{Constant, ScalarOp, eval};
use numptx_ir::signature::{ElementType, ObjectType, ParameterType};
use numptx_ir::{DType, array, object};

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

/// Arguments of small extents; scalars are `n`, elements count up. Objects have `n` members, or are empty where the signature does not say of what.
#[allow(dead_code)]
pub fn arguments(function: &Function, n: i64) -> Vec<Value> {
    let mut objects = function.signature.parameters.iter().filter_map(|parameter| match &parameter.ty {
        ParameterType::Object(ty) => Some(ty),
        _ => None,
    });
    let number = |n: i64, dtype: DType| eval(ScalarOp::Cast, &[(Constant::Int(n), DType::I64)], dtype);
    let mut argument = |parameter: &array::ValueId| match function.ty(*parameter) {
        Type::Object => Value::Object(objects.next().map_or_else(|| object(&ObjectType::Text, n), |ty| object(ty, n))),
        Type::Scalar(dtype) => Value::Scalar(number(n, dtype)),
        Type::Array(ty) => {
            let elements: Vec<Constant> = (1..=3i64.pow(ty.rank as u32)).map(|k| number(k, ty.dtype)).collect();
            Value::Array(View::new(ty.dtype, &vec![3; ty.rank], &elements))
        }
    };
    function.parameters.iter().map(&mut argument).collect()
}

/// An object with `n` members.
fn object(ty: &ObjectType, n: i64) -> Object {
    let members = |sort: u8, types: &[&ElementType]| {
        let layouts: Vec<Vec<u8>> = types.iter().map(|ty| ty.layout()).collect();
        let mut leaves = Vec::new();
        (0..n).for_each(|k| types.iter().for_each(|ty| member(ty, k, &mut leaves)));
        Contents::Members { sort, layout: layouts.join(&object::VALUE), count: n as usize, leaves }
    };
    let contents = match ty {
        ObjectType::Text => Contents::Text("x".repeat(n as usize)),
        ty => members(ty.kind(), &ty.members()),
    };
    Object::new(&contents).unwrap_or_else(|problem| panic!("{ty:?}: {problem}"))
}

fn member(ty: &ElementType, n: i64, leaves: &mut Vec<Value>) {
    match ty {
        ElementType::Scalar { dtype, .. } => {
            leaves.push(Value::Scalar(eval(ScalarOp::Cast, &[(Constant::Int(n), DType::I64)], *dtype)));
        }
        ElementType::None => {}
        ElementType::Array { dtype, rank } => leaves.push(Value::Array(View::new(*dtype, &vec![3; *rank], &[]))),
        ElementType::Tuple(members) | ElementType::Record(_, members) => {
            members.iter().for_each(|ty| member(ty, n, leaves))
        }
        ElementType::Object(ty) => leaves.push(Value::Object(object(ty, n))),
    }
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
