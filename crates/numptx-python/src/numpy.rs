//! NumPy's C interface, as far as calls need it: reading arrays, making arrays and scalars.
//!
//! The interface is the table in the capsule `numpy._core._multiarray_umath._ARRAY_API`; the indices into it and the
//! layout of an array's fields are part of NumPy's stable binary interface (1.x and 2.x alike).

use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use numptx_abi::dtype;
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;

pub(crate) const C_CONTIGUOUS: c_int = 0x1;
pub(crate) const F_CONTIGUOUS: c_int = 0x2;
pub(crate) const ALIGNED: c_int = 0x100;
pub(crate) const WRITEABLE: c_int = 0x400;

/// The fields of an `ndarray` that follow the object header.
#[repr(C)]
pub(crate) struct Fields {
    pub data: *mut c_void,
    pub rank: c_int,
    pub shape: *const i64,
    pub strides: *const i64,
    pub base: *mut PyObject,
    pub descr: *mut PyObject,
    pub flags: c_int,
}

impl Fields {
    /// Extents and strides.
    ///
    /// # Safety
    /// The fields are of a live array.
    #[inline]
    pub unsafe fn axes(&self) -> (&[i64], &[i64]) {
        let axes = |values: *const i64| match self.rank {
            0 => &[][..],
            // SAFETY: NumPy keeps `rank` extents and strides behind its pointers.
            rank => unsafe { std::slice::from_raw_parts(values, rank as usize) },
        };
        (axes(self.shape), axes(self.strides))
    }
}

type NewFromDescr = unsafe extern "C" fn(
    *mut PyTypeObject,
    *mut PyObject,
    c_int,
    *const i64,
    *const i64,
    *mut c_void,
    c_int,
    *mut PyObject,
) -> *mut PyObject;

/// What is looked up once, when the package is imported.
pub(crate) struct NumPy {
    /// Bytes of an object's header: 16, or 32 in free-threaded interpreters.
    header: usize,
    ndarray: *mut PyTypeObject,
    memmap: *mut PyTypeObject,
    generic: *mut PyTypeObject,
    /// NumPy's scalar types with our dtype codes; two types may share a code (`long`, `long long`).
    scalars: [(*mut PyTypeObject, u8); SCALAR_TYPES.len()],
    /// Descriptors by our dtype code; references that are never given back.
    descrs: [*mut PyObject; DTYPE_NAMES.len()],
    new_from_descr: NewFromDescr,
    set_base_object: unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> c_int,
    scalar: unsafe extern "C" fn(*mut c_void, *mut PyObject, *mut PyObject) -> *mut PyObject,
    scalar_as_ctype: unsafe extern "C" fn(*mut PyObject, *mut c_void),
}

// SAFETY: all fields are set once and point to immortal objects and functions.
unsafe impl Send for NumPy {}
// SAFETY: as above.
unsafe impl Sync for NumPy {}

static NUMPY: OnceLock<NumPy> = OnceLock::new();
/// [`is_free_threaded`], which is asked more often than the rest. Until it is known, the answer is the one that is always safe.
static IS_FREE_THREADED: AtomicBool = AtomicBool::new(true);

/// Names by dtype code.
pub(crate) const DTYPE_NAMES: [&str; 14] = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "float16",
];

/// NumPy's type number of each dtype code.
const TYPE_NUMBERS: [c_int; 14] = [0, 1, 3, 5, 7, 2, 4, 6, 8, 11, 12, 14, 15, 23];

/// Position of each scalar type in NumPy's table, with its dtype code.
const SCALAR_TYPES: [(usize, u8); 16] = [
    (8, dtype::BOOL),
    (20, dtype::INT8),
    (21, dtype::INT16),
    (22, dtype::INT32),
    (23, dtype::INT64),
    (24, dtype::INT64),
    (25, dtype::UINT8),
    (26, dtype::UINT16),
    (27, dtype::UINT32),
    (28, dtype::UINT64),
    (29, dtype::UINT64),
    (30, dtype::FLOAT32),
    (31, dtype::FLOAT64),
    (33, dtype::COMPLEX64),
    (34, dtype::COMPLEX128),
    (217, dtype::FLOAT16),
];

/// NumPy's interface; the extension's initialisation fails without it.
pub(crate) fn numpy() -> &'static NumPy {
    NUMPY.get().expect("NumPy is imported before the extension is usable")
}

/// Imports NumPy and looks up what is needed of it.
pub(crate) fn import(py: Python<'_>) -> PyResult<()> {
    if NUMPY.get().is_some() {
        return Ok(());
    }
    let umath = py.import("numpy._core._multiarray_umath").or_else(|_| py.import("numpy.core._multiarray_umath"))?;
    let capsule = umath.getattr("_ARRAY_API")?;
    // SAFETY: the capsule is NumPy's; its pointer is the table for the life of the process.
    let api = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()) }.cast::<*mut c_void>();
    if api.is_null() {
        return Err(PyErr::fetch(py));
    }
    let header = py.import("builtins")?.getattr("object")?.getattr("__basicsize__")?.extract::<usize>()?;
    let memmap = py.import("numpy")?.getattr("memmap")?;
    // SAFETY: the entries have these types by NumPy's binary interface.
    let found = unsafe {
        let descr_from_type =
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int) -> *mut PyObject>(*api.add(45));
        NumPy {
            header,
            ndarray: (*api.add(2)).cast(),
            memmap: memmap.into_ptr().cast(),
            generic: (*api.add(10)).cast(),
            scalars: SCALAR_TYPES.map(|(index, code)| ((*api.add(index)).cast(), code)),
            descrs: TYPE_NUMBERS.map(|number| descr_from_type(number)),
            new_from_descr: std::mem::transmute::<*mut c_void, NewFromDescr>(*api.add(94)),
            set_base_object: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> c_int,
            >(*api.add(282)),
            scalar: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut c_void, *mut PyObject, *mut PyObject) -> *mut PyObject,
            >(*api.add(60)),
            scalar_as_ctype: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut PyObject, *mut c_void)>(
                *api.add(62),
            ),
        }
    };
    if found.descrs.iter().any(|descr| descr.is_null()) {
        return Err(PyImportError::new_err("numptx: NumPy does not know one of its own dtypes"));
    }
    NUMPY.get_or_init(|| found);
    // Objects have larger headers there.
    IS_FREE_THREADED.store(header > 2 * size_of::<*mut c_void>(), Ordering::Relaxed);
    Ok(())
}

/// Whether the interpreter has no lock.
#[inline]
pub(crate) fn is_free_threaded() -> bool {
    IS_FREE_THREADED.load(Ordering::Relaxed)
}

/// Our code of anything that `numpy.dtype` takes.
pub(crate) fn dtype_code(dtype: &Bound<'_, PyAny>) -> PyResult<u8> {
    let descr = dtype.py().import("numpy")?.call_method1("dtype", (dtype,))?;
    let is_native = descr.getattr("isnative")?.is_truthy()?;
    let name: String = descr.getattr("name")?.extract()?;
    let code = DTYPE_NAMES.iter().position(|known| is_native && *known == name);
    let code = code.ok_or_else(|| PyTypeError::new_err(format!("dtype {descr} is not supported by numptx")))?;
    Ok(code as u8)
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

/// What is known of an array's dtype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dtype {
    /// One of our codes, in this machine's byte order.
    Native(u8),
    /// One of our codes, in the other byte order.
    Swapped(u8),
    /// Anything else.
    Other,
}

impl NumPy {
    /// Whether the object is an array that a kernel may take as it is: subclasses may mean something else by their elements.
    ///
    /// # Safety
    /// `object` is a live Python object.
    pub unsafe fn is_array(&self, object: *mut PyObject) -> bool {
        // SAFETY: by this function's requirement.
        let class = unsafe { ffi::Py_TYPE(object) };
        class == self.ndarray || class == self.memmap
    }

    /// Whether the object is an `ndarray` or any subclass.
    ///
    /// # Safety
    /// `object` is a live Python object.
    pub unsafe fn is_array_or_subclass(&self, object: *mut PyObject) -> bool {
        // SAFETY: by this function's requirement.
        unsafe { ffi::PyObject_TypeCheck(object, self.ndarray) != 0 }
    }

    /// The array's fields.
    ///
    /// # Safety
    /// `array` is a live `ndarray`.
    pub unsafe fn fields<'a>(&self, array: *mut PyObject) -> &'a Fields {
        // SAFETY: the fields follow the object header.
        unsafe { &*array.byte_add(self.header).cast::<Fields>() }
    }

    /// The dtype of an array.
    ///
    /// # Safety
    /// `fields` is of a live array.
    pub unsafe fn dtype(&self, fields: &Fields) -> Dtype {
        // SAFETY: a descriptor is its header, a type, the characters kind, type and byte order, flags, the type number.
        let (byte_order, number) = unsafe {
            let after = fields.descr.byte_add(self.header + size_of::<*mut c_void>()).cast::<c_char>();
            (*after.add(2) as u8, *after.add(4).cast::<c_int>())
        };
        let code = match number {
            9 => dtype::INT64,
            10 => dtype::UINT64,
            _ => match TYPE_NUMBERS.iter().position(|&known| known == number) {
                Some(code) => code as u8,
                None => return Dtype::Other,
            },
        };
        if byte_order == b'>' { Dtype::Swapped(code) } else { Dtype::Native(code) }
    }

    /// The dtype code of a NumPy scalar, if it is one.
    ///
    /// # Safety
    /// `object` is a live Python object.
    pub unsafe fn scalar_dtype(&self, object: *mut PyObject) -> Option<u8> {
        // SAFETY: by this function's requirement.
        let class = unsafe { ffi::Py_TYPE(object) };
        self.scalars.iter().find(|(known, _)| *known == class).map(|(_, code)| *code)
    }

    /// Whether the object is any NumPy scalar.
    ///
    /// # Safety
    /// `object` is a live Python object.
    pub unsafe fn is_scalar(&self, object: *mut PyObject) -> bool {
        // SAFETY: by this function's requirement.
        unsafe { ffi::PyObject_TypeCheck(object, self.generic) != 0 }
    }

    /// The bytes of a NumPy scalar.
    ///
    /// # Safety
    /// `scalar_dtype(object)` is some code.
    pub unsafe fn scalar_bytes(&self, object: *mut PyObject) -> [u64; 2] {
        let mut bytes = [0u64; 2];
        // SAFETY: every type of `SCALAR_TYPES` has at most 16 bytes.
        unsafe { (self.scalar_as_ctype)(object, bytes.as_mut_ptr().cast()) };
        bytes
    }

    /// A new NumPy scalar from the element at `element`; null with an exception set on failure.
    ///
    /// # Safety
    /// `element` points to an element of that dtype; the interpreter is attached.
    pub unsafe fn new_scalar(&self, code: u8, element: *const c_void) -> *mut PyObject {
        // SAFETY: by this function's requirements; the descriptor is borrowed.
        unsafe { (self.scalar)(element.cast_mut(), self.descr(code), std::ptr::null_mut()) }
    }

    /// A borrowed reference to the descriptor of a dtype code.
    pub fn descr(&self, code: u8) -> *mut PyObject {
        self.descrs[usize::from(code)]
    }

    /// A new array over memory that `base` keeps alive; null with an exception set on failure. Takes over the reference to `base`,
    /// also on failure. With `data` null (an array without elements) NumPy's own empty array comes out.
    ///
    /// # Safety
    /// The memory holds the elements that shape and strides (bytes) name; the interpreter is attached.
    #[inline(always)]
    pub unsafe fn new_array(
        &self,
        code: u8,
        (shape, strides): (&[i64], &[i64]),
        data: *mut c_void,
        flags: c_int,
        base: *mut PyObject,
    ) -> *mut PyObject {
        // SAFETY: by this function's requirements; the call steals the reference to the descriptor.
        unsafe {
            let descr = self.descr(code);
            ffi::Py_INCREF(descr);
            let strides = if data.is_null() { std::ptr::null() } else { strides.as_ptr() };
            let array = (self.new_from_descr)(
                self.ndarray,
                descr,
                shape.len() as c_int,
                shape.as_ptr(),
                strides,
                data,
                flags,
                std::ptr::null_mut(),
            );
            if array.is_null() || data.is_null() {
                ffi::Py_XDECREF(base);
                return array;
            }
            if !base.is_null() && (self.set_base_object)(array, base) < 0 {
                ffi::Py_DECREF(array);
                return std::ptr::null_mut();
            }
            array
        }
    }
}
