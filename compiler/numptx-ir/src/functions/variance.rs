//! Mean, variance and standard deviation: one reduction, or two, each with the division in its epilogue.

use numptx_source::code;

use super::binding::Call;
use super::reduction::{Parts, Plan, in_single, plan, reduce_over, result};
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{counted, output};
use crate::DType;
use crate::array::{Builder, ValueId};
use crate::promotion::Casting;
use crate::scalar::{BodyBuilder, Constant, Reducer, Val};

/// Parameters of `var` and `std`.
pub(super) const PARAMETERS: &str =
    "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=<no value>, correction=<no value>";

/// Parameters of `mean`.
pub(super) const OF_MEAN: &str = "a, axis=None, dtype=None, out=None, keepdims=False, *, where=True";

/// `numpy.mean`.
pub(super) fn mean(call: &mut Call) -> Result<PyValue, FunctionError> {
    let plan = plan(call)?;
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| floating(call.builder.dtype(plan.array.value)));
    if !dtype.is_float() && !dtype.is_complex() {
        return Err(call.refuse("dtype", "a floating dtype"));
    }
    let own = call.builder.dtype(plan.array.value);
    let mask = counted::mask(call, &plan)?;
    check_half_out(call, own)?;
    // NumPy rounds sums of `float16` only where `dtype` or `out` asks for that.
    let value = match (own, call.dtype("dtype")?, call.output("out")?) {
        (DType::F16, None, None) => mean_of(call.builder, &plan, mask, (DType::F32, own)),
        _ => mean_of(call.builder, &plan, mask, (dtype, dtype)),
    };
    result(call, &plan, value)
}

/// `numpy.var`.
pub(super) fn var(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (plan, value) = variance(call, |_, value| value)?;
    result(call, &plan, value)
}

/// `numpy.std`.
pub(super) fn std(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (plan, value) = variance(call, BodyBuilder::sqrt)?;
    check_kind(call, value)?;
    result(call, &plan, value)
}

/// What is written to `out` while it is computed is rounded there: of `float16` that is the same where `out` is one, too.
fn check_half_out(call: &mut Call, own: DType) -> Result<(), FunctionError> {
    let out = call.output("out")?.map(|out| call.builder.dtype(out.value));
    if own != DType::F16 || out.is_none_or(|out| out == own) {
        return Ok(());
    }
    let message = format!("`{}` of `float16` into an array of another dtype is not supported", call.function.name);
    Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
        .at(call.position("out"))
        .help("assign the result: `out[...] = x.astype(np.float32).mean()`"))
}

/// Of a last step that NumPy does with a ufunc: `out` is of the result's kind.
fn check_kind(call: &mut Call, value: ValueId) -> Result<(), FunctionError> {
    match call.output("out")? {
        Some(out) => {
            output::check_cast(call, call.builder.dtype(value), call.builder.dtype(out.value), Casting::SameKind)
        }
        None => Ok(()),
    }
}

/// The dtype in which means are computed.
fn floating(dtype: DType) -> DType {
    if dtype.is_float() || dtype.is_complex() { dtype } else { DType::F64 }
}

/// The sum of what is counted in the second reducer, unless the count is known when compiling.
fn reducers(builder: &Builder, plan: &Plan, mask: Option<Typed>) -> (Vec<Reducer>, Option<i64>) {
    match plan.constant_count(builder).filter(|_| mask.is_none()) {
        Some(count) => (vec![Reducer::Add], Some(count)),
        None => (vec![Reducer::Add, Reducer::Add], None),
    }
}

/// The number of reduced elements in a real dtype, in an epilogue.
fn count(b: &mut BodyBuilder, values: &[Val], known: Option<i64>, dtype: DType) -> Val {
    match known {
        Some(count) => b.constant(count as f64, dtype),
        None => b.cast(values[1], dtype),
    }
}

/// An element, and a one to count it; zeros where it does not count.
fn with_one(b: &mut BodyBuilder, element: Val, mask: Option<&Val>, known: Option<i64>) -> Vec<Val> {
    if known.is_some() {
        return vec![element];
    }
    let one = b.constant(1.0, DType::I64);
    let values = [element, one];
    values.map(|v| mask.map_or(v, |mask| counted::counted(b, *mask, v, Reducer::Add))).to_vec()
}

/// A sum as it is divided: of `float16` it is rounded, and then divided as `float32`, which holds all counts that matter.
fn divisible(b: &mut BodyBuilder, sum: Val, dtype: DType) -> Val {
    let sum = b.cast(sum, dtype);
    b.cast(sum, in_single(Reducer::Add, dtype))
}

/// The mean over the plan's reduced axes, computed in the first dtype, given in the second one.
fn mean_of(builder: &mut Builder, plan: &Plan, mask: Option<Typed>, (dtype, to): (DType, DType)) -> ValueId {
    let combined = in_single(Reducer::Add, dtype);
    let (reducers, known) = reducers(builder, plan, mask);
    let mut body = |b: &mut BodyBuilder, v: &[Val]| {
        let element = b.cast(v[0], combined);
        with_one(b, element, v.get(1), known)
    };
    let mut epilogue = |b: &mut BodyBuilder, v: &[Val]| {
        let count = count(b, v, known, combined.real());
        if !dtype.is_complex() {
            let sum = divisible(b, v[0], dtype);
            let mean = b.div(sum, count);
            return vec![b.cast(mean, to)];
        }
        // As NumPy: a quotient of complex numbers, in which an infinite part leaves no number in the other.
        let zero = b.number(0.0, count);
        let count = b.complex(count, zero);
        vec![b.div(v[0], count)]
    };
    let parts = Parts { body: &mut body, reducers: &reducers, epilogue: &mut epilogue };
    let inputs: Vec<Typed> = std::iter::once(plan.array).chain(mask).collect();
    reduce_over(builder, plan, &inputs, &[dtype, DType::Bool][..inputs.len()], parts)[0]
}

/// The mean of squared distances from the mean, then `finish`.
fn variance(call: &mut Call, finish: fn(&mut BodyBuilder, Val) -> Val) -> Result<(Plan, ValueId), FunctionError> {
    let plan = plan(call)?;
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| floating(call.builder.dtype(plan.array.value)));
    if !dtype.is_float() && !dtype.is_complex() {
        return Err(call.refuse("dtype", "a floating dtype"));
    }
    let own = call.builder.dtype(plan.array.value);
    check_half_out(call, own)?;
    let ddof = degrees_of_freedom(call)?;
    let mask = counted::mask(call, &plan)?;
    let combined = in_single(Reducer::Add, dtype);
    let mean = mean_of(call.builder, &plan, mask, (dtype, dtype));
    let mean = (0..plan.axes.len()).fold(mean, |mean, _| {
        let rank = call.builder.rank(mean);
        call.builder.new_axis(mean, rank)
    });
    let inputs: Vec<Typed> =
        [plan.array, Typed { value: mean, family: Family::Array }].into_iter().chain(mask).collect();
    let (reducers, known) = reducers(call.builder, &plan, mask);
    let mut body = |b: &mut BodyBuilder, v: &[Val]| {
        let distance = b.sub(v[0], v[1]);
        let square = squared(b, distance);
        let square = b.cast(square, combined.real());
        with_one(b, square, v.get(2), known)
    };
    let real = combined.real();
    let mut epilogue = |b: &mut BodyBuilder, v: &[Val]| {
        let count = count(b, v, known, real);
        let (less, zero) = (b.constant(ddof, real), b.constant(0.0, real));
        let divisor = b.sub(count, less);
        let divisor = b.max(divisor, zero);
        let sum = divisible(b, v[0], dtype.real());
        let variance = b.div(sum, divisor);
        let variance = b.cast(variance, dtype.real());
        vec![finish(b, variance)]
    };
    let parts = Parts { body: &mut body, reducers: &reducers, epilogue: &mut epilogue };
    let value = reduce_over(call.builder, &plan, &inputs, &[dtype, dtype, DType::Bool][..inputs.len()], parts)[0];
    Ok((plan, value))
}

/// `|z|**2`.
fn squared(b: &mut BodyBuilder, z: Val) -> Val {
    if !b.dtype(z).is_complex() {
        return b.mul(z, z);
    }
    let (re, im) = b.parts(z);
    let (re, im) = (b.mul(re, re), b.mul(im, im));
    b.add(re, im)
}

fn degrees_of_freedom(call: &Call) -> Result<f64, FunctionError> {
    let constant = match call.given("ddof") {
        None => return Ok(0.0),
        Some(PyValue::Typed(typed)) => call.builder.as_constant(typed.value),
        Some(_) => None,
    };
    match constant {
        Some(Constant::Int(n)) => Ok(n as f64),
        Some(Constant::Float(x)) => Ok(x),
        _ => Err(call.refuse("ddof", "a number that is known when compiling")),
    }
}
