//! Launches of kernels that have no descriptor: the runtime's own. Their device code runs in any case.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use crate::ptx::{Entry, Program};
use crate::state::{Code, ILLEGAL_ADDRESS, INVALID_HANDLE, LoadedFunction, State};
use crate::work::Op;

/// A launch whose parameters were read.
pub(crate) struct CodeLaunch {
    name: String,
    entry: Arc<Entry>,
    parameters: Vec<u8>,
    grid: [u64; 3],
    threads: [u64; 3],
    shared_bytes: u32,
}

impl CodeLaunch {
    pub(crate) fn run(&self, state: &mut State) -> Result<(), Code> {
        state.counts.launches += 1;
        state.counts.device_code += 1;
        let done = self.entry.run(state, &self.parameters, self.grid, self.threads, (false, self.shared_bytes));
        done.map_err(|text| {
            state.violation(&format!("{}: {text}", self.name));
            ILLEGAL_ADDRESS
        })
    }
}

/// A launch whose grid was looked at.
///
/// # Safety
/// As the driver's function.
pub(super) unsafe fn prepare(
    state: &mut State,
    function: *mut c_void,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    parameters: *const *mut c_void,
) -> Result<Op, Code> {
    let LoadedFunction { name, image, .. } = state.functions.get(&function.addr()).ok_or(INVALID_HANDLE)?;
    let (name, image) = (name.clone(), *image);
    let program = state.programs.entry(image).or_insert_with(|| {
        // SAFETY: the runtime's own images are null-terminated texts that live as long as the process.
        let text = unsafe { CStr::from_ptr(std::ptr::with_exposed_provenance::<c_char>(image)) };
        Program::new(text.to_str().unwrap_or(""))
    });
    let entry = program.own_entry(&name).map_err(|text| {
        state.violation(&format!("{name}: {text}"));
        INVALID_HANDLE
    })?;
    // SAFETY: as the caller promises.
    let parameters = unsafe { entry.parameters(parameters) };
    let (grid, threads) = (grid.map(u64::from), block.map(u64::from));
    Ok(Op::Code(Arc::new(CodeLaunch { name, entry, parameters, grid, threads, shared_bytes })))
}
