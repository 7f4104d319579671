//! Brings maps, reductions and scans into one form: each array once among the inputs, constants in the body, no unused input, C order said so.
//!
//! In: a `map`, `reduce` or `scan` with resolved operands. Out: the same op, emitted. It moves nothing and reads the same memory.

use numptx_ir::array::{Layout, Map, Op, OpKind, Order, OrderTerm, Reduce, Scan, Type, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, InstrKind, Val};

use crate::rewrite::emit::Emitter;

/// The most arrays that one computation reads after fusion. Parameters of device kernels take up to 4096 bytes: here less than 3000,
/// a pointer and 64-bit strides an array.
pub fn max_arrays(rank: usize) -> usize {
    (3000 / (8 + 8 * rank)).min(32)
}

/// Inputs of a computation under construction: each value once.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The values in order of first use.
    pub values: Vec<ValueId>,
}

impl Inputs {
    /// The position of a value, added if it is new.
    pub fn position(&mut self, value: ValueId) -> usize {
        self.values.iter().position(|v| *v == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        })
    }
}

/// The parts that a map, a reduction and a scan share.
#[derive(Clone, Debug)]
pub struct Computation {
    /// The iteration space.
    pub extents: Vec<ValueId>,
    /// Arrays over the iteration space, and scalars.
    pub inputs: Vec<ValueId>,
    /// Arrays of which the body says which elements it reads.
    pub tables: Vec<ValueId>,
    /// What is computed at each point.
    pub body: Body,
    /// Memory order of the results.
    pub order: Order,
    /// Axes of the results.
    pub result_rank: usize,
}

impl Computation {
    /// The shared parts of an op; `None` if it is no computation.
    pub fn of(kind: &OpKind, operands: &[ValueId]) -> Option<Computation> {
        let (rank, result_rank, body, order) = match kind {
            OpKind::Map(map) => (map.rank, map.rank, &map.body, &map.order),
            OpKind::Reduce(reduce) => (reduce.rank, reduce.rank - reduce.n_reduced, &reduce.body, &reduce.order),
            OpKind::Scan(scan) => (scan.rank, scan.rank, &scan.body, &scan.order),
            _ => return None,
        };
        let (extents, inputs) = operands.split_at(rank);
        let (inputs, tables) = body.split_tables(inputs)?;
        Some(Computation {
            extents: extents.to_vec(),
            inputs: inputs.to_vec(),
            tables: tables.to_vec(),
            body: body.clone(),
            order: order.clone(),
            result_rank,
        })
    }

    /// Puts the parts back: the kind, changed, and the operands.
    pub fn rebuild(self, kind: &OpKind) -> (OpKind, Vec<ValueId>) {
        let rank = self.extents.len();
        let operands = [self.extents, self.inputs, self.tables].concat();
        let kind = match kind {
            OpKind::Reduce(reduce) => {
                OpKind::Reduce(Box::new(Reduce { body: self.body, order: self.order, ..(**reduce).clone() }))
            }
            OpKind::Scan(scan) => {
                OpKind::Scan(Box::new(Scan { body: self.body, order: self.order, ..(**scan).clone() }))
            }
            _ => OpKind::Map(Box::new(Map { rank, body: self.body, order: self.order })),
        };
        (kind, operands)
    }
}

/// Renames the inputs that an order names; `None` where an input has no new name.
pub fn map_order(order: &Order, rename: &dyn Fn(usize) -> Option<usize>) -> Option<Order> {
    match order {
        Order::K(terms) => Some(Order::K(map_terms(terms, rename)?)),
        other => Some(other.clone()),
    }
}

fn map_terms(terms: &[OrderTerm], rename: &dyn Fn(usize) -> Option<usize>) -> Option<Vec<OrderTerm>> {
    let map = |term: &OrderTerm| match term {
        OrderTerm::Input(n) => rename(*n).map(OrderTerm::Input),
        OrderTerm::Copy(n) => rename(*n).map(OrderTerm::Copy),
        OrderTerm::Joined(n) => rename(*n).map(OrderTerm::Joined),
        OrderTerm::Fresh { like, axes, terms } => {
            let like = match like {
                Some(n) => Some(rename(*n)?),
                None => None,
            };
            map_terms(terms, rename).map(|terms| OrderTerm::Fresh { like, axes: axes.clone(), terms })
        }
    };
    terms.iter().map(map).collect()
}

impl Emitter {
    /// Emits a `map`, `reduce` or `scan` in its one form.
    pub fn emit_computation(&mut self, mut op: Op) {
        if let Some(computation) = Computation::of(&op.kind, &op.operands) {
            let computation = self.normal(computation);
            (op.kind, op.operands) = computation.rebuild(&op.kind);
        }
        self.push(op);
    }

    /// The same computation in its one form.
    pub fn normal(&mut self, computation: Computation) -> Computation {
        let Computation { extents, inputs, tables, body, order, result_rank } = computation;
        let mut builder = BodyBuilder::new();
        let inputs: Vec<ValueId> = inputs.iter().map(|v| self.same_elements(*v)).collect();
        let mut merged = Inputs::default();
        let vals: Vec<Val> = inputs
            .iter()
            .enumerate()
            .map(|(n, value)| {
                let dtype = self.ty(*value).dtype();
                match self.constant_of(*value) {
                    Some(constant) => builder.push(InstrKind::Constant(constant), dtype),
                    None if is_read(&body, n) => builder.input(merged.position(*value) as u32, dtype),
                    None => Val(0),
                }
            })
            .collect();
        let (tables, positions) = merged_tables(&tables);
        let outputs = builder.inline_tables(&body, &vals, None, &positions);
        let (body, tables) = compress_tables(builder, outputs, tables);
        let order = self.normal_order(order, result_rank, &inputs, &mut merged);
        let (body, inputs, order) = compress(body, merged.values, order);
        Computation { extents, inputs, tables, body, order, result_rank }
    }

    fn normal_order(&self, order: Order, result_rank: usize, inputs: &[ValueId], merged: &mut Inputs) -> Order {
        let Order::K(terms) = &order else { return order };
        if result_rank <= 1 || terms.iter().all(|t| self.is_c_term(t, inputs)) {
            return Order::C;
        }
        // Inputs that only the order names stay inputs.
        let mut named = Vec::new();
        terms.iter().for_each(|t| collect_inputs(t, &mut named));
        let positions: Vec<(usize, usize)> = named.iter().map(|n| (*n, merged.position(inputs[*n]))).collect();
        let rename = |n: usize| positions.iter().find(|p| p.0 == n).map(|p| p.1);
        map_order(&order, &rename).unwrap_or(Order::C)
    }

    fn is_c_term(&self, term: &OrderTerm, inputs: &[ValueId]) -> bool {
        match term {
            OrderTerm::Input(n) => inputs.get(*n).is_some_and(|v| self.is_c_ordered(*v)),
            OrderTerm::Copy(n) | OrderTerm::Joined(n) => {
                inputs.get(*n).is_some_and(|v| self.is_c_ordered(*v) && !self.may_repeat(*v))
            }
            OrderTerm::Fresh { axes, terms, .. } => axes.is_empty() && terms.iter().all(|t| self.is_c_term(t, inputs)),
        }
    }

    /// Whether an array's strides, where they are not 0 and the extent is not 1, never grow from one axis to the next.
    /// Slices keep that: a step that reached the next axis's stride would leave one element.
    pub fn is_c_ordered(&self, value: ValueId) -> bool {
        let Some(array) = self.array(value) else { return true };
        if array.rank <= 1 || array.layout == Layout::C {
            return true;
        }
        let Some(definition) = self.definition(value) else { return false };
        match definition.kind {
            OpKind::Slice { .. }
            | OpKind::Index { .. }
            | OpKind::NewAxis { .. }
            | OpKind::DropAxis { .. }
            | OpKind::Broadcast
            | OpKind::Part { .. }
            | OpKind::ReadOnly
            | OpKind::Writable => self.is_c_ordered(definition.operands[0]),
            // The last axis has the stride of the one before.
            OpKind::Windows { axis } if axis + 2 == array.rank => self.is_c_ordered(definition.operands[0]),
            _ => false,
        }
    }

    /// Whether an array in C order may have stride 0 along an axis longer than 1: whether it is a broadcast view.
    fn may_repeat(&self, value: ValueId) -> bool {
        let view = self.definition(value).filter(|d| d.kind.is_view());
        view.is_some_and(|view| matches!(view.kind, OpKind::Broadcast) || self.may_repeat(view.operands[0]))
    }

    /// Whether a value is a host scalar.
    pub fn is_scalar(&self, value: ValueId) -> bool {
        matches!(self.ty(value), Type::Scalar(_))
    }
}

/// Whether a body reads an input; others are named by the order only.
pub fn is_read(body: &Body, input: usize) -> bool {
    body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Input(n) if n as usize == input))
}

fn collect_inputs(term: &OrderTerm, found: &mut Vec<usize>) {
    match term {
        OrderTerm::Input(n) | OrderTerm::Copy(n) | OrderTerm::Joined(n) => found.push(*n),
        OrderTerm::Fresh { like, terms, .. } => {
            found.extend(like);
            terms.iter().for_each(|t| collect_inputs(t, found));
        }
    }
}

/// Each table once, and where each is now.
fn merged_tables(tables: &[ValueId]) -> (Vec<ValueId>, Vec<u32>) {
    let mut merged = Inputs::default();
    let positions = tables.iter().map(|table| merged.position(*table) as u32).collect();
    (merged.values, positions)
}

/// Ends a body, and drops tables that it does not read.
fn compress_tables(builder: BodyBuilder, outputs: Vec<Val>, tables: Vec<ValueId>) -> (Body, Vec<ValueId>) {
    let body = builder.finish(outputs);
    let reads = |n: u32| body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Element(table, _) if table == n));
    let kept: Vec<u32> = (0..tables.len() as u32).filter(|n| reads(*n)).collect();
    let mut instrs = body.instrs.clone();
    for instr in &mut instrs {
        if let InstrKind::Element(table, _) = &mut instr.kind {
            *table = kept.iter().position(|n| n == table).map_or(*table, |position| position as u32);
        }
    }
    (Body { instrs, outputs: body.outputs }, kept.iter().map(|n| tables[*n as usize]).collect())
}

/// Drops inputs that neither the body nor the order names.
pub fn compress(mut body: Body, inputs: Vec<ValueId>, order: Order) -> (Body, Vec<ValueId>, Order) {
    let mut named = Vec::new();
    if let Order::K(terms) = &order {
        terms.iter().for_each(|t| collect_inputs(t, &mut named));
    }
    let kept: Vec<usize> = (0..inputs.len()).filter(|n| is_read(&body, *n) || named.contains(n)).collect();
    let position = |n: usize| kept.iter().position(|k| *k == n);
    for instr in &mut body.instrs {
        if let InstrKind::Input(n) = &mut instr.kind
            && let Some(position) = position(*n as usize)
        {
            *n = position as u32;
        }
    }
    let order = map_order(&order, &position).unwrap_or(Order::C);
    (body, kept.iter().map(|n| inputs[*n]).collect(), order)
}
