//! Kernels that the runtime writes, run by the mock driver instruction by instruction: memory of its device, and launches.

use std::ffi::{CString, c_void};
use std::mem::transmute;

use crate::program::mock_symbol;

/// Memory of the mock device, as long as the process.
pub(crate) fn allocate(bytes: usize) -> *mut u8 {
    let mut address = 0u64;
    // SAFETY: the mock driver's function has this type; it writes to a local.
    let code = unsafe {
        let allocate: unsafe extern "C" fn(*mut u64, usize) -> i32 = transmute(mock_symbol(c"cuMemAlloc_v2"));
        allocate(&mut address, bytes)
    };
    assert_eq!(code, 0);
    std::ptr::with_exposed_provenance_mut(address as usize)
}

pub(crate) fn free(memory: *mut u8) {
    // SAFETY: the mock driver's function has this type; the memory was allocated by it.
    let code = unsafe {
        let free: unsafe extern "C" fn(u64) -> i32 = transmute(mock_symbol(c"cuMemFree_v2"));
        free(memory.expose_provenance() as u64)
    };
    assert_eq!(code, 0);
}

/// Makes device 0's context current.
pub(crate) fn enter() {
    let mut context = std::ptr::null_mut();
    // SAFETY: the mock driver's functions have these types.
    let codes = unsafe {
        let init: unsafe extern "C" fn(u32) -> i32 = transmute(mock_symbol(c"cuInit"));
        let retain: unsafe extern "C" fn(*mut *mut c_void, i32) -> i32 =
            transmute(mock_symbol(c"cuDevicePrimaryCtxRetain"));
        let set: unsafe extern "C" fn(*mut c_void) -> i32 = transmute(mock_symbol(c"cuCtxSetCurrent"));
        [init(0), retain(&mut context, 0), set(context)]
    };
    assert_eq!(codes, [0; 3]);
}

/// A kernel's grid: blocks along x and y, threads of a block, and bytes of shared memory, those that its text declares included.
pub(crate) struct Grid {
    pub(crate) blocks: (u32, u32),
    pub(crate) threads: u32,
    pub(crate) bytes: u32,
}

/// Runs an entry of a text; returns the driver's code.
pub(crate) fn launch(text: String, entry: &str, grid: &Grid, values: &mut [u64]) -> i32 {
    type Load = unsafe extern "C" fn(*mut *mut c_void, *const c_void, u32, *const i32, *const *mut c_void) -> i32;
    type Function = unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const std::ffi::c_char) -> i32;
    type Allow = unsafe extern "C" fn(*mut c_void, i32, i32) -> i32;
    type Launch = unsafe extern "C" fn(
        *mut c_void,
        u32,
        u32,
        u32,
        u32,
        u32,
        u32,
        u32,
        *mut c_void,
        *const *mut c_void,
        *const *mut c_void,
    ) -> i32;
    // The mock reads it when it likes to.
    let text = Box::leak(CString::new(text).expect("no nulls").into_boxed_c_str());
    let name = CString::new(entry).expect("no nulls");
    let (mut module, mut function) = (std::ptr::null_mut(), std::ptr::null_mut());
    let pointers: Vec<*mut c_void> = values.iter_mut().map(|value| (value as *mut u64).cast()).collect();
    let Grid { blocks, threads, bytes } = *grid;
    // SAFETY: the mock driver's functions have these types, and what they are given lives long enough.
    unsafe {
        let load: Load = transmute(mock_symbol(c"cuModuleLoadDataEx"));
        assert_eq!(load(&mut module, text.as_ptr().cast(), 0, std::ptr::null(), std::ptr::null()), 0);
        let find: Function = transmute(mock_symbol(c"cuModuleGetFunction"));
        assert_eq!(find(&mut function, module, name.as_ptr()), 0);
        let asked = if bytes > 48 << 10 { bytes } else { 0 };
        if asked > 0 {
            let allow: Allow = transmute(mock_symbol(c"cuFuncSetAttribute"));
            assert_eq!(allow(function, 8, bytes as i32), 0);
        }
        let launch: Launch = transmute(mock_symbol(c"cuLaunchKernel"));
        let stream = std::ptr::null_mut();
        launch(function, blocks.0, blocks.1, 1, threads, 1, 1, asked, stream, pointers.as_ptr(), std::ptr::null())
    }
}
