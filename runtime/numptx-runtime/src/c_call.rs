//! Calls from C, whose types say little: what comes in is compared with the overload's descriptor before anything is done with it.
//!
//! In: a library's descriptor, the numbers of a function and of an overload, arguments. Out: a status; of what does not fit, the argument by its
//! place and name, what would fit, and what was got.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::fmt::Write as _;

use numptx_abi::{Argument, InvokeOptions, MAX_RANK, Module, Overload, Parameter, Status, Value, dtype, error_kind};

use crate::buffer::HostMemory;
use crate::error::{Error, Result, no_error};
use crate::table::guarded;
use crate::{array, image, invoke};

/// What `numptx.h` writes as the rank of an array whose shape is NULL.
const NO_SHAPE: u32 = u32::MAX;

/// Where arrays lie that lie on no device.
const HOST: i32 = -1;

/// Calls an overload of a library, which is bound if it was not. `options` and `error` may be null.
///
/// # Safety
/// `module` is the descriptor of a generated library. There are `n_arguments` arguments and `n_results` results; addresses in arguments are those of
/// as much memory as shape, strides and dtype say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_call(
    module: *const Module,
    function: u32,
    overload: u32,
    arguments: *const Argument,
    n_arguments: u32,
    results: *mut Value,
    n_results: u32,
    options: *const InvokeOptions,
    error: *mut numptx_abi::Error,
) -> Status {
    if error.is_null() {
        // SAFETY: as this function's.
        return unread(|error| unsafe {
            numptx_call(module, function, overload, arguments, n_arguments, results, n_results, options, error)
        });
    }
    guarded(error, || {
        // SAFETY: as the caller promises.
        unsafe {
            let overload = find(module, function, overload)?;
            let arguments = checked(overload, (arguments, n_arguments), (results, n_results))?;
            let options = options.as_ref().copied().unwrap_or_else(|| array::options(None));
            invoke::invoke(overload, arguments.as_ptr(), results, (&options, HostMemory::Buffers), error)
        }
    })
}

/// A call of which nobody reads the error. Its room is not on the stack of other calls.
#[cold]
#[inline(never)]
fn unread(call: impl FnOnce(*mut numptx_abi::Error) -> Status) -> Status {
    let mut error = no_error();
    call(&raw mut error)
}

/// An overload of a library, which is bound. Only the first field of the descriptor is read before its version is known.
///
/// # Safety
/// As [`numptx_call`].
unsafe fn find<'a>(module: *const Module, function: u32, overload: u32) -> Result<&'a Overload> {
    if module.is_null() {
        return Err(Error::value("the library's descriptor is NULL"));
    }
    // SAFETY: as the caller promises; each list is as long as the descriptor says.
    unsafe {
        image::bind(module)?;
        let known = (function < (*module).n_functions).then(|| &*(*module).functions.add(function as usize));
        known
            .filter(|known| overload < known.n_overloads)
            .map(|known| &*known.overloads.add(overload as usize))
            .ok_or_else(another_header)
    }
}

fn another_header() -> Error {
    Error::runtime("the header and the library were not made by the same compilation")
}

/// The arguments, if each fits its parameter.
///
/// # Safety
/// As [`numptx_call`].
unsafe fn checked<'a>(
    overload: &Overload,
    (arguments, n_arguments): (*const Argument, u32),
    (results, n_results): (*mut Value, u32),
) -> Result<&'a [Argument]> {
    if (n_arguments, n_results) != (overload.n_arguments, overload.n_results) {
        return Err(another_header());
    }
    if results.is_null() && n_results > 0 {
        return Err(Error::value(format!("`results` is NULL, and the function has {n_results}")));
    }
    let arguments = match n_arguments as usize {
        0 => &[][..],
        // SAFETY: the caller passes as many.
        n => unsafe { std::slice::from_raw_parts(arguments, n) },
    };
    // SAFETY: an overload has as many nodes as it says.
    let nodes = unsafe { nodes(overload) };
    let leaves =
        nodes.iter().filter(|node| matches!(node.kind, Parameter::SCALAR | Parameter::ARRAY | Parameter::OBJECT));
    for (k, (argument, parameter)) in arguments.iter().zip(leaves).enumerate() {
        // SAFETY: the descriptor's strings and lists are what it says.
        if let Some((kind, fault)) = unsafe { fault(argument, parameter) } {
            // SAFETY: as above.
            let name = unsafe { name_of(nodes, k) };
            return Err(Error::new(kind, format!("argument {} `{name}`: {fault}", k + 1)));
        }
    }
    Ok(arguments)
}

/// # Safety
/// A descriptor of a generated library.
unsafe fn nodes(overload: &Overload) -> &[Parameter] {
    match overload.n_parameter_nodes as usize {
        0 => &[],
        // SAFETY: as the caller promises.
        n => unsafe { std::slice::from_raw_parts(overload.parameters, n) },
    }
}

/// The name of a leaf: `x`, or `pair[1]` of a tuple's member.
///
/// # Safety
/// The nodes are those of a descriptor.
unsafe fn name_of(nodes: &[Parameter], leaf: usize) -> String {
    // Open tuples: the name up to here, the next member, and how many members are still to come.
    let mut open: Vec<(String, usize, usize)> = Vec::new();
    let mut seen = 0;
    for node in nodes {
        let name = match open.last_mut() {
            // SAFETY: strings of descriptors are null-terminated and live as long as the library.
            None => unsafe { text(node.name) }.into_owned(),
            Some((tuple, next, left)) => {
                let name = format!("{tuple}[{next}]");
                (*next, *left) = (*next + 1, *left - 1);
                name
            }
        };
        match node.kind {
            Parameter::TUPLE | Parameter::RECORD => open.push((name, 0, usize::from(node.rank))),
            Parameter::SCALAR | Parameter::ARRAY | Parameter::OBJECT if seen == leaf => return name,
            Parameter::SCALAR | Parameter::ARRAY | Parameter::OBJECT => seen += 1,
            _ => {}
        }
        while open.last().is_some_and(|(_, _, left)| *left == 0) {
            open.pop();
        }
    }
    String::new()
}

/// # Safety
/// The name is null or null-terminated text.
unsafe fn text<'a>(name: *const c_char) -> Cow<'a, str> {
    if name.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(name) }.to_string_lossy()
}

/// Why an argument cannot be taken: the error's kind and text.
///
/// # Safety
/// The parameter is a descriptor's.
unsafe fn fault(argument: &Argument, parameter: &Parameter) -> Option<(Status, String)> {
    let code = u32::from(parameter.dtype);
    if parameter.kind == Parameter::OBJECT {
        return Some(unfit("a list, a dictionary, a set or a string, which only Python passes", &kind_of(argument)));
    }
    if parameter.kind == Parameter::SCALAR {
        let fits = argument.kind == Value::SCALAR && argument.dtype == code;
        return (!fits).then(|| unfit(dtype_name(code), &kind_of(argument)));
    }
    // SAFETY: as the caller promises.
    let extents = unsafe { extents(parameter) };
    let wanted = || declared(parameter, extents);
    if argument.kind != Value::ARRAY {
        return Some(unfit(&wanted(), &kind_of(argument)));
    }
    if let Some(text) = impossible(argument) {
        return Some((error_kind::VALUE, text));
    }
    let rank = argument.array.rank as usize;
    let (shape, strides) = (&argument.array.shape[..rank], &argument.array.strides[..rank]);
    let fits = rank == usize::from(parameter.rank)
        && argument.dtype == code
        && extents
            .is_none_or(|extents| extents.iter().zip(shape).all(|(wanted, found)| *wanted < 0 || wanted == found));
    if !fits {
        return Some(unfit(&wanted(), &shown(argument.dtype, shape)));
    }
    let size = itemsize(code);
    let ordered = match parameter.order {
        1 => is_contiguous(shape.iter().zip(strides).rev(), size),
        2 => is_contiguous(shape.iter().zip(strides), size),
        _ => true,
    };
    if !ordered {
        let found = format!("{} with strides of {strides:?} bytes", shown(argument.dtype, shape));
        return Some(unfit(&wanted(), &found));
    }
    unreachable_elements(argument, shape, strides).map(|text| (error_kind::VALUE, text))
}

fn unfit(wanted: &str, found: &str) -> (Status, String) {
    (error_kind::TYPE, format!("expected {wanted}, got {found}"))
}

/// What makes a description one of no array at all.
fn impossible(argument: &Argument) -> Option<String> {
    let array = &argument.array;
    if array.rank == NO_SHAPE {
        return Some("its shape is NULL".to_string());
    }
    if array.rank as usize > MAX_RANK {
        return Some(format!("{} axes, and arrays have at most {MAX_RANK}", array.rank));
    }
    if argument.dtype as usize >= dtype::ITEMSIZE.len() {
        return Some(format!("no dtype has the code {}", argument.dtype));
    }
    if array.buffer.is_null() && argument.device < HOST {
        return Some(format!("there is no device {}, and the host is {HOST}", argument.device));
    }
    let rank = array.rank as usize;
    let (shape, strides) = (&array.shape[..rank], &array.strides[..rank]);
    if let Some((axis, extent)) = shape.iter().enumerate().find(|(_, extent)| **extent < 0) {
        return Some(format!("axis {axis} has a negative extent, {extent}"));
    }
    // The elements of an array without any are left out of account, and so is a stride along which nobody moves, as NumPy does.
    let size = itemsize(argument.dtype);
    let bytes = shape.iter().try_fold(size, |bytes, extent| bytes.checked_mul((*extent).max(1)));
    let reach = shape.iter().zip(strides).try_fold(size, |reach, (extent, stride)| {
        let span = if *extent < 2 { 0 } else { stride.checked_abs()?.checked_mul(extent - 1)? };
        reach.checked_add(span)
    });
    let fits = bytes.is_some() && (reach.is_some() || shape.contains(&0));
    (!fits).then(|| format!("shape {} takes more bytes than there are addresses", tuple(shape)))
}

/// Elements that nobody can read: at NULL, or on the host not aligned to their size.
fn unreachable_elements(argument: &Argument, shape: &[i64], strides: &[i64]) -> Option<String> {
    if shape.contains(&0) || !argument.array.buffer.is_null() {
        return None;
    }
    if argument.data.is_null() {
        return Some("its elements are at NULL".to_string());
    }
    let size = itemsize(argument.dtype);
    let align = if argument.dtype >= u32::from(dtype::COMPLEX64) { size / 2 } else { size };
    let apart = shape.iter().zip(strides).filter(|(extent, _)| **extent > 1);
    let bits = apart.fold(argument.data.addr() as i64, |bits, (_, stride)| bits | stride);
    (argument.device < 0 && bits & (align - 1) != 0)
        .then(|| format!("its elements at {:p} are not aligned to {align} bytes", argument.data))
}

/// Whether axes, the fastest first, lie in memory without gaps.
fn is_contiguous<'a>(mut axes: impl Iterator<Item = (&'a i64, &'a i64)> + Clone, size: i64) -> bool {
    let mut next = size;
    axes.clone().any(|(extent, _)| *extent == 0)
        || axes.all(|(extent, stride)| {
            let fits = *extent == 1 || *stride == next;
            next = next.wrapping_mul(*extent);
            fits
        })
}

/// Bytes of an element; of a known dtype.
fn itemsize(code: u32) -> i64 {
    dtype::ITEMSIZE.get(code as usize).map_or(1, |size| i64::from(*size))
}

/// One extent an axis, negative where any is accepted; `None` where all are.
///
/// # Safety
/// The parameter is a descriptor's.
unsafe fn extents(parameter: &Parameter) -> Option<&[i64]> {
    if parameter.extents.is_null() {
        return None;
    }
    // SAFETY: a list of extents is as long as the rank.
    Some(unsafe { std::slice::from_raw_parts(parameter.extents, usize::from(parameter.rank)) })
}

/// A parameter as exports write it: `float64[:, 3] order(C)`.
fn declared(parameter: &Parameter, extents: Option<&[i64]>) -> String {
    let extent = |axis: usize| extents.map_or(-1, |extents| extents[axis]);
    let axes: Vec<String> = (0..usize::from(parameter.rank))
        .map(|axis| if extent(axis) < 0 { ":".to_string() } else { extent(axis).to_string() })
        .collect();
    let order = ["", " order(C)", " order(F)"].get(usize::from(parameter.order)).copied().unwrap_or("");
    format!("{}[{}]{order}", dtype_name(u32::from(parameter.dtype)), axes.join(", "))
}

/// An array that was passed: `float64[4, 3]`.
fn shown(code: u32, shape: &[i64]) -> String {
    let axes: Vec<String> = shape.iter().map(i64::to_string).collect();
    format!("{}[{}]", dtype_name(code), axes.join(", "))
}

fn tuple(shape: &[i64]) -> String {
    let mut text = String::from("(");
    for (axis, extent) in shape.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(text, "{}{extent}", if axis > 0 { ", " } else { "" });
    }
    text + if shape.len() == 1 { ",)" } else { ")" }
}

/// What an argument is that is not an array that was asked for, or no number.
fn kind_of(argument: &Argument) -> String {
    match argument.kind {
        Value::ARRAY => format!("an array of {}", dtype_name(argument.dtype)),
        Value::SCALAR => format!("a number of {}", dtype_name(argument.dtype)),
        Value::NONE => "nothing: the argument was not set".to_string(),
        other => format!("an argument of kind {other}, which there is not"),
    }
}

/// NumPy's name.
fn dtype_name(code: u32) -> &'static str {
    const NAMES: [&str; 14] = [
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
    NAMES.get(code as usize).copied().unwrap_or("an unknown dtype")
}
