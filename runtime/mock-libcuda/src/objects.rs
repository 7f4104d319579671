//! User objects: counted references from graphs to what they use, with a destructor that runs on another thread.

use std::ffi::c_void;

use crate::state::{Code, INVALID_HANDLE, INVALID_VALUE, State, code, enter, in_destructor, state};

const MOVE: u32 = 1;

/// An object that graphs keep alive.
pub(crate) struct UserObject {
    pointer: usize,
    destructor: usize,
    references: u32,
}

impl State {
    pub(crate) fn retain_object(&mut self, handle: usize) {
        if let Some(object) = self.objects.get_mut(&handle) {
            object.references += 1;
        }
    }

    pub(crate) fn release_object(&mut self, handle: usize, n: u32) {
        let Some(object) = self.objects.get_mut(&handle) else { return };
        object.references = object.references.saturating_sub(n);
        if object.references == 0
            && let Some(object) = self.objects.remove(&handle)
        {
            self.counts.live_objects -= 1;
            self.due.push((object.destructor, object.pointer));
        }
    }
}

/// Runs destructors that are due, on a thread of their own.
pub(crate) fn run_due() {
    let due = std::mem::take(&mut state().due);
    if due.is_empty() {
        return;
    }
    let destructors = std::thread::spawn(move || {
        for (destructor, pointer) in due {
            // SAFETY: the address of a destructor, as it was given to `cuUserObjectCreate`.
            let destroy: unsafe extern "C" fn(*mut c_void) =
                unsafe { std::mem::transmute(std::ptr::with_exposed_provenance::<c_void>(destructor)) };
            // SAFETY: nobody uses the object any more, and it is destroyed once.
            in_destructor(|| unsafe { destroy(std::ptr::with_exposed_provenance_mut(pointer)) });
        }
    });
    let _ = destructors.join();
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuUserObjectCreate(
    out: *mut *mut c_void,
    pointer: *mut c_void,
    destructor: unsafe extern "C" fn(*mut c_void),
    references: u32,
    _flags: u32,
) -> Code {
    code((|| {
        let mut state = enter("cuUserObjectCreate")?;
        if references == 0 {
            return Err(INVALID_VALUE);
        }
        let handle = state.fresh_handle();
        let destructor = (destructor as *const c_void).expose_provenance();
        state.objects.insert(handle, UserObject { pointer: pointer.expose_provenance(), destructor, references });
        state.counts.live_objects += 1;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuUserObjectRelease(object: *mut c_void, n: u32) -> Code {
    code((|| {
        let mut state = enter("cuUserObjectRelease")?;
        if !state.objects.contains_key(&object.addr()) {
            state.violation("release of a user object that is not alive");
            return Err(INVALID_HANDLE);
        }
        state.release_object(object.addr(), n);
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphRetainUserObject(graph: *mut c_void, object: *mut c_void, n: u32, flags: u32) -> Code {
    code((|| {
        let mut state = enter("cuGraphRetainUserObject")?;
        if !state.objects.contains_key(&object.addr()) || !state.graphs.contains_key(&graph.addr()) {
            state.violation("a graph or a user object that is not alive");
            return Err(INVALID_HANDLE);
        }
        for _ in 0..n {
            if flags & MOVE == 0 {
                state.retain_object(object.addr());
            }
            if let Some(graph) = state.graphs.get_mut(&graph.addr()) {
                graph.objects.push(object.addr());
            }
        }
        Ok(())
    })())
}
