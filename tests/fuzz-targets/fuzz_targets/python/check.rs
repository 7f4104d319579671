//! What an exported array is, and whether what was made of it says the same and lies in its memory.

use numptx_abi::dtype;
use pyo3::exceptions::{PyException, PySystemError};
use pyo3::prelude::*;

use super::functions::{self, Kind, RANKS};
use super::package;
use numptx_fuzz_targets::memory::{checksum, elements, offsets};

/// NumPy's names of dtypes, by code.
pub const NAMES: [&str; 14] = [
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

/// What an export says, and what is behind it.
#[derive(Debug)]
pub struct Facts {
    /// A code of [`dtype`]; `None`: no dtype of ours.
    pub code: Option<u8>,
    pub shape: Vec<i64>,
    /// Bytes.
    pub strides: Vec<i128>,
    /// Of element `[0, …, 0]`.
    pub address: usize,
    /// -1: host; `None`: nowhere that is usable.
    pub device: Option<i32>,
    /// What has to be so; `None`: either is right.
    pub is_read_only: Option<bool>,
    pub elements: Elements,
    /// Nothing is odd, so that it may not be refused.
    pub is_right: bool,
    /// The exporter itself raises, whatever it likes.
    pub raises: bool,
}

/// Where the elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// There are none.
    None,
    /// In memory of this program, around the address.
    There,
    /// There can be no such array, which has to be found out before anybody looks.
    Impossible,
    /// Somewhere that nobody may look.
    Elsewhere,
}

/// The array that was made of an export, if one was, is what the export says.
pub fn imported<'py>(
    outcome: PyResult<Bound<'py, PyAny>>,
    facts: &Facts,
    py: Python<'py>,
) -> Option<Bound<'py, PyAny>> {
    let array = match outcome {
        Ok(array) => array,
        Err(error) => {
            refused(&error, facts, py);
            return None;
        }
    };
    let code = usize::from(facts.code.expect("there is no such dtype"));
    let device = facts.device.expect("there is no such device");
    assert_ne!(facts.elements, Elements::Impossible, "there can be no such array: {}", text(&array));
    let shape: Vec<i64> = array.getattr("shape").and_then(|shape| shape.extract()).expect("a shape");
    assert_eq!(shape, facts.shape);
    let name: String = array.getattr("dtype").and_then(|dtype| dtype.getattr("name")?.extract()).expect("a dtype");
    assert_eq!(name, NAMES[code]);
    let place: String = array.getattr("device").and_then(|device| device.extract()).expect("a device");
    assert_eq!(place, if device < 0 { "cpu".to_string() } else { format!("cuda:{device}") });
    if !shape.contains(&0) {
        let strides: Vec<i64> = array.getattr("strides").and_then(|strides| strides.extract()).expect("strides");
        for ((found, wanted), extent) in strides.iter().zip(&facts.strides).zip(&shape) {
            let is_used = *extent > 1;
            assert!(!is_used || i128::from(*found) == *wanted, "strides {strides:?}, not {:?}", facts.strides);
        }
        if let Some(address) = address(&array, device) {
            assert_eq!(address, facts.address, "the elements lie elsewhere");
        }
        if let (Some(wanted), Some(found)) = (facts.is_read_only, is_read_only(&array, device)) {
            assert_eq!(found, wanted, "read-only");
        }
    }
    if facts.elements == Elements::There {
        // SAFETY: the memory is there.
        let wanted = unsafe { bytes(facts) };
        assert_eq!(on_host(&array), wanted, "the elements are others");
    }
    Some(array)
}

/// The elements of an export that are there, in C order.
///
/// # Safety
/// They are still there.
pub unsafe fn bytes(facts: &Facts) -> Vec<u8> {
    let itemsize = facts.code.map_or(0, |code| usize::from(dtype::ITEMSIZE[usize::from(code)]));
    let first = std::ptr::with_exposed_provenance(facts.address);
    // SAFETY: as the caller promises.
    unsafe { elements(first, &facts.shape, &facts.strides, itemsize) }
}

/// The elements of an array of ours, in C order.
pub fn on_host(array: &Bound<'_, PyAny>) -> Vec<u8> {
    let copied = array.call_method0("to_host").and_then(|host| host.call_method0("tobytes")?.extract::<Vec<u8>>());
    copied.unwrap_or_else(|error| panic!("the elements cannot be had: {error}"))
}

/// An error that programs may get: one that is an `Exception`, tells why, and is not ours.
pub fn refused(error: &PyErr, facts: &Facts, py: Python<'_>) {
    if facts.raises {
        return;
    }
    let text = error.to_string();
    assert!(error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PySystemError>(py), "{text}");
    assert!(!text.contains("bug of"), "{text}");
    assert!(!facts.is_right, "what is right is refused: {text}\n{facts:#?}");
}

/// What functions see of an argument, an export or an array made of it, is what it says.
pub fn called(argument: &Bound<'_, PyAny>, facts: &Facts) {
    let py = argument.py();
    if facts.elements == Elements::Elsewhere {
        return;
    }
    match functions::call(Kind::Look, argument) {
        Err(error) => {
            let is_taken = facts.shape.len() < usize::from(RANKS);
            refused(&error, &Facts { is_right: facts.is_right && is_taken, ..copy(facts) }, py);
        }
        Ok(_) => {
            assert_ne!(facts.elements, Elements::Impossible, "there can be no such argument");
            let seen = functions::seen().expect("the function was called");
            assert_eq!(seen.shape, facts.shape);
            if facts.elements == Elements::There {
                assert_eq!(seen.address, facts.address);
                // SAFETY: the memory is there.
                assert_eq!(seen.checksum, checksum(&unsafe { bytes(facts) }), "other elements were seen");
            }
        }
    }
}

/// A function that writes either does, or refuses and leaves everything as it was.
pub fn filled(argument: &Bound<'_, PyAny>, facts: &Facts) {
    if facts.elements != Elements::There {
        return;
    }
    // SAFETY: the memory is there.
    let before = unsafe { bytes(facts) };
    let outcome = functions::call(Kind::Fill, argument);
    // SAFETY: as above.
    let after = unsafe { bytes(facts) };
    match outcome {
        Ok(_) => {
            assert_ne!(facts.is_read_only, Some(true), "what may not be written was written");
            assert!(after.iter().all(|byte| *byte == 1), "not everything was written");
        }
        Err(error) => {
            refused(&error, &Facts { is_right: false, ..copy(facts) }, argument.py());
            assert!(functions::seen().is_none() && after == before, "a refused call has written");
        }
    }
}

/// A view that a call returned.
pub fn tail<'py>(argument: &Bound<'py, PyAny>, facts: &Facts) -> Option<Bound<'py, PyAny>> {
    if facts.elements != Elements::There || facts.shape.is_empty() {
        return None;
    }
    match functions::call(Kind::Tail, argument) {
        Ok(view) => Some(view),
        Err(error) => {
            refused(&error, &Facts { is_right: false, ..copy(facts) }, argument.py());
            None
        }
    }
}

/// How many elements such a view has.
pub fn tail_size(facts: &Facts) -> usize {
    let mut shape = facts.shape.clone();
    shape[0] -= 1;
    offsets(&shape, &facts.strides).len()
}

fn copy(facts: &Facts) -> Facts {
    Facts { shape: facts.shape.clone(), strides: facts.strides.clone(), ..*facts }
}

fn text(array: &Bound<'_, PyAny>) -> String {
    let parts =
        ["shape", "strides", "dtype", "device"].map(|name| array.getattr(name).map_or("?".into(), |it| it.to_string()));
    parts.join(" ")
}

/// Of element `[0, …, 0]`, where it can be told without looking.
fn address(array: &Bound<'_, PyAny>, device: i32) -> Option<usize> {
    let interface = if device < 0 {
        array.call_method0("to_host").ok()?.getattr("__array_interface__").ok()?
    } else {
        array.getattr("__cuda_array_interface__").expect("it is on a device")
    };
    let (address, _): (usize, bool) = interface.get_item("data").and_then(|data| data.extract()).expect("an address");
    Some(address)
}

fn is_read_only(array: &Bound<'_, PyAny>, device: i32) -> Option<bool> {
    if device >= 0 {
        let interface = array.getattr("__cuda_array_interface__").expect("it is on a device");
        let (_, said): (usize, bool) = interface.get_item("data").and_then(|data| data.extract()).expect("an address");
        return Some(said);
    }
    let host = array.call_method0("to_host").ok()?;
    let is_writable: bool = host.getattr("flags").and_then(|flags| flags.getattr("writeable")?.extract()).ok()?;
    Some(!is_writable)
}

/// `numptx.asarray` of an object.
pub fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    package().as_array.bind(object.py()).call1((object,))
}
