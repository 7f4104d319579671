//! Room on the host for elements on their way: how much is wanted, programs decide by their arrays, so that there may be none.
//!
//! In: a number of bytes, or of elements. Out: the room, or the error that Python raises as `MemoryError`; never the end of the process.

use std::alloc::{Layout, alloc_zeroed};

use crate::device::mebibytes;
use crate::error::{Error, Result};
use crate::recycle;

/// So many bytes, all of them 0. Large ones cost nothing until they are touched.
pub(crate) fn zeroed(bytes: usize) -> Result<Vec<u8>> {
    if bytes == 0 {
        return Ok(Vec::new());
    }
    let layout = Layout::array::<u8>(bytes).map_err(|_| out_of_memory(bytes))?;
    // SAFETY: the layout is not empty.
    let attempt = || unsafe { alloc_zeroed(layout) };
    let mut first = attempt();
    if first.is_null() && recycle::give_back() {
        first = attempt();
    }
    if first.is_null() {
        return Err(out_of_memory(bytes));
    }
    // SAFETY: the global allocator's, for as many bytes of alignment 1, each of which is set.
    Ok(unsafe { Vec::from_raw_parts(first, bytes, bytes) })
}

/// Room for `n` elements, with none in it.
pub(crate) fn reserved<T>(n: usize) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(n).map_err(|_| out_of_memory(n.saturating_mul(size_of::<T>())))?;
    Ok(elements)
}

/// The error where there is none left.
pub(crate) fn out_of_memory(bytes: usize) -> Error {
    Error::memory(format!("out of host memory: {} wanted", mebibytes(bytes as u64)))
}

#[cfg(test)]
mod tests {
    use super::{reserved, zeroed};

    #[test]
    fn room_that_cannot_be_is_an_error() {
        for bytes in [isize::MAX as usize, usize::MAX, isize::MAX as usize - 4096] {
            let error = zeroed(bytes).unwrap_err();
            assert_eq!(error.kind(), numptx_abi::error_kind::MEMORY, "{error}");
        }
        assert_eq!(reserved::<u64>(usize::MAX / 2).unwrap_err().kind(), numptx_abi::error_kind::MEMORY);
        assert_eq!(zeroed(0).unwrap(), [0; 0]);
        assert_eq!(zeroed(3).unwrap(), [0; 3]);
        assert!(reserved::<u64>(3).unwrap().capacity() >= 3);
    }
}
