//! Addresses that other code hands over: of what kind their memory is, and on which device it lies. The driver is asked; nothing is followed.

use std::ffi::{c_int, c_uint, c_void};

use cudarc::driver::sys;
use numptx_abi::PointerFacts;

use crate::device::{count, device};
use crate::driver::{Driver, driver};
use crate::error::{Error, Result};

/// What addresses are asked for: of what kind the memory is, whether it is managed, the device's ordinal.
const ASKED: [c_int; 3] = [
    sys::CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMORY_TYPE as c_int,
    sys::CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_MANAGED as c_int,
    sys::CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL as c_int,
];
/// Kinds of memory, as the driver numbers them; 0: it does not know the address.
const HOST: c_uint = 1;
const DEVICE: c_uint = 2;

/// [`numptx_abi::RuntimeTable::pointer_facts`]: what the driver says of an address.
pub(crate) fn facts(address: u64) -> Result<PointerFacts> {
    let driver = driver()?;
    let mut current: sys::CUcontext = std::ptr::null_mut();
    // SAFETY: writes to a local.
    unsafe { driver.context_current(&mut current) }?;
    // Nothing is asked without a context.
    let _some = if current.is_null() { Some(device(0)?.enter()?) } else { None };
    let (mut kind, mut managed, mut ordinal): (c_uint, c_uint, c_int) = (0, 0, -1);
    let places: [*mut c_void; 3] = [(&raw mut kind).cast(), (&raw mut managed).cast(), (&raw mut ordinal).cast()];
    // SAFETY: each attribute is an integer of 32 bits, with a place of its own.
    unsafe { driver.pointer_attributes(ASKED.len() as c_uint, ASKED.as_ptr(), places.as_ptr(), address) }?;
    let kind = match (managed, kind) {
        (1.., _) => PointerFacts::MANAGED,
        (_, HOST) => PointerFacts::HOST,
        (_, DEVICE) => PointerFacts::DEVICE,
        _ => return Ok(PointerFacts { kind: PointerFacts::UNKNOWN, device: -1 }),
    };
    if !(0..count()?).contains(&ordinal) {
        return Err(Error::value(format!("the memory at {address:#x} is on a device that this process does not see")));
    }
    Ok(PointerFacts { kind, device: ordinal })
}

/// Whether memory is the host's, and known not to be page-locked. A context is current.
pub(crate) fn is_pageable(driver: &Driver, first: *const u8) -> bool {
    let mut kind: c_uint = 0;
    let value: *mut c_void = std::ptr::from_mut(&mut kind).cast();
    // SAFETY: one attribute, whose value is an int.
    let known = unsafe { driver.pointer_attributes(1, ASKED.as_ptr(), &value, first.addr() as u64) };
    known.is_ok() && kind == 0
}
