//! Kernels of products that are loaded: made at their first use on a device, once, by one thread; they stay.
//!
//! In: a kernel's description, and a device whose context is current. Out: the driver's function. Where the driver cannot load it, that is known from then on,
//! and the product is for others.

use std::ffi::c_int;

use cudarc::driver::sys;

use super::Tiled;
use crate::device::Device;
use crate::driver::Failure;
use crate::error::Result;
use crate::own_kernel::{self, Function, OwnKernels};

static LOADED: OwnKernels<Tiled> = OwnKernels::new();

/// The function of a kernel on a device whose context is current. `None`: the driver cannot load it.
pub(crate) fn function(device: &'static Device, tiled: &Tiled) -> Result<Option<sys::CUfunction>> {
    LOADED.of(device, *tiled).function(|| load(device, tiled))
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
