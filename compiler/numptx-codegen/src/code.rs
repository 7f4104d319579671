//! Structured programs in LLVM: what a kernel with code does at one point.
//!
//! Carried values and results lie in stack slots, which LLVM turns into registers. Nothing says of a loop that it ends: a user's `while` is the
//! user's. Loops are counted, so that no index overflows whatever the bounds.

mod ahead;
mod forms;
mod lanes;
mod strip;
mod substitution;
mod sums;
mod team;
mod turns;
mod updates;
mod watch;

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, MetadataValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Code, Step, StepKind, Val};

use self::ahead::{AHEAD, Ahead};
use self::turns::Notes;
use self::watch::{Asks, Watch};
use crate::accumulator::Order;
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

pub(crate) use strip::{LANES, Strip};
pub(crate) use substitution::{Ready, Substitution};
pub(crate) use sums::{Warps, anew};
pub(crate) use team::Team;
pub(crate) use turns::{Turns, Warp};
pub(crate) use updates::{Updates, takes_turns};

/// The program of a kernel that has one, which the emitters may index without looking.
pub(crate) fn only_code(kernel: &Kernel) -> Emit<Option<&Code>> {
    let Some(code) = kernel.code() else { return Ok(None) };
    match numptx_ir::kernel::verify::verify(kernel) {
        Ok(()) => Ok(Some(code)),
        Err(errors) => {
            let what = errors.first().map_or(String::new(), |error| error.to_string());
            Err(bug(format!("kernel `{}` is not verified: {what}", kernel.name)))
        }
    }
}

impl<'ctx> Emitter<'ctx, '_> {
    /// Emits a program at a point, whose index along each axis is `i64`. `elements` has the kernel's tables, and its scalars, which are the inputs.
    pub fn code(&self, code: &Code, elements: &Elements<'_, 'ctx>, indices: &[IntValue<'ctx>]) -> Emit<()> {
        self.point(Point::alone(self, code, elements, indices))
    }

    /// Emits a program at a point that the lanes of a warp run.
    pub fn shared_code(
        &self,
        code: &Code,
        elements: &Elements<'_, 'ctx>,
        indices: &[IntValue<'ctx>],
        turns: Turns<'_, 'ctx>,
    ) -> Emit<()> {
        self.point(Point { turns: Some(turns), ..Point::alone(self, code, elements, indices) })
    }

    /// Emits a program that a launch on the host runs once, in a function that has the frame: its long loops ask the caller whether to go on.
    pub fn only_point(&self, code: &Code, elements: &Elements<'_, 'ctx>, frame: PointerValue<'ctx>) -> Emit<()> {
        let watch = Some(Watch::new(self, frame)?);
        self.point(Point { watch, ..Point::alone(self, code, elements, &[]) })
    }

    fn point(&self, mut point: Point<'_, 'ctx, '_>) -> Emit<()> {
        let (code, elements) = (point.code, point.elements);
        let Some(fault) = code.fault() else { return point.block(&code.block).map(drop) };
        let (start, end) = (self.block("start")?, self.block("end")?);
        let mut found = elements.load(self, fault, &[])?.int()?;
        if let Some(turns) = point.turns {
            found = turns.warp.of_first(self, found)?;
        }
        self.builder.build_conditional_branch(self.icmp_with(IntPredicate::EQ, found, 0)?, start, end)?;
        self.builder.position_at_end(start);
        point.end = Some(end);
        point.block(&code.block)?;
        self.enter(end)
    }
}

struct Point<'p, 'ctx, 'a> {
    e: &'p Emitter<'ctx, 'a>,
    code: &'p Code,
    elements: &'p Elements<'p, 'ctx>,
    indices: &'p [IntValue<'ctx>],
    values: Vec<Option<Scalar<'ctx>>>,
    /// Integers that are known.
    constants: Vec<Option<i64>>,
    /// Of a team program: the threads that run it; `None`: this one alone.
    team: Option<&'p dyn Team<'ctx>>,
    /// How sums may be ordered.
    order: Order,
    /// Where a point goes that a check ends.
    end: Option<BasicBlock<'ctx>>,
    /// Whom its long loops ask.
    watch: Option<Watch<'ctx>>,
    /// Whether the steps that are emitted are in a loop.
    is_nested: bool,
    /// The lanes that run it, and what they share; `None`: one thread does.
    turns: Option<Turns<'p, 'ctx>>,
    /// Where what iterations update is noted: they are begun.
    notes: Option<Notes<'p, 'ctx>>,
}

/// Where a value lies while control flow decides what it is; of a complex number each part.
struct Slot<'ctx> {
    dtype: DType,
    parts: Vec<PointerValue<'ctx>>,
}

impl<'ctx> Slot<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, dtype: DType) -> Emit<Self> {
        let n = if dtype.is_complex() { 2 } else { 1 };
        let parts = (0..n).map(|_| e.slot(Slot::part(e, dtype), "carried")).collect::<Emit<Vec<_>>>()?;
        Ok(Slot { dtype, parts })
    }

    fn part(e: &Emitter<'ctx, '_>, dtype: DType) -> BasicTypeEnum<'ctx> {
        match dtype.kind() {
            Kind::Bool | Kind::Signed | Kind::Unsigned => e.int_type(dtype).into(),
            Kind::Float | Kind::Complex => e.float_type(dtype).into(),
        }
    }

    fn write(&self, e: &Emitter<'ctx, '_>, value: Scalar<'ctx>) -> Emit<()> {
        let parts: Vec<BasicValueEnum<'ctx>> = match value {
            Scalar::Int(value) => vec![value.into()],
            Scalar::Float(value) => vec![value.into()],
            Scalar::Complex(re, im) => vec![re.into(), im.into()],
        };
        self.parts.iter().zip(parts).try_for_each(|(slot, part)| e.write(*slot, part))
    }

    fn read(&self, e: &Emitter<'ctx, '_>) -> Emit<Scalar<'ctx>> {
        let load = |slot: &PointerValue<'ctx>| e.builder.build_load(Slot::part(e, self.dtype), *slot, "");
        match self.parts.as_slice() {
            [re, im] => Ok(Scalar::Complex(load(re)?.into_float_value(), load(im)?.into_float_value())),
            [slot] => match load(slot)? {
                BasicValueEnum::IntValue(value) => Ok(Scalar::Int(value)),
                BasicValueEnum::FloatValue(value) => Ok(Scalar::Float(value)),
                _ => Err(bug("a slot holds neither an integer nor a float")),
            },
            _ => Err(bug("a slot has one or two parts")),
        }
    }
}

impl<'p, 'ctx, 'a> Point<'p, 'ctx, 'a> {
    /// A point that one thread runs, before its first step.
    fn alone(
        e: &'p Emitter<'ctx, 'a>,
        code: &'p Code,
        elements: &'p Elements<'p, 'ctx>,
        indices: &'p [IntValue<'ctx>],
    ) -> Self {
        let (values, constants) = (vec![None; code.dtypes.len()], vec![None; code.dtypes.len()]);
        Point {
            e,
            code,
            elements,
            indices,
            values,
            constants,
            team: None,
            order: Order::Free,
            end: None,
            watch: None,
            is_nested: false,
            turns: None,
            notes: None,
        }
    }
}

impl<'ctx> Point<'_, 'ctx, '_> {
    fn value(&self, val: Val) -> Emit<Scalar<'ctx>> {
        let value = self.values.get(val.0 as usize).copied().flatten();
        value.ok_or_else(|| bug(format!("code uses ${}, which is not there", val.0)))
    }

    fn all(&self, vals: &[Val]) -> Emit<Vec<Scalar<'ctx>>> {
        vals.iter().map(|v| self.value(*v)).collect()
    }

    fn bind(&mut self, vals: &[Val], values: Vec<Scalar<'ctx>>) {
        for (val, value) in vals.iter().zip(values) {
            self.values[val.0 as usize] = Some(value);
        }
    }

    /// Emits a block whose parameters are bound; gives what it yields.
    fn block(&mut self, block: &Block) -> Emit<Vec<Scalar<'ctx>>> {
        for step in &block.steps {
            let results = self.step(step)?;
            self.bind(&step.results, results);
        }
        self.all(&block.yields)
    }

    fn step(&mut self, step: &Step) -> Emit<Vec<Scalar<'ctx>>> {
        let e = self.e;
        if self.noted(step)? {
            return Ok(Vec::new());
        }
        let missing = |what: &str, n: u32| bug(format!("code reads {what} {n}, which is not there"));
        Ok(match step.kind {
            StepKind::Constant(constant) => {
                let [result] = step.results[..] else { return Err(bug("a constant has one result")) };
                self.constants[result.0 as usize] = constant.as_int();
                vec![e.constant(constant, self.code.dtype(result))?]
            }
            StepKind::Op(op) => {
                let operand = |v: &Val| Ok((self.value(*v)?, self.code.dtype(*v)));
                let operands = step.operands.iter().map(operand).collect::<Emit<Vec<_>>>()?;
                let result = step.results.first().map_or(DType::Bool, |v| self.code.dtype(*v));
                vec![e.scalar_op(op, &operands, result)?]
            }
            StepKind::Index(n) => {
                vec![Scalar::Int(*self.indices.get(n as usize).ok_or_else(|| missing("the index of axis", n))?)]
            }
            StepKind::Input(n) => {
                vec![*self.elements.scalars.get(n as usize).ok_or_else(|| missing("scalar", n))?]
            }
            StepKind::Load(table) => vec![self.elements.load(e, table as usize, &self.all(&step.operands)?)?],
            StepKind::Store(table) => {
                let operands = self.all(&step.operands)?;
                let (value, at) = operands.split_first().ok_or_else(|| bug("a store of nothing"))?;
                let mut store = || self.elements.store(e, table as usize, at, *value);
                match self.team {
                    Some(team) => team.store(e, &mut store)?,
                    None => store()?,
                }
                Vec::new()
            }
            StepKind::Check(table) => {
                self.check(step, table as usize)?;
                Vec::new()
            }
            StepKind::If => self.branches(step)?,
            StepKind::For => self.counted(step)?,
            StepKind::While => self.repeated(step)?,
            StepKind::Parallel => {
                self.parallel(step)?;
                Vec::new()
            }
            StepKind::Reduce(reducer) => vec![self.reduction(step, reducer)?],
            StepKind::Substitute(reducer, table) => {
                self.substitution(step, reducer, table as usize)?;
                Vec::new()
            }
            StepKind::Barrier => {
                self.barrier()?;
                Vec::new()
            }
        })
    }

    fn check(&self, step: &Step, fault: usize) -> Emit<()> {
        let ([condition, number], Some(end)) = (&step.operands[..], self.end) else {
            return Err(bug("a check has a condition, a number and an end"));
        };
        let (e, holds) = (self.e, self.value(*condition)?.int()?);
        let (fails, goes_on) = (e.block("fails")?, e.block("holds")?);
        e.builder.build_conditional_branch(holds, goes_on, fails)?;
        e.builder.position_at_end(fails);
        match self.failed() {
            Some(failed) => e.write(failed, self.value(*number)?.int()?)?,
            None => self.elements.store(e, fault, &[], self.value(*number)?)?,
        }
        e.builder.build_unconditional_branch(end)?;
        e.builder.position_at_end(goes_on);
        Ok(())
    }

    /// One slot a value.
    fn slots(&self, vals: &[Val]) -> Emit<Vec<Slot<'ctx>>> {
        vals.iter().map(|v| Slot::new(self.e, self.code.dtype(*v))).collect()
    }

    fn write(&self, slots: &[Slot<'ctx>], values: &[Scalar<'ctx>]) -> Emit<()> {
        slots.iter().zip(values).try_for_each(|(slot, value)| slot.write(self.e, *value))
    }

    fn read(&self, slots: &[Slot<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        slots.iter().map(|slot| slot.read(self.e)).collect()
    }

    fn branches(&mut self, step: &Step) -> Emit<Vec<Scalar<'ctx>>> {
        let ([condition], [then, otherwise]) = (&step.operands[..], &step.blocks[..]) else {
            return Err(bug("an `if` has a condition and two blocks"));
        };
        let (e, condition) = (self.e, self.value(*condition)?.int()?);
        let slots = self.slots(&step.results)?;
        let (yes, no, join) = (e.block("then")?, e.block("else")?, e.block("join")?);
        e.builder.build_conditional_branch(condition, yes, no)?;
        for (start, block) in [(yes, then), (no, otherwise)] {
            e.builder.position_at_end(start);
            let yields = self.block(block)?;
            self.write(&slots, &yields)?;
            e.builder.build_unconditional_branch(join)?;
        }
        e.builder.position_at_end(join);
        self.read(&slots)
    }

    fn counted(&mut self, step: &Step) -> Emit<Vec<Scalar<'ctx>>> {
        let ([lower, upper, by, initial @ ..], [body]) = (&step.operands[..], &step.blocks[..]) else {
            return Err(bug("a `for` has three bounds and one block"));
        };
        if let Some(turns) = self.turns
            && let Some(updates) = turns.updates.of_loop(body)
        {
            self.in_turns(turns, step, updates)?;
            return Ok(Vec::new());
        }
        let e = self.e;
        let known = self.constants[by.0 as usize];
        let bound = |v: &Val| self.value(*v)?.int();
        let (lower, upper, by) = (bound(lower)?, bound(upper)?, bound(by)?);
        let slots = self.slots(initial)?;
        self.write(&slots, &self.all(initial)?)?;
        let count = trip_count(e, (lower, upper), (by, known))?;
        let starts_anew = self.team.is_some() && sums::has_sums(body) && self.code.sums_in_points();
        let index = |k: IntValue<'ctx>| {
            let index = e.add(lower, e.mul(k, by)?)?;
            if starts_anew { anew(e, index) } else { Ok(index) }
        };
        let asks = self.asks(body);
        self.in_pieces(asks, count, |point, (mut first, end)| {
            let mut copies = None;
            if let Some(ahead) = Ahead::of(point.code, body, e.side) {
                let whole = e.and(end, e.i64(-AHEAD))?;
                copies = Some(e.short()?);
                point.iterations((first, whole), AHEAD, copies, |point, k| {
                    let indices = (0..AHEAD).map(|n| index(e.add(k, e.i64(n))?)).collect::<Emit<Vec<_>>>()?;
                    point.several(&ahead, body, &indices, &slots)
                })?;
                first = whole;
            }
            point.iterations((first, end), 1, copies, |point, k| {
                point.ask_in(asks)?;
                let carried = point.read(&slots)?;
                point.bind(&body.parameters, [vec![Scalar::Int(index(k)?)], carried].concat());
                let yields = point.inside(body)?;
                point.write(&slots, &yields)
            })
        })?;
        self.read(&slots)
    }

    /// `for k in (first..end).step_by(by)` over unsigned numbers of 64 bits. `loop_id`: what LLVM is told of it.
    fn iterations(
        &mut self,
        (first, end): (IntValue<'ctx>, IntValue<'ctx>),
        by: i64,
        loop_id: Option<MetadataValue<'ctx>>,
        body: impl FnOnce(&mut Self, IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let e = self.e;
        let before = e.here()?;
        let (head, inside, after) = (e.block("for")?, e.block("body")?, e.block("endfor")?);
        e.enter(head)?;
        let phi = e.builder.build_phi(end.get_type(), "k")?;
        let k = phi.as_basic_value().into_int_value();
        let goes_on = e.icmp(IntPredicate::ULT, k, end)?;
        e.builder.build_conditional_branch(goes_on, inside, after)?;
        e.builder.position_at_end(inside);
        body(self, k)?;
        let next = e.builder.build_int_nuw_add(k, e.i64(by), "")?;
        phi.add_incoming(&[(&first, before), (&next, e.here()?)]);
        let latch = e.builder.build_unconditional_branch(head)?;
        if let Some(loop_id) = loop_id {
            let kind = e.context.get_kind_id("llvm.loop");
            latch.set_metadata(loop_id, kind).map_err(|e| bug(e.to_string()))?;
        }
        e.builder.position_at_end(after);
        Ok(())
    }

    fn repeated(&mut self, step: &Step) -> Emit<Vec<Scalar<'ctx>>> {
        let [condition, body] = &step.blocks[..] else { return Err(bug("a `while` has two blocks")) };
        let e = self.e;
        let slots = self.slots(&step.operands)?;
        self.write(&slots, &self.all(&step.operands)?)?;
        let (head, inside, after) = (e.block("while")?, e.block("body")?, e.block("endwhile")?);
        e.enter(head)?;
        let carried = self.read(&slots)?;
        self.bind(&condition.parameters, carried);
        let goes_on = *self.block(condition)?.first().ok_or_else(|| bug("a `while` yields no condition"))?;
        e.builder.build_conditional_branch(goes_on.int()?, inside, after)?;
        e.builder.position_at_end(inside);
        self.ask_in(match self.asks(body) {
            Asks::Pieces | Asks::Counts => Asks::Iterations(1),
            asks => asks,
        })?;
        let carried = self.read(&slots)?;
        self.bind(&body.parameters, carried);
        let yields = self.inside(body)?;
        self.write(&slots, &yields)?;
        e.builder.build_unconditional_branch(head)?;
        e.builder.position_at_end(after);
        self.read(&slots)
    }
}

/// Number of iterations of `range(lower, upper, step)`, in 64 unsigned bits. `known`: the step, if it is a constant.
fn trip_count<'ctx>(
    e: &Emitter<'ctx, '_>,
    (lower, upper): (IntValue<'ctx>, IntValue<'ctx>),
    (step, known): (IntValue<'ctx>, Option<i64>),
) -> Emit<IntValue<'ctx>> {
    let (zero, one) = (e.i64(0), e.i64(1));
    let towards = |up: bool| -> Emit<IntValue<'ctx>> {
        let (from, to, step) = if up { (lower, upper, step) } else { (upper, lower, e.sub(zero, step)?) };
        let some = e.icmp(IntPredicate::SLT, from, to)?;
        let distance = e.sub(to, from)?;
        let count = match known {
            Some(1 | -1) => distance,
            _ => e.add(e.udiv(e.sub(distance, one)?, step)?, one)?,
        };
        e.select(some, count, zero)
    };
    match known.map(i64::signum) {
        Some(1) => towards(true),
        Some(-1) => towards(false),
        _ => {
            let up = e.icmp(IntPredicate::SGT, step, zero)?;
            // A step of 0 is ruled out before; 1 stands in for it, because a division by 0 would be undefined.
            let is_zero = e.icmp(IntPredicate::EQ, step, zero)?;
            let size = e.select(up, step, e.sub(zero, step)?)?;
            let size = e.select(is_zero, one, size)?;
            let (from, to) = (e.select(up, lower, upper)?, e.select(up, upper, lower)?);
            let some = e.icmp(IntPredicate::SLT, from, to)?;
            let full = e.udiv(e.sub(e.sub(to, from)?, one)?, size)?;
            e.select(some, e.add(full, one)?, zero)
        }
    }
}

/// What a table's strides are taken to be: its own, or a constant along the last axis.
pub(crate) fn with_unit_strides<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    scalars: &[Scalar<'ctx>],
) -> Vec<Scalar<'ctx>> {
    let mut scalars = scalars.to_vec();
    for (stride, itemsize) in last_strides(kernel) {
        scalars[stride] = Scalar::Int(e.i64(itemsize));
    }
    scalars
}

/// Whether neighbours along every table's last axis lie side by side; `None` if there is no such axis.
pub(crate) fn has_unit_strides<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    scalars: &[Scalar<'ctx>],
) -> Emit<Option<IntValue<'ctx>>> {
    let mut all: Option<IntValue<'ctx>> = None;
    for (stride, itemsize) in last_strides(kernel) {
        let is_unit = e.icmp_with(IntPredicate::EQ, scalars[stride].int()?, itemsize)?;
        all = Some(match all {
            Some(all) => e.and(all, is_unit)?,
            None => is_unit,
        });
    }
    Ok(all)
}

/// The scalar that holds each table's last stride, and the bytes of its element.
fn last_strides(kernel: &Kernel) -> impl Iterator<Item = (usize, i64)> {
    kernel.tables.iter().filter_map(|table| {
        let itemsize = kernel.operands[table.operand].dtype.itemsize() as i64;
        Some((*table.strides.last()?, itemsize))
    })
}

/// Whether a program has loops, or points of it may end early: of others LLVM makes vectors, as of those of maps.
pub(crate) fn is_branching(code: &Code) -> bool {
    has_loops_in(&code.block) || code.fault().is_some()
}

fn has_loops_in(block: &Block) -> bool {
    let mut found = false;
    let is_loop = |step: &Step| matches!(step.kind, StepKind::For | StepKind::While) || step.kind.is_shared();
    block.for_each_step(&mut |step| found |= is_loop(step));
    found
}
