//! Stores in a loop that copy an operand first, where it turns out to overlap what they write.
//!
//! In: the ops of a region. Out: the same with stores that read the operand itself, for versions that go through the elements in order; and what
//! stood there, for stores that stay whole. Whether the order of elements is right is for the dependence analysis: see [`are_in_order`].

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Type, ValueId, typing};
use numptx_source::Span;

use crate::analysis::traverse::{Substitution, substitute, terminator_operands};
use crate::loops::dependence::{DependenceKind, LoopId, dependences};
use crate::loops::nest::program::Translation;

/// Takes copies out of the ops of a region. By the position of a store, what makes its copies, and itself, in order. A single element is copied
/// in any case: it costs nothing, and a store over a row that it stands in reads it once.
pub fn take_snapshots(
    function: &mut Function,
    overlaps: &HashSet<ValueId>,
    except: &HashSet<Span>,
    ops: &mut Vec<Op>,
) -> HashMap<usize, Vec<Op>> {
    copy_elements(function, overlaps, ops);
    let mut bundles: Vec<Bundle> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        if let Some(source) = chosen_source(op, overlaps)
            && let Some(bundle) = bundle_of(ops, at, source)
            && !except.contains(&ops[bundle.store].span)
        {
            bundles.push(bundle);
        }
    }
    let mut whole: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut names = Substitution::default();
    let mut views: HashSet<usize> = HashSet::new();
    for bundle in &bundles {
        whole.entry(bundle.store).or_default().extend([&[bundle.choice], bundle.views.as_slice()].concat());
        names.replace(ops[bundle.choice].results[0], bundle.source);
        views.extend(&bundle.views);
    }
    let choices: HashSet<usize> = bundles.iter().map(|bundle| bundle.choice).collect();
    let mut taken = HashMap::new();
    let mut rest = Vec::with_capacity(ops.len());
    for (at, op) in ops.iter().enumerate().filter(|(at, _)| !choices.contains(at)) {
        let mut op = op.clone();
        if let Some(parts) = whole.get_mut(&at) {
            parts.sort_unstable();
            parts.dedup();
            taken.insert(rest.len(), parts.iter().chain([&at]).map(|part| ops[*part].clone()).collect());
        }
        op.operands.iter_mut().for_each(|v| *v = names.resolve(*v));
        if views.contains(&at) {
            view_anew(function, &mut op, &mut names);
        }
        rest.push(op);
    }
    *ops = rest;
    taken
}

/// Copies of single elements in place of choices between them and what they are copies of.
fn copy_elements(function: &Function, overlaps: &HashSet<ValueId>, ops: &mut Vec<Op>) {
    let mut names = Substitution::default();
    for mut op in std::mem::take(ops) {
        op.operands.iter_mut().for_each(|v| *v = names.resolve(*v));
        op.regions.iter_mut().for_each(|region| substitute(region, &names));
        let is_element = chosen_source(&op, overlaps).is_some()
            && op.results.iter().all(|v| function.array(*v).is_some_and(|array| array.rank == 0));
        if !is_element {
            ops.push(op);
            continue;
        }
        let mut copying = op.regions.swap_remove(0);
        names.replace(op.results[0], terminator_operands(&copying)[0]);
        copying.ops.pop();
        ops.append(&mut copying.ops);
    }
}

/// A choice between an array and its copy, and the one store that reads it, directly or through views.
struct Bundle {
    choice: usize,
    source: ValueId,
    views: Vec<usize>,
    store: usize,
}

/// The array that an op gives or copies.
fn chosen_source(op: &Op, overlaps: &HashSet<ValueId>) -> Option<ValueId> {
    let [then, otherwise] = op.regions.as_slice() else { return None };
    let is_choice = matches!(op.kind, OpKind::If) && overlaps.contains(&op.operands[0]) && op.results.len() == 1;
    let copies = |op: &Op| matches!(op.kind, OpKind::Map(_) | OpKind::Yield) || op.kind.is_pure_scalar_or_view();
    let is_copy = is_choice && then.ops.iter().all(copies) && otherwise.ops.len() == 1;
    is_copy.then(|| terminator_operands(otherwise).first().copied()).flatten()
}

fn bundle_of(ops: &[Op], choice: usize, source: ValueId) -> Option<Bundle> {
    let mut values: HashSet<ValueId> = ops[choice].results.iter().copied().collect();
    let mut views = Vec::new();
    for (at, op) in ops.iter().enumerate().skip(choice + 1) {
        if op.regions.iter().any(|region| !region.ops.is_empty()) && !matches!(op.kind, OpKind::If) {
            return None;
        }
        if !op.operands.iter().any(|v| values.contains(v)) {
            let is_harmless = op.kind.is_pure_scalar_or_view()
                || matches!(op.kind, OpKind::If | OpKind::Check { .. } | OpKind::Map(_));
            if is_harmless && !op.regions.iter().any(|region| region.ops.iter().any(|nested| nested.kind.writes())) {
                continue;
            }
            return None;
        }
        if op.kind.is_view() {
            values.extend(&op.results);
            views.push(at);
            continue;
        }
        let OpKind::Store(store) = &op.kind else { return None };
        let destinations = &op.operands[store.rank..][..store.body.outputs.len()];
        let is_used_later = ops[at + 1..].iter().any(|op| uses(op, &values));
        let is_read = store.rank > 0 && !destinations.iter().any(|v| values.contains(v)) && !is_used_later;
        return is_read.then_some(Bundle { choice, source, views, store: at });
    }
    None
}

fn uses(op: &Op, values: &HashSet<ValueId>) -> bool {
    op.operands.iter().any(|v| values.contains(v))
        || op.regions.iter().flat_map(|region| &region.ops).any(|nested| uses(nested, values))
}

/// Gives a view of something else a name and a type of its own.
fn view_anew(function: &mut Function, op: &mut Op, names: &mut Substitution) {
    let types: Vec<Type> = op.operands.iter().map(|v| function.ty(*v)).collect();
    if let Ok(Some(types)) = typing::result_types(&op.kind, &types) {
        for (result, ty) in op.results.iter_mut().zip(types) {
            let new = function.add_value(ty);
            names.replace(*result, new);
            *result = new;
        }
    }
}

/// Whether the elements of a store, taken in the order of its loops, read nothing that it has written. `outermost`: the index of its
/// outermost loop.
pub fn are_in_order(whole: &Translation, outermost: ValueId) -> bool {
    let Some(outermost) = whole.loops.get(&outermost) else { return true };
    let is_its = |id: &LoopId| whole.nest.chain(Some(*id)).contains(outermost);
    whole
        .nest
        .loop_ids()
        .filter(is_its)
        .all(|id| dependences(&whole.nest, id).iter().all(|dependence| dependence.kind != DependenceKind::Flow))
}
