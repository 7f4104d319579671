//! A call of a compiled function: choose the overload, run it, make the results.
//!
//! The first overload that the arguments match exactly is taken, else the first that they match after
//! conversions, else a `TypeError` lists what is accepted and what was found.

use std::cell::Cell;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use numptx_abi::{Function, InvokeOptions, Overload, Value, error_kind};
use pyo3::exceptions::{PyRecursionError, PyRuntimeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::arguments::Leaves;
use crate::call_arguments::CallArguments;
use crate::interrupt::{self, Interrupt};
use crate::objects::{Changing, Made};
use crate::scalars::Fit;
use crate::{devices, errors, read_only, refusal, results, runtime, streams, warnings};

/// Calls that touch more bytes than this let the interpreter lock go before they start.
const LONG_CALL_BYTES: i64 = 64 * 1024;

/// [`numptx_abi::PythonTable::call`].
pub(crate) unsafe extern "C" fn call(
    function: *const Function,
    module: *mut c_void,
    arguments: *const *mut c_void,
    n_arguments: isize,
    keyword_names: *mut c_void,
) -> *mut c_void {
    // SAFETY: trampolines pass on a call of the interpreter: it is attached, the objects live for the call.
    let (py, given, function) = unsafe {
        let given = CallArguments::new(arguments.cast(), n_arguments, keyword_names.cast());
        (Python::assume_attached(), given, &*function)
    };
    let outcome =
        catch_unwind(AssertUnwindSafe(|| dispatch(py, module.cast(), function, &given))).unwrap_or_else(|_| {
            Err(PyRuntimeError::new_err("numptx: a call failed inside the package; this is a bug of numptx"))
        });
    match outcome {
        Ok(object) => object.cast(),
        Err(error) => {
            // See Note [Attached, and known to be].
            attached(|py| error.restore(py));
            std::ptr::null_mut()
        }
    }
}

thread_local! {
    /// The runtime's limit for calls inside calls on this thread, with room for a call above it; not there before the first.
    static DEEPEST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// What a call may take of the stack before it is at the runtime's limit, and what one with many arguments takes more. Unit: bytes.
const CALL_BYTES: usize = 24 << 10;
const MANY_BYTES: usize = 32 << 10;
/// As many arguments as the runtime has little room for.
const FEW_ARGUMENTS: u32 = 8;

/// An error where so much of the stack is taken that a call might not find room, and `more`: Python code that a call runs may call again.
#[inline]
fn check_depth(more: usize) -> PyResult<()> {
    let mark = 0u8;
    let here = (&raw const mark).addr().saturating_sub(more);
    if here < DEEPEST.get() && here < deepest() {
        return Err(PyRecursionError::new_err("maximum recursion depth exceeded in a call of a compiled function"));
    }
    Ok(())
}

#[cold]
fn deepest() -> usize {
    // SAFETY: the runtime's table is complete.
    let deepest = unsafe { (runtime::table().stack_limit)() } + CALL_BYTES;
    DEEPEST.set(deepest);
    deepest
}

fn dispatch(
    py: Python<'_>,
    module: *mut PyObject,
    function: &Function,
    given: &CallArguments,
) -> PyResult<*mut PyObject> {
    check_depth(0)?;
    warnings::warn()?;
    let mut leaves = Leaves::new(py);
    let overload = choose(function, given, &mut leaves)?;
    run(py, module, overload, &leaves)
}

/// The overload that takes what was given; the leaves are its arguments.
fn choose<'a>(function: &'a Function, given: &CallArguments, leaves: &mut Leaves<'_>) -> PyResult<&'a Overload> {
    // SAFETY: the descriptor has `n_overloads` overloads.
    let overloads = unsafe { std::slice::from_raw_parts(function.overloads, function.n_overloads as usize) };
    let mut converted = None;
    for overload in overloads {
        match leaves.fit(overload, given)? {
            Fit::Exact => return Ok(overload),
            Fit::Converted if converted.is_none() => converted = Some(overload),
            _ => {}
        }
    }
    match converted {
        Some(overload) => leaves.fit(overload, given).map(|_| overload),
        // See Note [Attached, and known to be].
        None => {
            let raised = leaves.take_raised();
            Err(attached(|py| refusal::refused(py, function, overloads, given, leaves, raised)))
        }
    }
}

/// Results that fit on the stack.
const FEW_RESULTS: usize = 4;

fn run(py: Python<'_>, module: *mut PyObject, overload: &Overload, leaves: &Leaves<'_>) -> PyResult<*mut PyObject> {
    let _staying = leaves.stay()?;
    refuse_read_only(py, overload, leaves)?;
    if overload.n_arguments > FEW_ARGUMENTS {
        check_depth(MANY_BYTES)?;
    }
    let n_results = overload.n_results as usize;
    let mut few = [const { MaybeUninit::<Value>::uninit() }; FEW_RESULTS];
    let mut many = Vec::new();
    let room = if n_results <= FEW_RESULTS {
        &mut few[..n_results]
    } else {
        many.resize_with(n_results, MaybeUninit::uninit);
        &mut many[..]
    };
    let values: *mut Value = room.as_mut_ptr().cast();
    let changing = Changing::of(overload, leaves)?;
    let outcome = invoke(py, overload, leaves, values);
    let made = Made::default();
    if let Some(known) = leaves.known().filter(|_| changing.is_some() || results::has_objects(overload)) {
        known.tell(&made);
    }
    let changed = changing.map_or(Ok(()), |changing| results::change(py, &changing, leaves, &made));
    outcome?;
    // SAFETY: `Value` is plain words, and the call has filled what it returns: of an array what lies within its rank.
    let values = unsafe { std::slice::from_raw_parts(values, n_results) };
    if let Err(error) = changed {
        results::drop_all(values);
        return Err(error);
    }
    results::object(py, module, overload, values, leaves, &made)
}

/// Runs the overload; on failure the results own nothing.
fn invoke(py: Python<'_>, overload: &Overload, leaves: &Leaves<'_>, values: *mut Value) -> PyResult<()> {
    let mut interrupt = Interrupt::new();
    let state = &raw mut interrupt;
    let entered = streams::current();
    let stream = leaves.stream(entered)?;
    let options = InvokeOptions {
        device: devices::current(entered),
        results_on_device: 0,
        stream: stream.get(),
        interrupt: Some(interrupt::poll),
        interrupt_data: state.cast(),
    };
    let mut error = errors::unfilled();
    // SAFETY: `interrupt` is used through `state` alone until the call is over; the leaves fit the overload, and there is
    // room for its results. The objects behind the leaves are kept alive by the caller of the function.
    let status = unsafe {
        // A call on a GPU may have to load an image, which takes long and locks.
        if options.device >= 0 || leaves.is_long(LONG_CALL_BYTES) {
            (*state).detach();
        }
        let status = interrupt::calling(state, || {
            (runtime::table().invoke)(overload, leaves.as_ptr(), values, &options, error.as_mut_ptr())
        });
        (*state).attach();
        status
    };
    if status == error_kind::OK {
        return Ok(());
    }
    // SAFETY: the message was null-terminated from the start.
    Err(unsafe { errors::exception(py, status, (&raw const (*error.as_ptr()).message).cast()) })
}

/// Writing to a read-only array is NumPy's `ValueError`.
fn refuse_read_only(py: Python<'_>, overload: &Overload, leaves: &Leaves<'_>) -> PyResult<()> {
    let mut written = overload.written;
    if written == 0 {
        return Ok(());
    }
    let arguments = leaves.arguments();
    while written != 0 {
        let leaf = written.trailing_zeros() as usize;
        written &= written - 1;
        if arguments.get(leaf).is_some_and(|argument| argument.kind == Value::ARRAY && argument.read_only != 0) {
            return Err(refused_write(py, overload, leaves, leaf));
        }
    }
    Ok(())
}

#[cold]
fn refused_write(py: Python<'_>, overload: &Overload, leaves: &Leaves<'_>, leaf: usize) -> PyErr {
    // See Note [Attached, and known to be].
    attached(|_| {
        // SAFETY: arguments live for the call; a leaf that was looked at has an object.
        let object =
            unsafe { Bound::from_borrowed_ptr_or_opt(py, leaves.object(leaf).unwrap_or(std::ptr::null_mut())) };
        read_only::refused_argument(overload, leaf, &object.unwrap_or_else(|| py.None().into_bound(py)))
    })
}

/// A new reference to an object.
///
/// # Safety
/// `object` is a live Python object, the interpreter is attached.
pub(crate) unsafe fn new_reference(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: by this function's requirement.
    unsafe { ffi::Py_INCREF(object) };
    object
}

/// See Note [Attached, and known to be].
pub(crate) fn attached<R>(run: impl for<'py> FnOnce(Python<'py>) -> R) -> R {
    // SAFETY: may be called at any time. While the interpreter goes, PyO3 attaches nobody; calls then come from destructors, on the thread that
    // is attached.
    unsafe { if ffi::Py_IsInitialized() == 0 { run(Python::assume_attached()) } else { Python::attach(run) } }
}

// Note [Attached, and known to be]
// A call comes from the interpreter, so the thread is attached; PyO3 does not know it and puts off dropping `Py` and `PyErr` values until
// somebody attaches through it. A program that only calls compiled functions would keep them for good. What may drop such values on the
// way of a call runs inside [`attached`], which the way of NumPy arrays that ends well does without.
