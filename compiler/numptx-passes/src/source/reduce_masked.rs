//! **Does**: reduces elements that a mask chooses where they lie: where all that becomes of `x[mask]` is maps, reductions along it, scatters, masks
//! that choose of it, and writes to where the mask is true, the maps are computed at every element, the reductions count those that are chosen alone, and the
//! scatters write those alone.
//! Writes to where the mask is true, by its indices too, are stores that keep what is there at all other elements. A mask of chosen elements that chooses
//! of them becomes one of all elements, which is true where both are.
//! **Requires**: phase Source. Works best after `share-counts`, and before `fuse-maps`, which makes one computation of it all.
//! **Ensures**: such elements are never moved, or once, by the last of several masks. Their number is a sum, which the host waits for only where it needs it.
//! **Keeps**: every value, up to the order of sums; checks and their order, and when memory is read. Elements that are not chosen are passed over, not
//! multiplied by 0. What is computed of them is thrown away, so it may be anything, but reads no element of an array that is not there.
//! **Example**: `%n = item of scan %m's last; %c = alloc %n; scatter %x to %c where %m; %s = reduce [add] (%n; %c)` becomes
//! `%s = reduce [add] (%k; %x, %m) { select %m, %x, 0 }`.

mod bodies;
mod emit;
mod follow;
mod followed;
mod guards;
mod inner;
mod own_work_items;
mod places;
mod plan;
mod replaced;
mod search;

use std::collections::HashMap;

use numptx_ir::array::{Function, Module, Op, OpKind, Region, Remark, RemarkKind, ValueId};
use numptx_source::InternalError;

use self::places::Places;
use self::plan::Plan;
use self::search::plans;
use crate::Pass;
use crate::source::remove_dead::remove_dead_ops;

/// Limit: masks in each other that are followed.
const MAX_ROUNDS: usize = 16;

/// See the file's header.
pub const REDUCE_MASKED: Pass =
    Pass::optional("reduce-masked", "reduce elements that a mask chooses where they lie", reduce_masked);

fn reduce_masked(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        // Each time there are fewer moves of chosen elements, or masks over such are masks of all elements.
        for _ in 0..MAX_ROUNDS {
            let plans = plans(function);
            if plans.is_empty() {
                break;
            }
            carry_out(function, plans);
        }
    }
    Ok(())
}

fn carry_out(function: &mut Function, plans: Vec<Plan>) {
    let mut remarks = Vec::new();
    plans.iter().for_each(|plan| remarks.extend(plan.fused.iter().map(fused)));
    function.remarks.extend(remarks);
    let mut body = std::mem::take(&mut function.body);
    in_region(function, &mut body, plans);
    function.body = body;
    remove_dead_ops(function);
}

fn fused((from, into): &(numptx_source::Span, numptx_source::Span)) -> Remark {
    Remark { span: *from, kind: RemarkKind::Fused { into: *into } }
}

fn in_region(function: &mut Function, region: &mut Region, plans: Vec<Plan>) {
    let mut by_value: HashMap<ValueId, usize> = HashMap::new();
    for (n, plan) in plans.iter().enumerate() {
        by_value.extend(plan.values().map(|value| (value, n)));
    }
    let mut places: Vec<Places> = plans.into_iter().map(Places::of).collect();
    walk(function, region, &by_value, &mut places);
}

fn walk(function: &mut Function, region: &mut Region, by_value: &HashMap<ValueId, usize>, places: &mut [Places]) {
    let mut ops = Vec::with_capacity(region.ops.len());
    for mut op in std::mem::take(&mut region.ops) {
        match planned(&op, by_value, places) {
            Some(n) => places[n].emit(function, op, &mut ops),
            None => {
                op.regions.iter_mut().for_each(|nested| walk(function, nested, by_value, places));
                ops.push(op);
            }
        }
    }
    region.ops = ops;
}

/// The plan that an op belongs to: by what it gives, by the vector that it fills, or by the array over which it scatters.
fn planned(op: &Op, by_value: &HashMap<ValueId, usize>, places: &[Places]) -> Option<usize> {
    if let OpKind::Scatter(scatter) = &op.kind {
        return places.iter().position(|places| places.scatters(op, scatter));
    }
    if op.kind == OpKind::If
        && let Some(n) = places.iter().position(|places| places.moves_inner(op))
    {
        return Some(n);
    }
    if let Some(value) = put_back(op) {
        return places.iter().position(|places| places.puts_back(value));
    }
    let given = op.results.first().copied();
    given.or_else(|| plan::filled(op)).and_then(|value| by_value.get(&value).copied())
}

/// The map that an op without results assigns under a condition.
fn put_back(op: &Op) -> Option<ValueId> {
    let then = op.regions.first().filter(|_| op.kind == OpKind::If && op.results.is_empty())?;
    then.ops.iter().find(|op| matches!(op.kind, OpKind::Map(_))).map(|op| op.results[0])
}
