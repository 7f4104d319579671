//! The streams of a thread's `with` blocks: calls run on the innermost one's.

use std::cell::Cell;

use numptx_abi as abi;
use pyo3::prelude::*;

use super::Stream;
use crate::threads;

thread_local! {
    /// The innermost one.
    static CURRENT: Cell<Option<Place>> = const { Cell::new(None) };
}

/// A stream and its device.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub stream: *mut abi::Stream,
    pub device: i32,
}

/// A stream of a block. It is open as long as that lasts, also where somebody closes the stream in it.
pub(crate) struct StreamBlock(Py<Stream>);

impl Drop for StreamBlock {
    fn drop(&mut self) {
        self.0.get().held.leave();
    }
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
    let found = threads::kept_so_far(|kept| {
        let entered = kept.entered.borrow();
        let innermost = entered.last().map(|stream| stream.0.get());
        innermost.filter(|stream| stream.device == device).map(|stream| stream.handle)
    });
    found.flatten().unwrap_or(1)
}

/// Enters a stream's block.
pub(crate) fn enter(stream: &Bound<'_, Stream>) -> PyResult<()> {
    let found = stream.get();
    let open = found.open()?;
    let place = Place { stream: open.stream, device: found.device };
    threads::kept(stream.py(), |kept| {
        found.held.stay();
        kept.entered.borrow_mut().push(StreamBlock(stream.clone().unbind()));
    })?;
    CURRENT.set(Some(place));
    Ok(())
}

/// Leaves the innermost block of a stream; whether this thread was in one.
pub(crate) fn leave(stream: &Stream) -> bool {
    let left = threads::kept_so_far(|kept| {
        let mut entered = kept.entered.borrow_mut();
        let at = entered.iter().rposition(|known| std::ptr::eq(known.0.get(), stream))?;
        let left = entered.remove(at);
        CURRENT.set(entered.last().and_then(|outer| outer.0.get().place_if_there()));
        Some(left)
    });
    // May run Python code.
    left.flatten().is_some()
}

/// The thread's blocks are forgotten.
pub(crate) fn leave_all() {
    CURRENT.set(None);
}

/// The stream of the innermost `with` block of this thread; `None` outside of one.
#[pyfunction]
pub(super) fn current_stream(py: Python<'_>) -> Option<Py<Stream>> {
    threads::kept_so_far(|kept| kept.entered.borrow().last().map(|stream| stream.0.clone_ref(py))).flatten()
}
