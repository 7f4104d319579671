//! Rows of class `Contract`: sums of products over axes.
//!
//! Both operands become views over the free axes and, last, the contracted ones; one `reduce` op multiplies and adds.

use numptx_source::code;

use super::binding::Call;
use super::einsum::extent_of;
use super::elementwise::{self, Typing, check_rank, check_same_extent};
use super::manipulation::flat;
use super::reduction::{in_single, normalise_axis};
use super::scan::cast_body;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Emit, Function, convert, creation, output, ufunc};
use crate::DType;
use crate::array::{Builder, ErrorKind, OpKind, Order, Reduce, ValueId};
use crate::promotion::Casting;
use crate::scalar::{BodyBuilder, Reducer, ScalarOp, Val};

const fn contract(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::Contract(emit)).ulp(16)
}

const MATMUL: &str = "x1, x2, /, out=None, *, axes=<no value>, axis=<no value>, keepdims=False, casting='same_kind', order='K', dtype=None, subok=True, signature=None";

/// The rows.
pub const TABLE: &[Function] = &[
    contract("numpy.matmul", MATMUL, matmul)
        .without(OF_UFUNC)
        .doc("matrix product; leading axes broadcast")
        .example("np.matmul(y, y.T)"),
    contract("numpy.dot", "a, b, out=None", dot)
        .aliases(&["ndarray.dot"])
        .method("self, other, /, out=None")
        .doc("products summed over a's last axis and b's last but one")
        .example("np.dot(x, x)"),
    contract("numpy.inner", "a, b, /", inner).doc("products summed over the last axes").example("np.inner(x, x)"),
    contract("numpy.vdot", "a, b, /", vdot).doc("conj(a) * b summed over all elements").example("np.vdot(x, x)"),
    contract("numpy.tensordot", "a, b, axes=2", tensordot)
        .doc("products summed over chosen axes")
        .example("np.tensordot(y, y, ((0,), (0,)))"),
    Function::new("numpy.outer", "a, b, out=None", Class::Expand(outer))
        .doc("product of each element with each")
        .example("np.outer(x, x)"),
    contract("numpy.vecdot", MATMUL, vecdot)
        .without(OF_UFUNC)
        .doc("conj(x1) * x2 summed over the last axis; leading axes broadcast")
        .example("np.vecdot(y, x)"),
    contract("numpy.matvec", MATMUL, matvec)
        .without(OF_UFUNC)
        .doc("matrices times vectors; leading axes broadcast")
        .example("np.matvec(y, x)"),
    contract("numpy.vecmat", MATMUL, vecmat)
        .without(OF_UFUNC)
        .doc("conjugates of vectors times matrices; leading axes broadcast")
        .example("np.vecmat(x, y.T)"),
    contract("numpy.linalg.matmul", "x1, x2, /", matmul).doc("matrix product").example("np.linalg.matmul(y, y.T)"),
    contract("numpy.linalg.tensordot", "x1, x2, /, *, axes=2", tensordot)
        .doc("products summed over chosen axes")
        .example("np.linalg.tensordot(y, y, axes=((0,), (0,)))"),
    contract("numpy.linalg.vecdot", "x1, x2, /, *, axis=-1", vecdot)
        .doc("conj(x1) * x2 summed over an axis")
        .example("np.linalg.vecdot(y, y, axis=0)"),
    Function::new("numpy.linalg.outer", "x1, x2, /", Class::Expand(outer))
        .doc("product of each element with each, of vectors")
        .example("np.linalg.outer(x, x)"),
];

/// What these have of other ufuncs, and is not compiled.
const OF_UFUNC: &[&str] = &["axes", "axis", "keepdims", "casting", "order", "dtype", "subok", "signature"];

/// What the operands of a row are called.
fn operand_names(call: &Call) -> [&'static str; 2] {
    if call.function.parameters.starts_with("x1, x2") { ["x1", "x2"] } else { ["a", "b"] }
}

/// Two operands, the axes that are summed, and the function's words for extents that differ.
struct Contraction {
    a: ValueId,
    a_axes: Vec<usize>,
    b: ValueId,
    b_axes: Vec<usize>,
    conjugate: bool,
}

fn shape_error(call: &Call) -> String {
    format!("`{}`: the summed axes have different extents", call.function.name)
}

/// Sums products over pairs of axes; the result has a's free axes, then b's.
fn contract_axes(call: &mut Call, c: Contraction) -> Result<PyValue, FunctionError> {
    let (a_rank, b_rank) = (call.builder.rank(c.a), call.builder.rank(c.b));
    let n_summed = c.a_axes.len();
    check_rank(a_rank + b_rank - n_summed)?;
    for (x, y) in c.a_axes.iter().zip(&c.b_axes) {
        let (x, y) = (call.builder.dim(c.a, *x), call.builder.dim(c.b, *y));
        check_same_extent(call.builder, x, y, &shape_error(call))?;
    }
    let mut a = call.builder.permute(c.a, &free_then(a_rank, &c.a_axes));
    let b = call.builder.permute(c.b, &free_then(b_rank, &c.b_axes));
    for _ in 0..b_rank - n_summed {
        a = call.builder.new_axis(a, a_rank - n_summed);
    }
    let mut extents = call.builder.shape(a)[..a_rank - n_summed].to_vec();
    extents.extend(call.builder.shape(b));
    sum_products(call, a, b, &extents, n_summed, c.conjugate)
}

/// An operand whose axes have names, each once.
pub(super) struct Named {
    pub(super) value: ValueId,
    pub(super) names: Vec<char>,
}

/// Sums products over the names that the result has not; it has its axes in the order of `names`. An extent of 1 stands for any. `conjugate`: the first
/// operand's elements.
pub(super) fn contract_named(
    call: &mut Call,
    a: &Named,
    b: &Named,
    names: &[char],
    dtype: DType,
    conjugate: bool,
) -> Result<ValueId, FunctionError> {
    let mut order = names.to_vec();
    for name in a.names.iter().chain(&b.names) {
        if !order.contains(name) {
            order.push(*name);
        }
    }
    check_rank(order.len())?;
    let mut extents = Vec::with_capacity(order.len());
    for name in &order {
        extents.push(extent_of(call, a, b, *name)?);
    }
    let views = [a, b].map(|term| {
        let there: Vec<usize> = order.iter().filter_map(|name| term.names.iter().position(|n| n == name)).collect();
        let array = convert::cast_array(call.builder, term.value, dtype);
        let mut view = call.builder.permute(array, &there);
        for (axis, _) in order.iter().enumerate().filter(|(_, name)| !term.names.contains(name)) {
            view = call.builder.new_axis(view, axis);
        }
        view
    });
    match sum_products(call, views[0], views[1], &extents, order.len() - names.len(), conjugate)? {
        PyValue::Typed(typed) => Ok(convert::to_array(call.builder, typed).value),
        _ => Err(FunctionError::new(code::BAD_ARGUMENT, "`numpy.einsum` of these operands gives no array")),
    }
}

fn free_then(rank: usize, axes: &[usize]) -> Vec<usize> {
    (0..rank).filter(|k| !axes.contains(k)).chain(axes.iter().copied()).collect()
}

/// Multiplies two views that broadcast to `extents`, and sums over the trailing axes.
fn sum_products(
    call: &mut Call,
    a: ValueId,
    b: ValueId,
    extents: &[ValueId],
    n_summed: usize,
    conjugate: bool,
) -> Result<PyValue, FunctionError> {
    let operands = [a, b].map(|value| Typed { value, family: Family::Array });
    let dtype = creation::common(call, &operands);
    let mut product = |body: &mut BodyBuilder, v: &[Val]| {
        let first = if conjugate && dtype.is_complex() { super::complex::conjugate(body, v)[0] } else { v[0] };
        let is_summed = n_summed > 0 && (dtype.is_float() || dtype.is_complex());
        let combined = if n_summed > 0 { in_single(Reducer::Add, dtype) } else { dtype };
        let (first, second) = (body.cast(first, combined), body.cast(v[1], combined));
        vec![body.op(if is_summed { ScalarOp::Product } else { ScalarOp::Mul }, &[first, second])]
    };
    let value = if n_summed == 0 {
        elementwise::over(call.builder, extents, &operands, &[dtype, dtype], &mut product)[0]
    } else {
        let (body, inputs) = elementwise::body(call.builder, &operands, &[dtype, dtype], &mut product);
        let reducer = if dtype == DType::Bool { Reducer::Or } else { Reducer::Add };
        let reduce = Reduce {
            rank: extents.len(),
            n_reduced: n_summed,
            body,
            reducers: vec![reducer],
            epilogue: (in_single(reducer, dtype) != dtype).then(|| cast_body(in_single(reducer, dtype), &[dtype])),
            order: Order::C,
        };
        emit_reduce(call.builder, reduce, extents, &inputs)
    };
    let family = if call.builder.rank(value) == 0 { Family::Numpy } else { Family::Array };
    let result = Typed { value, family };
    Ok(PyValue::Typed(result))
}

/// As `Builder::reduce`, in C order whatever the inputs' is.
fn emit_reduce(builder: &mut Builder, reduce: Reduce, extents: &[ValueId], inputs: &[ValueId]) -> ValueId {
    let kept = extents[..extents.len() - reduce.n_reduced].to_vec();
    let mut operands = extents.to_vec();
    for input in inputs {
        operands.push(builder.broadcast_to(*input, extents));
    }
    let value = builder.emit(OpKind::Reduce(Box::new(reduce)), operands)[0];
    builder.set_shape(value, kept);
    value
}

fn matmul(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (a, b) = (call.array("x1")?.value, call.array("x2")?.value);
    let (a_rank, b_rank) = (call.builder.rank(a), call.builder.rank(b));
    if a_rank == 0 || b_rank == 0 {
        let message = "`numpy.matmul` takes arrays of at least one axis, found a single value";
        return Err(FunctionError::new(code::BAD_ARGUMENT, message).help("use `a * b` for products with a number"));
    }
    check_rank(a_rank.max(b_rank) + 1)?;
    let (x, y) = (call.builder.dim(a, a_rank - 1), call.builder.dim(b, b_rank.saturating_sub(2)));
    check_same_extent(call.builder, x, y, &shape_error(call))?;
    let rows = if b_rank == 1 { a } else { call.builder.new_axis(a, a_rank - 1) };
    let columns = if b_rank == 1 {
        b
    } else {
        let mut permutation: Vec<usize> = (0..b_rank).collect();
        permutation.swap(b_rank - 2, b_rank - 1);
        let transposed = call.builder.permute(b, &permutation);
        if a_rank == 1 { transposed } else { call.builder.new_axis(transposed, b_rank - 2) }
    };
    let (mut rows_shape, mut columns_shape) = (call.builder.shape(rows), call.builder.shape(columns));
    let summed = rows_shape.pop().unwrap_or(x);
    columns_shape.pop();
    let mut extents = elementwise::broadcast(call.builder, &[rows_shape, columns_shape])?;
    extents.push(summed);
    let result = sum_products(call, rows, columns, &extents, 1, false)?;
    let (Some(out), PyValue::Typed(product)) = (call.output("out")?, &result) else { return Ok(result) };
    let value = output::cast(call, *product, out, Casting::SameKind)?;
    let (found, wanted) = (call.builder.shape(value), call.builder.shape(out.value));
    // Only axes of stacked matrices broadcast to `out`.
    for back in 1..=usize::from(a_rank > 1) + usize::from(b_rank > 1) {
        if back <= wanted.len() {
            let (x, y) = (found[found.len() - back], wanted[wanted.len() - back]);
            check_same_extent(call.builder, x, y, "`numpy.matmul`: `out` has another extent than the product")?;
        }
    }
    if wanted.len() == found.len() && found.len() <= 2 && a_rank <= 2 && b_rank <= 2 {
        call.builder.assign(out.value, value);
    } else {
        output::broadcast_into(call, value, out)?;
    }
    Ok(PyValue::Typed(out))
}

fn dot(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (a, b) = (call.operand("a")?, call.operand("b")?);
    let (a_rank, b_rank) = (call.builder.rank(a.value), call.builder.rank(b.value));
    let result = if a_rank == 0 || b_rank == 0 {
        product(call, a, b)?
    } else {
        let b_axes = vec![if b_rank == 1 { 0 } else { b_rank - 2 }];
        let contraction = Contraction { a: a.value, a_axes: vec![a_rank - 1], b: b.value, b_axes, conjugate: false };
        contract_axes(call, contraction)?
    };
    let (Some(out), PyValue::Typed(product)) = (call.output("out")?, &result) else { return Ok(result) };
    let product = convert::to_array(call.builder, *product).value;
    let (dtype, wanted) = (call.builder.dtype(product), call.builder.dtype(out.value));
    if dtype != wanted {
        return Err(call.refuse("out", &format!("an array of `{dtype}`")));
    }
    let extents = call.builder.shape(product);
    call.check_output(out, &extents, "output array has wrong dimensions")?;
    let is_fine = call.builder.is_c_contiguous(out.value);
    let message =
        "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)";
    call.builder.check(is_fine, ErrorKind::Value, message, &[]);
    call.builder.assign(out.value, product);
    // Of vectors NumPy gives the number, whatever is written.
    Ok(if extents.is_empty() { result } else { PyValue::Typed(out) })
}

fn inner(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (a, b) = (call.operand("a")?, call.operand("b")?);
    let (a_rank, b_rank) = (call.builder.rank(a.value), call.builder.rank(b.value));
    if a_rank == 0 || b_rank == 0 {
        return product(call, a, b);
    }
    let (a_axes, b_axes) = (vec![a_rank - 1], vec![b_rank - 1]);
    contract_axes(call, Contraction { a: a.value, a_axes, b: b.value, b_axes, conjugate: false })
}

fn vdot(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (a, b) = (call.array("a")?.value, call.array("b")?.value);
    let (a, b) = (flat_or_one(call.builder, a), flat_or_one(call.builder, b));
    contract_axes(call, Contraction { a, a_axes: vec![0], b, b_axes: vec![0], conjugate: true })
}

fn flat_or_one(builder: &mut Builder, array: ValueId) -> ValueId {
    if builder.rank(array) == 0 { builder.new_axis(array, 0) } else { flat(builder, array) }
}

fn product(call: &mut Call, a: Typed, b: Typed) -> Result<PyValue, FunctionError> {
    let dtype = creation::common(call, &[a, b]);
    let typing = Typing { operands: &[a, b], dtypes: &[dtype, dtype] };
    let product = elementwise::compute(call.builder, typing, &mut |body, v| vec![body.op(ScalarOp::Mul, v)])?;
    Ok(PyValue::Typed(product[0]))
}

fn outer(call: &mut Call) -> Result<PyValue, FunctionError> {
    let names = operand_names(call);
    let (a, b) = (call.array(names[0])?, call.array(names[1])?);
    if names[0] == "x1" && [a, b].iter().any(|array| call.builder.rank(array.value) != 1) {
        return Err(call.refuse("x1", "vectors, both of one axis"));
    }
    let (rows, columns) = (flat_or_one(call.builder, a.value), flat_or_one(call.builder, b.value));
    let rows = call.builder.new_axis(rows, 1);
    let operands = [Typed { value: rows, family: Family::Array }, Typed { value: columns, family: Family::Array }];
    let dtype = creation::common(call, &operands);
    ufunc::emit(call, &operands, &[dtype, dtype], &mut |body, v| vec![body.op(ScalarOp::Mul, v)])
}

fn vecdot(call: &mut Call) -> Result<PyValue, FunctionError> {
    of_stacks(call, ("k", "k"), "", true)
}

fn matvec(call: &mut Call) -> Result<PyValue, FunctionError> {
    of_stacks(call, ("mk", "k"), "m", false)
}

fn vecmat(call: &mut Call) -> Result<PyValue, FunctionError> {
    of_stacks(call, ("k", "kn"), "n", true)
}

/// Products of the last axes of both operands, named, with the result's; those before them broadcast.
fn of_stacks(call: &mut Call, names: (&str, &str), result: &str, conjugate: bool) -> Result<PyValue, FunctionError> {
    let mut operands = [call.array("x1")?, call.array("x2")?];
    let mut terms = Vec::new();
    for (operand, names) in operands.iter_mut().zip([names.0, names.1]) {
        let rank = call.builder.rank(operand.value);
        let Some(before) = rank.checked_sub(names.len()) else {
            let message = format!("`{}`: an operand has {rank} axes and needs {}", call.function.name, names.len());
            return Err(FunctionError::new(code::BAD_SHAPE, message));
        };
        let axis = call.constant_integer("axis")?.unwrap_or(-1);
        let axis = normalise_axis(axis, rank).map_err(|e| e.at(call.position("axis")))?;
        if axis + 1 != rank {
            let order: Vec<usize> = (0..rank).filter(|n| *n != axis).chain([axis]).collect();
            operand.value = call.builder.permute(operand.value, &order);
        }
        let names = (1..=before as u8).rev().map(char::from).chain(names.chars()).collect();
        terms.push(Named { value: operand.value, names });
    }
    let summed = [0, 1].map(|n| {
        let axis = terms[n].names.iter().position(|name| *name == 'k').unwrap_or(0);
        call.builder.dim(terms[n].value, axis)
    });
    check_same_extent(call.builder, summed[0], summed[1], &shape_error(call))?;
    let most = terms.iter().map(|term| term.names.iter().filter(|name| !name.is_ascii_alphabetic()).count()).max();
    let names: Vec<char> = (1..=most.unwrap_or(0) as u8).rev().map(char::from).chain(result.chars()).collect();
    let dtype = creation::common(call, &operands);
    let value = contract_named(call, &terms[0], &terms[1], &names, dtype, conjugate)?;
    let family = if names.is_empty() { Family::Numpy } else { Family::Array };
    let found = Typed { value, family };
    let Some(out) = call.output("out")? else { return Ok(PyValue::Typed(found)) };
    let value = output::cast(call, found, out, Casting::SameKind)?;
    let (extents, wanted) = (call.builder.shape(value), call.builder.shape(out.value));
    // Only axes of stacks broadcast to `out`.
    if let (false, Some(found), Some(wanted)) = (result.is_empty(), extents.last(), wanted.last()) {
        let message = format!("`{}`: `out` has another extent than the product", call.function.name);
        check_same_extent(call.builder, *found, *wanted, &message)?;
    }
    output::broadcast_into(call, value, out)?;
    Ok(PyValue::Typed(out))
}

fn tensordot(call: &mut Call) -> Result<PyValue, FunctionError> {
    let names = operand_names(call);
    let (a, b) = (call.array(names[0])?.value, call.array(names[1])?.value);
    let (a_rank, b_rank) = (call.builder.rank(a), call.builder.rank(b));
    let (a_axes, b_axes) = match call.get("axes") {
        Some(PyValue::Tuple(pair) | PyValue::List(pair)) if pair.len() == 2 => {
            (axes_of(call, &pair[0], a_rank)?, axes_of(call, &pair[1], b_rank)?)
        }
        _ => {
            let n = call.constant_integer("axes")?.unwrap_or(2);
            let most = a_rank.min(b_rank);
            let n = usize::try_from(n).ok().filter(|n| *n <= most);
            let n =
                n.ok_or_else(|| call.refuse("axes", &format!("a number from 0 to {most}, or two tuples of axes")))?;
            ((a_rank - n..a_rank).collect(), (0..n).collect())
        }
    };
    if a_axes.len() != b_axes.len() {
        return Err(call.refuse("axes", "two tuples of one length"));
    }
    let result = contract_axes(call, Contraction { a, a_axes, b, b_axes, conjugate: false })?;
    // An array also where no axes are left.
    match result {
        PyValue::Typed(typed) => Ok(PyValue::array(convert::to_array(call.builder, typed).value)),
        result => Ok(result),
    }
}

fn axes_of(call: &Call, value: &PyValue, rank: usize) -> Result<Vec<usize>, FunctionError> {
    let items = match value {
        PyValue::Tuple(items) | PyValue::List(items) => items.clone(),
        single => vec![single.clone()],
    };
    let mut axes: Vec<usize> = Vec::new();
    for item in &items {
        let axis = super::binding::constant_integer(call.builder, item)
            .ok_or_else(|| call.refuse("axes", "integers that are known when compiling"))?;
        let axis = normalise_axis(axis, rank)?;
        if axes.contains(&axis) {
            return Err(FunctionError::new(code::BAD_AXIS, format!("axis {axis} stands twice in `axes`")));
        }
        axes.push(axis);
    }
    Ok(axes)
}
