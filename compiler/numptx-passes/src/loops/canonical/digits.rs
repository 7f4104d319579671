//! Digits of flattened indices, and what is required of them, in a loop and before it.
//!
//! In: an axis that is taken for several, its radices and the digits of its indices. Out: ops that compute them, and checks that they lie in their ranges.

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::flattened::{FAR, Flat};
use crate::loops::canonical::radices::{Digit, Radix};

/// Limit: how many rows before an axis or behind it an int may be that is part of a digit.
const FEW_ROWS: i64 = 1 << 12;

impl HostProgram<'_> {
    /// A radix, 1 where it is less; and it as it is, where it is a product, for which each factor is 1 at least.
    pub(crate) fn radix(&mut self, radix: &Radix) -> (ValueId, Option<ValueId>) {
        let one = self.number(1);
        let mut product = one;
        for factor in &radix.factors {
            let factor = self.scalar(OpKind::Scalar(ScalarOp::Max), vec![*factor, one], DType::I64);
            product = if product == one { factor } else { self.product(product, factor) };
        }
        if radix.number != 1 {
            product = self.multiple(product, radix.number);
        }
        (product, (radix.factors.len() > 1).then_some(product))
    }

    /// A sum.
    fn digit(&mut self, digit: &Digit) -> ValueId {
        let mut sum = None;
        for (value, number) in &digit.terms {
            let mut term = *value;
            if *number != 1 {
                let number = self.number(*number);
                term = self.scalar(OpKind::Scalar(ScalarOp::Mul), vec![term, number], DType::I64);
            }
            sum = Some(match sum {
                Some(sum) => self.scalar(OpKind::Scalar(ScalarOp::Add), vec![sum, term], DType::I64),
                None => term,
            });
        }
        match sum {
            Some(sum) if digit.number == 0 => sum,
            Some(sum) => {
                let number = self.number(digit.number);
                self.scalar(OpKind::Scalar(ScalarOp::Add), vec![sum, number], DType::I64)
            }
            None => self.number(digit.number),
        }
    }

    /// A check, which is never raised: where it does not hold the other version of the loop runs.
    pub(crate) fn required(&mut self, op: ScalarOp, operands: [ValueId; 2], conditions: &mut HashSet<ValueId>) {
        let holds = self.scalar(OpKind::Scalar(op), operands.to_vec(), DType::Bool);
        conditions.insert(holds);
        self.push(OpKind::Check { kind: ErrorKind::Value, message: String::new() }, vec![holds], Vec::new());
    }

    /// Requires products of the ints that a digit is made of, one of which is this value, with those that it stands for, to be no larger than the axis, but for
    /// a few rows.
    pub(crate) fn bounded(
        &mut self,
        flat: &Flat,
        digit: usize,
        value: Option<ValueId>,
        conditions: &mut HashSet<ValueId>,
    ) {
        let [zero, one, few, far] = [0, 1, FEW_ROWS, FAR].map(|n| self.number(n));
        self.required(ScalarOp::Le, [flat.extent, far], conditions);
        for factor in flat.radices.radices.iter().flat_map(|radix| &radix.factors) {
            self.required(ScalarOp::Ge, [*factor, zero], conditions);
        }
        if let Some(all) = flat.rows.last() {
            self.required(ScalarOp::Ge, [*all, one], conditions);
        }
        if let Some(value) = value {
            let rows = flat.rows[digit];
            let above = self.scalar(OpKind::Scalar(ScalarOp::Sub), vec![value, few], DType::I64);
            self.required(ScalarOp::Le, [above, rows], conditions);
            let below = self.scalar(OpKind::Scalar(ScalarOp::Add), vec![value, few], DType::I64);
            let below = self.scalar(OpKind::Scalar(ScalarOp::Add), vec![below, rows], DType::I64);
            self.required(ScalarOp::Ge, [below, zero], conditions);
        }
    }

    /// Requires the digits of an index to lie in their ranges; they are what it returns, from the right to the left.
    pub(crate) fn digits(
        &mut self,
        flat: &Flat,
        index: ValueId,
        conditions: &mut HashSet<ValueId>,
    ) -> Option<Vec<ValueId>> {
        let digits: Vec<ValueId> = flat.digits.get(&index)?.iter().map(|digit| self.digit(digit)).collect();
        let (zero, one) = (self.number(0), self.number(1));
        for (n, digit) in digits.iter().enumerate() {
            self.required(ScalarOp::Ge, [*digit, zero], conditions);
            let end = match (flat.ends[n], flat.radices.radices.get(n)) {
                (Some(end), None) => end,
                (Some(end), Some(radix)) => {
                    radix.factors.iter().for_each(|v| self.required(ScalarOp::Ge, [*v, one], conditions));
                    end
                }
                // As it is, it is compared with the loop's own bounds.
                (None, radix) => {
                    let radix = radix?;
                    self.digit(&Digit { terms: vec![(*radix.factors.first()?, radix.number)], number: 0 })
                }
            };
            self.required(ScalarOp::Lt, [*digit, end], conditions);
        }
        Some(digits)
    }
}
