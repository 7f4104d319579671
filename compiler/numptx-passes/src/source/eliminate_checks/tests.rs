//! Whatever numbers lie in the ranges of operands, results lie in the ranges that are found, and tests that are decided are so.

use numptx_ir::DType;
use numptx_ir::scalar::ScalarOp;

use crate::source::eliminate_checks::known::Known;
use crate::source::eliminate_checks::ranges::Range;

const NUMBERS: [f64; 15] = [
    f64::NEG_INFINITY,
    -f64::MAX,
    -2.5,
    -1.0,
    -1e-300,
    -0.0,
    0.0,
    5e-324,
    0.3,
    0.999_999_999_999_999_9,
    1.0,
    710.0,
    9.3e18,
    f64::MAX,
    f64::INFINITY,
];

/// Ranges between all of these numbers, with and without nan, and those in each.
fn ranges(numbers: &[f64]) -> Vec<(Range, Vec<f64>)> {
    let mut ranges = Vec::new();
    for (n, low) in numbers.iter().enumerate() {
        for high in &numbers[n..] {
            let inside: Vec<f64> = numbers.iter().copied().filter(|x| (*low..=*high).contains(x)).collect();
            let with_nan = inside.iter().copied().chain([f64::NAN]).collect();
            ranges.push((Range::between(*low, *high), inside));
            ranges.push((Range { may_be_nan: true, ..Range::between(*low, *high) }, with_nan));
        }
    }
    ranges.push((Range::point(f64::NAN), vec![f64::NAN]));
    ranges
}

fn holds(range: Range, value: f64) -> bool {
    if value.is_nan() { range.may_be_nan } else { range.low <= value && value <= range.high }
}

fn check(found: Known, value: f64, truth: bool, told: &str) {
    match found {
        Known::Float(range) => assert!(holds(range, value), "{told}: {value} is not in {range:?}"),
        Known::Truth(known) => assert!(known.is_none_or(|known| known == truth), "{told} is {truth}"),
        _ => panic!("{told}: {found:?}"),
    }
}

#[test]
fn functions_of_one_number() {
    use ScalarOp::{Abs, IsFinite, IsInf, IsNan, Neg, Sqrt};
    let library = ["sin", "cos", "exp", "tanh", "atan"].map(|name| ScalarOp::from_name(name).unwrap());
    for (range, inside) in ranges(&NUMBERS) {
        for x in inside {
            let values = [x.sin(), x.cos(), x.exp(), x.tanh(), x.atan(), -x, x.abs(), x.sqrt()];
            for (op, value) in library.into_iter().chain([Neg, Abs, Sqrt]).zip(values) {
                check(Known::of_op(op, &[Known::Float(range)], false, DType::F64), value, false, op.name());
            }
            for (op, truth) in [(IsNan, x.is_nan()), (IsInf, x.is_infinite()), (IsFinite, x.is_finite())] {
                check(Known::of_op(op, &[Known::Float(range)], false, DType::Bool), 0.0, truth, op.name());
            }
            let square = Known::of_op(ScalarOp::Mul, &[Known::Float(range); 2], true, DType::F64);
            check(square, x * x, false, "square");
            assert!(range.cases().into_iter().any(|case| holds(case, x)), "{x} is in no case of {range:?}");
        }
    }
}

#[test]
fn functions_of_two_numbers() {
    use ScalarOp::{Add, Div, Eq, Ge, Gt, Le, Lt, Max, Min, Mul, Ne, Pow, Sub};
    // All pairs of all of them take too long.
    let some: Vec<f64> =
        NUMBERS.iter().copied().enumerate().filter(|(n, _)| ![2, 4, 7, 8, 11].contains(n)).map(|(_, x)| x).collect();
    let ranges = ranges(&some);
    for (a, xs) in &ranges {
        for (b, ys) in &ranges {
            let operands = [Known::Float(*a), Known::Float(*b)];
            let floats = [Add, Sub, Mul, Div, Pow, Max, Min].map(|op| Known::of_op(op, &operands, false, DType::F64));
            let truths = [Lt, Le, Gt, Ge, Eq, Ne].map(|op| Known::of_op(op, &operands, false, DType::Bool));
            for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                let has_nan = x.is_nan() || y.is_nan();
                let [max, min] = [x.max(y), x.min(y)].map(|end| if has_nan { f64::NAN } else { end });
                let values = [x + y, x - y, x * y, x / y, x.powf(y), max, min];
                for (found, value) in floats.iter().zip(values) {
                    check(*found, value, false, "a function of two");
                }
                for (found, truth) in truths.iter().zip([x < y, x <= y, x > y, x >= y, x == y, x != y]) {
                    check(*found, 0.0, truth, "a comparison");
                }
            }
        }
    }
}

#[test]
fn integers_that_may_wrap_are_any() {
    const ENDS: [i64; 9] = [i64::MIN, i64::MIN + 1, -7, -1, 0, 1, 5, i64::MAX - 1, i64::MAX];
    use ScalarOp::{Add, FloorDiv, Max, Min, Mod, Mul, Neg, Sub};
    let ranges: Vec<[i64; 2]> =
        ENDS.iter().enumerate().flat_map(|(n, low)| ENDS[n..].iter().map(move |high| [*low, *high])).collect();
    for [a, b] in &ranges {
        for [c, d] in &ranges {
            let operands = [Known::Int(*a, *b), Known::Int(*c, *d)];
            for (x, y) in ENDS.iter().flat_map(|x| ENDS.iter().map(move |y| (*x, *y))) {
                if !(*a..=*b).contains(&x) || !(*c..=*d).contains(&y) {
                    continue;
                }
                let floor = if y > 0 { x.div_euclid(y) } else { 0 };
                let rest = if y > 0 { x.rem_euclid(y) } else { 0 };
                let values = [x.wrapping_add(y), x.wrapping_sub(y), x.wrapping_mul(y), x.max(y), x.min(y)];
                let mut pairs: Vec<(ScalarOp, i64)> = [Add, Sub, Mul, Max, Min].into_iter().zip(values).collect();
                pairs.extend(if y > 0 { vec![(FloorDiv, floor), (Mod, rest)] } else { Vec::new() });
                for (op, value) in pairs {
                    let Known::Int(low, high) = Known::of_op(op, &operands, false, DType::I64) else { panic!() };
                    assert!((low..=high).contains(&value), "{} of {x} and {y}", op.name());
                }
                let Known::Int(low, high) = Known::of_op(Neg, &operands[..1], false, DType::I64) else { panic!() };
                assert!((low..=high).contains(&x.wrapping_neg()), "-{x}");
            }
        }
    }
}
