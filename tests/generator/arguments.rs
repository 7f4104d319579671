//! Run lines: what a program is called with. Arrays are views of bases: of one each, or several of one.

use crate::dtype::{DType, Kind};
use crate::numbers::Numbers;
use crate::value::{Form, Value};
use crate::views::tuple;

/// The run lines of a function: with its sample shapes apart, with overlapping arguments, with other extents.
pub fn runs(numbers: &mut Numbers, name: &str, parameters: &[Value]) -> Vec<String> {
    let mut lines = vec![run(numbers, name, parameters, false), run(numbers, name, parameters, true)];
    let others = with_other_extents(numbers, parameters);
    let is_overlapping = numbers.below(2) == 0;
    lines.push(run(numbers, name, &others, is_overlapping));
    lines
}

/// The run lines of a function whose arguments have to lie apart.
pub fn runs_apart(numbers: &mut Numbers, name: &str, parameters: &[Value]) -> Vec<String> {
    let others = with_other_extents(numbers, parameters);
    [parameters, parameters, &others].map(|parameters| run(numbers, name, parameters, false)).to_vec()
}

/// Equal extents stay equal, most of the time.
fn with_other_extents(numbers: &mut Numbers, parameters: &[Value]) -> Vec<Value> {
    let new: Vec<i64> = (0..8).map(|_| numbers.pick(&[0, 1, 1, 2, 3, 5, 9])).collect();
    let extent = |numbers: &mut Numbers, old: i64| match numbers.below(12) {
        0 => 1,
        1 => old,
        _ => new[old as usize % new.len()],
    };
    let changed = |value: &Value| {
        let shape = value.shape.iter().map(|e| extent(numbers, *e)).collect();
        let sample = if value.form == Form::Int { numbers.below(9) as i64 - 3 } else { value.sample };
        Value { shape, sample, ..value.clone() }
    };
    parameters.iter().map(changed).collect()
}

/// One base: its dtype, how many elements it needs, what is in it.
struct Base {
    name: String,
    dtype: DType,
    size: i64,
}

fn run(numbers: &mut Numbers, name: &str, parameters: &[Value], is_overlapping: bool) -> String {
    let mut bases: Vec<Base> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let mut before = String::new();
    let mut twin: Option<(Value, String)> = None;
    for parameter in parameters {
        if parameter.form != Form::Array {
            texts.push(number(numbers, parameter));
            continue;
        }
        if let Some((known, given)) = &twin
            && is_overlapping
            && known.has_type_of(parameter)
            && numbers.below(4) == 0
        {
            texts.push(given.clone());
            continue;
        }
        let at = base_for(&mut bases, parameter.dtype, is_overlapping);
        let (view, needed) = view(numbers, &bases[at].name, &parameter.shape);
        bases[at].size = bases[at].size.max(needed);
        twin = Some((parameter.clone(), view.clone()));
        texts.push(view);
    }
    // The same object twice, by a name of its own.
    for at in 1..texts.len() {
        if parameters[at].is_array() && texts[..at].contains(&texts[at]) && numbers.below(2) == 0 {
            before = format!("{before}same = {}; ", texts[at]);
            let text = texts[at].clone();
            texts.iter_mut().filter(|t| **t == text).for_each(|t| *t = "same".to_string());
            break;
        }
    }
    let made: String =
        bases.iter().enumerate().map(|(n, base)| format!("{} = {}; ", base.name, contents(numbers, base, n))).collect();
    format!("# run: {made}{before}{name}({})", texts.join(", "))
}

fn base_for(bases: &mut Vec<Base>, dtype: DType, is_overlapping: bool) -> usize {
    if let Some(at) = bases.iter().position(|b| b.dtype == dtype).filter(|_| is_overlapping) {
        return at;
    }
    let name = ["b", "c", "d", "e"][bases.len().min(3)].to_string();
    bases.push(Base { name, dtype, size: 0 });
    bases.len() - 1
}

fn number(numbers: &mut Numbers, value: &Value) -> String {
    match value.form {
        Form::Int => value.sample.to_string(),
        Form::Float => numbers.pick(&["1.5", "2.0", "-0.5"]).to_string(),
        Form::Flag => numbers.pick(&["True", "False"]).to_string(),
        _ => format!("{}({})", if value.dtype == DType::Bool { "bool_" } else { value.dtype.name() }, numbers.below(4)),
    }
}

/// Whole numbers, so that sums are exact in any order; now and then the extremes.
fn contents(numbers: &mut Numbers, base: &Base, salt: usize) -> String {
    let (n, name) = (base.size.max(1), base.dtype.name());
    let step = [7, 5, 3][salt % 3];
    if numbers.below(12) == 0 {
        let values = match base.dtype.kind() {
            Kind::Bool => "True, False, False".to_string(),
            Kind::Float => "0.0, -0.0, inf, 1.0, -inf, nan, -2.0".to_string(),
            Kind::Complex => "0, -1j, 1 + 2j, inf, 3".to_string(),
            _ => format!("0, iinfo({name}).max, 1, iinfo({name}).min, 2"),
        };
        return format!("resize(array([{values}], dtype={name}), {n})");
    }
    match base.dtype.kind() {
        Kind::Bool => format!("arange({n}) * {step} % 3 == 0"),
        Kind::Unsigned => format!("arange({n}).astype({name}) * {step} % 11"),
        Kind::Complex => format!("(arange({n}) * {step} % 9 - 4 + arange({n}) % 4 * 1j).astype({name})"),
        _ => format!("(arange({n}) * {step} % 13 - 5).astype({name})"),
    }
}

/// A view of a flat base that has a shape, and how many elements the base needs.
fn view(numbers: &mut Numbers, base: &str, shape: &[i64]) -> (String, i64) {
    let offset = numbers.below(4) as i64;
    match shape {
        [] => (format!("{base}[{offset}, ...]"), offset + 1),
        [n] => vector(numbers, base, *n, offset),
        _ => matrix(numbers, base, shape, offset),
    }
}

fn vector(numbers: &mut Numbers, base: &str, n: i64, offset: i64) -> (String, i64) {
    let end = offset + n;
    match numbers.below(8) {
        0..=2 => (format!("{base}[{offset}:{end}]"), end),
        3 => (format!("{base}[{offset}:{end}][::-1]"), end),
        4 => (format!("{base}[{offset}:{}:2]", offset + 2 * n), offset + 2 * n),
        5 => (format!("{base}[{offset}:{}:3][::-1]", offset + 3 * n), offset + 3 * n),
        6 => {
            let width = 2 + numbers.below(3) as i64;
            let column = numbers.below(width as usize);
            (format!("{base}[:{}].reshape({n}, {width})[:, {column}]", n * width), n * width)
        }
        _ if numbers.below(4) == 0 => (format!("broadcast_to({base}[{offset}:{}], ({n},))", offset + 1), offset + 1),
        _ => (format!("{base}[:{n}]"), n),
    }
}

fn matrix(numbers: &mut Numbers, base: &str, shape: &[i64], offset: i64) -> (String, i64) {
    let size: i64 = shape.iter().product();
    let reversed: Vec<i64> = shape.iter().rev().copied().collect();
    let from = |shape: &[i64], offset: i64| {
        let size: i64 = shape.iter().product();
        (format!("{base}[{offset}:{}].reshape({})", offset + size, tuple(shape)), offset + size)
    };
    let with = |text: (String, i64), tail: String| (text.0 + &tail, text.1);
    let rest = ", :".repeat(shape.len() - 1);
    match numbers.below(10) {
        0 | 1 => from(shape, offset),
        2 | 3 => with(from(&reversed, offset), ".T".to_string()),
        4 => with(from(shape, offset), "[::-1]".to_string()),
        5 => with(from(shape, offset), format!("[{}, ::-1]", [":"].repeat(shape.len() - 1).join(", "))),
        6 => {
            let larger: Vec<i64> = shape.iter().map(|e| e + 1).collect();
            let parts: Vec<String> =
                shape.iter().map(|e| if e % 2 == 0 { "1:".into() } else { format!(":{e}") }).collect();
            with(from(&larger, offset), format!("[{}]", parts.join(", ")))
        }
        7 => {
            let mut larger = shape.to_vec();
            larger[0] *= 2;
            with(from(&larger, offset), format!("[::2{rest}]"))
        }
        8 if numbers.below(3) == 0 => {
            let row = from(&shape[1..], offset);
            (format!("broadcast_to({}, ({}))", row.0, tuple(shape)), row.1)
        }
        8 => {
            let mut swapped = shape.to_vec();
            swapped.swap(0, 1);
            with(from(&swapped, offset), ".swapaxes(0, 1)".to_string())
        }
        _ => (format!("{base}[:{size}].reshape({})", tuple(shape)), size),
    }
}
