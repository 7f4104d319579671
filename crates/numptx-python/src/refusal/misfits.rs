//! Which arguments do not fit, said for the overload that they are nearest to.
//!
//! An argument is asked anew, by itself, whether it fits: the search for an overload ends at the first that does not.

use numptx_abi::{Overload, Parameter, dtype};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyTuple};

use super::advice::advice_for;
use super::describe::value_or_description;
use crate::arguments::Leaves;
use crate::array::Array;
use crate::call_arguments::CallArguments;
use crate::numpy::{Dtype, numpy};
use crate::parameters::{self, Place};
use crate::{errors, foreign};

/// An argument that does not fit a parameter.
struct Misfit {
    /// `argument 1 `n`: 300 does not fit uint8`.
    words: String,
    /// What to pass instead, or nothing.
    advice: String,
    /// How far it is from fitting: 1 for a value beyond a dtype's range, 4 for another kind of thing.
    distance: u32,
}

/// What keeps the arguments from fitting the nearest overload, a line each. None where every one of them fits by itself.
pub(super) fn lines(
    py: Python<'_>,
    name: &str,
    overloads: &[Overload],
    given: &CallArguments,
    leaves: &mut Leaves<'_>,
) -> PyResult<Vec<String>> {
    let mut nearest: Option<(u32, &Overload, Vec<Misfit>)> = None;
    for overload in overloads {
        let Some(misfits) = misfits(py, overload, given, leaves)? else { continue };
        let distance: u32 = misfits.iter().map(|misfit| misfit.distance).sum();
        if nearest.as_ref().is_none_or(|(least, ..)| distance < *least) {
            nearest = Some((distance, overload, misfits));
        }
    }
    let Some((_, overload, misfits)) = nearest else {
        return Ok(wrong_count(overloads, given).map(|words| format!("{name}() {words}")).into_iter().collect());
    };
    let whose = match overloads.len() {
        1 => String::new(),
        _ => format!(" of {}", parameters::text(overload.signature)),
    };
    Ok(misfits.iter().map(|misfit| format!("{name}() {}{whose}{}", misfit.words, misfit.advice)).collect())
}

/// The arguments that do not fit an overload; `None` if it takes another number of them, or others by name.
fn misfits(
    py: Python<'_>,
    overload: &Overload,
    given: &CallArguments,
    leaves: &mut Leaves<'_>,
) -> PyResult<Option<Vec<Misfit>>> {
    if given.values.len() != parameters::n_given(overload) {
        return Ok(None);
    }
    let mut found = Vec::new();
    for (index, (at, node)) in parameters::top_level(overload).into_iter().enumerate() {
        let Some(object) = given.of(index, node) else { return Ok(None) };
        // SAFETY: arguments live for the call.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        if !fits(&object, overload, at, leaves)? {
            found.push(misfit(&object, overload, at, Place::of(index, node), leaves)?);
        }
    }
    Ok(Some(found))
}

/// Whether an object fits a node. Nothing is said of one whose own code raises.
fn fits(object: &Bound<'_, PyAny>, overload: &Overload, at: usize, leaves: &mut Leaves<'_>) -> PyResult<bool> {
    Ok(errors::if_any(object.py(), leaves.fits(overload, at, object.as_ptr()))?.unwrap_or(true))
}

/// Why an object does not fit a node: of a tuple of as many members as are wanted, the first that does not fit.
fn misfit(
    object: &Bound<'_, PyAny>,
    overload: &Overload,
    at: usize,
    place: Place,
    leaves: &mut Leaves<'_>,
) -> PyResult<Misfit> {
    let nodes = parameters::nodes(overload);
    let node = &nodes[at];
    if node.kind == Parameter::TUPLE
        && let Ok(members) = object.cast::<PyTuple>()
        && members.len() == usize::from(node.rank)
    {
        let mut member_at = at + 1;
        for (index, member) in members.iter().enumerate() {
            if !fits(&member, overload, member_at, leaves)? {
                return misfit(&member, overload, member_at, place.member(index), leaves);
            }
            member_at = parameters::after(nodes, member_at);
        }
    }
    let (got, wanted) = (value_or_description(object)?, parameters::accepted(nodes, at));
    let advice = advice_for(object)?.map(|advice| format!("; pass {}", advice.of(&place.expression)));
    Ok(Misfit {
        words: format!("{place}: {got} does not fit {wanted}"),
        advice: advice.unwrap_or_default(),
        distance: distance(object, node)?,
    })
}

fn distance(object: &Bound<'_, PyAny>, node: &Parameter) -> PyResult<u32> {
    Ok(match node.kind {
        Parameter::SCALAR => number_kind(object).map_or(4, |kind| 1 + u32::from(kind != kind_of(node.dtype))),
        Parameter::ARRAY => match array_of(object)? {
            Some((code, rank)) => {
                1 + u32::from(code != Some(node.dtype)) + u32::from(rank != Some(usize::from(node.rank)))
            }
            None => 4,
        },
        Parameter::TUPLE if object.is_instance_of::<PyTuple>() => 2,
        Parameter::STR if object.is_instance_of::<PyString>() => 1,
        _ => 4,
    })
}

/// Booleans, integers, floats, complex numbers.
#[derive(PartialEq, Eq)]
enum NumberKind {
    Boolean,
    Integer,
    Float,
    Complex,
}

fn kind_of(code: u8) -> NumberKind {
    match code {
        dtype::BOOL => NumberKind::Boolean,
        dtype::INT8..=dtype::UINT64 => NumberKind::Integer,
        dtype::FLOAT16 | dtype::FLOAT32 | dtype::FLOAT64 => NumberKind::Float,
        _ => NumberKind::Complex,
    }
}

fn number_kind(object: &Bound<'_, PyAny>) -> Option<NumberKind> {
    // SAFETY: a live object.
    if let Some(code) = unsafe { numpy().scalar_dtype(object.as_ptr()) } {
        return Some(kind_of(code));
    }
    match () {
        () if object.is_instance_of::<PyBool>() => Some(NumberKind::Boolean),
        () if object.is_instance_of::<PyInt>() => Some(NumberKind::Integer),
        () if object.is_instance_of::<PyFloat>() => Some(NumberKind::Float),
        () if object.is_instance_of::<PyComplex>() => Some(NumberKind::Complex),
        () => None,
    }
}

/// The dtype and number of axes of an array, as far as they can be told without its library.
fn array_of(object: &Bound<'_, PyAny>) -> PyResult<Option<(Option<u8>, Option<usize>)>> {
    if let Ok(array) = object.cast::<Array>() {
        return Ok(Some((Some(array.get().dtype_code()), Some(array.get().shape().len()))));
    }
    // SAFETY: a live object, and an array by the check.
    let numpy_array = unsafe {
        numpy().is_array_or_subclass(object.as_ptr()).then(|| {
            let fields = numpy().fields(object.as_ptr());
            (numpy().dtype(fields), fields.rank as usize)
        })
    };
    Ok(match numpy_array {
        Some((Dtype::Native(code) | Dtype::Swapped(code), rank)) => Some((Some(code), Some(rank))),
        Some((Dtype::Other, rank)) => Some((None, Some(rank))),
        None => foreign::is_array(object)?.then_some((None, None)),
    })
}

/// Why no overload takes as many arguments, or those names.
fn wrong_count(overloads: &[Overload], given: &CallArguments) -> Option<String> {
    let longest = overloads.iter().max_by_key(|overload| parameters::n_given(overload))?;
    let names: Vec<String> = parameters::top_level(longest).iter().map(|(_, node)| parameters::name(node)).collect();
    for keyword in 0..given.values.len() - given.n_positional {
        let keyword = String::from_utf8_lossy(given.keyword(keyword)).into_owned();
        match names.iter().position(|name| *name == keyword) {
            None => return Some(format!("has no parameter `{keyword}`")),
            Some(index) if index < given.n_positional => {
                return Some(format!("got argument {} `{keyword}` twice, by its position and by its name", index + 1));
            }
            Some(_) => {}
        }
    }
    let n_given = given.values.len();
    if n_given > names.len() {
        return Some(format!("takes at most {} arguments, got {n_given}", names.len()));
    }
    // What is left out is missing of the shortest overload that has room for what was given.
    let roomy = overloads.iter().filter(|overload| parameters::n_given(overload) >= n_given);
    let shortest = roomy.min_by_key(|overload| parameters::n_given(overload))?;
    let mut places = parameters::top_level(shortest).into_iter().enumerate();
    let (index, (_, node)) = places.find(|(index, (_, node))| given.of(*index, node).is_none())?;
    Some(format!("got no {}", Place::of(index, node)))
}
