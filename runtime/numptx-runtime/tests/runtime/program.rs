//! What a compiled program would be: entries that launch a kernel, and calls of them as a binding makes them.
//!
//! The first argument of every entry is the kernel's address, as a scalar; arrays follow; a scalar for the kernel may come last.

use std::sync::{Once, RwLock, RwLockReadGuard, RwLockWriteGuard};

use mock_libcuda::Counts;
use numptx_abi::{
    Argument, Array, Call, Entry, InvokeOptions, Kernel, MAX_RANK, Operand, Overload, RuntimeTable, Status, Value,
    dtype,
};
use numptx_runtime::{Device, Error, no_error};

use crate::strided::Strided;

/// The CPU, then the mock GPU.
pub const DEVICES: [i32; 2] = [InvokeOptions::CPU, 0];

static TURNS: RwLock<()> = RwLock::new(());
static MOCK: Once = Once::new();

/// To be held by tests that can run beside others. Chooses the mock driver.
pub fn beside_others() -> RwLockReadGuard<'static, ()> {
    choose_mock();
    TURNS.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// To be held by tests that look at counts of the whole process, or make the driver fail.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    choose_mock();
    TURNS.write().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The mock driver's library: beside the test program, or, as newer cargos lay their folder out, in one above it.
pub fn mock_path() -> std::path::PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    let mut places = program.ancestors().skip(1).map(|folder| folder.join("libmock_libcuda.so"));
    places.find(|place| place.exists()).expect("`cargo build -p mock-libcuda` makes it")
}

fn choose_mock() {
    MOCK.call_once(|| {
        // SAFETY: the driver is opened after this, by tests that wait for it here.
        unsafe {
            if std::env::var_os("NUMPTX_LIBCUDA").is_none() {
                std::env::set_var("NUMPTX_LIBCUDA", mock_path());
            }
            std::env::set_var("NUMPTX_MOCK_DEVICES", "2");
        }
    });
}

/// Whether this process was started to run one test under other settings. Otherwise starts it, and checks that the test passes there.
pub fn is_apart(test: &str, settings: &[(&str, &str)]) -> bool {
    const MARK: &str = "NUMPTX_TEST_APART";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("a running program has a path");
    let run = std::process::Command::new(program)
        .args(["--exact", test, "--test-threads=1"])
        .env(MARK, "1")
        .envs(settings.iter().copied())
        .output()
        .expect("the program starts");
    let output = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && output.contains("1 passed"), "{output}");
    false
}

/// A function of the mock driver's library.
pub fn mock_symbol(name: &std::ffi::CStr) -> *mut std::ffi::c_void {
    let path = std::ffi::CString::new(mock_path().to_str().expect("paths of builds are text")).expect("without nulls");
    // SAFETY: opens the library that the runtime uses too; it is never closed.
    let found = unsafe { libc::dlsym(libc::dlopen(path.as_ptr(), libc::RTLD_NOW), name.as_ptr()) };
    assert!(!found.is_null(), "{name:?} is missing in {}", mock_path().display());
    found
}

/// What the mock driver counted.
pub fn counts() -> Counts {
    let mut counts = Counts::default();
    // SAFETY: the function has this type.
    unsafe {
        let read: unsafe extern "C" fn(*mut Counts) = std::mem::transmute(mock_symbol(c"numptx_mock_counts"));
        read(&mut counts);
    }
    counts
}

/// Lets `pass` allocations on the device pass and makes the `fail` next ones fail.
pub fn fail_allocations(pass: i64, fail: i64) {
    // SAFETY: the function has this type.
    unsafe {
        let set: extern "C" fn(i64, i64) = std::mem::transmute(mock_symbol(c"numptx_mock_fail_allocations"));
        set(pass, fail);
    }
}

/// Lets `pass` copies, launches and waits pass and makes the next one fail; negative: none. Returns what was left of the last setting.
pub fn fail_work(pass: i64) -> i64 {
    // SAFETY: the function has this type.
    unsafe {
        let set: extern "C" fn(i64) -> i64 = std::mem::transmute(mock_symbol(c"numptx_mock_fail_work"));
        set(pass)
    }
}

/// Lets `pass` calls of a driver function pass and makes the next one fail.
pub fn fail_call(name: &std::ffi::CStr, pass: i64, code: i32) {
    // SAFETY: the function has this type.
    unsafe {
        type Set = unsafe extern "C" fn(*const std::ffi::c_char, i64, i32) -> i64;
        let set: Set = std::mem::transmute(mock_symbol(c"numptx_mock_fail_call"));
        set(name.as_ptr(), pass, code);
    }
}

/// What the mock driver counts when nothing is kept for the next call.
pub fn trimmed() -> Counts {
    for device in 0..Device::cuda_count() {
        let mut error = numptx_runtime::no_error();
        // SAFETY: writes to a local.
        assert_eq!(unsafe { (table().trim)(device, &mut error) }, 0);
    }
    counts()
}

/// The runtime's table.
pub fn table() -> &'static RuntimeTable {
    // SAFETY: the table is a static.
    unsafe { &*numptx_runtime::table() }
}

/// Arguments of an entry.
pub fn values<'a>(arguments: *const Value, n: usize) -> &'a [Value] {
    // SAFETY: the runtime passes as many as the overload says.
    unsafe { std::slice::from_raw_parts(arguments, n) }
}

fn kernel_of(value: &Value) -> *const Kernel {
    std::ptr::with_exposed_provenance(value.bits[0] as usize)
}

/// Extents of arrays of one rank, broadcast.
fn broadcast(arrays: &[&Array]) -> [i64; MAX_RANK] {
    let mut extents = [1; MAX_RANK];
    for array in arrays {
        for (extent, own) in extents.iter_mut().zip(&array.shape[..array.rank as usize]) {
            if *own != 1 {
                *extent = *own;
            }
        }
    }
    extents
}

/// Strides of an array in a space where it may be broadcast.
fn steps(array: &Array) -> [i64; MAX_RANK] {
    std::array::from_fn(
        |axis| if axis < array.rank as usize && array.shape[axis] != 1 { array.strides[axis] } else { 0 },
    )
}

fn operand(array: &Array, strides: &[i64; MAX_RANK]) -> Operand {
    Operand { buffer: array.buffer, offset: array.offset, strides: strides.as_ptr() }
}

/// `result = axpy(x, y)` in a fresh array in K order. Arguments: kernel, x, y, a.
pub unsafe extern "C" fn fresh_axpy(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let arguments = values(arguments, 4);
    let (x, y) = (&arguments[1].array, &arguments[2].array);
    let rank = x.rank as usize;
    let extents = broadcast(&[x, y]);
    let (x_steps, y_steps) = (steps(x), steps(y));
    let inputs: Vec<i64> = x_steps[..rank].iter().chain(&y_steps[..rank]).copied().collect();
    let mut out = Array { shape: extents, ..*x };
    // SAFETY: a compiled entry's calls.
    unsafe {
        (table().order_strides)(x.rank, 8, extents.as_ptr(), 2, inputs.as_ptr(), out.strides.as_mut_ptr());
        let bytes = extents[..rank].iter().product::<i64>() * 8;
        let status = (table().alloc)(call, bytes, &mut out.buffer);
        if status != 0 {
            return status;
        }
        out.offset = 0;
        let operands = [operand(x, &x_steps), operand(y, &y_steps), operand(&out, &out.strides)];
        let status =
            (table().launch)(call, kernel_of(&arguments[0]), extents.as_ptr(), operands.as_ptr(), &arguments[3].bits);
        if status != 0 {
            (table().release)(out.buffer);
            return status;
        }
        give_array(results, out);
    }
    0
}

/// `out[...] = axpy(x, y)`. Arguments: kernel, x, y, out, a. Nothing is returned.
pub unsafe extern "C" fn assign_axpy(call: *mut Call, arguments: *const Value, _results: *mut Value) -> Status {
    let arguments = values(arguments, 5);
    let arrays = [&arguments[1].array, &arguments[2].array, &arguments[3].array];
    let extents = broadcast(&arrays);
    let all = arrays.map(steps);
    let operands: Vec<Operand> = arrays.iter().zip(&all).map(|(a, s)| operand(a, s)).collect();
    // SAFETY: a compiled entry's call.
    unsafe { (table().launch)(call, kernel_of(&arguments[0]), extents.as_ptr(), operands.as_ptr(), &arguments[4].bits) }
}

/// `result = fold(x)` over the kernel's trailing axes. Arguments: kernel, x.
pub unsafe extern "C" fn fresh_fold(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let arguments = values(arguments, 2);
    let x = &arguments[1].array;
    // SAFETY: a compiled entry's calls.
    unsafe {
        let kernel = &*kernel_of(&arguments[0]);
        let kept = usize::from(kernel.rank - kernel.n_reduced);
        let mut out = Array { rank: kept as u32, offset: 0, ..*x };
        // What a reduction writes has no strides along the reduced axes.
        let mut strides = [0x7777; MAX_RANK];
        let mut step = 8;
        for axis in (0..kept).rev() {
            strides[axis] = step;
            step *= x.shape[axis];
        }
        out.strides = strides;
        let status = (table().alloc)(call, step, &mut out.buffer);
        if status != 0 {
            return status;
        }
        let operands = [operand(x, &x.strides), operand(&out, &strides)];
        let status = (table().launch)(call, kernel, x.shape.as_ptr(), operands.as_ptr(), std::ptr::null());
        if status != 0 {
            (table().release)(out.buffer);
            return status;
        }
        give_array(results, out);
    }
    0
}

/// Stores an array result that carries the caller's reference.
///
/// # Safety
/// There is room for a result.
pub unsafe fn give_array(results: *mut Value, array: Array) {
    // SAFETY: as the caller promises; the runtime has written an empty value.
    unsafe {
        (*results).kind = Value::ARRAY;
        (*results).dtype = array.dtype;
        (*results).parameter = -1;
        (*results).array = array;
    }
}

/// An overload of one entry.
pub fn overload(entry: Entry, n_arguments: u32, n_results: u32, written: u64) -> Overload {
    two_versions(entry, entry, n_arguments, n_results, written)
}

/// An overload of two aliasing versions.
pub fn two_versions(noalias: Entry, mayalias: Entry, n_arguments: u32, n_results: u32, written: u64) -> Overload {
    Overload {
        signature: c"f(…)".as_ptr(),
        n_parameters: n_arguments,
        n_parameter_nodes: 0,
        n_result_nodes: 0,
        n_arguments,
        n_results,
        work: 0,
        parameters: std::ptr::null(),
        results: std::ptr::null(),
        written,
        libraries: 0,
        noalias,
        mayalias,
        module: std::ptr::null(),
    }
}

fn empty_array() -> Array {
    Array { buffer: std::ptr::null_mut(), offset: 0, rank: 0, dtype: 0, shape: [0; MAX_RANK], strides: [0; MAX_RANK] }
}

fn argument(kind: u32, code: u8) -> Argument {
    Argument {
        kind,
        dtype: u32::from(code),
        bits: [0; 2],
        array: empty_array(),
        data: std::ptr::null_mut(),
        device: -1,
        read_only: 0,
        stream: std::ptr::null_mut(),
        owner: std::ptr::null_mut(),
        owner_table: std::ptr::null(),
    }
}

/// A kernel's address as an argument.
pub fn kernel_argument(kernel: &'static Kernel) -> Argument {
    let address = std::ptr::from_ref(kernel).expose_provenance() as u64;
    Argument { bits: [address, 0], ..argument(Value::SCALAR, dtype::INT64) }
}

/// A float as an argument.
pub fn float_argument(value: f64) -> Argument {
    Argument { bits: [value.to_bits(), 0], ..argument(Value::SCALAR, dtype::FLOAT64) }
}

/// An array in this program's memory as an argument.
pub fn array_argument<T: Copy>(array: &mut Strided<T>, code: u8) -> Argument {
    let mut given = argument(Value::ARRAY, code);
    given.array.rank = array.shape.len() as u32;
    given.array.dtype = u32::from(code);
    given.array.shape[..array.shape.len()].copy_from_slice(&array.shape);
    for (to, from) in given.array.strides.iter_mut().zip(&array.strides) {
        *to = from * size_of::<T>() as i64;
    }
    given.data = array.first().cast();
    given
}

/// Options of a call on a device.
pub fn on(device: i32) -> InvokeOptions {
    InvokeOptions { device, ..numptx_runtime::options(None) }
}

/// Calls an overload as a binding does.
pub fn call(overload: &Overload, arguments: &[Argument], options: &InvokeOptions) -> Result<Vec<Value>, Error> {
    assert_eq!(arguments.len(), overload.n_arguments as usize);
    let empty = Value {
        kind: Value::NONE,
        dtype: 0,
        parameter: -1,
        identity: 0,
        bits: [0; 2],
        array: empty_array(),
        data: std::ptr::null_mut(),
        device: -1,
        read_only: 0,
    };
    let mut results = vec![empty; overload.n_results as usize];
    let mut error = no_error();
    // SAFETY: the arguments are as many as the overload says, and valid during the call.
    let status = unsafe { (table().invoke)(overload, arguments.as_ptr(), results.as_mut_ptr(), options, &mut error) };
    if status == 0 { Ok(results) } else { Err(Error::from_abi(status, &error)) }
}

/// Drops a result's reference.
pub fn release(result: &Value) {
    assert!(!result.array.buffer.is_null());
    // SAFETY: the result carries a reference that is given up here.
    unsafe { (table().release)(result.array.buffer) };
}

/// The elements of a host result in C order.
pub fn elements<T: Copy>(result: &Value) -> Vec<T> {
    assert_eq!(result.device, -1);
    let rank = result.array.rank as usize;
    let shape = &result.array.shape[..rank];
    Strided::<T>::indices(shape)
        .map(|index| {
            let offset: i64 = index.iter().zip(&result.array.strides).map(|(i, s)| i * s).sum();
            // SAFETY: the result's elements lie in its buffer.
            unsafe { result.data.cast::<u8>().offset(offset as isize).cast::<T>().read() }
        })
        .collect()
}
