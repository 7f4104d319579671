//! Functions as a compiled module has them, for one array of any dtype with up to [`RANKS`] axes: what a call makes of an argument shows in what
//! they saw. Their arrays lie in memory that this program reaches: the mock driver's is the host's.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::AtomicPtr;

use numptx_abi::{
    ABI_VERSION, Array, BufferInfo, Call, Entry, Function, MAX_RANK, Module, Overload, PYTHON_CAPSULE, Parameter,
    PythonTable, ResultNode, Status, Value, dtype,
};
use pyo3::ffi;
use pyo3::prelude::*;

use numptx_fuzz_targets::memory::{checksum, elements, offsets};

/// Functions take arrays of fewer axes than these.
pub const RANKS: u8 = 4;

/// What a function got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub shape: Vec<i64>,
    pub address: usize,
    pub checksum: u64,
}

thread_local! {
    static SEEN: Cell<Option<Seen>> = const { Cell::new(None) };
}

/// What the last call got since this was asked.
pub fn seen() -> Option<Seen> {
    SEEN.take()
}

/// A function of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Looks at every element.
    Look,
    /// Writes every byte of every element.
    Fill,
    /// Returns its argument without the first element of the first axis.
    Tail,
}

struct Compiled {
    python: *const PythonTable,
    functions: [Function; 3],
}

// SAFETY: never changed after it was made.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

static COMPILED: OnceLock<Compiled> = OnceLock::new();

fn compiled() -> &'static Compiled {
    COMPILED.get_or_init(|| {
        let name = std::ffi::CString::new(PYTHON_CAPSULE).expect("a name");
        // SAFETY: attached; the capsule holds the extension's table.
        let python = unsafe { ffi::PyCapsule_Import(name.as_ptr(), 0) }.cast::<PythonTable>();
        assert!(!python.is_null(), "the extension has no table");
        let module: &'static mut Module = Box::leak(Box::new(module()));
        let address: *const Module = module;
        // SAFETY: a whole descriptor, which lives as long as the process.
        let definition = unsafe { ((*python).module_init)(address) };
        assert!(!definition.is_null(), "the module is not bound");
        let functions = [
            function(address, c"look", look, 0, &[]),
            function(address, c"fill", fill, 1, &[]),
            function(address, c"tail", tail, 0, &[ResultNode::ARRAY]),
        ];
        Compiled { python, functions }
    })
}

/// Calls a function with one argument.
pub fn call<'py>(kind: Kind, argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let compiled = compiled();
    SEEN.take();
    let arguments = [argument.as_ptr().cast::<c_void>()];
    // SAFETY: attached; the function lives as long as the process; one positional argument.
    unsafe {
        let function = &compiled.functions[kind as usize];
        let result = ((*compiled.python).call)(function, null_mut(), arguments.as_ptr(), 1, null_mut());
        Bound::from_owned_ptr_or_err(argument.py(), result.cast())
    }
}

fn module() -> Module {
    Module {
        abi_version: ABI_VERSION,
        struct_bytes: size_of::<Module>() as u32,
        name: c"functions".as_ptr(),
        compiler: c"by hand".as_ptr(),
        docstring: null(),
        n_functions: 0,
        n_kernels: 0,
        n_images: 0,
        n_globals: 0,
        functions: null(),
        kernels: null(),
        images: null(),
        global_names: null(),
        global_values: null(),
        table: AtomicPtr::new(null_mut()),
        runtime: AtomicPtr::new(null_mut()),
        python: AtomicPtr::new(null_mut()),
        source: null(),
        host: null(),
    }
}

/// A function with an overload for each dtype and rank.
fn function(module: *const Module, name: &'static CStr, entry: Entry, written: u64, results: &[u8]) -> Function {
    let mut overloads = Vec::new();
    for rank in 0..RANKS {
        for code in 0..dtype::ITEMSIZE.len() as u8 {
            let parameter = Parameter {
                name: c"x".as_ptr(),
                kind: Parameter::ARRAY,
                dtype: code,
                weak: 0,
                rank,
                order: 0,
                by_name: 0,
                reserved: [0; 2],
                extents: null(),
                text: null(),
            };
            let nodes: Vec<ResultNode> = match results {
                [] => vec![ResultNode::new(ResultNode::NONE, 0, 0)],
                kinds => kinds.iter().map(|kind| ResultNode::new(*kind, code, rank)).collect(),
            };
            overloads.push(Overload {
                signature: c"f(…)".as_ptr(),
                n_parameters: 1,
                n_parameter_nodes: 1,
                n_result_nodes: nodes.len() as u32,
                n_arguments: 1,
                n_results: results.len() as u32,
                work: 1,
                parameters: Box::leak(Box::new(parameter)),
                results: nodes.leak().as_ptr(),
                written,
                libraries: 0,
                noalias: entry,
                mayalias: entry,
                module,
            });
        }
    }
    Function {
        name: name.as_ptr(),
        docstring: c"f($module, x)\n--\n\n".as_ptr(),
        module,
        n_overloads: overloads.len() as u32,
        reserved: 0,
        overloads: overloads.leak().as_ptr(),
        trampoline: null(),
        python: AtomicPtr::new(null_mut()),
    }
}

/// The runtime's table, as the extension opened it.
fn table() -> &'static numptx_abi::RuntimeTable {
    // SAFETY: the extension's table names it, and both live as long as the process.
    unsafe { &*(*compiled().python).runtime }
}

/// The argument, and the address of its element `[0, …, 0]`.
///
/// # Safety
/// As an entry's with one array.
unsafe fn given<'a>(arguments: *const Value) -> (&'a Array, *mut u8) {
    let mut info = BufferInfo { data: null_mut(), bytes: 0, device: 0, read_only: 0, references: 0 };
    // SAFETY: as the caller promises.
    unsafe {
        let array = &(*arguments).array;
        (table().buffer_info)(array.buffer, &mut info);
        (array, info.data.cast::<u8>().wrapping_offset(array.offset as isize))
    }
}

fn axes(array: &Array) -> (&[i64], Vec<i128>, usize) {
    let rank = array.rank as usize;
    let strides = array.strides[..rank].iter().map(|stride| i128::from(*stride)).collect();
    (&array.shape[..rank], strides, usize::from(dtype::ITEMSIZE[array.dtype as usize]))
}

unsafe extern "C" fn look(_call: *mut Call, arguments: *const Value, _results: *mut Value) -> Status {
    // SAFETY: an entry with one array.
    let (array, first) = unsafe { given(arguments) };
    let (shape, strides, itemsize) = axes(array);
    // SAFETY: the array's elements are there for the call.
    let found = unsafe { elements(first, shape, &strides, itemsize) };
    SEEN.set(Some(Seen { shape: shape.to_vec(), address: first.addr(), checksum: checksum(&found) }));
    0
}

unsafe extern "C" fn fill(_call: *mut Call, arguments: *const Value, _results: *mut Value) -> Status {
    // SAFETY: an entry with one array, which may be written.
    let (array, first) = unsafe { given(arguments) };
    let (shape, strides, itemsize) = axes(array);
    for at in offsets(shape, &strides) {
        for byte in 0..itemsize {
            // SAFETY: as above.
            unsafe { first.wrapping_offset(at as isize).add(byte).write(1) };
        }
    }
    SEEN.set(Some(Seen { shape: shape.to_vec(), address: first.addr(), checksum: 0 }));
    0
}

unsafe extern "C" fn tail(_call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: an entry with one array, and room for a result.
    unsafe {
        let mut view = (*arguments).array;
        if view.rank > 0 && view.shape[0] > 0 {
            view.shape[0] -= 1;
            view.offset += if view.shape[0] > 0 { view.strides[0] } else { 0 };
        }
        (table().retain)(view.buffer);
        let result = &mut *results;
        (result.kind, result.dtype, result.parameter, result.array) = (Value::ARRAY, view.dtype, -1, view);
        debug_assert!(view.rank as usize <= MAX_RANK);
    }
    0
}
