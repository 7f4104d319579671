//! Scalars: Python and NumPy numbers to the two words that calls pass, and back.

use std::ffi::c_void;

use numptx_abi::{dtype, half};
use pyo3::ffi::{self, PyObject};

use crate::numpy::numpy;

unsafe extern "C" {
    /// Whether the object has `__index__`. Part of the stable interface; PyO3 0.28 names PyPy's symbol instead.
    fn PyIndex_Check(object: *mut PyObject) -> std::ffi::c_int;
}

/// How an argument fits a parameter, the better ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// As declared.
    Exact,
    /// After a conversion that keeps the value.
    Converted,
    /// Not at all. No exception is pending.
    No,
}

/// A scalar argument as the parameter's dtype, with how it fits.
pub(crate) type ScalarFit = Option<([u64; 2], Fit)>;

/// An exception is pending: the object's own code raised it.
pub(crate) struct PendingException;

/// Fits an object to a `weak` parameter (`int`, `float`, `complex`, `bool`) or to one of a NumPy dtype.
///
/// # Safety
/// `object` is a live Python object, the interpreter is attached.
pub(crate) unsafe fn fit(object: *mut PyObject, code: u8, weak: bool) -> Result<ScalarFit, PendingException> {
    // SAFETY: by this function's requirement, for each call below.
    unsafe {
        let numpy = numpy();
        let fitted = match numpy.scalar_dtype(object) {
            Some(own) if own == code => {
                Some((bits_from_bytes(code, numpy.scalar_bytes(object)), numpy_fit(code, weak)))
            }
            Some(own) if weak => weak_from_numpy(own, numpy.scalar_bytes(object), code),
            Some(_) => None,
            None if numpy.is_array(object) => from_rank_0(object, code),
            // The element may be masked, or have a unit.
            None if numpy.is_array_or_subclass(object) => None,
            None => python_number(object, code)?,
        };
        Ok(fitted.filter(|(_, fit)| *fit != Fit::No))
    }
}

/// A NumPy scalar is what a typed parameter asks for; a weak one asks for Python's own (of which `numpy.float64` is one).
fn numpy_fit(code: u8, weak: bool) -> Fit {
    if weak && code != dtype::FLOAT64 { Fit::Converted } else { Fit::Exact }
}

/// A NumPy scalar of dtype `own` for a weak parameter: integers and booleans go to anything wider in kind, floats to floats and complex.
fn weak_from_numpy(own: u8, bytes: [u64; 2], code: u8) -> ScalarFit {
    let bits = bits_from_bytes(own, bytes);
    let converted = |bits| Some((bits, Fit::Converted));
    match (own, code) {
        (dtype::BOOL..=dtype::INT64, dtype::INT64) | (dtype::UINT8..=dtype::UINT32, dtype::INT64) => converted(bits),
        (dtype::UINT64, dtype::INT64) => i64::try_from(bits[0]).is_ok().then_some((bits, Fit::Converted)),
        (_, dtype::FLOAT64) => real(own, bits).and_then(|value| converted([value.to_bits(), 0])),
        (dtype::COMPLEX64, dtype::COMPLEX128) => {
            converted(bits.map(|part| f64::from(f32::from_bits(part as u32)).to_bits()))
        }
        (_, dtype::COMPLEX128) => real(own, bits).and_then(|value| converted([value.to_bits(), 0])),
        _ => None,
    }
}

/// The value of a real scalar.
fn real(own: u8, bits: [u64; 2]) -> Option<f64> {
    match own {
        dtype::BOOL..=dtype::INT64 => Some(bits[0] as i64 as f64),
        dtype::UINT8..=dtype::UINT64 => Some(bits[0] as f64),
        dtype::FLOAT16 => Some(half::to_f64(bits[0] as u16)),
        dtype::FLOAT32 => Some(f64::from(f32::from_bits(bits[0] as u32))),
        dtype::FLOAT64 => Some(f64::from_bits(bits[0])),
        _ => None,
    }
}

/// A rank-0 array of exactly the dtype is its element.
///
/// # Safety
/// `array` is a live `ndarray`.
unsafe fn from_rank_0(array: *mut PyObject, code: u8) -> ScalarFit {
    // SAFETY: by this function's requirement; an aligned rank-0 array has one element at `data`.
    unsafe {
        let fields = numpy().fields(array);
        if fields.rank != 0 || numpy().dtype(fields) != crate::numpy::Dtype::Native(code) {
            return None;
        }
        Some((bits_from_element(code, fields.data), Fit::Converted))
    }
}

/// A Python number.
///
/// # Safety
/// As [`fit`].
unsafe fn python_number(object: *mut PyObject, code: u8) -> Result<ScalarFit, PendingException> {
    // SAFETY: by this function's requirement, for each call below.
    unsafe {
        match code {
            dtype::BOOL => Ok((ffi::PyBool_Check(object) != 0).then(|| (boolean(object), Fit::Exact))),
            dtype::INT8..=dtype::UINT64 => integer(object, code),
            dtype::FLOAT16 | dtype::FLOAT32 | dtype::FLOAT64 => {
                let exact =
                    if code == dtype::FLOAT64 && ffi::PyFloat_Check(object) != 0 { Fit::Exact } else { Fit::Converted };
                let Some(value) = float(object)? else { return Ok(None) };
                if code == dtype::FLOAT64 {
                    return Ok(Some(([value.to_bits(), 0], exact)));
                }
                if code == dtype::FLOAT16 {
                    let narrow = half::from_f64(value);
                    let fits = half::to_f64(narrow).is_finite() || !value.is_finite();
                    return Ok(fits.then(|| ([u64::from(narrow), 0], exact)));
                }
                let narrow = value as f32;
                Ok((narrow.is_finite() || !value.is_finite()).then(|| ([u64::from(narrow.to_bits()), 0], exact)))
            }
            _ => complex(object, code),
        }
    }
}

/// # Safety
/// `object` is `True` or `False`.
unsafe fn boolean(object: *mut PyObject) -> [u64; 2] {
    // SAFETY: `Py_True` is always alive.
    [u64::from(object == unsafe { ffi::Py_True() }), 0]
}

/// # Safety
/// As [`fit`].
unsafe fn integer(object: *mut PyObject, code: u8) -> Result<ScalarFit, PendingException> {
    // SAFETY: by this function's requirement; `index` is a new reference, given back below.
    unsafe {
        if ffi::PyLong_Check(object) != 0 {
            let exact = code == dtype::INT64 && ffi::PyBool_Check(object) == 0;
            return Ok(bounded(object, code, if exact { Fit::Exact } else { Fit::Converted }));
        }
        if ffi::PyFloat_Check(object) != 0 || PyIndex_Check(object) == 0 {
            return Ok(None);
        }
        let index = ffi::PyNumber_Index(object);
        if index.is_null() {
            return Err(PendingException);
        }
        let fitted = bounded(index, code, Fit::Converted);
        ffi::Py_DECREF(index);
        Ok(fitted)
    }
}

/// A Python integer within the bounds of an integer dtype.
///
/// # Safety
/// `object` is a Python `int`.
unsafe fn bounded(object: *mut PyObject, code: u8, fit: Fit) -> ScalarFit {
    // SAFETY: by this function's requirement.
    unsafe {
        let mut overflow = 0;
        let value = ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow);
        if overflow > 0 && code == dtype::UINT64 {
            let wide = ffi::PyLong_AsUnsignedLongLong(object);
            if wide == u64::MAX && !ffi::PyErr_Occurred().is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            return Some(([wide, 0], fit));
        }
        let (low, high) = bounds(code);
        (overflow == 0 && value >= low && value <= high).then_some(([value as u64, 0], fit))
    }
}

/// The least and greatest value of an integer dtype, as far as `i64` can tell.
fn bounds(code: u8) -> (i64, i64) {
    match code {
        dtype::INT8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
        dtype::INT16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
        dtype::INT32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        dtype::UINT8 => (0, i64::from(u8::MAX)),
        dtype::UINT16 => (0, i64::from(u16::MAX)),
        dtype::UINT32 => (0, i64::from(u32::MAX)),
        dtype::UINT64 => (0, i64::MAX),
        _ => (i64::MIN, i64::MAX),
    }
}

/// The value of anything real: a float, an int that a float can hold, an object with `__float__` that is no text.
///
/// # Safety
/// As [`fit`].
unsafe fn float(object: *mut PyObject) -> Result<Option<f64>, PendingException> {
    // SAFETY: by this function's requirement; a type has the slot of its `__float__`.
    unsafe {
        let is_int = ffi::PyLong_Check(object) != 0;
        let is_known = is_int || ffi::PyFloat_Check(object) != 0;
        if !is_known && ffi::PyType_GetSlot(ffi::Py_TYPE(object), ffi::Py_nb_float).is_null() {
            return Ok(None);
        }
        let value = ffi::PyFloat_AsDouble(object);
        if value != -1.0 || ffi::PyErr_Occurred().is_null() {
            return Ok(Some(value));
        }
        // Of an int that is too large nobody's code tells.
        if is_int && ffi::PyErr_ExceptionMatches(ffi::PyExc_OverflowError) != 0 {
            ffi::PyErr_Clear();
            return Ok(None);
        }
        Err(PendingException)
    }
}

/// # Safety
/// As [`fit`].
unsafe fn complex(object: *mut PyObject, code: u8) -> Result<ScalarFit, PendingException> {
    // SAFETY: by this function's requirement.
    let (parts, fit) = unsafe {
        if ffi::PyComplex_Check(object) != 0 {
            ([ffi::PyComplex_RealAsDouble(object), ffi::PyComplex_ImagAsDouble(object)], Fit::Exact)
        } else {
            let Some(value) = float(object)? else { return Ok(None) };
            ([value, 0.0], Fit::Converted)
        }
    };
    if code == dtype::COMPLEX128 {
        return Ok(Some((parts.map(f64::to_bits), fit)));
    }
    let fits = parts.iter().all(|&part| (part as f32).is_finite() || !part.is_finite());
    Ok(fits.then(|| (parts.map(|part| u64::from((part as f32).to_bits())), Fit::Converted)))
}

/// The words of a scalar whose bytes lie at the start of `bytes`.
fn bits_from_bytes(code: u8, bytes: [u64; 2]) -> [u64; 2] {
    let low = bytes[0];
    match code {
        dtype::BOOL | dtype::UINT8 => [low & 0xff, 0],
        dtype::UINT16 | dtype::FLOAT16 => [low & 0xffff, 0],
        dtype::UINT32 | dtype::FLOAT32 => [low & 0xffff_ffff, 0],
        dtype::INT8 => [low as i8 as i64 as u64, 0],
        dtype::INT16 => [low as i16 as i64 as u64, 0],
        dtype::INT32 => [low as i32 as i64 as u64, 0],
        dtype::COMPLEX64 => [low & 0xffff_ffff, low >> 32],
        dtype::COMPLEX128 => bytes,
        _ => [low, 0],
    }
}

/// The words of the element at an address.
///
/// # Safety
/// An element of that dtype lies there, of any alignment.
pub(crate) unsafe fn bits_from_element(code: u8, element: *const c_void) -> [u64; 2] {
    let mut bytes = [0u64; 2];
    let n_bytes = usize::from(dtype::ITEMSIZE[usize::from(code)]);
    // SAFETY: an element has at most 16 bytes.
    unsafe { std::ptr::copy_nonoverlapping(element.cast::<u8>(), bytes.as_mut_ptr().cast::<u8>(), n_bytes) };
    bits_from_bytes(code, bytes)
}

/// The element's bytes of a scalar's words.
fn bytes_from_bits(code: u8, bits: [u64; 2]) -> [u64; 2] {
    match code {
        dtype::COMPLEX64 => [(bits[0] & 0xffff_ffff) | (bits[1] << 32), 0],
        _ => bits,
    }
}

/// A new Python `bool`, `int`, `float` or `complex`.
///
/// # Safety
/// The interpreter is attached.
pub(crate) unsafe fn python_object(code: u8, bits: [u64; 2]) -> *mut PyObject {
    let part = |word: u64| match code {
        dtype::FLOAT16 => half::to_f64(word as u16),
        dtype::FLOAT32 | dtype::COMPLEX64 => f64::from(f32::from_bits(word as u32)),
        _ => f64::from_bits(word),
    };
    // SAFETY: by this function's requirement.
    unsafe {
        match code {
            dtype::BOOL => ffi::PyBool_FromLong((bits[0] & 1) as std::ffi::c_long),
            dtype::INT8..=dtype::INT64 => ffi::PyLong_FromLongLong(bits[0] as i64),
            dtype::UINT8..=dtype::UINT64 => ffi::PyLong_FromUnsignedLongLong(bits[0]),
            dtype::FLOAT16 | dtype::FLOAT32 | dtype::FLOAT64 => ffi::PyFloat_FromDouble(part(bits[0])),
            _ => ffi::PyComplex_FromDoubles(part(bits[0]), part(bits[1])),
        }
    }
}

/// A new NumPy scalar.
///
/// # Safety
/// The interpreter is attached.
pub(crate) unsafe fn numpy_object(code: u8, bits: [u64; 2]) -> *mut PyObject {
    let bytes = bytes_from_bits(code, bits);
    // SAFETY: little-endian words begin with the element's bytes.
    unsafe { numpy().new_scalar(code, bytes.as_ptr().cast()) }
}
