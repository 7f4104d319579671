//! Rows that choose between elements, and elementwise functions that are written in terms of others.

use numptx_abi::half;
use numptx_source::code;

use super::binding::Call;
use super::elementwise::{self, Typing};
use super::error::bad_argument;
use super::output;
use super::reduction::{normalise_axis, product};
use super::shape;
use super::ufuncs::floating;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Function, choosing, convert, creation, joining, ufunc};
use crate::DType;
use crate::array::{ErrorKind, Order, ValueId};
use crate::promotion;
use crate::scalar::{BodyBuilder, Constant, ScalarOp, Val, library};

const CLIP: &str = "a, a_min=<no value>, a_max=<no value>, out=None, *, min=<no value>, max=<no value>, **kwargs";

/// The rows.
pub const TABLE: &[Function] = &[
    Function::new("numpy.where", "condition, x=None, y=None, /", Class::Index(choose))
        .large_ints()
        .doc("x where the condition is true, y elsewhere; of one argument as `numpy.nonzero`")
        .example("np.where(x > 0, x, 0)"),
    Function::new("numpy.clip", CLIP, Class::Expand(clip))
        .aliases(&["ndarray.clip"])
        .method("self, /, min=None, max=None, out=None, **kwargs")
        .doc("values limited to a range")
        .example("np.clip(x, 1, 3)"),
    Function::new("numpy.nan_to_num", "x, copy=True, nan=0.0, posinf=None, neginf=None", Class::Expand(nan_to_num))
        .doc("nan and infinities replaced by numbers")
        .example("np.nan_to_num(x)"),
    Function::new("numpy.iscomplex", "x", Class::Expand(is_complex))
        .doc("has an imaginary part")
        .example("np.iscomplex(y.T)"),
    Function::new("numpy.round", "a, decimals=0, out=None", Class::Expand(round))
        .aliases(&["numpy.around", "ndarray.round"])
        .doc("rounded to a number of decimals, halves to even")
        .example("np.round(x, 2)"),
    Function::new("numpy.angle", "z, deg=False", Class::Expand(angle)).ulp(4).doc("the argument of complex numbers"),
    Function::new("numpy.diff", "a, n=1, axis=-1, prepend=<no value>, append=<no value>", Class::Expand(difference))
        .doc("differences of neighbours; of more than these, where values are given to stand before or behind them")
        .example("np.diff(x, prepend=0, append=x)"),
];

fn choose(call: &mut Call) -> Result<PyValue, FunctionError> {
    match (call.get("x"), call.get("y")) {
        (None, None) => {
            let array = call.array("condition")?.value;
            return choosing::indices(call, array);
        }
        (Some(_), Some(_)) => {}
        _ => {
            let message = "`numpy.where` needs the argument `y`, or neither `x` nor `y`";
            return Err(FunctionError::new(code::MISSING_ARGUMENT, message)
                .help("give the value elsewhere, too: `np.where(mask, x, 0.0)`"));
        }
    }
    let mut operands = [call.operand("condition")?, call.operand("x")?, call.operand("y")?];
    let dtype = creation::common(call, &operands[1..]);
    // `np.where` casts what it is given: a Python int beyond the dtype wraps.
    for operand in &mut operands[1..] {
        if operand.family == Family::Python && call.builder.is_scalar(operand.value) {
            let value = convert::cast_host(call.builder, operand.value, dtype);
            *operand = Typed { value, family: Family::Numpy };
        }
    }
    let dtypes = [DType::Bool, dtype, dtype];
    let typing = Typing { operands: &operands, dtypes: &dtypes };
    let mut result = elementwise::compute(call.builder, typing, &mut |b, v| vec![b.select(v[0], v[1], v[2])])?;
    // `np.where` of scalars gives an array of rank 0.
    let value = result.remove(0);
    let array = convert::to_array(call.builder, value);
    Ok(PyValue::array(array.value))
}

fn clip(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.operand("a")?;
    let own = call.builder.dtype(array.value);
    let lower = bound(call, ["a_min", "min"])?.filter(|t| !is_beyond(call, *t, own, |n, (low, _)| n <= low));
    let upper = bound(call, ["a_max", "max"])?.filter(|t| !is_beyond(call, *t, own, |n, (_, high)| n >= high));
    let lower = lower.map(|t| within(call, t, own, ScalarOp::Max));
    let upper = upper.map(|t| within(call, t, own, ScalarOp::Min));
    let mut operands = vec![array];
    operands.extend(lower);
    operands.extend(upper);
    let dtype = creation::common(call, &operands);
    if dtype.is_complex() {
        return Err(bad_argument("`numpy.clip` of complex numbers is not supported")
            .help("clip the parts: `np.clip(x.real, 0, 1)`"));
    }
    let dtypes = vec![dtype; operands.len()];
    ufunc::emit(call, &operands, &dtypes, &mut |b, v| {
        let mut bounds = v[1..].iter();
        let mut value = v[0];
        if let Some(low) = lower.and_then(|_| bounds.next()) {
            value = b.max(value, *low);
        }
        if let Some(high) = upper.and_then(|_| bounds.next()) {
            value = b.min(value, *high);
        }
        // Between two bounds NumPy gives the element itself, with its sign if it is 0.
        if v.len() == 3 && dtype.is_float() {
            let is_between = b.eq(value, v[0]);
            value = b.select(is_between, v[0], value);
        }
        vec![value]
    })
}

/// Whether a bound is a constant Python int at or beyond the end of the array's range, so that it limits nothing.
fn is_beyond(call: &Call, bound: Typed, dtype: DType, beyond: fn(i64, (i64, i64)) -> bool) -> bool {
    let constant = call.builder.as_i64(bound.value).filter(|_| bound.family == Family::Python);
    match (constant, promotion::integer_range(dtype)) {
        (Some(n), Some(range)) if dtype != DType::U64 || n <= 0 => beyond(n, range),
        _ => false,
    }
}

/// A bound that is a Python int, known when the program runs, no further out than the array's range.
fn within(call: &mut Call, bound: Typed, dtype: DType, nearer: ScalarOp) -> Typed {
    let Some((low, high)) = promotion::integer_range(dtype) else { return bound };
    let is_int = bound.family == Family::Python && call.builder.dtype(bound.value) == DType::I64;
    if !is_int || !call.builder.is_scalar(bound.value) || call.builder.as_i64(bound.value).is_some() {
        return bound;
    }
    let limit = call.builder.i64(if nearer == ScalarOp::Max { low } else { high });
    Typed { value: call.builder.scalar(nearer, &[bound.value, limit]), ..bound }
}

fn bound(call: &mut Call, names: [&str; 2]) -> Result<Option<Typed>, FunctionError> {
    match names.into_iter().find(|n| call.given(n).is_some()) {
        Some(name) => call.operand(name).map(Some),
        None => Ok(None),
    }
}

fn nan_to_num(call: &mut Call) -> Result<PyValue, FunctionError> {
    let operand = call.operand("x")?;
    let dtype = convert::operand(call.builder, operand).beside(None);
    let largest = match dtype.real() {
        DType::F16 => half::MAX,
        DType::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let replacements =
        [constant(call, "nan", 0.0)?, constant(call, "posinf", largest)?, constant(call, "neginf", -largest)?];
    if !call.flag("copy", true)? {
        return Err(call.refuse("copy", "`True`: assign the result instead, `x[...] = np.nan_to_num(x)`"));
    }
    let mut compute = |b: &mut BodyBuilder, v: &[Val]| {
        if dtype.is_complex() {
            let (re, im) = b.parts(v[0]);
            let (re, im) = (finite(b, re, replacements), finite(b, im, replacements));
            return vec![b.complex(re, im)];
        }
        vec![if dtype.is_float() { finite(b, v[0], replacements) } else { v[0] }]
    };
    let extents = call.builder.shape(operand.value);
    if extents.len() < 2 {
        return ufunc::emit(call, &[operand], &[dtype], &mut compute);
    }
    // NumPy changes a copy.
    let (body, inputs) = elementwise::body(call.builder, &[operand], &[dtype], &mut compute);
    let order = shape::order(call, 'K', Some(operand.value))?;
    Ok(PyValue::array(call.builder.map_ordered(&extents, &inputs, body, order)[0]))
}

fn constant(call: &Call, name: &str, default: f64) -> Result<f64, FunctionError> {
    match call.given(name) {
        None => Ok(default),
        Some(PyValue::Typed(typed)) => match call.builder.as_constant(typed.value) {
            Some(Constant::Float(x)) => Ok(x),
            Some(Constant::Int(n)) => Ok(n as f64),
            _ => Err(call.refuse(name, "a number that is known when compiling")),
        },
        Some(_) => Err(call.refuse(name, "a number")),
    }
}

fn finite(b: &mut BodyBuilder, x: Val, [nan, above, below]: [f64; 3]) -> Val {
    let (nan, above, below, zero) = (b.number(nan, x), b.number(above, x), b.number(below, x), b.number(0.0, x));
    let (is_nan, is_inf, is_negative) = (b.is_nan(x), b.is_inf(x), b.lt(x, zero));
    let infinity = b.select(is_negative, below, above);
    b.choose(&[(is_nan, nan), (is_inf, infinity)], x)
}

/// Of real arrays as NumPy: falsehoods in C order, whatever the array's order is.
fn is_complex(call: &mut Call) -> Result<PyValue, FunctionError> {
    let operand = call.operand("x")?;
    let dtype = call.builder.dtype(operand.value);
    if dtype.is_complex() || call.builder.is_scalar(operand.value) {
        return ufunc::emit(call, &[operand], &[dtype], &mut floating::is_complex);
    }
    let extents = call.builder.shape(operand.value);
    let mut body = BodyBuilder::new();
    let no = body.truth(false);
    let value = call.builder.map_ordered(&extents, &[], body.finish(vec![no]), Order::C)[0];
    let family = if extents.is_empty() { Family::Numpy } else { Family::Array };
    Ok(PyValue::Typed(Typed { value, family }))
}

/// As NumPy: scaled by a power of ten into `out`, then rounded and scaled back there.
fn round(call: &mut Call) -> Result<PyValue, FunctionError> {
    let operand = call.operand("a")?;
    let dtype = convert::operand(call.builder, operand).beside(None);
    let decimals = call.constant_integer("decimals")?.unwrap_or(0);
    if dtype == DType::Bool || (dtype.is_integer() && decimals < 0) || !(-300..=300).contains(&decimals) {
        let message = format!("`{}` of `{dtype}` to {decimals} decimals is not supported", call.function.name);
        return Err(bad_argument(message).help("cast to a float first: `np.round(x.astype(np.float64), 2)`"));
    }
    let outs = call.outputs(1)?;
    let out = outs[0].map(|out| call.builder.dtype(out.value)).filter(|out| out.is_float());
    let scale = 10f64.powi(decimals.unsigned_abs() as i32);
    let (before, after) = if decimals >= 0 { (ScalarOp::Mul, ScalarOp::Div) } else { (ScalarOp::Div, ScalarOp::Mul) };
    let part = |b: &mut BodyBuilder, x: Val| {
        if decimals == 0 {
            return b.op(ScalarOp::Rint, &[x]);
        }
        let number = b.number(scale, x);
        let scaled = b.op(before, &[x, number]);
        let scaled = out.map_or(scaled, |out| b.cast(scaled, out));
        let rounded = b.op(ScalarOp::Rint, &[scaled]);
        let number = b.number(scale, rounded);
        b.op(after, &[rounded, number])
    };
    let typing = Typing { operands: &[operand], dtypes: &[dtype] };
    let rounded = elementwise::compute(call.builder, typing, &mut |b, v| {
        if dtype.is_complex() {
            let (re, im) = b.parts(v[0]);
            let (re, im) = (part(b, re), part(b, im));
            return vec![b.complex(re, im)];
        }
        vec![if dtype.is_float() { part(b, v[0]) } else { v[0] }]
    })?;
    if let Some(out) = outs[0] {
        let sizes = [out.value, rounded[0].value].map(|v| call.builder.shape(v)).map(|e| product(call.builder, &e));
        if sizes[0] != sizes[1] {
            let equal = call.builder.scalar(ScalarOp::Eq, &sizes);
            call.builder.check(equal, ErrorKind::Value, "invalid output shape", &[]);
        }
    }
    output::deliver(call, rounded, &outs)
}

fn angle(call: &mut Call) -> Result<PyValue, FunctionError> {
    let operand = call.operand("z")?;
    let own = convert::operand(call.builder, operand).beside(None);
    let dtype = if own.is_complex() || own.is_float() { own } else { DType::F64 };
    let degrees = call.flag("deg", false)?;
    ufunc::emit(call, &[operand], &[dtype], &mut |b, v| {
        let (re, im) = if dtype.is_complex() { b.parts(v[0]) } else { (v[0], b.number(0.0, v[0])) };
        let angle = b.math2(library::ATAN2, im, re);
        let factor = b.number(180.0 / std::f64::consts::PI, angle);
        vec![if degrees { b.mul(angle, factor) } else { angle }]
    })
}

/// Each element and the one before it along an axis, combined.
fn neighbours(call: &mut Call, array: ValueId, axis: usize, op: ScalarOp) -> ValueId {
    let builder = &mut *call.builder;
    let (zero, one) = (builder.i64(0), builder.i64(1));
    let extent = builder.dim(array, axis);
    let fewer = builder.scalar(ScalarOp::Sub, &[extent, one]);
    let length = shape::maximum(builder, fewer, zero);
    let ends = [one, zero].map(|start| builder.slice(array, axis, start, length, one));
    let dtype = builder.dtype(array);
    let operands = ends.map(|value| Typed { value, family: Family::Array });
    let extents = builder.shape(ends[0]);
    elementwise::over(builder, &extents, &operands, &[dtype, dtype], &mut |b, v| vec![b.op(op, v)])[0]
}

fn difference(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut array = call.array("a")?;
    let rank = call.builder.rank(array.value);
    let axis = normalise_axis(call.constant_integer("axis")?.unwrap_or(-1), rank)?;
    let times = call.constant_integer("n")?.unwrap_or(1);
    if !(0..=64).contains(&times) {
        return Err(call.refuse("n", "an integer from 0 to 64"));
    }
    if times == 0 {
        return Ok(PyValue::Typed(array));
    }
    array = with_ends(call, array, axis)?;
    let op = if call.builder.dtype(array.value) == DType::Bool { ScalarOp::Ne } else { ScalarOp::Sub };
    for _ in 0..times {
        let value = neighbours(call, array.value, axis, op);
        array = Typed { value, family: Family::Array };
    }
    Ok(PyValue::Typed(array))
}

/// The array between the values of `prepend` and `append`, if these are given; a number stands for a whole row.
fn with_ends(call: &mut Call, array: Typed, axis: usize) -> Result<Typed, FunctionError> {
    let mut parts = vec![array];
    for name in ["append", "prepend"] {
        if call.get(name).is_none() {
            continue;
        }
        let given = call.operand(name)?;
        let own = convert::operand(call.builder, given).beside(None);
        let mut value = convert::to_array(call.builder, given).value;
        value = convert::cast_array(call.builder, value, own);
        if call.builder.rank(value) == 0 {
            let mut extents = call.builder.shape(array.value);
            extents[axis] = call.builder.i64(1);
            value = call.builder.broadcast_to(value, &extents);
        }
        parts.insert(if name == "append" { parts.len() } else { 0 }, Typed { value, family: Family::Array });
    }
    if parts.len() == 1 {
        return Ok(array);
    }
    match joining::along(call, &parts, axis)? {
        PyValue::Typed(joined) => Ok(joined),
        _ => Ok(array),
    }
}
