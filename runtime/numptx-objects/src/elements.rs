//! Columns of elements: all their words, and all their references, one element after the other.
//!
//! What goes in are elements of one layout; lists, dictionaries and sets are made of such columns. Growth is fallible, and happens before anything
//! changes. A reference is an option so that one that is removed is released at once, where its place stays.
//!
//! Before the first element there may be free places, so that elements come and go at both ends in amortised constant time. They are taken away
//! only when they are three times as many as the elements, and then as many elements have gone as are moved.

use crate::failure::{Failure, Outcome};
use crate::layout::Layout;

/// Elements that are added at the front make room for at least so many.
const LEAST_ROOM: usize = 4;

/// More words or references, or elements without any, are never asked for.
const MOST: usize = 1 << 40;

/// A view of one element.
#[derive(Debug)]
pub struct Element<'a, R> {
    /// Its words.
    pub words: &'a [u64],
    /// Its references.
    pub references: &'a [Option<R>],
}

impl<R> Clone for Element<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Element<'_, R> {}

/// The columns.
#[derive(Clone, Debug)]
pub(crate) struct Elements<R> {
    per_words: usize,
    per_references: usize,
    length: usize,
    /// Free places before the first element.
    front: usize,
    words: Vec<u64>,
    references: Vec<Option<R>>,
}

impl<R: Clone> Elements<R> {
    pub(crate) fn new(layout: &Layout) -> Elements<R> {
        Elements {
            per_words: layout.words(),
            per_references: layout.references(),
            length: 0,
            front: 0,
            words: Vec::new(),
            references: Vec::new(),
        }
    }

    /// Columns for other elements of the same layout.
    pub(crate) fn like(&self) -> Elements<R> {
        Elements { words: Vec::new(), references: Vec::new(), length: 0, front: 0, ..*self }
    }

    /// Columns of so many places, whose elements are still to be set.
    pub(crate) fn blank(&self, places: usize) -> Outcome<Elements<R>> {
        let mut blank = self.like();
        blank.reserve(places)?;
        blank.words.resize(places * self.per_words, 0);
        blank.references.resize_with(places * self.per_references, || None);
        blank.length = places;
        Ok(blank)
    }

    /// Moves an element to a place of other columns of the same layout.
    pub(crate) fn move_to(&mut self, from: usize, others: &mut Elements<R>, to: usize) {
        let (w, r) = (self.per_words, self.per_references);
        let (from, to) = (self.front + from, others.front + to);
        others.words[to * w..(to + 1) * w].copy_from_slice(&self.words[from * w..(from + 1) * w]);
        others.references[to * r..(to + 1) * r].swap_with_slice(&mut self.references[from * r..(from + 1) * r]);
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The first element's words, and how many elements of words alone have room behind the last one.
    pub(crate) fn exposed(&mut self) -> (*mut u64, usize) {
        let first = self.words.as_mut_ptr().wrapping_add(self.front * self.per_words);
        let spare = self.words.capacity() - self.words.len();
        (first, if self.per_references == 0 { spare.checked_div(self.per_words).unwrap_or(0) } else { 0 })
    }

    /// Forgets the last elements, or takes over what was written into the room behind them: `set` makes the words so many.
    pub(crate) fn set_len(&mut self, length: usize, set: impl FnOnce(&mut Vec<u64>, usize)) {
        let words = (self.front + length) * self.per_words;
        self.words.truncate(words);
        if words > self.words.len() {
            set(&mut self.words, words);
        }
        self.length = length;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.references.capacity() * size_of::<Option<R>>()
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words[self.front * self.per_words..]
    }

    #[inline]
    pub(crate) fn references(&self) -> &[Option<R>] {
        &self.references[self.front * self.per_references..]
    }

    #[inline]
    pub(crate) fn references_mut(&mut self) -> &mut [Option<R>] {
        &mut self.references[self.front * self.per_references..]
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.front * self.per_words..]
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Element<'_, R>> {
        if at >= self.length {
            return None;
        }
        let (w, r) = (self.per_words, self.per_references);
        Some(Element {
            words: self.words().get(at * w..(at + 1) * w)?,
            references: self.references().get(at * r..(at + 1) * r)?,
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Element<'_, R>> {
        (0..self.length).filter_map(|at| self.get(at))
    }

    /// The word of an element that is one word.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> Option<u64> {
        if self.per_words == 1 { self.words.get(self.front + at).copied() } else { None }
    }

    /// The reference of an element that is one reference.
    #[inline]
    pub(crate) fn reference(&self, at: usize) -> Option<&R> {
        if self.per_references == 1 { self.references.get(self.front + at)?.as_ref() } else { None }
    }

    pub(crate) fn reserve(&mut self, more: usize) -> Outcome<()> {
        let total = self.length.checked_add(more).ok_or_else(Failure::memory)?;
        let per = self.per_words + self.per_references;
        if total.checked_mul(per.max(1)).is_none_or(|places| places > MOST) {
            return Err(Failure::memory());
        }
        self.words.try_reserve(more * self.per_words)?;
        self.references.try_reserve(more * self.per_references)?;
        Ok(())
    }

    /// Whether an element is of these columns' layout.
    #[inline]
    fn takes(&self, element: &Element<'_, R>) -> Outcome<()> {
        if element.words.len() == self.per_words && element.references.len() == self.per_references {
            return Ok(());
        }
        Err(Failure::bug("an element of another layout"))
    }

    #[inline]
    pub(crate) fn push_word(&mut self, word: u64) -> Outcome<()> {
        if self.per_words != 1 || self.per_references != 0 {
            return Err(Failure::bug("an element of another layout"));
        }
        if self.words.len() == self.words.capacity() {
            self.words.try_reserve(1)?;
        }
        self.words.push(word);
        self.length += 1;
        Ok(())
    }

    #[inline]
    pub(crate) fn push_reference(&mut self, reference: R) -> Outcome<()> {
        if self.per_words != 0 || self.per_references != 1 {
            return Err(Failure::bug("an element of another layout"));
        }
        if self.references.len() == self.references.capacity() {
            self.references.try_reserve(1)?;
        }
        self.references.push(Some(reference));
        self.length += 1;
        Ok(())
    }

    #[inline]
    pub(crate) fn push(&mut self, element: Element<'_, R>) -> Outcome<()> {
        self.takes(&element)?;
        let has_room = self.words.capacity() - self.words.len() >= self.per_words
            && self.references.capacity() - self.references.len() >= self.per_references;
        if !has_room {
            self.reserve(1)?;
        }
        self.words.extend_from_slice(element.words);
        self.references.extend_from_slice(element.references);
        self.length += 1;
        Ok(())
    }

    /// Replaces an element.
    pub(crate) fn set(&mut self, at: usize, element: Element<'_, R>) -> Outcome<()> {
        self.takes(&element)?;
        if at >= self.length {
            return Err(Failure::bug("an element that is not there"));
        }
        let (w, r) = (self.per_words, self.per_references);
        self.words_mut()[at * w..(at + 1) * w].copy_from_slice(element.words);
        self.references_mut()[at * r..(at + 1) * r].clone_from_slice(element.references);
        Ok(())
    }

    /// Releases an element's references, and leaves its place.
    pub(crate) fn release(&mut self, at: usize) {
        let r = self.per_references;
        if let Some(references) = self.references_mut().get_mut(at * r..(at + 1) * r) {
            references.fill_with(|| None);
        }
    }

    /// Adds elements that are words alone at the end.
    pub(crate) fn extend_words(&mut self, words: &[u64]) -> Outcome<()> {
        if self.per_words == 0 || self.per_references != 0 || !words.len().is_multiple_of(self.per_words) {
            return Err(Failure::bug("elements of another layout"));
        }
        let n = words.len() / self.per_words;
        self.reserve(n)?;
        self.words.extend_from_slice(words);
        self.length += n;
        Ok(())
    }

    /// Replaces elements `start` to `stop`, which are there, by all of others.
    pub(crate) fn splice(&mut self, start: usize, stop: usize, others: &Elements<R>) -> Outcome<()> {
        if others.per_words != self.per_words || others.per_references != self.per_references {
            return Err(Failure::bug("elements of another layout"));
        }
        if start > stop || stop > self.length {
            return Err(Failure::bug("elements that are not there"));
        }
        self.reserve(others.length.saturating_sub(stop - start))?;
        let (w, r) = (self.per_words, self.per_references);
        if start == self.length {
            self.words.extend_from_slice(others.words());
            self.references.extend_from_slice(others.references());
        } else {
            let (start, stop) = (self.front + start, self.front + stop);
            self.words.splice(start * w..stop * w, others.words().iter().copied());
            self.references.splice(start * r..stop * r, others.references().iter().cloned());
        }
        self.length = self.length - (stop - start) + others.length;
        Ok(())
    }

    /// Puts an element before another one, which is there, or at the end.
    pub(crate) fn insert(&mut self, at: usize, element: Element<'_, R>) -> Outcome<()> {
        self.takes(&element)?;
        if at == 0 && self.length > 0 {
            return self.push_front(element);
        }
        self.reserve(1)?;
        let (w, r) = (self.per_words, self.per_references);
        let at = self.front + at.min(self.length);
        if w == 1 && r == 0 {
            self.words.insert(at, element.words[0]);
        } else {
            self.words.splice(at * w..at * w, element.words.iter().copied());
            self.references.splice(at * r..at * r, element.references.iter().cloned());
        }
        self.length += 1;
        Ok(())
    }

    /// Puts an element of this layout before the first one.
    fn push_front(&mut self, element: Element<'_, R>) -> Outcome<()> {
        let (w, r) = (self.per_words, self.per_references);
        if self.front == 0 {
            let room = self.length.max(LEAST_ROOM);
            self.reserve(room)?;
            self.words.splice(0..0, std::iter::repeat_n(0, room * w));
            self.references.splice(0..0, std::iter::repeat_with(|| None).take(room * r));
            self.front = room;
        }
        self.front -= 1;
        self.length += 1;
        self.set(0, element)
    }

    /// Removes `count` elements from `start` on, as far as they are there.
    pub(crate) fn remove(&mut self, start: usize, count: usize) {
        let start = start.min(self.length);
        let stop = start.saturating_add(count).min(self.length);
        let (w, r) = (self.per_words, self.per_references);
        if start == 0 && stop < self.length {
            self.references_mut()[..stop * r].fill_with(|| None);
            self.front += stop;
            self.length -= stop;
            if self.front > 3 * self.length {
                self.words.drain(..self.front * w);
                self.references.drain(..self.front * r);
                self.front = 0;
            }
            return;
        }
        self.words.drain((self.front + start) * w..(self.front + stop) * w);
        self.references.drain((self.front + start) * r..(self.front + stop) * r);
        self.length -= stop - start;
    }

    /// Keeps those elements for which `keeps` is true.
    pub(crate) fn retain(&mut self, keeps: impl Fn(usize) -> bool) {
        let (w, r) = (self.per_words, self.per_references);
        let mut kept = 0;
        for at in 0..self.length {
            if keeps(at) {
                if kept != at {
                    self.words_mut().copy_within(at * w..(at + 1) * w, kept * w);
                    for i in 0..r {
                        self.references_mut().swap(at * r + i, kept * r + i);
                    }
                }
                kept += 1;
            }
        }
        self.words.truncate((self.front + kept) * w);
        self.references.truncate((self.front + kept) * r);
        self.length = kept;
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        if a != b && a < self.length && b < self.length {
            let (w, r) = (self.per_words, self.per_references);
            let words = self.words_mut();
            (0..w).for_each(|i| words.swap(a * w + i, b * w + i));
            let references = self.references_mut();
            (0..r).for_each(|i| references.swap(a * r + i, b * r + i));
        }
    }

    pub(crate) fn reverse(&mut self) {
        for at in 0..self.length / 2 {
            self.swap(at, self.length - 1 - at);
        }
    }

    /// Puts element `order[i]` at place i; `order` is a permutation of all places.
    pub(crate) fn permute(&mut self, order: &[usize]) -> Outcome<()> {
        if order.len() != self.length {
            return Err(Failure::bug("an order of other elements"));
        }
        let mut sorted = self.like();
        sorted.reserve(self.length)?;
        for at in order {
            let element = self.get(*at).ok_or_else(|| Failure::bug("an order of other elements"))?;
            sorted.push(element)?;
        }
        *self = sorted;
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        *self = self.like();
    }

    /// All elements so many times.
    pub(crate) fn repeated(&self, times: usize) -> Outcome<Elements<R>> {
        let length = self.length.checked_mul(times).ok_or_else(Failure::memory)?;
        let mut repeated = self.like();
        repeated.reserve(length)?;
        repeat(self.words(), &mut repeated.words, length * self.per_words);
        repeat(self.references(), &mut repeated.references, length * self.per_references);
        repeated.length = length;
        Ok(repeated)
    }

    /// A copy, of no more memory than it needs.
    pub(crate) fn copied(&self) -> Outcome<Elements<R>> {
        let mut copy = self.like();
        copy.splice(0, 0, self)?;
        Ok(copy)
    }
}

/// Copies what is there over and over, up to a length that is a multiple of its own.
fn repeat<T: Clone>(from: &[T], to: &mut Vec<T>, length: usize) {
    if length > 0 {
        to.extend_from_slice(from);
    }
    while to.len() < length {
        to.extend_from_within(..to.len().min(length - to.len()));
    }
}
