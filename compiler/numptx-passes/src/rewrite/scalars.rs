//! Folds host scalars: constants, neutral elements, sums with constants, and comparisons of extents.
//!
//! In: an operation and its operands. Out: the value that it is, shared or new. Integer identities hold modulo 2⁶⁴; comparisons of
//! `x + c` with `x + d` are folded only where `x` is an extent or an index into one, which never comes near 2⁶³.
//! Floats are folded only on constants, library functions never: their last bit is the target's.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp, eval};

use crate::rewrite::emit::Emitter;

/// `base + offset`, or the constant `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// `None`: a constant.
    pub base: Option<ValueId>,
    /// What is added.
    pub offset: i64,
}

impl Emitter {
    /// A constant.
    pub fn constant(&mut self, value: Constant, dtype: DType) -> ValueId {
        self.number(OpKind::Constant(value), Vec::new(), dtype, None)[0]
    }

    /// An `i64` constant.
    pub fn i64(&mut self, value: i64) -> ValueId {
        self.constant(Constant::Int(value), DType::I64)
    }

    fn bool(&mut self, value: bool) -> ValueId {
        self.constant(Constant::Bool(value), DType::Bool)
    }

    /// A value's constant.
    pub fn constant_of(&self, value: ValueId) -> Option<Constant> {
        match self.definition(value)?.kind {
            OpKind::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// A value's `i64` constant.
    pub fn i64_of(&self, value: ValueId) -> Option<i64> {
        match self.constant_of(value) {
            Some(Constant::Int(n)) if self.ty(value) == Type::Scalar(DType::I64) => Some(n),
            _ => None,
        }
    }

    /// A value as a sum with a constant.
    pub fn linear(&self, value: ValueId) -> Linear {
        if let Some(offset) = self.i64_of(value) {
            return Linear { base: None, offset };
        }
        if let Some(definition) = self.definition(value)
            && matches!(definition.kind, OpKind::Scalar(ScalarOp::Add))
            && let Some(offset) = self.i64_of(definition.operands[1])
        {
            return Linear { base: Some(definition.operands[0]), offset };
        }
        Linear { base: Some(value), offset: 0 }
    }

    /// `i64` addition.
    pub fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.scalar(ScalarOp::Add, &[a, b], DType::I64)
    }

    /// `i64` subtraction.
    pub fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.scalar(ScalarOp::Sub, &[a, b], DType::I64)
    }

    /// `i64` multiplication.
    pub fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.scalar(ScalarOp::Mul, &[a, b], DType::I64)
    }

    /// The larger of two `i64`.
    pub fn max(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.scalar(ScalarOp::Max, &[a, b], DType::I64)
    }

    /// The smaller of two `i64`.
    pub fn min(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.scalar(ScalarOp::Min, &[a, b], DType::I64)
    }

    /// A scalar operation, folded.
    pub fn scalar(&mut self, op: ScalarOp, operands: &[ValueId], dtype: DType) -> ValueId {
        self.scalar_as(op, operands, dtype, None)
    }

    /// As [`Emitter::scalar`]; a new op defines `reuse`.
    pub fn scalar_as(
        &mut self,
        op: ScalarOp,
        operands: &[ValueId],
        dtype: DType,
        reuse: Option<Vec<ValueId>>,
    ) -> ValueId {
        if let Some(folded) = self.fold_constants(op, operands, dtype) {
            return folded;
        }
        let folded = match self.ty(operands[0]) {
            _ if op == ScalarOp::Select => self.fold_select(operands),
            _ if op == ScalarOp::Cast => (self.ty(operands[0]) == Type::Scalar(dtype)).then_some(operands[0]),
            Type::Scalar(DType::I64) => self.fold_i64(op, operands),
            Type::Scalar(DType::Bool) => self.fold_bool(op, operands),
            _ => None,
        };
        folded.unwrap_or_else(|| self.number(OpKind::Scalar(op), operands.to_vec(), dtype, reuse)[0])
    }

    fn fold_constants(&mut self, op: ScalarOp, operands: &[ValueId], dtype: DType) -> Option<ValueId> {
        if matches!(op, ScalarOp::Math(_) | ScalarOp::Pow) {
            return None;
        }
        let constants: Option<Vec<(Constant, DType)>> =
            operands.iter().map(|v| Some((self.constant_of(*v)?, self.ty(*v).dtype()))).collect();
        let value = eval(op, &constants?, dtype);
        Some(self.constant(value, dtype))
    }

    fn fold_select(&mut self, operands: &[ValueId]) -> Option<ValueId> {
        match self.constant_of(operands[0]) {
            Some(Constant::Bool(true)) => Some(operands[1]),
            Some(Constant::Bool(false)) => Some(operands[2]),
            _ => (operands[1] == operands[2]).then_some(operands[1]),
        }
    }

    fn fold_bool(&mut self, op: ScalarOp, operands: &[ValueId]) -> Option<ValueId> {
        let known = |v: ValueId| match self.constant_of(v) {
            Some(Constant::Bool(value)) => Some(value),
            _ => None,
        };
        let (first, second) = (known(operands[0]), operands.get(1).and_then(|v| known(*v)));
        match (op, first, second) {
            (ScalarOp::BitOr | ScalarOp::Max, Some(true), _) | (ScalarOp::BitAnd | ScalarOp::Min, Some(false), _) => {
                Some(operands[0])
            }
            (ScalarOp::BitOr | ScalarOp::Max, _, Some(true)) | (ScalarOp::BitAnd | ScalarOp::Min, _, Some(false)) => {
                Some(operands[1])
            }
            (ScalarOp::BitOr, Some(false), _) | (ScalarOp::BitAnd, Some(true), _) => Some(operands[1]),
            (ScalarOp::BitOr, _, Some(false)) | (ScalarOp::BitAnd, _, Some(true)) => Some(operands[0]),
            (ScalarOp::BitOr | ScalarOp::BitAnd, ..) if operands[0] == operands[1] => Some(operands[0]),
            (ScalarOp::Eq, Some(true), _) => Some(operands[1]),
            (ScalarOp::Eq, _, Some(true)) => Some(operands[0]),
            (ScalarOp::BitNot, ..) => self.fold_double_not(operands[0]),
            _ => None,
        }
    }

    fn fold_double_not(&self, operand: ValueId) -> Option<ValueId> {
        let definition = self.definition(operand)?;
        matches!(definition.kind, OpKind::Scalar(ScalarOp::BitNot)).then(|| definition.operands[0])
    }

    fn fold_i64(&mut self, op: ScalarOp, operands: &[ValueId]) -> Option<ValueId> {
        let [a, b] = *operands else { return None };
        match op {
            ScalarOp::Add => self.fold_add(a, b),
            ScalarOp::Sub => self.fold_sub(a, b),
            ScalarOp::Mul => self.fold_mul(a, b),
            ScalarOp::Max | ScalarOp::Min => self.fold_extremum(op, a, b),
            ScalarOp::FloorDiv => (self.i64_of(b) == Some(1)).then_some(a),
            ScalarOp::Eq | ScalarOp::Ne | ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge => {
                self.fold_comparison(op, a, b)
            }
            _ => None,
        }
    }

    /// `base + offset` as a value, in the one form that sums with constants have.
    pub fn linear_value(&mut self, linear: Linear) -> ValueId {
        match linear {
            Linear { base: None, offset } => self.i64(offset),
            Linear { base: Some(base), offset: 0 } => base,
            Linear { base: Some(base), offset } => {
                let offset = self.i64(offset);
                self.number(OpKind::Scalar(ScalarOp::Add), vec![base, offset], DType::I64, None)[0]
            }
        }
    }

    fn fold_add(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let (x, y) = (self.linear(a), self.linear(b));
        let offset = x.offset.wrapping_add(y.offset);
        match (x.base, y.base) {
            (base, None) | (None, base) => {
                // A sum with a constant in its one form stays as it is.
                let is_canonical = x.offset == 0 && x.base == Some(a) && y.base.is_none() && y.offset != 0;
                if is_canonical { None } else { Some(self.linear_value(Linear { base, offset })) }
            }
            (Some(_), Some(_)) if x.offset == 0 && y.offset == 0 => {
                (a > b).then(|| self.number(OpKind::Scalar(ScalarOp::Add), vec![b, a], DType::I64, None)[0])
            }
            (Some(p), Some(q)) => {
                let base = self.add(p, q);
                let base = self.linear(base);
                Some(self.linear_value(Linear { base: base.base, offset: base.offset.wrapping_add(offset) }))
            }
        }
    }

    fn fold_sub(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let (x, y) = (self.linear(a), self.linear(b));
        let offset = x.offset.wrapping_sub(y.offset);
        if x.base == y.base {
            return Some(self.i64(offset));
        }
        if y.base.is_none() {
            return Some(self.linear_value(Linear { base: x.base, offset }));
        }
        None
    }

    fn fold_mul(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        match (self.i64_of(a), self.i64_of(b)) {
            (Some(0), _) | (_, Some(1)) => Some(a),
            (_, Some(0)) | (Some(1), _) => Some(b),
            (Some(_), None) => Some(self.mul(b, a)),
            _ => None,
        }
    }

    /// `max(max(n + c, 0) + d, 0)` with `d ≤ 0` is `max(n + c + d, 0)`: the length of a slice of a slice.
    fn fold_extremum(&mut self, op: ScalarOp, a: ValueId, b: ValueId) -> Option<ValueId> {
        if a == b {
            return Some(a);
        }
        if self.i64_of(a).is_some() && self.i64_of(b).is_none() {
            return Some(self.scalar(op, &[b, a], DType::I64));
        }
        if let Some(is_less) = self.compare_linear(ScalarOp::Le, a, b) {
            return Some(if is_less == (op == ScalarOp::Max) { b } else { a });
        }
        if op != ScalarOp::Max || self.i64_of(b) != Some(0) {
            return None;
        }
        let sum = self.linear(a);
        let inner = self.definition(sum.base?)?;
        let is_clamped =
            matches!(inner.kind, OpKind::Scalar(ScalarOp::Max)) && self.i64_of(inner.operands[1]) == Some(0);
        if !is_clamped || sum.offset > 0 {
            return None;
        }
        let below = self.linear(inner.operands[0]);
        let length = self.linear_value(Linear { base: below.base, offset: below.offset.wrapping_add(sum.offset) });
        Some(self.max(length, b))
    }

    fn fold_comparison(&mut self, op: ScalarOp, a: ValueId, b: ValueId) -> Option<ValueId> {
        if a == b {
            return Some(self.bool(matches!(op, ScalarOp::Eq | ScalarOp::Le | ScalarOp::Ge)));
        }
        let known = match op {
            ScalarOp::Eq => self.compare_equal(a, b),
            ScalarOp::Ne => self.compare_equal(a, b).map(|equal| !equal),
            ScalarOp::Lt => self.compare_linear(ScalarOp::Lt, a, b),
            ScalarOp::Le => self.compare_linear(ScalarOp::Le, a, b),
            ScalarOp::Gt => self.compare_linear(ScalarOp::Lt, b, a),
            _ => self.compare_linear(ScalarOp::Le, b, a),
        };
        known.map(|value| self.bool(value))
    }

    fn compare_equal(&self, a: ValueId, b: ValueId) -> Option<bool> {
        let (x, y) = (self.linear(a), self.linear(b));
        if x.base == y.base {
            return Some(x.offset == y.offset);
        }
        let is_apart = |a, b| self.compare_linear(ScalarOp::Lt, a, b) == Some(true);
        (is_apart(a, b) || is_apart(b, a)).then_some(false)
    }

    /// Whether `a < b` or `a <= b`, where that is known.
    pub fn compare_linear(&self, op: ScalarOp, a: ValueId, b: ValueId) -> Option<bool> {
        let (x, y) = (self.linear(a), self.linear(b));
        let holds = |difference: i64| if op == ScalarOp::Lt { difference < 0 } else { difference <= 0 };
        if x.base == y.base && x.base.is_none_or(|base| self.is_small(base)) {
            return Some(holds(x.offset.checked_sub(y.offset)?));
        }
        let comparable = |x: Linear, y: Linear| x.base == y.base && x.base.is_none_or(|base| self.is_small(base));
        // a <= upper(a) and lower(b) <= b, each by a sum with the same base.
        for x in [Some(x), self.upper_bound(a)].into_iter().flatten() {
            for y in [Some(y), self.lower_bound(b)].into_iter().flatten() {
                if comparable(x, y) && holds(x.offset.checked_sub(y.offset)?) {
                    return Some(true);
                }
            }
        }
        for x in [Some(x), self.lower_bound(a)].into_iter().flatten() {
            for y in [Some(y), self.upper_bound(b)].into_iter().flatten() {
                if comparable(x, y) && !holds(x.offset.checked_sub(y.offset)?) {
                    return Some(false);
                }
            }
        }
        None
    }

    /// Whether a value is an extent, or an index into one: sums of it with small constants do not wrap.
    fn is_small(&self, value: ValueId) -> bool {
        if let Some(induction) = self.induction(value) {
            return self.is_small_or_constant(induction.lower) && self.is_small_or_constant(induction.upper);
        }
        let Some(definition) = self.definition(value) else { return false };
        match &definition.kind {
            OpKind::Dim(_) | OpKind::BroadcastExtent | OpKind::SliceBounds { .. } => true,
            OpKind::Scalar(ScalarOp::Max | ScalarOp::Min) => {
                definition.operands.iter().all(|v| self.is_small_or_constant(*v))
            }
            _ => false,
        }
    }

    fn is_small_or_constant(&self, value: ValueId) -> bool {
        let linear = self.linear(value);
        linear.offset.unsigned_abs() < 1 << 40 && linear.base.is_none_or(|base| self.is_small(base))
    }

    /// A lower bound: a constant, or a sum with another base.
    pub fn lower_bound(&self, value: ValueId) -> Option<Linear> {
        let sum = self.linear(value);
        let base = sum.base?;
        let constant = |offset: i64| Some(Linear { base: None, offset });
        let bound = if let Some(induction) = self.induction(base) {
            let step = self.i64_of(induction.step)?;
            let lower = self.linear(induction.lower);
            (step > 0 && self.is_small(base)).then_some(lower)
        } else {
            let definition = self.definition(base)?;
            match &definition.kind {
                OpKind::Dim(_) | OpKind::BroadcastExtent => constant(0),
                OpKind::SliceBounds { .. } => (definition.results.get(1) == Some(&base)).then(|| constant(0)).flatten(),
                OpKind::Scalar(ScalarOp::Max) => self.i64_of(definition.operands[1]).and_then(constant),
                _ => None,
            }
        }?;
        Some(Linear { base: bound.base, offset: bound.offset.checked_add(sum.offset)? })
    }

    /// An upper bound of an induction variable, or of a minimum with a constant.
    pub fn upper_bound(&self, value: ValueId) -> Option<Linear> {
        let sum = self.linear(value);
        let base = sum.base?;
        let bound = if let Some(induction) = self.induction(base) {
            let step = self.i64_of(induction.step)?;
            let upper = self.linear(induction.upper);
            (step > 0 && self.is_small(base))
                .then_some(Linear { base: upper.base, offset: upper.offset.checked_sub(1)? })
        } else {
            let definition = self.definition(base)?;
            match &definition.kind {
                OpKind::Scalar(ScalarOp::Min) => {
                    self.i64_of(definition.operands[1]).map(|offset| Linear { base: None, offset })
                }
                _ => None,
            }
        }?;
        Some(Linear { base: bound.base, offset: bound.offset.checked_add(sum.offset)? })
    }
}
