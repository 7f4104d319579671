//! `float16` as functions take it: rows that compute in it as NumPy does, and the refusal of the others.
//!
//! Elementwise functions, reductions, running totals, views and choices of elements take it: their loops are NumPy's. Of what makes arrays, sums products,
//! or is written in terms of other functions, those that are named here do; of the others the steps that are rounded would be other ones.

use numptx_source::code;

use super::binding::{Bound, Call};
use super::value::{FunctionError, PyValue};
use super::{Class, Function};
use crate::DType;
use crate::array::Builder;

/// Rows of the classes that are not free that take `float16`.
const TAKEN: &[&str] = &[
    "ndarray.astype",
    "ndarray.byteswap",
    "ndarray.copy",
    "ndarray.fill",
    "ndarray.item",
    "ndarray.partition",
    "ndarray.sort",
    "numpy.allclose",
    "numpy.angle",
    "numpy.append",
    "numpy.arange",
    "numpy.argpartition",
    "numpy.argsort",
    "numpy.array",
    "numpy.array_equal",
    "numpy.array_equiv",
    "numpy.asarray",
    "numpy.asarray_chkfinite",
    "numpy.ascontiguousarray",
    "numpy.asfortranarray",
    "numpy.astype",
    "numpy.block",
    "numpy.choose",
    "numpy.clip",
    "numpy.column_stack",
    "numpy.concatenate",
    "numpy.copy",
    "numpy.copyto",
    "numpy.delete",
    "numpy.diag",
    "numpy.diagflat",
    "numpy.diff",
    "numpy.dot",
    "numpy.dstack",
    "numpy.empty",
    "numpy.empty_like",
    "numpy.eye",
    "numpy.fft.fftshift",
    "numpy.fft.ifftshift",
    "numpy.full",
    "numpy.full_like",
    "numpy.hstack",
    "numpy.identity",
    "numpy.inner",
    "numpy.insert",
    "numpy.intersect1d",
    "numpy.isclose",
    "numpy.iscomplex",
    "numpy.isin",
    "numpy.isneginf",
    "numpy.isposinf",
    "numpy.lexsort",
    "numpy.lib.stride_tricks.as_strided",
    "numpy.linalg.matmul",
    "numpy.linalg.matrix_transpose",
    "numpy.linalg.outer",
    "numpy.linalg.tensordot",
    "numpy.linalg.vecdot",
    "numpy.linspace",
    "numpy.matmul",
    "numpy.matvec",
    "numpy.mean",
    "numpy.median",
    "numpy.meshgrid",
    "numpy.nan_to_num",
    "numpy.nanargmax",
    "numpy.nanargmin",
    "numpy.nanmax",
    "numpy.nanmin",
    "numpy.ndarray",
    "numpy.ndim",
    "numpy.ones",
    "numpy.ones_like",
    "numpy.outer",
    "numpy.partition",
    "numpy.place",
    "numpy.ptp",
    "numpy.putmask",
    "numpy.repeat",
    "numpy.require",
    "numpy.resize",
    "numpy.roll",
    "numpy.round",
    "numpy.searchsorted",
    "numpy.select",
    "numpy.setdiff1d",
    "numpy.setxor1d",
    "numpy.shape",
    "numpy.size",
    "numpy.sort",
    "numpy.stack",
    "numpy.std",
    "numpy.tensordot",
    "numpy.tile",
    "numpy.tri",
    "numpy.tril",
    "numpy.trim_zeros",
    "numpy.triu",
    "numpy.union1d",
    "numpy.unique",
    "numpy.unique_all",
    "numpy.unique_counts",
    "numpy.unique_inverse",
    "numpy.unique_values",
    "numpy.var",
    "numpy.vdot",
    "numpy.vecdot",
    "numpy.vecmat",
    "numpy.vstack",
    "numpy.zeros",
    "numpy.zeros_like",
];

/// Elementwise rows that are several functions of NumPy's, each of which rounds.
const STEPS: &[&str] = &["numpy.sinc"];

/// Whether a row takes `float16`.
pub fn takes_halves(function: &Function) -> bool {
    let is_free = match function.class {
        Class::Map(_) => !STEPS.contains(&function.name),
        Class::Reduce(_) | Class::Scan(_) | Class::View(_) | Class::Index(_) | Class::Host(_) => true,
        Class::Create(_) | Class::Contract(_) | Class::Expand(_) | Class::Library => false,
    };
    let is_method = matches!(function.class, Class::Expand(_))
        && [".outer", ".reduce"].iter().any(|end| function.name.ends_with(end));
    is_free || is_method || TAKEN.contains(&function.name)
}

/// Refuses a call with an argument of `float16`, or one that asks for it, of a row that does not take it.
pub(super) fn check(call: &Call) -> Result<(), FunctionError> {
    let has_half = |bound: &Bound| is_half(call.builder, &bound.value);
    if takes_halves(call.function) || !call.bound.iter().any(has_half) {
        return Ok(());
    }
    let name = call.function.name;
    let at = call.bound.iter().find(|bound| has_half(bound)).and_then(|bound| bound.position);
    Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, format!("`{name}` of `float16` is not supported"))
        .at(at)
        .help("compute in `float32`, and cast the result: `x.astype(np.float32)`, `.astype(np.float16)`"))
}

fn is_half(builder: &Builder, value: &PyValue) -> bool {
    match value {
        PyValue::Typed(typed) => builder.dtype(typed.value) == DType::F16,
        PyValue::DType(dtype) => *dtype == DType::F16,
        PyValue::Tuple(items) | PyValue::List(items) => items.iter().any(|item| is_half(builder, item)),
        _ => false,
    }
}
