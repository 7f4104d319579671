//! What single functions do and refuse, run in the interpreter.

use numptx_ir::DType;
use numptx_ir::array::interpret::{Failure, Value, View, interpret};
use numptx_ir::array::{ErrorKind, Layout};
use numptx_ir::functions::{Arguments, Family, Form, FunctionError, PyValue, Typed, call, lookup};
use numptx_ir::scalar::Constant;
use numptx_source::code;

use crate::calls::{Program, apply};

fn floats(values: &[f64]) -> Vec<Constant> {
    values.iter().map(|x| Constant::Float(*x)).collect()
}

fn ints(values: &[i64]) -> Vec<Constant> {
    values.iter().map(|n| Constant::Int(*n)).collect()
}

/// Makes a program of one array parameter and runs it on an array.
fn on_array(
    view: View,
    make: impl FnOnce(&mut Program, PyValue) -> Result<PyValue, FunctionError>,
) -> Result<(Vec<i64>, Vec<Constant>), Failure> {
    let mut program = Program::new();
    let array = program.array(view.dtype, view.shape.len(), Layout::Any);
    let result = make(&mut program, PyValue::Typed(array)).expect("the call is accepted");
    let module = program.returning(&result);
    let results = interpret(&module, "f", &[Value::Array(view)])?;
    Ok(match &results[0] {
        Value::Array(view) => (view.shape.clone(), view.elements()?),
        Value::Scalar(constant) => (Vec::new(), vec![*constant]),
        Value::Object(_) => panic!("an object"),
    })
}

fn matrix() -> View {
    View::new(DType::F64, &[2, 3], &floats(&[1.0, 5.0, 2.0, 4.0, 0.0, 5.0]))
}

fn none() -> PyValue {
    PyValue::None
}

fn tuple(program: &mut Program, values: &[i64]) -> PyValue {
    PyValue::Tuple(values.iter().map(|n| program.int(*n)).collect())
}

#[test]
fn reductions_over_axes() {
    let of = |name: &'static str, axis: Option<i64>| {
        on_array(matrix(), |p, x| {
            let axis = axis.map_or(none(), |a| p.int(a));
            apply(p, name, &[x, axis])
        })
        .unwrap()
    };
    assert_eq!(of("numpy.sum", None), (vec![], floats(&[17.0])));
    assert_eq!(of("numpy.sum", Some(0)), (vec![3], floats(&[5.0, 5.0, 7.0])));
    assert_eq!(of("numpy.max", Some(-1)), (vec![2], floats(&[5.0, 5.0])));
    assert_eq!(of("numpy.argmax", None), (vec![], ints(&[1])));
    assert_eq!(of("numpy.argmin", Some(1)), (vec![2], ints(&[0, 1])));
    assert_eq!(of("numpy.mean", Some(0)), (vec![3], floats(&[2.5, 2.5, 3.5])));
    assert_eq!(of("numpy.var", Some(0)), (vec![3], floats(&[2.25, 6.25, 2.25])));
    assert_eq!(of("numpy.std", Some(0)), (vec![3], floats(&[1.5, 2.5, 1.5])));
    assert_eq!(of("numpy.ptp", None), (vec![], floats(&[5.0])));
    assert_eq!(of("numpy.count_nonzero", None), (vec![], ints(&[5])));
}

#[test]
fn keepdims_and_tuples_of_axes() {
    let result = on_array(matrix(), |p, x| {
        let axes = tuple(p, &[0, -1]);
        let truth = p.builder.constant(Constant::Bool(true), DType::Bool);
        let keep = PyValue::Typed(Typed { value: truth, family: Family::Python });
        let arguments =
            Arguments { positional: vec![x, axes], keywords: vec![("keepdims".into(), keep)], ..Arguments::default() };
        call(&mut p.builder, lookup("numpy.sum").unwrap(), &arguments)
    });
    assert_eq!(result.unwrap(), (vec![1, 1], floats(&[17.0])));
}

#[test]
fn nothing_to_reduce() {
    let empty = || View::new(DType::F64, &[0, 3], &[]);
    let of = |name: &'static str, axis: i64| {
        on_array(empty(), |p, x| {
            let axis = p.int(axis);
            apply(p, name, &[x, axis])
        })
    };
    assert_eq!(of("numpy.sum", 0).unwrap().1, floats(&[0.0; 3]));
    assert_eq!(of("numpy.max", 1).unwrap().0, vec![0]);
    let message = "zero-size array to reduction operation maximum which has no identity".to_string();
    assert_eq!(of("numpy.max", 0), Err(Failure::Raised { kind: ErrorKind::Value, message }));
    let mean = of("numpy.mean", 0).unwrap().1;
    assert!(mean.iter().all(|c| matches!(c, Constant::Float(x) if x.is_nan())));
}

#[test]
fn integers_are_summed_in_64_bits() {
    let bytes = View::new(DType::I8, &[3], &ints(&[100, 100, 100]));
    assert_eq!(on_array(bytes, |p, x| apply(p, "numpy.sum", &[x])).unwrap().1, ints(&[300]));
}

#[test]
fn shapes_change() {
    let reshaped = |shape: &'static [i64]| {
        on_array(matrix(), |p, x| {
            let shape = tuple(p, shape);
            apply(p, "numpy.reshape", &[x, shape])
        })
    };
    assert_eq!(reshaped(&[3, -1]).unwrap().0, vec![3, 2]);
    assert_eq!(reshaped(&[-1]).unwrap().1, matrix().elements().unwrap());
    let message = "cannot reshape array of size 6 into shape (4,)".to_string();
    assert_eq!(reshaped(&[4]), Err(Failure::Raised { kind: ErrorKind::Value, message }));
    let transposed = on_array(matrix(), |p, x| apply(p, "ndarray.T", &[x])).unwrap();
    assert_eq!(transposed, (vec![3, 2], floats(&[1.0, 4.0, 5.0, 0.0, 2.0, 5.0])));
    let flipped = on_array(matrix(), |p, x| apply(p, "numpy.fliplr", &[x])).unwrap();
    assert_eq!(flipped.1, floats(&[2.0, 5.0, 1.0, 5.0, 0.0, 4.0]));
}

#[test]
fn products() {
    let square = on_array(matrix(), |p, x| {
        let transposed = apply(p, "ndarray.T", std::slice::from_ref(&x))?;
        apply(p, "numpy.matmul", &[x, transposed])
    });
    assert_eq!(square.unwrap(), (vec![2, 2], floats(&[30.0, 14.0, 14.0, 41.0])));
    let vector = View::new(DType::I32, &[3], &ints(&[1, 2, 3]));
    let outer = on_array(vector.clone(), |p, x| apply(p, "numpy.outer", &[x.clone(), x])).unwrap();
    assert_eq!(outer, (vec![3, 3], ints(&[1, 2, 3, 2, 4, 6, 3, 6, 9])));
    let dot = on_array(vector, |p, x| apply(p, "numpy.dot", &[x.clone(), x])).unwrap();
    assert_eq!(dot, (vec![], ints(&[14])));
}

/// What a call without array parameters gives.
fn made(make: impl FnOnce(&mut Program) -> PyValue) -> (Vec<i64>, Vec<Constant>) {
    let mut program = Program::new();
    let result = make(&mut program);
    let module = program.returning(&result);
    match &interpret(&module, "f", &[]).unwrap()[0] {
        Value::Array(view) => (view.shape.clone(), view.elements().unwrap()),
        Value::Scalar(constant) => (Vec::new(), vec![*constant]),
        Value::Object(_) => panic!("an object"),
    }
}

#[test]
fn ranges() {
    let arange = |arguments: &[f64]| {
        made(|p| {
            let whole = arguments.iter().all(|x| x.fract() == 0.0);
            let values: Vec<PyValue> =
                arguments.iter().map(|x| if whole { p.int(*x as i64) } else { p.float(*x) }).collect();
            apply(p, "numpy.arange", &values).unwrap()
        })
        .1
    };
    assert_eq!(arange(&[4.0]), ints(&[0, 1, 2, 3]));
    assert_eq!(arange(&[10.0, 0.0, -3.0]), ints(&[10, 7, 4, 1]));
    assert_eq!(arange(&[5.0, 2.0]), ints(&[]));
    assert_eq!(arange(&[0.0, 1.0, 0.25]), floats(&[0.0, 0.25, 0.5, 0.75]));
    let linspace = made(|p| {
        let values = [p.float(0.0), p.float(0.3), p.int(4)];
        apply(p, "numpy.linspace", &values).unwrap()
    });
    assert_eq!(linspace.1.last(), Some(&Constant::Float(0.3)));
    assert_eq!(linspace.0, vec![4]);
    let eye = made(|p| {
        let n = p.int(2);
        apply(p, "numpy.eye", &[n]).unwrap()
    });
    assert_eq!(eye, (vec![2, 2], floats(&[1.0, 0.0, 0.0, 1.0])));
}

#[test]
fn list_displays() {
    let array = made(|p| {
        let rows = [[1, 2, 3], [4, 5, 6]].map(|row| PyValue::List(row.iter().map(|n| p.int(*n)).collect()));
        apply(p, "numpy.array", &[PyValue::List(rows.to_vec())]).unwrap()
    });
    assert_eq!(array, (vec![2, 3], ints(&[1, 2, 3, 4, 5, 6])));
    let mut program = Program::new();
    let ragged = [vec![program.int(1)], vec![program.int(1), program.int(2)]].map(PyValue::List);
    let error = apply(&mut program, "numpy.array", &[PyValue::List(ragged.to_vec())]).unwrap_err();
    assert_eq!(error.code, code::BAD_ARGUMENT);
}

#[test]
fn joined_arrays() {
    let stacked = on_array(matrix(), |p, x| {
        let axis = p.int(1);
        apply(p, "numpy.concatenate", &[PyValue::Tuple(vec![x.clone(), x]), axis])
    });
    let row = [[1.0, 5.0, 2.0], [4.0, 0.0, 5.0]];
    let expected: Vec<f64> = row.iter().flat_map(|r| [*r, *r].concat()).collect();
    assert_eq!(stacked.unwrap(), (vec![2, 6], floats(&expected)));
    let rolled = on_array(matrix(), |p, x| {
        let shift = p.int(-1);
        apply(p, "numpy.roll", &[x, shift])
    });
    assert_eq!(rolled.unwrap(), (vec![2, 3], floats(&[5.0, 2.0, 4.0, 0.0, 5.0, 1.0])));
}

/// Emits a binary call of an array and something else.
fn beside(
    dtype: DType,
    name: &str,
    other: impl FnOnce(&mut Program) -> PyValue,
) -> (Program, Result<PyValue, FunctionError>) {
    let mut program = Program::new();
    let array = PyValue::Typed(program.array(dtype, 1, Layout::Any));
    let other = other(&mut program);
    let result = apply(&mut program, name, &[array, other]);
    (program, result)
}

fn dtype_of(program: &Program, value: &PyValue) -> DType {
    let PyValue::Typed(typed) = value else { panic!("{value:?}") };
    program.builder.dtype(typed.value)
}

#[test]
fn python_scalars_are_weak_beside_arrays() {
    for (dtype, name, expected) in [
        (DType::I8, "numpy.add", DType::I8),
        (DType::F32, "numpy.multiply", DType::F32),
        (DType::Bool, "numpy.add", DType::I64),
        (DType::I32, "numpy.divide", DType::F64),
        (DType::U8, "numpy.less", DType::Bool),
    ] {
        let (program, result) = beside(dtype, name, |p| p.int(2));
        assert_eq!(dtype_of(&program, &result.unwrap()), expected, "{name} {dtype}");
    }
    let (program, result) = beside(DType::F32, "numpy.add", |p| PyValue::Typed(p.scalar(DType::F64, Family::Numpy)));
    assert_eq!(dtype_of(&program, &result.unwrap()), DType::F64);
}

#[test]
fn integers_out_of_range() {
    let code_of = |dtype, name: &str, n| beside(dtype, name, |p| p.int(n)).1.unwrap_err().code;
    assert_eq!(code_of(DType::U8, "numpy.add", 300), code::CONSTANT_OUT_OF_RANGE);
    assert_eq!(code_of(DType::U8, "numpy.minimum", -1), code::CONSTANT_OUT_OF_RANGE);
    let (program, result) = beside(DType::U8, "numpy.less", |p| p.int(300));
    let module = program.returning(&result.unwrap());
    let view = View::new(DType::U8, &[2], &ints(&[0, 255]));
    let Value::Array(less) = &interpret(&module, "f", &[Value::Array(view)]).unwrap()[0] else { panic!() };
    assert_eq!(less.elements().unwrap(), [Constant::Bool(true), Constant::Bool(true)]);
}

#[test]
fn a_python_integer_is_checked_when_running() {
    let (program, result) = beside(DType::U8, "numpy.add", |p| PyValue::Typed(p.scalar(DType::I64, Family::Python)));
    let module = program.returning(&result.unwrap());
    let run = |n| {
        let view = View::new(DType::U8, &[1], &ints(&[1]));
        interpret(&module, "f", &[Value::Array(view), Value::Scalar(Constant::Int(n))]).map(|_| ())
    };
    assert_eq!(run(255), Ok(()));
    let message = "Python integer 300 out of bounds for uint8".to_string();
    assert_eq!(run(300), Err(Failure::Raised { kind: ErrorKind::Overflow, message }));
}

#[test]
fn powers_of_integers() {
    let error = beside(DType::I32, "numpy.power", |p| p.int(-1)).1.unwrap_err();
    assert_eq!(error.code, code::BAD_ARGUMENT);
    let (program, result) = beside(DType::I64, "numpy.power", |p| PyValue::Typed(p.array(DType::I64, 1, Layout::Any)));
    let module = program.returning(&result.unwrap());
    let run = |exponents: &[i64]| {
        let base = View::new(DType::I64, &[2], &ints(&[3, -2]));
        let exponents = View::new(DType::I64, &[2], &ints(exponents));
        interpret(&module, "f", &[Value::Array(base), Value::Array(exponents)]).map(|_| ())
    };
    assert_eq!(run(&[2, 3]), Ok(()));
    let message = "Integers to negative integer powers are not allowed.".to_string();
    assert_eq!(run(&[2, -1]), Err(Failure::Raised { kind: ErrorKind::Value, message }));
}

#[test]
fn refusals_name_their_reason() {
    for (name, dtype, expected) in [
        ("numpy.negative", DType::Bool, code::UNSUPPORTED_DTYPE_FOR_FUNCTION),
        ("numpy.floor", DType::C64, code::UNSUPPORTED_DTYPE_FOR_FUNCTION),
        ("numpy.max", DType::C128, code::UNSUPPORTED_DTYPE_FOR_FUNCTION),
    ] {
        let mut program = Program::new();
        let array = PyValue::Typed(program.array(dtype, 1, Layout::Any));
        let error = apply(&mut program, name, &[array]).unwrap_err();
        assert_eq!(error.code, expected, "{name}: {}", error.message);
        assert!(error.help.is_some(), "{name}");
    }
}

#[test]
fn arguments_are_bound_as_pythons() {
    let refused = |keywords: &[&str], n_positional: usize| {
        let mut program = Program::new();
        let array = PyValue::Typed(program.array(DType::F64, 1, Layout::Any));
        let arguments = Arguments {
            positional: vec![array; n_positional],
            keywords: keywords.iter().map(|k| (k.to_string(), PyValue::None)).collect(),
            ..Arguments::default()
        };
        call(&mut program.builder, lookup("numpy.sqrt").unwrap(), &arguments).unwrap_err()
    };
    assert_eq!(refused(&[], 0).code, code::MISSING_ARGUMENT);
    assert_eq!(refused(&[], 3).code, code::TOO_MANY_ARGUMENTS);
    assert_eq!(refused(&["axis"], 1).code, code::UNKNOWN_KEYWORD);
    let error = refused(&["order"], 1);
    assert!(error.message.contains("`order` of `numpy.sqrt` is not supported"), "{}", error.message);
    let error = beside(DType::F64, "numpy.sum", |p| p.int(3)).1.unwrap_err();
    assert_eq!((error.code, error.argument), (code::BAD_AXIS, Some(1)));
}

/// A parameter that is not supported has its place: nothing behind it is bound to its argument.
#[test]
fn parameters_that_are_not_supported_take_their_default() {
    let mut program = Program::new();
    let truth = |program: &mut Program, flag| {
        let value = program.builder.constant(Constant::Bool(flag), DType::Bool);
        PyValue::Typed(Typed { value, family: Family::Python })
    };
    let array = PyValue::Typed(program.array(DType::F64, 1, Layout::Any));
    for (subok, expected) in [(true, None), (false, Some(code::UNKNOWN_KEYWORD))] {
        let given = [array.clone(), PyValue::None, PyValue::Str("C".into()), truth(&mut program, subok)];
        let found = apply(&mut program, "numpy.zeros_like", &given).err();
        assert_eq!(found.as_ref().map(|e| e.code), expected);
        assert!(found.is_none_or(|e| e.message.contains("`subok`") && e.argument == Some(3)));
    }
}

#[test]
fn a_method_takes_its_array_by_position_only() {
    let mut program = Program::new();
    let x = PyValue::Typed(program.array(DType::F64, 1, Layout::Any));
    let mut take = |keywords: &[(&str, PyValue)]| {
        let keywords = keywords.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        let arguments = Arguments { positional: vec![x.clone()], keywords, form: Form::Method };
        call(&mut program.builder, lookup("ndarray.clip").unwrap(), &arguments).map_err(|e| e.code)
    };
    assert!(take(&[("min", PyValue::None)]).is_ok());
    assert_eq!(take(&[("a_min", PyValue::None)]), Err(code::UNKNOWN_KEYWORD));
    assert_eq!(take(&[("a", PyValue::None)]), Err(code::UNKNOWN_KEYWORD));
}

#[test]
fn host_functions_raise() {
    let mut program = Program::new();
    let x = program.scalar(DType::F64, Family::Python);
    let result = apply(&mut program, "math.sqrt", &[PyValue::Typed(x)]).unwrap();
    let module = program.returning(&result);
    let run = |x| interpret(&module, "f", &[Value::Scalar(Constant::Float(x))]).map(|_| ());
    assert_eq!((run(4.0), run(f64::NAN), run(f64::INFINITY)), (Ok(()), Ok(()), Ok(())));
    let message = "math domain error".to_string();
    assert_eq!(run(-1.0), Err(Failure::Raised { kind: ErrorKind::Value, message }));
}
