//! DLPack's exchange in C: what libraries' compiled code asks of each other's array types, without a Python call.
//!
//! Out: `numptx.Array.__dlpack_c_exchange_api__`, a capsule with our functions. In: the functions of the types of other libraries' arrays,
//! through which a call takes their arrays and gives back its results. Nothing here waits for a stream: the receiver works on the giver's current
//! one. Source: dlpack.h 1.3, and `__dlpack_c_exchange_api__` of the array API standard.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use numptx_abi as abi;
use pyo3::exceptions::{PyBufferError, PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::intern;
use pyo3::prelude::*;

use crate::array::Array;
use crate::call::attached;
use crate::dlpack::{self, DlTensor, Imported, ImportedOwner, ManagedVersioned, VERSION};
use crate::{foreign, layout, streams};

const CAPSULE: &CStr = c"dlpack_exchange_api";

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
    from_managed: Option<unsafe extern "C" fn(*mut ManagedVersioned, *mut *mut PyObject) -> c_int>,
    to_tensor: Option<unsafe extern "C" fn(*mut PyObject, *mut DlTensor) -> c_int>,
    stream: Option<unsafe extern "C" fn(i32, i32, *mut *mut c_void) -> c_int>,
}

// SAFETY: tables never change.
unsafe impl Sync for Exchange {}

/// Types whose table is known, with a reference each, so that no other type gets their address.
static KNOWN: [(AtomicPtr<PyTypeObject>, AtomicPtr<Exchange>); 4] =
    [const { (AtomicPtr::new(std::ptr::null_mut()), AtomicPtr::new(std::ptr::null_mut())) }; 4];

/// The table of an array's type, if the type has one that is understood here.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> Option<&'static Exchange> {
    let class = object.get_type_ptr();
    for (known, table) in &KNOWN {
        let found = known.load(Ordering::Acquire);
        if found == class {
            // SAFETY: stored before the type was; tables live as long as the process.
            return unsafe { table.load(Ordering::Acquire).as_ref() };
        }
        if found.is_null() {
            break;
        }
    }
    look_up(object)
}

fn look_up(object: &Bound<'_, PyAny>) -> Option<&'static Exchange> {
    let class = object.get_type();
    let capsule = class.getattr(intern!(object.py(), "__dlpack_c_exchange_api__")).ok()?;
    // SAFETY: a capsule of this name holds a table, by the standard; it lives as long as the process.
    let found = unsafe {
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), CAPSULE.as_ptr()) == 0 {
            return None;
        }
        ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr()).cast::<Exchange>()
    };
    // SAFETY: as above; the header is the same in every version.
    let table = unsafe { understood(found) }?;
    remember(&class, table);
    Some(table)
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

fn remember(class: &Bound<'_, pyo3::types::PyType>, table: &'static Exchange) {
    for (known, slot) in &KNOWN {
        // The table's slot is filled by the one who gets it, and read only by those who find the type.
        let empty = std::ptr::null_mut();
        if slot
            .compare_exchange(empty, std::ptr::from_ref(table).cast_mut(), Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
        {
            known.store(class.clone().into_ptr().cast(), Ordering::Release);
            return;
        }
    }
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

/// What an array is, for the time of the call: its memory is the object's. `None`: the slower protocol has to say why not.
pub(crate) fn look_at(table: &Exchange, object: &Bound<'_, PyAny>) -> Option<Imported> {
    // Arrays whose memory is not all that there is to them say so to the other protocol.
    let asks_for_gradients = object.getattr(intern!(object.py(), "requires_grad"));
    if asks_for_gradients.is_ok_and(|asks| asks.is_truthy().unwrap_or(true)) {
        return None;
    }
    let mut tensor = std::mem::MaybeUninit::<DlTensor>::zeroed();
    // SAFETY: by the standard: a table's functions take objects of its type; a tensor that was filled is plain words.
    unsafe {
        if (table.to_tensor?)(object.as_ptr(), tensor.as_mut_ptr()) != 0 {
            ffi::PyErr_Clear();
            return None;
        }
        dlpack::describe(tensor.assume_init_ref(), ImportedOwner::Nobody, false)
            .ok()
            .filter(|found| !found.is_complex())
    }
}

/// An array of ours as one of the library whose table it is; nothing is waited for but by its current stream. `None`: the slower protocol has to do it.
pub(crate) fn export<'py>(table: &Exchange, array: &Bound<'py, Array>) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (make, device) = (table.from_managed?, array.get().device_ordinal());
    if array.get().is_read_only() || array.get().strides().iter().any(|stride| *stride < 0) {
        return None;
    }
    let py = array.py();
    let ordered = match device {
        ..0 => Ok(()),
        _ => array.get().share_with(py, current_stream(table, device)?),
    };
    Some(ordered.and_then(|()| dlpack::managed(array.get())).and_then(|managed| {
        let mut made = std::ptr::null_mut();
        // SAFETY: by the standard: the function takes the tensor over, also on failure.
        unsafe {
            match make(managed, &mut made) {
                0 => Bound::from_owned_ptr_or_err(py, made),
                _ => Err(PyErr::take(py)
                    .unwrap_or_else(|| PyRuntimeError::new_err("another library refused an array without a reason"))),
            }
        }
    }))
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
