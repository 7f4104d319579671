//! Result types of ops: what the builder gives and the verifier demands.

use super::{ArrayType, Layout, OpKind, Order, OrderTerm, Reading, Type};
use crate::DType;

/// Types of an op's results, for ops whose results follow from their operands. `If`, `For`, `While`, `Try`, `Call`, `Object` and `Scalar(Cast)` declare theirs:
/// `Ok(None)`. An error says what is wrong with the operands.
pub fn result_types(kind: &OpKind, operands: &[Type]) -> Result<Option<Vec<Type>>, String> {
    use OpKind::*;
    let array = |position: usize| match operands.get(position) {
        Some(Type::Array(array)) => Ok(*array),
        other => Err(format!("operand {position} must be an array, found {other:?}")),
    };
    let types = match kind {
        Constant(_) | Scalar(crate::scalar::ScalarOp::Cast) => return Ok(None),
        Scalar(op) => {
            let dtypes: Vec<DType> = operands.iter().map(|t| t.dtype()).collect();
            let dtype = op.result(&dtypes).ok_or_else(|| format!("`{}` is not defined on {dtypes:?}", op.name()))?;
            vec![Type::Scalar(dtype)]
        }
        Dim(axis) | Stride(axis) => {
            check_axis(*axis, array(0)?.rank)?;
            vec![Type::Scalar(DType::I64)]
        }
        SliceBounds { .. } => vec![Type::Scalar(DType::I64); 2],
        BroadcastExtent | External(_) => vec![Type::Scalar(DType::I64)],
        Overlap | IsWritable | SameBuffer | OneLaunch | OneRead | Sort(_) => vec![Type::Scalar(DType::Bool)],
        Assign | Store(_) | Scatter(_) | Compact(_) | Nest(_) | StoreReduce(_) | StoreScan(_) => Vec::new(),
        Check { .. } | Yield | Return | Launch(_) | Retain | Release => Vec::new(),
        Slice { .. }
        | Index { .. }
        | NewAxis { .. }
        | DropAxis { .. }
        | Permute { .. }
        | Broadcast
        | Part { .. }
        | Diagonal { .. }
        | Windows { .. }
        | Split { .. }
        | ReadOnly
        | Writable => {
            vec![Type::Array(view_type(kind, array(0)?, operands.len())?)]
        }
        Reshape(_) => {
            let input = array(0)?;
            vec![Type::Array(ArrayType { rank: operands.len() - 1, layout: reshaped_layout(input), ..input })]
        }
        Contiguous(reading) => vec![Type::Array(contiguous_type(array(0)?, *reading))],
        Strided { dtype } => vec![Type::Array(strided(*dtype, array(0)?, operands.len()))],
        Ravel(_) => vec![Type::Array(ArrayType { rank: 1, layout: Layout::C, ..array(0)? })],
        Alloc { dtype, order } => vec![Type::Array(allocated(*dtype, order, operands))],
        Reuse { dtype, order } => vec![Type::Array(reused(*dtype, order, array(0)?, operands)?)],
        Map(map) => {
            let inputs: Vec<ArrayType> = order_inputs(operands.get(map.rank..).unwrap_or(&[]));
            let results = map.body.outputs.iter().map(|v| map.body.dtype(*v));
            results.map(|dtype| Type::Array(fresh(dtype, map.rank, &map.order, &inputs))).collect()
        }
        Reduce(reduce) => {
            let inputs = operands.get(reduce.rank..).unwrap_or(&[]);
            let inputs: Vec<ArrayType> =
                order_inputs(reduce.body.split_tables(inputs).map_or(inputs, |(inputs, _)| inputs));
            let kept = reduce.rank.checked_sub(reduce.n_reduced).ok_or("more axes are reduced than there are")?;
            let dtypes = reduce.result_dtypes().ok_or("a reducer is not defined on its element type")?;
            let order = if inputs.iter().all(|a| a.layout == Layout::C) { &Order::C } else { &reduce.order };
            dtypes.into_iter().map(|dtype| Type::Array(fresh(dtype, kept, order, &[]))).collect()
        }
        Scan(scan) => {
            let inputs = operands.get(scan.rank..).unwrap_or(&[]);
            let inputs: Vec<ArrayType> =
                order_inputs(scan.body.split_tables(inputs).map_or(inputs, |(inputs, _)| inputs));
            let dtype = scan.result_dtype().ok_or("the reducer is not defined on its element type")?;
            check_axis(scan.axis, scan.rank)?;
            vec![Type::Array(fresh(dtype, scan.rank, &scan.order, &inputs))]
        }
        Item => (0..operands.len()).map(|n| Ok(Type::Scalar(array(n)?.dtype))).collect::<Result<_, String>>()?,
        If | For | While | Try | Call { .. } | Object(_) => return Ok(None),
    };
    Ok(Some(types))
}

/// A view of elements of a dtype, by an extent and a stride for each axis.
fn strided(dtype: DType, source: ArrayType, n_operands: usize) -> ArrayType {
    let rank = (n_operands - 1) / 2;
    ArrayType { dtype, rank, layout: if rank == 0 { Layout::C } else { Layout::Any }, ..source }
}

/// An array in the memory of another, which has room for it.
fn reused(dtype: DType, order: &Order, taken: ArrayType, operands: &[Type]) -> Result<ArrayType, String> {
    let result = allocated(dtype, order, operands.get(1..).unwrap_or(&[]));
    if taken.rank != result.rank || taken.dtype.itemsize() != result.dtype.itemsize() {
        return Err(format!("the memory of {} is no place for {}", operands[0], Type::Array(result)));
    }
    Ok(result)
}

fn check_axis(axis: usize, rank: usize) -> Result<(), String> {
    if axis < rank { Ok(()) } else { Err(format!("axis {axis} is out of range for rank {rank}")) }
}

fn arrays(types: &[Type]) -> Vec<ArrayType> {
    types.iter().filter_map(|t| if let Type::Array(array) = t { Some(*array) } else { None }).collect()
}

/// Inputs by position, scalars standing in as C: they abstain from the K order.
fn order_inputs(types: &[Type]) -> Vec<ArrayType> {
    let scalar = |dtype| ArrayType { dtype, rank: 0, layout: Layout::C, writable: false };
    types.iter().map(|t| if let Type::Array(array) = t { *array } else { scalar(t.dtype()) }).collect()
}

/// The type of an array over extents, ordered by the arrays after them.
fn allocated(dtype: DType, order: &Order, operands: &[Type]) -> ArrayType {
    let rank = operands.iter().take_while(|t| matches!(t, Type::Scalar(_))).count();
    fresh(dtype, rank, order, &arrays(&operands[rank..]))
}

/// The type of a fresh array.
fn fresh(dtype: DType, rank: usize, order: &Order, inputs: &[ArrayType]) -> ArrayType {
    ArrayType { dtype, rank, layout: order_layout(order, rank, inputs), writable: true }
}

/// What is known of strides that follow `order`: K order of C inputs is C.
pub fn order_layout(order: &Order, rank: usize, inputs: &[ArrayType]) -> Layout {
    let all = |layout: Layout, terms: &[OrderTerm]| terms.iter().all(|t| term_is(t, layout, inputs));
    match order {
        _ if rank <= 1 => Layout::C,
        Order::C => Layout::C,
        Order::F => Layout::F,
        Order::K(terms) if all(Layout::C, terms) => Layout::C,
        Order::K(terms) if all(Layout::F, terms) && !terms.is_empty() => Layout::F,
        Order::K(_) => Layout::Any,
    }
}

fn term_is(term: &OrderTerm, layout: Layout, inputs: &[ArrayType]) -> bool {
    match term {
        OrderTerm::Input(n) | OrderTerm::Copy(n) => inputs.get(*n).is_some_and(|a| a.layout == layout),
        // One that also lies in C order, as a row does, may prefer nothing.
        OrderTerm::Joined(n) => layout == Layout::C && inputs.get(*n).is_some_and(|a| a.layout == layout),
        // One that was broadcast later prefers less than its terms do.
        OrderTerm::Fresh { like, axes, terms } => {
            let is_whole = like.is_none() && !terms.is_empty();
            let is_own = match layout {
                Layout::C => axes.is_empty(),
                Layout::F => axes.len() > 1 && axes.iter().rev().is_sorted(),
                Layout::Any => false,
            };
            terms.iter().all(|t| term_is(t, layout, inputs)) && (is_own || is_whole)
        }
    }
}

fn contiguous_type(input: ArrayType, reading: Reading) -> ArrayType {
    let layout = match reading {
        Reading::C => Layout::C,
        Reading::F => Layout::F,
        Reading::A | Reading::K => input.layout,
    };
    ArrayType { layout, ..input }
}

fn reshaped_layout(input: ArrayType) -> Layout {
    if input.layout == Layout::C { Layout::C } else { Layout::Any }
}

fn view_type(kind: &OpKind, input: ArrayType, n_operands: usize) -> Result<ArrayType, String> {
    use OpKind::*;
    let rank = input.rank;
    let with = |rank: usize, layout: Layout| ArrayType { rank, layout, ..input };
    Ok(match kind {
        Slice { axis } => {
            check_axis(*axis, rank)?;
            with(rank, Layout::Any)
        }
        Index { axis } => {
            check_axis(*axis, rank)?;
            let outermost = match input.layout {
                Layout::C => *axis == 0,
                Layout::F => *axis + 1 == rank,
                Layout::Any => false,
            };
            with(rank - 1, if outermost || rank == 1 { input.layout } else { Layout::Any })
        }
        NewAxis { axis } => {
            check_axis(*axis, rank + 1)?;
            with(rank + 1, if rank == 0 { Layout::C } else { input.layout })
        }
        DropAxis { axis } => {
            check_axis(*axis, rank)?;
            with(rank - 1, input.layout)
        }
        Permute { permutation } => {
            let mut sorted = permutation.clone();
            sorted.sort_unstable();
            if sorted != (0..rank).collect::<Vec<_>>() {
                return Err(format!("{permutation:?} is not a permutation of {rank} axes"));
            }
            with(rank, permuted_layout(permutation, input.layout))
        }
        Broadcast => {
            let target = n_operands - 1;
            if target < rank {
                return Err(format!("cannot broadcast rank {rank} to rank {target}"));
            }
            ArrayType { rank: target, layout: Layout::Any, writable: false, ..input }
        }
        Part { .. } => {
            if !input.dtype.is_complex() {
                return Err(format!("`{}` has no parts", input.dtype));
            }
            ArrayType { dtype: input.dtype.real(), layout: Layout::Any, ..input }
        }
        Diagonal { axes: [first, second] } => {
            check_axis(*first, rank)?;
            check_axis(*second, rank)?;
            if first == second {
                return Err(format!("a diagonal runs along two axes, not along axis {first} twice"));
            }
            with(rank - 1, Layout::Any)
        }
        Windows { axis } => {
            check_axis(*axis, rank)?;
            ArrayType { writable: false, ..with(rank + 1, Layout::Any) }
        }
        Split { axis } => {
            check_axis(*axis, rank)?;
            let is_outermost = input.layout == Layout::C && *axis == 0;
            with(rank + 1, if is_outermost { Layout::C } else { Layout::Any })
        }
        ReadOnly => ArrayType { writable: false, ..input },
        Writable => ArrayType { writable: true, ..input },
        other => return Err(format!("{other:?} is not a view")),
    })
}

fn permuted_layout(permutation: &[usize], layout: Layout) -> Layout {
    let identity = permutation.iter().enumerate().all(|(i, p)| i == *p);
    let reversed = permutation.iter().rev().enumerate().all(|(i, p)| i == *p);
    match layout {
        same if identity => same,
        Layout::C if reversed => Layout::F,
        Layout::F if reversed => Layout::C,
        _ => Layout::Any,
    }
}
