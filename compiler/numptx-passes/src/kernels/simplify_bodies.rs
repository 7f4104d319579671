//! **Does**: folds constants in the bodies of kernels, drops operations that change nothing, shares equal ones, and divides by powers of two
//! by multiplying.
//! **Requires**: kernels, as `form-kernels` leaves them.
//! **Ensures**: no body repeats an operation on the same values, or has one whose result nothing needs.
//! **Keeps**: every bit of every result: `x * 1` is `x`, but `x + 0.0` is not where `x` is `-0.0`, and library functions are not folded.
//! **Example**: `$1 = constant 1.0; $2 = mul $0, $1; $3 = add $2, $2` becomes `$1 = add $0, $0`.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val, eval};
use numptx_source::InternalError;

use crate::Pass;

/// See the file's header.
pub const SIMPLIFY_BODIES: Pass =
    Pass::optional("simplify-bodies", "fold and share scalar operations in kernels, exactly", simplify_bodies);

fn simplify_bodies(module: &mut Module) -> Result<(), InternalError> {
    for kernel in &mut module.kernels {
        for phase in kernel.phases_mut() {
            phase.body = simplified(&phase.body);
            if let Some(epilogue) = &mut phase.epilogue {
                *epilogue = simplified(epilogue);
            }
        }
    }
    Ok(())
}

/// The same body, simpler.
fn simplified(body: &Body) -> Body {
    let mut rewrite = Rewrite { builder: BodyBuilder::new(), constants: Vec::new() };
    let mut vals: Vec<Val> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        let val = match &instr.kind {
            InstrKind::Op(op, operands) => {
                let operands: Vec<Val> = operands.iter().map(|v| vals[v.0 as usize]).collect();
                rewrite.op(*op, operands, instr.dtype)
            }
            InstrKind::Element(table, at) => {
                let at = at.iter().map(|v| vals[v.0 as usize]).collect();
                rewrite.push(InstrKind::Element(*table, at), instr.dtype)
            }
            InstrKind::Constant(constant) => rewrite.constant(*constant, instr.dtype),
            other => rewrite.push(other.clone(), instr.dtype),
        };
        vals.push(val);
    }
    let outputs = body.outputs.iter().map(|v| vals[v.0 as usize]).collect();
    rewrite.builder.finish(outputs)
}

struct Rewrite {
    builder: BodyBuilder,
    /// By value of the new body.
    constants: Vec<Option<Constant>>,
}

impl Rewrite {
    fn push(&mut self, kind: InstrKind, dtype: DType) -> Val {
        self.builder.push(kind, dtype)
    }

    fn constant(&mut self, value: Constant, dtype: DType) -> Val {
        let val = self.builder.push(InstrKind::Constant(value), dtype);
        let position = val.0 as usize;
        if self.constants.len() <= position {
            self.constants.resize(position + 1, None);
        }
        self.constants[position] = Some(value);
        val
    }

    fn constant_of(&self, val: Val) -> Option<Constant> {
        self.constants.get(val.0 as usize).copied().flatten()
    }

    fn op(&mut self, op: ScalarOp, operands: Vec<Val>, dtype: DType) -> Val {
        let known: Option<Vec<(Constant, DType)>> =
            operands.iter().map(|v| Some((self.constant_of(*v)?, self.builder.dtype(*v)))).collect();
        if let (Some(known), false) = (known, matches!(op, ScalarOp::Math(_) | ScalarOp::Pow)) {
            return self.constant(eval(op, &known, dtype), dtype);
        }
        if let Some(same) = self.unchanged(op, &operands, dtype) {
            return same;
        }
        if let (ScalarOp::Div, Some(reciprocal)) = (op, self.exact_reciprocal(&operands, dtype)) {
            let reciprocal = self.constant(Constant::Float(reciprocal), dtype);
            return self.push(InstrKind::Op(ScalarOp::Mul, vec![operands[0], reciprocal]), dtype);
        }
        self.push(InstrKind::Op(op, operands), dtype)
    }

    /// The operand that the operation leaves as it is.
    fn unchanged(&self, op: ScalarOp, operands: &[Val], dtype: DType) -> Option<Val> {
        let constant = |n: usize| operands.get(n).and_then(|v| self.constant_of(*v));
        let (first, second) = (operands[0], operands.get(1).copied().unwrap_or(operands[0]));
        let is = |n: usize, value: i64| is_number(constant(n), value, dtype);
        let is_integer = dtype.is_integer();
        match op {
            ScalarOp::Mul | ScalarOp::Product | ScalarOp::Div if is(1, 1) && !dtype.is_complex() => Some(first),
            ScalarOp::Mul | ScalarOp::Product if is(0, 1) && !dtype.is_complex() => Some(second),
            ScalarOp::Add if is_integer && is(1, 0) => Some(first),
            ScalarOp::Add if is_integer && is(0, 0) => Some(second),
            ScalarOp::Sub if !dtype.is_complex() && is(1, 0) => Some(first),
            ScalarOp::FloorDiv if is_integer && is(1, 1) => Some(first),
            ScalarOp::Cast if self.builder.dtype(first) == dtype => Some(first),
            ScalarOp::BitAnd | ScalarOp::BitOr | ScalarOp::Min | ScalarOp::Max if first == second => Some(first),
            ScalarOp::Select => match constant(0) {
                Some(Constant::Bool(true)) => Some(operands[1]),
                Some(Constant::Bool(false)) => Some(operands[2]),
                _ => (operands[1] == operands[2]).then_some(operands[1]),
            },
            _ => None,
        }
    }

    /// The reciprocal of a constant power of two: multiplying by it rounds the same number as dividing does.
    fn exact_reciprocal(&self, operands: &[Val], dtype: DType) -> Option<f64> {
        let Some(Constant::Float(value)) = self.constant_of(*operands.get(1)?) else { return None };
        let exponent = value.abs().log2();
        let is_power = exponent.fract() == 0.0 && exponent.abs() <= 100.0 && value.abs() == exponent.exp2();
        (dtype.is_float() && is_power).then(|| 1.0 / value)
    }
}

fn is_number(constant: Option<Constant>, value: i64, dtype: DType) -> bool {
    match constant {
        Some(Constant::Int(n)) => n == value && dtype.is_integer(),
        // By bits: 0.0, not -0.0.
        Some(Constant::Float(x)) => x.to_bits() == (value as f64).to_bits(),
        _ => false,
    }
}
