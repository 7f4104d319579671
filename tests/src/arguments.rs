//! Random arguments for a function of the array IR: small arrays of all kinds of strides over whole numbers.
//!
//! In: a function, a seed, whether parameters may overlap. Out: one value a parameter, and the memory that the arrays lie in.
//! Most extents agree between parameters, as programs want it; others are 0, 1, or off by a few.

use numptx_driver::ir::DType;
use numptx_driver::ir::array::interpret::{Value, View};
use numptx_driver::ir::array::{ArrayType, Function, Layout, Type};
use numptx_driver::ir::scalar::Constant;
use numptx_driver::ir::signature::ParameterType;

use crate::numbers::Numbers;

/// Elements of each base.
const BASE: i64 = 4096;

/// Arguments and the memory that they are views of.
pub struct Arguments {
    /// One a parameter.
    pub values: Vec<Value>,
    /// Where the arrays lie: each in a base of its own, or overlapping ones in one a dtype.
    pub bases: Vec<View>,
}

impl Arguments {
    /// The same for the same seed. Where `is_overlapping`, arrays of one dtype lie in one base, near each other.
    pub fn new(function: &Function, seed: u64, is_overlapping: bool) -> Arguments {
        let mut numbers = Numbers(seed);
        let common = common_extents(&mut numbers);
        let mut arguments = Arguments { values: Vec::new(), bases: Vec::new() };
        for (parameter, fixed) in function.parameters.iter().zip(fixed_extents(function)) {
            let value = match function.ty(*parameter) {
                Type::Scalar(dtype) => Value::Scalar(scalar(&mut numbers, dtype)),
                Type::Array(ty) => {
                    let base = arguments.base(ty.dtype, is_overlapping);
                    Value::Array(array(&mut numbers, base, ty, &fixed, &common))
                }
            };
            arguments.values.push(value);
        }
        arguments
    }

    fn base(&mut self, dtype: DType, is_overlapping: bool) -> View {
        if let Some(base) = self.bases.iter().find(|b| is_overlapping && b.dtype == dtype) {
            return base.clone();
        }
        let salt = self.bases.len();
        let elements: Vec<Constant> = (0..BASE as usize).map(|n| element(n * 5 + salt, dtype)).collect();
        let base = View::new(dtype, &[BASE], &elements);
        self.bases.push(base.clone());
        base
    }

    /// Whether any two arrays are views of one base.
    pub fn share_a_base(&self) -> bool {
        let n_arrays = self.values.iter().filter(|v| matches!(v, Value::Array(_))).count();
        self.bases.len() < n_arrays
    }
}

/// Extents of the last, last but one, … axis.
fn common_extents(numbers: &mut Numbers) -> Vec<i64> {
    let is_square = numbers.below(4) == 0;
    let n = numbers.pick(&[0, 1, 2, 3, 4, 5, 6, 7]);
    (0..16).map(|_| if is_square { n } else { numbers.pick(&[0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7]) }).collect()
}

/// The extents that each array leaf of the signature fixes; none for scalars.
fn fixed_extents(function: &Function) -> Vec<Vec<Option<i64>>> {
    fn leaves(ty: &ParameterType, found: &mut Vec<Vec<Option<i64>>>) {
        match ty {
            ParameterType::Scalar { .. } => found.push(Vec::new()),
            ParameterType::Array { extents, .. } => found.push(extents.clone()),
            ParameterType::Tuple(members) => members.iter().for_each(|m| leaves(m, found)),
            ParameterType::None | ParameterType::Str(_) => {}
        }
    }
    let mut found = Vec::new();
    function.signature.parameters.iter().for_each(|p| leaves(&p.ty, &mut found));
    assert_eq!(found.len(), function.parameters.len(), "{}: a leaf a parameter", function.name);
    found
}

/// Whole numbers, so that sums are exact in any order.
fn element(n: usize, dtype: DType) -> Constant {
    let value = (n % 7) as i64 - 3;
    match dtype {
        DType::Bool => Constant::Bool(value > 0),
        DType::F32 | DType::F64 => Constant::Float(value as f64),
        DType::C64 | DType::C128 => Constant::Complex(value as f64, (n % 3) as f64),
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Constant::Int(value + 3),
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => Constant::Int(value),
    }
}

fn scalar(numbers: &mut Numbers, dtype: DType) -> Constant {
    match element(numbers.below(7), dtype) {
        Constant::Int(n) if numbers.below(3) == 0 => Constant::Int(n.abs() * 2),
        constant => constant,
    }
}

fn array(numbers: &mut Numbers, base: View, ty: ArrayType, fixed: &[Option<i64>], common: &[i64]) -> View {
    let shift = if numbers.below(2) == 0 { 0 } else { numbers.pick(&[0, 1, 2, 4]) };
    let extent = |numbers: &mut Numbers, axis: usize| match (fixed.get(axis).copied().flatten(), numbers.below(24)) {
        (Some(extent), _) => extent,
        (None, 0) => 1,
        (None, 1) => common[ty.rank - 1 - axis] + 1,
        (None, _) => common[ty.rank - 1 - axis] + if axis < 2 { shift } else { 0 },
    };
    let shape: Vec<i64> = (0..ty.rank).map(|axis| extent(numbers, axis)).collect();
    let itemsize = ty.dtype.itemsize() as i64;
    let mut axes: Vec<usize> = (0..ty.rank).rev().collect();
    if ty.layout == Layout::F || (ty.layout == Layout::Any && numbers.below(3) == 0) {
        axes.reverse();
    }
    let is_plain = ty.layout != Layout::Any || numbers.below(3) == 0;
    let mut stride = itemsize * if is_plain { 1 } else { numbers.pick(&[1, 1, 2]) };
    let mut strides = vec![0; ty.rank];
    let mut offset = itemsize * numbers.below(4) as i64;
    for axis in axes {
        let is_reversed = !is_plain && numbers.below(4) == 0;
        strides[axis] = if is_reversed { -stride } else { stride };
        offset += if is_reversed { stride * (shape[axis] - 1).max(0) } else { 0 };
        stride *= shape[axis].max(1) + if is_plain { 0 } else { numbers.pick(&[0, 0, 1]) };
    }
    View { offset, shape, strides, ..base }
}
