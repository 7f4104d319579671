//! Kernels of products that are loaded: made at their first use on a device, once, by one thread; they stay.
//!
//! In: a kernel's description, and a device whose context is current. Out: the driver's function. Where the driver cannot load it, that is known from then on,
//! and the product is for others.

use std::ffi::{CStr, CString, c_int};
use std::sync::Mutex;

use cudarc::driver::sys;

use super::Tiled;
use crate::device::{Device, MAX_DEVICES};
use crate::driver::Failure;
use crate::error::Result;
use crate::first_use::FirstUse;
use crate::image::is_lasting;
use crate::lock::lock;

#[derive(Clone, Copy)]
struct Function(sys::CUfunction);

// SAFETY: driver handles may be used on any thread.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A kernel, and its function once it is loaded; `None`: that cannot be.
type Entry = (Tiled, &'static FirstUse<Option<Function>>);

/// Of each device. They are few.
static LOADED: [Mutex<Vec<Entry>>; MAX_DEVICES] = [const { Mutex::new(Vec::new()) }; MAX_DEVICES];

/// The function of a kernel on a device whose context is current. `None`: the driver cannot load it.
pub(crate) fn function(device: &'static Device, tiled: &Tiled) -> Result<Option<sys::CUfunction>> {
    let found = slot(device, tiled).get_or_make(|| match load(device, tiled) {
        Ok(function) => Ok(Some(function)),
        Err(failure) if is_lasting(failure.code) => Ok(None),
        Err(failure) => Err(failure),
    })?;
    Ok(found.map(|function| function.0))
}

/// Where the function is, or will be. No lock is held while it is loaded.
fn slot(device: &Device, tiled: &Tiled) -> &'static FirstUse<Option<Function>> {
    let mut entries = lock(&LOADED[device.ordinal as usize]);
    if let Some((_, slot)) = entries.iter().find(|(known, _)| known == tiled) {
        return slot;
    }
    let slot: &FirstUse<Option<Function>> = Box::leak(Box::new(FirstUse::new()));
    entries.push((*tiled, slot));
    slot
}

fn load(device: &'static Device, tiled: &Tiled) -> std::result::Result<Function, Failure> {
    let name = CString::new(Tiled::ENTRY).expect("names have no nulls");
    // Kept with the module: whoever interprets the text reads it at launches.
    let text: &CStr = Box::leak(CString::new(tiled.text()).expect("PTX has no nulls").into_boxed_c_str());
    let (mut module, mut function): (sys::CUmodule, sys::CUfunction) = (std::ptr::null_mut(), std::ptr::null_mut());
    let (none, nothing) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: the text is null-terminated and stays; there are no options; the calls write to locals; the context is current.
    unsafe {
        device.driver.module_load(&mut module, text.as_ptr().cast(), 0, none, nothing)?;
        device.driver.module_function(&mut function, module, name.as_ptr())?;
    }
    if tiled.asked_bytes() > 0 {
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_int;
        // SAFETY: the function belongs to the loaded module.
        unsafe { device.driver.function_set_attribute(function, attribute, tiled.asked_bytes() as c_int) }?;
    }
    Ok(Function(function))
}
