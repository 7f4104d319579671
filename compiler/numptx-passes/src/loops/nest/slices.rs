//! Slices whose bounds are computed in the loop.
//!
//! In: the bounds as a program wrote them, and an extent. Out: start and length as Python counts them, and what is known of both.

use numptx_ir::DType;
use numptx_ir::array::{Op, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp, Val};

use crate::loops::dependence::{Affine, Variable};
use crate::loops::nest::program::Refusal;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    /// Binds start and length of a slice; its step has to be 1.
    pub(crate) fn slice_bounds(&mut self, op: &Op, lower: bool, upper: bool) -> Result<(), Refusal> {
        let (bounds, [step, extent]) = op.operands.split_at(usize::from(lower) + usize::from(upper)) else {
            return Err(Refusal("a slice without an extent"));
        };
        if self.index(*step)?.affine.as_ref().and_then(Affine::as_constant) != Some(1) {
            return Err(Refusal("a slice whose bounds are computed in the loop, with a step"));
        }
        let n = self.index(*extent)?;
        let zero = self.code.constant(Constant::Int(0), DType::I64);
        let start = self.bound(bounds.first().filter(|_| lower), zero, n.val, zero)?;
        let stop = self.bound(bounds.last().filter(|_| upper), n.val, n.val, zero)?;
        let length = self.code.op(ScalarOp::Sub, &[stop, start]);
        let length = self.code.op(ScalarOp::Max, &[length, zero]);
        let [start_symbol, length_symbol] = [(); 2].map(|()| Variable::Symbol(self.nest.add_symbol(self.within)));
        let (from, along) = (Affine::from(start_symbol), Affine::from(length_symbol));
        let rest = n.affine.as_ref().and_then(|n| n.minus(&from)?.minus(&along));
        for (symbol, itself) in [(start_symbol, &from), (length_symbol, &along)] {
            self.facts.insert(symbol, rest.iter().chain([itself]).cloned().collect());
        }
        self.bind_scalar(op.results[0], start, Some(from), None);
        self.bind_scalar(op.results[1], length, Some(along), None);
        Ok(())
    }

    /// A bound between 0 and the extent, counted from the end where it is negative; `absent` where there is none.
    fn bound(&mut self, bound: Option<&ValueId>, absent: Val, extent: Val, zero: Val) -> Result<Val, Refusal> {
        let Some(bound) = bound else { return Ok(absent) };
        let at = self.val(*bound)?;
        let is_negative = self.code.op(ScalarOp::Lt, &[at, zero]);
        let from_end = self.code.op(ScalarOp::Add, &[at, extent]);
        let from_end = self.code.op(ScalarOp::Max, &[from_end, zero]);
        let from_start = self.code.op(ScalarOp::Min, &[at, extent]);
        Ok(self.code.op(ScalarOp::Select, &[is_negative, from_end, from_start]))
    }
}
