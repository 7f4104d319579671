//! Objects that export a tensor, and the types of which they are: of libraries that are known by name, with and without DLPack's exchange in C.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Arc;

use arbitrary::Arbitrary;
use pyo3::exceptions::{PyBufferError, PyKeyError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::python::package;
use crate::tensor::{Counts, DlTensor, Given};
use numptx_fuzz_targets::odd::Odd;

/// Types, and stand-ins for the libraries that the package asks when it meets them.
pub const CLASSES: &str = "
import sys, types

def made(module, **members):
    return type('ndarray', (Exporter,), {'__module__': module, **members})

stream = types.SimpleNamespace(cuda_stream=0, ptr=0, stream_id=7)
for name, members in {
    'torch': {'cuda': types.SimpleNamespace(current_stream=lambda device: stream), 'from_dlpack': lambda array: array},
    'cupy': {'cuda': types.SimpleNamespace(get_current_stream=lambda device=None: stream), 'from_dlpack': lambda array: array, 'ndarray': None},
    'jax': {}, 'jaxlib': {}, 'jax.dlpack': {'from_dlpack': lambda array: array},
}.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)
sys.modules['jax'].dlpack = sys.modules['jax.dlpack']

classes = [made(name) for name in ('somebody.arrays', 'torch', 'cupy', 'jaxlib._jax')]
classes += [made(name, __dlpack_c_exchange_api__=table) for name in ('somebody.else', 'torch') for table in exchange]
";

/// Which of those is which.
const LIBRARIES: u8 = 8;
const TORCH: u8 = 1;
const CUPY: u8 = 2;
const JAX: u8 = 3;
const FIRST_WITH_EXCHANGE: u8 = 4;

#[derive(Debug, Arbitrary)]
pub struct ExportFacts {
    library: u8,
    is_versioned: bool,
    version: Odd<(u32, u32)>,
    says_device: Odd<(i32, i32)>,
    answer_of_device: Odd<u8>,
    answer: Odd<u8>,
    takes_no_version: Odd<bool>,
    has_no_deleter: Odd<bool>,
}

impl ExportFacts {
    fn library(&self) -> u8 {
        self.library % LIBRARIES
    }

    fn version(&self) -> (u32, u32) {
        self.version.or((1, 1))
    }

    /// Whether a tensor on this device has to be taken.
    pub fn is_right(&self, device: (i32, i32)) -> bool {
        let says_so =
            self.says_device.or(device) == device && self.answer_of_device.is_right() && self.answer.is_right();
        says_so && (!self.is_versioned || self.version().0 == 1)
    }

    pub fn has_deleter(&self) -> bool {
        !self.has_no_deleter.or(false)
    }

    /// Whether it is itself that raises.
    pub fn raises(&self) -> bool {
        !self.answer.is_right() || !self.answer_of_device.is_right()
    }

    /// Whether the elements have to be read-only here. `None`: it depends on the way that they come.
    pub fn is_read_only(&self, is_flagged: bool) -> Option<bool> {
        match (self.library(), self.is_versioned) {
            (JAX, _) => Some(true),
            (FIRST_WITH_EXCHANGE.., _) => None,
            (_, true) => Some(is_flagged),
            (TORCH | CUPY, false) => Some(false),
            _ => Some(true),
        }
    }
}

/// An object of a library.
pub fn object<'py>(py: Python<'py>, facts: &ExportFacts, given: Arc<Given>) -> Bound<'py, PyAny> {
    let classes = package().names.bind(py).get_item("classes").expect("names").expect("defined at the start");
    let class = classes.get_item(facts.library()).expect("a class");
    let made = class.call0().expect("an object");
    let exporter = made.cast::<Exporter>().expect("derived from it");
    *exporter.borrow_mut() = Exporter {
        given: Some(given),
        is_versioned: facts.is_versioned,
        version: facts.version(),
        says_device: facts.says_device,
        answer_of_device: facts.answer_of_device,
        answer: facts.answer,
        takes_no_version: facts.takes_no_version.or(false),
        has_no_deleter: facts.has_no_deleter.or(false),
    };
    made
}

#[pyclass(subclass)]
pub struct Exporter {
    given: Option<Arc<Given>>,
    is_versioned: bool,
    version: (u32, u32),
    says_device: Odd<(i32, i32)>,
    answer_of_device: Odd<u8>,
    answer: Odd<u8>,
    takes_no_version: bool,
    has_no_deleter: bool,
}

/// What a consumer of DLPack gets.
#[repr(C)]
struct Plain {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Plain)>,
}

#[repr(C)]
struct Versioned {
    version: (u32, u32),
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// What an exported tensor keeps.
struct Kept {
    counts: Counts,
    _given: Arc<Given>,
}

fn keep(given: &Arc<Given>) -> *mut c_void {
    let counts = given.counts();
    counts.exported();
    Box::into_raw(Box::new(Kept { counts, _given: given.clone() })).cast()
}

unsafe extern "C" fn delete_plain(managed: *mut Plain) {
    // SAFETY: boxed below, and given back once.
    unsafe {
        let managed = Box::from_raw(managed);
        Box::from_raw(managed.context.cast::<Kept>()).counts.deleted();
    }
}

unsafe extern "C" fn delete_versioned(managed: *mut Versioned) {
    // SAFETY: as above.
    unsafe {
        let managed = Box::from_raw(managed);
        Box::from_raw(managed.context.cast::<Kept>()).counts.deleted();
    }
}

/// A capsule that nobody took over gives its tensor back.
unsafe extern "C" fn drop_capsule(capsule: *mut PyObject) {
    // SAFETY: the capsule's name tells what it holds; one that was taken over has another.
    unsafe {
        for name in [c"dltensor", c"some_dltensor"] {
            if ffi::PyCapsule_IsValid(capsule, name.as_ptr()) != 0 {
                let managed = ffi::PyCapsule_GetPointer(capsule, name.as_ptr()).cast::<Plain>();
                (*managed).deleter.into_iter().for_each(|delete| delete(managed));
            }
        }
        if ffi::PyCapsule_IsValid(capsule, c"dltensor_versioned".as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(capsule, c"dltensor_versioned".as_ptr()).cast::<Versioned>();
            (*managed).deleter.into_iter().for_each(|delete| delete(managed));
        }
    }
}

fn capsule<'py>(py: Python<'py>, pointer: *mut c_void, name: &'static CStr) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: attached; the name is a static.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(pointer, name.as_ptr(), Some(drop_capsule))) }
}

impl Exporter {
    fn given(&self) -> &Arc<Given> {
        self.given.as_ref().expect("set when it was made")
    }

    fn plain(&self) -> *mut Plain {
        let deleter: Option<unsafe extern "C" fn(*mut Plain)> =
            if self.has_no_deleter { None } else { Some(delete_plain) };
        // Without a deleter nobody gives back what it would keep.
        let context = deleter.map_or(std::ptr::null_mut(), |_| keep(self.given()));
        Box::into_raw(Box::new(Plain { tensor: self.given().tensor, context, deleter }))
    }

    fn versioned(&self) -> *mut Versioned {
        let deleter: Option<unsafe extern "C" fn(*mut Versioned)> =
            if self.has_no_deleter { None } else { Some(delete_versioned) };
        let context = deleter.map_or(std::ptr::null_mut(), |_| keep(self.given()));
        let (version, flags, tensor) = (self.version, u64::from(self.given().flags), self.given().tensor);
        Box::into_raw(Box::new(Versioned { version, context, deleter, flags, tensor }))
    }
}

#[pymethods]
impl Exporter {
    #[new]
    fn new() -> Exporter {
        Exporter {
            given: None,
            is_versioned: false,
            version: (1, 1),
            says_device: Odd::default(),
            answer_of_device: Odd::default(),
            answer: Odd::default(),
            takes_no_version: false,
            has_no_deleter: false,
        }
    }

    fn __dlpack_device__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (kind, index) = self.says_device.or(self.given().tensor.device);
        match self.answer_of_device.or(0) % 6 {
            1 => Err(PyBufferError::new_err("no device")),
            2 => Ok("cpu".into_pyobject(py)?.into_any()),
            3 => Ok(PyList::new(py, [kind, index])?.into_any()),
            4 => Ok((i64::from(kind) << 32, index).into_pyobject(py)?.into_any()),
            5 => Ok(py.None().into_bound(py)),
            _ => Ok((kind, index).into_pyobject(py)?.into_any()),
        }
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<Bound<'py, PyAny>>,
        copy: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        drop((stream, dl_device, copy));
        if self.takes_no_version && max_version.is_some() {
            return Err(PyTypeError::new_err("unexpected keyword argument 'max_version'"));
        }
        match self.answer.or(0) % 8 {
            1 => return Err(PyBufferError::new_err("nothing is exported")),
            2 => return Err(PyTypeError::new_err("nothing is exported")),
            3 => return Err(PyKeyError::new_err("nothing is exported")),
            4 => return Ok(py.None().into_bound(py)),
            5 => return capsule(py, self.plain().cast(), c"some_dltensor"),
            6 => return capsule(py, std::ptr::without_provenance_mut(64), c"used_dltensor"),
            _ => {}
        }
        match self.is_versioned {
            true => capsule(py, self.versioned().cast(), c"dltensor_versioned"),
            false => capsule(py, self.plain().cast(), c"dltensor"),
        }
    }
}

/// DLPack's functions in C.
#[repr(C)]
struct Exchange {
    version: (u32, u32),
    previous: *mut Exchange,
    allocate: Option<unsafe extern "C" fn()>,
    to_managed: Option<unsafe extern "C" fn(*mut PyObject, *mut *mut Versioned) -> c_int>,
    from_managed: Option<unsafe extern "C" fn(*mut Versioned, *mut *mut PyObject) -> c_int>,
    to_tensor: Option<unsafe extern "C" fn(*mut PyObject, *mut DlTensor) -> c_int>,
    stream: Option<unsafe extern "C" fn(i32, i32, *mut *mut c_void) -> c_int>,
}

/// Two tables: one with all functions, and one behind another version, without those that show tensors.
pub fn exchange_tables(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let whole = Exchange {
        version: (1, 3),
        previous: std::ptr::null_mut(),
        allocate: None,
        to_managed: Some(to_managed),
        from_managed: Some(from_managed),
        to_tensor: Some(to_tensor),
        stream: Some(stream),
    };
    let partial = Box::leak(Box::new(Exchange { to_tensor: None, from_managed: None, ..whole }));
    let newer = Box::leak(Box::new(Exchange { version: (2, 0), previous: partial, ..whole }));
    let tables = [Box::leak(Box::new(whole)), newer].map(|table| {
        let name: *const c_char = c"dlpack_exchange_api".as_ptr();
        // SAFETY: attached; the table and the name live as long as the process.
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New((&raw mut *table).cast(), name, None)) }
    });
    let [a, b] = tables;
    PyList::new(py, [a?, b?])
}

/// Asks an object of one of our types.
fn ask(object: *mut PyObject, answer: impl FnOnce(&Exporter)) -> c_int {
    // SAFETY: the functions are called with the interpreter attached, and objects of their types.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let exporter = object.cast::<Exporter>().expect("a type of ours").borrow();
    if exporter.answer.or(0) % 8 != 0 {
        PyBufferError::new_err("nothing is shown").restore(object.py());
        return -1;
    }
    answer(&exporter);
    0
}

unsafe extern "C" fn to_managed(object: *mut PyObject, out: *mut *mut Versioned) -> c_int {
    // SAFETY: by the standard, there is room.
    ask(object, |exporter| unsafe { out.write(exporter.versioned()) })
}

unsafe extern "C" fn to_tensor(object: *mut PyObject, out: *mut DlTensor) -> c_int {
    // SAFETY: as above; what it points to lives as long as the object.
    ask(object, |exporter| unsafe { out.write(exporter.given().tensor) })
}

/// A library that makes nothing of what it gets.
unsafe extern "C" fn from_managed(managed: *mut Versioned, out: *mut *mut PyObject) -> c_int {
    // SAFETY: the tensor is given up to this.
    unsafe {
        (*managed).deleter.into_iter().for_each(|delete| delete(managed));
        let none = ffi::Py_None();
        ffi::Py_INCREF(none);
        out.write(none);
    }
    0
}

unsafe extern "C" fn stream(_kind: i32, _index: i32, out: *mut *mut c_void) -> c_int {
    // SAFETY: by the standard, there is room.
    unsafe { out.write(std::ptr::null_mut()) };
    0
}
