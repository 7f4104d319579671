//! Arrays of random numbers: drawn by the device where it can, else by the host, whose numbers are copied there.

use numptx_abi::{Array, MAX_RANK, ObjectCall, object};
use numptx_objects::{Draws, Item, draw_array};
use numptx_random::Random;

use super::{Held, items};
use crate::buffer::BufferRef;
use crate::call::CallState;
use crate::copy::itemsize;
use crate::draws;
use crate::error::{Error, Result};
use crate::room::reserved;

/// [`object::RANDOM_DRAW_ARRAY`]. Where it fails, the generator is as it was.
///
/// # Safety
/// Operands and results are as the request says, with room for a record.
pub(super) unsafe fn array(
    call: &CallState,
    request: &ObjectCall,
    operands: &[[u64; 2]],
    results: &mut [[u64; 2]],
) -> Result<()> {
    debug_assert_eq!(request.operation, object::RANDOM_DRAW_ARRAY);
    call.refuse_capture("the function draws random numbers")?;
    // SAFETY: as the caller promises.
    let given: Vec<Item<Held>> = unsafe { items(request, operands) }?;
    let record = std::ptr::with_exposed_provenance_mut::<Array>(results[0][0] as usize);
    let array = draw_array(&given, |draws, random| {
        let size = itemsize(u32::from(draws.dtype))?;
        let (count, bytes) = extent(draws.count, size)?;
        let buffer = call.alloc(bytes)?;
        fill(call, draws, random, &buffer)?;
        let mut array = Array {
            buffer: buffer.into_raw().cast(),
            offset: 0,
            rank: 1,
            dtype: u32::from(draws.dtype),
            shape: [0; MAX_RANK],
            strides: [0; MAX_RANK],
        };
        (array.shape[0], array.strides[0]) = (count, size);
        Ok::<Array, Error>(array)
    })?;
    // SAFETY: the caller has room for a record there.
    unsafe { *record = array };
    Ok(())
}

/// Elements and bytes of an array that has room.
fn extent(count: usize, size: i64) -> Result<(i64, i64)> {
    let bytes = i64::try_from(count).ok().and_then(|count| Some((count, count.checked_mul(size)?)));
    bytes.ok_or_else(|| Error::memory("an array of random numbers that no memory has room for"))
}

fn fill(call: &CallState, draws: &Draws, random: &mut Random, to: &BufferRef) -> Result<()> {
    let bytes = usize::try_from(to.bytes).unwrap_or(0);
    let Some(device) = call.device else {
        // SAFETY: fresh host memory of so many bytes, which nobody else knows.
        let room = unsafe { std::slice::from_raw_parts_mut(to.data.cast::<std::mem::MaybeUninit<u8>>(), bytes) };
        write(draws, random, room);
        return Ok(());
    };
    if draws::draw(call, device, draws, random, to)? {
        return Ok(());
    }
    let mut drawn: Vec<u8> = reserved(bytes)?;
    write(draws, random, drawn.spare_capacity_mut());
    // SAFETY: all of them were written.
    unsafe { drawn.set_len(bytes) };
    call.upload(device, to.data, &drawn)
}

/// Writes the elements one behind the other.
fn write(draws: &Draws, random: &mut Random, room: &mut [std::mem::MaybeUninit<u8>]) {
    let size = room.len().checked_div(draws.count).unwrap_or(1);
    let mut places = room.chunks_exact_mut(size.max(1));
    draws.first(draws.count, random, |word| {
        if let Some(place) = places.next() {
            place.write_copy_of_slice(&word.to_le_bytes()[..place.len()]);
        }
    });
}
