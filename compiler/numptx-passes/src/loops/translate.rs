//! A loop as a program, and as a question to the dependence analysis.
//!
//! In: a `for` of the placed phase. Out: [`Translation`], or why there is none. Loops that are made axes of a nest become indices of the point.
//! Checks that can be made before the loop are left out: what they need is handed over as [`Requirement`]s. Others set a fault: see `faults`.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, ValueId};
use numptx_ir::scalar::{Code, CodeBuilder, Constant, Val};
use numptx_source::Span;

use super::assumed::{Assumed, Known};
use super::broadcasts::Extents;
use super::clamped::Bound;
use super::conditions::Condition;
use super::elements::{Index, View};
use super::expand::Reductions;
use super::faults::{Checks, Raised};
use super::forward::{forward, used_inputs};
use super::front_steps::Team;
use super::guards::Requirement;
use super::scope::{Binding, Captured, Scalar, Sums};
use super::team::{Crossing, Shares};
use super::temporaries::Temporaries;
use super::updates::Updates;
use crate::apart::Apart;
use crate::dependence::{
    Access, AccessId, AccessKind, Affine, ArrayId, LoopId, Nest, ReductionGroup, Subscript, Variable,
};
use crate::points_to::PointsTo;

/// Why a loop cannot be a program: in words, lower case, no full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

/// A refusal, and what is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub why: Refusal,
    /// The place; `None`: the loop itself.
    pub at: Option<Span>,
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        Refused { why, at: None }
    }
}

/// A loop that becomes an axis of the nest.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The loop's index.
    pub index: ValueId,
    /// The axis. Several loops, none of them in another, may be on one.
    pub number: u32,
    /// Where indices begin for all points, if that is not the loop's own lower bound: then the point looks whether it is in the loop's range.
    pub origin: Option<ValueId>,
}

/// A loop as a program.
#[derive(Debug)]
pub struct Translation {
    /// The program.
    pub code: Code,
    /// Its tables, written ones first.
    pub tables: Vec<ValueId>,
    /// Its inputs.
    pub scalars: Vec<ValueId>,
    /// Loops and accesses.
    pub nest: Nest,
    /// The loop of an index.
    pub loops: HashMap<ValueId, LoopId>,
    /// The steps of rising loops, where they are no numbers.
    pub strides: HashMap<LoopId, Affine>,
    /// What every symbol of the nest that is the same everywhere stands for.
    pub symbols: HashMap<Variable, ValueId>,
    /// What has to hold for no check to fail but those that points make.
    pub requirements: Vec<Requirement>,
    /// The expression or statement of each access.
    pub places: HashMap<AccessId, Span>,
    /// Of each load of an element, which op makes it, counted from 1 in the order of the text, and through which view.
    pub reads: HashMap<AccessId, (u32, ValueId)>,
    /// The conditions of the checks that points make.
    pub at_points: HashSet<ValueId>,
    /// What each number means that a point may write to the fault, from 1 on, if that was asked for.
    pub raised: Vec<Raised>,
    /// The arrays of symbols that stand for their elements.
    pub elements: HashMap<Variable, ValueId>,
    /// What these are called in the program, as far as they have names.
    pub element_names: HashMap<Variable, String>,
}

/// What is known of a function before its loops are taken apart.
pub struct Surroundings<'f> {
    /// The function, perhaps without its body.
    pub function: &'f Function,
    /// Which memory arrays may refer to.
    pub points_to: &'f PointsTo,
    /// Which arrays share no memory in spite of that.
    pub apart: &'f Apart,
    /// Where extents come from.
    pub extents: &'f Extents,
    /// Arrays of which each iteration has its own, as far as values go.
    pub temporaries: &'f Temporaries,
    /// Its constants.
    pub constants: &'f HashMap<ValueId, Constant>,
    /// Which of the stores update.
    pub updates: &'f Updates,
    /// Which loops combine what may be combined in any order.
    pub reductions: &'f Reductions,
    /// How checks are made.
    pub checks: Checks<'f>,
    /// Broadcasts of arrays that have those extents already, but for axes of extent 1.
    pub broadcasts: &'f HashSet<ValueId>,
    /// What may be required for the sake of the order of iterations.
    pub assumed: Option<&'f Assumed>,
    /// What scalars are sums of; looked at where something is assumed.
    pub sums: &'f Sums,
}

/// What is to be translated.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    /// Ops, loops among them.
    pub ops: &'p [Op],
    /// The loops that points stand for.
    pub axes: &'p [Axis],
    /// Scalars that the ops define, and arrays of rank 0 that they go to.
    pub results: &'p [(ValueId, ValueId)],
    /// A loop that all threads share, as fronts.
    pub team: Option<&'p Team>,
    /// Of a team program: the loops that its threads share, each for itself.
    pub shares: Option<&'p Shares>,
    /// Whether each access has a step of its own, though several may load one element.
    pub is_as_written: bool,
}

impl<'p> Program<'p> {
    /// Ops as they stand.
    pub fn of(ops: &'p [Op]) -> Self {
        Program { ops, axes: &[], results: &[], team: None, shares: None, is_as_written: false }
    }
}

/// Translates ops.
///
/// # Errors
/// Why the ops are no program.
pub fn translate<'p>(around: &'p Surroundings, program: &Program<'p>) -> Result<Translation, Refused> {
    let Program { ops, axes, results, team, shares, is_as_written } = *program;
    let mut more: Vec<ValueId> = results.iter().map(|(_, array)| *array).collect();
    more.extend(axes.iter().filter_map(|axis| axis.origin));
    more.extend(shares.into_iter().flat_map(Shares::scalars));
    more.push(around.checks.fault);
    more.extend(around.checks.payload);
    more.extend(around.assumed.into_iter().flat_map(Assumed::scalars));
    if let Some(team) = team {
        more.extend(team.times.iter().chain(team.values.values()));
    }
    let mut captured = Captured::of(around.function, around.constants, ops, &more);
    if around.assumed.is_some() {
        let parts = super::assumed::parts_of(&captured.scalars, around.sums);
        if !parts.is_empty() {
            more.extend(parts);
            captured = Captured::of(around.function, around.constants, ops, &more);
        }
    }
    let mut translator = Translator::new(around, axes, captured);
    (translator.team, translator.shares) = (team, shares);
    if let Err(why) = translator.block(ops) {
        return Err(Refused { why, at: Some(translator.span) });
    }
    for (result, array) in results {
        let val = translator.handed(*result)?;
        let Binding::View(view) = translator.binding(*array)? else {
            return Err(Refusal("a result without an array").into());
        };
        translator.store(&view, &[], val);
    }
    let unwritten = std::mem::take(&mut translator.unwritten);
    let arrays = translator.captured.arrays.clone();
    let translation = translator.finish(is_as_written);
    let is_written = |table: &u32| {
        let position = translation.tables.iter().position(|array| *array == arrays[*table as usize]);
        position.is_some_and(|n| translation.code.stores(n))
    };
    if unwritten.iter().any(is_written) {
        return Err(Refusal("an element is handed on and written").into());
    }
    Ok(translation)
}

pub(super) struct Translator<'f> {
    pub(super) function: &'f Function,
    pub(super) points_to: &'f PointsTo,
    pub(super) apart: &'f Apart,
    pub(super) temporaries: &'f Temporaries,
    pub(super) axes: &'f [Axis],
    pub(super) team: Option<&'f Team>,
    pub(super) code: CodeBuilder,
    pub(super) scope: HashMap<ValueId, Binding>,
    pub(super) captured: Captured,
    pub(super) nest: Nest,
    pub(super) loops: HashMap<ValueId, LoopId>,
    pub(super) strides: HashMap<LoopId, Affine>,
    pub(super) symbols: HashMap<Variable, ValueId>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) updates: &'f Updates,
    pub(super) reductions: &'f Reductions,
    /// The accumulation that accesses are of.
    pub(super) group: Option<ReductionGroup>,
    pub(super) checks: Checks<'f>,
    pub(super) at_points: HashSet<ValueId>,
    pub(super) raised: Vec<Raised>,
    /// The innermost loop that is open.
    pub(super) within: Option<LoopId>,
    /// What conditions around say is at least 0.
    pub(super) guards: Vec<Affine>,
    /// What is at least 0 of integers that are not affine.
    pub(super) facts: HashMap<Variable, Vec<Affine>>,
    /// The integers whose least an integer is, by its function.
    pub(super) minima: HashMap<Affine, Vec<Affine>>,
    /// The integers of which an integer is the greater one, by its function.
    pub(super) maxima: HashMap<Affine, [Affine; 2]>,
    /// What integers that are chosen among others are, and what is at least 0 then.
    pub(super) cases: HashMap<Variable, Vec<(Affine, Vec<Affine>)>>,
    /// Integers of which one side alone is known.
    pub(super) bounds: HashMap<ValueId, Bound>,
    /// How far from 0 indices and integers that are made of others may be. Others are what is captured: see `guards`.
    pub(super) reaches: HashMap<Variable, u128>,
    /// Variables that may be of any size.
    pub(super) unbounded: HashSet<Variable>,
    /// Those of them that count: see `counters`.
    pub(super) counters: HashSet<Variable>,
    /// Tables whose elements are handed on as values.
    pub(super) unwritten: Vec<u32>,
    pub(super) position: u32,
    /// The op that is being translated.
    span: Span,
    places: HashMap<AccessId, Span>,
    reads: HashMap<AccessId, (u32, ValueId)>,
    /// The view that an op reads.
    reading: Option<ValueId>,
    /// Of a team program: the loops that its threads share.
    pub(super) shares: Option<&'f Shares>,
    /// Whether what comes next is done at one index of a step of a team program.
    pub(super) is_alone: bool,
    /// Whether that is an index of a `reduce`, in which there is no other.
    pub(super) is_summing: bool,
    /// The index for loops that are the axis of a step around the loop around them.
    pub(super) crossing: Option<(&'f Crossing, Val)>,
    pub(super) broadcasts: &'f HashSet<ValueId>,
    pub(super) assumed: Option<&'f Assumed>,
    /// Symbols for elements, by their tables and indices.
    pub(super) elements: HashMap<(u32, Vec<Affine>), Variable>,
    pub(super) element_names: HashMap<Variable, String>,
    /// What is known of values that are no scalars of the function.
    pub(super) known: HashMap<Val, Known>,
}

impl<'f> Translator<'f> {
    fn new(around: &Surroundings<'f>, axes: &'f [Axis], captured: Captured) -> Self {
        let mut translator = Translator {
            function: around.function,
            points_to: around.points_to,
            apart: around.apart,
            temporaries: around.temporaries,
            axes,
            team: None,
            code: CodeBuilder::new(),
            scope: HashMap::new(),
            captured: Captured::default(),
            nest: Nest::new(),
            loops: HashMap::new(),
            strides: HashMap::new(),
            symbols: HashMap::new(),
            requirements: Vec::new(),
            updates: around.updates,
            reductions: around.reductions,
            group: None,
            checks: around.checks,
            at_points: HashSet::new(),
            raised: Vec::new(),
            within: None,
            guards: Vec::new(),
            facts: HashMap::new(),
            minima: HashMap::new(),
            maxima: HashMap::new(),
            cases: HashMap::new(),
            bounds: HashMap::new(),
            reaches: HashMap::new(),
            unbounded: HashSet::new(),
            counters: HashSet::new(),
            unwritten: Vec::new(),
            position: 0,
            span: Span::default(),
            places: HashMap::new(),
            reads: HashMap::new(),
            reading: None,
            shares: None,
            is_alone: false,
            is_summing: false,
            crossing: None,
            broadcasts: around.broadcasts,
            assumed: around.assumed,
            elements: HashMap::new(),
            element_names: HashMap::new(),
            known: HashMap::new(),
        };
        for (n, value) in captured.scalars.iter().enumerate() {
            translator.capture(n as u32, *value);
        }
        for (value, constant) in &captured.constants {
            translator.constant(*value, *constant);
        }
        if translator.assumed.is_some() {
            translator.take_for_sums(&captured.scalars, around.sums);
        }
        for (n, value) in captured.arrays.iter().enumerate() {
            let rank = around.function.array(*value).map_or(0, |array| array.rank);
            let is_one = around.extents.ones(*value, rank);
            translator.scope.insert(*value, Binding::View(View::whole(n as u32, is_one)));
        }
        translator.captured = captured;
        translator
    }

    fn capture(&mut self, n: u32, value: ValueId) {
        let dtype = self.function.ty(value).dtype();
        let val = self.code.input(n, dtype);
        let affine = (dtype == DType::I64).then(|| {
            let symbol = self.nest.add_symbol(None);
            self.symbols.insert(Variable::Symbol(symbol), value);
            Affine::from(symbol)
        });
        self.bind_scalar(value, val, affine, None);
    }

    pub(super) fn constant(&mut self, value: ValueId, constant: Constant) {
        let val = self.code.constant(constant, self.function.ty(value).dtype());
        let affine = match (constant, self.function.ty(value).dtype()) {
            (Constant::Int(n), DType::I64) => Some(Affine::constant(n)),
            _ => None,
        };
        self.bind_scalar(value, val, affine, None);
    }

    fn finish(mut self, is_as_written: bool) -> Translation {
        self.state_requirements();
        let is_own: Vec<bool> = self.captured.arrays.iter().map(|array| self.is_own(array)).collect();
        let mut code = self.code.finish();
        if !is_as_written {
            forward(&mut code, &is_own);
        }
        let inputs = used_inputs(&mut code);
        let n = self.captured.arrays.len() as u32;
        let used = |table: &u32| code.loads(*table as usize) || code.stores(*table as usize);
        let mut order: Vec<u32> = (0..n).filter(used).collect();
        order.sort_by_key(|table| !code.stores(*table as usize));
        let mut names: Vec<u32> = (0..n).collect();
        order.iter().enumerate().for_each(|(new, old)| names[*old as usize] = new as u32);
        code.rename_tables(&names);
        let array = |table: u32| self.captured.arrays[table as usize];
        let elements = self.elements.iter().map(|((table, _), variable)| (*variable, array(*table)));
        Translation {
            tables: order.iter().map(|table| self.captured.arrays[*table as usize]).collect(),
            scalars: inputs.iter().map(|n| self.captured.scalars[*n as usize]).collect(),
            code,
            nest: self.nest,
            loops: self.loops,
            strides: self.strides,
            symbols: self.symbols,
            requirements: self.requirements,
            places: self.places,
            reads: self.reads,
            at_points: self.at_points,
            raised: self.raised,
            elements: elements.collect(),
            element_names: self.element_names,
        }
    }

    /// Whether an array is made and used in one iteration of a loop of the program.
    fn is_own(&self, array: &ValueId) -> bool {
        let around = self.temporaries.get(array).and_then(|around| around.last());
        around.is_some_and(|index| self.loops.contains_key(index))
    }

    // Bindings.

    pub(super) fn bind_scalar(
        &mut self,
        value: ValueId,
        val: Val,
        affine: Option<Affine>,
        condition: Option<Condition>,
    ) {
        self.scope.insert(value, Binding::Scalar(Scalar { val, affine, condition, signs: Vec::new() }));
    }

    pub(super) fn bind(&mut self, value: ValueId, binding: Binding) {
        self.scope.insert(value, binding);
    }

    pub(super) fn binding(&self, value: ValueId) -> Result<Binding, Refusal> {
        self.scope.get(&value).cloned().ok_or(Refusal("it asks whether arrays overlap"))
    }

    pub(super) fn scalar(&self, value: ValueId) -> Result<Scalar, Refusal> {
        match self.binding(value)? {
            Binding::Scalar(scalar) => Ok(scalar),
            _ => Err(Refusal("an array where a scalar is")),
        }
    }

    pub(super) fn index(&self, value: ValueId) -> Result<Index, Refusal> {
        let scalar = self.scalar(value)?;
        Ok(Index { val: scalar.val, affine: scalar.affine })
    }

    pub(super) fn val(&self, value: ValueId) -> Result<Val, Refusal> {
        Ok(self.scalar(value)?.val)
    }

    /// What is handed to a loop or out of a branch: scalars, and elements that stand for themselves.
    pub(super) fn vals(&mut self, values: &[ValueId]) -> Result<Vec<Val>, Refusal> {
        values.iter().map(|value| self.handed(*value)).collect()
    }

    pub(super) fn handed(&mut self, value: ValueId) -> Result<Val, Refusal> {
        match self.binding(value)? {
            Binding::Scalar(Scalar { val, .. }) | Binding::Cell(val) => Ok(val),
            Binding::View(view) if view.is_one.is_empty() => {
                self.unwritten.push(view.table);
                Ok(self.load(&view, &[]))
            }
            Binding::View(_) => Err(Refusal("arrays are handed from iteration to iteration")),
        }
    }

    // Ops.

    pub(super) fn block(&mut self, ops: &[Op]) -> Result<(), Refusal> {
        ops.iter().filter(|op| !op.kind.is_terminator()).try_for_each(|op| self.op(op))
    }

    pub(super) fn op(&mut self, op: &Op) -> Result<(), Refusal> {
        self.position += 1;
        self.span = op.span;
        if self.shared(op)? {
            return Ok(());
        }
        match &op.kind {
            OpKind::Constant(constant) => self.constant(op.results[0], *constant),
            OpKind::Scalar(scalar) => self.scalar_op(op, *scalar)?,
            OpKind::SliceBounds { lower, upper } => self.slice_bounds(op, *lower, *upper)?,
            OpKind::Check { .. } => self.check(op)?,
            OpKind::Item => self.item(op)?,
            OpKind::If => self.if_(op)?,
            OpKind::For => self.for_(op)?,
            OpKind::While => self.while_(op)?,
            OpKind::Map(map) => self.map(op, map)?,
            // Nothing is in it, and nothing is written to it: it stands for an element that is given later.
            OpKind::Alloc { dtype, .. } if self.function.array(op.results[0]).is_some_and(|array| array.rank == 0) => {
                let nothing = self.code.constant(numptx_ir::scalar::zero(*dtype), *dtype);
                self.bind(op.results[0], Binding::Cell(nothing));
            }
            OpKind::Store(store) => self.store_op(op, store)?,
            kind if kind.is_view() => self.view(op)?,
            OpKind::Call { .. } => return Err(Refusal("it calls a function that calls itself, which the host does")),
            // What asks is left to stores that stay whole.
            OpKind::Overlap => {}
            _ => return Err(Refusal("this is not for one element of a kernel")),
        }
        Ok(())
    }

    pub(super) fn item(&mut self, op: &Op) -> Result<(), Refusal> {
        let val = self.element(op.operands[0], &[])?;
        let Known { affine, condition } = self.known.get(&val).cloned().unwrap_or_default();
        self.bind_scalar(op.results[0], val, affine, condition);
        Ok(())
    }

    // Elements.

    /// The element of an array of the loop at indices.
    pub(super) fn element(&mut self, array: ValueId, at: &[Index]) -> Result<Val, Refusal> {
        match self.binding(array)? {
            Binding::Cell(val) => Ok(val),
            Binding::View(view) => {
                self.reading = Some(array);
                Ok(self.load(&view, at))
            }
            Binding::Scalar(scalar) => Ok(scalar.val),
        }
    }

    pub(super) fn load(&mut self, view: &View, at: &[Index]) -> Val {
        let indices = self.indices(view, at);
        self.access(view, AccessKind::Read, &indices);
        let dtype = self.function.ty(self.captured.arrays[view.table as usize]).dtype();
        let vals: Vec<Val> = indices.iter().map(|i| i.val).collect();
        let val = self.code.load(view.table, &vals, dtype);
        self.note_element(view.table, &indices, val);
        val
    }

    pub(super) fn store(&mut self, view: &View, at: &[Index], val: Val) {
        let indices = self.indices(view, at);
        self.access(view, AccessKind::Write, &indices);
        let vals: Vec<Val> = indices.iter().map(|i| i.val).collect();
        if self.shares.is_none() || self.is_alone {
            return self.code.store(view.table, &vals, val);
        }
        self.code.open_block(&[]);
        self.code.store(view.table, &vals, val);
        let body = self.code.close_block(&[]);
        self.code.parallel(&[], body);
    }

    /// Indices of the table for indices of the view.
    fn indices(&mut self, view: &View, at: &[Index]) -> Vec<Index> {
        let mut indices = Vec::with_capacity(view.places.len());
        for place in &view.places {
            let mut index = place.start.clone();
            for (axis, step) in &place.along {
                let moved = self.scaled(&at[*axis], step.as_ref());
                index = Some(self.plus(index, moved));
            }
            indices.push(match index {
                Some(index) => index,
                None => Index { val: self.code.integer(0), affine: Some(Affine::constant(0)) },
            });
        }
        indices
    }

    fn access(&mut self, view: &View, kind: AccessKind, indices: &[Index]) {
        let (array, is_apart) = self.memory(view.table);
        let subscript = |index: &Index| match &index.affine {
            Some(affine) if is_apart => Subscript::Point(affine.clone()),
            _ => Subscript::Unknown,
        };
        let mut subscripts = self.iterations(view.table);
        subscripts.extend(indices.iter().map(subscript));
        let access = self.nest.add_access(Access {
            array,
            kind,
            subscripts,
            within: self.within,
            position: self.position,
            guards: self.guards.clone(),
            group: self.group,
        });
        // A view that is read and written is one op, which stands where it was first: what is written is the statement's.
        let place = if kind == AccessKind::Write { self.span } else { view.span.unwrap_or(self.span) };
        self.places.insert(access, place);
        if let Some(array) = self.reading.take() {
            self.reads.insert(access, (self.position, array));
        }
    }

    /// For a temporary, the iteration whose own it is: indices of the loops around it.
    fn iterations(&self, table: u32) -> Vec<Subscript> {
        let around = self.temporaries.get(&self.captured.arrays[table as usize]);
        let index = |index: &ValueId| match self.scope.get(index) {
            Some(Binding::Scalar(Scalar { affine: Some(affine), .. })) => Subscript::Point(affine.clone()),
            _ => Subscript::Unknown,
        };
        around.into_iter().flatten().map(index).collect()
    }

    /// The memory that a table may share with others, and whether it shares it with none.
    fn memory(&self, table: u32) -> (ArrayId, bool) {
        let array = self.captured.arrays[table as usize];
        let shares = |other: &ValueId| !self.apart.are(array, *other, self.points_to);
        let first = self.captured.arrays.iter().position(shares).unwrap_or(table as usize);
        let n = self.captured.arrays.iter().filter(|other| shares(other)).count();
        (ArrayId(first as u32), n == 1)
    }
}
