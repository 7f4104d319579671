//! Deques: lists that may have a limit. An element too many takes the place of the one at the other end.

use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::list::List;
use crate::object::Reference;

/// What a deque has beside its elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deque {
    /// The most elements that it may have.
    most: Option<usize>,
}

impl<R: Reference> List<R> {
    /// A deque of the last elements of a list; of all where the limit is negative.
    pub(crate) fn as_deque(&self, limit: i64) -> Outcome<List<R>> {
        let mut made = self.copied()?;
        made.deque = Some(Deque { most: usize::try_from(limit).ok() });
        made.elements.remove(0, made.excess());
        Ok(made)
    }

    /// The most elements that it may have as a deque, or -1.
    pub fn limit(&self) -> i64 {
        self.most().map_or(-1, |most| most as i64)
    }

    fn most(&self) -> Option<usize> {
        self.deque.and_then(|deque| deque.most)
    }

    /// How many elements are too many.
    fn excess(&self) -> usize {
        self.most().map_or(0, |most| self.len().saturating_sub(most))
    }

    /// Adds an element at the right end.
    pub(crate) fn append_right(&mut self, element: Element<'_, R>) -> Outcome<()> {
        self.elements.push(element)?;
        self.elements.remove(0, self.excess());
        Ok(())
    }

    /// Adds an element at the left end.
    pub(crate) fn append_left(&mut self, element: Element<'_, R>) -> Outcome<()> {
        self.elements.insert(0, element)?;
        self.cut_right();
        Ok(())
    }

    fn cut_right(&mut self) {
        let excess = self.excess();
        self.elements.remove(self.len() - excess, excess);
    }

    /// Adds an element before the one of an index; a full deque takes none so.
    pub(crate) fn insert_in_deque(&mut self, index: i64, element: Element<'_, R>) -> Outcome<()> {
        if self.most().is_some_and(|most| self.len() >= most) {
            return Err(Failure::index("deque already at its maximum size"));
        }
        self.insert(index, element)
    }

    /// Adds another list's elements at the right end, one after the other.
    pub(crate) fn extend_right(&mut self, other: &List<R>) -> Outcome<()> {
        self.extend(other)?;
        self.elements.remove(0, self.excess());
        Ok(())
    }

    /// Adds another list's elements at the left end, one after the other: the last one is the first then.
    pub(crate) fn extend_left(&mut self, other: &List<R>) -> Outcome<()> {
        self.takes(other)?;
        for element in other.elements.iter() {
            self.append_left(element)?;
        }
        Ok(())
    }

    /// Moves so many elements from the right end to the left one; from the left to the right where the number is negative.
    pub(crate) fn rotate(&mut self, by: i64) -> Outcome<()> {
        let length = self.len() as i64;
        let right = if length == 0 { 0 } else { by.rem_euclid(length) };
        if right == 0 {
            return Ok(());
        }
        // The shorter way round.
        let cut = (length - right) as usize;
        let (start, stop) = if right <= length / 2 { (cut, self.len()) } else { (0, cut) };
        let mut moved = self.elements.like();
        moved.reserve(stop - start)?;
        for at in start..stop {
            let element = self.elements.get(at).ok_or_else(|| Failure::bug("an element that is not there"))?;
            moved.push(element)?;
        }
        if start == 0 {
            self.elements.splice(self.len(), self.len(), &moved)?;
            self.elements.remove(0, stop);
            return Ok(());
        }
        for at in (0..moved.len()).rev() {
            let element = moved.get(at).ok_or_else(|| Failure::bug("an element that is not there"))?;
            self.elements.insert(0, element)?;
        }
        self.elements.remove(self.len() - moved.len(), moved.len());
        Ok(())
    }
}
