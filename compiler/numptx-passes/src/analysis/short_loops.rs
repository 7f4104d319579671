//! Loops of one thread that end soon: few iterations that are known, and searches that halve what is left.
//!
//! In: a structured program. Out: whether one of its loops may have many iterations. Counted loops are short up to [`SHORT_LOOP_ITERATIONS`] iterations in all.
//! A `while` is short where each iteration halves a range (`lo < hi`, of which one becomes the middle), halves a number, or goes on with a remainder, as Euclid
//! does. That it ends at all is the program's business. Changes nothing.

use std::collections::HashMap;

use numptx_ir::scalar::{Block, Code, Constant, ScalarOp, Stmt, StmtKind, Val};

use crate::loops::schedule::cost::SHORT_LOOP_ITERATIONS;

/// Limit: a search that halves what is left has at most so many iterations.
const HALVINGS: i64 = 64;
/// Limit: ways through an iteration that are looked at.
const MAX_WAYS: usize = 64;

/// Whether a program has a loop that may have many iterations.
pub fn has_long_loop(code: &Code) -> bool {
    let mut made = HashMap::new();
    code.block.for_each_stmt(&mut |stmt| made.extend(stmt.results.iter().map(|v| (*v, stmt))));
    let program = Made(made);
    program.is_long(&code.block, SHORT_LOOP_ITERATIONS)
}

/// What makes each value.
struct Made<'c>(HashMap<Val, &'c Stmt>);

impl Made<'_> {
    /// Whether a block has more iterations than so many.
    fn is_long(&self, block: &Block, most: i64) -> bool {
        block.stmts.iter().any(|stmt| match stmt.kind {
            StmtKind::For => {
                let n = self.iterations(stmt).unwrap_or(i64::MAX);
                n > most || self.is_long(&stmt.blocks[0], most / n.max(1))
            }
            StmtKind::While => {
                HALVINGS > most || !self.halves(stmt) || stmt.blocks.iter().any(|b| self.is_long(b, most / HALVINGS))
            }
            _ => stmt.blocks.iter().any(|nested| self.is_long(nested, most)),
        })
    }

    fn iterations(&self, stmt: &Stmt) -> Option<i64> {
        let [lower, upper, by] = [0, 1, 2].map(|n| self.integer(stmt.operands[n]));
        let (distance, by) = (upper?.checked_sub(lower?)?, by?);
        Some((distance.checked_div(by)?).max(0).saturating_add(1))
    }

    fn op(&self, val: Val) -> Option<(ScalarOp, &[Val])> {
        match self.0.get(&val) {
            Some(Stmt { kind: StmtKind::Op(op), operands, .. }) => Some((*op, operands)),
            _ => None,
        }
    }

    fn integer(&self, val: Val) -> Option<i64> {
        match self.0.get(&val)?.kind {
            StmtKind::Constant(constant) => constant.as_int(),
            _ => None,
        }
    }

    fn is_half(&self, val: Val) -> bool {
        matches!(self.0.get(&val).map(|stmt| &stmt.kind), Some(StmtKind::Constant(Constant::Float(x))) if *x == 0.5)
    }

    /// The conditions that all have to hold.
    fn conjuncts(&self, condition: Val, found: &mut Vec<(ScalarOp, [Val; 2])>) {
        match self.op(condition) {
            Some((ScalarOp::BitAnd, [a, b])) => [*a, *b].into_iter().for_each(|v| self.conjuncts(v, found)),
            Some((op, [a, b])) => found.push((op, [*a, *b])),
            _ => {}
        }
    }

    /// Whether an iteration of a `while` leaves half of what is to do.
    fn halves(&self, stmt: &Stmt) -> bool {
        let [test, body] = stmt.blocks.as_slice() else { return false };
        let Some(condition) = test.yields.first() else { return false };
        let mut conjuncts = Vec::new();
        self.conjuncts(*condition, &mut conjuncts);
        let position = |v: Val| test.parameters.iter().position(|p| *p == v);
        // Flags that end the loop, and what they are until then: an iteration that sets one to another number is the last.
        let flags: Vec<(usize, i64)> = conjuncts
            .iter()
            .filter(|(op, _)| *op == ScalarOp::Eq)
            .filter_map(|(_, [a, b])| position(*a).zip(self.integer(*b)))
            .collect();
        let mut ways = Vec::new();
        self.ways(body.yields.clone(), &mut ways);
        if ways.len() > MAX_WAYS {
            return false;
        }
        ways.retain(|way| !flags.iter().any(|(flag, until)| self.integer(way[*flag]).is_some_and(|n| n != *until)));
        conjuncts.iter().any(|(op, [a, b])| {
            let is_order = matches!(op, ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge);
            let between = match (self.op(*a), position(*a).zip(position(*b))) {
                (_, Some(ends)) => Some(ends),
                (Some((ScalarOp::Sub, [p, q])), _) => position(*p).zip(position(*q)),
                _ => None,
            };
            let is_range = is_order
                && between.is_some_and(|ends| ways.iter().all(|way| self.narrows(ends, way, &body.parameters)));
            let is_number = position(*a).is_some_and(|n| {
                self.integer(*b).is_some() && ways.iter().all(|way| self.shrinks(n, way, &body.parameters))
            });
            is_range || is_number
        })
    }

    /// What an iteration may carry, by the branches that it takes.
    fn ways(&self, values: Vec<Val>, found: &mut Vec<Vec<Val>>) {
        if found.len() > MAX_WAYS {
            return;
        }
        let chosen = values.iter().find_map(|v| {
            let stmt = self.0.get(v)?;
            matches!(stmt.kind, StmtKind::If | StmtKind::Op(ScalarOp::Select)).then_some(*stmt)
        });
        let Some(stmt) = chosen else { return found.push(values) };
        for branch in 0..2 {
            let becomes = |v: &Val| match stmt.results.iter().position(|r| r == v) {
                Some(_) if stmt.kind == StmtKind::Op(ScalarOp::Select) => stmt.operands[1 + branch],
                Some(n) => stmt.blocks[branch].yields[n],
                None => *v,
            };
            self.ways(values.iter().map(becomes).collect(), found);
        }
    }

    /// Whether one end of a range becomes its middle, and the other one stays.
    fn narrows(&self, (a, b): (usize, usize), way: &[Val], now: &[Val]) -> bool {
        let ends = [now[a], now[b]];
        (way[a] == now[a] && self.is_middle(way[b], ends)) || (way[b] == now[b] && self.is_middle(way[a], ends))
    }

    /// Whether a value is half of a sum of two, but for a number.
    fn is_middle(&self, val: Val, ends: [Val; 2]) -> bool {
        let is_both = |a: Val, b: Val| ends == [a, b] || ends == [b, a];
        let Some((op, [a, b])) = self.op(val) else { return false };
        let sum = |v: Val| matches!(self.op(v), Some((ScalarOp::Add, [a, b])) if is_both(*a, *b));
        let difference = |v: Val| matches!(self.op(v), Some((ScalarOp::Sub, [a, b])) if is_both(*a, *b));
        let is_half_of = |v: Val, of: &dyn Fn(Val) -> bool| match self.op(v) {
            Some((ScalarOp::FloorDiv | ScalarOp::Div, [a, b])) => of(*a) && self.integer(*b) == Some(2),
            Some((ScalarOp::ShiftRight, [a, b])) => of(*a) && self.integer(*b) == Some(1),
            Some((ScalarOp::Mul, [a, b])) => (of(*a) && self.is_half(*b)) || (of(*b) && self.is_half(*a)),
            _ => false,
        };
        is_half_of(val, &sum)
            || match op {
                ScalarOp::Add if ends.contains(a) => is_half_of(*b, &difference),
                ScalarOp::Add | ScalarOp::Sub if self.integer(*b).is_some() => self.is_middle(*a, ends),
                _ => false,
            }
    }

    /// Whether a number is halved, or becomes a remainder by which the next one is taken.
    fn shrinks(&self, n: usize, way: &[Val], now: &[Val]) -> bool {
        match self.op(way[n]) {
            Some((ScalarOp::FloorDiv, [a, b])) => *a == now[n] && self.integer(*b).is_some_and(|by| by > 1),
            Some((ScalarOp::ShiftRight, [a, b])) => *a == now[n] && self.integer(*b).is_some_and(|by| by > 0),
            Some((ScalarOp::Mod, [a, b])) => {
                *b == now[n] && now.iter().zip(way).any(|(now_of, next)| now_of == a && *next == *b)
            }
            _ => false,
        }
    }
}
