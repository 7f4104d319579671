//! The state of a translation: what values stand for, and what is known of them.
//!
//! In: what is known of the function, and the scalars and arrays that the program captures. Out: bindings of values as ops are translated, and in the end the
//! [`Translation`], with the tables and inputs that are used alone.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, ValueId};
use numptx_ir::scalar::{CodeBuilder, Constant, Val};
use numptx_source::Span;

use crate::analysis::apart::Apart;
use crate::analysis::points_to::PointsTo;
use crate::loops::assumptions::assumed::{Assumed, Known};
use crate::loops::assumptions::kinds::Assumption;
use crate::loops::dependence::{AccessId, Affine, LoopId, Nest, ReductionGroup, Variable};
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::elements::{Index, View};
use crate::loops::nest::program::{Axis, Refusal, Surroundings};
use crate::loops::nest::program::{Checks, Raised};
use crate::loops::nest::rows::originals::Reductions;
use crate::loops::nest::scope::Bound;
use crate::loops::nest::scope::{Binding, Captured, Scalar};
use crate::loops::schedule::cooperative::shares::{Crossing, Shares};
use crate::loops::schedule::wavefronts::groups::WavefrontProgram;
use crate::loops::storage::expanded_arrays::ExpandedArrays;

pub(crate) struct Translator<'f> {
    pub(crate) function: &'f Function,
    pub(crate) points_to: &'f PointsTo,
    pub(crate) apart: &'f Apart,
    pub(crate) temporaries: &'f ExpandedArrays,
    pub(crate) axes: &'f [Axis],
    pub(crate) wavefront: Option<&'f WavefrontProgram>,
    pub(crate) code: CodeBuilder,
    pub(crate) scope: HashMap<ValueId, Binding>,
    pub(crate) captured: Captured,
    pub(crate) nest: Nest,
    pub(crate) loops: HashMap<ValueId, LoopId>,
    pub(crate) symbols: HashMap<Variable, ValueId>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) updates: &'f Updates,
    pub(crate) reductions: &'f Reductions,
    /// The accumulation that accesses are of.
    pub(crate) group: Option<ReductionGroup>,
    pub(crate) checks: Checks<'f>,
    pub(crate) at_work_items: HashSet<ValueId>,
    pub(crate) raised: Vec<Raised>,
    /// The innermost loop that is open.
    pub(crate) within: Option<LoopId>,
    /// What conditions around say is at least 0.
    pub(crate) guards: Vec<Affine>,
    /// What they say is not 0.
    pub(crate) distinct: Vec<Affine>,
    /// What is at least 0 of integers that are not affine.
    pub(crate) facts: HashMap<Variable, Vec<Affine>>,
    /// The integers whose least an integer is.
    pub(crate) minima: HashMap<Variable, Vec<Affine>>,
    /// The integers whose greatest an integer is.
    pub(crate) maxima: HashMap<Variable, Vec<Affine>>,
    /// What integers that are chosen among others are, and what is at least 0 then.
    pub(crate) cases: HashMap<Variable, Vec<(Affine, Vec<Affine>)>>,
    /// What captured integers are sums of.
    pub(crate) captured_sums: HashMap<Variable, Affine>,
    /// Integers of which one side alone is known.
    pub(crate) bounds: HashMap<ValueId, Bound>,
    /// How far from 0 indices and integers that are made of others may be. Others are what is captured: see `guards`.
    pub(crate) reaches: HashMap<Variable, u128>,
    /// Variables that may be of any size.
    pub(crate) unbounded: HashSet<Variable>,
    /// Those of them that count: see `counters`.
    pub(crate) counters: HashSet<Variable>,
    /// Tables whose elements are carried as values.
    pub(crate) unwritten: Vec<u32>,
    pub(crate) position: u32,
    /// The op that is being translated.
    pub(crate) span: Span,
    pub(crate) places: HashMap<AccessId, Span>,
    pub(crate) reads: HashMap<AccessId, (u32, ValueId)>,
    /// The view that an op reads.
    pub(crate) reading: Option<ValueId>,
    /// Of a cooperative program: the loops that its threads share.
    pub(crate) shares: Option<&'f Shares>,
    /// Whether what comes next is done at one index of a step of a cooperative program.
    pub(crate) is_alone: bool,
    /// Whether that is an index of a `reduce`, in which there is no other.
    pub(crate) is_summing: bool,
    /// The index for loops that are the axis of a step around the loop around them.
    pub(crate) crossing: Option<(&'f Crossing, Val)>,
    pub(crate) broadcasts: &'f HashSet<ValueId>,
    pub(crate) assumed: Option<&'f Assumed>,
    /// Symbols for elements, by their tables and indices.
    pub(crate) elements: HashMap<(u32, Vec<Affine>), Variable>,
    pub(crate) element_names: HashMap<Variable, String>,
    /// What is known of values that are no scalars of the function.
    pub(crate) known: HashMap<Val, Known>,
}

impl<'f> Translator<'f> {
    pub(crate) fn new(around: &Surroundings<'f>, axes: &'f [Axis], captured: Captured) -> Self {
        let mut translator = Translator {
            function: around.function,
            points_to: around.points_to,
            apart: around.apart,
            temporaries: around.temporaries,
            axes,
            wavefront: None,
            code: CodeBuilder::new(),
            scope: HashMap::new(),
            captured: Captured::default(),
            nest: Nest::asking(around.answers),
            loops: HashMap::new(),
            symbols: HashMap::new(),
            assumptions: Vec::new(),
            updates: around.updates,
            reductions: around.reductions,
            group: None,
            checks: around.checks,
            at_work_items: HashSet::new(),
            raised: Vec::new(),
            within: None,
            guards: Vec::new(),
            distinct: Vec::new(),
            facts: HashMap::new(),
            minima: HashMap::new(),
            maxima: HashMap::new(),
            cases: HashMap::new(),
            captured_sums: HashMap::new(),
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
        translator.state_quotients(&captured.scalars, around);
        translator.note_sums(&captured.scalars, around.sums);
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

    pub(crate) fn constant(&mut self, value: ValueId, constant: Constant) {
        let val = self.code.constant(constant, self.function.ty(value).dtype());
        let affine = match (constant, self.function.ty(value).dtype()) {
            (Constant::Int(n), DType::I64) => Some(Affine::constant(n)),
            _ => None,
        };
        self.bind_scalar(value, val, affine, None);
    }

    // Bindings.

    pub(crate) fn bind_scalar(
        &mut self,
        value: ValueId,
        val: Val,
        affine: Option<Affine>,
        condition: Option<Condition>,
    ) {
        self.scope.insert(value, Binding::Scalar(Scalar { val, affine, condition, signs: Vec::new() }));
    }

    pub(crate) fn bind(&mut self, value: ValueId, binding: Binding) {
        self.scope.insert(value, binding);
    }

    pub(crate) fn binding(&self, value: ValueId) -> Result<Binding, Refusal> {
        self.scope.get(&value).cloned().ok_or(Refusal("it asks whether arrays overlap"))
    }

    pub(crate) fn scalar(&self, value: ValueId) -> Result<Scalar, Refusal> {
        match self.binding(value)? {
            Binding::Scalar(scalar) => Ok(scalar),
            _ => Err(Refusal("an array where a scalar is")),
        }
    }

    pub(crate) fn index(&self, value: ValueId) -> Result<Index, Refusal> {
        let scalar = self.scalar(value)?;
        Ok(Index { val: scalar.val, affine: scalar.affine })
    }

    pub(crate) fn val(&self, value: ValueId) -> Result<Val, Refusal> {
        Ok(self.scalar(value)?.val)
    }
}
