//! Scalar evaluation against NumPy's results (`tests/data/scalar_golden.txt`, written by `scalar_golden.py`).

use numptx_ir::DType;
use numptx_ir::scalar::{
    Accumulator, Body, BodyBuilder, Constant, MATH_FUNCTIONS, Reducer, ScalarOp, eval, eval_body, is_canonical,
};

const GOLDEN: &str = include_str!("data/scalar_golden.txt");

fn float(text: &str) -> f64 {
    if text == "nan" { f64::NAN } else { f64::from_bits(u64::from_str_radix(text, 16).unwrap()) }
}

fn constant(text: &str, dtype: DType) -> Constant {
    if dtype == DType::Bool {
        Constant::Bool(text == "1")
    } else if dtype == DType::U64 {
        Constant::Int(text.parse::<u64>().unwrap() as i64)
    } else if dtype.is_integer() {
        Constant::Int(text.parse().unwrap())
    } else if dtype.is_float() {
        Constant::Float(float(text))
    } else {
        let (re, im) = text.split_once(',').unwrap();
        Constant::Complex(float(re), float(im))
    }
}

/// Equal up to the sign of nans; of zeros where NumPy leaves it open; and up to `hypot`'s last bit.
fn agree(op: &str, found: Constant, expected: Constant, single: bool) -> bool {
    let same = |a: f64, b: f64| {
        let zeros = a == 0.0 && b == 0.0 && matches!(op, "min" | "max" | "fmin" | "fmax");
        let close = op == "abs" && (a - b).abs() <= b.abs() * if single { 1.2e-7 } else { 2.3e-16 };
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || zeros || close
    };
    match (found, expected) {
        (Constant::Float(a), Constant::Float(b)) => same(a, b),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => same(a, c) && same(b, d),
        (found, expected) => found == expected,
    }
}

#[test]
fn operations_agree_with_numpy() {
    let mut failures = Vec::new();
    let mut tested = std::collections::BTreeSet::new();
    for line in GOLDEN.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let op = ScalarOp::from_name(words[0]).unwrap();
        let dtypes: Vec<DType> = words[1].split(',').map(|d| DType::from_short_name(d).unwrap()).collect();
        let result = DType::from_short_name(words[2]).unwrap();
        let operands: Vec<(Constant, DType)> =
            dtypes.iter().zip(&words[3..]).map(|(d, text)| (constant(text, *d), *d)).collect();
        let expected = constant(words[words.len() - 1], result);
        let found = eval(op, &operands, result);
        tested.insert(op.name());
        if !agree(words[0], found, expected, result == DType::F32) || !is_canonical(found, result) {
            failures.push(format!("{line}: found {found:?}, expected {expected:?} of {operands:?}"));
        }
        assert!(op == ScalarOp::Cast || op.result(&dtypes) == Some(result), "{line}");
        // A product that no sum takes is rounded like any other.
        if op == ScalarOp::Mul && result.is_float() {
            assert_eq!(format!("{:?}", eval(ScalarOp::Product, &operands, result)), format!("{found:?}"), "{line}");
            tested.insert(ScalarOp::Product.name());
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures[..failures.len().min(40)].join("\n"));
    let untested: Vec<&str> =
        ScalarOp::PRIMITIVES.iter().map(|op| op.name()).filter(|name| !tested.contains(name)).collect();
    assert_eq!(untested, ["complex"]);
}

#[test]
fn operations_are_defined_wherever_they_have_a_result() {
    for op in ScalarOp::all() {
        for a in DType::ALL {
            for b in DType::ALL {
                let dtypes = match op.arity() {
                    1 => vec![a],
                    2 => vec![a, b],
                    _ => vec![a, b, b],
                };
                let Some(result) = op.result(&dtypes) else { continue };
                let one = |d: DType| eval(ScalarOp::Cast, &[(Constant::Int(1), DType::I64)], d);
                let operands: Vec<(Constant, DType)> = dtypes.iter().map(|d| (one(*d), *d)).collect();
                let found = eval(op, &operands, result);
                assert!(is_canonical(found, result), "{} {dtypes:?} gives {found:?}", op.name());
            }
        }
    }
}

#[test]
fn malformed_operands_do_not_panic() {
    for op in ScalarOp::all() {
        for dtype in DType::ALL {
            let _ = eval(op, &[], dtype);
            let _ = eval(op, &[(Constant::Bool(true), dtype)], dtype);
            let _ = eval(op, &[(Constant::Complex(1.0, 2.0), dtype), (Constant::Int(-1), dtype)], dtype);
        }
    }
    assert_eq!(eval_body(&Body::identity(DType::F64), &[], &[]), [Constant::Float(0.0)]);
}

#[test]
fn library_functions_have_known_values() {
    let value = |stem: &str, x: f64| (MATH_FUNCTIONS.iter().find(|f| f.stem == stem).unwrap().eval)(x, 0.0);
    let known = [
        ("erf", 0.5, 0.520_499_877_813_046_5),
        ("erf", -3.0, -0.999_977_909_503_001_4),
        ("erf", 2.5, 0.999_593_047_982_555),
        ("erfc", 2.0, 0.004_677_734_981_047_266),
        ("erfc", 10.0, 2.088_487_583_762_545e-45),
        ("erfc", -1.0, 1.842_700_792_949_715),
        ("tgamma", 0.5, 1.772_453_850_905_516),
        ("tgamma", 5.0, 24.0),
        ("tgamma", 170.0, 4.269_068_009_004_703e304),
        ("tgamma", -1.5, 2.363_271_801_207_355),
        ("lgamma", 0.5, 0.572_364_942_924_700_1),
        ("lgamma", 100.0, 359.134_205_369_575_4),
        ("lgamma", -0.5, 1.265_512_123_484_645_3),
        ("exp10", 3.0, 1000.0),
    ];
    for (stem, x, expected) in known {
        let found = value(stem, x);
        assert!((found - expected).abs() <= 4e-15 * expected.abs(), "{stem}({x}) = {found}, expected {expected}");
    }
    assert!(MATH_FUNCTIONS.is_sorted_by_key(|f| f.stem));
}

#[test]
fn bodies_evaluate_at_a_point() {
    let mut builder = BodyBuilder::new();
    let (x, i) = (builder.input(0, DType::F64), builder.index(1));
    let i = builder.cast(i, DType::F64);
    let sum = builder.op(ScalarOp::Add, &[x, i]);
    let body = builder.finish(vec![sum, x]);
    let outputs = eval_body(&body, &[Constant::Float(0.5)], &[9, 3]);
    assert_eq!(outputs, [Constant::Float(3.5), Constant::Float(0.5)]);
}

fn fold(reducer: Reducer, dtype: DType, elements: &[Constant]) -> Constant {
    let mut accumulator = Accumulator::new(reducer, dtype);
    elements.iter().for_each(|e| accumulator.push(*e));
    accumulator.finish()
}

#[test]
fn reducers_follow_numpy() {
    use Constant::{Bool, Float, Int};
    let nan = Float(f64::NAN);
    let floats = [Float(2.0), Float(1.0), Float(1.0), Float(2.0)];
    assert_eq!(fold(Reducer::ArgMin, DType::F64, &floats), Int(1));
    assert_eq!(fold(Reducer::ArgMax, DType::F64, &floats), Int(0));
    assert_eq!(fold(Reducer::ArgMax, DType::F64, &[Float(1.0), nan, Float(9.0), nan]), Int(1));
    assert_eq!(fold(Reducer::ArgMin, DType::F64, &[nan, Float(-9.0)]), Int(0));
    assert_eq!(fold(Reducer::Min, DType::F64, &[Float(1.0), nan, Float(0.0)]), nan);
    assert_eq!(fold(Reducer::Max, DType::U64, &[Int(1), Int(-1)]), Int(-1));
    assert_eq!(fold(Reducer::ArgMax, DType::U64, &[Int(1), Int(-1)]), Int(1));
    assert_eq!(fold(Reducer::Add, DType::I8, &[Int(127), Int(1)]), Int(-128));
    assert_eq!(fold(Reducer::And, DType::Bool, &[]), Bool(true));
    assert_eq!(fold(Reducer::Or, DType::Bool, &[Bool(false), Bool(true)]), Bool(true));
    assert_eq!(fold(Reducer::Min, DType::I16, &[]), Int(32767));
    assert_eq!(fold(Reducer::Max, DType::I32, &[]), Int(i64::from(i32::MIN)));
    assert_eq!(fold(Reducer::Mul, DType::F32, &[]), Float(1.0));
    let tenths = vec![Float(f64::from(0.1f32)); 1000];
    assert_eq!(fold(Reducer::Add, DType::F32, &tenths), Float(100.0));
}
