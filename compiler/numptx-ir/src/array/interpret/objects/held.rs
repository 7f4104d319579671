//! Objects as values have them, and the references that objects hold.

use std::rc::Rc;

use numptx_objects::Reference;

use crate::array::interpret::Value;
use crate::array::interpret::memory::{Buffer, View};

/// An object. Clones are the same one.
#[derive(Clone, Debug)]
pub struct Object {
    /// What counts its references.
    pub(in crate::array::interpret) buffer: Buffer,
}

impl PartialEq for Object {
    /// Whether they are one.
    fn eq(&self, other: &Self) -> bool {
        self.buffer == other.buffer
    }
}

impl Eq for Object {}

impl Object {
    /// How many references the IR and other objects hold.
    pub fn references(&self) -> i64 {
        self.buffer.references()
    }
}

/// How many members or characters an object has.
pub(super) fn length(buffer: &Buffer) -> usize {
    let Some(object) = buffer.object() else { return 0 };
    object.borrow().as_ref().map_or(0, |object| match object {
        numptx_objects::Object::List(list) => list.len(),
        numptx_objects::Object::Dict(dictionary) => dictionary.len(),
        numptx_objects::Object::Set(set) => set.len(),
        numptx_objects::Object::Str(text) => text.len(),
    })
}

/// A reference that is counted: as long as it is there, the buffer has one more.
#[derive(Debug)]
pub(in crate::array::interpret) struct Counted(Buffer);

impl Counted {
    fn new(buffer: &Buffer) -> Counted {
        buffer.set_references(buffer.references() + 1);
        Counted(buffer.clone())
    }

    /// What it refers to.
    pub(in crate::array::interpret) fn buffer(&self) -> &Buffer {
        &self.0
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Counted::new(&self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.drop_reference();
    }
}

/// A reference that an object holds, or an operation.
#[derive(Clone, Debug)]
pub(in crate::array::interpret) enum Held {
    /// A list, a dictionary, a set or a string.
    Object(Counted),
    /// An array.
    Array(Rc<HeldArray>),
}

/// An array that objects hold: one reference to its buffer, however many hold it.
#[derive(Debug)]
pub(in crate::array::interpret) struct HeldArray {
    /// The array.
    pub(in crate::array::interpret) view: View,
    _counted: Counted,
}

impl Held {
    /// One more reference to an object.
    pub(super) fn to(object: &Object) -> Held {
        Held::Object(Counted::new(&object.buffer))
    }

    /// The reference that a new object has.
    pub(super) fn taking(buffer: Buffer) -> Held {
        Held::Object(Counted(buffer))
    }

    /// One more reference to an array.
    pub(super) fn to_array(view: &View) -> Held {
        Held::Array(Rc::new(HeldArray { view: view.clone(), _counted: Counted::new(&view.buffer) }))
    }

    /// What it refers to, without a reference.
    pub(super) fn value(&self) -> Value {
        match self {
            Held::Object(object) => Value::Object(Object { buffer: object.buffer().clone() }),
            Held::Array(array) => Value::Array(array.view.clone()),
        }
    }

    /// What it refers to, with a reference for who gets it.
    pub(super) fn handed_out(self) -> Value {
        let value = self.value();
        if let Some(buffer) = value.buffer() {
            buffer.set_references(buffer.references() + 1);
        }
        value
    }
}

impl Reference for Held {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Held::Object(a), Held::Object(b)) => a.buffer() == b.buffer(),
            (Held::Array(a), Held::Array(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn is_array(&self) -> bool {
        matches!(self, Held::Array(_))
    }

    fn with_object<T>(&self, look: impl FnOnce(&numptx_objects::Object<Self>) -> T) -> Option<T> {
        match self {
            Held::Object(object) => object.buffer().object()?.try_borrow().ok()?.as_ref().map(look),
            Held::Array(_) => None,
        }
    }

    fn with_object_mut<T>(&self, change: impl FnOnce(&mut numptx_objects::Object<Self>) -> T) -> Option<T> {
        match self {
            Held::Object(object) => object.buffer().object()?.try_borrow_mut().ok()?.as_mut().map(change),
            Held::Array(_) => None,
        }
    }
}
