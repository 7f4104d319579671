//! Variants by places: what each does of a scatter, and what is wrong with the places and the memory that it is given.

use numptx_abi::{Kernel, dtype};

use super::parameters::LaunchFrame;
use crate::state::State;

/// What a variant by places is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Bins,
    Own,
    Gather,
    Exponent,
    Sum,
    Round,
}

impl Part {
    pub(super) fn of(name: &str, kernel: &Kernel) -> Option<Part> {
        let (combines, claims) = (kernel.flags & Kernel::COMBINES != 0, kernel.flags & Kernel::CLAIMS != 0);
        let chains = kernel.flags & Kernel::CHAINS != 0;
        match name {
            _ if kernel.destination == 0 => None,
            "bins" if combines => Some(Part::Bins),
            "own" if claims && !chains => Some(Part::Own),
            "gather" if claims && !chains => Some(Part::Gather),
            "exponent" if chains => Some(Part::Exponent),
            "sum" if chains => Some(Part::Sum),
            "round" if chains => Some(Part::Round),
            _ => None,
        }
    }

    /// Bytes of memory a place of elements with so many.
    fn bytes(self, itemsize: i64) -> i64 {
        match self {
            Part::Bins => 0,
            Part::Own | Part::Gather => 4,
            Part::Exponent | Part::Sum | Part::Round => 4 + 2 * itemsize.max(4),
        }
    }

    /// Whether the memory is zeros before it.
    fn is_first(self) -> bool {
        matches!(self, Part::Own | Part::Exponent)
    }

    /// Whether it takes a range of work items.
    pub(super) fn has_range(self) -> bool {
        matches!(self, Part::Exponent | Part::Sum | Part::Round)
    }

    /// Whether the elements are what they are to be after it, where the range has the last work item.
    pub(super) fn is_last(self) -> bool {
        matches!(self, Part::Bins | Part::Gather | Part::Round)
    }
}

/// What is wrong with places or their memory, if anything.
pub(super) fn places_fault(
    state: &State,
    rebuilt: &LaunchFrame<'_>,
    (memory, places, first): (u64, i64, i64),
    part: Part,
) -> Option<&'static str> {
    let n = usize::from(rebuilt.kernel.destination) - 1;
    let info = &rebuilt.infos[n];
    let is_complex = matches!(info.dtype, dtype::COMPLEX64 | dtype::COMPLEX128);
    let component = i64::from(info.itemsize) / if is_complex { 2 } else { 1 };
    let buffer = (rebuilt.pointers[n].addr() as u64).wrapping_add_signed(-first);
    if places < 1 || first % component != 0 || !state.reaches(rebuilt.context, buffer, (places * component) as usize) {
        return Some("the places are not those of a live buffer");
    }
    if part == Part::Bins {
        return (places > Kernel::BINS).then_some("there are more places than bins");
    }
    let bytes = (places * part.bytes(i64::from(info.itemsize))) as usize;
    if !state.reaches(rebuilt.context, memory, bytes) {
        return Some("the memory of places is not live device memory");
    }
    // SAFETY: live device memory, which is host memory here, holds as many bytes.
    let known = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(memory as usize), bytes) };
    (part.is_first() && known.iter().any(|byte| *byte != 0)).then_some("the memory of places is not zeros")
}
