//! A routine's operands as LAPACK has them: matrices by columns, vectors whose elements lie side by side, one for each index of a batch.
//!
//! In: operands. Out: the same, where they lie so; `None`: they do not, or have more rows or columns than the libraries count.

use std::ffi::{c_int, c_void};

use crate::routines::operand::{Axis, Operand, elements_before};

/// A batch of matrices by columns.
pub(super) struct Matrices {
    first: *mut u8,
    itemsize: i64,
    pub(super) rows: i64,
    pub(super) columns: i64,
    /// Elements from one column to the next.
    pub(super) lead: i64,
    batch: Vec<Axis>,
}

/// Where the first elements of a batch's matrices or vectors lie.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    first: *mut u8,
    itemsize: i64,
    batch: &'a [Axis],
}

/// A batch of vectors.
pub(super) struct Vectors {
    first: *mut u8,
    itemsize: i64,
    pub(super) length: i64,
    batch: Vec<Axis>,
}

impl Matrices {
    /// Matrices as they are.
    pub(super) fn by_columns(operand: &Operand) -> Option<Matrices> {
        let (batch, own) = operand.axes.split_last_chunk::<2>()?;
        Matrices::of(operand, batch, own[0], own[1])
    }

    /// Their transposes.
    pub(super) fn by_rows(operand: &Operand) -> Option<Matrices> {
        let (batch, own) = operand.axes.split_last_chunk::<2>()?;
        Matrices::of(operand, batch, own[1], own[0])
    }

    fn of(operand: &Operand, batch: &[Axis], down: Axis, across: Axis) -> Option<Matrices> {
        let fewest = down.extent.max(1);
        let lead = if across.extent > 1 { across.step } else { fewest };
        let is_known = (down.step == 1 || down.extent <= 1) && lead >= fewest && is_aligned(operand);
        let is_counted = [down.extent, across.extent, lead].iter().all(|n| c_int::try_from(*n).is_ok());
        (is_known && is_counted).then(|| Matrices {
            first: operand.first,
            itemsize: operand.itemsize,
            rows: down.extent,
            columns: across.extent,
            lead,
            batch: batch.to_vec(),
        })
    }

    /// How many there are.
    pub(super) fn count(&self) -> i64 {
        count(&self.batch)
    }

    pub(super) fn places(&self) -> Places<'_> {
        Places { first: self.first, itemsize: self.itemsize, batch: &self.batch }
    }

    /// The first element of that of an index of the batch.
    pub(super) fn at(&self, index: i64) -> *mut c_void {
        self.places().at(index)
    }

    /// Whether each begins where the one before it ends.
    pub(super) fn are_packed(&self) -> bool {
        each(&self.batch).is_none_or(|each| each == Some(self.lead * self.columns))
    }

    /// Elements from one to the next, where these are as many for all; 0 of one matrix.
    pub(super) fn each(&self) -> Option<i64> {
        each(&self.batch).unwrap_or(Some(0))
    }

    pub(super) fn batch(&self) -> &[Axis] {
        &self.batch
    }

    /// Rows, columns and leading dimension as libraries take them.
    pub(super) fn extents(&self) -> (c_int, c_int, c_int) {
        // As the constructor has checked.
        let int = |n: i64| c_int::try_from(n).unwrap_or(c_int::MAX);
        (int(self.rows), int(self.columns), int(self.lead))
    }

    pub(super) fn itemsize(&self) -> i64 {
        self.itemsize
    }
}

impl Vectors {
    pub(super) fn of(operand: &Operand) -> Option<Vectors> {
        let (own, batch) = operand.axes.split_last()?;
        let is_known = (own.step == 1 || own.extent <= 1) && is_aligned(operand) && c_int::try_from(own.extent).is_ok();
        let (first, itemsize) = (operand.first, operand.itemsize);
        is_known.then(|| Vectors { first, itemsize, length: own.extent, batch: batch.to_vec() })
    }

    pub(super) fn places(&self) -> Places<'_> {
        Places { first: self.first, itemsize: self.itemsize, batch: &self.batch }
    }

    pub(super) fn at(&self, index: i64) -> *mut c_void {
        self.places().at(index)
    }

    /// Whether each begins where the one before it ends.
    pub(super) fn are_packed(&self) -> bool {
        each(&self.batch).is_none_or(|each| each == Some(self.length))
    }
}

impl Places<'_> {
    pub(super) fn count(&self) -> i64 {
        count(self.batch)
    }

    pub(super) fn at(&self, index: i64) -> *mut c_void {
        let elements = elements_before(self.batch, index);
        self.first.wrapping_offset((elements * self.itemsize) as isize).cast()
    }

    /// Bytes from one to the next, where these are as many for all.
    pub(super) fn step(&self) -> Option<i64> {
        each(self.batch).unwrap_or(Some(0)).map(|each| each * self.itemsize)
    }
}

fn is_aligned(operand: &Operand) -> bool {
    operand.first.addr().is_multiple_of(usize::try_from(operand.itemsize).unwrap_or(1))
}

pub(super) fn count(batch: &[Axis]) -> i64 {
    batch.iter().map(|axis| axis.extent).product()
}

/// The step of a batch as one axis, or that it has none; the outer `None`: it has one index, or none.
fn each(batch: &[Axis]) -> Option<Option<i64>> {
    let mut axes = batch.iter().rev().filter(|axis| axis.extent != 1);
    let inner = axes.next()?;
    let (mut step, mut is_one) = (inner.step * inner.extent, true);
    for axis in axes {
        is_one &= axis.step == step;
        step = axis.step * axis.extent;
    }
    Some(is_one.then_some(inner.step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operand(shape: &[i64], steps: &[i64], address: usize) -> Operand {
        let axes = shape.iter().zip(steps).map(|(extent, step)| Axis { extent: *extent, step: *step }).collect();
        Operand {
            first: std::ptr::without_provenance_mut(address),
            dtype: numptx_abi::dtype::FLOAT64,
            itemsize: 8,
            axes,
        }
    }

    #[test]
    fn a_matrix_by_rows_is_its_transpose_by_columns() {
        let by_rows = operand(&[3, 5], &[5, 1], 0x1000);
        assert!(Matrices::by_columns(&by_rows).is_none());
        let found = Matrices::by_rows(&by_rows).expect("by rows");
        assert_eq!((found.rows, found.columns, found.lead, found.count()), (5, 3, 5, 1));
    }

    #[test]
    fn one_column_lies_by_columns_whatever_its_step() {
        let found = Matrices::by_columns(&operand(&[3, 1], &[1, 0], 0x1000)).expect("by columns");
        assert_eq!((found.lead, found.are_packed()), (3, true));
        assert!(Matrices::by_columns(&operand(&[3, 1], &[2, 1], 0x1000)).is_none());
    }

    #[test]
    fn what_no_library_takes_is_refused() {
        assert!(Matrices::by_columns(&operand(&[3, 4], &[1, 2], 0x1000)).is_none(), "columns overlap");
        assert!(Matrices::by_columns(&operand(&[3, 4], &[1, 3], 0x1004)).is_none(), "elements are not aligned");
        assert!(Matrices::by_columns(&operand(&[3, 4], &[1, -3], 0x1000)).is_none(), "columns go backwards");
        assert!(Vectors::of(&operand(&[2, 3], &[3, 2], 0x1000)).is_none(), "elements are apart");
    }

    #[test]
    fn batches_of_several_axes_are_one_where_they_lie_so() {
        let found = Matrices::by_columns(&operand(&[4, 6, 3, 3], &[54, 9, 1, 3], 0x1000)).expect("by columns");
        assert_eq!((found.count(), found.each(), found.are_packed()), (24, Some(9), true));
        assert_eq!(found.at(7).addr(), 0x1000 + 8 * 63);
        let found = Matrices::by_columns(&operand(&[4, 6, 3, 3], &[60, 10, 1, 3], 0x1000)).expect("by columns");
        assert_eq!((found.each(), found.are_packed()), (Some(10), false));
        let found = Matrices::by_columns(&operand(&[4, 6, 3, 3], &[9, 36, 1, 3], 0x1000)).expect("by columns");
        assert_eq!((found.each(), found.are_packed()), (None, false));
        assert!(Vectors::of(&operand(&[4, 1, 3], &[3, 77, 1], 0x1000)).is_some_and(|v| v.are_packed()));
    }
}
