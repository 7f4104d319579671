//! Stores that combine an element with a value by an operation whose order makes no difference: `y[k] += e`, `y[k] = max(y[k], e)`.
//!
//! In: a loop whose stores are of single elements. Out: such stores read what they combine through the view that they write, and are known by it.
//! Whether nothing else in the loop meets these elements is a question to the dependence analysis.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Store, Type, ValueId};
use numptx_ir::scalar::{Body, CodeBuilder, Constant, InstrKind, Reducer, ScalarOp, Val};

use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::for_each_op;
use crate::loops::dependence::ReductionGroup;

/// How an element and a value become the next element. Each has a value that changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combination {
    /// As a reducer does. Differences are sums.
    Reducer(Reducer),
    /// The value where it is larger, which nan is not: Python's `max(y, e)`.
    Larger,
    /// The value where it is smaller.
    Smaller,
}

impl Combination {
    /// The value that changes nothing.
    pub fn identity(self, dtype: DType) -> Constant {
        match (self, dtype) {
            // 0.0 would make -0.0 another zero.
            (Combination::Reducer(Reducer::Add), DType::F16 | DType::F32 | DType::F64) => Constant::Float(-0.0),
            (Combination::Reducer(Reducer::Add), DType::C64 | DType::C128) => Constant::Complex(-0.0, -0.0),
            (Combination::Reducer(reducer), _) => reducer.identity(dtype),
            (Combination::Larger, _) => Reducer::Max.identity(dtype),
            (Combination::Smaller, _) => Reducer::Min.identity(dtype),
        }
    }

    /// The next element.
    pub fn emit(self, code: &mut CodeBuilder, element: Val, value: Val) -> Val {
        let mut chosen = |op| {
            let takes = code.op(op, &[value, element]);
            code.op(ScalarOp::Select, &[takes, value, element])
        };
        match self {
            Combination::Larger => chosen(ScalarOp::Gt),
            Combination::Smaller => chosen(ScalarOp::Lt),
            Combination::Reducer(reducer) => code.op(operation(reducer), &[element, value]),
        }
    }
}

/// The operation of a reducer that a combination may have.
fn operation(reducer: Reducer) -> ScalarOp {
    match reducer {
        Reducer::Mul => ScalarOp::Mul,
        Reducer::Min => ScalarOp::Min,
        Reducer::Max => ScalarOp::Max,
        Reducer::And => ScalarOp::BitAnd,
        Reducer::Or => ScalarOp::BitOr,
        Reducer::Xor => ScalarOp::BitXor,
        Reducer::Add | Reducer::ArgMin | Reducer::ArgMax => ScalarOp::Add,
    }
}

/// The updates of a loop.
#[derive(Clone, Debug, Default)]
pub struct Updates {
    views: HashMap<ValueId, ReductionGroup>,
    groups: Vec<(Vec<ValueId>, Combination)>,
}

impl Updates {
    /// Finds the updates of a loop, and makes their reads and writes the same view.
    pub fn find(function: &Function, points_to: &PointsTo, op: &mut Op) -> Self {
        let read_through = {
            let view = Loop::of(function, points_to, op);
            let mut found = HashMap::new();
            let mut visit = |op: &Op| {
                if let OpKind::Store(store) = &op.kind
                    && let Some(updates) = view.updates(op, store)
                {
                    found.insert(op.operands.clone(), updates);
                }
            };
            op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
            found
        };
        let mut updates = Updates::default();
        updates.note(points_to, op, &read_through);
        updates
    }

    fn note(&mut self, points_to: &PointsTo, op: &mut Op, found: &HashMap<Vec<ValueId>, Vec<Found>>) {
        for nested in op.regions.iter_mut().flat_map(|region| &mut region.ops) {
            for update in
                found.get(&nested.operands).filter(|_| matches!(nested.kind, OpKind::Store(_))).into_iter().flatten()
            {
                update.inputs.iter().for_each(|n| nested.operands[*n] = update.view);
                let group = (points_to.locations(update.view).to_vec(), update.combination);
                let number = self.groups.iter().position(|known| *known == group).unwrap_or_else(|| {
                    self.groups.push(group);
                    self.groups.len() - 1
                });
                self.views.insert(update.view, ReductionGroup(number as u32));
            }
            self.note(points_to, nested, found);
        }
    }

    /// The accumulation that an update of a view is of.
    pub fn group(&self, view: ValueId) -> Option<ReductionGroup> {
        self.views.get(&view).copied()
    }

    /// How the updates of an accumulation combine.
    pub fn combination(&self, group: ReductionGroup) -> Option<Combination> {
        self.groups.get(group.0 as usize).map(|(_, combination)| *combination)
    }
}

/// An update.
struct Found {
    /// What is written.
    view: ValueId,
    /// The operands of the store that read the same element.
    inputs: Vec<usize>,
    combination: Combination,
}

/// What values of a loop are made of.
struct Loop<'l> {
    function: &'l Function,
    points_to: &'l PointsTo,
    definitions: HashMap<ValueId, &'l Op>,
    written: HashSet<ValueId>,
}

impl<'l> Loop<'l> {
    fn of(function: &'l Function, points_to: &'l PointsTo, op: &'l Op) -> Self {
        let mut definitions = HashMap::new();
        let mut visit = |op: &'l Op| definitions.extend(op.results.iter().map(|v| (*v, op)));
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        let written = written_arrays(op).iter().flat_map(|v| points_to.locations(*v).to_vec()).collect();
        Loop { function, points_to, definitions, written }
    }

    /// Whether two values of one iteration are the same: made alike, of memory that the loop does not write.
    fn are_same(&self, a: ValueId, b: ValueId) -> bool {
        if a == b {
            return true;
        }
        let (Some(first), Some(second)) = (self.definitions.get(&a), self.definitions.get(&b)) else { return false };
        let is_fixed = |op: &Op| {
            let reads = op.operands.iter().flat_map(|v| self.points_to.locations(*v));
            op.kind.is_pure_scalar_or_view() || reads.clone().all(|location| !self.written.contains(location))
        };
        let position = |op: &Op, v: ValueId| op.results.iter().position(|r| *r == v);
        let (Some(n), Some(m)) = (position(first, a), position(second, b)) else { return false };
        let are_alike = match (&first.kind, &second.kind) {
            (OpKind::Map(map), OpKind::Map(other)) => {
                map == other && map.rank == 0 && map.body.outputs[n] == other.body.outputs[m]
            }
            (OpKind::Item, OpKind::Item) => true,
            (kind, other) => kind.is_pure_scalar_or_view() && kind == other && n == m,
        };
        let operands = first.operands.iter().zip(&second.operands);
        are_alike
            && first.operands.len() == second.operands.len()
            && is_fixed(first)
            && operands.clone().all(|(a, b)| self.are_same(*a, *b))
    }

    /// What a store updates, if all that it reads of that is for the update itself.
    fn updates(&self, op: &Op, store: &Store) -> Option<Vec<Found>> {
        let n_views = store.body.outputs.len();
        if store.rank != 0 {
            return None;
        }
        let (views, rest) = op.operands.split_at(n_views);
        let (inputs, _) = store.body.split_tables(rest)?;
        let mut found = Vec::new();
        let is_shared = |v: &ValueId| views.iter().any(|view| self.points_to.may_share(*view, *v));
        let mut others: HashSet<usize> = (0..inputs.len())
            .filter(|n| matches!(self.function.ty(inputs[*n]), Type::Array(_)) && is_shared(&inputs[*n]))
            .collect();
        for (position, (view, output)) in views.iter().zip(&store.body.outputs).enumerate() {
            let own: Vec<usize> = (0..inputs.len()).filter(|n| self.are_same(*view, inputs[*n])).collect();
            let path = Path { body: &store.body, own: &own };
            let Some(Some(combination)) = path.to(*output) else { continue };
            own.iter().for_each(|n| _ = others.remove(n));
            // Another value of the store must not depend on the element.
            let mut values = store.body.outputs.iter().enumerate().filter(|(n, _)| *n != position);
            if values.any(|(_, other)| path.reads(*other)) {
                return None;
            }
            found.push(Found { view: *view, inputs: own.iter().map(|n| n + n_views).collect(), combination });
        }
        (!found.is_empty() && others.is_empty()).then_some(found)
    }
}

/// From an element's next value back to the element.
struct Path<'b> {
    body: &'b Body,
    /// The inputs that are the element.
    own: &'b [usize],
}

impl Path<'_> {
    fn reads(&self, val: Val) -> bool {
        match &self.body.instrs[val.0 as usize].kind {
            InstrKind::Input(n) => self.own.contains(&(*n as usize)),
            kind => kind.operands().iter().any(|v| self.reads(*v)),
        }
    }

    /// How a value is combined of the element and others; `Some(None)` if it is the element.
    #[expect(clippy::option_option, reason = "no combination at all, and none yet")]
    fn to(&self, val: Val) -> Option<Option<Combination>> {
        let instr = &self.body.instrs[val.0 as usize];
        let (op, operands) = match &instr.kind {
            InstrKind::Input(n) => return self.own.contains(&(*n as usize)).then_some(None),
            InstrKind::Op(op, operands) => (*op, operands.as_slice()),
            _ => return None,
        };
        if op == ScalarOp::Cast {
            return self.cast(operands[0], instr.dtype);
        }
        if op == ScalarOp::Select {
            return self.select(operands, instr.dtype);
        }
        let (element, is_first) = match operands {
            [a, b] if !self.reads(*b) => (*a, true),
            [a, b] if !self.reads(*a) => (*b, false),
            _ => return None,
        };
        let reducer = if op == ScalarOp::Sub && is_first { Reducer::Add } else { Reducer::of(op)? };
        reducer.result(instr.dtype)?;
        let combination = Combination::Reducer(reducer);
        match self.to(element)? {
            Some(inner) if inner != combination => None,
            _ => Some(Some(combination)),
        }
    }

    /// Sums and products of integers are the same in fewer bits, and of floats but for rounding.
    #[expect(clippy::option_option, reason = "as above")]
    fn cast(&self, from: Val, dtype: DType) -> Option<Option<Combination>> {
        let source = self.body.dtype(from);
        let is_alike = (source.is_integer() && dtype.is_integer())
            || (source.is_float() && dtype.is_float())
            || (source.is_complex() && dtype.is_complex());
        match self.to(from)? {
            inner @ (None | Some(Combination::Reducer(Reducer::Add | Reducer::Mul))) if is_alike => Some(inner),
            _ => None,
        }
    }

    /// The larger or smaller of the element itself and a value.
    #[expect(clippy::option_option, reason = "as above")]
    fn select(&self, operands: &[Val], dtype: DType) -> Option<Option<Combination>> {
        let [condition, then, otherwise] = operands else { return None };
        let InstrKind::Op(op, compared) = &self.body.instrs[condition.0 as usize].kind else { return None };
        let is_element = |v: Val| matches!(self.to(v), Some(None));
        let [a, b] = compared.as_slice() else { return None };
        if dtype.is_complex() || self.body.dtype(*a) != dtype || dtype == DType::Bool {
            return None;
        }
        // Of integers that are equal either will do.
        let rises = match op {
            ScalarOp::Gt => true,
            ScalarOp::Lt => false,
            ScalarOp::Ge if dtype.is_integer() => true,
            ScalarOp::Le if dtype.is_integer() => false,
            _ => return None,
        };
        let (value, takes_larger) = if (then, otherwise) == (a, b) {
            (then, rises)
        } else if (then, otherwise) == (b, a) {
            (then, !rises)
        } else {
            return None;
        };
        let (value, is_taken) = if is_element(*otherwise) { (*value, true) } else { (*otherwise, false) };
        let element = if is_taken { *otherwise } else { *then };
        // `max(e, y)` takes e unless y is larger, nan too, after which nothing before counts.
        if !is_element(element) || self.reads(value) || (!is_taken && !dtype.is_integer()) {
            return None;
        }
        Some(Some(if takes_larger { Combination::Larger } else { Combination::Smaller }))
    }
}
