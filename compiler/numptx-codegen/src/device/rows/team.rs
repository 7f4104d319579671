//! The threads that share a row: who they are, which rows they take, and their totals.

use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::types::IntType;
use inkwell::values::IntValue;
use numptx_ir::kernel::Kernel;

use super::super::blocks::{Block, Cluster, Others, SLOT};
use super::super::lanes;
use super::super::launch::{Extra, Launch, Variant, Width, register, wide_register};
use super::super::warp::WARP;
use crate::accumulator::{Accumulator, Layout};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// What a team is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    /// Some lanes of a warp.
    Few,
    Warp,
    Block,
    Cluster,
    /// A block that reads its row again in each phase.
    Streaming,
}

impl Threads {
    /// Makes the variant's function. Few lanes are told how many share a row.
    pub fn start<'ctx>(self, e: &Emitter<'ctx, '_>, kernel: &Kernel) -> Emit<Launch<'ctx>> {
        let (name, width, extra): (_, _, &[Extra]) = match self {
            Threads::Few => ("few32", Width::Bits32, &[Extra::I32]),
            Threads::Warp => ("warp32", Width::Bits32, &[]),
            Threads::Block => ("team32", Width::Bits32, &[]),
            Threads::Cluster => ("clustered32", Width::Bits32, &[]),
            Threads::Streaming => ("streamed64", Width::Bits64, &[]),
        };
        let variant = Variant { name: name.to_string(), width: Some(width), extra, alignment: 1 };
        let launch = Launch::start(e, kernel, &variant)?;
        if self == Threads::Cluster {
            let threads = numptx_abi::Kernel::CLUSTER_THREADS.to_string();
            let threads = e.context.create_string_attribute("nvvm.maxntid", &threads);
            launch.function.add_attribute(AttributeLoc::Function, threads);
        }
        Ok(launch)
    }
}

/// See the file's header. Numbers have 32 bits.
pub(super) struct Team<'ctx> {
    threads: Threads,
    /// This thread's number in it, and how many there are.
    pub member: IntValue<'ctx>,
    pub size: IntValue<'ctx>,
    /// What rows are counted with.
    int: IntType<'ctx>,
    /// Of blocks.
    block: Option<Block<'ctx>>,
}

impl<'ctx> Team<'ctx> {
    /// `most`: threads of a block.
    pub fn new(
        e: &Emitter<'ctx, '_>,
        threads: Threads,
        (launch, most): (&Launch<'ctx>, u32),
        int: IntType<'ctx>,
    ) -> Emit<Self> {
        let (thread, block_size) = (register(e, "tid.x")?, register(e, "ntid.x")?);
        let function = launch.function.get_name().to_string_lossy().into_owned();
        let (member, size, others) = match threads {
            Threads::Few | Threads::Warp => {
                let size = match threads {
                    Threads::Few => launch.extra[0].into_int_value(),
                    _ => e.int_like(thread, i64::from(WARP)),
                };
                let member = e.and(thread, e.sub(size, e.int_like(size, 1))?)?;
                return Ok(Team { threads, member, size, int, block: None });
            }
            Threads::Block => {
                let size = e.int_like(thread, i64::from(most));
                (thread, size, Others::Nobody)
            }
            Threads::Streaming => (thread, block_size, Others::Nobody),
            Threads::Cluster => {
                let cluster = Cluster::new(e, &function)?;
                let member = e.add(e.mul(cluster.block, block_size)?, thread)?;
                (member, e.mul(cluster.blocks, block_size)?, Others::Cluster(cluster))
            }
        };
        let most = u32::from(numptx_abi::Kernel::CLUSTER_THREADS);
        Ok(Team { threads, member, size, int, block: Some(Block::new(e, &function, others, most)?) })
    }

    /// Runs over the rows of the team, with whether there is one: all threads of a warp, and of a block, go round as often.
    pub fn each_row(
        &self,
        e: &Emitter<'ctx, '_>,
        n_rows: IntValue<'ctx>,
        body: impl FnOnce(IntValue<'ctx>, IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let yes = e.context.bool_type().const_all_ones();
        let block = wide_register(e, "ctaid.x")?;
        match self.threads {
            Threads::Streaming => {
                let step = e.resize_unsigned(wide_register(e, "nctaid.x")?, self.int)?;
                let first = e.resize_unsigned(block, self.int)?;
                e.count((first, n_rows), step, Some(e.short()?), |row| body(row, yes))
            }
            Threads::Block => body(e.resize_unsigned(block, self.int)?, yes),
            Threads::Cluster => {
                let blocks = e.resize_unsigned(register(e, "cluster.nctarank")?, block.get_type())?;
                body(e.resize_unsigned(e.udiv(block, blocks)?, self.int)?, yes)
            }
            Threads::Few | Threads::Warp => {
                let threads = wide_register(e, "ntid.x")?;
                let thread = e.add(e.mul(block, threads)?, wide_register(e, "tid.x")?)?;
                let row = e.udiv(thread, e.resize_unsigned(self.size, thread.get_type())?)?;
                let n_rows = e.resize_unsigned(n_rows, row.get_type())?;
                let exists = e.icmp(IntPredicate::SLT, row, n_rows)?;
                let last = e.sub(n_rows, e.int_like(n_rows, 1))?;
                body(e.resize_unsigned(e.smin(row, last)?, self.int)?, exists)
            }
        }
    }

    /// The accumulators of a row's threads combined, for all of them.
    pub fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Accumulator<'ctx>> {
        if i64::from(layout.bytes) > SLOT {
            return Err(bug("an accumulator of one value is too large"));
        }
        match &self.block {
            None if self.threads == Threads::Warp => lanes::total(e, layout, own),
            None => lanes::total_of_some(e, layout, own, self.size),
            Some(block) => match &block.others {
                Others::Cluster(cluster) => block.cluster_total(e, cluster, layout, own),
                _ => block.block_total(e, layout, own),
            },
        }
    }
}
