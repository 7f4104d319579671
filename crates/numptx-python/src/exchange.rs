//! DLPack's exchange in C: what libraries' compiled code asks of each other's array types, without a Python call.
//!
//! Out: `numptx.Array.__dlpack_c_exchange_api__`, a capsule with our functions. In: the functions of the types of other libraries' arrays,
//! through which a call takes their arrays and gives back its results. Nothing here waits for a stream: the receiver works on the giver's current
//! one. Source: dlpack.h 1.3, and `__dlpack_c_exchange_api__` of the array API standard.

mod own;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use numptx_abi as abi;
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

pub(crate) use own::capsule;

use crate::array::Array;
use crate::dlpack::{self, ArrayPlace, DlTensor, ImportedOwner, ImportedTensor, ManagedTensorVersioned, VERSION};
use crate::producers::THREAD_STREAM;
use crate::questions::Question;
use crate::{errors, mutability};

const CAPSULE: &CStr = c"dlpack_exchange_api";

type FromManaged = unsafe extern "C" fn(*mut ManagedTensorVersioned, *mut *mut PyObject) -> c_int;
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
    allocate: Option<
        unsafe extern "C" fn(*mut DlTensor, *mut *mut ManagedTensorVersioned, *mut c_void, Option<SetError>) -> c_int,
    >,
    to_managed: Option<unsafe extern "C" fn(*mut PyObject, *mut *mut ManagedTensorVersioned) -> c_int>,
    from_managed: Option<FromManaged>,
    to_tensor: Option<unsafe extern "C" fn(*mut PyObject, *mut DlTensor) -> c_int>,
    stream: Option<unsafe extern "C" fn(i32, i32, *mut *mut c_void) -> c_int>,
}

// SAFETY: tables never change.
unsafe impl Sync for Exchange {}

/// What is known of an array type that speaks the exchange; it has a reference more, so that no other type gets its address.
pub(crate) struct SpeakerType {
    class: Py<PyType>,
    pub table: &'static Exchange,
    /// Whether an array asks for gradients.
    gradients: Question,
    /// Whether an array stands for the negative of what its memory holds.
    negative: Question,
    /// Arrays of the type may be written, so that a tensor need not say whether it may be.
    is_mutable: bool,
    /// The library's own streams live for ever: PyTorch's do.
    streams_stay: bool,
}

/// An array type that speaks the exchange.
pub(crate) type Speaker = &'static SpeakerType;

impl SpeakerType {
    /// Whether the stream that the library works on now on a device lives for ever.
    pub fn stays(&self, py: Python<'_>, handle: usize, device: i32) -> bool {
        handle <= THREAD_STREAM || (self.streams_stay && crate::producers::is_pooled(py, handle, device))
    }

    /// Whether an array is more than its memory, which it says to the slower protocol.
    fn is_more(&self, object: &Bound<'_, PyAny>) -> bool {
        self.gradients.is_yes(object) || self.negative.is_yes(object)
    }
}

/// So many types are met by their functions, in all libraries of a process; others by the slower protocol.
const TYPES: usize = 64;

/// Filled from the first on, for good.
static KNOWN: [AtomicPtr<SpeakerType>; TYPES] = [const { AtomicPtr::new(std::ptr::null_mut()) }; TYPES];

/// The functions of an array's type, if the type has such that are understood here. `None` with an exception pending: it passes.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> Option<Speaker> {
    known(object.get_type_ptr()).or_else(|| look_up(object))
}

/// The same of types that were met before.
#[inline]
pub(crate) fn known(class: *mut PyTypeObject) -> Option<Speaker> {
    for slot in &KNOWN {
        // SAFETY: what is stored is never freed.
        let known = unsafe { slot.load(Ordering::Acquire).as_ref() }?;
        if known.class.as_ptr() == class.cast() {
            return Some(known);
        }
    }
    None
}

/// The same of others.
pub(crate) fn look_up(object: &Bound<'_, PyAny>) -> Option<Speaker> {
    let py = object.py();
    let class = object.get_type();
    let capsule = errors::or_pending(py, class.getattr_opt(intern!(py, "__dlpack_c_exchange_api__")))??;
    // SAFETY: a capsule of this name holds a table, by the standard; it lives as long as the process.
    let found = unsafe {
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), CAPSULE.as_ptr()) == 0 {
            return None;
        }
        ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr()).cast::<Exchange>()
    };
    // SAFETY: as above; the header is the same in every version.
    let table = unsafe { understood(found) }?;
    // A type that cannot tell is left to the slower protocol.
    let gradients = Question::attribute(&class, intern!(py, "requires_grad"))?;
    let negative = Question::method(object, intern!(py, "is_neg"))?;
    let mut is_mutable = errors::or_pending(py, mutability::is_mutable(&class))?;
    if is_mutable {
        // A library may have a type for what is not to be written, which its managed tensors say.
        is_mutable = managed(table, object).is_none_or(|tensor| tensor.read_only == Some(false));
        if PyErr::occurred(py) {
            return None;
        }
    }
    let streams_stay = class.module().ok()?.to_cow().ok()?.split('.').next() == Some("torch");
    remember(SpeakerType { class: class.unbind(), table, gradients, negative, is_mutable, streams_stay })
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
fn remember(known: SpeakerType) -> Option<Speaker> {
    let fresh = Box::into_raw(Box::new(known));
    for slot in &KNOWN {
        if slot.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            // SAFETY: stored for good.
            return Some(unsafe { &*fresh });
        }
    }
    // SAFETY: nobody else has seen it.
    drop(unsafe { Box::from_raw(fresh) });
    None
}

/// The current stream of the library on a device: the driver's handle, 1 for the legacy default stream. `None`: as of [`of`].
pub(crate) fn current_stream(table: &Exchange, device: i32) -> Option<usize> {
    let ask = table.stream?;
    let mut stream = std::ptr::null_mut();
    // SAFETY: by the standard; the interpreter is attached.
    if unsafe { ask(dlpack::CUDA, device, &mut stream) } != 0 {
        // SAFETY: attached.
        unsafe { errors::forget_pending() };
        return None;
    }
    Some((stream as usize).max(1))
}

/// An array's tensor as its library shows it, for as long as nobody changes the array. `None`: the slower protocol has to say why not; or as of [`of`].
pub(crate) fn show(speaker: Speaker, object: &Bound<'_, PyAny>) -> Option<DlTensor> {
    let show = speaker.table.to_tensor?;
    if !speaker.is_mutable || speaker.is_more(object) {
        return None;
    }
    let mut tensor = std::mem::MaybeUninit::<DlTensor>::zeroed();
    // SAFETY: by the standard: a table's functions take objects of its type; a tensor that was filled is plain words.
    unsafe {
        if show(object.as_ptr(), tensor.as_mut_ptr()) != 0 {
            errors::forget_pending();
            return None;
        }
        Some(tensor.assume_init())
    }
}

/// Whether a tensor stands for the negative of what its memory holds, as `z.conj().imag` of PyTorch's does.
pub(crate) fn is_negated(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.call_method0(intern!(object.py(), "is_neg"))?.is_truthy()
}

/// What an array is. It is its own owner for the time of the call where its library shows it. `None`: as of [`show`].
pub(crate) fn look_at(speaker: Speaker, object: &Bound<'_, PyAny>) -> Option<ImportedTensor> {
    let found = if speaker.is_mutable {
        dlpack::describe(&show(speaker, object)?, ImportedOwner::Nobody, Some(false)).ok()
    } else if speaker.is_more(object) {
        None
    } else {
        managed(speaker.table, object)
    };
    found.filter(|found| !found.is_complex())
}

/// An array's tensor that is given up to us, and says whether it may be written. `None`: as of [`show`].
fn managed(table: &Exchange, object: &Bound<'_, PyAny>) -> Option<ImportedTensor> {
    let give = table.to_managed?;
    let mut managed = std::ptr::null_mut();
    // SAFETY: by the standard: a table's functions take objects of its type; the tensor is ours.
    unsafe {
        if give(object.as_ptr(), &mut managed) != 0 {
            errors::forget_pending();
            return None;
        }
        dlpack::take_managed(managed).ok()
    }
}

/// An array of ours as one of the library whose table it is; nothing is waited for but by its current stream. `None`: the slower protocol has to do it.
pub(crate) fn export<'py>(speaker: Speaker, array: &Bound<'py, Array>) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (make, device) = (speaker.table.from_managed?, array.get().device_ordinal());
    if array.get().is_read_only() || array.get().strides().iter().any(|stride| *stride < 0) {
        return None;
    }
    let py = array.py();
    let ordered = match device {
        ..0 => array.get().settle(py),
        _ => match current_stream(speaker.table, device) {
            Some(stream) => array.get().share_with(py, stream),
            None => return errors::pending(py).err().map(Err),
        },
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
    place: ArrayPlace,
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
unsafe fn made<'py>(
    py: Python<'py>,
    make: FromManaged,
    managed: *mut ManagedTensorVersioned,
) -> PyResult<Bound<'py, PyAny>> {
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
