//! The table's entries for device code: linking, and what a device knows about loaded kernels.

use std::ffi::{CStr, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use numptx_abi::{Buffer as AbiBuffer, Error as AbiError, KernelFacts, LinkRequest, Module, Status};

use super::guarded;
use crate::buffer;
use crate::error::{Error, Result};
use crate::linking::{self, LinkInput, LinkOptions};
use crate::{device, image};

pub(super) unsafe extern "C" fn link(
    request: *const LinkRequest,
    out: *mut *mut AbiBuffer,
    text: *mut *mut AbiBuffer,
    error: *mut AbiError,
) -> Status {
    // SAFETY: the binding passes a request whose pointers are alive, and places for the results.
    guarded(error, || unsafe {
        *text = std::ptr::null_mut();
        let linked = link_request(&*request).inspect_err(|failure| {
            if let Ok(message) = host_buffer(failure.message().as_bytes()) {
                *text = message;
            }
        })?;
        let cubin = host_buffer(&linked.cubin)?;
        if !linked.log.is_empty()
            && let Ok(log) = host_buffer(linked.log.as_bytes())
        {
            *text = log;
        }
        *out = cubin;
        Ok(())
    })
}

/// # Safety
/// The request's pointers are alive, and its texts null-terminated.
unsafe fn link_request(request: &LinkRequest) -> Result<linking::LinkOutput> {
    let text = |pointer: *const c_char| {
        // SAFETY: as the caller promises.
        (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
    };
    let images = match request.n_images as usize {
        0 => &[][..],
        // SAFETY: as many images as the request says.
        n => unsafe { std::slice::from_raw_parts(request.images, n) },
    };
    let names: Vec<String> =
        images.iter().map(|image| text(image.name).unwrap_or_default().to_string_lossy().into_owned()).collect();
    let inputs: Vec<LinkInput<'_>> = images
        .iter()
        .zip(&names)
        .map(|(image, name)| {
            let bytes = match image.bytes as usize {
                0 => &[][..],
                // SAFETY: an image has as many bytes as it says.
                n => unsafe { std::slice::from_raw_parts(image.data.cast::<u8>(), n) },
            };
            LinkInput { name, bytes }
        })
        .collect();
    let packages = text(request.packages).unwrap_or_default().to_bytes().split(|byte| *byte == b'\n');
    let options = LinkOptions {
        architecture: text(request.architecture).map(|name| name.to_string_lossy().into_owned()),
        packages: packages.filter(|line| !line.is_empty()).map(|line| PathBuf::from(OsStr::from_bytes(line))).collect(),
    };
    linking::link(&inputs, &options)
}

/// Bytes in a buffer of the runtime.
fn host_buffer(bytes: &[u8]) -> Result<*mut AbiBuffer> {
    let size = i64::try_from(bytes.len()).map_err(|_| Error::memory("an image of more bytes than there can be"))?;
    let made = buffer::new_host(size)?;
    // SAFETY: just made with as many bytes.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), made.data, bytes.len()) };
    Ok(made.into_raw().cast())
}

pub(super) unsafe extern "C" fn kernel_facts(
    module: *const Module,
    function: *const c_char,
    ordinal: i32,
    out: *mut KernelFacts,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a module's descriptor, a null-terminated name and a place for the result.
        unsafe {
            *out = KernelFacts::default();
            let devices = if ordinal < 0 { 0..device::MAX_DEVICES as i32 } else { ordinal..ordinal + 1 };
            if let Some(there) = devices.into_iter().find(|ordinal| image::is_loaded(&*module, *ordinal)) {
                *out = image::facts(device::device(there)?, &*module, CStr::from_ptr(function))?;
            }
        }
        Ok(())
    })
}

pub(super) unsafe extern "C" fn preload(module: *const Module, ordinal: i32, error: *mut AbiError) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a module's descriptor.
        let module = unsafe { &*module };
        if ordinal < 0 { image::preload_everywhere(module) } else { image::preload(device::device(ordinal)?, module) }
    })
}
