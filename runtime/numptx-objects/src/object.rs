//! Objects, references to them, and what passes as operands and results of operations.

use crate::failure::{Failure, Outcome};
use crate::{Dict, List, Set, Text};

/// A counted reference to an object, or to an array: cloning one adds a reference, dropping one releases it.
///
/// Operations never change an object while they look at it: within `with_object_mut` nothing reaches the same object another time. No object holds
/// itself, however deep: static types see to that.
pub trait Reference: Clone {
    /// Whether both refer to the same object.
    fn same(&self, other: &Self) -> bool;

    /// Whether it refers to an array.
    fn is_array(&self) -> bool;

    /// Runs a function on the object; `None` of an array.
    fn with_object<T>(&self, look: impl FnOnce(&Object<Self>) -> T) -> Option<T>;

    /// Runs a function on the object that may change it; `None` of an array.
    fn with_object_mut<T>(&self, change: impl FnOnce(&mut Object<Self>) -> T) -> Option<T>;
}

/// What operations ask their embedding for.
pub trait Embedding<R> {
    /// Puts a new object behind a reference.
    fn make(&mut self, object: Object<R>) -> Result<R, Failure>;

    /// The text of an array, `repr` or `str`.
    fn array_text(&mut self, array: &R, is_repr: bool) -> Result<String, Failure>;
}

/// What a reference refers to.
#[derive(Debug)]
pub enum Object<R> {
    /// A list.
    List(List<R>),
    /// A dictionary.
    Dict(Dict<R>),
    /// A set.
    Set(Set<R>),
    /// A string, which nothing changes.
    Str(Text),
}

/// An operand or result: a leaf, or a number.
#[derive(Clone, Debug)]
pub enum Item<R> {
    /// A scalar as [`numptx_abi::Value::bits`] has it.
    Words([u64; 2]),
    /// A string, an array or another object.
    Reference(R),
}

impl<R> Item<R> {
    /// An `int64`, or a truth.
    pub fn int(n: i64) -> Item<R> {
        Item::Words([n as u64, 0])
    }

    /// A `float64`.
    pub fn float(x: f64) -> Item<R> {
        Item::Words([x.to_bits(), 0])
    }
}

impl<R: Reference> Object<R> {
    /// How many bytes it holds, without those of objects and arrays that it refers to.
    pub fn bytes(&self) -> usize {
        size_of::<Object<R>>()
            + match self {
                Object::List(list) => list.bytes(),
                Object::Dict(dictionary) => dictionary.bytes(),
                Object::Set(set) => set.bytes(),
                Object::Str(text) => text.bytes(),
            }
    }

    /// Every reference that it holds, to be looked at or replaced by another one to an object of the same sort, or an array alike.
    pub fn for_each_reference(&mut self, see: &mut dyn FnMut(&mut R)) {
        let mut all = |references: &mut [Option<R>]| references.iter_mut().flatten().for_each(&mut *see);
        match self {
            Object::List(list) => all(list.elements.references_mut()),
            Object::Dict(dictionary) => dictionary.all_references().into_iter().for_each(all),
            Object::Set(set) => all(set.all_references()),
            Object::Str(_) => {}
        }
    }

    /// What Python calls its type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Object::List(_) => "list",
            Object::Dict(_) => "dict",
            Object::Set(_) => "set",
            Object::Str(_) => "str",
        }
    }
}

/// Runs a function on the text that a reference refers to.
pub(crate) fn with_text<R: Reference, T>(reference: &R, look: impl FnOnce(&Text) -> T) -> Outcome<T> {
    let found = reference.with_object(|object| match object {
        Object::Str(text) => Some(look(text)),
        _ => None,
    });
    found.flatten().ok_or_else(|| Failure::bug("an operand is no string"))
}
