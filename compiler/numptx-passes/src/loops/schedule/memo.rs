//! What loops became before: a loop that is scheduled in several versions of a loop around it is scheduled once.
//!
//! In: a loop, and what its schedule depends on beside it. Out: the ops that took its place before, with new names, and their schedule.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_source::Span;

use crate::analysis::traverse::{Substitution, substitute};
use crate::loops::form_nests::FormNests;
use crate::loops::schedule::attempt::Tried;
use crate::loops::schedule::tree::Schedule;

/// What the schedule of a loop depends on beside the loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// Whether it stands in a loop on the host.
    is_repeated: bool,
    /// Whether arrays that iterations make without elements stay where they are made.
    leaves_empty: bool,
    /// Those of its operands that the region around made.
    made: Vec<ValueId>,
}

/// What loops became, by their places.
#[derive(Default)]
pub struct Memo {
    entries: HashMap<Span, Vec<Entry>>,
}

struct Entry {
    op: Op,
    context: Context,
    ops: Vec<Op>,
    schedule: Schedule,
}

impl Memo {
    /// Notes what became of a loop.
    pub fn add(&mut self, op: Op, context: Context, became: &Tried<Vec<Op>>) {
        let entry = Entry { context, ops: became.value.clone(), schedule: became.schedule.clone(), op };
        self.entries.entry(entry.op.span).or_default().push(entry);
    }
}

impl FormNests<'_> {
    /// What the schedule of an op depends on beside it.
    pub fn context_of(&self, op: &Op) -> Context {
        let made = op.operands.iter().copied().filter(|v| self.made.contains(v)).collect();
        let (is_repeated, leaves_empty) = (self.attempt.is_repeated, self.attempt.leaves_empty);
        Context { is_repeated, leaves_empty, made }
    }

    /// What a loop became before, in this context. Its results keep their names; all else has new ones.
    pub fn remembered(&mut self, op: &Op, context: &Context) -> Option<Vec<Op>> {
        if !matches!(op.kind, OpKind::For | OpKind::While) {
            return None;
        }
        let known = self.memo.entries.get(&op.span)?;
        let entry = known.iter().find(|entry| entry.context == *context && entry.op == *op)?;
        let (mut ops, schedule) = (entry.ops.clone(), entry.schedule.clone());
        let names = self.rename(&mut ops);
        let mut results = Substitution::default();
        op.results.iter().for_each(|v| results.replace(names.resolve(*v), *v));
        for op in &mut ops {
            op.results.iter_mut().chain(&mut op.operands).for_each(|v| *v = results.resolve(*v));
            op.regions.iter_mut().for_each(|region| substitute(region, &results));
        }
        self.schedule.extend(schedule);
        Some(ops)
    }
}
