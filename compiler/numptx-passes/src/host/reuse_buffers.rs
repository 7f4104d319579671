//! **Does**: lets a kernel compute an array in the memory of a temporary that it reads element by element for the last time, or that ended
//! just before.
//! **Requires**: phase Host.
//! **Ensures**: where extents, dtype and strides are known to be equal there is one array less; where only the run time knows (values that a
//! loop carries, results of `reshape`, other memory orders) `alloc` becomes `reuse`, which asks.
//! **Keeps**: values; parameters and everything that is used later; kernels that reduce, and tables: whose work items read more than their own element.
//! **Example**: `%y = alloc %n; launch<0> %n, %y, %t` with `%t = alloc %n` and no later use of `%t` becomes `launch<1> %n, %t`, and `%y` is `%t`.
//!
//! Distinct buffers never overlap, so the only hazard of a shared one is a work item that reads what another work item wrote. A launch whose
//! operands meet `%t` nowhere but in the operand `%t` itself, which lies as `%y` does, has none.

use std::collections::BTreeMap;

use numptx_ir::array::{Function, Module, Op, OpKind, Order, OrderTerm, Region, ValueId};
use numptx_ir::kernel::{Access, Kernel, Operand};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::points_to::PointsTo;
use crate::analysis::roots::Roots;
use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::host::rules::{Rule, holds};
use crate::host::variants::{drop_replaced, launched, merged, shared, variant};

/// See the file's header.
pub const REUSE_BUFFERS: Pass =
    Pass::optional("reuse-buffers", "compute in the memory of temporaries that end", reuse_buffers);

fn reuse_buffers(module: &mut Module) -> Result<(), InternalError> {
    let before = launched(module);
    for function in &mut module.functions {
        reuse_in_function(function, &mut module.kernels);
    }
    drop_replaced(module, &before);
    Ok(())
}

fn reuse_in_function(function: &mut Function, kernels: &mut Vec<Kernel>) {
    let mut replaced = Substitution::default();
    let mut body = std::mem::take(&mut function.body);
    let mut reuse = ReuseBuffers {
        roots: Roots::of_body(function, &body),
        points_to: PointsTo::of_body(function, &body),
        function,
        kernels,
        replaced: &mut replaced,
        taken: Vec::new(),
    };
    reuse.region(&mut body);
    substitute(&mut body, &replaced);
    function.body = body;
}

struct ReuseBuffers<'f> {
    function: &'f Function,
    kernels: &'f mut Vec<Kernel>,
    roots: Roots,
    points_to: PointsTo,
    /// Arrays that live in another's memory.
    replaced: &'f mut Substitution,
    /// Arrays whose memory `reuse` may take.
    taken: Vec<ValueId>,
}

/// What is known of one region before it changes.
struct Uses {
    /// The op that uses a root last.
    last_of_root: BTreeMap<ValueId, usize>,
    /// The op that uses memory last, by location.
    last_of_location: BTreeMap<ValueId, usize>,
    /// The op that uses an array first.
    first: BTreeMap<ValueId, usize>,
    /// The `alloc` that makes an array.
    allocs: BTreeMap<ValueId, usize>,
    /// Owned roots that the region defines.
    owned: Vec<ValueId>,
}

impl ReuseBuffers<'_> {
    fn region(&mut self, region: &mut Region) {
        region.ops.iter_mut().flat_map(|op| &mut op.regions).for_each(|nested| self.region(nested));
        let uses = self.uses(region);
        // Where each op goes: an `alloc` that became `reuse` stands right before its launch.
        let mut before: BTreeMap<usize, Vec<Op>> = BTreeMap::new();
        let mut gone: Vec<usize> = Vec::new();
        let mut made: Vec<(usize, ValueId)> =
            uses.allocs.keys().filter_map(|v| Some((*uses.first.get(v)?, *v))).collect();
        made.sort_unstable();
        for (index, result) in made {
            let alloc = uses.allocs[&result];
            let is_filled = self.is_filled(&region.ops[index], result);
            if let Some(operand) = self.same_memory(&region.ops, index, result, &uses).filter(|_| is_filled) {
                self.share(&mut region.ops[index], operand, result);
                gone.push(alloc);
            } else if let Some(ended) = self.free_memory(&region.ops, index, result, &uses, &gone) {
                self.replaced.replace(result, ended);
                self.taken.push(ended);
                gone.push(alloc);
            } else if let Some(operand) = self.maybe_memory(&region.ops, index, result, &uses).filter(|_| is_filled) {
                self.ask(&mut region.ops[index], operand, result);
                before.entry(index).or_default().push(reuse_of(&region.ops[alloc], operand));
                gone.push(alloc);
            }
        }
        let ops = std::mem::take(&mut region.ops);
        for (index, op) in ops.into_iter().enumerate() {
            region.ops.extend(before.remove(&index).unwrap_or_default());
            if !gone.contains(&index) {
                region.ops.push(op);
            }
        }
    }

    fn uses(&self, region: &Region) -> Uses {
        let mut uses = Uses {
            last_of_root: BTreeMap::new(),
            last_of_location: BTreeMap::new(),
            first: BTreeMap::new(),
            allocs: BTreeMap::new(),
            owned: region.parameters.iter().copied().filter(|v| self.roots.is_owned(*v)).collect(),
        };
        for (index, op) in region.ops.iter().enumerate() {
            for value in used_values(op).into_iter().filter(|v| self.function.array(*v).is_some()) {
                uses.last_of_root.extend(self.roots.root(value).map(|root| (root, index)));
                uses.last_of_location.extend(self.points_to.locations(value).iter().map(|l| (*l, index)));
                uses.first.entry(value).or_insert(index);
            }
            uses.owned.extend(op.results.iter().copied().filter(|v| self.roots.is_owned(*v)));
            if matches!(op.kind, OpKind::Alloc { .. }) {
                uses.allocs.insert(op.results[0], index);
            }
        }
        uses
    }

    /// Whether an op is a launch that writes an array at its work items, and does not read it.
    fn is_filled(&self, op: &Op, array: ValueId) -> bool {
        let OpKind::Launch(kernel) = op.kind else { return false };
        let mut arrays = at_work_items(&self.kernels[kernel.0 as usize], op);
        arrays.any(|(operand, v)| operand.access == Access::Write && v == array)
    }

    /// The arrays that a launch reads at work items and nothing writes at it; none that is indexed by its body, too, and none of a reduction.
    fn read(&self, ops: &[Op], index: usize) -> Vec<ValueId> {
        let OpKind::Launch(kernel) = ops[index].kind else { return Vec::new() };
        let kernel = &self.kernels[kernel.0 as usize];
        if kernel.n_reduced > 0 {
            return Vec::new();
        }
        let is_table = |v: &ValueId| {
            let positions = kernel.tables.iter().map(|table| kernel.rank + table.operand);
            positions.into_iter().any(|n| ops[index].operands[n] == *v) && holds(Rule::ReuseReadsItsOwnElement)
        };
        let arrays = at_work_items(kernel, &ops[index]);
        arrays.filter(|(o, v)| o.access == Access::Read && !is_table(v)).map(|(_, v)| v).collect()
    }

    /// A temporary of this region that ends at the launch and lies just as the result would.
    fn same_memory(&self, ops: &[Op], index: usize, result: ValueId, uses: &Uses) -> Option<ValueId> {
        let is_last = |v: ValueId| {
            let last = uses.last_of_location.get(&v);
            last == Some(&index) || !holds(Rule::ReuseAfterTheLastUse)
        };
        let alone = |v: ValueId| {
            let arrays = ops[index].operands.iter().filter(|w| self.points_to.locations(**w).contains(&v));
            arrays.clone().all(|w| *w == v) || !holds(Rule::ReuseMeetsNoOtherView)
        };
        self.read(ops, index).into_iter().find(|v| {
            let Some(alloc) = uses.allocs.get(v) else { return false };
            let alike = self.function.array(*v) == self.function.array(result)
                && self.lie_alike(&ops[*alloc], &ops[uses.allocs[&result]]);
            alike && is_last(*v) && alone(*v) && !self.taken.contains(v)
        })
    }

    /// A temporary of this region that ended before the launch and lies just as the result would. Nothing is allocated in between, so that
    /// no more memory is held than without.
    fn free_memory(&self, ops: &[Op], index: usize, result: ValueId, uses: &Uses, gone: &[usize]) -> Option<ValueId> {
        let own = uses.allocs[&result];
        let is_kept = |n: usize| n == own || gone.contains(&n);
        let allocates = |n: usize| takes_memory(&ops[n]) && !is_kept(n);
        let is_free = |v: ValueId| match uses.last_of_location.get(&v) {
            Some(last) if *last < index || !holds(Rule::ReuseAfterTheLastUse) => !(*last + 1..index).any(allocates),
            _ => false,
        };
        let mut ended = uses.allocs.iter().filter(|(v, alloc)| **alloc < index && !self.taken.contains(v));
        let is_alike = |v: ValueId, alloc: usize| {
            self.function.array(v) == self.function.array(result) && self.lie_alike(&ops[alloc], &ops[own])
        };
        ended.find(|(v, alloc)| is_free(**v) && is_alike(**v, **alloc)).map(|(v, _)| *v)
    }

    /// Whether two fresh arrays have the same extents, and the same strides along every axis that is longer than 1.
    fn lie_alike(&self, first: &Op, second: &Op) -> bool {
        let (OpKind::Alloc { order: a, .. }, OpKind::Alloc { order: b, .. }) = (&first.kind, &second.kind) else {
            return false;
        };
        let rank = self.function.array(first.results[0]).map_or(0, |array| array.rank);
        let ((extents, arrays), (other_extents, other_arrays)) =
            (first.operands.split_at(rank), second.operands.split_at(rank));
        if extents != other_extents {
            return false;
        }
        let resolved =
            |values: &[ValueId]| -> Vec<ValueId> { values.iter().map(|v| self.replaced.resolve(*v)).collect() };
        let (arrays, other_arrays) = (resolved(arrays), resolved(other_arrays));
        let array = self.replaced.resolve(first.results[0]);
        // K order of an array without gaps is its own.
        let is_first = |term: &OrderTerm| matches!(term, OrderTerm::Input(n) | OrderTerm::Copy(n) if other_arrays.get(*n) == Some(&array));
        rank <= 1
            || !holds(Rule::ReuseFits)
            || (a == b && arrays == other_arrays)
            || matches!(b, Order::K(terms) if !terms.is_empty() && terms.iter().all(is_first))
    }

    /// A view of an owned array that ends at the launch and may turn out to lie as the result would.
    fn maybe_memory(&self, ops: &[Op], index: usize, result: ValueId, uses: &Uses) -> Option<ValueId> {
        let wanted = self.function.array(result)?;
        let is_whole = |v: ValueId, root: ValueId| v == root || self.is_whole_view(ops, v, root);
        self.read(ops, index).into_iter().find(|v| {
            let (Some(root), Some(array)) = (self.roots.root(*v), self.function.array(*v)) else { return false };
            let fits = array.rank == wanted.rank && array.dtype.itemsize() == wanted.dtype.itemsize();
            let is_owned = uses.owned.contains(&root) && !self.taken.contains(&root);
            let is_last = uses.last_of_root.get(&root) == Some(&index);
            let mut others = ops[index].operands.iter().filter(|w| self.roots.root(**w) == Some(root));
            fits && is_owned && is_last && is_whole(*v, root) && others.all(|w| w == v)
        })
    }

    /// Whether a value is a broadcast of a root to as many axes, which often changes nothing.
    fn is_whole_view(&self, ops: &[Op], value: ValueId, root: ValueId) -> bool {
        let definition = ops.iter().find(|op| op.results.contains(&value));
        let is_whole = |op: &Op| {
            matches!(op.kind, OpKind::Broadcast | OpKind::ReadOnly | OpKind::Writable) && op.operands[0] == root
        };
        let rank = |v: ValueId| self.function.array(v).map(|a| a.rank);
        definition.is_some_and(is_whole) && rank(value) == rank(root)
    }

    /// The launch writes the operand that it reads.
    fn share(&mut self, launch: &mut Op, operand: ValueId, result: ValueId) {
        self.replaced.replace(result, operand);
        self.taken.push(operand);
        let Some((rank, read, written)) = self.positions(launch, operand, result) else { return };
        self.relaunch(launch, |kernel| merged(kernel, written, read));
        launch.operands.remove(rank + read);
        launch.operands[rank + written - usize::from(read < written)] = operand;
    }

    /// The result and the operand may be one.
    fn ask(&mut self, launch: &mut Op, operand: ValueId, result: ValueId) {
        self.taken.extend(self.roots.root(operand));
        let Some((_, read, written)) = self.positions(launch, operand, result) else { return };
        self.relaunch(launch, |kernel| shared(kernel, &[read, written]));
    }

    /// The rank of a launch, and the positions of two of its arrays.
    fn positions(&self, launch: &Op, a: ValueId, b: ValueId) -> Option<(usize, usize, usize)> {
        let OpKind::Launch(kernel) = launch.kind else { return None };
        let kernel = &self.kernels[kernel.0 as usize];
        let arrays = &launch.operands[kernel.rank..kernel.rank + kernel.operands.len()];
        let position = |value: ValueId| arrays.iter().position(|v| *v == value);
        Some((kernel.rank, position(a)?, position(b)?))
    }

    fn relaunch(&mut self, launch: &mut Op, change: impl FnOnce(&Kernel) -> Kernel) {
        let OpKind::Launch(id) = launch.kind else { return };
        let changed = change(&self.kernels[id.0 as usize]);
        launch.kind = OpKind::Launch(variant(self.kernels, id, changed));
    }
}

/// The operands of a kernel that are not tables, with the launch's arrays.
fn at_work_items<'k>(kernel: &'k Kernel, launch: &'k Op) -> impl Iterator<Item = (&'k Operand, ValueId)> {
    let arrays = kernel.operands.iter().zip(&launch.operands[kernel.rank..]).enumerate();
    arrays.filter(|(n, _)| kernel.table_of(*n).is_none()).map(|(_, (operand, array))| (operand, *array))
}

/// Whether an op allocates, or may.
fn takes_memory(op: &Op) -> bool {
    let takes =
        matches!(op.kind, OpKind::Alloc { .. } | OpKind::Reuse { .. } | OpKind::Call { .. } | OpKind::Object(_))
            || op.kind.is_view_or_copy();
    takes || !op.regions.is_empty()
}

/// All values that an op and the ops nested in it use.
fn used_values(op: &Op) -> Vec<ValueId> {
    let mut used = op.operands.clone();
    for region in &op.regions {
        for_each_op(region, &mut |nested| used.extend(&nested.operands));
    }
    used
}

/// `reuse` in place of an `alloc`.
fn reuse_of(alloc: &Op, operand: ValueId) -> Op {
    let mut reuse = alloc.clone();
    if let OpKind::Alloc { dtype, order } = &alloc.kind {
        reuse.kind = OpKind::Reuse { dtype: *dtype, order: order.clone() };
        reuse.operands.insert(0, operand);
    }
    reuse
}
