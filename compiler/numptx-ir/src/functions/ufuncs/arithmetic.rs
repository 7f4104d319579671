//! Sums, products, quotients, remainders, powers and roots.

use super::bitwise::unsigned;
use crate::DType;
use crate::array::ErrorKind;
use crate::dtype::Kind;
use crate::functions::binding::Call;
use crate::functions::error::bad_argument;
use crate::functions::loops::Loop;
use crate::functions::ufunc::{Compose, Rule, binary, compose, op, unary};
use crate::functions::value::{Family, Form, FunctionError, Typed};
use crate::functions::{Function, complex, convert, reduction};
use crate::scalar::{BodyBuilder, Constant, ScalarOp, Val, library};

/// The rows.
pub const TABLE: &[Function] = &[
    binary("numpy.add", &[("?bBhHiIlLefdFD", "xx->x")], op(ScalarOp::Add)).large_ints().doc("sum; or of bools"),
    binary("numpy.subtract", &[("bBhHiIlLefdFD", "xx->x")], op(ScalarOp::Sub))
        .rule(Rule::FirstNotBool)
        .large_ints()
        .doc("difference"),
    binary("numpy.multiply", &[("?bBhHiIlLefdFD", "xx->x")], op(ScalarOp::Mul))
        .ulp(4)
        .large_ints()
        .doc("product; and of bools"),
    binary("numpy.divide", &[("efdFD", "xx->x")], op(ScalarOp::Div))
        .aliases(&["numpy.true_divide"])
        .rule(Rule::Division)
        .ulp(4)
        .large_ints()
        .doc("quotient; of integers in float64"),
    binary("numpy.floor_divide", &[("bBhHiIlLefd", "xx->x")], op(ScalarOp::FloorDiv))
        .large_ints()
        .doc("quotient rounded towards -inf; 0 for integers divided by 0"),
    binary("numpy.remainder", &[("bBhHiIlLefd", "xx->x")], op(ScalarOp::Mod))
        .aliases(&["numpy.mod"])
        .large_ints()
        .doc("remainder with the divisor's sign; 0 for integers divided by 0"),
    binary("numpy.fmod", &[("bBhHiIlLefd", "xx->x")], op(ScalarOp::Fmod)).doc("remainder with the dividend's sign"),
    binary("numpy.divmod", &[("bBhHiIlLefd", "xx->xx")], compose(divmod))
        .outputs(2)
        .doc("quotient rounded towards -inf, and remainder")
        .example("np.divmod(x, y)[0]"),
    binary("numpy.power", &[("bBhHiIlLefdFD", "xx->x")], op(ScalarOp::Pow))
        .aliases(&["numpy.pow"])
        .complex(complex::power)
        .specialise(specialise_power)
        .ulp(4)
        .complex_ulp(256)
        .large_ints()
        .looks_first()
        .doc("power; integers wrap, negative integer exponents of integers raise"),
    binary("numpy.float_power", &[("dD", "xx->x")], op(ScalarOp::Pow))
        .complex(complex::power)
        .ulp(4)
        .complex_ulp(256)
        .looks_first()
        .doc("power in at least float64"),
    binary("numpy.gcd", &[("bBhHiIlL", "xx->x")], compose(gcd))
        .rule(Rule::FirstNotBool)
        .doc("greatest common divisor; of the smallest integer and 0 the smallest integer"),
    binary("numpy.lcm", &[("bBhHiIlL", "xx->x")], compose(lcm))
        .rule(Rule::FirstNotBool)
        .doc("least common multiple; wraps, 0 with 0"),
    unary("numpy.negative", &[("bBhHiIlLefdFD", "x->x")], op(ScalarOp::Neg)).rule(Rule::FirstNotBool).doc("-x"),
    unary("numpy.positive", &[("bBhHiIlLefdFD", "x->x")], compose(identity))
        .rule(Rule::FirstNotBool)
        .doc("a copy of x"),
    unary("numpy.absolute", &[("?bBhHiIlLefd", "x->x"), ("F", "x->f"), ("D", "x->d")], compose(absolute))
        .aliases(&["numpy.abs"])
        .ulp(4)
        .doc("magnitude; the smallest integer stays"),
    unary("numpy.fabs", &[("efd", "x->x")], op(ScalarOp::Abs)).doc("magnitude, always a float"),
    unary("numpy.sign", &[("bBhHiIlLefdFD", "x->x")], op(ScalarOp::Sign))
        .rule(Rule::FirstNotBool)
        .complex(complex::sign)
        .ulp(4)
        .doc("-1, 0 or 1; z / |z| of complex"),
    unary("numpy.conjugate", &[("bBhHiIlLefdFD", "x->x")], compose(identity))
        .aliases(&["numpy.conj"])
        .complex(complex::conjugate)
        .doc("complex conjugate; a copy of real x"),
    unary("numpy.reciprocal", &[("bBhHiIlLefdFD", "x->x")], compose(reciprocal))
        .complex(complex::reciprocal)
        .ulp(4)
        .doc("1 / x; of integers truncated"),
    unary("numpy.square", &[("bBhHiIlLefdFD", "x->x")], compose(square)).ulp(4).doc("x * x"),
    unary("numpy.sqrt", &[("efdFD", "x->x")], op(ScalarOp::Sqrt))
        .complex(complex::sqrt)
        .ulp(4)
        .doc("square root; nan below 0; the root with non-negative real part of complex"),
    unary("numpy.cbrt", &[("efd", "x->x")], op(ScalarOp::Math(library::CBRT))).ulp(4).doc("cube root"),
];

fn identity(_: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![v[0]]
}

fn divmod(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![b.op(ScalarOp::FloorDiv, v), b.op(ScalarOp::Mod, v)]
}

fn gcd(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let dtype = b.dtype(v[0]);
    let magnitudes = unsigned_magnitudes(b, v);
    let divisor = b.op(ScalarOp::Gcd, &magnitudes);
    vec![b.cast(divisor, dtype)]
}

/// The divisor is 0 only where both are, and so is the quotient then.
fn lcm(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let dtype = b.dtype(v[0]);
    let magnitudes = unsigned_magnitudes(b, v);
    let divisor = b.op(ScalarOp::Gcd, &magnitudes);
    let quotient = b.op(ScalarOp::FloorDiv, &[magnitudes[0], divisor]);
    let multiple = b.mul(quotient, magnitudes[1]);
    vec![b.cast(multiple, dtype)]
}

/// As unsigned integers, so that the magnitude of the smallest one is right.
fn unsigned_magnitudes(b: &mut BodyBuilder, v: &[Val]) -> [Val; 2] {
    [v[0], v[1]].map(|x| {
        let to = unsigned(b.dtype(x));
        let magnitude = b.abs(x);
        b.cast(magnitude, to)
    })
}

fn absolute(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let unsigned = matches!(b.dtype(v[0]).kind(), Kind::Bool | Kind::Unsigned);
    vec![if unsigned { v[0] } else { b.abs(v[0]) }]
}

/// Integers as NumPy: `1.0 / x`, cast back.
fn reciprocal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let dtype = b.dtype(v[0]);
    let x = if dtype.is_integer() { b.cast(v[0], DType::F64) } else { v[0] };
    let one = b.number(1.0, x);
    let result = b.div(one, x);
    vec![b.cast(result, dtype)]
}

fn square(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![b.mul(v[0], v[0])]
}

fn sqrt(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    if b.dtype(v[0]).is_complex() { complex::sqrt(b, v) } else { vec![b.sqrt(v[0])] }
}

fn reciprocal_of_either(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    if b.dtype(v[0]).is_complex() { complex::reciprocal(b, v) } else { reciprocal(b, v) }
}

fn one(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![b.number(1.0, v[0])]
}

/// NumPy takes the root for a scalar exponent of one half, which differs from `pow` at -inf and -0.
fn power_of_scalar(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let half = b.number(0.5, v[1]);
    let is_half = b.eq(v[1], half);
    let (root, power) = (b.sqrt(v[0]), b.op(ScalarOp::Pow, v));
    vec![b.select(is_half, root, power)]
}

/// The root as `pow` has it: of -inf infinity, of -0 zero.
fn root_as_power(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let (zero, lowest, infinity) =
        (b.number(0.0, v[0]), b.number(f64::NEG_INFINITY, v[0]), b.number(f64::INFINITY, v[0]));
    let (root, is_lowest) = (b.sqrt(v[0]), b.eq(v[0], lowest));
    let root = b.add(root, zero);
    vec![b.select(is_lowest, infinity, root)]
}

/// Refuses negative exponents of integers; takes NumPy's short ways for scalar exponents of floating arrays, where the operator
/// has its own.
fn specialise_power(call: &mut Call, operands: &[Typed], found: &Loop) -> Result<Option<Compose>, FunctionError> {
    if found.inputs[0].is_integer() {
        // An int of Python's has to fit first; one that is negative never fits an unsigned dtype.
        convert::check_python_integer(call.builder, operands[1], found.inputs[1])?;
        check_exponent(call, operands, found.inputs[1])?;
        return Ok(None);
    }
    let builder = &call.builder;
    if builder.is_scalar(operands[0].value) || !builder.is_scalar(operands[1].value) {
        return Ok(None);
    }
    // The operator takes a short way of arrays, and for Python's numbers only; `np.power` of complex numbers has none.
    let is_operator = call.form == Form::Operator;
    let is_of_array = operands[0].family == Family::Array;
    let is_short = is_operator && is_of_array && operands[1].family == Family::Python;
    let constant = builder.as_constant(operands[1].value);
    let exponent = match constant {
        Some(Constant::Int(n)) => n as f64,
        Some(Constant::Float(x)) => x,
        _ if found.inputs[0].is_float() && builder.dtype(operands[1].value).is_float() => {
            return Ok(Some(power_of_scalar));
        }
        _ => return Ok(None),
    };
    if found.inputs[0].is_complex() {
        let is_taken = match constant {
            Some(Constant::Int(-1)) => is_short,
            _ if exponent == 0.5 => is_short,
            _ => exponent != -1.0,
        };
        if !is_taken {
            return Ok(None);
        }
    } else if exponent == 0.5 && is_operator && !is_of_array {
        return Ok(Some(root_as_power));
    }
    let short: &[(f64, Compose)] =
        &[(2.0, square), (0.5, sqrt), (-1.0, reciprocal_of_either), (1.0, identity), (0.0, one)];
    Ok(short.iter().find(|(value, _)| *value == exponent).map(|(_, compose)| *compose))
}

/// `ValueError` for a negative exponent, unless there is nothing to raise to it.
fn check_exponent(call: &mut Call, operands: &[Typed], loop_dtype: DType) -> Result<(), FunctionError> {
    const MESSAGE: &str = "Integers to negative integer powers are not allowed.";
    let exponent = operands[1];
    let dtype = call.builder.dtype(exponent.value);
    if dtype.kind() != Kind::Signed || (exponent.family == Family::Python && loop_dtype.kind() == Kind::Unsigned) {
        return Ok(());
    }
    if let Some(n) = call.builder.as_i64(exponent.value) {
        if n >= 0 {
            return Ok(());
        }
        return Err(bad_argument(format!("integers to the negative integer power `{n}` are not allowed"))
            .at(Some(1))
            .help(format!("use a float: `x ** {n}.0`")));
    }
    let builder = &mut *call.builder;
    let fine = if builder.is_scalar(exponent.value) {
        let zero = builder.constant(Constant::Int(0), dtype);
        builder.scalar(ScalarOp::Ge, &[exponent.value, zero])
    } else {
        let negative = reduction::any_of(builder, exponent.value, &mut |b, v| {
            let zero = b.number(0.0, v);
            b.lt(v, zero)
        });
        builder.scalar(ScalarOp::BitNot, &[negative])
    };
    let extents = builder.shape(operands[0].value);
    let size = reduction::product(builder, &extents);
    let fine = match builder.as_i64(size) {
        Some(0) => return Ok(()),
        Some(_) => fine,
        None => {
            let none = builder.i64(0);
            let is_empty = builder.scalar(ScalarOp::Eq, &[size, none]);
            builder.scalar(ScalarOp::BitOr, &[is_empty, fine])
        }
    };
    builder.check(fine, ErrorKind::Value, MESSAGE, &[]);
    Ok(())
}
