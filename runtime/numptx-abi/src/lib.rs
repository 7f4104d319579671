//! The C interface between generated libraries, the runtime and the language bindings.
//!
//! A generated library holds one [`Module`] descriptor and no runtime. The runtime fills the module's
//! [`RuntimeTable`] slot when it is bound; generated code calls the runtime through that table only.
//! Bindings (Python, Rust, C) call a compiled function through [`RuntimeTable::invoke`].
//!
//! All strides and offsets are in bytes, all extents in elements. Every function returns a [`Status`]
//! and never unwinds. Every descriptor is immutable and lives as long as its library, slots excepted.

mod call;
pub mod half;
mod host;
mod math;
pub mod message;
mod module;
pub mod object;
mod operation;
mod python;
pub mod routine;
mod table;

pub use call::{
    AllocatorTable, Argument, Array, BufferInfo, Error, Frame, InvokeOptions, KernelFacts, LinkImage, LinkRequest,
    ListHead, ObjectCall, ObjectView, Operand, OwnerTable, PointerFacts, StreamInfo, Value, Watch,
};
pub use host::{HostChoice, HostCode, HostLevel, MathSlot, features};
pub use math::{MATH_TABLE_SYMBOL, MathTable, Matrix, MatrixOperand, Product, Rows, Transform};
pub use module::{
    Entry, Function, HostMap, HostReduce, HostReduceFinish, HostScan, Image, Kernel, Module, OperandInfo, Overload,
    Parameter, ResultNode, Source, source_hash,
};
pub use python::{PYTHON_CAPSULE, PythonTable};
pub use table::{Element, MemoryStats, RUNTIME_TABLE_SYMBOL, RuntimeTable};

/// What [`RuntimeTable::reshape`] does: one of the first three, and one of NumPy's orders.
pub mod reshaping {
    /// Other extents; a view where the strides allow it. In C or A order.
    pub const RESHAPE: u32 = 0;
    /// One axis; a view only where the elements lie in that order without gaps. In C, A or K order.
    pub const RAVEL: u32 = 1;
    /// The same extents; the array itself where its elements lie in that order without gaps. In C, F or A order.
    pub const CONTIGUOUS: u32 = 2;
    /// Elements of another dtype, other extents and strides: a view always. Behind the extents stand the strides in bytes, and the dtype's code stands in
    /// the bits from [`DTYPE_SHIFT`] on. Nothing is checked but that a device can address the elements.
    pub const STRIDED: u32 = 3;
    /// Where the dtype of [`STRIDED`] stands.
    pub const DTYPE_SHIFT: u32 = 8;
    /// The last index runs fastest.
    pub const C: u32 = 0;
    /// The first index runs fastest.
    pub const F: u32 = 4;
    /// F of an array that lies in F order and not in C order, else C.
    pub const A: u32 = 8;
    /// As the elements lie in memory; along axes of negative strides backwards.
    pub const K: u32 = 12;
}

/// What [`RuntimeTable::sort`] does with each row.
pub mod sorting {
    /// Puts the elements into ascending order, nans last; equal ones keep theirs.
    pub const VALUES: u32 = 0;
    /// Leaves the elements, and writes the indices, of `int64`, that put them into this order.
    pub const INDICES: u32 = 1;
    /// Writes those elements to their places that stand in the middle of the order, one or two, and a nan, if there is one, to the end; the others are not to
    /// be read.
    pub const MIDDLE: u32 = 2;
}

/// Raised when any layout or meaning in this crate changes: a generated library of another version is refused. A test of this crate notices
/// changed declarations.
pub const ABI_VERSION: u32 = 43;

/// The most axes that an array may have in compiled code (NumPy allows 64).
pub const MAX_RANK: usize = 16;

/// 0 is success; anything else is one of [`error_kind`], with the message in the call's [`Error`].
pub type Status = i32;

/// A runtime buffer: the only reference-counted object. Opaque to generated code and bindings, but that one which is a list, a dictionary, a set or a
/// string begins with the address of its [`ListHead`].
#[repr(C)]
pub struct Buffer {
    _private: [u8; 0],
}

/// One running call: its device, its stream, its error. Opaque to generated code.
#[repr(C)]
pub struct Call {
    _private: [u8; 0],
}

/// A stream as the runtime knows it: reference-counted, with its owner where another library made it. Null stands for the legacy default stream.
#[repr(C)]
pub struct Stream {
    _private: [u8; 0],
}

/// An event.
#[repr(C)]
pub struct Event {
    _private: [u8; 0],
}

/// A captured graph, and what it keeps alive.
#[repr(C)]
pub struct Graph {
    _private: [u8; 0],
}

/// Element types, as stored in descriptors.
pub mod dtype {
    /// One byte, 0 or 1.
    pub const BOOL: u8 = 0;
    /// Signed integers.
    pub const INT8: u8 = 1;
    /// 16 bits.
    pub const INT16: u8 = 2;
    /// 32 bits.
    pub const INT32: u8 = 3;
    /// 64 bits.
    pub const INT64: u8 = 4;
    /// Unsigned integers.
    pub const UINT8: u8 = 5;
    /// 16 bits.
    pub const UINT16: u8 = 6;
    /// 32 bits.
    pub const UINT32: u8 = 7;
    /// 64 bits.
    pub const UINT64: u8 = 8;
    /// IEEE binary32.
    pub const FLOAT32: u8 = 9;
    /// IEEE binary64.
    pub const FLOAT64: u8 = 10;
    /// Two binary32: real, imaginary.
    pub const COMPLEX64: u8 = 11;
    /// Two binary64: real, imaginary.
    pub const COMPLEX128: u8 = 12;
    /// IEEE binary16.
    pub const FLOAT16: u8 = 13;

    /// Bytes of one element, by code.
    pub const ITEMSIZE: [u8; 14] = [1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16, 2];
}

/// What went wrong: the exception that Python raises.
pub mod error_kind {
    use super::Status;
    /// No error.
    pub const OK: Status = 0;
    /// `ValueError`
    pub const VALUE: Status = 1;
    /// `IndexError`
    pub const INDEX: Status = 2;
    /// `ZeroDivisionError`
    pub const ZERO_DIVISION: Status = 3;
    /// `OverflowError`
    pub const OVERFLOW: Status = 4;
    /// `TypeError`
    pub const TYPE: Status = 5;
    /// `MemoryError`, on the host or on the device
    pub const MEMORY: Status = 6;
    /// `RuntimeError`
    pub const RUNTIME: Status = 7;
    /// `AssertionError`
    pub const ASSERTION: Status = 8;
    /// The interrupt callback asked to stop; the binding has its own exception pending.
    pub const INTERRUPTED: Status = 9;
    /// `numptx.CudaError`: the driver's name and text are in the message.
    pub const CUDA: Status = 10;
    /// `ArithmeticError`
    pub const ARITHMETIC: Status = 11;
    /// `FloatingPointError`
    pub const FLOATING_POINT: Status = 12;
    /// `KeyError`
    pub const KEY: Status = 13;
    /// `NotImplementedError`
    pub const NOT_IMPLEMENTED: Status = 14;
    /// `Exception`
    pub const EXCEPTION: Status = 15;
    /// `numpy.linalg.LinAlgError`, a `ValueError`
    pub const LIN_ALG: Status = 16;
    /// `RecursionError`
    pub const RECURSION: Status = 17;
    /// `AttributeError`
    pub const ATTRIBUTE: Status = 18;
    /// `UnboundLocalError`
    pub const UNBOUND_LOCAL: Status = 19;
    /// `KeyError`, whose message is the key as `repr` writes it, not a text that the program gave
    pub const KEY_REPR: Status = 20;
}
