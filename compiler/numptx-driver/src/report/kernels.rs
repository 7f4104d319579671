//! Kernels, and what their PTX declares.

use std::collections::BTreeMap;

use numptx_ir::kernel::{Access, Kernel};
use numptx_ir::scalar::{Block, StmtKind};

use super::model::{Entry, KernelReport, OperandReport, Phases};

/// A kernel; `ptx`: the text of the portable image, if one was made.
pub fn kernel_report(kernel: &Kernel, ptx: Option<&str>) -> KernelReport {
    let operand = |operand: &numptx_ir::kernel::Operand| OperandReport {
        dtype: operand.dtype.to_string(),
        access: match operand.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::ReadWrite => "readwrite",
        },
    };
    KernelReport {
        name: kernel.name.clone(),
        class: class(kernel),
        axes: kernel.rank,
        operands: kernel.operands.iter().map(operand).collect(),
        block: kernel.schedule.block,
        phases: kernel.code().filter(|code| code.is_cooperative()).map(|code| phases(&code.block)),
        registers: None,
        entries: ptx.map_or_else(Vec::new, |ptx| entries(ptx, &kernel.name)),
    }
}

/// The phases of a block, with those of loops in it apart. Of two ways that a program may go the one with more of them counts.
fn phases(block: &Block) -> Phases {
    let mut all = Phases::default();
    for stmt in &block.stmts {
        let nested = || stmt.blocks.iter().map(phases);
        match stmt.kind {
            StmtKind::Barrier | StmtKind::Reduce(_) | StmtKind::Solve(..) => all.waits += 1,
            StmtKind::For | StmtKind::While => {
                let (waits, loops) = nested().fold((0, Vec::new()), |(waits, mut loops), one| {
                    loops.extend(one.loops);
                    (waits + one.waits, loops)
                });
                if waits > 0 || !loops.is_empty() {
                    all.loops.push(Phases { waits, loops });
                }
            }
            StmtKind::If => {
                all.waits += nested().map(|one| one.waits).max().unwrap_or(0);
                all.loops.extend(nested().flat_map(|one| one.loops));
            }
            _ => {}
        }
    }
    all
}

fn class(kernel: &Kernel) -> &'static str {
    let has = |test: &dyn Fn(&numptx_ir::kernel::Phase) -> bool| kernel.phases().any(test);
    if kernel.code().is_some() {
        return if kernel.rank == 0 { "sequential" } else { "nest" };
    }
    if kernel.is_tiled() {
        "compaction"
    } else if kernel.is_scan() {
        "scan"
    } else if has(&|phase| !phase.reducers.is_empty()) {
        "reduction"
    } else if has(&|phase| !phase.scatters.is_empty()) {
        "scatter"
    } else {
        "map"
    }
}

/// The entries of a kernel: its name, and what stands for a variant behind `__`.
fn entries(ptx: &str, kernel: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_own = false;
    for line in ptx.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix(".visible .entry ") {
            let name = rest.trim_end_matches('(').trim();
            is_own = name.strip_prefix(kernel).is_some_and(|variant| variant.is_empty() || variant.starts_with("__"));
            if is_own {
                entries.push(Entry { name: name.to_owned(), virtual_registers: BTreeMap::new() });
            }
        } else if let Some((ty, n)) = line.strip_prefix(".reg .").and_then(declared)
            && is_own
            && let Some(entry) = entries.last_mut()
        {
            *entry.virtual_registers.entry(ty.to_owned()).or_insert(0) += n;
        }
    }
    entries
}

/// `b32 %r<8>;`: 7 registers, for numbering begins at 1.
fn declared(text: &str) -> Option<(&str, u32)> {
    let (ty, rest) = text.split_once(char::is_whitespace)?;
    let count = rest.split_once('<')?.1.split_once('>')?.0;
    Some((ty, count.parse::<u32>().ok()?.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn registers_are_those_of_the_kernels_own_entries() {
        let ptx = ".visible .entry f_k1__flat32(\n\t.reg .b32 \t%r<8>;\n.visible .entry f_k10__flat32(\n\t.reg .b32 \t%r<3>;\n";
        let found = entries(ptx, "f_k1");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].virtual_registers.get("b32"), Some(&7));
    }
}
