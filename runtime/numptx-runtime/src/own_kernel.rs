//! A kernel whose PTX the runtime writes: loaded at its first use on a device, once, by one thread; it stays.
//!
//! In: a module's text and its entry, and a device whose context is current. Out: the driver's function. Where the driver cannot load it, that is known from
//! then on, and somebody else computes.

mod text;

use std::ffi::{CStr, CString};
use std::sync::Mutex;

use cudarc::driver::sys;

use crate::device::{Device, MAX_DEVICES};
use crate::driver::Failure;
use crate::error::Result;
use crate::first_use::FirstUse;
use crate::image::is_lasting;
use crate::lock::lock;
pub(crate) use text::Text;

#[derive(Clone, Copy)]
pub(crate) struct Function(pub(crate) sys::CUfunction);

// SAFETY: driver handles may be used on any thread.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A kernel on one device, or a few that belong together.
pub(crate) struct OwnKernel<F = Function>(FirstUse<Option<F>>);

impl<F: Copy> OwnKernel<F> {
    pub(crate) const fn new() -> OwnKernel<F> {
        OwnKernel(FirstUse::new())
    }

    /// What `load` found. `None`: the driver cannot load it.
    pub(crate) fn loaded(&self, load: impl FnOnce() -> std::result::Result<F, Failure>) -> Result<Option<F>> {
        let found = self.0.get_or_make(|| match load() {
            Ok(found) => Ok(Some(found)),
            Err(failure) if is_lasting(failure.code) => Ok(None),
            Err(failure) => Err(failure),
        })?;
        Ok(*found)
    }
}

impl OwnKernel {
    /// The function. `None`: the driver cannot load it.
    pub(crate) fn function(
        &self,
        load: impl FnOnce() -> std::result::Result<Function, Failure>,
    ) -> Result<Option<sys::CUfunction>> {
        Ok(self.loaded(load)?.map(|function| function.0))
    }
}

/// What is there for one of [`OwnKernels`].
type Slot<F> = &'static OwnKernel<F>;
type Slots<K, F> = Mutex<Vec<(K, Slot<F>)>>;

/// Kernels of one sort on each device, by what they are for. They are few.
pub(crate) struct OwnKernels<K: 'static, F: 'static = Function>([Slots<K, F>; MAX_DEVICES]);

impl<K: Copy + PartialEq, F: Copy> OwnKernels<K, F> {
    pub(crate) const fn new() -> OwnKernels<K, F> {
        OwnKernels([const { Mutex::new(Vec::new()) }; MAX_DEVICES])
    }

    /// Where a kernel's function is, or will be. No lock is held while it is loaded.
    pub(crate) fn of(&self, device: &Device, kernel: K) -> Slot<F> {
        let mut entries = lock(&self.0[device.ordinal as usize]);
        if let Some((_, slot)) = entries.iter().find(|(known, _)| *known == kernel) {
            return slot;
        }
        let slot: Slot<F> = Box::leak(Box::new(OwnKernel::new()));
        entries.push((kernel, slot));
        slot
    }
}

/// A module of a text, which stays.
pub(crate) struct Module(&'static Device, sys::CUmodule);

impl Module {
    pub(crate) fn load(device: &'static Device, text: String) -> std::result::Result<Module, Failure> {
        // Kept with the module: whoever interprets the text reads it at launches.
        let text: &CStr = Box::leak(CString::new(text).expect("PTX has no nulls").into_boxed_c_str());
        let mut module: sys::CUmodule = std::ptr::null_mut();
        let (none, nothing) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the text is null-terminated and stays; there are no options; the call writes to a local; the context is current.
        unsafe { device.driver.module_load(&mut module, text.as_ptr().cast(), 0, none, nothing) }?;
        Ok(Module(device, module))
    }

    /// One of its entries.
    pub(crate) fn function(&self, entry: &str) -> std::result::Result<Function, Failure> {
        let name = CString::new(entry).expect("names have no nulls");
        let mut function: sys::CUfunction = std::ptr::null_mut();
        // SAFETY: the module is loaded and stays; the call writes to a local; the context is current.
        unsafe { self.0.driver.module_function(&mut function, self.1, name.as_ptr()) }?;
        Ok(Function(function))
    }
}

/// Loads a module and finds its entry.
pub(crate) fn load(device: &'static Device, text: String, entry: &str) -> std::result::Result<Function, Failure> {
    Module::load(device, text)?.function(entry)
}
