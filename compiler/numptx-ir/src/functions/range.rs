//! Evenly spaced values: `arange` and `linspace`, computed from the index as NumPy computes them.

use numptx_source::code;

use super::binding::Call;
use super::reduction::normalise_axis;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{convert, creation, elementwise, shape};
use crate::DType;
use crate::array::{Builder, ErrorKind, ValueId};
use crate::scalar::{BodyBuilder, Constant, ScalarOp, Val};

/// Start, stop and step as host scalars of one dtype.
struct Bounds {
    start: ValueId,
    stop: ValueId,
    step: ValueId,
}

/// `numpy.arange`.
pub(super) fn arange(call: &mut Call) -> Result<PyValue, FunctionError> {
    let names: &[&str] = if call.given("stop").is_some() { &["start", "stop", "step"] } else { &["start", "step"] };
    let mut given: Vec<Typed> = Vec::new();
    for name in names {
        if call.given(name).is_some() {
            given.push(host_number(call, name)?);
        }
    }
    let common = creation::common(call, &given);
    let dtype = call.dtype("dtype")?.unwrap_or(common);
    if common == DType::F16 {
        let message = "`numpy.arange` of bounds of `float16` is not supported";
        return Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
            .help("write bounds of Python, and `dtype=np.float16`"));
    }
    if common.is_complex() || dtype.is_complex() || dtype == DType::Bool {
        let message =
            format!("`numpy.arange` of `{}` is not supported", if common.is_complex() { common } else { dtype });
        return Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
            .help("make a range of integers or floats and cast it with `.astype`"));
    }
    let work = if common.is_float() { DType::F64 } else { DType::I64 };
    let read = |call: &mut Call, name: &str, default: f64| match call.given(name) {
        Some(_) => host_number(call, name).map(|t| convert::cast_host(call.builder, t.value, work)),
        None => Ok(number(call.builder, default, work)),
    };
    let (start, stop) = match names.len() {
        3 => (read(call, "start", 0.0)?, read(call, "stop", 0.0)?),
        _ => (number(call.builder, 0.0, work), read(call, "start", 0.0)?),
    };
    let step = match call.given("step") {
        Some(_) => host_number(call, "step").map(|t| convert::cast_host(call.builder, t.value, work))?,
        None => number(call.builder, 1.0, work),
    };
    let bounds = Bounds { start, stop, step };
    let length = if work == DType::I64 { integer_length(call, &bounds)? } else { float_length(call.builder, &bounds) };
    let second = call.builder.scalar(ScalarOp::Add, &[start, step]);
    let operands = [start, second].map(|value| Typed { value, family: Family::Numpy });
    // Steps of `float16` are rounded once, as NumPy rounds them.
    let wide = if dtype == DType::F16 { DType::F32 } else { dtype };
    let is_narrow = dtype == DType::F16 || dtype == DType::F32;
    let values = elementwise::over(call.builder, &[length], &operands, &[dtype, dtype], &mut |b, v| {
        let index = b.index(0);
        let (first, second) = (b.cast(v[0], wide), b.cast(v[1], wide));
        let (step, place, one) = (b.sub(second, first), b.cast(index, wide), b.integer(1, DType::I64));
        let distance = b.mul(place, step);
        let (value, is_second) = (b.add(first, distance), b.eq(index, one));
        let mut value = b.cast(value, dtype);
        if is_narrow {
            // The step may be infinite: no number times 0.
            let zero = b.integer(0, DType::I64);
            let is_first = b.eq(index, zero);
            value = b.select(is_first, v[0], value);
        }
        vec![b.select(is_second, v[1], value)]
    });
    Ok(PyValue::array(values[0]))
}

fn number(builder: &mut Builder, value: f64, dtype: DType) -> ValueId {
    if dtype == DType::I64 { builder.i64(value as i64) } else { builder.constant(Constant::Float(value), dtype) }
}

/// An argument as a scalar on the host.
fn host_number(call: &mut Call, name: &str) -> Result<Typed, FunctionError> {
    let typed = match call.get(name) {
        Some(PyValue::Typed(typed)) if call.builder.rank(typed.value) == 0 => typed,
        _ => return Err(call.refuse(name, "a number")),
    };
    let value = convert::to_host(call.builder, typed);
    Ok(Typed { value, family: typed.family })
}

/// ceil((stop - start) / step), at least 0.
fn integer_length(call: &mut Call, bounds: &Bounds) -> Result<ValueId, FunctionError> {
    let builder = &mut *call.builder;
    let constants = [bounds.start, bounds.stop, bounds.step].map(|v| builder.as_i64(v));
    if let [Some(start), Some(stop), Some(step)] = constants {
        if step == 0 {
            return Err(call.refuse("step", "another number than 0"));
        }
        let distance = i128::from(stop) - i128::from(start);
        let length = ceil_div(distance, i128::from(step));
        return Ok(builder.i64(i64::try_from(length.max(0)).unwrap_or(i64::MAX)));
    }
    let zero = builder.i64(0);
    if builder.as_i64(bounds.step).is_none_or(|n| n == 0) {
        let fine = builder.scalar(ScalarOp::Ne, &[bounds.step, zero]);
        builder.check(fine, ErrorKind::ZeroDivision, "division by zero", &[]);
    }
    let back = builder.scalar(ScalarOp::Sub, &[bounds.start, bounds.stop]);
    let steps = match builder.as_i64(bounds.step) {
        Some(1) => back,
        _ => builder.scalar(ScalarOp::FloorDiv, &[back, bounds.step]),
    };
    let length = builder.scalar(ScalarOp::Sub, &[zero, steps]);
    Ok(shape::maximum(builder, length, zero))
}

fn ceil_div(a: i128, b: i128) -> i128 {
    a / b + i128::from(a % b != 0 && (a < 0) == (b < 0))
}

fn float_length(builder: &mut Builder, bounds: &Bounds) -> ValueId {
    let zero = builder.constant(Constant::Float(0.0), DType::F64);
    let fine = builder.scalar(ScalarOp::Ne, &[bounds.step, zero]);
    builder.check(fine, ErrorKind::ZeroDivision, "division by zero", &[]);
    let distance = builder.scalar(ScalarOp::Sub, &[bounds.stop, bounds.start]);
    let steps = builder.scalar(ScalarOp::Div, &[distance, bounds.step]);
    let steps = builder.scalar(ScalarOp::Ceil, &[steps]);
    let largest = builder.constant(Constant::Float(9.2e18), DType::F64);
    let fine = builder.scalar(ScalarOp::Lt, &[steps, largest]);
    builder.check(fine, ErrorKind::Value, "Maximum allowed size exceeded", &[]);
    let steps = builder.scalar(ScalarOp::Max, &[steps, zero]);
    convert::cast_host(builder, steps, DType::I64)
}

/// `numpy.linspace` between scalars.
pub(super) fn linspace(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (start, stop) = (host_number(call, "start")?, host_number(call, "stop")?);
    let common = creation::common(call, &[start, stop]);
    let work = if common.is_float() || common.is_complex() { common } else { DType::F64 };
    let dtype = call.dtype("dtype")?.unwrap_or(work);
    let endpoint = call.flag("endpoint", true)?;
    let num = if call.given("num").is_some() { call.integer("num")? } else { call.builder.i64(50) };
    let builder = &mut *call.builder;
    let (zero, one) = (builder.i64(0), builder.i64(1));
    let fine = builder.scalar(ScalarOp::Le, &[zero, num]);
    builder.check(fine, ErrorKind::Value, "Number of samples, {}, must be non-negative.", &[num]);
    let intervals = if endpoint { builder.scalar(ScalarOp::Sub, &[num, one]) } else { num };
    let divisor = shape::maximum(builder, intervals, one);
    let divisor = convert::cast_host(builder, divisor, work);
    let (start, stop) = (convert::cast_host(builder, start.value, work), convert::cast_host(builder, stop.value, work));
    let distance = builder.scalar(ScalarOp::Sub, &[stop, start]);
    let step = builder.scalar(ScalarOp::Div, &[distance, divisor]);
    let operands =
        [start, stop, distance, step, divisor, intervals].map(|value| Typed { value, family: Family::Numpy });
    let dtypes = [work, work, work, work, work, DType::I64];
    let values =
        elementwise::over(builder, &[num], &operands, &dtypes, &mut |b, v| vec![sample(b, v, endpoint, dtype)]);
    let values = PyValue::array(values[0]);
    let axis = call.constant_integer("axis")?.unwrap_or(0);
    normalise_axis(axis, 1).map_err(|e| e.at(call.position("axis")))?;
    if !call.flag("retstep", false)? {
        return Ok(values);
    }
    // Of no intervals there is no step: NumPy gives a nan of Python.
    let builder = &mut *call.builder;
    let nan = builder.constant(Constant::Float(f64::NAN), DType::F64);
    if builder.as_i64(intervals).is_some_and(|n| n <= 0) {
        return Ok(PyValue::Tuple(vec![values, PyValue::Typed(Typed { value: nan, family: Family::Python })]));
    }
    let nan = convert::cast_host(builder, nan, work);
    let some = builder.scalar(ScalarOp::Lt, &[zero, intervals]);
    let step = builder.scalar(ScalarOp::Select, &[some, step, nan]);
    Ok(PyValue::Tuple(vec![values, PyValue::Typed(Typed { value: step, family: Family::Numpy })]))
}

/// As NumPy: `i * step + start`, `i / n * distance + start` where the step is 0; the last value exactly.
fn sample(b: &mut BodyBuilder, v: &[Val], endpoint: bool, dtype: DType) -> Val {
    let [start, stop, distance, step, divisor, intervals] = [v[0], v[1], v[2], v[3], v[4], v[5]];
    let (index, zero, none) = (b.index(0), b.number(0.0, step), b.integer(0, DType::I64));
    let place = b.cast(index, b.dtype(step));
    let usual = b.mul(place, step);
    let fraction = b.div(place, divisor);
    let tiny = b.mul(fraction, distance);
    let is_tiny = b.eq(step, zero);
    let offset = b.select(is_tiny, tiny, usual);
    let mut value = b.add(offset, start);
    if endpoint {
        let (is_end, is_several) = (b.eq(index, intervals), b.gt(intervals, none));
        let is_last = b.both(is_end, is_several);
        value = b.select(is_last, stop, value);
    }
    if dtype.is_integer() && b.dtype(value).is_float() {
        value = b.op(ScalarOp::Floor, &[value]);
    }
    b.cast(value, dtype)
}
