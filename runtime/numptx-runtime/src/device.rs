//! Devices: their primary contexts, memory pools and facts. A device is found once and never let go.

mod memory;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Mutex, OnceLock};

use cudarc::driver::sys;
use numptx_abi::error_kind;

use crate::driver::{Driver, driver};
use crate::error::{Error, Result};
use crate::event::settle_stream;
use crate::first_use::FirstUse;
use crate::pinned::Block;
use crate::reserve::Reserve;
use crate::stream::{Stream, is_captured};
use crate::{process, stats};

/// The most devices that one process uses.
pub(crate) const MAX_DEVICES: usize = 32;

/// A GPU whose primary context is retained.
pub(crate) struct Device {
    pub(crate) ordinal: i32,
    pub(crate) driver: &'static Driver,
    context: sys::CUcontext,
    /// Null: it has none.
    pool: sys::CUmemoryPool,
    /// The stream of allocations during captures: nobody captures it.
    side: OnceLock<Stream>,
    /// Compute capability times ten.
    pub(crate) architecture: u32,
    /// How many processors it has.
    pub(crate) processors: i64,
    /// Whether all blocks of a launch can be told to be resident at once.
    pub(crate) is_cooperative: bool,
    /// Blocks of a grid at most, along x, y and z.
    pub(crate) most_blocks: [i64; 3],
    /// Where elements land that the host reads, while nobody uses it.
    landing: Mutex<Option<Block>>,
    /// Memory freed in the order of the legacy default stream.
    pub(crate) reserve: Reserve,
}

/// Bytes of a block where elements land.
pub(crate) const LANDING_BYTES: usize = 1 << 12;

// SAFETY: driver handles may be used on any thread.
unsafe impl Send for Device {}
// SAFETY: as above; the fields never change.
unsafe impl Sync for Device {}

static DEVICES: [FirstUse<Device>; MAX_DEVICES] = [const { FirstUse::new() }; MAX_DEVICES];

/// Number of GPUs that the driver shows. Opens the driver.
pub(crate) fn count() -> Result<i32> {
    let driver = driver()?;
    let mut count: c_int = 0;
    // SAFETY: writes to a local.
    unsafe { driver.device_count(&mut count) }?;
    Ok(count.min(MAX_DEVICES as i32))
}

/// A device by its ordinal. The first use retains its primary context.
pub(crate) fn device(ordinal: i32) -> Result<&'static Device> {
    let driver = driver()?;
    let slot = usize::try_from(ordinal).ok().and_then(|i| DEVICES.get(i));
    let Some(slot) = slot else { return Err(no_such_device(ordinal)) };
    slot.get_or_make(|| start(driver, ordinal))
}

/// A device that is in use already. Whether it may be used now is asked by [`Device::enter`].
#[inline]
pub(crate) fn known(ordinal: i32) -> Option<&'static Device> {
    usize::try_from(ordinal).ok().and_then(|i| DEVICES.get(i))?.get()
}

/// The device that a stream is on.
///
/// # Safety
/// The handle is that of a stream that is alive.
pub(crate) unsafe fn device_of_stream(stream: sys::CUstream) -> Result<&'static Device> {
    let (driver, count) = (driver()?, count()?);
    if count == 1 {
        return device(0);
    }
    let mut before: sys::CUcontext = std::ptr::null_mut();
    // SAFETY: writes to a local.
    unsafe { driver.context_current(&mut before) }?;
    // Nothing is asked without a context.
    let _some = if before.is_null() { Some(device(0)?.enter()?) } else { None };
    let _relaxed = CaptureGuard::new(driver);
    let (mut context, mut of_stream): (sys::CUcontext, sys::CUdevice) = (std::ptr::null_mut(), 0);
    // SAFETY: writes to locals; the stream is alive, and so is its context; the caller's becomes current again.
    unsafe {
        driver.stream_context(stream, &mut context)?;
        driver.context_set(context)?;
        let told = driver.context_device(&mut of_stream);
        driver.context_set(before)?;
        told?;
    }
    for ordinal in 0..count {
        let mut handle: sys::CUdevice = 0;
        // SAFETY: writes to a local; the ordinal is in range.
        unsafe { driver.device_get(&mut handle, ordinal) }?;
        if handle == of_stream {
            return device(ordinal);
        }
    }
    Err(Error::value("the stream is on a device that this process does not see"))
}

/// The devices that were used so far.
pub(crate) fn used() -> impl Iterator<Item = &'static Device> {
    DEVICES.iter().filter_map(FirstUse::get)
}

fn no_such_device(ordinal: i32) -> Error {
    let count = count().unwrap_or(0);
    Error::value(format!("there is no CUDA device {ordinal}; this process sees {count}"))
}

fn start(driver: &'static Driver, ordinal: i32) -> Result<Device> {
    if ordinal >= count()? {
        return Err(no_such_device(ordinal));
    }
    let mut handle: sys::CUdevice = 0;
    let mut context: sys::CUcontext = std::ptr::null_mut();
    let mut pool: sys::CUmemoryPool = std::ptr::null_mut();
    let _relaxed = CaptureGuard::new(driver);
    // SAFETY: every call writes to a local; the ordinal is in range.
    unsafe {
        driver.device_get(&mut handle, ordinal)?;
        driver.primary_retain(&mut context, handle)?;
    }
    // GPUs that are shared out may have none.
    if attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0 {
        // SAFETY: as above.
        unsafe { driver.device_pool(&mut pool, handle) }?;
        keep_freed_memory(driver, pool)?;
    }
    let major = attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    let architecture = u32::try_from(major * 10 + minor).unwrap_or(0);
    let processors = attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let is_cooperative =
        attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)?;
    let (processors, is_cooperative) = (i64::from(processors), is_cooperative != 0);
    let most_blocks = most_blocks(driver, handle)?;
    let side = OnceLock::new();
    Ok(Device {
        ordinal,
        driver,
        context,
        pool,
        side,
        architecture,
        processors,
        is_cooperative,
        most_blocks,
        landing: Mutex::new(None),
        reserve: Reserve::new(),
    })
}

fn most_blocks(driver: &Driver, device: sys::CUdevice) -> Result<[i64; 3]> {
    let along = |dimension| attribute(driver, device, dimension).map(i64::from);
    Ok([
        along(sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
        along(sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
        along(sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
    ])
}

/// A pool whose threshold is 0 gives memory back at every synchronisation; nobody means that. Another value is the application's choice.
fn keep_freed_memory(driver: &Driver, pool: sys::CUmemoryPool) -> Result<()> {
    let attribute = sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as c_int;
    let mut threshold: u64 = 0;
    // SAFETY: the attribute is a 64-bit integer.
    unsafe {
        driver.pool_get(pool, attribute, (&raw mut threshold).cast::<c_void>())?;
        if threshold == 0 {
            threshold = u64::MAX;
            driver.pool_set(pool, attribute, (&raw mut threshold).cast::<c_void>())?;
        }
    }
    Ok(())
}

fn attribute(driver: &Driver, device: sys::CUdevice, attribute: sys::CUdevice_attribute_enum) -> Result<i32> {
    let mut value: c_int = 0;
    // SAFETY: writes to a local.
    unsafe { driver.device_attribute(&mut value, attribute as c_int, device) }?;
    Ok(value)
}

/// Lets this thread do until dropped what is unsafe during captures: none of our calls makes a captured stream wait.
struct CaptureGuard {
    driver: &'static Driver,
    /// Null: the driver does not know modes.
    before: Option<c_int>,
}

impl CaptureGuard {
    fn new(driver: &'static Driver) -> CaptureGuard {
        const RELAXED: c_int = 2;
        let mut mode = RELAXED;
        // SAFETY: reads and writes a local.
        let exchanged = unsafe { driver.exchange_capture_mode(&mut mode) };
        CaptureGuard { driver, before: exchanged.is_ok().then_some(mode) }
    }
}

impl Drop for CaptureGuard {
    fn drop(&mut self) {
        if let Some(mut mode) = self.before {
            // SAFETY: reads and writes a local.
            let _ = unsafe { self.driver.exchange_capture_mode(&mut mode) };
        }
    }
}

/// Makes a device's context current until dropped, then restores the caller's; and takes no captures for ours meanwhile.
pub(crate) struct ContextGuard {
    driver: &'static Driver,
    restore: Option<sys::CUcontext>,
    _relaxed: CaptureGuard,
}

impl Drop for ContextGuard {
    fn drop(&mut self) {
        if let Some(previous) = self.restore {
            // SAFETY: the handle was current on this thread before.
            let _ = unsafe { self.driver.context_set(previous) };
        }
    }
}

impl Device {
    /// Makes the device's context current on this thread.
    pub(crate) fn enter(&self) -> Result<ContextGuard> {
        if process::leaves_devices_alone() {
            driver()?;
        }
        let mut previous: sys::CUcontext = std::ptr::null_mut();
        let mut restore = None;
        // SAFETY: writes to a local; the context is retained for the life of the process.
        unsafe {
            self.driver.context_current(&mut previous)?;
            if previous != self.context {
                self.driver.context_set(self.context)?;
                restore = Some(previous);
            }
        }
        Ok(ContextGuard { driver: self.driver, restore, _relaxed: CaptureGuard::new(self.driver) })
    }

    /// Copies bytes to this device's memory from another's, in the order of a stream of this one, whose context is current. The driver finds the way,
    /// through the host where the devices do not reach each other.
    ///
    /// # Safety
    /// Both hold as many bytes until the copy is done.
    pub(crate) unsafe fn copy_from(
        &self,
        to: u64,
        source: &Device,
        from: u64,
        bytes: usize,
        stream: &Stream,
    ) -> Result<()> {
        // SAFETY: as the caller promises; contexts are never given up.
        Ok(unsafe { self.driver.copy_peer(to, self.context, from, source.context, bytes, stream.handle()) }?)
    }

    /// Waits for what a stream was given.
    pub(crate) fn wait(&self, stream: sys::CUstream) -> Result<()> {
        stats::waited(self.ordinal);
        // SAFETY: the stream is the caller's and alive.
        Ok(unsafe { self.driver.stream_synchronize(stream) }?)
    }

    /// Runs something with [`LANDING_BYTES`] of page-locked host memory, which copies to it leave when it returns, also where it fails.
    pub(crate) fn landed(&'static self, run: impl FnOnce(*mut u8) -> Result<()>) -> Result<()> {
        let kept = self.landing.try_lock().ok().and_then(|mut block| block.take());
        let block = match kept {
            Some(block) => block,
            None => {
                let block = Block::new(self, LANDING_BYTES)?;
                // SAFETY: the block has so many bytes.
                unsafe { block.first().write_bytes(0, LANDING_BYTES) };
                block
            }
        };
        let done = run(block.first());
        if done.is_err() {
            // Copies may be under way: nobody gets this memory again.
            std::mem::forget(block);
        } else if let Ok(mut free) = self.landing.try_lock()
            && free.is_none()
        {
            *free = Some(block);
        }
        done
    }

    /// Waits for what all streams were given, but for those that are being captured: a wait for the whole context would end the capture.
    pub(crate) fn synchronize(&'static self) -> Result<()> {
        let _context = self.enter()?;
        for stream in Stream::all(self) {
            match (stream.device(), is_captured(self.driver, stream.handle())) {
                (Some(_), Ok(_)) => settle_stream(self, &stream.noted())?,
                (None, Ok(false)) => self.wait(stream.handle())?,
                // What is invalidated, or captured by others, holds nothing to wait for.
                _ => {}
            }
        }
        Ok(())
    }
}

/// A device's name and facts in one line.
pub(crate) fn describe(ordinal: i32) -> Result<String> {
    let driver = driver()?;
    if ordinal < 0 || ordinal >= count()? {
        return Err(no_such_device(ordinal));
    }
    let mut handle: sys::CUdevice = 0;
    let mut name = [0 as c_char; 256];
    let mut bytes = 0usize;
    // SAFETY: every call writes to a local of the size that it is told.
    unsafe {
        driver.device_get(&mut handle, ordinal)?;
        driver.device_name(name.as_mut_ptr(), 255, handle)?;
        driver.device_memory(&mut bytes, handle)?;
    }
    let major = attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(driver, handle, sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    // SAFETY: the last byte is still 0.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy();
    let version = driver.cuda_version();
    Ok(format!("{name}, sm_{major}{minor}, {}, driver for CUDA {version}", mebibytes(bytes as u64)))
}

/// Bytes as people read them.
pub(crate) fn mebibytes(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes < MIB { format!("{bytes} bytes") } else { format!("{:.1} MiB", bytes as f64 / MIB as f64) }
}

/// The error for a call that needs the CPU but got device memory, and the like.
pub(crate) fn misplaced(message: String) -> Error {
    Error::new(error_kind::VALUE, message)
}
