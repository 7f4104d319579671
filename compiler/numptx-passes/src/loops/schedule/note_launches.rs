//! Notes what the host starts for a loop.
//!
//! In: what strategies make, in order. Out: [`Launch`]es in the [`Schedule`](super::tree::Schedule) that is being made. Of versions under a guard the
//! first one is told, since the guard is expected to hold.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::Constant;

use crate::loops::form_nests::FormNests;
use crate::loops::schedule::cost::{CHUNK_ITERATIONS, UNKNOWN_ITERATIONS};
use crate::loops::schedule::launches::{Launch, Threads};

impl FormNests<'_> {
    /// Notes a kernel that runs ops. `is_shared`: which of the loops in them have their iterations at once.
    pub fn note_kernel(&mut self, threads: Threads, ops: &[Op], is_shared: &dyn Fn(&Op) -> bool) {
        let iterations = iterations_of(ops, &self.known.constants, is_shared);
        self.schedule.launches.push(Launch::Kernel { threads, iterations, barriers: 0.0 });
    }

    /// Notes a kernel of chunks of a loop's iterations: a chunk has as many as outweigh arrays of its own.
    pub fn note_chunks(&mut self, op: &Op, is_shared: &dyn Fn(&Op) -> bool) {
        let inside: f64 = op.regions.iter().map(|r| iterations_of(&r.ops, &self.known.constants, is_shared)).sum();
        let (threads, iterations) = (Threads::Chunks, CHUNK_ITERATIONS as f64 + inside);
        self.schedule.launches.push(Launch::Kernel { threads, iterations, barriers: 0.0 });
    }

    /// Notes a cooperative kernel. `is_shared`: the same; `is_between`: which loops have no barrier in them.
    pub fn note_cooperative(
        &mut self,
        threads: Threads,
        op: &Op,
        is_shared: &dyn Fn(&Op) -> bool,
        is_between: &dyn Fn(&Op) -> bool,
    ) {
        let [iterations, barriers] = [is_shared, is_between]
            .map(|is_one| iterations_of(std::slice::from_ref(op), &self.known.constants, is_one));
        self.schedule.launches.push(Launch::Kernel { threads, iterations, barriers });
    }

    /// What is started in a loop on the host of so many iterations.
    pub fn in_host_loop<T>(&mut self, iterations: f64, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.schedule.launches);
        let value = run(self);
        let body = std::mem::replace(&mut self.schedule.launches, before);
        if !body.is_empty() {
            self.schedule.launches.push(Launch::Loop { iterations, body });
        }
        value
    }

    /// How many iterations a loop has, as far as that is known.
    pub fn iterations_expected(&self, op: &Op) -> f64 {
        count_of(op, &self.known.constants)
    }

    /// Notes a computation over arrays.
    pub fn note_elements(&mut self, op: &Op) {
        let is_kernel = match &op.kind {
            OpKind::Map(map) => map.rank > 0,
            OpKind::Store(store) => store.rank > 0,
            OpKind::Reduce(_) | OpKind::StoreReduce(_) | OpKind::Scan(_) | OpKind::StoreScan(_) => true,
            kind => matches!(kind, OpKind::Scatter(_)),
        };
        if is_kernel {
            self.note_kernel(Threads::Elements, &[], &|_| true);
        }
    }
}

/// How many iterations of loops in ops go one after another, as far as that is known; 1 without loops.
fn iterations_of(ops: &[Op], constants: &HashMap<ValueId, Constant>, is_shared: &dyn Fn(&Op) -> bool) -> f64 {
    let of_loop = |op: &Op| {
        let inside = iterations_of(&op.regions[0].ops, constants, is_shared);
        if is_shared(op) { inside } else { inside * count_of(op, constants) }
    };
    let all: f64 = ops
        .iter()
        .map(|op| match op.kind {
            OpKind::For | OpKind::While => of_loop(op),
            _ => op.regions.iter().map(|region| iterations_of(&region.ops, constants, is_shared) - 1.0).sum(),
        })
        .sum();
    all.max(1.0)
}

/// How many iterations a loop has, if that is known; else as many as are expected.
fn count_of(op: &Op, constants: &HashMap<ValueId, Constant>) -> f64 {
    let integer = |n: usize| op.operands.get(n).and_then(|v| constants.get(v)).and_then(|constant| constant.as_int());
    match (integer(0), integer(1), integer(2)) {
        (Some(first), Some(last), Some(step)) if op.kind == OpKind::For && step != 0 => {
            ((last as f64 - first as f64) / step as f64).ceil().max(0.0)
        }
        _ => UNKNOWN_ITERATIONS,
    }
}
