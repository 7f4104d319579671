//! Changes of a carried value that multiply it and add to it.
//!
//! In: operations on such values, and choices between them by a condition of the body: values that are set count as the old one times 0. Out: the
//! carried value times a factor, plus a term. As if numbers were exact, as integers that wrap are.

use numptx_ir::DType;
use numptx_ir::scalar::{InstrKind, Reducer, ScalarOp, Val};

use crate::loops::idioms::recurrences::Known::{Affine, Carried, Combined, Opaque, Plain, Set};
use crate::loops::idioms::recurrences::flow::Flow;
use crate::loops::idioms::recurrences::flow::Known;

/// A carried value times a factor, plus a term; without a carried value the term alone.
#[derive(Clone, Copy)]
struct Parts {
    carried: Option<usize>,
    /// `None`: 1.
    factor: Option<Val>,
    /// `None`: 0.
    term: Option<Val>,
}

impl Flow<'_> {
    /// An operation at least one operand of which is a carried value.
    pub(crate) fn affine_op(&mut self, op: ScalarOp, operands: &[Val], dtype: DType) -> Known {
        let known: Vec<Known> = operands.iter().map(|v| self.of(*v)).collect();
        self.affine_parts(op, &known, dtype).and_then(|parts| self.affine(parts, dtype)).unwrap_or(Opaque)
    }

    /// One of two by a condition of the body.
    pub(crate) fn affine_choice(&mut self, c: Val, then: Known, otherwise: Known) -> Option<Known> {
        let dtype = self.dtype_of(then).or(self.dtype_of(otherwise)).filter(|dtype| *dtype != DType::Bool)?;
        let (a, b) = (self.parts(then, dtype)?, self.parts(otherwise, dtype)?);
        if a.carried.is_some() && b.carried.is_some() && a.carried != b.carried {
            return None;
        }
        let factor = |flow: &mut Self, parts: Parts| match parts.carried {
            Some(_) => parts.factor.unwrap_or_else(|| flow.number(Reducer::Mul, dtype)),
            None => flow.number(Reducer::Add, dtype),
        };
        let factors = [factor(self, a), factor(self, b)];
        let terms = [a, b].map(|parts| parts.term.unwrap_or_else(|| self.number(Reducer::Add, dtype)));
        let factor = self.choice(c, factors);
        let term = self.choice(c, terms);
        self.affine(Parts { carried: a.carried.or(b.carried), factor: Some(factor), term: Some(term) }, dtype)
    }

    fn affine_parts(&mut self, op: ScalarOp, known: &[Known], dtype: DType) -> Option<Parts> {
        if dtype == DType::Bool {
            return None;
        }
        match (op, known) {
            (ScalarOp::Neg, [a]) => {
                let a = self.parts(*a, dtype)?;
                Some(self.negated(a, dtype))
            }
            (ScalarOp::Add, [a, b]) => {
                let (a, b) = (self.parts(*a, dtype)?, self.parts(*b, dtype)?);
                self.sum(a, b, dtype)
            }
            (ScalarOp::Sub, [a, b]) => {
                let (a, b) = (self.parts(*a, dtype)?, self.parts(*b, dtype)?);
                let b = self.negated(b, dtype);
                self.sum(a, b, dtype)
            }
            (ScalarOp::Mul, [a, Plain(e)] | [Plain(e), a]) => {
                let a = self.parts(*a, dtype)?;
                let factor = Some(a.factor.map_or(*e, |factor| self.body.op(ScalarOp::Mul, &[factor, *e])));
                Some(Parts { factor, term: a.term.map(|term| self.body.op(ScalarOp::Mul, &[term, *e])), ..a })
            }
            (ScalarOp::Div, [a, Plain(e)]) => {
                let a = self.parts(*a, dtype)?;
                let factor = a.factor.unwrap_or_else(|| self.number(Reducer::Mul, dtype));
                let factor = Some(self.body.op(ScalarOp::Div, &[factor, *e]));
                Some(Parts { factor, term: a.term.map(|term| self.body.op(ScalarOp::Div, &[term, *e])), ..a })
            }
            _ => None,
        }
    }

    /// A value as such a sum, if it is one of this dtype.
    fn parts(&mut self, known: Known, dtype: DType) -> Option<Parts> {
        if self.dtype_of(known).is_some_and(|own| own != dtype) {
            return None;
        }
        let of = |k: usize, factor: Option<Val>, term: Option<Val>| Some(Parts { carried: Some(k), factor, term });
        match known {
            Plain(value) => Some(Parts { carried: None, factor: None, term: Some(value) }),
            Carried(k) => of(k, None, None),
            Combined(k, Reducer::Add, e) => of(k, None, Some(e)),
            Combined(k, Reducer::Mul, e) => of(k, Some(e), None),
            Affine(k, factor, term) => of(k, Some(factor), Some(term)),
            Set(k, when, value) => {
                let [zero, one] = [Reducer::Add, Reducer::Mul].map(|reducer| self.number(reducer, dtype));
                let (factor, term) = (self.choice(when, [zero, one]), self.choice(when, [value, zero]));
                of(k, Some(factor), Some(term))
            }
            _ => None,
        }
    }

    /// The dtype of what is known, as far as that says it.
    fn dtype_of(&self, known: Known) -> Option<DType> {
        match known {
            Plain(e) | Combined(_, _, e) | Affine(_, e, _) | Set(_, _, e) => Some(self.body.dtype(e)),
            _ => None,
        }
    }

    fn negated(&mut self, parts: Parts, dtype: DType) -> Parts {
        let factor = parts.carried.map(|_| {
            let factor = parts.factor.unwrap_or_else(|| self.number(Reducer::Mul, dtype));
            self.body.op(ScalarOp::Neg, &[factor])
        });
        Parts { factor, term: parts.term.map(|term| self.body.op(ScalarOp::Neg, &[term])), ..parts }
    }

    fn sum(&mut self, a: Parts, b: Parts, dtype: DType) -> Option<Parts> {
        let factor = match (a.carried, b.carried) {
            (Some(k), Some(same)) if k == same => {
                let factors = [a, b].map(|p| p.factor.unwrap_or_else(|| self.number(Reducer::Mul, dtype)));
                Some(self.body.op(ScalarOp::Add, &factors))
            }
            (Some(_), Some(_)) => return None,
            _ => a.factor.or(b.factor),
        };
        let term = match (a.term, b.term) {
            (Some(a), Some(b)) => Some(self.body.op(ScalarOp::Add, &[a, b])),
            (a, b) => a.or(b),
        };
        Some(Parts { carried: a.carried.or(b.carried), factor, term })
    }

    fn affine(&mut self, parts: Parts, dtype: DType) -> Option<Known> {
        let k = parts.carried?;
        Some(match (parts.factor, parts.term) {
            (None, None) => Carried(k),
            (None, Some(term)) => Combined(k, Reducer::Add, term),
            (factor, term) => {
                let factor = factor.unwrap_or_else(|| self.number(Reducer::Mul, dtype));
                let term = term.unwrap_or_else(|| self.number(Reducer::Add, dtype));
                Affine(k, factor, term)
            }
        })
    }

    fn choice(&mut self, c: Val, [then, otherwise]: [Val; 2]) -> Val {
        if then == otherwise { then } else { self.body.op(ScalarOp::Select, &[c, then, otherwise]) }
    }

    /// 0 or 1: the reducer's identity.
    fn number(&mut self, reducer: Reducer, dtype: DType) -> Val {
        self.body.push(InstrKind::Constant(reducer.identity(dtype)), dtype)
    }
}
