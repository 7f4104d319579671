//! Integers that are kept between two others, whatever they are: `min(max(p, low), high)`.
//!
//! In: a `min` or `max` of an int of which nothing is known and one that is affine. Out: a symbol for what is bounded from both sides, so that it is an
//! index that needs no check.

use numptx_ir::array::{Op, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::dependence::{Affine, Variable};
use crate::loops::nest::scope::{Bound, Scalar};
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    /// A symbol for what the result of an op lies between; what bounds it from one side only is noted.
    pub(crate) fn clamped(&mut self, op: &Op, scalar: ScalarOp, operands: &[Scalar]) -> Option<Affine> {
        let [a, b] = operands else { return None };
        let (unknown, end): (ValueId, Affine) = match (&a.affine, &b.affine) {
            (None, Some(end)) => (op.operands[0], end.clone()),
            (Some(end), None) => (op.operands[1], end.clone()),
            _ => return None,
        };
        let bound = match scalar {
            ScalarOp::Min => Bound::AtMost(end.clone()),
            ScalarOp::Max => Bound::AtLeast(end.clone()),
            _ => return None,
        };
        let (low, high) = match (self.bounds.get(&unknown), &bound) {
            (Some(Bound::AtLeast(low)), Bound::AtMost(high)) | (Some(Bound::AtMost(high)), Bound::AtLeast(low)) => {
                (low.clone(), high.clone())
            }
            _ => {
                self.bounds.insert(op.results[0], bound);
                return None;
            }
        };
        let mut new = || Variable::Symbol(self.nest.add_symbol(self.within));
        let (between, itself) = (new(), new());
        let inside = Affine::from(between);
        let facts = vec![inside.minus(&low)?, high.minus(&inside)?];
        self.facts.insert(between, facts);
        // The end that comes last counts where the other one lies beyond it.
        self.cases.insert(itself, vec![(inside, Vec::new()), (end, Vec::new())]);
        for variable in [between, itself] {
            self.sized(variable, [&low, &high].into_iter());
        }
        Some(Affine::from(itself))
    }
}
