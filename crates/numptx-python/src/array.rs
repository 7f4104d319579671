//! `numptx.Array`: an array in the memory of a device, or of the host.
//!
//! A view of a runtime buffer, by value: it holds one reference to the buffer, and the object that it is a view of, until it is closed or goes.
//! It computes nothing; kernels do, and `to_host` brings its elements to NumPy.

mod assignment;
mod conversion;
mod copies;
mod display;
mod methods;
mod operators;

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

use numptx_abi::{self as abi, dtype};
use pyo3::exceptions::PyValueError;
use pyo3::ffi::{PyObject, PyTypeObject};
use pyo3::prelude::*;

use crate::closable::{Closable, OpenGuard};
use crate::numpy::{self, numpy};
use crate::producers::Producer;
use crate::streams::SendPointer;
use crate::{errors, layout, runtime, streams};

/// An array in the memory of a device, or of the host.
///
/// Made by `numptx.asarray` and by compiled functions that were called with one. `to_host()` gives a NumPy array; basic
/// indexing gives views; CuPy, PyTorch and JAX take it through `from_dlpack` without a copy. `close()` and the end of `with array:` give its memory back
/// at once, unless views of it are alive.
#[pyclass(frozen, weakref, module = "numptx", name = "Array")]
pub(crate) struct Array {
    view: abi::Array,
    data: *mut c_void,
    device: i32,
    read_only: bool,
    held: Closable<Memory>,
}

// SAFETY: the view's buffer is used by those alone who have the array open; the fields never change.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

/// What an array keeps.
pub(crate) struct Memory {
    buffer: *mut abi::Buffer,
    base: Option<Py<PyAny>>,
    /// The array whose reference to the buffer this view shares, and has open; `None`: it has one of its own. See Note [Cycles].
    root: Option<Py<Array>>,
    /// The buffer, too, holds a reference to `base`.
    is_base_kept: bool,
    /// The stream on which the producer of foreign memory works, if that is not the default stream's order.
    producer: Option<Producer>,
}

// SAFETY: buffers are reference-counted atomically by the runtime and may be let go on any thread.
unsafe impl Send for Memory {}
// SAFETY: nothing is changed through a shared reference.
unsafe impl Sync for Memory {}

/// What belongs to an array besides its view.
pub(crate) struct Parts {
    /// Address of element `[0, …, 0]`.
    pub data: *mut c_void,
    /// -1: host memory.
    pub device: i32,
    pub read_only: bool,
    /// What this is a view of.
    pub base: Option<Py<PyAny>>,
}

impl Parts {
    /// Of an array over memory of its own.
    pub fn fresh(data: *mut c_void, device: i32) -> Parts {
        Parts { data, device, read_only: false, base: None }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        match &self.root {
            Some(root) => root.get().held.leave(),
            // SAFETY: the array holds one reference.
            None => unsafe { (runtime::table().release)(self.buffer) },
        }
    }
}

impl Memory {
    /// The stream on which another library works with the memory, where calls have to order themselves after it.
    pub fn producer(&self) -> Option<&Producer> {
        self.producer.as_ref()
    }

    /// What views of the array that keeps this have as base: its own base, as NumPy collapses views of views, or the array itself.
    pub fn owner(&self, array: &Bound<'_, Array>) -> Py<PyAny> {
        let base = self.base.as_ref();
        base.map_or_else(|| array.clone().into_any().unbind(), |base| base.clone_ref(array.py()))
    }

    /// Whether nobody else holds the buffer.
    fn is_alone(&self) -> bool {
        let mut info =
            abi::BufferInfo { data: std::ptr::null_mut(), bytes: 0, device: -1, read_only: 0, references: 0 };
        // SAFETY: there is a reference.
        unsafe { (runtime::table().buffer_info)(self.buffer, &mut info) };
        info.references == 1
    }
}

impl Array {
    /// Takes over the reference that `view.buffer` carries.
    pub fn new(view: abi::Array, parts: Parts) -> Self {
        let memory = Memory { buffer: view.buffer, base: parts.base, root: None, is_base_kept: false, producer: None };
        Array { view, data: parts.data, device: parts.device, read_only: parts.read_only, held: Closable::new(memory) }
    }

    /// The same array, fresh as it is, whose buffer holds a reference to its base.
    pub fn with_base_kept(self) -> Self {
        let mut kept = self;
        if let Some(memory) = kept.held.of_fresh() {
            memory.is_base_kept = true;
        }
        kept
    }

    /// The same array, fresh as it is, to be used after what its producer has put on a stream.
    pub fn after(self, producer: Option<Producer>) -> Self {
        let mut ordered = self;
        if let Some(memory) = ordered.held.of_fresh() {
            memory.producer = producer;
        }
        ordered
    }

    /// What it keeps, unless it was closed; until the answer goes, nobody takes that away.
    #[inline]
    pub fn open(&self) -> PyResult<OpenGuard<'_, Memory>> {
        self.held.open("numptx.Array")
    }

    /// Has it open until [`Array::leave`].
    #[inline]
    pub fn stay(&self) -> PyResult<()> {
        self.held.enter("numptx.Array")
    }

    /// What a short look at what it keeps tells, unless it was closed. See [`Closable::glance`].
    #[inline]
    pub fn glance<R>(&self, look: impl FnOnce(&Memory) -> R) -> PyResult<R> {
        self.held.glance("numptx.Array", look)
    }

    /// Ends what [`Array::stay`] began.
    #[inline]
    pub fn leave(&self) {
        self.held.leave();
    }

    /// A view of a buffer of `parent`'s, which is open, without a reference of its own.
    pub fn view_in<'py>(
        parent: &Bound<'py, Self>,
        view: &abi::Array,
        data: *mut c_void,
        read_only: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, array) = (parent.py(), parent.get());
        let open = array.open()?;
        let root = open.root.as_ref().map_or_else(|| parent.clone().unbind(), |root| root.clone_ref(py));
        root.get().held.stay();
        let memory = Memory {
            buffer: view.buffer,
            base: Some(open.owner(parent)),
            root: Some(root),
            is_base_kept: false,
            // The producer may have work with the memory that no call has waited for.
            producer: open.producer.as_ref().map(|producer| producer.clone_ref(py)),
        };
        // Made where it stays: it is large.
        Bound::new(py, Array { view: *view, data, device: array.device, read_only, held: Closable::new(memory) })
    }

    /// A fresh array; its elements are undefined.
    pub fn empty(py: Python<'_>, code: u8, (shape, strides): (&[i64], &[i64]), device: i32) -> PyResult<Self> {
        let mut view = view_of(code, shape, strides)?;
        let itemsize = i64::from(dtype::ITEMSIZE[usize::from(code)]);
        if let Some(fault) = layout::fault(shape, strides, itemsize) {
            return Err(PyValueError::new_err(format!("the array cannot be: {fault}")));
        }
        let bytes = layout::size(shape) * itemsize;
        let (stream, buffer) = (SendPointer(streams::current_or_default()), SendPointer(&raw mut view.buffer));
        // SAFETY: the stream and the out-parameters are alive.
        let new = move |table: &abi::RuntimeTable, error| unsafe {
            (table.buffer_new)(device, bytes, stream.get(), buffer.get(), error)
        };
        if device < 0 {
            let mut error = errors::empty();
            let status = new(runtime::table(), &mut error);
            errors::check(py, status, &error)?;
        } else {
            // The device may have to be waited for until there is memory.
            streams::quietly_detached(py, new)?;
        }
        Ok(Array::new(view, Parts::fresh(address(&view), device)))
    }

    pub fn view(&self) -> &abi::Array {
        &self.view
    }

    pub fn shape(&self) -> &[i64] {
        &self.view.shape[..self.view.rank as usize]
    }

    pub fn strides(&self) -> &[i64] {
        &self.view.strides[..self.view.rank as usize]
    }

    pub fn dtype_code(&self) -> u8 {
        self.view.dtype as u8
    }

    pub fn device_ordinal(&self) -> i32 {
        self.device
    }

    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// An error that says whose array it is, unless the elements may be written. `writer`: what would write, as users call it.
    pub fn check_writable(&self, py: Python<'_>, writer: &str) -> PyResult<()> {
        if !self.read_only {
            return Ok(());
        }
        let base = self.open()?.base.as_ref().map(|base| base.clone_ref(py));
        Err(crate::read_only::refused_copy(py, writer, base))
    }

    /// Address of element `[0, …, 0]`.
    pub fn address(&self) -> *mut c_void {
        self.data
    }

    fn itemsize(&self) -> i64 {
        i64::from(dtype::ITEMSIZE[usize::from(self.dtype_code())])
    }

    /// A view of this one, `offset` bytes after its element `[0, …, 0]`.
    pub fn sub_view<'py>(
        this: &Bound<'py, Self>,
        shape: &[i64],
        strides: &[i64],
        offset: i64,
    ) -> PyResult<Bound<'py, Self>> {
        let parent = this.get();
        let mut view = view_of(parent.dtype_code(), shape, strides)?;
        view.buffer = parent.view.buffer;
        view.offset = parent.view.offset + offset;
        let data = parent.data.wrapping_byte_offset(offset as isize);
        Array::view_in(this, &view, data, parent.read_only)
    }

    /// Makes a consumer's stream (the driver's handle) wait for what was done with the memory, by its producer too.
    pub fn share_with(&self, py: Python<'_>, consumer: usize) -> PyResult<()> {
        let open = self.open()?;
        if self.device < 0 {
            return Ok(());
        }
        if let Some(producer) = &open.producer {
            producer.come_before(py, consumer, self.device)?;
        }
        let buffer = streams::SendPointer(self.view.buffer);
        // It may wait for the device.
        streams::detached(py, move |table, error| {
            // SAFETY: the buffer is alive; the consumer vouches for its stream.
            unsafe { (table.buffer_share)(buffer.get(), consumer as *mut c_void, error) }
        })
    }

    /// A NumPy array over this one's host memory, which a view of it as base keeps, though this one is closed.
    fn numpy_view<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let array = this.get();
        let whole = Array::view_in(this, &array.view, array.data, array.read_only)?;
        array.as_numpy(this.py(), whole.into_ptr())
    }

    /// A NumPy array over this one's host memory, which `base` keeps alive.
    fn as_numpy<'py>(&self, py: Python<'py>, base: *mut pyo3::ffi::PyObject) -> PyResult<Bound<'py, PyAny>> {
        let flags = if self.read_only { 0 } else { numpy::WRITEABLE };
        // SAFETY: the buffer holds the elements, and `base` holds the buffer.
        unsafe {
            let array = numpy().new_array(self.dtype_code(), (self.shape(), self.strides()), self.data, flags, base);
            Bound::from_owned_ptr_or_err(py, array)
        }
    }
}

/// The type, found once, so that calls tell arrays by its address.
static CLASS: AtomicPtr<PyTypeObject> = AtomicPtr::new(std::ptr::null_mut());

/// The array that an object is, if it is one of ours.
///
/// # Safety
/// The object is alive as long as the reference to it.
pub(crate) unsafe fn of_ours<'a>(py: Python<'_>, object: &'a *mut PyObject) -> Option<&'a Array> {
    // SAFETY: alive, as the caller promises; the type has no subclasses.
    unsafe {
        let is_ours = pyo3::ffi::Py_TYPE(*object) == CLASS.load(Ordering::Relaxed);
        is_ours.then(|| {
            let borrowed = pyo3::Borrowed::from_ptr(py, *object);
            let array: *const Array = borrowed.cast_unchecked::<Array>().get();
            &*array
        })
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<Array>()?;
    let class = native.py().get_type::<Array>();
    operators::register(&class)?;
    CLASS.store(class.as_type_ptr(), Ordering::Relaxed);
    native.add_function(wrap_pyfunction!(read_only, native)?)
}

/// A view without a buffer.
pub(crate) fn view_of(code: u8, shape: &[i64], strides: &[i64]) -> PyResult<abi::Array> {
    if shape.len() > abi::MAX_RANK {
        return Err(PyValueError::new_err(format!(
            "numptx arrays have at most {} axes, found {}",
            abi::MAX_RANK,
            shape.len()
        )));
    }
    let mut view = abi::Array {
        buffer: std::ptr::null_mut(),
        offset: 0,
        rank: shape.len() as u32,
        dtype: u32::from(code),
        shape: [0; abi::MAX_RANK],
        strides: [0; abi::MAX_RANK],
    };
    view.shape[..shape.len()].copy_from_slice(shape);
    view.strides[..strides.len()].copy_from_slice(strides);
    Ok(view)
}

/// Address of element `[0, …, 0]` of a view.
pub(crate) fn address(view: &abi::Array) -> *mut c_void {
    let mut info = abi::BufferInfo { data: std::ptr::null_mut(), bytes: 0, device: -1, read_only: 0, references: 0 };
    // SAFETY: the view's buffer is alive.
    unsafe { (runtime::table().buffer_info)(view.buffer, &mut info) };
    info.data.wrapping_byte_offset(view.offset as isize)
}

/// The same elements, which may not be written through what is returned; nobody's view.
#[pyfunction]
pub(crate) fn read_only(array: &Bound<'_, Array>) -> PyResult<Array> {
    let (py, array) = (array.py(), array.get());
    let open = array.open()?;
    // SAFETY: the array holds a reference.
    unsafe { (runtime::table().retain)(array.view.buffer) };
    let mut parts = Parts::fresh(array.data, array.device);
    parts.read_only = true;
    let producer = open.producer.as_ref().map(|producer| producer.clone_ref(py));
    Ok(Array::new(array.view, parts).after(producer))
}

// Note [Cycles]
// An object may keep an array over its own memory: the array keeps the object as its base, and so does the buffer, which graphs and other libraries
// may hold besides the array. The buffer's reference is told to the collector only where nobody but the array holds the buffer: views share the
// reference of the array that they come from. The collector asks twice and has to get the same answer, so nothing is told while a thread is inside
// of the runtime without the interpreter's lock, where it may take references. There is nothing to clear: what an array keeps is older than the
// array, so that every cycle goes through an object that was changed later and can be cleared itself. The same holds of streams and their owners.
