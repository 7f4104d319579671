//! What each op of the array IR does, and which classes of ops there are.

use numptx_abi::object::{self, Operation, Part};
use numptx_abi::routine;

use super::KernelId;
use super::computation::{Compact, Map, Nest, Order, Reading, Reduce, Scan, Scatter, Store};
use crate::DType;
use crate::scalar::{Constant, ScalarOp};

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
    /// `KeyError` whose message is the key as `repr` writes it: what operations on objects raise.
    KeyRepr = 20,
}

/// What [`OpKind::Sort`] does with each row. Nans are last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sorting {
    /// Puts the elements into ascending order; equal ones keep theirs.
    Values,
    /// Finds the indices that do so.
    Indices,
    /// Brings one or two elements in the middle of this order to their places, and a nan, if there is one, to the end.
    Middle,
}

impl Sorting {
    /// All of them.
    pub const ALL: [Sorting; 3] = [Sorting::Values, Sorting::Indices, Sorting::Middle];

    /// The word in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Sorting::Values => "values",
            Sorting::Indices => "indices",
            Sorting::Middle => "middle",
        }
    }
}

/// A routine of [`numptx_abi::routine`]: its code, and its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct External {
    /// A code of the table.
    pub routine: u32,
    /// What its description says.
    pub flags: u32,
}

impl External {
    /// The routine of a name.
    pub fn named(name: &str, flags: u32) -> Option<External> {
        let routine = routine::NAMES.iter().position(|own| *own == name)?;
        Some(External { routine: routine as u32, flags })
    }

    /// The word in the text form.
    pub fn name(self) -> &'static str {
        routine::NAMES.get(self.routine as usize).copied().unwrap_or("none")
    }

    /// How many arrays it takes.
    pub fn n_operands(self) -> usize {
        routine::operands(self.routine).0
    }

    /// How many of these, the first ones, it writes.
    pub fn n_written(self) -> usize {
        routine::operands(self.routine).1
    }
}

/// An operation on objects of the host: [`numptx_abi::object`] says what each takes, does and gives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectOp {
    /// A code of the table.
    pub operation: u32,
    /// What the table says: what the members are of an object that is made, or the leaves that are taken; a literal's text; else empty.
    pub layout: Vec<u8>,
}

impl ObjectOp {
    /// Its row of the table; that of the first operation where there is none, which the verifier does not let pass.
    pub fn row(&self) -> &'static Operation {
        object::operation(self.operation).unwrap_or(&object::OPERATIONS[0])
    }

    /// Whether it changes the list, dictionary or set that is its first operand.
    pub fn changes(&self) -> bool {
        const VERBS: &[&str] = &[
            "add",
            "append",
            "appendleft",
            "clear",
            "delete",
            "delete_slice",
            "discard",
            "extend",
            "extendleft",
            "insert",
            "pop",
            "popitem",
            "remove",
            "remove_at",
            "repeat_in_place",
            "reverse",
            "rotate",
            "set",
            "set_slice",
            "set_value",
            "sort",
            "sort_by",
            "update",
            "update_keys",
            "update_list",
            "difference_update",
            "intersection_update",
            "symmetric_difference_update",
            "spawn",
            "reseed",
            "advance",
            "draw_float",
            "draw_count",
            "draw_array",
            "draw_integer",
            "draw_integers",
            "draw_order",
            "draw_sample",
            "draw_several",
        ];
        let is_first = |part: &Part| matches!(part, Part::List | Part::Dict | Part::Set);
        let row = self.row();
        row.operands.first().is_some_and(is_first)
            && row.name.split_once('_').is_some_and(|(_, verb)| VERBS.contains(&verb))
    }

    /// Whether what it gives holds nothing that its operands are or hold: numbers, strings, arrays of lists, lists of arrays
    /// and arrays of draws.
    pub fn copies(&self) -> bool {
        let is_plain = |part: &Part| matches!(part, Part::Str | Part::Int | Part::Bool | Part::Float);
        let converts =
            matches!(self.operation, object::LIST_TO_ARRAY | object::LIST_FROM_ARRAY | object::RANDOM_DRAW_ARRAY);
        converts || !self.row().results.is_empty() && self.row().results.iter().all(is_plain)
    }
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
    /// (points, row, rounds) → `bool`: whether the runtime runs a loop as one launch. The loop's largest step has so many points, and a point of it sums up so
    /// many elements in one thread where a kernel has threads for them. Either answer is right: where it is false, the loop starts its kernels from the host.
    /// Of fewer than 0 rounds: whether loops in it, of `-rounds` iterations whose largest step has `row` points, are launches of their own. Depends on where
    /// the call computes.
    OneLaunch,
    /// (rows, width, held) → `bool`: whether the runtime runs a kernel of rows, of so many rows of so many elements, of which a thread holds so many. Either
    /// answer is right. Depends on where the call computes.
    OneRead,
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
    /// (v, count, length): an axis as two: `count` rows, one behind the other, of `length` neighbours each; these run along a new axis behind it.
    /// In range: both are at least 0, and count · length does not exceed the extent.
    Split {
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
    /// (v, extents…, strides…): elements of a dtype from v's first byte on, so many bytes apart along each axis; a view always, owned. It shows bytes of v's
    /// elements alone (checked before).
    Strided {
        /// Element type.
        dtype: DType,
    },
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
    /// See [`Compact`].
    Compact(Box<Compact>),
    /// See [`Nest`].
    Nest(Box<Nest>),
    /// (extents…, destinations…, inputs…): a [`Reduce`] whose results are written to views of exactly the kept extents, one a result.
    StoreReduce(Box<Reduce>),
    /// (extents…, destination, inputs…): a [`Scan`] whose result is written to a view of exactly these extents.
    StoreScan(Box<Scan>),
    /// (v of rank 0, …) → their elements as host scalars. Waits for the device, once.
    Item,
    /// (v), or (v, order) → `bool`: whether the runtime has sorted the rows of v along its last axis. Where it is false nothing was written, and either answer
    /// is right. Depends on where the call computes. Writes v, or of [`Sorting::Indices`] the order alone, an array of `i64` of v's extents.
    Sort(Sorting),
    /// (written…, read…) → `i64`: runs a routine of a library, and what it answers, as [`numptx_abi::routine`] says. Written arrays share no memory with
    /// others.
    External(External),
    /// (objects, arrays, scalars…) → what the operation gives: see [`ObjectOp`]. Ordered with writes, checks and other operations on objects.
    Object(Box<ObjectOp>),

    // Control flow.
    /// (condition): regions then, else; results are what they yield.
    If,
    /// (lower, upper, step, initial…): for i in range(lower, upper, step); step is not 0. Region (i, carried…) yields carried.
    /// Results: the last carried values.
    For,
    /// (initial…): regions (carried…) yields condition, and (carried…) yields carried. Results: the carried values when the condition fails.
    While,
    /// (): runs its region, which yields values. Results: whether it ended (`bool`), then what it yielded. Where anything in it raises, its effects up to
    /// there stay, `caught` gives the exception, and the other results are only there to be released.
    Try,
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
    /// (v): adds a reference to v's buffer, or to the object v.
    Retain,
    /// (v): drops a reference to v's buffer, or to the object v. v is owned.
    Release,
}

impl OpKind {
    /// Which operands an `assign`, a store of any sort, a `nest`, a `sort` or an `external` writes; `None` for other ops.
    pub fn destinations(&self) -> Option<std::ops::Range<usize>> {
        let (rank, n) = match self {
            OpKind::Assign => (0, 1),
            OpKind::Store(store) => (store.rank, store.body.outputs.len()),
            OpKind::StoreReduce(reduce) => (reduce.rank, reduce.n_results()),
            OpKind::StoreScan(scan) => (scan.rank, 1),
            OpKind::Scatter(scatter) => (scatter.rank, scatter.n_destinations),
            OpKind::Compact(compact) => (compact.rank, compact.n_written()),
            OpKind::Nest(nest) => (nest.rank, nest.code.n_written()),
            OpKind::Sort(Sorting::Indices) => (1, 1),
            OpKind::Sort(_) => (0, 1),
            OpKind::External(external) => (0, external.n_written()),
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
                | OneRead
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
                | Split { .. }
                | ReadOnly
                | Writable
        )
    }

    /// Whether the result is owned and either a view of the first operand or a copy. Of [`OpKind::Strided`] it is a view always, which no pass needs to know.
    pub fn is_view_or_copy(&self) -> bool {
        matches!(self, OpKind::Reshape(_) | OpKind::Ravel(_) | OpKind::Contiguous(_) | OpKind::Strided { .. })
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
                | OpKind::Compact(_)
                | OpKind::Nest(_)
                | OpKind::Sort(_)
                | OpKind::External(_)
                | OpKind::Launch(_)
                | OpKind::Call { .. }
        )
    }

    /// Whether the op ends a region.
    pub fn is_terminator(&self) -> bool {
        matches!(self, OpKind::Yield | OpKind::Return)
    }
}
