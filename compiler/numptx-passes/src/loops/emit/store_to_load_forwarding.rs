//! Programs without what they do twice: operations, and loads of what was just stored or loaded.
//!
//! In: [`Code`]. Out: the same with equal operations shared where one is visible from the other, neighbouring branches on one condition
//! joined, loads replaced by values that the point stored or loaded before, and without stores to tables that are a point's own and that nothing
//! loads. A table that is stored to shares memory with no other table, so two elements are one where the table and the values of all
//! indices are. Loops come to carry what an iteration hands to the next one ([`crate::loops::emit::scalar_replacement`]).

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, ScalarOp, Step, StepKind, Val};

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
    for step in &mut block.steps {
        if let StepKind::Input(n) = &mut step.kind {
            visit(n);
        }
        step.blocks.iter_mut().for_each(|nested| for_each_input(nested, visit));
    }
}

fn share(code: &mut Code) {
    let mut sharing = Sharing { dtypes: &code.dtypes, names: HashMap::new(), integers: HashMap::new() };
    let block = std::mem::take(&mut code.block);
    code.block = sharing.block(block, Known::default());
}

/// What holds at a step.
#[derive(Clone, Default)]
struct Known {
    /// Values of steps without effect.
    values: HashMap<(StepKind, Vec<Val>, DType), Val>,
    /// Elements in memory, by table and indices.
    elements: HashMap<(u32, Vec<Val>), Val>,
}

impl Known {
    fn store(&mut self, table: u32) {
        self.elements.retain(|(of, _), _| *of != table);
    }

    /// Without what steps of some blocks may store to.
    fn after(mut self, blocks: &[Block]) -> Known {
        for block in blocks {
            block.for_each_step(&mut |step| {
                if let StepKind::Store(table) | StepKind::Solve(_, table) = step.kind {
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
        let mut steps: Vec<Step> = Vec::with_capacity(block.steps.len());
        for mut step in block.steps {
            step.operands.iter_mut().for_each(|v| *v = self.name(*v));
            let instead = match step.kind {
                StepKind::Constant(_) | StepKind::Op(_) | StepKind::Index(_) | StepKind::Input(_) => {
                    self.value(&step, &mut known)
                }
                StepKind::Load(table) => {
                    let element = (table, step.operands.clone());
                    let held = known.elements.get(&element).copied();
                    known.elements.entry(element).or_insert(step.results[0]);
                    held
                }
                StepKind::Store(table) => {
                    known.store(table);
                    known.elements.insert((table, step.operands[1..].to_vec()), step.operands[0]);
                    None
                }
                StepKind::If => {
                    let blocks = std::mem::take(&mut step.blocks);
                    step.blocks = blocks.into_iter().map(|block| self.block(block, known.clone())).collect();
                    known = known.after(&step.blocks);
                    None
                }
                StepKind::Check(table) => {
                    known.store(table);
                    None
                }
                StepKind::Barrier => {
                    known.elements.clear();
                    None
                }
                StepKind::For | StepKind::While | StepKind::Parallel | StepKind::Reduce(_) | StepKind::Solve(..) => {
                    if let StepKind::Solve(_, table) = step.kind {
                        known.store(table);
                    }
                    known = known.after(&step.blocks);
                    let blocks = std::mem::take(&mut step.blocks);
                    step.blocks = blocks.into_iter().map(|block| self.block(block, known.clone())).collect();
                    None
                }
            };
            match instead {
                Some(val) => {
                    self.names.insert(step.results[0], val);
                }
                None => steps.push(step),
            }
        }
        let yields = block.yields.iter().map(|v| self.name(*v)).collect();
        Block { parameters: block.parameters, steps, yields }
    }

    /// The value that a step without effect would compute again.
    fn value(&mut self, step: &Step, known: &mut Known) -> Option<Val> {
        let result = step.results[0];
        let dtype = self.dtypes[result.0 as usize];
        if let (StepKind::Constant(Constant::Int(n)), DType::I64) = (step.kind, dtype) {
            self.integers.insert(result, n);
        }
        let is = |at: usize, n: i64| self.integers.get(&step.operands[at]) == Some(&n);
        match step.kind {
            StepKind::Op(ScalarOp::Mul) if dtype == DType::I64 && is(1, 1) => return Some(step.operands[0]),
            StepKind::Op(ScalarOp::Mul) if dtype == DType::I64 && is(0, 1) => return Some(step.operands[1]),
            StepKind::Op(ScalarOp::Add) if dtype == DType::I64 && is(1, 0) => return Some(step.operands[0]),
            StepKind::Op(ScalarOp::Add) if dtype == DType::I64 && is(0, 0) => return Some(step.operands[1]),
            _ => {}
        }
        let name = (step.kind, step.operands.clone(), dtype);
        let held = known.values.get(&name).copied();
        known.values.entry(name).or_insert(result);
        held
    }
}

/// Makes one branch of neighbours on one condition. Steps without effect between them come before it.
fn join_branches(block: &mut Block) {
    let mut steps: Vec<Step> = Vec::with_capacity(block.steps.len());
    let mut last: Option<usize> = None;
    for step in std::mem::take(&mut block.steps) {
        match (step.kind, last) {
            (StepKind::If, Some(at)) if step.results.is_empty() && steps[at].operands == step.operands => {
                for (block, more) in steps[at].blocks.iter_mut().zip(step.blocks) {
                    block.steps.extend(more.steps);
                }
            }
            (StepKind::If, _) => {
                last = step.results.is_empty().then_some(steps.len());
                steps.push(step);
            }
            (StepKind::Constant(_) | StepKind::Op(_) | StepKind::Index(_) | StepKind::Input(_), Some(at)) => {
                steps.insert(at, step);
                last = Some(at + 1);
            }
            _ => {
                last = None;
                steps.push(step);
            }
        }
    }
    steps.iter_mut().flat_map(|step| &mut step.blocks).for_each(join_branches);
    block.steps = steps;
}

/// Drops steps without effect whose results nothing uses. Whether there were any.
fn without_unused(code: &mut Code) -> bool {
    let used: HashSet<Val> = code.block.steps.iter().flat_map(Step::used).collect();
    drop_unused(&mut code.block, &used)
}

fn drop_unused(block: &mut Block, used: &HashSet<Val>) -> bool {
    let n = block.steps.len();
    block.steps.retain(|step| step.results.iter().any(|v| used.contains(v)) || has_effect(step));
    let mut is_changed = block.steps.len() < n;
    for nested in block.steps.iter_mut().flat_map(|step| &mut step.blocks) {
        is_changed |= drop_unused(nested, used);
    }
    is_changed
}

/// Whether a step stores something, or may run for ever.
fn has_effect(step: &Step) -> bool {
    matches!(step.kind, StepKind::Store(_) | StepKind::While | StepKind::Barrier | StepKind::Check(_))
        || step.blocks.iter().flat_map(|block| &block.steps).any(has_effect)
}

fn without_stores(block: &mut Block, tables: &[usize]) {
    block.steps.retain(|step| !matches!(step.kind, StepKind::Store(table) if tables.contains(&(table as usize))));
    block.steps.iter_mut().flat_map(|step| &mut step.blocks).for_each(|nested| without_stores(nested, tables));
}
