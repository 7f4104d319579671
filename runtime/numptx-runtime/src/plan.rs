//! The functions of a module's kernels on each device: found once, and kept in a slot of the kernel's descriptor.
//!
//! In: a kernel, a variant, a device whose context is current. Out: the driver's function. The image is loaded where that was not done.

use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use cudarc::driver::sys;
use numptx_abi::Kernel;

use crate::device::{Device, MAX_DEVICES};
use crate::driver::Failure;
use crate::error::{Error, Result};
use crate::image::{in_slot, load};

/// The device variants of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Flat32,
    Strided32,
    Strided64,
    Ragged64,
    Sequential64,
    Combine64,
    Claim64,
    Settle64,
    Bins64,
    Own64,
    Gather64,
    Exponent64,
    Sum64,
    Round64,
    Fold32,
    Fold64,
    Finish64,
    Scan32,
    Scan64,
    Few32,
    Warp32,
    Team32,
    Clustered32,
    Streamed64,
    Running32,
    Running64,
    Block64,
    Cluster64,
    Grid64,
    Tiles32,
    Tiles64,
}

const N_VARIANTS: usize = 31;

impl Variant {
    fn suffix(self) -> &'static str {
        match self {
            Variant::Flat32 => "flat32",
            Variant::Strided32 => "strided32",
            Variant::Strided64 => "strided64",
            Variant::Ragged64 => "ragged64",
            Variant::Sequential64 => "sequential64",
            Variant::Combine64 => "combine64",
            Variant::Claim64 => "claim64",
            Variant::Settle64 => "settle64",
            Variant::Bins64 => "bins64",
            Variant::Own64 => "own64",
            Variant::Gather64 => "gather64",
            Variant::Exponent64 => "exponent64",
            Variant::Sum64 => "sum64",
            Variant::Round64 => "round64",
            Variant::Fold32 => "fold32",
            Variant::Fold64 => "fold64",
            Variant::Finish64 => "finish64",
            Variant::Scan32 => "scan32",
            Variant::Scan64 => "scan64",
            Variant::Few32 => "few32",
            Variant::Warp32 => "warp32",
            Variant::Team32 => "team32",
            Variant::Clustered32 => "clustered32",
            Variant::Streamed64 => "streamed64",
            Variant::Running32 => "running32",
            Variant::Running64 => "running64",
            Variant::Block64 => "block64",
            Variant::Cluster64 => "cluster64",
            Variant::Grid64 => "grid64",
            Variant::Tiles32 => "tiles32",
            Variant::Tiles64 => "tiles64",
        }
    }
}

/// A kernel's functions on every device; null until first used.
struct Plan {
    functions: [[AtomicPtr<c_void>; N_VARIANTS]; MAX_DEVICES],
    /// Blocks of the largest cluster, and 1 more; 0 until that is asked.
    cluster: [AtomicU32; MAX_DEVICES],
}

impl Plan {
    fn of(kernel: &Kernel) -> &Plan {
        in_slot(&kernel.plan, || Plan {
            functions: [const { [const { AtomicPtr::new(std::ptr::null_mut()) }; N_VARIANTS] }; MAX_DEVICES],
            cluster: [const { AtomicU32::new(0) }; MAX_DEVICES],
        })
    }
}

/// The function of a kernel's variant on a device whose context is current. Loads the module's image if that was not done.
#[inline]
pub(crate) fn function(device: &'static Device, kernel: &Kernel, variant: Variant) -> Result<sys::CUfunction> {
    let known = Plan::of(kernel).functions[device.ordinal as usize][variant as usize].load(Ordering::Acquire);
    if known.is_null() { look_up(device, kernel, variant) } else { Ok(known.cast()) }
}

#[cold]
#[inline(never)]
fn look_up(device: &'static Device, kernel: &Kernel, variant: Variant) -> Result<sys::CUfunction> {
    find(device, kernel, variant)?.ok_or_else(|| {
        // SAFETY: a kernel's name is null-terminated.
        let name = unsafe { CStr::from_ptr(kernel.name) }.to_string_lossy();
        let full = format!("{name}__{}", variant.suffix());
        Error::runtime(format!(
            "the module's device code has no `{full}`; compile it again with this version of numptx"
        ))
    })
}

/// The variant of a kernel that is a cluster of blocks, and how many there may be; `None` where the image or the device has no clusters. `ask` is
/// called once.
pub(crate) fn cluster(
    device: &'static Device,
    kernel: &Kernel,
    variant: Variant,
    ask: impl FnOnce(sys::CUfunction) -> u32,
) -> Result<Option<(sys::CUfunction, u32)>> {
    let slot = &Plan::of(kernel).cluster[device.ordinal as usize];
    let mut known = slot.load(Ordering::Acquire);
    if known == 1 {
        return Ok(None);
    }
    let function = find(device, kernel, variant)?;
    if known == 0 {
        known = function.map_or(0, ask) + 1;
        slot.store(known, Ordering::Release);
    }
    Ok(function.map(|function| (function, known - 1)).filter(|(_, most)| *most > 0))
}

/// As [`function`]; `None` if the image has no such variant.
fn find(device: &'static Device, kernel: &Kernel, variant: Variant) -> Result<Option<sys::CUfunction>> {
    let slot = &Plan::of(kernel).functions[device.ordinal as usize][variant as usize];
    let known = slot.load(Ordering::Acquire);
    if !known.is_null() {
        return Ok(Some(known.cast()));
    }
    // SAFETY: descriptors live as long as their library.
    let module = unsafe { &*kernel.module };
    let loaded = load(device, module)?;
    // SAFETY: a kernel's name is null-terminated.
    let name = unsafe { CStr::from_ptr(kernel.name) }.to_string_lossy();
    let full = CString::new(format!("{name}__{}", variant.suffix()));
    let full = full.map_err(|_| Error::runtime("a kernel's name holds a null character"))?;
    let mut function: sys::CUfunction = std::ptr::null_mut();
    // SAFETY: the module is loaded on this device and never unloaded.
    match unsafe { device.driver.module_function(&mut function, loaded.0, full.as_ptr()) } {
        Ok(()) => {
            slot.store(function.cast(), Ordering::Release);
            Ok(Some(function))
        }
        Err(Failure { code: Failure::NOT_FOUND, .. }) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}
