//! Numbers of objects: where the path decides which results are one object, each array carries the number of its object with it.
//!
//! In: a function as it was lowered, and the arrays whose objects have to be told apart: the results, and whatever branches and loops may hand
//! on as them. Out: the same function, in which every one of those arrays has a number, an `i64`, that branches and loops carry beside it;
//! `return` takes the results' numbers after its leaves. Equal numbers are equal objects, in one call.
//!
//! An op makes a new object each time it runs. Outside of loops its number is a constant. The loops around the others count their iterations
//! together: an op that runs twice runs in two iterations of its innermost loop, so its number is made of that count and its own constant.

use std::collections::{BTreeSet, HashMap};

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueData, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

const NUMBER: Type = Type::Scalar(DType::I64);

/// See the file's header. `reached`: all that `results` may be, results and values of branches and loops included.
pub fn number_objects(function: &mut Function, results: &[ValueId], reached: &BTreeSet<ValueId>) {
    let body = std::mem::take(&mut function.body);
    let mut numbering = Numbering {
        values: std::mem::take(&mut function.values),
        reached,
        numbers: HashMap::new(),
        n_sites: 0,
        count: None,
        ops: Vec::new(),
        span: Span::default(),
    };
    for parameter in function.parameters.iter().filter(|v| reached.contains(*v)) {
        numbering.site(*parameter);
    }
    numbering.walk(body.ops);
    let mut ops = numbering.ops;
    if let Some(returned) = ops.last_mut() {
        returned.operands.extend(results.iter().filter_map(|v| numbering.numbers.get(v)));
    }
    function.body = Region { parameters: body.parameters, ops };
    function.values = numbering.values;
}

/// Numbers of two iterations lie so far apart: more than a function has ops.
const STEP: i64 = 1 << 24;

struct Numbering<'r> {
    values: Vec<ValueData>,
    reached: &'r BTreeSet<ValueId>,
    numbers: HashMap<ValueId, ValueId>,
    /// Ops that make objects, so far.
    n_sites: i64,
    /// In loops that make objects: iterations begun so far.
    count: Option<ValueId>,
    /// The open region.
    ops: Vec<Op>,
    span: Span,
}

/// The values of a branch or a loop that have numbers.
struct Slots {
    /// Which of them.
    slots: Vec<usize>,
    /// Parameters of a loop's regions before what it carries: the index.
    n_indices: usize,
    /// Whether the count is one more.
    is_counted: bool,
}

impl Numbering<'_> {
    fn walk(&mut self, ops: Vec<Op>) {
        for op in ops {
            self.span = op.span;
            match op.kind {
                OpKind::If => self.branch(op),
                OpKind::For => self.repeat(op, 1),
                OpKind::While => self.repeat(op, 0),
                _ => {
                    let made: Vec<ValueId> = op.results.iter().copied().filter(|v| self.reached.contains(v)).collect();
                    self.ops.push(op);
                    for object in made {
                        self.site(object);
                    }
                }
            }
        }
    }

    /// The number of an object that an op makes.
    fn site(&mut self, object: ValueId) -> ValueId {
        self.n_sites += 1;
        let own = self.constant(self.n_sites);
        let number = match self.count {
            None => own,
            Some(count) => {
                let step = self.constant(STEP);
                let first = self.scalar(ScalarOp::Mul, [count, step]);
                self.scalar(ScalarOp::Add, [first, own])
            }
        };
        self.numbers.insert(object, number);
        number
    }

    fn branch(&mut self, mut op: Op) {
        let before = self.count;
        let mut counts = Vec::new();
        let mut taken = Slots { slots: self.slots(&op, 0), n_indices: 0, is_counted: false };
        for region in &mut op.regions {
            self.count = before;
            self.inside(region);
            self.hand_on(region, &taken);
            counts.push(self.count);
        }
        self.count = before;
        // Outside of loops nobody asks for the count.
        taken.is_counted = before.is_some() && counts.iter().any(|count| *count != before);
        if taken.is_counted {
            for (region, count) in op.regions.iter_mut().zip(counts) {
                region.ops.last_mut().into_iter().for_each(|last| last.operands.extend(count));
            }
        }
        self.close(op, &taken);
    }

    fn repeat(&mut self, mut op: Op, n_indices: usize) {
        let (before, is_counted) = (self.count, self.has_sites(&op));
        let carried = Slots { slots: self.slots(&op, n_indices), n_indices, is_counted };
        let first = op.operands.len().saturating_sub(op.results.len());
        let initial: Vec<ValueId> = carried.slots.iter().map(|slot| self.number(op.operands[first + slot])).collect();
        op.operands.extend(initial);
        if is_counted {
            let count = before.unwrap_or_else(|| self.constant(0));
            op.operands.push(count);
        }
        // The last region is the body; what the condition of a `while` makes is carried to nobody.
        let n_regions = op.regions.len();
        for (n, region) in op.regions.iter_mut().enumerate() {
            self.parameters(region, &carried);
            if n + 1 == n_regions {
                self.iteration(region, &carried);
            }
        }
        self.count = before;
        self.close(op, &carried);
    }

    /// The body of a loop. It counts first.
    fn iteration(&mut self, region: &mut Region, carried: &Slots) {
        let outside = std::mem::take(&mut self.ops);
        if let Some(count) = region.parameters.last().copied().filter(|_| carried.is_counted) {
            let one = self.constant(1);
            self.count = Some(self.scalar(ScalarOp::Add, [count, one]));
        }
        self.walk(std::mem::take(&mut region.ops));
        region.ops = std::mem::replace(&mut self.ops, outside);
        self.hand_on(region, carried);
        if carried.is_counted {
            let count = self.count;
            region.ops.last_mut().into_iter().for_each(|last| last.operands.extend(count));
        }
    }

    fn inside(&mut self, region: &mut Region) {
        let outside = std::mem::take(&mut self.ops);
        self.walk(std::mem::take(&mut region.ops));
        region.ops = std::mem::replace(&mut self.ops, outside);
    }

    /// Which values of a branch or a loop have numbers.
    fn slots(&self, op: &Op, n_indices: usize) -> Vec<usize> {
        let is_reached = |slot: &usize| {
            let carried = op.regions.iter().filter_map(|region| region.parameters.get(n_indices + slot));
            carried.chain([&op.results[*slot]]).any(|v| self.reached.contains(v))
        };
        (0..op.results.len()).filter(is_reached).collect()
    }

    /// Whether a loop makes objects that are told apart.
    fn has_sites(&self, op: &Op) -> bool {
        op.regions.iter().flat_map(|region| &region.ops).any(|inner| {
            let is_site = inner.regions.is_empty() && inner.results.iter().any(|v| self.reached.contains(v));
            is_site || self.has_sites(inner)
        })
    }

    /// Gives a loop's region parameters for the numbers of what it carries, and for the count.
    fn parameters(&mut self, region: &mut Region, carried: &Slots) {
        for slot in &carried.slots {
            let number = self.new_value();
            self.numbers.insert(region.parameters[carried.n_indices + slot], number);
            region.parameters.push(number);
        }
        if carried.is_counted {
            let count = self.new_value();
            region.parameters.push(count);
        }
    }

    /// A region yields the numbers of what it yields.
    fn hand_on(&mut self, region: &mut Region, slots: &Slots) {
        let Some(last) = region.ops.last_mut() else { return };
        let numbers: Vec<ValueId> = slots.slots.iter().map(|slot| self.number(last.operands[*slot])).collect();
        last.operands.extend(numbers);
    }

    /// Adds a branch or a loop, whose results have numbers too.
    fn close(&mut self, mut op: Op, slots: &Slots) {
        for slot in &slots.slots {
            let number = self.new_value();
            self.numbers.insert(op.results[*slot], number);
            op.results.push(number);
        }
        if slots.is_counted {
            let count = self.new_value();
            op.results.push(count);
            // After the outermost loop nothing runs twice.
            self.count = self.count.map(|_| count);
        }
        self.ops.push(op);
    }

    /// The number of an array that is carried. It has one, for it is reached from what it is carried as.
    fn number(&mut self, array: ValueId) -> ValueId {
        self.numbers.get(&array).copied().unwrap_or_else(|| self.site(array))
    }

    fn new_value(&mut self) -> ValueId {
        self.values.push(ValueData { ty: NUMBER, name: None });
        ValueId(self.values.len() as u32 - 1)
    }

    fn constant(&mut self, value: i64) -> ValueId {
        self.op(OpKind::Constant(Constant::Int(value)), Vec::new())
    }

    fn scalar(&mut self, op: ScalarOp, operands: [ValueId; 2]) -> ValueId {
        self.op(OpKind::Scalar(op), operands.to_vec())
    }

    fn op(&mut self, kind: OpKind, operands: Vec<ValueId>) -> ValueId {
        let result = self.new_value();
        self.ops.push(Op { kind, operands, results: vec![result], regions: Vec::new(), span: self.span });
        result
    }
}
