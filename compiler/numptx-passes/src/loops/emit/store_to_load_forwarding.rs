//! Programs without what they do twice: operations, and loads of what was just stored or loaded.
//!
//! In: [`Code`]. Out: the same with equal operations shared where one is visible from the other, neighbouring branches on one condition
//! joined, loads replaced by values that the work item stored or loaded before, and without stores to tables that are a work item's own and that nothing
//! loads. A table that is stored to shares memory with no other table, so two elements are one where the table and the values of all
//! indices are. Loops come to carry what an iteration hands to the next one ([`crate::loops::emit::scalar_replacement`]).

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, ScalarOp, Stmt, StmtKind, Val};

use crate::loops::emit::scalar_replacement::carry;

/// Simplifies a program. `is_own`: of each table, whether nobody looks at it afterwards.
pub fn forward(code: &mut Code, is_own: &[bool]) {
    share(code);
    join_branches(&mut code.block);
    share(code);
    carry(code);
    loop {
        while without_unused(code) {}
        let is_dead = |n: &usize| is_own[*n] && code.stores(*n) && !code.loads(*n);
        let dead: Vec<usize> = (0..is_own.len()).filter(is_dead).collect();
        if dead.is_empty() {
            return;
        }
        without_stores(&mut code.block, &dead);
    }
}

/// Numbers the scalars that a program uses anew, from 0; what their numbers were.
pub fn used_inputs(code: &mut Code) -> Vec<u32> {
    let mut used = Vec::new();
    for_each_input(&mut code.block, &mut |n| used.push(*n));
    used.sort_unstable();
    used.dedup();
    for_each_input(&mut code.block, &mut |n| *n = used.partition_point(|other| *other < *n) as u32);
    used
}

fn for_each_input(block: &mut Block, visit: &mut dyn FnMut(&mut u32)) {
    for stmt in &mut block.stmts {
        if let StmtKind::Input(n) = &mut stmt.kind {
            visit(n);
        }
        stmt.blocks.iter_mut().for_each(|nested| for_each_input(nested, visit));
    }
}

fn share(code: &mut Code) {
    let mut sharing = Sharing { dtypes: &code.dtypes, names: HashMap::new(), integers: HashMap::new() };
    let block = std::mem::take(&mut code.block);
    code.block = sharing.block(block, Known::default());
}

/// What holds at a statement.
#[derive(Clone, Default)]
struct Known {
    /// Values of statements without effect.
    values: HashMap<(StmtKind, Vec<Val>, DType), Val>,
    /// Elements in memory, by table and indices.
    elements: HashMap<(u32, Vec<Val>), Val>,
}

impl Known {
    fn store(&mut self, table: u32) {
        self.elements.retain(|(of, _), _| *of != table);
    }

    /// Without what statements of some blocks may store to.
    fn after(mut self, blocks: &[Block]) -> Known {
        for block in blocks {
            block.for_each_stmt(&mut |stmt| {
                if let StmtKind::Store(table) | StmtKind::Solve(_, table) = stmt.kind {
                    self.store(table);
                }
            });
        }
        self
    }
}

struct Sharing<'c> {
    dtypes: &'c [DType],
    names: HashMap<Val, Val>,
    /// Constants of `i64`.
    integers: HashMap<Val, i64>,
}

impl Sharing<'_> {
    fn name(&self, val: Val) -> Val {
        self.names.get(&val).copied().unwrap_or(val)
    }

    fn block(&mut self, block: Block, mut known: Known) -> Block {
        let mut stmts: Vec<Stmt> = Vec::with_capacity(block.stmts.len());
        for mut stmt in block.stmts {
            stmt.operands.iter_mut().for_each(|v| *v = self.name(*v));
            let instead = match stmt.kind {
                StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Index(_) | StmtKind::Input(_) => {
                    self.value(&stmt, &mut known)
                }
                StmtKind::Load(table) => {
                    let element = (table, stmt.operands.clone());
                    let held = known.elements.get(&element).copied();
                    known.elements.entry(element).or_insert(stmt.results[0]);
                    held
                }
                StmtKind::Store(table) => {
                    known.store(table);
                    known.elements.insert((table, stmt.operands[1..].to_vec()), stmt.operands[0]);
                    None
                }
                StmtKind::If => {
                    let blocks = std::mem::take(&mut stmt.blocks);
                    stmt.blocks = blocks.into_iter().map(|block| self.block(block, known.clone())).collect();
                    known = known.after(&stmt.blocks);
                    None
                }
                StmtKind::Check(table) => {
                    known.store(table);
                    None
                }
                StmtKind::Barrier => {
                    known.elements.clear();
                    None
                }
                StmtKind::For | StmtKind::While | StmtKind::Parallel | StmtKind::Reduce(_) | StmtKind::Solve(..) => {
                    if let StmtKind::Solve(_, table) = stmt.kind {
                        known.store(table);
                    }
                    known = known.after(&stmt.blocks);
                    let blocks = std::mem::take(&mut stmt.blocks);
                    stmt.blocks = blocks.into_iter().map(|block| self.block(block, known.clone())).collect();
                    None
                }
            };
            match instead {
                Some(val) => {
                    self.names.insert(stmt.results[0], val);
                }
                None => stmts.push(stmt),
            }
        }
        let yields = block.yields.iter().map(|v| self.name(*v)).collect();
        Block { parameters: block.parameters, stmts, yields }
    }

    /// The value that a statement without effect would compute again.
    fn value(&mut self, stmt: &Stmt, known: &mut Known) -> Option<Val> {
        let result = stmt.results[0];
        let dtype = self.dtypes[result.0 as usize];
        if let (StmtKind::Constant(Constant::Int(n)), DType::I64) = (stmt.kind, dtype) {
            self.integers.insert(result, n);
        }
        let is = |at: usize, n: i64| self.integers.get(&stmt.operands[at]) == Some(&n);
        match stmt.kind {
            StmtKind::Op(ScalarOp::Mul) if dtype == DType::I64 && is(1, 1) => return Some(stmt.operands[0]),
            StmtKind::Op(ScalarOp::Mul) if dtype == DType::I64 && is(0, 1) => return Some(stmt.operands[1]),
            StmtKind::Op(ScalarOp::Add) if dtype == DType::I64 && is(1, 0) => return Some(stmt.operands[0]),
            StmtKind::Op(ScalarOp::Add) if dtype == DType::I64 && is(0, 0) => return Some(stmt.operands[1]),
            _ => {}
        }
        let name = (stmt.kind, stmt.operands.clone(), dtype);
        let held = known.values.get(&name).copied();
        known.values.entry(name).or_insert(result);
        held
    }
}

/// Makes one branch of neighbours on one condition. Steps without effect between them come before it.
fn join_branches(block: &mut Block) {
    let mut stmts: Vec<Stmt> = Vec::with_capacity(block.stmts.len());
    let mut last: Option<usize> = None;
    for stmt in std::mem::take(&mut block.stmts) {
        match (stmt.kind, last) {
            (StmtKind::If, Some(at)) if stmt.results.is_empty() && stmts[at].operands == stmt.operands => {
                for (block, more) in stmts[at].blocks.iter_mut().zip(stmt.blocks) {
                    block.stmts.extend(more.stmts);
                }
            }
            (StmtKind::If, _) => {
                last = stmt.results.is_empty().then_some(stmts.len());
                stmts.push(stmt);
            }
            (StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Index(_) | StmtKind::Input(_), Some(at)) => {
                stmts.insert(at, stmt);
                last = Some(at + 1);
            }
            _ => {
                last = None;
                stmts.push(stmt);
            }
        }
    }
    stmts.iter_mut().flat_map(|stmt| &mut stmt.blocks).for_each(join_branches);
    block.stmts = stmts;
}

/// Drops statements without effect whose results nothing uses. Whether there were any.
fn without_unused(code: &mut Code) -> bool {
    let used: HashSet<Val> = code.block.stmts.iter().flat_map(Stmt::used).collect();
    drop_unused(&mut code.block, &used)
}

fn drop_unused(block: &mut Block, used: &HashSet<Val>) -> bool {
    let n = block.stmts.len();
    block.stmts.retain(|stmt| stmt.results.iter().any(|v| used.contains(v)) || has_effect(stmt));
    let mut is_changed = block.stmts.len() < n;
    for nested in block.stmts.iter_mut().flat_map(|stmt| &mut stmt.blocks) {
        is_changed |= drop_unused(nested, used);
    }
    is_changed
}

/// Whether a statement stores something, or may run for ever.
fn has_effect(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Store(_) | StmtKind::While | StmtKind::Barrier | StmtKind::Check(_))
        || stmt.blocks.iter().flat_map(|block| &block.stmts).any(has_effect)
}

fn without_stores(block: &mut Block, tables: &[usize]) {
    block.stmts.retain(|stmt| !matches!(stmt.kind, StmtKind::Store(table) if tables.contains(&(table as usize))));
    block.stmts.iter_mut().flat_map(|stmt| &mut stmt.blocks).for_each(|nested| without_stores(nested, tables));
}
