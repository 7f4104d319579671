//! What a translation requires of data, beside that no check fails, so that iterations depend on each other in fewer ways.
//!
//! In: what bodies compute, and what is assumed. Out: affine functions and conditions of it; assumptions under which they are that. A loop that assumes
//! nothing gets none.

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Constant, ScalarOp, Val};

use crate::analysis::ranges::range_of;
use crate::loops::assumptions::assumed::{DEPTH, Known};
use crate::loops::assumptions::guards::is_small;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::dependence::Affine;
use crate::loops::nest::arithmetic::{affine_of, condition_of};
use crate::loops::nest::elements::Index;
use crate::loops::nest::scope::{Scalar, Sums};
use crate::loops::nest::translator::Translator;

/// Elements and sums of them that are farther from 0 may wrap.
const FARTHEST: u128 = 1 << 62;

impl Translator<'_> {
    /// Makes captured sums functions of what they are sums of. That is small where the loop's condition holds, so that they do not wrap.
    pub(crate) fn take_for_sums(&mut self, scalars: &[ValueId], sums: &Sums) {
        for _ in 0..DEPTH {
            for value in scalars {
                let Some((op, [a, b])) = sums.get(value) else { continue };
                let (Ok(own), Ok(a), Ok(b)) = (self.scalar(*value), self.scalar(*a), self.scalar(*b)) else { continue };
                if own.affine.is_some()
                    && let Some(affine) = affine_of(*op, DType::I64, &[a, b]).filter(is_small)
                {
                    self.bind_scalar(*value, own.val, Some(affine), own.condition);
                }
            }
        }
    }

    /// Notes what is known of what a body computes: NumPy's ints wrap, and so do those that may be far from 0.
    pub(crate) fn note_computed(&mut self, op: ScalarOp, dtype: DType, used: &[Index], val: Val) {
        if self.assumed.is_none() {
            return;
        }
        let scalar = |index: &Index| {
            let known = self.known.get(&index.val).cloned().unwrap_or_default();
            let affine = index.affine.clone().or(known.affine);
            Scalar { val: index.val, affine, condition: known.condition, signs: Vec::new() }
        };
        let operands: Vec<Scalar> = used.iter().map(scalar).collect();
        let takes_remainders = self.assumed.is_some_and(|assumed| assumed.has_offsets);
        let affine = match (op, dtype) {
            (ScalarOp::Cast, _) => operands[0].affine.clone(),
            (ScalarOp::Mod, _) if takes_remainders => self.bounded(op, &operands),
            _ => affine_of(op, DType::I64, &operands),
        };
        let is_near = |affine: &Affine| self.reach(affine).is_some_and(|reach| reach < FARTHEST);
        // A remainder is less than a divisor that fits.
        let is_remainder = op == ScalarOp::Mod;
        let affine = affine.filter(is_near).filter(|affine| is_remainder || self.fits(affine, dtype));
        let condition = if dtype == DType::Bool { condition_of(op, &operands) } else { None };
        if affine.is_some() || condition.is_some() {
            self.known.insert(val, Known { affine, condition });
        }
    }

    /// Notes a constant of a body: those of 64 bits tell what they are themselves.
    pub(crate) fn note_constant(&mut self, constant: Constant, dtype: DType, val: Val) {
        if self.assumed.is_some()
            && range_of(dtype).is_some()
            && let Some(n) = constant.as_int()
        {
            self.known.insert(val, Known { affine: Some(Affine::constant(n)), condition: None });
        }
    }

    /// Whether an integer is as it would be with any number of bits: what has fewer than 64 is required not to wrap.
    fn fits(&mut self, affine: &Affine, dtype: DType) -> bool {
        let Some([low, high]) = range_of(dtype) else { return false };
        if dtype == DType::I64 {
            return true;
        }
        if self.checks.is_decided() {
            return false;
        }
        let sides = [affine.plus_constant(-low), affine.times(-1).and_then(|minus| minus.plus_constant(high))];
        let n = self.assumptions.len();
        for side in sides {
            side.into_iter().for_each(|side| self.require(Kind::NoOverflow, vec![side]));
            let is_decidable = |last: &Assumption| last.is_decidable(&self.nest, &self.symbols);
            if self.assumptions.len() == n || !self.assumptions[n..].iter().all(is_decidable) {
                self.assumptions.truncate(n);
                return false;
            }
        }
        true
    }

    /// An index that would count from the end if it were negative, where it can be required that it is not.
    pub(crate) fn counted_forwards(&mut self, operands: &[Scalar]) -> Option<Affine> {
        let [Scalar { condition: Some(is_negative), .. }, _, Scalar { affine: Some(index), .. }] = operands else {
            return None;
        };
        if self.assumed.is_none() || self.checks.is_decided() || is_negative.fails != [index.clone()] {
            return None;
        }
        self.require_decidable(Kind::FromTheStart, index.clone()).then(|| index.clone())
    }

    /// Whether a loop by such a step rises, where it can be required that it does.
    pub(crate) fn rises(&mut self, step: &Affine) -> bool {
        let Some(above) = step.plus_constant(-1).filter(|_| self.assumed.is_some() && !self.checks.is_decided()) else {
            return false;
        };
        self.require_decidable(Kind::PositiveStep, above)
    }

    /// Requires a function to be at least 0, where that can be computed before the loop; whether it can.
    fn require_decidable(&mut self, kind: Kind, function: Affine) -> bool {
        let n = self.assumptions.len();
        self.require(kind, vec![function]);
        let is_decidable = self.assumptions[n].is_decidable(&self.nest, &self.symbols);
        if !is_decidable {
            self.assumptions.truncate(n);
        }
        is_decidable
    }

    /// Requires what suffices whatever conditions say, and states it.
    pub(crate) fn state_requirements(&mut self) {
        if self.assumed.is_none() || self.checks.is_decided() {
            return;
        }
        self.require_no_wrap_around();
        for assumption in &mut self.assumptions {
            if let Some(fact) = assumption.sufficient(&self.nest, &self.symbols) {
                self.nest.add_fact(fact.clone());
                *assumption = Assumption::at_least_zero(assumption.kind, fact);
            }
        }
    }
}
