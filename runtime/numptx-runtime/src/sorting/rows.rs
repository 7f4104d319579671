//! Rows of strided arrays, and threads for them.
//!
//! In: arrays and a function that sorts one row. Out: all rows sorted. Many rows are shared among threads; of few and long ones each has all threads.

use numptx_abi::{Array, MAX_RANK};

use crate::call::CallState;
use crate::error::{Error, Result};
use crate::pool::{Sharing, Sizes, Work, run_ranges, shares_always, thread_count};

/// Elements that one thread sorts before another is asked to help.
const PIECE: usize = 1 << 14;

/// What is sorted: rows along the last axis of an array, and of the array of their indices where that is asked for.
pub(super) struct Rows {
    /// Elements of a row.
    pub(super) length: usize,
    /// How many rows there are.
    pub(super) count: usize,
    values: Place,
    order: Option<Place>,
}

/// Where an array's elements lie.
struct Place {
    first: *mut u8,
    shape: [i64; MAX_RANK],
    strides: [i64; MAX_RANK],
    rank: usize,
}

// SAFETY: the pointers lead to rows that threads use independently of each other.
unsafe impl Sync for Rows {}

/// One row.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) length: usize,
    /// How many threads may sort it together.
    pub(super) threads: usize,
    values: (*mut u8, i64),
    order: (*mut u8, i64),
}

impl Rows {
    /// `values`: of at least one axis; `order`: of the same shape.
    pub(super) fn new(values: &Array, first: *mut u8, order: Option<(&Array, *mut u8)>) -> Rows {
        let values = Place::new(values, first);
        let (length, outer) = values.shape[..values.rank].split_last().map_or((1, &[][..]), |(n, outer)| (*n, outer));
        let count = outer.iter().product::<i64>();
        let order = order.map(|(array, first)| Place::new(array, first));
        Rows { length: length.max(0) as usize, count: count.max(0) as usize, values, order }
    }

    fn row(&self, index: usize, threads: usize) -> Row {
        let order = self.order.as_ref().map_or((std::ptr::null_mut(), 0), |order| order.row(index));
        Row { length: self.length, threads, values: self.values.row(index), order }
    }
}

impl Place {
    fn new(array: &Array, first: *mut u8) -> Place {
        let rank = (array.rank as usize).min(MAX_RANK);
        Place { first, shape: array.shape, strides: array.strides, rank }
    }

    /// First element and stride of a row, by its number in C order.
    fn row(&self, index: usize) -> (*mut u8, i64) {
        let last = self.rank.saturating_sub(1);
        let (mut rest, mut offset) = (index as i64, 0);
        for axis in (0..last).rev() {
            offset += rest % self.shape[axis] * self.strides[axis];
            rest /= self.shape[axis];
        }
        (self.first.wrapping_offset(offset as isize), self.strides[last])
    }
}

impl Row {
    /// Element `i`.
    ///
    /// # Safety
    /// `i` is below the length, and `E` is what the row's elements are.
    #[inline]
    pub(super) unsafe fn read<E: Copy>(&self, i: usize) -> E {
        let at = self.values.0.wrapping_offset(i as isize * self.values.1 as isize);
        // SAFETY: as the caller promises.
        unsafe { at.cast::<E>().read_unaligned() }
    }

    /// Sets element `i`.
    ///
    /// # Safety
    /// As [`Row::read`]; the row may be written.
    #[inline]
    pub(super) unsafe fn write<E: Copy>(&self, i: usize, value: E) {
        let at = self.values.0.wrapping_offset(i as isize * self.values.1 as isize);
        // SAFETY: as the caller promises.
        unsafe { at.cast::<E>().write_unaligned(value) };
    }

    /// Sets index `i`.
    ///
    /// # Safety
    /// `i` is below the length, and indices are asked for.
    #[inline]
    pub(super) unsafe fn write_index(&self, i: usize, index: i64) {
        let at = self.order.0.wrapping_offset(i as isize * self.order.1 as isize);
        // SAFETY: as the caller promises.
        unsafe { at.cast::<i64>().write_unaligned(index) };
    }
}

/// Runs `sort` for each row, and asks the caller between rows whether to go on.
pub(super) fn each_row(call: &CallState, rows: &Rows, sort: &(dyn Fn(Row) -> Result<()> + Sync)) -> Result<()> {
    if rows.length == 0 || rows.count == 0 {
        return Ok(());
    }
    let piece = if shares_always() { 1 } else { PIECE };
    let wanted = (rows.length.saturating_mul(rows.count) / piece).clamp(1, thread_count());
    call.note_work();
    if rows.count < wanted {
        return (0..rows.count).try_for_each(|index| {
            sort(rows.row(index, (rows.length / piece).clamp(1, wanted)))?;
            call.poll_in_time()
        });
    }
    let (asked, failed) = (std::cell::RefCell::new(Ok(())), std::sync::Mutex::new(Ok(())));
    let run = |begin: i64, end: i64| {
        let outcome = (begin..end).try_for_each(|index| sort(rows.row(index as usize, 1)));
        if let (Err(error), Ok(mut failed)) = (outcome, failed.lock()) {
            *failed = Err(error);
        }
    };
    let first = (piece / 4 / rows.length).max(1) as i64;
    let mut goes_on = || {
        let outcome = call.poll_in_time();
        let is_fine = outcome.is_ok();
        *asked.borrow_mut() = outcome;
        is_fine
    };
    let sharing = if wanted > 1 { Sharing::AtOnce } else { Sharing::Never };
    let sizes = Sizes { grain: 1, first, most: 64 * first };
    run_ranges(&Work { n: rows.count as i64, threads: wanted as i64, sizes, sharing, run: &run }, &mut goes_on);
    asked.into_inner()?;
    failed.into_inner().unwrap_or_else(|_| Err(Error::runtime("a thread that sorted has failed")))
}
