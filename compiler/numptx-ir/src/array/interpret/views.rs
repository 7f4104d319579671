//! Views, reshapes and the scalars of slicing and broadcasting.

use super::memory::{contiguous, size};
use super::order::fresh_strides;
use super::{Interpreter, Outcome, Value, View, int_value, invalid};
use crate::DType;
use crate::array::{Op, OpKind, Order, OrderTerm, Reading, ValueId};

/// An offset far outside of any buffer.
const NOWHERE: i64 = i64::MIN / 2;

impl Interpreter<'_> {
    pub(super) fn view(&self, op: &Op) -> Outcome<View> {
        let mut view = self.array(op.operands[0])?;
        let arguments = self.ints(&op.operands[1..])?;
        match &op.kind {
            OpKind::Slice { axis } => {
                let [start, length, step] = arguments[..] else { return invalid("a slice has three bounds") };
                slice(&mut view, *axis, start, length, step)?;
            }
            OpKind::Index { axis } => {
                let (index, extent) = (arguments[0], view.shape.remove(*axis));
                let stride = view.strides.remove(*axis);
                // A view of nothing, whose strides may still be looked at: whatever is read through it is outside of its buffer.
                view.offset = if (0..extent).contains(&index) { view.offset + index * stride } else { NOWHERE };
            }
            OpKind::NewAxis { axis } => {
                view.shape.insert(*axis, 1);
                view.strides.insert(*axis, 0);
            }
            OpKind::DropAxis { axis } => {
                view.strides.remove(*axis);
                if view.shape.remove(*axis) != 1 {
                    return invalid("a dropped axis is not of extent 1");
                }
            }
            OpKind::Permute { permutation } => {
                view.shape = permutation.iter().map(|axis| view.shape[*axis]).collect();
                view.strides = permutation.iter().map(|axis| view.strides[*axis]).collect();
            }
            OpKind::Broadcast => broadcast(&mut view, arguments)?,
            OpKind::Part { imaginary } => {
                view.dtype = view.dtype.real();
                view.offset += if *imaginary { view.dtype.itemsize() as i64 } else { 0 };
            }
            OpKind::Diagonal { axes } => diagonal(&mut view, *axes)?,
            OpKind::Windows { axis } => {
                let [count, length] = arguments[..] else { return invalid("windows have a count and a length") };
                windows(&mut view, *axis, count, length)?;
            }
            OpKind::Split { axis } => {
                let [count, length] = arguments[..] else { return invalid("rows have a count and a length") };
                split(&mut view, *axis, count, length)?;
            }
            OpKind::ReadOnly => view.read_only = true,
            OpKind::Writable if view.read_only => return invalid("an array that is read-only is to be written"),
            _ => {}
        }
        view.read_only |= matches!(op.kind, OpKind::Broadcast | OpKind::Windows { .. });
        Ok(view)
    }

    /// Owned either way: a view takes a reference of its own. Other orders are C order of the axes in another sequence.
    pub(super) fn reshape(&mut self, reading: Reading, operands: &[ValueId]) -> Outcome<View> {
        let (input, is_turned) = read_in(self.array(operands[0])?, reading);
        let mut shape = self.extents(&operands[1..])?;
        if is_turned {
            shape.reverse();
        }
        if size(&shape) != size(&input.shape) {
            return invalid(format!("{:?} does not reshape to {shape:?}", input.shape));
        }
        let result = match reshaped_strides(&input, &shape) {
            Some(strides) => {
                input.buffer.retain().map_err(super::Failure::Invalid)?;
                View { shape, strides, ..input }
            }
            None => self.packed(&input, &shape)?,
        };
        Ok(if is_turned { turned(result) } else { result })
    }

    pub(super) fn ravel(&mut self, reading: Reading, operands: &[ValueId]) -> Outcome<View> {
        let (input, _) = read_in(self.array(operands[0])?, reading);
        let shape = self.extents(&operands[1..])?;
        if size(&shape) != size(&input.shape) {
            return invalid(format!("{:?} does not ravel to {shape:?}", input.shape));
        }
        if is_packed(&input) {
            input.buffer.retain().map_err(super::Failure::Invalid)?;
            let strides = contiguous(&shape, input.dtype, 0..1);
            return Ok(View { shape, strides, ..input });
        }
        self.packed(&input, &shape)
    }

    pub(super) fn contiguous(&mut self, reading: Reading, operand: ValueId) -> Outcome<View> {
        let (input, is_turned) = read_in(self.array(operand)?, reading);
        let result = if is_packed(&input) {
            input.buffer.retain().map_err(super::Failure::Invalid)?;
            input
        } else {
            let shape = input.shape.clone();
            self.packed(&input, &shape)?
        };
        Ok(if is_turned { turned(result) } else { result })
    }

    /// Owned, as a view of [`Interpreter::reshape`].
    pub(super) fn strided(&mut self, dtype: DType, operands: &[ValueId]) -> Outcome<View> {
        let input = self.array(operands[0])?;
        let numbers = self.ints(&operands[1..])?;
        let (shape, strides) = numbers.split_at(numbers.len() / 2);
        let view = View { dtype, shape: shape.to_vec(), strides: strides.to_vec(), ..input.clone() };
        if let (Some((low, high)), own) = (bytes_of(&view), bytes_of(&input))
            && own.is_none_or(|(least, most)| low < least || high > most)
        {
            return invalid(format!("{shape:?} elements {strides:?} bytes apart are more than an array has"));
        }
        input.buffer.retain().map_err(super::Failure::Invalid)?;
        Ok(view)
    }

    /// A copy in C order.
    fn packed(&mut self, input: &View, shape: &[i64]) -> Outcome<View> {
        let strides = contiguous(shape, input.dtype, 0..shape.len());
        let copy = self.fresh(input.dtype, shape, strides)?;
        for (n, element) in input.elements()?.into_iter().enumerate() {
            copy.write((n * input.dtype.itemsize()) as i64, element)?;
        }
        Ok(copy)
    }

    /// Python's `slice(lower, upper, step).indices(extent)` and the length.
    pub(super) fn slice_bounds(&self, operands: &[ValueId], lower: bool, upper: bool) -> Outcome<Vec<Value>> {
        let mut numbers = self.ints(operands)?.into_iter().map(i128::from);
        let mut next = || numbers.next().unwrap_or(0);
        let (lower, upper) = (lower.then(&mut next), upper.then(&mut next));
        let (step, extent) = (next(), next());
        if step == 0 || extent < 0 {
            return invalid("a slice's step is 0, or its extent is negative");
        }
        let (first, last) = if step < 0 { (-1, extent - 1) } else { (0, extent) };
        let clamp = |bound: i128| (if bound < 0 { bound + extent } else { bound }).clamp(first, last);
        let start = lower.map_or(if step < 0 { last } else { first }, clamp);
        let stop = upper.map_or(if step < 0 { first } else { last }, clamp);
        let distance = if step < 0 { start - stop } else { stop - start };
        let length = if distance <= 0 { 0 } else { (distance - 1) / step.abs() + 1 };
        Ok(vec![int_value(start as i64), int_value(length as i64)])
    }

    pub(super) fn broadcast_extent(&self, operands: &[ValueId]) -> Outcome<Vec<Value>> {
        let (a, b) = (self.int(operands[0])?, self.int(operands[1])?);
        if a != b && a != 1 && b != 1 {
            return invalid(format!("extents {a} and {b} do not broadcast"));
        }
        Ok(vec![int_value(if a == 1 { b } else { a })])
    }
}

/// The first byte of a view and the one behind its last, from its first element on; `None` where it has no elements.
fn bytes_of(view: &View) -> Option<(i128, i128)> {
    if view.shape.contains(&0) {
        return None;
    }
    let mut bounds = (0, view.dtype.itemsize() as i128);
    for (extent, stride) in view.shape.iter().zip(&view.strides) {
        let reach = i128::from(*extent - 1) * i128::from(*stride);
        bounds = (bounds.0 + reach.min(0), bounds.1 + reach.max(0));
    }
    Some(bounds)
}

fn slice(view: &mut View, axis: usize, start: i64, length: i64, step: i64) -> Outcome<()> {
    let extent = i128::from(view.shape[axis]);
    let last = i128::from(start) + (i128::from(length) - 1) * i128::from(step);
    let in_range = |index: i128| (0..extent).contains(&index);
    if length < 0 || step == 0 || (length > 0 && !(in_range(start.into()) && in_range(last))) {
        return invalid(format!("a slice from {start} of {length} by {step} of {extent}"));
    }
    if length > 0 {
        view.offset += start * view.strides[axis];
    }
    view.shape[axis] = length;
    view.strides[axis] = view.strides[axis].wrapping_mul(step);
    Ok(())
}

fn diagonal(view: &mut View, axes: [usize; 2]) -> Outcome<()> {
    let [first, second] = axes;
    let (extent, other) = (view.shape[first], view.shape[second]);
    if extent != other {
        return invalid(format!("a diagonal of axes of {extent} and {other}"));
    }
    let stride = view.strides[first].wrapping_add(view.strides[second]);
    for axis in [first.max(second), first.min(second)] {
        view.shape.remove(axis);
        view.strides.remove(axis);
    }
    view.shape.push(extent);
    view.strides.push(stride);
    Ok(())
}

fn windows(view: &mut View, axis: usize, count: i64, length: i64) -> Outcome<()> {
    let reach = i128::from(count) + i128::from(length) - 1;
    let is_empty = count == 0 || length == 0;
    if count < 0 || length < 0 || !is_empty && reach > i128::from(view.shape[axis]) {
        return invalid(format!("{count} windows of {length} along an axis of {}", view.shape[axis]));
    }
    view.shape[axis] = count;
    view.shape.push(length);
    view.strides.push(view.strides[axis]);
    Ok(())
}

fn split(view: &mut View, axis: usize, count: i64, length: i64) -> Outcome<()> {
    let size = i128::from(count) * i128::from(length);
    if count < 0 || length < 0 || size > i128::from(view.shape[axis]) {
        return invalid(format!("{count} rows of {length} along an axis of {}", view.shape[axis]));
    }
    let stride = view.strides[axis];
    view.shape[axis] = count;
    view.strides[axis] = stride * length;
    view.shape.insert(axis + 1, length);
    view.strides.insert(axis + 1, stride);
    Ok(())
}

fn broadcast(view: &mut View, shape: Vec<i64>) -> Outcome<()> {
    let new = shape.len() - view.shape.len();
    let mut strides = vec![0; shape.len()];
    for (axis, (extent, stride)) in view.shape.iter().zip(&view.strides).enumerate() {
        if *extent != 1 && *extent != shape[new + axis] {
            return invalid(format!("{:?} does not broadcast to {shape:?}", view.shape));
        }
        strides[new + axis] = if *extent == 1 { 0 } else { *stride };
    }
    if shape.iter().any(|extent| *extent < 0) {
        return invalid(format!("a negative extent in {shape:?}"));
    }
    (view.shape, view.strides) = (shape, strides);
    Ok(())
}

/// The view with its axes in reverse.
pub(super) fn turned(mut view: View) -> View {
    view.shape.reverse();
    view.strides.reverse();
    view
}

/// Whether the elements lie in C order without gaps.
pub(super) fn is_packed(view: &View) -> bool {
    let packed = contiguous(&view.shape, view.dtype, 0..view.shape.len());
    let mut axes = view.shape.iter().zip(&view.strides).zip(&packed);
    view.shape.contains(&0) || axes.all(|((extent, stride), packed)| *extent == 1 || stride == packed)
}

/// The view with its axes so that C order of them is the order asked for, and whether they were turned around.
fn read_in(view: View, reading: Reading) -> (View, bool) {
    let is_turned = match reading {
        Reading::C | Reading::K => false,
        Reading::F => true,
        Reading::A => is_packed(&turned(view.clone())) && !is_packed(&view),
    };
    match reading {
        Reading::K => (in_memory_order(view), false),
        _ if is_turned => (turned(view), true),
        _ => (view, false),
    }
}

/// The view with its axes as they lie in memory: those of a view without gaps if they can be, else those of a copy in K order.
fn in_memory_order(view: View) -> View {
    let by = |strides: &[i64]| {
        let mut axes: Vec<usize> = (0..view.shape.len()).collect();
        axes.sort_by_key(|axis| std::cmp::Reverse(strides[*axis].unsigned_abs()));
        let shape = axes.iter().map(|axis| view.shape[*axis]).collect();
        let strides = axes.iter().map(|axis| view.strides[*axis]).collect();
        View { shape, strides, ..view.clone() }
    };
    let sorted = by(&view.strides);
    if is_packed(&sorted) {
        return sorted;
    }
    let order = Order::K(vec![OrderTerm::Input(0)]);
    by(&fresh_strides(&order, &view.shape, view.dtype, &[Some((view.shape.clone(), view.strides.clone()))]))
}

/// Strides of a view of other extents in C order, or `None` where only a copy has them.
/// Sizes are equal. Source: `_attempt_nocopy_reshape` in NumPy's `shape.c`.
fn reshaped_strides(view: &View, shape: &[i64]) -> Option<Vec<i64>> {
    let itemsize = view.dtype.itemsize() as i64;
    if shape.contains(&0) {
        return Some(contiguous(shape, view.dtype, 0..shape.len()));
    }
    let old: Vec<(i64, i64)> =
        view.shape.iter().copied().zip(view.strides.iter().copied()).filter(|(extent, _)| *extent != 1).collect();
    let mut strides = vec![itemsize; shape.len()];
    let (mut from, mut to) = (0, 0);
    while from < old.len() && to < shape.len() {
        // The shortest runs of old and new axes with one product.
        let (mut old_end, mut new_end) = (from + 1, to + 1);
        let (mut old_size, mut new_size) = (old[from].0, shape[to]);
        while old_size != new_size {
            if new_size < old_size {
                new_size *= shape.get(new_end)?;
                new_end += 1;
            } else {
                old_size *= old.get(old_end)?.0;
                old_end += 1;
            }
        }
        if old[from..old_end].windows(2).any(|pair| pair[0].1 != pair[1].0 * pair[1].1) {
            return None;
        }
        let mut stride = old[old_end - 1].1;
        for axis in (to..new_end).rev() {
            strides[axis] = stride;
            stride *= shape[axis];
        }
        (from, to) = (old_end, new_end);
    }
    // What is left has extent 1, and any stride.
    Some(strides)
}
