//! Sorting on a device: a radix sort, which moves each element once a digit of its key, and none for digits that all elements share; and the selection of what
//! stands in the middle of long rows.
//!
//! In: rows of a contiguous array in the device's memory. Out: the rows in place, their middle elements, or the indices that put them in order, in the order
//! of the call's stream; the host waits for nothing. Elements are in NumPy's order, and equal ones keep theirs, so that results are those of the host.
//! `false`: nothing was done.

mod block;
mod counting;
mod in_block;
mod key;
mod pass;
pub mod selecting;

use std::ffi::c_void;

use cudarc::driver::sys;
use numptx_abi::{Array, sorting};

use crate::buffer::BufferRef;
use crate::call::CallState;
use crate::device::Device;
use crate::driver::Failure;
use crate::error::{Error, Result};
use crate::own_kernel::{self, Function, OwnKernels};
use crate::stats;
pub use block::Shape;
use counting::{AT_ONCE, THREADS, VECTOR_BYTES};
use in_block::InBlock;
use key::DIGITS;
pub use key::Key;
use pass::Pass;

/// The first GPUs whose lanes vote and exchange values as these kernels ask them to.
const LEAST_ARCHITECTURE: u32 = 75;
/// Elements of a thread in tiles for rows that one block orders; the first that has room is taken.
const SMALL_ITEMS: [u32; 5] = [1, 2, 4, 8, 12];
/// Tiles of passes: of elements of 8 bytes, of shorter ones whose indices go with them, and of shorter ones alone. Measured on an H200.
const LARGE_OF_LONG: Shape = Shape { threads: 512, items: 11, blocks: 2 };
const LARGE_WITH_ORDER: Shape = Shape { threads: 384, items: 16, blocks: 2 };
const LARGE: Shape = Shape { threads: 512, items: 16, blocks: 2 };
/// Rows of more elements than this need words of 64 bits for what is counted: two bits of a word tell what it is.
const LONGEST_OF_WORDS: i64 = 1 << 30;
/// Rounds that a thread counts in, where there are enough elements.
const COUNTED_ROUNDS: i64 = 4;
/// Rows whose counts take little memory, however long they are.
const FEW_ROWS: i64 = 1 << 10;
/// Blocks of a processor that count.
const COUNTING_BLOCKS: i64 = 8;

/// What is loaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels {
    key: Key,
    has_order: bool,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// A block a row.
    InBlock(Shape),
    /// A pass a digit.
    Passes { shape: Shape, is_wide: bool },
    /// Of the middle elements alone.
    Select,
}

impl Kernels {
    /// For the middle elements of rows that no block orders.
    pub fn selecting(key: Key) -> Kernels {
        Kernels { key, has_order: false, how: How::Select }
    }

    /// For rows of so many elements; `tile`: of passes, instead of the one that is chosen.
    pub fn of(key: Key, has_order: bool, length: i64, tile: Option<Shape>) -> Kernels {
        let mut small = SMALL_ITEMS.into_iter().map(|items| Shape { threads: DIGITS, items, blocks: 1 });
        let small = small.find(|shape| tile.is_none() && length <= i64::from(shape.tile()));
        let is_wide = length >= LONGEST_OF_WORDS;
        let largest = match has_order {
            _ if key.bytes == 8 || (has_order && is_wide) => LARGE_OF_LONG,
            true => LARGE_WITH_ORDER,
            false => LARGE,
        };
        let passes = How::Passes { shape: tile.unwrap_or(largest), is_wide };
        Kernels { key, has_order, how: small.map_or(passes, How::InBlock) }
    }

    /// The module's text.
    pub fn text(&self) -> String {
        let Kernels { key, has_order, how } = *self;
        let head = ".version 6.3\n.target sm_75\n.address_size 64\n\n".to_owned();
        match how {
            How::InBlock(shape) => head + &InBlock { key, shape, has_order }.text(),
            How::Passes { shape, is_wide } => {
                let pass = Pass { key, shape, has_order, is_wide };
                let texts = [counting::clear(), counting::count(key), counting::plan(key, has_order), pass.text()];
                head + &texts.concat() + &counting::settle(key)
            }
            How::Select => head + &counting::clear() + &selecting::text(key),
        }
    }
}

static LOADED: OwnKernels<Kernels, Functions> = OwnKernels::new();

/// The entries of a module.
#[derive(Clone, Copy)]
enum Functions {
    InBlock(Function),
    Passes { clear: Function, count: Function, plan: Function, pass: Function, settle: Function },
    Select { clear: Function, count: Function, choose: Function, ends: Function, write: Function },
}

fn load(device: &'static Device, kernels: &Kernels) -> std::result::Result<Functions, Failure> {
    let module = own_kernel::Module::load(device, kernels.text())?;
    Ok(match kernels.how {
        How::InBlock(_) => Functions::InBlock(module.function("sort_in_block")?),
        How::Passes { .. } => Functions::Passes {
            clear: module.function("sort_clear")?,
            count: module.function("sort_count")?,
            plan: module.function("sort_plan")?,
            pass: module.function("sort_pass")?,
            settle: module.function("sort_settle")?,
        },
        How::Select => Functions::Select {
            clear: module.function("sort_clear")?,
            count: module.function("select_count")?,
            choose: module.function("select_choose")?,
            ends: module.function("select_ends")?,
            write: module.function("select_write")?,
        },
    })
}

/// Rows that are sorted: where they lie, and how many of which length there are.
struct Rows {
    first: u64,
    order: Option<u64>,
    length: i64,
    count: i64,
}

/// Whether the device sorts.
///
/// # Safety
/// As [`super::sort`]; the first elements are where the arrays say. The device's context is current.
pub(super) unsafe fn sort(
    call: &CallState,
    device: &'static Device,
    what: u32,
    (values, first): (&Array, *mut u8),
    order: Option<(&Array, *mut u8)>,
) -> Result<bool> {
    let key = u8::try_from(values.dtype).ok().and_then(Key::of);
    let Some(key) = key.filter(|_| device.architecture >= LEAST_ARCHITECTURE) else { return Ok(false) };
    let order = order.filter(|_| what == sorting::INDICES);
    let are_together = is_contiguous(values, i64::from(key.bytes)) && order.is_none_or(|(o, _)| is_contiguous(o, 8));
    if !are_together {
        return Ok(false);
    }
    let shape = &values.shape[..(values.rank as usize).min(values.shape.len())];
    let Some((length, outer)) = shape.split_last() else { return Ok(false) };
    let (length, count) = (*length, outer.iter().product::<i64>());
    if length == 0 || count == 0 || (length == 1 && order.is_none()) {
        return Ok(true);
    }
    let mut kernels = Kernels::of(key, order.is_some(), length, None);
    if what == sorting::MIDDLE && matches!(kernels.how, How::Passes { .. }) && is_selected(key, length, count) {
        kernels = Kernels::selecting(key);
    }
    let loaded = LOADED.of(device, kernels).loaded(|| load(device, &kernels))?;
    let Some(functions) = loaded else { return Ok(false) };
    let address = |at: *mut u8| at.expose_provenance() as u64;
    let rows = Rows { first: address(first), order: order.map(|(_, at)| address(at)), length, count };
    // Working memory of an iteration is nothing that is repeated.
    call.replay.give_up();
    match (functions, kernels.how) {
        (Functions::InBlock(function), How::InBlock(shape)) => {
            let Some(blocks) = blocks_of(device, count as u64) else { return Ok(false) };
            let values = [rows.first, rows.order.unwrap_or(0), length as u64];
            launch(call, device, function, (blocks, shape.threads), &values)?;
        }
        (Functions::Passes { .. }, How::Passes { shape, is_wide }) => {
            let pass = Pass { key, shape, has_order: order.is_some(), is_wide };
            return Passes { call, device, pass, rows: &rows }.run(functions);
        }
        (Functions::Select { .. }, How::Select) => return select(call, device, key, &rows, functions),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether rows are so few, or so long, that what is counted of each takes little memory beside them.
fn is_selected(key: Key, length: i64, count: i64) -> bool {
    let bytes = length.saturating_mul(i64::from(key.bytes));
    count <= FEW_ROWS || 2 * i64::from(selecting::DIGITS) * 8 <= bytes
}

/// Brings middle elements to their places.
fn select(call: &CallState, device: &'static Device, key: Key, rows: &Rows, functions: Functions) -> Result<bool> {
    let Functions::Select { clear, count, choose, ends, write } = functions else { return Ok(false) };
    let Rows { first, length, count: n_rows, .. } = *rows;
    let (n_rows, length) = (n_rows as u64, length as u64);
    let chunks = chunks_of(device, n_rows, length);
    let (Some(counting), Some(choosing)) = (blocks_of(device, n_rows * chunks), blocks_of(device, n_rows)) else {
        return Ok(false);
    };
    let states = (n_rows * u64::from(selecting::STATE_BYTES)).next_multiple_of(256);
    let bytes = states.saturating_add(n_rows.saturating_mul(u64::from(selecting::DIGITS) * 8));
    let bytes = i64::try_from(bytes).map_err(|_| Error::memory("so many rows cannot be sorted"))?;
    let memory: BufferRef = call.alloc(bytes)?;
    let (states, counts) = (memory.address(), memory.address() + states);
    let launch = |function, blocks, values: &[u64]| launch(call, device, function, (blocks, THREADS), values);
    let vectors = bytes.cast_unsigned() / VECTOR_BYTES;
    launch(clear, clearing_blocks(device, vectors), &[states, vectors])?;
    for (n, [from, mask, upto]) in selecting::passes(key).enumerate() {
        let is_first = u64::from(n == 0);
        launch(count, counting, &[first, length, chunks, states, counts, from, mask, upto])?;
        launch(choose, choosing, &[states, counts, from, (length - 1) / 2, is_first])?;
    }
    launch(ends, counting, &[first, length, chunks, states])?;
    launch(write, choosing, &[first, length, states])?;
    Ok(true)
}

/// Blocks of a row that count its elements.
fn chunks_of(device: &Device, rows: u64, length: u64) -> u64 {
    let wanted = length.div_ceil(u64::from(THREADS * AT_ONCE) * COUNTED_ROUNDS as u64);
    wanted.clamp(1, (device.processors * COUNTING_BLOCKS / rows.cast_signed()).max(1) as u64)
}

/// Blocks that clear so many vectors.
fn clearing_blocks(device: &Device, vectors: u64) -> u32 {
    let most = (device.processors * COUNTING_BLOCKS).min(device.most_blocks[0]) as u64;
    vectors.div_ceil(u64::from(THREADS)).clamp(1, most) as u32
}

/// A number of blocks, if a grid has room for so many.
fn blocks_of(device: &Device, count: u64) -> Option<u32> {
    u32::try_from(count).ok().filter(|n| i64::from(*n) <= device.most_blocks[0])
}

/// Whether elements of so many bytes lie one after the other in C order.
fn is_contiguous(array: &Array, itemsize: i64) -> bool {
    let rank = (array.rank as usize).min(array.shape.len());
    let mut wanted = itemsize;
    (0..rank).rev().all(|axis| {
        let is_next = array.shape[axis] <= 1 || array.strides[axis] == wanted;
        wanted = wanted.saturating_mul(array.shape[axis]);
        is_next
    })
}

/// Sorting by passes.
struct Passes<'a> {
    call: &'a CallState,
    device: &'static Device,
    pass: Pass,
    rows: &'a Rows,
}

/// Working memory: bytes from its beginning on. What comes first begins as zero.
struct Places {
    starts: u64,
    tickets: u64,
    states: u64,
    zeros: u64,
    plan: u64,
    /// The other array of elements, a third one where the first is only read, and two of indices.
    elements: [u64; 2],
    orders: [u64; 2],
    all: u64,
}

impl Passes<'_> {
    fn tiles(&self) -> u64 {
        (self.rows.length as u64).div_ceil(u64::from(self.pass.shape.tile()))
    }

    fn places(&self) -> Places {
        let Rows { length, count, order, .. } = *self.rows;
        let (rows, passes, word) = (count as u64, u64::from(self.pass.key.passes()), u64::from(self.pass.word()));
        let elements = rows * length as u64;
        let mut all = 0u64;
        let mut place = |bytes: u64| {
            let at = all;
            all = all.saturating_add(bytes.next_multiple_of(256));
            at
        };
        let starts = place(rows * passes * u64::from(DIGITS) * 8);
        let tickets = place(passes * 4);
        let states = place(passes * rows * self.tiles() * u64::from(DIGITS) * word);
        let zeros = place(0);
        let plan = place(rows * (passes + 1) * 4);
        let bytes = elements.saturating_mul(u64::from(self.pass.key.bytes));
        let has_order = u64::from(order.is_some());
        let elements_at = [place(bytes), place(has_order * bytes)];
        let orders = [0; 2].map(|_| place(has_order * elements.saturating_mul(word)));
        Places { starts, tickets, states, zeros, plan, elements: elements_at, orders, all }
    }

    fn run(&self, functions: Functions) -> Result<bool> {
        let Functions::Passes { clear, count, plan, pass, settle } = functions else { return Ok(false) };
        let Rows { first, order, length, count: n_rows } = *self.rows;
        let (length, passes) = (length as u64, self.pass.key.passes());
        let (tiles, rows) = (self.tiles(), n_rows as u64);
        let chunks = chunks_of(self.device, rows, length);
        let blocks = |n: u64| blocks_of(self.device, n);
        let (Some(counting), Some(moving), Some(planning)) =
            (blocks(rows * chunks), rows.checked_mul(tiles).and_then(blocks), blocks(rows))
        else {
            return Ok(false);
        };
        let places = self.places();
        let bytes = i64::try_from(places.all).map_err(|_| Error::memory("rows that are this long cannot be sorted"))?;
        let memory: BufferRef = self.call.alloc(bytes)?;
        let base = memory.address();
        let at = |place: u64| base + place;
        let vectors = places.zeros / VECTOR_BYTES;
        let clearing = clearing_blocks(self.device, vectors);
        let (starts, plan_at) = (at(places.starts), at(places.plan));
        self.launch(clear, (clearing, THREADS), [base, vectors])?;
        self.launch(count, (counting, THREADS), [first, length, chunks, starts])?;
        self.launch(plan, (planning, THREADS), [length, starts, plan_at])?;
        let odd = at(places.elements[0]);
        let even = if order.is_some() { at(places.elements[1]) } else { first };
        let [order_odd, order_even] = places.orders.map(at);
        let states = rows * tiles * u64::from(DIGITS) * u64::from(self.pass.word());
        for n in 0..u64::from(passes) {
            let (state, ticket) = (at(places.states) + n * states, at(places.tickets) + 4 * n);
            let order = order.unwrap_or(0);
            let values =
                [first, odd, even, order_odd, order_even, order, length, tiles, starts, plan_at, state, ticket, n];
            self.launch(pass, (moving, self.pass.shape.threads), values)?;
        }
        if order.is_none() {
            self.launch(settle, (counting, THREADS), [odd, first, length, chunks, plan_at])?;
        }
        Ok(true)
    }

    fn launch<const N: usize>(&self, function: Function, grid: (u32, u32), values: [u64; N]) -> Result<()> {
        launch(self.call, self.device, function, grid, &values)
    }
}

/// Queues a kernel with blocks of so many threads.
fn launch(
    call: &CallState,
    device: &'static Device,
    function: Function,
    (blocks, threads): (u32, u32),
    values: &[u64],
) -> Result<()> {
    // The driver reads them alone.
    let mut pointers: Vec<*mut c_void> =
        values.iter().map(|value| std::ptr::from_ref(value).cast_mut().cast()).collect();
    let (parameters, extra, stream) = (pointers.as_mut_ptr(), std::ptr::null_mut(), call.stream.handle());
    let function: sys::CUfunction = function.0;
    // SAFETY: the parameters are the kernel's, in its order, which the driver copies; its arrays have room for what it reads and writes.
    unsafe { device.driver.launch(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, extra) }?;
    stats::launched(device.ordinal);
    Ok(())
}
