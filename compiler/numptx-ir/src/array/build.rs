//! Builds a function op by op. Extents are forwarded, small integer arithmetic is folded, and equal host scalar operations on
//! visible operands are one value, so that equal extents are equal values. Everything else is left to passes.

use std::collections::{BTreeSet, HashMap};

use numptx_source::Span;

use super::typing::result_types;
use super::{Aliasing, ErrorKind, Function, Map, Op, OpKind, Order, OrderTerm, Phase, Reduce, Region, Type, ValueId};
use crate::DType;
use crate::scalar::{Body, Constant, Reducer, ScalarOp};
use crate::signature::{ResultType, Signature};

/// A function under construction: ops go to the innermost open region.
pub struct Builder {
    function: Function,
    regions: Vec<Region>,
    span: Span,
    /// Extents of every array value, filled when it is defined.
    extents: Vec<Vec<ValueId>>,
    constants: Vec<Option<Constant>>,
    /// What is known in each open region, outermost first.
    scopes: Vec<Scope>,
}

/// A pure host scalar op by what it computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ScalarKey {
    Constant(Constant, DType),
    Scalar(ScalarOp, DType, Vec<ValueId>),
    SliceBounds(bool, bool, Vec<ValueId>),
    BroadcastExtent(ValueId, ValueId),
}

/// Scalars computed in one open region and conditions checked in it. Only looked up, never iterated in hash order.
#[derive(Default)]
struct Scope {
    scalars: HashMap<ScalarKey, Vec<ValueId>>,
    checked: BTreeSet<ValueId>,
}

/// A point in a function under construction; see [`Builder::snapshot`].
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    values: usize,
    regions: usize,
    ops: usize,
}

impl Builder {
    /// An empty function; its body is the open region.
    pub fn new(name: impl Into<String>) -> Self {
        let signature = Signature {
            function: String::new(),
            text: String::new(),
            parameters: Vec::new(),
            result: ResultType::None,
            docstring: None,
        };
        let function = Function {
            name: name.into(),
            signature,
            aliasing: Aliasing::MayAlias,
            phase: Phase::Source,
            parameters: Vec::new(),
            values: Vec::new(),
            body: Region::default(),
        };
        let regions = vec![Region::default()];
        let scopes = vec![Scope::default()];
        Builder { function, regions, span: Span::default(), extents: Vec::new(), constants: Vec::new(), scopes }
    }

    /// Ends the function; `return` must have been emitted.
    pub fn finish(mut self, signature: Signature) -> Function {
        self.function.body = self.regions.pop().unwrap_or_default();
        self.function.signature = signature;
        self.function
    }

    /// The span that following ops carry.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
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
        self.function.add_value(ty)
    }

    /// Emits an op whose result types follow from its operands.
    ///
    /// # Panics
    /// If the operands do not fit: a bug of the caller.
    pub fn emit(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Vec<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.ty(*v)).collect();
        let results = result_types(&kind, &types).unwrap_or_else(|e| panic!("{kind:?}: {e}"));
        self.emit_typed(kind, operands, results.unwrap_or_default(), Vec::new())
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

    /// Opens a region again that was closed and not yet handed on, to add ops at its end.
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

    /// Ops of the innermost open region from position `first` on.
    pub fn ops_from(&self, first: usize) -> &[Op] {
        self.regions.last().map_or(&[], |r| &r.ops[first.min(r.ops.len())..])
    }

    /// The present point, to be returned to with [`Builder::rollback`] while the present region is open.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { values: self.function.values.len(), regions: self.regions.len(), ops: self.n_ops() }
    }

    /// Whether a value was defined before a point.
    pub fn is_before(&self, value: ValueId, snapshot: Snapshot) -> bool {
        (value.0 as usize) < snapshot.values
    }

    /// Drops everything that was built since a point: ops, regions, values.
    pub fn rollback(&mut self, snapshot: Snapshot) {
        let old = |v: &ValueId| (v.0 as usize) < snapshot.values;
        self.regions.truncate(snapshot.regions);
        self.scopes.truncate(snapshot.regions);
        if let Some(region) = self.regions.last_mut() {
            region.ops.truncate(snapshot.ops);
        }
        self.function.values.truncate(snapshot.values);
        self.constants.truncate(snapshot.values);
        self.extents.truncate(snapshot.values);
        for extents in self.extents.iter_mut().filter(|e| !e.iter().all(old)) {
            extents.clear();
        }
        for scope in &mut self.scopes {
            scope.scalars.values_mut().for_each(|list| list.retain(old));
            scope.checked.retain(old);
        }
    }

    /// The value of a pure host scalar op: a visible equal one, or a new one.
    fn shared(&mut self, key: ScalarKey, build: impl FnOnce(&mut Self) -> Vec<ValueId>) -> Vec<ValueId> {
        if let Some(list) = self.scopes.iter().find_map(|s| s.scalars.get(&key).filter(|list| !list.is_empty())) {
            return list.clone();
        }
        let values = build(self);
        self.scopes.last_mut().expect("a region is open").scalars.insert(key, values.clone());
        values
    }

    // Host scalars.

    /// A constant.
    pub fn constant(&mut self, value: Constant, dtype: DType) -> ValueId {
        self.shared(ScalarKey::Constant(value, dtype), |b| {
            let results = b.emit_typed(OpKind::Constant(value), Vec::new(), vec![Type::Scalar(dtype)], Vec::new());
            b.constants[results[0].0 as usize] = Some(value);
            results
        })[0]
    }

    /// An `i64` constant.
    pub fn i64(&mut self, value: i64) -> ValueId {
        self.constant(Constant::Int(value), DType::I64)
    }

    /// A value's constant, if it is one.
    pub fn as_constant(&self, value: ValueId) -> Option<Constant> {
        self.constants[value.0 as usize]
    }

    /// A value's integer constant, if it is one.
    pub fn as_i64(&self, value: ValueId) -> Option<i64> {
        match self.as_constant(value) {
            Some(Constant::Int(n)) => Some(n),
            _ => None,
        }
    }

    /// A scalar operation; all operands are host scalars of the dtypes that the operation takes.
    pub fn scalar(&mut self, op: ScalarOp, operands: &[ValueId]) -> ValueId {
        if let Some(folded) = self.fold(op, operands) {
            return folded;
        }
        let key = ScalarKey::Scalar(op, self.dtype(operands[0]), operands.to_vec());
        self.shared(key, |b| b.emit(OpKind::Scalar(op), operands.to_vec()))[0]
    }

    /// Python's slice normalisation: start and length of `lower:upper:step` on an axis of `extent`; step is not 0 (checked before).
    pub fn slice_bounds(
        &mut self,
        lower: Option<ValueId>,
        upper: Option<ValueId>,
        step: ValueId,
        extent: ValueId,
    ) -> (ValueId, ValueId) {
        let operands: Vec<ValueId> = lower.into_iter().chain(upper).chain([step, extent]).collect();
        let key = ScalarKey::SliceBounds(lower.is_some(), upper.is_some(), operands.clone());
        let kind = OpKind::SliceBounds { lower: lower.is_some(), upper: upper.is_some() };
        let results = self.shared(key, |b| b.emit(kind, operands));
        (results[0], results[1])
    }

    /// Folds `i64` arithmetic on constants and with neutral elements, as extents need it.
    fn fold(&mut self, op: ScalarOp, operands: &[ValueId]) -> Option<ValueId> {
        if operands.len() != 2 || operands.iter().any(|v| self.ty(*v) != Type::Scalar(DType::I64)) {
            return None;
        }
        let (a, b) = (self.as_i64(operands[0]), self.as_i64(operands[1]));
        match (op, a, b) {
            (ScalarOp::Add, Some(a), Some(b)) => Some(self.i64(a.wrapping_add(b))),
            (ScalarOp::Sub, Some(a), Some(b)) => Some(self.i64(a.wrapping_sub(b))),
            (ScalarOp::Mul, Some(a), Some(b)) => Some(self.i64(a.wrapping_mul(b))),
            (ScalarOp::Add, Some(0), _) | (ScalarOp::Mul, Some(1), _) => Some(operands[1]),
            (ScalarOp::Add | ScalarOp::Sub, _, Some(0)) | (ScalarOp::Mul, _, Some(1)) => Some(operands[0]),
            (ScalarOp::Eq, Some(a), Some(b)) => Some(self.constant(Constant::Bool(a == b), DType::Bool)),
            (ScalarOp::Eq, _, _) if operands[0] == operands[1] => {
                Some(self.constant(Constant::Bool(true), DType::Bool))
            }
            (ScalarOp::Lt, Some(a), Some(b)) => Some(self.constant(Constant::Bool(a < b), DType::Bool)),
            (ScalarOp::Le, Some(a), Some(b)) => Some(self.constant(Constant::Bool(a <= b), DType::Bool)),
            _ => None,
        }
    }

    /// A host scalar converted to a dtype; itself if it has it.
    pub fn cast_scalar(&mut self, value: ValueId, dtype: DType) -> ValueId {
        if self.dtype(value) == dtype {
            return value;
        }
        let kind = OpKind::Scalar(ScalarOp::Cast);
        let key = ScalarKey::Scalar(ScalarOp::Cast, dtype, vec![value]);
        self.shared(key, |b| b.emit_typed(kind, vec![value], vec![Type::Scalar(dtype)], Vec::new()))[0]
    }

    /// Raises unless the condition holds; nothing if it is constantly true or was checked before.
    pub fn check(&mut self, condition: ValueId, kind: ErrorKind, message: impl Into<String>, payload: &[ValueId]) {
        let known = self.scopes.iter().any(|s| s.checked.contains(&condition));
        if known || self.as_constant(condition) == Some(Constant::Bool(true)) {
            return;
        }
        self.scopes.last_mut().expect("a region is open").checked.insert(condition);
        let mut operands = vec![condition];
        operands.extend_from_slice(payload);
        self.emit(OpKind::Check { kind, message: message.into() }, operands);
    }

    // Extents.

    /// The extent of an array along an axis; the value that it was made with where that is known.
    pub fn dim(&mut self, array: ValueId, axis: usize) -> ValueId {
        self.shape(array)[axis]
    }

    /// All extents of an array; empty for scalars. `dim` ops stand right after an array's definition, so that they are visible wherever it is.
    pub fn shape(&mut self, array: ValueId) -> Vec<ValueId> {
        let rank = self.rank(array);
        if self.extents[array.0 as usize].len() != rank {
            let extents = (0..rank).map(|axis| self.emit_one(OpKind::Dim(axis), vec![array])).collect();
            self.extents[array.0 as usize] = extents;
        }
        self.extents[array.0 as usize].clone()
    }

    /// Declares extents that are known better than by `dim`, such as fixed ones.
    pub fn set_shape(&mut self, array: ValueId, extents: Vec<ValueId>) {
        self.extents[array.0 as usize] = extents;
    }

    /// The broadcast of several shapes (right-aligned), with the checks that NumPy makes.
    pub fn broadcast_shapes(&mut self, shapes: &[Vec<ValueId>]) -> Vec<ValueId> {
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut result: Vec<ValueId> = Vec::with_capacity(rank);
        for axis in 0..rank {
            let mut extent: Option<ValueId> = None;
            for shape in shapes.iter().filter(|s| s.len() + axis >= rank) {
                let other = shape[axis + shape.len() - rank];
                extent = Some(match extent {
                    Some(extent) => self.broadcast_extent(extent, other),
                    None => other,
                });
            }
            result.push(extent.expect("the longest shape has every axis"));
        }
        result
    }

    fn broadcast_extent(&mut self, a: ValueId, b: ValueId) -> ValueId {
        match (self.as_i64(a), self.as_i64(b)) {
            _ if a == b => return a,
            (Some(x), Some(y)) if x == y => return a,
            (Some(1), _) => return b,
            (_, Some(1)) => return a,
            _ => {}
        }
        let one = self.i64(1);
        let equal = self.scalar(ScalarOp::Eq, &[a, b]);
        let a_one = self.scalar(ScalarOp::Eq, &[a, one]);
        let b_one = self.scalar(ScalarOp::Eq, &[b, one]);
        let either = self.scalar(ScalarOp::BitOr, &[a_one, b_one]);
        let fits = self.scalar(ScalarOp::BitOr, &[equal, either]);
        let message = "operands could not be broadcast together: extents {} and {}";
        self.check(fits, ErrorKind::Value, message, &[a, b]);
        let key = ScalarKey::BroadcastExtent(a, b);
        self.shared(key, |builder| builder.emit(OpKind::BroadcastExtent, vec![a, b]))[0]
    }

    // Views.

    /// `v[start : start + length * step : step]` along an axis; in range.
    pub fn slice(&mut self, v: ValueId, axis: usize, start: ValueId, length: ValueId, step: ValueId) -> ValueId {
        let mut extents = self.shape(v);
        if self.as_i64(start) == Some(0) && self.as_i64(step) == Some(1) && extents[axis] == length {
            return v;
        }
        extents[axis] = length;
        let result = self.emit_one(OpKind::Slice { axis }, vec![v, start, length, step]);
        self.with_extents(result, extents)
    }

    /// Drops an axis at an index in range.
    pub fn index(&mut self, v: ValueId, axis: usize, i: ValueId) -> ValueId {
        let mut extents = self.shape(v);
        extents.remove(axis);
        let result = self.emit_one(OpKind::Index { axis }, vec![v, i]);
        self.with_extents(result, extents)
    }

    /// Inserts an axis of extent 1 before `axis`.
    pub fn new_axis(&mut self, v: ValueId, axis: usize) -> ValueId {
        let mut extents = self.shape(v);
        let one = self.i64(1);
        extents.insert(axis, one);
        let result = self.emit_one(OpKind::NewAxis { axis }, vec![v]);
        self.with_extents(result, extents)
    }

    /// Removes an axis; the caller has checked that its extent is 1.
    pub fn drop_axis(&mut self, v: ValueId, axis: usize) -> ValueId {
        let mut extents = self.shape(v);
        extents.remove(axis);
        let result = self.emit_one(OpKind::DropAxis { axis }, vec![v]);
        self.with_extents(result, extents)
    }

    /// Result axis `k` is axis `permutation[k]`.
    pub fn permute(&mut self, v: ValueId, permutation: &[usize]) -> ValueId {
        if permutation.iter().enumerate().all(|(i, p)| i == *p) {
            return v;
        }
        let extents = self.shape(v);
        let extents = permutation.iter().map(|p| extents[*p]).collect();
        let result = self.emit_one(OpKind::Permute { permutation: permutation.to_vec() }, vec![v]);
        self.with_extents(result, extents)
    }

    /// Broadcasts to extents that were checked before; itself if nothing changes.
    pub fn broadcast_to(&mut self, v: ValueId, extents: &[ValueId]) -> ValueId {
        if self.shape(v) == extents {
            return v;
        }
        let mut operands = vec![v];
        operands.extend_from_slice(extents);
        let result = self.emit_one(OpKind::Broadcast, operands);
        self.with_extents(result, extents.to_vec())
    }

    /// The real or imaginary parts as a view.
    pub fn part(&mut self, v: ValueId, imaginary: bool) -> ValueId {
        let extents = self.shape(v);
        let result = self.emit_one(OpKind::Part { imaginary }, vec![v]);
        self.with_extents(result, extents)
    }

    /// C-order reshape to extents of the same size (checked before).
    pub fn reshape(&mut self, v: ValueId, extents: &[ValueId]) -> ValueId {
        let mut operands = vec![v];
        operands.extend_from_slice(extents);
        let result = self.emit_one(OpKind::Reshape, operands);
        self.with_extents(result, extents.to_vec())
    }

    fn with_extents(&mut self, value: ValueId, extents: Vec<ValueId>) -> ValueId {
        self.extents[value.0 as usize] = extents;
        value
    }

    // Computations.

    /// An elementwise computation over `extents`. Array inputs of other shapes are broadcast to them (checked before);
    /// scalars stay scalars. Fresh results, one an output of the body, in K order of the array inputs.
    pub fn map(&mut self, extents: &[ValueId], inputs: &[ValueId], body: Body) -> Vec<ValueId> {
        let order = self.k_order(inputs);
        self.map_ordered(extents, inputs, body, order)
    }

    /// As [`Builder::map`], in a given order.
    pub fn map_ordered(&mut self, extents: &[ValueId], inputs: &[ValueId], body: Body, order: Order) -> Vec<ValueId> {
        let mut operands = extents.to_vec();
        operands.extend(self.broadcast_inputs(extents, inputs));
        let order = if extents.len() <= 1 { Order::C } else { order };
        let results = self.emit(OpKind::Map(Box::new(Map { rank: extents.len(), body, order })), operands);
        for result in &results {
            self.extents[result.0 as usize] = extents.to_vec();
        }
        results
    }

    fn broadcast_inputs(&mut self, extents: &[ValueId], inputs: &[ValueId]) -> Vec<ValueId> {
        let broadcast = |b: &mut Self, v: ValueId| if b.is_scalar(v) { v } else { b.broadcast_to(v, extents) };
        inputs.iter().map(|v| broadcast(self, *v)).collect()
    }

    /// K order of the array inputs.
    pub fn k_order(&self, inputs: &[ValueId]) -> Order {
        let arrays = (0..inputs.len()).filter(|n| !self.is_scalar(inputs[*n]));
        Order::K(arrays.map(OrderTerm::Input).collect())
    }

    /// Reduces the trailing `n_reduced` axes of `extents`. Inputs as in [`Builder::map`]; output `k` of the body feeds reducer `k`.
    pub fn reduce(
        &mut self,
        extents: &[ValueId],
        n_reduced: usize,
        inputs: &[ValueId],
        body: Body,
        reducers: &[Reducer],
        epilogue: Option<Body>,
    ) -> Vec<ValueId> {
        let rank = extents.len();
        let kept = &extents[..rank - n_reduced];
        let order = if kept.len() <= 1 { Order::C } else { self.k_order(inputs) };
        let mut operands = extents.to_vec();
        operands.extend(self.broadcast_inputs(extents, inputs));
        let reduce = Reduce { rank, n_reduced, body, reducers: reducers.to_vec(), epilogue, order };
        let results = self.emit(OpKind::Reduce(Box::new(reduce)), operands);
        for result in &results {
            self.extents[result.0 as usize] = kept.to_vec();
        }
        results
    }

    /// An array of undefined contents.
    pub fn alloc(&mut self, dtype: DType, extents: &[ValueId], order: Order) -> ValueId {
        let result = self.emit_one(OpKind::Alloc { dtype, order }, extents.to_vec());
        self.with_extents(result, extents.to_vec())
    }

    /// A host scalar as a rank-0 array.
    pub fn rank0(&mut self, scalar: ValueId) -> ValueId {
        let body = Body::identity(self.dtype(scalar));
        self.map(&[], &[scalar], body)[0]
    }

    /// The element of a rank-0 array on the host.
    pub fn item(&mut self, v: ValueId) -> ValueId {
        self.emit_one(OpKind::Item, vec![v])
    }

    /// Copies elements; same extents and dtype.
    pub fn assign(&mut self, destination: ValueId, source: ValueId) {
        self.emit(OpKind::Assign, vec![destination, source]);
    }
}
