//! Operands one after the other, each checked to be what the operation takes; and results.

use crate::dictionary::Dict;
use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::gathered::Gathered;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::object::{Embedding, Item, Object, Reference, with_text};
use crate::run::Context;
use crate::set::Set;
use crate::text::Text;

/// The operands that are still to be taken.
pub(super) struct Operands<'a, R> {
    items: &'a [Item<R>],
}

impl<'a, R: Reference> Operands<'a, R> {
    pub(super) fn new(items: &'a [Item<R>]) -> Operands<'a, R> {
        Operands { items }
    }

    fn take(&mut self, count: usize) -> Outcome<&'a [Item<R>]> {
        let (taken, rest) = self.items.split_at_checked(count).ok_or_else(|| Failure::bug("an operand is missing"))?;
        self.items = rest;
        Ok(taken)
    }

    pub(super) fn reference(&mut self) -> Outcome<&'a R> {
        match self.take(1)? {
            [Item::Reference(reference)] => Ok(reference),
            _ => Err(Failure::bug("an operand is no object")),
        }
    }

    pub(super) fn int(&mut self) -> Outcome<i64> {
        match self.take(1)? {
            [Item::Words([word, _])] => Ok(*word as i64),
            _ => Err(Failure::bug("an operand is no number")),
        }
    }

    /// The bits of a number.
    pub(super) fn word(&mut self) -> Outcome<u64> {
        self.int().map(|word| word as u64)
    }

    pub(super) fn truth(&mut self) -> Outcome<bool> {
        Ok(self.int()? != 0)
    }

    /// The start, length and step of a slice.
    pub(super) fn slice(&mut self) -> Outcome<(i64, i64, i64)> {
        Ok((self.int()?, self.int()?, self.int()?))
    }

    /// An element with all its leaves.
    pub(super) fn element(&mut self, layout: &Layout) -> Outcome<Gathered<R>> {
        Gathered::new(layout, self.take(layout.items())?)
    }

    /// An element for an object that is changed, of which it is no part: nothing may look at that meanwhile.
    pub(super) fn element_for(&mut self, changed: &R, layout: &Layout) -> Outcome<Gathered<R>> {
        let items = self.take(layout.items())?;
        let is_it = |item: &Item<R>| matches!(item, Item::Reference(reference) if reference.same(changed));
        if layout.references() > 0 && items.iter().any(is_it) {
            return Err(Failure::bug("an object as a part of itself"));
        }
        Gathered::new(layout, items)
    }

    /// An object beside one that is changed, which is another one.
    pub(super) fn reference_beside(&mut self, changed: &R) -> Outcome<&'a R> {
        let other = self.reference()?;
        if other.same(changed) { Err(Failure::bug("an object where two are needed")) } else { Ok(other) }
    }

    /// How many elements of so many leaves are left. Those without leaves cannot be counted: there is none.
    pub(super) fn elements_left(&self, leaves: usize) -> usize {
        self.items.len().checked_div(leaves).unwrap_or(0)
    }

    /// Nothing is left.
    pub(super) fn end(&self) -> Outcome<()> {
        if self.items.is_empty() { Ok(()) } else { Err(Failure::bug("an operand too many")) }
    }
}

/// What an object was expected to be.
fn unlike<T>(found: Option<Option<Outcome<T>>>, what: &str) -> Outcome<T> {
    found.flatten().unwrap_or_else(|| Err(Failure::bug(what)))
}

pub(super) fn list<R: Reference, T>(reference: &R, look: impl FnOnce(&List<R>) -> Outcome<T>) -> Outcome<T> {
    let found = reference.with_object(|object| match object {
        Object::List(list) => Some(look(list)),
        _ => None,
    });
    unlike(found, "an operand is no list")
}

pub(super) fn list_mut<R: Reference, T>(reference: &R, change: impl FnOnce(&mut List<R>) -> Outcome<T>) -> Outcome<T> {
    let found = reference.with_object_mut(|object| match object {
        Object::List(list) => Some(change(list)),
        _ => None,
    });
    unlike(found, "an operand is no list")
}

pub(super) fn dictionary<R: Reference, T>(reference: &R, look: impl FnOnce(&Dict<R>) -> Outcome<T>) -> Outcome<T> {
    let found = reference.with_object(|object| match object {
        Object::Dict(dictionary) => Some(look(dictionary)),
        _ => None,
    });
    unlike(found, "an operand is no dictionary")
}

pub(super) fn dictionary_mut<R: Reference, T>(
    reference: &R,
    change: impl FnOnce(&mut Dict<R>) -> Outcome<T>,
) -> Outcome<T> {
    let found = reference.with_object_mut(|object| match object {
        Object::Dict(dictionary) => Some(change(dictionary)),
        _ => None,
    });
    unlike(found, "an operand is no dictionary")
}

pub(super) fn set<R: Reference, T>(reference: &R, look: impl FnOnce(&Set<R>) -> Outcome<T>) -> Outcome<T> {
    let found = reference.with_object(|object| match object {
        Object::Set(set) => Some(look(set)),
        _ => None,
    });
    unlike(found, "an operand is no set")
}

pub(super) fn set_mut<R: Reference, T>(reference: &R, change: impl FnOnce(&mut Set<R>) -> Outcome<T>) -> Outcome<T> {
    let found = reference.with_object_mut(|object| match object {
        Object::Set(set) => Some(change(set)),
        _ => None,
    });
    unlike(found, "an operand is no set")
}

pub(super) fn text<R: Reference, T>(reference: &R, look: impl FnOnce(&Text) -> Outcome<T>) -> Outcome<T> {
    with_text(reference, look)?
}

/// Adds an element's leaves to results.
pub(super) fn push_element<R: Reference>(results: &mut Vec<Item<R>>, layout: &Layout, element: Element<'_, R>) {
    if let ([word], 1) = (element.words, layout.items()) {
        return results.push(Item::Words([*word, 0]));
    }
    for leaf in layout.leaves(element) {
        match leaf {
            Leaf::Scalar(_, words) => results.push(Item::Words(words)),
            Leaf::Reference(_, reference) => results.push(Item::Reference(reference.clone())),
            Leaf::Open | Leaf::Close | Leaf::None => {}
        }
    }
}

impl<R: Reference, E: Embedding<R>> Context<'_, R, E> {
    pub(super) fn give_int(&mut self, n: i64) -> Outcome<()> {
        self.results.push(Item::int(n));
        Ok(())
    }

    pub(super) fn give_truth(&mut self, truth: bool) -> Outcome<()> {
        self.give_int(i64::from(truth))
    }

    /// A slot or place, or -1.
    pub(super) fn give_place(&mut self, place: Option<usize>) -> Outcome<()> {
        self.give_int(place.map_or(-1, |place| place as i64))
    }

    pub(super) fn give(&mut self, object: Object<R>) -> Outcome<()> {
        let reference = self.embedding.make(object)?;
        self.results.push(Item::Reference(reference));
        Ok(())
    }

    pub(super) fn give_text(&mut self, text: String) -> Outcome<()> {
        self.give(Object::Str(text.into()))
    }

    pub(super) fn give_part(&mut self, text: &str) -> Outcome<()> {
        self.give(Object::Str(Text::new(text)?))
    }
}
