//! `reduce`, `accumulate` and `reduceat` of ufuncs, as far as no reducer of the IR computes them: functions of the library do, row by row.
//!
//! In: a call of such a method. Out: the arguments of the library's function for it, by the names of its parameters. Which dtype elements have while they
//! are combined, which axes are reduced, and what `initial`, `where` and `out` may be is decided here, as NumPy decides it.

use numptx_source::code;

use super::binding::{Call, bound};
use super::counted::{self, Initial};
use super::error::bad_argument;
use super::loops::{self, Found, Loop};
use super::reduction::{normalise_axis, wide};
use super::ufunc::Elementwise;
use super::value::{Arguments, Family, FunctionError, PyValue, Typed};
use super::{Class, Function, halves};
use crate::DType;
use crate::array::{Builder, ValueId};
use crate::promotion::{Casting, Operand};
use crate::scalar::Constant;

/// A call of a method as one of a function of the library.
#[derive(Debug)]
pub struct Folded {
    /// The ufunc: `numpy.subtract`.
    pub ufunc: &'static str,
    /// The library's function: `ufunc_reduce`.
    pub text: &'static str,
    /// Its arguments but for the ufunc, which is the first one.
    pub arguments: Vec<(&'static str, PyValue)>,
}

/// Ufuncs whose operands may be combined in any order, and what changes nothing among them.
const REORDERABLE: &[(&str, Constant)] = &[
    ("numpy.gcd", Constant::Int(0)),
    ("numpy.hypot", Constant::Float(0.0)),
    ("numpy.logaddexp", Constant::Float(f64::NEG_INFINITY)),
    ("numpy.logaddexp2", Constant::Float(f64::NEG_INFINITY)),
];

/// Whether a row is such a method.
pub fn is_folded(function: &Function) -> bool {
    matches!(function.class, Class::Library) && ufunc_of(function).1.is_some()
}

/// The ufunc, and which of its methods it is.
fn ufunc_of(function: &Function) -> (&'static str, Option<&'static str>) {
    let (ufunc, method) = function.name.rsplit_once('.').unwrap_or((function.name, ""));
    (ufunc, ["reduce", "accumulate", "reduceat"].into_iter().find(|m| *m == method))
}

/// The call of the library for a call of a method.
pub fn folded(
    builder: &mut Builder,
    function: &'static Function,
    arguments: &Arguments,
) -> Result<Folded, FunctionError> {
    let bound = bound(builder, function, arguments)?;
    let mut call = Call { builder, function, form: arguments.form, bound };
    halves::check(&call)?;
    let (ufunc, method) = ufunc_of(function);
    match method {
        Some("reduce") => reduce(&mut call, ufunc),
        Some("accumulate") => along_one(&mut call, ufunc, "ufunc_accumulate"),
        _ => along_one(&mut call, ufunc, "ufunc_reduceat"),
    }
}

fn reduce(call: &mut Call, ufunc: &'static str) -> Result<Folded, FunctionError> {
    let array = array_with_axes(call)?;
    let dtype = combined_dtype(call, ufunc, array)?;
    let axes = reduced_axes(call, ufunc, call.builder.rank(array))?;
    let identity = REORDERABLE.iter().find(|(name, _)| *name == ufunc).map(|(_, identity)| *identity);
    let mask = counted::chosen(call)?;
    let initial = match (counted::initial(call, dtype)?, identity) {
        (Initial::Value(value), _) => PyValue::Typed(Typed { value, family: Family::Numpy }),
        (Initial::Identity, Some(identity)) => {
            let value = call.builder.constant(identity, dtype);
            PyValue::Typed(Typed { value, family: Family::Numpy })
        }
        _ => PyValue::None,
    };
    if mask.is_some() && initial == PyValue::None {
        let message = format!("`{}` with `where` needs `initial`: no value changes nothing here", call.function.name);
        let help = format!("say what it begins with: `np.{}(x, where=mask, initial=1)`", short(call.function.name));
        return Err(bad_argument(message).at(call.position("where")).help(help));
    }
    let keepdims = call.flag("keepdims", false)?;
    let out = destination(call, dtype)?;
    let axes = axes.into_iter().map(|axis| PyValue::Typed(python_int(call.builder, axis))).collect();
    let arguments = vec![
        ("name", PyValue::Str(short(ufunc).to_string())),
        ("kind", PyValue::DType(dtype)),
        ("array", PyValue::array(array)),
        ("axes", PyValue::Tuple(axes)),
        ("keepdims", PyValue::Typed(python_bool(call.builder, keepdims))),
        ("initial", initial),
        ("mask", mask.map_or(PyValue::None, PyValue::Typed)),
        ("out", out),
    ];
    Ok(Folded { ufunc, text: "ufunc_reduce", arguments })
}

/// `accumulate` and `reduceat`, which take one axis.
fn along_one(call: &mut Call, ufunc: &'static str, text: &'static str) -> Result<Folded, FunctionError> {
    let array = array_with_axes(call)?;
    let dtype = combined_dtype(call, ufunc, array)?;
    let rank = call.builder.rank(array);
    let is_several = matches!(call.get("axis"), Some(PyValue::Tuple(_) | PyValue::List(_)));
    let axis = match call.get("axis") {
        None => 0,
        Some(PyValue::None) if rank == 1 => 0,
        Some(PyValue::None) => return Err(call.refuse("axis", "an axis of an array that has several")),
        Some(_) if is_several => return Err(call.refuse("axis", "one integer")),
        Some(_) => call.constant_integer("axis")?.unwrap_or(0),
    };
    let axis = normalise_axis(axis, rank).map_err(|e| e.at(call.position("axis")))?;
    let mut arguments = vec![
        ("name", PyValue::Str(short(ufunc).to_string())),
        ("kind", PyValue::DType(dtype)),
        ("array", PyValue::array(array)),
        ("axis", PyValue::Typed(python_int(call.builder, axis))),
    ];
    if text == "ufunc_reduceat" {
        arguments.push(("indices", PyValue::array(indices(call)?)));
    }
    arguments.push(("out", destination(call, dtype)?));
    Ok(Folded { ufunc, text, arguments })
}

/// Where the parts of `reduceat` begin.
fn indices(call: &mut Call) -> Result<ValueId, FunctionError> {
    let found = call.array("indices")?.value;
    if call.builder.rank(found) != 1 || !call.builder.dtype(found).is_integer() {
        let help = "write `np.add.reduceat(x, [0, 4, 7])`";
        return Err(call.refuse("indices", "integers along one axis").help(help));
    }
    Ok(found)
}

fn array_with_axes(call: &mut Call) -> Result<ValueId, FunctionError> {
    let array = call.array("array")?.value;
    if call.builder.rank(array) > 0 {
        return Ok(array);
    }
    let message = format!("`{}` of a single value", call.function.name);
    Err(bad_argument(message).at(call.position("array")).help("pass an array of at least one axis"))
}

/// The dtype of the loop that combines two elements: what it gives, it takes.
fn combined_dtype(call: &Call, ufunc: &'static str, array: ValueId) -> Result<DType, FunctionError> {
    let Some(Class::Map(row)) = super::lookup(ufunc).map(|function| &function.class) else {
        return Err(bad_argument(format!("`{}` is no method", call.function.name)));
    };
    let own = call.builder.dtype(array);
    let given = call.dtype("dtype")?;
    let is_sum = matches!(ufunc, "numpy.add" | "numpy.multiply");
    let operand = Operand::Strong(given.unwrap_or(if is_sum { wide(own) } else { own }));
    let found = match given {
        Some(dtype) => loops::find_with_output(row.loops, &[operand; 2], dtype, Casting::Unsafe),
        None => row.find(&[operand; 2]),
    };
    match found {
        Found::Loop(Loop { outputs, .. }) if outputs[0] == DType::F16 => {
            let message = format!("NumPy computes `{}` of `{own}` in `float16`", call.function.name);
            Err(FunctionError::new(code::FLOAT16_RESULT, message)
                .help("cast first: `x.astype(np.float32)`, or say `dtype=np.float32`"))
        }
        Found::Loop(Loop { inputs, outputs }) if inputs == [outputs[0]; 2] => Ok(outputs[0]),
        _ => Err(no_loop(call, row, own)),
    }
}

fn no_loop(call: &Call, row: &Elementwise, own: DType) -> FunctionError {
    let name = call.function.name;
    let dtype = call.dtype("dtype").ok().flatten().unwrap_or(own);
    let message = format!("`{name}` does not exist for `{dtype}`: two elements make none of their dtype");
    let help = match row.dtypes().contains('d') && !row.loops.iter().any(|(_, pattern)| pattern.ends_with("->?")) {
        true => "cast first: `x.astype(np.float64)`, or say `dtype=np.float64`",
        false => "cast first: `x.astype(np.int64)`; comparisons take bools: `x != 0`",
    };
    FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message).help(help)
}

/// The axes to reduce, ascending; several only where the order of the elements does not matter.
fn reduced_axes(call: &Call, ufunc: &str, rank: usize) -> Result<Vec<usize>, FunctionError> {
    let axes = match call.get("axis") {
        None => vec![0],
        Some(_) => call.axes("axis", rank)?.unwrap_or_else(|| (0..rank).collect()),
    };
    let is_reorderable = REORDERABLE.iter().any(|(name, _)| *name == ufunc);
    match axes.len() {
        0 => Err(call.refuse("axis", "an axis").help("cast the elements: `x.astype(dtype)`")),
        n if n > 1 && !is_reorderable => {
            let message = format!(
                "the elements of `{}` are combined in order, so at most one axis is reduced, found {n}",
                call.function.name
            );
            let help = format!("reduce one axis after the other: `np.{}(x, axis=0)`", short(call.function.name));
            Err(bad_argument(message).at(call.position("axis")).help(help))
        }
        _ => Ok(axes),
    }
}

/// `out`: an array of the dtype in which elements are combined.
fn destination(call: &mut Call, dtype: DType) -> Result<PyValue, FunctionError> {
    let Some(out) = call.output("out")? else { return Ok(PyValue::None) };
    let found = call.builder.dtype(out.value);
    if found != dtype {
        let message = format!("`out` of `{}` is of `{found}`, the result of `{dtype}`", call.function.name);
        let help = format!(
            "pass an array of `{dtype}`, or assign the result: `out[...] = np.{}(x)`",
            short(call.function.name)
        );
        return Err(FunctionError::new(code::CAST_REFUSED, message).at(call.position("out")).help(help));
    }
    Ok(PyValue::Typed(out))
}

/// `numpy.add.reduce` as programs write it behind `np.`.
fn short(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, short)| short)
}

fn python_int(builder: &mut Builder, n: usize) -> Typed {
    Typed { value: builder.i64(n as i64), family: Family::Python }
}

fn python_bool(builder: &mut Builder, flag: bool) -> Typed {
    Typed { value: builder.constant(Constant::Bool(flag), DType::Bool), family: Family::Python }
}
