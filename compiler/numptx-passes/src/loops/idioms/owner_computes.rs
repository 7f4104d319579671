//! Threads that go through the same iterations, each of which updates elements of its own.
//!
//! In: [`Code`] of a chunk of a histogram. Out: the same code, of one of several owners, whose number is the work item's index along an axis: it makes only
//! those updates of which the element's place has that number as its remainder. All look at all iterations, which takes less time than to wait for what an
//! update reads. Each element's updates stay in the order of the loop. All updates of a table count the same of its axes, so that an element has one owner.
//!
//! ```text
//! for i: y[k[i]] += v[i]        for i: if k[i] & mask == owner: y[k[i]] += v[i]
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::{Block, Code, ScalarOp, Stmt, StmtKind, Val};

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::emit::combined::simple;
use crate::loops::function::FormNests;
use crate::loops::idioms::chunk_counts::Chunks;
use crate::loops::nest::program::{Axis, Translation};
use crate::loops::schedule::cost::{MOST_OWNERS, OWNER_WORK_ITEMS};
use crate::loops::schedule::nests::inner_axes::Axes;
use crate::loops::schedule::plan::{Plan, nest};
use crate::rewrite::emit::yielding;

impl FormNests<'_> {
    /// A loop over chunks, which are work items along `axis`, or a loop that is one, by owners of elements and by work items of loops in it, where a device
    /// runs it and there are such work items; else `otherwise`. That alone where the lanes of a warp share a chunk.
    pub fn or_owner_computes(
        &mut self,
        op: &Op,
        plan: &Plan,
        (counts, inner): (&Chunks, &Axes),
        axis: Option<Axis>,
        otherwise: Vec<Op>,
    ) -> Vec<Op> {
        let mut ops = Vec::new();
        let owners =
            if counts.are_shared { None } else { self.by_owner_computes(op, plan, (counts, inner), axis, &mut ops) };
        let Some((are_there, nest)) = owners else { return otherwise };
        let regions = [vec![nest], otherwise].map(|mut ops| {
            ops.push(yielding(Vec::new(), op.span));
            Region { parameters: Vec::new(), ops }
        });
        let operands = vec![are_there];
        ops.push(Op { kind: OpKind::If, operands, results: Vec::new(), regions: regions.into(), span: op.span });
        ops
    }

    fn by_owner_computes(
        &mut self,
        op: &Op,
        plan: &Plan,
        (counts, inner): (&Chunks, &Axes),
        axis: Option<Axis>,
        ops: &mut Vec<Op>,
    ) -> Option<(ValueId, Op)> {
        let owner = axis.iter().len() as u32;
        let mut axes: Vec<Axis> = axis.into_iter().collect();
        axes.extend(inner.axes.iter().map(|axis| Axis { number: axis.number + owner + 1, ..*axis }));
        let program = self.program(plan, std::slice::from_ref(op), &axes, &[])?;
        let mut host = HostProgram::new(self.function, op.span);
        let are_there = host.are_positive(&inner.extents, counts.on_device);
        let chunks = if axis.is_some() { counts.number } else { host.number(1) };
        let work_items = inner.extents.iter().fold(chunks, |work_items, extent| host.product(work_items, *extent));
        let (owners, mask) = host.owners(work_items);
        ops.append(&mut host.ops);
        let program = owned(program, owner, mask)?;
        let around = if axis.is_some() { vec![chunks, owners] } else { vec![owners] };
        Some((are_there, nest(program, [around, inner.extents.clone()].concat(), op.span)))
    }
}

impl HostProgram<'_> {
    /// Whether something is true, and extents are positive.
    fn are_positive(&mut self, extents: &[ValueId], and: ValueId) -> ValueId {
        let zero = self.number(0);
        extents.iter().fold(and, |all, extent| {
            let is_positive = self.scalar(OpKind::Scalar(ScalarOp::Gt), vec![*extent, zero], DType::Bool);
            self.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![all, is_positive], DType::Bool)
        })
    }

    /// How many owners each of so many work items is to be, and that less one; a power of two.
    fn owners(&mut self, work_items: ValueId) -> (ValueId, ValueId) {
        let mut owners = self.number(1);
        let mut n = 2;
        while n <= MOST_OWNERS {
            let (most, more) = (self.number(OWNER_WORK_ITEMS / n), self.number(n));
            let are_few = self.scalar(OpKind::Scalar(ScalarOp::Le), vec![work_items, most], DType::Bool);
            owners = self.scalar(OpKind::Scalar(ScalarOp::Select), vec![are_few, more, owners], DType::I64);
            n *= 4;
        }
        let one = self.number(1);
        (owners, self.integer(ScalarOp::Sub, owners, one))
    }
}

/// The program of a chunk as that of an owner, whose number is the index along `axis`; `None` if it updates in another way. `mask`: the number of owners less
/// one.
fn owned(mut program: Translation, axis: u32, mask: ValueId) -> Option<Translation> {
    let input = program.scalars.len() as u32;
    program.scalars.push(mask);
    let mut block = std::mem::take(&mut program.code.block);
    let n_values = program.code.dtypes.len() as u32;
    let (owner, mask) = (Val(n_values), Val(n_values + 1));
    program.code.dtypes.extend([DType::I64; 2]);
    let axes = counted_axes(&block);
    if axes.is_empty() || !are_all_updates(&block) {
        return None;
    }
    OwnerComputes { code: &mut program.code, owner, mask, axes }.block(&mut block)?;
    let named = [(StmtKind::Index(axis), owner), (StmtKind::Input(input), mask)];
    block.stmts.splice(0..0, named.map(|(kind, result)| simple(kind, Vec::new(), result)));
    program.code.block = block;
    Some(program)
}

/// By the tables that are stored to, the axes along which the place of any of their updates changes from iteration to iteration.
fn counted_axes(block: &Block) -> HashMap<u32, BTreeSet<usize>> {
    let mut found = Changing::default();
    found.block(block);
    found.axes
}

/// What changes from iteration to iteration.
#[derive(Default)]
struct Changing {
    values: HashSet<Val>,
    axes: HashMap<u32, BTreeSet<usize>>,
}

impl Changing {
    fn block(&mut self, block: &Block) {
        self.values.extend(&block.parameters);
        for stmt in &block.stmts {
            stmt.blocks.iter().for_each(|nested| self.block(nested));
            let is_new = matches!(stmt.kind, StmtKind::Load(_)) || !stmt.blocks.is_empty();
            if is_new || stmt.operands.iter().any(|val| self.values.contains(val)) {
                self.values.extend(&stmt.results);
            }
            if let StmtKind::Store(table) = stmt.kind {
                let place = stmt.operands[1..].iter().enumerate();
                let axes = place.filter(|(_, val)| self.values.contains(val)).map(|(axis, _)| axis);
                self.axes.entry(table).or_default().extend(axes);
            }
        }
    }
}

/// Whether what is stored is loaded nowhere but in updates: these load it once each.
fn are_all_updates(block: &Block) -> bool {
    let mut accesses: HashMap<u32, (usize, usize)> = HashMap::new();
    block.for_each_stmt(&mut |stmt| match stmt.kind {
        StmtKind::Load(table) => accesses.entry(table).or_default().0 += 1,
        StmtKind::Store(table) => accesses.entry(table).or_default().1 += 1,
        _ => {}
    });
    accesses.values().all(|(loads, stores)| *stores == 0 || loads == stores)
}

/// Whether a statement, or one in it, stores to a table.
fn stores_to(stmt: &Stmt, table: u32) -> bool {
    let is_store = |stmt: &Stmt| stmt.kind == StmtKind::Store(table);
    let mut stores = is_store(stmt);
    stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut |stmt| stores |= is_store(stmt)));
    stores
}

struct OwnerComputes<'c> {
    code: &'c mut Code,
    owner: Val,
    mask: Val,
    /// By tables, the axes that tell who owns an element.
    axes: HashMap<u32, BTreeSet<usize>>,
}

impl OwnerComputes<'_> {
    fn block(&mut self, block: &mut Block) -> Option<()> {
        let mut at = 0;
        while at < block.stmts.len() {
            let stmt = &mut block.stmts[at];
            for nested in &mut stmt.blocks {
                self.block(nested)?;
            }
            if matches!(stmt.kind, StmtKind::Store(_)) {
                at = self.update(block, at)?;
            }
            at += 1;
        }
        Some(())
    }

    /// Puts an update, whose store is the statement `at`, into a branch of its owner; the place of that.
    fn update(&mut self, block: &mut Block, at: usize) -> Option<usize> {
        let StmtKind::Store(table) = block.stmts[at].kind else { return None };
        let place = block.stmts[at].operands[1..].to_vec();
        let is_read = |stmt: &Stmt| stmt.kind == StmtKind::Load(table) && stmt.operands == place;
        let first = block.stmts[..at].iter().rposition(is_read)?;
        let mut inside = HashSet::from([block.stmts[first].results[0]]);
        let mut own = vec![first];
        for (n, stmt) in block.stmts.iter().enumerate().take(at + 1).skip(first + 1) {
            if stmt.used().iter().any(|val| inside.contains(val)) {
                if !stmt.blocks.is_empty() || !matches!(stmt.kind, StmtKind::Op(_) | StmtKind::Store(_)) {
                    return None;
                }
                inside.extend(&stmt.results);
                own.push(n);
            } else if stores_to(stmt, table) {
                return None;
            }
        }
        let is_inside = |val: &Val| inside.contains(val);
        let leaves = block.stmts[at + 1..].iter().any(|stmt| stmt.used().iter().any(is_inside));
        if own.last() != Some(&at) || leaves || block.yields.iter().any(is_inside) {
            return None;
        }
        let stmts: Vec<Stmt> = own.iter().map(|n| block.stmts[*n].clone()).collect();
        own.iter().rev().for_each(|n| _ = block.stmts.remove(*n));
        let begin = at + 1 - own.len();
        let branch = self.branch(table, &place, stmts)?;
        let end = begin + branch.len() - 1;
        block.stmts.splice(begin..begin, branch);
        Some(end)
    }

    /// Steps of an update at a place, run by the owner of that.
    fn branch(&mut self, table: u32, place: &[Val], stmts: Vec<Stmt>) -> Option<Vec<Stmt>> {
        let mut found = Vec::new();
        let mut sum: Option<Val> = None;
        let counted: Vec<Val> = self.axes.get(&table)?.iter().map(|axis| place[*axis]).collect();
        for index in counted {
            sum = Some(match sum {
                Some(sum) => self.op(ScalarOp::Add, [sum, index], DType::I64, &mut found),
                None => index,
            });
        }
        let remainder = self.op(ScalarOp::BitAnd, [sum?, self.mask], DType::I64, &mut found);
        let is_own = self.op(ScalarOp::Eq, [remainder, self.owner], DType::Bool, &mut found);
        let blocks = vec![Block { stmts, ..Block::default() }, Block::default()];
        found.push(Stmt { kind: StmtKind::If, operands: vec![is_own], results: Vec::new(), blocks });
        Some(found)
    }

    fn op(&mut self, op: ScalarOp, operands: [Val; 2], dtype: DType, stmts: &mut Vec<Stmt>) -> Val {
        self.code.dtypes.push(dtype);
        let result = Val(self.code.dtypes.len() as u32 - 1);
        stmts.push(simple(StmtKind::Op(op), operands.to_vec(), result));
        result
    }
}
