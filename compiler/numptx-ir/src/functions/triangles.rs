//! Rows about diagonals and triangles of matrices that make arrays, or write them.

use numptx_source::code;

use super::binding::Call;
use super::elementwise;
use super::shape;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Function, convert, diagonals};
use crate::DType;
use crate::array::ValueId;
use crate::scalar::{BodyBuilder, ScalarOp, Val};

/// The rows.
pub const TABLE: &[Function] = &[
    Function::new("numpy.triu", "m, k=0", Class::Create(upper))
        .doc("a copy with zeros below a diagonal")
        .example("np.triu(y, 1)"),
    Function::new("numpy.tril", "m, k=0", Class::Create(lower))
        .doc("a copy with zeros above a diagonal")
        .example("np.tril(y, -1)"),
    Function::new("numpy.tri", "N, M=None, k=0, dtype=float, *, like=None", Class::Create(ones_below))
        .without(&["like"])
        .doc("ones at and below a diagonal")
        .example("np.tri(3, 4, 1)"),
    Function::new("numpy.diag", "v, k=0", Class::Create(diagonal_matrix))
        .doc("the matrix with a vector as a diagonal; of a matrix its diagonal, read-only")
        .example("np.diag(x)"),
    Function::new("numpy.fill_diagonal", "a, val, wrap=False", Class::Index(fill_diagonal))
        .doc("writes a number to the diagonal of a matrix"),
];

fn upper(call: &mut Call) -> Result<PyValue, FunctionError> {
    part(call, ScalarOp::Ge)
}

fn lower(call: &mut Call) -> Result<PyValue, FunctionError> {
    part(call, ScalarOp::Le)
}

/// How many places an element of the last two of `rank` axes stands right of the main diagonal.
fn distance(b: &mut BodyBuilder, rank: usize) -> Val {
    let (row, column) = (b.index(rank as u32 - 2), b.index(rank as u32 - 1));
    b.sub(column, row)
}

/// The elements whose distance from the main diagonal compares so with `k`, and zeros.
fn part(call: &mut Call, keeps: ScalarOp) -> Result<PyValue, FunctionError> {
    let mut array = call.array("m")?.value;
    let rank = call.builder.rank(array);
    if rank == 0 {
        return Err(call.refuse("m", "an array of at least one axis"));
    }
    let mut extents = call.builder.shape(array);
    if rank == 1 {
        extents.insert(0, extents[0]);
        array = call.builder.broadcast_to(array, &extents);
    }
    let offset = Typed { value: offset(call, "k")?, family: Family::Numpy };
    let mut is_kept = |b: &mut BodyBuilder, v: &[Val]| {
        let distance = distance(b, 2);
        vec![b.op(keeps, &[distance, v[0]])]
    };
    // NumPy's mask is a matrix in C order, and has its say about the memory order of the result.
    let last = &extents[extents.len() - 2..];
    let mask = elementwise::over(call.builder, last, &[offset], &[DType::I64], &mut is_kept)[0];
    let dtype = call.builder.dtype(array);
    let operands = [array, mask].map(|value| Typed { value, family: Family::Array });
    let mut chosen = |b: &mut BodyBuilder, v: &[Val]| {
        let zero = b.constant(0.0, dtype);
        vec![b.select(v[1], v[0], zero)]
    };
    Ok(PyValue::array(elementwise::over(call.builder, &extents, &operands, &[dtype, DType::Bool], &mut chosen)[0]))
}

fn offset(call: &mut Call, name: &str) -> Result<ValueId, FunctionError> {
    match call.given(name) {
        Some(_) => call.integer(name),
        None => Ok(call.builder.i64(0)),
    }
}

fn ones_below(call: &mut Call) -> Result<PyValue, FunctionError> {
    let n = single(call, "N")?;
    let m = if call.given("M").is_some() { single(call, "M")? } else { n };
    let dtype = call.dtype("dtype")?.unwrap_or(DType::F64);
    shape::check_bytes(call.builder, &[n, m], dtype);
    let offset = Typed { value: offset(call, "k")?, family: Family::Numpy };
    let mut ones = |b: &mut BodyBuilder, v: &[Val]| {
        let distance = distance(b, 2);
        let (one, zero) = (b.constant(1.0, dtype), b.constant(0.0, dtype));
        let is_below = b.op(ScalarOp::Le, &[distance, v[0]]);
        vec![b.select(is_below, one, zero)]
    };
    Ok(PyValue::array(elementwise::over(call.builder, &[n, m], &[offset], &[DType::I64], &mut ones)[0]))
}

fn single(call: &mut Call, name: &str) -> Result<ValueId, FunctionError> {
    match shape::extents(call, name)?[..] {
        [extent] => Ok(extent),
        _ => Err(call.refuse(name, "an integer")),
    }
}

fn diagonal_matrix(call: &mut Call) -> Result<PyValue, FunctionError> {
    let vector = call.array("v")?.value;
    let k = offset(call, "k")?;
    match call.builder.rank(vector) {
        2 => {
            let view = diagonals::along(call.builder, vector, k, [0, 1]);
            return Ok(PyValue::array(call.builder.read_only(view)));
        }
        1 => {}
        _ => return Err(call.refuse("v", "an array of one axis or of two")),
    }
    let builder = &mut *call.builder;
    let zero = builder.i64(0);
    let back = builder.scalar(ScalarOp::Sub, &[zero, k]);
    let extent = builder.dim(vector, 0);
    let size = shape::maximum(builder, k, back);
    let size = builder.scalar(ScalarOp::Add, &[extent, size]);
    let dtype = builder.dtype(vector);
    let mut body = BodyBuilder::new();
    let number = body.constant(0.0, dtype);
    let matrix = builder.map(&[size, size], &[], body.finish(vec![number]))[0];
    let place = diagonals::along(builder, matrix, k, [0, 1]);
    builder.assign(place, vector);
    Ok(PyValue::array(matrix))
}

fn fill_diagonal(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    call.check_writable(array, "a", "underlying array is read-only")?;
    if call.builder.rank(array) != 2 {
        let message = "`numpy.fill_diagonal` takes a matrix";
        return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position("a")));
    }
    let value = call.operand("val")?;
    let dtype = call.builder.dtype(array);
    let from = call.builder.dtype(value.value);
    if call.builder.rank(value.value) != 0 {
        return Err(call
            .refuse("val", "a number")
            .help("write a vector to the diagonal by `a[i, i] = v` with `i = np.arange(n)`"));
    }
    if from.is_complex() && !dtype.is_complex() {
        return Err(super::error::cast_refused(call.function.name, from, dtype));
    }
    convert::check_python_integer(call.builder, value, dtype)?;
    let builder = &mut *call.builder;
    let none = builder.i64(0);
    let place = diagonals::along(builder, array, none, [0, 1]);
    let extents = builder.shape(place);
    let (body, inputs) = elementwise::body(builder, &[value], &[dtype], &mut |_, v| v.to_vec());
    let source = builder.map(&extents, &inputs, body)[0];
    builder.assign(place, source);
    Ok(PyValue::None)
}
