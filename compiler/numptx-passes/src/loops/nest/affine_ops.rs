//! What ops on ints give, as affine functions, conditions and cases.
//!
//! In: an op and its operands. Out: what it gives, where that is known. Decides nothing.

use numptx_ir::DType;
use numptx_ir::scalar::ScalarOp;

use crate::loops::dependence::Affine;
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::scope::Scalar;

pub(crate) fn affine_of(op: ScalarOp, dtype: DType, operands: &[Scalar]) -> Option<Affine> {
    if dtype != DType::I64 {
        return None;
    }
    let of = |n: usize| operands.get(n).and_then(|s| s.affine.as_ref());
    match op {
        ScalarOp::Add => of(0)?.plus(of(1)?),
        ScalarOp::Sub => of(0)?.minus(of(1)?),
        ScalarOp::Neg => of(0)?.times(-1),
        ScalarOp::Mul => match (of(0)?.as_constant(), of(1)?.as_constant()) {
            (Some(n), _) => of(1)?.times(n),
            (_, Some(n)) => of(0)?.times(n),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn condition_of(op: ScalarOp, operands: &[Scalar]) -> Option<Condition> {
    let of = |n: usize| operands.get(n).and_then(|s| s.condition.as_ref());
    match op {
        ScalarOp::BitAnd => Condition::and(of(0), of(1)),
        ScalarOp::BitOr => Condition::or(of(0), of(1)),
        ScalarOp::BitNot => of(0).cloned().map(Condition::not),
        ScalarOp::Ge if operands.first().is_some_and(|s| !s.signs.is_empty()) => {
            let zero = operands.get(1).and_then(|s| s.affine.as_ref()).and_then(Affine::as_constant);
            if zero == Some(0) { Condition::no_overflow(&operands[0].signs) } else { None }
        }
        _ => {
            let affine = |n: usize| operands.get(n).and_then(|s| s.affine.as_ref());
            Condition::compare(op, affine(0)?, affine(1)?)
        }
    }
}

pub(crate) fn signs_of(op: ScalarOp, operands: &[Scalar]) -> Vec<[Affine; 2]> {
    let of = |n: usize| operands.get(n);
    match (op, of(0), of(1)) {
        (ScalarOp::BitXor, Some(a), Some(b)) => match (&a.affine, &b.affine) {
            (Some(a), Some(b)) => vec![[a.clone(), b.clone()]],
            _ => Vec::new(),
        },
        (ScalarOp::BitAnd, Some(a), Some(b)) if a.signs.len() == 1 && b.signs.len() == 1 => {
            vec![a.signs[0].clone(), b.signs[0].clone()]
        }
        _ => Vec::new(),
    }
}

/// What an integer that is chosen among others is, and what is at least 0 then.
pub(crate) fn cases_of(op: ScalarOp, operands: &[Scalar]) -> Option<Vec<(Affine, Vec<Affine>)>> {
    let of = |n: usize| operands.get(n).and_then(|s| s.affine.clone());
    Some(match op {
        ScalarOp::Min | ScalarOp::Max => {
            let (a, b) = (of(0)?, of(1)?);
            let (above, below) = (a.minus(&b)?, b.minus(&a)?);
            if op == ScalarOp::Max {
                vec![(a, vec![above]), (b, vec![below])]
            } else {
                vec![(a, vec![below]), (b, vec![above])]
            }
        }
        ScalarOp::Select => {
            let condition = operands.first()?.condition.clone();
            let (holds, fails) = condition.map_or_else(Default::default, |c| (c.holds, c.fails));
            vec![(of(1)?, holds), (of(2)?, fails)]
        }
        _ => return None,
    })
}
