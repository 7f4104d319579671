//! Arrays of other libraries: in through DLPack or `__cuda_array_interface__`, out through DLPack to the same library.
//!
//! Nothing is copied, and what may not be written there is read-only here (`mutability`). The runtime's buffer over foreign memory holds a reference
//! to its owner; dropping that reference may need the interpreter lock on any thread, and after the interpreter's end the owner is left alone. Names
//! of attributes are interned: the interpreter's cache of attributes would keep a name that is made for one look-up.

mod export;

use std::ffi::c_void;

use numptx_abi::{MAX_RANK, OwnerTable, PointerFacts, Value, dtype};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) use export::export;

use crate::array::{Array, Parts};
use crate::dlpack::{self, ImportedOwner, ImportedTensor};
use crate::numpy::{self, Dtype, numpy};
use crate::owners::{OBJECT, SHARED, SharedOwner, release_shared};
use crate::producers::{LEGACY_STREAM, Lives, Producer, producer_stream};
use crate::refusal::advice::advice_for;
use crate::{devices, errors, exchange, layout, mutability, runtime, streams, warnings};

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(as_array, native)?)
}

/// What an array is imported for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// One call, which orders itself after the producer's stream, and that after itself.
    Call,
    /// To be kept: what the producer has done so far comes before work on the default stream.
    Keep,
}

/// The array of another library as a `numptx.Array` over the same memory; `None` if the object is no such thing.
pub(crate) fn import<'py>(object: &Bound<'py, PyAny>, purpose: Purpose) -> PyResult<Option<Bound<'py, Array>>> {
    let py = object.py();
    if purpose == Purpose::Call
        && let Some(array) = through_exchange(object)?
    {
        return Bound::new(py, array).map(Some);
    }
    if object.hasattr(intern!(py, "__dlpack__"))? && object.hasattr(intern!(py, "__dlpack_device__"))? {
        return from_dlpack(object, purpose).and_then(|array| Bound::new(py, array)).map(Some);
    }
    match object.getattr_opt(intern!(py, "__cuda_array_interface__"))? {
        Some(interface) => {
            let array = from_interface(object, interface.cast::<PyDict>()?, purpose)?;
            Ok(Some(Bound::new(py, array)?))
        }
        None => Ok(None),
    }
}

fn from_dlpack(object: &Bound<'_, PyAny>, purpose: Purpose) -> PyResult<Array> {
    let py = object.py();
    // DLPack has no word for it, and PyTorch exports the memory as it is.
    if object.hasattr(intern!(py, "is_neg"))? && exchange::is_negated(object)? {
        return Err(PyValueError::new_err(
            "the tensor's elements are the negatives of what its memory holds: pass x.resolve_neg()",
        ));
    }
    let (kind, index): (i32, i32) = object.call_method0(intern!(py, "__dlpack_device__"))?.extract()?;
    let is_on_device = kind == dlpack::device(0).0;
    let producer = if is_on_device { producer_stream(object, index)? } else { None };
    let producer = producer.filter(|producer| purpose == Purpose::Call || producer.is_captured(py, index));
    let stream = is_on_device.then_some(if producer.is_some() { -1 } else { 1 });
    let imported = dlpack::take(&exported(object, stream)?)?;
    Ok(kept(py, imported, producer.is_none(), Some(object))?.after(producer))
}

/// The array through its library's exchange in C, if the library has that and it can be had so. The object keeps the memory.
fn through_exchange(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let py = object.py();
    // The slower protocols serve, unless somebody raised what is not to be answered for.
    let otherwise = || errors::pending(py).map(|()| None);
    let Some(speaker) = exchange::of(object) else { return otherwise() };
    let Some(found) = exchange::look_at(speaker, object) else { return otherwise() };
    let mut producer = None;
    if found.device >= 0 {
        let Some(handle) = exchange::current_stream(speaker.table, found.device) else { return otherwise() };
        // Streams that may go need an owner, whom only Python knows; the driver's own do not.
        if !speaker.stays(py, handle, found.device) {
            return otherwise();
        }
        producer = Some(Producer { handle, lives: Lives::ForEver, is_current: true });
    }
    let array = match found.owner {
        ImportedOwner::Nobody => {
            let memory = memory_of(&found, is_read_only(&found, Some(object))?, false);
            over(py, &memory, object.as_ptr().cast(), &OBJECT, Some(object))
        }
        _ => kept(py, found, false, Some(object)),
    };
    Ok(Some(array?.after(producer)))
}

/// A tensor that was given up to us on our current stream, as an array.
pub(crate) fn adopted(py: Python<'_>, imported: ImportedTensor) -> PyResult<Array> {
    let on_device = imported.device >= 0;
    // What that stream has to do with it comes before work on the default stream too; unless it is captured, when nothing outside may wait.
    let ordered = !on_device
        || streams::order_after(py, std::ptr::null_mut(), streams::current_or_default(), imported.device).is_ok();
    kept(py, imported, on_device && ordered, None)
}

/// Whether an imported tensor is read-only here. Without the array that it is of, one that does not say is.
fn is_read_only(imported: &ImportedTensor, base: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let said = imported.read_only;
    base.map_or(Ok(said.unwrap_or(true)), |array| mutability::is_read_only(array, said))
}

fn memory_of(imported: &ImportedTensor, read_only: bool, pending: bool) -> Memory<'_> {
    Memory {
        code: imported.code,
        shape: &imported.shape,
        strides: &imported.strides,
        data: imported.data,
        device: imported.device,
        read_only,
        pending,
    }
}

/// An array over an imported tensor, which it keeps.
fn kept(
    py: Python<'_>,
    mut imported: ImportedTensor,
    pending: bool,
    base: Option<&Bound<'_, PyAny>>,
) -> PyResult<Array> {
    let read_only = is_read_only(&imported, base)?;
    let held = std::mem::replace(&mut imported.owner, ImportedOwner::Nobody);
    let owner = Box::into_raw(Box::new(SharedOwner { count: 1.into(), owner: held })).cast();
    let array = over(py, &memory_of(&imported, read_only, pending), owner, &SHARED, base);
    // SAFETY: `owner` was made with one reference, given back here; the buffer has its own.
    unsafe { release_shared(owner) };
    array
}

/// The result of `object.__dlpack__()`. The producer orders itself before work on `stream`; -1: not at all.
fn exported<'py>(object: &Bound<'py, PyAny>, stream: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let options = PyDict::new(py);
    if let Some(stream) = stream {
        options.set_item(intern!(py, "stream"), stream)?;
    }
    options.set_item(intern!(py, "max_version"), (1, 0))?;
    match object.call_method(intern!(py, "__dlpack__"), (), Some(&options)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            options.del_item(intern!(py, "max_version"))?;
            object.call_method(intern!(py, "__dlpack__"), (), Some(&options))
        }
        answer => answer,
    }
}

/// `__cuda_array_interface__`, versions 2 and 3.
fn from_interface(object: &Bound<'_, PyAny>, interface: &Bound<'_, PyDict>, purpose: Purpose) -> PyResult<Array> {
    let py = object.py();
    let required = |key: &str| {
        interface
            .get_item(key)?
            .ok_or_else(|| PyValueError::new_err(format!("__cuda_array_interface__ has no '{key}'")))
    };
    // Members that may be missing or `None`.
    let given = |key: &str| Ok::<_, PyErr>(interface.get_item(key)?.filter(|value| !value.is_none()));
    if given("mask")?.is_some() {
        return Err(PyTypeError::new_err(
            "masked arrays (__cuda_array_interface__ with a 'mask') are not supported: pass one whose masked elements are filled",
        ));
    }
    let shape = numbers(&required("shape")?)?;
    let (data, read_only): (usize, bool) = required("data")?.extract()?;
    let descr = py.import("numpy")?.call_method1(intern!(py, "dtype"), (required("typestr")?,))?;
    let name: String = descr.getattr(intern!(py, "name"))?.extract()?;
    let is_native = descr.getattr(intern!(py, "isnative"))?.is_truthy()?;
    let code = numpy::DTYPE_NAMES
        .iter()
        .position(|known| *known == name)
        .filter(|_| is_native)
        .ok_or_else(|| PyTypeError::new_err(format!("dtype {descr} is not supported by numptx")))? as u8;
    let strides = match given("strides")? {
        Some(strides) => numbers(&strides)?,
        None => layout::c_strides(&shape, i64::from(dtype::ITEMSIZE[usize::from(code)])),
    };
    let device = device_at(object, data, layout::size(&shape) == 0)?;
    let stream: usize = given("stream")?.map_or(Ok(0), |stream| stream.extract())?;
    let memory = Memory {
        code,
        shape: &shape,
        strides: &strides,
        data: data as *mut c_void,
        device,
        read_only: mutability::is_read_only(object, Some(read_only))?,
        pending: purpose == Purpose::Keep,
    };
    let array = over(py, &memory, object.as_ptr().cast(), &OBJECT, Some(object))?;
    let mut producer = Producer { handle: stream, lives: Lives::InUse, is_current: false };
    if stream == 0 {
        return Ok(array);
    }
    producer.is_current = producer.is_captured(py, device);
    if purpose == Purpose::Keep && !producer.is_current {
        producer.come_before(py, LEGACY_STREAM, device)?;
        return Ok(array);
    }
    Ok(array.after(Some(producer)))
}

/// An array over the memory of one that was imported for a call, for views that outlive the call; `None` where that one serves.
///
/// A stream of which nobody knows how long it lives cannot be waited for later: what it was given so far comes before work on the default stream.
pub(crate) fn lasting<'py>(imported: &Bound<'py, Array>) -> PyResult<Option<Bound<'py, Array>>> {
    let (py, array) = (imported.py(), imported.get());
    let (device, open) = (array.device_ordinal(), array.open()?);
    let passing = open.producer().filter(|producer| matches!(producer.lives, Lives::InUse));
    let Some(producer) = passing.filter(|producer| !producer.is_captured(py, device)) else { return Ok(None) };
    producer.come_before(py, LEGACY_STREAM, device)?;
    let memory = Memory {
        code: array.dtype_code(),
        shape: array.shape(),
        strides: array.strides(),
        data: array.address(),
        device,
        read_only: array.is_read_only(),
        pending: true,
    };
    let object = open.owner(imported).into_bound(py);
    Bound::new(py, over(py, &memory, object.as_ptr().cast(), &OBJECT, Some(&object))?).map(Some)
}

/// The device of an array at an address, for which the driver is asked: the protocol does not tell. What lies where it is used, as managed memory and
/// page-locked memory of the host do, is on the device that the object names; and so is an array without elements, whose address may be any.
fn device_at(object: &Bound<'_, PyAny>, address: usize, is_empty: bool) -> PyResult<i32> {
    let named = ordinal(object)?;
    if is_empty {
        return devices::placement(devices::DeviceName(named.unwrap_or(0)));
    }
    let mut facts = PointerFacts { kind: PointerFacts::UNKNOWN, device: -1 };
    let out = streams::SendPointer(&raw mut facts);
    // SAFETY: the out-parameter is alive; the address is not followed.
    streams::detached(object.py(), move |table, error| unsafe {
        (table.pointer_facts)(std::ptr::without_provenance(address), out.get(), error)
    })?;
    match (facts.kind, named) {
        (PointerFacts::UNKNOWN, _) => Err(PyValueError::new_err(format!(
            "__cuda_array_interface__ names the address {address:#x}, where the driver knows no memory that a GPU could use; \
             an array on the host is passed as such, through the buffer protocol or DLPack"
        ))),
        (PointerFacts::MANAGED | PointerFacts::HOST, Some(named)) => devices::placement(devices::DeviceName(named)),
        _ => Ok(facts.device),
    }
}

/// Whether the type of an object says that it is an array of another library.
pub(crate) fn is_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, class) = (object.py(), object.get_type());
    for name in [intern!(py, "__dlpack__"), intern!(py, "__cuda_array_interface__")] {
        if errors::if_any(py, class.hasattr(name))? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Extents or strides of another library's; more than an array has are not read.
fn numbers(found: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    match found.len()? {
        n if n <= MAX_RANK => found.extract(),
        n => Err(PyValueError::new_err(format!(
            "the array cannot be: arrays have at most {MAX_RANK} axes here, found {n}"
        ))),
    }
}

/// The device that an object says it is on, if it says so.
fn ordinal(object: &Bound<'_, PyAny>) -> PyResult<Option<i32>> {
    let py = object.py();
    let Some(device) = object.getattr_opt(intern!(py, "device"))? else { return Ok(None) };
    for name in [intern!(py, "index"), intern!(py, "id")] {
        if let Some(index) = device.getattr_opt(name)? {
            let index: Option<i32> = errors::if_any(py, index.extract())?;
            return Ok(index.filter(|ordinal| *ordinal >= 0));
        }
    }
    Ok(None)
}

/// Foreign memory.
struct Memory<'a> {
    code: u8,
    shape: &'a [i64],
    strides: &'a [i64],
    data: *mut c_void,
    device: i32,
    read_only: bool,
    /// Whether the default stream has work with it that later work has to wait for.
    pending: bool,
}

/// An array over foreign memory. The buffer retains the owner through its table.
fn over(
    py: Python<'_>,
    memory: &Memory<'_>,
    owner: *mut c_void,
    table: &'static OwnerTable,
    base: Option<&Bound<'_, PyAny>>,
) -> PyResult<Array> {
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(memory.code)]);
    if let Some(fault) = layout::fault(memory.shape, memory.strides, itemsize) {
        return Err(PyValueError::new_err(format!("the array cannot be: {fault}")));
    }
    if memory.data.is_null() && !memory.shape.contains(&0) {
        return Err(PyValueError::new_err("the array cannot be: its elements are at the address 0"));
    }
    devices::check_other(memory.device)?;
    // Of a GPU's memory a call says so, which copies do not mind.
    if memory.device < 0 && !layout::is_aligned(memory.shape, memory.strides, memory.data.addr(), memory.code) {
        return Err(PyValueError::new_err("the array's elements are not aligned: pass a copy"));
    }
    let view = lent(py, memory, owner, table)?;
    let parts = Parts {
        data: memory.data,
        device: memory.device,
        read_only: memory.read_only,
        base: base.map(|base| base.clone().unbind()),
    };
    let keeps_base = base.is_some_and(|base| std::ptr::eq(table, &OBJECT) && base.as_ptr().cast() == owner);
    let array = Array::new(view, parts);
    Ok(if keeps_base { array.with_base_kept() } else { array })
}

/// A view of foreign memory, with a reference to a buffer that retains the owner through its table.
fn lent(
    py: Python<'_>,
    memory: &Memory<'_>,
    owner: *mut c_void,
    table: &'static OwnerTable,
) -> PyResult<numptx_abi::Array> {
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(memory.code)]);
    let mut view = crate::array::view_of(memory.code, memory.shape, memory.strides)?;
    let (low, high) = layout::reach(memory.shape, memory.strides, itemsize);
    view.offset = -low;
    let mut error = errors::empty();
    // SAFETY: the owner keeps the bytes `low..high` around `data` alive.
    let status = unsafe {
        (runtime::table().buffer_foreign)(
            memory.data.wrapping_byte_offset(low as isize),
            high - low,
            memory.device,
            u32::from(memory.read_only),
            u32::from(memory.pending),
            owner,
            table,
            &mut view.buffer,
            &mut error,
        )
    };
    errors::check(py, status, &error)?;
    Ok(view)
}

/// A NumPy array of a dtype and rank, with a reference to a buffer that keeps it; `None`: it is another array, or none that calls take.
///
/// # Safety
/// A live object.
pub(crate) unsafe fn of_numpy_kept(
    py: Python<'_>,
    object: *mut pyo3::ffi::PyObject,
    code: u8,
    rank: usize,
) -> PyResult<Option<numptx_abi::Array>> {
    let numpy = numpy();
    // SAFETY: as the caller promises; NumPy keeps `rank` extents and strides behind its pointers.
    unsafe {
        if !numpy.is_array(object) {
            return Ok(None);
        }
        let fields = numpy.fields(object);
        let (shape, strides) = fields.axes();
        let fits = fields.rank as usize == rank
            && numpy.dtype(fields) == crate::numpy::Dtype::Native(code)
            && fields.flags & crate::numpy::ALIGNED != 0
            && layout::has_whole_steps(code, shape, strides);
        if !fits {
            return Ok(None);
        }
        let read_only = fields.flags & crate::numpy::WRITEABLE == 0;
        let memory = Memory { code, shape, strides, data: fields.data, device: -1, read_only, pending: false };
        lent(py, &memory, object.cast(), &OBJECT).map(Some)
    }
}

/// A view that a call returned of an array of another library, with a reference to a buffer that keeps the array. Nothing is ordered: the memory is the
/// library's.
pub(crate) fn viewed(object: &Bound<'_, PyAny>, value: &Value) -> PyResult<numptx_abi::Array> {
    let rank = value.array.rank as usize;
    let memory = Memory {
        code: value.array.dtype as u8,
        shape: &value.array.shape[..rank],
        strides: &value.array.strides[..rank],
        data: value.data,
        device: value.device,
        read_only: false,
        pending: false,
    };
    lent(object.py(), &memory, object.as_ptr().cast(), &OBJECT)
}

/// A `numptx.Array` over the memory of a NumPy array or of another library's array, or the argument itself.
#[pyfunction]
pub(crate) fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Array>>> {
    if let Ok(array) = object.cast::<Array>() {
        array.get().open()?;
        return Ok(Some(array.clone()));
    }
    warnings::warn()?;
    // SAFETY: the argument is a live object.
    if unsafe { numpy().is_array(object.as_ptr()) } {
        return of_numpy(object).map(Some);
    }
    // SAFETY: as above.
    if unsafe { numpy().is_array_or_subclass(object.as_ptr()) } {
        refuse_more(object)?;
        return of_numpy(object).map(Some);
    }
    let imported = import(object, Purpose::Keep)?;
    if imported.is_none() {
        refuse_more(object)?;
    }
    Ok(imported)
}

/// An error for what an array of the same elements would misrepresent.
fn refuse_more(object: &Bound<'_, PyAny>) -> PyResult<()> {
    match advice_for(object)?.filter(|advice| advice.is_needed) {
        None => Ok(()),
        Some(advice) => Err(PyTypeError::new_err(format!(
            "{} holds more than an array does: pass {}",
            object.get_type().name()?,
            advice.of("x")
        ))),
    }
}

/// The elements of a NumPy array.
fn of_numpy<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Array>> {
    // SAFETY: an array, as callers know.
    let (fields, found, (shape, strides)) = unsafe {
        let fields = numpy().fields(object.as_ptr());
        (fields, numpy().dtype(fields), fields.axes())
    };
    let Dtype::Native(code) = found else {
        let dtype = object.getattr(intern!(object.py(), "dtype"))?;
        let advice = advice_for(object)?.map(|advice| format!(": pass {}", advice.of("x")));
        return Err(PyTypeError::new_err(format!(
            "dtype {dtype} is not supported by numptx{}",
            advice.unwrap_or_default()
        )));
    };
    if fields.flags & numpy::ALIGNED == 0 {
        return Err(PyValueError::new_err("the array's elements are not aligned: pass a copy"));
    }
    let read_only = fields.flags & numpy::WRITEABLE == 0;
    let memory = Memory { code, shape, strides, data: fields.data, device: -1, read_only, pending: false };
    Bound::new(object.py(), over(object.py(), &memory, object.as_ptr().cast(), &OBJECT, Some(object))?)
}
