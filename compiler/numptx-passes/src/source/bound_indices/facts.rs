//! Which arrays hold indices: integers from 0 to below some extents.
//!
//! In: a function. Out: for each array value what its elements are known to be, and for each op what the instructions of its body are. All arrays
//! count as such at first, and lose what some write of theirs does not have, up to a fixpoint. Extents are numbers that are computed once a call.

use std::collections::{BTreeSet, HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Reduce, Region, ValueId};
use numptx_ir::scalar::{Body, Constant, InstrKind, ScalarOp, Val};

use crate::analysis::compactions::{Definitions, countings};
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::{for_each_op, terminator_operands};

/// What is known of the elements of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    /// Nothing was seen to be written yet.
    Unwritten,
    /// They are at least 0, and below each of these numbers.
    Below(BTreeSet<ValueId>),
    Anything,
}

impl Fact {
    fn meet(&self, other: &Fact) -> Fact {
        match (self, other) {
            (Fact::Unwritten, fact) | (fact, Fact::Unwritten) => fact.clone(),
            (Fact::Below(a), Fact::Below(b)) => Fact::Below(a.intersection(b).copied().collect()),
            _ => Fact::Anything,
        }
    }
}

/// What is known of an instruction's value.
#[derive(Clone, Debug)]
pub enum Known {
    /// A bool.
    Truth(bool),
    /// An integer.
    Int(i64),
    /// A number of the host.
    Number(ValueId),
    /// A number less than 0 by as much as this one is above it.
    Negative(ValueId),
    /// At least 0, and below these numbers.
    Below(BTreeSet<ValueId>),
    /// An element that was not written yet.
    Unwritten,
    /// Nothing is known.
    Anything,
}

impl Known {
    fn fact(&self) -> Fact {
        match self {
            Known::Int(0..) => Fact::Below(BTreeSet::new()),
            Known::Below(extents) => Fact::Below(extents.clone()),
            Known::Unwritten => Fact::Unwritten,
            _ => Fact::Anything,
        }
    }

    fn of(fact: &Fact) -> Known {
        match fact {
            Fact::Unwritten => Known::Unwritten,
            Fact::Below(extents) => Known::Below(extents.clone()),
            Fact::Anything => Known::Anything,
        }
    }
}

/// Facts by value.
pub struct Facts {
    values: Vec<Fact>,
    /// Integers that are constants.
    ints: HashMap<ValueId, i64>,
    /// Numbers that are computed once a call.
    once: HashSet<ValueId>,
}

impl Facts {
    /// The facts of a function.
    pub fn of(function: &Function) -> Facts {
        let definitions = Definitions::of(function);
        let mut ints = HashMap::new();
        let mut filled = HashSet::new();
        let mut regions = vec![&function.body];
        for_each_op(&function.body, &mut |op| {
            regions.extend(&op.regions);
            let int = op.results.first().and_then(|v| Some((*v, definitions.int(*v)?)));
            ints.extend(int);
        });
        for region in regions {
            for counting in countings(region, &definitions) {
                filled.extend(region.ops.iter().filter_map(|op| counting.moved(op, &definitions)).map(|m| m.chosen));
            }
        }
        let once = function.parameters.iter().chain(function.body.ops.iter().flat_map(|op| &op.results)).copied();
        let mut values = vec![Fact::Unwritten; function.values.len()];
        function.parameters.iter().for_each(|v| values[v.0 as usize] = Fact::Anything);
        let facts = Facts { values, ints, once: once.collect() };
        let (points_to, written) = (PointsTo::of(function), HashMap::new());
        let columns = HashMap::new();
        let mut search = Search { function, definitions, points_to, filled, facts, written, columns, is_changed: true };
        while std::mem::take(&mut search.is_changed) {
            search.region(&function.body);
        }
        search.facts
    }

    /// What the instructions of an op's body are known to be; `None` for ops without one.
    pub fn of_op(&self, function: &Function, op: &Op) -> Option<Vec<Known>> {
        let (rank, first, body) = match &op.kind {
            OpKind::Map(map) => (map.rank, map.rank, &map.body),
            OpKind::Reduce(reduce) => (reduce.rank, reduce.rank, &reduce.body),
            OpKind::Scan(scan) => (scan.rank, scan.rank, &scan.body),
            OpKind::Scatter(scatter) => (scatter.rank, scatter.rank + 1, &scatter.body),
            _ => return None,
        };
        let (extents, inputs) = op.operands.split_at(rank);
        let point = Point { function, extents, inputs: &inputs[first - rank..], fixed: None, assumes: false };
        Some(self.of_body(&point, body))
    }

    /// The pairs of numbers of which the first may be at most the second for an `or` of comparisons with these to be false: indices lie below the
    /// first ones. `None` where there are no such.
    pub fn suffices(&self, function: &Function, op: &Op, reduce: &Reduce) -> Option<BTreeSet<(ValueId, ValueId)>> {
        let (extents, inputs) = op.operands.split_at(reduce.rank);
        let known = self.of_body(&Point { function, extents, inputs, fixed: None, assumes: true }, &reduce.body);
        let is_false = |v: &Val| matches!(known[v.0 as usize], Known::Truth(false));
        let pairs: BTreeSet<_> = reduce.body.instrs.iter().filter_map(|instr| assumed(&instr.kind, &known)).collect();
        (!pairs.is_empty() && reduce.body.outputs.iter().all(is_false)).then_some(pairs)
    }

    fn of_body(&self, point: &Point, body: &Body) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let value = match &instr.kind {
                InstrKind::Input(n) => self.input(point, point.inputs[*n as usize]),
                InstrKind::Index(axis) => self.index(point, *axis as usize),
                InstrKind::Constant(Constant::Int(n)) if instr.dtype == DType::I64 => Known::Int(*n),
                InstrKind::Constant(Constant::Bool(truth)) => Known::Truth(*truth),
                kind if point.assumes && assumed(kind, &known).is_some() => Known::Truth(false),
                InstrKind::Op(op, operands) => {
                    let of = |n: usize| operands.get(n).map(|v| &known[v.0 as usize]);
                    let from = body.dtype(operands[0]);
                    computed(*op, (of(0), of(1), of(2)), (from, instr.dtype))
                }
                _ => Known::Anything,
            };
            known.push(value);
        }
        known
    }

    fn input(&self, point: &Point, input: ValueId) -> Known {
        if let Some(array) = point.function.array(input) {
            let is_index = array.dtype.is_integer() && array.dtype != DType::U64;
            return if is_index { Known::of(&self.values[input.0 as usize]) } else { Known::Anything };
        }
        if point.function.ty(input).dtype() != DType::I64 {
            return Known::Anything;
        }
        self.ints.get(&input).map_or(Known::Number(input), |n| Known::Int(*n))
    }

    fn index(&self, point: &Point, axis: usize) -> Known {
        match point.fixed {
            Some((fixed, index)) if fixed == axis => Known::Int(index),
            _ => Known::Below(point.extents.get(axis).copied().filter(|v| self.once.contains(v)).into_iter().collect()),
        }
    }
}

/// Where a body is run.
struct Point<'p> {
    function: &'p Function,
    extents: &'p [ValueId],
    inputs: &'p [ValueId],
    /// The index along one axis.
    fixed: Option<(usize, i64)>,
    /// Whether extents that indices lie below are at most those that they are compared with.
    assumes: bool,
}

/// A comparison of an index, which lies below the first number, with the second one or its negative: it is false where the first is at most the second.
fn assumed(kind: &InstrKind, known: &[Known]) -> Option<(ValueId, ValueId)> {
    let InstrKind::Op(op, operands) = kind else { return None };
    let [a, b] = operands[..] else { return None };
    let (Known::Below(extents), other) = (&known[a.0 as usize], &known[b.0 as usize]) else { return None };
    match (op, other) {
        (ScalarOp::Ge, Known::Number(n)) | (ScalarOp::Lt, Known::Negative(n)) if !extents.contains(n) => {
            extents.first().map(|extent| (*extent, *n))
        }
        _ => None,
    }
}

type Operands<'k> = (Option<&'k Known>, Option<&'k Known>, Option<&'k Known>);

/// An operation's value, of an operand of the first dtype, in the second one.
fn computed(op: ScalarOp, operands: Operands, (from, to): (DType, DType)) -> Known {
    use Known::{Anything, Below, Int, Negative, Number, Truth, Unwritten};
    if let (ScalarOp::Select, (Some(Truth(truth)), Some(yes), Some(no))) = (op, operands) {
        return if *truth { yes.clone() } else { no.clone() };
    }
    let (Some(a), b, c) = operands else { return Anything };
    if matches!(a, Unwritten) || matches!(b, Some(Unwritten)) || matches!(c, Some(Unwritten)) {
        return Unwritten;
    }
    let is_i64 = from == DType::I64;
    match (op, a, b) {
        (ScalarOp::Sub, Int(0), Some(Number(n))) if is_i64 => Negative(*n),
        (ScalarOp::Ge, Below(extents), Some(Number(n))) if extents.contains(n) => Truth(false),
        (ScalarOp::Lt, Below(extents), Some(Number(n))) if extents.contains(n) => Truth(true),
        // There is an element below the number, so the number is above 0.
        (ScalarOp::Lt, Below(extents), Some(Negative(n))) if extents.contains(n) => Truth(false),
        (ScalarOp::Lt, Below(_), Some(Int(..=0))) => Truth(false),
        (ScalarOp::Ge, Below(_), Some(Int(..=0))) => Truth(true),
        (ScalarOp::Eq, Int(a), Some(Int(b))) if is_i64 => Truth(a == b),
        (ScalarOp::BitOr, Truth(true), _) | (ScalarOp::BitOr, _, Some(Truth(true))) => Truth(true),
        (ScalarOp::BitOr, Truth(false), Some(Truth(false))) => Truth(false),
        (ScalarOp::BitAnd, Truth(false), _) | (ScalarOp::BitAnd, _, Some(Truth(false))) => Truth(false),
        (ScalarOp::BitAnd, Truth(true), Some(Truth(true))) => Truth(true),
        (ScalarOp::Cast, Below(_), _) if to == DType::I64 && from.is_integer() && from != DType::U64 => a.clone(),
        (ScalarOp::Select, _, Some(yes)) => c.map_or(Anything, |no| Known::of(&yes.fact().meet(&no.fact()))),
        _ => Anything,
    }
}

struct Search<'f> {
    function: &'f Function,
    definitions: Definitions<'f>,
    points_to: PointsTo,
    /// Arrays every element of which is written by a compaction.
    filled: HashSet<ValueId>,
    facts: Facts,
    /// By location: what was written there since it was made.
    written: HashMap<ValueId, Fact>,
    /// Of fresh matrices, as `np.nonzero` makes them, by matrix and column: what a compaction wrote there.
    columns: HashMap<(ValueId, i64), Fact>,
    is_changed: bool,
}

impl Search<'_> {
    fn region(&mut self, region: &Region) {
        for op in &region.ops {
            self.op(op);
            op.regions.iter().for_each(|nested| self.region(nested));
        }
    }

    fn op(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Map(map) => {
                let Some(known) = self.facts.of_op(self.function, op) else { return };
                let outputs: Vec<Fact> = map.body.outputs.iter().map(|v| known[v.0 as usize].fact()).collect();
                op.results.iter().zip(outputs).for_each(|(v, fact)| self.set(*v, &fact));
            }
            OpKind::Alloc { .. } if op.results.iter().all(|v| self.filled.contains(v)) => {
                self.set(op.results[0], &Fact::Unwritten);
            }
            kind if kind.is_view() || kind.is_view_or_copy() || matches!(kind, OpKind::Reuse { .. }) => {
                let fact = self.row(op).unwrap_or_else(|| self.same(op.operands[0], op.results[0]));
                self.set(op.results[0], &fact);
            }
            OpKind::If => op.regions.iter().for_each(|region| self.flow(terminator_operands(region), &op.results)),
            OpKind::For | OpKind::While => self.turns(op),
            OpKind::Assign => {
                let fact = self.same(op.operands[1], op.operands[0]);
                self.write(op.operands[0], &fact);
            }
            OpKind::Scatter(scatter) => {
                let Some(known) = self.facts.of_op(self.function, op) else { return };
                let fact = known[scatter.body.outputs[0].0 as usize].fact();
                let destination = op.operands[scatter.rank];
                match self.column(destination).filter(|_| self.filled.contains(&destination)) {
                    Some(column) => self.write_column(column, &fact),
                    None => self.write(destination, &fact),
                }
            }
            _ => {
                op.results.iter().for_each(|v| self.set(*v, &Fact::Anything));
                if op.regions.is_empty() {
                    written_arrays(op).iter().for_each(|v| self.write(*v, &Fact::Anything));
                }
            }
        }
    }

    /// What a loop carries.
    fn turns(&mut self, op: &Op) {
        if op.kind == OpKind::For {
            let carried = &op.regions[0].parameters[1..];
            self.flow(&op.operands[3..], carried);
            self.flow(terminator_operands(&op.regions[0]), carried);
            return self.flow(carried, &op.results);
        }
        let tested = &op.regions[0].parameters;
        self.flow(&op.operands, tested);
        self.flow(terminator_operands(&op.regions[1]), tested);
        self.flow(tested, &op.regions[1].parameters);
        self.flow(tested, &op.results);
    }

    /// A row of what was computed is computed at that index.
    fn row(&self, op: &Op) -> Option<Fact> {
        let (OpKind::Index { axis }, [array, index]) = (&op.kind, &op.operands[..]) else { return None };
        let index = self.definitions.int(*index).filter(|index| *index >= 0)?;
        let made = self.definitions.get(*array)?;
        let OpKind::Map(map) = &made.kind else {
            let column = self.column(op.results[0]).filter(|_| self.filled.contains(&op.results[0]))?;
            return Some(self.columns.get(&column).cloned().unwrap_or(Fact::Unwritten));
        };
        let position = made.results.iter().position(|v| v == array)?;
        let (extents, inputs) = made.operands.split_at(map.rank);
        let point = Point { function: self.function, extents, inputs, fixed: Some((*axis, index)), assumes: false };
        let known = self.facts.of_body(&point, &map.body);
        map.body.outputs.get(position).map(|v| known[v.0 as usize].fact())
    }

    /// The fresh matrix and the position of a column.
    fn column(&self, view: ValueId) -> Option<(ValueId, i64)> {
        let view = self.definitions.get(view).filter(|op| op.kind == OpKind::Index { axis: 1 })?;
        let matrix = self.definitions.get(view.operands[0]).filter(|op| matches!(op.kind, OpKind::Alloc { .. }))?;
        Some((matrix.results[0], self.definitions.int(view.operands[1]).filter(|index| *index >= 0)?))
    }

    /// What is known of an array, for another one with its elements.
    fn same(&self, array: ValueId, other: ValueId) -> Fact {
        let is_same = self.function.ty(array).dtype() == self.function.ty(other).dtype();
        match self.function.array(array) {
            Some(_) if is_same => self.facts.values[array.0 as usize].clone(),
            _ => Fact::Anything,
        }
    }

    fn flow(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            let fact = self.same(*from, *to);
            self.set(*to, &fact);
        }
    }

    /// Of an array no more is known than where it comes from, and of all that is written to its memory.
    fn set(&mut self, value: ValueId, fact: &Fact) {
        let locations = self.points_to.locations(value).iter();
        let fact = locations.filter_map(|l| self.written.get(l)).fold(fact.clone(), |fact, written| fact.meet(written));
        let old = &mut self.facts.values[value.0 as usize];
        let new = old.meet(&fact);
        self.is_changed |= *old != new;
        *old = new;
    }

    fn write_column(&mut self, column: (ValueId, i64), fact: &Fact) {
        let old = self.columns.entry(column).or_insert(Fact::Unwritten);
        let new = old.meet(fact);
        self.is_changed |= *old != new;
        *old = new;
    }

    fn write(&mut self, destination: ValueId, fact: &Fact) {
        let dtype = self.function.ty(destination).dtype();
        for location in self.points_to.locations(destination).to_vec() {
            let is_same = self.function.ty(location).dtype() == dtype;
            let old = self.written.entry(location).or_insert(Fact::Unwritten);
            let new = if is_same { old.meet(fact) } else { Fact::Anything };
            self.is_changed |= *old != new;
            *old = new;
        }
    }
}
