//! Whether indices in a loop's iterations are of two elements, whatever the iteration.
//!
//! In: a program, and the indices of two accesses in a loop. Out: yes, where along some axis their distance, a sum of values, is more than 0 or less in
//! every iteration: the loop's index lies between its bounds, indices of work items are at least 0, and a maximum is at least each of its operands.

use std::collections::{HashMap, HashSet};

use numptx_ir::scalar::{Code, Footprints, ScalarOp, Stmt, StmtKind, Sum, Val};

/// Limit: maxima in maxima that are looked into.
const DEPTH: usize = 4;

/// How the values of a program are made.
pub struct Distances<'c> {
    footprints: Footprints<'c>,
    made: HashMap<Val, &'c Stmt>,
    work_items: HashSet<Val>,
}

/// A loop that counts one by one.
#[derive(Clone, Copy)]
pub struct Counted {
    /// Its index.
    pub index: Val,
    /// Its bounds: the least index is the first, and all are below the second.
    pub bounds: [Val; 2],
}

impl<'c> Distances<'c> {
    /// Those of a program.
    pub fn of(code: &'c Code) -> Self {
        let (mut made, mut work_items) = (HashMap::new(), HashSet::new());
        code.block.for_each_stmt(&mut |stmt| {
            made.extend(stmt.results.iter().map(|val| (*val, stmt)));
            if stmt.kind == StmtKind::Parallel {
                work_items.extend(stmt.blocks.iter().flat_map(|block| &block.parameters).copied());
            }
        });
        Distances { footprints: Footprints::of(code), made, work_items }
    }

    /// Whether the elements at these indices are two in every iteration.
    pub fn are_apart(&self, some: &[Val], others: &[Val], counted: Counted) -> bool {
        some.iter()
            .zip(others)
            .any(|(a, b)| [(a, b), (b, a)].into_iter().any(|(a, b)| self.is_more(*a, *b, counted).unwrap_or(false)))
    }

    /// Whether an index is more than another in every iteration.
    fn is_more(&self, a: Val, b: Val, counted: Counted) -> Option<bool> {
        let mut distance = self.footprints.sum_of(a)?.plus(&self.footprints.sum_of(b)?, -1)?;
        let own = distance.terms().find(|(val, _)| *val == counted.index);
        if let Some((index, factor)) = own {
            let least = match factor > 0 {
                true => self.footprints.sum_of(counted.bounds[0])?,
                false => self.footprints.sum_of(counted.bounds[1])?.plus(&Sum::number(1), -1)?,
            };
            distance = distance.plus(&Sum::value(index), -factor)?.plus(&least, factor)?;
        }
        Some(self.is_positive(&distance, DEPTH))
    }

    fn is_positive(&self, sum: &Sum, depth: usize) -> bool {
        // What is at least 0 is left out.
        let mut rest = Some(sum.clone());
        for (val, factor) in sum.terms().filter(|(val, factor)| self.work_items.contains(val) && *factor > 0) {
            rest = rest.and_then(|rest| rest.plus(&Sum::value(val), -factor));
        }
        let Some(rest) = rest else { return false };
        if let Some(number) = rest.as_number() {
            return number > 0;
        }
        // A maximum is at least what it is taken of, and a minimum at most.
        depth > 0
            && rest.terms().any(|(val, factor)| {
                let wanted = if factor > 0 { ScalarOp::Max } else { ScalarOp::Min };
                let made = self.made.get(&val).filter(|stmt| stmt.kind == StmtKind::Op(wanted));
                made.is_some_and(|stmt| {
                    stmt.operands.iter().any(|operand| {
                        let sum = self.footprints.sum_of(*operand);
                        let less = sum.and_then(|sum| rest.clone().plus(&Sum::value(val), -factor)?.plus(&sum, factor));
                        less.is_some_and(|less| self.is_positive(&less, depth - 1))
                    })
                })
            })
    }
}
