//! Comparisons of two values of one dtype.

use inkwell::values::IntValue;
use inkwell::{FloatPredicate, IntPredicate};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::scalar::ScalarOp;

use crate::emitter::Emitter;
use crate::error::{Emit, undefined};
use crate::value::Scalar;

impl<'ctx> Emitter<'ctx, '_> {
    /// `a op b`: bool. With a nan all are false but `!=`.
    pub(super) fn comparison(
        &self,
        op: ScalarOp,
        a: Scalar<'ctx>,
        b: Scalar<'ctx>,
        dtype: DType,
    ) -> Emit<Scalar<'ctx>> {
        let result = match dtype.kind() {
            Kind::Bool | Kind::Unsigned => self.icmp(unsigned_predicate(op)?, a.int()?, b.int()?)?,
            Kind::Signed => self.icmp(signed_predicate(op)?, a.int()?, b.int()?)?,
            Kind::Float => self.fcmp(float_predicate(op)?, a.float()?, b.float()?)?,
            Kind::Complex => self.complex_equality(op, a, b)?,
        };
        Ok(Scalar::Int(result))
    }

    fn complex_equality(&self, op: ScalarOp, a: Scalar<'ctx>, b: Scalar<'ctx>) -> Emit<IntValue<'ctx>> {
        let (a, b) = (a.complex()?, b.complex()?);
        let predicate = float_predicate(op)?;
        let (re, im) = (self.fcmp(predicate, a.0, b.0)?, self.fcmp(predicate, a.1, b.1)?);
        match op {
            ScalarOp::Eq => self.and(re, im),
            ScalarOp::Ne => self.or(re, im),
            _ => Err(undefined(op, "complex numbers")),
        }
    }
}

fn signed_predicate(op: ScalarOp) -> Emit<IntPredicate> {
    Ok(match op {
        ScalarOp::Lt => IntPredicate::SLT,
        ScalarOp::Le => IntPredicate::SLE,
        ScalarOp::Gt => IntPredicate::SGT,
        ScalarOp::Ge => IntPredicate::SGE,
        _ => return unsigned_predicate(op),
    })
}

fn unsigned_predicate(op: ScalarOp) -> Emit<IntPredicate> {
    Ok(match op {
        ScalarOp::Eq => IntPredicate::EQ,
        ScalarOp::Ne => IntPredicate::NE,
        ScalarOp::Lt => IntPredicate::ULT,
        ScalarOp::Le => IntPredicate::ULE,
        ScalarOp::Gt => IntPredicate::UGT,
        ScalarOp::Ge => IntPredicate::UGE,
        _ => return Err(undefined(op, "pairs")),
    })
}

fn float_predicate(op: ScalarOp) -> Emit<FloatPredicate> {
    Ok(match op {
        ScalarOp::Eq => FloatPredicate::OEQ,
        ScalarOp::Ne => FloatPredicate::UNE,
        ScalarOp::Lt => FloatPredicate::OLT,
        ScalarOp::Le => FloatPredicate::OLE,
        ScalarOp::Gt => FloatPredicate::OGT,
        ScalarOp::Ge => FloatPredicate::OGE,
        _ => return Err(undefined(op, "pairs")),
    })
}
