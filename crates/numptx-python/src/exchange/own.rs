//! The exchange that `numptx.Array` offers to other libraries: a capsule with our functions.

use std::ffi::{c_int, c_void};

use numptx_abi as abi;
use pyo3::exceptions::{PyBufferError, PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::{CAPSULE, Exchange, Header, SetError};
use crate::array::Array;
use crate::call::attached;
use crate::dlpack::{self, DlTensor, ManagedTensorVersioned, VERSION};
use crate::{foreign, layout, streams};

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

unsafe extern "C" fn own_to_managed(object: *mut PyObject, out: *mut *mut ManagedTensorVersioned) -> c_int {
    answered(|py| {
        // SAFETY: consumers pass a live object and a place for the result.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        let array =
            object.cast::<Array>().map_err(|_| PyTypeError::new_err("numptx's exchange takes a numptx.Array"))?;
        array.get().settle(py)?;
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

unsafe extern "C" fn own_from_managed(managed: *mut ManagedTensorVersioned, out: *mut *mut PyObject) -> c_int {
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
    out: *mut *mut ManagedTensorVersioned,
    context: *mut c_void,
    set_error: Option<SetError>,
) -> c_int {
    let made = attached(|py| {
        // SAFETY: the consumer describes the tensor that it wants.
        let wanted = unsafe { &*prototype };
        let (code, device) = dlpack::place(wanted)?;
        let rank = usize::try_from(wanted.ndim).ok().filter(|rank| *rank <= abi::MAX_RANK);
        let rank = rank.ok_or_else(|| {
            PyBufferError::new_err(format!("a tensor has 0 to {} axes here, found {}", abi::MAX_RANK, wanted.ndim))
        })?;
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
