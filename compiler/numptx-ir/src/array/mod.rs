//! Array IR: datatypes only. What they mean is told in the crate's documentation and, op by op, below.
//!
//! A function is a tree of regions. Ops in a region run in order; values are visible in the rest of their region and in the
//! regions nested in later ops. Extents are host scalars (`i64`, SSA values), so equal extents are equal values.
//!
//! Phases tighten: see [`Phase`].

mod build;
mod computation;
mod decision;
pub mod interpret;
pub mod message;
pub mod parse;
pub mod print;
mod replay;
pub mod typing;
pub mod verify;

pub use build::{Builder, READ_ONLY_DESTINATION, READ_ONLY_OUTPUT, Snapshot, Writability};
pub use computation::{Map, Meeting, Nest, Order, OrderTerm, Reading, Reduce, Scan, Scatter, Store};
pub use decision::{Decision, DecisionKind, Dependence, DependenceKind, LoopWay, Reason};
pub use replay::is_replayable;

use numptx_source::Span;

use crate::DType;
use crate::kernel::Kernel;
use crate::scalar::{Constant, ScalarOp};
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
    /// Whether it is a *routine*: called by functions of the module, itself included, and not exported. Any two of its array
    /// parameters may overlap.
    pub is_routine: bool,
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
    Recursion = 17,
    Attribute = 18,
    UnboundLocal = 19,
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
    /// (v) → `bool`: whether it may be written. Its type tells of every path at once: an array that one path made read-only is not writable, and
    /// yet may be written on the others.
    IsWritable,
    /// (v, v) → `bool`: whether both show one buffer. Where the second is made of the first by `reshape`: whether that is a view.
    SameBuffer,
    /// (points, row) → `bool`: whether the runtime runs a loop, whose largest step has so many points, and a point of which sums up so many elements in one
    /// thread where a kernel has threads for them, as one launch. Either answer is right: where it
    /// is false, the loop starts its kernels from the host. Depends on where the call computes.
    OneLaunch,
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
    /// (v): the same elements, writable. v may be written: checked before, with [`OpKind::IsWritable`].
    Writable,

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
    /// (v of rank 0, …) → their elements as host scalars. Waits for the device, once.
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

    /// (leaves…): calls a routine of the module; results are what it returns, arrays that are owned. Ordered with writes and checks.
    Call {
        /// The routine's name.
        routine: String,
        /// The operands, arrays all, to which the routine may write.
        written: Vec<usize>,
        /// The operands, arrays all, of which results may be views. Results may be views of each other, too.
        viewed: Vec<usize>,
    },

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

impl OpKind {
    /// Which operands an `assign`, a store of any sort or a `nest` writes; `None` for other ops.
    pub fn destinations(&self) -> Option<std::ops::Range<usize>> {
        let (rank, n) = match self {
            OpKind::Assign => (0, 1),
            OpKind::Store(store) => (store.rank, store.body.outputs.len()),
            OpKind::StoreReduce(reduce) => (reduce.rank, reduce.n_results()),
            OpKind::StoreScan(scan) => (scan.rank, 1),
            OpKind::Scatter(scatter) => (scatter.rank, scatter.n_destinations),
            OpKind::Nest(nest) => (nest.rank, nest.code.n_written()),
            _ => return None,
        };
        Some(rank..rank + n)
    }

    /// Whether the op may be moved, shared and dropped: no effect, and no dependence on memory.
    pub fn is_pure_scalar_or_view(&self) -> bool {
        use OpKind::*;
        matches!(
            self,
            Constant(_)
                | Scalar(_)
                | Dim(_)
                | Stride(_)
                | SliceBounds { .. }
                | BroadcastExtent
                | Overlap
                | IsWritable
                | SameBuffer
                | OneLaunch
        ) || self.is_view()
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
                | Writable
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
                | OpKind::Call { .. }
        )
    }

    /// Whether the op ends a region.
    pub fn is_terminator(&self) -> bool {
        matches!(self, OpKind::Yield | OpKind::Return)
    }
}
