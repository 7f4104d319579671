//! Matrices whose columns are contiguous, as slices: what loops over elements go through.

use std::marker::PhantomData;

use faer::MatMut;

use crate::element::Element;

/// A matrix of which a step down is one element.
pub(crate) struct Columns<'a, T> {
    first: *mut T,
    rows: usize,
    columns: usize,
    stride: isize,
    lives: PhantomData<&'a mut T>,
}

/// Whether columns are contiguous.
pub(crate) fn are_contiguous<T: Element>(a: &MatMut<'_, T>) -> bool {
    a.row_stride() == 1 || a.nrows() <= 1
}

impl<'a, T: Element> Columns<'a, T> {
    /// The matrix, whose columns must be contiguous.
    pub fn of(a: MatMut<'a, T>) -> Columns<'a, T> {
        assert!(are_contiguous(&a), "columns must be contiguous");
        let (rows, columns, stride) = (a.nrows(), a.ncols(), a.col_stride());
        Columns { first: a.as_ptr_mut(), rows, columns, stride, lives: PhantomData }
    }

    /// Rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[inline(always)]
    pub fn columns(&self) -> usize {
        self.columns
    }

    #[inline(always)]
    fn start(&self, column: usize) -> *mut T {
        assert!(column < self.columns, "a column must exist");
        self.first.wrapping_offset(column as isize * self.stride)
    }

    /// A column.
    #[inline(always)]
    pub fn get(&self, column: usize) -> &[T] {
        // SAFETY: the column exists, and nobody writes it while the matrix is borrowed.
        unsafe { std::slice::from_raw_parts(self.start(column), self.rows) }
    }

    /// A column, to write.
    #[inline(always)]
    pub fn get_mut(&mut self, column: usize) -> &mut [T] {
        // SAFETY: the column exists, and the matrix is borrowed for it alone.
        unsafe { std::slice::from_raw_parts_mut(self.start(column), self.rows) }
    }

    /// A column to read, and another one to write.
    #[inline(always)]
    pub fn pair(&mut self, read: usize, written: usize) -> (&[T], &mut [T]) {
        assert!(read != written, "both columns must differ");
        // SAFETY: both exist and are apart, and the matrix is borrowed for them alone.
        unsafe {
            let read = std::slice::from_raw_parts(self.start(read), self.rows);
            (read, std::slice::from_raw_parts_mut(self.start(written), self.rows))
        }
    }
}
