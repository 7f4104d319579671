//! The variant that all kernels with scatters have: as if the work items ran in C order, without a word between threads. It runs few work items, and what
//! the variants of `claims` leave.
//!
//! Along an axis whose index is an index of the element, too, work items never meet: threads share it out. Every thread goes through all work items of
//! the other axes in order and does those whose element is its own: elements are dealt out by their address. So each element's writes come in
//! order, whatever the duplicates, and results never change from run to run.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::Body;

use super::claims::table::Claims;
use super::claims::{EXTRA, outputs, run};
use super::launch::{Launch, Variant, Width, place};
use crate::claims::{Together, free_axes, only, values_of};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;

/// Emits `<name>__sequential64`. The number of threads is a power of two.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    together: &Together,
) -> Emit<FunctionValue<'ctx>> {
    let width = Width::Bits64;
    let variant = Variant { name: "sequential64".to_string(), width: Some(width), extra: EXTRA, alignment: 1 };
    let launch = Launch::start(e, kernel, &variant)?;
    // All write at the same places: whose element one is, the first one says.
    let [scatter, ..] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to no table")) };
    let at = only(&phase.body, &values_of(&phase.body, &scatter.at));
    let itemsize = operand(kernel, kernel.tables[scatter.table].operand)?.dtype.itemsize();
    let claims = match together {
        Together::Claiming(claiming) if claiming.chains => Some(Claims::new(kernel, phase, &launch, claiming)?),
        _ => None,
    };
    let deal = Deal { kernel, phase, launch: &launch, at, table: scatter.table, itemsize, claims };
    match &deal.claims {
        Some(claims) => e.when(claims.is_any_left(e)?, || deal.all(e, &scatter.at))?,
        None => deal.all(e, &scatter.at)?,
    }
    launch.finish(e)
}

/// An odd number whose multiples spread evenly: 2³² over the golden ratio.
const SPREAD: u64 = 2_654_435_769;
/// The bits of a product that hardly depend on the high bits of a factor.
const POOR_BITS: u64 = 12;

/// Which elements are a thread's own, by their numbers, 32 bits wide, after they were spread: strides would else leave threads without any.
enum Share<'ctx> {
    /// Those whose last bits are its number.
    Mask { own: IntValue<'ctx>, mask: IntValue<'ctx> },
    /// Those whose remainder is.
    Remainder { own: IntValue<'ctx>, of: IntValue<'ctx> },
}

impl<'ctx> Share<'ctx> {
    fn holds(&self, e: &Emitter<'ctx, '_>, element: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let narrow = e.context.i32_type();
        let product = e.mul(e.resize_signed(element, narrow)?, narrow.const_int(SPREAD, false))?;
        let element = e.builder.build_right_shift(product, narrow.const_int(POOR_BITS, false), false, "")?;
        match self {
            Share::Mask { own, mask } => e.icmp(IntPredicate::EQ, e.and(element, *mask)?, *own),
            Share::Remainder { own, of } => {
                let rest = e.sub(element, e.mul(e.udiv(element, *of)?, *of)?)?;
                e.icmp(IntPredicate::EQ, rest, *own)
            }
        }
    }
}

struct Deal<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    launch: &'k Launch<'ctx>,
    /// Computes the indices alone.
    at: Body,
    table: usize,
    itemsize: usize,
    /// Where other variants may have done a part.
    claims: Option<Claims<'ctx, 'k>>,
}

impl<'ctx> Deal<'ctx, '_> {
    /// Every thread's work items. `at`: the outputs that are the element's indices.
    fn all(&self, e: &Emitter<'ctx, '_>, at: &[usize]) -> Emit<()> {
        let (thread, threads) = place(e, 'x')?;
        let narrow = e.context.i32_type();
        let free = free_axes(&self.phase.body, at);
        if !free.is_empty() {
            return self.shared_out(e, &free, (thread, threads));
        }
        let mask = e.resize_signed(e.sub(threads, e.i64(1))?, narrow)?;
        let share = Share::Mask { own: e.resize_signed(thread, narrow)?, mask };
        self.axes(e, &[], &mut Vec::new(), &share)
    }

    /// Neighbouring threads take neighbouring work items of the free axes; where there are more threads, several share the elements of one.
    fn shared_out(
        &self,
        e: &Emitter<'ctx, '_>,
        free: &[usize],
        (thread, threads): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<()> {
        let extents = &self.launch.extents;
        let work_items = free.iter().try_fold(e.i64(1), |product, axis| e.mul(product, extents[*axis]))?;
        let sharing = e.udiv(threads, work_items)?;
        let none = e.icmp_with(IntPredicate::EQ, sharing, 0)?;
        let sharing = e.select(none, e.i64(1), sharing)?;
        let own = e.udiv(thread, work_items)?;
        let first = e.sub(thread, e.mul(own, work_items)?)?;
        let narrow = e.context.i32_type();
        let share = Share::Remainder { own: e.resize_signed(own, narrow)?, of: e.resize_signed(sharing, narrow)? };
        let has_part = e.icmp(IntPredicate::ULT, own, sharing)?;
        e.when(has_part, || {
            e.count((first, work_items), threads, None, |work_item| {
                let mut rest = work_item;
                let mut fixed = Vec::with_capacity(free.len());
                for axis in free.iter().rev() {
                    let quotient = e.udiv(rest, extents[*axis])?;
                    fixed.push((*axis, e.sub(rest, e.mul(quotient, extents[*axis])?)?));
                    rest = quotient;
                }
                self.axes(e, &fixed, &mut Vec::new(), &share)
            })
        })
    }

    /// The loops over the axes that are left and not fixed, the last one innermost.
    fn axes(
        &self,
        e: &Emitter<'ctx, '_>,
        fixed: &[(usize, IntValue<'ctx>)],
        indices: &mut Vec<IntValue<'ctx>>,
        share: &Share<'ctx>,
    ) -> Emit<()> {
        let axis = indices.len();
        let Some(extent) = self.launch.extents.get(axis).copied() else { return self.work_item(e, indices, share) };
        let mut go_on = |i: IntValue<'ctx>| {
            indices.push(i);
            self.axes(e, fixed, indices, share)?;
            indices.pop();
            Ok(())
        };
        match fixed.iter().find(|(other, _)| *other == axis) {
            Some((_, index)) => go_on(*index),
            None => e.count((e.i64(0), extent), e.i64(1), None, go_on),
        }
    }

    fn work_item(&self, e: &Emitter<'ctx, '_>, indices: &[IntValue<'ctx>], share: &Share<'ctx>) -> Emit<()> {
        let (kernel, phase, launch) = (self.kernel, self.phase, self.launch);
        let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
        let where_to = Phase { body: self.at.clone(), scatters: Vec::new(), ..phase.clone() };
        let at = outputs(e, kernel, &where_to, launch, indices)?;
        let offset = elements.offset(e, self.table, &at)?;
        let shift = e.i64(i64::from(self.itemsize.trailing_zeros()));
        let element = e.builder.build_right_shift(offset, shift, true, "")?;
        e.when(share.holds(e, element)?, || match &self.claims {
            Some(claims) => e.when(claims.is_left(e, indices)?, || run(e, kernel, phase, launch, indices)),
            None => run(e, kernel, phase, launch, indices),
        })
    }
}
