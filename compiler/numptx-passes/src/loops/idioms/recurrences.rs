//! What a loop makes of the values that it carries.
//!
//! In: the program of a loop, and of the loops that are all there is in it. Out: what is computed at each of their work items, how each carried value
//! follows from what it was before and from that, if the order of work items does not matter for it, and what is stored. Decides nothing of memory.

mod affine;
mod checks;
mod exclusive;
pub(crate) mod flow;

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::scalar::{Block, BodyBuilder, Code, Constant, InstrKind, Reducer, ScalarOp, Stmt, StmtKind, Val};

use crate::loops::idioms::recurrences::flow::{Contest, Flow, Known, Reads, Recurrences, Source};

/// Follows the only loop of a program.
pub fn recurrences(code: &Code, reads: &Reads<'_>) -> Option<Recurrences> {
    let mut flow = Flow {
        code,
        reads,
        body: BodyBuilder::new(),
        inputs: Vec::new(),
        tables: Vec::new(),
        known: HashMap::new(),
        n_accesses: 0,
        n_loops: 0,
        n_carried: 0,
        indices: Vec::new(),
        becomes: None,
        stored: Vec::new(),
        fails: None,
        checked_tables: Vec::new(),
        carried_checks: Vec::new(),
        n_checks: 0,
        path: Vec::new(),
        exclusive: Vec::new(),
    };
    for stmt in &code.block.stmts {
        flow.step(stmt)?;
    }
    let becomes = flow.becomes?;
    let Flow {
        body, inputs, tables, n_loops, indices, fails, checked_tables, carried_checks, stored, exclusive, ..
    } = flow;
    Some(Recurrences {
        body,
        inputs,
        tables,
        n_loops,
        indices,
        becomes,
        fails,
        checked_tables,
        carried_checks,
        stored,
        exclusive,
    })
}

impl Flow<'_> {
    fn step(&mut self, stmt: &Stmt) -> Option<()> {
        let result = stmt.results.first().copied();
        let dtype = result.map_or(DType::Bool, |v| self.code.dtype(v));
        let known = match stmt.kind {
            StmtKind::Constant(constant) => Known::Plain(self.body.push(InstrKind::Constant(constant), dtype)),
            StmtKind::Input(n) => Known::Plain(self.input(Source::Scalar(n), dtype)),
            StmtKind::Op(op) => self.op(op, &stmt.operands, dtype),
            StmtKind::Load(table) => self.load(table, &stmt.operands, dtype)?,
            StmtKind::Check(_) => return self.check(stmt.operands[0]),
            StmtKind::Store(_) => return self.store(stmt.operands[0]),
            StmtKind::If => return self.branches(stmt),
            StmtKind::For => return self.counted(stmt),
            _ => return None,
        };
        self.known.insert(result?, known);
        Some(())
    }

    fn input(&mut self, source: Source, dtype: DType) -> Val {
        let n = self.inputs.iter().position(|input| *input == source).unwrap_or_else(|| {
            self.inputs.push(source);
            self.inputs.len() - 1
        });
        self.body.input(n as u32, dtype)
    }

    fn load(&mut self, table: u32, at: &[Val], dtype: DType) -> Option<Known> {
        let number = self.n_accesses;
        self.n_accesses += 1;
        if self.n_loops == 0 {
            // What is carried first: the caller knows it by name.
            return Some(Known::Opaque);
        }
        let at = at.iter().map(|v| self.plain(*v)).collect::<Option<Vec<Val>>>()?;
        if (self.reads.is_previous)(number) {
            return Some(Known::Carried(0));
        }
        // Behind a check that work items make, a view of all elements may go beyond the array: there is one only if they are read before it, too.
        let is_safe = |number: &usize| self.fails.is_none() || self.inputs.contains(&Source::Element(*number));
        if let Some(number) = (self.reads.streams)(number).filter(is_safe) {
            return Some(Known::Plain(self.input(Source::Element(number), dtype)));
        }
        let n = self.tables.iter().position(|t| *t == table).unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        });
        let at = self.within_checked(table, at);
        Some(Known::Plain(self.body.element(n as u32, &at, dtype)))
    }

    fn store(&mut self, value: Val) -> Option<()> {
        let number = self.n_accesses;
        self.n_accesses += 1;
        let is_in_every_iteration = self.path.is_empty() && self.n_loops > 0 && self.becomes.is_none();
        self.stored.push((number, self.of(value)));
        is_in_every_iteration.then_some(())
    }

    fn op(&mut self, op: ScalarOp, operands: &[Val], dtype: DType) -> Known {
        let known: Vec<Known> = operands.iter().map(|v| self.of(*v)).collect();
        let plain: Option<Vec<Val>> = operands.iter().map(|v| self.plain(*v)).collect();
        if let Some(plain) = plain {
            return Known::Plain(self.body.push(InstrKind::Op(op, plain), dtype));
        }
        let known = match (op, known.as_slice()) {
            (ScalarOp::Select, [condition, then, otherwise]) => self.select(*condition, *then, *otherwise),
            (ScalarOp::Sub, [carried, Known::Plain(e)]) if dtype.is_float() || dtype == DType::I64 => {
                let e = self.body.op(ScalarOp::Neg, &[*e]);
                self.combine(Reducer::Add, *carried, e)
            }
            (ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge, [a, b]) => contest(op, *a, *b),
            (_, [carried, Known::Plain(e)] | [Known::Plain(e), carried]) => match Reducer::of(op) {
                Some(reducer) if reducer.result(dtype) == Some(dtype) => self.combine(reducer, *carried, *e),
                _ => Known::Opaque,
            },
            _ => Known::Opaque,
        };
        if known == Known::Opaque { self.affine_op(op, operands, dtype) } else { known }
    }

    fn combine(&mut self, reducer: Reducer, carried: Known, e: Val) -> Known {
        match carried {
            Known::Carried(k) => Known::Combined(k, reducer, e),
            Known::Combined(k, same, first) if same == reducer => match reducer.operation() {
                Some(op) => Known::Combined(k, reducer, self.body.op(op, &[first, e])),
                None => Known::Opaque,
            },
            _ => Known::Opaque,
        }
    }

    fn select(&mut self, condition: Known, then: Known, otherwise: Known) -> Known {
        match (condition, then, otherwise) {
            (_, a, b) if a == b => a,
            (Known::Plain(c), a, b) => self.chosen(c, a, b),
            // `k or e`, and `k and e`.
            (Known::Carried(k), Known::Carried(same), Known::Plain(e)) if k == same => {
                Known::Combined(k, Reducer::Or, e)
            }
            (Known::Carried(k), Known::Plain(e), Known::Carried(same)) if k == same => {
                Known::Combined(k, Reducer::And, e)
            }
            (Known::Beats(contest), Known::Plain(e), Known::Carried(k)) if contest.carried == k => {
                if e == contest.value { Known::Best(contest) } else { Known::Opaque }
            }
            (Known::Beats(contest), Known::Plain(e), Known::Carried(k)) => Known::Beside(k, contest, e),
            (Known::Beats(contest), Known::Plain(c), Known::Plain(no)) if self.is_false(no) => {
                Known::Beats(self.only_when(c, contest))
            }
            (Known::Beats(contest), Known::Plain(c), Known::Beats(same)) if same == contest => {
                Known::Beats(self.only_when(c, contest))
            }
            (Known::Beats(first), Known::Carried(k), other) => self.where_lost(first, k, other),
            _ => Known::Opaque,
        }
    }

    /// One of two by a condition of the body.
    fn chosen(&mut self, c: Val, then: Known, otherwise: Known) -> Known {
        match (then, otherwise) {
            (Known::Plain(a), Known::Plain(b)) => Known::Plain(self.body.op(ScalarOp::Select, &[c, a, b])),
            (Known::Combined(k, r, e), Known::Carried(same)) if k == same => {
                let nothing = self.identity(r, e);
                Known::Combined(k, r, self.body.op(ScalarOp::Select, &[c, e, nothing]))
            }
            (Known::Carried(same), Known::Combined(k, r, e)) if k == same => {
                let nothing = self.identity(r, e);
                Known::Combined(k, r, self.body.op(ScalarOp::Select, &[c, nothing, e]))
            }
            (Known::Combined(k, r, a), Known::Combined(same, also, b)) if k == same && r == also => {
                Known::Combined(k, r, self.body.op(ScalarOp::Select, &[c, a, b]))
            }
            (Known::Beats(contest), Known::Plain(otherwise)) if otherwise == c || self.is_false(otherwise) => {
                Known::Beats(self.only_when(c, contest))
            }
            (Known::Best(contest), Known::Carried(k)) if contest.carried == k => {
                Known::Best(self.only_when(c, contest))
            }
            (Known::Beside(k, contest, e), Known::Carried(same)) if k == same => {
                Known::Beside(k, self.only_when(c, contest), e)
            }
            (Known::Plain(value), Known::Carried(k)) => Known::Set(k, c, value),
            (Known::Carried(k), Known::Plain(value)) => Known::Set(k, self.body.op(ScalarOp::BitNot, &[c]), value),
            (Known::Set(k, when, value), Known::Carried(same)) if k == same => {
                Known::Set(k, self.body.op(ScalarOp::BitAnd, &[c, when]), value)
            }
            _ => self.affine_choice(c, then, otherwise).unwrap_or(Known::Opaque),
        }
    }

    fn only_when(&mut self, c: Val, contest: Contest) -> Contest {
        let when = contest.when.map_or(c, |when| self.body.op(ScalarOp::BitAnd, &[c, when]));
        Contest { when: Some(when), ..contest }
    }

    fn identity(&mut self, reducer: Reducer, like: Val) -> Val {
        let dtype = self.body.dtype(like);
        self.body.push(InstrKind::Constant(reducer.identity(dtype)), dtype)
    }

    fn is_false(&self, val: Val) -> bool {
        matches!(self.body.kind(val), InstrKind::Constant(Constant::Bool(false)))
    }

    fn branches(&mut self, stmt: &Stmt) -> Option<()> {
        let condition = self.of(stmt.operands[0]);
        if condition == Known::Opaque {
            return None;
        }
        let known = self.plain(stmt.operands[0]);
        for (block, holds) in stmt.blocks.iter().zip([true, false]) {
            self.path.push((known, holds));
            block.stmts.iter().try_for_each(|stmt| self.step(stmt))?;
            self.path.pop();
        }
        for (n, result) in stmt.results.iter().enumerate() {
            let [then, otherwise] = [0, 1].map(|block: usize| self.of(stmt.blocks[block].yields[n]));
            let known = self.select(condition, then, otherwise);
            self.known.insert(*result, known);
        }
        Some(())
    }

    fn counted(&mut self, stmt: &Stmt) -> Option<()> {
        if !self.path.is_empty() || self.becomes.is_some() {
            return None;
        }
        let depth = self.n_loops;
        self.n_loops += 1;
        let [lower, _, by, initial @ ..] = stmt.operands.as_slice() else { return None };
        let (lower, by) = (self.plain(*lower)?, self.plain(*by)?);
        let at = self.body.index(depth as u32);
        let moved = self.body.op(ScalarOp::Mul, &[at, by]);
        let index = self.body.op(ScalarOp::Add, &[lower, moved]);
        self.indices.push((index, lower, by));
        let block = &stmt.blocks[0];
        self.known.insert(block.parameters[0], Known::Plain(index));
        let number = |v: &Val| if let Known::Carried(k) = self.of(*v) { Some(k) } else { None };
        let carried: Vec<usize> = if depth == 0 {
            self.n_carried = initial.len();
            (0..initial.len()).collect()
        } else {
            initial.iter().map(number).collect::<Option<_>>()?
        };
        // Two names of one value go ways of their own from here on.
        if carried.iter().enumerate().any(|(n, k)| carried[..n].contains(k)) {
            return None;
        }
        for (k, parameter) in carried.iter().zip(&block.parameters[1..]) {
            self.known.insert(*parameter, Known::Carried(*k));
        }
        block.stmts.iter().try_for_each(|stmt| self.step(stmt))?;
        self.end(block, &carried)?;
        for (k, result) in carried.iter().zip(&stmt.results) {
            self.known.insert(*result, Known::Final(*k));
        }
        Some(())
    }

    /// The end of a loop's body: of the innermost one, what carried values become; of others, nothing may happen to them after that.
    fn end(&mut self, block: &Block, carried: &[usize]) -> Option<()> {
        let yields: Vec<(usize, Known)> =
            carried.iter().copied().zip(block.yields.iter().map(|v| self.of(*v))).collect();
        let n_carried = self.n_carried;
        match &mut self.becomes {
            None => {
                let mut becomes: Vec<Known> = (0..n_carried).map(Known::Carried).collect();
                for (k, known) in yields {
                    *becomes.get_mut(k)? = known;
                }
                self.becomes = Some(becomes);
                Some(())
            }
            Some(becomes) => {
                let is_kept = |(k, known): &(usize, Known)| {
                    *known == Known::Final(*k) || (*known == Known::Carried(*k) && becomes[*k] == Known::Carried(*k))
                };
                yields.iter().all(is_kept).then_some(())
            }
        }
    }
}

/// A comparison with a carried value, the body's value on the left.
fn contest(op: ScalarOp, a: Known, b: Known) -> Known {
    match (a, b) {
        (Known::Plain(value), Known::Carried(carried)) => Known::Beats(Contest { carried, op, value, when: None }),
        (Known::Carried(carried), Known::Plain(value)) => match op.turned() {
            Some(op) => Known::Beats(Contest { carried, op, value, when: None }),
            None => Known::Opaque,
        },
        _ => Known::Opaque,
    }
}
