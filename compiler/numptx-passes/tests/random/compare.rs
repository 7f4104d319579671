//! Arguments for random programs, what a run gives, and whether two runs gave the same.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::array::interpret::{Failure, Options, Value, View, interpret, interpret_with};
use numptx_ir::scalar::Constant;

use crate::generate::{Random, dtype_of, parameter_ranks};

/// The numbers of the programs to run: this many from 0 on, unless `NUMPTX_PROGRAMS` and `NUMPTX_FIRST` say otherwise.
pub fn numbers(standard: u64) -> std::ops::Range<u64> {
    let variable = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = variable("NUMPTX_FIRST").unwrap_or(0);
    first..first + variable("NUMPTX_PROGRAMS").unwrap_or(standard)
}

/// Arguments and the memory that they are views of.
pub struct Arguments {
    values: Vec<Value>,
    bases: Vec<View>,
}

fn element(n: usize, dtype: DType) -> Constant {
    let value = (n % 7) as i64 - 3;
    match dtype {
        DType::F64 => Constant::Float(value as f64),
        DType::C128 => Constant::Complex(value as f64, (n % 3) as f64),
        _ => Constant::Int(value),
    }
}

impl Arguments {
    /// Arrays of extents 1 to 4 with strides of all kinds, in one base where they overlap, else each in its own.
    pub fn new(seed: u64, variant: u64, is_overlapping: bool) -> Self {
        let dtype = dtype_of(seed);
        let mut random = Random::new(seed * 31 + variant + 7);
        let base = || View::new(dtype, &[400], &(0..400).map(|n| element(n * 5 + 1, dtype)).collect::<Vec<_>>());
        let shared = base();
        let common: Vec<i64> = (0..3).map(|_| random.pick(&[3, 2, 4, 1])).collect();
        let mut arguments = Arguments { values: Vec::new(), bases: vec![] };
        if is_overlapping {
            arguments.bases.push(shared.clone());
        }
        for rank in parameter_ranks(seed) {
            let view = if is_overlapping { shared.clone() } else { base() };
            if !is_overlapping {
                arguments.bases.push(view.clone());
            }
            arguments.values.push(Value::Array(argument(&mut random, view, rank, &common)));
        }
        arguments
    }
}

/// A view of a base: mostly of the common extents, right-aligned, so that shapes fit together.
fn argument(random: &mut Random, base: View, rank: usize, common: &[i64]) -> View {
    let odd = random.below(6) == 0;
    let shape: Vec<i64> = common[3 - rank..].iter().map(|n| if odd { random.pick(&[1, *n]) } else { *n }).collect();
    let mut axes: Vec<usize> = (0..rank).rev().collect();
    if random.below(3) == 0 {
        axes.reverse();
    }
    let itemsize = base.dtype.itemsize() as i64;
    let mut stride = itemsize * random.pick(&[1, 1, 2]);
    let mut strides = vec![0; rank];
    let mut offset = 100 * itemsize + itemsize * random.below(3) as i64;
    for axis in axes {
        let is_reversed = random.below(5) == 0;
        strides[axis] = if is_reversed { -stride } else { stride };
        offset += if is_reversed { stride * (shape[axis] - 1) } else { 0 };
        stride *= shape[axis] + random.pick(&[0, 0, 1]);
    }
    View { offset, shape, strides, ..base }
}

/// What a run gave.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// It returned.
    Returned {
        /// One a result.
        results: Vec<Returned>,
        /// The elements of each base.
        memory: Vec<Vec<Constant>>,
    },
    /// It raised; memory as it was left.
    Raised(String, Vec<Vec<Constant>>),
}

/// A result.
#[derive(Debug, PartialEq)]
pub struct Returned {
    shape: Vec<i64>,
    /// Where more than one element lies along an axis.
    strides: Vec<Option<i64>>,
    elements: Vec<Constant>,
    /// The base, or an earlier result, whose memory it is, and where in it.
    shares: Option<(usize, i64)>,
}

/// Runs a function.
pub fn outcome(module: &Module, function: &str, arguments: &Arguments) -> Result<Outcome, String> {
    let results = interpret(module, function, &arguments.values);
    let memory = arguments.bases.iter().map(|base| base.elements().map_err(|e| format!("{e:?}")));
    let memory = memory.collect::<Result<Vec<_>, _>>()?;
    match results {
        Ok(values) => Ok(Outcome::Returned { results: returned(&values, arguments)?, memory }),
        Err(Failure::Raised { kind, message }) => Ok(Outcome::Raised(format!("{kind:?}: {message}"), memory)),
        Err(Failure::Invalid(message)) => Err(message),
    }
}

/// Runs a function whose op number `fails_at` of those that can fail does so; whether it came to that. An error: references are not balanced.
pub fn outcome_of_failing(
    module: &Module,
    function: &str,
    arguments: &Arguments,
    fails_at: u64,
) -> Result<bool, String> {
    let options = Options { fails_at: Some(fails_at), is_verified: true, ..Options::default() };
    match interpret_with(module, function, &arguments.values, options) {
        Ok(_) => Ok(false),
        Err(Failure::Raised { message, .. }) => Ok(message.starts_with("fallible op")),
        Err(Failure::Invalid(message)) => Err(message),
    }
}

fn returned(values: &[Value], arguments: &Arguments) -> Result<Vec<Returned>, String> {
    let mut known: Vec<View> = arguments.bases.clone();
    let mut results = Vec::new();
    for value in values {
        let Value::Array(view) = value else { continue };
        let shares = known.iter().position(|k| k.buffer == view.buffer);
        let is_empty = view.shape.contains(&0);
        let strides = view.shape.iter().zip(&view.strides).map(|(n, s)| (*n > 1 && !is_empty).then_some(*s));
        results.push(Returned {
            shape: view.shape.clone(),
            strides: strides.collect(),
            elements: view.elements().map_err(|e| format!("{e:?}"))?,
            shares: shares.map(|base| (base, if is_empty { 0 } else { view.offset })),
        });
        if shares.is_none() {
            known.push(view.clone());
        }
    }
    Ok(results)
}

/// Whether two runs gave the same; the first must be valid.
pub fn check_same(expected: &Result<Outcome, String>, found: &Result<Outcome, String>) -> Result<(), String> {
    match (expected, found) {
        (Err(error), _) => Err(format!("the program itself is invalid: {error}")),
        (_, Err(error)) => Err(error.clone()),
        (Ok(expected), Ok(found)) if expected == found => Ok(()),
        (Ok(expected), Ok(found)) => Err(format!("expected {expected:?}\nfound {found:?}")),
    }
}
