//! Dictionaries: keys and values in the order of insertion, and an index of the keys' hashes.
//!
//! A *slot* is a place in that order. A key that is removed leaves its slot empty, until most are: then the next key that is added closes the gaps.
//! Empty slots at both ends are never gone through again, so that removing from either end takes no time that grows.

mod index;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use numptx_abi::object::STRING;

use crate::compare::elements_equal;
use crate::display;
use crate::elements::{Element, Elements};
use crate::failure::{Failure, Outcome};
use crate::hash::{mixed, quick_hash};
use crate::layout::Layout;
use crate::list::List;
use crate::object::{Reference, with_text};
use index::Index;

/// A dictionary.
#[derive(Debug)]
pub struct Dict<R> {
    pub(crate) key: Layout,
    pub(crate) value: Layout,
    keys: Elements<R>,
    values: Elements<R>,
    index: Index,
    /// A bit for each slot that is empty; slots beyond are not.
    gaps: Vec<u64>,
    /// How many slots are not empty.
    length: usize,
    /// The first slot that may not be empty.
    first: usize,
}

impl<R: Reference> Dict<R> {
    /// The references of keys, and those of values.
    pub(crate) fn all_references(&mut self) -> [&mut [Option<R>]; 2] {
        [self.keys.references_mut(), self.values.references_mut()]
    }

    /// An empty dictionary.
    pub fn new(key: Layout, value: Layout) -> Dict<R> {
        Dict {
            keys: Elements::new(&key),
            values: Elements::new(&value),
            key,
            value,
            index: Index::default(),
            gaps: Vec::new(),
            length: 0,
            first: 0,
        }
    }

    /// The layout of its keys.
    pub fn key_layout(&self) -> &Layout {
        &self.key
    }

    /// The layout of its values.
    pub fn value_layout(&self) -> &Layout {
        &self.value
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many bytes keys, values and index take, with what is reserved for more.
    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.values.bytes() + self.index.bytes() + self.gaps.capacity() * size_of::<u64>()
    }

    /// The slot of a key.
    pub fn find(&self, key: Element<'_, R>) -> Result<Option<usize>, Failure> {
        if let ([word], []) = (key.words, key.references)
            && self.key.is_plain()
        {
            return Ok(self.find_word(*word));
        }
        self.find_hashed(key, quick_hash(&self.key, key)?)
    }

    /// The slot of a key that is one word, an int or a truth.
    #[inline]
    pub fn find_word(&self, word: u64) -> Option<usize> {
        if !self.key.is_plain() {
            return self.find(Element { words: &[word], references: &[] }).ok().flatten();
        }
        self.index.find(mixed(word), |slot| self.keys.word(slot) == Some(word))
    }

    #[inline]
    fn find_hashed(&self, key: Element<'_, R>, hash: u32) -> Outcome<Option<usize>> {
        match (key.words, key.references) {
            ([word], []) if self.key.is_plain() => {
                Ok(self.index.find(hash, |slot| self.keys.word(slot) == Some(*word)))
            }
            ([], [Some(text)]) if self.key.single() == Some(STRING) => self.find_text(text, hash),
            _ => self.find_equal(key, hash),
        }
    }

    fn find_text(&self, text: &R, hash: u32) -> Outcome<Option<usize>> {
        with_text(text, |key| {
            let is_it = |found: &R| {
                found.same(text) || with_text(found, |found| found.as_str() == key.as_str()).unwrap_or(false)
            };
            self.index.find(hash, |slot| self.keys.reference(slot).is_some_and(is_it))
        })
    }

    fn find_equal(&self, key: Element<'_, R>, hash: u32) -> Outcome<Option<usize>> {
        let failure = Cell::new(None);
        let found = self.index.find(hash, |slot| {
            let Some(found) = self.keys.get(slot) else { return false };
            elements_equal((&self.key, found), (&self.key, key)).unwrap_or_else(|error| {
                failure.set(Some(error));
                true
            })
        });
        failure.into_inner().map_or(Ok(found), Err)
    }

    /// The slot of a key that is there.
    pub fn index(&self, key: Element<'_, R>) -> Result<usize, Failure> {
        match self.find(key)? {
            Some(slot) => Ok(slot),
            None => Err(Failure::key(display::key_text(&self.key, key)?)),
        }
    }

    fn is_gap(&self, slot: usize) -> bool {
        self.gaps.get(slot / 64).is_some_and(|bits| bits >> (slot % 64) & 1 == 1)
    }

    fn occupied(&self, slot: i64) -> Outcome<usize> {
        let slot = usize::try_from(slot).ok().filter(|slot| *slot < self.keys.len() && !self.is_gap(*slot));
        slot.ok_or_else(|| Failure::bug("an empty slot"))
    }

    /// The key of a slot.
    pub fn key_at(&self, slot: i64) -> Result<Element<'_, R>, Failure> {
        let slot = self.occupied(slot)?;
        self.keys.get(slot).ok_or_else(|| Failure::bug("an empty slot"))
    }

    /// The value of a slot.
    pub fn value_at(&self, slot: i64) -> Result<Element<'_, R>, Failure> {
        let slot = self.occupied(slot)?;
        self.values.get(slot).ok_or_else(|| Failure::bug("an empty slot"))
    }

    /// The value of a slot, one word of an int, float or truth.
    #[inline]
    pub fn value_word(&self, slot: usize) -> Option<u64> {
        self.values.word(slot)
    }

    /// Replaces the value of a slot that is one word.
    #[inline]
    pub fn set_value_word(&mut self, slot: usize, word: u64) -> Result<(), Failure> {
        self.values.set(slot, Element { words: &[word], references: &[] })
    }

    /// Replaces the value of a slot.
    pub fn set_value(&mut self, slot: i64, value: Element<'_, R>) -> Result<(), Failure> {
        let slot = self.occupied(slot)?;
        self.values.set(slot, value)
    }

    /// Gives a key a value. A key that is there stays as it is.
    pub fn set(&mut self, key: Element<'_, R>, value: Element<'_, R>) -> Result<(), Failure> {
        let hash = quick_hash(&self.key, key)?;
        if let Some(slot) = self.find_hashed(key, hash)? {
            return self.values.set(slot, value);
        }
        self.make_room()?;
        self.values.push(value)?;
        if let Err(error) = self.keys.push(key) {
            self.values.remove(self.keys.len(), 1);
            return Err(error);
        }
        self.index.insert(hash, self.keys.len() - 1);
        self.length += 1;
        Ok(())
    }

    /// Room for one more key in the index, after gaps are closed where most slots are empty.
    fn make_room(&mut self) -> Outcome<()> {
        let slots = self.keys.len();
        if slots >= 16 && self.length <= slots / 2 {
            self.close_gaps()?;
        }
        self.index.reserve(self.length + 1, self.keys.len())
    }

    fn close_gaps(&mut self) -> Outcome<()> {
        let mut places = Vec::new();
        places.try_reserve_exact(self.keys.len())?;
        let mut place = 0;
        for slot in 0..self.keys.len() {
            places.push(place);
            place += usize::from(!self.is_gap(slot));
        }
        self.index.renumber(&places);
        let gaps = std::mem::take(&mut self.gaps);
        let stays = |slot: usize| gaps.get(slot / 64).is_none_or(|bits| bits >> (slot % 64) & 1 == 0);
        self.keys.retain(stays);
        self.values.retain(stays);
        self.first = 0;
        Ok(())
    }

    /// Removes the key of a slot.
    pub fn remove_at(&mut self, slot: i64) -> Result<(), Failure> {
        let slot = self.occupied(slot)?;
        let is_last = slot + 1 == self.keys.len();
        if !is_last {
            let more = (slot / 64 + 1).saturating_sub(self.gaps.len());
            self.gaps.try_reserve(more)?;
            self.gaps.resize(self.gaps.len() + more, 0);
        }
        let key = self.keys.get(slot).ok_or_else(|| Failure::bug("an empty slot"))?;
        self.index.remove(quick_hash(&self.key, key)?, slot);
        self.length -= 1;
        if !is_last {
            self.gaps[slot / 64] |= 1 << (slot % 64);
            self.keys.release(slot);
            self.values.release(slot);
            while self.first < self.keys.len() && self.is_gap(self.first) {
                self.first += 1;
            }
            return Ok(());
        }
        let mut end = slot;
        while end > 0 && self.is_gap(end - 1) {
            end -= 1;
            self.gaps[end / 64] &= !(1 << (end % 64));
        }
        self.keys.remove(end, usize::MAX);
        self.values.remove(end, usize::MAX);
        self.first = self.first.min(end);
        Ok(())
    }

    /// The next slot that is not empty.
    pub fn next(&self, slot: i64) -> Option<usize> {
        let mut at = usize::try_from(slot.saturating_add(1)).unwrap_or(0).max(self.first);
        while at < self.keys.len() && self.is_gap(at) {
            at += 1;
        }
        (at < self.keys.len()).then_some(at)
    }

    /// All slots that are not empty.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> {
        (self.first..self.keys.len()).filter(|slot| !self.is_gap(*slot))
    }

    /// All keys with their values.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Element<'_, R>, Element<'_, R>)> {
        self.slots().filter_map(|slot| Some((self.keys.get(slot)?, self.values.get(slot)?)))
    }

    /// Raises where the length is not what it was when a loop began.
    pub fn check_size(&self, length: i64) -> Result<(), Failure> {
        if self.length as i64 == length {
            return Ok(());
        }
        Err(Failure::new(numptx_abi::error_kind::RUNTIME, "dictionary changed size during iteration"))
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        *self = Dict::new(self.key.clone(), self.value.clone());
    }

    /// A dictionary of the same keys and values.
    pub fn copied(&self) -> Result<Dict<R>, Failure> {
        let mut copy = Dict::new(self.key.clone(), self.value.clone());
        if self.length == self.keys.len() {
            (copy.keys, copy.values) = (self.keys.copied()?, self.values.copied()?);
            (copy.index, copy.length) = (self.index.copied()?, self.length);
        } else {
            copy.update(self)?;
        }
        Ok(copy)
    }

    /// Takes another dictionary's keys and values.
    pub fn update(&mut self, other: &Dict<R>) -> Result<(), Failure> {
        if !self.key.is(&other.key) || !self.value.is(&other.value) {
            return Err(Failure::bug("dictionaries of two layouts"));
        }
        other.pairs().try_for_each(|(key, value)| self.set(key, value))
    }

    /// Takes the pairs of a list of tuples of a key and a value.
    pub fn update_pairs(&mut self, pairs: &List<R>) -> Result<(), Failure> {
        if !pairs.layout.is(&Layout::tuple_of(&self.key, &self.value)?) {
            return Err(Failure::bug("a list of other tuples"));
        }
        let (w, r) = (self.key.words(), self.key.references());
        pairs.elements.iter().try_for_each(|pair| {
            let key = Element { words: &pair.words[..w], references: &pair.references[..r] };
            self.set(key, Element { words: &pair.words[w..], references: &pair.references[r..] })
        })
    }

    /// A list of all keys.
    pub fn key_list(&self) -> Result<List<R>, Failure> {
        let mut list = List::new(self.key.clone());
        list.reserve(self.length)?;
        self.pairs().try_for_each(|(key, _)| list.append(key))?;
        Ok(list)
    }

    /// A list of all values.
    pub fn value_list(&self) -> Result<List<R>, Failure> {
        let mut list = List::new(self.value.clone());
        list.reserve(self.length)?;
        self.pairs().try_for_each(|(_, value)| list.append(value))?;
        Ok(list)
    }

    /// A list of tuples of a key and its value.
    pub fn item_list(&self) -> Result<List<R>, Failure> {
        let mut list = List::new(Layout::tuple_of(&self.key, &self.value)?);
        list.reserve(self.length)?;
        let (mut words, mut references) = (Vec::new(), Vec::new());
        for (key, value) in self.pairs() {
            words.clear();
            references.clear();
            for part in [key, value] {
                words.extend_from_slice(part.words);
                references.extend_from_slice(part.references);
            }
            list.append(Element { words: &words, references: &references })?;
        }
        Ok(list)
    }

    /// The slot of the key that was added last.
    pub fn last(&self) -> Result<usize, Failure> {
        let missing = || Failure::new(numptx_abi::error_kind::KEY, "popitem(): dictionary is empty");
        self.keys.len().checked_sub(1).ok_or_else(missing)
    }

    /// Whether two dictionaries have equal values for equal keys.
    pub fn equals(&self, other: &Dict<R>) -> Result<bool, Failure> {
        if self.length != other.length {
            return Ok(false);
        }
        for (key, value) in self.pairs() {
            let found = if self.key.is(&other.key) {
                other.find(key)?.and_then(|slot| other.values.get(slot))
            } else {
                other.find_unlike(&self.key, key)?
            };
            let Some(found) = found else { return Ok(false) };
            if !elements_equal((&self.value, value), (&other.value, found))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The value of a key of another layout, whose hash says nothing here.
    fn find_unlike(&self, layout: &Layout, key: Element<'_, R>) -> Outcome<Option<Element<'_, R>>> {
        for (found, value) in self.pairs() {
            if elements_equal((&self.key, found), (layout, key))? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
