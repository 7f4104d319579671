//! NumPy's advanced indexing: which elements integer arrays select, reading them and writing them.
//!
//! In: an array, and for some of its axes an index each (integers, host scalars or arrays, negative ones counting from the end), broadcast
//! together. Out: the checks that NumPy makes, the array of the selected elements, or a write of them. The selected elements are visited with the
//! indices' axes first and then the other axes, in C order; of several writes to one element the last one stays.
//!
//! Where the axes of the indices stand in the result is the caller's to say. Source: NumPy's «Indexing on ndarrays».

use super::error::too_many_axes;
use super::value::FunctionError;
use crate::DType;
use crate::array::{Builder, ErrorKind, Layout, Meeting, Order, OrderTerm, Type, ValueId};
use crate::dtype::Kind;
use crate::scalar::{Body, BodyBuilder, Constant, Reducer, ScalarOp, Val};

/// Combines an element with a value: gives what the element becomes.
pub type Combine<'c> = dyn FnMut(&mut BodyBuilder, Val, Val) -> Val + 'c;

/// What becomes of an index that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfRange {
    /// Negative ones count from the end, others raise `IndexError`.
    Raise,
    /// Modulo the extent.
    Wrap,
    /// The nearest one in range; negative ones do not count from the end.
    Clip,
}

/// An index along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// Integers: an array or a host scalar.
    pub index: ValueId,
    /// The axis as messages name it.
    pub name: usize,
    /// Whether it is known to be in range, not negative.
    pub is_checked: bool,
}

impl Along {
    /// The index, read as `read`, as one that is in range of an extent.
    pub fn in_range(
        &self,
        builder: &Builder,
        body: &mut BodyBuilder,
        read: Val,
        extent: Val,
        out_of_range: OutOfRange,
    ) -> Val {
        let dtype = builder.dtype(self.index);
        let index = body.cast(read, DType::I64);
        let zero = body.constant(0.0, DType::I64);
        match out_of_range {
            OutOfRange::Raise if dtype.kind() == Kind::Unsigned && dtype != DType::U64 => index,
            OutOfRange::Raise => {
                let is_negative = body.op(ScalarOp::Lt, &[index, zero]);
                let from_end = body.op(ScalarOp::Add, &[index, extent]);
                body.op(ScalarOp::Select, &[is_negative, from_end, index])
            }
            OutOfRange::Wrap => body.op(ScalarOp::Mod, &[index, extent]),
            OutOfRange::Clip => {
                let one = body.constant(1.0, DType::I64);
                let last = body.op(ScalarOp::Sub, &[extent, one]);
                let below = body.op(ScalarOp::Min, &[index, last]);
                body.op(ScalarOp::Max, &[below, zero])
            }
        }
    }

    /// Raises `IndexError` where the index is out of range of an extent and that is an error.
    pub fn check(&self, builder: &mut Builder, extent: ValueId, out_of_range: OutOfRange) {
        if out_of_range == OutOfRange::Raise && !self.is_checked {
            check_index(builder, self, extent, &[], |_, _| ());
        }
    }

    /// The same for an index that is a vector; `before` is done before it raises, given the position of the first index out of range.
    pub fn check_after(
        &self,
        builder: &mut Builder,
        extent: ValueId,
        out_of_range: OutOfRange,
        before: impl FnOnce(&mut Builder, ValueId),
    ) {
        if out_of_range == OutOfRange::Raise {
            check_index(builder, self, extent, &[], before);
        }
    }
}

/// What NumPy says of values that do not fit the elements that they are written to; `{value}` and `{target}` stand for the shapes.
pub const VALUE_MISMATCH: &str =
    "shape mismatch: value array of shape {value} could not be broadcast to indexing result of shape {target}";

/// Selected elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The array that they belong to.
    pub array: ValueId,
    /// By axis of the array: its index; `None` for all of it.
    pub along: Vec<Option<Along>>,
    /// The broadcast extents of the indices.
    pub extents: Vec<ValueId>,
    /// How many whole axes stand before the indices' ones in the result.
    pub before: usize,
    /// What is done with indices out of range.
    pub out_of_range: OutOfRange,
    /// Whether no element is selected twice.
    pub is_distinct: bool,
}

impl Selection {
    /// Broadcasts the indices, raising `IndexError` where they do not fit.
    pub fn new(
        builder: &mut Builder,
        array: ValueId,
        along: Vec<Option<Along>>,
        before: usize,
        out_of_range: OutOfRange,
    ) -> Result<Selection, FunctionError> {
        let mut extents: Vec<ValueId> = Vec::new();
        let shapes: Vec<Vec<ValueId>> = along.iter().flatten().map(|a| builder.shape(a.index)).collect();
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        for axis in 0..rank {
            let mut extent: Option<ValueId> = None;
            for shape in shapes.iter().filter(|s| s.len() + axis >= rank) {
                let other = shape[axis + shape.len() - rank];
                extent = Some(extent.map_or(other, |extent| broadcast_extent(builder, extent, other)));
            }
            extents.extend(extent);
        }
        let selection = Selection { array, along, extents, before, out_of_range, is_distinct: false };
        let n_axes = selection.rank();
        if n_axes > super::error::MAX_RANK { Err(too_many_axes(n_axes)) } else { Ok(selection) }
    }

    /// The axes that no index selects along.
    fn whole(&self) -> Vec<usize> {
        (0..self.along.len()).filter(|axis| self.along[*axis].is_none()).collect()
    }

    /// Axes of the result.
    pub fn rank(&self) -> usize {
        self.extents.len() + self.whole().len()
    }

    /// Extents of the result.
    pub fn shape(&self, builder: &mut Builder) -> Vec<ValueId> {
        let whole: Vec<ValueId> = self.whole().into_iter().map(|axis| builder.dim(self.array, axis)).collect();
        let (before, after) = whole.split_at(self.before);
        [before, &self.extents, after].concat()
    }

    /// Raises `IndexError` where an index is out of range, unless no element is selected by the indices.
    pub fn check(&self, builder: &mut Builder) {
        let n_indices = self.along.iter().flatten().count();
        let others = if n_indices > 1 { &self.extents[..] } else { &[] };
        self.check_unless_empty(builder, others);
    }

    /// Raises `IndexError` where an index is out of range, unless one of some extents is 0.
    pub fn check_unless_empty(&self, builder: &mut Builder, others: &[ValueId]) {
        let unchecked = self.along.iter().flatten().filter(|along| !along.is_checked);
        let arrays = unchecked.filter(|along| !builder.is_scalar(along.index)).count();
        if arrays < 2 || self.extents.len() != 1 || self.out_of_range != OutOfRange::Raise {
            return self.check_each(builder, others);
        }
        // Of several vectors whether any is out of range is found in one pass, so that a device is waited for once.
        let is_bad = self.is_any_out_of_range(builder);
        builder.when(is_bad, |builder| self.check_each(builder, others));
        let scalars = |along: &Option<Along>| along.filter(|along| builder.is_scalar(along.index));
        let along = self.along.iter().map(scalars).collect();
        Selection { along, ..self.clone() }.check_each(builder, others);
    }

    /// Whether an index of a selection by vectors is out of range; the vectors are not empty.
    fn is_any_out_of_range(&self, builder: &mut Builder) -> ValueId {
        let (mut inputs, mut body, mut any) = (Vec::new(), BodyBuilder::new(), None);
        for (axis, along) in self.along.iter().enumerate() {
            let Some(along) = along.filter(|a| !a.is_checked && !builder.is_scalar(a.index)) else { continue };
            let own = out_of_range(builder, &along);
            let index = builder.broadcast_to(along.index, &self.extents);
            let extent = builder.dim(self.array, axis);
            let (at, dtype) = (inputs.len() as u32, builder.dtype(index));
            inputs.extend([index, extent]);
            let values = [body.input(at, dtype), body.input(at + 1, DType::I64)];
            let is_bad = body.inline(&own, &values, None)[0];
            any = Some(any.map_or(is_bad, |any| body.op(ScalarOp::BitOr, &[any, is_bad])));
        }
        let any = any.unwrap_or_else(|| body.constant(0.0, DType::Bool));
        let found = builder.reduce(&self.extents, 1, &inputs, body.finish(vec![any]), &[Reducer::Or], None);
        builder.item(found[0])
    }

    fn check_each(&self, builder: &mut Builder, others: &[ValueId]) {
        for (axis, along) in self.along.iter().enumerate() {
            if let Some(along) = along.filter(|along| !along.is_checked && self.out_of_range == OutOfRange::Raise) {
                let extent = builder.dim(self.array, axis);
                check_index(builder, &along, extent, others, |_, _| ());
            }
        }
    }

    /// The selected elements as a fresh array, in NumPy's memory order. They were checked.
    pub fn gather(&self, builder: &mut Builder) -> ValueId {
        let whole = self.whole();
        let mut points = Points::new(self, builder, 0);
        let dtype = builder.dtype(self.array);
        let element = points.body.element(0, &points.at, dtype);
        let body = points.body.finish(vec![element]);
        let order = self.order(builder, &mut points.inputs, &points.extents, &whole);
        let fresh = builder.map_tables(&points.extents, &points.inputs, &[self.array], body, order)[0];
        if self.before == 0 {
            return fresh;
        }
        let n = self.extents.len();
        let permutation: Vec<usize> = (n..n + self.before).chain(0..n).chain(n + self.before..self.rank()).collect();
        builder.permute(fresh, &permutation)
    }

    /// The same in C order, as `np.take` gives it.
    pub fn gather_in_c_order(&self, builder: &mut Builder) -> ValueId {
        let mut points = Points::new(self, builder, self.before);
        let dtype = builder.dtype(self.array);
        let element = points.body.element(0, &points.at, dtype);
        let body = points.body.finish(vec![element]);
        builder.map_tables(&points.extents, &points.inputs, &[self.array], body, Order::C)[0]
    }

    /// Writes a value, a host scalar or an array of the selection's extents, to the elements; an unsafe cast. They were checked.
    pub fn scatter(&self, builder: &mut Builder, value: ValueId) {
        self.write(builder, value, None);
    }

    /// Combines each element with a value in turn: every duplicate counts.
    pub fn accumulate(&self, builder: &mut Builder, value: ValueId, combine: &mut Combine) {
        self.write(builder, value, Some(combine));
    }

    fn write(&self, builder: &mut Builder, value: ValueId, combine: Option<&mut Combine>) {
        let mut points = Points::new(self, builder, 0);
        let n = self.extents.len();
        let value = if builder.rank(value) > 0 && self.before > 0 {
            let rank = self.rank();
            let permutation: Vec<usize> =
                (self.before..self.before + n).chain(0..self.before).chain(self.before + n..rank).collect();
            builder.permute(value, &permutation)
        } else {
            value
        };
        let dtype = builder.dtype(self.array);
        let mut stored = points.body.input(points.inputs.len() as u32, builder.dtype(value));
        points.inputs.push(value);
        let accumulates = combine.is_some();
        if let Some(combine) = combine {
            let element = points.body.element(0, &points.at, dtype);
            stored = combine(&mut points.body, element, stored);
        }
        let stored = points.body.cast(stored, dtype);
        let outputs = [&[stored], &points.at[..]].concat();
        let body = points.body.finish(outputs);
        let meeting = match (accumulates, self.is_distinct) {
            (true, _) => Meeting::Accumulating,
            (false, true) => Meeting::Apart,
            (false, false) => Meeting::LastWins,
        };
        builder.scatter(&points.extents, self.array, &points.inputs, &[], (body, meeting));
    }

    /// The memory order of what is gathered: the other axes as they lie in the array, inside of the indices' axes, which are in C order; without
    /// other axes the order of the indices.
    fn order(&self, builder: &mut Builder, inputs: &mut Vec<ValueId>, extents: &[ValueId], whole: &[usize]) -> Order {
        let n = self.extents.len();
        if extents[n..].iter().all(|extent| builder.as_i64(*extent) == Some(1)) {
            return builder.k_order(inputs);
        }
        let is_c = matches!(builder.ty(self.array), Type::Array(a) if a.layout == Layout::C);
        if is_c || whole.len() <= 1 {
            return Order::C;
        }
        let mut rest = self.array;
        for axis in (0..self.along.len()).rev().filter(|axis| self.along[*axis].is_some()) {
            let first = builder.i64(0);
            rest = builder.index(rest, axis, first);
        }
        inputs.push(rest);
        Order::K(vec![OrderTerm::Input(inputs.len() - 1)])
    }
}

/// A body over the selected elements under construction.
struct Points {
    /// Axes of the indices, and the others.
    extents: Vec<ValueId>,
    inputs: Vec<ValueId>,
    body: BodyBuilder,
    /// Indices in range, one an axis of the array.
    at: Vec<Val>,
}

impl Points {
    /// `front`: how many of the other axes come before those of the indices.
    fn new(selection: &Selection, builder: &mut Builder, front: usize) -> Points {
        let whole = selection.whole();
        let others: Vec<ValueId> = whole.iter().map(|axis| builder.dim(selection.array, *axis)).collect();
        let n = selection.extents.len();
        let extents = [&others[..front], &selection.extents, &others[front..]].concat();
        let mut points = Points { extents, inputs: Vec::new(), body: BodyBuilder::new(), at: Vec::new() };
        let n_behind = others.len() - front;
        for (axis, along) in selection.along.iter().enumerate() {
            let at = match along {
                Some(along) => {
                    let extent = builder.dim(selection.array, axis);
                    points.wrapped(builder, along, extent, n_behind, selection.out_of_range)
                }
                None => {
                    let position = whole.iter().take_while(|other| **other < axis).count();
                    points.body.index(if position < front { position } else { position + n } as u32)
                }
            };
            points.at.push(at);
        }
        points
    }

    fn scalar(&mut self, builder: &Builder, value: ValueId) -> Val {
        match builder.as_constant(value) {
            Some(constant) => self.body.push(crate::scalar::InstrKind::Constant(constant), DType::I64),
            None => self.input(builder, value),
        }
    }

    fn input(&mut self, builder: &Builder, value: ValueId) -> Val {
        let position = self.inputs.iter().position(|v| *v == value).unwrap_or_else(|| {
            self.inputs.push(value);
            self.inputs.len() - 1
        });
        self.body.input(position as u32, builder.dtype(value))
    }

    /// The index at the point, in range.
    fn wrapped(
        &mut self,
        builder: &mut Builder,
        along: &Along,
        extent: ValueId,
        n_behind: usize,
        out_of_range: OutOfRange,
    ) -> Val {
        let mut index = along.index;
        if !builder.is_scalar(index) {
            for _ in 0..n_behind {
                index = builder.new_axis(index, builder.rank(index));
            }
        }
        let read = self.input(builder, index);
        if along.is_checked {
            return self.body.cast(read, DType::I64);
        }
        let extent = self.scalar(builder, extent);
        along.in_range(builder, &mut self.body, read, extent, out_of_range)
    }
}

/// As NumPy broadcasts indices: `IndexError`.
fn broadcast_extent(builder: &mut Builder, a: ValueId, b: ValueId) -> ValueId {
    match (builder.as_i64(a), builder.as_i64(b)) {
        _ if a == b => return a,
        (Some(x), Some(y)) if x == y => return a,
        (Some(1), _) => return b,
        (_, Some(1)) => return a,
        _ => {}
    }
    let one = builder.i64(1);
    let equal = builder.scalar(ScalarOp::Eq, &[a, b]);
    let a_one = builder.scalar(ScalarOp::Eq, &[a, one]);
    let b_one = builder.scalar(ScalarOp::Eq, &[b, one]);
    let either = builder.scalar(ScalarOp::BitOr, &[a_one, b_one]);
    let fits = builder.scalar(ScalarOp::BitOr, &[equal, either]);
    let message = "shape mismatch: indexing arrays could not be broadcast together: extents {} and {}";
    builder.check(fits, ErrorKind::Index, message, &[a, b]);
    builder.scalar(ScalarOp::Select, &[a_one, b, a])
}

/// Checks all elements of an index against an extent, in one pass over them. `others`: extents of which one that is 0 makes the index unused.
/// `before` is done before it raises, given the position of the first element out of range.
fn check_index(
    builder: &mut Builder,
    along: &Along,
    extent: ValueId,
    others: &[ValueId],
    before: impl FnOnce(&mut Builder, ValueId),
) {
    let message = format!("index {{}} is out of bounds for axis {} with size {{}}", along.name);
    if builder.is_scalar(along.index) {
        let index = builder.cast_scalar(along.index, DType::I64);
        let fits = fits_on_host(builder, index, extent);
        return builder.check(fits, ErrorKind::Index, message, &[index, extent]);
    }
    let shape = builder.shape(along.index);
    let found =
        builder.reduce(&shape, shape.len(), &[along.index, extent], out_of_range(builder, along), &[Reducer::Or], None);
    let mut is_bad = builder.item(found[0]);
    let zero = builder.i64(0);
    for extent in others {
        let is_used = builder.scalar(ScalarOp::Ne, &[*extent, zero]);
        is_bad = builder.scalar(ScalarOp::BitAnd, &[is_bad, is_used]);
    }
    let along = *along;
    builder.when(is_bad, |builder| {
        let body = out_of_range(builder, &along);
        let first = builder.reduce(&shape, shape.len(), &[along.index, extent], body, &[Reducer::ArgMax], None)[0];
        let mut rest = builder.item(first);
        before(builder, rest);
        let mut element = along.index;
        for axis in (0..shape.len()).rev() {
            let at = if axis == 0 { rest } else { builder.scalar(ScalarOp::Mod, &[rest, shape[axis]]) };
            rest = if axis == 0 { rest } else { builder.scalar(ScalarOp::FloorDiv, &[rest, shape[axis]]) };
            element = builder.index(element, axis, at);
        }
        let index = builder.item(element);
        let index = builder.cast_scalar(index, DType::I64);
        let never = builder.constant(Constant::Bool(false), DType::Bool);
        builder.check(never, ErrorKind::Index, message, &[index, extent]);
    });
}

/// Whether a host scalar is an index into an extent, from either end.
fn fits_on_host(builder: &mut Builder, index: ValueId, extent: ValueId) -> ValueId {
    let zero = builder.i64(0);
    let lowest = builder.scalar(ScalarOp::Sub, &[zero, extent]);
    let above = builder.scalar(ScalarOp::Le, &[lowest, index]);
    let below = builder.scalar(ScalarOp::Lt, &[index, extent]);
    builder.scalar(ScalarOp::BitAnd, &[above, below])
}

/// Whether input 0, an index, is out of range for input 1, an extent.
fn out_of_range(builder: &Builder, along: &Along) -> Body {
    let mut body = BodyBuilder::new();
    let dtype = builder.dtype(along.index);
    let (index, extent) = (body.input(0, dtype), body.input(1, DType::I64));
    let index = body.cast(index, DType::I64);
    let mut is_bad = body.op(ScalarOp::Ge, &[index, extent]);
    if dtype.kind() != Kind::Unsigned || dtype == DType::U64 {
        let zero = body.constant(0.0, DType::I64);
        let lowest = body.op(ScalarOp::Sub, &[zero, extent]);
        let is_below = body.op(ScalarOp::Lt, &[index, lowest]);
        is_bad = body.op(ScalarOp::BitOr, &[is_bad, is_below]);
    }
    body.finish(vec![is_bad])
}
