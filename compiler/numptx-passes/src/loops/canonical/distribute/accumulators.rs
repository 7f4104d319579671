//! Loops that store and accumulate, as two loops: one that stores, and one that accumulates what the first one leaves for it.
//!
//! In: a loop that carries scalars, and stores or has loops in it. Out: the loop without what it carries, with a store of each value that the carried ones are
//! made of to an array with an element a work item; and a loop that carries them and reads nothing but these arrays.
//! `for i: y[i] = f(x[i]); s += abs(y[i] - x[i])` becomes `for i: y[i] = f(x[i]); t[i] = abs(y[i] - x[i])` and `for i: s += t[i]`. Other names of this: loop
//! distribution and scalar expansion (Allen and Kennedy, Optimizing Compilers for Modern Architectures, 5.3 and 6.2). Decides nothing: see
//! `distribute_loops.rs`.

mod extents;
mod maps;
mod marks;

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Store, Type, ValueId};
use numptx_ir::scalar::{Body, ScalarOp};
use numptx_source::Span;

pub use self::extents::Needs;
use self::marks::Marks;
pub use self::marks::{has_loops, stores};
use crate::analysis::traverse::terminator_operands;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::rewrite::emit::yielding;

/// A loop as two.
pub struct Divided {
    /// The extents of arrays, and these.
    pub before: Vec<Op>,
    /// The loop that stores; it carries nothing.
    pub storing: Op,
    /// The loop that accumulates; its results are those of the whole loop.
    pub accumulating: Op,
    /// What the arrays between both need.
    pub needs: Needs,
}

impl FormNests<'_> {
    /// A loop as two; `None` where stores need what it carries, or arrays would have no extents that are known before.
    pub fn divided(&mut self, op: &Op) -> Option<Divided> {
        let marks = Marks::of(self, op)?;
        let mut division = Division {
            pass: self,
            marks,
            names: HashMap::new(),
            left: HashSet::new(),
            levels: Vec::new(),
            before: Vec::new(),
            needs: Needs::default(),
            span: op.span,
        };
        let (storing, accumulating) = division.loop_(op)?;
        let Division { before, needs, .. } = division;
        Some(Divided { before, storing: storing?, accumulating: accumulating?, needs })
    }
}

/// A loop around.
struct Level {
    /// How far its index is from its first one, in the loop that stores and in the one that accumulates.
    at: [ValueId; 2],
    /// Whether anything asked for that.
    is_used: bool,
    /// How far that may get, at least 0 and as it is.
    extent: Option<[ValueId; 2]>,
    index: ValueId,
    /// Where all iterations of loops around count from, if the loop itself begins elsewhere in some of them.
    first: Option<ValueId>,
    bounds: [ValueId; 2],
    is_upwards: bool,
}

struct Division<'p, 'f> {
    pass: &'p mut FormNests<'f>,
    marks: Marks,
    /// What values of the loop that stores are called in the one that accumulates.
    names: HashMap<ValueId, ValueId>,
    /// Arrays of rank 0 whose elements are left already, and nothing was stored since.
    left: HashSet<ValueId>,
    levels: Vec<Level>,
    before: Vec<Op>,
    needs: Needs,
    span: Span,
}

/// Ops of the loop that stores, and of the one that accumulates.
type Both = (Vec<Op>, Vec<Op>);

impl Division<'_, '_> {
    fn ops(&mut self, region: &Region) -> Option<Both> {
        let (mut storing, mut accumulating) = (Vec::new(), Vec::new());
        let left = self.left.clone();
        for op in region.ops.iter().filter(|op| !op.kind.is_terminator()) {
            self.op(op, (&mut storing, &mut accumulating))?;
            if op.kind.destinations().is_some() || stores(op) {
                self.left.clear();
            }
            for result in &op.results {
                if self.marks.crossing.contains(result) {
                    self.cross(*result, (&mut storing, &mut accumulating))?;
                }
            }
            if let [result] = op.results[..]
                && self.marks.again.contains(&result)
            {
                let again = self.pass.function.add_value(self.pass.function.ty(result));
                let mut copy = self.accumulating(op.clone());
                copy.results = vec![again];
                if let Some(constant) = self.pass.known.constants.get(&result).copied() {
                    self.pass.known.constants.insert(again, constant);
                }
                if let OpKind::Index { .. } = copy.kind {
                    self.pass.known.points_to.add_alias(again, copy.operands[0]);
                }
                accumulating.push(copy);
                self.names.insert(result, again);
            }
        }
        self.left = left;
        Some((storing, accumulating))
    }

    fn op(&mut self, op: &Op, both: (&mut Vec<Op>, &mut Vec<Op>)) -> Option<()> {
        if !self.marks.accumulates(op) {
            both.0.push(op.clone());
            return Some(());
        }
        match &op.kind {
            OpKind::For => {
                let (storing, accumulating) = self.loop_(op)?;
                both.0.extend(storing);
                both.1.extend(accumulating);
            }
            OpKind::If if !self.marks.accumulated.contains(&op.operands[0]) => self.branches(op, both)?,
            OpKind::Map(_) if self.marks.whole.contains(&op.results[0]) => both.1.push(self.accumulating(op.clone())),
            OpKind::Map(map) => self.map(op, map, both)?,
            OpKind::Item => self.items(op, both),
            OpKind::If => {
                for array in self.marks.read_by(op) {
                    self.leave(array, (&mut *both.0, &mut *both.1))?;
                }
                both.1.push(self.accumulating(op.clone()));
            }
            _ => both.1.push(self.accumulating(op.clone())),
        }
        Some(())
    }

    /// An op with operands as the loop that accumulates calls them.
    fn accumulating(&self, mut op: Op) -> Op {
        op.operands.iter_mut().for_each(|v| *v = self.name(*v));
        for region in &mut op.regions {
            region.ops = std::mem::take(&mut region.ops).into_iter().map(|op| self.accumulating(op)).collect();
        }
        op
    }

    fn name(&self, value: ValueId) -> ValueId {
        self.names.get(&value).copied().unwrap_or(value)
    }

    /// Those of values that are plain, and those that are accumulated, by a list of which are.
    fn parted(&self, which: &[ValueId], values: &[ValueId]) -> [Vec<ValueId>; 2] {
        let of = |is: bool| {
            let pairs = which.iter().zip(values).filter(|(by, _)| self.marks.accumulated.contains(by) == is);
            pairs.map(|(_, v)| *v).collect()
        };
        [of(false), of(true)]
    }

    fn branches(&mut self, op: &Op, both: (&mut Vec<Op>, &mut Vec<Op>)) -> Option<()> {
        let [plain, accumulated] = self.parted(&op.results, &op.results);
        let (mut storing, mut accumulating) = (Vec::new(), Vec::new());
        for region in &op.regions {
            let (mut then, mut also) = self.ops(region)?;
            let [yields, others] = self.parted(&op.results, terminator_operands(region));
            then.push(yielding(yields, op.span));
            also.push(yielding(others.into_iter().map(|v| self.name(v)).collect(), op.span));
            storing.push(Region { parameters: Vec::new(), ops: then });
            accumulating.push(Region { parameters: Vec::new(), ops: also });
        }
        let operands = op.operands.clone();
        let condition = vec![self.name(op.operands[0])];
        both.0.push(Op { kind: OpKind::If, operands, results: plain, regions: storing, span: op.span });
        both.1.push(Op {
            kind: OpKind::If,
            operands: condition,
            results: accumulated,
            regions: accumulating,
            span: op.span,
        });
        Some(())
    }

    fn items(&mut self, op: &Op, both: (&mut Vec<Op>, &mut Vec<Op>)) {
        let [plain, accumulated] = self.parted(&op.operands, &op.operands);
        let [results, others] = self.parted(&op.operands, &op.results);
        let item = |operands: Vec<ValueId>, results: Vec<ValueId>| {
            (!results.is_empty()).then(|| Op { operands, results, ..op.clone() })
        };
        both.0.extend(item(plain, results));
        both.1.extend(item(accumulated, others));
    }

    /// A loop as the one that stores and the one that accumulates.
    fn loop_(&mut self, op: &Op) -> Option<(Option<Op>, Option<Op>)> {
        let step = self.pass.known.constant(op.operands[2]).filter(|step| *step != 0 && *step != i64::MIN)?;
        let (bounds, initial) = op.operands.split_at(3);
        let (index, carried) = op.regions[0].parameters.split_first()?;
        let ty = Type::Scalar(DType::I64);
        let own = self.pass.function.add_value(ty);
        let at = [0; 2].map(|_| self.pass.function.add_value(ty));
        self.names.insert(*index, own);
        if stores(op) {
            self.left.clear();
        }
        let is_upwards = step > 0;
        let (index, ends) = (*index, [bounds[0], bounds[1]]);
        self.levels.push(Level { at, is_used: false, extent: None, index, first: None, bounds: ends, is_upwards });
        let (mut storing, mut accumulating) = self.ops(&op.regions[0])?;
        let level = self.levels.pop()?;
        if level.is_used {
            let from = |index: ValueId, lower: ValueId, at: ValueId| {
                let operands = if level.is_upwards { vec![index, lower] } else { vec![lower, index] };
                Op {
                    kind: OpKind::Scalar(ScalarOp::Sub),
                    operands,
                    results: vec![at],
                    regions: Vec::new(),
                    span: op.span,
                }
            };
            storing.insert(0, from(index, level.first.unwrap_or(bounds[0]), at[0]));
            accumulating.insert(0, from(own, level.first.unwrap_or_else(|| self.name(bounds[0])), at[1]));
        }
        let yields = self.parted(carried, terminator_operands(&op.regions[0]));
        let (parameters, initial) = (self.parted(carried, carried), self.parted(carried, initial));
        let results = self.parted(carried, &op.results);
        let mut both =
            [storing, accumulating].into_iter().zip([index, own]).enumerate().map(|(n, (mut ops, index))| {
                let here = |v: &ValueId| if n == 1 { self.name(*v) } else { *v };
                ops.push(yielding(yields[n].iter().map(here).collect(), op.span));
                let region = Region { parameters: [&[index], &parameters[n][..]].concat(), ops };
                let operands = bounds.iter().chain(&initial[n]).map(here).collect();
                Op { kind: OpKind::For, operands, results: results[n].clone(), regions: vec![region], span: op.span }
            });
        Some((both.next(), both.next()))
    }

    /// Leaves the element of an array of rank 0 as it is now.
    fn leave(&mut self, array: ValueId, both: (&mut Vec<Op>, &mut Vec<Op>)) -> Option<()> {
        if self.marks.again.contains(&array) {
            return Some(());
        }
        if self.left.insert(array) { self.cross(array, both) } else { Some(()) }
    }

    /// Leaves a value of a work item for the loop that accumulates.
    fn cross(&mut self, value: ValueId, both: (&mut Vec<Op>, &mut Vec<Op>)) -> Option<()> {
        let array = self.array(self.pass.function.ty(value).dtype())?;
        let body = Body::identity(self.pass.function.ty(value).dtype());
        let to = self.cell(array, 0, both.0)?;
        let kind = OpKind::Store(Box::new(Store { rank: 0, body }));
        both.0.push(Op { kind, operands: vec![to, value], results: Vec::new(), regions: Vec::new(), span: self.span });
        let from = self.cell(array, 1, both.1)?;
        let read = match self.pass.function.ty(value) {
            Type::Array(_) => from,
            Type::Scalar(dtype) => {
                let mut host = HostProgram::new(self.pass.function, self.span);
                let read = host.scalar(OpKind::Item, vec![from], dtype);
                both.1.append(&mut host.ops);
                read
            }
            Type::Object => return None,
        };
        self.names.insert(value, read);
        Some(())
    }

    /// The element of an array that belongs to the work item, in the loop that stores or the one that accumulates.
    fn cell(&mut self, array: ValueId, which: usize, ops: &mut Vec<Op>) -> Option<ValueId> {
        let mut view = array;
        for level in &self.levels {
            let mut host = HostProgram::new(self.pass.function, self.span);
            let of = host.derived(OpKind::Index { axis: 0 }, vec![view, level.at[which]])?[0];
            ops.append(&mut host.ops);
            self.pass.known.points_to.add_alias(of, array);
            view = of;
        }
        Some(view)
    }
}
