//! Cooperative programs: one launch that runs the whole program, in one block, in a cluster of blocks, or in a grid whose blocks are all resident at once.
//!
//! In: a kernel with a cooperative program. Out: `block64`, for one block; `cluster64`, for blocks that are one cluster, whose barrier is the hardware's and
//! which reach each other's shared memory; and `grid64`, for a cooperative launch, whose blocks meet at a counter in global memory. Results of
//! reductions depend on the number of threads, which follows from the launch's extent, and not on who comes first.

use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::Code;

use super::blocks::{Block, Cluster, Grid, Others, SLOT};
use super::lanes::Lanes;
use super::launch::{Extra, Launch, Variant, Width};
use super::reduce::wide;
use super::warp::{self, WARP};
use crate::DeviceTarget;
use crate::accumulator::Layout;
use crate::code::{ThreadGroup, TriangularSolve, Warps, anew};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Neighbouring warps of a block that take neighbouring work items: elements of a sector of memory.
const NEIGHBOURS: i64 = 4;

/// The blocks of a launch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Block,
    Cluster,
    Grid,
}

/// The variants that an architecture has.
pub(super) fn sizes(target: DeviceTarget) -> &'static [Size] {
    if target.has_clusters() { &[Size::Block, Size::Cluster, Size::Grid] } else { &[Size::Block, Size::Grid] }
}

/// Emits `<name>__block64`, `<name>__cluster64` or `<name>__grid64`.
pub(super) fn emit<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, code: &Code, size: Size) -> Emit<FunctionValue<'ctx>> {
    let (name, extra): (_, &[Extra]) = match size {
        Size::Block => ("block64", &[]),
        Size::Cluster => ("cluster64", &[]),
        Size::Grid => ("grid64", &[Extra::Pointer]),
    };
    let variant = Variant { name: name.to_string(), width: Some(Width::Bits64), extra, alignment: 1 };
    let launch = Launch::start(e, kernel, &variant)?;
    if size == Size::Cluster {
        let threads = numptx_abi::Kernel::CLUSTER_THREADS.to_string();
        let threads = e.context.create_string_attribute("nvvm.maxntid", &threads);
        launch.function.add_attribute(AttributeLoc::Function, threads);
    }
    let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
    let function = launch.function.get_name().to_string_lossy().into_owned();
    let others = match (size, launch.extra.first()) {
        (Size::Block, _) => Others::Nobody,
        (Size::Cluster, _) => Others::Cluster(Cluster::new(e, &function)?),
        (Size::Grid, Some(scratch)) => Others::Grid(Grid::new(e, scratch.into_pointer_value())?),
        (Size::Grid, None) => return Err(bug("a grid has no memory to meet at")),
    };
    let most = if size == Size::Cluster { numptx_abi::Kernel::CLUSTER_THREADS.into() } else { kernel.schedule.block };
    e.cooperative_code(code, &elements, &Block::new(e, &function, others, most)?)?;
    launch.finish(e)
}

impl<'ctx> ThreadGroup<'ctx> for Block<'ctx> {
    /// In a cluster warps are numbered across the blocks, so that few work items are spread over all processors, and steps that no barrier parts begin with
    /// other warps. In a grid they are where each thread has a point at most; else neighbours belong to one processor.
    fn place(&self, e: &Emitter<'ctx, '_>, work_items: IntValue<'ctx>) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
        let (block, blocks) = match &self.others {
            Others::Nobody => return Ok((self.number, self.n)),
            Others::Cluster(cluster) => (wide(e, cluster.block)?, wide(e, cluster.blocks)?),
            Others::Grid(grid) => (grid.block, grid.blocks),
        };
        let turn = self.turn.replace(self.turn.get() + 1);
        let (thread, size) = (wide(e, self.thread)?, e.i64(i64::from(WARP)));
        let (warp, warps) = (e.udiv(thread, size)?, e.udiv(wide(e, self.threads)?, size)?);
        let lane = e.sub(thread, e.mul(warp, size)?)?;
        let warp = match &self.others {
            Others::Grid(_) => {
                let warp = e.sub(warp, e.i64(turn % 2))?;
                let is_first = e.icmp_with(IntPredicate::SLT, warp, 0)?;
                e.select(is_first, e.add(warp, warps)?, warp)?
            }
            // A block of a cluster has a power of two of warps.
            _ => e.and(e.add(warp, e.i64(-turn))?, e.sub(warps, e.i64(1))?)?,
        };
        let warp = e.add(block, e.mul(blocks, warp)?)?;
        let number = e.add(lane, e.mul(warp, size)?)?;
        if let Others::Cluster(_) = &self.others {
            return Ok((number, self.n));
        }
        let are_few = e.icmp(IntPredicate::SLE, work_items, self.n)?;
        Ok((e.select(are_few, number, self.number)?, self.n))
    }

    fn has_lanes(&self) -> bool {
        !matches!(self.others, Others::Nobody)
    }

    fn barrier(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        self.turn.set(0);
        match &self.others {
            Others::Nobody => warp::barrier(e),
            Others::Cluster(cluster) => cluster.meet(e),
            Others::Grid(grid) => {
                warp::barrier(e)?;
                e.when(e.icmp_with(IntPredicate::EQ, self.thread, 0)?, || grid.meet(e))?;
                warp::barrier(e)
            }
        }
    }

    fn solve(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()> {
        self.triangular_solve(e, parts)
    }

    fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        if i64::from(layout.bytes) > SLOT {
            return Err(bug("an accumulator of one value is too large"));
        }
        self.turn.set(0);
        match &self.others {
            Others::Nobody => self.block_total(e, layout, own),
            Others::Cluster(cluster) => self.cluster_total(e, cluster, layout, own),
            Others::Grid(grid) => self.grid_total(e, grid, layout, &self.block_total(e, layout, own)?),
        }
    }

    /// They are spread over the blocks, some neighbours in one block: rows that lanes go along across their memory share its sectors.
    fn warps(&self, e: &Emitter<'ctx, '_>) -> Emit<Option<Warps<'ctx>>> {
        let (own, size) = (anew(e, self.thread)?, e.i64(i64::from(WARP)));
        let lane = e.and(own, e.int_like(own, i64::from(WARP) - 1))?;
        let (thread, lanes) = (wide(e, own)?, Box::new(Lanes { lane }));
        let (warp, warps) = (e.udiv(thread, size)?, e.udiv(wide(e, self.threads)?, size)?);
        let (block, blocks) = match &self.others {
            Others::Nobody => return Ok(Some(Warps { number: warp, n: warps, lanes })),
            Others::Cluster(cluster) => (wide(e, cluster.block)?, wide(e, cluster.blocks)?),
            Others::Grid(grid) => (grid.block, grid.blocks),
        };
        let are_even = e.icmp_with(IntPredicate::EQ, e.and(warps, e.i64(NEIGHBOURS - 1))?, 0)?;
        let some = e.select(are_even, e.i64(NEIGHBOURS), e.i64(1))?;
        let group = e.udiv(warp, some)?;
        let first = e.mul(e.add(block, e.mul(blocks, group)?)?, some)?;
        let number = e.add(first, e.sub(warp, e.mul(group, some)?)?)?;
        Ok(Some(Warps { number, n: e.mul(warps, blocks)?, lanes }))
    }
}
