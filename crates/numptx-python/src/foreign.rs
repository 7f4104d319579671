//! Arrays of other libraries: in through DLPack or `__cuda_array_interface__`, out through DLPack to the same library.
//!
//! Nothing is copied. The runtime's buffer over foreign memory holds a reference to its owner; dropping that reference may
//! need the interpreter lock on any thread, and after the interpreter's end the owner is left alone.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use numptx_abi::{OwnerTable, dtype};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::array::{self, Array, Parts};
use crate::dlpack::{self, ImportedOwner};
use crate::numpy::{self, Dtype, numpy};
use crate::{errors, interrupt, layout, runtime};

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(as_array, native)?)
}

/// Whether the object is of a type that is certainly no array.
///
/// # Safety
/// A live Python object.
pub(crate) unsafe fn is_plain(object: *mut PyObject) -> bool {
    // SAFETY: by this function's requirement.
    unsafe {
        object == ffi::Py_None()
            || ffi::PyLong_Check(object) != 0
            || ffi::PyFloat_Check(object) != 0
            || ffi::PyTuple_Check(object) != 0
            || ffi::PyList_Check(object) != 0
            || ffi::PyUnicode_Check(object) != 0
            || ffi::PyComplex_Check(object) != 0
            || numpy().is_scalar(object)
    }
}

/// The array of another library as a `numptx.Array` over the same memory; `None` if the object is no such thing.
pub(crate) fn import<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Array>>> {
    let py = object.py();
    if object.hasattr("__dlpack__")? && object.hasattr("__dlpack_device__")? {
        let imported = dlpack::take(&exported(object)?)?;
        let owner = Box::into_raw(Box::new(Shared { count: 1.into(), owner: imported.owner })).cast();
        let memory = Memory {
            code: imported.code,
            shape: &imported.shape,
            strides: &imported.strides,
            data: imported.data,
            device: imported.device,
            read_only: imported.read_only,
        };
        let array = over(py, &memory, owner, &SHARED, Some(object));
        // SAFETY: `owner` was made with one reference, given back here; the buffer has its own.
        unsafe { release_shared(owner) };
        return Ok(Some(Bound::new(py, array?)?));
    }
    match object.getattr("__cuda_array_interface__") {
        Ok(interface) => Ok(Some(Bound::new(py, from_interface(object, interface.cast::<PyDict>()?)?)?)),
        Err(_) => Ok(None),
    }
}

/// The result of `object.__dlpack__()`, ordered before work on the legacy default stream.
fn exported<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let (kind, _): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
    let options = PyDict::new(py);
    if kind == dlpack::device(0).0 {
        options.set_item("stream", 1)?;
    }
    options.set_item("max_version", (1, 0))?;
    match object.call_method("__dlpack__", (), Some(&options)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            options.del_item("max_version")?;
            object.call_method("__dlpack__", (), Some(&options))
        }
        answer => answer,
    }
}

/// `__cuda_array_interface__`, versions 2 and 3.
fn from_interface(object: &Bound<'_, PyAny>, interface: &Bound<'_, PyDict>) -> PyResult<Array> {
    let py = object.py();
    let required = |key: &str| {
        interface
            .get_item(key)?
            .ok_or_else(|| PyValueError::new_err(format!("__cuda_array_interface__ has no '{key}'")))
    };
    let shape: Vec<i64> = required("shape")?.extract()?;
    let (data, read_only): (usize, bool) = required("data")?.extract()?;
    let descr = py.import("numpy")?.call_method1("dtype", (required("typestr")?,))?;
    let name: String = descr.getattr("name")?.extract()?;
    let code = numpy::DTYPE_NAMES
        .iter()
        .position(|known| *known == name)
        .ok_or_else(|| PyTypeError::new_err(format!("dtype {name} is not supported by numptx")))? as u8;
    let strides: Option<Vec<i64>> = interface.get_item("strides")?.and_then(|strides| strides.extract().ok());
    let strides = strides.unwrap_or_else(|| layout::c_strides(&shape, i64::from(dtype::ITEMSIZE[usize::from(code)])));
    let stream: usize = interface.get_item("stream")?.and_then(|stream| stream.extract().ok()).unwrap_or(0);
    let memory = Memory {
        code,
        shape: &shape,
        strides: &strides,
        data: data as *mut c_void,
        device: ordinal(object),
        read_only,
    };
    let array = over(py, &memory, object.as_ptr().cast(), &OBJECT, Some(object))?;
    Ok(array.after(if stream > 1 { stream as *mut c_void } else { std::ptr::null_mut() }))
}

/// The device that an object says it is on; 0 where it does not say.
fn ordinal(object: &Bound<'_, PyAny>) -> i32 {
    let device = object.getattr("device");
    let index = device.and_then(|device| device.getattr("index").or_else(|_| device.getattr("id")));
    index.and_then(|index| index.extract()).unwrap_or(0)
}

/// Foreign memory.
struct Memory<'a> {
    code: u8,
    shape: &'a [i64],
    strides: &'a [i64],
    data: *mut c_void,
    device: i32,
    read_only: bool,
}

/// An array over foreign memory. The buffer retains the owner through its table.
fn over(
    py: Python<'_>,
    memory: &Memory<'_>,
    owner: *mut c_void,
    table: &'static OwnerTable,
    base: Option<&Bound<'_, PyAny>>,
) -> PyResult<Array> {
    let mut view = array::view_of(memory.code, memory.shape, memory.strides)?;
    let (low, high) = layout::reach(memory.shape, memory.strides, i64::from(dtype::ITEMSIZE[usize::from(memory.code)]));
    view.offset = -low;
    let mut error = errors::empty();
    // SAFETY: the owner keeps the bytes `low..high` around `data` alive.
    let status = unsafe {
        (runtime::table().buffer_foreign)(
            memory.data.wrapping_byte_offset(low as isize),
            high - low,
            memory.device,
            u32::from(memory.read_only),
            owner,
            table,
            &mut view.buffer,
            &mut error,
        )
    };
    errors::check(py, status, &error)?;
    let parts = Parts {
        data: memory.data,
        device: memory.device,
        read_only: memory.read_only,
        base: base.map(|base| base.clone().unbind()),
    };
    Ok(Array::new(view, parts))
}

/// A `numptx.Array` over the memory of a NumPy array or of another library's array, or the argument itself.
#[pyfunction]
fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Array>>> {
    if let Ok(array) = object.cast::<Array>() {
        return Ok(Some(array.clone()));
    }
    // SAFETY: the argument is a live object.
    if !unsafe { numpy().is_array(object.as_ptr()) } {
        return import(object);
    }
    // SAFETY: an array, by the check; NumPy keeps `rank` extents and strides behind its pointers.
    let (fields, found, shape, strides) = unsafe {
        let fields = numpy().fields(object.as_ptr());
        let rank = fields.rank as usize;
        let axes = |values: *const i64| if rank == 0 { &[][..] } else { std::slice::from_raw_parts(values, rank) };
        (fields, numpy().dtype(fields), axes(fields.shape), axes(fields.strides))
    };
    let Dtype::Native(code) = found else {
        return Err(PyTypeError::new_err(format!("dtype {} is not supported by numptx", object.getattr("dtype")?)));
    };
    if fields.flags & numpy::ALIGNED == 0 {
        return Err(PyValueError::new_err("the array's elements are not aligned: pass a copy"));
    }
    let read_only = fields.flags & numpy::WRITEABLE == 0;
    let memory = Memory { code, shape, strides, data: fields.data, device: -1, read_only };
    Bound::new(object.py(), over(object.py(), &memory, object.as_ptr().cast(), &OBJECT, Some(object))?).map(Some)
}

/// An array as an array of the library that `example` is of; itself where that library does not take it.
pub(crate) fn export<'py>(array: Bound<'py, Array>, example: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let module: String = example.get_type().module()?.extract()?;
    let library = match module.split('.').next() {
        Some("torch") => "torch",
        Some("cupy") => "cupy",
        Some("jax" | "jaxlib") => "jax.dlpack",
        _ => return Ok(array.into_any()),
    };
    let runs_backwards = array.get().strides().iter().any(|stride| *stride < 0);
    // PyTorch has no such arrays: asked for one on a device, it aborts the process (seen with an H200).
    if library == "torch" && runs_backwards {
        return Ok(array.into_any());
    }
    let py = array.py();
    match py.import(library)?.call_method1("from_dlpack", PyTuple::new(py, [&array])?) {
        // Not every library has arrays that may not be written, or that run backwards.
        Err(_) if array.get().is_read_only() || runs_backwards => Ok(array.into_any()),
        answer => answer,
    }
}

/// Owners that are Python objects.
static OBJECT: OwnerTable = OwnerTable { retain: retain_object, release: release_object };

unsafe extern "C" fn retain_object(object: *mut c_void) {
    // SAFETY: whoever hands the object to a buffer holds a reference; the state makes the lock ours on any thread.
    unsafe {
        let state = ffi::PyGILState_Ensure();
        ffi::Py_INCREF(object.cast());
        ffi::PyGILState_Release(state);
    }
}

unsafe extern "C" fn release_object(object: *mut c_void) {
    with_interpreter(|| {
        // SAFETY: the buffer held a reference, and the lock is held.
        unsafe { ffi::Py_DECREF(object.cast()) }
    });
}

/// Runs something with the interpreter lock, unless the interpreter is going or gone.
fn with_interpreter(run: impl FnOnce()) {
    // SAFETY: may be called at any time.
    if interrupt::is_finalizing() || unsafe { ffi::Py_IsInitialized() } == 0 {
        return;
    }
    // SAFETY: the interpreter is there; ensuring nests.
    let state = unsafe { ffi::PyGILState_Ensure() };
    run();
    // SAFETY: ends what was ensured above.
    unsafe { ffi::PyGILState_Release(state) };
}

/// Owners that are DLPack tensors; deleters of Python's libraries take the lock themselves, but some expect to have it.
static SHARED: OwnerTable = OwnerTable { retain: retain_shared, release: release_shared };

struct Shared {
    count: std::sync::atomic::AtomicUsize,
    owner: ImportedOwner,
}

unsafe extern "C" fn retain_shared(shared: *mut c_void) {
    // SAFETY: whoever retains holds a reference.
    unsafe { (*shared.cast::<Shared>()).count.fetch_add(1, Ordering::Relaxed) };
}

unsafe extern "C" fn release_shared(shared: *mut c_void) {
    let shared = shared.cast::<Shared>();
    // SAFETY: the caller holds a reference.
    if unsafe { (*shared).count.fetch_sub(1, Ordering::AcqRel) } > 1 {
        return;
    }
    with_interpreter(|| {
        // SAFETY: that was the last reference.
        let last = unsafe { Box::from_raw(shared) };
        drop(last.owner);
    });
}
