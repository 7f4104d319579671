//! Memory that routines need while they run: each thread keeps what it had, so that many small matrices ask the allocator once.

use std::cell::Cell;

use faer::MatMut;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::traits::ComplexField;
use faer::traits::ext::ComplexFieldExt;
use numptx_abi::{Status, error_kind};

/// Where matrices and their columns begin.
const ALIGN_BYTES: usize = 64;
/// Bytes that a thread keeps at most.
const KEPT_BYTES: usize = 1 << 20;

thread_local! {
    static KEPT: Cell<Option<MemBuffer>> = const { Cell::new(None) };
}

/// What the function answers, which is given so much memory; or that there is none.
pub(crate) fn with<R>(required: StackReq, function: impl FnOnce(&mut MemStack) -> R) -> Result<R, Status> {
    let bytes = required.unaligned_bytes_required();
    if bytes > KEPT_BYTES {
        let mut own = MemBuffer::try_new(required).map_err(|_| error_kind::MEMORY)?;
        return Ok(function(MemStack::new(&mut own)));
    }
    // Taken out meanwhile: a routine inside of a routine gets its own.
    let kept = KEPT.with(Cell::take).filter(|kept| kept.len() >= bytes + required.align_bytes());
    let mut buffer = match kept {
        Some(kept) => kept,
        None => {
            let room = (bytes + required.align_bytes()).next_power_of_two().max(1 << 14);
            MemBuffer::try_new(StackReq::new_aligned::<u8>(room, 128)).map_err(|_| error_kind::MEMORY)?
        }
    };
    let answer = function(MemStack::new(&mut buffer));
    KEPT.with(|kept| kept.set(Some(buffer)));
    Ok(answer)
}

/// Memory for [`matrix`].
pub(crate) fn required<T: ComplexField + Copy>(rows: usize, columns: usize) -> StackReq {
    StackReq::new_aligned::<T>(stride::<T>(rows).saturating_mul(columns), ALIGN_BYTES)
}

/// A matrix of zeros, by columns, and the memory that is left.
pub(crate) fn matrix<T: ComplexField + Copy>(
    rows: usize,
    columns: usize,
    stack: &mut MemStack,
) -> (MatMut<'_, T>, &mut MemStack) {
    let stride = stride::<T>(rows);
    let (elements, stack) = stack.make_aligned_uninit::<T>(stride * columns, ALIGN_BYTES);
    for element in elements.iter_mut() {
        element.write(T::zero());
    }
    // SAFETY: these elements are the matrix's alone, and were written.
    (unsafe { MatMut::from_raw_parts_mut(elements.as_mut_ptr().cast(), rows, columns, 1, stride as isize) }, stack)
}

/// A vector of zeros, and the memory that is left: as much as of a matrix of one column.
pub(crate) fn vector<T: ComplexField + Copy>(n: usize, stack: &mut MemStack) -> (&mut [T], &mut MemStack) {
    let (elements, stack) = stack.make_aligned_uninit::<T>(n, ALIGN_BYTES);
    for element in elements.iter_mut() {
        element.write(T::zero());
    }
    // SAFETY: these elements were written.
    (unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), n) }, stack)
}

fn stride<T>(rows: usize) -> usize {
    rows.next_multiple_of((ALIGN_BYTES / size_of::<T>()).min(rows.max(1).next_power_of_two()))
}
