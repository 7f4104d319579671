//! What is known before a loop of how much it computes.
//!
//! In: a loop whose extents follow from what is known before it, and from indices of loops. Out: values on the host that extents, iterations, rows that are
//! summed up and whole computations are never larger than, and the ops that compute these.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::schedule::cooperative::shares::Shares;
use crate::loops::storage::expanded_arrays::Bounds;
use crate::loops::storage::scratch::{Settle, Source};

impl FormNests<'_> {
    /// For shared loops in a loop that count upwards from 0 or more: what none of them has more iterations than, and the ops that compute it.
    pub fn bounds_of_loops(&mut self, op: &Op, shares: &Shares) -> (HashMap<ValueId, ValueId>, Vec<Op>) {
        let mut loops = Vec::new();
        op.regions
            .iter()
            .for_each(|region| for_each_op(region, &mut |op| loops.extend(shares.has(op).then(|| op.clone()))));
        let mut settle = Settle { knows_sums: shares.have_all(op, false), ..Settle::of(self, op) };
        let mut bounds = HashMap::new();
        for op in loops {
            if settle.is_natural(op.operands[0], 0)
                && settle.constant(op.operands[2]).is_some_and(|step| step > 0)
                && let Some(bound) = settle.bound(op.operands[1], 0)
            {
                bounds.insert(op.regions[0].parameters[0], bound);
            }
        }
        (bounds, settle.scratch.before)
    }

    /// What extents that an op's regions compute are never larger than, as far as it is known before; the ops that compute it go to `before`.
    pub fn bounds_of_extents(&mut self, op: &Op, extents: &[ValueId], before: &mut Vec<Op>) -> Bounds {
        let mut settle = Settle::of(self, op);
        let mut bounds = Bounds::new();
        for extent in extents {
            if let Some(bound) = settle.natural_bound(*extent) {
                bounds.insert(*extent, bound);
            }
        }
        before.append(&mut settle.scratch.before);
        bounds
    }

    /// The most elements that a work item of an op's computations sums up, where it does so for each of several work items: such sums have threads of their own
    /// in kernels, and are one thread's work in a launch that all share. Also the ops that compute it; a large number where nobody knows.
    pub fn longest_row(&mut self, op: &Op) -> (ValueId, Vec<Op>) {
        let mut rows = Vec::new();
        rows_in(op, &mut rows);
        self.longest_of(op, rows)
    }

    /// The same, also of computations in loops in it.
    pub fn longest_row_anywhere(&mut self, op: &Op) -> (ValueId, Vec<Op>) {
        let mut rows = Vec::new();
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| rows.extend(row_of(op))));
        self.longest_of(op, rows)
    }

    fn longest_of(&mut self, op: &Op, rows: Vec<Vec<ValueId>>) -> (ValueId, Vec<Op>) {
        /// Limit: rows whose length is not known count as longer than any other.
        const UNKNOWN: i64 = 1 << 40;
        let mut settle = Settle::of(self, op);
        let mut longest = settle.host(|host| host.number(1));
        for row in rows {
            let bounds: Option<Vec<ValueId>> = row.iter().map(|extent| settle.bound(*extent, 0)).collect();
            longest = settle.host(|host| {
                let mut length = host.number(if bounds.is_some() { 1 } else { UNKNOWN });
                for bound in bounds.into_iter().flatten() {
                    length = host.product(length, bound);
                }
                host.scalar(OpKind::Scalar(ScalarOp::Max), vec![longest, length], DType::I64)
            });
        }
        (longest, settle.scratch.before)
    }

    /// How many elements the largest of an op's computations goes through, or of the arrays that were made for it before, and the ops that compute it;
    /// `None` where nobody knows.
    pub fn most_work(&mut self, op: &Op, before: &mut Vec<Op>) -> Option<ValueId> {
        let mut boxes = Vec::new();
        op.regions.iter().for_each(|region| {
            for_each_op(region, &mut |op| match &op.kind {
                OpKind::Store(store) => boxes.push(op.operands[..store.rank].to_vec()),
                OpKind::StoreReduce(reduce) | OpKind::Reduce(reduce) => {
                    boxes.push(op.operands[..reduce.rank].to_vec());
                }
                _ => {}
            });
        });
        for made in before.iter().filter(|op| matches!(op.kind, OpKind::Alloc { .. })) {
            if !boxes.contains(&made.operands) {
                boxes.push(made.operands.clone());
            }
        }
        let mut settle = Settle::of(self, op);
        let mut most = settle.host(|host| host.number(1));
        for extents in boxes.iter().filter(|extents| !extents.is_empty()) {
            let bounds = extents.iter().map(|extent| settle.bound(*extent, 0)).collect::<Option<Vec<ValueId>>>()?;
            most = settle.host(|host| {
                let one = host.number(1);
                let all = bounds.iter().fold(one, |all, v| host.product(all, *v));
                host.scalar(OpKind::Scalar(ScalarOp::Max), vec![most, all], DType::I64)
            });
        }
        before.append(&mut settle.scratch.before);
        Some(most)
    }
}

/// The reduced extents of computations with both kept and reduced axes, outside of loops.
fn rows_in(op: &Op, rows: &mut Vec<Vec<ValueId>>) {
    for nested in op.regions.iter().flat_map(|region| &region.ops) {
        match &nested.kind {
            OpKind::Reduce(_) | OpKind::StoreReduce(_) => rows.extend(row_of(nested)),
            OpKind::For | OpKind::While => {}
            _ => rows_in(nested, rows),
        }
    }
}

/// The reduced extents of a computation with both kept and reduced axes.
fn row_of(op: &Op) -> Option<Vec<ValueId>> {
    let (OpKind::Reduce(reduce) | OpKind::StoreReduce(reduce)) = &op.kind else { return None };
    let kept = reduce.rank - reduce.n_reduced;
    (kept > 0 && reduce.n_reduced > 0).then(|| op.operands[kept..reduce.rank].to_vec())
}

impl Settle<'_, '_> {
    pub(crate) fn host(&mut self, make: impl FnOnce(&mut HostProgram) -> ValueId) -> ValueId {
        let mut host = HostProgram::new(self.pass.function, Default::default());
        let value = make(&mut host);
        self.scratch.before.append(&mut host.ops);
        value
    }

    /// Something known before the loop that an extent is never larger than, and at least 0: what bounds the extents of iterations may be negative where
    /// there are none.
    pub(crate) fn natural_bound(&mut self, extent: ValueId) -> Option<ValueId> {
        let bound = self.bound(extent, 0)?;
        Some(self.host(|host| {
            let zero = host.number(0);
            host.scalar(OpKind::Scalar(ScalarOp::Max), vec![bound, zero], DType::I64)
        }))
    }

    /// Something known before the loop that an extent is never larger than.
    pub(crate) fn bound(&mut self, extent: ValueId, depth: usize) -> Option<ValueId> {
        if !self.inside.contains(&extent) {
            return Some(extent);
        }
        if depth > 16 {
            return None;
        }
        let source = self.definitions.get(&extent)?.clone();
        let op = match source {
            Source::Index([lower, upper, step]) => {
                return self.bound(if self.constant(step)? > 0 { upper } else { lower }, depth + 1);
            }
            Source::Op(op) => op,
        };
        match (&op.kind, op.operands.as_slice()) {
            (OpKind::Constant(Constant::Int(n)), _) => Some(self.host(|host| host.number(*n))),
            (OpKind::SliceBounds { lower: true, upper: true }, [first, end, _, of]) => {
                let of = self.bound(*of, depth + 1)?;
                let Some(width) = self.excess(*end, *first).and_then(|width| self.bound(width, depth + 1)) else {
                    return Some(of);
                };
                Some(self.host(|host| {
                    let zero = host.number(0);
                    let width = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![width, zero], DType::I64);
                    host.scalar(OpKind::Scalar(ScalarOp::Min), vec![of, width], DType::I64)
                }))
            }
            (OpKind::SliceBounds { .. }, [.., of]) => self.bound(*of, depth + 1),
            (OpKind::BroadcastExtent | OpKind::Scalar(ScalarOp::Max), [a, b]) => {
                let (a, b) = (self.bound(*a, depth + 1)?, self.bound(*b, depth + 1)?);
                Some(self.host(|host| host.scalar(OpKind::Scalar(ScalarOp::Max), vec![a, b], DType::I64)))
            }
            (OpKind::Scalar(ScalarOp::Select), [_, a, b]) => {
                let (a, b) = (self.bound(*a, depth + 1)?, self.bound(*b, depth + 1)?);
                Some(self.host(|host| host.scalar(OpKind::Scalar(ScalarOp::Max), vec![a, b], DType::I64)))
            }
            (OpKind::Scalar(ScalarOp::Min), [a, b]) => self.bound(*a, depth + 1).or_else(|| self.bound(*b, depth + 1)),
            (OpKind::Scalar(ScalarOp::Add), [a, b]) => {
                let (a, b) = (self.bound(*a, depth + 1)?, self.bound(*b, depth + 1)?);
                Some(self.host(|host| host.scalar(OpKind::Scalar(ScalarOp::Add), vec![a, b], DType::I64)))
            }
            (OpKind::Scalar(ScalarOp::Sub), [a, b]) => {
                let width = self.excess(*a, *b).and_then(|width| self.bound(width, depth + 1));
                width.or_else(|| self.is_natural(*b, 0).then(|| self.bound(*a, depth + 1))?)
            }
            _ => None,
        }
    }

    /// What a value is another one and no more than, if it is `a + width`, or the least of that and others.
    fn excess(&self, value: ValueId, a: ValueId) -> Option<ValueId> {
        let Some(Source::Op(op)) = self.definitions.get(&value) else { return None };
        match (&op.kind, op.operands.as_slice()) {
            (OpKind::Scalar(ScalarOp::Add), [b, width]) if *b == a => Some(*width),
            (OpKind::Scalar(ScalarOp::Add), [b, zero]) if self.constant(*zero) == Some(0) => self.excess(*b, a),
            (OpKind::Scalar(ScalarOp::Add), [width, b]) if *b == a => Some(*width),
            (OpKind::Scalar(ScalarOp::Min), [b, c]) => self.excess(*b, a).or_else(|| self.excess(*c, a)),
            _ => None,
        }
    }

    pub(crate) fn constant(&self, value: ValueId) -> Option<i64> {
        match self.definitions.get(&value) {
            Some(Source::Op(Op { kind: OpKind::Constant(Constant::Int(n)), .. })) => Some(*n),
            _ => self.pass.known.constant(value),
        }
    }

    /// Whether a value is at least 0.
    fn is_natural(&self, value: ValueId, depth: usize) -> bool {
        if let Some(n) = self.constant(value) {
            return n >= 0;
        }
        match self.definitions.get(&value) {
            _ if depth > 16 => false,
            Some(Source::Index([lower, upper, step])) => match self.constant(*step) {
                Some(step) if step > 0 => self.is_natural(*lower, depth + 1),
                Some(_) => self.knows_sums && self.constant(*upper).is_some_and(|n| n >= -1),
                None => false,
            },
            Some(Source::Op(op)) => match (&op.kind, &op.operands[..]) {
                (OpKind::Scalar(ScalarOp::Add), [a, b]) if self.knows_sums => {
                    self.is_natural(*a, depth + 1) && self.is_natural(*b, depth + 1)
                }
                (kind, _) => matches!(kind, OpKind::SliceBounds { .. } | OpKind::Dim(_)),
            },
            None => false,
        }
    }
}
