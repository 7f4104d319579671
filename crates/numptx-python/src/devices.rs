//! Devices by name: where calls compute, what is there, what ran where.

use std::cell::Cell;
use std::ffi::{CString, c_int};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use numptx_abi::{InvokeOptions, MemoryStats};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::errors::{self, CudaError};
use crate::interrupt::Interrupt;
use crate::unwinding::is_finalizing;
use crate::{interrupt, module, runtime, streams, warnings};

/// `NUMPTX_DEVICE`, for threads that have not chosen.
static DEFAULT: AtomicI32 = AtomicI32::new(InvokeOptions::AUTO);

thread_local! {
    /// What `numptx.device` chose on this thread.
    static CHOSEN: Cell<Option<i32>> = const { Cell::new(None) };
}

/// What was chosen for this thread's calls.
fn chosen() -> i32 {
    CHOSEN.get().unwrap_or_else(|| DEFAULT.load(Ordering::Relaxed))
}

/// [`InvokeOptions::device`] for a call on this thread, inside the block of a stream or not: without the GPU that was chosen, the CPU computes.
// Inlined so that all that a call asks of its thread is found by one look-up.
#[inline(always)]
pub(crate) fn current(entered: Option<streams::Place>) -> i32 {
    let chosen = match (chosen(), entered) {
        (InvokeOptions::AUTO, Some(place)) => place.device,
        (chosen, _) => chosen,
    };
    // The driver is opened here only where a GPU was chosen.
    if chosen >= 0 && chosen >= known_count() {
        return InvokeOptions::CPU;
    }
    chosen
}

/// What is asked once. Nobody waits for who asks, because that one comes back to the interpreter first.
#[inline(never)]
fn known_count() -> i32 {
    static COUNT: OnceLock<i32> = OnceLock::new();
    COUNT.get().copied().unwrap_or_else(|| {
        let found = count();
        *COUNT.get_or_init(|| found)
    })
}

/// How many GPUs there are. The first question opens the driver, which takes long: others go on in Python meanwhile.
fn count() -> i32 {
    // SAFETY: all of this crate that asks for devices runs attached; the runtime's table is complete.
    interrupt::detached(unsafe { Python::assume_attached() }, || unsafe { (runtime::table().device_count)() })
}

/// `"cpu"`, `"cuda:0"`.
pub(crate) fn name(ordinal: i32) -> String {
    match ordinal {
        InvokeOptions::AUTO => "auto".to_string(),
        ordinal if ordinal < 0 => "cpu".to_string(),
        ordinal => format!("cuda:{ordinal}"),
    }
}

/// [`InvokeOptions::device`] of a name.
fn parse(text: &str) -> PyResult<i32> {
    let ordinal = match text {
        "auto" => Some(InvokeOptions::AUTO),
        "cpu" => Some(InvokeOptions::CPU),
        "cuda" => Some(0),
        _ => text.strip_prefix("cuda:").and_then(digits),
    };
    ordinal
        .ok_or_else(|| PyValueError::new_err(format!("a device is 'auto', 'cpu', 'cuda' or 'cuda:N'; found '{text}'")))
}

/// A number without a sign.
fn digits(text: &str) -> Option<i32> {
    let number = text.parse::<u16>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.map(i32::from)
}

/// A device as callers name it: "auto", "cpu", "cuda", "cuda:1", or a GPU's number. [`InvokeOptions::device`] of it.
#[derive(Clone, Copy)]
pub(crate) struct DeviceName(pub i32);

impl FromPyObject<'_, '_> for DeviceName {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, '_, PyAny>) -> PyResult<DeviceName> {
        if let Ok(text) = object.cast::<PyString>() {
            return parse(text.to_cow()?.as_ref()).map(DeviceName);
        }
        let py = object.py();
        let number = match object.extract::<u16>() {
            Ok(number) if !object.is_instance_of::<PyBool>() => return Ok(DeviceName(i32::from(number))),
            number => number,
        };
        let found = errors::if_any(py, object.repr())?.map_or("an object".to_string(), |repr| repr.to_string());
        let refusal = PyTypeError::new_err(format!(
            "a device is 'auto', 'cpu', 'cuda', 'cuda:N' or a GPU's number; found {found}"
        ));
        Err(match number {
            Err(error) if errors::is_refusal(py, &error) => errors::instead(py, error, refusal),
            Err(error) => error,
            Ok(_) => refusal,
        })
    }
}

fn absent(ordinal: i32) -> PyErr {
    CudaError::new_err(format!("{} is not there: {}", name(ordinal), text_of(ordinal)))
}

/// Refuses memory that another library says to have on a GPU which is none of those here. Where there are none, such memory can be described, and only what
/// uses it fails.
pub(crate) fn check_other(device: i32) -> PyResult<()> {
    if device >= 0 && (1..=device).contains(&known_count()) { Err(absent(device)) } else { Ok(()) }
}

/// Where memory on a device lies: the host, or a GPU that is there.
pub(crate) fn placement(device: DeviceName) -> PyResult<i32> {
    let ordinal = device.0.max(-1);
    if ordinal >= 0 && ordinal >= known_count() {
        return Err(absent(ordinal));
    }
    Ok(ordinal)
}

/// The runtime's words about a device.
fn text_of(ordinal: i32) -> String {
    let mut bytes = vec![0u8; 512];
    // SAFETY: the buffer has its capacity.
    let needed = unsafe { (runtime::table().device_text)(ordinal, bytes.as_mut_ptr().cast(), bytes.len()) };
    bytes.truncate(needed.min(bytes.len()));
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_string()
}

/// Takes `NUMPTX_DEVICE`; a word that is no device is refused when the package is imported, as one that `NUMPTX_MODULE_LOADING` does not take.
pub(crate) fn read_environment(py: Python<'_>) -> PyResult<()> {
    let given = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    if let Some(text) = given("NUMPTX_DEVICE") {
        let device =
            parse(&text).map_err(|error| PyValueError::new_err(format!("NUMPTX_DEVICE: {}", error.value(py))))?;
        DEFAULT.store(device, Ordering::Relaxed);
    }
    match given("NUMPTX_MODULE_LOADING").as_deref() {
        None | Some("lazy" | "eager") => Ok(()),
        Some(other) => {
            Err(PyValueError::new_err(format!("NUMPTX_MODULE_LOADING is 'lazy' or 'eager'; found '{other}'")))
        }
    }
}

/// Waits for all work, without the interpreter lock.
pub(crate) fn synchronize(py: Python<'_>) -> PyResult<()> {
    warnings::warn()?;
    let (status, error) = interrupt::detached(py, || {
        let mut error = errors::empty();
        // SAFETY: the runtime's table is complete.
        let status = unsafe { (runtime::table().synchronize)(&mut error) };
        (status, error)
    });
    errors::check(py, status, &error)
}

/// Chooses where this thread's calls compute; `None`: as `NUMPTX_DEVICE` says. Returns what was chosen before.
#[pyfunction]
#[pyo3(signature = (device))]
fn set_device(device: Option<DeviceName>) -> Option<String> {
    CHOSEN.replace(device.map(|device| device.0)).map(name)
}

/// Where this thread's calls compute.
#[pyfunction]
fn get_device() -> String {
    name(chosen())
}

/// The devices of this machine: `["cpu", "cuda:0", …]`. Opens the CUDA driver where there is one.
#[pyfunction]
fn devices() -> Vec<String> {
    (-1..count()).map(name).collect()
}

/// What the driver says of a device, or why there is none.
#[pyfunction]
fn device_text(device: DeviceName) -> String {
    text_of(device.0)
}

/// Where the calling thread's last call computed; `None` before the first.
#[pyfunction]
fn last_device() -> Option<String> {
    // SAFETY: the runtime's table is complete.
    let ordinal = unsafe { (runtime::table().last_device)() };
    (ordinal != InvokeOptions::AUTO).then(|| name(ordinal))
}

/// Waits for everything that calls have started.
#[pyfunction(name = "synchronize")]
fn py_synchronize(py: Python<'_>) -> PyResult<()> {
    synchronize(py)
}

/// Live memory and work done since the process started, of one place or (`None`) summed over all.
///
/// `"cpu"` is the host, `"cuda:0"` a device. Counted is what the runtime allocates: results, temporaries, and copies of host arguments on
/// a device, not the arrays of other libraries. The keys:
///
/// * `live_buffers`, `live_bytes`: allocated and not freed; a view keeps the whole buffer.
/// * `peak_bytes`: the most that `live_bytes` has been since `reset_peak_memory()`; over all places the sum of their peaks.
/// * `allocations`, `frees`: how often.
/// * `foreign_buffers`: arrays of other libraries that a `numptx.Array` holds now.
/// * `transferred_bytes`: copied between the host and the device.
/// * `launches`: kernels. `copies`: array copies that `reshape` could not avoid.
/// * `violations`: what `NUMPTX_DEBUG_MEMORY=1` found to be wrong.
/// * `pinned_bytes`: page-locked host memory of arrays (`numptx.empty(…, pinned=True)`), counted on the device that was asked for it, and for copies to
///   and from the device, in use or kept (`trim()` gives back what is kept).
/// * `replays`: iterations of loops on the host whose kernels were launched as one graph.
#[pyfunction]
#[pyo3(signature = (device=None))]
fn memory_stats<'py>(py: Python<'py>, device: Option<DeviceName>) -> PyResult<Bound<'py, PyDict>> {
    let place = device.map_or(MemoryStats::EVERYWHERE, |device| device.0.max(-1));
    let mut stats = MemoryStats::default();
    warnings::warn()?;
    // Without the lock: what others are letting go of is waited for.
    stats = interrupt::detached(py, move || {
        // SAFETY: the out-parameter is alive.
        unsafe { (runtime::table().memory_stats)(place, &mut stats) };
        stats
    });
    let facts = PyDict::new(py);
    for (name, value) in [
        ("live_buffers", stats.live_buffers),
        ("live_bytes", stats.live_bytes),
        ("peak_bytes", stats.peak_bytes),
        ("allocations", stats.allocations),
        ("frees", stats.frees),
        ("foreign_buffers", stats.foreign_buffers),
        ("transferred_bytes", stats.transferred_bytes),
        ("launches", stats.launches),
        ("copies", stats.copies),
        ("synchronizations", stats.synchronizations),
        ("violations", stats.violations),
        ("pinned_bytes", stats.pinned_bytes),
        ("replays", stats.replays),
    ] {
        facts.set_item(name, value)?;
    }
    Ok(facts)
}

/// Starts `peak_bytes` of `memory_stats()` anew from what is live now, at every place.
#[pyfunction]
fn reset_peak_memory() {
    // SAFETY: the runtime's table is complete.
    unsafe { (runtime::table().reset_peak_memory)() };
}

/// The most bytes that arrays of numptx's on a device may hold together; `None`: no limit. A call that needs more raises `MemoryError`.
#[pyfunction]
#[pyo3(signature = (nbytes, device=DeviceName(0)), text_signature = "(nbytes, device='cuda')")]
fn set_memory_limit(nbytes: Option<i64>, device: DeviceName) -> PyResult<()> {
    if nbytes.is_some_and(|nbytes| nbytes < 0) {
        return Err(PyValueError::new_err("a limit is a number of bytes, or None for no limit"));
    }
    let ordinal = placement(device)?;
    if ordinal < 0 {
        return Err(PyValueError::new_err("a limit is set for a GPU: device='cuda' or 'cuda:N'"));
    }
    // SAFETY: the runtime's table is complete.
    unsafe { (runtime::table().set_memory_limit)(ordinal, nbytes.unwrap_or(-1)) };
    Ok(())
}

/// Waits for a device, then gives memory that nobody uses back: to the driver, or for `"cpu"` to the system. Without a name: everywhere.
#[pyfunction]
#[pyo3(signature = (device=None))]
fn trim(py: Python<'_>, device: Option<DeviceName>) -> PyResult<()> {
    let ordinals = match device {
        Some(name) => vec![placement(name)?],
        None => (-1..count()).collect(),
    };
    for ordinal in ordinals {
        // SAFETY: the out-parameter is alive.
        streams::detached(py, move |table, error| unsafe { (table.trim)(ordinal, error) })?;
    }
    Ok(())
}

/// Loads a compiled module's image on a device now instead of at its first launch there; on every device if none is named.
///
/// For timing, and for finding out early that an image does not load. Does nothing where there is no GPU.
#[pyfunction]
#[pyo3(signature = (module, device=None))]
fn preload(module: &Bound<'_, PyAny>, device: Option<DeviceName>) -> PyResult<()> {
    let py = module.py();
    let ordinal = device.map(placement).transpose()?;
    let descriptor = module::descriptor(module)? as usize;
    if ordinal.is_some_and(|ordinal| ordinal < 0) || count() == 0 {
        return Ok(());
    }
    let (status, error) = interrupt::detached(py, || {
        let mut error = errors::empty();
        // SAFETY: the descriptor lives as long as its library.
        let status = unsafe { (runtime::table().preload)(descriptor as *const _, ordinal.unwrap_or(-1), &mut error) };
        (status, error)
    });
    errors::check(py, status, &error)
}

/// Threads of the host pool; the pool starts now if it has not yet.
#[pyfunction]
fn thread_count() -> i32 {
    // SAFETY: the runtime's table is complete.
    unsafe { (runtime::table().thread_count)() }
}

/// For the interpreter's end: waits for the work. A signal's handler that raises ends the wait, and what is not done by then is left alone.
#[pyfunction]
fn shutdown(py: Python<'_>) -> PyResult<()> {
    let mut interrupt = Interrupt::new();
    let state = &raw mut interrupt;
    // SAFETY: the runtime's table is complete; `interrupt` is used through `state` alone until the wait is over.
    let was_interrupted = unsafe {
        (*state).detach();
        let was_interrupted =
            interrupt::calling(state, || (runtime::table().shutdown)(Some(interrupt::poll), state.cast()));
        (*state).attach();
        was_interrupted
    };
    if was_interrupted == 0 { Ok(()) } else { Err(PyErr::fetch(py)) }
}

/// Whether the interpreter is going.
unsafe extern "C" fn is_going() -> c_int {
    c_int::from(is_finalizing())
}

/// Tells the runtime where this interpreter finds packages.
fn set_packages(py: Python<'_>) -> PyResult<()> {
    let path = py.import("sys")?.getattr("path")?;
    let folders = path.try_iter()?.filter_map(|folder| folder.ok()?.extract::<String>().ok());
    let text: String = folders.filter(|folder| !folder.contains('\n')).map(|folder| folder + "\n").collect();
    if let Ok(text) = CString::new(text) {
        // SAFETY: the runtime's table is complete, and the text is null-terminated.
        unsafe { (runtime::table().set_packages)(text.as_ptr()) };
    }
    Ok(())
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(set_device, native)?)?;
    native.add_function(wrap_pyfunction!(get_device, native)?)?;
    native.add_function(wrap_pyfunction!(devices, native)?)?;
    native.add_function(wrap_pyfunction!(device_text, native)?)?;
    native.add_function(wrap_pyfunction!(last_device, native)?)?;
    native.add_function(wrap_pyfunction!(py_synchronize, native)?)?;
    native.add_function(wrap_pyfunction!(memory_stats, native)?)?;
    native.add_function(wrap_pyfunction!(reset_peak_memory, native)?)?;
    native.add_function(wrap_pyfunction!(preload, native)?)?;
    native.add_function(wrap_pyfunction!(set_memory_limit, native)?)?;
    native.add_function(wrap_pyfunction!(trim, native)?)?;
    // SAFETY: the runtime's table is complete.
    unsafe {
        (runtime::table().set_reclaim)(Some(crate::owners::collect_garbage));
        (runtime::table().set_exit_check)(Some(is_going));
        (runtime::table().set_before_wait)(Some(interrupt::before_wait));
        (runtime::table().set_writer)(Some(crate::objects::write));
    }
    set_packages(native.py())?;
    native.add_function(wrap_pyfunction!(thread_count, native)?)?;
    native.add_function(wrap_pyfunction!(shutdown, native)?)
}
