//! The interpreters: values against NumPy's, and what they refuse.

use numptx_ir::DType;
use numptx_ir::array::interpret::{Buffer, Failure, Value, View, fresh_strides, interpret};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{ErrorKind, Module, Order, OrderTerm};
use numptx_ir::scalar::Constant;

fn floats(values: &[f64]) -> Vec<Constant> {
    values.iter().map(|x| Constant::Float(*x)).collect()
}

fn vector(values: &[f64]) -> View {
    View::new(DType::F64, &[values.len() as i64], &floats(values))
}

/// A module of one function `f`.
fn function(head: &str, signature: &str, body: &str) -> Module {
    let text = format!("module \"m\"\nfunc @f {head} {{\n  export \"f\" \"f\" {signature}\n{body}\n}}\n");
    parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn run(module: &Module, arguments: &[View]) -> Result<Vec<Value>, Failure> {
    let arguments: Vec<Value> = arguments.iter().cloned().map(Value::Array).collect();
    interpret(module, "f", &arguments)
}

fn elements(value: &Value) -> Vec<Constant> {
    match value {
        Value::Array(view) => view.elements().unwrap(),
        Value::Scalar(constant) => vec![*constant],
        Value::Object(_) => panic!("an object"),
    }
}

fn load(name: &str) -> Module {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules").join(name);
    parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_map_and_an_assignment() {
    let (x, y) =
        (View::new(DType::F32, &[3], &floats(&[1.0, 2.0, 3.0])), View::new(DType::F32, &[3], &floats(&[0.5; 3])));
    let arguments = [Value::Scalar(Constant::Float(2.0)), Value::Array(x), Value::Array(y.clone())];
    let results = interpret(&load("saxpy.array"), "saxpy.0", &arguments).unwrap();
    assert_eq!(elements(&results[0]), floats(&[2.5, 4.5, 6.5]));
    assert_eq!(y.elements().unwrap(), floats(&[2.5, 4.5, 6.5]));
}

#[test]
fn a_failed_check_raises() {
    let (x, y) = (View::new(DType::F32, &[3], &[]), View::new(DType::F32, &[2], &[]));
    let arguments = [Value::Scalar(Constant::Float(2.0)), Value::Array(x), Value::Array(y)];
    let failure = interpret(&load("saxpy.array"), "saxpy.0", &arguments).unwrap_err();
    assert_eq!(failure, Failure::Raised { kind: ErrorKind::Value, message: "extents 3 and 2".to_string() });
}

#[test]
fn control_flow() {
    let x = View::new(DType::F64, &[2, 3], &floats(&[1.0, 4.0, 4.0, 9.0, 16.0, 0.0]));
    for (n, array, scalar) in [(2, [3.0, 7.0], 1001.0), (0, [-3.0, -5.0], 1000.0)] {
        let arguments = [Value::Array(x.clone()), Value::Scalar(Constant::Int(n))];
        let results = interpret(&load("control.array"), "control.0", &arguments).unwrap();
        assert_eq!(elements(&results[0]), floats(&array));
        assert_eq!(elements(&results[1]), floats(&[scalar]));
    }
}

#[test]
fn launches_count_references() {
    let x = View::new(DType::F64, &[2, 2], &floats(&[1.0, 1.0, 4.0, 4.0]));
    let results = interpret(&load("kernels.array"), "rows.0", &[Value::Array(x)]).unwrap();
    assert_eq!(elements(&results[0]), floats(&[2.0, 4.0]));
}

#[test]
fn an_assignment_acts_as_if_its_source_were_copied() {
    let body = "  %2 = constant<0> : i64
  %3 = constant<1> : i64
  %4 = constant<3> : i64
  %5 = slice<0> %0, %2, %4, %3 : f64[1] any mut
  %6 = slice<0> %0, %3, %4, %3 : f64[1] any mut
  assign %6, %5
  return";
    let module = function("noalias source (%0: f64[1] C mut)", "(\"x\": f64[:]) -> none", body);
    let x = vector(&[1.0, 2.0, 3.0, 4.0]);
    run(&module, std::slice::from_ref(&x)).unwrap();
    assert_eq!(x.elements().unwrap(), floats(&[1.0, 1.0, 2.0, 3.0]));
}

#[test]
fn arguments_may_overlap() {
    let module = function(
        "mayalias source (%0: f64[1] any mut, %1: f64[1] any mut)",
        "(\"x\": f64[:], \"y\": f64[:]) -> none",
        "  assign %0, %1\n  return",
    );
    let base = vector(&[1.0, 2.0, 3.0, 4.0]);
    let part = |offset: i64, stride: i64| View { offset, shape: vec![3], strides: vec![stride], ..base.clone() };
    run(&module, &[part(0, 8), part(24, -8)]).unwrap();
    assert_eq!(base.elements().unwrap(), floats(&[4.0, 3.0, 2.0, 4.0]));
}

#[test]
fn a_store_with_a_hazard_is_refused() {
    let body = "  %1 = dim<0> %0 : i64
  %2 = constant<-1> : i64
  %3 = sub %1, %4 : i64
  %5 = slice<0> %0, %3, %1, %2 : f64[1] any mut
  store<1> %1, %0, %5 { $0 = input 0 : f64; yield $0 }
  return";
    let body = body.replace("  %3 =", "  %4 = constant<1> : i64\n  %3 =");
    let module = function("noalias placed (%0: f64[1] C mut)", "(\"x\": f64[:]) -> none", &body);
    let failure = run(&module, &[vector(&[1.0, 2.0, 3.0])]).unwrap_err();
    assert!(matches!(&failure, Failure::Invalid(message) if message.contains("hazard")), "{failure:?}");
    assert!(run(&module, &[vector(&[1.0])]).is_ok());
}

#[test]
fn reshape_is_a_view_where_the_strides_allow_it() {
    let body = "  %1 = constant<2> : i64
  %2 = constant<3> : i64
  %3 = reshape %0, %2, %1 : f64[2] any mut
  return %3";
    let module = function("noalias source (%0: f64[2] any mut)", "(\"x\": f64[:, :]) -> f64[2]", body);
    let base = vector(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let view =
        |shape: [i64; 2], strides: [i64; 2]| View { shape: shape.into(), strides: strides.into(), ..base.clone() };
    for (input, shares, expected) in [
        (view([2, 3], [24, 8]), true, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        (view([2, 3], [8, 16]), false, [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]),
        (view([6, 1], [8, 999]), true, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    ] {
        let results = run(&module, &[input]).unwrap();
        let Value::Array(result) = &results[0] else { panic!("{results:?}") };
        assert_eq!((result.buffer == base.buffer, result.elements().unwrap()), (shares, floats(&expected)));
    }
}

/// Cases as NumPy 2.4 gives them for `np.add(a, b).strides`.
#[test]
fn fresh_arrays_have_numpys_k_order() {
    let both = Order::K(vec![OrderTerm::Input(0), OrderTerm::Input(1)]);
    let one = Order::K(vec![OrderTerm::Input(0)]);
    let nested = Order::K(vec![
        OrderTerm::Fresh { like: None, axes: Vec::new(), terms: vec![OrderTerm::Input(1)] },
        OrderTerm::Input(0),
    ]);
    let (c, f) = (vec![96, 32, 8], vec![8, 16, 48]);
    let cases = [
        (&one, [2i64, 3, 4], f.clone(), vec![], [8, 16, 48]),
        (&one, [2, 3, 4], vec![-8, -16, -48], vec![], [8, 16, 48]),
        (&both, [2, 3, 4], f.clone(), c.clone(), [96, 32, 8]),
        (&both, [2, 3, 4], vec![0, 8, 24], f.clone(), [8, 16, 48]),
        (&both, [2, 3, 4], vec![0, 0, 0], vec![0, 0, 0], [96, 32, 8]),
        (&both, [1, 3, 4], vec![8, 8, 24], vec![0, 0, 0], [96, 8, 24]),
        (&both, [2, 3, 4], vec![8, 64, 16], vec![8, 64, 16], [8, 64, 16]),
        (&nested, [2, 3, 4], f.clone(), f, [8, 16, 48]),
    ];
    for (order, shape, a, b, expected) in cases {
        let inputs = [&a, &b].map(|strides| (!strides.is_empty()).then(|| (shape.to_vec(), strides.clone())));
        let found = fresh_strides(order, &shape, DType::F64, &inputs);
        let same = (0..3).all(|axis| shape[axis] == 1 || found[axis] == expected[axis]);
        assert!(same, "{a:?} and {b:?} give {found:?}, expected {expected:?}");
    }
}

/// Of `(x * 0.5) - y`, x of stride 0 and y in F order: what was broadcast before it was computed has a say, what was broadcast later has none.
#[test]
fn removed_arrays_abstain_where_they_had_one_element() {
    let fresh = |like, terms| OrderTerm::Fresh { like, axes: Vec::new(), terms };
    let of = |like, input| Order::K(vec![fresh(like, vec![OrderTerm::Input(input)]), OrderTerm::Input(1)]);
    let nested = Order::K(vec![fresh(Some(2), vec![fresh(None, vec![OrderTerm::Input(0)])]), OrderTerm::Input(1)]);
    let c_order = Order::K(vec![fresh(Some(2), Vec::new()), OrderTerm::Input(1)]);
    let inputs = [(vec![5, 2], vec![0, 8]), (vec![5, 2], vec![8, 40]), (vec![1, 2], vec![8, 8])].map(Some);
    let (c, f) = (vec![16, 8], vec![8, 40]);
    for (order, expected) in [
        (Order::K(vec![OrderTerm::Input(0), OrderTerm::Input(1)]), &f),
        (of(None, 0), &c),
        (of(Some(0), 0), &c),
        (of(None, 2), &c),
        (of(Some(2), 2), &f),
        (nested, &f),
        (c_order, &f),
        (Order::K(vec![fresh(None, Vec::new()), OrderTerm::Input(1)]), &c),
    ] {
        assert_eq!(&fresh_strides(&order, &[5, 2], DType::F64, &inputs), expected, "{order:?}");
    }
}

#[test]
fn a_dead_buffer_and_a_leak_are_found() {
    let x = vector(&[1.0, 2.0]);
    x.buffer.read(16, DType::F64).unwrap_err();
    let buffer = Buffer::new(vec![0; 8]);
    assert_eq!((buffer.references(), buffer.read(0, DType::F64)), (1, Ok(Constant::Float(0.0))));
}
