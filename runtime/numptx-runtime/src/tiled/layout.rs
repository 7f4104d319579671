//! Where the elements of a factor's part lie in shared memory.
//!
//! Lines run as they do in global memory, so that copies take several elements at once. Between lines there is room that nobody uses, so that what a warp reads
//! at once lies in different banks.

use super::{Element, Unit};

/// The axis along which the elements of a factor are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Along {
    /// The one that is summed.
    Summed,
    /// Rows of the result for the first factor, columns for the second.
    Kept,
}

/// How a factor is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// Where neighbours lie.
    pub along: Along,
    /// Elements that are copied at once: 1, with any strides, or as many as 16 bytes have, where lines begin at multiples of 16 bytes.
    pub copied: u32,
}

/// See the file's header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) along: Along,
    /// Rows or columns of the tile.
    pub(super) kept: u32,
    pub(super) summed: u32,
    itemsize: u32,
    /// Elements from one line to the next.
    line: u32,
}

impl Layout {
    pub(super) fn of(element: Element, unit: Unit, along: Along, kept: u32, summed: u32) -> Layout {
        let length = if along == Along::Summed { summed } else { kept };
        let line = length + unused(element, unit, along, length);
        Layout { along, kept, summed, itemsize: element.bytes(), line }
    }

    /// Elements of a line, and lines.
    pub(super) fn lines(&self) -> (u32, u32) {
        match self.along {
            Along::Summed => (self.summed, self.kept),
            Along::Kept => (self.kept, self.summed),
        }
    }

    /// Bytes from one line to the next.
    pub(super) fn line_bytes(&self) -> u32 {
        self.line * self.itemsize
    }

    pub(super) fn bytes(&self) -> u32 {
        self.line_bytes() * self.lines().1
    }

    /// Bytes from one element to the next along the kept axis and along the summed one.
    pub(super) fn steps(&self) -> (u32, u32) {
        match self.along {
            Along::Summed => (self.line_bytes(), self.itemsize),
            Along::Kept => (self.itemsize, self.line_bytes()),
        }
    }

    /// Bytes from the first element to another.
    pub(super) fn offset(&self, kept: u32, summed: u32) -> u32 {
        kept * self.steps().0 + summed * self.steps().1
    }
}

/// Elements at the end of a line that nobody uses. See Note [Banks].
fn unused(element: Element, unit: Unit, along: Along, length: u32) -> u32 {
    match (unit, along) {
        (Unit::Lanes, Along::Kept) => 0,
        (Unit::Lanes, Along::Summed) => element.vector(),
        (Unit::Matrices { .. }, Along::Kept) if element == Element::Complex128 => 2,
        (Unit::Matrices { .. }, _) if length % 8 == 4 => 0,
        (Unit::Matrices { .. }, _) => 4,
    }
}

// Note [Banks]
//
// A warp's read of 128 bytes is one step where they lie in different ones of the 32 banks of 4 bytes.
// Lanes read vectors of 16 bytes, 8 lanes at a step, which are neighbours, or in lines that follow each other: lines of an odd number of vectors.
// Of a matrix of float64, half a warp reads 4 lines of 4 neighbours at a step: lines begin 4 elements further in the banks than those before them, so they
// have 4 or 12 elements modulo 16. Of complex128, a quarter of a warp reads 2 lines of 4 neighbours along the summed axis (4 modulo 8), or 4 lines of 2
// along the kept one (2 or 6 modulo 8).

#[cfg(test)]
mod tests {
    use super::*;

    const MATRICES: Unit = Unit::Matrices { rows: 8, summed: 4 };

    /// Steps that a read of one element a lane takes, where `lanes` lanes at a time are served.
    fn steps(layout: &Layout, lanes: u32) -> usize {
        let bank = |lane: u32| layout.offset(lane / 4, lane % 4) / layout.itemsize % lanes;
        let banks: std::collections::BTreeSet<u32> = (0..lanes).map(bank).collect();
        (lanes as usize).div_ceil(banks.len())
    }

    #[test]
    fn fragments_lie_in_different_banks() {
        for (element, lanes) in [(Element::Float64, 16), (Element::Complex128, 8)] {
            for along in [Along::Summed, Along::Kept] {
                for (kept, summed) in [(16, 4), (16, 8), (64, 8), (128, 16), (96, 4)] {
                    let layout = Layout::of(element, MATRICES, along, kept, summed);
                    assert_eq!(steps(&layout, lanes), 1, "{element:?} {along:?} {kept} {summed}");
                }
            }
        }
    }

    #[test]
    fn lines_begin_at_vectors() {
        for element in [Element::Float32, Element::Float64, Element::Complex64, Element::Complex128] {
            for unit in [Unit::Lanes, MATRICES] {
                for along in [Along::Summed, Along::Kept] {
                    let layout = Layout::of(element, unit, along, 64, 8);
                    assert!(
                        layout.line_bytes().is_multiple_of(super::super::VECTOR_BYTES)
                            && layout.line >= layout.lines().0
                    );
                }
            }
        }
    }
}
