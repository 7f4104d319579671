//! A module's device code: loaded at its first launch on a device, once; and the functions of its kernels.
//!
//! In: a module's images. Out: functions to launch. Failures that will not go away are kept and replayed with the compiler's log;
//! running out of memory is not. Nothing is ever unloaded.

use std::ffi::{CStr, c_int, c_void};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicPtr, Ordering};

use cudarc::driver::sys;
use numptx_abi::{Image, KernelFacts, Module, error_kind};

use crate::descriptor;
use crate::device::{Device, MAX_DEVICES};
use crate::driver::Failure;
use crate::error::{Error, Result};
use crate::first_use::FirstUse;
use crate::host_code;

/// A module's loaded images, one a device.
struct ModuleState {
    devices: [FirstUse<Result<ModuleHandle>>; MAX_DEVICES],
}

#[derive(Clone, Copy)]
pub(crate) struct ModuleHandle(pub(crate) sys::CUmodule);

// SAFETY: driver handles may be used on any thread.
unsafe impl Send for ModuleHandle {}
// SAFETY: as above.
unsafe impl Sync for ModuleHandle {}

/// The state in a descriptor's slot, made on first use. Never freed: descriptors live as long as their library.
pub(crate) fn in_slot<T>(slot: &AtomicPtr<c_void>, make: impl FnOnce() -> T) -> &T {
    let there = slot.load(Ordering::Acquire);
    if !there.is_null() {
        // SAFETY: only this function fills the slot, with a boxed `T` that is never freed.
        return unsafe { &*there.cast::<T>() };
    }
    let fresh = Box::into_raw(Box::new(make()));
    match slot.compare_exchange(std::ptr::null_mut(), fresh.cast(), Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: the slot owns it now, forever.
        Ok(_) => unsafe { &*fresh },
        // SAFETY: `fresh` was boxed above and nobody else saw it; the winner's is never freed.
        Err(winner) => unsafe {
            drop(Box::from_raw(fresh));
            &*winner.cast::<T>()
        },
    }
}

/// The module's image on a device, loaded if that was not done. One thread loads; the others wait.
pub(crate) fn load(device: &'static Device, module: &Module) -> Result<ModuleHandle> {
    let state = in_slot(&module.runtime, || ModuleState { devices: [const { FirstUse::new() }; MAX_DEVICES] });
    let outcome = state.devices[device.ordinal as usize].get_or_make(|| match load_best(device, module) {
        Err(LoadFailure { error, is_lasting: false }) => Err(error),
        outcome => Ok(outcome.map_err(|failed| failed.error)),
    })?;
    outcome.clone()
}

/// Why no image could be loaded, and whether another try would fail in the same way.
struct LoadFailure {
    error: Error,
    is_lasting: bool,
}

/// Whether a failure lies in the image, the driver's version or the device. Memory, for one, may be there the next time.
pub(crate) fn is_lasting(code: c_int) -> bool {
    const INVALID_IMAGE: c_int = 200;
    /// Invalid PTX, a PTX compiler that is not there, unsupported PTX and execution affinities.
    const OF_THE_COMPILER: std::ops::RangeInclusive<c_int> = 218..=224;
    matches!(code, Failure::MISSING | Failure::NO_BINARY | Failure::NOT_FOUND | INVALID_IMAGE)
        || OF_THE_COMPILER.contains(&code)
}

/// Loads a module's image on a device now.
pub(crate) fn preload(device: &'static Device, module: &Module) -> Result<()> {
    let _context = device.enter()?;
    load(device, module).map(|_| ())
}

/// Whether the module's image is loaded on a device.
pub(crate) fn is_loaded(module: &Module, ordinal: i32) -> bool {
    let state = module.runtime.load(Ordering::Acquire).cast::<ModuleState>();
    // SAFETY: only `load` fills the slot, with a state that is never freed.
    let devices = unsafe { state.as_ref() }.map(|state| &state.devices);
    let slot = devices.zip(usize::try_from(ordinal).ok()).and_then(|(devices, ordinal)| devices.get(ordinal));
    slot.is_some_and(|slot| matches!(slot.get(), Some(Ok(_))))
}

/// What the driver says about a function of a module that is loaded on the device.
pub(crate) fn facts(device: &'static Device, module: &Module, name: &CStr) -> Result<KernelFacts> {
    let _context = device.enter()?;
    let loaded = load(device, module)?;
    let mut function: sys::CUfunction = std::ptr::null_mut();
    // SAFETY: the module is loaded on this device and never unloaded; the name is null-terminated.
    unsafe { device.driver.module_function(&mut function, loaded.0, name.as_ptr()) }?;
    let ask = |attribute: sys::CUfunction_attribute_enum| -> Result<i32> {
        let mut value: c_int = 0;
        // SAFETY: writes to a local; the function belongs to a loaded module.
        unsafe { device.driver.function_attribute(&mut value, attribute as c_int, function) }?;
        Ok(value)
    };
    Ok(KernelFacts {
        loaded: 1,
        architecture: device.architecture,
        registers: ask(sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        shared_bytes: ask(sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
        local_bytes: ask(sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
    })
}

/// Machine code for this very device first, then the newest PTX that the device understands, then machine code of its major version: where the
/// driver is too old for the PTX.
fn load_best(device: &'static Device, module: &Module) -> std::result::Result<ModuleHandle, LoadFailure> {
    let images = slice_of(module.images, module.n_images);
    let mut candidates: Vec<&Image> = images.iter().filter(|i| suits(i, device.architecture)).collect();
    let is_own = |i: &Image| i.kind == Image::CUBIN && i.architecture == device.architecture;
    candidates.sort_by_key(|i| (!is_own(i), i.kind == Image::CUBIN, std::cmp::Reverse(i.architecture)));
    for kernel in slice_of(module.kernels, module.n_kernels) {
        device.driver.register(kernel);
    }
    let mut last = None;
    for image in candidates {
        match load_image(device, image) {
            Ok(loaded) => return Ok(loaded),
            Err((failure, log)) if is_lasting(failure.code) => {
                last = Some(describe(device, module, image, failure, &log))
            }
            Err((failure, log)) => {
                return Err(LoadFailure { error: describe(device, module, image, failure, &log), is_lasting: false });
            }
        }
    }
    Err(LoadFailure { error: last.unwrap_or_else(|| no_image(device, module, images)), is_lasting: true })
}

pub(crate) fn slice_of<'a, T>(pointer: *const T, n: u32) -> &'a [T] {
    // SAFETY: descriptors hold as many entries as they say, and live as long as their library.
    if n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(pointer, n as usize) } }
}

/// Machine code runs within one major version, PTX on its architecture and later ones.
fn suits(image: &Image, architecture: u32) -> bool {
    image.architecture <= architecture
        && (image.kind == Image::PTX || (image.kind == Image::CUBIN && image.architecture / 10 == architecture / 10))
}

const LOG_BYTES: usize = 8192;

fn load_image(device: &'static Device, image: &Image) -> std::result::Result<ModuleHandle, (Failure, String)> {
    let mut log = vec![0u8; LOG_BYTES];
    let mut options = [
        sys::CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER as c_int,
        sys::CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as c_int,
    ];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(LOG_BYTES)];
    let mut loaded: sys::CUmodule = std::ptr::null_mut();
    // SAFETY: the image lives as long as its library; the log's size is what the option says; the context is current.
    let outcome = unsafe {
        device.driver.module_load(
            &mut loaded,
            image.data.cast(),
            options.len() as u32,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    outcome.map(|()| ModuleHandle(loaded)).map_err(|failure| {
        let text: Vec<u8> = log.iter().copied().take_while(|b| *b != 0).collect();
        (failure, String::from_utf8_lossy(&text).trim().to_string())
    })
}

pub(crate) fn module_name(module: &Module) -> String {
    // SAFETY: a module's name is null-terminated.
    unsafe { CStr::from_ptr(module.name) }.to_string_lossy().into_owned()
}

fn image_name(image: &Image) -> String {
    match ptx_version(image) {
        Some((major, minor)) => format!("PTX {major}.{minor} for sm_{}", image.architecture),
        None => format!("machine code for sm_{}", image.architecture),
    }
}

/// What `.version` says in a PTX image.
fn ptx_version(image: &Image) -> Option<(u32, u32)> {
    if image.kind == Image::CUBIN {
        return None;
    }
    // SAFETY: PTX images are null-terminated and live as long as their library.
    let text = unsafe { CStr::from_ptr(image.data.cast()) }.to_str().ok()?;
    let version = text.lines().find_map(|line| line.trim().strip_prefix(".version"))?;
    let (major, minor) = version.trim().split_once('.')?;
    Some((major.parse().ok()?, minor.trim().parse().ok()?))
}

/// The newest version of PTX that every driver takes that numptx works with.
const EVERY_DRIVER_S: (u32, u32) = (8, 0);

/// The CUDA version whose driver is the first to take a version of PTX that some drivers do not take.
fn cuda_for_ptx((major, minor): (u32, u32)) -> (u32, u32) {
    match (major, minor) {
        // There was no PTX for CUDA 12.6.
        (8, 6..) => (12, minor + 1),
        (major, minor) => (major + 4, minor),
    }
}

fn describe(device: &Device, module: &Module, image: &Image, failure: Failure, log: &str) -> Error {
    let reason = device.driver.explain(failure);
    let mut message = format!(
        "loading module `{}` ({}) on CUDA device {} (sm_{}, driver for CUDA {}): {reason}",
        module_name(module),
        image_name(image),
        device.ordinal,
        device.architecture,
        device.driver.cuda_version(),
    );
    if failure.code == Failure::UNSUPPORTED_PTX
        && let Some((major, minor)) = ptx_version(image).filter(|version| *version > EVERY_DRIVER_S).map(cuda_for_ptx)
    {
        let _ = write!(message, "; this image needs a driver for CUDA {major}.{minor} or later");
    }
    if !log.is_empty() {
        let _ = write!(message, "\n{log}");
    }
    Error::new(reason.kind(), message)
}

/// What the compiler makes code for at least.
const LEAST_ARCHITECTURE: u32 = 75;

fn no_image(device: &Device, module: &Module, images: &[Image]) -> Error {
    let there: Vec<String> = images.iter().map(image_name).collect();
    let (name, ordinal, architecture) = (module_name(module), device.ordinal, device.architecture);
    let advice = match architecture {
        ..LEAST_ARCHITECTURE => format!("numptx has code for GPUs from sm_{LEAST_ARCHITECTURE} on: compute on the CPU"),
        _ if there.is_empty() => "compile it without --host-only".to_string(),
        _ => format!("compile it with --arch sm_{architecture}"),
    };
    let there = if there.is_empty() { "no device code (--host-only)".to_string() } else { there.join(", ") };
    let version = device.driver.cuda_version();
    Error::new(
        error_kind::CUDA,
        format!(
            "module `{name}` holds {there}, and CUDA device {ordinal} is sm_{architecture} (driver for CUDA {version}); {advice}"
        ),
    )
}

/// [`numptx_abi::RuntimeTable::bind`].
///
/// # Safety
/// `module` is a module descriptor that lives as long as the process uses it.
pub(crate) unsafe fn bind(module: *const Module) -> Result<()> {
    // SAFETY: the version fields lead in every version of the descriptor.
    let (version, bytes) = unsafe { ((*module).abi_version, (*module).struct_bytes) };
    if version != numptx_abi::ABI_VERSION || bytes as usize != size_of::<Module>() {
        return Err(Error::runtime(format!(
            "the module was compiled for numptx ABI {version} ({bytes} bytes), this runtime has ABI {} ({} bytes); compile it again with the installed numptx",
            numptx_abi::ABI_VERSION,
            size_of::<Module>()
        )));
    }
    // SAFETY: the layout is ours, as checked.
    let module = unsafe { &*module };
    // Calls from C bind each time; what follows is done once.
    let table = crate::table::table().cast_mut();
    if module.table.load(Ordering::Acquire) == table {
        return Ok(());
    }
    descriptor::check(module)?;
    // SAFETY: the layout is ours, and the descriptor is a library's.
    unsafe { host_code::choose(module) }?;
    module.table.store(table, Ordering::Release);
    if std::env::var_os("NUMPTX_MODULE_LOADING").is_some_and(|v| v == "eager") {
        // What fails now fails again, with its error, at the first launch.
        let _ = preload_everywhere(module);
    }
    Ok(())
}

/// Loads a module's image on every device.
pub(crate) fn preload_everywhere(module: &Module) -> Result<()> {
    (0..crate::device::count()?).try_for_each(|ordinal| preload(crate::device::device(ordinal)?, module))
}

/// Whether a module has an image for some device. Opens no driver.
pub(crate) fn has_images(module: &Module) -> bool {
    module.n_images > 0
}

/// Whether a module's kernels run on a device, as far as is known: it has an image that suits, and did not fail to load before.
pub(crate) fn runs_on(device: &Device, module: &Module) -> bool {
    let suitable = slice_of(module.images, module.n_images).iter().any(|image| suits(image, device.architecture));
    let known = module.runtime.load(Ordering::Acquire).cast::<ModuleState>();
    // SAFETY: the slot holds null or a state that is never freed.
    let failed = unsafe { known.as_ref() }
        .and_then(|state| state.devices[device.ordinal as usize].get())
        .is_some_and(|outcome| outcome.is_err());
    suitable && !failed
}

/// The largest cost of an element among a module's kernels, for the choice between CPU and GPU where an overload does not tell its own.
pub(crate) fn heaviest_work(module: &Module) -> u32 {
    slice_of(module.kernels, module.n_kernels).iter().map(|k| k.work).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::cuda_for_ptx;

    #[test]
    fn drivers_are_named_by_the_ptx_that_they_take() {
        for (ptx, cuda) in [((8, 1), (12, 1)), ((8, 5), (12, 5)), ((8, 7), (12, 8)), ((9, 1), (13, 1))] {
            assert_eq!(cuda_for_ptx(ptx), cuda);
        }
    }
}
