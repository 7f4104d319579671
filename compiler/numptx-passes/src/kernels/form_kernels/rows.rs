//! The kernel of rows of a group of computations, and the choice between it and their own kernels.
//!
//! In: the kernels of the members, in order, and their launches. Out: one kernel whose phases are theirs, and a branch that asks the runtime for it. What a
//! member gives for each row is no array in it, unless others read it. A value that a later member would compute again at the same point is held, if that is
//! more than a little work.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::kernel::{Access, Input, Kernel, Node, Operand, Phase, Schedule, StoreTo};
use numptx_ir::scalar::{Body, BodyBuilder, InstrKind, ScalarOp, Val};

use super::row_groups::{are_kept, shown};
use super::{FormKernels, Made};
use crate::analysis::work::work_of;
use crate::loops::schedule::cost::{BLOCK_THREADS, HELD_BYTES, HELD_ELEMENTS, LITTLE_WORK};
use crate::rewrite::emit::{Emitter, yielding};

impl FormKernels<'_> {
    /// Launches a group: its members' kernels, or one of rows where the runtime wants that.
    pub(super) fn rows(&mut self, emitter: &mut Emitter, members: Vec<Made>) {
        let Some(rows) = self.joined(emitter, &members) else {
            members.into_iter().for_each(|made| self.launch(emitter, made));
            return;
        };
        let wanted = is_wanted(emitter, &members, &rows);
        emitter.open_region(Vec::new());
        let span = rows.span;
        self.launch(emitter, rows);
        emitter.push(yielding(Vec::new(), span));
        let then = emitter.close_region();
        emitter.open_region(Vec::new());
        members.into_iter().for_each(|made| self.launch(emitter, made));
        emitter.push(yielding(Vec::new(), span));
        let regions: Vec<Region> = vec![then, emitter.close_region()];
        emitter.push(Op { kind: OpKind::If, operands: vec![wanted], results: Vec::new(), regions, span });
    }

    fn joined(&self, emitter: &mut Emitter, members: &[Made]) -> Option<Made> {
        let (first, last) = (members.first()?, members.last()?);
        let mut join = Join {
            n_kept: first.kernel.rank - first.kernel.n_reduced,
            extents: &first.extents,
            given: Vec::new(),
            n_given: 0,
            arrays: Vec::new(),
            operands: Vec::new(),
            scalars: Vec::new(),
            symbols: Vec::new(),
            builder: BodyBuilder::new(),
            held: Vec::new(),
            n_held: 0,
        };
        let mut body = Vec::with_capacity(members.len());
        for made in members {
            body.push(Node::Phase(join.phase(emitter, made, &|v| self.groups.is_local(v))?));
        }
        let Join { arrays, mut operands, scalars, .. } = join;
        let stored = if last.is_fresh { Vec::new() } else { arrays_written(last) };
        for (array, operand) in arrays.iter().zip(&mut operands) {
            operand.noalias = stored.iter().all(|w| self.is_apart(emitter, *array, *w));
        }
        let vector = (HELD_BYTES / bytes_held(&operands, &body).max(1) as u32).clamp(1, HELD_ELEMENTS);
        let kernel = Kernel {
            name: String::new(),
            rank: first.kernel.rank,
            n_reduced: first.kernel.n_reduced,
            scalars: scalars.iter().map(|v| emitter.ty(*v).dtype()).collect(),
            operands,
            tables: Vec::new(),
            body,
            schedule: Schedule { block: BLOCK_THREADS, vector: 1 << vector.ilog2() },
        };
        let (extents, span) = (first.extents.clone(), last.span);
        Some(Made { kernel, extents, arrays, scalars, is_fresh: last.is_fresh, span })
    }
}

/// Bytes of an element that threads hold: what the first phase loads, and what bodies give to later ones.
fn bytes_held(operands: &[Operand], body: &[Node]) -> usize {
    let phases = || body.iter().filter_map(|node| if let Node::Phase(phase) = node { Some(phase) } else { None });
    let given: Vec<DType> = phases().flat_map(|phase| phase.body.output_dtypes()).collect();
    let mut held: Vec<(Input, usize)> = Vec::new();
    for (n, phase) in phases().enumerate() {
        let bytes = |input: &Input| match input {
            Input::Load(operand) if n == 0 => Some(operands[*operand].dtype.itemsize()),
            Input::Held(value) => Some(given[*value].itemsize()),
            _ => None,
        };
        held.extend(phase.inputs.iter().filter_map(|input| Some((*input, bytes(input)?))));
    }
    let is_first = |n: &usize| held[..*n].iter().all(|(input, _)| *input != held[*n].0);
    (0..held.len()).filter(is_first).map(|n| held[n].1).sum()
}

/// The arrays that a launch writes.
fn arrays_written(made: &Made) -> Vec<ValueId> {
    let written = made.kernel.operands.iter().zip(&made.arrays).filter(|(operand, _)| operand.access != Access::Read);
    written.map(|(_, array)| *array).collect()
}

/// Whether the runtime wants the kernel, all members have the same rows, and neighbours of a row lie next to each other.
fn is_wanted(emitter: &mut Emitter, members: &[Made], rows: &Made) -> ValueId {
    let n_kept = rows.kernel.rank - rows.kernel.n_reduced;
    let one = emitter.i64(1);
    let count = rows.extents[..n_kept].iter().fold(one, |product, extent| emitter.mul(product, *extent));
    let width = rows.extents[n_kept..].iter().fold(one, |product, extent| emitter.mul(product, *extent));
    let held = emitter.i64(i64::from(rows.kernel.schedule.vector));
    let mut wanted = emitter.number(OpKind::OneRead, vec![count, width, held], DType::Bool, None)[0];
    let mut also = |emitter: &mut Emitter, condition| {
        wanted = emitter.scalar(ScalarOp::BitAnd, &[wanted, condition], DType::Bool);
    };
    for made in &members[1..] {
        for (extent, own) in made.extents.iter().zip(&rows.extents) {
            if extent != own {
                let is_same = emitter.scalar(ScalarOp::Eq, &[*extent, *own], DType::Bool);
                also(emitter, is_same);
            }
        }
    }
    let last = rows.kernel.rank - 1;
    for (array, operand) in rows.arrays.iter().zip(&rows.kernel.operands) {
        if operand.fixed[last] || emitter.array(*array).is_none_or(|a| a.rank <= last) {
            continue;
        }
        let stride = emitter.number(OpKind::Stride(last), vec![*array], DType::I64, None)[0];
        let size = emitter.i64(operand.dtype.itemsize() as i64);
        let is_next = emitter.scalar(ScalarOp::Eq, &[stride, size], DType::Bool);
        also(emitter, is_next);
    }
    wanted
}

/// A kernel of rows under construction.
struct Join<'m> {
    n_kept: usize,
    extents: &'m [ValueId],
    /// Arrays that members gave, and their numbers among what phases give at a row.
    given: Vec<(ValueId, usize)>,
    n_given: usize,
    arrays: Vec<ValueId>,
    operands: Vec<Operand>,
    scalars: Vec<ValueId>,
    /// What the inputs of `builder` are, in which all members' bodies are one.
    symbols: Vec<Input>,
    builder: BodyBuilder,
    /// Values that bodies gave, and their numbers.
    held: Vec<(Val, usize)>,
    n_held: usize,
}

impl Join<'_> {
    /// The phase of a member. `is_local`: whether only members read an array.
    fn phase(&mut self, emitter: &Emitter, made: &Made, is_local: &dyn Fn(ValueId) -> bool) -> Option<Phase> {
        let [Node::Phase(own)] = made.kernel.body.as_slice() else { return None };
        let mut vals = Vec::with_capacity(own.inputs.len());
        for (n, input) in own.inputs.iter().enumerate() {
            let symbol = self.symbol(emitter, made, input)?;
            let position = position_of(&mut self.symbols, symbol);
            let instr = own.body.instrs.iter().find(|i| i.kind == InstrKind::Input(n as u32));
            let dtype = instr.map_or(DType::Bool, |instr| instr.dtype);
            vals.push(self.builder.input(position as u32, dtype));
        }
        let outputs = self.builder.inline(&own.body, &vals, None);
        let (body, inputs) = self.cut(&outputs);
        let mut stores = Vec::new();
        let is_row = !own.reducers.is_empty();
        for store in &own.stores {
            let array = made.arrays[store.operand];
            if is_row {
                self.given.push((array, self.n_given + store.output));
            }
            if !is_row || !is_local(array) {
                let operand = self.operand(emitter, array, &made.kernel.operands[store.operand], Access::Write);
                stores.push(StoreTo { operand, output: store.output });
            }
        }
        self.n_given += own.epilogue.as_ref().map_or(own.reducers.len(), |body| body.outputs.len());
        if is_row {
            for val in &outputs {
                self.held.push((*val, self.n_held));
                self.n_held += 1;
            }
        }
        Some(Phase { inputs, body, stores, ..own.clone() })
    }

    /// What an input of a member is.
    fn symbol(&mut self, emitter: &Emitter, made: &Made, input: &Input) -> Option<Input> {
        match input {
            Input::Load(n) => {
                let (array, operand) = (made.arrays[*n], &made.kernel.operands[*n]);
                if let Some(row) = self.row(emitter, array) {
                    return Some(Input::Row(row));
                }
                let array = self.plain(emitter, array);
                Some(Input::Load(self.operand(emitter, array, operand, Access::Read)))
            }
            Input::Scalar(n) => Some(Input::Scalar(position_of(&mut self.scalars, made.scalars[*n]))),
            Input::Row(_) | Input::Held(_) => None,
        }
    }

    /// Which of what phases give at a row an array is.
    fn row(&self, emitter: &Emitter, array: ValueId) -> Option<usize> {
        let rank = |v: ValueId| emitter.array(v).map_or(0, |array| array.rank);
        let definition = |v: ValueId| {
            let definition = emitter.definition(v)?;
            let base = *definition.operands.first()?;
            Some((definition.kind.clone(), base, rank(base)))
        };
        let (root, axes) = shown(array, rank(array), &definition);
        let given = self.given.iter().find(|(given, _)| *given == root)?;
        are_kept(&axes, self.n_kept).then_some(given.1)
    }

    /// The array that is repeated along no axis where all extents are those of the first member.
    fn plain(&self, emitter: &Emitter, array: ValueId) -> ValueId {
        let Some(definition) = emitter.definition(array).filter(|d| d.kind == OpKind::Broadcast) else { return array };
        let base = definition.operands[0];
        let is_extent = |(axis, extent): (usize, &ValueId)| {
            let definition = emitter.definition(*extent);
            definition.is_some_and(|d| d.kind == OpKind::Dim(axis) && d.operands == [base])
        };
        match self.extents.iter().enumerate().all(is_extent) && self.extents.len() == definition.operands.len() - 1 {
            true => base,
            false => array,
        }
    }

    fn operand(&mut self, emitter: &Emitter, array: ValueId, of: &Operand, access: Access) -> usize {
        let n = position_of(&mut self.arrays, array);
        match self.operands.get_mut(n) {
            None => {
                let is_written = access == Access::Write;
                let fixed = of.fixed.iter().enumerate();
                let fixed = fixed.map(|(axis, own)| if is_written { *own } else { emitter.is_fixed(array, axis) });
                self.operands.push(Operand { dtype: of.dtype, access, fixed: fixed.collect(), noalias: false });
            }
            Some(operand) if operand.access != access => {
                operand.access = Access::ReadWrite;
                operand.fixed.iter_mut().zip(&of.fixed).for_each(|(fixed, own)| *fixed &= *own);
            }
            Some(_) => {}
        }
        n
    }

    /// A body of some values, and what its inputs are: values of earlier phases that are much work are inputs, too.
    fn cut(&self, outputs: &[Val]) -> (Body, Vec<Input>) {
        let mut cut = Cut { join: self, inputs: Vec::new(), known: Vec::new(), builder: BodyBuilder::new() };
        let outputs = outputs.iter().map(|val| cut.value(*val)).collect();
        (cut.builder.finish(outputs), cut.inputs)
    }

    /// The number of a value that an earlier body gave, if that is worth being held.
    fn held(&self, val: Val) -> Option<usize> {
        let (_, n) = self.held.iter().find(|(held, _)| *held == val)?;
        let mut body = self.builder.clone().finish(vec![val]);
        body = only(&body);
        (work_of(&body) > LITTLE_WORK).then_some(*n)
    }
}

/// A body without what its outputs do not need.
fn only(body: &Body) -> Body {
    let mut needed = vec![false; body.instrs.len()];
    body.outputs.iter().for_each(|val| needed[val.0 as usize] = true);
    for n in (0..body.instrs.len()).rev() {
        if needed[n] {
            body.instrs[n].kind.operands().iter().for_each(|val| needed[val.0 as usize] = true);
        }
    }
    let instrs = body.instrs.iter().zip(needed).filter(|(_, needed)| *needed).map(|(instr, _)| instr.clone());
    Body { instrs: instrs.collect(), outputs: Vec::new() }
}

/// Builds a phase's body from the common one.
struct Cut<'j, 'm> {
    join: &'j Join<'m>,
    inputs: Vec<Input>,
    known: Vec<(Val, Val)>,
    builder: BodyBuilder,
}

impl Cut<'_, '_> {
    fn value(&mut self, val: Val) -> Val {
        if let Some((_, known)) = self.known.iter().find(|(common, _)| *common == val) {
            return *known;
        }
        let dtype = self.join.builder.dtype(val);
        let own = match self.join.held(val) {
            Some(n) => self.input(Input::Held(n), dtype),
            None => match self.join.builder.kind(val).clone() {
                InstrKind::Input(n) => self.input(self.join.symbols[n as usize], dtype),
                InstrKind::Op(op, operands) => {
                    let operands = operands.iter().map(|val| self.value(*val)).collect();
                    self.builder.push(InstrKind::Op(op, operands), dtype)
                }
                kind => self.builder.push(kind, dtype),
            },
        };
        self.known.push((val, own));
        own
    }

    fn input(&mut self, symbol: Input, dtype: DType) -> Val {
        let n = position_of(&mut self.inputs, symbol);
        self.builder.input(n as u32, dtype)
    }
}

/// Where a value stands in a list, at whose end it is put if it is not there.
fn position_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}
