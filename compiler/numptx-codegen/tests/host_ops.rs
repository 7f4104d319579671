//! Every scalar operation, on every dtype, as host code against the interpreter's evaluation.

mod harness;

use harness::{Launch, all_operations, compile, decode, encode, map_kernel, op_body, processors, samples, ulps};
use numptx_ir::DType;
use numptx_ir::scalar::{Constant, ScalarOp, eval};

/// A multiple of no vector length, so that remainders run too.
const N: usize = 403;

fn check(cpu: &str) {
    let operations = all_operations();
    let name = |n: usize| format!("op{n}");
    let kernels: Vec<_> = operations
        .iter()
        .enumerate()
        .map(|(n, (op, dtypes, result))| map_kernel(&name(n), 1, op_body(*op, dtypes, *result), dtypes))
        .collect();
    let compiled = compile(&kernels, cpu);
    let mut wrong = Vec::new();
    for (n, (op, dtypes, result)) in operations.iter().enumerate() {
        let inputs: Vec<Vec<Constant>> =
            dtypes.iter().enumerate().map(|(k, dtype)| operand_samples(*op, *dtype, k)).collect();
        let mut memory: Vec<Vec<u8>> = Vec::new();
        for (values, dtype) in inputs.iter().zip(dtypes) {
            let mut bytes = vec![0u8; N * dtype.itemsize()];
            for (k, value) in values.iter().enumerate() {
                encode(*value, *dtype, &mut bytes[k * dtype.itemsize()..]);
            }
            memory.push(bytes);
        }
        memory.push(vec![0xaa; N * result.itemsize()]);
        let pointers = memory.iter_mut().map(|m| m.as_mut_ptr()).collect();
        let launch = Launch { pointers, scalars: Vec::new(), extents: vec![N as i64], strides: vec![0; 4] };
        // SAFETY: every operand holds N elements.
        unsafe { compiled.map(&name(n), "flat", &launch, 0, N as i64) };
        for k in 0..N {
            let operands: Vec<(Constant, DType)> = inputs.iter().zip(dtypes).map(|(v, d)| (v[k], *d)).collect();
            let expected = reference(*op, &operands, *result);
            let got = decode(*result, &memory[dtypes.len()][k * result.itemsize()..]);
            if !agrees(*op, got, expected, *result) {
                wrong.push(format!("{} {operands:?} -> {result}: got {got:?}, expected {expected:?}", op.name()));
                if wrong.len() > 40 {
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{cpu}: {} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Exponents of integer powers are not negative; shifts of integers get counts around the width.
fn operand_samples(op: ScalarOp, dtype: DType, position: usize) -> Vec<Constant> {
    let mut values = samples(dtype, N, position as u64);
    if position == 1 && op == ScalarOp::Pow && dtype.is_integer() {
        for value in &mut values {
            if let Constant::Int(n) = value {
                *n = (*n).unsigned_abs() as i64 % 70;
            }
        }
    }
    if position == 1 && (op == ScalarOp::Ldexp || matches!(op, ScalarOp::ShiftLeft | ScalarOp::ShiftRight)) {
        for (k, value) in values.iter_mut().enumerate() {
            if let (Constant::Int(n), true) = (value, k % 3 == 0) {
                *n %= 80;
            }
        }
    }
    values
}

/// The interpreter's evaluation; the C library's where the interpreter is only roughly right.
fn reference(op: ScalarOp, operands: &[(Constant, DType)], result: DType) -> Constant {
    let exact = match (op, operands[0].0) {
        (ScalarOp::Math(function), Constant::Float(x)) => c_library(function.stem, x),
        _ => None,
    };
    match exact {
        Some(x) if result == DType::F16 => Constant::Float(numptx_abi::half::round(x)),
        Some(x) if result == DType::F32 => Constant::Float(f64::from(x as f32)),
        Some(x) => Constant::Float(x),
        None => eval(op, operands, result),
    }
}

fn c_library(stem: &str, x: f64) -> Option<f64> {
    unsafe extern "C" {
        safe fn acosh(x: f64) -> f64;
        safe fn asinh(x: f64) -> f64;
        safe fn erf(x: f64) -> f64;
        safe fn erfc(x: f64) -> f64;
        safe fn lgamma(x: f64) -> f64;
        safe fn tgamma(x: f64) -> f64;
    }
    let function = match stem {
        "acosh" => acosh,
        "asinh" => asinh,
        "erf" => erf,
        "erfc" => erfc,
        "lgamma" => lgamma,
        "tgamma" => tgamma,
        _ => return None,
    };
    Some(function(x))
}

/// Bit for bit, nans being equal; library functions within their bound.
fn agrees(op: ScalarOp, got: Constant, expected: Constant, dtype: DType) -> bool {
    let bound = match op {
        // glibc: "all functions in libmvec have up to 4 ULP".
        ScalarOp::Math(function) => f64::from(function.ulp.max(4)),
        ScalarOp::Pow | ScalarOp::Abs => 4.0,
        _ => 0.0,
    };
    let same = |a: f64, b: f64| {
        let exact = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        exact || bound > 0.0 && ulps(a, b, dtype) <= bound
    };
    match (got, expected) {
        (Constant::Float(a), Constant::Float(b)) => same(a, b),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => same(a, c) && same(b, d),
        _ => got == expected,
    }
}

#[test]
fn every_operation_is_the_interpreters() {
    processors().iter().for_each(|cpu| check(cpu));
}
