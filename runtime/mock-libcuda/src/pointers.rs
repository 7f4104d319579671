//! What the driver knows about addresses.

use std::ffi::c_void;

use crate::queries::device_of;
use crate::state::{Code, NOT_SUPPORTED, State, code, enter_context};

/// Attributes of addresses: of what kind the memory is, whether the host and all devices may use it, the device's ordinal.
const MEMORY_TYPE: i32 = 2;
const IS_MANAGED: i32 = 8;
const DEVICE_ORDINAL: i32 = 9;
/// Kinds of memory; 0: not known.
const HOST: u32 = 1;
const DEVICE: u32 = 2;
/// The ordinal of no device.
const NO_ORDINAL: i32 = -2;

/// What is at an address.
struct Address {
    kind: u32,
    is_managed: bool,
    device: i32,
}

fn look_up(state: &State, address: u64) -> Address {
    if let Some(block) = state.pinned_at(address as usize, 1) {
        return Address { kind: HOST, is_managed: false, device: device_of(block.context) };
    }
    match state.allocation_at(address, 1) {
        Some(found) => Address { kind: DEVICE, is_managed: found.is_managed, device: device_of(found.context) },
        None => Address { kind: 0, is_managed: false, device: NO_ORDINAL },
    }
}

/// # Safety
/// As the driver's function. It knows some of the attributes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuPointerGetAttributes(
    n: u32,
    attributes: *const i32,
    values: *const *mut c_void,
    pointer: u64,
) -> Code {
    code((|| {
        let state = enter_context("cuPointerGetAttributes")?;
        let found = look_up(&state, pointer);
        for at in 0..n as usize {
            // SAFETY: as the caller promises: so many attributes, and a place of its type for each.
            unsafe {
                let out = *values.add(at);
                match *attributes.add(at) {
                    MEMORY_TYPE => out.cast::<u32>().write(found.kind),
                    IS_MANAGED => out.cast::<u32>().write(u32::from(found.is_managed)),
                    DEVICE_ORDINAL => out.cast::<i32>().write(found.device),
                    _ => return Err(NOT_SUPPORTED),
                }
            }
        }
        Ok(())
    })())
}
