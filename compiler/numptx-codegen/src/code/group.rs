//! The threads that run a cooperative program, as it sees them, and what it gives them of a triangular solve.

use inkwell::values::IntValue;
use numptx_ir::DType;
use numptx_ir::scalar::{Reducer, Val};

use crate::accumulator::Layout;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// The threads that run a cooperative program.
pub(crate) trait ThreadGroup<'ctx> {
    /// This thread's number in the next step, of so many work items, and how many threads there are, `i64`.
    fn place(&self, e: &Emitter<'ctx, '_>, work_items: IntValue<'ctx>) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)>;
    /// Whether a thread has some points at once where it has many: not where waiting for memory is short, and code counts.
    fn has_lanes(&self) -> bool;
    /// Waits for all of them; what they stored is seen afterwards.
    fn barrier(&self, e: &Emitter<'ctx, '_>) -> Emit<()>;
    /// Runs a triangular solve. A barrier, too, where there is an iteration.
    fn solve(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()>;
    /// Their accumulators combined, for all of them. A barrier, too.
    fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>>;
    /// Their warps, if these may take the work items of the next step.
    fn warps(&self, e: &Emitter<'ctx, '_>) -> Emit<Option<Warps<'ctx>>>;
    /// Stores what this thread has, if it is not for another to do that.
    fn store(&self, _e: &Emitter<'ctx, '_>, store: &mut dyn FnMut() -> Emit<()>) -> Emit<()> {
        store()
    }
    /// How a loop combines what it carries, by its index, if they share its iterations.
    fn combined(&self, _index: Val) -> Option<&[(Reducer, DType)]> {
        None
    }
    /// Whether they leave the work item to others, because a loop that they share has so many iterations; `None`: they do not.
    fn leaves(&self, _e: &Emitter<'ctx, '_>, _count: IntValue<'ctx>) -> Emit<Option<IntValue<'ctx>>> {
        Ok(None)
    }
}

/// Warps whose lanes take work items together.
pub(crate) struct Warps<'ctx> {
    /// This thread's warp among all, and how many there are, `i64`.
    pub number: IntValue<'ctx>,
    pub n: IntValue<'ctx>,
    /// The lanes of this one.
    pub lanes: Box<dyn ThreadGroup<'ctx> + 'ctx>,
}

/// What an iteration has loaded and computed without its total.
pub(crate) type Ready<'ctx> = Vec<(Known, Scalar<'ctx>)>;

/// What is known of an iteration without its total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// A value.
    Value(Val),
    /// The reciprocal of a value, by which something that needs the total is divided.
    Reciprocal(Val),
    /// A value by the reciprocal of another one: of `(known - total) / divisor`. It saves a step, and may be left out.
    Scaled(Val, Val),
}

/// The parts of a triangular solve, each for iterations that exist.
pub(crate) trait TriangularSolve<'ctx> {
    /// How many iterations there are, `i64`.
    fn n(&self) -> IntValue<'ctx>;
    /// How terms are combined.
    fn layout(&self) -> &Layout;
    /// The value of an iteration, as a layout.
    fn of_value(&self) -> &Layout;
    /// The factor of an iteration, as a layout.
    fn of_factor(&self) -> &Layout;
    /// The value that an iteration has stored.
    fn given(&mut self, iteration: IntValue<'ctx>) -> Emit<Scalar<'ctx>>;
    /// Stores the value of an iteration.
    fn store(&mut self, iteration: IntValue<'ctx>, value: Scalar<'ctx>) -> Emit<()>;
    /// The factor of an iteration for the value of another one before it.
    fn factor(&mut self, iteration: IntValue<'ctx>, other: IntValue<'ctx>) -> Emit<Scalar<'ctx>>;
    /// The term of a factor and a value.
    fn term(&mut self, factor: Scalar<'ctx>, value: Scalar<'ctx>) -> Emit<Scalar<'ctx>>;
    /// What an iteration computes before its total is known, as far as its value needs that.
    fn ready(&mut self, iteration: IntValue<'ctx>) -> Emit<Ready<'ctx>>;
    /// The value of an iteration that is ready.
    fn value(&mut self, ready: &Ready<'ctx>, total: Scalar<'ctx>) -> Emit<Scalar<'ctx>>;
    /// How many steps a value takes when its total is known.
    fn n_late(&self) -> usize;
    /// Whether there is a quicker way to a value, which may fail.
    fn is_quick(&self) -> bool;
    /// The value that the quicker way gives.
    fn quick_value(&mut self, ready: &Ready<'ctx>, total: Scalar<'ctx>) -> Emit<Scalar<'ctx>>;
    /// The value, and whether that is right and what the quicker way gives; see [`Emitter::is_about`].
    fn checked_value(&mut self, ready: &Ready<'ctx>, total: Scalar<'ctx>) -> Emit<(Scalar<'ctx>, IntValue<'ctx>)>;
}
