//! Composed rows against NumPy's values at special arguments: see `golden.py`.

use numptx_abi::half;
use numptx_ir::DType;
use numptx_ir::functions::loops::loops;
use numptx_ir::functions::{Class, Function, lookup};
use numptx_ir::scalar::{BodyBuilder, Constant, Val, eval_body};

const GOLDEN: &str = include_str!("values.txt");

fn dtype(character: char) -> DType {
    DType::ALL.into_iter().find(|d| d.character() == character).unwrap()
}

fn number(text: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(text, 16).unwrap())
}

fn constant(text: &str, dtype: DType) -> Constant {
    if dtype == DType::Bool {
        return Constant::Bool(text == "1");
    }
    if dtype.is_integer() {
        let value: i128 = text.parse().unwrap();
        return Constant::Int(value as i64);
    }
    match text.split_once(':') {
        Some((re, im)) => Constant::Complex(number(re), number(im)),
        None => Constant::Float(number(text)),
    }
}

/// Distance in units in the last place of `scale`; nan equals nan.
fn ulps(found: f64, expected: f64, scale: f64, dtype: DType) -> f64 {
    if found == 0.0 && expected == 0.0 && found.is_sign_negative() != expected.is_sign_negative() {
        return f64::INFINITY;
    }
    if found == expected || (found.is_nan() && expected.is_nan()) {
        return 0.0;
    }
    if !found.is_finite() || !expected.is_finite() {
        return f64::INFINITY;
    }
    let unit = match dtype.real() {
        DType::F16 => half::next_towards(scale.abs(), f64::INFINITY) - scale.abs(),
        DType::F32 => f64::from((scale as f32).abs().next_up()) - f64::from((scale as f32).abs()),
        _ => scale.abs().next_up() - scale.abs(),
    };
    (found - expected).abs() / unit
}

fn distance(found: Constant, expected: Constant, dtype: DType) -> f64 {
    match (found, expected) {
        (Constant::Float(a), Constant::Float(b)) => ulps(a, b, b, dtype),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => {
            let modulus = if c.is_finite() && d.is_finite() { c.hypot(d) } else { c.abs().min(d.abs()) };
            ulps(a, c, modulus, dtype).max(ulps(b, d, modulus, dtype))
        }
        (a, b) if a == b => 0.0,
        _ => f64::INFINITY,
    }
}

/// The sign of a vanishing power of complex numbers hangs on an infinite angle.
fn is_excused(name: &str, found: &[Constant], expected: &[Constant]) -> bool {
    let vanishes = |c: &Constant| matches!(c, Constant::Complex(re, im) if *re == 0.0 && *im == 0.0);
    name == "power" && vanishes(&found[0]) && vanishes(&expected[0])
}

fn body(row: &Function, head: &str) -> (numptx_ir::scalar::Body, Vec<DType>, Vec<DType>) {
    let Class::Map(map) = &row.class else { panic!("`{}` is not elementwise", row.name) };
    let (inputs, outputs) = head.split_once("->").unwrap();
    let inputs: Vec<DType> = inputs.chars().map(dtype).collect();
    let outputs: Vec<DType> = outputs.chars().map(dtype).collect();
    let found = loops(map.loops).find(|l| l.inputs == inputs).unwrap_or_else(|| panic!("{} {head}", row.name));
    assert_eq!(found.outputs, outputs, "{} {head}", row.name);
    let mut builder = BodyBuilder::new();
    let values: Vec<Val> = inputs.iter().enumerate().map(|(n, d)| builder.input(n as u32, *d)).collect();
    let results = map.compose(&found, &mut builder, &values);
    (builder.finish(results), inputs, outputs)
}

#[test]
fn composed_rows_agree_with_numpy() {
    let mut failures: Vec<String> = Vec::new();
    let mut current = None;
    for line in GOLDEN.lines() {
        if line.contains("->") {
            let (name, types) = line.split_once(' ').unwrap();
            let row = lookup(&format!("numpy.{name}")).unwrap();
            current = Some((name, types, row, body(row, types)));
            continue;
        }
        let (name, types, row, (body, inputs, outputs)) = current.as_ref().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let operands: Vec<Constant> = words.iter().zip(inputs).map(|(w, d)| constant(w, *d)).collect();
        let expected: Vec<Constant> = words[inputs.len()..].iter().zip(outputs).map(|(w, d)| constant(w, *d)).collect();
        let found = eval_body(body, &operands, &[]);
        // NumPy has an error of its own, of at most as much.
        let ulp = if outputs[0].is_complex() { row.complex_ulp } else { row.ulp };
        let bound = f64::from(2 * ulp);
        let worst = (0..outputs.len()).map(|n| distance(found[n], expected[n], outputs[n])).fold(0.0, f64::max);
        if worst > bound && !is_excused(name, &found, &expected) {
            failures.push(format!("{name} {types} {operands:?}: {found:?}, NumPy {expected:?}, {worst} ULP"));
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
