//! Loops in a work item whose iterations meet only in elements that all of them update: the lanes of a warp share such a loop, and take turns where they meet.
//!
//! In: a kernel with a program, of one axis at most. Out: the loops and what they update. An update is a load of an element, operations on it and on
//! what no update changes, and a store to the same element; nothing else meets its table. So all else that iterations do may be done before, and lanes that
//! update one element in the order of their iterations do what one thread would do, to the last bit. All around such a loop every lane does alike.
//!
//! Which elements are updated data have to tell: where the loop's index does, work items that are a thread's are as good.

use std::collections::{HashMap, HashSet};

use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Code, Stmt, StmtKind, Val};

/// Steps of a body, at most, of which several iterations are begun together.
const FEW_STEPS: usize = 96;

/// The loops of a program that lanes share, by their indices.
pub(crate) struct Updates {
    loops: HashMap<Val, Vec<Update>>,
}

/// An element that an iteration updates, once.
pub(super) struct Update {
    pub table: usize,
    /// The element as it was.
    pub old: Val,
    /// Operations that need it, in order.
    pub stmts: Vec<Stmt>,
    /// What these use beside it.
    pub inputs: Vec<Val>,
    /// What is stored.
    pub new: Val,
    at: Vec<Val>,
}

impl Update {
    /// Whether a statement of the loop's body is a part of it.
    pub fn has(&self, stmt: &Stmt) -> bool {
        match stmt.kind {
            StmtKind::Load(table) | StmtKind::Store(table) => table as usize == self.table,
            StmtKind::Op(_) => self.stmts.iter().any(|own| own.results == stmt.results),
            _ => false,
        }
    }
}

/// Whether the lanes of a warp share the work items of a kernel.
pub(crate) fn takes_turns(kernel: &Kernel) -> bool {
    Updates::of(kernel).is_some()
}

impl Updates {
    /// `None` where lanes would have nothing to share.
    pub fn of(kernel: &Kernel) -> Option<Self> {
        let code = kernel.code().filter(|code| kernel.rank <= 1 && !code.is_cooperative())?;
        let mut updates = Updates { loops: HashMap::new() };
        (updates.alike(code, &code.block) && !updates.loops.is_empty()).then_some(updates)
    }

    /// What a loop updates, if lanes share it.
    pub(super) fn of_loop(&self, body: &Block) -> Option<&[Update]> {
        self.loops.get(body.parameters.first()?).map(Vec::as_slice)
    }

    /// How many iterations a lane begins together.
    pub(super) fn at_once(body: &Block) -> i64 {
        let mut n = 0;
        body.for_each_stmt(&mut |_| n += 1);
        if n <= FEW_STEPS { 4 } else { 1 }
    }

    /// Whether all lanes may do a block alike, but for loops that they share.
    fn alike(&mut self, code: &Code, block: &Block) -> bool {
        block.stmts.iter().all(|stmt| match stmt.kind {
            StmtKind::Store(_) => false,
            StmtKind::For if stores(stmt) => {
                let [body] = &stmt.blocks[..] else { return false };
                if !stmt.results.is_empty() {
                    return false;
                }
                match updates(code, body) {
                    Some(updates) => self.loops.insert(body.parameters[0], updates).is_none(),
                    None => self.alike(code, body),
                }
            }
            _ => !stores(stmt) && !loads_stored(code, stmt),
        })
    }
}

pub(super) fn stores(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt.kind, StmtKind::Store(_));
    let mut visit = |stmt: &Stmt| found |= matches!(stmt.kind, StmtKind::Store(_));
    stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut visit));
    found
}

pub(super) fn loads_stored(code: &Code, stmt: &Stmt) -> bool {
    let is_stored = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Load(table) if code.stores(table as usize));
    let mut found = is_stored(stmt);
    let mut visit = |stmt: &Stmt| found |= is_stored(stmt);
    stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut visit));
    found
}

/// What the iterations of a loop update, if that is all that they store.
fn updates(code: &Code, body: &Block) -> Option<Vec<Update>> {
    let mut found = Vec::new();
    collect(code, body, &mut found)?;
    // A table that is met more often would need an order of updates, too.
    let meets = |table: usize| {
        let mut n = 0;
        code.block.for_each_stmt(&mut |stmt| {
            n += usize::from(matches!(stmt.kind, StmtKind::Load(t) | StmtKind::Store(t) if t as usize == table));
        });
        n
    };
    let told = told_by_data(body);
    let is_one = |update: &Update| meets(update.table) == 2 && update.at.iter().any(|at| told.contains(at));
    (!found.is_empty() && found.iter().all(is_one)).then_some(found)
}

/// Finds the updates of a block; `None` if it stores in another way.
fn collect(code: &Code, block: &Block, found: &mut Vec<Update>) -> Option<()> {
    let mut open: Vec<Update> = Vec::new();
    let mut of: HashMap<Val, usize> = HashMap::new();
    for stmt in &block.stmts {
        let mut meets: Vec<usize> = stmt.used().iter().filter_map(|val| of.get(val).copied()).collect();
        meets.dedup();
        match (stmt.kind, meets.as_slice()) {
            (StmtKind::Load(table), []) if code.stores(table as usize) => {
                let (table, old) = (table as usize, stmt.results[0]);
                of.insert(old, table);
                let (stmts, inputs, at) = (Vec::new(), Vec::new(), stmt.operands.clone());
                open.push(Update { table, old, stmts, inputs, new: old, at });
            }
            (StmtKind::Op(_), [table]) => {
                let update = open.iter_mut().find(|update| update.table == *table)?;
                let others = stmt.operands.iter().filter(|val| !of.contains_key(val));
                update.inputs.extend(others);
                update.stmts.push(stmt.clone());
                of.extend(stmt.results.iter().map(|val| (*val, *table)));
            }
            (StmtKind::Store(table), [own]) if table as usize == *own => {
                let update = open.iter().position(|update| update.table == *own)?;
                let (new, at) = stmt.operands.split_first()?;
                if open[update].at != at || !of.contains_key(new) {
                    return None;
                }
                found.push(Update { new: *new, ..open.swap_remove(update) });
            }
            (StmtKind::Store(_), _) => return None,
            (StmtKind::If, []) => stmt.blocks.iter().try_for_each(|nested| collect(code, nested, found))?,
            (_, []) if !stores(stmt) && !loads_stored(code, stmt) && !stmt.kind.is_shared() => {}
            _ => return None,
        }
    }
    (open.is_empty() && !block.yields.iter().any(|val| of.contains_key(val))).then_some(())
}

/// Values that elements of tables decide.
fn told_by_data(body: &Block) -> HashSet<Val> {
    let mut told: HashSet<Val> = HashSet::new();
    body.for_each_stmt(&mut |stmt| {
        let is_loaded = matches!(stmt.kind, StmtKind::Load(_)) || !stmt.blocks.is_empty();
        if is_loaded || stmt.operands.iter().any(|val| told.contains(val)) {
            told.extend(&stmt.results);
        }
    });
    told
}
