//! Branches, loops and `try`.

use super::memory::{Buffer, View, contiguous};
use super::{Failure, Interpreter, Object, Outcome, Value, int_value, invalid};
use crate::array::{Layout, Op, OpKind, Type, ValueId};
use crate::scalar::{Constant, zero};

impl Interpreter<'_> {
    pub(super) fn control(&mut self, op: &Op) -> Outcome<Vec<Value>> {
        match op.kind {
            OpKind::If => {
                let taken = self.scalar(op.operands[0])? == Constant::Bool(true);
                self.run_region(&op.regions[usize::from(!taken)])
            }
            OpKind::For => self.run_for(op),
            OpKind::Try => self.run_try(op),
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

    /// Effects of a region that raises stay, and what it owns is released.
    fn run_try(&mut self, op: &Op) -> Outcome<Vec<Value>> {
        let region = &op.regions[0];
        let (ended, yielded) = match self.run_region(region) {
            Ok(yielded) => (true, yielded),
            Err(Failure::Raised { kind, message }) => {
                self.release_defined(region)?;
                self.raised = Some((kind, message));
                (false, op.results[1..].iter().map(|result| self.nothing(*result)).collect())
            }
            Err(invalid) => return Err(invalid),
        };
        Ok(std::iter::once(Value::Scalar(Constant::Bool(ended))).chain(yielded).collect())
    }

    /// What stands for a value that was never made: it can be released.
    fn nothing(&mut self, result: ValueId) -> Value {
        let ty = match self.function.ty(result) {
            Type::Scalar(dtype) => return Value::Scalar(zero(dtype)),
            Type::Object => {
                let buffer = Buffer::new(Vec::new());
                self.buffers.push((buffer.clone(), 0));
                return Value::Object(Object { buffer });
            }
            Type::Array(ty) => ty,
        };
        let shape = vec![0; ty.rank];
        let strides = match ty.layout {
            Layout::F => contiguous(&shape, ty.dtype, (0..ty.rank).rev()),
            Layout::C | Layout::Any => contiguous(&shape, ty.dtype, 0..ty.rank),
        };
        let buffer = Buffer::new(Vec::new());
        self.buffers.push((buffer.clone(), 0));
        Value::Array(View { buffer, dtype: ty.dtype, offset: 0, shape, strides, read_only: !ty.writable })
    }
}
