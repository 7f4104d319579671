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
        let mut bases: Vec<(DType, i64)> = Vec::new();
        let mut leaves = Vec::new();
        for (parameter, fixed) in function.parameters.iter().zip(fixed_extents(function)) {
            leaves.push(match function.ty(*parameter) {
                Type::Scalar(dtype) => Leaf::Scalar(scalar(&mut numbers, dtype)),
                Type::Array(ty) => {
                    let placed = Placed::new(&mut numbers, ty, &fixed, &common);
                    let known = bases.iter().position(|(dtype, _)| is_overlapping && *dtype == ty.dtype);
                    let base = known.unwrap_or(bases.len());
                    bases.resize(bases.len().max(base + 1), (ty.dtype, 0));
                    bases[base].1 = bases[base].1.max(placed.end);
                    Leaf::Array(base, placed)
                }
            });
        }
        let bases: Vec<View> = bases.iter().enumerate().map(|(n, (dtype, end))| base(n, *dtype, *end)).collect();
        let value = |leaf: Leaf| match leaf {
            Leaf::Scalar(constant) => Value::Scalar(constant),
            Leaf::Array(base, placed) => Value::Array(placed.within(bases[base].clone())),
        };
        Arguments { values: leaves.into_iter().map(value).collect(), bases }
    }

    /// Arrays with these extents, one list an array, in C order and apart.
    pub fn of_extents(function: &Function, seed: u64, extents: &[&[i64]]) -> Arguments {
        let mut numbers = Numbers(seed);
        let mut arguments = Arguments { values: Vec::new(), bases: Vec::new() };
        let mut extents = extents.iter();
        for parameter in &function.parameters {
            arguments.values.push(match function.ty(*parameter) {
                Type::Scalar(dtype) => Value::Scalar(scalar(&mut numbers, dtype)),
                Type::Array(ty) => {
                    let shape = *extents.next().expect("extents for each array");
                    let first = numbers.below(7);
                    let count = shape.iter().product::<i64>() as usize;
                    let elements: Vec<Constant> =
                        (0..count).map(|n| element(first + n * 5 + n / 7, ty.dtype)).collect();
                    let base = View::new(ty.dtype, shape, &elements);
                    arguments.bases.push(base.clone());
                    Value::Array(base)
                }
            });
        }
        arguments
    }

    /// Whether any two arrays are views of one base.
    pub fn share_a_base(&self) -> bool {
        let n_arrays = self.values.iter().filter(|v| matches!(v, Value::Array(_))).count();
        self.bases.len() < n_arrays
    }
}

/// A parameter before its memory is there.
enum Leaf {
    Scalar(Constant),
    /// Which base, and where in it.
    Array(usize, Placed),
}

/// A base that ends at a byte.
fn base(number: usize, dtype: DType, end: i64) -> View {
    let n_elements = end / dtype.itemsize() as i64;
    let elements: Vec<Constant> = (0..n_elements as usize).map(|n| element(n * 5 + number, dtype)).collect();
    View::new(dtype, &[n_elements], &elements)
}

/// Extents of the last, last but one, … axis.
fn common_extents(numbers: &mut Numbers) -> Vec<i64> {
    let n = numbers.pick(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let of: &[i64] = match numbers.below(8) {
        0 => &[0, 1],
        1 | 2 => &[n],
        _ => &[0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7],
    };
    (0..16).map(|_| numbers.pick(of)).collect()
}

/// The extents that each array leaf of the signature fixes; none for scalars.
fn fixed_extents(function: &Function) -> Vec<Vec<Option<i64>>> {
    fn leaves(ty: &ParameterType, found: &mut Vec<Vec<Option<i64>>>) {
        match ty {
            ParameterType::Scalar { .. } => found.push(Vec::new()),
            ParameterType::Array { extents, .. } => found.push(extents.clone()),
            ParameterType::Tuple(members) => members.iter().for_each(|m| leaves(m, found)),
            ParameterType::Object(_) => found.push(Vec::new()),
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

/// Where an array lies in its base.
struct Placed {
    offset: i64,
    shape: Vec<i64>,
    strides: Vec<i64>,
    /// The first byte behind it.
    end: i64,
}

impl Placed {
    fn new(numbers: &mut Numbers, ty: ArrayType, fixed: &[Option<i64>], common: &[i64]) -> Placed {
        let shape = shape(numbers, ty.rank, fixed, common);
        let mut axes: Vec<usize> = (0..ty.rank).rev().collect();
        if ty.layout == Layout::F || (ty.layout == Layout::Any && numbers.below(3) == 0) {
            axes.reverse();
        }
        let itemsize = ty.dtype.itemsize() as i64;
        let is_plain = ty.layout != Layout::Any || numbers.below(3) == 0;
        let mut stride = itemsize * if is_plain { 1 } else { numbers.pick(&[1, 1, 2]) };
        let mut strides = vec![0; ty.rank];
        let mut offset = itemsize * numbers.below(4) as i64;
        let mut end = offset + itemsize;
        for axis in axes {
            let is_reversed = !is_plain && numbers.below(4) == 0;
            let reach = stride * (shape[axis] - 1).max(0);
            strides[axis] = if is_reversed { -stride } else { stride };
            offset += if is_reversed { reach } else { 0 };
            end += reach;
            stride *= shape[axis].max(1) + if is_plain { 0 } else { numbers.pick(&[0, 0, 1]) };
        }
        Placed { offset, shape, strides, end }
    }

    fn within(self, base: View) -> View {
        View { offset: self.offset, shape: self.shape, strides: self.strides, ..base }
    }
}

/// Mostly the common extents, right-aligned. The two outer axes may be larger by the same, as a stencil's are.
fn shape(numbers: &mut Numbers, rank: usize, fixed: &[Option<i64>], common: &[i64]) -> Vec<i64> {
    let margin = if numbers.below(2) == 0 { 0 } else { numbers.pick(&[0, 1, 2, 4]) };
    let extent = |axis: usize| {
        let usual = common[rank - 1 - axis];
        match (fixed.get(axis).copied().flatten(), numbers.below(24)) {
            (Some(extent), _) => extent,
            (None, 0) => 1,
            (None, 1) => usual + 1,
            (None, _) if axis < 2 => usual + margin,
            (None, _) => usual,
        }
    };
    (0..rank).map(extent).collect()
}
