//! An array of a routine: where its elements lie, with strides in elements.

use numptx_abi::Array;

use crate::buffer::Buffer;
use crate::call::CallState;
use crate::debug;
use crate::error::{Error, Result};

/// An axis: its extent, and elements from one index to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Axis {
    pub(super) extent: i64,
    pub(super) step: i64,
}

/// See the file's header.
#[derive(Clone)]
pub(super) struct Operand {
    /// Element `[0, …, 0]`, where the call computes.
    pub(super) first: *mut u8,
    /// A code of [`numptx_abi::dtype`].
    pub(super) dtype: u8,
    pub(super) itemsize: i64,
    pub(super) axes: Vec<Axis>,
}

// SAFETY: tasks use elements that are apart, or only read them.
unsafe impl Send for Operand {}
// SAFETY: as above.
unsafe impl Sync for Operand {}

impl Operand {
    /// # Safety
    /// The array is alive, and may be written if it is to be.
    pub(super) unsafe fn of(call: &CallState, array: &Array, is_written: bool) -> Result<Operand> {
        debug::check_use(array.buffer.cast())?;
        // SAFETY: as the caller promises.
        let data = call.address(unsafe { &*array.buffer.cast::<Buffer>() }, is_written)?;
        let itemsize = crate::copy::itemsize(array.dtype)?;
        let mut axes = Vec::with_capacity(array.rank as usize);
        for (extent, stride) in array.shape.iter().zip(&array.strides).take(array.rank as usize) {
            if stride % itemsize != 0 && *extent > 1 {
                return Err(Error::runtime(
                    "a routine's elements lie in steps of whole elements; this is a bug of numptx",
                ));
            }
            axes.push(Axis { extent: *extent, step: stride / itemsize });
        }
        let first = data.wrapping_offset(array.offset as isize);
        Ok(Operand { first, dtype: array.dtype as u8, itemsize, axes })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.axes.iter().any(|axis| axis.extent == 0)
    }

    /// The address so many elements further.
    pub(super) fn at(&self, elements: i64) -> *mut u8 {
        self.first.wrapping_offset((elements * self.itemsize) as isize)
    }

    /// The elements before the first one, and from it on, between which all lie.
    pub(super) fn reach(&self) -> (i64, i64) {
        let ends = self.axes.iter().map(|axis| (axis.extent - 1) * axis.step);
        ends.fold((0, 1), |(low, high), end| if end < 0 { (low + end, high) } else { (low, high + end) })
    }
}

/// The elements of an index of leading axes, counted in C order.
pub(super) fn elements_before(axes: &[Axis], mut index: i64) -> i64 {
    let mut elements = 0;
    for axis in axes.iter().rev() {
        elements += index % axis.extent * axis.step;
        index /= axis.extent;
    }
    elements
}
