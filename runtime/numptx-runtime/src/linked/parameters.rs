//! Whether arguments are what a function takes: its descriptor tells, and nothing else is believed.

use std::ffi::CStr;

use numptx_abi::{Argument, MAX_RANK, Overload, Parameter, Value, dtype, error_kind};

use super::nodes;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// Names of dtypes, by code.
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

/// Refuses arguments that the overload does not take: by number, sort, dtype, rank, extents, memory order, and by whether it may write them.
pub(super) fn check(overload: &Overload, arguments: &[Argument]) -> Result<()> {
    let mut left = arguments.iter().enumerate();
    let (mut name, mut member) = ("", 0);
    for node in nodes(overload.parameters, overload.n_parameter_nodes) {
        (name, member) = if node.name.is_null() { (name, member + 1) } else { (text(node), 0) };
        if node.kind != Parameter::SCALAR && node.kind != Parameter::ARRAY {
            continue;
        }
        let (k, argument) = left.next().ok_or_else(other_number)?;
        let is_written = k < 64 && overload.written >> k & 1 == 1;
        if let Some(found) = misfit(node, argument, is_written) {
            let called = if node.name.is_null() { format!("{name}_{}", member - 1) } else { name.to_string() };
            let message = format!("`{called}` must be `{}`, found {found}", declared(node));
            return Err(Error::new(error_kind::TYPE, message));
        }
    }
    if left.next().is_some() { Err(other_number()) } else { Ok(()) }
}

fn other_number() -> Error {
    Error::runtime("the function takes another number of arguments")
}

/// What an argument is, if it is not what the parameter asks for.
fn misfit(node: &Parameter, argument: &Argument, is_written: bool) -> Option<String> {
    if node.kind == Parameter::SCALAR {
        let fits = argument.kind == Value::SCALAR && argument.dtype == u32::from(node.dtype);
        return (!fits).then(|| sort(argument));
    }
    let (array, rank) = (&argument.array, argument.array.rank as usize);
    if argument.kind != Value::ARRAY || argument.dtype != u32::from(node.dtype) {
        return Some(sort(argument));
    }
    let shape = &array.shape[..rank.min(MAX_RANK)];
    if rank != usize::from(node.rank) || rank > MAX_RANK {
        return Some(format!("shape {shape:?}"));
    }
    // SAFETY: a binding passes live buffers.
    let is_shared = unsafe { array.buffer.cast::<Buffer>().as_ref() }.is_some_and(|buffer| buffer.read_only);
    if is_written && (argument.read_only != 0 || is_shared) {
        return Some("an array that may only be read".to_string());
    }
    let strides = &array.strides[..rank];
    let extents = if node.extents.is_null() { &[][..] } else { nodes(node.extents, u32::from(node.rank)) };
    let fits = extents.iter().zip(shape).all(|(wanted, found)| *wanted < 0 || wanted == found);
    let size = i64::from(dtype::ITEMSIZE.get(argument.dtype as usize).copied().unwrap_or(1));
    let is_ordered = match node.order {
        C_ORDER => is_contiguous(shape.iter().zip(strides).rev(), size),
        F_ORDER => is_contiguous(shape.iter().zip(strides), size),
        _ => true,
    };
    (!fits || !is_ordered).then(|| format!("shape {shape:?} and strides of {strides:?} bytes"))
}

/// [`Parameter::order`].
const C_ORDER: u8 = 1;
const F_ORDER: u8 = 2;

/// Whether axes, the fastest first, lie in memory without gaps.
fn is_contiguous<'a>(axes: impl Iterator<Item = (&'a i64, &'a i64)> + Clone, size: i64) -> bool {
    let mut next = size;
    axes.clone().any(|(extent, _)| *extent == 0)
        || axes.filter(|(extent, _)| **extent != 1).all(|(extent, stride)| {
            let fits = *stride == next;
            next = next.wrapping_mul(*extent);
            fits
        })
}

fn text(node: &Parameter) -> &'static str {
    // SAFETY: names are null-terminated, and live as long as their library.
    unsafe { CStr::from_ptr(node.name) }.to_str().unwrap_or("an argument")
}

fn name_of(code: u32) -> &'static str {
    NAMES.get(code as usize).copied().unwrap_or("an unknown dtype")
}

fn sort(argument: &Argument) -> String {
    let dtype = name_of(argument.dtype);
    if argument.kind == Value::ARRAY { format!("an array of {dtype}") } else { format!("a scalar of {dtype}") }
}

/// A parameter's type as exports write it.
fn declared(node: &Parameter) -> String {
    let dtype = name_of(u32::from(node.dtype));
    if node.kind == Parameter::SCALAR {
        return dtype.to_string();
    }
    let fixed = if node.extents.is_null() { &[][..] } else { nodes(node.extents, u32::from(node.rank)) };
    let extent = |axis| fixed.get(axis).filter(|n: &&i64| **n >= 0).map_or(":".to_string(), i64::to_string);
    let extents: Vec<String> = (0..usize::from(node.rank)).map(extent).collect();
    let order = match node.order {
        C_ORDER => " order(C)",
        F_ORDER => " order(F)",
        _ => "",
    };
    format!("{dtype}[{}]{order}", extents.join(", "))
}
