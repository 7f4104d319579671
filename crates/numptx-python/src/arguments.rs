//! Arguments to leaves: fits what was given to the parameters of one overload.
//!
//! A leaf is a scalar or an array; tuples are taken apart, `None` and strings only select the overload. Arrays must have the
//! declared dtype and rank: nothing is copied or converted behind the caller's back.

mod fits;
mod stream;

use std::cell::Cell;
use std::mem::MaybeUninit;

use numptx_abi::{Argument, Overload, Parameter, Value, dtype};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use fits::{axes, exact_if, extents_fit, is_text, order_fits, whole_steps, write_array, write_kind};
use stream::Follows;

use crate::array::{self, Array};
use crate::call::attached;
use crate::foreign::{self, Purpose};
use crate::given::Given;
use crate::layout;
use crate::numpy::{self, Dtype, Fields, numpy};
use crate::scalars::{self, Fit};
use crate::shown::{Library, Shown, Sight, Working};

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
    follows: Follows,
    /// Whether the call runs on the stream of a `with` block.
    is_inside: Cell<bool>,
    /// Libraries whose arrays the call got on a device, and the streams that they work on.
    working: [Option<(Library, i32, Working<'py>)>; FEW_LIBRARIES],
}

/// What few calls have: kept apart, so that the others neither make it nor drop it.
#[derive(Default)]
struct Rare<'py> {
    /// The leaves, where they may be more than [`FEW`].
    many: Vec<MaybeUninit<Argument>>,
    many_objects: Vec<MaybeUninit<*mut PyObject>>,
    /// Foreign arrays already imported, and what came out, for the time of the call.
    imported: Vec<(*mut PyObject, Option<Bound<'py, Array>>)>,
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
            follows: Follows::Nobody,
            is_inside: Cell::new(false),
            working: [const { None }; FEW_LIBRARIES],
        }
    }

    /// Fits what was given to an overload; unless the answer is `No`, the leaves are its arguments.
    pub fn fit(&mut self, overload: &Overload, given: &Given) -> PyResult<Fit> {
        if given.values.len() != overload.n_parameters as usize {
            return Ok(Fit::No);
        }
        self.start(overload.n_arguments as usize);
        if given.values.is_empty() {
            return Ok(Fit::Exact);
        }
        // SAFETY: the descriptor has that many nodes.
        let nodes = unsafe { std::slice::from_raw_parts(overload.parameters, overload.n_parameter_nodes as usize) };
        let (mut at, mut worst) = (0, Fit::Exact);
        for position in 0..overload.n_parameters as usize {
            let Some(object) = given.of(position, nodes[at].name) else { return Ok(Fit::No) };
            match self.node(nodes, &mut at, object)? {
                Fit::No => return Ok(Fit::No),
                Fit::Converted => worst = Fit::Converted,
                Fit::Exact => {}
            }
        }
        Ok(worst)
    }

    fn start(&mut self, n_leaves: usize) {
        (self.n_leaves, self.bytes, self.family, self.follows) = (0, 0, Family::NumPy, Follows::Nobody);
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
            Parameter::SCALAR => Ok(self.scalar(node, object)),
            Parameter::ARRAY => self.array(node, object),
            Parameter::TUPLE => self.tuple(nodes, at, usize::from(node.rank), object),
            // SAFETY: `None` and the argument are live objects.
            Parameter::NONE => Ok(exact_if(unsafe { object == ffi::Py_None() })),
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

    fn scalar(&mut self, node: &Parameter, object: *mut PyObject) -> Fit {
        // SAFETY: the argument is a live object.
        let Some((bits, fit)) = (unsafe { scalars::fit(object, node.dtype, node.weak != 0) }) else { return Fit::No };
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room; its array is never read for a scalar.
        unsafe {
            (&raw mut (*slot).kind).write(Value::SCALAR);
            (&raw mut (*slot).dtype).write(u32::from(node.dtype));
            (&raw mut (*slot).bits).write(bits);
            (&raw mut (*slot).array.buffer).write(std::ptr::null_mut());
        }
        fit
    }

    fn array(&mut self, node: &Parameter, object: *mut PyObject) -> PyResult<Fit> {
        // SAFETY: the argument is a live object.
        unsafe {
            if numpy().is_array(object) {
                return Ok(self.numpy_array(node, object));
            }
            if let Some(array) = array::of_ours(self.py, &object) {
                return Ok(self.device_array(node, array, object, Family::Numptx));
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
                let is_current = array.get().producer().is_some_and(|producer| producer.is_current);
                if matches!(self.follows, Follows::Nobody) && array.get().device_ordinal() >= 0 && is_current {
                    self.follows = Follows::Imported(object);
                }
                self.device_array(node, array.get(), object, Family::Foreign(object))
            }
            None => Fit::No,
        })
    }

    /// An array that its library shows; `None`: the slower protocols have to tell.
    fn shown_array(&mut self, node: &Parameter, library: Library, object: &Bound<'py, PyAny>) -> Option<Fit> {
        let slot = self.room();
        // SAFETY: this leaf's room, which nobody reads before it is pushed; ranks of parameters are at most `MAX_RANK`.
        let mut shown = unsafe { Shown::new(slot, usize::from(node.rank)) };
        match library.show(object, node.dtype, &mut shown) {
            Sight::Array => {}
            Sight::Other => return Some(Fit::No),
            Sight::Unclear => return None,
        }
        let (data, device) = (shown.data, shown.device);
        // SAFETY: an array was seen, with all its axes.
        let (shape, strides) = unsafe { shown.axes() };
        let itemsize = i64::from(dtype::ITEMSIZE[usize::from(node.dtype)]);
        if !order_fits(node, shape, strides, itemsize)
            || !extents_fit(node, shape)
            || !whole_steps(node.dtype, shape, strides)
        {
            return Some(Fit::No);
        }
        let stream = if device >= 0 { self.working(library, device)? } else { 0 };
        if self.family == Family::NumPy {
            self.family = Family::Foreign(object.as_ptr());
        }
        self.bytes = if device >= 0 { i64::MAX } else { self.bytes.saturating_add(layout::size(shape) * itemsize) };
        self.push(object.as_ptr());
        // SAFETY: as above; the axes are there.
        unsafe {
            write_kind(slot, node.dtype, usize::from(node.rank));
            (&raw mut (*slot).array.buffer).write(std::ptr::null_mut());
            (&raw mut (*slot).array.offset).write(0);
            (&raw mut (*slot).data).write(data);
            (&raw mut (*slot).device).write(device);
            (&raw mut (*slot).read_only).write(0);
            (&raw mut (*slot).stream).write(stream as *mut std::ffi::c_void);
            (&raw mut (*slot).owner).write(object.as_ptr().cast());
            (&raw mut (*slot).owner_table).write(&crate::owners::OBJECT);
        }
        Some(Fit::Exact)
    }

    fn numpy_array(&mut self, node: &Parameter, object: *mut PyObject) -> Fit {
        // SAFETY: `object` is an array; NumPy keeps `rank` extents and strides behind its pointers.
        let (fields, shape, strides) = unsafe {
            let fields: &Fields = numpy().fields(object);
            // Nearly every array of a dtype has that dtype's one descriptor.
            let is_dtype =
                fields.descr == numpy().descr(node.dtype) || numpy().dtype(fields) == Dtype::Native(node.dtype);
            if fields.rank as usize != usize::from(node.rank) || !is_dtype {
                return Fit::No;
            }
            (fields, axes(fields.shape, fields.rank), axes(fields.strides, fields.rank))
        };
        let order = match node.order {
            1 => fields.flags & numpy::C_CONTIGUOUS != 0,
            2 => fields.flags & numpy::F_CONTIGUOUS != 0,
            _ => true,
        };
        if fields.flags & numpy::ALIGNED == 0
            || !order
            || !extents_fit(node, shape)
            || !whole_steps(node.dtype, shape, strides)
        {
            return Fit::No;
        }
        self.bytes =
            self.bytes.saturating_add(layout::size(shape) * i64::from(dtype::ITEMSIZE[usize::from(node.dtype)]));
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room, the rank is at most `MAX_RANK`.
        unsafe {
            write_array(slot, node.dtype, shape, strides);
            (&raw mut (*slot).array.buffer).write(std::ptr::null_mut());
            (&raw mut (*slot).array.offset).write(0);
            (&raw mut (*slot).data).write(fields.data);
            (&raw mut (*slot).device).write(-1);
            (&raw mut (*slot).read_only).write(u32::from(fields.flags & numpy::WRITEABLE == 0));
            (&raw mut (*slot).stream).write(std::ptr::null_mut());
            (&raw mut (*slot).owner).write(std::ptr::null_mut());
        }
        Fit::Exact
    }

    fn device_array(&mut self, node: &Parameter, array: &Array, object: *mut PyObject, family: Family) -> Fit {
        let (shape, strides) = (array.shape(), array.strides());
        let itemsize = i64::from(dtype::ITEMSIZE[usize::from(node.dtype)]);
        let same_kind = shape.len() == usize::from(node.rank) && array.dtype_code() == node.dtype;
        if !same_kind
            || !order_fits(node, shape, strides, itemsize)
            || !extents_fit(node, shape)
            || !whole_steps(node.dtype, shape, strides)
        {
            return Fit::No;
        }
        if self.family == Family::NumPy {
            self.family = family;
        }
        self.bytes = if array.device_ordinal() >= 0 {
            i64::MAX
        } else {
            self.bytes.saturating_add(layout::size(shape) * itemsize)
        };
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room, the rank is at most `MAX_RANK`.
        unsafe {
            write_array(slot, node.dtype, shape, strides);
            (&raw mut (*slot).array.buffer).write(array.view().buffer);
            (&raw mut (*slot).array.offset).write(array.view().offset);
            (&raw mut (*slot).data).write(array.address());
            (&raw mut (*slot).device).write(array.device_ordinal());
            (&raw mut (*slot).read_only).write(u32::from(array.is_read_only()));
            let producer = array.producer().map_or(std::ptr::null_mut(), |p| p.handle as *mut std::ffi::c_void);
            (&raw mut (*slot).stream).write(producer);
            (&raw mut (*slot).owner).write(std::ptr::null_mut());
        }
        Fit::Exact
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
