//! Arrays that share no memory whenever both are there: what is seen of the order in which arrays are made, beyond where each may come from.
//!
//! In: a function. Out: answers about two of its arrays. One that is made after the other has a value is another one; two that a loop hands from iteration
//! to iteration are apart if they are so at first, and if an iteration that begins so ends so, as where they change names.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};

use crate::analysis::points_to::PointsTo;
use crate::analysis::traverse::terminator_operands;

/// What is known of a function's arrays.
#[derive(Default)]
pub struct Apart {
    /// Of views, what they are views of.
    roots: HashMap<ValueId, ValueId>,
    /// In which order values are defined.
    order: HashMap<ValueId, usize>,
    /// Arrays with memory of their own.
    fresh: HashSet<ValueId>,
    /// Arrays that loops carry, in pairs.
    pairs: HashSet<(ValueId, ValueId)>,
}

impl Apart {
    /// Looks at all ops of a function.
    pub fn of(function: &Function, points_to: &PointsTo) -> Apart {
        let mut apart = Apart::default();
        function.parameters.iter().for_each(|v| apart.define(*v));
        apart.region(&function.body);
        let mut loops = Vec::new();
        handing_on(function, &function.body, &mut loops);
        for pair in &loops {
            apart.pairs.extend(pair.names.iter().map(|[a, b]| key(*a, *b)));
        }
        // What is assumed of several loops at once has to hold for each.
        loop {
            let holds = |pair: &&Pair| {
                let [first, then] = [pair.first, pair.then];
                apart.are(first[0], first[1], points_to) && apart.are(then[0], then[1], points_to)
            };
            let (kept, dropped): (Vec<&Pair>, Vec<&Pair>) = loops.iter().partition(holds);
            if dropped.is_empty() {
                return apart;
            }
            for pair in dropped {
                apart.pairs.retain(|known| !pair.names.iter().any(|[a, b]| key(*a, *b) == *known));
            }
            loops = kept.into_iter().cloned().collect();
        }
    }

    /// Whether two arrays, where both have a value, share no memory.
    pub fn are(&self, a: ValueId, b: ValueId, points_to: &PointsTo) -> bool {
        let [a, b] = [a, b].map(|v| self.roots.get(&v).copied().unwrap_or(v));
        let is_made_after = |a: ValueId, b: ValueId| {
            self.fresh.contains(&a) && matches!((self.order.get(&a), self.order.get(&b)), (Some(a), Some(b)) if b < a)
        };
        let is_known = || is_made_after(a, b) || is_made_after(b, a) || self.pairs.contains(&key(a, b));
        a != b && (is_known() || !points_to.may_share(a, b))
    }

    /// Whether two arrays are views of one that is made before both, or that one itself.
    pub fn are_of_one(&self, a: ValueId, b: ValueId) -> bool {
        let [a, b] = [a, b].map(|v| self.roots.get(&v).copied().unwrap_or(v));
        a == b
    }

    fn define(&mut self, value: ValueId) {
        self.order.insert(value, self.order.len());
    }

    fn region(&mut self, region: &Region) {
        region.parameters.iter().for_each(|v| self.define(*v));
        for op in &region.ops {
            op.regions.iter().for_each(|nested| self.region(nested));
            op.results.iter().for_each(|v| self.define(*v));
            if op.kind.is_view() {
                let root = self.roots.get(&op.operands[0]).copied().unwrap_or(op.operands[0]);
                self.roots.insert(op.results[0], root);
            }
            if matches!(op.kind, OpKind::Alloc { .. } | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_)) {
                self.fresh.extend(&op.results);
            }
        }
    }
}

/// Two arrays that a loop carries.
#[derive(Clone)]
struct Pair {
    /// What they are called in the loop's regions and after it.
    names: Vec<[ValueId; 2]>,
    first: [ValueId; 2],
    then: [ValueId; 2],
}

fn handing_on(function: &Function, region: &Region, pairs: &mut Vec<Pair>) {
    for op in &region.ops {
        op.regions.iter().for_each(|nested| handing_on(function, nested, pairs));
        let n_own = match op.kind {
            OpKind::For => 1,
            OpKind::While => 0,
            _ => continue,
        };
        let is_array = |n: &usize| function.array(op.results[*n]).is_some();
        let arrays: Vec<usize> = (0..op.results.len()).filter(is_array).collect();
        for (at, a) in arrays.iter().enumerate() {
            pairs.extend(arrays[at + 1..].iter().filter_map(|b| pair_of(op, n_own, [*a, *b])));
        }
    }
}

/// Two carried values by their positions; `n_own`: parameters of the region that are not carried.
fn pair_of(op: &Op, n_own: usize, positions: [usize; 2]) -> Option<Pair> {
    let at = |values: &[ValueId], offset: usize| -> Option<[ValueId; 2]> {
        Some([*values.get(positions[0] + offset)?, *values.get(positions[1] + offset)?])
    };
    let mut names = vec![at(&op.results, 0)?];
    for region in &op.regions {
        names.push(at(&region.parameters, n_own)?);
    }
    let first = at(&op.operands, if op.kind == OpKind::For { 3 } else { 0 })?;
    let then = at(terminator_operands(op.regions.last()?), 0)?;
    Some(Pair { names, first, then })
}

fn key(a: ValueId, b: ValueId) -> (ValueId, ValueId) {
    (a.min(b), a.max(b))
}
