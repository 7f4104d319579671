//! Rows that look at an array's memory in another way: as elements of another dtype, with other strides, with bytes in reverse.
//!
//! Views of another dtype are NumPy's: those of another size need a contiguous last axis, which becomes longer or shorter. Bools are made of bools only:
//! compiled code has no other bytes in them than 0 and 1.

use super::binding::Call;
use super::creation::laid_out_as;
use super::error::bad_argument;
use super::reduction::product;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Function, convert};
use crate::DType;
use crate::array::{Builder, ErrorKind, Layout, Type, ValueId};
use crate::scalar::ScalarOp;

/// The rows.
pub const TABLE: &[Function] = &[
    Function::new("ndarray.view", "a, dtype=<no value>, type=<no value>", Class::View(view))
        .differs("names what NumPy's signature has as `*args, **kwargs`")
        .without(&["type"])
        .doc("the same memory, as elements of another dtype")
        .example("x.view(np.int64)"),
    Function::new("numpy.frombuffer", "buffer, dtype=None, count=-1, offset=0, *, like=None", Class::View(from_buffer))
        .without(&["like"])
        .doc("the bytes of an array in C order, as elements of a dtype: a view")
        .example("np.frombuffer(y, np.int32, 4, 8)"),
    Function::new("numpy.require", "a, dtype=None, requirements=None, *, like=None", Class::Create(require))
        .without(&["like"])
        .doc("the array itself where its dtype and its order are as asked, else a copy")
        .example("np.require(y, np.float32, 'F')"),
];

const CONTIGUOUS_LAST: &str = "To change to a dtype of a different size, the last axis must be contiguous";
const NO_DIVISOR: &str = "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.";
const SAME_SIZE: &str = "Changing the dtype of a 0d array is only supported if the itemsize is unchanged";

fn view(call: &mut Call) -> Result<PyValue, FunctionError> {
    let operand = call.operand("a")?;
    // `None` is NumPy's default dtype, and no dtype the array's own.
    let dtype = match call.get("dtype") {
        None => call.builder.dtype(operand.value),
        Some(PyValue::None) => DType::F64,
        Some(_) => call.dtype("dtype")?.unwrap_or(DType::F64),
    };
    let source = convert::to_array(call.builder, operand).value;
    let own = call.builder.dtype(source);
    if dtype == own {
        let value = if operand.family == Family::Array { call.builder.whole(source) } else { operand.value };
        return Ok(PyValue::Typed(Typed { value, ..operand }));
    }
    check_bools(call, "dtype", own, dtype)?;
    let value = viewed(call, source, dtype)?;
    Ok(PyValue::Typed(Typed { value, ..operand }))
}

/// Bytes that are no bools do not become some.
fn check_bools(call: &Call, name: &str, own: DType, dtype: DType) -> Result<(), FunctionError> {
    if dtype != DType::Bool || own == DType::Bool {
        return Ok(());
    }
    let message = format!("`{own}` elements are not viewed as `bool`: their bytes may be others than 0 and 1");
    Err(bad_argument(message).at(call.position(name)).help("compare them: `x != 0`"))
}

/// An array's elements as those of another dtype.
fn viewed(call: &mut Call, array: ValueId, dtype: DType) -> Result<ValueId, FunctionError> {
    let (old, new) = (call.builder.dtype(array).itemsize() as i64, dtype.itemsize() as i64);
    let mut extents = call.builder.shape(array);
    let mut strides: Vec<ValueId> = (0..extents.len()).map(|axis| call.builder.stride(array, axis)).collect();
    if old == new {
        return Ok(call.builder.strided(array, dtype, &extents, &strides));
    }
    let (Some(last), Some(stride)) = (extents.pop(), strides.pop()) else {
        return Err(bad_argument(SAME_SIZE).at(call.position("dtype")));
    };
    let builder = &mut *call.builder;
    check_last_axis(builder, array, &extents, last, stride);
    let last = match old > new {
        true => times(builder, last, old / new),
        false => divided(builder, last, new / old),
    };
    extents.push(last);
    strides.push(builder.i64(new));
    Ok(builder.strided(array, dtype, &extents, &strides))
}

/// Raises where the last axis has gaps, unless it has one element or the array none. `others`: the extents of the other axes.
fn check_last_axis(builder: &mut Builder, array: ValueId, others: &[ValueId], last: ValueId, stride: ValueId) {
    if matches!(builder.ty(array), Type::Array(array) if array.layout == Layout::C) {
        return;
    }
    let (size, zero, one) = (builder.i64(builder.dtype(array).itemsize() as i64), builder.i64(0), builder.i64(1));
    let is_next = builder.scalar(ScalarOp::Eq, &[stride, size]);
    let is_single = builder.scalar(ScalarOp::Eq, &[last, one]);
    let mut is_fine = builder.scalar(ScalarOp::BitOr, &[is_next, is_single]);
    for extent in others.iter().chain([&last]) {
        let is_empty = builder.scalar(ScalarOp::Eq, &[*extent, zero]);
        is_fine = builder.scalar(ScalarOp::BitOr, &[is_fine, is_empty]);
    }
    builder.check(is_fine, ErrorKind::Value, CONTIGUOUS_LAST, &[]);
}

fn times(builder: &mut Builder, extent: ValueId, n: i64) -> ValueId {
    let n = builder.i64(n);
    builder.scalar(ScalarOp::Mul, &[extent, n])
}

fn divided(builder: &mut Builder, extent: ValueId, n: i64) -> ValueId {
    let (n, zero) = (builder.i64(n), builder.i64(0));
    let rest = builder.scalar(ScalarOp::Mod, &[extent, n]);
    let is_whole = builder.scalar(ScalarOp::Eq, &[rest, zero]);
    builder.check(is_whole, ErrorKind::Value, NO_DIVISOR, &[]);
    builder.scalar(ScalarOp::FloorDiv, &[extent, n])
}

fn from_buffer(call: &mut Call) -> Result<PyValue, FunctionError> {
    let dtype = call.dtype("dtype")?.unwrap_or(DType::F64);
    let source = match call.get("buffer") {
        Some(PyValue::Typed(typed)) if typed.family == Family::Array => typed.value,
        _ => {
            return Err(call
                .refuse("buffer", "an array")
                .help("what else holds bytes, read in Python: `np.frombuffer(data, np.uint8)`"));
        }
    };
    check_bools(call, "dtype", call.builder.dtype(source), dtype)?;
    let count = integer_or(call, "count", -1)?;
    let offset = integer_or(call, "offset", 0)?;
    let builder = &mut *call.builder;
    let is_contiguous = builder.is_c_contiguous(source);
    builder.check(is_contiguous, ErrorKind::Value, "ndarray is not C-contiguous", &[]);
    let extents = builder.shape(source);
    let elements = product(builder, &extents);
    let bytes = times(builder, elements, builder.dtype(source).itemsize() as i64);
    let (zero, one, size) = (builder.i64(0), builder.i64(1), builder.i64(dtype.itemsize() as i64));
    let is_above = builder.scalar(ScalarOp::Ge, &[offset, zero]);
    let is_below = builder.scalar(ScalarOp::Le, &[offset, bytes]);
    let is_inside = builder.scalar(ScalarOp::BitAnd, &[is_above, is_below]);
    let message = "offset must be non-negative and no greater than buffer length ({})";
    builder.check(is_inside, ErrorKind::Value, message, &[bytes]);
    let left = builder.scalar(ScalarOp::Sub, &[bytes, offset]);
    let n = how_many(builder, count, left, size);
    let all = builder.strided(source, DType::U8, &[bytes], &[one]);
    let length = builder.scalar(ScalarOp::Mul, &[n, size]);
    let part = builder.slice(all, 0, offset, length, one);
    Ok(PyValue::array(builder.strided(part, dtype, &[n], &[size])))
}

fn integer_or(call: &mut Call, name: &str, default: i64) -> Result<ValueId, FunctionError> {
    match call.get(name) {
        None => Ok(call.builder.i64(default)),
        Some(_) => call.integer(name),
    }
}

/// How many elements of a size are taken of the bytes that are left: all of them where `count` is negative.
fn how_many(builder: &mut Builder, count: ValueId, left: ValueId, size: ValueId) -> ValueId {
    let zero = builder.i64(0);
    let most = builder.scalar(ScalarOp::FloorDiv, &[left, size]);
    let rest = builder.scalar(ScalarOp::Mod, &[left, size]);
    let takes_all = builder.scalar(ScalarOp::Lt, &[count, zero]);
    let takes_some = builder.scalar(ScalarOp::Ge, &[count, zero]);
    let is_whole = builder.scalar(ScalarOp::Eq, &[rest, zero]);
    let is_whole = builder.scalar(ScalarOp::BitOr, &[is_whole, takes_some]);
    builder.check(is_whole, ErrorKind::Value, "buffer size must be a multiple of element size", &[]);
    let is_there = builder.scalar(ScalarOp::Le, &[count, most]);
    builder.check(is_there, ErrorKind::Value, "buffer is smaller than requested size", &[]);
    builder.scalar(ScalarOp::Select, &[takes_all, most, count])
}

/// What `requirements` may name, and what is asked for then.
const CHOICES: &[(&str, char)] =
    &[("C", 'C'), ("C_CONTIGUOUS", 'C'), ("CONTIGUOUS", 'C'), ("F", 'F'), ("F_CONTIGUOUS", 'F'), ("FORTRAN", 'F')];

fn require(call: &mut Call) -> Result<PyValue, FunctionError> {
    let names: Vec<String> = match call.given("requirements") {
        None => Vec::new(),
        Some(PyValue::Str(text)) => text.chars().map(String::from).collect(),
        Some(PyValue::List(items) | PyValue::Tuple(items)) => {
            let text = |item: &PyValue| if let PyValue::Str(text) = item { Some(text.clone()) } else { None };
            let texts: Option<Vec<String>> = items.iter().map(text).collect();
            texts.ok_or_else(|| refuse_requirements(call))?
        }
        Some(_) => return Err(refuse_requirements(call)),
    };
    let mut asked = Vec::with_capacity(names.len());
    for name in &names {
        let found = CHOICES.iter().find(|(own, _)| *own == name.to_ascii_uppercase());
        asked.push(found.ok_or_else(|| refuse_requirements(call))?.1);
    }
    let layout = match (asked.contains(&'C'), asked.contains(&'F')) {
        (true, true) => {
            return Err(bad_argument("Cannot specify both \"C\" and \"F\" order").at(call.position("requirements")));
        }
        (true, false) => Layout::C,
        (false, true) => Layout::F,
        (false, false) => Layout::Any,
    };
    laid_out_as(call, layout)
}

fn refuse_requirements(call: &Call) -> FunctionError {
    let help = "`np.array(x)` has memory of its own, which may be written";
    call.refuse("requirements", "'C' or 'F', or a list of these, when compiling").help(help)
}
