//! Compaction: the elements that a mask chooses, next to each other. How many there are is known when running only.
//!
//! In: an array of any dtype whose elements that are not 0 choose. Out: their number as a host scalar, arrays of the chosen elements or of
//! their indices, and writes to them. A running count says where each one goes, so that on a device every element is moved by a thread of its
//! own; reading the last count is the one wait of the host.

use super::manipulation::flat;
use crate::DType;
use crate::array::{Builder, Meeting, OpKind, Order, OrderTerm, Type, ValueId};
use crate::scalar::{BodyBuilder, Reducer, ScalarOp, Val};

/// What a mask chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The mask: of at least one axis; an element that is not 0 is chosen.
    pub mask: ValueId,
    /// Of the mask's extents: how many elements are chosen up to this one in C order, itself included.
    places: ValueId,
    /// How many are chosen in all, on the host.
    pub count: ValueId,
}

impl Chosen {
    /// Counts.
    pub fn of(builder: &mut Builder, mask: ValueId) -> Chosen {
        let extents = builder.shape(mask);
        let along = flat(builder, mask);
        let n = builder.dim(along, 0);
        let mut body = BodyBuilder::new();
        let element = truth(builder, &mut body, 0, mask);
        let one = body.cast(element, DType::I64);
        let body = body.finish(vec![one]);
        let running = builder.scan(&[n], 0, &[along], (body, Reducer::Add, None));
        let count = last_of(builder, running, n);
        let places = if extents.len() == 1 { running } else { builder.reshape(running, &extents) };
        Chosen { mask, places, count }
    }

    /// The chosen elements of an array of the mask's extents.
    pub fn elements(&self, builder: &mut Builder, array: ValueId) -> ValueId {
        let dtype = builder.dtype(array);
        let result = builder.alloc(dtype, &[self.count], Order::C);
        let mut body = BodyBuilder::new();
        let value = body.input(2, dtype);
        self.move_to(builder, result, &[array], (body, value));
        result
    }

    /// The chosen elements' indices along an axis, written to a vector of `count` elements of `int64`.
    pub fn indices_into(&self, builder: &mut Builder, axis: usize, destination: ValueId) {
        let mut body = BodyBuilder::new();
        let value = body.index(axis as u32);
        self.move_to(builder, destination, &[], (body, value));
    }

    /// The chosen elements' indices along each axis of the mask.
    pub fn indices(&self, builder: &mut Builder) -> Vec<ValueId> {
        let rank = builder.rank(self.mask);
        let vector = |builder: &mut Builder, axis: usize| {
            let indices = builder.alloc(DType::I64, &[self.count], Order::C);
            self.indices_into(builder, axis, indices);
            indices
        };
        (0..rank).map(|axis| vector(builder, axis)).collect()
    }

    /// An array of the mask's extents: where an element is chosen the value of its turn, cast, elsewhere what `array` holds. `values` has one
    /// axis, of extent `count` or 1; something is chosen.
    pub fn replaced(&self, builder: &mut Builder, array: ValueId, values: ValueId) -> ValueId {
        let (extents, dtype) = (builder.shape(self.mask), builder.dtype(array));
        let n = builder.dim(values, 0);
        let mut body = BodyBuilder::new();
        let (chosen, place) = self.read(builder, &mut body);
        let (old, n_values) = (body.input(2, dtype), body.input(3, DType::I64));
        let (zero, one) = (body.constant(0.0, DType::I64), body.constant(1.0, DType::I64));
        let is_single = body.op(ScalarOp::Eq, &[n_values, one]);
        let place = body.op(ScalarOp::Max, &[place, zero]);
        let turn = body.op(ScalarOp::Select, &[is_single, zero, place]);
        let new = body.element(0, &[turn], builder.dtype(values));
        let new = body.cast(new, dtype);
        let result = body.op(ScalarOp::Select, &[chosen, new, old]);
        let body = body.finish(vec![result]);
        let inputs = [self.mask, self.places, array, n];
        builder.map_tables(&extents, &inputs, &[values], body, Order::K(vec![OrderTerm::Input(2)]))[0]
    }

    /// Whether an element is chosen, and which one of the chosen it is: inputs 0 and 1.
    fn read(&self, builder: &Builder, body: &mut BodyBuilder) -> (Val, Val) {
        let chosen = truth(builder, body, 0, self.mask);
        let places = body.input(1, DType::I64);
        let one = body.constant(1.0, DType::I64);
        (chosen, body.op(ScalarOp::Sub, &[places, one]))
    }

    /// Writes a value of each chosen point to its place in a vector; `more`: the inputs of the body from the third one on.
    fn move_to(
        &self,
        builder: &mut Builder,
        destination: ValueId,
        more: &[ValueId],
        (body, value): (BodyBuilder, Val),
    ) {
        let (extents, inputs) = (builder.shape(self.mask), [&[self.mask, self.places], more].concat());
        let mut body = body;
        let (chosen, place) = self.read(builder, &mut body);
        let body = body.finish(vec![value, place, chosen]);
        let zero = builder.i64(0);
        let is_some = builder.scalar(ScalarOp::Lt, &[zero, self.count]);
        builder.when(is_some, |builder| builder.scatter(&extents, destination, &inputs, &[], (body, Meeting::Apart)));
    }
}

fn truth(builder: &Builder, body: &mut BodyBuilder, input: u32, mask: ValueId) -> Val {
    let element = body.input(input, builder.dtype(mask));
    body.cast(element, DType::Bool)
}

/// The last element of a vector on the host; 0 of an empty one.
fn last_of(builder: &mut Builder, vector: ValueId, n: ValueId) -> ValueId {
    let (zero, one) = (builder.i64(0), builder.i64(1));
    let is_some = builder.scalar(ScalarOp::Lt, &[zero, n]);
    builder.open_region(&[]);
    let last = builder.scalar(ScalarOp::Sub, &[n, one]);
    let element = builder.index(vector, 0, last);
    let element = builder.item(element);
    builder.emit(OpKind::Yield, vec![element]);
    let then = builder.close_region();
    builder.open_region(&[]);
    builder.emit(OpKind::Yield, vec![zero]);
    let otherwise = builder.close_region();
    builder.emit_typed(OpKind::If, vec![is_some], vec![Type::Scalar(DType::I64)], vec![then, otherwise])[0]
}
