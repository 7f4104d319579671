//! Operands of routines as matrices, and temporary ones by columns where they lie otherwise.

use std::ptr::NonNull;

use faer::traits::ComplexField;
use faer::{ColMut, MatMut, MatRef};
use numptx_abi::{MatrixOperand, Status};

use crate::columns::are_contiguous;
use crate::element::Element;
use crate::scratch;

/// What a routine answers, or a code of [`numptx_abi::error_kind`].
pub(crate) type Answer = Result<i64, Status>;

/// The first element, or of no elements an address that may be had.
fn first<T>(operand: &MatrixOperand) -> *mut T {
    if operand.rows <= 0 || operand.columns <= 0 {
        return NonNull::dangling().as_ptr();
    }
    operand.matrix.first.cast()
}

fn extents(operand: &MatrixOperand) -> (usize, usize) {
    (operand.rows.max(0).cast_unsigned() as usize, operand.columns.max(0).cast_unsigned() as usize)
}

/// An operand that is read.
///
/// # Safety
/// Its elements are of this type, and nobody writes them meanwhile.
pub(crate) unsafe fn read<'a, T: ComplexField>(operand: &MatrixOperand) -> MatRef<'a, T> {
    let ((rows, columns), there) = (extents(operand), &operand.matrix);
    // SAFETY: as the caller promises.
    unsafe {
        MatRef::from_raw_parts(
            first::<T>(operand).cast_const(),
            rows,
            columns,
            there.row as isize,
            there.column as isize,
        )
    }
}

/// An operand that is written.
///
/// # Safety
/// Its elements are of this type, apart from each other, and nobody else uses them meanwhile.
pub(crate) unsafe fn written<'a, T: ComplexField>(operand: &MatrixOperand) -> MatMut<'a, T> {
    let ((rows, columns), there) = (extents(operand), &operand.matrix);
    // SAFETY: as the caller promises.
    unsafe { MatMut::from_raw_parts_mut(first::<T>(operand), rows, columns, there.row as isize, there.column as isize) }
}

/// A vector that is written.
///
/// # Safety
/// As of [`written`].
pub(crate) unsafe fn vector<'a, T: ComplexField>(operand: &MatrixOperand) -> ColMut<'a, T> {
    let (rows, _) = extents(operand);
    // SAFETY: as the caller promises.
    unsafe { ColMut::from_raw_parts_mut(first::<T>(operand), rows, operand.matrix.row as isize) }
}

/// Exchanges of rows, counted from 1: `int32`, by any stride.
pub(crate) struct Pivots {
    first: *mut i32,
    stride: isize,
    count: usize,
}

impl Pivots {
    /// A vector of exchanges.
    ///
    /// # Safety
    /// Its elements are of `int32`, and nobody else uses them while this lives.
    pub unsafe fn of(operand: &MatrixOperand) -> Pivots {
        Pivots { first: first(operand), stride: operand.matrix.row as isize, count: extents(operand).0 }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// With which row this one is exchanged, from 0; a row of `rows` whatever is there.
    pub fn get(&self, row: usize, rows: usize) -> usize {
        assert!(row < self.count, "an exchange must exist");
        // SAFETY: it exists.
        let other = unsafe { *self.first.offset(row as isize * self.stride) };
        (i64::from(other) - 1).clamp(0, rows as i64 - 1) as usize
    }

    /// Sets it.
    pub fn set(&mut self, row: usize, other: usize) {
        assert!(row < self.count, "an exchange must exist");
        // SAFETY: it exists.
        unsafe { *self.first.offset(row as isize * self.stride) = other as i32 + 1 };
    }
}

/// What the function answers, which is given the matrix by columns: itself, or a copy that goes back into it afterwards.
pub(crate) fn by_columns<T: Element, R>(
    mut a: MatMut<'_, T>,
    function: impl FnOnce(MatMut<'_, T>) -> R,
) -> Result<R, Status> {
    if are_contiguous(&a) {
        return Ok(function(a));
    }
    let (rows, columns) = a.shape();
    scratch::with(scratch::required::<T>(rows, columns), |stack| {
        let (mut copy, _) = scratch::matrix::<T>(rows, columns, stack);
        copy.copy_from(a.as_ref());
        let answer = function(copy.as_mut());
        a.copy_from(copy.as_ref());
        answer
    })
}
