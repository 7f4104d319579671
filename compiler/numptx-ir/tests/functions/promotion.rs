//! Loops and promotion against NumPy's own answers: see `golden.py`.

use numptx_ir::DType;
use numptx_ir::functions::loops::Found;
use numptx_ir::functions::{Class, lookup};
use numptx_ir::promotion::{Casting, Operand, can_cast, convert_constant, integer_fits, promote, result_type};
use numptx_ir::scalar::Constant;

const GOLDEN: &str = include_str!("promotion.txt");

fn operands() -> Vec<Operand> {
    let strong = "?bhilBHILefdFD".chars().map(|c| Operand::Strong(dtype(c)));
    strong.chain([Operand::WeakInt, Operand::WeakFloat, Operand::WeakComplex]).collect()
}

fn dtype(character: char) -> DType {
    DType::ALL.into_iter().find(|d| d.character() == character).unwrap()
}

fn outputs(found: &Found, n_outputs: usize) -> String {
    match found {
        Found::Loop(found) => found.outputs.iter().map(|d| d.character()).collect(),
        Found::Nothing => "-".repeat(n_outputs),
    }
}

#[test]
fn every_ufunc_resolves_as_numpys() {
    let mut lines = GOLDEN.lines();
    while let Some(head) = lines.next() {
        let mut words = head.split(' ');
        let n_inputs: usize = words.next().unwrap().parse().unwrap();
        let n_outputs: usize = words.next().unwrap().parse().unwrap();
        let operands = operands();
        let rows: Vec<&str> = lines.by_ref().take(if n_inputs == 1 { 1 } else { operands.len() }).collect();
        for name in words {
            let row = lookup(&format!("numpy.{name}")).unwrap_or_else(|| panic!("`numpy.{name}` is missing"));
            let Class::Map(map) = &row.class else { panic!("`{name}` is not elementwise") };
            for (line, first) in rows.iter().zip(&operands) {
                for (n, second) in operands.iter().enumerate() {
                    let expected = &line[n * n_outputs..(n + 1) * n_outputs];
                    let given = if n_inputs == 1 { vec![*second] } else { vec![*first, *second] };
                    let found = outputs(&map.find(&given), n_outputs);
                    assert!(found == expected, "{name} of {given:?}: {found}, NumPy {expected}");
                }
            }
        }
    }
}

#[test]
fn promotion_is_commutative_and_widens() {
    for a in DType::ALL {
        assert_eq!(promote(a, a), a);
        for b in DType::ALL {
            let common = promote(a, b);
            assert_eq!(common, promote(b, a));
            assert!(can_cast(a, common, Casting::Safe) && can_cast(b, common, Casting::Safe), "{a} {b} {common}");
        }
    }
}

#[test]
fn python_scalars_are_weak() {
    let of = |dtype, weak| result_type(&[Operand::Strong(dtype), weak]).unwrap();
    assert_eq!(of(DType::I8, Operand::WeakInt), DType::I8);
    assert_eq!(of(DType::Bool, Operand::WeakInt), DType::I64);
    assert_eq!(of(DType::F32, Operand::WeakFloat), DType::F32);
    assert_eq!(of(DType::F16, Operand::WeakInt), DType::F16);
    assert_eq!(of(DType::F16, Operand::WeakComplex), DType::C64);
    assert_eq!(of(DType::I8, Operand::WeakFloat), DType::F64);
    assert_eq!(of(DType::F32, Operand::WeakComplex), DType::C64);
    assert_eq!(of(DType::I64, Operand::WeakComplex), DType::C128);
    assert_eq!(result_type(&[]), None);
}

#[test]
fn casts_within_a_kind() {
    use DType::{Bool, C64, C128, F16, F32, F64, I8, I16, I64, U8, U64};
    for (from, to, safe, same_kind) in [
        (I64, F64, true, true),
        (U64, F64, true, true),
        (I64, F32, false, true),
        (F64, F32, false, true),
        (U8, F16, true, true),
        (I16, F16, false, true),
        (F16, C64, true, true),
        (U8, I8, false, true),
        (I8, U8, false, false),
        (I64, Bool, false, false),
        (F32, I64, false, false),
        (C128, C64, false, true),
        (C64, F64, false, false),
        (Bool, I8, true, true),
    ] {
        assert_eq!(can_cast(from, to, Casting::Safe), safe, "{from} {to}");
        assert_eq!(can_cast(from, to, Casting::SameKind), same_kind, "{from} {to}");
        assert!(can_cast(from, to, Casting::Unsafe));
    }
}

#[test]
fn python_integers_fit_or_not() {
    assert!(integer_fits(255, DType::U8) && !integer_fits(256, DType::U8) && !integer_fits(-1, DType::U8));
    assert!(integer_fits(-128, DType::I8) && !integer_fits(128, DType::I8));
    assert!(integer_fits(i64::MIN, DType::I64) && !integer_fits(-1, DType::U64));
    assert!(integer_fits(i64::MAX, DType::F32));
}

#[test]
fn constants_convert_as_values_do() {
    let convert = |value, from, to| convert_constant(value, from, to);
    assert_eq!(convert(Constant::Int(300), DType::I64, DType::U8), Some(Constant::Int(44)));
    assert_eq!(convert(Constant::Int(200), DType::I64, DType::I8), Some(Constant::Int(-56)));
    assert_eq!(convert(Constant::Int(-1), DType::U64, DType::F64), Some(Constant::Float(u64::MAX as f64)));
    assert_eq!(convert(Constant::Float(0.1), DType::F64, DType::F32), Some(Constant::Float(f64::from(0.1f32))));
    // Not by way of `float32`, in which it lies in the middle of two.
    let (beside, above) = (1.0 + 2f64.powi(-11) + 2f64.powi(-30), 1.0 + 2f64.powi(-10));
    assert_eq!(convert(Constant::Float(beside), DType::F64, DType::F16), Some(Constant::Float(above)));
    assert_eq!(convert(Constant::Int(65520), DType::I64, DType::F16), Some(Constant::Float(f64::INFINITY)));
    assert_eq!(convert(Constant::Float(f64::NAN), DType::F64, DType::I64), None);
    assert_eq!(convert(Constant::Complex(0.0, 2.0), DType::C128, DType::Bool), Some(Constant::Bool(true)));
    assert_eq!(convert(Constant::Bool(true), DType::Bool, DType::C64), Some(Constant::Complex(1.0, 0.0)));
}
