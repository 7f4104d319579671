//! Rows of class `Scan`: running totals along an axis, as `cumsum` and the ufuncs' `accumulate` give them.
//!
//! A row names its reducer, its dtypes and how it takes its axis; this file emits one `scan` op, with the cast to `out` in its epilogue.

use numptx_source::code;

use super::binding::Call;
use super::error::bad_argument;
use super::manipulation::flat;
use super::reduction::{Accumulate, combining, in_single, nan_to_one, nan_to_zero, no_order, normalise_axis, wide};
use super::ufunc::Compose;
use super::value::{FunctionError, PyValue};
use super::{Class, Function};
use crate::DType;
use crate::array::{OpKind, Order, OrderTerm, ValueId};
use crate::promotion;
use crate::scalar::{Body, BodyBuilder, Reducer, ScalarOp};

/// How a row takes its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisRule {
    /// `None`, the default: all elements in C order.
    Flat,
    /// Axis 0 by default; a single value has none.
    First,
    /// The only axis by default.
    Only,
}

/// The data of a scan row.
#[derive(Debug)]
pub struct Running {
    /// How elements are combined.
    pub reducer: Reducer,
    /// In which dtype.
    pub accumulate: Accumulate,
    /// What is done to an element before, in the array's dtype.
    pub prepare: Option<Compose>,
    /// How the axis is taken.
    pub axis: AxisRule,
    /// Whether only bools and integers are accepted.
    pub is_bitwise: bool,
}

const FLAT: &str = "a, axis=None, dtype=None, out=None";
const METHOD: &str = "array, /, axis=0, dtype=None, out=None";
const CUMULATIVE: &str = "x, /, *, axis=None, dtype=None, out=None, include_initial=False";

const fn scan(name: &'static str, parameters: &'static str, reducer: Reducer, axis: AxisRule) -> Function {
    let running = Running { reducer, accumulate: Accumulate::Wide, prepare: None, axis, is_bitwise: false };
    Function::new(name, parameters, Class::Scan(running))
}

/// `accumulate` of a ufunc.
const fn method(name: &'static str, reducer: Reducer, accumulate: Accumulate, is_bitwise: bool) -> Function {
    let running = Running { reducer, accumulate, prepare: None, axis: AxisRule::First, is_bitwise };
    Function::new(name, METHOD, Class::Scan(running))
}

const fn without_nans(mut row: Function, compose: Compose) -> Function {
    if let Class::Scan(running) = &mut row.class {
        running.prepare = Some(compose);
    }
    row
}

/// The rows.
pub const TABLE: &[Function] = &[
    scan("numpy.cumsum", FLAT, Reducer::Add, AxisRule::Flat)
        .aliases(&["ndarray.cumsum"])
        .ulp(16)
        .doc("running sums; integers in 64 bits")
        .example("np.cumsum(y, axis=1)"),
    scan("numpy.cumprod", FLAT, Reducer::Mul, AxisRule::Flat)
        .aliases(&["ndarray.cumprod"])
        .ulp(16)
        .doc("running products; integers in 64 bits"),
    scan("numpy.cumulative_sum", CUMULATIVE, Reducer::Add, AxisRule::Only)
        .ulp(16)
        .doc("running sums along one axis, from 0 if asked for")
        .example("np.cumulative_sum(x, include_initial=True)"),
    scan("numpy.cumulative_prod", CUMULATIVE, Reducer::Mul, AxisRule::Only)
        .ulp(16)
        .doc("running products along one axis, from 1 if asked for"),
    without_nans(scan("numpy.nancumsum", FLAT, Reducer::Add, AxisRule::Flat), nan_to_zero)
        .ulp(16)
        .doc("running sums without nans"),
    without_nans(scan("numpy.nancumprod", FLAT, Reducer::Mul, AxisRule::Flat), nan_to_one)
        .ulp(16)
        .doc("running products without nans"),
    method("numpy.add.accumulate", Reducer::Add, Accumulate::Wide, false).ulp(16).doc("running sums"),
    method("numpy.multiply.accumulate", Reducer::Mul, Accumulate::Wide, false).ulp(16).doc("running products"),
    method("numpy.maximum.accumulate", Reducer::Max, Accumulate::Own, false)
        .doc("largest element so far; nan from the first nan on")
        .example("np.maximum.accumulate(y, axis=1)"),
    method("numpy.minimum.accumulate", Reducer::Min, Accumulate::Own, false)
        .doc("smallest element so far; nan from the first nan on"),
    method("numpy.logical_and.accumulate", Reducer::And, Accumulate::Truth, false)
        .doc("whether all elements so far are true"),
    method("numpy.logical_or.accumulate", Reducer::Or, Accumulate::Truth, false)
        .doc("whether any element so far is true"),
    method("numpy.logical_xor.accumulate", Reducer::Xor, Accumulate::Truth, false)
        .doc("whether an odd number of elements so far is true"),
    method("numpy.bitwise_and.accumulate", Reducer::And, Accumulate::Own, true).doc("bits of all elements so far"),
    method("numpy.bitwise_or.accumulate", Reducer::Or, Accumulate::Own, true).doc("bits of any element so far"),
    method("numpy.bitwise_xor.accumulate", Reducer::Xor, Accumulate::Own, true)
        .doc("bits of an odd number of elements so far"),
];

impl Running {
    /// The dtypes that it accepts, as NumPy's type characters.
    pub fn dtypes(&self) -> String {
        let accepts = |d: &DType| match self.accumulate {
            Accumulate::Own if self.is_bitwise => d.is_integer() || *d == DType::Bool,
            Accumulate::Own => !d.is_complex(),
            _ => true,
        };
        DType::ALL.into_iter().filter(accepts).map(DType::character).collect()
    }

    /// The dtype of the running values.
    fn dtype(&self, call: &Call, own: DType, out: Option<DType>) -> Result<DType, FunctionError> {
        let given = call.dtype("dtype")?;
        if self.accumulate == Accumulate::Truth {
            return match given {
                None | Some(DType::Bool) => Ok(DType::Bool),
                Some(_) => Err(call.refuse("dtype", "`bool`, or left out")),
            };
        }
        let dtype = match (given, out) {
            (Some(dtype), _) => dtype,
            (None, Some(out)) => promotion::promote(out, own),
            (None, None) if self.accumulate == Accumulate::Wide => wide(own),
            (None, None) => own,
        };
        if self.accumulate == Accumulate::Own && dtype.is_complex() {
            return Err(no_order(call, dtype));
        }
        if self.is_bitwise && !dtype.is_integer() && dtype != DType::Bool {
            let message = format!("`{}` does not exist for `{dtype}`", call.function.name);
            return Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
                .help("cast to an integer first: `x.astype(np.int64)`"));
        }
        Ok(dtype)
    }
}

/// Emits a call of a scan row.
pub(super) fn call(call: &mut Call, row: &'static Running) -> Result<PyValue, FunctionError> {
    let (array, axis) = plan(call, row)?;
    let own = call.builder.dtype(array);
    let out = call.output("out")?;
    let out_dtype = out.map(|out| call.builder.dtype(out.value));
    let dtype = row.dtype(call, own, out_dtype)?;
    let to = out_dtype.unwrap_or(dtype);
    let from_initial = row.axis == AxisRule::Only && call.flag("include_initial", false)?;
    let extents = call.builder.shape(array);
    let mut result_extents = extents.clone();
    if from_initial {
        let one = call.builder.i64(1);
        result_extents[axis] = call.builder.scalar(ScalarOp::Add, &[extents[axis], one]);
    }
    if let Some(out) = out {
        call.check_output(out, &result_extents, "provided out is the wrong size for the accumulation")?;
    }
    let running = emit(call, row, (array, axis), dtype, to);
    let destination = match out {
        Some(out) => out.value,
        None if from_initial => allocate(call, to, &result_extents, array),
        None => return Ok(PyValue::array(running)),
    };
    if from_initial {
        start(call, row, (destination, axis), running);
    } else {
        call.builder.assign(destination, running);
    }
    Ok(out.map_or(PyValue::array(destination), PyValue::Typed))
}

/// The array and the axis to run along.
fn plan(call: &mut Call, row: &Running) -> Result<(ValueId, usize), FunctionError> {
    let name = if row.axis == AxisRule::Flat {
        "a"
    } else if row.axis == AxisRule::First {
        "array"
    } else {
        "x"
    };
    let mut array = call.array(name)?.value;
    if call.builder.rank(array) == 0 {
        if row.axis == AxisRule::First {
            return Err(bad_argument("cannot accumulate on a scalar").help("pass an array of at least one axis"));
        }
        array = call.builder.new_axis(array, 0);
    }
    if matches!(call.get("axis"), Some(PyValue::Tuple(_) | PyValue::List(_))) {
        return Err(call.refuse("axis", "one integer"));
    }
    let rank = call.builder.rank(array);
    let axis = match (call.constant_integer("axis")?, row.axis) {
        (Some(axis), _) => normalise_axis(axis, rank).map_err(|e| e.at(call.position("axis")))?,
        (None, AxisRule::Flat) => {
            array = flat(call.builder, array);
            0
        }
        (None, AxisRule::First) if call.get("axis").is_none() => 0,
        (None, _) if rank == 1 => 0,
        (None, _) => return Err(call.refuse("axis", "an axis of an array that has several")),
    };
    Ok((array, axis))
}

/// The `scan` op: elements as `dtype`, results as `to`.
fn emit(call: &mut Call, row: &Running, (array, axis): (ValueId, usize), dtype: DType, to: DType) -> ValueId {
    let own = call.builder.dtype(array);
    let reducer = combining(row.reducer, dtype);
    let combined = in_single(reducer, dtype);
    let mut body = BodyBuilder::new();
    let element = body.input(0, own);
    let prepared = row.prepare.map_or(element, |prepare| prepare(&mut body, &[element])[0]);
    let element = body.cast(prepared, dtype);
    let element = body.cast(element, combined);
    let body = body.finish(vec![element]);
    let extents = call.builder.shape(array);
    let epilogue = (to != combined).then(|| cast_body(combined, &[dtype, to]));
    call.builder.scan(&extents, axis, &[array], (body, reducer, epilogue))
}

/// The body that casts its input to one dtype after the other.
pub(super) fn cast_body(from: DType, to: &[DType]) -> Body {
    let mut body = BodyBuilder::new();
    let value = body.input(0, from);
    let value = to.iter().fold(value, |value, dtype| body.cast(value, *dtype));
    body.finish(vec![value])
}

/// A new array in the memory order that running values of `like` have.
fn allocate(call: &mut Call, dtype: DType, extents: &[ValueId], like: ValueId) -> ValueId {
    let (order, like) = match extents.len() {
        1 => (Order::C, Vec::new()),
        _ => (Order::K(vec![OrderTerm::Input(0)]), vec![like]),
    };
    let operands = [extents, &like].concat();
    let value = call.builder.emit(OpKind::Alloc { dtype, order }, operands)[0];
    call.builder.set_shape(value, extents.to_vec());
    value
}

/// Writes what running totals begin with, and then these.
fn start(call: &mut Call, row: &Running, (destination, axis): (ValueId, usize), running: ValueId) {
    let dtype = call.builder.dtype(destination);
    let builder = &mut *call.builder;
    let (zero, one) = (builder.i64(0), builder.i64(1));
    let length = builder.dim(running, axis);
    let rest = builder.slice(destination, axis, one, length, one);
    builder.assign(rest, running);
    let first = builder.index(destination, axis, zero);
    let extents = builder.shape(first);
    let number = if row.reducer == Reducer::Mul { 1.0 } else { 0.0 };
    let mut body = BodyBuilder::new();
    let value = body.constant(number, dtype);
    let filled = builder.map(&extents, &[], body.finish(vec![value]))[0];
    builder.assign(first, filled);
}
