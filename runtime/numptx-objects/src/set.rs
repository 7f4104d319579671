//! Sets: elements in CPython's order, where their hashes are CPython's.
//!
//! Single elements are added, found and removed here; what is done with two sets stands in `algebra.rs`. A *slot* is a place of the table.

mod algebra;
mod table;

use crate::display;
use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::hash::python_hash;
use crate::layout::Layout;
use crate::list::List;
use crate::object::Reference;
use table::Table;

/// A set.
#[derive(Debug)]
pub struct Set<R> {
    pub(crate) layout: Layout,
    table: Table<R>,
    /// Where `pop` looks for an element first.
    finger: usize,
}

impl<R: Reference> Set<R> {
    /// The references of its elements.
    pub(crate) fn all_references(&mut self) -> &mut [Option<R>] {
        self.table.references_mut()
    }

    /// An empty set.
    pub fn new(layout: Layout) -> Set<R> {
        Set { table: Table::new(&layout), layout, finger: 0 }
    }

    /// The layout of its elements.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.table.used()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes its table takes.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    fn place(&self, element: Element<'_, R>) -> Outcome<Option<usize>> {
        self.table.find((&self.layout, &self.layout), element, python_hash(&self.layout, element)?)
    }

    /// Adds an element unless it is there.
    pub fn add(&mut self, element: Element<'_, R>) -> Result<(), Failure> {
        let hash = python_hash(&self.layout, element)?;
        self.table.add(&self.layout, element, hash)
    }

    /// Whether an element is there.
    pub fn contains(&self, element: Element<'_, R>) -> Result<bool, Failure> {
        Ok(self.place(element)?.is_some())
    }

    /// Removes an element if it is there, and tells whether it was.
    pub fn discard(&mut self, element: Element<'_, R>) -> Result<bool, Failure> {
        let place = self.place(element)?;
        if let Some(place) = place {
            self.table.leave(place);
        }
        Ok(place.is_some())
    }

    /// Removes an element that is there.
    pub fn remove(&mut self, element: Element<'_, R>) -> Result<(), Failure> {
        if self.discard(element)? {
            return Ok(());
        }
        Err(Failure::key(display::key_text(&self.layout, element)?))
    }

    /// The slot of the element that `pop` takes, which [`Set::take`] removes.
    pub fn slot_to_pop(&self) -> Result<usize, Failure> {
        let mask = self.table.mask();
        let places = (0..=mask).map(|i| (self.finger + i) & mask);
        let found = places.into_iter().find(|place| self.table.get(*place).is_some());
        found.ok_or_else(|| Failure::new(numptx_abi::error_kind::KEY, "pop from an empty set"))
    }

    /// Removes the element of a slot, after which the next `pop` looks.
    pub fn take(&mut self, slot: usize) {
        self.table.leave(slot);
        self.finger = slot + 1;
    }

    /// The next slot that has an element.
    pub fn next(&self, slot: i64) -> Option<usize> {
        let first = usize::try_from(slot.saturating_add(1)).unwrap_or(0);
        (first..=self.table.mask()).find(|place| self.table.get(*place).is_some())
    }

    /// The element of a slot.
    pub fn key_at(&self, slot: i64) -> Result<Element<'_, R>, Failure> {
        let found = usize::try_from(slot).ok().and_then(|slot| self.table.get(slot));
        found.map(|(element, _)| element).ok_or_else(|| Failure::bug("an empty slot"))
    }

    /// Raises where the length is not what it was when a loop began.
    pub fn check_size(&self, length: i64) -> Result<(), Failure> {
        if self.len() as i64 == length {
            return Ok(());
        }
        Err(Failure::new(numptx_abi::error_kind::RUNTIME, "Set changed size during iteration"))
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.table = Table::new(&self.layout);
    }

    /// All elements in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Element<'_, R>> {
        self.table.iter().map(|(element, _)| element)
    }

    /// A list of all elements in order.
    pub fn to_list(&self) -> Result<List<R>, Failure> {
        let mut list = List::new(self.layout.clone());
        list.reserve(self.len())?;
        self.iter().try_for_each(|element| list.append(element))?;
        Ok(list)
    }

    /// Adds the elements of a list in order.
    pub fn update_list(&mut self, list: &List<R>) -> Result<(), Failure> {
        if !self.layout.is(&list.layout) {
            return Err(Failure::bug("a list of another layout"));
        }
        list.elements.iter().try_for_each(|element| self.add(element))
    }
}
