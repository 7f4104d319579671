//! Builds a function op by op. Extents are forwarded, small integer arithmetic is folded, and equal host scalar operations on
//! visible operands are one value, so that equal extents are equal values. Everything else is left to passes.
//!
//! Here: values, ops and regions. What is emitted stands in `build/`, by sort of op.

mod computations;
mod elements;
mod extents;
mod scalars;
mod sharing;
mod views;
mod writing;

pub use sharing::Snapshot;
pub use writing::{READ_ONLY_DESTINATION, READ_ONLY_OUTPUT, Writability};

use numptx_source::Span;

use self::sharing::Scope;

use super::typing::result_types;
use super::{Aliasing, Function, Op, OpKind, Phase, Region, Type, ValueId};
use crate::DType;
use crate::scalar::Constant;
use crate::signature::{ResultType, Signature};

/// A function under construction: ops go to the innermost open region.
pub struct Builder {
    function: Function,
    regions: Vec<Region>,
    span: Span,
    /// Whether `set_span` does nothing: what is built belongs to one place of the program.
    is_pinned: bool,
    /// Extents of every array value, filled when it is defined.
    extents: Vec<Vec<ValueId>>,
    constants: Vec<Option<Constant>>,
    /// Which values are views through which nothing is written on any path.
    read_only: Vec<bool>,
    /// What is known in each open region, outermost first.
    scopes: Vec<Scope>,
}

impl Builder {
    /// An empty function; its body is the open region.
    pub fn new(name: impl Into<String>) -> Self {
        let signature = Signature {
            function: String::new(),
            text: String::new(),
            parameters: Vec::new(),
            result: ResultType::None,
            same: Vec::new(),
            numbered: Vec::new(),
            defaults: Vec::new(),
            docstring: None,
        };
        let function = Function {
            name: name.into(),
            signature,
            aliasing: Aliasing::MayAlias,
            phase: Phase::Source,
            is_routine: false,
            parameters: Vec::new(),
            values: Vec::new(),
            body: Region::default(),
            independent: Vec::new(),
            remarks: Vec::new(),
        };
        let regions = vec![Region::default()];
        let scopes = vec![Scope::default()];
        Builder {
            function,
            regions,
            span: Span::default(),
            is_pinned: false,
            extents: Vec::new(),
            constants: Vec::new(),
            read_only: Vec::new(),
            scopes,
        }
    }

    /// Ends the function; `return` must have been emitted.
    pub fn finish(mut self, signature: Signature) -> Function {
        self.function.body = self.regions.pop().unwrap_or_default();
        self.function.signature = signature;
        self.function
    }

    /// The function's name.
    pub fn function_name(&self) -> &str {
        &self.function.name
    }

    /// The span that following ops carry.
    pub fn set_span(&mut self, span: Span) {
        if !self.is_pinned {
            self.span = span;
        }
    }

    /// The span that following ops carry.
    pub fn span(&self) -> Span {
        self.span
    }

    /// States that the iterations of the loop of a span are independent.
    pub fn state_independent(&mut self, of: Span) {
        if !self.function.independent.contains(&of) {
            self.function.independent.push(of);
        }
    }

    /// Keeps the present span for following ops, or no longer; whether it was kept before.
    pub fn pin_span(&mut self, is_pinned: bool) -> bool {
        std::mem::replace(&mut self.is_pinned, is_pinned)
    }

    /// As another builder: the span of following ops, and whether it is kept.
    pub fn continue_at(&mut self, other: &Builder) {
        (self.span, self.is_pinned) = (other.span, other.is_pinned);
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.function.ty(value)
    }

    /// The dtype of a scalar or of an array's elements.
    pub fn dtype(&self, value: ValueId) -> DType {
        self.ty(value).dtype()
    }

    /// The rank of an array; 0 for scalars.
    pub fn rank(&self, value: ValueId) -> usize {
        self.function.array(value).map_or(0, |a| a.rank)
    }

    /// Whether a value is a host scalar.
    pub fn is_scalar(&self, value: ValueId) -> bool {
        matches!(self.ty(value), Type::Scalar(_))
    }

    /// Names a value for readers of the IR, unless it has a name.
    pub fn name(&mut self, value: ValueId, name: &str) {
        self.function.values[value.0 as usize].name.get_or_insert_with(|| name.to_string());
    }

    /// A parameter of the function.
    pub fn parameter(&mut self, ty: Type, name: &str) -> ValueId {
        let value = self.define(ty);
        self.function.parameters.push(value);
        self.name(value, name);
        self.shape(value);
        value
    }

    fn define(&mut self, ty: Type) -> ValueId {
        self.extents.push(Vec::new());
        self.constants.push(None);
        self.read_only.push(false);
        self.function.add_value(ty)
    }

    /// Emits an op whose result types follow from its operands.
    ///
    /// # Panics
    /// If the operands do not fit: a bug of the caller.
    pub fn emit(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Vec<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.ty(*v)).collect();
        let results = result_types(&kind, &types).unwrap_or_else(|e| panic!("{kind:?}: {e}"));
        let is_read_only = self.gives_read_only(&kind, &operands);
        let results = self.emit_typed(kind, operands, results.unwrap_or_default(), Vec::new());
        results.iter().for_each(|v| self.read_only[v.0 as usize] = is_read_only);
        results
    }

    /// Emits an op with declared result types and regions.
    pub fn emit_typed(
        &mut self,
        kind: OpKind,
        operands: Vec<ValueId>,
        types: Vec<Type>,
        regions: Vec<Region>,
    ) -> Vec<ValueId> {
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.define(ty)).collect();
        let nested = !regions.is_empty();
        let op = Op { kind, operands, results: results.clone(), regions, span: self.span };
        self.regions.last_mut().expect("a region is open").ops.push(op);
        if nested {
            results.iter().for_each(|v| drop(self.shape(*v)));
        }
        results
    }

    fn emit_one(&mut self, kind: OpKind, operands: Vec<ValueId>) -> ValueId {
        self.emit(kind, operands)[0]
    }

    // Regions.

    /// Opens a region with parameters of these types; the returned values are its parameters.
    pub fn open_region(&mut self, parameters: &[Type]) -> Vec<ValueId> {
        let parameters: Vec<ValueId> = parameters.iter().map(|ty| self.define(*ty)).collect();
        self.regions.push(Region { parameters: parameters.clone(), ops: Vec::new() });
        self.scopes.push(Scope::default());
        parameters.iter().for_each(|v| drop(self.shape(*v)));
        parameters
    }

    /// Closes the innermost region, to be handed to [`Builder::emit_typed`].
    pub fn close_region(&mut self) -> Region {
        self.scopes.pop().expect("a region is open");
        self.regions.pop().expect("a region is open")
    }

    /// Opens a region again that was closed and not yet carried, to add ops at its end.
    pub fn reopen_region(&mut self, region: Region) {
        self.regions.push(region);
        self.scopes.push(Scope::default());
    }

    /// Adds the ops of a closed region without parameters to the innermost open one.
    pub fn splice(&mut self, region: Region) {
        self.regions.last_mut().expect("a region is open").ops.extend(region.ops);
    }

    /// Number of ops in the innermost open region.
    pub fn n_ops(&self) -> usize {
        self.regions.last().map_or(0, |r| r.ops.len())
    }
}
