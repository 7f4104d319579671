//! Computes a map at the points of a view of it: views are pushed through to the map's inputs.
//!
//! In: a chain of views over a map's result. Out: the value of the view's element in the consumer's body. For the inputs of the map the
//! same views are made of each array; indices that the map's body reads become arithmetic on the consumer's indices.

use std::rc::Rc;

use numptx_ir::DType;
use numptx_ir::array::{Layout, OpKind, Order, OrderTerm, ValueId};
use numptx_ir::scalar::{BodyBuilder, Constant, InstrKind, ScalarOp, Val};

use crate::rewrite::emit::{Definition, Emitter};
use crate::rewrite::order::{Vote, has_copy};
use crate::source::computations::{Computation, Inputs, is_read};

/// A chain of views, from the map's result outwards.
pub struct Inlining {
    chain: Vec<Rc<Definition>>,
    /// Axes of the consumer's iteration space.
    rank: usize,
    /// Its leading axes whose memory order follows the inputs; 0 where nothing does.
    n_ordered: usize,
}

/// What is computed inside of a consumer.
pub struct Inlined<'c> {
    /// The map.
    pub computation: &'c Computation,
    /// Where its tables are among the consumer's.
    pub tables: &'c [u32],
    /// The output of its body that the consumer reads.
    pub output: usize,
}

impl Inlining {
    /// The views between `array` and its root.
    pub fn new(emitter: &Emitter, array: ValueId, rank: usize, n_ordered: usize) -> Self {
        let mut chain = Vec::new();
        let mut array = array;
        while let Some(view) = emitter.definition(array).filter(|d| d.kind.is_view()) {
            array = view.operands[0];
            chain.push(view);
        }
        chain.reverse();
        Inlining { chain, rank, n_ordered }
    }

    /// What the view says about the consumer's memory order once its root is not made; `None` if that cannot be told in terms of the
    /// inputs.
    pub fn vote(&self, emitter: &mut Emitter, producer: &Computation, inputs: &mut Inputs) -> Option<Vote> {
        let is_skewed = |view: &Rc<Definition>| {
            matches!(view.kind, OpKind::Diagonal { .. } | OpKind::Windows { .. } | OpKind::Split { .. })
        };
        let is_skewed = self.chain.iter().any(is_skewed);
        if self.n_ordered <= 1 || producer.result_rank <= 1 && !is_skewed {
            // An array that lies along one axis prefers none to another.
            return Some(Vote::none());
        }
        if producer.result_rank <= 1 {
            return Some(self.windows_vote(emitter, producer, inputs));
        }
        if is_skewed {
            return None;
        }
        let is_permuted = !self.kept_axes(producer.result_rank).is_sorted();
        match &producer.order {
            Order::C => self.fresh_vote(emitter, &[], producer, inputs),
            Order::F => None,
            Order::K(terms) if has_copy(terms) && !self.keeps_strides(emitter) => None,
            Order::K(terms) => {
                if is_permuted && has_copy(terms) {
                    return None;
                }
                if let [OrderTerm::Input(n)] = terms[..]
                    && !may_repeat(emitter, producer.inputs[n])
                {
                    let pushed = self.pushed(emitter, producer.inputs[n]);
                    return Some(Vote::of_input(inputs.position(pushed)));
                }
                // Axes stay in C order unless every term wants otherwise, so terms that abstain nowhere may stand among the consumer's.
                if !is_permuted && let Some(standing) = standing_inputs(emitter, terms, producer) {
                    let pushed =
                        standing.into_iter().map(|n| inputs.position(self.pushed(emitter, producer.inputs[n])));
                    return Some(Vote::of_inputs(pushed.collect()));
                }
                self.fresh_vote(emitter, terms, producer, inputs)
            }
        }
    }

    /// The vote of the root in its own right. `terms`: its order's.
    fn fresh_vote(
        &self,
        emitter: &mut Emitter,
        terms: &[OrderTerm],
        producer: &Computation,
        inputs: &mut Inputs,
    ) -> Option<Vote> {
        let is_broadcast = |view: &Rc<Definition>| matches!(view.kind, OpKind::Broadcast);
        let like = match self.chain.iter().rposition(is_broadcast) {
            // The extents between two broadcasts are no input's.
            Some(last) if self.chain[..last].iter().any(is_broadcast) => return None,
            Some(_) => {
                let like = self.unstretched(emitter, read_array(emitter, producer)?, producer);
                Some(inputs.position(like))
            }
            None => None,
        };
        let axes = self.pushed_axes(producer.result_rank, &[]);
        Some(Vote::of_fresh(like, axes, self.pushed_terms(emitter, terms, producer, inputs)))
    }

    /// The consumer's axes as an array had them whose axes were the root's, in another order if `axes` says so. Axes that it had not come first, where
    /// they, of extent 1, change nothing.
    fn pushed_axes(&self, root_rank: usize, axes: &[usize]) -> Vec<usize> {
        let along = self.axes_along(root_rank);
        let mut pushed: Vec<usize> = (0..along.len()).filter(|axis| along[*axis].is_none()).collect();
        let place = |axis: &usize| axes.iter().position(|a| a == axis).unwrap_or(*axis);
        let mut kept: Vec<usize> = (0..along.len()).filter(|axis| along[*axis].is_some()).collect();
        kept.sort_by_key(|axis| along[*axis].as_ref().map(place));
        pushed.extend(kept);
        if pushed.is_sorted() { Vec::new() } else { pushed }
    }

    /// An input of the view's extents; `None` if the root was made of no array.
    pub fn like(&self, emitter: &mut Emitter, producer: &Computation, inputs: &mut Inputs) -> Option<usize> {
        let array = read_array(emitter, producer)?;
        Some(inputs.position(self.pushed(emitter, producer.inputs[array])))
    }

    /// The root's axes that the ordered axes of the view run along.
    fn kept_axes(&self, root_rank: usize) -> Vec<usize> {
        self.axes_along(root_rank).into_iter().flatten().collect()
    }

    /// By ordered axis of the view: the root's axis along which it runs.
    fn axes_along(&self, root_rank: usize) -> Vec<Option<usize>> {
        let mut axes: Vec<Option<usize>> = (0..root_rank).map(Some).collect();
        for view in &self.chain {
            match &view.kind {
                OpKind::Index { axis } | OpKind::DropAxis { axis } => drop(axes.remove(*axis)),
                OpKind::NewAxis { axis } => axes.insert(*axis, None),
                OpKind::Permute { permutation } => axes = permutation.iter().map(|p| axes[*p]).collect(),
                OpKind::Broadcast => {
                    let n_new = view.operands.len() - 1 - axes.len();
                    axes.splice(0..0, std::iter::repeat_n(None, n_new));
                }
                _ => {}
            }
        }
        axes.truncate(self.n_ordered);
        axes
    }

    /// Whether the view has axes that its root has not, or longer ones.
    pub fn is_stretched(&self) -> bool {
        self.chain.iter().any(|view| matches!(view.kind, OpKind::Broadcast | OpKind::NewAxis { .. }))
    }

    /// Whether |strides| of the view are its root's, whatever those are.
    fn keeps_strides(&self, emitter: &Emitter) -> bool {
        self.chain.iter().all(|view| match &view.kind {
            OpKind::Slice { .. } => matches!(emitter.i64_of(view.operands[3]), Some(1 | -1)),
            OpKind::Index { .. } | OpKind::DropAxis { .. } | OpKind::Permute { .. } => true,
            OpKind::Part { .. } | OpKind::ReadOnly | OpKind::Writable => true,
            _ => false,
        })
    }

    /// Whether the view surely repeats its root along some axis.
    pub fn repeats(&self, emitter: &Emitter) -> bool {
        self.chain.iter().any(|view| match view.kind {
            OpKind::Broadcast => {
                let rank = emitter.array(view.operands[0]).map_or(0, |a| a.rank);
                view.operands.len() - 1 > rank || (0..rank).any(|axis| emitter.is_one(view.operands[0], axis))
            }
            OpKind::Windows { .. } => true,
            _ => false,
        })
    }

    /// Windows of a vector lie as windows of any input of it that repeats nothing.
    fn windows_vote(&self, emitter: &mut Emitter, producer: &Computation, inputs: &mut Inputs) -> Vote {
        let is_vector = |v: &&ValueId| emitter.array(**v).is_some_and(|a| a.rank == 1) && !is_broadcast(emitter, **v);
        match producer.inputs.iter().find(is_vector).copied() {
            Some(vector) => Vote::of_input(inputs.position(self.pushed(emitter, vector))),
            None => Vote::none(),
        }
    }

    fn pushed_terms(
        &self,
        emitter: &mut Emitter,
        terms: &[OrderTerm],
        producer: &Computation,
        inputs: &mut Inputs,
    ) -> Vec<OrderTerm> {
        let mut pushed = Vec::with_capacity(terms.len());
        for term in terms {
            let mut position = |n: usize| inputs.position(self.unstretched(emitter, n, producer));
            pushed.push(match term {
                OrderTerm::Input(n) => OrderTerm::Input(position(*n)),
                OrderTerm::Copy(n) => OrderTerm::Copy(position(*n)),
                OrderTerm::Joined(n) => OrderTerm::Joined(position(*n)),
                OrderTerm::Fresh { like, axes, terms } => {
                    let like = like.map(position);
                    let axes = self.pushed_axes(producer.result_rank, axes);
                    OrderTerm::Fresh { like, axes, terms: self.pushed_terms(emitter, terms, producer, inputs) }
                }
            });
        }
        pushed
    }

    /// The chain's views of an input, but as it is before it is broadcast: axes that it gets then have extent 1. Where it may be broadcast already,
    /// as one that only the order names, it is not sliced: a fresh array's slices lie as it does.
    fn unstretched(&self, emitter: &mut Emitter, input: usize, producer: &Computation) -> ValueId {
        let mut array = producer.inputs[input];
        let mut is_whole = is_read(&producer.body, input);
        for view in &self.chain {
            match &view.kind {
                OpKind::Part { .. } | OpKind::ReadOnly | OpKind::Writable => {}
                OpKind::Broadcast => {
                    is_whole = false;
                    let rank = emitter.array(array).map_or(0, |a| a.rank);
                    for _ in rank..view.operands.len() - 1 {
                        array = emitter.view(OpKind::NewAxis { axis: 0 }, vec![array], None);
                    }
                }
                OpKind::Slice { .. } if !is_whole => {}
                OpKind::Index { .. } if !is_whole => {
                    let first = emitter.i64(0);
                    array = emitter.view(view.kind.clone(), vec![array, first], None);
                }
                OpKind::DropAxis { axis } if !is_whole && !emitter.is_one(array, *axis) => {
                    let first = emitter.i64(0);
                    array = emitter.view(OpKind::Index { axis: *axis }, vec![array, first], None);
                }
                _ => array = emitter.view(view.kind.clone(), [&[array], &view.operands[1..]].concat(), None),
            }
        }
        emitter.same_elements(array)
    }

    /// Adds the producer's body; the value of the output at the consumer's point.
    pub fn inline(
        &self,
        emitter: &mut Emitter,
        producer: &Inlined,
        builder: &mut BodyBuilder,
        inputs: &mut Inputs,
    ) -> Val {
        let Inlined { computation: producer, tables, output } = *producer;
        let mut vals = Vec::with_capacity(producer.inputs.len());
        for input in &producer.inputs {
            let pushed = if emitter.is_scalar(*input) { *input } else { self.pushed(emitter, *input) };
            vals.push(builder.input(inputs.position(pushed) as u32, emitter.ty(*input).dtype()));
        }
        let indices = producer.body.uses_index().then(|| self.coordinates(emitter, builder, inputs));
        let outputs = builder.inline_tables(&producer.body, &vals, indices.as_deref(), tables);
        self.chain.iter().fold(outputs[output], |val, view| match view.kind {
            OpKind::Part { imaginary: true } => builder.op(ScalarOp::Imag, &[val]),
            OpKind::Part { imaginary: false } => builder.op(ScalarOp::Real, &[val]),
            _ => val,
        })
    }

    /// The chain's views of another array of the root's extents.
    fn pushed(&self, emitter: &mut Emitter, array: ValueId) -> ValueId {
        let mut array = array;
        for view in &self.chain {
            if !matches!(view.kind, OpKind::Part { .. } | OpKind::ReadOnly | OpKind::Writable) {
                let operands = [&[array], &view.operands[1..]].concat();
                array = emitter.view(view.kind.clone(), operands, None);
            }
        }
        emitter.same_elements(array)
    }

    /// The root's indices at the consumer's point.
    fn coordinates(&self, emitter: &mut Emitter, builder: &mut BodyBuilder, inputs: &mut Inputs) -> Vec<Val> {
        let mut point: Vec<Val> = (0..self.rank as u32).map(|axis| builder.index(axis)).collect();
        for view in self.chain.iter().rev() {
            let mut scalar =
                |emitter: &Emitter, builder: &mut BodyBuilder, value| scalar_val(emitter, builder, inputs, value);
            match &view.kind {
                OpKind::Slice { axis } => {
                    let start = scalar(emitter, builder, view.operands[1]);
                    let step = scalar(emitter, builder, view.operands[3]);
                    let offset = builder.op(ScalarOp::Mul, &[point[*axis], step]);
                    point[*axis] = builder.op(ScalarOp::Add, &[offset, start]);
                }
                OpKind::Index { axis } => {
                    let index = scalar(emitter, builder, view.operands[1]);
                    point.insert(*axis, index);
                }
                OpKind::NewAxis { axis } => drop(point.remove(*axis)),
                OpKind::DropAxis { axis } => point.insert(*axis, integer(builder, 0)),
                OpKind::Permute { permutation } => {
                    let outer = point.clone();
                    permutation.iter().zip(outer).for_each(|(axis, val)| point[*axis] = val);
                }
                OpKind::Diagonal { axes: [first, second] } => {
                    let Some(along) = point.pop() else { continue };
                    point.insert(*first.min(second), along);
                    point.insert(*first.max(second), along);
                }
                OpKind::Windows { axis } => {
                    let Some(inside) = point.pop() else { continue };
                    point[*axis] = builder.op(ScalarOp::Add, &[point[*axis], inside]);
                }
                OpKind::Split { axis } => {
                    let inside = point.remove(*axis + 1);
                    let length = scalar(emitter, builder, view.operands[2]);
                    let first = builder.op(ScalarOp::Mul, &[point[*axis], length]);
                    point[*axis] = builder.op(ScalarOp::Add, &[first, inside]);
                }
                OpKind::Broadcast => {
                    let n_new = point.len() - emitter.array(view.operands[0]).map_or(0, |a| a.rank);
                    point.drain(..n_new);
                    for (axis, val) in point.iter_mut().enumerate() {
                        let extent = emitter.dim(view.operands[0], axis);
                        if extent != view.operands[1 + n_new + axis] {
                            let factor = emitter.is_longer_than_one(extent);
                            let factor = scalar(emitter, builder, factor);
                            *val = builder.op(ScalarOp::Mul, &[*val, factor]);
                        }
                    }
                }
                _ => {}
            }
        }
        point
    }
}

/// The inputs that an order names, if it names nothing else and none of them is repeated along an axis.
fn standing_inputs(emitter: &Emitter, terms: &[OrderTerm], producer: &Computation) -> Option<Vec<usize>> {
    let standing = |term: &OrderTerm| match term {
        OrderTerm::Input(n) => (!may_repeat(emitter, producer.inputs[*n])).then_some(*n),
        OrderTerm::Copy(_) | OrderTerm::Joined(_) | OrderTerm::Fresh { .. } => None,
    };
    if terms.is_empty() { None } else { terms.iter().map(standing).collect() }
}

/// An array that the body reads, which has the computation's extents; rather one that the order names.
fn read_array(emitter: &Emitter, producer: &Computation) -> Option<usize> {
    let is_array = |n: &usize| !emitter.is_scalar(producer.inputs[*n]) && is_read(&producer.body, *n);
    let is_named = |n: &usize| matches!(&producer.order, Order::K(terms) if terms.contains(&OrderTerm::Input(*n)));
    let arrays: Vec<usize> = (0..producer.inputs.len()).filter(is_array).collect();
    arrays.iter().copied().find(is_named).or_else(|| arrays.first().copied())
}

/// Whether an input is a broadcast view: its fresh copy would not be.
fn is_broadcast(emitter: &Emitter, input: ValueId) -> bool {
    let view = emitter.definition(input).filter(|d| d.kind.is_view());
    view.is_some_and(|view| matches!(view.kind, OpKind::Broadcast) || is_broadcast(emitter, view.operands[0]))
}

/// Whether an input may be repeated along some axis: it is broadcast, or it is an array from elsewhere, as arguments are.
fn may_repeat(emitter: &Emitter, input: ValueId) -> bool {
    if emitter.array(input).is_some_and(|a| a.layout != Layout::Any) {
        return false;
    }
    match emitter.definition(input) {
        None => true,
        Some(view) if matches!(view.kind, OpKind::Broadcast | OpKind::Strided { .. } | OpKind::Call { .. }) => true,
        Some(view) if view.kind.is_view() || view.kind.is_view_or_copy() => may_repeat(emitter, view.operands[0]),
        Some(_) => false,
    }
}

fn integer(builder: &mut BodyBuilder, value: i64) -> Val {
    builder.push(InstrKind::Constant(Constant::Int(value)), DType::I64)
}

fn scalar_val(emitter: &Emitter, builder: &mut BodyBuilder, inputs: &mut Inputs, value: ValueId) -> Val {
    match emitter.i64_of(value) {
        Some(value) => integer(builder, value),
        None => builder.input(inputs.position(value) as u32, DType::I64),
    }
}

impl Emitter {
    /// 1, or 0 for an extent of 1: what an index is multiplied with where it is repeated.
    fn is_longer_than_one(&mut self, extent: ValueId) -> ValueId {
        let one = self.i64(1);
        let longer = self.scalar(ScalarOp::Ne, &[extent, one], DType::Bool);
        self.scalar(ScalarOp::Cast, &[longer], DType::I64)
    }
}
