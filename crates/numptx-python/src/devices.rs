//! Devices by name: where calls compute, what is there, what ran where.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use numptx_abi::{InvokeOptions, MemoryStats};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{self, CudaError};
use crate::{interrupt, module, runtime};

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

/// [`InvokeOptions::device`] for a call on this thread: without the GPU that was chosen, the CPU computes.
pub(crate) fn current() -> i32 {
    static COUNT: OnceLock<i32> = OnceLock::new();
    let chosen = chosen();
    // SAFETY: the runtime's table is complete. The driver is opened here only where a GPU was chosen.
    if chosen >= 0 && chosen >= *COUNT.get_or_init(|| unsafe { (runtime::table().device_count)() }) {
        return InvokeOptions::CPU;
    }
    chosen
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
        _ => text.strip_prefix("cuda:").and_then(|number| number.parse::<u16>().ok()).map(i32::from),
    };
    ordinal
        .ok_or_else(|| PyValueError::new_err(format!("a device is 'auto', 'cpu', 'cuda' or 'cuda:N'; found '{text}'")))
}

/// Where memory of that name lies: the host, or a GPU that is there.
pub(crate) fn placement(text: &str) -> PyResult<i32> {
    let ordinal = parse(text)?.max(-1);
    // SAFETY: the runtime's table is complete.
    if ordinal >= 0 && ordinal >= unsafe { (runtime::table().device_count)() } {
        return Err(CudaError::new_err(format!("{} is not there: {}", name(ordinal), text_of(ordinal))));
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

/// Takes `NUMPTX_DEVICE`; a word that is no device is refused when the package is imported.
pub(crate) fn read_environment(_py: Python<'_>) -> PyResult<()> {
    if let Ok(text) = std::env::var("NUMPTX_DEVICE")
        && !text.is_empty()
    {
        DEFAULT.store(parse(&text)?, Ordering::Relaxed);
    }
    Ok(())
}

/// Waits for all work, without the interpreter lock.
pub(crate) fn synchronize(py: Python<'_>) -> PyResult<()> {
    let (status, error) = py.detach(|| {
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
fn set_device(device: Option<&str>) -> PyResult<Option<String>> {
    let chosen = device.map(parse).transpose()?;
    Ok(CHOSEN.replace(chosen).map(name))
}

/// Where this thread's calls compute.
#[pyfunction]
fn get_device() -> String {
    name(chosen())
}

/// The devices of this machine: `["cpu", "cuda:0", …]`. Opens the CUDA driver where there is one.
#[pyfunction]
fn devices() -> Vec<String> {
    // SAFETY: the runtime's table is complete.
    let count = unsafe { (runtime::table().device_count)() };
    (-1..count).map(name).collect()
}

/// What the driver says of a device, or why there is none.
#[pyfunction]
fn device_text(device: &str) -> PyResult<String> {
    Ok(text_of(parse(device)?))
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

/// Live buffers and bytes on the host and on devices, and what was done since the process started.
#[pyfunction]
fn memory_stats(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let mut stats = MemoryStats::default();
    // SAFETY: the out-parameter is alive.
    unsafe { (runtime::table().memory_stats)(&mut stats) };
    let MemoryStats {
        host_buffers,
        host_bytes,
        device_buffers,
        device_bytes,
        launches,
        allocations,
        transferred_bytes,
        copies,
    } = stats;
    let facts = PyDict::new(py);
    for (name, value) in [
        ("host_buffers", host_buffers),
        ("host_bytes", host_bytes),
        ("device_buffers", device_buffers),
        ("device_bytes", device_bytes),
        ("launches", launches),
        ("allocations", allocations),
        ("transferred_bytes", transferred_bytes),
        ("copies", copies),
    ] {
        facts.set_item(name, value)?;
    }
    Ok(facts)
}

/// Loads a compiled module's image on a device now instead of at its first launch there; on every device if none is named.
///
/// For stream capture, which must not load, and for timing. Does nothing where there is no GPU.
#[pyfunction]
#[pyo3(signature = (module, device=None))]
fn preload(module: &Bound<'_, PyAny>, device: Option<&str>) -> PyResult<()> {
    let py = module.py();
    let ordinal = device.map(placement).transpose()?;
    let descriptor = module::descriptor(module)? as usize;
    // SAFETY: the runtime's table is complete.
    if ordinal.is_some_and(|ordinal| ordinal < 0) || unsafe { (runtime::table().device_count)() } == 0 {
        return Ok(());
    }
    let (status, error) = py.detach(|| {
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

/// For the interpreter's end: waits for the work, then leaves everything alone.
#[pyfunction]
fn shutdown(py: Python<'_>) {
    py.detach(|| {
        interrupt::finalize();
        // SAFETY: the runtime's table is complete.
        unsafe { (runtime::table().shutdown)() };
    });
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(set_device, native)?)?;
    native.add_function(wrap_pyfunction!(get_device, native)?)?;
    native.add_function(wrap_pyfunction!(devices, native)?)?;
    native.add_function(wrap_pyfunction!(device_text, native)?)?;
    native.add_function(wrap_pyfunction!(last_device, native)?)?;
    native.add_function(wrap_pyfunction!(py_synchronize, native)?)?;
    native.add_function(wrap_pyfunction!(memory_stats, native)?)?;
    native.add_function(wrap_pyfunction!(preload, native)?)?;
    native.add_function(wrap_pyfunction!(thread_count, native)?)?;
    native.add_function(wrap_pyfunction!(shutdown, native)?)
}
