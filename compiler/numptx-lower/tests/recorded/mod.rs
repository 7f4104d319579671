//! Reads what `golden.py` wrote.

use numptx_ir::DType;
use numptx_ir::scalar::Constant;

/// One call and what NumPy gave.
#[derive(Default)]
pub struct Call {
    /// The expression.
    pub run: String,
    /// The function called.
    pub function: String,
    /// Arguments before the call, leaf by leaf.
    pub arguments: Vec<Leaf>,
    /// Results.
    pub results: Vec<Leaf>,
    /// Arguments after the call.
    pub after: Vec<Leaf>,
    /// The exception, as `Type: message`.
    pub raises: Option<String>,
}

/// A scalar or an array.
pub struct Leaf {
    /// `array`, `numpy` or `python`.
    pub kind: String,
    /// Its dtype.
    pub dtype: DType,
    /// `None`: a scalar.
    pub shape: Option<Vec<i64>>,
    /// Its elements in C order.
    pub elements: Vec<Constant>,
}

/// The calls of a file.
pub fn calls(text: &str) -> Vec<Call> {
    text.split("\n\n").filter(|block| !block.trim().is_empty()).map(call).collect()
}

fn call(block: &str) -> Call {
    let mut call = Call::default();
    for line in block.lines() {
        let (key, rest) = line.split_once(' ').expect("every line has a key");
        match key {
            "run" => call.run = rest.into(),
            "function" => call.function = rest.into(),
            "argument" => call.arguments.push(leaf(rest)),
            "result" => call.results.push(leaf(rest)),
            "after" => call.after.push(leaf(rest)),
            "raises" => call.raises = Some(rest.into()),
            other => panic!("unknown key {other}"),
        }
    }
    call
}

fn leaf(text: &str) -> Leaf {
    let mut words = text.split_whitespace();
    let kind = words.next().unwrap().to_string();
    let ty = words.next().unwrap();
    let (dtype, shape) = match ty.split_once('[') {
        None => (ty, None),
        Some((dtype, shape)) => {
            let extents = shape.trim_end_matches(']').split(',').filter(|e| !e.is_empty());
            (dtype, Some(extents.map(|e| e.parse().unwrap()).collect()))
        }
    };
    let dtype = DType::from_short_name(dtype).unwrap();
    Leaf { kind, dtype, shape, elements: words.map(|word| element(word, dtype)).collect() }
}

fn element(word: &str, dtype: DType) -> Constant {
    let float = |word: &str| word.parse::<f64>().unwrap();
    match dtype {
        DType::Bool => Constant::Bool(word == "true"),
        DType::F32 => Constant::Float(f64::from(float(word) as f32)),
        DType::F64 => Constant::Float(float(word)),
        DType::C64 | DType::C128 => {
            let (re, im) = word.split_once(',').unwrap();
            Constant::Complex(float(re), float(im))
        }
        DType::U64 => Constant::Int(word.parse::<u64>().unwrap() as i64),
        _ => Constant::Int(word.parse().unwrap()),
    }
}
