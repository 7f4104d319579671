//! What becomes of chosen elements: whether it is maps, views, reductions and scatters alone.
//!
//! In: a function. Out: for each count of a mask whose elements need not move, the arrays that hang on it, along which of their axes, and the
//! reductions and scatters that end them.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Map, Op, OpKind, Order, Reduce, Region, Scatter, ValueId};
use numptx_ir::scalar::{Body, InstrKind, Reducer, ScalarOp};
use numptx_source::Span;

use crate::compactions::{Counting, Definitions, Move, countings};
use crate::loops::{Along, Extents};
use crate::points_to::{PointsTo, written_arrays};
use crate::traverse::for_each_op;

/// Reductions of one array: each goes through all elements again, chosen or not.
const MAX_REDUCTIONS: usize = 8;

/// What a mask chooses, and what hangs on it.
pub struct Plan {
    /// The count.
    pub count: ValueId,
    /// Whether the count stays as it is made: its running count has other users.
    pub keeps_count: bool,
    /// The mask, with all of its axes.
    pub mask: ValueId,
    /// The mask's extents.
    pub extents: Vec<ValueId>,
    /// Arrays of chosen elements, and along which of their axes these lie.
    pub axes: HashMap<ValueId, usize>,
    /// Those of them that are indices of chosen elements, and along which axis of the mask.
    pub indices: HashMap<ValueId, usize>,
    /// First results of the reductions, and of the ops that read single elements.
    pub reductions: HashSet<ValueId>,
    /// Destinations of scatters of chosen elements.
    pub scattered: HashSet<ValueId>,
    /// Whether the mask and what is moved are read where they are: nothing writes them until the last use.
    pub is_direct: bool,
    /// Other arrays that are combined with chosen elements: they have one element along their axis before they are broadcast.
    pub repeated: HashMap<ValueId, Repeated>,
    /// Instructions that read the element of a table at the point's own indices: the first result of their op, and their position.
    pub plain: HashSet<(ValueId, usize)>,
    /// Where elements were moved, and where they are reduced now.
    pub fused: Vec<(Span, Span)>,
}

/// What an array repeats.
#[derive(Clone, Copy)]
pub struct Repeated {
    /// The array that is broadcast.
    pub base: ValueId,
    /// Its axis of one element; `None` where it has no such axis.
    pub axis: Option<usize>,
}

impl Plan {
    /// The values by which the ops are known that are to be changed.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        let count = (!self.keeps_count).then_some(self.count);
        count.into_iter().chain(self.axes.keys().copied()).chain(self.reductions.iter().copied())
    }
}

/// The vector that an op without results fills under a condition.
pub fn filled(op: &Op) -> Option<ValueId> {
    let then = op.regions.first().filter(|_| op.kind == OpKind::If)?;
    then.ops.iter().find_map(|op| match &op.kind {
        OpKind::Scatter(scatter) => op.operands.get(scatter.rank).copied(),
        _ => None,
    })
}

/// All plans of a function.
pub fn plans(function: &Function) -> Vec<Plan> {
    let mut search = Search {
        function,
        definitions: Definitions::of(function),
        points_to: PointsTo::of(function),
        extents: Extents::of(function),
        known: Vec::new(),
        plans: Vec::new(),
    };
    search.region(&function.body);
    search.plans
}

struct Search<'f> {
    function: &'f Function,
    definitions: Definitions<'f>,
    points_to: PointsTo,
    extents: Extents,
    /// Numbers that checks before have found equal.
    known: Vec<(ValueId, ValueId)>,
    plans: Vec<Plan>,
}

impl<'f> Search<'f> {
    fn region(&mut self, region: &'f Region) {
        let n_known = self.known.len();
        let mut countings = countings(region, &self.definitions).into_iter().peekable();
        for (at, op) in region.ops.iter().enumerate() {
            while let Some(counting) = countings.next_if(|counting| counting.at <= at) {
                let plan = self.plan(region, &counting);
                self.plans.extend(plan);
            }
            op.regions.iter().for_each(|nested| self.region(nested));
            if matches!(op.kind, OpKind::Check { .. })
                && let Some(condition) = self.definitions.get(op.operands[0])
                && condition.kind == OpKind::Scalar(ScalarOp::Eq)
            {
                self.known.push((condition.operands[0], condition.operands[1]));
            }
        }
        self.known.truncate(n_known);
    }

    fn plan(&self, region: &'f Region, counting: &Counting) -> Option<Plan> {
        let moves: Vec<Move> = region.ops.iter().filter_map(|op| counting.moved(op, &self.definitions)).collect();
        let first = moves.first()?;
        let is_one = moves.iter().all(|m| m.mask == first.mask && m.extents == first.extents);
        let is_defined_before =
            |value: &ValueId| !region.ops[counting.at..].iter().any(|op| op.results.contains(value));
        if !is_one || !first.extents.iter().all(is_defined_before) {
            return None;
        }
        let plan = Plan {
            count: counting.count,
            keeps_count: self.has_other_users(counting, &moves),
            mask: first.mask,
            extents: first.extents.to_vec(),
            axes: HashMap::new(),
            indices: HashMap::new(),
            reductions: HashSet::new(),
            scattered: HashSet::new(),
            is_direct: false,
            repeated: HashMap::new(),
            plain: HashSet::new(),
            fused: Vec::new(),
        };
        let moves_read: Vec<ValueId> = moves.iter().flat_map(|m| m.inputs).chain([&plan.mask]).copied().collect();
        let mut follow = Follow {
            search: self,
            moves,
            plan,
            is_filled: HashSet::new(),
            matrices: HashSet::new(),
            moved_at: Vec::new(),
            positions: HashSet::new(),
            n_reductions: 0,
            depth: 0,
        };
        let rest = &region.ops[counting.at + 1..];
        let mut last = 0;
        for (n, op) in rest.iter().enumerate() {
            if follow.op(op)? {
                last = n;
            }
        }
        let is_whole = follow.positions_stay() && follow.n_reductions <= MAX_REDUCTIONS;
        let mut plan = follow.plan;
        plan.is_direct = self.is_unwritten(&rest[..=last.min(rest.len().saturating_sub(1))], &moves_read);
        is_whole.then_some(plan)
    }

    /// Whether ops write none of these arrays.
    fn is_unwritten(&self, ops: &[Op], arrays: &[ValueId]) -> bool {
        let written: Vec<ValueId> = ops.iter().flat_map(written_arrays).collect();
        !written.iter().any(|w| arrays.iter().any(|a| self.points_to.may_share(*w, *a)))
    }

    /// Whether anything but the count and the moves reads the running count.
    fn has_other_users(&self, counting: &Counting, moves: &[Move]) -> bool {
        let mut shapes = vec![counting.running];
        let mut has_others = false;
        for_each_op(&self.function.body, &mut |op| {
            if !op.operands.iter().any(|v| shapes.contains(v)) {
                return;
            }
            match &op.kind {
                OpKind::Reshape(_) => shapes.extend(&op.results),
                OpKind::Scatter(scatter) => {
                    has_others |= !moves.iter().any(|m| m.chosen == op.operands[scatter.rank]);
                }
                OpKind::Index { .. } => {
                    let is_last = |op: &Op| op.kind == OpKind::Item && op.results.len() == 1;
                    let mut readers = 0;
                    for_each_op(&self.function.body, &mut |reader| {
                        if reader.operands.contains(&op.results[0]) {
                            readers += if is_last(reader) { 1 } else { 2 };
                        }
                    });
                    has_others |= readers > 1;
                }
                _ => has_others = true,
            }
        });
        has_others
    }

    fn rank(&self, value: ValueId) -> usize {
        self.function.array(value).map_or(0, |array| array.rank)
    }

    fn is_equal(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.known.contains(&(a, b)) || self.known.contains(&(b, a))
    }
}

/// A point's index, along the axes that there are with the mask's.
#[derive(Clone, Copy)]
struct Point {
    axis: usize,
    of_mask: bool,
}

/// Follows chosen elements through a region.
struct Follow<'s, 'f> {
    search: &'s Search<'f>,
    moves: Vec<Move<'f>>,
    plan: Plan,
    is_filled: HashSet<ValueId>,
    /// Arrays whose columns are filled: nothing else is known of them.
    matrices: HashSet<ValueId>,
    moved_at: Vec<(ValueId, Span)>,
    /// Positions among chosen elements.
    positions: HashSet<ValueId>,
    n_reductions: usize,
    /// Branches around the op that is looked at.
    depth: usize,
}

impl Follow<'_, '_> {
    /// Whether an op uses chosen elements; `None` where it needs them next to each other.
    fn op(&mut self, op: &Op) -> Option<bool> {
        let is_moved = |value: &ValueId| self.moves.iter().any(|m| m.chosen == *value);
        if let (OpKind::Alloc { order: Order::C, .. }, [extent], [vector]) =
            (&op.kind, &op.operands[..], &op.results[..])
            && is_moved(vector)
        {
            self.plan.axes.insert(*vector, 0);
            return (*extent == self.plan.count).then_some(true);
        }
        if let Some(vector) = filled(op).filter(is_moved) {
            return self.moved(op, vector).map(|()| true);
        }
        if self.is_matrix(op) {
            return Some(true);
        }
        if op.kind == OpKind::Item && self.positions.contains(&op.operands[0]) {
            self.positions.insert(op.results[0]);
            return Some(true);
        }
        if !self.uses(op) {
            return Some(false);
        }
        match &op.kind {
            kind if kind.is_view() => self.view(op),
            OpKind::Map(map) if self.depth == 0 => self.map(op, map),
            OpKind::Reduce(reduce) => self.reduce(op, reduce),
            OpKind::Scatter(scatter) if self.depth == 0 => self.scatter(op, scatter),
            OpKind::If => self.branch(op),
            _ => None,
        }
        .map(|()| true)
    }

    /// Branches look at elements, and say what is wrong with them.
    fn branch(&mut self, op: &Op) -> Option<()> {
        if op.operands.iter().any(|v| self.is_chosen(*v)) {
            return None;
        }
        self.depth += 1;
        for nested in op.regions.iter().flat_map(|region| &region.ops) {
            self.op(nested)?;
        }
        self.depth -= 1;
        Some(())
    }

    /// Whether nothing but elements at them is made of positions among chosen elements: they are others now.
    fn positions_stay(&self) -> bool {
        let mut stays = true;
        for_each_op(&self.search.function.body, &mut |op| {
            let is_used = op.operands.iter().any(|v| self.positions.contains(v));
            let is_read =
                op.kind == OpKind::Item || op.results.first().is_some_and(|v| self.plan.reductions.contains(v));
            stays &= !is_used || is_read;
        });
        stays
    }

    fn scatter(&mut self, op: &Op, scatter: &Scatter) -> Option<()> {
        let axis = self.axis(&op.operands[..scatter.rank])?;
        let destination = op.operands[scatter.rank];
        if self.is_chosen(destination) || self.plan.scattered.contains(&destination) {
            return None;
        }
        let inputs = [&op.operands[..scatter.rank], &op.operands[scatter.rank + 1..]].concat();
        self.body(op, &inputs, (&scatter.body, axis, scatter.rank))?;
        self.plan.scattered.insert(destination);
        Some(())
    }

    /// Whether an op makes a matrix whose columns are filled with what is chosen, or is such a column.
    fn is_matrix(&mut self, op: &Op) -> bool {
        let columns = self.moves.iter().filter_map(|m| self.search.definitions.get(m.chosen));
        let mut columns = columns.filter(|column| matches!(column.kind, OpKind::Index { axis: 1 }));
        let is_part = match &op.kind {
            OpKind::Alloc { order: Order::C, .. } => {
                op.operands.first() == Some(&self.plan.count)
                    && columns.any(|column| column.operands[0] == op.results[0])
            }
            OpKind::Index { axis: 1 } => columns.any(|column| column.results == op.results),
            _ => false,
        };
        if is_part {
            self.plan.axes.insert(op.results[0], 0);
        }
        if is_part && matches!(op.kind, OpKind::Alloc { .. }) {
            self.matrices.insert(op.results[0]);
        }
        is_part
    }

    fn uses(&self, op: &Op) -> bool {
        let is_chosen = |op: &Op| op.operands.iter().any(|v| self.plan.axes.contains_key(v));
        let mut uses = is_chosen(op);
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| uses |= is_chosen(op)));
        uses
    }

    fn moved(&mut self, op: &Op, vector: ValueId) -> Option<()> {
        let moved = self.moves.iter().find(|m| m.chosen == vector)?;
        let body = &moved.scatter.body;
        if let InstrKind::Index(axis) = body.instrs[body.outputs[0].0 as usize].kind {
            self.plan.indices.insert(vector, axis as usize);
        }
        self.moved_at.push((vector, op.span));
        (self.plan.axes.contains_key(&vector) && self.is_filled.insert(vector)).then_some(())
    }

    fn is_chosen(&self, value: ValueId) -> bool {
        self.plan.axes.contains_key(&value)
    }

    fn view(&mut self, op: &Op) -> Option<()> {
        let array = op.operands[0];
        let at = *self.plan.axes.get(&array)?;
        if let (OpKind::Index { axis }, [_, position]) = (&op.kind, &op.operands[..])
            && *axis == at
            && self.positions.contains(position)
        {
            self.plan.reductions.insert(op.results[0]);
            return (self.search.rank(array) == 1).then_some(());
        }
        let dropped = |axis: usize| (axis != at).then_some(at - usize::from(axis < at));
        let axis = match &op.kind {
            OpKind::NewAxis { axis } => at + usize::from(*axis <= at),
            OpKind::DropAxis { axis } | OpKind::Index { axis } => dropped(*axis)?,
            OpKind::Slice { axis } if *axis == at => return None,
            OpKind::Slice { .. } | OpKind::Part { .. } => at,
            OpKind::Permute { permutation } => permutation.iter().position(|axis| *axis == at)?,
            OpKind::Broadcast => {
                let axis = at + op.operands.len() - 1 - self.search.rank(array);
                self.is_along(&op.operands[1..], axis).then_some(axis)?
            }
            _ => return None,
        };
        self.plan.axes.insert(op.results[0], axis);
        if !matches!(op.kind, OpKind::Part { .. })
            && let Some(index) = self.plan.indices.get(&array).copied()
        {
            self.plan.indices.insert(op.results[0], index);
        }
        self.ready(array)
    }

    /// `None` where an array is no vector of chosen elements, or not filled yet.
    fn ready(&self, array: ValueId) -> Option<()> {
        let is_root = self.moves.iter().any(|m| m.chosen == array);
        let is_ready = !is_root || self.is_filled.contains(&array);
        (is_ready && !self.matrices.contains(&array)).then_some(())
    }

    /// Whether the count is the extent of this axis and of no other one.
    fn is_along(&self, extents: &[ValueId], axis: usize) -> bool {
        extents.iter().enumerate().all(|(n, extent)| (*extent == self.plan.count) == (n == axis))
    }

    fn map(&mut self, op: &Op, map: &Map) -> Option<()> {
        let axis = self.axis(&op.operands[..map.rank])?;
        self.body(op, &op.operands, (&map.body, axis, map.rank))?;
        self.plan.axes.extend(op.results.iter().map(|v| (*v, axis)));
        Some(())
    }

    fn reduce(&mut self, op: &Op, reduce: &Reduce) -> Option<()> {
        let axis = self.axis(&op.operands[..reduce.rank])?;
        let is_whole = axis >= reduce.rank - reduce.n_reduced && reduce.order == Order::C;
        let is_first = reduce.reducers == [Reducer::ArgMax]
            && reduce.rank == 1
            && self.plan.extents.len() == 1
            && reduce.body.output_dtypes() == vec![DType::Bool];
        if !is_whole || !is_first && reduce.reducers.iter().any(|reducer| reducer.is_positional()) {
            return None;
        }
        if is_first {
            self.positions.insert(op.results[0]);
        }
        self.n_reductions += usize::from(self.depth == 0);
        self.body(op, &op.operands, (&reduce.body, axis, reduce.rank))?;
        self.plan.reductions.insert(*op.results.first()?);
        let spans = self.moved_at.iter().filter(|(_, span)| *span != op.span);
        let fused: Vec<(Span, Span)> = spans.map(|(_, span)| (*span, op.span)).collect();
        self.plan.fused.extend(fused);
        Some(())
    }

    fn axis(&self, extents: &[ValueId]) -> Option<usize> {
        let axis = extents.iter().position(|extent| *extent == self.plan.count)?;
        self.is_along(extents, axis).then_some(axis)
    }

    /// Whether a body may run at elements that are not chosen, too.
    fn body(&mut self, op: &Op, operands: &[ValueId], (body, axis, rank): (&Body, usize, usize)) -> Option<()> {
        let (extents, operands) = operands.split_at(rank);
        let (inputs, tables) = body.split_tables(operands)?;
        for input in inputs {
            self.input(*input, axis, rank)?;
        }
        if tables.iter().any(|table| self.is_chosen(*table)) {
            return None;
        }
        // Values that are what they should be at chosen elements only.
        let mut is_loose: Vec<bool> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let used = instr.kind.operands().iter().any(|v| is_loose[v.0 as usize]);
            let loose = match &instr.kind {
                InstrKind::Input(n) => self.is_chosen(inputs[*n as usize]),
                InstrKind::Index(n) if *n as usize == axis => return None,
                InstrKind::Element(n, indices) => {
                    let table = tables[*n as usize];
                    for (along, index) in indices.iter().enumerate() {
                        if is_loose[index.0 as usize] {
                            let InstrKind::Input(n) = body.instrs[index.0 as usize].kind else { return None };
                            self.is_in_range(table, along, inputs[n as usize])?;
                        }
                    }
                    let points: Vec<Option<Point>> =
                        indices.iter().map(|v| self.point(&body.instrs[v.0 as usize].kind, axis, inputs)).collect();
                    let extents = [&extents[..axis], &self.plan.extents, &extents[axis + 1..]].concat();
                    if let Some(result) = op.results.first().filter(|_| self.is_plain(table, &points, &extents)) {
                        self.plan.plain.insert((*result, is_loose.len()));
                    }
                    true
                }
                _ => used,
            };
            is_loose.push(loose);
        }
        Some(())
    }

    /// The index of a point that a value is.
    fn point(&self, kind: &InstrKind, at: usize, inputs: &[ValueId]) -> Option<Point> {
        match kind {
            InstrKind::Index(n) if (*n as usize) < at => Some(Point { axis: *n as usize, of_mask: false }),
            InstrKind::Index(n) => Some(Point { axis: *n as usize + self.plan.extents.len() - 1, of_mask: false }),
            InstrKind::Input(n) => {
                let axis = at + self.plan.indices.get(inputs.get(*n as usize)?)?;
                Some(Point { axis, of_mask: true })
            }
            _ => None,
        }
    }

    /// Whether a table has the extents of the points, each of which reads its own element.
    fn is_plain(&self, table: ValueId, points: &[Option<Point>], extents: &[ValueId]) -> bool {
        let is_own = |along: usize| {
            let Some(point) = points[along].filter(|point| point.axis == along) else { return false };
            // What a mask's index reads was found to be in range before.
            point.of_mask
                || matches!(self.search.extents.along(table, along), Along::Value(v) if self.search.is_equal(v, extents[along]))
        };
        points.len() == extents.len() && (0..points.len()).all(is_own)
    }

    fn input(&mut self, input: ValueId, axis: usize, rank: usize) -> Option<()> {
        if let Some(at) = self.plan.axes.get(&input) {
            self.ready(input)?;
            return (*at == axis && self.search.rank(input) == rank).then_some(());
        }
        if self.search.function.array(input).is_none() {
            return Some(());
        }
        let broadcast = self.search.definitions.get(input).filter(|op| op.kind == OpKind::Broadcast)?;
        let base = broadcast.operands[0];
        let n_new = rank.checked_sub(self.search.rank(base))?;
        let along = axis.checked_sub(n_new);
        if along.is_some_and(|along| !matches!(self.search.extents.along(base, along), Along::One)) {
            return None;
        }
        self.plan.repeated.insert(input, Repeated { base, axis: along });
        Some(())
    }

    /// Whether indices of all elements of the mask are in a table's range.
    fn is_in_range(&self, table: ValueId, along: usize, indices: ValueId) -> Option<()> {
        let axis = *self.plan.indices.get(&indices)?;
        match self.search.extents.along(table, along) {
            Along::Value(extent) => self.search.is_equal(extent, self.plan.extents[axis]).then_some(()),
            _ => None,
        }
    }
}
