//! Arguments to leaves: fits what was given to the parameters of one overload.
//!
//! A leaf is a scalar or an array; tuples are taken apart, `None` and strings only select the overload. Arrays must have the
//! declared dtype and rank: nothing is copied or converted behind the caller's back.

mod arrays;
mod fits;
mod stream;

use std::cell::Cell;
use std::mem::MaybeUninit;

use numptx_abi::{Argument, Overload, Parameter, Value};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use fits::{exact_if, is_text};
use stream::StreamSource;

use crate::array::{self, Array};
use crate::call::attached;
use crate::call_arguments::CallArguments;
use crate::errors;
use crate::foreign::{self, Purpose};
use crate::layout;
use crate::library::{Library, WorkingStream};
use crate::numpy::{self, numpy};
use crate::objects;
use crate::parameters;
use crate::scalars::{self, Fit};

/// Whose kind of array the results shall be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    NumPy,
    Numptx,
    /// That of this argument: an array of another library.
    Foreign(*mut PyObject),
}

/// Leaves that fit on the stack.
const FEW: usize = 8;
/// Libraries and devices that one call's arrays may be of, as far as they are shown.
const FEW_LIBRARIES: usize = 2;

/// The leaves of a call, with the objects that they came from.
pub(crate) struct Leaves<'py> {
    py: Python<'py>,
    few: [MaybeUninit<Argument>; FEW],
    /// Of leaves below `n_leaves`, as the leaves themselves.
    few_objects: [MaybeUninit<*mut PyObject>; FEW],
    rare: Option<Box<Rare<'py>>>,
    n_leaves: usize,
    /// Bytes of all arrays; `i64::MAX` where the length of the call cannot be told from them.
    bytes: i64,
    family: Family,
    follows: StreamSource,
    /// Whether an array of ours is among them.
    has_own: bool,
    /// Whether another library works with the memory of one, on a stream of its own.
    has_produced: bool,
    /// Whether the call runs on the stream of a `with` block.
    is_inside: Cell<bool>,
    /// Libraries whose arrays the call got on a device, and the streams that they work on.
    working: [Option<(Library, i32, WorkingStream<'py>)>; FEW_LIBRARIES],
}

/// What few calls have: kept apart, so that the others neither make it nor drop it.
#[derive(Default)]
struct Rare<'py> {
    /// The leaves, where they may be more than [`FEW`].
    many: Vec<MaybeUninit<Argument>>,
    many_objects: Vec<MaybeUninit<*mut PyObject>>,
    /// Foreign arrays already imported, and what came out, for the time of the call.
    imported: Vec<(*mut PyObject, Option<Bound<'py, Array>>)>,
    /// Lists, dictionaries, sets and strings that were copied in, for the time of the call.
    known: objects::Known,
    /// Fields of arguments that are records, each a reference, for the time of the call.
    fields: Vec<*mut PyObject>,
    /// What the own code of an argument raised that was asked whether it is a scalar.
    raised: Option<PyErr>,
}

impl Rare<'_> {
    fn drop_fields(&mut self) {
        for field in self.fields.drain(..) {
            // SAFETY: the reference was kept, and the interpreter is attached for the time of the call.
            unsafe { ffi::Py_DECREF(field) };
        }
    }
}

impl Drop for Rare<'_> {
    fn drop(&mut self) {
        self.drop_fields();
        if let Some(raised) = self.raised.take() {
            // See Note [Attached, and known to be] in `call`.
            attached(|_| drop(raised));
        }
    }
}

impl<'py> Leaves<'py> {
    pub fn new(py: Python<'py>) -> Self {
        Leaves {
            py,
            few: [const { MaybeUninit::uninit() }; FEW],
            few_objects: [const { MaybeUninit::uninit() }; FEW],
            rare: None,
            n_leaves: 0,
            bytes: 0,
            family: Family::NumPy,
            follows: StreamSource::Nobody,
            has_own: false,
            has_produced: false,
            is_inside: Cell::new(false),
            working: [const { None }; FEW_LIBRARIES],
        }
    }

    /// Fits what was given to an overload; unless the answer is `No`, the leaves are its arguments.
    pub fn fit(&mut self, overload: &Overload, given: &CallArguments) -> PyResult<Fit> {
        let n_given = parameters::n_given(overload);
        if given.values.len() != n_given {
            return Ok(Fit::No);
        }
        self.start(overload.n_arguments as usize);
        let nodes = parameters::nodes(overload);
        let (mut at, mut worst) = (0, Fit::Exact);
        for position in 0..n_given {
            let Some(object) = given.of(position, &nodes[at]) else { return Ok(Fit::No) };
            match self.node(nodes, &mut at, object)? {
                Fit::No => return Ok(Fit::No),
                Fit::Converted => worst = Fit::Converted,
                Fit::Exact => {}
            }
        }
        match nodes.get(at) {
            Some(hidden) => self.state_of_random(hidden).map(|fit| if fit == Fit::No { fit } else { worst }),
            None => Ok(worst),
        }
    }

    /// The state that the functions of `numpy.random` draw of, of a parameter that no caller passes.
    #[cold]
    fn state_of_random(&mut self, node: &Parameter) -> PyResult<Fit> {
        let state = self.py.import("numptx._random")?.call_method0("state")?;
        self.object_of(node, state.as_ptr())
    }

    /// Whether an object fits the parameter node at `at`, whatever the others are. What the leaves were is lost.
    pub fn fits(&mut self, overload: &Overload, at: usize, object: *mut PyObject) -> PyResult<bool> {
        self.start(overload.n_arguments as usize);
        let mut next = at;
        self.node(parameters::nodes(overload), &mut next, object).map(|fit| fit != Fit::No)
    }

    fn start(&mut self, n_leaves: usize) {
        (self.n_leaves, self.bytes, self.family, self.follows) = (0, 0, Family::NumPy, StreamSource::Nobody);
        if let Some(rare) = &mut self.rare {
            rare.known.clear();
            rare.drop_fields();
        }
        if n_leaves > FEW {
            let rare = self.rare.get_or_insert_default();
            if rare.many.len() < n_leaves {
                rare.many.resize_with(n_leaves, MaybeUninit::uninit);
                rare.many_objects.resize_with(n_leaves, MaybeUninit::uninit);
            }
        }
    }

    /// Fits an object to the node at `at` and moves `at` past it and its members.
    fn node(&mut self, nodes: &[Parameter], at: &mut usize, object: *mut PyObject) -> PyResult<Fit> {
        let node = &nodes[*at];
        *at += 1;
        match node.kind {
            Parameter::SCALAR => self.scalar(node, object),
            Parameter::ARRAY => self.array(node, object),
            Parameter::TUPLE => self.tuple(nodes, at, usize::from(node.rank), object),
            Parameter::RECORD => self.record(nodes, at, node, object),
            // SAFETY: `None` and the argument are live objects.
            Parameter::NONE => Ok(exact_if(unsafe { object == ffi::Py_None() })),
            Parameter::OBJECT => self.object_of(node, object),
            // SAFETY: the text is null-terminated or null, the argument is a live object.
            Parameter::STR => Ok(exact_if(unsafe { is_text(object, node.text) })),
            _ => Ok(Fit::No),
        }
    }

    fn tuple(&mut self, nodes: &[Parameter], at: &mut usize, n: usize, object: *mut PyObject) -> PyResult<Fit> {
        // SAFETY: the argument is a live object; members of a tuple live as long as it does.
        let members = unsafe {
            if ffi::PyTuple_Check(object) == 0 || ffi::PyTuple_Size(object) != n as isize {
                return Ok(Fit::No);
            }
            (0..n).map(|index| ffi::PyTuple_GetItem(object, index as isize))
        };
        let mut worst = Fit::Exact;
        for member in members {
            match self.node(nodes, at, member)? {
                Fit::No => return Ok(Fit::No),
                Fit::Converted => worst = Fit::Converted,
                Fit::Exact => {}
            }
        }
        Ok(worst)
    }

    /// An object by its fields.
    fn record(
        &mut self,
        nodes: &[Parameter],
        at: &mut usize,
        node: &Parameter,
        object: *mut PyObject,
    ) -> PyResult<Fit> {
        let mut worst = Fit::Exact;
        for name in parameters::text(node.text).split_ascii_whitespace() {
            let Some(field) = self.field(object, name, node.weak != 0) else { return self.without_field(object) };
            match self.node(nodes, at, field)? {
                Fit::No => return Ok(Fit::No),
                Fit::Converted => worst = Fit::Converted,
                Fit::Exact => {}
            }
        }
        Ok(worst)
    }

    /// A field of an object, an attribute or an item, which is kept for the time of the call; `None` with an exception set.
    fn field(&mut self, object: *mut PyObject, name: &str, is_item: bool) -> Option<*mut PyObject> {
        // SAFETY: the argument is a live object; what is made is a new reference.
        let field = unsafe {
            let key = ffi::PyUnicode_FromStringAndSize(name.as_ptr().cast(), name.len() as isize);
            if key.is_null() {
                return None;
            }
            let field = match is_item {
                true => ffi::PyObject_GetItem(object, key),
                false => ffi::PyObject_GetAttr(object, key),
            };
            ffi::Py_DECREF(key);
            field
        };
        if field.is_null() {
            return None;
        }
        self.rare.get_or_insert_default().fields.push(field);
        Some(field)
    }

    /// What it means that an object gave no field: it is no such record, or its own code has raised.
    #[cold]
    fn without_field(&mut self, object: *mut PyObject) -> PyResult<Fit> {
        // SAFETY: the exception is set; these exceptions' types are immortal.
        unsafe {
            let others =
                [ffi::PyExc_AttributeError, ffi::PyExc_TypeError, ffi::PyExc_LookupError, ffi::PyExc_ValueError];
            if others.into_iter().any(|other| ffi::PyErr_ExceptionMatches(other) != 0) {
                ffi::PyErr_Clear();
                return Ok(Fit::No);
            }
        }
        self.raised(object)
    }

    fn scalar(&mut self, node: &Parameter, object: *mut PyObject) -> PyResult<Fit> {
        // SAFETY: the argument is a live object.
        let (bits, fit) = match unsafe { scalars::fit(object, node.dtype, node.weak != 0) } {
            Ok(Some(fitted)) => fitted,
            Ok(None) => return Ok(Fit::No),
            Err(scalars::PendingException) => return self.raised(object),
        };
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room; its array is never read for a scalar.
        unsafe {
            (&raw mut (*slot).kind).write(Value::SCALAR);
            (&raw mut (*slot).dtype).write(u32::from(node.dtype));
            (&raw mut (*slot).bits).write(bits);
            (&raw mut (*slot).array.buffer).write(std::ptr::null_mut());
        }
        Ok(fit)
    }

    /// A list, a dictionary, a set or a string, which is copied in.
    fn object_of(&mut self, node: &Parameter, object: *mut PyObject) -> PyResult<Fit> {
        let known = &mut self.rare.get_or_insert_default().known;
        // SAFETY: the argument is a live object; the node's text is its description.
        let Some((buffer, fit)) = (unsafe { objects::fit(self.py, node.text.cast(), object, known) })? else {
            return Ok(Fit::No);
        };
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room; of its array the buffer alone is read.
        unsafe {
            (&raw mut (*slot).kind).write(Value::OBJECT);
            (&raw mut (*slot).dtype).write(0);
            (&raw mut (*slot).bits).write([0; 2]);
            (&raw mut (*slot).array.buffer).write(buffer);
        }
        Ok(fit)
    }

    /// An argument's own code has raised, so that it is no scalar. Another overload may take it; if none does, what was raised first tells why.
    #[cold]
    fn raised(&mut self, object: *mut PyObject) -> PyResult<Fit> {
        // SAFETY: the argument is a live object.
        let array = unsafe { array::of_ours(self.py, &object) };
        // An array of ours with other than one element says what everybody knows.
        let is_plain = array.is_some_and(|array| layout::size(array.shape()) != 1);
        // See Note [Attached, and known to be] in `call`.
        attached(|py| {
            let error = PyErr::fetch(py);
            if errors::passes(py, &error) {
                return Err(error);
            }
            let raised = &mut self.rare.get_or_insert_default().raised;
            if raised.is_none() && !is_plain {
                *raised = Some(error);
            }
            Ok(Fit::No)
        })
    }

    /// What an argument's own code raised, so that no overload took it.
    pub fn take_raised(&mut self) -> Option<PyErr> {
        self.rare.as_mut()?.raised.take()
    }

    fn array(&mut self, node: &Parameter, object: *mut PyObject) -> PyResult<Fit> {
        // SAFETY: the argument is a live object.
        unsafe {
            let numpy = numpy();
            if numpy.is_array(object) {
                return Ok(self.numpy_array(numpy, node, object));
            }
            if let Some(array) = array::of_ours(self.py, &object) {
                return self.own_array(node, array, object);
            }
        }
        // SAFETY: as above.
        let bound = unsafe { pyo3::Borrowed::from_ptr(self.py, object) };
        let known = Library::known(&bound);
        // SAFETY: as above.
        if known.is_none() && unsafe { numpy().is_array_or_subclass(object) || numpy::is_plain(object) } {
            return Ok(Fit::No);
        }
        let library = known.or_else(|| Library::look_up(&bound));
        if let Some(fit) = library.and_then(|library| self.shown_array(node, library, &bound)) {
            return Ok(fit);
        }
        errors::pending(self.py)?;
        let known = self.rare.as_ref().and_then(|rare| rare.imported.iter().find(|(known, _)| *known == object));
        let imported = match known {
            Some((_, imported)) => imported.clone(),
            None => {
                // See Note [Attached, and known to be] in `call`.
                let imported = attached(|_| foreign::import(&bound, Purpose::Call))?;
                self.rare.get_or_insert_default().imported.push((object, imported.clone()));
                imported
            }
        };
        Ok(match imported {
            Some(array) => {
                let is_current = array.get().open()?.producer().is_some_and(|producer| producer.is_current);
                if matches!(self.follows, StreamSource::Nobody) && array.get().device_ordinal() >= 0 && is_current {
                    self.follows = StreamSource::Producer(object);
                }
                self.device_array(node, array.get(), object, Family::Foreign(object))?
            }
            None => Fit::No,
        })
    }

    /// Room for one more leaf, where [`Leaves::push`] will say that it is to be written.
    fn room(&mut self) -> *mut Argument {
        let index = self.n_leaves;
        match self.many_mut() {
            None => self.few[index].as_mut_ptr(),
            Some(rare) => rare.many[index].as_mut_ptr(),
        }
    }

    /// One more leaf, and where it is to be written.
    #[inline(always)]
    fn push(&mut self, object: *mut PyObject) -> *mut Argument {
        let index = self.n_leaves;
        self.n_leaves += 1;
        let (slot, kept) = match self.many_mut() {
            None => (&mut self.few[index], &mut self.few_objects[index]),
            Some(rare) => (&mut rare.many[index], &mut rare.many_objects[index]),
        };
        kept.write(object);
        slot.as_mut_ptr()
    }

    /// Where the leaves are, if not in the room for few.
    fn many(&self) -> Option<&Rare<'py>> {
        self.rare.as_deref().filter(|rare| !rare.many.is_empty())
    }

    /// The same, to be written.
    fn many_mut(&mut self) -> Option<&mut Rare<'py>> {
        self.rare.as_deref_mut().filter(|rare| !rare.many.is_empty())
    }

    /// The leaves, for the runtime.
    pub fn as_ptr(&self) -> *const Argument {
        self.many().map_or(self.few.as_ptr(), |rare| rare.many.as_ptr()).cast()
    }

    /// The leaves.
    #[inline]
    pub fn arguments(&self) -> &[Argument] {
        // SAFETY: leaves below `n_leaves` were written; of an array what lies within its rank, and nothing else of it is read.
        unsafe { std::slice::from_raw_parts(self.as_ptr(), self.n_leaves) }
    }

    /// A leaf.
    pub fn argument(&self, leaf: usize) -> Option<&Argument> {
        self.arguments().get(leaf)
    }

    /// The object that a leaf came from; borrowed.
    pub fn object(&self, leaf: usize) -> Option<*mut PyObject> {
        let objects = self.many().map_or(&self.few_objects[..], |rare| &rare.many_objects[..]);
        // SAFETY: those of leaves below `n_leaves` were written.
        (leaf < self.n_leaves).then(|| unsafe { objects[leaf].assume_init() })
    }

    /// The lists, dictionaries and sets that were given, if any were.
    pub fn known(&self) -> Option<&objects::Known> {
        self.rare.as_deref().map(|rare| &rare.known)
    }

    /// What kind of arrays the results shall be.
    pub fn family(&self) -> Family {
        self.family
    }

    /// What a foreign argument was imported as.
    pub fn imported(&self, object: *mut PyObject) -> Option<&Bound<'py, Array>> {
        let imported = &self.rare.as_ref()?.imported;
        imported.iter().find(|(known, _)| *known == object).and_then(|(_, imported)| imported.as_ref())
    }

    /// Whether the call is expected to be long: much data, a device, or no arrays to tell it by.
    pub fn is_long(&self, bytes: i64) -> bool {
        self.bytes > bytes
    }
}
