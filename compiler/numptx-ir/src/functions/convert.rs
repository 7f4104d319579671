//! Moving values between the host, rank-0 arrays and dtypes; list displays to arrays.
//!
//! Host scalars in, host scalars out, or arrays; nothing here decides promotion.

use super::elementwise;
use super::error::{bad_argument, out_of_range};
use super::value::{Family, FunctionError, PyValue, Typed};
use crate::DType;
use crate::array::{Builder, ErrorKind, ValueId};
use crate::promotion::{self, Operand};
use crate::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val};

/// The largest list display that becomes an array: its elements are chosen one by one.
const MAX_DISPLAY: usize = 256;

/// A value as promotion sees it.
pub fn operand(builder: &Builder, typed: Typed) -> Operand {
    let dtype = builder.dtype(typed.value);
    if typed.family == Family::Python { Operand::python(dtype) } else { Operand::Strong(dtype) }
}

/// The value on the host; reads rank-0 arrays.
pub fn to_host(builder: &mut Builder, typed: Typed) -> ValueId {
    if builder.is_scalar(typed.value) { typed.value } else { builder.item(typed.value) }
}

/// The value as an array; scalars become rank-0 arrays that follow NumPy scalars' rules.
pub fn to_array(builder: &mut Builder, typed: Typed) -> Typed {
    if !builder.is_scalar(typed.value) {
        return typed;
    }
    Typed { value: builder.rank0(typed.value), family: Family::Numpy }
}

/// A host scalar cast to a dtype; constants when compiling.
pub fn cast_host(builder: &mut Builder, value: ValueId, dtype: DType) -> ValueId {
    let from = builder.dtype(value);
    if from == dtype {
        return value;
    }
    let constant = builder.as_constant(value).and_then(|c| promotion::convert_constant(c, from, dtype));
    match constant {
        Some(constant) => builder.constant(constant, dtype),
        None => builder.cast_scalar(value, dtype),
    }
}

/// Sees to it that a Python int fits a dtype: refused when compiling if it is a constant, checked (`OverflowError`) if not.
/// Other values and dtypes pass.
pub fn check_python_integer(builder: &mut Builder, typed: Typed, dtype: DType) -> Result<(), FunctionError> {
    let integer = typed.family == Family::Python && builder.dtype(typed.value) == DType::I64;
    let Some((low, high)) = promotion::integer_range(dtype).filter(|_| integer && builder.is_scalar(typed.value))
    else {
        return Ok(());
    };
    if let Some(n) = builder.as_i64(typed.value) {
        return if (low..=high).contains(&n) { Ok(()) } else { Err(out_of_range(n, dtype)) };
    }
    let bounds = [(ScalarOp::Ge, low, i64::MIN), (ScalarOp::Le, high, i64::MAX)];
    for (op, bound, always) in bounds {
        if bound != always {
            let bound = builder.i64(bound);
            let fits = builder.scalar(op, &[typed.value, bound]);
            let message = format!("Python integer {{}} out of bounds for {dtype}");
            builder.check(fits, ErrorKind::Overflow, message, &[typed.value]);
        }
    }
    Ok(())
}

/// Runs a body on host scalars, one an input; its outputs as host scalars. The body reads no index and no table.
pub fn body_on_host(builder: &mut Builder, body: &Body, inputs: &[ValueId]) -> Vec<ValueId> {
    let mut values: Vec<ValueId> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        let value = match &instr.kind {
            InstrKind::Input(n) => inputs[*n as usize],
            InstrKind::Index(_) | InstrKind::Element(..) => builder.i64(0),
            InstrKind::Constant(constant) => builder.constant(*constant, instr.dtype),
            InstrKind::Op(op, operands) => {
                let operands: Vec<ValueId> = operands.iter().map(|v| values[v.0 as usize]).collect();
                match op {
                    ScalarOp::Cast => cast_host(builder, operands[0], instr.dtype),
                    op => builder.scalar(*op, &operands),
                }
            }
        };
        values.push(value);
    }
    body.outputs.iter().map(|v| values[v.0 as usize]).collect()
}

/// The array that a (nested) list or tuple display of scalars and arrays stands for, as `numpy.array`.
pub fn array_of_display(
    builder: &mut Builder,
    display: &PyValue,
    dtype: Option<DType>,
) -> Result<Typed, FunctionError> {
    let mut leaves: Vec<Typed> = Vec::new();
    let shape = flatten(display, &mut leaves)?;
    if leaves.len() > MAX_DISPLAY {
        let message = format!("a list display of {} elements; at most {MAX_DISPLAY} become an array", leaves.len());
        return Err(bad_argument(message).help("pass the values as an array parameter"));
    }
    // A member's dtype is that of the array that it would be alone: `np.array([np.float32(1), 2.0])` is of `float64`.
    let alone = leaves.iter().map(|t| operand(builder, *t).beside(None));
    let dtype = dtype.or_else(|| alone.reduce(promotion::promote)).unwrap_or(DType::F64);
    for leaf in &leaves {
        check_python_integer(builder, *leaf, dtype)?;
    }
    let leaf_shape = match leaves.first() {
        Some(leaf) => builder.shape(leaf.value),
        None => Vec::new(),
    };
    let rank = leaf_shape.len();
    if leaves.iter().any(|t| builder.rank(t.value) != rank) {
        return Err(bad_argument("the elements of a list display must have one shape")
            .help("numptx makes no arrays of objects; give every row the same length"));
    }
    let leaf_shapes: Vec<Vec<ValueId>> = leaves.iter().map(|t| builder.shape(t.value)).collect();
    for shape in &leaf_shapes[1.min(leaf_shapes.len())..] {
        elementwise::check_same_shape(builder, &leaf_shape, shape, "all input arrays must have the same shape")?;
    }
    let mut extents: Vec<ValueId> = shape.iter().map(|n| builder.i64(*n as i64)).collect();
    let outer = extents.len();
    extents.extend(leaf_shape);
    let values = elementwise::over(builder, &extents, &leaves, &vec![dtype; leaves.len()], &mut |b, elements| {
        vec![select_by_index(b, elements, &shape[..outer], dtype)]
    });
    Ok(Typed { value: values[0], family: Family::Array })
}

/// The display's shape; its leaves in C order.
fn flatten(value: &PyValue, leaves: &mut Vec<Typed>) -> Result<Vec<usize>, FunctionError> {
    match value {
        PyValue::Typed(typed) => {
            leaves.push(*typed);
            Ok(Vec::new())
        }
        PyValue::List(items) | PyValue::Tuple(items) => {
            let shapes = items.iter().map(|v| flatten(v, leaves)).collect::<Result<Vec<_>, _>>()?;
            if items.iter().any(|v| matches!(v, PyValue::Typed(_)))
                && !items.iter().all(|v| matches!(v, PyValue::Typed(_)))
            {
                return Err(bad_argument("a list display has lists beside numbers or arrays")
                    .help("make each row a list, or each an array: `np.stack([x, np.array([1.0, 2.0])])`"));
            }
            if shapes.windows(2).any(|pair| pair[0] != pair[1]) {
                return Err(bad_argument("the rows of a list display have different lengths")
                    .help("numptx makes no arrays of objects; give every row the same length"));
            }
            let mut shape = vec![items.len()];
            shape.extend(shapes.into_iter().next().unwrap_or_default());
            Ok(shape)
        }
        _ => Err(bad_argument("a list display of something else than numbers cannot become an array")),
    }
}

/// Of the elements, the one whose place in C order is the point's index.
fn select_by_index(body: &mut BodyBuilder, elements: &[Val], shape: &[usize], dtype: DType) -> Val {
    let Some((last, rest)) = elements.split_last() else { return body.constant(0.0, dtype) };
    let mut position = body.constant(0.0, DType::I64);
    for (axis, extent) in shape.iter().enumerate() {
        let extent = body.push(InstrKind::Constant(Constant::Int(*extent as i64)), DType::I64);
        let index = body.index(axis as u32);
        let scaled = body.op(ScalarOp::Mul, &[position, extent]);
        position = body.op(ScalarOp::Add, &[scaled, index]);
    }
    let mut chosen = *last;
    for (place, element) in rest.iter().enumerate().rev() {
        let place = body.push(InstrKind::Constant(Constant::Int(place as i64)), DType::I64);
        let here = body.op(ScalarOp::Eq, &[position, place]);
        chosen = body.op(ScalarOp::Select, &[here, *element, chosen]);
    }
    chosen
}

/// The array with another dtype: a fresh one in K order; itself if it has it.
pub fn cast_array(builder: &mut Builder, array: ValueId, dtype: DType) -> ValueId {
    if builder.dtype(array) == dtype {
        return array;
    }
    let extents = builder.shape(array);
    let source = Typed { value: array, family: Family::Array };
    elementwise::over(builder, &extents, &[source], &[dtype], &mut |_, values| values.to_vec())[0]
}
