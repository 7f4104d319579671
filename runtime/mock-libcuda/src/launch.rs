//! Launches: the kernel's host twin runs on a frame rebuilt from the raw device parameters.
//!
//! Every operand's footprint is checked against live allocations, and the grid against what the kernel needs.

mod faults;
mod own_code;
mod parameters;
mod places;

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use numptx_abi::Kernel;

use faults::fault;
pub(crate) use own_code::CodeLaunch;
use parameters::{LaunchFrame, rebuild};
use places::Part;

use crate::ptx::{self, Entry, Program};
use crate::queries::{PROCESSORS, most_blocks};
use crate::state::{
    Code, ILLEGAL_ADDRESS, INVALID_HANDLE, INVALID_VALUE, LoadedFunction, State, TOO_LARGE, code, enter_work,
};
use crate::work::Op;

/// Blocks of a launch and threads of a block.
#[derive(Clone, Copy)]
struct Grid {
    x: i64,
    y: i64,
    z: i64,
    threads: (i64, i64),
}

impl Grid {
    /// Whether the threads of a block along x are as many as can share an output.
    fn has_rows(self, kernel: &Kernel) -> bool {
        let (x, y) = self.threads;
        x * y == i64::from(kernel.block) && (x == i64::from(kernel.block) || x <= 32 && x & (x - 1) == 0)
    }

    /// The same along y.
    fn has_columns(self, kernel: &Kernel) -> bool {
        let (x, y) = self.threads;
        let is_shared = u32::from(kernel.block) * kernel.accumulator_bytes <= Kernel::SHARED_BYTES;
        x * y == i64::from(kernel.block) && y & (y - 1) == 0 && (y == 1 || is_shared)
    }
}

/// What a launch is to do, once its parameters are read.
enum Work {
    Flat {
        n: i64,
    },
    Strided {
        is_wide: bool,
    },
    Tiles {
        is_wide: bool,
    },
    Ragged {
        shift: i32,
    },
    Sequential {
        claims: u64,
    },
    Combine,
    Claim {
        claims: u64,
        capacity: i64,
    },
    Settle {
        claims: u64,
        capacity: i64,
    },
    /// Of `streamed64` any number of blocks; else so many threads take a row, or where it is 0 a warp that holds more than few do.
    Rows {
        team: Option<i64>,
    },
    /// One of the variants by places; the last of several does all.
    Places {
        part: Part,
        memory: u64,
        places: i64,
        first: i64,
        range: (i64, i64),
    },
    Block,
    Cluster,
    Grid {
        scratch: *mut u8,
    },
    Fold {
        is_wide: bool,
        partials: *mut u8,
        chunk: i64,
        n_chunks: i64,
        across: i32,
    },
    Finish {
        partials: *mut u8,
        n_chunks: i64,
    },
    Scan {
        is_wide: bool,
        totals: *mut u8,
        chunk: i64,
        n_chunks: i64,
        across: i32,
        mode: i64,
    },
    Running {
        is_wide: bool,
        memory: *mut u8,
        tiles: i64,
        flat: i32,
    },
}

/// # Safety
/// The parameters are the variant's.
unsafe fn read_work(rebuilt: &mut LaunchFrame<'_>, variant: &str) -> Option<Work> {
    let (name, wide) = match variant.strip_suffix("64") {
        Some(name) => (name, true),
        None => (variant.strip_suffix("32")?, false),
    };
    // SAFETY: as the caller promises, in each arm.
    unsafe {
        if name == "flat" && !wide {
            let n = i64::from(rebuilt.parameters.take::<u32>());
            rebuilt.flatten(n);
            return Some(Work::Flat { n });
        }
        rebuilt.take_space(wide);
        let is_map = rebuilt.kernel.kind == Kernel::MAP;
        let is_rows = rebuilt.kernel.kind == Kernel::ROWS;
        let is_sequential = rebuilt.kernel.flags & Kernel::SEQUENTIAL != 0;
        let is_cooperative = rebuilt.kernel.flags & Kernel::COOPERATIVE != 0;
        Some(match (name, is_map) {
            ("block", true) if is_cooperative && wide => Work::Block,
            ("cluster", true) if is_cooperative && wide => Work::Cluster,
            ("grid", true) if is_cooperative && wide => {
                let scratch = std::ptr::with_exposed_provenance_mut(rebuilt.parameters.take::<u64>() as usize);
                Work::Grid { scratch }
            }
            ("tiles", true) if rebuilt.kernel.flags & Kernel::TILES != 0 => Work::Tiles { is_wide: wide },
            ("ragged", true) if rebuilt.kernel.flags & Kernel::RAGGED != 0 && wide => {
                Work::Ragged { shift: rebuilt.parameters.take() }
            }
            ("strided", true) if !is_sequential && !is_cooperative => Work::Strided { is_wide: wide },
            ("combine", true) if rebuilt.kernel.flags & Kernel::COMBINES != 0 && wide => Work::Combine,
            ("sequential", true) if is_sequential && wide => Work::Sequential { claims: rebuilt.parameters.take() },
            ("claim" | "settle", true) if rebuilt.kernel.flags & Kernel::CLAIMS != 0 && wide => {
                let (claims, capacity) = (rebuilt.parameters.take::<u64>(), rebuilt.parameters.take::<i64>());
                if name == "claim" { Work::Claim { claims, capacity } } else { Work::Settle { claims, capacity } }
            }
            (name, true) if wide && Part::of(name, rebuilt.kernel).is_some() => {
                let part = Part::of(name, rebuilt.kernel)?;
                let (memory, places) = (rebuilt.parameters.take::<u64>(), rebuilt.parameters.take::<i64>());
                let first = rebuilt.parameters.take::<i64>();
                let points = rebuilt.extents.iter().product();
                let has_range = part.has_range();
                let range =
                    if has_range { (rebuilt.parameters.take(), rebuilt.parameters.take()) } else { (0, points) };
                Work::Places { part, memory, places, first, range }
            }
            ("fold" | "scan", false) if rebuilt.kernel.kind == Kernel::SCAN => {
                let totals = std::ptr::with_exposed_provenance_mut(rebuilt.parameters.take::<u64>() as usize);
                let (chunk, n_chunks) = (rebuilt.parameters.take::<i64>(), i64::from(rebuilt.parameters.take::<i32>()));
                let across = rebuilt.parameters.take::<i32>();
                let mode = if name == "scan" { Kernel::STORES } else { Kernel::TOTALS };
                Work::Scan { is_wide: wide, totals, chunk, n_chunks, across, mode }
            }
            ("running", false) if rebuilt.kernel.kind == Kernel::SCAN && rebuilt.kernel.vector != 0 => {
                let memory = std::ptr::with_exposed_provenance_mut(rebuilt.parameters.take::<u64>() as usize);
                let (tiles, flat) = (rebuilt.parameters.take::<i64>(), rebuilt.parameters.take::<i32>());
                Work::Running { is_wide: wide, memory, tiles, flat }
            }
            ("fold" | "finish", false) if !is_rows => {
                let partials = std::ptr::with_exposed_provenance_mut(rebuilt.parameters.take::<u64>() as usize);
                let (chunk, n_chunks) = (rebuilt.parameters.take::<i64>(), i64::from(rebuilt.parameters.take::<i32>()));
                let across = rebuilt.parameters.take::<i32>();
                if name == "fold" {
                    Work::Fold { is_wide: wide, partials, chunk, n_chunks, across }
                } else {
                    Work::Finish { partials, n_chunks }
                }
            }
            ("few", false) if is_rows && !wide => {
                Work::Rows { team: Some(i64::from(rebuilt.parameters.take::<i32>())) }
            }
            ("warp", false) if is_rows && !wide => Work::Rows { team: Some(0) },
            ("team", false) if is_rows && !wide => Work::Rows { team: Some(i64::from(rebuilt.kernel.block)) },
            ("streamed", false) if is_rows && wide => Work::Rows { team: None },
            _ => return None,
        })
    }
}

/// Runs the host twin. Of several variants that do a part each, one does all here.
///
/// # Safety
/// The launch was checked.
unsafe fn run(rebuilt: &LaunchFrame<'_>, work: &Work, grid: Grid) -> Result<(), Code> {
    let frame = rebuilt.frame();
    let kernel = rebuilt.kernel;
    // SAFETY: as the caller promises: the frame's memory is live device memory, which is host memory here.
    unsafe {
        match *work {
            Work::Flat { n } => kernel.host_flat.ok_or(INVALID_VALUE)?(&frame, 0, n),
            Work::Claim { .. } | Work::Sequential { claims: 1.. } => {}
            // There is no twin: the device's code runs.
            Work::Rows { .. } => return Err(INVALID_VALUE),
            Work::Tiles { .. } => {
                let n_tiles = (rebuilt.extents.iter().product::<i64>() + Kernel::TILE - 1) / Kernel::TILE;
                kernel.host_strided.ok_or(INVALID_VALUE)?(&frame, 0, n_tiles);
            }
            Work::Places { part, range, .. } if !part.is_last() || range.1 < rebuilt.extents.iter().product() => {}
            Work::Strided { .. }
            | Work::Ragged { .. }
            | Work::Sequential { .. }
            | Work::Combine
            | Work::Settle { .. }
            | Work::Places { .. }
            | Work::Block
            | Work::Cluster
            | Work::Grid { .. } => {
                let (last, outer) = rebuilt.extents.split_last().map_or((1, &[][..]), |(last, outer)| (*last, outer));
                let rows: i64 = outer.iter().product();
                let units = if kernel.flags & Kernel::NEST != 0 { rows * last } else { rows };
                kernel.host_strided.ok_or(INVALID_VALUE)?(&frame, 0, units);
            }
            Work::Fold { n_chunks: 1, .. } => {
                let (reduce, outputs) = (kernel.host_reduce.ok_or(INVALID_VALUE)?, rebuilt.kept());
                reduce(&frame, 0, outputs, 0, rebuilt.reduced(), std::ptr::null_mut(), 0);
            }
            Work::Fold { partials, chunk, n_chunks, .. } => {
                let (reduce, size) = (kernel.host_reduce.ok_or(INVALID_VALUE)?, i64::from(kernel.accumulator_bytes));
                for y in 0..grid.y {
                    let (first, last) = ((y * chunk).min(rebuilt.reduced()), ((y + 1) * chunk).min(rebuilt.reduced()));
                    reduce(
                        &frame,
                        0,
                        rebuilt.kept(),
                        first,
                        last,
                        partials.wrapping_offset((y * size) as isize),
                        n_chunks * size,
                    );
                }
            }
            Work::Scan { totals, chunk, n_chunks, mode, .. } => {
                let scan = kernel.host_scan.ok_or(INVALID_VALUE)?;
                for y in 0..grid.y {
                    let (first, last) = ((y * chunk).min(rebuilt.reduced()), ((y + 1) * chunk).min(rebuilt.reduced()));
                    scan(&frame, 0, rebuilt.kept(), first, last, totals, y, n_chunks, mode);
                }
            }
            Work::Running { .. } => {
                let (scan, none) = (kernel.host_scan.ok_or(INVALID_VALUE)?, std::ptr::null_mut());
                scan(&frame, 0, rebuilt.kept(), 0, rebuilt.reduced(), none, 0, 1, Kernel::STORES);
            }
            Work::Finish { partials, n_chunks } => {
                kernel.host_finish.ok_or(INVALID_VALUE)?(&frame, 0, rebuilt.kept(), n_chunks, partials);
            }
        }
    }
    Ok(())
}

/// A launch whose parameters were read.
pub(crate) struct KernelLaunch {
    rebuilt: LaunchFrame<'static>,
    work: Work,
    grid: Grid,
    variant: String,
    /// The device code and its parameters, if it is that which runs.
    code: Option<(Arc<Entry>, Vec<u8>)>,
}

// SAFETY: descriptors are immutable; what the pointers lead to is device memory, checked before it is used.
unsafe impl Send for KernelLaunch {}
// SAFETY: as above; nothing changes after the parameters were read.
unsafe impl Sync for KernelLaunch {}

impl KernelLaunch {
    /// Checks the launch against the memory that is live now, and runs it.
    pub(crate) fn run(&self, state: &mut State) -> Result<(), Code> {
        if let Some(text) = fault(state, &self.rebuilt, &self.work, self.grid) {
            state.violation(&format!("{}: {text}", self.variant));
            return Err(ILLEGAL_ADDRESS);
        }
        state.counts.launches += 1;
        let Some((entry, parameters)) = &self.code else {
            // SAFETY: checked above.
            return unsafe { run(&self.rebuilt, &self.work, self.grid) };
        };
        state.counts.device_code += 1;
        let grid = [self.grid.x, self.grid.y, self.grid.z].map(i64::cast_unsigned);
        let threads = [self.grid.threads.0, self.grid.threads.1, 1].map(i64::cast_unsigned);
        let done = entry.run(state, parameters, grid, threads, (matches!(self.work, Work::Grid { .. }), 0));
        done.map_err(|text| {
            state.violation(&format!("{}: {text}", self.variant));
            ILLEGAL_ADDRESS
        })
    }
}

/// The device code of a function, if it is to run, or is all that there is, and the mock knows its instructions.
fn device_code(state: &mut State, handle: *mut c_void, variant: &str, is_alone: bool) -> Option<Arc<Entry>> {
    if !ptx::is_on() && !is_alone {
        return None;
    }
    let LoadedFunction { name, image, .. } = state.functions.get(&handle.addr())?;
    let image_text = std::ptr::with_exposed_provenance::<c_char>(*image);
    let program = state.programs.entry(*image).or_insert_with(|| {
        // SAFETY: loaded images live as long as their library; PTX is a null-terminated text.
        let text = unsafe { CStr::from_ptr(image_text) };
        Program::new(text.to_str().unwrap_or(""))
    });
    program.entry(name.rsplit_once("__")?.0, variant)
}

/// The kernel of a function, and the variant: `<kernel>__<variant>`, from the module whose image it is.
fn find_kernel(state: &State, handle: *mut c_void) -> Result<(*const Kernel, String), Code> {
    let function = state.functions.get(&handle.addr()).ok_or(INVALID_HANDLE)?;
    let (name, variant) = function.name.rsplit_once("__").ok_or(INVALID_HANDLE)?;
    let found = state.kernels.iter().find(|known| {
        // SAFETY: registered kernels and their modules live as long as the process.
        unsafe {
            let kernel = &*known.0;
            let module = &*kernel.module;
            let n_images = if module.images.is_null() { 0 } else { module.n_images as usize };
            let images = if n_images == 0 { &[][..] } else { std::slice::from_raw_parts(module.images, n_images) };
            CStr::from_ptr(kernel.name).to_bytes() == name.as_bytes()
                && images.iter().any(|i| i.data.addr() == function.image)
        }
    });
    found.map(|known| (known.0, variant.to_string())).ok_or(INVALID_HANDLE)
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchCooperativeKernel(
    function: *mut c_void,
    grid_x: u32,
    grid_y: u32,
    grid_z: u32,
    block_x: u32,
    block_y: u32,
    block_z: u32,
    shared_bytes: u32,
    stream: *mut c_void,
    parameters: *const *mut c_void,
) -> Code {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    // SAFETY: as the caller promises.
    code(unsafe {
        queue(
            ("cuLaunchCooperativeKernel", Blocks::Cooperative),
            function,
            grid,
            block,
            shared_bytes,
            stream,
            parameters,
        )
    })
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: *mut c_void,
    grid_x: u32,
    grid_y: u32,
    grid_z: u32,
    block_x: u32,
    block_y: u32,
    block_z: u32,
    shared_bytes: u32,
    stream: *mut c_void,
    parameters: *const *mut c_void,
    _extra: *const *mut c_void,
) -> Code {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    // SAFETY: as the caller promises.
    code(unsafe { queue(("cuLaunchKernel", Blocks::Alone), function, grid, block, shared_bytes, stream, parameters) })
}

/// What the blocks of a launch may rely on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blocks {
    Alone,
    /// They are one cluster.
    Cluster,
    /// All run at once.
    Cooperative,
}

impl Blocks {
    fn of(variant: &str) -> Blocks {
        match variant {
            "cluster64" => Blocks::Cluster,
            "grid64" => Blocks::Cooperative,
            _ => Blocks::Alone,
        }
    }
}

/// Queues a launch by the function of this name.
///
/// # Safety
/// As the driver's function.
pub(crate) unsafe fn queue(
    (name, blocks): (&'static str, Blocks),
    function: *mut c_void,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    stream: *mut c_void,
    parameters: *const *mut c_void,
) -> Result<(), Code> {
    let mut state = enter_work(name)?;
    let key = state.own_stream(stream)?;
    // SAFETY: as the caller promises.
    let op = unsafe { prepare(&mut state, blocks, function, grid, block, shared_bytes, parameters) }?;
    state.submit(key, op)
}

/// A launch whose grid and parameters were looked at.
///
/// # Safety
/// As the driver's function.
pub(crate) unsafe fn prepare(
    state: &mut State,
    blocks: Blocks,
    function: *mut c_void,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    parameters: *const *mut c_void,
) -> Result<Op, Code> {
    let in_limits = grid.iter().zip(most_blocks()).all(|(n, most)| (1..=most).contains(n))
        && block[0] >= 1
        && block[1] >= 1
        && u64::from(block[0]) * u64::from(block[1]) <= 1024
        && block[2] == 1
        && shared_bytes <= state.functions.get(&function.addr()).map_or(0, |known| known.shared_bytes);
    if !in_limits {
        state.violation(&format!("grid {grid:?} or block {block:?} is beyond the limits"));
        return Err(INVALID_VALUE);
    }
    let Ok((kernel, variant)) = find_kernel(state, function) else {
        // SAFETY: as the caller promises.
        return unsafe { own_code::prepare(state, function, grid, block, shared_bytes, parameters) };
    };
    if blocks != Blocks::of(&variant) {
        state
            .violation(&format!("{variant}: blocks that wait for each other are launched so that they can, no others"));
        return Err(INVALID_VALUE);
    }
    // As many threads a processor as any kernel's registers have room for.
    let threads = grid.iter().chain(&block).map(|n| u64::from(*n)).product::<u64>();
    if blocks == Blocks::Cooperative && threads > PROCESSORS as u64 * 1024 {
        return Err(TOO_LARGE);
    }
    // SAFETY: registered kernels live as long as the process.
    let kernel: &'static Kernel = unsafe { &*kernel };
    let grid = Grid {
        x: i64::from(grid[0]),
        y: i64::from(grid[1]),
        z: i64::from(grid[2]),
        threads: (i64::from(block[0]), i64::from(block[1])),
    };
    // SAFETY: as the caller promises.
    let mut rebuilt = unsafe { rebuild(kernel, parameters) };
    // SAFETY: as above.
    let Some(work) = (unsafe { read_work(&mut rebuilt, &variant) }) else { return Err(INVALID_HANDLE) };
    let is_alone = kernel.kind == Kernel::ROWS;
    let entry = device_code(state, function, &variant, is_alone);
    // SAFETY: as the caller promises.
    let code = entry.map(|entry| (entry.clone(), unsafe { entry.parameters(parameters) }));
    Ok(Op::Launch(Arc::new(KernelLaunch { rebuilt, work, grid, variant, code })))
}
