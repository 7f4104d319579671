//! What objects refer to: other objects, and arrays; and how a buffer is one.

use std::cell::{Cell, UnsafeCell};
use std::sync::Arc;

use numptx_abi::{Array, ListHead};
use numptx_objects::{Object, Reference};

use crate::buffer::{Buffer, BufferRef};
use crate::error::Result;
use crate::{debug, stats};

/// A reference that an object holds.
#[derive(Clone)]
pub(crate) enum Held {
    /// A list, a dictionary, a set or a string.
    Object(BufferRef),
    /// An array.
    Array(Arc<HeldArray>),
}

/// An array that objects hold.
pub(crate) struct HeldArray {
    /// Its record; its buffer is `buffer`, or none of an argument's whose call is over.
    pub(crate) array: Array,
    /// A reference to its buffer.
    pub(crate) buffer: Option<BufferRef>,
    /// The argument that it is a view of, of a call that is over.
    pub(crate) parameter: i32,
    /// Element `[0, …, 0]`, where it lies.
    pub(crate) first: *mut u8,
}

// SAFETY: the record is read only, and its buffer counts references so that all threads agree.
unsafe impl Send for HeldArray {}
// SAFETY: as above.
unsafe impl Sync for HeldArray {}

impl HeldArray {
    /// Its record, with a reference to the buffer for who gets it.
    pub(crate) fn handed_out(&self) -> Array {
        let buffer = self.buffer.clone().map_or(std::ptr::null_mut(), BufferRef::into_raw);
        Array { buffer: buffer.cast(), ..self.array }
    }
}

impl Held {
    /// # Safety
    /// The record of a live array.
    pub(crate) unsafe fn of_array(array: &Array) -> Result<Held> {
        debug::check_use(array.buffer.cast())?;
        // SAFETY: as the caller promises.
        let buffer = unsafe { BufferRef::to(array.buffer.cast()) };
        let first = buffer.data.wrapping_offset(array.offset as isize);
        Ok(Held::Array(Arc::new(HeldArray { array: *array, buffer: Some(buffer), parameter: -1, first })))
    }
}

impl Reference for Held {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Held::Object(a), Held::Object(b)) => a.as_ptr() == b.as_ptr(),
            (Held::Array(a), Held::Array(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn is_array(&self) -> bool {
        matches!(self, Held::Array(_))
    }

    fn with_object<T>(&self, look: impl FnOnce(&Object<Self>) -> T) -> Option<T> {
        match self {
            Held::Object(buffer) => buffer.object().map(|cell| cell.look(look)),
            Held::Array(_) => None,
        }
    }

    fn with_object_mut<T>(&self, change: impl FnOnce(&mut Object<Self>) -> T) -> Option<T> {
        match self {
            Held::Object(buffer) => buffer.object().map(|cell| cell.change(change)),
            Held::Array(_) => None,
        }
    }
}

/// An object as a buffer has it. One thread at a time has to do with it: that of the call that made it, or of the binding that it was handed to.
pub(crate) struct ObjectCell {
    /// What generated code sees of a list; what it has changed there is taken over before anything here looks at the object.
    head: UnsafeCell<ListHead>,
    object: UnsafeCell<Object<Held>>,
    /// Bytes that the counters know of.
    counted: Cell<i64>,
}

impl ObjectCell {
    pub(crate) fn new(object: Object<Held>) -> ObjectCell {
        let bytes = object.bytes() as i64;
        stats::allocated(-1, bytes);
        let cell =
            ObjectCell { head: UnsafeCell::new(ASK), object: UnsafeCell::new(object), counted: Cell::new(bytes) };
        cell.expose();
        cell
    }

    /// The head that generated code uses. In the debug mode it asks for everything, so that every use is checked.
    pub(crate) fn head(&self) -> *mut ListHead {
        self.head.get()
    }

    /// Takes over which elements generated code has added or taken away at the end.
    fn adopt(&self) {
        // SAFETY: the thread that has the object runs no generated code meanwhile.
        let (head, object) = unsafe { (*self.head.get(), &*self.object.get()) };
        let Ok(length) = usize::try_from(head.length) else { return };
        if !matches!(object, Object::List(list) if list.len() != length) {
            return;
        }
        // SAFETY: nobody looks at it: who did has taken over all that generated code changed, and it has run none since.
        if let Object::List(list) = unsafe { &mut *self.object.get() } {
            // SAFETY: generated code adds no more elements than there was room for, and writes all their words.
            list.set_len(length, |words, n| unsafe { words.set_len(n) });
        }
    }

    /// Shows generated code what the object is now.
    fn expose(&self) {
        // SAFETY: as in `adopt`.
        let (head, object) = unsafe { (&mut *self.head.get(), &mut *self.object.get()) };
        if let Object::List(list) = object
            && !debug::is_on()
        {
            let (words, room) = list.exposed();
            *head = ListHead { words, length: list.len() as i64, room: room as i64 };
        }
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&Object<Held>) -> T) -> T {
        self.adopt();
        // SAFETY: no operation changes an object while it looks at it, nor meanwhile another thread.
        look(unsafe { &*self.object.get() })
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Object<Held>) -> T) -> T {
        self.adopt();
        // SAFETY: as above; what changes an object reaches it once.
        let changed = change(unsafe { &mut *self.object.get() });
        self.expose();
        self.recount();
        changed
    }

    /// Tells the counters what it holds now.
    pub(crate) fn recount(&self) {
        let bytes = self.look(|object| object.bytes()) as i64;
        let before = self.counted.replace(bytes);
        if bytes != before {
            stats::resized(-1, bytes - before);
        }
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<String> {
        self.look(|object| if let Object::Str(text) = object { Some(text.as_str().to_owned()) } else { None })
    }
}

/// The head of what has nothing for generated code to see.
const ASK: ListHead = ListHead { words: std::ptr::null_mut(), length: -1, room: 0 };

impl Drop for ObjectCell {
    fn drop(&mut self) {
        stats::freed(-1, self.counted.get());
    }
}

impl Buffer {
    /// The object that it is.
    pub(crate) fn object(&self) -> Option<&ObjectCell> {
        match &self.storage {
            crate::buffer::Storage::Object(cell) => Some(cell),
            _ => None,
        }
    }
}
