//! Results to Python objects, of the family of the arguments.
//!
//! Every array result either views an argument, which then becomes its base, or brings one reference to a buffer of the
//! runtime, which the new object takes over. Whatever fails, each of these references is given back exactly once.

use std::cell::RefCell;
use std::ffi::CStr;

use numptx_abi::{Buffer, Overload, ResultNode, Value};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::arguments::{Family, Leaves};
use crate::array::{Array, Parts};
use crate::call::{attached, new_reference};
use crate::dlpack::ArrayPlace;
use crate::foreign::Purpose;
use crate::library::Library;
use crate::numpy::{self, numpy};
use crate::objects::{Changing, Made, Objects, Reader, is_array};
use crate::{foreign, runtime, scalars};

/// The object that a call returns: a new reference.
pub(crate) fn object(
    py: Python<'_>,
    module: *mut PyObject,
    overload: &Overload,
    values: &[Value],
    leaves: &Leaves<'_>,
    made: &Made,
) -> PyResult<*mut PyObject> {
    // SAFETY: the descriptor has that many nodes.
    let nodes = unsafe { std::slice::from_raw_parts(overload.results, overload.n_result_nodes as usize) };
    // A fresh array of ours, as most calls on a device return.
    if let ([node], [value]) = (nodes, values)
        && (node.kind, value.kind) == (ResultNode::ARRAY, Value::ARRAY)
        && value.parameter < 0
        && leaves.family() == Family::Numptx
    {
        return fresh(py, value).map(Bound::into_ptr);
    }
    if let ([ResultNode { kind: ResultNode::NONE, .. }], []) = (nodes, values) {
        // SAFETY: `None` is immortal for as long as the interpreter is attached.
        return Ok(unsafe { new_reference(ffi::Py_None()) });
    }
    let one = Leaf { py, module, leaves, made, lasting: RefCell::default() };
    let described = Reader::new(overload.descriptions());
    // One result, as nearly all calls have.
    if let ([node], [value]) = (nodes, values)
        && !is_group(node.kind)
    {
        return one.object(node, value, described);
    }
    let is_shared = nodes.iter().any(|node| node.same != 0);
    let objects = is_shared.then(|| Vec::with_capacity(values.len()));
    let mut results = Results { py, nodes, at: 0, described, values, next: 0, objects, one };
    let made = results.node();
    // After a failure the leaves not yet reached still own their buffers.
    drop_all(&values[results.next..]);
    made
}

/// Changes the caller's lists, dictionaries and sets as the call has changed its own.
pub(crate) fn change(py: Python<'_>, changing: &Changing<'_>, leaves: &Leaves<'_>, made: &Made) -> PyResult<()> {
    let one = Leaf { py, module: std::ptr::null_mut(), leaves, made, lasting: RefCell::default() };
    one.with_objects(|objects| changing.carry_out(objects))
}

/// Whether lists, dictionaries, sets or strings are among the results.
pub(crate) fn has_objects(overload: &Overload) -> bool {
    // SAFETY: the descriptor has that many nodes.
    let nodes = unsafe { std::slice::from_raw_parts(overload.results, overload.n_result_nodes as usize) };
    nodes.iter().any(|node| node.kind == ResultNode::OBJECT)
}

/// Gives back what the results of a call carry that nobody gets.
pub(crate) fn drop_all(values: &[Value]) {
    values.iter().for_each(|value| release(value.array.buffer, value.kind));
}

struct Results<'a, 'py> {
    py: Python<'py>,
    nodes: &'a [ResultNode],
    at: usize,
    /// What describes the next node that is described.
    described: Reader,
    values: &'a [Value],
    next: usize,
    /// The objects of the leaves so far, where a later leaf is one of them. The tuples and lists that are being made hold them.
    objects: Option<Vec<*mut PyObject>>,
    one: Leaf<'a, 'py>,
}

/// What the object of each leaf is made with.
struct Leaf<'a, 'py> {
    py: Python<'py>,
    /// The module of the function, which has the classes of records. Null: there are none.
    module: *mut PyObject,
    leaves: &'a Leaves<'py>,
    /// Of lists, dictionaries and sets, what they are in Python.
    made: &'a Made,
    /// Of imported arguments that results view, what outlives the call, in its own place.
    lasting: RefCell<Vec<(*mut PyObject, Bound<'py, Array>)>>,
}

impl<'py> Results<'_, 'py> {
    /// The object of the next node and its members.
    fn node(&mut self) -> PyResult<*mut PyObject> {
        let Some(node) = self.nodes.get(self.at) else {
            // SAFETY: `None` is immortal for as long as the interpreter is attached.
            return Ok(unsafe { new_reference(ffi::Py_None()) });
        };
        self.at += 1;
        match node.kind {
            // SAFETY: as above.
            ResultNode::NONE => Ok(unsafe { new_reference(ffi::Py_None()) }),
            ResultNode::TUPLE => self.tuple(usize::from(node.rank)),
            ResultNode::LIST => self.list(usize::from(node.rank)),
            ResultNode::ONE_OF => self.one_of(usize::from(node.rank)),
            ResultNode::RECORD => {
                // SAFETY: the text of a record lies there.
                let described = unsafe { self.described.text() };
                self.record(described, usize::from(node.rank))
            }
            _ => {
                let value = &self.values[self.next];
                self.next += 1;
                let described = self.described;
                self.pass_description(node);
                let made = match self.earlier(node, self.next - 1) {
                    None => self.one.object(node, value, described)?,
                    Some(object) => {
                        release(value.array.buffer, value.kind);
                        // SAFETY: made by this call, and held by what is being made.
                        unsafe { new_reference(object) }
                    }
                };
                if let Some(objects) = &mut self.objects {
                    objects.push(made);
                }
                Ok(made)
            }
        }
    }

    /// The object of one of the next nodes, as a tag tells.
    fn one_of(&mut self, n_members: usize) -> PyResult<*mut PyObject> {
        let tag = self.values[self.next].bits[0];
        self.next += 1;
        self.objects.iter_mut().for_each(|objects| objects.push(std::ptr::null_mut()));
        let mut made = None;
        for member in 0..n_members {
            if member as u64 == tag {
                made = Some(self.node()?);
            } else {
                self.pass();
            }
        }
        // SAFETY: `None` is immortal for as long as the interpreter is attached.
        Ok(made.unwrap_or_else(|| unsafe { new_reference(ffi::Py_None()) }))
    }

    /// Passes a node and its members, which stand for nothing.
    fn pass(&mut self) {
        let Some(node) = self.nodes.get(self.at) else { return };
        self.at += 1;
        self.pass_description(node);
        let n_members = match node.kind {
            ResultNode::TUPLE | ResultNode::LIST | ResultNode::RECORD | ResultNode::ONE_OF => usize::from(node.rank),
            _ => 0,
        };
        if !is_group(node.kind) {
            let value = &self.values[self.next];
            self.next += 1;
            release(value.array.buffer, value.kind);
            self.objects.iter_mut().for_each(|objects| objects.push(std::ptr::null_mut()));
        }
        (0..n_members).for_each(|_| self.pass());
    }

    /// The object made before that the leaf `values[leaf]` is.
    fn earlier(&self, node: &ResultNode, leaf: usize) -> Option<*mut PyObject> {
        let earlier = match node.same {
            0 => return None,
            ResultNode::NUMBERED => {
                let number = self.values[leaf].bits[0];
                let leaves = self.nodes.iter().filter(|node| !is_group(node.kind)).take(leaf).enumerate();
                let mut numbered = leaves.filter(|(_, node)| node.same == ResultNode::NUMBERED);
                numbered.find(|(n, _)| self.values[*n].bits[0] == number)?.0
            }
            same => usize::from(same) - 1,
        };
        self.objects.as_ref()?.get(earlier).copied().filter(|object| !object.is_null())
    }

    fn tuple(&mut self, n_members: usize) -> PyResult<*mut PyObject> {
        // SAFETY: the members are new references that the tuple takes over.
        unsafe {
            let tuple = ffi::PyTuple_New(n_members as isize);
            if tuple.is_null() {
                return Err(PyErr::fetch(self.py));
            }
            for index in 0..n_members {
                match self.node() {
                    Ok(member) => ffi::PyTuple_SetItem(tuple, index as isize, member),
                    Err(error) => {
                        ffi::Py_DECREF(tuple);
                        return Err(error);
                    }
                };
            }
            Ok(tuple)
        }
    }

    /// Passes what describes a node, if anything does.
    fn pass_description(&mut self, node: &ResultNode) {
        // SAFETY: what describes nodes lies there in their order.
        unsafe {
            match node.kind {
                ResultNode::RECORD => _ = self.described.text(),
                ResultNode::OBJECT if node.rank != 0 => self.described.pass(),
                _ => {}
            }
        }
    }

    /// An instance of a class, as a text describes it.
    fn record(&mut self, described: &CStr, n_fields: usize) -> PyResult<*mut PyObject> {
        let fields = self.tuple(n_fields)?;
        self.one.instance(described, fields)
    }

    fn list(&mut self, n_members: usize) -> PyResult<*mut PyObject> {
        // SAFETY: the members are new references that the list takes over.
        unsafe {
            let list = ffi::PyList_New(n_members as isize);
            if list.is_null() {
                return Err(PyErr::fetch(self.py));
            }
            for index in 0..n_members {
                match self.node() {
                    Ok(member) => ffi::PyList_SetItem(list, index as isize, member),
                    Err(error) => {
                        ffi::Py_DECREF(list);
                        return Err(error);
                    }
                };
            }
            Ok(list)
        }
    }
}

impl<'py> Leaf<'_, 'py> {
    /// The object of one leaf; `described`: at what describes it, if its node says that something does.
    fn object(&self, node: &ResultNode, value: &Value, described: Reader) -> PyResult<*mut PyObject> {
        // SAFETY: the interpreter is attached.
        let made = unsafe {
            match (node.kind, value.kind) {
                (ResultNode::PYTHON_SCALAR, _) => scalars::python_object(value.dtype as u8, value.bits),
                (_, Value::SCALAR) => scalars::numpy_object(value.dtype as u8, value.bits),
                (_, Value::ARRAY) => return self.array(node.kind, value),
                (_, Value::OBJECT) => {
                    let described = (node.kind == ResultNode::OBJECT && node.rank != 0).then_some(described);
                    let made = self.with_objects(|objects| objects.made_of(value.array.buffer, described));
                    release(value.array.buffer, value.kind);
                    return made;
                }
                _ => new_reference(ffi::Py_None()),
            }
        };
        if made.is_null() { Err(PyErr::fetch(self.py)) } else { Ok(made) }
    }

    /// Runs what makes objects of Python's of the runtime's.
    fn with_objects<T>(&self, run: impl FnOnce(&Objects<'_, 'py>) -> T) -> T {
        let array = |value: &Value| self.member(value);
        let instance = |described: &CStr, fields: *mut PyObject| self.instance(described, fields);
        run(&Objects { py: self.py, made: self.made, array: &array, instance: &instance })
    }

    /// An instance of a class, of a text as [`numptx_abi::Overload::results`] has it and the tuple of its fields, which is taken over.
    fn instance(&self, described: &CStr, fields: *mut PyObject) -> PyResult<*mut PyObject> {
        let described = described.to_string_lossy();
        let mut names = described.split_ascii_whitespace();
        let class = names.next().unwrap_or_default();
        // SAFETY: the tuple is a reference of our own, the module lives as long as its functions are called.
        unsafe {
            let made = instance(self.module, class, names, fields);
            ffi::Py_DECREF(fields);
            if made.is_null() { Err(PyErr::fetch(self.py)) } else { Ok(made) }
        }
    }

    /// The array that a value views, of the arguments, or in a list of them; borrowed.
    fn viewed(&self, value: &Value) -> Option<*mut PyObject> {
        match usize::try_from(value.parameter) {
            Ok(leaf) => self.leaves.object(leaf),
            Err(_) => self.leaves.known()?.array(value.array.buffer),
        }
    }

    /// A member of a list: an array that has all of an argument's elements is that one.
    fn member(&self, value: &Value) -> PyResult<*mut PyObject> {
        match self.viewed(value) {
            // SAFETY: arguments live for the call.
            Some(object) if unsafe { is_array(value, object) } => {
                release(value.array.buffer, value.kind);
                // SAFETY: as above.
                Ok(unsafe { new_reference(object) })
            }
            _ => self.array(ResultNode::ARRAY, value),
        }
    }

    fn array(&self, kind: u8, value: &Value) -> PyResult<*mut PyObject> {
        if value.parameter < 0
            && let Some(object) = self.viewed(value)
        {
            // SAFETY: arguments live for the call.
            let made = match unsafe { is_array(value, object) } {
                // SAFETY: as above.
                true => Ok(unsafe { new_reference(object) }),
                false => self.numpy_view(kind, value, object),
            };
            release(value.array.buffer, value.kind);
            return made;
        }
        let viewed = self.viewed(value);
        match (viewed, self.leaves.family()) {
            (Some(object), _) if value.identity == 1 => {
                release(value.array.buffer, value.kind);
                // SAFETY: arguments live for the call.
                Ok(unsafe { new_reference(object) })
            }
            (Some(object), _) => self.view(kind, value, object),
            (None, Family::NumPy) if value.device < 0 => self.fresh_numpy(kind, value),
            (None, Family::Foreign(example)) => self.fresh_foreign(value, example),
            (None, _) => Ok(fresh(self.py, value)?.into_ptr()),
        }
    }

    /// A view of an argument, of the argument's own family: it has the argument's owner as base.
    fn view(&self, kind: u8, value: &Value, object: *mut PyObject) -> PyResult<*mut PyObject> {
        if self.leaves.family() == Family::NumPy {
            return self.numpy_view(kind, value, object);
        }
        // SAFETY: arguments live for the call.
        let bound = unsafe { Bound::from_borrowed_ptr(self.py, object) };
        if let Ok(parent) = bound.cast::<Array>() {
            return Ok(self.view_of(value, parent)?.into_ptr());
        }
        match self.leaves.imported(object) {
            Some(parent) => self.exported(self.view_of_imported(value, parent, object)?, object),
            // SAFETY: as above.
            None if unsafe { numpy().is_array(object) } => self.numpy_view(kind, value, object),
            None => self.view_of_shown(value, &bound),
        }
    }

    /// A view of an argument that no object of ours was made of; the result carries no reference.
    fn view_of_shown(&self, value: &Value, object: &Bound<'py, PyAny>) -> PyResult<*mut PyObject> {
        let library = Library::of(object).filter(|_| value.read_only == 0);
        if let Some(Library::CuPy(cupy)) = library {
            return cupy.view(object, &value.array, value.data.addr()).map(Bound::into_ptr);
        }
        if let Some(library) = library.filter(|library| self.leaves.follows(*library, value.device)) {
            let view = foreign::viewed(object, value)?;
            match library.give(self.py, &view, ArrayPlace { data: value.data, device: value.device }) {
                Some(given) => return given.map(Bound::into_ptr),
                None => release(view.buffer, Value::ARRAY),
            }
        }
        // See Note [Attached, and known to be] in `call`.
        attached(|_| {
            let parent = foreign::import(object, Purpose::Call)?.ok_or_else(|| {
                PyRuntimeError::new_err("numptx: a call took an array that it cannot import; this is a bug of numptx")
            })?;
            let view = self.view_of(&moved(value, &parent), &parent)?;
            foreign::export(view, object).map(Bound::into_ptr)
        })
    }

    /// A fresh result as an array of the library that `example` is of.
    fn fresh_foreign(&self, value: &Value, example: *mut PyObject) -> PyResult<*mut PyObject> {
        // SAFETY: arguments live for the call.
        let bound = unsafe { Bound::from_borrowed_ptr(self.py, example) };
        if value.read_only == 0
            && !value.array.buffer.is_null()
            && let Some(library) = Library::of(&bound)
            && self.leaves.follows(library, value.device)
            && let Some(given) =
                library.give(self.py, &value.array, ArrayPlace { data: value.data, device: value.device })
        {
            return given.map(Bound::into_ptr);
        }
        self.exported(fresh(self.py, value)?, example)
    }

    /// The result's reference is one to the parent's buffer, and is given back.
    fn view_of(&self, value: &Value, parent: &Bound<'py, Array>) -> PyResult<Bound<'py, Array>> {
        let read_only = value.read_only != 0 || parent.get().is_read_only();
        let view = Array::view_in(parent, &value.array, value.data, read_only);
        // The parent's reference to the buffer serves its views too.
        release(value.array.buffer, value.kind);
        view
    }

    /// A view of an argument that was imported for the call.
    fn view_of_imported(
        &self,
        value: &Value,
        parent: &Bound<'py, Array>,
        object: *mut PyObject,
    ) -> PyResult<Bound<'py, Array>> {
        let known = self.lasting.borrow().iter().find(|(known, _)| *known == object).map(|(_, array)| array.clone());
        // See Note [Attached, and known to be] in `call`.
        let lasting = match known.map_or_else(|| attached(|_| foreign::lasting(parent)), |array| Ok(Some(array))) {
            Ok(Some(array)) => array,
            Ok(None) => return self.view_of(value, parent),
            Err(error) => {
                release(value.array.buffer, value.kind);
                return Err(error);
            }
        };
        self.lasting.borrow_mut().push((object, lasting.clone()));
        let moved = moved(value, &lasting);
        release(value.array.buffer, value.kind);
        self.view_of(&moved, &lasting)
    }

    /// An array as one of the library that `example` is of.
    fn exported(&self, array: Bound<'py, Array>, example: *mut PyObject) -> PyResult<*mut PyObject> {
        // SAFETY: arguments live for the call.
        let example = unsafe { Bound::from_borrowed_ptr(self.py, example) };
        // See Note [Attached, and known to be] in `call`.
        attached(|_| foreign::export(array, &example)).map(Bound::into_ptr)
    }

    /// A view of a NumPy array: NumPy collapses the bases of views, and writeability is inherited.
    fn numpy_view(&self, kind: u8, value: &Value, object: *mut PyObject) -> PyResult<*mut PyObject> {
        // SAFETY: arguments live for the call, and the base made here keeps the elements alive.
        self.made(unsafe {
            match kind {
                ResultNode::DEVICE_SCALAR => numpy().new_scalar(value.array.dtype as u8, value.data),
                _ => {
                    let flags = numpy().fields(object).flags & writeable(value);
                    numpy().new_array(value.array.dtype as u8, axes(value), value.data, flags, new_reference(object))
                }
            }
        })
    }

    /// A NumPy array whose base is a capsule with the result's reference, or a NumPy scalar.
    fn fresh_numpy(&self, kind: u8, value: &Value) -> PyResult<*mut PyObject> {
        // SAFETY: the runtime says where the elements lie; the base made here keeps them alive.
        self.made(unsafe {
            if kind == ResultNode::DEVICE_SCALAR {
                let scalar = numpy().new_scalar(value.array.dtype as u8, value.data);
                release(value.array.buffer, value.kind);
                scalar
            } else {
                match owner(value.array.buffer) {
                    base if base.is_null() => base,
                    base => numpy().new_array(value.array.dtype as u8, axes(value), value.data, writeable(value), base),
                }
            }
        })
    }

    fn made(&self, object: *mut PyObject) -> PyResult<*mut PyObject> {
        if object.is_null() { Err(PyErr::fetch(self.py)) } else { Ok(object) }
    }
}

/// A `numptx.Array` of a fresh buffer, whose reference it takes over.
fn fresh<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, Array>> {
    if value.array.buffer.is_null() {
        return Err(PyRuntimeError::new_err(
            "numptx: a call returned an array without memory; this is a bug of numptx",
        ));
    }
    let mut parts = Parts::fresh(value.data, value.device);
    parts.read_only = value.read_only != 0;
    Bound::new(py, Array::new(value.array, parts))
}

/// The same elements in the buffer of another array over the same memory, with a reference to that.
fn moved(value: &Value, to: &Bound<'_, Array>) -> Value {
    let (mut moved, whole) = (*value, to.get());
    moved.array.buffer = whole.view().buffer;
    moved.array.offset = whole.view().offset + (value.data.addr() as i64 - whole.address().addr() as i64);
    // SAFETY: the array holds a reference.
    unsafe { (runtime::table().retain)(moved.array.buffer) };
    moved
}

/// An instance of the class that a module has by this name; null with an exception set on failure. Where there are names, fields are given by them.
///
/// # Safety
/// The module and the tuple are live objects.
unsafe fn instance<'n>(
    module: *mut PyObject,
    class: &str,
    names: impl Iterator<Item = &'n str>,
    fields: *mut PyObject,
) -> *mut PyObject {
    let text = |text: &str| {
        // SAFETY: the interpreter is attached.
        unsafe { ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize) }
    };
    // SAFETY: objects are live as long as they are used, and each new reference is given back.
    unsafe {
        let name = text(class);
        if name.is_null() {
            return name;
        }
        let class = ffi::PyObject_GetAttr(module, name);
        ffi::Py_DECREF(name);
        if class.is_null() {
            return class;
        }
        let mut named: *mut PyObject = std::ptr::null_mut();
        let mut is_complete = true;
        for (index, name) in names.enumerate() {
            if named.is_null() {
                named = ffi::PyDict_New();
            }
            let name = text(name);
            is_complete = !named.is_null()
                && !name.is_null()
                && ffi::PyDict_SetItem(named, name, ffi::PyTuple_GetItem(fields, index as isize)) == 0;
            ffi::Py_XDECREF(name);
            if !is_complete {
                break;
            }
        }
        let none = if named.is_null() { std::ptr::null_mut() } else { ffi::PyTuple_New(0) };
        let given = if named.is_null() { fields } else { none };
        let made = match is_complete && !given.is_null() {
            true => ffi::PyObject_Call(class, given, named),
            false => std::ptr::null_mut(),
        };
        ffi::Py_XDECREF(none);
        ffi::Py_XDECREF(named);
        ffi::Py_DECREF(class);
        made
    }
}

/// Whether a node is no leaf.
fn is_group(kind: u8) -> bool {
    matches!(kind, ResultNode::NONE | ResultNode::TUPLE | ResultNode::LIST | ResultNode::RECORD)
}

/// Extents and strides.
fn axes(value: &Value) -> (&[i64], &[i64]) {
    let rank = value.array.rank as usize;
    (&value.array.shape[..rank], &value.array.strides[..rank])
}

/// Gives back the reference that a result carries.
fn release(buffer: *mut Buffer, kind: u32) {
    if matches!(kind, Value::ARRAY | Value::OBJECT) && !buffer.is_null() {
        // SAFETY: the result carried one reference, and nobody took it over.
        unsafe { (runtime::table().release)(buffer) };
    }
}

/// A capsule that holds one reference to a buffer, taken over; null with an exception set on failure.
pub(crate) fn owner(buffer: *mut Buffer) -> *mut PyObject {
    unsafe extern "C" fn destroy(capsule: *mut PyObject) {
        // SAFETY: the capsule was made below.
        unsafe {
            let buffer = ffi::PyCapsule_GetPointer(capsule, OWNER_NAME.as_ptr());
            (runtime::table().release)(buffer.cast());
        }
    }
    // SAFETY: the name is static; the interpreter is attached.
    unsafe {
        let capsule = ffi::PyCapsule_New(buffer.cast(), OWNER_NAME.as_ptr(), Some(destroy));
        if capsule.is_null() {
            (runtime::table().release)(buffer);
        }
        capsule
    }
}

const OWNER_NAME: &std::ffi::CStr = c"numptx.buffer";

/// NumPy's flag of an array that may be written, unless the result is a view through which nothing may.
fn writeable(value: &Value) -> std::ffi::c_int {
    if value.read_only == 0 { numpy::WRITEABLE } else { 0 }
}
