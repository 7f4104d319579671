//! The guard of a version of a loop.
//!
//! In: a simplified conjunction of assumptions. Out: host ops, before the loop, that compute whether all hold. Values bear the names of what they are
//! for. Whether ints are small is one comparison.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::loops::assumptions::guards::{HostProgram, SMALL_INT};
use crate::loops::assumptions::kinds::Kind;
use crate::loops::assumptions::simplify::{Clause, Conjunction, Given, Test, sides};
use crate::loops::dependence::{Affine, LoopId, Step, Variable};

impl HostProgram<'_> {
    /// Whether all hold.
    pub(crate) fn guard(&mut self, conjunction: &Conjunction, given: &Given<'_>) -> Option<ValueId> {
        let values = self.with_lasts(conjunction, given)?;
        let mut all = None;
        for clause in &conjunction.clauses {
            let holds = match &clause.test {
                Test::Truth(value, _) => *value,
                Test::Any(any) => {
                    let holds = self.any(any, &values)?;
                    self.name(holds, clause.kind.name());
                    holds
                }
            };
            all = Some(self.both(all, holds));
        }
        if let Some(small) = self.are_small(&conjunction.small) {
            self.name(small, Kind::SmallInts.name());
            all = Some(self.both(all, small));
        }
        match all {
            Some(all) => Some(all),
            None => Some(self.scalar(OpKind::Constant(Constant::Bool(true)), Vec::new(), DType::Bool)),
        }
    }

    /// Both hold; `None` is true.
    fn both(&mut self, a: Option<ValueId>, b: ValueId) -> ValueId {
        match a {
            Some(a) => self.binary(ScalarOp::BitAnd, a, b, DType::Bool),
            None => b,
        }
    }

    /// Whether any of several functions is at least 0.
    fn any(&mut self, functions: &[Affine], values: &HashMap<Variable, ValueId>) -> Option<ValueId> {
        let mut any = None;
        for function in functions {
            let (left, op, right) = sides(function)?;
            let [left, right] = [self.value(&left, values)?, self.value(&right, values)?];
            let holds = self.binary(op, left, right, DType::Bool);
            any = Some(match any {
                Some(any) => self.binary(ScalarOp::BitOr, any, holds, DType::Bool),
                None => holds,
            });
        }
        any
    }

    /// Whether ints are less than [`SMALL_INT`], and as far from 0 at most: the bits of all together are. Those of a negative int are turned round.
    fn are_small(&mut self, ints: &[(ValueId, bool)]) -> Option<ValueId> {
        let mut bits = None;
        for (value, is_never_negative) in ints {
            let mut own = *value;
            if !is_never_negative {
                let turned = self.scalar(OpKind::Scalar(ScalarOp::BitNot), vec![own], DType::I64);
                own = self.binary(ScalarOp::Max, own, turned, DType::I64);
            }
            bits = Some(match bits {
                Some(bits) => self.binary(ScalarOp::BitOr, bits, own, DType::I64),
                None => own,
            });
        }
        let (bits, large) = (bits?, self.number(SMALL_INT));
        Some(self.binary(ScalarOp::Lt, bits, large, DType::Bool))
    }

    /// Values of symbols, and of the last indices of loops that a guard asks for, which are computed here.
    fn with_lasts(&mut self, conjunction: &Conjunction, given: &Given<'_>) -> Option<HashMap<Variable, ValueId>> {
        let mut values = given.symbols.clone();
        for (of, symbol) in given.nest.lasts() {
            let last = Variable::Symbol(symbol);
            let is_of = |f: &Affine| f.terms().iter().any(|(variable, _)| *variable == last);
            let is_asked = |clause: &Clause| matches!(&clause.test, Test::Any(any) if any.iter().any(is_of));
            if conjunction.clauses.iter().any(is_asked) {
                values.insert(last, self.last_in(given, of)?);
            }
        }
        Some(values)
    }

    /// The last index of a loop with one end, where it has an iteration.
    fn last_in(&mut self, given: &Given<'_>, of: LoopId) -> Option<ValueId> {
        let (header, symbols) = (given.nest.loop_of(of), given.symbols);
        let lower = self.value(&header.lower, symbols)?;
        let upper = self.value(header.upper.first()?, symbols)?;
        match header.step {
            Step::Known(step) => {
                let by = self.number(step);
                Some(self.last_index([lower, upper, by], step))
            }
            _ => {
                let (stride, one) = (self.value(given.nest.stride_of(of)?, symbols)?, self.number(1));
                let by = self.binary(ScalarOp::Max, stride, one, DType::I64);
                Some(self.last_index([lower, upper, by], i64::MAX))
            }
        }
    }
}
