//! Array IR: datatypes only. What they mean is told in the crate's documentation and, op by op, below.
//!
//! A function is a tree of regions. Ops in a region run in order; values are visible in the rest of their region and in the
//! regions nested in later ops. Extents are host scalars (`i64`, SSA values), so equal extents are equal values.
//!
//! Phases tighten: see [`Phase`].

mod build;
mod decision;
pub mod interpret;
pub mod message;
pub mod parse;
pub mod print;
pub mod typing;
pub mod verify;

pub use build::{Builder, Snapshot};
pub use decision::{Decision, DecisionKind, Dependence, DependenceKind, LoopWay, Reason};

use numptx_source::Span;

use crate::DType;
use crate::kernel::Kernel;
use crate::scalar::{Body, Code, Constant, Reducer, ScalarOp};
use crate::signature::Signature;

/// A value, printed `%n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// A kernel of the module, printed `@kn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelId(pub u32);

/// All functions of one source file, and from [`Phase::Host`] on their kernels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The module's name, as Python imports it.
    pub name: String,
    /// The module's docstring.
    pub docstring: Option<String>,
    /// One per overload and aliasing version.
    pub functions: Vec<Function>,
    /// Kernels launched by the functions.
    pub kernels: Vec<Kernel>,
    /// Exported globals: name, value, dtype, and whether it is a Python scalar.
    pub globals: Vec<Global>,
}

/// An exported scalar constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Constant,
    /// Its dtype.
    pub dtype: DType,
}

/// Which calls a function serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aliasing {
    /// Written parameters overlap no other parameter.
    NoAlias,
    /// Any two parameters may overlap.
    MayAlias,
}

/// How far a function has been lowered. Each phase allows less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// As `numptx-lower` leaves it: no `store`, `launch`, `retain`, `release`.
    Source,
    /// Stores placed: no `assign`. Every `store` is hazard-free: at each point it reads a written buffer only at the point's own element;
    /// a `store_reduce` reads no byte that it writes.
    Placed,
    /// Kernels formed: no `map`, `reduce`, `scan`, nor their stores, no `scatter` and no `nest`. Fresh arrays come from `alloc`, `reuse`, `reshape`, and region results.
    Host,
    /// Owned values are retained and released explicitly.
    Owned,
}

/// A function over leaves: scalars and arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// A unique identifier: `saxpy.0`, `saxpy.0.mayalias`.
    pub name: String,
    /// The exported overload that it implements.
    pub signature: Signature,
    /// Which calls it serves.
    pub aliasing: Aliasing,
    /// How far it is lowered.
    pub phase: Phase,
    /// The parameters, one a leaf of the signature.
    pub parameters: Vec<ValueId>,
    /// Every value's type and name.
    pub values: Vec<ValueData>,
    /// The body; it ends in `return`.
    pub body: Region,
    /// Loops whose iterations the user states to be independent, by the spans of their ops. Not part of the text form: without it a loop has to
    /// be proved independent.
    pub independent: Vec<Span>,
    /// What passes decided and why, in the order in which they did. For reports only; not part of the text form.
    pub decisions: Vec<Decision>,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// The Python name that it was first bound to, for reading.
    pub name: Option<String>,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A scalar on the host.
    Scalar(DType),
    /// An array.
    Array(ArrayType),
}

/// The type of an array value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// Element type.
    pub dtype: DType,
    /// Number of axes; at most 16.
    pub rank: usize,
    /// What is known of its strides.
    pub layout: Layout,
    /// Whether it may be written. Broadcast views may not; parameters' run-time flag is checked at the call.
    pub writable: bool,
}

/// What is known of an array's strides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// C-contiguous.
    C,
    /// F-contiguous.
    F,
    /// Anything.
    Any,
}

/// Ops in order. Function bodies end in `return`, other regions in `yield`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Values defined by the op that owns the region: the induction variable, carried values.
    pub parameters: Vec<ValueId>,
    /// The ops.
    pub ops: Vec<Op>,
}

/// One op.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// What it does.
    pub kind: OpKind,
    /// The values it uses.
    pub operands: Vec<ValueId>,
    /// The values it defines.
    pub results: Vec<ValueId>,
    /// Nested regions.
    pub regions: Vec<Region>,
    /// The source text that it stands for.
    pub span: Span,
}

/// The exception that a failed check raises; the discriminants are the ABI's `error_kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum ErrorKind {
    Value = 1,
    Index = 2,
    ZeroDivision = 3,
    Overflow = 4,
    Type = 5,
    Memory = 6,
    Runtime = 7,
    Assertion = 8,
    Arithmetic = 11,
    FloatingPoint = 12,
    Key = 13,
    NotImplemented = 14,
    Exception = 15,
    LinAlg = 16,
}

/// The memory order of a fresh array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Row-major.
    C,
    /// Column-major.
    F,
    /// NumPy's K order of these terms: axes sorted by descending |stride|, zero strides abstaining, C order where terms disagree. Of one term
    /// [`OrderTerm::Copy`]: that copy's own order.
    K(Vec<OrderTerm>),
}

/// In which order the elements of an existing array are taken: NumPy's `order=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The last index runs fastest.
    C,
    /// The first index runs fastest.
    F,
    /// `F` of an array that lies in F order and not in C order, else `C`.
    A,
    /// As they lie in memory; along axes of negative strides backwards.
    K,
}

/// One input of the K-order rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OrderTerm {
    /// Array input `n` of the op (counted among its inputs, extents not counted).
    Input(usize),
    /// A fresh array that fusion removed, itself in K order of its terms. It had no stride 0, so it abstains along axes of extent 1 only.
    Fresh {
        /// Array input that has the extents of the removed array, with an axis of extent 1 for each that it got later; `None` if these are the
        /// result's, or those of the removed array whose term this is.
        like: Option<usize>,
        /// What the removed array was computed from.
        terms: Vec<OrderTerm>,
    },
    /// A copy of array input `n`, without gaps: the axes by descending |stride|, of equal ones the first outermost. It abstains nowhere: axes
    /// along which the input repeats elements lie innermost. Source: `PyArray_NewLikeArray`.
    Copy(usize),
    /// Array input `n`, put beside others as `concatenate` does: it abstains along axes where its own extent is 1, though not along those where
    /// it repeats elements, which lie innermost. Source: `PyArray_CreateMultiSortedStridePerm`.
    Joined(usize),
}

/// An elementwise computation. Operands: `rank` extents, then inputs, then the tables that the body reads elements of.
///
/// An array input has exactly these extents (broadcasts are explicit views); a scalar input is the same at every point. A table is an array of
/// any shape: the body says which of its elements it reads.
/// One result per output of the body, each fresh, of the same extents. Pure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point.
    pub body: Body,
    /// Memory order of the results.
    pub order: Order,
}

/// A reduction. Operands: `rank` extents (kept axes, then `n_reduced` reduced ones), then inputs as in [`Map`].
///
/// One fresh result per reducer, over the kept axes, in `order` of the inputs' kept axes. Pure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    /// Axes of the iteration space.
    pub rank: usize,
    /// Trailing axes that are reduced; they keep NumPy's C iteration order.
    pub n_reduced: usize,
    /// What is computed at each point; output `k` feeds reducer `k`.
    pub body: Body,
    /// The reducers.
    pub reducers: Vec<Reducer>,
    /// Computed from the reduced values (input `k` is reducer `k`'s result); its outputs are the op's results.
    /// `None`: the reduced values themselves.
    pub epilogue: Option<Body>,
    /// Memory order of the results.
    pub order: Order,
}

/// Running totals along one axis. Operands: `rank` extents, then inputs as in [`Map`].
///
/// One fresh result of these extents: at each index the reducer's value of the body's outputs at all indices along `axis` up to and including
/// this one. Pure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scan {
    /// Axes of the iteration space.
    pub rank: usize,
    /// The axis that is run along.
    pub axis: usize,
    /// What is computed at each point: one output.
    pub body: Body,
    /// How outputs are combined; not positional.
    pub reducer: Reducer,
    /// Computed from each running total; its one output is the result. `None`: the total itself.
    pub epilogue: Option<Body>,
    /// Memory order of the result.
    pub order: Order,
}

/// An elementwise computation written to existing views. Operands: `rank` extents, one destination per output, then inputs.
///
/// Destinations have exactly these extents and are injective. Hazard-free: see [`Phase::Placed`]. Writes its destinations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point; output `k` goes to destination `k`.
    pub body: Body,
}

/// An elementwise computation written to elements that it computes itself. Operands: `rank` extents, the destination, inputs, tables.
///
/// The body's outputs are a value, then one index an axis of the destination, then, if there is one more, a bool: whether the point writes at
/// all. Indices of points that write are in range. As if the points ran one after the other in C order: the last one that writes an element wins.
/// A table that is the destination itself is read as the points before left it; whatever else it reads is as if it had been copied before.
/// Writes its destination.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scatter {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point.
    pub body: Body,
    /// Whether no two points write one element, and no table is the destination: then points run in any order.
    pub is_apart: bool,
}

/// A structured program run at every index of an iteration space. Operands: `rank` extents, the tables that the code stores to, the tables that
/// it only loads from, its scalar operands.
///
/// Tables are arrays of any shape. Points run in any order or at once: no point stores to an element that another one loads or stores. An element
/// that is stored to is met through one table only; tables that are only loaded from may overlap, or be one array. Indices are in range. Without
/// axes there is one point: a sequential program. Writes the tables that the code stores to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nest {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is run at each point.
    pub code: Code,
}

/// What an op does. Operands are given in order; «v» is an array, everything else a host scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum OpKind {
    // Host scalars; pure.
    /// () → a constant.
    Constant(Constant),
    /// A scalar operation on the host; `Cast`'s target is the result's dtype.
    Scalar(ScalarOp),
    /// (v) → its extent along an axis, `i64`.
    Dim(usize),
    /// (v) → bytes from one of its elements to the next along an axis, `i64`.
    Stride(usize),
    /// ([lower], [upper], step, extent) → (start, length): Python's slice normalisation; step is not 0 (checked before).
    /// Start is in range when length > 0.
    SliceBounds {
        /// Whether `lower` is given.
        lower: bool,
        /// Whether `upper` is given.
        upper: bool,
    },
    /// (a, b) → the broadcast extent: the other one if either is 1; otherwise they are equal (checked before).
    BroadcastExtent,
    /// (written v, read v) → `bool`: whether writing an element at each index of the first could change what another index reads of the
    /// second. False where they share no byte, or are the same elements at the same indices and no two of these share a byte; may be true in
    /// spite of that. Depends on where arrays lie, not on what they hold.
    Overlap,
    /// (condition, payload…): raises unless the condition holds. Each placeholder of the message takes the next payload: see
    /// [`message`].
    /// Ordered with writes and other checks.
    Check {
        /// The exception.
        kind: ErrorKind,
        /// The message.
        message: String,
    },

    // Views; pure, no data moves.
    /// (v, start, length, step) along an axis. In range.
    Slice {
        /// The axis.
        axis: usize,
    },
    /// (v, i): drops the axis. In range: 0 ≤ i < extent; elsewhere nothing is read through the result.
    Index {
        /// The axis.
        axis: usize,
    },
    /// (v): inserts an axis of extent 1 before `axis`.
    NewAxis {
        /// Its position in the result.
        axis: usize,
    },
    /// (v): removes an axis of extent 1 (checked before).
    DropAxis {
        /// The axis.
        axis: usize,
    },
    /// (v): result axis `k` is axis `permutation[k]`.
    Permute {
        /// The permutation.
        permutation: Vec<usize>,
    },
    /// (v, extents…): to at least v's rank, right-aligned; stride 0 for new axes and where v's extent is 1.
    /// Each extent is v's or v's is 1 (checked before). The result is not writable.
    Broadcast,
    /// (v): the real or imaginary parts of a complex array, as a view.
    Part {
        /// Imaginary or real.
        imaginary: bool,
    },
    /// (v): the elements at which the indices of two axes of equal extents agree; those axes give way to one, which stands last.
    Diagonal {
        /// The two axes.
        axes: [usize; 2],
    },
    /// (v, count, length): windows of `length` neighbours along an axis, one starting at each of the first `count` elements; they run
    /// along a new last axis. In range: count + length - 1 does not exceed the extent, unless one of them is 0. Windows share elements:
    /// the result is not writable.
    Windows {
        /// The axis.
        axis: usize,
    },
    /// (v): the same elements, not writable.
    ReadOnly,

    // Fresh or owned arrays.
    /// (v, extents…): the elements in an order, `C` or `A`, under other extents: a view where the strides allow it, else a copy; owned
    /// either way. Sizes are equal (checked before).
    Reshape(Reading),
    /// (v, size): the elements along one axis in an order, `C`, `A` or `K`: a view where v lies so without gaps, else a copy; owned either way.
    Ravel(Reading),
    /// (v): itself where it lies in an order, `C`, `F` or `A`, without gaps, else a copy that does; owned either way.
    Contiguous(Reading),
    /// (extents…, v…): an array of undefined contents. The arrays are the terms of a K order.
    Alloc {
        /// Element type.
        dtype: DType,
        /// Memory order.
        order: Order,
    },
    /// (v, extents…, w…): as `alloc` of the extents and `w…`, but in v's memory where that is possible: nobody else holds a reference to
    /// v's buffer, it is no caller's, and v covers it just as the new array does (first byte, extents, strides, size). Owned either way.
    /// v has the result's rank and element size, and its contents are the result's from then on: see `A26` of the verifier.
    Reuse {
        /// Element type.
        dtype: DType,
        /// Memory order.
        order: Order,
    },
    /// See [`Map`].
    Map(Box<Map>),
    /// See [`Reduce`].
    Reduce(Box<Reduce>),
    /// See [`Scan`].
    Scan(Box<Scan>),

    // Memory.
    /// (destination, source): copies elements; same extents and dtype. As if the source were copied first. Writes the destination.
    Assign,
    /// See [`Store`].
    Store(Box<Store>),
    /// See [`Scatter`].
    Scatter(Box<Scatter>),
    /// See [`Nest`].
    Nest(Box<Nest>),
    /// (extents…, destinations…, inputs…): a [`Reduce`] whose results are written to views of exactly the kept extents, one a result.
    StoreReduce(Box<Reduce>),
    /// (extents…, destination, inputs…): a [`Scan`] whose result is written to a view of exactly these extents.
    StoreScan(Box<Scan>),
    /// (v of rank 0) → its element as a host scalar. Waits for the device.
    Item,

    // Control flow.
    /// (condition): regions then, else; results are what they yield.
    If,
    /// (lower, upper, step, initial…): for i in range(lower, upper, step); step is not 0. Region (i, carried…) yields carried.
    /// Results: the last carried values.
    For,
    /// (initial…): regions (carried…) yields condition, and (carried…) yields carried. Results: the carried values when the condition fails.
    While,
    /// (values…): ends a nested region.
    Yield,
    /// (leaves…): ends the function.
    Return,

    // Host program.
    /// (extents…, arrays…, scalars…): runs a kernel; arrays and scalars as its signature lists them. Writes the kernel's written operands.
    Launch(KernelId),
    /// (v): adds a reference to v's buffer.
    Retain,
    /// (v): drops a reference to v's buffer. v is owned.
    Release,
}

impl Function {
    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.0 as usize].ty
    }

    /// The array type of a value, or `None` if it is a scalar.
    pub fn array(&self, value: ValueId) -> Option<ArrayType> {
        match self.ty(value) {
            Type::Array(array) => Some(array),
            Type::Scalar(_) => None,
        }
    }

    /// A new value.
    pub fn add_value(&mut self, ty: Type) -> ValueId {
        self.values.push(ValueData { ty, name: None });
        ValueId(self.values.len() as u32 - 1)
    }
}

impl Type {
    /// Element type, or the scalar's own.
    pub fn dtype(self) -> DType {
        match self {
            Type::Scalar(dtype) => dtype,
            Type::Array(array) => array.dtype,
        }
    }
}

impl Reduce {
    /// Number of results.
    pub fn n_results(&self) -> usize {
        self.epilogue.as_ref().map_or(self.reducers.len(), |epilogue| epilogue.outputs.len())
    }

    /// Dtypes of the results; `None` where a reducer is not defined on its element.
    pub fn result_dtypes(&self) -> Option<Vec<DType>> {
        let elements = self.body.outputs.iter().map(|v| self.body.dtype(*v));
        let reduced: Option<Vec<DType>> = self.reducers.iter().zip(elements).map(|(r, d)| r.result(d)).collect();
        Some(match &self.epilogue {
            Some(epilogue) => epilogue.output_dtypes(),
            None => reduced?,
        })
    }
}

impl Scan {
    /// Dtype of the result; `None` where the reducer is not defined on the element, or a body has no output.
    pub fn result_dtype(&self) -> Option<DType> {
        let element = self.body.outputs.first().map(|v| self.body.dtype(*v))?;
        let total = self.reducer.result(element)?;
        match &self.epilogue {
            Some(epilogue) => epilogue.outputs.first().map(|v| epilogue.dtype(*v)),
            None => Some(total),
        }
    }
}

impl OpKind {
    /// Which operands an `assign`, a store of any sort or a `nest` writes; `None` for other ops.
    pub fn destinations(&self) -> Option<std::ops::Range<usize>> {
        let (rank, n) = match self {
            OpKind::Assign => (0, 1),
            OpKind::Store(store) => (store.rank, store.body.outputs.len()),
            OpKind::StoreReduce(reduce) => (reduce.rank, reduce.n_results()),
            OpKind::StoreScan(scan) => (scan.rank, 1),
            OpKind::Scatter(scatter) => (scatter.rank, 1),
            OpKind::Nest(nest) => (nest.rank, nest.code.n_written()),
            _ => return None,
        };
        Some(rank..rank + n)
    }

    /// Whether the op may be moved, shared and dropped: no effect, and no dependence on memory.
    pub fn is_pure_scalar_or_view(&self) -> bool {
        use OpKind::*;
        matches!(self, Constant(_) | Scalar(_) | Dim(_) | Stride(_) | SliceBounds { .. } | BroadcastExtent | Overlap)
            || self.is_view()
    }

    /// Whether the result is a view of the first operand: borrowed, with the same root.
    pub fn is_view(&self) -> bool {
        use OpKind::*;
        matches!(
            self,
            Slice { .. }
                | Index { .. }
                | NewAxis { .. }
                | DropAxis { .. }
                | Permute { .. }
                | Broadcast
                | Part { .. }
                | Diagonal { .. }
                | Windows { .. }
                | ReadOnly
        )
    }

    /// Whether the result is owned and either a view of the first operand or a copy.
    pub fn is_view_or_copy(&self) -> bool {
        matches!(self, OpKind::Reshape(_) | OpKind::Ravel(_) | OpKind::Contiguous(_))
    }

    /// Whether the op writes memory that was visible before it.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            OpKind::Assign
                | OpKind::Store(_)
                | OpKind::StoreReduce(_)
                | OpKind::StoreScan(_)
                | OpKind::Scatter(_)
                | OpKind::Nest(_)
                | OpKind::Launch(_)
        )
    }

    /// Whether the op ends a region.
    pub fn is_terminator(&self) -> bool {
        matches!(self, OpKind::Yield | OpKind::Return)
    }
}
