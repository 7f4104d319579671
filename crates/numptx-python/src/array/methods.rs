//! What Python sees of `numptx.Array`: attributes, indexing, conversions, and the protocols of arrays.

use numptx_abi::dtype;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};
use pyo3::types::{PyDict, PyTuple};

use super::{Array, assignment, conversion, display, operators};
use crate::numpy::numpy;
use crate::{devices, dlpack, exchange, indexing, interrupt, layout, memory_view, results, runtime, scalars};

#[pymethods]
impl Array {
    /// The extents.
    #[getter(shape)]
    pub(super) fn py_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shape())
    }

    /// Bytes to the next element along each axis.
    #[getter(strides)]
    fn py_strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.strides())
    }

    /// A `numpy.dtype`.
    #[getter(dtype)]
    pub(super) fn py_dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        // SAFETY: descriptors are never given back.
        unsafe { Bound::from_borrowed_ptr(py, numpy().descr(self.dtype_code())) }
    }

    /// Number of axes.
    #[getter]
    fn ndim(&self) -> u32 {
        self.view.rank
    }

    /// Number of elements.
    #[getter]
    fn size(&self) -> i64 {
        layout::size(self.shape())
    }

    /// Bytes of an element.
    #[getter(itemsize)]
    fn py_itemsize(&self) -> i64 {
        self.itemsize()
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> i64 {
        layout::size(self.shape()) * self.itemsize()
    }

    /// `"cpu"`, or `"cuda:0"`.
    #[getter]
    fn device(&self) -> String {
        devices::name(self.device)
    }

    /// What this is a view of, or `None`.
    #[getter]
    fn base(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.open()?.base.as_ref().map(|base| base.clone_ref(py)))
    }

    /// Gives the memory back, after the work under way, unless views of it are alive: then it goes with the last of these, of NumPy's and other
    /// libraries' as well. A later use of the array raises `ValueError`; its shape, dtype and device remain.
    fn close(&self) {
        self.held.close();
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.held.is_closed()
    }

    /// The array itself, which is closed when the block ends.
    fn __enter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        this.get().open()?;
        Ok(this.clone())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) -> bool {
        self.held.close();
        false
    }

    /// The transposed view.
    #[getter(T)]
    fn transposed<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let reversed = |axes: &[i64]| axes.iter().rev().copied().collect::<Vec<_>>();
        Array::sub_view(this, &reversed(this.get().shape()), &reversed(this.get().strides()), 0)
    }

    /// The elements as a NumPy array: a copy of device memory, a view of host memory.
    pub(super) fn to_host<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, array) = (this.py(), this.get());
        if array.device < 0 {
            array.settle(py)?;
            return Array::numpy_view(this);
        }
        let copy = array.copy_to(py, -1)?;
        // SAFETY: the copy holds a reference, and this one goes to the capsule.
        unsafe { (runtime::table().retain)(copy.view.buffer) };
        let owner = results::owner(copy.view.buffer);
        if owner.is_null() {
            return Err(PyErr::fetch(py));
        }
        copy.as_numpy(py, owner)
    }

    /// The same elements on another device; the array itself if it is there.
    fn to(this: &Bound<'_, Self>, device: devices::DeviceName) -> PyResult<Py<Self>> {
        let ordinal = devices::placement(device)?;
        let _open = this.get().open()?;
        if ordinal == this.get().device {
            return Ok(this.clone().unbind());
        }
        Py::new(this.py(), this.get().copy_to(this.py(), ordinal)?)
    }

    /// As `to_host`, by PyTorch's name.
    fn numpy<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Array::to_host(this)
    }

    /// As `to_host`, by CuPy's name.
    fn get<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Array::to_host(this)
    }

    /// Copies the elements of `source` into this array's memory: an array of the same shape and dtype, on any device. Waits for it, but where a device
    /// copies from page-locked memory of `numptx.empty(…, pinned=True)`: that goes on in the order of the stream.
    fn copy_from(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        assignment::copy_from(self, source)
    }

    /// The same elements under other extents: a view where NumPy gives one, else a copy. `array.reshape(2, 3)` and `array.reshape((2, 3))`; one extent may
    /// be -1. `order` is "C", "F" or "A". `copy`: `True` always copies, `False` raises `ValueError` where a copy would be needed.
    #[pyo3(signature = (*shape, order="C", copy=None))]
    fn reshape<'py>(
        this: &Bound<'py, Self>,
        shape: &Bound<'py, PyTuple>,
        order: &str,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, Self>> {
        conversion::reshape(this, shape, order, copy)
    }

    /// A copy of another dtype in the same place, cast as NumPy does; elements of a device are converted on the host. With `copy=False` the array itself
    /// where it is of that dtype and lies in that order.
    #[pyo3(signature = (dtype, *, order="K", casting="unsafe", copy=true))]
    fn astype<'py>(
        this: &Bound<'py, Self>,
        dtype: &Bound<'py, PyAny>,
        order: &str,
        casting: &str,
        copy: bool,
    ) -> PyResult<Bound<'py, Self>> {
        conversion::astype(this, dtype, (order, casting, copy))
    }

    /// A copy in the same place, whose elements lie in an order: "C", "F", "A", or "K", as they lie here.
    #[pyo3(signature = (order="C"))]
    fn copy(&self, py: Python<'_>, order: &str) -> PyResult<Self> {
        conversion::copy(self, py, order)
    }

    /// The one element of an array of size 1, as a Python number.
    pub(super) fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if layout::size(self.shape()) != 1 {
            return Err(PyValueError::new_err("can only convert an array of size 1 to a Python scalar"));
        }
        let host = self.copy_to(py, -1)?;
        // SAFETY: the copy has one element in host memory; the interpreter is attached.
        unsafe {
            let bits = scalars::bits_from_element(self.dtype_code(), host.data);
            Bound::from_owned_ptr_or_err(py, scalars::python_object(self.dtype_code(), bits))
        }
    }

    fn __float__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyFloat>().call1((self.item(py)?,))
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyInt>().call1((self.item(py)?,))
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.shape().is_empty() || !(dtype::INT8..=dtype::UINT64).contains(&self.dtype_code()) {
            return Err(PyTypeError::new_err("only integer arrays of rank 0 can be converted to an index"));
        }
        self.item(py)
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyComplex>().call1((self.item(py)?,))
    }

    /// The truth of the one element; of more or none NumPy's error.
    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        match layout::size(self.shape()) {
            1 => self.item(py)?.is_truthy(),
            0 => Err(PyValueError::new_err("the truth value of an empty array is ambiguous: ask for array.size > 0")),
            _ => Err(PyValueError::new_err(
                "the truth value of an array with more than one element is ambiguous: \
                 use array.to_host().any() or .all(), or a function compiled by numptx",
            )),
        }
    }

    fn __len__(&self) -> PyResult<usize> {
        match self.shape().first() {
            Some(&extent) => Ok(extent as usize),
            None => Err(PyTypeError::new_err("len() of unsized object")),
        }
    }

    /// The views along the first axis, one after the other; nothing is copied.
    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if this.get().shape().is_empty() {
            return Err(PyTypeError::new_err("iteration over a 0-d array"));
        }
        // SAFETY: a live object that has items; the answer is a new reference or null.
        unsafe { Bound::from_owned_ptr_or_err(this.py(), pyo3::ffi::PySeqIter_New(this.as_ptr())) }
    }

    /// The same views, the last one first.
    fn __reversed__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (shape, mut strides) = (this.get().shape(), this.get().strides().to_vec());
        let Some(first) = strides.first_mut() else { return Array::__iter__(this) };
        let last = (shape[0] - 1).max(0) * *first;
        *first = -*first;
        Array::__iter__(&Array::sub_view(this, shape, &strides, last)?)
    }

    fn __getitem__<'py>(this: &Bound<'py, Self>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let taken = indexing::basic(index, this.get().shape(), this.get().strides())?;
        Array::sub_view(this, &taken.shape, &taken.strides, taken.offset)
    }

    /// NumPy's assignment: what is assigned is broadcast and converted, also between devices.
    fn __setitem__(this: &Bound<'_, Self>, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        assignment::assign(this, index, value)
    }

    fn __delitem__(&self, _index: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyValueError::new_err("cannot delete array elements"))
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        display::repr(this)
    }

    fn __format__(this: &Bound<'_, Self>, spec: &str) -> PyResult<String> {
        display::format(this, spec)
    }

    /// NumPy's protocol: host memory only, since nothing moves from a device unasked.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        this: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = this.get();
        if array.device >= 0 {
            return Err(PyTypeError::new_err(format!(
                "implicit conversion of an array on {} to a NumPy array is refused: call .to_host()",
                devices::name(array.device)
            )));
        }
        array.settle(this.py())?;
        let view = Array::numpy_view(this)?;
        let wanted = dtype.unwrap_or_else(|| array.py_dtype(this.py()));
        let options = PyDict::new(this.py());
        options.set_item("dtype", wanted)?;
        options.set_item("copy", copy)?;
        this.py().import("numpy")?.call_method(intern!(this.py(), "array"), (view,), Some(&options))
    }

    /// NumPy's ufuncs, and the operators of its arrays, leave this type alone: arithmetic is what kernels are for.
    #[pyo3(signature = (ufunc, method, *_inputs, **_options))]
    fn __array_ufunc__(
        &self,
        ufunc: &Bound<'_, PyAny>,
        method: &str,
        _inputs: &Bound<'_, PyTuple>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        Err(operators::refused_ufunc(ufunc, method))
    }

    /// DLPack's functions in C.
    #[classattr]
    fn __dlpack_c_exchange_api__(py: Python<'_>) -> PyResult<Py<PyAny>> {
        exchange::capsule(py).map(Bound::unbind)
    }

    /// The buffer protocol, of host memory.
    ///
    /// # Safety
    /// CPython passes a view to fill, or null.
    unsafe fn __getbuffer__(this: Bound<'_, Self>, view: *mut pyo3::ffi::Py_buffer, flags: i32) -> PyResult<()> {
        let _open = this.get().open()?;
        // SAFETY: as this function's.
        unsafe { memory_view::fill(&this, view, flags) }?;
        this.get().held.stay();
        Ok(())
    }

    /// The end of a view that `__getbuffer__` filled.
    ///
    /// # Safety
    /// CPython calls this once for each of them.
    unsafe fn __releasebuffer__(&self, _view: *mut pyo3::ffi::Py_buffer) {
        self.held.leave();
    }

    /// Pickles go through the host: the elements, and where they belong.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let restore = py.import("numptx._arrays")?.getattr(intern!(py, "restored"))?;
        let place = devices::name(this.get().device);
        let state = (Array::to_host(this)?, place, this.get().read_only).into_pyobject(py)?;
        PyTuple::new(py, [restore, state.into_any()])
    }

    /// A copy in the same place.
    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy_to(py, self.device)
    }

    /// As `__copy__`: elements are numbers.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy_to(py, self.device)
    }

    /// Bytes of the object, and of its elements, wherever they lie, unless they are another object's.
    fn __sizeof__(this: &Bound<'_, Self>) -> PyResult<usize> {
        let object: usize = this.get_type().getattr(intern!(this.py(), "__basicsize__"))?.extract()?;
        let is_owner = this.get().held.look().is_some_and(|memory| memory.base.is_none());
        let elements = if is_owner { this.get().nbytes() } else { 0 };
        Ok(object + elements as usize)
    }

    /// What Python's collector of cycles sees. See Note [Cycles] in `array`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Some(memory) = self.held.look() else { return Ok(()) };
        visit.call(&memory.base)?;
        visit.call(&memory.root)?;
        if let Some(producer) = &memory.producer {
            producer.traverse(&visit)?;
        }
        if memory.is_base_kept && memory.root.is_none() && !interrupt::is_anybody_detached() && memory.is_alone() {
            visit.call(&memory.base)?;
        }
        Ok(())
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.device < 0 {
            return Err(PyAttributeError::new_err("an array in host memory has no __cuda_array_interface__"));
        }
        // The legacy default stream is what consumers order themselves after.
        self.share_with(py, 1)?;
        // Who takes the memory so keeps the array, and nobody is told when that ends.
        self.stay()?;
        let interface = PyDict::new(py);
        interface.set_item("shape", self.py_shape(py)?)?;
        interface.set_item("typestr", self.py_dtype(py).getattr(intern!(py, "str"))?)?;
        interface.set_item("data", (self.data as usize, self.read_only))?;
        interface.set_item("strides", self.py_strides(py)?)?;
        interface.set_item("stream", 1)?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    /// DLPack: `(device type, device id)`.
    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::device(self.device)
    }

    /// DLPack: a capsule over this memory. `stream` is the consumer's, by the protocol's number or as an object with `__cuda_stream__`.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        this: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stream = stream.map(dlpack::stream_number).transpose()?;
        dlpack::export(this, dlpack::Request { stream, max_version, device: dl_device, copy })
    }
}
