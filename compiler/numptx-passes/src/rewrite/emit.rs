//! Rebuilds a function op by op with value numbering: the ground under all passes that change computations.
//!
//! In: ops in program order, given to [`Emitter::emit`] with the values that they used. Out: the same ops with operands replaced by what
//! stands for them now; pure scalar and view ops are folded, brought into one form and shared within dominance. Values keep their ids
//! as long as their op stays. It moves no computation and no write, and decides nothing about memory.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Function, Op, OpKind, Region, Remark, RemarkKind, Type, ValueData, ValueId, typing};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::Substitution;

/// How a value was defined.
#[derive(Debug)]
pub struct Definition {
    /// The op.
    pub kind: OpKind,
    /// Its operands.
    pub operands: Vec<ValueId>,
    /// All its results.
    pub results: Vec<ValueId>,
    /// The source text that it stands for.
    pub span: Span,
}

/// The range of a loop's induction variable.
#[derive(Clone, Copy, Debug)]
pub struct Induction {
    /// The first value.
    pub lower: ValueId,
    /// The bound that is not reached.
    pub upper: ValueId,
    /// Not 0.
    pub step: ValueId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Constant(Constant, DType),
    Scalar(ScalarOp, DType),
    Dim(usize),
    Stride(usize),
    SliceBounds(bool, bool),
    BroadcastExtent,
    Overlap,
    IsWritable,
    SameBuffer,
    OneLaunch,
    OneRead,
    Item,
    Slice(usize),
    Index(usize),
    NewAxis(usize),
    DropAxis(usize),
    Permute(Vec<usize>),
    Broadcast,
    Part(bool),
    Diagonal([usize; 2]),
    Windows(usize),
    Split(usize),
    ReadOnly,
    Writable,
}

type Key = (Name, Vec<ValueId>);

#[derive(Default)]
struct OpenRegion {
    parameters: Vec<ValueId>,
    ops: Vec<Op>,
    /// Entries of the tables that end with the region.
    keys: Vec<Key>,
    conditions: Vec<ValueId>,
}

/// A function being rebuilt.
pub struct Emitter {
    values: Vec<ValueData>,
    regions: Vec<OpenRegion>,
    definitions: Vec<Option<Rc<Definition>>>,
    inductions: HashMap<ValueId, Induction>,
    table: HashMap<Key, Vec<ValueId>>,
    /// Conditions of checks that were passed.
    passed: HashSet<ValueId>,
    replaced: Substitution,
    /// Locations that the old body writes.
    written: HashSet<ValueId>,
    span: Span,
    remarks: Vec<Remark>,
}

impl Emitter {
    /// Takes a function's body: returns it, and the emitter whose open region is the new body.
    pub fn of(function: &mut Function) -> (Emitter, Vec<Op>) {
        let points_to = PointsTo::of(function);
        let arrays = function.body.ops.iter().flat_map(written_arrays);
        let written = arrays.flat_map(|v| points_to.locations(v).to_vec()).collect();
        let ops = std::mem::take(&mut function.body.ops);
        let values = std::mem::take(&mut function.values);
        let definitions = values.iter().map(|_| None).collect();
        let emitter = Emitter {
            values,
            regions: vec![OpenRegion { parameters: function.body.parameters.clone(), ..OpenRegion::default() }],
            definitions,
            inductions: HashMap::new(),
            table: HashMap::new(),
            passed: HashSet::new(),
            replaced: Substitution::default(),
            written,
            span: Span::default(),
            remarks: Vec::new(),
        };
        (emitter, ops)
    }

    /// Puts the rebuilt body into the function.
    pub fn finish(mut self, function: &mut Function) {
        if let Some(open) = self.regions.pop() {
            function.body = Region { parameters: open.parameters, ops: open.ops };
        }
        function.values = self.values;
        self.remarks.into_iter().for_each(|remark| function.remark(remark));
    }

    /// Notes what was decided about a place, by default the op that is being emitted.
    pub fn decide(&mut self, at: Option<Span>, kind: RemarkKind) {
        self.remarks.push(Remark { span: at.unwrap_or(self.span), kind });
    }

    /// Notes that what stood at a place is computed by the op that is being emitted.
    pub fn decide_fused(&mut self, from: Span) {
        if from != self.span {
            self.decide(Some(from), RemarkKind::Fused { into: self.span });
        }
    }

    /// Notes that an array is copied before the op that is being emitted.
    pub fn decide_copied(&mut self, array: ValueId, late: bool) {
        let array = self.values[array.0 as usize].name.clone();
        self.decide(None, RemarkKind::Copied { array, late });
    }

    // Regions.

    /// Opens a nested region.
    pub fn open_region(&mut self, parameters: Vec<ValueId>) {
        self.regions.push(OpenRegion { parameters, ..OpenRegion::default() });
    }

    /// Closes the innermost region. What was known in it is forgotten.
    pub fn close_region(&mut self) -> Region {
        let open = self.regions.pop().unwrap_or_default();
        open.keys.iter().for_each(|key| drop(self.table.remove(key)));
        open.conditions.iter().for_each(|condition| {
            self.passed.remove(condition);
        });
        Region { parameters: open.parameters, ops: open.ops }
    }

    /// States the range of a region's parameter.
    pub fn set_induction(&mut self, value: ValueId, induction: Induction) {
        self.inductions.insert(value, induction);
    }

    /// The range of an induction variable.
    pub fn induction(&self, value: ValueId) -> Option<Induction> {
        self.inductions.get(&value).copied()
    }

    // What is known.

    /// What stands for a value of the old body.
    pub fn resolve(&self, value: ValueId) -> ValueId {
        self.replaced.resolve(value)
    }

    /// From now on a value of the old body is another one.
    pub fn replace(&mut self, value: ValueId, by: ValueId) {
        if value == by {
            return;
        }
        if let Some(name) = self.values[value.0 as usize].name.clone() {
            self.values[by.0 as usize].name.get_or_insert(name);
        }
        self.replaced.replace(value, by);
    }

    /// A value's type.
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.0 as usize].ty
    }

    /// A value's array type, or `None` if it is a scalar.
    pub fn array(&self, value: ValueId) -> Option<ArrayType> {
        if let Type::Array(array) = self.ty(value) { Some(array) } else { None }
    }

    /// The op that defined a value; `None` for parameters.
    pub fn definition(&self, value: ValueId) -> Option<Rc<Definition>> {
        self.definitions.get(value.0 as usize).cloned().flatten()
    }

    /// Whether any op of the old body writes what was defined as this fresh array.
    pub fn is_written(&self, fresh: ValueId) -> bool {
        self.written.contains(&fresh)
    }

    /// Whether a condition was checked before.
    pub fn has_passed(&self, condition: ValueId) -> bool {
        self.passed.contains(&condition)
    }

    /// Notes that a condition holds from here on.
    pub fn note_passed(&mut self, condition: ValueId) {
        if self.passed.insert(condition) {
            self.open().conditions.push(condition);
        }
    }

    // Emission.

    /// The span of ops that are made from now on.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// The span of ops that are made now.
    pub fn span(&self) -> Span {
        self.span
    }

    fn open(&mut self) -> &mut OpenRegion {
        if self.regions.is_empty() {
            self.regions.push(OpenRegion::default());
        }
        let last = self.regions.len() - 1;
        &mut self.regions[last]
    }

    /// A new value without a definition yet.
    pub fn new_value(&mut self, ty: Type) -> ValueId {
        self.values.push(ValueData { ty, name: None });
        self.definitions.push(None);
        ValueId(self.values.len() as u32 - 1)
    }

    /// Adds an op as it is: operands are resolved already, results exist. Result types are derived anew where they follow from operands.
    pub fn push(&mut self, op: Op) {
        let operands: Vec<Type> = op.operands.iter().map(|v| self.ty(*v)).collect();
        if let Ok(Some(types)) = typing::result_types(&op.kind, &operands) {
            for (result, ty) in op.results.iter().zip(types) {
                self.values[result.0 as usize].ty = ty;
            }
        }
        if op.regions.is_empty() && !op.results.is_empty() {
            let definition = Rc::new(Definition {
                kind: op.kind.clone(),
                operands: op.operands.clone(),
                results: op.results.clone(),
                span: op.span,
            });
            for result in &op.results {
                self.definitions[result.0 as usize] = Some(definition.clone());
            }
        }
        self.open().ops.push(op);
    }

    /// Adds an op whose result types follow from its operands; new results.
    pub fn push_new(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Vec<ValueId> {
        let operand_types: Vec<Type> = operands.iter().map(|v| self.ty(*v)).collect();
        let types = typing::result_types(&kind, &operand_types).ok().flatten().unwrap_or_default();
        self.push_typed(kind, operands, types)
    }

    /// Adds an op with declared result types; new results.
    pub fn push_typed(&mut self, kind: OpKind, operands: Vec<ValueId>, types: Vec<Type>) -> Vec<ValueId> {
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.new_value(ty)).collect();
        let op = Op { kind, operands, results: results.clone(), regions: Vec::new(), span: self.span };
        self.push(op);
        results
    }

    /// The results of a pure op: those of an equal one that is visible here, else of a new one.
    /// `reuse`: result ids for a new op. `dtype`: the result's, for constants and scalar operations.
    pub fn number(
        &mut self,
        kind: OpKind,
        operands: Vec<ValueId>,
        dtype: DType,
        reuse: Option<Vec<ValueId>>,
    ) -> Vec<ValueId> {
        let key = name_of(&kind, dtype).map(|name| (name, operands.clone()));
        if let Some(found) = key.as_ref().and_then(|key| self.table.get(key)) {
            return found.clone();
        }
        let results = match (reuse, &kind) {
            (Some(results), _) => {
                let op = Op { kind, operands, results: results.clone(), regions: Vec::new(), span: self.span };
                self.push(op);
                results
            }
            (None, OpKind::Constant(_) | OpKind::Scalar(_)) => {
                self.push_typed(kind, operands, vec![Type::Scalar(dtype)])
            }
            (None, _) => self.push_new(kind, operands),
        };
        if let Some(key) = key {
            self.open().keys.push(key.clone());
            self.table.insert(key, results.clone());
        }
        results
    }
}

fn name_of(kind: &OpKind, dtype: DType) -> Option<Name> {
    Some(match kind {
        OpKind::Constant(constant) => Name::Constant(*constant, dtype),
        OpKind::Scalar(op) => Name::Scalar(*op, dtype),
        OpKind::Dim(axis) => Name::Dim(*axis),
        OpKind::Stride(axis) => Name::Stride(*axis),
        OpKind::SliceBounds { lower, upper } => Name::SliceBounds(*lower, *upper),
        OpKind::BroadcastExtent => Name::BroadcastExtent,
        OpKind::Item => Name::Item,
        OpKind::Overlap => Name::Overlap,
        OpKind::IsWritable => Name::IsWritable,
        OpKind::SameBuffer => Name::SameBuffer,
        OpKind::OneLaunch => Name::OneLaunch,
        OpKind::OneRead => Name::OneRead,
        OpKind::Slice { axis } => Name::Slice(*axis),
        OpKind::Index { axis } => Name::Index(*axis),
        OpKind::NewAxis { axis } => Name::NewAxis(*axis),
        OpKind::DropAxis { axis } => Name::DropAxis(*axis),
        OpKind::Permute { permutation } => Name::Permute(permutation.clone()),
        OpKind::Broadcast => Name::Broadcast,
        OpKind::Part { imaginary } => Name::Part(*imaginary),
        OpKind::Diagonal { axes } => Name::Diagonal(*axes),
        OpKind::Windows { axis } => Name::Windows(*axis),
        OpKind::Split { axis } => Name::Split(*axis),
        OpKind::ReadOnly => Name::ReadOnly,
        OpKind::Writable => Name::Writable,
        _ => return None,
    })
}

/// The end of a region that yields values.
pub fn yielding(values: Vec<ValueId>, span: Span) -> Op {
    Op { kind: OpKind::Yield, operands: values, results: Vec::new(), regions: Vec::new(), span }
}
