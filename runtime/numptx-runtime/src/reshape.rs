//! `reshape`, `ravel` and contiguous arrays in NumPy's orders: a view where the strides allow it, else a copy.
//! Source: NumPy's rules for reshaping without a copy.

use numptx_abi::{Array, MAX_RANK, reshaping};

use crate::buffer::{Buffer, BufferRef};
use crate::call::CallState;
use crate::copy::{Place, contiguous_strides, copy_arrays, gather, itemsize, packed_bytes};
use crate::error::{Error, Result};
use crate::order::order_strides;
use crate::placement::are_addressable;
use crate::{rows, stats};

/// The extents asked for, with -1 replaced.
pub(crate) fn resolve_shape(elements: i64, shape: &[i64]) -> Result<[i64; MAX_RANK]> {
    let mut resolved = [0; MAX_RANK];
    resolved[..shape.len()].copy_from_slice(shape);
    let mut unknown = None;
    let mut known: i64 = 1;
    for (axis, extent) in shape.iter().enumerate() {
        match extent {
            -1 if unknown.is_some() => return Err(Error::value("can only specify one unknown dimension")),
            -1 => unknown = Some(axis),
            e if *e < 0 => return Err(Error::value("negative dimensions not allowed")),
            e => known = known.saturating_mul(*e),
        }
    }
    let fits = match unknown {
        None => known == elements,
        Some(axis) if known != 0 && elements % known == 0 => {
            resolved[axis] = elements / known;
            true
        }
        Some(_) => false,
    };
    if fits {
        Ok(resolved)
    } else {
        Err(Error::value(format!("cannot reshape array of size {elements} into shape {}", shape_text(shape))))
    }
}

fn shape_text(shape: &[i64]) -> String {
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    if let [one] = &extents[..] { format!("({one},)") } else { format!("({})", extents.join(",")) }
}

/// Strides of the same memory under a new shape of the same size, if there are any.
pub(crate) fn view_strides(
    shape: &[i64],
    strides: &[i64],
    new_shape: &[i64],
    itemsize: i64,
) -> Option<[i64; MAX_RANK]> {
    if shape.contains(&0) {
        return Some(contiguous_strides(new_shape, itemsize));
    }
    let mut old = [(0i64, 0i64); MAX_RANK];
    let mut n_old = 0;
    for (extent, stride) in shape.iter().zip(strides).filter(|(e, _)| **e != 1) {
        old[n_old] = (*extent, *stride);
        n_old += 1;
    }
    let old = &old[..n_old];
    let mut result = [0; MAX_RANK];
    let (mut o_first, mut n_first) = (0, 0);
    while n_first < new_shape.len() && o_first < old.len() {
        let (n_old, n_new) = equal_groups(&old[o_first..], &new_shape[n_first..])?;
        let group = &old[o_first..o_first + n_old];
        if group.windows(2).any(|pair| pair[0].1 != pair[1].0.wrapping_mul(pair[1].1)) {
            return None;
        }
        let mut step = group.last().map_or(itemsize, |axis| axis.1);
        for axis in (n_first..n_first + n_new).rev() {
            result[axis] = step;
            step = step.wrapping_mul(new_shape[axis]);
        }
        (o_first, n_first) = (o_first + n_old, n_first + n_new);
    }
    // What is left has extent 1; its strides are never used to move.
    let tail = if n_first > 0 { result[n_first - 1] } else { itemsize };
    result[n_first..new_shape.len()].fill(tail);
    Some(result)
}

/// How many leading axes on each side hold equally many elements: the fewest.
fn equal_groups(old: &[(i64, i64)], new_shape: &[i64]) -> Option<(usize, usize)> {
    let (mut n_old, mut n_new) = (1, 1);
    let (mut old_size, mut new_size) = (old.first()?.0, *new_shape.first()?);
    while old_size != new_size {
        if new_size < old_size {
            new_size *= *new_shape.get(n_new)?;
            n_new += 1;
        } else {
            old_size *= old.get(n_old)?.0;
            n_old += 1;
        }
    }
    Some((n_old, n_new))
}

/// [`numptx_abi::RuntimeTable::reshape`]. Any order is C order of the axes taken in another sequence.
///
/// # Safety
/// `input`'s buffer is alive.
pub(crate) unsafe fn reshape(call: &CallState, input: &Array, new_shape: &[i64], what: u32) -> Result<Array> {
    let rank = input.rank as usize;
    if rank > MAX_RANK || new_shape.len() > MAX_RANK {
        return Err(Error::value(format!("at most {MAX_RANK} axes are supported")));
    }
    let size = itemsize(input.dtype)?;
    let (task, order) = (what & 3, what & !3);
    let is_turned = match order {
        reshaping::F => true,
        reshaping::A => is_fortran(input, size),
        _ => false,
    };
    let source = match order {
        reshaping::K => in_memory_order(input, size),
        _ if is_turned => turned(input),
        _ => *input,
    };
    let (shape, strides) = (&source.shape[..rank], &source.strides[..rank]);
    let mut resolved = resolve_shape(shape.iter().product(), new_shape)?;
    let resolved = &mut resolved[..new_shape.len()];
    if is_turned {
        resolved.reverse();
    }
    let new_strides = match task {
        reshaping::RESHAPE => view_strides(shape, strides, resolved, size),
        _ if !is_packed(shape, strides, size) => None,
        reshaping::CONTIGUOUS => Some(source.strides),
        _ => view_strides(shape, strides, resolved, size),
    };
    let mut out = source;
    out.rank = resolved.len() as u32;
    out.shape[..resolved.len()].copy_from_slice(resolved);
    if let Some(new_strides) = new_strides {
        out.strides = new_strides;
        // SAFETY: alive, as the caller promises.
        out.buffer = unsafe { BufferRef::to(input.buffer.cast()) }.into_raw().cast();
    } else {
        out.strides = contiguous_strides(resolved, size);
        // SAFETY: alive, as the caller promises.
        out.buffer = unsafe { contiguous_copy(call, &source, size) }?.into_raw().cast();
        out.offset = 0;
        stats::copied(call.place());
    }
    Ok(if is_turned { turned(&out) } else { out })
}

/// Elements of a dtype over an array's buffer. `numbers`: extents, then strides in bytes.
///
/// # Safety
/// `input`'s buffer is alive.
pub(crate) unsafe fn strided(call: &CallState, input: &Array, numbers: &[i64], dtype: u32) -> Result<Array> {
    let (shape, strides) = numbers.split_at(numbers.len() / 2);
    if shape.len() > MAX_RANK {
        return Err(Error::value(format!("at most {MAX_RANK} axes are supported")));
    }
    let mut out = *input;
    out.dtype = dtype;
    out.rank = shape.len() as u32;
    out.shape[..shape.len()].copy_from_slice(shape);
    out.strides[..strides.len()].copy_from_slice(strides);
    let buffer: *mut Buffer = input.buffer.cast();
    // SAFETY: alive, as the caller promises. Copies of host memory on a device keep its alignment.
    let first = unsafe { (*buffer).data }.wrapping_offset(input.offset as isize);
    if call.place() >= 0 && !are_addressable(first, shape, strides, itemsize(dtype)?) {
        return Err(Error::value(
            "the view has elements that are not aligned to their size, which a GPU cannot address; copy the array first, or compute on the CPU",
        ));
    }
    // SAFETY: alive, as the caller promises.
    out.buffer = unsafe { BufferRef::to(buffer) }.into_raw().cast();
    Ok(out)
}

/// The array with its axes in reverse.
fn turned(array: &Array) -> Array {
    let mut turned = *array;
    let rank = array.rank as usize;
    turned.shape[..rank].reverse();
    turned.strides[..rank].reverse();
    turned
}

/// Whether the elements lie in F order without gaps, and not in C order too.
fn is_fortran(array: &Array, itemsize: i64) -> bool {
    let packed = |array: &Array| {
        let rank = array.rank as usize;
        is_packed(&array.shape[..rank], &array.strides[..rank], itemsize)
    };
    packed(&turned(array)) && !packed(array)
}

/// The array with its axes as they lie in memory: those of a view without gaps if they can be, else those of a copy in K order.
fn in_memory_order(array: &Array, itemsize: i64) -> Array {
    let rank = array.rank as usize;
    let by = |strides: &[i64]| {
        let mut axes = [0usize; MAX_RANK];
        (0..rank).for_each(|axis| axes[axis] = axis);
        axes[..rank].sort_by_key(|axis| std::cmp::Reverse(strides[*axis].unsigned_abs()));
        let mut sorted = *array;
        for (at, axis) in axes[..rank].iter().enumerate() {
            (sorted.shape[at], sorted.strides[at]) = (array.shape[*axis], array.strides[*axis]);
        }
        sorted
    };
    let sorted = by(&array.strides);
    if is_packed(&sorted.shape[..rank], &sorted.strides[..rank], itemsize) {
        return sorted;
    }
    let mut fresh = [0; MAX_RANK];
    order_strides(&array.shape[..rank], itemsize, &[&array.strides[..rank]], &mut fresh[..rank]);
    by(&fresh)
}

/// Whether the elements lie in C order without gaps.
fn is_packed(shape: &[i64], strides: &[i64], itemsize: i64) -> bool {
    let packed = contiguous_strides(shape, itemsize);
    let mut axes = shape.iter().zip(strides).zip(&packed);
    shape.contains(&0) || axes.all(|((extent, stride), packed)| *extent == 1 || stride == packed)
}

/// A fresh buffer on the call's device with the elements in C order: on the device, or through the host where a device would need many calls.
///
/// # Safety
/// `input`'s buffer is alive.
unsafe fn contiguous_copy(call: &CallState, input: &Array, itemsize: i64) -> Result<BufferRef> {
    let rank = input.rank as usize;
    let (shape, strides) = (&input.shape[..rank], &input.strides[..rank]);
    // SAFETY: alive, as the caller promises.
    let source = unsafe { &*input.buffer.cast::<Buffer>() };
    let data = call.address(source, false)?.wrapping_offset(input.offset as isize);
    let packed = contiguous_strides(shape, itemsize);
    let stays = call.device.is_some_and(|device| rows::stay(device, (&packed[..rank], strides), shape, itemsize));
    if call.device.is_some() && !stays {
        call.refuse_capture("reshape has to copy through the host")?;
    }
    let from = Place { device: call.device, data, shape, strides, uses: None, pinned: None };
    let fresh = call.alloc(packed_bytes(shape, itemsize)?)?;
    let data = fresh.data;
    let to = Place { device: call.device, data, shape, strides: &packed[..rank], uses: None, pinned: None };
    // SAFETY: the fresh buffer holds every element and is nobody else's.
    let copied = unsafe {
        match call.device {
            None => copy_arrays(&to, &from, itemsize, &call.stream).map(|_| ()),
            Some(device) if stays => {
                call.replay.give_up();
                let side = |place: &Place<'_>| place.data.expose_provenance() as u64;
                let to = rows::Side { first: side(&to), strides: to.strides };
                let from = rows::Side { first: side(&from), strides };
                rows::copy_elements(device, (&to, &from), shape, itemsize, &call.stream)
            }
            Some(device) => gather(&from, itemsize, &call.stream).and_then(|bytes| call.upload(device, data, &bytes)),
        }
    };
    copied.map(|()| fresh)
}
