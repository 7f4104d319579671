//! What a `numptx.Array` looks like: host memory with its values, as NumPy shows them; memory of a device by dtype, extents and place.
//!
//! Nothing is brought from a device to be shown, but the one element that a format asks for.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Array;
use crate::numpy::DTYPE_NAMES;
use crate::{devices, layout};

/// What stands before the values; further lines begin below its end.
const PREFIX: &str = "numptx.Array(";

impl Array {
    /// Dtype, extents and place.
    pub(super) fn brief(&self) -> String {
        let extents: Vec<String> = self.shape().iter().map(i64::to_string).collect();
        let closed = if self.held.is_closed() { ", closed" } else { "" };
        let name = DTYPE_NAMES[usize::from(self.dtype_code())];
        format!("<numptx.Array {name}[{}] on {}{closed}>", extents.join(", "), devices::name(self.device))
    }
}

/// `repr(array)`.
pub(super) fn repr(array: &Bound<'_, Array>) -> PyResult<String> {
    let this = array.get();
    if this.device >= 0 || this.held.is_closed() {
        return Ok(this.brief());
    }
    values(array)
}

/// The values of host memory, their dtype, and the shape where the values do not tell it: NumPy's rules.
fn values(array: &Bound<'_, Array>) -> PyResult<String> {
    let (py, this) = (array.py(), array.get());
    let numpy = py.import("numpy")?;
    let settings = numpy.call_method0(intern!(py, "get_printoptions"))?;
    let setting = |name: &str| settings.get_item(name)?.extract::<i64>();
    let size = layout::size(this.shape());
    let mut text = if size == 0 && this.shape() != [0] {
        "[]".to_string()
    } else {
        let options = PyDict::new(py);
        options.set_item("separator", ", ")?;
        options.set_item("prefix", PREFIX)?;
        let shown = numpy.call_method(intern!(py, "array2string"), (Array::numpy_view(array)?,), Some(&options))?;
        shown.extract()?
    };
    if (size == 0 && this.shape() != [0]) || size > setting("threshold")? {
        text.push_str(&format!(", shape={}", this.py_shape(py)?.repr()?));
    }
    let dtype = format!("dtype={})", DTYPE_NAMES[usize::from(this.dtype_code())]);
    let last_line = PREFIX.len() + text.len() - text.rfind('\n').map_or(0, |end| end + 1 + PREFIX.len());
    let fits = (last_line + dtype.len() + 2) as i64 <= setting("linewidth")?;
    let space = if fits { " ".to_string() } else { format!("\n{}", " ".repeat(PREFIX.len())) };
    Ok(format!("{PREFIX}{text},{space}{dtype}"))
}

/// `format(array, spec)`: an array without axes is its element, as in NumPy.
pub(super) fn format(array: &Bound<'_, Array>, spec: &str) -> PyResult<String> {
    let py = array.py();
    if array.get().shape().is_empty() {
        return array.get().item(py)?.call_method1(intern!(py, "__format__"), (spec,))?.extract();
    }
    if spec.is_empty() {
        return repr(array);
    }
    Err(PyTypeError::new_err("unsupported format string passed to numptx.Array.__format__"))
}

/// A shape as NumPy's errors write it.
pub(super) fn shape_text(shape: &[i64]) -> String {
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    if let [one] = &extents[..] { format!("({one},)") } else { format!("({})", extents.join(",")) }
}
