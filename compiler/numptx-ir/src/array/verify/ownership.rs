//! `A20` to `A25`: references, counted along every path. See the verifier's header for the rules.

use super::Checker;
use crate::array::{Function, Op, OpKind, Region, ValueId};

/// What is known at one place of a function.
#[derive(Clone, PartialEq, Eq)]
struct State {
    /// Owned roots that hold their own reference.
    live: Vec<bool>,
    /// Loose references by root.
    loose: Vec<u32>,
}

/// The roots of a function's values and which of them are owned.
pub(super) struct Roots {
    root: Vec<ValueId>,
    owned: Vec<bool>,
    reference: Vec<bool>,
}

/// In a sequence of retains that ends with the op that consumes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequence {
    None,
    Retains,
    Releases,
}

impl Checker<'_> {
    pub(super) fn check_ownership(&mut self) {
        let function = self.function;
        let roots = Roots::of(function);
        let n = function.values.len();
        let mut state = State { live: vec![false; n], loose: vec![0; n] };
        self.walk(&function.body, &roots, &mut state);
        self.check_reuses(&function.body, &roots);
    }

    fn walk(&mut self, region: &Region, roots: &Roots, state: &mut State) {
        let mut sequence = Sequence::None;
        for op in &region.ops {
            self.check_uses(op, roots, state);
            sequence = self.check_sequence(op, sequence, roots);
            match op.kind {
                OpKind::Retain => state.loose[roots.root(op.operands[0])] += 1,
                OpKind::Release => self.release(op, roots, state),
                OpKind::Yield | OpKind::Return => self.consume(op, &op.operands, roots, state),
                OpKind::If => self.walk_branches(op, roots, state),
                OpKind::For => self.walk_loop(op, &op.operands[3..], roots, state),
                OpKind::While | OpKind::Try => self.walk_loop(op, &op.operands, roots, state),
                _ => {}
            }
            define(&op.results, roots, state);
        }
        let defined = region.parameters.iter().chain(region.ops.iter().flat_map(|op| &op.results));
        for value in defined.filter(|v| state.live[v.0 as usize]) {
            self.fail("A22", format!("{value} is never released nor moved"), region.ops.last());
        }
        for value in 0..state.loose.len() {
            if std::mem::take(&mut state.loose[value]) > 0 {
                self.fail("A25", format!("a loose reference to %{value} is not consumed"), region.ops.last());
            }
        }
    }

    /// `A20`.
    fn check_uses(&mut self, op: &Op, roots: &Roots, state: &State) {
        for operand in &op.operands {
            let root = roots.root(*operand);
            let consumes_loose = consumes(&op.kind) && state.loose[root] > 0;
            if roots.owned[root] && !state.live[root] && !consumes_loose {
                self.fail("A20", format!("{operand} is used after %{root} was released or moved"), Some(op));
            }
        }
    }

    /// `A25`: what may stand between a retain and the op that consumes.
    fn check_sequence(&mut self, op: &Op, sequence: Sequence, roots: &Roots) -> Sequence {
        match (&op.kind, sequence) {
            (OpKind::Retain, Sequence::Releases) => {
                self.fail("A25", "a retain follows a release before the op that consumes", Some(op));
                Sequence::Releases
            }
            (OpKind::Retain, _) => Sequence::Retains,
            (_, Sequence::None) => Sequence::None,
            (OpKind::Release, _) => Sequence::Releases,
            (kind, sequence) if kind.is_pure_scalar_or_view() => sequence,
            (kind, _) if consumes(kind) && op.operands.iter().any(|v| roots.is_reference(*v)) => Sequence::None,
            (_, sequence) => {
                self.fail("A25", "stands between a retain and the op that consumes", Some(op));
                sequence
            }
        }
    }

    /// `A21`.
    fn release(&mut self, op: &Op, roots: &Roots, state: &mut State) {
        let value = op.operands[0].0 as usize;
        if !roots.owned[value] {
            return self.fail("A21", format!("%{value} is not an owned root"), Some(op));
        }
        state.live[value] = false;
    }

    /// `A24`: one reference for each operand that is one.
    fn consume(&mut self, op: &Op, operands: &[ValueId], roots: &Roots, state: &mut State) {
        for operand in operands.iter().filter(|v| roots.is_reference(**v)) {
            let root = roots.root(*operand);
            if state.loose[root] > 0 {
                state.loose[root] -= 1;
            } else if state.live[root] {
                state.live[root] = false;
            } else {
                self.fail("A24", format!("{operand} brings no reference: retain it first"), Some(op));
            }
        }
    }

    fn walk_branches(&mut self, op: &Op, roots: &Roots, state: &mut State) {
        let mut ends = Vec::new();
        for region in &op.regions {
            let mut end = state.clone();
            self.walk(region, roots, &mut end);
            ends.push(end.live);
        }
        let root = (0..state.live.len()).find(|v| state.live[*v] && ends[0][*v] != ends[1][*v]);
        if let Some(root) = root {
            self.fail("A23", format!("%{root} is live after one branch only"), Some(op));
        }
        state.live.iter_mut().zip(&ends[0]).for_each(|(live, end)| *live &= *end);
    }

    fn walk_loop(&mut self, op: &Op, initial: &[ValueId], roots: &Roots, state: &mut State) {
        self.consume(op, initial, roots, state);
        for region in &op.regions {
            let mut end = state.clone();
            define(&region.parameters, roots, &mut end);
            self.walk(region, roots, &mut end);
            for root in (0..state.live.len()).filter(|v| !end.live[*v]) {
                if std::mem::take(&mut state.live[root]) {
                    self.fail("A23", format!("%{root} is released or moved in a loop around which it lives"), Some(op));
                }
            }
        }
    }
}

fn define(values: &[ValueId], roots: &Roots, state: &mut State) {
    for value in values {
        state.live[value.0 as usize] = roots.owned[value.0 as usize];
    }
}

fn consumes(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Yield | OpKind::Return | OpKind::For | OpKind::While)
}

impl Roots {
    /// Values are known to be defined once and before their uses.
    fn of(function: &Function) -> Roots {
        let n = function.values.len();
        let reference = (0..n as u32).map(|v| function.is_reference(ValueId(v))).collect();
        let mut roots = Roots { root: (0..n as u32).map(ValueId).collect(), owned: vec![false; n], reference };
        roots.add_region(&function.body);
        roots
    }

    fn add_region(&mut self, region: &Region) {
        for op in &region.ops {
            let owned_parameters = match op.kind {
                OpKind::For => op.regions.first(),
                OpKind::While => op.regions.get(1),
                _ => None,
            };
            for parameter in owned_parameters.iter().flat_map(|region| &region.parameters) {
                self.owned[parameter.0 as usize] = self.reference[parameter.0 as usize];
            }
            for result in &op.results {
                if op.kind.is_view() {
                    self.root[result.0 as usize] = self.root[op.operands[0].0 as usize];
                } else {
                    self.owned[result.0 as usize] = self.reference[result.0 as usize];
                }
            }
            op.regions.iter().for_each(|region| self.add_region(region));
        }
    }

    fn is_reference(&self, value: ValueId) -> bool {
        self.reference[value.0 as usize]
    }

    pub(super) fn is_owned(&self, root: ValueId) -> bool {
        self.owned[root.0 as usize]
    }

    pub(super) fn root(&self, value: ValueId) -> usize {
        self.root[value.0 as usize].0 as usize
    }
}
