//! What is done with two sets. Which one is gone through, and when a table is made anew, is as in CPython, for both decide the order of the result.

use crate::dictionary::Dict;
use crate::failure::{Failure, Outcome};
use crate::object::Reference;
use crate::set::Set;
use crate::set::table::Table;

impl<R: Reference> Set<R> {
    fn empty(&self) -> Set<R> {
        Set::new(self.layout.clone())
    }

    fn takes(&self, other: &Set<R>) -> Outcome<()> {
        if self.layout.is(&other.layout) { Ok(()) } else { Err(Failure::bug("sets of two layouts")) }
    }

    /// A set of the same elements.
    pub fn copied(&self) -> Result<Set<R>, Failure> {
        let mut copy = self.empty();
        copy.table.merge(&self.layout, &self.table)?;
        Ok(copy)
    }

    /// Adds the elements of another set.
    pub fn update(&mut self, other: &Set<R>) -> Result<(), Failure> {
        self.takes(other)?;
        self.table.merge(&self.layout, &other.table)
    }

    /// Adds the keys of a dictionary.
    pub fn update_keys(&mut self, dictionary: &Dict<R>) -> Result<(), Failure> {
        if !self.layout.is(&dictionary.key) {
            return Err(Failure::bug("a dictionary of other keys"));
        }
        self.table.expect(dictionary.len())?;
        dictionary.pairs().try_for_each(|(key, _)| self.add(key))
    }

    /// The elements of either.
    pub fn union(&self, other: &Set<R>) -> Result<Set<R>, Failure> {
        let mut result = self.copied()?;
        result.update(other)?;
        Ok(result)
    }

    /// The elements of both.
    pub fn intersection(&self, other: &Set<R>) -> Result<Set<R>, Failure> {
        self.takes(other)?;
        let mut result = self.empty();
        let (larger, smaller) = if other.len() > self.len() { (other, self) } else { (self, other) };
        for (key, hash) in smaller.table.iter() {
            if larger.table.find((&larger.layout, &smaller.layout), key, hash)?.is_some() {
                result.table.add(&self.layout, key, hash)?;
            }
        }
        Ok(result)
    }

    /// The elements that the other one has not.
    pub fn difference(&self, other: &Set<R>) -> Result<Set<R>, Failure> {
        self.takes(other)?;
        if self.len() >> 2 > other.len() {
            let mut result = self.copied()?;
            result.difference_update(other)?;
            return Ok(result);
        }
        let mut result = self.empty();
        for (key, hash) in self.table.iter() {
            if other.table.find((&other.layout, &self.layout), key, hash)?.is_none() {
                result.table.add(&self.layout, key, hash)?;
            }
        }
        Ok(result)
    }

    /// The elements of one of them.
    pub fn symmetric_difference(&self, other: &Set<R>) -> Result<Set<R>, Failure> {
        let mut result = other.copied()?;
        result.symmetric_difference_update(self)?;
        Ok(result)
    }

    /// Keeps the elements of both.
    pub fn intersection_update(&mut self, other: &Set<R>) -> Result<(), Failure> {
        self.table = self.intersection(other)?.table;
        Ok(())
    }

    /// What `&=` does with the set itself: the table is made anew.
    pub(crate) fn intersect_itself(&mut self) -> Outcome<()> {
        self.table = self.copied()?.table;
        Ok(())
    }

    /// Removes the elements of the other one.
    pub fn difference_update(&mut self, other: &Set<R>) -> Result<(), Failure> {
        self.takes(other)?;
        for (key, hash) in other.table.iter() {
            if let Some(place) = self.table.find((&self.layout, &other.layout), key, hash)? {
                self.table.leave(place);
            }
        }
        self.table.tidy()
    }

    /// Removes the elements of both, and adds those of the other one.
    pub fn symmetric_difference_update(&mut self, other: &Set<R>) -> Result<(), Failure> {
        self.takes(other)?;
        for (key, hash) in other.table.iter() {
            match self.table.find((&self.layout, &other.layout), key, hash)? {
                Some(place) => self.table.leave(place),
                None => self.table.add(&self.layout, key, hash)?,
            }
        }
        Ok(())
    }

    /// Whether the other one has all elements.
    pub fn is_subset(&self, other: &Set<R>) -> Result<bool, Failure> {
        Ok(self.len() <= other.len() && self.all(&other.table, other, true)?)
    }

    /// Whether the other one has no element.
    pub fn is_disjoint(&self, other: &Set<R>) -> Result<bool, Failure> {
        self.all(&other.table, other, false)
    }

    /// Whether both have the same elements.
    pub fn equals(&self, other: &Set<R>) -> Result<bool, Failure> {
        Ok(self.len() == other.len() && self.is_subset(other)?)
    }

    /// Whether for each element it is so that the other one has it.
    fn all(&self, table: &Table<R>, other: &Set<R>, has: bool) -> Outcome<bool> {
        for (key, hash) in self.table.iter() {
            if table.find((&other.layout, &self.layout), key, hash)?.is_some() != has {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
