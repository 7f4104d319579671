//! What passes at a call: arrays, scalars, arguments, errors.

use core::ffi::{c_char, c_void};

use crate::{Buffer, MAX_RANK, Status, Stream};

/// A view: by value, never reference-counted itself.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// The buffer that holds the elements. Whether a reference travels with it is stated where it is passed.
    pub buffer: *mut Buffer,
    /// Bytes from the buffer's first byte to element `[0, …, 0]`.
    pub offset: i64,
    /// Number of axes.
    pub rank: u32,
    /// A code of [`crate::dtype`].
    pub dtype: u32,
    /// Extents; the first `rank` count.
    pub shape: [i64; MAX_RANK],
    /// Strides in bytes; the first `rank` count.
    pub strides: [i64; MAX_RANK],
}

/// One leaf of the arguments or results of an [`crate::Entry`].
///
/// Arguments: a scalar in `bits`, or an array whose buffer is borrowed for the call.
/// Results: a scalar in `bits`, or an array whose buffer carries one reference for the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// [`Value::NONE`], [`Value::SCALAR`], [`Value::ARRAY`] or [`Value::OBJECT`].
    pub kind: u32,
    /// A code of [`crate::dtype`], for scalars and arrays.
    pub dtype: u32,
    /// Results only. The argument leaf that this result views, or -1. Generated code writes the leaf of a result that is a
    /// parameter's object, and -1 otherwise; after [`crate::RuntimeTable::invoke`] every view of an argument names it.
    pub parameter: i32,
    /// Results only: 1 if the result is the very object passed as argument `parameter`.
    pub identity: u32,
    /// The scalar: integers sign- or zero-extended to 64 bits, floats and complex parts as their own bits
    /// (a float32 occupies the low 32 bits), the imaginary part in `bits[1]`. Of an array result that is [`crate::ResultNode::NUMBERED`]
    /// the first word is the number of its object.
    pub bits: [u64; 2],
    /// The array.
    pub array: Array,
    /// After `invoke`: address of element `[0, …, 0]`, in host or device memory; null for an empty array without memory.
    pub data: *mut c_void,
    /// After `invoke`: -1 for host memory, otherwise the CUDA device's ordinal.
    pub device: i32,
    /// Results only. 1: a view through which nothing may be written, whatever its argument allows (a broadcast).
    pub read_only: u32,
}

impl Value {
    /// Nothing: Python's `None`.
    pub const NONE: u32 = 0;
    /// A scalar.
    pub const SCALAR: u32 = 1;
    /// An array.
    pub const ARRAY: u32 = 2;
    /// A list, a dictionary, a set or a string: `array.buffer` is the object, nothing else of `array` is read.
    pub const OBJECT: u32 = 3;
}

/// One argument leaf as a binding passes it to [`crate::RuntimeTable::invoke`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// [`Value::NONE`], [`Value::SCALAR`], [`Value::ARRAY`] or [`Value::OBJECT`].
    pub kind: u32,
    /// A code of [`crate::dtype`].
    pub dtype: u32,
    /// The scalar, as in [`Value::bits`].
    pub bits: [u64; 2],
    /// The array's rank, shape and strides. If `array.buffer` is not null the elements lie in that runtime buffer at
    /// `array.offset`, and `data`, `device` are ignored; otherwise they lie at `data`, in the caller's memory.
    pub array: Array,
    /// Address of element `[0, …, 0]` in foreign memory.
    pub data: *mut c_void,
    /// -1: host memory; otherwise the CUDA device's ordinal.
    pub device: i32,
    /// 1: writing is refused.
    pub read_only: u32,
    /// The CUDA stream on which the producer of device memory works: the call runs after what it was given, and it goes on after the call;
    /// null: none.
    pub stream: *mut c_void,
    /// Device memory without a buffer only. What keeps the memory, which a graph that captures the call holds as long as it lives; null: the
    /// caller keeps it as long.
    pub owner: *mut c_void,
    /// The functions of `owner`; not read where that is null.
    pub owner_table: *const OwnerTable,
}

/// How a call is to be made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InvokeOptions {
    /// [`InvokeOptions::AUTO`], [`InvokeOptions::CPU`], or a CUDA device's ordinal.
    pub device: i32,
    /// 1: results of a device call stay in device memory. 0: results come back to the host unless an argument lives on the device.
    pub results_on_device: u32,
    /// The stream to run on, borrowed for the call; null: the legacy default stream. If it is being captured, the call becomes part of the graph.
    pub stream: *mut Stream,
    /// Called now and then during long calls, without any lock held; non-zero stops the call with `INTERRUPTED`. May be null.
    pub interrupt: Option<unsafe extern "C" fn(*mut c_void) -> i32>,
    /// Passed to `interrupt`.
    pub interrupt_data: *mut c_void,
}

impl InvokeOptions {
    /// Compute where the arrays live; host arrays go to a GPU only where the cost model says that it wins.
    pub const AUTO: i32 = -2;
    /// Compute on the CPU.
    pub const CPU: i32 = -1;
}

/// How a foreign owner of memory is kept and let go. Both may be called on any thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OwnerTable {
    /// Adds a reference.
    pub retain: unsafe extern "C" fn(*mut c_void),
    /// Drops a reference.
    pub release: unsafe extern "C" fn(*mut c_void),
}

/// A source of device memory, in the order of streams. All may be called on any thread, with the device's context current. `stream` is the driver's
/// handle; 0: the default stream.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AllocatorTable {
    /// The first argument of each function.
    pub data: *mut c_void,
    /// Memory of at least one byte, at a multiple of 256. A failure of [`crate::error_kind::MEMORY`] is tried again when memory has been given back.
    pub allocate: unsafe extern "C" fn(
        data: *mut c_void,
        bytes: usize,
        device: i32,
        stream: *mut c_void,
        out: *mut u64,
        *mut Error,
    ) -> Status,
    /// Takes it back.
    pub deallocate:
        unsafe extern "C" fn(data: *mut c_void, pointer: u64, bytes: usize, device: i32, stream: *mut c_void),
    /// Called once, when the source is not chosen any more and has all its memory back.
    pub release: unsafe extern "C" fn(data: *mut c_void),
}

/// What the driver knows of an address.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PointerFacts {
    /// One of this structure's kinds.
    pub kind: u32,
    /// The device that the memory belongs to; -1: not known.
    pub device: i32,
}

impl PointerFacts {
    /// No memory that the driver knows.
    pub const UNKNOWN: u32 = 0;
    /// Page-locked memory of the host, which devices reach.
    pub const HOST: u32 = 1;
    /// Memory of a device.
    pub const DEVICE: u32 = 2;
    /// Memory that goes where it is used, on the host or a device.
    pub const MANAGED: u32 = 3;
}

/// What a call failed with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// One of [`crate::error_kind`].
    pub kind: Status,
    /// UTF-8, null-terminated, cut at a character boundary.
    pub message: [c_char; 1020],
}

/// An operand of a launch: where element `[0, …, 0]` of the iteration space lies, and how it moves along each axis.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Borrowed.
    pub buffer: *mut Buffer,
    /// Bytes from the buffer's first byte.
    pub offset: i64,
    /// Bytes per step, one entry an axis of the kernel's iteration space. What a reduction writes does not move along the reduced axes:
    /// its entries for them are not read, and need not be there.
    pub strides: *const i64,
}

/// An operation on objects, as generated code asks for it: see [`crate::object`]. Operands and results are two words each: a scalar, as in
/// [`Value::bits`]; the address of an object, a [`Buffer`]; or the address of an [`Array`], whose record the caller has room for. Objects and arrays are
/// borrowed as operands, and bring a reference as results.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ObjectCall {
    /// A code of [`crate::object`].
    pub operation: u32,
    /// How many operands there are.
    pub n_operands: u32,
    /// How many results.
    pub n_results: u32,
    /// Bytes of the layout.
    pub n_layout: u32,
    /// What each operand, and behind them each result is: [`ObjectCall::SCALAR`], [`ObjectCall::OBJECT`] or [`ObjectCall::ARRAY`].
    pub kinds: *const u8,
    /// The layout, or a literal's text, where the operation takes one.
    pub layout: *const u8,
}

impl ObjectCall {
    /// A scalar.
    pub const SCALAR: u8 = 0;
    /// An object.
    pub const OBJECT: u8 = 1;
    /// An array.
    pub const ARRAY: u8 = 2;
}

/// What generated code reads and changes of a list without the runtime, which takes it over when it has to do with the list the next time. Elements are
/// those of scalars alone: the words of each one after the other, as layouts of [`crate::object`] have them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ListHead {
    /// The first element's words.
    pub words: *mut u64,
    /// How many elements there are; -1: the runtime is to be asked, for this as for elements.
    pub length: i64,
    /// How many may be added at the end: there is memory behind the last one.
    pub room: i64,
}

/// What a binding sees of an object, as long as it has a reference to it and nobody changes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ObjectView {
    /// [`crate::object::LIST`], [`crate::object::DICTIONARY`], [`crate::object::SET`] or [`crate::object::STRING`].
    pub kind: u32,
    /// Bytes of the layout.
    pub n_layout: u32,
    /// The layout of an element; of a dictionary that of a tuple of a key and a value.
    pub layout: *const u8,
    /// How many elements there are.
    pub n: i64,
    /// Their words, one element after the other.
    pub words: *const u64,
    /// The text of a string, UTF-8.
    pub text: *const u8,
    /// Its bytes. Of a list: how many members it may have at most, as a deque; -1: any number.
    pub n_text: i64,
    /// What holds the elements: a list of the binding's own, which it releases, where the object is a dictionary or a set; else null.
    pub elements: *mut Buffer,
}

/// What a host kernel reads: built by the runtime, on its stack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Address of element `[0, …, 0]`, one an operand.
    pub pointers: *const *mut u8,
    /// Two words a scalar, as [`Value::bits`].
    pub scalars: *const [u64; 2],
    /// Extents of the iteration space, one an axis of the kernel.
    pub extents: *const i64,
    /// Bytes, `strides[operand * rank + axis]`. 0 where the operand's extent is 1.
    pub strides: *const i64,
    /// Whom a program asks now and then that is run once and may take long; null: nobody.
    pub watch: *const Watch,
}

/// Who knows whether a launch on the host is to go on.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// Non-zero: the function that asks is to return. Asked on the thread that the function was called on.
    pub ask: unsafe extern "C" fn(*const Watch) -> i32,
}

/// What a buffer is, for bindings.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BufferInfo {
    /// First byte, in host memory if `device` is -1, else in that device's memory.
    pub data: *mut c_void,
    /// Size.
    pub bytes: i64,
    /// -1: host.
    pub device: i32,
    /// 1: writing is refused.
    pub read_only: u32,
    /// References held.
    pub references: i64,
}

/// What a stream is, for bindings.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StreamInfo {
    /// The driver's handle; 1 stands for the legacy default stream.
    pub handle: *mut c_void,
    /// The device's ordinal; -1 of the legacy default stream.
    pub device: i32,
    /// 1: it is being captured.
    pub capturing: u32,
}

/// An image to link.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LinkImage {
    /// For messages, null-terminated.
    pub name: *const c_char,
    /// PTX as text, a relocatable cubin, or LTO-IR.
    pub data: *const c_void,
    /// Size of `data`.
    pub bytes: u64,
}

/// What [`crate::RuntimeTable::link`] links.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LinkRequest {
    /// The images.
    pub images: *const LinkImage,
    /// How many.
    pub n_images: u64,
    /// `sm_90`, null-terminated; null: the newest that the images are made for.
    pub architecture: *const c_char,
    /// Folders in which Python packages lie, each followed by a line feed, null-terminated: nvJitLink is looked for there too. May be null.
    pub packages: *const c_char,
}

/// What a device says about a kernel's function that is loaded.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelFacts {
    /// 1: the module's image is loaded on the device, and the rest is known.
    pub loaded: u32,
    /// The device's compute capability times ten.
    pub architecture: u32,
    /// Registers of a thread.
    pub registers: i32,
    /// Static shared memory of a block. Unit: bytes.
    pub shared_bytes: i32,
    /// Local memory of a thread: what did not fit into registers. Unit: bytes.
    pub local_bytes: i32,
}

const _: () = assert!(size_of::<Array>() == 24 + 16 * MAX_RANK);
const _: () = assert!(size_of::<Value>() == 32 + size_of::<Array>() + 16);
const _: () = assert!(core::mem::offset_of!(Value, bits) == 16);
const _: () = assert!(core::mem::offset_of!(Value, array) == 32);
const _: () = assert!(size_of::<Operand>() == 24);
const _: () = assert!(size_of::<ObjectCall>() == 32);
const _: () = assert!(size_of::<ListHead>() == 24);
const _: () = assert!(size_of::<ObjectView>() == 56);
const _: () = assert!(core::mem::offset_of!(Frame, watch) == 32);
const _: () = assert!(size_of::<Error>() == 1024);
