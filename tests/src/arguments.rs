//! Random arguments for a function of the array IR: small arrays of all kinds of strides over whole numbers, and small objects.
//!
//! In: a function, a seed, whether parameters may overlap. Out: one value a parameter, and the memory that the arrays lie in.
//! Most extents agree between parameters, as programs want it; others are 0, 1, or off by a few. Most lists are as long as arrays are.

mod objects;

use numptx_driver::ir::DType;
use numptx_driver::ir::array::interpret::{Value, View};
use numptx_driver::ir::array::{ArrayType, Function, Layout, Type};
use numptx_driver::ir::scalar::Constant;
use numptx_driver::ir::signature::{ObjectType, ParameterType};

use crate::numbers::Numbers;
use objects::Objects;

/// Arguments and the memory that they are views of.
pub struct Arguments {
    /// One a parameter.
    pub values: Vec<Value>,
    /// Where the arrays lie: each in a base of its own, or overlapping ones in one a dtype.
    pub bases: Vec<View>,
    /// Whether any two are views of one base, or one object.
    are_shared: bool,
}

impl Arguments {
    /// The same for the same seed. Where `is_overlapping`, arrays of one dtype lie in one base, near each other, and objects of one type may be one.
    pub fn new(function: &Function, seed: u64, is_overlapping: bool) -> Arguments {
        let mut numbers = Numbers(seed);
        let common = common_extents(&mut numbers);
        let mut bases: Vec<(DType, i64)> = Vec::new();
        let mut leaves = Vec::new();
        for (parameter, known) in function.parameters.iter().zip(leaves_of(function)) {
            leaves.push(match function.ty(*parameter) {
                Type::Scalar(dtype) => Leaf::Scalar(scalar(&mut numbers, dtype)),
                Type::Object => Leaf::Object(known.object.expect("the signature has the type of an object")),
                Type::Array(ty) => {
                    let placed = Placed::new(&mut numbers, ty, &known.extents, &common);
                    let known = bases.iter().position(|(dtype, _)| is_overlapping && *dtype == ty.dtype);
                    let base = known.unwrap_or(bases.len());
                    bases.resize(bases.len().max(base + 1), (ty.dtype, 0));
                    bases[base].1 = bases[base].1.max(placed.end);
                    Leaf::Array(base, placed)
                }
            });
        }
        let bases: Vec<View> = bases.iter().enumerate().map(|(n, (dtype, end))| base(n, *dtype, *end)).collect();
        let n_arrays = leaves.iter().filter(|leaf| matches!(leaf, Leaf::Array(..))).count();
        let mut are_shared = bases.len() < n_arrays;
        let view = |leaf: &Leaf| match leaf {
            Leaf::Array(base, placed) => Some(placed.within(bases[*base].clone())),
            _ => None,
        };
        let views: Vec<View> = leaves.iter().filter_map(view).collect();
        let mut objects = Objects { numbers: &mut numbers, common: &common, views: views.clone(), bases };
        let (mut values, mut views, mut made) = (Vec::new(), views.into_iter(), Vec::new());
        for leaf in leaves {
            values.extend(match leaf {
                Leaf::Scalar(constant) => Some(Value::Scalar(constant)),
                Leaf::Array(..) => views.next().map(Value::Array),
                Leaf::Object(ty) => {
                    let is_again = is_overlapping && objects.numbers.below(2) == 0;
                    let known = made.iter().find(|(known, _)| is_again && *known == ty).map(|(_, object)| object);
                    are_shared |= known.is_some();
                    let object = known.cloned().unwrap_or_else(|| objects.object(&ty));
                    made.push((ty, object.clone()));
                    Some(Value::Object(object))
                }
            });
        }
        Arguments { values, bases: objects.bases, are_shared }
    }

    /// Arrays with these extents, one list an array, in C order and apart.
    pub fn of_extents(function: &Function, seed: u64, extents: &[&[i64]]) -> Arguments {
        let mut numbers = Numbers(seed);
        let mut arguments = Arguments { values: Vec::new(), bases: Vec::new(), are_shared: false };
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
                Type::Object => panic!("{}: an object has no extents", function.name),
            });
        }
        arguments
    }

    /// Whether any two arguments are views of one base, or one object.
    pub fn share_a_base(&self) -> bool {
        self.are_shared
    }
}

/// A parameter before its memory is there.
enum Leaf {
    Scalar(Constant),
    /// Which base, and where in it.
    Array(usize, Placed),
    Object(ObjectType),
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

/// What the signature says of a leaf.
#[derive(Default)]
struct Known {
    /// The extents that it fixes, of an array.
    extents: Vec<Option<i64>>,
    /// The type of an object.
    object: Option<ObjectType>,
}

fn leaves_of(function: &Function) -> Vec<Known> {
    fn leaves(ty: &ParameterType, found: &mut Vec<Known>) {
        match ty {
            ParameterType::Scalar { .. } => found.push(Known::default()),
            ParameterType::Array { extents, .. } => found.push(Known { extents: extents.clone(), object: None }),
            ParameterType::Tuple(members) | ParameterType::Record(_, members) => {
                members.iter().for_each(|m| leaves(m, found));
            }
            ParameterType::Object(object) => found.push(Known { extents: Vec::new(), object: Some(object.clone()) }),
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
        DType::F16 | DType::F32 | DType::F64 => Constant::Float(value as f64),
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

    fn within(&self, base: View) -> View {
        View { offset: self.offset, shape: self.shape.clone(), strides: self.strides.clone(), ..base }
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
