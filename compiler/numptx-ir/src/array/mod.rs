//! Array IR: datatypes only. What they mean is told in the crate's documentation and, op by op, at [`OpKind`].
//!
//! A function is a tree of regions. Ops in a region run in order; values are visible in the rest of their region and in the
//! regions nested in later ops. Extents are host scalars (`i64`, SSA values), so equal extents are equal values.
//!
//! Phases tighten: see [`Phase`].

mod build;
mod computation;
pub mod interpret;
mod kind;
pub mod message;
pub mod parse;
pub mod print;
mod remark;
mod replay;
pub mod typing;
pub mod verify;

pub use build::{Builder, READ_ONLY_DESTINATION, READ_ONLY_OUTPUT, Snapshot, Writability};
pub use computation::{Compact, Map, Meeting, Nest, Order, OrderTerm, Reading, Reduce, Scan, Scatter, Store, TILE};
pub use kind::{ErrorKind, External, ObjectOp, OpKind, Sorting};
pub use remark::{Accumulation, Candidate, Dependence, DependenceKind, LoopStrategy, Reason, Remark, RemarkKind};
pub use replay::is_replayable;

use numptx_source::Span;

use crate::DType;
use crate::kernel::Kernel;
use crate::scalar::Constant;
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
    /// Kernels formed: no `map`, `reduce`, `scan`, nor their stores, no `scatter` and no `nest`. Fresh arrays come from `alloc`, `reuse`, `reshape`, and region
    /// results.
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
    /// Optimisation remarks of passes, in their order. For reports only; not part of the text form.
    pub remarks: Vec<Remark>,
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
    /// A list, a dictionary, a set or a string of run time, on the host: see [`numptx_abi::object`]. A reference, counted as a buffer's.
    Object,
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

impl Function {
    /// Adds a remark of a pass, once.
    pub fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.0 as usize].ty
    }

    /// The array type of a value, or `None` if it is a scalar.
    pub fn array(&self, value: ValueId) -> Option<ArrayType> {
        match self.ty(value) {
            Type::Array(array) => Some(array),
            Type::Scalar(_) | Type::Object => None,
        }
    }

    /// Whether a value refers to something that is counted: an array or an object.
    pub fn is_reference(&self, value: ValueId) -> bool {
        self.ty(value).is_reference()
    }

    /// A new value.
    pub fn add_value(&mut self, ty: Type) -> ValueId {
        self.values.push(ValueData { ty, name: None });
        ValueId(self.values.len() as u32 - 1)
    }
}

impl Type {
    /// Element type, or the scalar's own. Objects have none: they count as what no operation on elements takes for one, an address.
    pub fn dtype(self) -> DType {
        match self {
            Type::Scalar(dtype) => dtype,
            Type::Array(array) => array.dtype,
            Type::Object => DType::U64,
        }
    }

    /// Whether values of the type refer to something that is counted.
    pub fn is_reference(self) -> bool {
        !matches!(self, Type::Scalar(_))
    }
}
