//! The lanes of a warp that take a work item of a step together.
//!
//! In: what they sum up. Out: each lane's part of the sum's work items, and the total, combined by butterflies, so that all lanes have the same. All lanes do
//! alike what is no sum; one of them stores, when the others have loaded what they need from before, and before they load what is there then.

use inkwell::IntPredicate;
use inkwell::values::IntValue;
use numptx_ir::DType;
use numptx_ir::scalar::Reducer;

use super::launch::register;
use super::reduce::wide;
use super::warp::{Shuffle, WARP, exchange, with_neighbour};
use crate::accumulator::{Accumulator, Layout};
use crate::code::{ThreadGroup, TriangularSolve, Warp, Warps};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// The lanes of a warp.
pub(super) struct Lanes<'ctx> {
    /// This thread's, 32 bits.
    pub lane: IntValue<'ctx>,
}

impl<'ctx> ThreadGroup<'ctx> for Lanes<'ctx> {
    fn place(&self, e: &Emitter<'ctx, '_>, _work_items: IntValue<'ctx>) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
        Ok((wide(e, self.lane)?, e.i64(i64::from(WARP))))
    }

    fn has_lanes(&self) -> bool {
        true
    }

    fn barrier(&self, _e: &Emitter<'ctx, '_>) -> Emit<()> {
        Err(bug("a point waits for others"))
    }

    fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        total(e, layout, own)
    }

    fn solve(&self, _e: &Emitter<'ctx, '_>, _parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()> {
        Err(bug("a point solves a system"))
    }

    fn warps(&self, _e: &Emitter<'ctx, '_>) -> Emit<Option<Warps<'ctx>>> {
        Ok(None)
    }

    fn store(&self, e: &Emitter<'ctx, '_>, store: &mut dyn FnMut() -> Emit<()>) -> Emit<()> {
        meet(e)?;
        e.when(e.icmp_with(IntPredicate::EQ, self.lane, 0)?, store)?;
        meet(e)
    }
}

impl<'ctx> Warp<'ctx> for Lanes<'ctx> {
    fn lane(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        wide(e, self.lane)
    }

    fn before(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        register(e, "lanemask.lt")
    }

    fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        meet(e)
    }

    fn holding(&self, e: &Emitter<'ctx, '_>, condition: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let all = e.context.i32_type().const_all_ones();
        Ok(e.intrinsic("llvm.nvvm.vote.ballot.sync", &[], &[all.into(), condition.into()])?.into_int_value())
    }

    fn alike(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let all = e.context.i32_type().const_all_ones();
        Ok(e.intrinsic("llvm.nvvm.match.any.sync.i64", &[], &[all.into(), number.into()])?.into_int_value())
    }

    fn of_first(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let first = Shuffle::From(e.context.i32_type().const_zero());
        exchange(e, Scalar::Int(number), first)?.int()
    }
}

/// The accumulators of a warp's threads combined, for all of them. Lanes combine their own with their partners', so that only what does not depend on
/// the order of the two is the same for all: the extreme of 0 and -0 is the first one. Else the first lane's total is what all go on with; lanes that
/// decided otherwise would wait for each other forever.
pub(super) fn total<'ctx>(e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Accumulator<'ctx>> {
    let (mut total, mut distance) = (own.to_vec(), WARP / 2);
    while distance > 0 {
        total = with_neighbour(e, layout, &total, distance)?;
        distance /= 2;
    }
    if layout.reducers.iter().all(|(reducer, dtype)| is_commutative(*reducer, *dtype)) {
        return Ok(total);
    }
    let first = Shuffle::From(e.context.i32_type().const_zero());
    total.into_iter().map(|value| exchange(e, value, first)).collect()
}

/// The same of some neighbouring threads of a warp, a power of two of them. All threads of the warp come here.
pub(super) fn total_of_some<'ctx>(
    e: &Emitter<'ctx, '_>,
    layout: &Layout,
    own: &[Scalar<'ctx>],
    size: IntValue<'ctx>,
) -> Emit<Accumulator<'ctx>> {
    let (mut total, mut distance) = (own.to_vec(), WARP / 2);
    while distance > 0 {
        let reaches = e.icmp_with(IntPredicate::UGT, size, i64::from(distance))?;
        let both = with_neighbour(e, layout, &total, distance)?;
        let chosen = both.into_iter().zip(&total).map(|(both, own)| e.choose(reaches, both, *own));
        total = chosen.collect::<Emit<_>>()?;
        distance /= 2;
    }
    if layout.reducers.iter().all(|(reducer, dtype)| is_commutative(*reducer, *dtype)) {
        return Ok(total);
    }
    let lane = register(e, "laneid")?;
    let first = Shuffle::From(e.sub(lane, e.and(lane, e.sub(size, e.int_like(size, 1))?)?)?);
    total.into_iter().map(|value| exchange(e, value, first)).collect()
}

/// Whether two values give the same bits in both orders, however operations are contracted.
pub(super) fn is_commutative(reducer: Reducer, dtype: DType) -> bool {
    match reducer {
        Reducer::Add | Reducer::And | Reducer::Or | Reducer::Xor => true,
        Reducer::Mul => !dtype.is_complex(),
        Reducer::Min | Reducer::Max => dtype.is_integer() || dtype == DType::Bool,
        _ => false,
    }
}

/// Waits for all lanes: what they stored is seen afterwards, and what they loaded is what was there before.
pub(super) fn meet(e: &Emitter<'_, '_>) -> Emit<()> {
    let declaration = e.intrinsic_declaration("llvm.nvvm.bar.warp.sync", &[])?;
    let all = e.context.i32_type().const_all_ones();
    e.builder.build_call(declaration, &[all.into()], "")?;
    Ok(())
}
