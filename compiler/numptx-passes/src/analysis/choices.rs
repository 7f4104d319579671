//! Choices that a store makes when running: where it reads an operand from, and where it writes.
//!
//! In: arrays of a function under rebuild, a condition. Out: an array that is one of two, as the result of an `if`. So a hazard costs one kernel
//! and a copy where it is there, and a question where it is not; the kernel is the same. It does not decide whether to ask.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Map, Op, OpKind, Order, OrderTerm, Region, Store, Type, ValueId};
use numptx_ir::scalar::{Body, Constant, ScalarOp};

use crate::rewrite::emit::Emitter;

/// Whether what is copied may have an extent of 1 where the destination has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broadcasts {
    /// The extents are equal.
    Never,
    /// That is known when running.
    Perhaps,
}

impl Emitter {
    /// Whether storing to `destination` element by element could change what is read of one of `operands` at another point, or of one of
    /// `tables` at any.
    pub fn overlap(&mut self, destination: ValueId, operands: &[ValueId], tables: &[ValueId]) -> ValueId {
        let mut asked = operands.to_vec();
        for table in tables {
            // Of arrays with another number of axes no element is at the same point.
            let is_alike = self.array(*table).map(|a| a.rank) == self.array(destination).map(|a| a.rank);
            asked.push(if is_alike { self.view(OpKind::NewAxis { axis: 0 }, vec![*table], None) } else { *table });
        }
        let ask = |emitter: &mut Emitter, operand: ValueId| {
            emitter.number(OpKind::Overlap, vec![destination, operand], DType::Bool, None)[0]
        };
        let answers: Vec<ValueId> = asked.iter().map(|v| ask(self, *v)).collect();
        let or = |a: ValueId, b: ValueId| self.scalar(ScalarOp::BitOr, &[a, b], DType::Bool);
        answers.into_iter().reduce(or).unwrap_or_else(|| self.constant(Constant::Bool(false), DType::Bool))
    }

    /// Whether an array has as many axes as arrays can have: no room for [`Emitter::overlap`] of a table.
    pub fn has_all_axes(&self, array: ValueId) -> bool {
        self.array(array).is_some_and(|a| a.rank >= 16)
    }

    /// A copy of an array, in memory order of the array.
    pub fn copy(&mut self, array: ValueId) -> ValueId {
        let extents = self.shape(array);
        let (rank, order) = (extents.len(), self.own_order(array));
        let map = Map { rank, body: Body::identity(self.ty(array).dtype()), order };
        self.push_new(OpKind::Map(Box::new(map)), [extents, vec![array]].concat())[0]
    }

    /// A copy of an array where the condition holds, else the array itself; to be read only.
    pub fn copy_if(&mut self, condition: ValueId, array: ValueId) -> ValueId {
        // Known outside too, so that later ops find them.
        self.shape(array);
        self.open_region(Vec::new());
        let copy = self.copy(array);
        let chosen = self.close_with(copy);
        self.choose(condition, (chosen, copy), array, false)
    }

    /// Fresh memory of the shape and order of an array where the condition holds, else the array itself.
    pub fn fresh_if(&mut self, condition: ValueId, array: ValueId) -> ValueId {
        let extents = self.shape(array);
        let order = self.own_order(array);
        self.fresh_in_order_if(condition, array, extents, order)
    }

    /// Fresh memory of some extents where the condition holds, which it does if an array has others; else the array itself.
    pub fn fresh_of_if(&mut self, condition: ValueId, array: ValueId, extents: Vec<ValueId>) -> ValueId {
        self.fresh_in_order_if(condition, array, extents, Order::C)
    }

    fn fresh_in_order_if(
        &mut self,
        condition: ValueId,
        array: ValueId,
        extents: Vec<ValueId>,
        order: Order,
    ) -> ValueId {
        let dtype = self.ty(array).dtype();
        let terms = if matches!(order, Order::K(_)) { vec![array] } else { Vec::new() };
        self.open_region(Vec::new());
        let fresh = self.push_new(OpKind::Alloc { dtype, order }, [extents, terms].concat())[0];
        let chosen = self.close_with(fresh);
        self.choose(condition, (chosen, fresh), array, true)
    }

    /// Copies elements from one array to another, along which it may be broadcast, where the condition holds; they share none then.
    pub fn store_copy_if(&mut self, condition: ValueId, to: ValueId, from: ValueId, broadcasts: Broadcasts) {
        let extents = self.shape(to);
        self.open_region(Vec::new());
        let from = match broadcasts {
            Broadcasts::Never => from,
            Broadcasts::Perhaps => self.view(OpKind::Broadcast, [vec![from], extents.clone()].concat(), None),
        };
        let store = Store { rank: extents.len(), body: Body::identity(self.ty(to).dtype()) };
        self.push_new(OpKind::Store(Box::new(store)), [extents, vec![to, from]].concat());
        let (then, otherwise) = (self.close_with_nothing(), self.nothing());
        self.push_if(condition, Vec::new(), then, otherwise);
    }

    /// C order where the array is in it, else K order of the array itself.
    fn own_order(&mut self, array: ValueId) -> Order {
        let rank = self.array(array).map_or(0, |a| a.rank);
        let is_c = rank <= 1 || self.is_c_ordered(array);
        if is_c { Order::C } else { Order::K(vec![OrderTerm::Input(0)]) }
    }

    /// The result of an `if`: what its first region yields, else the array.
    fn choose(&mut self, condition: ValueId, first: (Region, ValueId), array: ValueId, writable: bool) -> ValueId {
        self.open_region(Vec::new());
        let otherwise = self.close_with(array);
        let (Type::Array(a), Type::Array(b)) = (self.ty(first.1), self.ty(array)) else { return array };
        let layout = if a.layout == b.layout { a.layout } else { Layout::Any };
        let result = self.new_value(Type::Array(ArrayType { layout, writable, ..b }));
        self.push_if(condition, vec![result], first.0, otherwise);
        result
    }

    fn push_if(&mut self, condition: ValueId, results: Vec<ValueId>, then: Region, otherwise: Region) {
        let regions = vec![then, otherwise];
        let span = self.span();
        self.push(Op { kind: OpKind::If, operands: vec![condition], results, regions, span });
    }

    fn close_with(&mut self, value: ValueId) -> Region {
        self.push_new(OpKind::Yield, vec![value]);
        self.close_region()
    }

    fn close_with_nothing(&mut self) -> Region {
        self.push_new(OpKind::Yield, Vec::new());
        self.close_region()
    }

    fn nothing(&mut self) -> Region {
        self.open_region(Vec::new());
        self.close_with_nothing()
    }
}
