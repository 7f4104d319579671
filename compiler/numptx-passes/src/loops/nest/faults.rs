//! Checks that work items make themselves, because what they test is known only there.
//!
//! In: `check` ops. Out: assumptions, where they can be decided before the loop; else steps that end the work item and set a fault. What happens then is
//! told in `versions`.

use numptx_ir::DType;
use numptx_ir::array::{Op, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::dependence::Affine;
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::program::{Raised, Refusal};
use crate::loops::nest::scope::Binding;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    pub(crate) fn check(&mut self, op: &Op) -> Result<(), Refusal> {
        let condition = op.operands[0];
        if let Some(at_work_items) = self.checks.at_work_items {
            return if at_work_items.contains(&condition) { self.check_at_work_item(op) } else { Ok(()) };
        }
        let n = self.assumptions.len();
        let is_required = self.require_of(op).is_ok();
        if is_required && self.assumptions[n..].iter().all(|r| r.is_decidable(&self.nest, &self.symbols)) {
            return Ok(());
        }
        self.assumptions.truncate(n);
        self.check_at_work_item(op)
    }

    /// What has to hold for a check not to fail.
    fn require_of(&mut self, op: &Op) -> Result<(), Refusal> {
        let (condition, why) = (self.scalar(op.operands[0])?.condition, Kind::of_check(&op.kind));
        match condition {
            Some(condition) if condition.is_exact => {
                condition.holds.into_iter().try_for_each(|f| self.require_in_all_cases(why, f, &[]))
            }
            // Each case has its own answer.
            Some(Condition { fails, enough: Some(enough), .. }) if fails.iter().any(|f| self.has_cases(f)) => {
                enough.into_iter().try_for_each(|f| self.require_in_all_cases(why, f, &[]))
            }
            // Where any of these is below 0 it does not fail; "not equal" does so exactly then.
            Some(Condition { fails, .. }) if !fails.is_empty() => {
                let below = |f: &Affine| f.times(-1)?.plus_constant(-1);
                let any: Option<Vec<Affine>> = fails.iter().map(below).collect();
                let any = any.ok_or(Refusal("large numbers"))?;
                self.require(why, any);
                Ok(())
            }
            Some(Condition { enough: Some(enough), .. }) if !self.captured.scalars.contains(&op.operands[0]) => {
                enough.into_iter().try_for_each(|f| self.require_in_all_cases(why, f, &[]))
            }
            _ if self.captured.scalars.contains(&op.operands[0]) => {
                self.assumptions.push(Assumption::holds(why, op.operands[0]));
                Ok(())
            }
            _ => Err(Refusal("a check that depends on data")),
        }
    }

    fn check_at_work_item(&mut self, op: &Op) -> Result<(), Refusal> {
        self.at_work_items.insert(op.operands[0]);
        let condition = self.val(op.operands[0])?;
        let number = match self.checks.payload {
            Some(payload) => self.tell(op, payload)?,
            None => {
                self.raised.push(Raised { kind: op.kind.clone(), payload: Vec::new(), span: op.span });
                1
            }
        };
        let fault = self.checks.fault;
        let table = self.captured.arrays.iter().position(|array| *array == fault);
        let table = table.ok_or(Refusal("a fault is missing"))? as u32;
        let number = self.code.integer(number);
        self.code.check(table, condition, number);
        Ok(())
    }

    /// Stores what the message of a check mentions where the check fails. The check's number.
    fn tell(&mut self, op: &Op, payload: ValueId) -> Result<i64, Refusal> {
        let condition = self.val(op.operands[0])?;
        let values = op.operands[1..].iter().map(|v| self.scalar(*v)).collect::<Result<Vec<_>, _>>()?;
        let dtypes: Vec<DType> = values.iter().map(|value| self.code.dtype(value.val)).collect();
        if dtypes.iter().any(|dtype| dtype.is_float() || dtype.is_complex()) {
            return Err(Refusal("a message mentions a float"));
        }
        if !values.is_empty() {
            let Binding::View(view) = self.binding(payload)? else { return Err(Refusal("a payload is missing")) };
            let fails = self.code.op(ScalarOp::BitNot, &[condition]);
            self.code.open_block(&[]);
            for (n, value) in values.iter().enumerate() {
                let (value, at) = (self.code.cast(value.val, DType::I64), self.code.integer(n as i64));
                self.code.store(view.table, &[at], value);
            }
            let then = self.code.close_block(&[]);
            self.code.open_block(&[]);
            let otherwise = self.code.close_block(&[]);
            self.code.if_(fails, then, otherwise);
        }
        self.raised.push(Raised { kind: op.kind.clone(), payload: dtypes, span: op.span });
        Ok(self.raised.len() as i64)
    }
}
