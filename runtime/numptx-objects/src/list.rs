//! Lists: one element after the other, all of one layout.
//!
//! What is here reads and changes single elements and whole lists; slices, searches and sorting have files of their own. Indices may count from the
//! end.

mod deque;
mod search;
mod slices;
mod sort;

use std::cmp::Ordering;

use crate::compare::{elements_equal, elements_order};
use crate::elements::{Element, Elements};
use crate::failure::{Failure, Outcome};
use crate::layout::Layout;
use crate::object::Reference;

pub(crate) use deque::Deque;
pub(crate) use slices::Slice;

/// A list.
#[derive(Debug)]
pub struct List<R> {
    pub(crate) layout: Layout,
    pub(crate) elements: Elements<R>,
    /// What it is beside a list, where it is a deque of Python's.
    pub(crate) deque: Option<Deque>,
}

impl<R: Reference> List<R> {
    /// An empty list.
    pub fn new(layout: Layout) -> List<R> {
        List { elements: Elements::new(&layout), layout, deque: None }
    }

    /// The layout of its elements.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many elements it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes its elements take, with what is reserved for more.
    pub fn bytes(&self) -> usize {
        self.elements.bytes()
    }

    /// Makes room for more elements.
    pub fn reserve(&mut self, more: usize) -> Result<(), Failure> {
        self.elements.reserve(more)
    }

    /// The place of an index, which may count from the end.
    #[inline]
    pub fn place(&self, index: i64) -> Option<usize> {
        let length = self.len() as i64;
        let at = if index < 0 { index.wrapping_add(length) } else { index };
        (0..length).contains(&at).then_some(at as usize)
    }

    /// An element.
    pub fn get(&self, index: i64) -> Result<Element<'_, R>, Failure> {
        let element = self.place(index).and_then(|at| self.elements.get(at));
        element.ok_or_else(|| self.out_of_range("list index out of range"))
    }

    /// An element that is one word.
    #[inline]
    pub fn get_word(&self, index: i64) -> Result<u64, Failure> {
        match self.place(index).and_then(|at| self.elements.word(at)) {
            Some(word) => Ok(word),
            None => Err(self.missing(index)),
        }
    }

    /// An element that is one reference.
    #[inline]
    pub fn get_reference(&self, index: i64) -> Result<&R, Failure> {
        match self.place(index).and_then(|at| self.elements.reference(at)) {
            Some(reference) => Ok(reference),
            None => Err(self.missing(index)),
        }
    }

    #[cold]
    fn missing(&self, index: i64) -> Failure {
        match self.place(index) {
            Some(_) => Failure::bug("an element of another layout"),
            None => self.out_of_range("list index out of range"),
        }
    }

    /// What is raised for an index that no element has: a deque says the same of all of them.
    fn out_of_range(&self, of_list: &'static str) -> Failure {
        Failure::index(if self.deque.is_some() { "deque index out of range" } else { of_list })
    }

    /// All words of all elements, which lie one after the other.
    pub fn words(&self) -> &[u64] {
        self.elements.words()
    }

    /// All references of all elements, one after the other.
    pub fn references(&self) -> &[Option<R>] {
        self.elements.references()
    }

    /// Where the words of the first element lie, and how many elements that are words alone may be written behind the last one. A deque gives no room:
    /// it may have a limit.
    pub fn exposed(&mut self) -> (*mut u64, usize) {
        let (first, room) = self.elements.exposed();
        (first, if self.deque.is_some() { 0 } else { room })
    }

    /// Makes a list whose elements are words alone so long: the last ones are forgotten, or were written where [`List::exposed`] says; `set` makes the
    /// words so many then.
    pub fn set_len(&mut self, length: usize, set: impl FnOnce(&mut Vec<u64>, usize)) {
        self.elements.set_len(length, set);
    }

    /// All words of all elements, to change them.
    pub fn words_mut(&mut self) -> &mut [u64] {
        self.elements.words_mut()
    }

    /// Replaces an element.
    pub fn set(&mut self, index: i64, element: Element<'_, R>) -> Result<(), Failure> {
        let at = self.place(index).ok_or_else(|| self.out_of_range("list assignment index out of range"))?;
        self.elements.set(at, element)
    }

    /// Replaces an element that is one word.
    #[inline]
    pub fn set_word(&mut self, index: i64, word: u64) -> Result<(), Failure> {
        self.set(index, Element { words: &[word], references: &[] })
    }

    /// Adds an element at the end.
    pub fn append(&mut self, element: Element<'_, R>) -> Result<(), Failure> {
        self.elements.push(element)
    }

    /// Adds an element that is one word.
    #[inline]
    pub fn append_word(&mut self, word: u64) -> Result<(), Failure> {
        self.elements.push_word(word)
    }

    /// Adds an element that is one reference.
    #[inline]
    pub fn append_reference(&mut self, reference: R) -> Result<(), Failure> {
        self.elements.push_reference(reference)
    }

    /// Adds an element before the one of an index, or at an end.
    pub fn insert(&mut self, index: i64, element: Element<'_, R>) -> Result<(), Failure> {
        let length = self.len() as i64;
        let at = if index < 0 { index.saturating_add(length).max(0) } else { index.min(length) };
        self.elements.insert(at as usize, element)
    }

    /// Where the element lies that `pop` takes.
    pub fn place_to_pop(&self, index: i64) -> Result<usize, Failure> {
        if self.is_empty() {
            let is_deque = self.deque.is_some();
            return Err(Failure::index(if is_deque { "pop from an empty deque" } else { "pop from empty list" }));
        }
        self.place(index).ok_or_else(|| Failure::index("pop index out of range"))
    }

    /// Takes an element that is one word.
    pub fn pop_word(&mut self, index: i64) -> Result<u64, Failure> {
        let at = self.place_to_pop(index)?;
        let word = self.elements.word(at).ok_or_else(|| Failure::bug("an element of another layout"))?;
        self.elements.remove(at, 1);
        Ok(word)
    }

    /// Removes the element of a place, if there is one.
    pub fn remove_at(&mut self, at: usize) {
        self.elements.remove(at, 1);
    }

    /// Removes an element.
    pub fn delete(&mut self, index: i64) -> Result<(), Failure> {
        let at = self.place(index).ok_or_else(|| self.out_of_range("list assignment index out of range"))?;
        self.elements.remove(at, 1);
        Ok(())
    }

    /// Adds elements that are words alone, one after the other, at the end.
    pub fn extend_words(&mut self, words: &[u64]) -> Result<(), Failure> {
        self.elements.extend_words(words)
    }

    /// Adds another list's elements at the end.
    pub fn extend(&mut self, other: &List<R>) -> Result<(), Failure> {
        self.takes(other)?;
        let end = self.len();
        self.elements.splice(end, end, &other.elements)
    }

    /// Whether another list's elements are of the same layout.
    pub(crate) fn takes(&self, other: &List<R>) -> Outcome<()> {
        if self.layout.is(&other.layout) { Ok(()) } else { Err(Failure::bug("lists of two layouts")) }
    }

    /// A list of the same elements.
    pub fn copied(&self) -> Result<List<R>, Failure> {
        Ok(List { layout: self.layout.clone(), elements: self.elements.copied()?, deque: None })
    }

    /// A list of this one's elements and another one's.
    pub fn concatenated(&self, other: &List<R>) -> Result<List<R>, Failure> {
        self.takes(other)?;
        let mut list = List { layout: self.layout.clone(), elements: self.elements.like(), deque: None };
        list.elements.reserve(self.len().saturating_add(other.len()))?;
        list.extend(self)?;
        list.extend(other)?;
        Ok(list)
    }

    /// A list of the same elements so many times; none where the number is negative.
    pub fn repeated(&self, times: i64) -> Result<List<R>, Failure> {
        let elements = self.elements.repeated(usize::try_from(times).unwrap_or(0))?;
        Ok(List { layout: self.layout.clone(), elements, deque: None })
    }

    /// Puts the last element first.
    pub fn reverse(&mut self) {
        self.elements.reverse();
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.elements.clear();
    }

    /// Whether two lists have equal elements.
    pub fn equals(&self, other: &List<R>) -> Result<bool, Failure> {
        if self.len() != other.len() {
            return Ok(false);
        }
        for (a, b) in self.elements.iter().zip(other.elements.iter()) {
            if !elements_equal((&self.layout, a), (&other.layout, b))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The order of two lists, which the first elements decide that are not equal; `None` where these are nan.
    pub fn order(&self, other: &List<R>) -> Result<Option<Ordering>, Failure> {
        for (a, b) in self.elements.iter().zip(other.elements.iter()) {
            let order = elements_order((&self.layout, a), (&other.layout, b))?;
            if order != Some(Ordering::Equal) {
                return Ok(order);
            }
        }
        Ok(Some(self.len().cmp(&other.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::List;
    use crate::testing::{Counted, layout};

    /// What a queue keeps of elements that are gone is bounded, and whoever takes from the front finds the rest where it is.
    #[test]
    fn a_queue_takes_no_more_memory_than_its_members() {
        let mut list: List<Counted> = List::new(layout("i64"));
        for n in 0..100_000_u64 {
            list.append_word(n).expect("there is memory");
            if n >= 10 {
                assert_eq!(list.pop_word(0).expect("there are members"), n - 10);
            }
        }
        assert_eq!(list.words(), (99_990..100_000).collect::<Vec<u64>>());
        assert!(list.bytes() < 1024, "{} bytes of ten members", list.bytes());
        let mut list: List<Counted> = List::new(layout("i64"));
        for n in 0..1000_u64 {
            list.insert(0, crate::Element { words: &[n], references: &[] }).expect("there is memory");
        }
        assert_eq!(list.words(), (0..1000).rev().collect::<Vec<u64>>());
    }
}
