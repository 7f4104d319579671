//! Loops in a work item that combine what as many iterations give as data say: sums of rows of a sparse matrix. The lanes of a group share such a loop.
//!
//! In: a kernel with a program, of one axis. Out: the loops and how they combine what they carry. Iterations meet in nothing but what they combine, so each
//! lane may do some of them, and all lanes go on with the total. All around such a loop every lane does alike; one of them stores.
//!
//! Where the bounds of a loop are the same for all work items, or follow from a work item's index, work items that are a thread's each are as long as their
//! neighbours.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Code, Reducer, ScalarOp, Stmt, StmtKind, Val};

use super::updates::{Updates, loads_stored, stores};

/// Iterations of a loop, at most, that every lane does.
const SHORT: i64 = 16;
/// Threads of a block whose groups take work items: so many share a long loop.
const BLOCK: u32 = 512;

/// What a loop carries: how each value is combined.
pub(crate) type Combined = Vec<(Reducer, DType)>;

/// The loops of a program that lanes share, by their indices.
pub(crate) struct Ragged {
    loops: HashMap<Val, Combined>,
    /// The scalar that says about how many iterations these loops have in all work items.
    pub entries: Option<u32>,
    /// Whether a work item may be left to others when a loop of it turns out to be long: it has stored nothing before.
    pub may_leave: bool,
    /// Whether a work item loads what it may have stored.
    pub loads_stored: bool,
}

impl Ragged {
    /// `None` where lanes have nothing to share, or much to do alike.
    pub fn of(kernel: &Kernel) -> Option<Self> {
        let code = kernel.code().filter(|code| kernel.rank == 1 && !code.is_cooperative())?;
        if Updates::of(kernel).is_some() {
            return None;
        }
        let data = Data::of(code);
        let loads_stored = code.block.stmts.iter().any(|stmt| loads_stored(code, stmt));
        let mut ragged = Ragged { loops: HashMap::new(), entries: None, may_leave: true, loads_stored };
        let mut has_stored = false;
        let fits = ragged.find(code, &data, &code.block, &mut has_stored);
        (fits && !ragged.loops.is_empty()).then_some(ragged)
    }

    /// How a loop combines what it carries, if lanes share it.
    pub fn of_loop(&self, index: Val) -> Option<&Combined> {
        self.loops.get(&index)
    }

    /// Finds the loops of a block; whether all else may be done by all lanes alike.
    fn find(&mut self, code: &Code, data: &Data<'_>, block: &Block, has_stored: &mut bool) -> bool {
        block.stmts.iter().all(|stmt| match stmt.kind {
            StmtKind::Store(_) => {
                *has_stored = true;
                true
            }
            StmtKind::While => false,
            StmtKind::For => match data.combined(code, stmt) {
                Some(combined) => {
                    self.may_leave &= !*has_stored;
                    self.entries = self.entries.or_else(|| data.entries(stmt));
                    self.loops.insert(stmt.blocks[0].parameters[0], combined).is_none()
                }
                None if data.is_short(stmt) || data.has_combined(code, stmt) => {
                    // An iteration may come after one that stores.
                    *has_stored |= stores(stmt);
                    self.find(code, data, &stmt.blocks[0], has_stored)
                }
                None => false,
            },
            _ => stmt.blocks.iter().all(|nested| self.find(code, data, nested, has_stored)),
        })
    }
}

/// A kernel with blocks as large as groups want them, if it has loops for them.
pub(crate) fn with_groups(kernel: &Kernel) -> Option<Kernel> {
    Ragged::of(kernel)?;
    let mut kernel = kernel.clone();
    if kernel.schedule.block >= BLOCK / 2 {
        kernel.schedule.block = BLOCK;
    }
    Some(kernel)
}

/// Where the values of a program come from.
struct Data<'c> {
    made: HashMap<Val, &'c Stmt>,
    /// What elements decide whose place depends on the work item.
    told: HashSet<Val>,
}

impl<'c> Data<'c> {
    fn of(code: &'c Code) -> Self {
        let (mut made, mut own, mut told) = (HashMap::new(), HashSet::new(), HashSet::new());
        code.block.for_each_stmt(&mut |stmt| {
            let meets = |vals: &HashSet<Val>| stmt.operands.iter().any(|val| vals.contains(val));
            let is_own = matches!(stmt.kind, StmtKind::Index(_)) || meets(&own);
            let is_told = meets(&told) || is_own && matches!(stmt.kind, StmtKind::Load(_));
            let inner = stmt.blocks.iter().flat_map(|block| block.parameters.iter().take(1));
            let defined: Vec<Val> = stmt.results.iter().chain(inner).copied().collect();
            made.extend(stmt.results.iter().map(|val| (*val, stmt)));
            own.extend(defined.iter().filter(|_| is_own));
            told.extend(defined.iter().filter(|_| is_told));
        });
        Data { made, told }
    }

    /// How a loop combines what it carries: as many iterations as data say, which meet in nothing else.
    fn combined(&self, code: &Code, stmt: &Stmt) -> Option<Combined> {
        let ([lower, upper, _, ..], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else { return None };
        let is_told = self.told.contains(lower) || self.told.contains(upper);
        if !is_told || stores(stmt) || loads_stored(code, stmt) || stmt.results.is_empty() || !runs_along(body) {
            return None;
        }
        let (_, carried) = body.parameters.split_first()?;
        let mut parts: HashMap<Val, Part> =
            carried.iter().enumerate().map(|(n, val)| (*val, Part { of: n, by: None })).collect();
        follow(body, &mut parts)?;
        let combined = |(n, val): (usize, &Val)| {
            let part = parts.get(val).filter(|part| part.of == n)?;
            let (reducer, dtype) = (part.by?, code.dtype(*val));
            let is_bits = matches!(reducer, Reducer::And | Reducer::Or | Reducer::Xor);
            (dtype != DType::F16 && (dtype != DType::Bool || is_bits)).then_some((reducer, dtype))
        };
        body.yields.iter().enumerate().map(combined).collect()
    }

    fn has_combined(&self, code: &Code, stmt: &Stmt) -> bool {
        let mut found = false;
        let mut visit = |stmt: &Stmt| found |= stmt.kind == StmtKind::For && self.combined(code, stmt).is_some();
        stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut visit));
        found
    }

    /// Whether a loop is known to have few iterations.
    fn is_short(&self, stmt: &Stmt) -> bool {
        let number = |n: usize| match self.made.get(stmt.operands.get(n)?)?.kind {
            StmtKind::Constant(constant) => constant.as_int(),
            _ => None,
        };
        matches!((number(0), number(1), number(2)), (Some(lower), Some(upper), Some(1)) if upper.saturating_sub(lower) <= SHORT)
    }

    /// The scalar below which a loop's index has to stay, or one that its bounds are cut off at: the extent of what it walks along.
    fn entries(&self, stmt: &Stmt) -> Option<u32> {
        let body = stmt.blocks.first()?;
        let mut along: HashSet<Val> = body.parameters.iter().take(1).copied().collect();
        let mut found = None;
        body.for_each_stmt(&mut |stmt| {
            if let StmtKind::Op(op) = stmt.kind
                && stmt.operands.iter().any(|val| along.contains(val))
            {
                along.extend(&stmt.results);
                if let (None, ScalarOp::Lt, [_, bound]) = (found, op, &stmt.operands[..]) {
                    found = self.input(*bound);
                }
            }
        });
        found.or_else(|| self.cut_off(*stmt.operands.get(1)?))
    }

    fn input(&self, val: Val) -> Option<u32> {
        match self.made.get(&val)?.kind {
            StmtKind::Input(n) => Some(n),
            _ => None,
        }
    }

    fn cut_off(&self, val: Val) -> Option<u32> {
        let stmt = self.made.get(&val)?;
        match stmt.kind {
            StmtKind::Op(ScalarOp::Min) => stmt.operands.iter().find_map(|val| self.input(*val)),
            StmtKind::Op(_) => None,
            _ => return None,
        }
        .or_else(|| stmt.operands.iter().find_map(|val| self.cut_off(*val)))
    }
}

/// Whether neighbouring iterations load neighbouring elements.
fn runs_along(body: &Block) -> bool {
    let mut along: HashSet<Val> = body.parameters.iter().take(1).copied().collect();
    let mut found = false;
    body.for_each_stmt(&mut |stmt| match stmt.kind {
        StmtKind::Op(_) if stmt.operands.iter().any(|val| along.contains(val)) => along.extend(&stmt.results),
        StmtKind::Load(_) => found |= stmt.operands.last().is_some_and(|val| along.contains(val)),
        _ => {}
    });
    found
}

/// What a loop carries so far: which value it is, and how it was combined.
#[derive(Clone, Copy)]
struct Part {
    of: usize,
    by: Option<Reducer>,
}

impl Part {
    /// The same value, also combined so.
    fn and(self, by: Option<Reducer>) -> Option<Part> {
        match (self.by, by) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => Some(Part { by: a.or(b), ..self }),
        }
    }
}

/// Follows carried values through a block; `None` where they are used otherwise than to be combined.
fn follow(block: &Block, parts: &mut HashMap<Val, Part>) -> Option<()> {
    for stmt in &block.stmts {
        if !stmt.used().iter().any(|val| parts.contains_key(val)) {
            continue;
        }
        let part = |val: &Val| parts.get(val).copied();
        match (stmt.kind, &stmt.operands[..]) {
            (StmtKind::Op(ScalarOp::Select), [condition, a, b]) => {
                let (None, Some(a), Some(b)) = (part(condition), part(a), part(b)) else { return None };
                let joined = a.and(b.by).filter(|_| a.of == b.of)?;
                parts.insert(*stmt.results.first()?, joined);
            }
            (StmtKind::Op(op), [a, b]) => {
                let joined = match (part(a), part(b), op) {
                    (Some(of), None, ScalarOp::Sub) => of.and(Some(Reducer::Add))?,
                    (Some(of), None, op) | (None, Some(of), op) => of.and(Some(Reducer::of(op)?))?,
                    _ => return None,
                };
                parts.insert(*stmt.results.first()?, joined);
            }
            (StmtKind::If, [condition]) if part(condition).is_none() => {
                let [then, otherwise] = &stmt.blocks[..] else { return None };
                follow(then, parts)?;
                follow(otherwise, parts)?;
                for (n, result) in stmt.results.iter().enumerate() {
                    match (parts.get(then.yields.get(n)?), parts.get(otherwise.yields.get(n)?)) {
                        (None, None) => {}
                        (Some(a), Some(b)) => {
                            let joined = a.and(b.by).filter(|_| a.of == b.of)?;
                            parts.insert(*result, joined);
                        }
                        _ => return None,
                    }
                }
            }
            _ => return None,
        }
    }
    Some(())
}
