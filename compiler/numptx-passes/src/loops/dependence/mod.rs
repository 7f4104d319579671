//! Which loops of a nest may run in parallel: dependence analysis of affine accesses.
//!
//! In: a [`Nest`] of loops, accesses and facts, made from any IR. Out: a [`Class`] for each loop, all [`Dependence`]s that it carries, whether a
//! sequential loop may go inside parallel ones ([`Interchange`]), and when what may run together ([`Wavefront`]). Does not read or change programs.
//!
//! Two accesses, each in iterations of its own, touch the same element where a system of linear equations and inequalities has a solution in
//! integers: subscripts are equal, intervals are entered at some count, indices lie in their loops' bounds, facts hold, and the iterations are in
//! the order that is asked about. `instances` writes that system, `system` decides it, `order` asks it about one loop at a time. Every answer
//! errs towards dependence. Where subscripts and bounds are as in programs, unit coefficients, the answer is exact; work is bounded for any input.

mod affine;
mod answers;
mod classify;
mod found;
mod implication;
mod instances;
mod interchange;
mod nest;
mod order;
mod remainders;
mod system;
mod wavefront;

pub use affine::{Affine, LoopId, Symbol, Variable};
pub use answers::Answers;
pub use classify::{classify, dependences, is_unwritten_before, may_repeat, parallel_loops};
pub use found::{Class, Dependence, DependenceKind, Interchange, MAX_AROUND, Part, Time, Wavefront};
pub(crate) use implication::{follows, is_never};
pub use interchange::interchange;
pub use nest::{Access, AccessId, AccessKind, ArrayId, Loop, Nest, ReductionGroup, Step, Subscript};
pub(crate) use system::Work;
pub use wavefront::{are_alike, holds, wavefront};
