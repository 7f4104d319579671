//! Kernels of products that are loaded: made at their first use on a device, once, by one thread; they stay.
//!
//! In: a kernel's description, and a device whose context is current. Out: the driver's function. Where the driver cannot load it, that is known from then on,
//! and the product is for others.

use std::ffi::c_int;
use std::sync::Mutex;

use cudarc::driver::sys;

use super::Tiled;
use crate::device::{Device, MAX_DEVICES};
use crate::driver::Failure;
use crate::error::Result;
use crate::lock::lock;
use crate::own_kernel::{self, Function, OwnKernel};

/// A kernel, and its function once it is loaded.
type Entry = (Tiled, &'static OwnKernel);

/// Of each device. They are few.
static LOADED: [Mutex<Vec<Entry>>; MAX_DEVICES] = [const { Mutex::new(Vec::new()) }; MAX_DEVICES];

/// The function of a kernel on a device whose context is current. `None`: the driver cannot load it.
pub(crate) fn function(device: &'static Device, tiled: &Tiled) -> Result<Option<sys::CUfunction>> {
    slot(device, tiled).function(|| load(device, tiled))
}

/// Where the function is, or will be. No lock is held while it is loaded.
fn slot(device: &Device, tiled: &Tiled) -> &'static OwnKernel {
    let mut entries = lock(&LOADED[device.ordinal as usize]);
    if let Some((_, slot)) = entries.iter().find(|(known, _)| known == tiled) {
        return slot;
    }
    let slot: &OwnKernel = Box::leak(Box::new(OwnKernel::new()));
    entries.push((*tiled, slot));
    slot
}

fn load(device: &'static Device, tiled: &Tiled) -> std::result::Result<Function, Failure> {
    let function = own_kernel::load(device, tiled.text(), Tiled::ENTRY)?;
    if tiled.asked_bytes() > 0 {
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_int;
        // SAFETY: the function belongs to the loaded module.
        unsafe { device.driver.function_set_attribute(function.0, attribute, tiled.asked_bytes() as c_int) }?;
    }
    Ok(function)
}
