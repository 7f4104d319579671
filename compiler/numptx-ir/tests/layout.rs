//! Memory order, reshapes and slices against NumPy's (`tests/data/layout_golden.txt`, written by `layout_golden.py`).

use numptx_ir::DType;
use numptx_ir::array::interpret::{Axes, Buffer, Value, View, fresh_strides, interpret};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{Module, Order, OrderTerm};
use numptx_ir::scalar::Constant;

fn cases(kind: &str) -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
    let lines = include_str!("data/layout_golden.txt").lines().filter_map(|line| line.strip_prefix(kind));
    let split = lines.filter_map(|line| line.trim().split_once(" -> "));
    split.map(|(given, expected)| (given.split(' ').collect(), expected.split(' ').collect())).collect()
}

fn numbers(text: &str) -> Vec<i64> {
    if text == "-" { Vec::new() } else { text.split(',').map(|n| n.parse().unwrap()).collect() }
}

/// Strides along axes of extent 1 mean nothing.
fn same_strides(shape: &[i64], a: &[i64], b: &[i64]) -> bool {
    shape.iter().zip(a.iter().zip(b)).all(|(extent, (a, b))| *extent == 1 || a == b)
}

#[test]
fn fresh_arrays_have_numpys_order() {
    for (given, expected) in cases("order") {
        let shape = numbers(given[0]);
        let inputs: Vec<Option<Axes>> =
            given[1..].iter().map(|strides| Some((shape.clone(), numbers(strides)))).collect();
        let order = Order::K((0..inputs.len()).map(OrderTerm::Input).collect());
        let found = fresh_strides(&order, &shape, DType::F64, &inputs);
        assert!(same_strides(&shape, &found, &numbers(expected[0])), "{given:?}: {found:?}, expected {expected:?}");
        let fresh = Order::K(vec![OrderTerm::Fresh {
            like: None,
            axes: Vec::new(),
            terms: (0..inputs.len()).map(OrderTerm::Input).collect(),
        }]);
        assert_eq!(
            fresh_strides(&fresh, &shape, DType::F64, &inputs),
            found,
            "{given:?}: an array that was fused away"
        );
    }
}

#[test]
fn copies_have_numpys_order() {
    for (given, expected) in cases("copy") {
        let (shape, strides) = (numbers(given[0]), numbers(given[1]));
        for order in
            [OrderTerm::Copy(0), OrderTerm::Fresh { like: None, axes: Vec::new(), terms: vec![OrderTerm::Copy(0)] }]
        {
            let found =
                fresh_strides(&Order::K(vec![order]), &shape, DType::F64, &[Some((shape.clone(), strides.clone()))]);
            assert!(same_strides(&shape, &found, &numbers(expected[0])), "{given:?}: {found:?}, expected {expected:?}");
        }
    }
}

#[test]
fn joined_arrays_have_numpys_order() {
    let mut n_cases = 0;
    for (given, expected) in cases("join") {
        let shape = numbers(given[0]);
        let inputs: Vec<Option<Axes>> =
            given[1..].chunks(2).map(|input| Some((numbers(input[0]), numbers(input[1])))).collect();
        let order = Order::K((0..inputs.len()).map(OrderTerm::Joined).collect());
        let found = fresh_strides(&order, &shape, DType::F64, &inputs);
        assert!(same_strides(&shape, &found, &numbers(expected[0])), "{given:?}: {found:?}, expected {expected:?}");
        n_cases += 1;
    }
    assert!(n_cases > 0, "the golden file has such cases");
}

fn reshape(rank: usize, extents: &[i64]) -> Module {
    let axes = vec![":"; rank].join(", ");
    let constants: String = (0..).zip(extents).map(|(n, e)| format!("  %{} = constant<{e}> : i64\n", n + 2)).collect();
    let operands: String = (0..extents.len()).map(|n| format!(", %{}", n + 2)).collect();
    let new_rank = extents.len();
    let text = format!(
        "module \"m\"\nfunc @f noalias source (%0: f64[{rank}] any mut) {{
  export \"f\" \"f\" (\"x\": f64[{axes}]) -> f64[{new_rank}]
{constants}  %1 = reshape %0{operands} : f64[{new_rank}] any mut
  return %1\n}}\n"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

#[test]
fn reshape_shares_memory_where_numpys_does() {
    let buffer = Buffer::new(vec![0; 160_000]);
    for (given, expected) in cases("reshape") {
        let (shape, strides, new) = (numbers(given[0]), numbers(given[1]), numbers(given[2]));
        let view = View { buffer: buffer.clone(), dtype: DType::F64, offset: 80_000, shape, strides, read_only: false };
        let module = reshape(view.shape.len(), &new);
        let results = interpret(&module, "f", &[Value::Array(view)]).unwrap();
        let [Value::Array(result)] = &results[..] else { panic!("{results:?}") };
        assert_eq!(result.buffer == buffer, expected[0] != "copy", "{given:?}");
        if result.buffer == buffer {
            assert!(same_strides(&new, &result.strides, &numbers(expected[0])), "{given:?}: {:?}", result.strides);
        }
    }
}

#[test]
fn slice_bounds_are_pythons() {
    for (given, expected) in cases("slice") {
        let bounds = &given[..2];
        let attributes: Vec<&str> = ["lower", "upper"]
            .into_iter()
            .zip(bounds)
            .filter(|(_, bound)| **bound != "None")
            .map(|(name, _)| name)
            .collect();
        let attributes = if attributes.is_empty() { String::new() } else { format!("<{}>", attributes.join(", ")) };
        let numbers: Vec<&str> = given.iter().copied().filter(|bound| *bound != "None").collect();
        let constants: String =
            numbers.iter().enumerate().map(|(n, value)| format!("  %{n} = constant<{value}> : i64\n")).collect();
        let operands: Vec<String> = (0..numbers.len()).map(|n| format!("%{n}")).collect();
        let text = format!(
            "module \"m\"\nfunc @f noalias source () {{\n  export \"f\" \"f\" () -> (py i64, py i64)
{constants}  %8, %9 = slice_bounds{attributes} {} : i64, i64\n  return %8, %9\n}}\n",
            operands.join(", ")
        );
        let results = interpret(&parse(&text).unwrap(), "f", &[]).unwrap();
        let found: Vec<i64> = results
            .iter()
            .filter_map(|value| if let Value::Scalar(Constant::Int(n)) = value { Some(*n) } else { None })
            .collect();
        let expected: Vec<i64> = expected.iter().map(|n| n.parse().unwrap()).collect();
        // Where a slice starts matters only if it has elements.
        assert!(
            found == expected || (found[1] == 0 && expected[1] == 0),
            "{given:?}: {found:?}, expected {expected:?}"
        );
    }
}
