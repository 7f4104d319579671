//! The table of a set: CPython's, so that elements whose hashes are not random come in CPython's order.
//!
//! A place is empty, taken, or left by an element that was removed; the *fill* counts the last two, and decides when the table grows. A search looks
//! at ten places side by side, where as many follow, then goes on at one that all bits of the hash decide.

use crate::compare::elements_equal;
use crate::elements::{Element, Elements};
use crate::failure::Outcome;
use crate::layout::Layout;
use crate::object::Reference;

/// The least number of places.
const LEAST: usize = 8;
/// Places after the first one of a run.
const RUN: usize = 9;
/// Bits of the hash that one run after another brings in.
const SHIFT: u32 = 5;
/// Larger sets grow more slowly.
const LARGE: usize = 50_000;

/// What a place is, and the hash of the element that it has.
#[derive(Clone, Copy, Debug)]
struct Place {
    hash: i64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Empty,
    Taken,
    Left,
}

/// The table. Its places are a power of two; they are made when the first element is added.
#[derive(Debug)]
pub(super) struct Table<R> {
    places: Vec<Place>,
    keys: Elements<R>,
    fill: usize,
    used: usize,
}

/// The places that a search looks at: all, in the end.
struct Places {
    mask: usize,
    perturb: u64,
    start: usize,
    offset: usize,
    last: usize,
}

impl Places {
    fn new(hash: i64, mask: usize) -> Places {
        let start = hash as usize & mask;
        Places { mask, perturb: hash as u64, start, offset: 0, last: Places::run(start, mask) }
    }

    fn run(start: usize, mask: usize) -> usize {
        if start + RUN <= mask { RUN } else { 0 }
    }

    #[inline]
    fn next(&mut self) -> usize {
        let place = self.start + self.offset;
        if self.offset < self.last {
            self.offset += 1;
        } else {
            self.perturb >>= SHIFT;
            self.start = self.start.wrapping_mul(5).wrapping_add(1).wrapping_add(self.perturb as usize) & self.mask;
            self.offset = 0;
            self.last = Places::run(self.start, self.mask);
        }
        place
    }
}

impl<R: Reference> Table<R> {
    pub(crate) fn references_mut(&mut self) -> &mut [Option<R>] {
        self.keys.references_mut()
    }

    pub(super) fn new(layout: &Layout) -> Table<R> {
        Table { places: Vec::new(), keys: Elements::new(layout), fill: 0, used: 0 }
    }

    pub(super) fn used(&self) -> usize {
        self.used
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>() + self.keys.bytes()
    }

    pub(super) fn mask(&self) -> usize {
        self.places.len().max(LEAST) - 1
    }

    /// The element of a place that is taken, with its hash.
    pub(super) fn get(&self, place: usize) -> Option<(Element<'_, R>, i64)> {
        let Place { hash, state } = *self.places.get(place)?;
        if state == State::Taken { Some((self.keys.get(place)?, hash)) } else { None }
    }

    /// All elements with their hashes, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Element<'_, R>, i64)> {
        (0..self.places.len()).filter_map(|place| self.get(place))
    }

    /// Where an element is, of a layout whose elements may be equal to this one's.
    #[inline]
    pub(super) fn find(&self, layout: (&Layout, &Layout), key: Element<'_, R>, hash: i64) -> Outcome<Option<usize>> {
        if self.places.is_empty() {
            return Ok(None);
        }
        Ok(self.search(layout, key, hash)?.ok())
    }

    /// Where an element is, or else where it is to be added: at an empty place, or at the last one that was left and the search passed.
    #[inline]
    fn search(
        &self,
        layout: (&Layout, &Layout),
        key: Element<'_, R>,
        hash: i64,
    ) -> Outcome<Result<usize, (usize, State)>> {
        let is_word = layout.0.is_plain() && layout.0.words() == 1 && layout.0.single() == layout.1.single();
        let (mut places, mut left) = (Places::new(hash, self.mask()), None);
        loop {
            let place = places.next();
            match self.places[place] {
                Place { state: State::Empty, .. } => {
                    return Ok(Err(left.map_or((place, State::Empty), |left| (left, State::Left))));
                }
                Place { state: State::Left, .. } => left = Some(place),
                Place { hash: other, .. } if other != hash => {}
                _ if is_word => {
                    if self.keys.word(place) == key.words.first().copied() {
                        return Ok(Ok(place));
                    }
                }
                _ => {
                    if let Some(found) = self.keys.get(place)
                        && elements_equal((layout.0, found), (layout.1, key))?
                    {
                        return Ok(Ok(place));
                    }
                }
            }
        }
    }

    /// Adds an element unless it is there.
    pub(super) fn add(&mut self, layout: &Layout, key: Element<'_, R>, hash: i64) -> Outcome<()> {
        if self.places.is_empty() {
            self.make(LEAST)?;
        }
        let (place, state) = match self.search((layout, layout), key, hash)? {
            Ok(_) => return Ok(()),
            Err(free) => free,
        };
        self.keys.set(place, key)?;
        self.take(place, hash);
        if state == State::Left {
            self.fill -= 1;
            return Ok(());
        }
        if self.fill * 5 < self.mask() * 3 {
            return Ok(());
        }
        // The element is there; where the table cannot grow it is removed, so that there is always an empty place to end a search.
        let grown = self.resize(if self.used > LARGE { self.used * 2 } else { self.used * 4 });
        if grown.is_err() {
            self.places[place].state = State::Empty;
            (self.fill, self.used) = (self.fill - 1, self.used - 1);
            self.keys.release(place);
        }
        grown
    }

    fn take(&mut self, place: usize, hash: i64) {
        self.places[place] = Place { hash, state: State::Taken };
        self.fill += 1;
        self.used += 1;
    }

    /// An empty table of so many places; what was in this one is lost.
    fn make(&mut self, places: usize) -> Outcome<()> {
        let mut empty = Vec::new();
        empty.try_reserve_exact(places)?;
        empty.resize(places, Place { hash: 0, state: State::Empty });
        let keys = self.keys.blank(places)?;
        *self = Table { places: empty, keys, fill: 0, used: 0 };
        Ok(())
    }

    /// An empty place for a hash that no element of the table has.
    fn clean_place(&self, hash: i64) -> usize {
        let mut places = Places::new(hash, self.mask());
        loop {
            let place = places.next();
            if self.places[place].state == State::Empty {
                return place;
            }
        }
    }

    /// A table for more than so many elements, without places that were left.
    pub(super) fn resize(&mut self, least: usize) -> Outcome<()> {
        let mut places = LEAST;
        while places <= least {
            places = places.checked_mul(2).ok_or_else(crate::Failure::memory)?;
        }
        if places == LEAST && self.mask() + 1 == LEAST && self.fill == self.used {
            return Ok(());
        }
        let mut larger = Table { places: Vec::new(), keys: self.keys.like(), fill: 0, used: 0 };
        larger.make(places)?;
        for from in 0..self.places.len() {
            let Place { hash, state } = self.places[from];
            if state == State::Taken {
                let to = larger.clean_place(hash);
                self.keys.move_to(from, &mut larger.keys, to);
                larger.take(to, hash);
            }
        }
        *self = larger;
        Ok(())
    }

    /// Removes the element of a place.
    pub(super) fn leave(&mut self, place: usize) {
        if let Some(taken) = self.places.get_mut(place).filter(|place| place.state == State::Taken) {
            taken.state = State::Left;
            self.used -= 1;
            self.keys.release(place);
        }
    }

    /// Makes the table smaller, or larger, where more than a quarter of it are places that were left.
    pub(super) fn tidy(&mut self) -> Outcome<()> {
        if self.fill - self.used <= self.mask() / 4 {
            return Ok(());
        }
        self.resize(if self.used > LARGE { self.used * 2 } else { self.used * 4 })
    }

    /// Makes room for so many more elements at once.
    pub(super) fn expect(&mut self, more: usize) -> Outcome<()> {
        if (self.fill + more) * 5 >= self.mask() * 3 {
            self.resize((self.used + more) * 2)?;
        }
        Ok(())
    }

    /// Adds all elements of another table.
    pub(super) fn merge(&mut self, layout: &Layout, other: &Table<R>) -> Outcome<()> {
        if other.used == 0 {
            return Ok(());
        }
        self.expect(other.used)?;
        if self.fill > 0 {
            return other.iter().try_for_each(|(key, hash)| self.add(layout, key, hash));
        }
        let is_same = self.mask() == other.mask() && other.fill == other.used;
        if self.places.is_empty() {
            self.make(LEAST)?;
        }
        for (place, (key, hash)) in (0..other.places.len()).filter_map(|at| Some((at, other.get(at)?))) {
            let to = if is_same { place } else { self.clean_place(hash) };
            self.keys.set(to, key)?;
            self.take(to, hash);
        }
        Ok(())
    }
}
