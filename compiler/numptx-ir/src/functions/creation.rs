//! Rows that make arrays: of a shape, of a range, of other values, of other arrays.

use numptx_source::code;

use super::binding::Call;
use super::elementwise::{self, check_rank};
use super::manipulation::flat;
use super::shape::{self, layout};
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Emit, Function, convert, range};
use crate::DType;
use crate::array::{ErrorKind, Layout, OpKind, Order, READ_ONLY_DESTINATION, Reading, ValueId};
use crate::promotion::{self, Operand};
use crate::scalar::{Body, BodyBuilder, InstrKind, ScalarOp, Val};

const fn create(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::Create(emit))
}

const FILLED: &str = "shape, dtype=None, order='C', *, device=None, like=None";
const LINSPACE: &str = "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None";
const ARRAY: &str = "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None";
/// What says where an array lives, and which library makes it.
const PLACE: &[&str] = &["device", "like"];

/// The rows.
pub const TABLE: &[Function] = &[
    create("numpy.empty", FILLED, empty)
        .without(PLACE)
        .doc("an array of undefined contents")
        .example("np.empty(3).shape[0]"),
    create("numpy.ndarray", "shape, dtype=None, buffer=None, offset=0, strides=None, order=None", empty)
        .without(&["buffer", "offset", "strides"])
        .doc("an array of undefined contents")
        .example("np.ndarray(3).shape[0]"),
    create("numpy.zeros", FILLED, zeros).without(PLACE).doc("an array of zeros").example("np.zeros((2, 3))"),
    create("numpy.ones", FILLED, ones).without(PLACE).doc("an array of ones").example("np.ones((2, 3))"),
    create("numpy.full", "shape, fill_value, dtype=None, order='C', *, device=None, like=None", full)
        .without(PLACE)
        .large_ints()
        .doc("an array of one value")
        .example("np.full((2, 3), 7.0)"),
    create(
        "numpy.empty_like",
        "prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None",
        empty_like,
    )
    .without(&["subok", "device"])
    .doc("an array like another, of undefined contents")
    .example("np.empty_like(x).shape[0]"),
    create("numpy.zeros_like", "a, dtype=None, order='K', subok=True, shape=None, *, device=None", zeros_like)
        .without(&["subok", "device"])
        .doc("zeros in the shape of an array")
        .example("np.zeros_like(x)"),
    create("numpy.ones_like", "a, dtype=None, order='K', subok=True, shape=None, *, device=None", ones_like)
        .without(&["subok", "device"])
        .doc("ones in the shape of an array")
        .example("np.ones_like(x)"),
    create(
        "numpy.full_like",
        "a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None",
        full_like,
    )
    .without(&["subok", "device"])
    .large_ints()
    .doc("one value in the shape of an array")
    .example("np.full_like(x, 7)"),
    create("numpy.arange", "start, stop=None, step=1, dtype=None, *, device=None, like=None", range::arange)
        .without(PLACE)
        .differs("NumPy takes `start=`, and a fourth argument as `dtype`, too; its signature does not tell")
        .doc("evenly spaced values by step")
        .example("np.arange(2, 10, 3)"),
    create("numpy.linspace", LINSPACE, range::linspace)
        .without(&["device"])
        .ulp(2)
        .doc("evenly spaced values by number")
        .example("np.linspace(0.0, 1.0, 5)"),
    create("numpy.eye", "N, M=None, k=0, dtype=float, order='C', *, device=None, like=None", eye)
        .without(PLACE)
        .doc("ones on a diagonal")
        .example("np.eye(3)"),
    create("numpy.identity", "n, dtype=None, *, like=None", identity)
        .without(&["like"])
        .doc("the identity matrix")
        .example("np.identity(3)"),
    create("numpy.array", ARRAY, array)
        .without(&["order", "subok", "ndmax", "like"])
        .large_ints()
        .converts_members()
        .doc("a new array of an array, a number, or a list display")
        .example("np.array([1.0, 2.0, 3.0])"),
    create("numpy.asarray", "a, dtype=None, order=None, *, device=None, copy=None, like=None", as_array)
        .without(&["order", "device", "copy", "like"])
        .aliases(&["numpy.asanyarray"])
        .large_ints()
        .converts_members()
        .doc("the array itself where its dtype is right, else a new one")
        .example("np.asarray(x)"),
    create("numpy.ascontiguousarray", "a, dtype=None, *, like=None", as_contiguous_array)
        .without(&["like"])
        .converts_members()
        .doc("the array itself where it lies in C order, else a copy that does")
        .example("np.ascontiguousarray(y.T)"),
    create("numpy.asfortranarray", "a, dtype=None, *, like=None", as_fortran_array)
        .without(&["like"])
        .converts_members()
        .doc("the array itself where it lies in F order, else a copy that does")
        .example("np.asfortranarray(y)"),
    create("numpy.copy", "a, order='K', subok=False", copy_k)
        .without(&["subok"])
        .doc("a copy in K order")
        .example("np.copy(x)"),
    create("ndarray.copy", "a, order='C'", copy_c).doc("a copy in C order").example("x.copy()"),
    create("ndarray.astype", "a, dtype, order='K', casting='unsafe', subok=True, copy=True", astype_method)
        .without(&["subok"])
        .doc("the values in another dtype")
        .example("x.astype(np.float64)"),
    create("numpy.astype", "x, dtype, /, *, copy=True, device=None", astype_function)
        .without(&["device"])
        .doc("the values in another dtype")
        .example("np.astype(x, np.float32)"),
    create("ndarray.fill", "a, value", fill).doc("sets all elements").example(""),
    create("ndarray.item", "a, *args", item)
        .doc("the only element, or the one at an index, as a Python scalar")
        .example("x.item(2) + y.item(1, 2)"),
];

fn dtype_or_float(call: &Call) -> Result<DType, FunctionError> {
    Ok(call.dtype("dtype")?.unwrap_or(DType::F64))
}

fn empty(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (dtype, order) = (dtype_or_float(call)?, shape::order(call, 'C', None)?);
    let extents = shape::extents(call, "shape")?;
    shape::check_bytes(call.builder, &extents, dtype);
    Ok(PyValue::array(call.builder.alloc(dtype, &extents, order)))
}

fn zeros(call: &mut Call) -> Result<PyValue, FunctionError> {
    of_number(call, 0.0)
}

fn ones(call: &mut Call) -> Result<PyValue, FunctionError> {
    of_number(call, 1.0)
}

fn of_number(call: &mut Call, number: f64) -> Result<PyValue, FunctionError> {
    let (dtype, order) = (dtype_or_float(call)?, shape::order(call, 'C', None)?);
    let extents = shape::extents(call, "shape")?;
    shape::check_bytes(call.builder, &extents, dtype);
    let mut body = BodyBuilder::new();
    let number = body.constant(number, dtype);
    Ok(PyValue::array(call.builder.map_ordered(&extents, &[], body.finish(vec![number]), order)[0]))
}

fn full(call: &mut Call) -> Result<PyValue, FunctionError> {
    let order = shape::order(call, 'C', None)?;
    let extents = shape::extents(call, "shape")?;
    let value = call.operand("fill_value")?;
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| strong(convert::operand(call.builder, value)));
    shape::check_bytes(call.builder, &extents, dtype);
    filled(call, &extents, value, dtype, None, order)
}

/// The dtype that NumPy gives a value alone.
fn strong(operand: Operand) -> DType {
    operand.beside(None)
}

/// An array of one value, or of values that are broadcast.
fn filled(
    call: &mut Call,
    extents: &[ValueId],
    value: Typed,
    dtype: DType,
    like: Option<ValueId>,
    order: Order,
) -> Result<PyValue, FunctionError> {
    convert::check_python_integer(call.builder, value, dtype)?;
    let shape = call.builder.shape(value.value);
    if shape.len() > extents.len() {
        return Err(call.refuse("fill_value", "a number, or an array that broadcasts to the shape"));
    }
    for (axis, extent) in shape.iter().enumerate() {
        elementwise::check_broadcasts_to(call.builder, *extent, extents[axis + extents.len() - shape.len()])?;
    }
    let (body, values) = elementwise::body(call.builder, &[value], &[dtype], &mut |_, v| v.to_vec());
    let (body, inputs) = with_like(body, values, like);
    Ok(PyValue::array(call.builder.map_ordered(extents, &inputs, body, order)[0]))
}

/// Puts the array whose order is followed before the inputs; the body does not read it.
fn with_like(body: Body, values: Vec<ValueId>, like: Option<ValueId>) -> (Body, Vec<ValueId>) {
    let Some(like) = like else { return (body, values) };
    let mut body = body;
    for instr in &mut body.instrs {
        if let InstrKind::Input(n) = &mut instr.kind {
            *n += 1;
        }
    }
    let mut inputs = vec![like];
    inputs.extend(values);
    (body, inputs)
}

/// Shape, dtype and order of a `*_like` call.
struct Like {
    extents: Vec<ValueId>,
    dtype: DType,
    order: Order,
    /// The array whose order is followed, where that is not known when compiling.
    term: Option<ValueId>,
}

fn like(call: &mut Call, name: &str) -> Result<Like, FunctionError> {
    let array = call.array(name)?;
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| strong(convert::operand(call.builder, array)));
    let own = call.builder.shape(array.value);
    let extents = match call.given("shape") {
        Some(_) => shape::extents(call, "shape")?,
        None => own.clone(),
    };
    if extents != own {
        shape::check_bytes(call.builder, &extents, dtype);
    }
    // Of another number of axes only F order, known or asked for, is followed.
    let is_followed = extents.len() == own.len();
    let (source, order) = match is_followed {
        true => shape::order_of_copy(call, 'K', array)?,
        false => (array, shape::order(call, 'K', Some(array.value))?),
    };
    let order = match order {
        Order::K(_) if layout(call.builder, array.value) == Layout::F && is_followed => Order::F,
        Order::K(_) if !is_followed || extents.len() <= 1 => Order::C,
        order => order,
    };
    let term = matches!(order, Order::K(_)).then_some(source.value);
    Ok(Like { extents, dtype, order, term })
}

/// As [`like`] of `a`, with what `fill` makes of it. Where the extents are not the array's no computation can follow its order: values are assigned.
fn filled_like(
    call: &mut Call,
    fill: impl FnOnce(&mut Call, &Like) -> Result<PyValue, FunctionError>,
) -> Result<PyValue, FunctionError> {
    let found = like(call, "a")?;
    let is_own = found.term.is_none_or(|array| call.builder.shape(array) == found.extents);
    if is_own {
        return fill(call, &found);
    }
    let Like { extents, dtype, .. } = &found;
    let in_c = Like { extents: extents.clone(), dtype: *dtype, order: Order::C, term: None };
    let PyValue::Typed(values) = fill(call, &in_c)? else { return Err(call.refuse("a", "an array")) };
    let made = allocated(call, found);
    call.builder.assign(made, values.value);
    Ok(PyValue::array(made))
}

/// A fresh array of unknown elements.
fn allocated(call: &mut Call, like: Like) -> ValueId {
    let mut operands = like.extents.clone();
    operands.extend(like.term);
    let value = call.builder.emit(OpKind::Alloc { dtype: like.dtype, order: like.order }, operands)[0];
    call.builder.set_shape(value, like.extents);
    value
}

fn empty_like(call: &mut Call) -> Result<PyValue, FunctionError> {
    let like = like(call, "prototype")?;
    Ok(PyValue::array(allocated(call, like)))
}

fn zeros_like(call: &mut Call) -> Result<PyValue, FunctionError> {
    number_like(call, 0.0)
}

fn ones_like(call: &mut Call) -> Result<PyValue, FunctionError> {
    number_like(call, 1.0)
}

fn number_like(call: &mut Call, number: f64) -> Result<PyValue, FunctionError> {
    filled_like(call, |call, like| {
        let mut body = BodyBuilder::new();
        let number = body.constant(number, like.dtype);
        let inputs: Vec<ValueId> = like.term.into_iter().collect();
        let results = call.builder.map_ordered(&like.extents, &inputs, body.finish(vec![number]), like.order.clone());
        Ok(PyValue::array(results[0]))
    })
}

fn full_like(call: &mut Call) -> Result<PyValue, FunctionError> {
    let value = call.operand("fill_value")?;
    filled_like(call, |call, like| filled(call, &like.extents, value, like.dtype, like.term, like.order.clone()))
}

fn eye(call: &mut Call) -> Result<PyValue, FunctionError> {
    let dtype = dtype_or_float(call)?;
    let n = extent(call, "N")?;
    let m = if call.given("M").is_some() { extent(call, "M")? } else { n };
    let k = if call.given("k").is_some() { call.integer("k")? } else { call.builder.i64(0) };
    if shape::order(call, 'C', None)? != Order::F {
        return diagonal_of_ones(call, n, m, k, dtype);
    }
    let zero = call.builder.i64(0);
    let k = call.builder.scalar(ScalarOp::Sub, &[zero, k]);
    let PyValue::Typed(turned) = diagonal_of_ones(call, m, n, k, dtype)? else { return Ok(PyValue::None) };
    Ok(PyValue::array(call.builder.permute(turned.value, &[1, 0])))
}

fn identity(call: &mut Call) -> Result<PyValue, FunctionError> {
    let dtype = dtype_or_float(call)?;
    let (n, k) = (extent(call, "n")?, call.builder.i64(0));
    diagonal_of_ones(call, n, n, k, dtype)
}

fn extent(call: &mut Call, name: &str) -> Result<ValueId, FunctionError> {
    match shape::extents(call, name)?[..] {
        [extent] => Ok(extent),
        _ => Err(call.refuse(name, "an integer")),
    }
}

fn diagonal_of_ones(
    call: &mut Call,
    n: ValueId,
    m: ValueId,
    k: ValueId,
    dtype: DType,
) -> Result<PyValue, FunctionError> {
    shape::check_bytes(call.builder, &[n, m], dtype);
    let offset = Typed { value: k, family: Family::Numpy };
    let mut on_diagonal = |b: &mut BodyBuilder, v: &[Val]| {
        let (row, column) = (b.index(0), b.index(1));
        let distance = b.sub(column, row);
        let (one, zero) = (b.constant(1.0, dtype), b.constant(0.0, dtype));
        let here = b.eq(distance, v[0]);
        vec![b.select(here, one, zero)]
    };
    let value = elementwise::over(call.builder, &[n, m], &[offset], &[DType::I64], &mut on_diagonal)[0];
    Ok(PyValue::array(value))
}

fn array(call: &mut Call) -> Result<PyValue, FunctionError> {
    let made = array_of(call)?;
    let Some(least) = call.constant_integer("ndmin")? else { return Ok(made) };
    let PyValue::Typed(typed) = made else { return Ok(made) };
    let mut value = typed.value;
    check_rank(usize::try_from(least).unwrap_or_default())?;
    while (call.builder.rank(value) as i64) < least {
        value = call.builder.new_axis(value, 0);
    }
    Ok(PyValue::Typed(Typed { value, ..typed }))
}

fn array_of(call: &mut Call) -> Result<PyValue, FunctionError> {
    let dtype = call.dtype("dtype")?;
    if let Some(display @ (PyValue::List(_) | PyValue::Tuple(_))) = call.get("object") {
        let array = convert::array_of_display(call.builder, &display, dtype);
        return array.map(PyValue::Typed).map_err(|e| e.at(call.position("object")));
    }
    let source = call.operand("object")?;
    let own = strong(convert::operand(call.builder, source));
    let dtype = dtype.unwrap_or(own);
    let shares = match call.get("copy") {
        None => false,
        Some(PyValue::None) => dtype == own,
        Some(_) => !call.flag("copy", true)?,
    };
    if shares && !call.builder.is_scalar(source.value) {
        return Ok(PyValue::array(source.value));
    }
    convert::check_python_integer(call.builder, source, dtype)?;
    let order = shape::order(call, 'K', Some(source.value))?;
    Ok(PyValue::array(copied(call, source, dtype, order)))
}

/// A fresh array of the source's values.
fn copied(call: &mut Call, source: Typed, dtype: DType, order: Order) -> ValueId {
    let extents = call.builder.shape(source.value);
    let (body, inputs) = elementwise::body(call.builder, &[source], &[dtype], &mut |_, v| v.to_vec());
    call.builder.map_ordered(&extents, &inputs, body, order)[0]
}

fn as_array(call: &mut Call) -> Result<PyValue, FunctionError> {
    let dtype = call.dtype("dtype")?;
    if let Some(display @ (PyValue::List(_) | PyValue::Tuple(_))) = call.get("a") {
        return convert::array_of_display(call.builder, &display, dtype).map(PyValue::Typed);
    }
    let source = call.operand("a")?;
    let own = strong(convert::operand(call.builder, source));
    if !call.builder.is_scalar(source.value) && dtype.is_none_or(|d| d == own) {
        return Ok(PyValue::array(source.value));
    }
    let dtype = dtype.unwrap_or(own);
    convert::check_python_integer(call.builder, source, dtype)?;
    let order = shape::order(call, 'K', Some(source.value))?;
    Ok(PyValue::array(copied(call, source, dtype, order)))
}

fn as_contiguous_array(call: &mut Call) -> Result<PyValue, FunctionError> {
    laid_out(call, Layout::C)
}

fn as_fortran_array(call: &mut Call) -> Result<PyValue, FunctionError> {
    laid_out(call, Layout::F)
}

/// The array itself where it lies so and has the right dtype, else a copy; of at least one axis.
fn laid_out(call: &mut Call, wanted: Layout) -> Result<PyValue, FunctionError> {
    let value = match laid_out_as(call, wanted)? {
        PyValue::Typed(typed) => typed.value,
        other => return Ok(other),
    };
    let is_single = call.builder.rank(value) == 0;
    Ok(PyValue::array(if is_single { call.builder.new_axis(value, 0) } else { value }))
}

/// The same, also of no axes. Of no wanted layout the order is the array's where it is copied.
pub(super) fn laid_out_as(call: &mut Call, wanted: Layout) -> Result<PyValue, FunctionError> {
    let dtype = call.dtype("dtype")?;
    let source = call.array("a")?;
    let own = call.builder.dtype(source.value);
    let dtype = dtype.unwrap_or(own);
    let rank = call.builder.rank(source.value);
    let (order, reading) = match wanted {
        Layout::F if rank > 1 => (Order::F, Reading::F),
        Layout::Any => return as_array(call),
        _ => (Order::C, Reading::C),
    };
    let found = layout(call.builder, source.value);
    let is_so = found == wanted || (rank < 2 && found != Layout::Any);
    let value = match dtype != own {
        true => copied(call, source, dtype, order),
        false if is_so || rank == 0 => source.value,
        false => call.builder.contiguous(source.value, reading),
    };
    Ok(PyValue::array(value))
}

fn copy_k(call: &mut Call) -> Result<PyValue, FunctionError> {
    let source = call.array("a")?;
    let (source, order) = shape::order_of_copy(call, 'K', source)?;
    let dtype = call.builder.dtype(source.value);
    Ok(PyValue::array(copied(call, source, dtype, order)))
}

fn copy_c(call: &mut Call) -> Result<PyValue, FunctionError> {
    let source = call.operand("a")?;
    if source.family != Family::Array {
        return Ok(PyValue::Typed(source));
    }
    let (source, order) = shape::order_of_copy(call, 'C', source)?;
    let dtype = call.builder.dtype(source.value);
    Ok(PyValue::array(copied(call, source, dtype, order)))
}

fn astype_method(call: &mut Call) -> Result<PyValue, FunctionError> {
    let source = call.operand("a")?;
    if let (true, Some(dtype)) = (call.get("casting").is_some(), call.dtype("dtype")?) {
        let (from, casting) = (call.builder.dtype(source.value), call.casting()?);
        if !promotion::can_cast(from, dtype, casting) {
            let message = format!("`casting` of `ndarray.astype` does not let `{from}` become `{dtype}`");
            let help = "leave `casting=` out: it is `'unsafe'` then";
            return Err(FunctionError::new(code::CAST_REFUSED, message).at(call.position("casting")).help(help));
        }
    }
    astype(call, source)
}

fn astype_function(call: &mut Call) -> Result<PyValue, FunctionError> {
    let source = call.operand("x")?;
    astype(call, source)
}

fn astype(call: &mut Call, source: Typed) -> Result<PyValue, FunctionError> {
    let Some(dtype) = call.dtype("dtype")? else { return Err(call.refuse("dtype", "a dtype such as `np.float32`")) };
    if call.builder.is_scalar(source.value) {
        let value = convert::cast_host(call.builder, source.value, dtype);
        return Ok(PyValue::Typed(Typed { value, family: Family::Numpy }));
    }
    if !call.flag("copy", true)? && call.builder.dtype(source.value) == dtype {
        return Ok(PyValue::Typed(source));
    }
    let (source, order) = shape::order_of_copy(call, 'K', source)?;
    let value = copied(call, source, dtype, order);
    Ok(PyValue::Typed(Typed { value, family: source.family }))
}

fn fill(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?;
    call.check_writable(array.value, "a", READ_ONLY_DESTINATION)?;
    let value = call.operand("value")?;
    if call.builder.rank(value.value) != 0 {
        return Err(call.refuse("value", "a number"));
    }
    let dtype = call.builder.dtype(array.value);
    let from = call.builder.dtype(value.value);
    if from.is_complex() && !dtype.is_complex() {
        return Err(super::error::cast_refused(call.function.name, from, dtype));
    }
    convert::check_python_integer(call.builder, value, dtype)?;
    let number = copied(call, value, dtype, Order::C);
    let extents = call.builder.shape(array.value);
    let source = call.builder.broadcast_to(number, &extents);
    call.builder.assign(array.value, source);
    Ok(PyValue::None)
}

/// The element that the arguments of `item` name: an index for each axis, or one of all elements in C order; without arguments the array.
fn indexed(call: &mut Call, array: ValueId) -> Result<ValueId, FunctionError> {
    let mut given = match call.get("args") {
        Some(PyValue::Tuple(items)) => items,
        _ => Vec::new(),
    };
    if let [PyValue::Tuple(items)] = given.as_slice() {
        given = items.clone();
    }
    if given.is_empty() {
        return Ok(array);
    }
    let refused = |call: &Call| call.refuse("args", "an integer for each axis, or one that counts all elements");
    let indices = given.iter().map(|item| call.integer_of(item)).collect::<Option<Vec<_>>>();
    let indices = indices.ok_or_else(|| refused(&*call))?;
    let rank = call.builder.rank(array);
    let (array, is_flat) = match indices.len() {
        n if n == rank => (array, rank == 1),
        1 => (flat(call.builder, array), true),
        _ => return Err(refused(&*call)),
    };
    let builder = &mut *call.builder;
    let (mut value, zero) = (array, builder.i64(0));
    for (axis, index) in indices.into_iter().enumerate() {
        let extent = builder.dim(value, 0);
        let is_negative = builder.scalar(ScalarOp::Lt, &[index, zero]);
        let from_end = builder.scalar(ScalarOp::Add, &[extent, index]);
        let place = builder.scalar(ScalarOp::Select, &[is_negative, from_end, index]);
        let (not_below, below) =
            (builder.scalar(ScalarOp::Le, &[zero, place]), builder.scalar(ScalarOp::Lt, &[place, extent]));
        let fits = builder.scalar(ScalarOp::BitAnd, &[not_below, below]);
        let message = match is_flat {
            true => "index {} is out of bounds for size {}".to_string(),
            false => format!("index {{}} is out of bounds for axis {axis} with size {{}}"),
        };
        builder.check(fits, ErrorKind::Index, message, &[index, extent]);
        value = builder.index(value, 0, place);
    }
    Ok(value)
}

fn item(call: &mut Call) -> Result<PyValue, FunctionError> {
    let given = call.operand("a")?;
    let source = convert::to_array(call.builder, given);
    let mut value = indexed(call, source.value)?;
    let one = call.builder.i64(1);
    for extent in call.builder.shape(value) {
        let message = "can only convert an array of size 1 to a Python scalar";
        elementwise::check_same_extent(call.builder, extent, one, message)?;
        let zero = call.builder.i64(0);
        value = call.builder.index(value, 0, zero);
    }
    let scalar = convert::to_host(call.builder, Typed { value, family: Family::Numpy });
    let dtype = call.builder.dtype(scalar);
    let wide = match dtype {
        DType::Bool => DType::Bool,
        DType::U64 => {
            return Err(
                call.refuse("a", "of another dtype than `uint64`, whose values a Python int of 64 bits cannot hold")
            );
        }
        d if d.is_integer() => DType::I64,
        d if d.is_complex() => DType::C128,
        _ => DType::F64,
    };
    let value = convert::cast_host(call.builder, scalar, wide);
    Ok(PyValue::Typed(Typed { value, family: Family::Python }))
}

/// The result dtype of values beside each other.
pub(super) fn common(call: &Call, values: &[Typed]) -> DType {
    let operands: Vec<Operand> = values.iter().map(|t| convert::operand(call.builder, *t)).collect();
    promotion::result_type(&operands).unwrap_or(DType::F64)
}
