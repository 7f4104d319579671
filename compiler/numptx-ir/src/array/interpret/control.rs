//! Branches and loops.

use super::{Interpreter, Outcome, Value, int_value, invalid};
use crate::array::{Op, OpKind};
use crate::scalar::Constant;

impl Interpreter<'_> {
    pub(super) fn control(&mut self, op: &Op) -> Outcome<Vec<Value>> {
        match op.kind {
            OpKind::If => {
                let taken = self.scalar(op.operands[0])? == Constant::Bool(true);
                self.run_region(&op.regions[usize::from(!taken)])
            }
            OpKind::For => self.run_for(op),
            _ => self.run_while(op),
        }
    }

    fn run_for(&mut self, op: &Op) -> Outcome<Vec<Value>> {
        let bounds = self.ints(&op.operands[..3])?;
        let (mut index, upper, step) = (i128::from(bounds[0]), i128::from(bounds[1]), i128::from(bounds[2]));
        if step == 0 {
            return invalid("a loop's step is 0");
        }
        let mut carried = self.all(&op.operands[3..])?;
        self.consume(&op.operands[3..]);
        let parameters = &op.regions[0].parameters[1..];
        while if step > 0 { index < upper } else { index > upper } {
            let region = &op.regions[0];
            self.bind(&region.parameters[..1], &[int_value(index as i64)])?;
            self.bind(parameters, &carried)?;
            self.own(parameters, &carried);
            carried = self.run_region(region)?;
            index += step;
        }
        self.disown(parameters);
        Ok(carried)
    }

    fn run_while(&mut self, op: &Op) -> Outcome<Vec<Value>> {
        let mut carried = self.all(&op.operands)?;
        self.consume(&op.operands);
        let parameters = &op.regions[1].parameters;
        loop {
            self.own(parameters, &carried);
            self.bind(&op.regions[0].parameters, &carried)?;
            let condition = self.run_region(&op.regions[0])?;
            if !matches!(condition[..], [Value::Scalar(Constant::Bool(true))]) {
                self.disown(parameters);
                return Ok(carried);
            }
            self.bind(parameters, &carried)?;
            carried = self.run_region(&op.regions[1])?;
        }
    }
}
