//! Elements of one array into another of the same device by a kernel: with any strides on either side, transposed, reversed, repeated.
//!
//! In: two arrays of one shape that do not overlap. Out: a launch in a stream's order that touches the elements and nothing between them. Where elements lie
//! close along one axis of the one array and along another axis of the other, tiles of both axes go through shared memory, so that both arrays are gone
//! through as they lie.

mod rows;
mod tiles;

use std::ffi::c_void;

use numptx_abi::MAX_RANK;

use crate::axes::Axes;
use crate::device::Device;
use crate::driver::Failure;
use crate::error::Result;
use crate::own_kernel::{self, Function, OwnKernels, Text};
use crate::rows::Side;
use crate::stats;
use crate::stream::Stream;
use rows::Rows;
use tiles::Tiles;

/// The first GPUs whose drivers read these texts.
const LEAST_ARCHITECTURE: u32 = 75;
/// Threads of a block.
pub const THREADS: u32 = 256;
/// Bytes that the device's memory moves at least: elements that lie farther apart are in different ones.
const SECTOR_BYTES: i64 = 32;
/// Axes shorter than this fill no side of a tile.
const LEAST_SIDE: i64 = 16;
/// Units of an element at most.
const MOST_PARTS: i64 = 4;

/// What an element is made of: units that lie one after the other on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Bytes of a unit: 1, 2, 4 or 8.
    pub unit: u32,
    /// How many units: 1 to 4.
    pub parts: u32,
}

impl Element {
    fn bytes(self) -> u32 {
        self.unit * self.parts
    }

    /// A unit's type in memory.
    fn ty(self) -> String {
        format!("u{}", 8 * self.unit)
    }

    /// Registers for an element.
    fn registers(self, text: &mut Text) -> Vec<String> {
        (0..self.parts).map(|_| text.fresh(if self.unit == 8 { 'd' } else { 'r' })).collect()
    }
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// What is moved.
    pub element: Element,
    /// Axes that are not the form's own.
    pub outer: usize,
    /// How elements are visited.
    pub form: Form,
}

/// How elements are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Rows along the destination's closest axis.
    Rows {
        /// Whether 32 bits have no room for the number of rows.
        is_wide: bool,
    },
    /// Tiles of the axes that are closest on either side.
    Tiles,
}

impl Kernel {
    /// The module's text.
    pub fn text(&self) -> String {
        let Kernel { element, outer, form } = *self;
        match form {
            Form::Rows { is_wide } => Rows { element, outer, is_wide }.text(),
            Form::Tiles => Tiles { element, outer }.text(),
        }
    }
}

/// The name of a module's entry.
pub const ENTRY: &str = "strided_copy";

/// A launch.
#[derive(Debug)]
pub struct Plan {
    /// What is launched.
    pub kernel: Kernel,
    /// Blocks of [`THREADS`].
    pub blocks: u64,
    /// The kernel's parameters: the addresses of both first elements, and then numbers.
    pub values: Vec<u64>,
}

impl Plan {
    /// Of places with such strides in bytes; `None`: of no elements, or of too many axes.
    pub fn new(firsts: [u64; 2], strides: [&[i64]; 2], shape: &[i64], itemsize: i64) -> Option<Plan> {
        let mut axes = Axes::dropping_ones(shape, &strides, 0, shape.len());
        let mut offsets = [0, 0];
        axes.sort(&[0, 1]);
        axes.flip(&mut offsets);
        let firsts = [0, 1].map(|n| firsts[n].wrapping_add_signed(offsets[n]));
        let element = element_of(&mut axes, firsts, itemsize)?;
        if axes.count() == 0 {
            return None;
        }
        if axes.rank == 0 {
            axes.pad(1);
        }
        let inner = axes.rank - 1;
        let of_from = &axes.strides[1];
        let is_long = |axis: usize| axes.extents[axis] >= LEAST_SIDE;
        let is_close = |side: usize, axis: usize| axes.strides[side][axis].abs() < SECTOR_BYTES;
        let are_apart = is_long(inner) && is_close(0, inner) && !is_close(1, inner);
        let is_read_along = |axis: &usize| are_apart && is_long(*axis) && of_from[*axis] != 0 && is_close(1, *axis);
        let read_along = (0..inner).filter(is_read_along).min_by_key(|axis| of_from[*axis].abs());
        let (form, own, (blocks, numbers)) = match read_along {
            Some(axis) => (Form::Tiles, vec![axis, inner], tiles::numbers(element, &axes, [axis, inner])),
            None => {
                let (is_wide, numbers) = rows::numbers(&axes, inner);
                (Form::Rows { is_wide }, vec![inner], numbers)
            }
        };
        let outer: Vec<usize> = (0..axes.rank).filter(|axis| !own.contains(axis)).collect();
        let of_axis = |axis: &usize| [axes.extents[*axis], axes.strides[0][*axis], axes.strides[1][*axis]];
        let others = outer.iter().flat_map(of_axis).map(i64::cast_unsigned);
        let values = firsts.into_iter().chain(numbers).chain(others).collect();
        Some(Plan { kernel: Kernel { element, outer: outer.len(), form }, blocks, values })
    }

    fn grid(&self, device: &Device) -> Option<u32> {
        u32::try_from(self.blocks).ok().filter(|n| i64::from(*n) <= device.most_blocks[0])
    }
}

/// What elements are made of, whose axes become units' and are joined. Units are as long as elements lie at their multiples.
fn element_of(axes: &mut Axes, firsts: [u64; 2], itemsize: i64) -> Option<Element> {
    let all = axes.strides.iter().flat_map(|strides| &strides[..axes.rank]).copied();
    let bits = all.chain(firsts.map(u64::cast_signed)).fold(itemsize, |bits, n| bits | n);
    let unit = 1i64 << bits.trailing_zeros().min(3);
    if unit != itemsize {
        axes.merge();
        if axes.rank == MAX_RANK {
            return None;
        }
        axes.extents[axes.rank] = itemsize / unit;
        axes.strides.iter_mut().for_each(|strides| strides[axes.rank] = unit);
        axes.rank += 1;
    }
    axes.merge();
    let mut element = Element { unit: unit as u32, parts: 1 };
    let inner = axes.rank.wrapping_sub(1);
    let is_together = axes.rank > 1 && axes.strides.iter().all(|strides| strides[inner] == unit);
    if is_together && (1..=MOST_PARTS).contains(&axes.extents[inner]) {
        element.parts = axes.extents[inner] as u32;
        axes.rank = inner;
    }
    Some(element)
}

/// Registers of a kernel's parameters: those of its own, and then extent and both strides of each other axis.
fn parameters<const N: usize>(text: &mut Text, own: [&str; N]) -> [String; N] {
    own.map(|name| text.long("ld.param.u64", &format!("[{name}]")))
}

/// Moves both addresses to an index of the axes that are not the form's own; `index` is a register of 32 bits, or of 64.
fn outer_place(
    text: &mut Text,
    outer: usize,
    (index, is_wide): (&str, bool),
    mut addresses: [String; 2],
) -> [String; 2] {
    let mut rest = index.to_string();
    for axis in (0..outer).rev() {
        let [extent, to, from] =
            ["extent", "to", "from"].map(|name| text.long("ld.param.u64", &format!("[{name}_{axis}]")));
        let place = match (axis, is_wide) {
            (0, true) => rest.clone(),
            (0, false) => text.long("cvt.u64.u32", &rest),
            (_, true) => {
                let next = text.long("div.u64", &format!("{rest}, {extent}"));
                let before = text.long("mul.lo.u64", &format!("{next}, {extent}"));
                let place = text.long("sub.u64", &format!("{rest}, {before}"));
                rest = next;
                place
            }
            (_, false) => {
                let extent = text.word("cvt.u32.u64", &extent);
                let next = text.word("div.u32", &format!("{rest}, {extent}"));
                let before = text.word("mul.lo.u32", &format!("{next}, {extent}"));
                let place = text.word("sub.u32", &format!("{rest}, {before}"));
                rest = next;
                text.long("cvt.u64.u32", &place)
            }
        };
        addresses = [(0, to), (1, from)]
            .map(|(n, stride)| text.long("mad.lo.s64", &format!("{place}, {stride}, {}", addresses[n])));
    }
    addresses
}

/// A module with the kernel alone.
fn module((own, outer): (&[&str], usize), shared_bytes: u32, body: Text) -> String {
    let others = (0..outer).flat_map(|axis| ["extent", "to", "from"].map(|name| format!("{name}_{axis}")));
    let names = own.iter().map(ToString::to_string).chain(others);
    let parameters: Vec<String> = names.map(|name| format!("    .param .u64 {name}")).collect();
    let shared = match shared_bytes {
        0 => String::new(),
        bytes => format!("    .shared .align 16 .b8 shared_tile[{bytes}];\n"),
    };
    let head = ".version 6.3\n.target sm_75\n.address_size 64\n\n";
    let parameters = parameters.join(",\n");
    format!(
        "{head}.visible .entry {ENTRY}(\n{parameters}\n)\n.maxntid {THREADS}, 1, 1\n{{\n{shared}{}}}\n",
        body.finish()
    )
}

/// Whether a device has a kernel for such strides, and a grid for so many elements.
pub(crate) fn is_possible(device: &Device, strides: (&[i64], &[i64]), shape: &[i64], itemsize: i64) -> bool {
    let plan = || Plan::new([0, 0], [strides.0, strides.1], shape, itemsize);
    device.architecture >= LEAST_ARCHITECTURE
        && (shape.contains(&0) || plan().is_some_and(|plan| plan.grid(device).is_some()))
}

static LOADED: OwnKernels<Kernel> = OwnKernels::new();

/// Queues a copy; whether that was possible. Otherwise nothing is done.
///
/// # Safety
/// Both sides hold `shape` elements of `itemsize` bytes until the stream has done the copy, and do not overlap. The device's context is current.
pub(crate) unsafe fn copy(
    device: &'static Device,
    (to, from): (&Side<'_>, &Side<'_>),
    shape: &[i64],
    itemsize: i64,
    stream: &Stream,
) -> Result<bool> {
    if shape.contains(&0) {
        return Ok(true);
    }
    if device.architecture < LEAST_ARCHITECTURE {
        return Ok(false);
    }
    let plan = Plan::new([to.first, from.first], [to.strides, from.strides], shape, itemsize);
    let Some(plan) = plan else { return Ok(false) };
    let blocks = plan.grid(device);
    let Plan { kernel, mut values, .. } = plan;
    let load = || -> std::result::Result<Function, Failure> { own_kernel::load(device, kernel.text(), ENTRY) };
    let function = LOADED.of(device, kernel).function(load)?;
    let (Some(blocks), Some(function)) = (blocks, function) else { return Ok(false) };
    let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
    let (parameters, extra, handle) = (pointers.as_mut_ptr(), std::ptr::null_mut(), stream.handle());
    // SAFETY: the parameters are the kernel's, in its order, which the driver copies; it reads and writes the elements of both sides.
    unsafe { device.driver.launch(function, blocks, 1, 1, THREADS, 1, 1, 0, handle, parameters, extra) }?;
    stats::launched(device.ordinal);
    Ok(true)
}
