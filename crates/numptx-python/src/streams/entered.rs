//! The streams of a thread's `with` blocks: calls run on the innermost one's.

use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;

use numptx_abi as abi;
use pyo3::prelude::*;

use super::Stream;

thread_local! {
    /// The streams of this thread's `with` blocks, innermost last, with a reference each. Never dropped: that could need the interpreter.
    static ENTERED: RefCell<ManuallyDrop<Vec<Py<Stream>>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
    /// The innermost one.
    static CURRENT: Cell<Option<Place>> = const { Cell::new(None) };
}

/// A stream and its device.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub stream: *mut abi::Stream,
    pub device: i32,
}

/// The stream of the innermost `with` block.
pub(crate) fn current() -> Option<Place> {
    CURRENT.get()
}

/// The same, or the legacy default stream, as the runtime takes it.
pub(crate) fn current_or_default() -> *mut abi::Stream {
    CURRENT.get().map_or(std::ptr::null_mut(), |place| place.stream)
}

/// The driver's handle of the stream that calls on a device run on now: of the innermost `with` block there; 1 for the legacy default stream.
pub(crate) fn current_handle(device: i32) -> usize {
    ENTERED.with_borrow(|entered| {
        let innermost = entered.last().map(|stream| stream.get());
        innermost.filter(|stream| stream.device == device).map_or(1, |stream| stream.handle)
    })
}

/// Enters a stream's block.
pub(crate) fn enter(stream: &Bound<'_, Stream>) {
    let found = stream.get();
    ENTERED.with_borrow_mut(|entered| entered.push(stream.clone().unbind()));
    CURRENT.set(Some(Place { stream: found.stream, device: found.device }));
}

/// Leaves the innermost block of a stream.
pub(crate) fn leave(py: Python<'_>, stream: &Stream) {
    let left = ENTERED.with_borrow_mut(|entered| {
        let at = entered.iter().rposition(|known| std::ptr::eq(known.get(), stream))?;
        Some(entered.remove(at))
    });
    let outer = ENTERED.with_borrow(|entered| entered.last().map(|outer| outer.get().place()));
    CURRENT.set(outer);
    if let Some(left) = left {
        left.drop_ref(py);
    }
}

/// The stream of the innermost `with` block of this thread; `None` outside of one.
#[pyfunction]
pub(super) fn current_stream(py: Python<'_>) -> Option<Py<Stream>> {
    ENTERED.with_borrow(|entered| entered.last().map(|stream| stream.clone_ref(py)))
}
