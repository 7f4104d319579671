//! Host scalars: constants, operations, slice bounds, checks.
//!
//! In: host scalars of the dtypes that the operation takes. Out: one value for equal ones; `i64` arithmetic is folded as far as extents need it,
//! everything else is left to passes.

use super::Builder;
use super::sharing::ScalarKey;
use crate::DType;
use crate::array::{ErrorKind, OpKind, Type, ValueId};
use crate::scalar::{Constant, ScalarOp};

impl Builder {
    /// A constant.
    pub fn constant(&mut self, value: Constant, dtype: DType) -> ValueId {
        self.shared(ScalarKey::Constant(value, dtype), |b| {
            let results = b.emit_typed(OpKind::Constant(value), Vec::new(), vec![Type::Scalar(dtype)], Vec::new());
            b.constants[results[0].0 as usize] = Some(value);
            results
        })[0]
    }

    /// An `i64` constant.
    pub fn i64(&mut self, value: i64) -> ValueId {
        self.constant(Constant::Int(value), DType::I64)
    }

    /// A value's constant, if it is one.
    pub fn as_constant(&self, value: ValueId) -> Option<Constant> {
        self.constants[value.0 as usize]
    }

    /// A value's integer constant, if it is one.
    pub fn as_i64(&self, value: ValueId) -> Option<i64> {
        match self.as_constant(value) {
            Some(Constant::Int(n)) => Some(n),
            _ => None,
        }
    }

    /// A scalar operation; all operands are host scalars of the dtypes that the operation takes.
    pub fn scalar(&mut self, op: ScalarOp, operands: &[ValueId]) -> ValueId {
        if let Some(folded) = self.fold(op, operands) {
            return folded;
        }
        let key = ScalarKey::Scalar(op, self.dtype(operands[0]), operands.to_vec());
        self.shared(key, |b| b.emit(OpKind::Scalar(op), operands.to_vec()))[0]
    }

    /// Python's slice normalisation: start and length of `lower:upper:step` on an axis of `extent`; step is not 0 (checked before).
    pub fn slice_bounds(
        &mut self,
        lower: Option<ValueId>,
        upper: Option<ValueId>,
        step: ValueId,
        extent: ValueId,
    ) -> (ValueId, ValueId) {
        let operands: Vec<ValueId> = lower.into_iter().chain(upper).chain([step, extent]).collect();
        let key = ScalarKey::SliceBounds(lower.is_some(), upper.is_some(), operands.clone());
        let kind = OpKind::SliceBounds { lower: lower.is_some(), upper: upper.is_some() };
        let results = self.shared(key, |b| b.emit(kind, operands));
        (results[0], results[1])
    }

    /// Folds `i64` arithmetic on constants and with neutral elements, as extents need it.
    fn fold(&mut self, op: ScalarOp, operands: &[ValueId]) -> Option<ValueId> {
        if operands.len() != 2 || operands.iter().any(|v| self.ty(*v) != Type::Scalar(DType::I64)) {
            return None;
        }
        let (a, b) = (self.as_i64(operands[0]), self.as_i64(operands[1]));
        match (op, a, b) {
            (ScalarOp::Add, Some(a), Some(b)) => Some(self.i64(a.wrapping_add(b))),
            (ScalarOp::Sub, Some(a), Some(b)) => Some(self.i64(a.wrapping_sub(b))),
            (ScalarOp::Mul, Some(a), Some(b)) => Some(self.i64(a.wrapping_mul(b))),
            (ScalarOp::Add, Some(0), _) | (ScalarOp::Mul, Some(1), _) => Some(operands[1]),
            (ScalarOp::Add | ScalarOp::Sub, _, Some(0)) | (ScalarOp::Mul, _, Some(1)) => Some(operands[0]),
            (ScalarOp::Eq, Some(a), Some(b)) => Some(self.constant(Constant::Bool(a == b), DType::Bool)),
            (ScalarOp::Eq, _, _) if operands[0] == operands[1] => {
                Some(self.constant(Constant::Bool(true), DType::Bool))
            }
            (ScalarOp::Lt, Some(a), Some(b)) => Some(self.constant(Constant::Bool(a < b), DType::Bool)),
            (ScalarOp::Le, Some(a), Some(b)) => Some(self.constant(Constant::Bool(a <= b), DType::Bool)),
            _ => None,
        }
    }

    /// A host scalar converted to a dtype; itself if it has it.
    pub fn cast_scalar(&mut self, value: ValueId, dtype: DType) -> ValueId {
        if self.dtype(value) == dtype {
            return value;
        }
        let kind = OpKind::Scalar(ScalarOp::Cast);
        let key = ScalarKey::Scalar(ScalarOp::Cast, dtype, vec![value]);
        self.shared(key, |b| b.emit_typed(kind, vec![value], vec![Type::Scalar(dtype)], Vec::new()))[0]
    }

    /// Notes a value as settled from here on, in the innermost open region and in what it opens.
    pub fn settle(&mut self, value: ValueId) {
        self.scopes.last_mut().expect("a region is open").checked.insert(value);
    }

    /// Whether a value was settled on each path that leads here.
    pub fn is_settled(&self, value: ValueId) -> bool {
        self.scopes.iter().any(|scope| scope.checked.contains(&value))
    }

    /// Raises unless the condition holds; nothing if it is constantly true or was checked before.
    pub fn check(&mut self, condition: ValueId, kind: ErrorKind, message: impl Into<String>, payload: &[ValueId]) {
        if self.is_settled(condition) || self.as_constant(condition) == Some(Constant::Bool(true)) {
            return;
        }
        self.settle(condition);
        let mut operands = vec![condition];
        operands.extend_from_slice(payload);
        self.emit(OpKind::Check { kind, message: message.into() }, operands);
    }
}
