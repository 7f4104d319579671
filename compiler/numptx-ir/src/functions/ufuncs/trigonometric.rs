//! Trigonometric and hyperbolic functions, and angles.

use std::f64::consts::PI;

use crate::functions::ufunc::{Rule, binary, compose, op, unary};
use crate::functions::{Function, complex};
use crate::scalar::{BodyBuilder, ScalarOp, Val, library};

/// The rows.
pub const TABLE: &[Function] = &[
    unary("numpy.sin", &[("efdFD", "x->x")], op(ScalarOp::Math(library::SIN))).complex(complex::sin).ulp(4).doc("sine"),
    unary("numpy.cos", &[("efdFD", "x->x")], op(ScalarOp::Math(library::COS)))
        .complex(complex::cos)
        .ulp(4)
        .doc("cosine"),
    unary("numpy.tan", &[("efdFD", "x->x")], op(ScalarOp::Math(library::TAN)))
        .complex(complex::tan)
        .ulp(4)
        .doc("tangent"),
    unary("numpy.arcsin", &[("efdFD", "x->x")], op(ScalarOp::Math(library::ASIN)))
        .aliases(&["numpy.asin"])
        .complex(complex::arcsin)
        .ulp(4)
        .doc("inverse sine"),
    unary("numpy.arccos", &[("efdFD", "x->x")], op(ScalarOp::Math(library::ACOS)))
        .aliases(&["numpy.acos"])
        .complex(complex::arccos)
        .ulp(4)
        .doc("inverse cosine"),
    unary("numpy.arctan", &[("efdFD", "x->x")], op(ScalarOp::Math(library::ATAN)))
        .aliases(&["numpy.atan"])
        .complex(complex::arctan)
        .ulp(4)
        .doc("inverse tangent"),
    binary("numpy.arctan2", &[("efd", "xx->x")], op(ScalarOp::Math(library::ATAN2)))
        .aliases(&["numpy.atan2"])
        .ulp(4)
        .doc("angle of the point (x2, x1)"),
    binary("numpy.hypot", &[("efd", "xx->x")], op(ScalarOp::Math(library::HYPOT)))
        .ulp(4)
        .doc("sqrt(x1**2 + x2**2) without overflow"),
    unary("numpy.sinh", &[("efdFD", "x->x")], op(ScalarOp::Math(library::SINH)))
        .complex(complex::sinh)
        .ulp(4)
        .doc("hyperbolic sine"),
    unary("numpy.cosh", &[("efdFD", "x->x")], op(ScalarOp::Math(library::COSH)))
        .complex(complex::cosh)
        .ulp(4)
        .doc("hyperbolic cosine"),
    unary("numpy.tanh", &[("efdFD", "x->x")], op(ScalarOp::Math(library::TANH)))
        .complex(complex::tanh)
        .ulp(4)
        .doc("hyperbolic tangent"),
    unary("numpy.arcsinh", &[("efdFD", "x->x")], op(ScalarOp::Math(library::ASINH)))
        .aliases(&["numpy.asinh"])
        .complex(complex::arcsinh)
        .ulp(4)
        .doc("inverse hyperbolic sine"),
    unary("numpy.arccosh", &[("efdFD", "x->x")], op(ScalarOp::Math(library::ACOSH)))
        .aliases(&["numpy.acosh"])
        .complex(complex::arccosh)
        .ulp(4)
        .doc("inverse hyperbolic cosine"),
    unary("numpy.arctanh", &[("efdFD", "x->x")], op(ScalarOp::Math(library::ATANH)))
        .aliases(&["numpy.atanh"])
        .complex(complex::arctanh)
        .ulp(4)
        .doc("inverse hyperbolic tangent"),
    unary("numpy.degrees", &[("efd", "x->x")], compose(degrees))
        .aliases(&["numpy.rad2deg"])
        .ulp(1)
        .doc("radians to degrees"),
    unary("numpy.radians", &[("efd", "x->x")], compose(radians))
        .aliases(&["numpy.deg2rad"])
        .ulp(1)
        .doc("degrees to radians"),
    unary("numpy.sinc", &[("fd", "x->x")], compose(sinc))
        .rule(Rule::Division)
        .parameters("x")
        .without(&[])
        .ulp(8)
        .doc("sin(pi x) / (pi x)"),
];

fn degrees(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    scaled(b, v[0], 180.0 / PI)
}

fn radians(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    scaled(b, v[0], PI / 180.0)
}

fn scaled(b: &mut BodyBuilder, x: Val, factor: f64) -> Vec<Val> {
    let factor = b.number(factor, x);
    vec![b.mul(x, factor)]
}

/// As NumPy: 0 is replaced by a tiny number, whose quotient is 1.
fn sinc(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let (zero, tiny, pi) = (b.number(0.0, v[0]), b.number(1.0e-20, v[0]), b.number(PI, v[0]));
    let is_zero = b.eq(v[0], zero);
    let x = b.select(is_zero, tiny, v[0]);
    let angle = b.mul(pi, x);
    let sine = b.math(library::SIN, angle);
    vec![b.div(sine, angle)]
}
