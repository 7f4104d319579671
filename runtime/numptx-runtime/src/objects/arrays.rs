//! Arrays of lists, and lists of arrays' elements.

use std::ffi::c_void;

use numptx_abi::{Array, MAX_RANK, ObjectCall, dtype, object};
use numptx_objects::{Layout, List, Object};

use super::{Maker, cell};
use crate::buffer::{self, Buffer};
use crate::call::CallState;
use crate::copy::{contiguous_strides, itemsize};
use crate::error::{Error, Result};
use crate::stats;
use numptx_objects::Embedding;

/// [`object::LIST_TO_ARRAY`]
///
/// # Safety
/// A live list, and room for a record.
pub(super) unsafe fn of_list(call: &CallState, operands: &[[u64; 2]], results: &mut [[u64; 2]]) -> Result<()> {
    // SAFETY: as the caller promises.
    let list = unsafe { cell(operands[0][0]) }?;
    let (bytes, code, shape) = list.look(packed)?;
    let size = itemsize(code)?;
    let buffer = call.alloc(bytes.len() as i64)?;
    match call.device {
        // SAFETY: fresh host memory of so many bytes.
        None => unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.data, bytes.len()) },
        Some(device) => {
            call.refuse_capture("the function makes an array of a list")?;
            call.upload(device, buffer.data, &bytes)?;
        }
    }
    let strides = contiguous_strides(&shape, size);
    let mut array = Array {
        buffer: buffer.into_raw().cast(),
        offset: 0,
        rank: shape.len() as u32,
        dtype: code,
        shape: [0; MAX_RANK],
        strides: [0; MAX_RANK],
    };
    array.shape[..shape.len()].copy_from_slice(&shape);
    array.strides[..shape.len()].copy_from_slice(&strides[..shape.len()]);
    let record = std::ptr::with_exposed_provenance_mut::<Array>(results[0][0] as usize);
    // SAFETY: the caller has room for a record there.
    unsafe { *record = array };
    Ok(())
}

/// A list's elements as bytes in C order, their dtype and the extents.
fn packed(object: &Object<super::Held>) -> Result<(Vec<u8>, u32, Vec<i64>)> {
    let Object::List(list) = object else { return Err(Error::runtime("no list is there; this is a bug of numptx")) };
    let codes: Vec<u8> = list.layout().codes().iter().copied().filter(|code| object::is_scalar(*code)).collect();
    let is_tuple = list.layout().codes().first() == Some(&object::OPEN);
    let (Some(first), true) =
        (codes.first(), codes.iter().all(|code| object::dtype_of(*code) == object::dtype_of(codes[0])))
    else {
        // Nothing was ever put into it.
        return Ok((Vec::new(), u32::from(dtype::FLOAT64), vec![0]));
    };
    let code = object::dtype_of(*first);
    let size = usize::try_from(itemsize(u32::from(code))?).unwrap_or(0);
    let words = list.words();
    let per_element = object::words(*first);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(words.len() / per_element * size)
        .map_err(|_| Error::memory("out of host memory for an array of a list"))?;
    let is_complex = per_element == 2;
    // Of a complex number half of its bytes are in each word.
    let taken = if is_complex { size / 2 } else { size };
    if taken == size_of::<u64>() {
        // SAFETY: words are that many bytes.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) });
    } else {
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()[..taken]));
    }
    let n = list.len() as i64;
    Ok((bytes, u32::from(code), if is_tuple { vec![n, codes.len() as i64] } else { vec![n] }))
}

/// [`object::LIST_FROM_ARRAY`]
///
/// # Safety
/// The record of a live array of one axis.
pub(super) unsafe fn to_list(
    call: &CallState,
    request: &ObjectCall,
    operands: &[[u64; 2]],
    results: &mut [[u64; 2]],
) -> Result<()> {
    let record = std::ptr::with_exposed_provenance::<Array>(operands[0][0] as usize);
    // SAFETY: as the caller promises.
    let (array, layout) = unsafe { (&*record, std::slice::from_raw_parts(request.layout, request.n_layout as usize)) };
    // SAFETY: as above.
    let buffer = unsafe { &*array.buffer.cast::<Buffer>() };
    let size = usize::try_from(itemsize(array.dtype)?).unwrap_or(0);
    let (n, stride) = (array.shape[0], array.strides[0]);
    let mut list = List::new(Layout::new(layout)?);
    list.reserve(usize::try_from(n).unwrap_or(0))?;
    let on_host = buffer.is_unwritten_argument() || call.device.is_none();
    let mut copy: Vec<u8> = Vec::new();
    let first = if n == 0 {
        std::ptr::null_mut()
    } else if on_host {
        let data = if buffer.is_unwritten_argument() { buffer.data } else { call.address(buffer, false)? };
        data.wrapping_offset(array.offset as isize)
    } else {
        // All between the first and the last element comes at once.
        let low = (stride * (n - 1)).min(0);
        let bytes = usize::try_from((stride * (n - 1)).abs()).unwrap_or(0) + size;
        copy.try_reserve_exact(bytes).map_err(|_| Error::memory("out of host memory for a list"))?;
        copy.resize(bytes, 0);
        let device = call.device.ok_or_else(|| Error::runtime("no device is there"))?;
        call.refuse_capture("the function makes a list of an array")?;
        let there = call.address(buffer, false)?.wrapping_offset((array.offset + low) as isize);
        // SAFETY: the array's elements lie there on the device, and the copy has room for them.
        unsafe {
            device.driver.download(
                copy.as_mut_ptr().cast::<c_void>(),
                there.expose_provenance() as u64,
                bytes,
                call.stream.handle(),
            )
        }?;
        device.wait(call.stream.handle())?;
        stats::transferred(device.ordinal, bytes);
        copy.as_mut_ptr().wrapping_offset(-low as isize)
    };
    let is_complex = object::words(array.dtype as u8) == 2;
    for k in 0..n {
        let mut raw = [0u8; 16];
        // SAFETY: the element is in range.
        unsafe {
            std::ptr::copy_nonoverlapping(first.wrapping_offset((k * stride) as isize), raw.as_mut_ptr(), size);
        }
        let words = crate::call::scalar_bits(raw, array.dtype);
        if is_complex {
            list.append(numptx_objects::Element { words: &words, references: &[] })?;
        } else {
            list.append_word(words[0])?;
        }
    }
    let made = Maker.make(Object::List(list))?;
    if let super::Held::Object(made) = made {
        results[0] = [buffer::BufferRef::into_raw(made).expose_provenance() as u64, 0];
    }
    Ok(())
}
