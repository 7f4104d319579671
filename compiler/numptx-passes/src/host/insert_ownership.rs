//! **Does**: makes references explicit: retains what is consumed, releases owned roots right after their last use on every path.
//! **Requires**: phase Host.
//! **Ensures**: phase Owned: the verifier's ownership invariants A20 to A25.
//! **Keeps**: everything else, the order of ops included.
//! **Example**: `%b = alloc; launch (%b); %v = slice %b; return %v` becomes `…; retain %v; release %b; return %v`.
//!
//! The rules: a use of a view is a use of its root. An owned root whose last use is in an `if` is released in both branches, at the head of a
//! branch that does not use it. A root that a loop's body uses lives across the loop. Everything consumed (returned, yielded, an initial value)
//! is retained first; before a consuming op all retains precede all releases. `elide-ownership` turns pairs into moves.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::array::{Function, Module, Op, OpKind, Phase, Region, ValueId};
use numptx_source::{InternalError, Span};

use crate::Pass;
use crate::analysis::roots::Roots;
use crate::host::rules::{Rule, holds};

/// See the file's header.
pub const INSERT_OWNERSHIP: Pass =
    Pass::required("insert-ownership", "retain what is carried and release what is no longer used", insert_ownership);

fn insert_ownership(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(own_function);
    Ok(())
}

fn own_function(function: &mut Function) {
    let roots = Roots::of(function);
    let body = std::mem::take(&mut function.body);
    function.body = Ownership { roots }.region(body, BTreeSet::new());
    function.phase = Phase::Owned;
}

struct Ownership {
    roots: Roots,
}

impl Ownership {
    /// `dying`: owned roots from outside that are to be released in this region.
    fn region(&self, region: Region, dying: BTreeSet<ValueId>) -> Region {
        let last_uses = self.last_uses(&region);
        let mut walk = Walk { ownership: self, last_uses, live: dying, ops: Vec::with_capacity(region.ops.len()) };
        let span = region.ops.first().map_or(Span::default(), |op| op.span);
        if holds(Rule::OwnParameters) {
            walk.own(&region.parameters);
        }
        if holds(Rule::ReleaseAtBranchHead) {
            walk.release(|walk, root| !walk.last_uses.contains_key(&root), span);
        }
        for (index, op) in region.ops.into_iter().enumerate() {
            walk.op(index, op);
        }
        Region { parameters: region.parameters, ops: walk.ops }
    }

    fn last_uses(&self, region: &Region) -> BTreeMap<ValueId, usize> {
        let mut last_uses = BTreeMap::new();
        for (index, op) in region.ops.iter().enumerate() {
            last_uses.extend(self.roots.used_by(op).into_iter().map(|root| (root, index)));
        }
        last_uses
    }
}

/// A region on its way.
struct Walk<'o> {
    ownership: &'o Ownership,
    last_uses: BTreeMap<ValueId, usize>,
    /// Owned roots that this region has to release and has not yet.
    live: BTreeSet<ValueId>,
    ops: Vec<Op>,
}

impl Walk<'_> {
    fn own(&mut self, values: &[ValueId]) {
        let roots = &self.ownership.roots;
        self.live.extend(values.iter().copied().filter(|v| roots.is_owned(*v)));
    }

    /// Releases the live roots that are chosen.
    fn release(&mut self, is_chosen: impl Fn(&Self, ValueId) -> bool, span: Span) {
        let chosen: Vec<ValueId> = self.live.iter().copied().filter(|root| is_chosen(self, *root)).collect();
        for root in chosen {
            self.live.remove(&root);
            self.ops.push(reference(OpKind::Release, root, span));
        }
    }

    fn is_last_use(&self, root: ValueId, index: usize) -> bool {
        match self.last_uses.get(&root) {
            Some(last) => *last <= index + usize::from(!holds(Rule::ReleaseAfterLastUse)),
            None => holds(Rule::ReleaseUnused),
        }
    }

    fn op(&mut self, index: usize, mut op: Op) {
        let span = op.span;
        let retained: Vec<ValueId> = self.ownership.roots.consumed(&op).collect();
        let retains = retained.iter().filter(|_| holds(Rule::RetainWhatIsConsumed));
        let retains: Vec<Op> = retains.map(|v| reference(OpKind::Retain, *v, span)).collect();
        if holds(Rule::RetainsPrecedeReleases) {
            self.ops.extend(retains.clone());
        }
        if op.kind.is_terminator() {
            self.release(|_, _| holds(Rule::ReleaseAtTheEnd), span);
        } else if !retained.is_empty() {
            // Only the initial values' roots can end here: what a body uses lives across the loop.
            let kept = op.regions.iter().filter(|_| holds(Rule::LoopsKeepWhatTheyUse));
            let in_body: BTreeSet<ValueId> = kept.flat_map(|region| self.ownership.roots.used_in(region)).collect();
            self.release(|walk, root| walk.is_last_use(root, index) && !in_body.contains(&root), span);
        }
        if !holds(Rule::RetainsPrecedeReleases) {
            self.ops.extend(retains);
        }
        let dying = match op.kind {
            OpKind::If if holds(Rule::BranchesRelease) => {
                self.live.iter().copied().filter(|root| self.is_last_use(*root, index)).collect()
            }
            _ => BTreeSet::new(),
        };
        self.live.retain(|root| !dying.contains(root));
        let regions = std::mem::take(&mut op.regions);
        op.regions = regions.into_iter().map(|region| self.ownership.region(region, dying.clone())).collect();
        let results = op.results.clone();
        let owns_results = op.regions.is_empty() || holds(Rule::OwnResults);
        self.ops.push(op);
        if owns_results {
            self.own(&results);
        }
        self.release(|walk, root| walk.is_last_use(root, index), span);
    }
}

fn reference(kind: OpKind, value: ValueId, span: Span) -> Op {
    Op { kind, operands: vec![value], results: Vec::new(), regions: Vec::new(), span }
}
