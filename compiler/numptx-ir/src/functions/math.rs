//! Functions of Python's `math` module: scalars to a Python scalar on the host, with Python's errors.
//!
//! As CPython: a nan that no operand explains is a domain error, an infinity that no operand explains an overflow, or for functions
//! with poles a domain error.

use super::binding::Call;
use super::error::bad_argument;
use super::parameters::parameters;
use super::ufunc::Compose;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Function, convert};
use crate::DType;
use crate::array::{ErrorKind, ValueId};
use crate::scalar::{BodyBuilder, MathFunction, ScalarOp, Val, library};

/// The data of a row.
#[derive(Debug)]
pub struct HostFunction {
    /// What is computed of `float64` operands.
    pub meaning: Formula,
    /// Which errors the result may mean.
    pub errors: Errors,
    /// Whether the result is an `int`.
    pub integer: bool,
}

/// What is computed.
#[derive(Clone, Copy, Debug)]
pub enum Formula {
    /// A library function.
    Library(&'static MathFunction),
    /// One operation.
    Op(ScalarOp),
    /// Several.
    Compose(Compose),
}

/// Which errors an unexplained nan or infinity means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// None.
    None,
    /// `ValueError`.
    Domain,
    /// `ValueError` for nan, `OverflowError` for infinity.
    DomainAndRange,
    /// The same in the words of `math.fma`.
    Fused,
    /// As before, but `ValueError` for infinity where the first operand is 0.
    PoleAtZero,
    /// As before, but `ValueError` for infinity where the first operand is not positive.
    PolesUpToZero,
}

const fn host(name: &'static str, parameters: &'static str, meaning: Formula, errors: Errors) -> Function {
    Function::new(name, parameters, Class::Host(HostFunction { meaning, errors, integer: false }))
}

const fn library(name: &'static str, function: &'static MathFunction, errors: Errors) -> Function {
    let parameters = if function.arity == 1 { "x, /" } else { "x, y, /" };
    host(name, parameters, Formula::Library(function), errors).ulp(4)
}

const fn integer(name: &'static str, op: ScalarOp) -> Function {
    let function = HostFunction { meaning: Formula::Op(op), errors: Errors::None, integer: true };
    Function::new(name, "x, /", Class::Host(function))
}

/// The rows.
pub const TABLE: &[Function] = &[
    host("math.sqrt", "x, /", Formula::Op(ScalarOp::Sqrt), Errors::Domain).doc("square root"),
    library("math.cbrt", library::CBRT, Errors::Domain).doc("cube root"),
    library("math.exp", library::EXP, Errors::DomainAndRange).doc("exponential"),
    library("math.exp2", library::EXP2, Errors::DomainAndRange).doc("2 to the power x"),
    library("math.expm1", library::EXPM1, Errors::DomainAndRange).doc("exp(x) - 1"),
    host("math.log", "x, base=math.e, /", Formula::Compose(log), Errors::Domain)
        .ulp(4)
        .doc("logarithm, natural or to a base"),
    library("math.log2", library::LOG2, Errors::Domain).doc("logarithm to base 2"),
    library("math.log10", library::LOG10, Errors::Domain).doc("logarithm to base 10"),
    library("math.log1p", library::LOG1P, Errors::Domain).doc("log(1 + x)"),
    library("math.erf", library::ERF, Errors::None).ulp(8).doc("error function"),
    library("math.erfc", library::ERFC, Errors::None).ulp(8).doc("1 - erf(x)"),
    library("math.gamma", library::TGAMMA, Errors::PoleAtZero).ulp(16).doc("gamma function"),
    library("math.lgamma", library::LGAMMA, Errors::PolesUpToZero).ulp(16).doc("logarithm of the gamma function"),
    library("math.sin", library::SIN, Errors::Domain).doc("sine"),
    library("math.cos", library::COS, Errors::Domain).doc("cosine"),
    library("math.tan", library::TAN, Errors::Domain).doc("tangent"),
    library("math.asin", library::ASIN, Errors::Domain).doc("inverse sine"),
    library("math.acos", library::ACOS, Errors::Domain).doc("inverse cosine"),
    library("math.atan", library::ATAN, Errors::Domain).doc("inverse tangent"),
    library("math.sinh", library::SINH, Errors::DomainAndRange).doc("hyperbolic sine"),
    library("math.cosh", library::COSH, Errors::DomainAndRange).doc("hyperbolic cosine"),
    library("math.tanh", library::TANH, Errors::Domain).doc("hyperbolic tangent"),
    library("math.asinh", library::ASINH, Errors::Domain).doc("inverse hyperbolic sine"),
    library("math.acosh", library::ACOSH, Errors::Domain).doc("inverse hyperbolic cosine"),
    library("math.atanh", library::ATANH, Errors::Domain).doc("inverse hyperbolic tangent"),
    library("math.atan2", library::ATAN2, Errors::None).parameters("y, x, /").doc("angle of the point (y, x)"),
    host("math.pow", "x, y, /", Formula::Op(ScalarOp::Pow), Errors::PoleAtZero).ulp(4).doc("power"),
    host("math.fmod", "x, y, /", Formula::Op(ScalarOp::Fmod), Errors::Domain).doc("remainder with the dividend's sign"),
    host("math.remainder", "x, y, /", Formula::Compose(remainder), Errors::Domain)
        .doc("x less the nearest multiple of y"),
    host("math.fma", "x, y, z, /", Formula::Op(ScalarOp::Fma), Errors::Fused).doc("x * y + z, rounded once"),
    host("math.nextafter", "x, y, /", Formula::Op(ScalarOp::NextAfter), Errors::None)
        .doc("the float after x towards y"),
    host("math.ulp", "x, /", Formula::Compose(ulp), Errors::None).doc("value of the last bit of x"),
    host("math.copysign", "x, y, /", Formula::Op(ScalarOp::CopySign), Errors::None).doc("x with the sign of y"),
    host("math.fabs", "x, /", Formula::Op(ScalarOp::Abs), Errors::None).doc("magnitude"),
    host("math.degrees", "x, /", Formula::Compose(degrees), Errors::None).ulp(1).doc("radians to degrees"),
    host("math.radians", "x, /", Formula::Compose(radians), Errors::None).ulp(1).doc("degrees to radians"),
    host("math.isnan", "x, /", Formula::Op(ScalarOp::IsNan), Errors::None).doc("is nan"),
    host("math.isinf", "x, /", Formula::Op(ScalarOp::IsInf), Errors::None).doc("is inf or -inf"),
    host("math.isfinite", "x, /", Formula::Op(ScalarOp::IsFinite), Errors::None).doc("is neither inf nor nan"),
    integer("math.floor", ScalarOp::Floor).doc("rounded towards -inf, as int"),
    integer("math.ceil", ScalarOp::Ceil).doc("rounded towards +inf, as int"),
    integer("math.trunc", ScalarOp::Trunc).doc("rounded towards 0, as int"),
];

fn log(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let log = b.math(library::LOG, v[0]);
    match v.get(1) {
        Some(base) => {
            let base = b.math(library::LOG, *base);
            vec![b.div(log, base)]
        }
        None => vec![log],
    }
}

fn degrees(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let factor = b.number(180.0 / std::f64::consts::PI, v[0]);
    vec![b.mul(v[0], factor)]
}

fn radians(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let factor = b.number(std::f64::consts::PI / 180.0, v[0]);
    vec![b.mul(v[0], factor)]
}

/// The part that `fmod` leaves, or what lacks to `y`, whichever is smaller; of two that are equal the one of an even quotient.
fn remainder(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let (x, y) = (b.abs(v[0]), b.abs(v[1]));
    let rest = b.op(ScalarOp::Fmod, &[x, y]);
    let lack = b.sub(y, rest);
    let (half, two, one) = (b.number(0.5, x), b.number(2.0, x), b.number(1.0, x));
    let whole = b.sub(x, rest);
    let halved = b.mul(half, whole);
    let odd = b.op(ScalarOp::Fmod, &[halved, y]);
    let twice = b.mul(two, odd);
    let even = b.sub(rest, twice);
    let minus = b.neg(lack);
    let (is_below, is_above) = (b.lt(rest, lack), b.lt(lack, rest));
    let nearest = b.choose(&[(is_below, rest), (is_above, minus)], even);
    let sign = b.copysign(one, v[0]);
    let result = b.mul(sign, nearest);
    // Of an infinite `y` all of `x` is left.
    let (infinite, finite) = (b.is_inf(y), b.op(ScalarOp::IsFinite, &[x]));
    let all_left = b.both(infinite, finite);
    vec![b.select(all_left, v[0], result)]
}

/// The distance to the next larger magnitude; of the largest one from the next smaller.
fn ulp(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let x = b.abs(v[0]);
    let (infinity, zero) = (b.number(f64::INFINITY, x), b.number(0.0, x));
    let (above, below) = (b.next_after(x, infinity), b.next_after(x, zero));
    let (to_above, from_below) = (b.sub(above, x), b.sub(x, below));
    let (is_special, is_last) = (b.op(ScalarOp::IsFinite, &[x]), b.is_inf(above));
    let is_special = b.not(is_special);
    vec![b.choose(&[(is_special, x), (is_last, from_below)], to_above)]
}

/// Emits a call of a `math` row.
pub(super) fn call(call: &mut Call, row: &'static HostFunction) -> Result<PyValue, FunctionError> {
    let is_given = |n: &&str| if *n == "base" { call.given(n).is_some() } else { call.get(n).is_some() };
    let names = parameters(call.function.parameters).into_iter().map(|p| p.name).filter(is_given).collect::<Vec<_>>();
    let mut operands: Vec<ValueId> = Vec::new();
    for name in names {
        let typed = operand(call, name)?;
        let host = convert::to_host(call.builder, typed);
        let dtype = call.builder.dtype(host);
        if row.integer && !dtype.is_float() {
            let value = convert::cast_host(call.builder, host, DType::I64);
            return Ok(PyValue::Typed(Typed { value, family: Family::Python }));
        }
        operands.push(convert::cast_host(call.builder, host, DType::F64));
    }
    let mut body = BodyBuilder::new();
    let inputs: Vec<Val> = (0..operands.len()).map(|n| body.input(n as u32, DType::F64)).collect();
    let outputs = match row.meaning {
        Formula::Library(function) => vec![body.op(ScalarOp::Math(function), &inputs)],
        Formula::Op(op) => vec![body.op(op, &inputs)],
        Formula::Compose(compose) => compose(&mut body, &inputs),
    };
    let mut value = convert::body_on_host(call.builder, &body.finish(outputs), &operands)[0];
    check_result(call, row.errors, value, &operands);
    if row.integer {
        value = to_integer(call, value);
    }
    Ok(PyValue::Typed(Typed { value, family: Family::Python }))
}

fn operand(call: &mut Call, name: &str) -> Result<Typed, FunctionError> {
    let typed = call.operand(name)?;
    let function = call.function.name;
    if call.builder.rank(typed.value) != 0 {
        let short = function.trim_start_matches("math.");
        return Err(bad_argument(format!("`{function}` takes numbers, found an array"))
            .at(call.position(name))
            .help(format!("`np.{short}` works elementwise, where NumPy has it")));
    }
    if call.builder.dtype(typed.value).is_complex() {
        return Err(call.refuse(name, "a real number"));
    }
    Ok(typed)
}

/// Raises what an unexplained nan or infinity means.
fn check_result(call: &mut Call, errors: Errors, result: ValueId, operands: &[ValueId]) {
    if errors == Errors::None {
        return;
    }
    let builder = &mut *call.builder;
    let not_nan = |b: &mut crate::array::Builder, v: ValueId| {
        let nan = b.scalar(ScalarOp::IsNan, &[v]);
        b.scalar(ScalarOp::BitNot, &[nan])
    };
    let mut fine = not_nan(builder, result);
    for operand in operands {
        let nan = builder.scalar(ScalarOp::IsNan, &[*operand]);
        fine = builder.scalar(ScalarOp::BitOr, &[fine, nan]);
    }
    let (domain, range) = match errors {
        Errors::Fused => ("invalid operation in fma", "overflow in fma"),
        _ => ("math domain error", "math range error"),
    };
    builder.check(fine, ErrorKind::Value, domain, &[]);
    let infinite = builder.scalar(ScalarOp::IsInf, &[result]);
    let mut fine = builder.scalar(ScalarOp::BitNot, &[infinite]);
    for operand in operands {
        let finite = builder.scalar(ScalarOp::IsFinite, &[*operand]);
        let infinite = builder.scalar(ScalarOp::BitNot, &[finite]);
        fine = builder.scalar(ScalarOp::BitOr, &[fine, infinite]);
    }
    let pole = match errors {
        Errors::PoleAtZero => Some(ScalarOp::Ne),
        Errors::PolesUpToZero => Some(ScalarOp::Gt),
        Errors::DomainAndRange | Errors::Fused => None,
        Errors::None | Errors::Domain => return builder.check(fine, ErrorKind::Value, "math domain error", &[]),
    };
    if let Some(outside) = pole {
        let zero = builder.constant(crate::scalar::Constant::Float(0.0), DType::F64);
        let outside = builder.scalar(outside, &[operands[0], zero]);
        let fine = builder.scalar(ScalarOp::BitOr, &[fine, outside]);
        builder.check(fine, ErrorKind::Value, "math domain error", &[]);
    }
    builder.check(fine, ErrorKind::Overflow, range, &[]);
}

fn to_integer(call: &mut Call, value: ValueId) -> ValueId {
    let builder = &mut *call.builder;
    let nan = builder.scalar(ScalarOp::IsNan, &[value]);
    let fine = builder.scalar(ScalarOp::BitNot, &[nan]);
    builder.check(fine, ErrorKind::Value, "cannot convert float NaN to integer", &[]);
    let infinite = builder.scalar(ScalarOp::IsInf, &[value]);
    let fine = builder.scalar(ScalarOp::BitNot, &[infinite]);
    builder.check(fine, ErrorKind::Overflow, "cannot convert float infinity to integer", &[]);
    let magnitude = builder.scalar(ScalarOp::Abs, &[value]);
    let limit = builder.constant(crate::scalar::Constant::Float(9.223_372_036_854_775e18), DType::F64);
    let fine = builder.scalar(ScalarOp::Le, &[magnitude, limit]);
    builder.check(fine, ErrorKind::Overflow, "cannot convert float to a 64-bit integer", &[]);
    convert::cast_host(builder, value, DType::I64)
}
