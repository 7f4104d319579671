//! Slices of lists: what is in one, and putting others there.

use crate::elements::Elements;
use crate::failure::{Failure, Outcome};
use crate::list::List;
use crate::object::Reference;

/// A slice whose bounds are places of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub(crate) start: usize,
    pub(crate) count: usize,
    pub(crate) step: i64,
}

impl Slice {
    /// Checks a slice's start, number of places and step against a sequence's length.
    pub(crate) fn new(start: i64, count: i64, step: i64, length: usize) -> Outcome<Slice> {
        let bug = || Failure::bug("a slice out of bounds");
        let (length, count) = (i64::try_from(length).map_err(|_| bug())?, count.max(0));
        if step == 0 {
            return Err(Failure::value("slice step cannot be zero"));
        }
        if count == 0 {
            return Ok(Slice { start: start.clamp(0, length) as usize, count: 0, step });
        }
        let last = (count - 1).checked_mul(step).and_then(|by| start.checked_add(by)).ok_or_else(bug)?;
        if !(0..length).contains(&start) || !(0..length).contains(&last) {
            return Err(bug());
        }
        Ok(Slice { start: start as usize, count: count as usize, step })
    }

    /// Its places in order.
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |i| (self.start as i64 + i as i64 * self.step) as usize)
    }
}

impl<R: Reference> List<R> {
    fn slice_of(&self, (start, count, step): (i64, i64, i64)) -> Outcome<Slice> {
        Slice::new(start, count, step, self.len())
    }

    /// A list of the elements of a slice: of its start, its number of elements and its step.
    pub fn slice(&self, slice: (i64, i64, i64)) -> Result<List<R>, Failure> {
        let slice = self.slice_of(slice)?;
        let mut elements: Elements<R> = self.elements.like();
        elements.reserve(slice.count)?;
        for element in slice.places().filter_map(|at| self.elements.get(at)) {
            elements.push(element)?;
        }
        Ok(List { layout: self.layout.clone(), elements, deque: None })
    }

    /// Removes the elements of a slice.
    pub fn delete_slice(&mut self, slice: (i64, i64, i64)) -> Result<(), Failure> {
        let slice = self.slice_of(slice)?;
        if slice.step == 1 || slice.count == 0 {
            self.elements.remove(slice.start, slice.count);
            return Ok(());
        }
        let stride = slice.step.unsigned_abs() as usize;
        let last = slice.places().last().unwrap_or(slice.start);
        let (least, most) = (slice.start.min(last), slice.start.max(last));
        self.elements.retain(|at| at < least || at > most || !(at - least).is_multiple_of(stride));
        Ok(())
    }

    /// Puts another list's elements in the place of a slice; as many where its step is not 1.
    pub fn set_slice(&mut self, slice: (i64, i64, i64), other: &List<R>) -> Result<(), Failure> {
        self.takes(other)?;
        let slice = self.slice_of(slice)?;
        if slice.step == 1 {
            return self.elements.splice(slice.start, slice.start + slice.count, &other.elements);
        }
        if slice.count != other.len() {
            return Err(Failure::value(format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                other.len(),
                slice.count
            )));
        }
        for (at, element) in slice.places().zip(other.elements.iter()) {
            self.elements.set(at, element)?;
        }
        Ok(())
    }
}
