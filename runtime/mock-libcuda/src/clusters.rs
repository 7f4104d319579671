//! Launches of clusters: blocks that run at once. A cluster has up to 8 blocks, or 16 where the function says that it may have more than every
//! device gives.

use std::ffi::c_void;

use crate::launch::{Blocks, queue};
use crate::queries::SHARED_BYTES;
use crate::state::{Code, INVALID_HANDLE, INVALID_VALUE, State, code, enter_context};

/// The driver's number of a launch's attribute that is the blocks of a cluster.
const CLUSTER_DIMENSION: i32 = 4;
/// The same of a function's attribute that allows clusters of more than 8 blocks.
const NON_PORTABLE: i32 = 14;
/// The same of the one that allows launches more shared memory.
const MOST_SHARED: i32 = 8;
/// The driver's code for clusters that are too large.
const INVALID_CLUSTER_SIZE: Code = 912;
const PORTABLE: u32 = 8;
const MOST: u32 = 16;

/// The driver's `CUlaunchAttribute`.
#[repr(C)]
pub struct Attribute {
    id: i32,
    _pad: [u8; 4],
    value: [u32; 16],
}

/// The driver's `CUlaunchConfig`.
#[repr(C)]
pub struct Configuration {
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    stream: *mut c_void,
    attributes: *const Attribute,
    n_attributes: u32,
}

impl Configuration {
    /// How many blocks a cluster has.
    ///
    /// # Safety
    /// There are as many attributes as the configuration says.
    unsafe fn cluster(&self) -> Option<u32> {
        // SAFETY: as the caller promises.
        let attributes = unsafe { std::slice::from_raw_parts(self.attributes, self.n_attributes as usize) };
        match attributes {
            [only] if only.id == CLUSTER_DIMENSION && only.value[1..3] == [1, 1] => Some(only.value[0]),
            _ => None,
        }
    }
}

/// Whether the function may have clusters of so many blocks.
fn fits(state: &State, function: *mut c_void, blocks: u32) -> Result<bool, Code> {
    let function = state.functions.get(&function.addr()).ok_or(INVALID_HANDLE)?;
    Ok(blocks.is_power_of_two() && blocks <= if function.is_non_portable { MOST } else { PORTABLE })
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncSetAttribute(function: *mut c_void, attribute: i32, value: i32) -> Code {
    code((|| {
        let mut state = enter_context("cuFuncSetAttribute")?;
        let function = state.functions.get_mut(&function.addr()).ok_or(INVALID_HANDLE)?;
        match (attribute, u32::try_from(value)) {
            (NON_PORTABLE, _) => function.is_non_portable = value != 0,
            (MOST_SHARED, Ok(bytes)) if bytes <= SHARED_BYTES => function.shared_bytes = bytes,
            _ => return Err(INVALID_VALUE),
        }
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuOccupancyMaxActiveClusters(
    out: *mut i32,
    function: *mut c_void,
    config: *const Configuration,
) -> Code {
    code((|| {
        let state = enter_context("cuOccupancyMaxActiveClusters")?;
        // SAFETY: as the caller promises.
        let blocks = unsafe { (*config).cluster() }.ok_or(INVALID_VALUE)?;
        if !fits(&state, function, blocks)? {
            return Err(INVALID_CLUSTER_SIZE);
        }
        // Of rows there is the device's code alone, whose barriers of clusters nobody runs here.
        let is_known = state.functions.get(&function.addr()).is_some_and(|f| !f.name.ends_with("__clustered32"));
        // SAFETY: as the caller promises.
        unsafe { *out = i32::from(is_known) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernelEx(
    config: *const Configuration,
    function: *mut c_void,
    parameters: *const *mut c_void,
    _extra: *const *mut c_void,
) -> Code {
    code((|| {
        // SAFETY: as the caller promises.
        let config = unsafe { &*config };
        // SAFETY: as the caller promises.
        let blocks = unsafe { config.cluster() }.ok_or(INVALID_VALUE)?;
        {
            let state = enter_context("cuLaunchKernelEx")?;
            if !fits(&state, function, blocks)? || config.grid != [blocks, 1, 1] {
                return Err(INVALID_CLUSTER_SIZE);
            }
        }
        let (grid, block, shared) = (config.grid, config.block, config.shared_bytes);
        // SAFETY: as the caller promises.
        unsafe {
            queue(("cuLaunchKernelEx", Blocks::Cluster), function, grid, block, shared, config.stream, parameters)
        }
    })())
}
