//! Kernels that are another one with operands that share memory.
//!
//! In: a kernel of the module. Out: one that does the same, equal ones only once, under a name of its own. Launches are the caller's to change.

use std::collections::BTreeSet;

use numptx_ir::array::{KernelId, Module, OpKind};
use numptx_ir::kernel::{Access, Input, Kernel};

use crate::analysis::traverse::for_each_op;

/// The kernel in which operand `read` is operand `written` too.
pub fn merged(kernel: &Kernel, written: usize, read: usize) -> Kernel {
    let mut merged = kernel.clone();
    merged.operands[written].access = Access::ReadWrite;
    merged.operands.remove(read);
    let new = |n: usize| {
        let n = if n == read { written } else { n };
        if n > read { n - 1 } else { n }
    };
    merged.tables.iter_mut().for_each(|table| table.operand = new(table.operand));
    for phase in merged.phases_mut() {
        for input in &mut phase.inputs {
            if let Input::Load(n) = input {
                *n = new(*n);
            }
        }
        phase.stores.iter_mut().for_each(|store| store.operand = new(store.operand));
    }
    merged
}

/// The kernel some of whose operands may share memory, element by element.
pub fn shared(kernel: &Kernel, operands: &[usize]) -> Kernel {
    let mut shared = kernel.clone();
    operands.iter().for_each(|n| shared.operands[*n].noalias = false);
    shared
}

/// The module's kernel that is equal to this variant of kernel `of` but for its name, added if there is none.
pub fn variant(kernels: &mut Vec<Kernel>, of: KernelId, mut changed: Kernel) -> KernelId {
    let stem = format!("{}_in_place", kernels[of.0 as usize].name);
    for (position, kernel) in kernels.iter().enumerate() {
        changed.name.clone_from(&kernel.name);
        if changed == *kernel {
            return KernelId(position as u32);
        }
    }
    let is_free = |name: &String| kernels.iter().all(|kernel| kernel.name != *name);
    let mut names = std::iter::once(stem.clone()).chain((1..).map(|n| format!("{stem}{n}")));
    changed.name = names.find(is_free).unwrap_or(stem);
    kernels.push(changed);
    KernelId(kernels.len() as u32 - 1)
}

/// The kernels that a module launches.
pub fn launched(module: &Module) -> BTreeSet<KernelId> {
    let mut launched = BTreeSet::new();
    for function in &module.functions {
        for_each_op(&function.body, &mut |op| {
            if let OpKind::Launch(id) = op.kind {
                launched.insert(id);
            }
        });
    }
    launched
}

/// Drops kernels that were launched before and are no longer.
pub fn drop_replaced(module: &mut Module, before: &BTreeSet<KernelId>) {
    let now = launched(module);
    let is_kept = |n: usize| !before.contains(&KernelId(n as u32)) || now.contains(&KernelId(n as u32));
    let mut n_kept = 0;
    let new_ids: Vec<u32> = (0..module.kernels.len())
        .map(|n| {
            n_kept += u32::from(is_kept(n));
            n_kept.saturating_sub(1)
        })
        .collect();
    let mut position = 0;
    module.kernels.retain(|_| {
        position += 1;
        is_kept(position - 1)
    });
    for function in &mut module.functions {
        renumber(&mut function.body, &new_ids);
    }
}

fn renumber(region: &mut numptx_ir::array::Region, new_ids: &[u32]) {
    for op in &mut region.ops {
        if let OpKind::Launch(id) = &mut op.kind {
            id.0 = new_ids[id.0 as usize];
        }
        op.regions.iter_mut().for_each(|nested| renumber(nested, new_ids));
    }
}
