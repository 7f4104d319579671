//! Nests: what they compute, and what the interpreters refuse of them.

mod sample;

use numptx_ir::DType;
use numptx_ir::array::interpret::{Options, Value, View, interpret, interpret_with};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{Builder, Module, OpKind, Phase, Type};
use numptx_ir::scalar::{Code, CodeBuilder, Constant, ScalarOp};
use numptx_ir::signature::{Parameter, ParameterType, ResultType, Signature};

fn floats(values: &[f64]) -> Vec<Constant> {
    values.iter().map(|x| Constant::Float(*x)).collect()
}

fn vector(values: &[f64]) -> View {
    View::new(DType::F64, &[values.len() as i64], &floats(values))
}

fn nests() -> Module {
    sample::modules().into_iter().find(|m| m.name == "nests").unwrap()
}

#[test]
fn a_product() {
    let a = View::new(DType::F64, &[2, 3], &floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let b = View { shape: vec![3, 2], strides: vec![8, 24], ..a.clone() };
    for seed in 0..10 {
        let options = Options { seed, ..Options::default() };
        let arguments = [Value::Array(a.clone()), Value::Array(b.clone())];
        let results = interpret_with(&nests(), "product.0", &arguments, options).unwrap();
        let Value::Array(c) = &results[0] else { panic!("no array") };
        assert_eq!(c.elements().unwrap(), floats(&[14.0, 32.0, 32.0, 77.0]));
    }
}

#[test]
fn a_loop_that_ends_when_it_may() {
    let z = [(0.0, 0.0), (1.0, 0.0), (-2.0, 0.0), (0.5, 0.5)].map(|(re, im)| Constant::Complex(re, im));
    let z = View::new(DType::C128, &[4], &z);
    let n = View::new(DType::I64, &[4], &[]);
    let arguments = [Value::Array(z), Value::Array(n.clone()), Value::Scalar(Constant::Int(50))];
    interpret(&nests(), "escape.0", &arguments).unwrap();
    assert_eq!(n.elements().unwrap(), [50, 3, 50, 5].map(Constant::Int));
}

#[test]
fn a_point_sees_what_it_stored_before() {
    let (x, last) = (vector(&[3.0, 1.0, 5.0, -2.0]), View::new(DType::F64, &[], &[]));
    interpret(&nests(), "running.0", &[Value::Array(x.clone()), Value::Array(last.clone())]).unwrap();
    assert_eq!(x.elements().unwrap(), floats(&[3.0, 2.0, 7.0, 9.0]));
    assert_eq!(last.elements().unwrap(), floats(&[5.0]));
}

#[test]
fn a_launch_of_code() {
    let a = View::new(DType::F32, &[3, 3], &floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
    interpret(&nests(), "lower.0", &[Value::Array(a.clone())]).unwrap();
    assert_eq!(a.elements().unwrap(), floats(&[1.0, 2.0, 3.0, -4.0, 5.0, 6.0, -7.0, -8.0, 9.0]));
}

#[test]
fn a_check_ends_its_point_and_keeps_others_from_beginning() {
    let run = |at: &[i64], fault: i64, seed: u64| {
        let at: Vec<Constant> = at.iter().copied().map(Constant::Int).collect();
        let (x, y) = (vector(&[1.0, 2.0, 3.0]), vector(&[0.0; 4]));
        let at = View::new(DType::I64, &[4], &at);
        let fault = View::new(DType::I64, &[1], &[Constant::Int(fault)]);
        let arguments = [x, at, y.clone(), fault.clone()].map(Value::Array);
        let options = Options { seed, ..Options::default() };
        interpret_with(&nests(), "taken.0", &arguments, options).unwrap();
        (y.elements().unwrap(), fault.elements().unwrap())
    };
    for seed in 0..20 {
        assert_eq!(run(&[2, 1, 0, 2], 0, seed), (floats(&[3.0, 2.0, 1.0, 3.0]), vec![Constant::Int(0)]));
        assert_eq!(run(&[2, 1, 0, 2], 1, seed), (floats(&[0.0; 4]), vec![Constant::Int(1)]));
        let (y, fault) = run(&[2, 3, 3, 2], 0, seed);
        assert_eq!((y[1], y[2], fault), (Constant::Float(0.0), Constant::Float(0.0), vec![Constant::Int(7)]));
    }
}

/// `f(x, y, n)` whose one op is a nest over `n` points, of which `steps` use `$0`, the index, and `$1` of value 1.
fn nest(tables: &str, steps: &str) -> Module {
    let text = format!(
        "module \"m\"
func @f noalias placed (%0 \"x\": f64[1] any mut, %1 \"y\": f64[1] any mut, %2 \"n\": i64) {{
  export \"f\" \"f\" (\"x\": f64[:], \"y\": f64[:], \"n\": i64) -> none
  nest<1> %2, {tables}, %2 {{
    $0 = index 0 : i64
    $1 = constant 1 : i64
    {steps}
    yield
  }}
  return
}}
"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn run(module: &Module, x: &View, y: &View, n: i64) -> Result<(), String> {
    let arguments = [Value::Array(x.clone()), Value::Array(y.clone()), Value::Scalar(Constant::Int(n))];
    for seed in 0..10 {
        let options = Options { seed, fuel: 100_000, ..Options::default() };
        interpret_with(module, "f", &arguments, options).map_err(|failure| format!("{failure:?}"))?;
    }
    Ok(())
}

const SHIFT: &str = "$2 = add $0, $1 : i64\n    $3 = load 0 at $2 : f64\n    store $3 to 0 at $0";
const COPY: &str = "$2 = load 1 at $0 : f64\n    store $2 to 0 at $0";

#[test]
fn points_that_meet_are_found() {
    let (x, y) = (vector(&[1.0, 2.0, 3.0, 4.0]), vector(&[0.0; 4]));
    let same = "$2 = constant 0 : i64\n    $3 = constant 0.5 : f64\n    store $3 to 0 at $2";
    assert!(run(&nest("%0", SHIFT), &x, &y, 3).unwrap_err().contains("a race"));
    assert!(run(&nest("%0", same), &x, &y, 2).unwrap_err().contains("a race"));
    assert_eq!(run(&nest("%0", same), &x, &y, 1), Ok(()));
    assert_eq!(run(&nest("%1, %0", COPY), &x, &y, 4), Ok(()));
}

#[test]
fn indices_are_in_range() {
    let (x, y) = (vector(&[1.0, 2.0, 3.0, 4.0]), vector(&[0.0; 4]));
    let below = "$2 = sub $0, $1 : i64\n    $3 = load 1 at $2 : f64\n    store $3 to 0 at $0";
    assert!(run(&nest("%1, %0", below), &x, &y, 2).unwrap_err().contains("[-1] are out of range"));
    assert!(run(&nest("%1, %0", COPY), &x, &y, 5).unwrap_err().contains("out of range"));
}

#[test]
fn what_is_written_is_met_through_one_table() {
    let x = vector(&[1.0, 2.0, 3.0, 4.0]);
    assert!(run(&nest("%1, %0", COPY), &x, &x, 4).unwrap_err().contains("noalias"));
    let half = |offset: i64| View { offset, shape: vec![2], ..x.clone() };
    assert_eq!(run(&nest("%1, %0", COPY), &half(0), &half(16), 2), Ok(()));
    let both = "$2 = constant 0.5 : f64\n    store $2 to 0 at $0\n    store $2 to 1 at $0";
    assert!(run(&nest("%1, %0", both), &x, &x, 4).unwrap_err().contains("noalias"));
}

#[test]
fn loops_that_go_nowhere_are_given_up() {
    let (x, y) = (vector(&[1.0]), vector(&[1.0]));
    let still = "for $0, $1, $0 ($2: i64) {\n yield\n }\n $3 = constant 0.5 : f64\n store $3 to 0 at $0";
    assert!(run(&nest("%0", still), &x, &y, 1).unwrap_err().contains("step is 0"));
    let endless = "$2 = constant true : bool\n while {\n yield $2\n } do {\n yield\n }\n $3 = constant 0.5 : f64
    store $3 to 0 at $0";
    assert!(run(&nest("%0", endless), &x, &y, 1).unwrap_err().contains("too long"));
}

/// `y[i] = sum(x[j] for j in range(i, n) if x[j] > 0)`
fn sums() -> Code {
    let mut b = CodeBuilder::new();
    let (i, n, one) = (b.index(0), b.input(0, DType::I64), b.integer(1));
    let zero = b.constant(Constant::Float(0.0), DType::F64);
    let inside = b.open_block(&[DType::I64, DType::F64]);
    let (j, sum) = (inside[0], inside[1]);
    let x = b.load(1, &[j], DType::F64);
    let positive = b.op(ScalarOp::Gt, &[x, zero]);
    b.open_block(&[]);
    let more = b.op(ScalarOp::Add, &[sum, x]);
    let then = b.close_block(&[more]);
    b.open_block(&[]);
    let otherwise = b.close_block(&[sum]);
    let sum = b.if_(positive, then, otherwise);
    let body = b.close_block(&sum);
    let sum = b.for_([i, n, one], &[zero], body);
    b.store(0, &[i], sum[0]);
    b.finish()
}

#[test]
fn the_builder_makes_what_is_accepted() {
    let mut b = Builder::new("f");
    let array = numptx_ir::array::ArrayType {
        dtype: DType::F64,
        rank: 1,
        layout: numptx_ir::array::Layout::Any,
        writable: true,
    };
    let (x, y) = (b.parameter(Type::Array(array), "x"), b.parameter(Type::Array(array), "y"));
    let n = b.dim(x, 0);
    b.nest(&[n], &[y, x], &[n], sums());
    b.emit(OpKind::Return, vec![]);
    let parameter = |name: &str| Parameter {
        name: name.to_string(),
        ty: ParameterType::Array { dtype: DType::F64, extents: vec![None], order: None },
        by_name: false,
    };
    let signature = Signature {
        function: "f".to_string(),
        text: "f(float64[:], float64[:])".to_string(),
        parameters: vec![parameter("x"), parameter("y")],
        result: ResultType::None,
        same: Vec::new(),
        numbered: Vec::new(),
        defaults: Vec::new(),
        docstring: None,
    };
    let function = b.finish(signature);
    assert_eq!(function.phase, Phase::Source);
    let module = Module { name: "m".to_string(), functions: vec![function], ..Module::default() };
    assert_eq!(parse(&module.to_string()).unwrap().to_string(), module.to_string());
    let (x, y) = (vector(&[1.0, -2.0, 4.0]), vector(&[0.0; 3]));
    interpret(&module, "f", &[Value::Array(x), Value::Array(y.clone())]).unwrap();
    assert_eq!(y.elements().unwrap(), floats(&[5.0, 4.0, 4.0]));
}
