//! Roots and their classes, for the ownership passes.
//!
//! In: a function. Out: for each array the root of its chain of views, and for each object itself. For each root: whether it is *owned* (it starts with a
//! reference of its own) or *borrowed*, as the header of `numptx_ir::array::verify` defines them.

use std::collections::BTreeSet;

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};

use crate::analysis::traverse::for_each_op;
use crate::host::rules::{Rule, holds};

/// Roots of arrays and objects.
pub struct Roots {
    /// By value; `None` for scalars.
    roots: Vec<Option<ValueId>>,
    owned: Vec<bool>,
}

impl Roots {
    /// Finds all roots of a function.
    pub fn of(function: &Function) -> Self {
        Roots::of_body(function, &function.body)
    }

    /// Finds all roots of a function whose body is elsewhere.
    pub fn of_body(function: &Function, body: &Region) -> Self {
        let reference = |v: usize| function.is_reference(ValueId(v as u32));
        let n_values = function.values.len();
        let roots = (0..n_values).map(|v| reference(v).then_some(ValueId(v as u32))).collect();
        let mut roots = Roots { roots, owned: vec![false; n_values] };
        for_each_op(body, &mut |op| roots.define(op));
        roots
    }

    fn define(&mut self, op: &Op) {
        if op.kind.is_view() && holds(Rule::ViewsUseTheirRoot) {
            self.roots[op.results[0].0 as usize] = self.root(op.operands[0]);
        } else {
            op.results.iter().for_each(|v| self.own(*v));
        }
        let owning = match op.kind {
            OpKind::For => op.regions.first(),
            OpKind::While => op.regions.get(1),
            _ => None,
        };
        owning.into_iter().flat_map(|region| &region.parameters).for_each(|v| self.own(*v));
    }

    fn own(&mut self, value: ValueId) {
        self.owned[value.0 as usize] = self.root(value).is_some();
    }

    /// The root of an array or an object; `None` for scalars.
    pub fn root(&self, value: ValueId) -> Option<ValueId> {
        self.roots.get(value.0 as usize).copied().flatten()
    }

    /// Whether a root has a reference of its own.
    pub fn is_owned(&self, root: ValueId) -> bool {
        self.owned[root.0 as usize]
    }

    /// The roots that an op uses, itself or in its regions, without those that are defined in it.
    pub fn used_by(&self, op: &Op) -> BTreeSet<ValueId> {
        let mut used: BTreeSet<ValueId> = op.operands.iter().filter_map(|v| self.root(*v)).collect();
        let regions = op.regions.iter().filter(|_| holds(Rule::RegionsUse));
        regions.for_each(|region| used.extend(self.used_in(region)));
        used
    }

    /// The roots that a region uses and does not define.
    pub fn used_in(&self, region: &Region) -> BTreeSet<ValueId> {
        let mut used = BTreeSet::new();
        for op in &region.ops {
            used.extend(self.used_by(op));
        }
        let defined: BTreeSet<ValueId> =
            region.ops.iter().flat_map(|op| &op.results).chain(&region.parameters).copied().collect();
        used.retain(|root| !defined.contains(root));
        used
    }

    /// The arrays and objects among the operands that an op consumes: those of `return` and `yield`, and the initial values of loops.
    pub fn consumed<'o>(&self, op: &'o Op) -> impl Iterator<Item = ValueId> + use<'o, '_> {
        let operands = match op.kind {
            OpKind::Return | OpKind::Yield | OpKind::While => &op.operands[..],
            OpKind::For => op.operands.get(3..).unwrap_or(&[]),
            _ => &[],
        };
        operands.iter().copied().filter(|v| self.root(*v).is_some())
    }
}
