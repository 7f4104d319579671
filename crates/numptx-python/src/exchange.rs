//! DLPack's exchange in C: what libraries' compiled code asks of each other's array types, without a Python call.
//!
//! Out: `numptx.Array.__dlpack_c_exchange_api__`, a capsule with our functions. In: the functions of the types of other libraries' arrays,
//! through which a call takes their arrays and gives back its results. Nothing here waits for a stream: the receiver works on the giver's current
//! one. Source: dlpack.h 1.3, and `__dlpack_c_exchange_api__` of the array API standard.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use numptx_abi as abi;
use pyo3::exceptions::{PyBufferError, PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::intern;
use pyo3::prelude::*;

use crate::array::Array;
use crate::call::attached;
use crate::dlpack::{self, DlTensor, Imported, ImportedOwner, ManagedVersioned, Placed, VERSION};
use crate::producers::THREAD_STREAM;
use crate::{foreign, layout, streams};

const CAPSULE: &CStr = c"dlpack_exchange_api";

type FromManaged = unsafe extern "C" fn(*mut ManagedVersioned, *mut *mut PyObject) -> c_int;
type SetError = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char);

#[repr(C)]
struct Header {
    version: (u32, u32),
    previous: *mut Header,
}

/// The table of a library's array type. It lives as long as the process.
#[repr(C)]
pub(crate) struct Exchange {
    header: Header,
    allocate:
        Option<unsafe extern "C" fn(*mut DlTensor, *mut *mut ManagedVersioned, *mut c_void, Option<SetError>) -> c_int>,
    to_managed: Option<unsafe extern "C" fn(*mut PyObject, *mut *mut ManagedVersioned) -> c_int>,
    from_managed: Option<FromManaged>,
    to_tensor: Option<unsafe extern "C" fn(*mut PyObject, *mut DlTensor) -> c_int>,
    stream: Option<unsafe extern "C" fn(i32, i32, *mut *mut c_void) -> c_int>,
}

// SAFETY: tables never change.
unsafe impl Sync for Exchange {}

/// An array type that speaks the exchange.
#[derive(Clone, Copy)]
pub(crate) struct Speaker {
    pub table: &'static Exchange,
    /// What tells of an array whether it stands for the negative of what its memory holds: `is_neg` of the type; null: there is no such thing.
    is_negative: *mut PyObject,
    facts: u8,
}

impl Speaker {
    /// Its arrays may ask for gradients.
    const GRADIENTS: u8 = 1;
    /// The library's own streams live for ever: PyTorch's do.
    const STREAMS_STAY: u8 = 2;

    /// Whether the stream that the library works on now on a device lives for ever.
    pub fn stays(self, py: Python<'_>, handle: usize, device: i32) -> bool {
        handle <= THREAD_STREAM
            || (self.facts & Speaker::STREAMS_STAY != 0 && crate::producers::is_pooled(py, handle, device))
    }
}

/// What is known of a type, which has a reference more, so that no other type gets its address.
struct Known {
    class: AtomicPtr<PyTypeObject>,
    table: AtomicPtr<Exchange>,
    /// A reference for good, or null.
    is_negative: AtomicPtr<PyObject>,
    facts: AtomicU8,
}

impl Known {
    const fn nothing() -> Known {
        let (class, table) = (AtomicPtr::new(std::ptr::null_mut()), AtomicPtr::new(std::ptr::null_mut()));
        Known { class, table, is_negative: AtomicPtr::new(std::ptr::null_mut()), facts: AtomicU8::new(0) }
    }
}

/// So many types are met by their functions, in all libraries of a process; others by the slower protocol.
const TYPES: usize = 64;

static KNOWN: [Known; TYPES] = [const { Known::nothing() }; TYPES];

/// The functions of an array's type, if the type has such that are understood here.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> Option<Speaker> {
    known(object.get_type_ptr()).or_else(|| look_up(object))
}

/// The same of types that were met before.
pub(crate) fn known(class: *mut PyTypeObject) -> Option<Speaker> {
    for known in &KNOWN {
        let found = known.class.load(Ordering::Acquire);
        if found == class {
            // SAFETY: stored before the type was; tables live as long as the process.
            let table = unsafe { known.table.load(Ordering::Acquire).as_ref() }?;
            let is_negative = known.is_negative.load(Ordering::Relaxed);
            return Some(Speaker { table, is_negative, facts: known.facts.load(Ordering::Relaxed) });
        }
        if found.is_null() {
            break;
        }
    }
    None
}

/// The same of others.
pub(crate) fn look_up(object: &Bound<'_, PyAny>) -> Option<Speaker> {
    let py = object.py();
    let class = object.get_type();
    let capsule = class.getattr_opt(intern!(py, "__dlpack_c_exchange_api__")).ok()??;
    // SAFETY: a capsule of this name holds a table, by the standard; it lives as long as the process.
    let found = unsafe {
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), CAPSULE.as_ptr()) == 0 {
            return None;
        }
        ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr()).cast::<Exchange>()
    };
    // SAFETY: as above; the header is the same in every version.
    let table = unsafe { understood(found) }?;
    let mut facts = 0;
    if class.hasattr(intern!(py, "requires_grad")).unwrap_or(true) {
        facts |= Speaker::GRADIENTS;
    }
    // A type that cannot tell is left to the slower protocol.
    let is_negative = class.getattr_opt(intern!(py, "is_neg")).ok()?;
    if class.module().ok()?.to_cow().ok()?.split('.').next() == Some("torch") {
        facts |= Speaker::STREAMS_STAY;
    }
    remember(&class, table, is_negative, facts)
}

/// The table of our version in the chain that a header begins.
///
/// # Safety
/// A table of another library, or null.
unsafe fn understood(first: *mut Exchange) -> Option<&'static Exchange> {
    let mut at = first;
    // SAFETY: as the caller promises.
    while let Some(header) = unsafe { at.cast::<Header>().as_ref() } {
        if header.version.0 == VERSION.0 {
            // SAFETY: the version has this layout.
            return unsafe { at.as_ref() };
        }
        at = header.previous.cast();
    }
    None
}

/// Keeps what is known of a type, and the type, for good. `None`: there is no room, and the slower protocol serves.
fn remember(
    class: &Bound<'_, pyo3::types::PyType>,
    table: &'static Exchange,
    is_negative: Option<Bound<'_, PyAny>>,
    facts: u8,
) -> Option<Speaker> {
    let shared = std::ptr::from_ref(table).cast_mut();
    for known in &KNOWN {
        // The entry is filled by the one who gets its table's slot, and read only by those who find the type.
        let taken =
            known.table.compare_exchange(std::ptr::null_mut(), shared, Ordering::AcqRel, Ordering::Acquire).is_err();
        if !taken {
            let is_negative = is_negative.map_or(std::ptr::null_mut(), Bound::into_ptr);
            known.is_negative.store(is_negative, Ordering::Relaxed);
            known.facts.store(facts, Ordering::Relaxed);
            known.class.store(class.clone().into_ptr().cast(), Ordering::Release);
            return Some(Speaker { table, is_negative, facts });
        }
    }
    None
}

/// The current stream of the library on a device: the driver's handle, 1 for the legacy default stream.
pub(crate) fn current_stream(table: &Exchange, device: i32) -> Option<usize> {
    let ask = table.stream?;
    let mut stream = std::ptr::null_mut();
    // SAFETY: by the standard; the interpreter is attached.
    if unsafe { ask(dlpack::CUDA, device, &mut stream) } != 0 {
        // SAFETY: attached.
        unsafe { ffi::PyErr_Clear() };
        return None;
    }
    Some((stream as usize).max(1))
}

/// An array's tensor as its library shows it, for as long as nobody changes the array. `None`: the slower protocol has to say why not.
pub(crate) fn show(speaker: Speaker, object: &Bound<'_, PyAny>) -> Option<DlTensor> {
    let show = speaker.table.to_tensor?;
    // Arrays whose memory is not all that there is to them say so to the other protocol.
    if speaker.facts & Speaker::GRADIENTS != 0 && asks_for_gradients(object) {
        return None;
    }
    if !speaker.is_negative.is_null() && says_yes(speaker.is_negative, object) {
        return None;
    }
    let mut tensor = std::mem::MaybeUninit::<DlTensor>::zeroed();
    // SAFETY: by the standard: a table's functions take objects of its type; a tensor that was filled is plain words.
    unsafe {
        if show(object.as_ptr(), tensor.as_mut_ptr()) != 0 {
            ffi::PyErr_Clear();
            return None;
        }
        Some(tensor.assume_init())
    }
}

/// Whether a tensor stands for the negative of what its memory holds, as `z.conj().imag` of PyTorch's does.
pub(crate) fn is_negated(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.call_method0(intern!(object.py(), "is_neg"))?.is_truthy()
}

/// Whether a function of a type says something else than no of an object of the type.
fn says_yes(function: *mut PyObject, object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are live objects; the answer is a new reference, or null with an exception set.
    unsafe {
        let answer = ffi::PyObject_CallFunctionObjArgs(function, object.as_ptr(), std::ptr::null_mut::<PyObject>());
        if answer.is_null() {
            ffi::PyErr_Clear();
            return true;
        }
        let is_yes = answer != ffi::Py_False();
        ffi::Py_DECREF(answer);
        is_yes
    }
}

/// Whether an array asks for gradients, or does not tell.
fn asks_for_gradients(object: &Bound<'_, PyAny>) -> bool {
    let name = intern!(object.py(), "requires_grad").as_ptr();
    // SAFETY: both are live objects; the answer is a new reference, or null with an exception set.
    unsafe {
        let answer = ffi::PyObject_GetAttr(object.as_ptr(), name);
        if answer.is_null() {
            ffi::PyErr_Clear();
            return true;
        }
        let asks = answer != ffi::Py_False();
        ffi::Py_DECREF(answer);
        asks
    }
}

/// What an array is, for the time of the call: its memory is the object's. `None`: as of [`show`].
pub(crate) fn look_at(speaker: Speaker, object: &Bound<'_, PyAny>) -> Option<Imported> {
    let tensor = show(speaker, object)?;
    dlpack::describe(&tensor, ImportedOwner::Nobody, false).ok().filter(|found| !found.is_complex())
}

/// An array of ours as one of the library whose table it is; nothing is waited for but by its current stream. `None`: the slower protocol has to do it.
pub(crate) fn export<'py>(speaker: Speaker, array: &Bound<'py, Array>) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (make, device) = (speaker.table.from_managed?, array.get().device_ordinal());
    if array.get().is_read_only() || array.get().strides().iter().any(|stride| *stride < 0) {
        return None;
    }
    let py = array.py();
    let ordered = match device {
        ..0 => Ok(()),
        _ => array.get().share_with(py, current_stream(speaker.table, device)?),
    };
    let managed = ordered.and_then(|()| dlpack::managed(array.get()));
    // SAFETY: made just now, for this.
    Some(managed.and_then(|managed| unsafe { made(py, make, managed) }))
}

/// A fresh result as an array of the library, on whose current stream it was computed. `None`: as of [`export`], and nothing was done.
pub(crate) fn give<'py>(
    py: Python<'py>,
    speaker: Speaker,
    view: &abi::Array,
    place: Placed,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let make = speaker.table.from_managed?;
    if view.strides[..view.rank as usize].iter().any(|stride| *stride < 0) {
        return None;
    }
    let managed = dlpack::given(view, place, 0).ok()?;
    // SAFETY: as above.
    Some(unsafe { made(py, make, managed) })
}

/// # Safety
/// `managed` is a tensor that is given up.
unsafe fn made<'py>(py: Python<'py>, make: FromManaged, managed: *mut ManagedVersioned) -> PyResult<Bound<'py, PyAny>> {
    let mut made = std::ptr::null_mut();
    // SAFETY: by the standard: the function takes the tensor over, also on failure.
    unsafe {
        match make(managed, &mut made) {
            0 => Bound::from_owned_ptr_or_err(py, made),
            _ => Err(PyErr::take(py)
                .unwrap_or_else(|| PyRuntimeError::new_err("another library refused an array without a reason"))),
        }
    }
}

/// The capsule for our own type.
pub(crate) fn capsule(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: table and name are static; the result is a new reference or null.
    unsafe {
        let table = (&raw const OWN).cast_mut().cast();
        Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(table, CAPSULE.as_ptr(), None))
    }
}

/// Our own functions. Strides are bytes here and elements there, so that no tensor can be shown without memory for it: `to_tensor` is left out.
static OWN: Exchange = Exchange {
    header: Header { version: VERSION, previous: std::ptr::null_mut() },
    allocate: Some(own_allocate),
    to_managed: Some(own_to_managed),
    from_managed: Some(own_from_managed),
    to_tensor: None,
    stream: Some(own_stream),
};

/// Runs a function of the table: 0, or -1 with an exception set.
fn answered(run: impl FnOnce(Python<'_>) -> PyResult<()>) -> c_int {
    let run = std::panic::AssertUnwindSafe(run);
    attached(|py| {
        let done = std::panic::catch_unwind(|| {
            let run = run;
            (run.0)(py)
        });
        match done
            .unwrap_or_else(|_| Err(PyRuntimeError::new_err("numptx: an exchange failed; this is a bug of numptx")))
        {
            Ok(()) => 0,
            Err(error) => {
                error.restore(py);
                -1
            }
        }
    })
}

unsafe extern "C" fn own_to_managed(object: *mut PyObject, out: *mut *mut ManagedVersioned) -> c_int {
    answered(|py| {
        // SAFETY: consumers pass a live object and a place for the result.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        let array =
            object.cast::<Array>().map_err(|_| PyTypeError::new_err("numptx's exchange takes a numptx.Array"))?;
        let device = array.get().device_ordinal();
        if device >= 0 {
            // The consumer goes on where our calls would run now.
            array.get().share_with(py, streams::current_handle(device))?;
        }
        let managed = dlpack::managed(array.get())?;
        // SAFETY: as above.
        unsafe { out.write(managed) };
        Ok(())
    })
}

unsafe extern "C" fn own_from_managed(managed: *mut ManagedVersioned, out: *mut *mut PyObject) -> c_int {
    answered(|py| {
        // SAFETY: consumers give a tensor up to us, which is of our major version or only to be dropped.
        let imported = unsafe { dlpack::take_managed(managed) }?;
        let array = foreign::adopted(py, imported)?;
        // SAFETY: a place for the result.
        unsafe { out.write(Bound::new(py, array)?.into_ptr().cast()) };
        Ok(())
    })
}

unsafe extern "C" fn own_stream(kind: i32, device: i32, out: *mut *mut c_void) -> c_int {
    let handle = if kind == dlpack::CUDA { streams::current_handle(device) } else { 0 };
    // SAFETY: a place for the result. The legacy default stream is null, as in the driver's own interface.
    unsafe { out.write(if handle == 1 { std::ptr::null_mut() } else { handle as *mut c_void }) };
    0
}

/// May be called without the interpreter lock; reports through `set_error`.
unsafe extern "C" fn own_allocate(
    prototype: *mut DlTensor,
    out: *mut *mut ManagedVersioned,
    context: *mut c_void,
    set_error: Option<SetError>,
) -> c_int {
    let made = attached(|py| {
        // SAFETY: the consumer describes the tensor that it wants.
        let wanted = unsafe { &*prototype };
        let (code, device) = dlpack::place(wanted)?;
        let rank = usize::try_from(wanted.ndim).map_err(|_| PyBufferError::new_err("a tensor has no negative rank"))?;
        // SAFETY: as above: `ndim` extents.
        let shape = if rank == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(wanted.shape, rank) } };
        let strides = layout::c_strides(shape, i64::from(abi::dtype::ITEMSIZE[usize::from(code)]));
        dlpack::managed(&Array::empty(py, code, (shape, &strides), device)?)
    });
    match made {
        Ok(managed) => {
            // SAFETY: a place for the result.
            unsafe { out.write(managed) };
            0
        }
        Err(error) => {
            attached(|py| {
                let text = |words: String| std::ffi::CString::new(words).unwrap_or_default();
                let kind =
                    error.get_type(py).name().map_or_else(|_| "RuntimeError".to_string(), |name| name.to_string());
                let (kind, words) = (text(kind), text(error.value(py).to_string()));
                if let Some(set_error) = set_error {
                    // SAFETY: null-terminated texts and the consumer's own context.
                    unsafe { set_error(context, kind.as_ptr(), words.as_ptr()) };
                }
                drop(error);
            });
            -1
        }
    }
}
