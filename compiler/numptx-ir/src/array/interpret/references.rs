//! Who owns what while a function in the owned phase runs, as generated code keeps it: one slot a root that holds a reference of its own.
//!
//! When a run ends early, exactly what the slots hold is released; nothing else may be left.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::memory::Buffer;
use super::objects::Held;
use super::{Failure, Interpreter, Outcome, Value};
use crate::array::{ErrorKind, Function, Op, OpKind, Phase, Region, ValueId};

/// References by root.
pub(super) struct References {
    is_kept: bool,
    /// The root of each value.
    roots: Vec<ValueId>,
    /// What each owned root holds.
    slots: BTreeMap<ValueId, Buffer>,
    /// Loose references by root.
    loose: Vec<u32>,
    /// Ops that can fail and did not, and the one that shall.
    n_passed: u64,
    fails_at: Option<u64>,
}

impl References {
    pub(super) fn new(function: &Function, fails_at: Option<u64>) -> References {
        let mut roots: Vec<ValueId> = (0..function.values.len() as u32).map(ValueId).collect();
        let mut open: Vec<&Region> = vec![&function.body];
        while let Some(region) = open.pop() {
            for op in &region.ops {
                if op.kind.is_view() {
                    roots[op.results[0].0 as usize] = roots[op.operands[0].0 as usize];
                }
                open.extend(&op.regions);
            }
        }
        let loose = vec![0; roots.len()];
        let is_kept = function.phase == Phase::Owned;
        References { is_kept, roots, slots: BTreeMap::new(), loose, n_passed: 0, fails_at }
    }

    /// Goes on counting the ops that can fail where others stopped.
    pub(super) fn continue_counting(&mut self, others: &References) {
        (self.n_passed, self.fails_at) = (others.n_passed, others.fails_at);
    }

    fn root(&self, value: ValueId) -> ValueId {
        self.roots[value.0 as usize]
    }
}

impl Interpreter<'_> {
    /// Fails in the stead of an op that can fail, if it is that one's turn.
    pub(super) fn may_fail(&mut self, op: &Op) -> Outcome<()> {
        let can_fail = matches!(
            op.kind,
            OpKind::Alloc { .. }
                | OpKind::Reuse { .. }
                | OpKind::Reshape(_)
                | OpKind::Ravel(_)
                | OpKind::Contiguous(_)
                | OpKind::Strided { .. }
                | OpKind::Launch(_)
                | OpKind::Item
                | OpKind::Sort(_)
                | OpKind::External(_)
                | OpKind::Object(_)
                | OpKind::Check { .. }
        );
        self.references.n_passed += u64::from(can_fail);
        if can_fail && self.references.fails_at == Some(self.references.n_passed) {
            let message = format!("fallible op {} fails as it was told to", self.references.n_passed);
            return Err(Failure::Raised { kind: ErrorKind::Memory, message });
        }
        Ok(())
    }

    /// These values hold a reference each from here on.
    pub(super) fn own(&mut self, names: &[ValueId], values: &[Value]) {
        for (name, value) in names.iter().zip(values) {
            if let (Some(buffer), true) = (value.buffer(), self.references.is_kept) {
                self.references.slots.insert(*name, buffer.clone());
            }
        }
    }

    /// These values hold none any more: it went to others.
    pub(super) fn disown(&mut self, names: &[ValueId]) {
        names.iter().for_each(|name| drop(self.references.slots.remove(name)));
    }

    /// Each occurrence takes a loose reference to its root, or else the root's own.
    pub(super) fn consume(&mut self, names: &[ValueId]) {
        for name in names.iter().filter(|name| self.function.is_reference(**name)) {
            let root = self.references.root(*name);
            match &mut self.references.loose[root.0 as usize] {
                0 => self.disown(&[root]),
                n => *n -= 1,
            }
        }
    }

    /// What retains, releases and other ops without regions change.
    pub(super) fn account(&mut self, op: &Op, results: &[Value]) {
        match op.kind {
            OpKind::Retain => {
                let root = self.references.root(op.operands[0]);
                self.references.loose[root.0 as usize] += 1;
            }
            OpKind::Release => self.disown(&op.operands),
            ref kind if kind.is_view() => {}
            _ => self.own(&op.results, results),
        }
    }

    /// Releases what values that a region defines own, where it failed.
    pub(super) fn release_defined(&mut self, region: &Region) -> Outcome<()> {
        for defined in region.parameters.iter().chain(region.ops.iter().flat_map(|op| &op.results)) {
            if let Some(buffer) = self.references.slots.remove(defined) {
                buffer.release().map_err(Failure::Invalid)?;
            }
        }
        region.ops.iter().flat_map(|op| &op.regions).try_for_each(|nested| self.release_defined(nested))
    }

    /// Releases what is owned where a run failed.
    pub(super) fn unwind(&mut self) -> Outcome<()> {
        let slots = std::mem::take(&mut self.references.slots);
        slots.values().try_for_each(|buffer| buffer.release()).map_err(Failure::Invalid)
    }
}

/// All buffers that some are or hold, and the references that objects among them hold.
#[derive(Default)]
pub(super) struct Reached {
    /// Each once.
    pub buffers: Vec<Buffer>,
    /// By the buffer's identity.
    held: BTreeMap<usize, i64>,
    /// Arrays that objects hold: those that several places share have one reference together.
    arrays: BTreeSet<usize>,
}

impl Reached {
    pub(super) fn new<'b>(from: impl Iterator<Item = &'b Buffer>) -> Reached {
        let mut reached = Reached::default();
        let mut known = BTreeSet::new();
        let mut open: Vec<Buffer> = from.cloned().collect();
        open.reverse();
        while let Some(buffer) = open.pop() {
            if !known.insert(buffer.identity()) {
                continue;
            }
            if let Some(object) = buffer.object()
                && let Some(object) = object.borrow_mut().as_mut()
            {
                object.for_each_reference(&mut |held| open.extend(reached.count(held)));
            }
            reached.buffers.push(buffer);
        }
        reached
    }

    /// Counts a reference; gives the buffer that it keeps.
    fn count(&mut self, held: &Held) -> Option<Buffer> {
        let buffer = match held {
            Held::Object(object) => object.buffer(),
            Held::Array(array) if self.arrays.insert(Rc::as_ptr(array) as usize) => &array.view.buffer,
            Held::Array(_) => return None,
        };
        *self.held.entry(buffer.identity()).or_default() += 1;
        Some(buffer.clone())
    }

    /// The references to a buffer that objects hold.
    pub(super) fn held(&self, buffer: &Buffer) -> i64 {
        self.held.get(&buffer.identity()).copied().unwrap_or(0)
    }

    /// All of them with the references that others hold.
    pub(super) fn outside(self) -> Vec<(Buffer, i64)> {
        let others = |buffer: &Buffer| buffer.references() - self.held(buffer);
        self.buffers.iter().map(|buffer| (buffer.clone(), others(buffer))).collect()
    }
}
