//! Rows of transforms, and a buffer of some of them whose elements are side by side.

use numptx_abi::{Rows, Status, error_kind};

/// Rows of elements of one type, by any strides.
pub(crate) struct RowsOf<T> {
    first: *mut T,
    step: isize,
    each: isize,
    length: usize,
}

impl<T: Copy> RowsOf<T> {
    /// Rows of so many elements.
    ///
    /// # Safety
    /// The rows are of this type and length, and live as long as this.
    pub unsafe fn of(rows: &Rows, length: usize) -> RowsOf<T> {
        RowsOf { first: rows.first.cast(), step: rows.step as isize, each: rows.each as isize, length }
    }

    /// Whether a row's elements are side by side.
    pub fn is_contiguous(&self) -> bool {
        self.step == 1 || self.length == 1
    }

    /// A row whose elements are side by side.
    ///
    /// # Safety
    /// It exists, and nobody writes it meanwhile.
    pub unsafe fn row(&self, row: usize) -> &[T] {
        // SAFETY: as the caller promises.
        unsafe { std::slice::from_raw_parts(self.at(row, 0), self.length) }
    }

    /// The same, to write.
    ///
    /// # Safety
    /// It exists, and nobody else uses it meanwhile.
    #[expect(clippy::mut_from_ref, reason = "the rows are the caller's, who promises that this one is used once")]
    pub unsafe fn row_mut(&self, row: usize) -> &mut [T] {
        // SAFETY: as the caller promises.
        unsafe { std::slice::from_raw_parts_mut(self.at(row, 0), self.length) }
    }

    fn at(&self, row: usize, element: usize) -> *mut T {
        self.first.wrapping_offset(row as isize * self.each + element as isize * self.step)
    }

    /// Calls the function with each element of some rows, and its place in a buffer of these rows: along what lies closer together in memory.
    fn for_each(&self, from: usize, some: usize, mut function: impl FnMut(*mut T, usize)) {
        if self.step.abs() <= self.each.abs() {
            for row in 0..some {
                for element in 0..self.length {
                    function(self.at(from + row, element), row * self.length + element);
                }
            }
        } else {
            for element in 0..self.length {
                for row in 0..some {
                    function(self.at(from + row, element), row * self.length + element);
                }
            }
        }
    }
}

/// A buffer of rows, one after the other.
pub(crate) struct Gathered<T> {
    elements: Vec<T>,
    length: usize,
    capacity: usize,
}

impl<T: Copy + Default> Gathered<T> {
    /// A buffer for so many rows.
    pub fn new(length: usize, capacity: usize) -> Result<Gathered<T>, Status> {
        let mut elements = Vec::new();
        elements.try_reserve_exact(length * capacity).map_err(|_| error_kind::MEMORY)?;
        Ok(Gathered { elements, length, capacity })
    }

    /// Rows that it holds at most.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Makes room for so many rows, if it is not a buffer of none.
    pub fn take(&mut self, some: usize) {
        self.elements.resize(some.min(self.capacity) * self.length, T::default());
    }

    /// All that it holds.
    pub fn filled(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// A row.
    pub fn at(&mut self, row: usize) -> &mut [T] {
        &mut self.elements[row * self.length..][..self.length]
    }

    /// Reads some rows.
    ///
    /// # Safety
    /// They exist, and nobody writes them meanwhile.
    pub unsafe fn gather(&mut self, rows: &RowsOf<T>, from: usize, some: usize) {
        self.take(some);
        if rows.is_contiguous() {
            for row in 0..some {
                // SAFETY: as the caller promises.
                self.at(row).copy_from_slice(unsafe { rows.row(from + row) });
            }
            return;
        }
        let elements = &mut self.elements;
        // SAFETY: as the caller promises.
        rows.for_each(from, some, |element, place| elements[place] = unsafe { *element });
    }

    /// Writes some rows.
    ///
    /// # Safety
    /// They exist, and nobody else uses them meanwhile.
    pub unsafe fn scatter(&self, rows: &RowsOf<T>, from: usize, some: usize) {
        let elements = &self.elements;
        // SAFETY: as the caller promises.
        rows.for_each(from, some, |element, place| unsafe { *element = elements[place] });
    }
}
