//! Searches in lists: where an element is, how often, and which one is the least or the greatest.

use std::cmp::Ordering;

use crate::compare::{elements_equal, elements_order};
use crate::display;
use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::list::List;
use crate::object::Reference;

impl<R: Reference> List<R> {
    /// The first place from `from` on, before `to`, whose element is equal to another one.
    fn find(&self, element: Element<'_, R>, from: usize, to: usize) -> Outcome<Option<usize>> {
        let to = to.min(self.len());
        if let ([word], true) = (element.words, self.layout.is_plain() && self.layout.words() == 1) {
            let words = self.words().get(from..to).unwrap_or(&[]);
            return Ok(words.iter().position(|w| w == word).map(|at| from + at));
        }
        for at in from..to {
            if let Some(found) = self.elements.get(at)
                && elements_equal((&self.layout, found), (&self.layout, element))?
            {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Where an element is the first time between two indices, which may count from the end and lie outside.
    pub fn index(&self, element: Element<'_, R>, start: i64, stop: i64) -> Result<usize, Failure> {
        let bound = |index: i64| {
            let length = self.len() as i64;
            if index < 0 { index.saturating_add(length).max(0) } else { index.min(length) }
        };
        let found = self.find(element, bound(start) as usize, bound(stop) as usize)?;
        found.map_or_else(|| Err(self.not_there(element)?), Ok)
    }

    fn not_there(&self, element: Element<'_, R>) -> Outcome<Failure> {
        let kind = if self.deque.is_some() { "deque" } else { "list" };
        Ok(Failure::value(format!("{} is not in {kind}", display::member_text(&self.layout, element)?)))
    }

    /// Whether an element is there.
    pub fn contains(&self, element: Element<'_, R>) -> Result<bool, Failure> {
        Ok(self.find(element, 0, self.len())?.is_some())
    }

    /// How often an element is there.
    pub fn count(&self, element: Element<'_, R>) -> Result<usize, Failure> {
        let (mut count, mut from) = (0, 0);
        while let Some(at) = self.find(element, from, self.len())? {
            (count, from) = (count + 1, at + 1);
        }
        Ok(count)
    }

    /// Removes an element where it is the first time.
    pub fn remove(&mut self, element: Element<'_, R>) -> Result<(), Failure> {
        match self.find(element, 0, self.len())? {
            Some(at) => self.elements.remove(at, 1),
            // A deque looks for it as `index` does.
            None if self.deque.is_some() => return Err(self.not_there(element)?),
            None => return Err(Failure::value("list.remove(x): x not in list")),
        }
        Ok(())
    }

    /// Where the least element is, or the greatest, the first of equal ones. An element takes another one's place only where it is less, or greater:
    /// what follows nan never does, and nan takes no place.
    pub fn extreme(&self, is_max: bool) -> Result<usize, Failure> {
        let (wanted, name) = if is_max { (Ordering::Greater, "max") } else { (Ordering::Less, "min") };
        let missing = || Failure::value(format!("{name}() iterable argument is empty"));
        let (mut best, mut extreme) = (0, self.elements.get(0).ok_or_else(missing)?);
        for (at, element) in self.elements.iter().enumerate().skip(1) {
            if elements_order((&self.layout, element), (&self.layout, extreme))? == Some(wanted) {
                (best, extreme) = (at, element);
            }
        }
        Ok(best)
    }
}
