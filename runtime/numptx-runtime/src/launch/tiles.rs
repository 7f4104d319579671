//! Products of stacks of matrices by tiled kernels: with any strides, of floats, complex numbers and integers.
//!
//! In: the stacks, and where their first elements lie. Out: launches in the order of the call's stream: one, or one for each matrix of the shorter axes of a
//! batch. How wide factors are read and results written, strides and addresses tell.

use std::ffi::c_void;

use super::product::{Axis, Stacks};
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::tiled::{Along, Element, Extents, LEAST_ARCHITECTURE, PARAMETERS, Reach, Shape, Tiled, Unit, VECTOR_BYTES};
use crate::tiled::{function, shape};

/// Launches of a product at most.
const MOST_LAUNCHES: i64 = 64;
/// Extents of a matrix at most: a tile further, numbers of 32 bits have room for them.
const LONGEST: i64 = 1 << 30;
/// Sums of so many elements are the module's kernel's, which cuts them in parts, where tiles are fewer than this part of the processors.
const LONG_SUM: i64 = 1 << 10;
const PART_OF_PROCESSORS: i64 = 8;

/// Many matrices of these extents, which are whole tiles or nearly: on an H200, 20,000 of 16 × 16 are 3 times as fast as cuBLAS, 4000 of 32 × 32 1.0 to 2.1
/// times. Of others, and on other GPUs, that was not measured.
const FASTER_SIDES: std::ops::RangeInclusive<i64> = 16..=32;
const FASTER_COUNT: i64 = 1 << 12;
const FASTER_ARCHITECTURE: u32 = 90;

/// Rows and columns of matrices of integers at least, and of those of 64 bits as many tiles as processors: of fewer the module's kernel is as fast, or up to
/// 4 times faster (4 rows of 10⁶ int64 columns). Measured on an H200.
const LEAST_SIDE_32: i64 = 8;
const LEAST_SIDE_64: i64 = 16;

/// Whether tiles are known to be faster than cuBLAS.
pub(super) fn are_faster(device: &Device, dtype: u8, stacks: &Stacks) -> bool {
    let is_measured = matches!(Element::of(dtype), Some(Element::Float32 | Element::Float64 | Element::Complex128));
    let sides = [stacks.rows.extent, stacks.columns.extent, stacks.summed.extent];
    is_measured
        && device.architecture >= FASTER_ARCHITECTURE
        && sides.iter().all(|side| FASTER_SIDES.contains(side))
        && stacks.batch.last().is_some_and(|each| each.extent >= FASTER_COUNT)
}

/// The factors and the result, so that neighbours in rows of the result lie as near to each other as may be: else it is computed transposed.
struct Placed<'a> {
    stacks: &'a Stacks,
    element: Element,
    rows: Axis,
    columns: Axis,
    /// The longest of the batch, and the others.
    each: Axis,
    others: &'a [Axis],
    /// First elements of the factors and the result, and which of an axis' steps are theirs.
    first: [*mut u8; 3],
    order: [usize; 3],
}

impl<'a> Placed<'a> {
    fn of(stacks: &'a Stacks, element: Element, first: [*mut u8; 3]) -> Placed<'a> {
        let (rows, columns) = (stacks.rows, stacks.columns);
        let is_turned = rows.steps[2].unsigned_abs() < columns.steps[2].unsigned_abs();
        let (rows, columns) = if is_turned { (columns, rows) } else { (rows, columns) };
        let order = if is_turned { [1, 0, 2] } else { [0, 1, 2] };
        let (each, others) = match stacks.batch.split_last() {
            Some((each, others)) => (*each, others),
            None => (Axis::NONE, &[][..]),
        };
        Placed { stacks, element, rows, columns, each, others, first: order.map(|role| first[role]), order }
    }

    fn extents(&self) -> Extents {
        Extents { count: self.each.extent, rows: self.rows.extent, columns: self.columns.extent }
    }

    /// Bytes from one index of an axis to the next, of a factor or the result.
    fn step(&self, axis: &Axis, role: usize) -> i64 {
        axis.steps[self.order[role]] * i64::from(self.element.bytes())
    }

    /// Whether lines of neighbours along one axis, which are found along another, begin at multiples of vectors.
    fn has_vectors(&self, role: usize, neighbours: &Axis, lines: &Axis) -> bool {
        let mut strides = self.others.iter().chain([lines, &self.each]).map(|axis| self.step(axis, role));
        self.step(neighbours, role) == i64::from(self.element.bytes())
            && self.first[role].addr().is_multiple_of(VECTOR_BYTES as usize)
            && strides.all(|stride| stride % i64::from(VECTOR_BYTES) == 0)
    }

    /// How a factor is read.
    fn reach(&self, role: usize) -> Reach {
        let (kept, summed) = ([&self.rows, &self.columns][role], &self.stacks.summed);
        let [along_kept, along_summed] = [kept, summed].map(|axis| self.step(axis, role).unsigned_abs());
        let is_summed = along_summed != 0 && along_summed <= along_kept;
        let (along, neighbours, lines) =
            if is_summed { (Along::Summed, summed, kept) } else { (Along::Kept, kept, summed) };
        let copied = if self.has_vectors(role, neighbours, lines) { self.element.vector() } else { 1 };
        Reach { along, copied }
    }

    fn kernel(&self, shape: Shape) -> Tiled {
        let factors = [0, 1].map(|role| self.reach(role));
        let vector = self.element.vector();
        let has_neighbours = shape.unit != Unit::Lanes || factors[1].along == Along::Kept;
        let is_whole = self.columns.extent % i64::from(vector) == 0;
        let writes_vectors = has_neighbours && is_whole && self.has_vectors(2, &self.columns, &self.rows);
        Tiled { element: self.element, shape, factors, written: if writes_vectors { vector } else { 1 } }
    }

    /// Whether numbers of 32 bits have room for all, and the GPU is busy.
    fn is_for(&self, device: &Device, shape: &Shape) -> bool {
        let tiles = self.extents().all_tiles(shape);
        let launches = self.others.iter().fold(1i64, |n, axis| n.saturating_mul(axis.extent));
        let is_idle = tiles.saturating_mul(launches) * PART_OF_PROCESSORS < device.processors;
        let (least_side, least_tiles) = match self.element {
            Element::Int32 => (LEAST_SIDE_32, 0),
            Element::Int64 => (LEAST_SIDE_64, device.processors),
            _ => (0, 0),
        };
        [self.rows.extent, self.columns.extent, self.stacks.summed.extent].iter().all(|extent| *extent <= LONGEST)
            && tiles <= device.most_blocks[0].min(i64::from(i32::MAX))
            && launches <= MOST_LAUNCHES
            && self.rows.extent.min(self.columns.extent) >= least_side
            && tiles.saturating_mul(launches) >= least_tiles
            && !(is_idle && self.stacks.summed.extent > LONG_SUM)
    }

    /// Values of [`PARAMETERS`] for the matrices at a place of the other axes of the batch.
    fn parameters(&self, mut place: i64, (down, across): (i64, i64)) -> [i64; PARAMETERS.len()] {
        let mut first = self.first;
        for axis in self.others.iter().rev() {
            let index = place % axis.extent;
            place /= axis.extent;
            for (role, first) in first.iter_mut().enumerate() {
                *first = first.wrapping_offset((index * self.step(axis, role)) as isize);
            }
        }
        let Placed { rows, columns, each, .. } = self;
        let summed = &self.stacks.summed;
        let [a, b, c] = first.map(|first| (first.expose_provenance() as u64).cast_signed());
        let of_a = [rows, summed, each].map(|axis| self.step(axis, 0));
        let of_b = [columns, summed, each].map(|axis| self.step(axis, 1));
        let of_c = [rows, columns, each].map(|axis| self.step(axis, 2));
        let extents = [rows.extent, columns.extent, summed.extent, summed.extent];
        let mut values = [0; PARAMETERS.len()];
        let all = [a, b, c].into_iter().chain(extents).chain(of_a).chain(of_b).chain(of_c).chain([0, down, across]);
        values.iter_mut().zip(all).for_each(|(to, value)| *to = value);
        values
    }
}

/// Queues products; whether that was possible. Otherwise nothing is done.
///
/// # Safety
/// As [`crate::libraries::cublas::multiply`]; first elements lie at multiples of their size.
pub(super) unsafe fn multiply(
    call: &CallState,
    device: &'static Device,
    dtype: u8,
    stacks: &Stacks,
    first: [*mut u8; 3],
) -> Result<bool> {
    let Some(element) = Element::of(dtype).filter(|_| device.architecture >= LEAST_ARCHITECTURE) else {
        return Ok(false);
    };
    let placed = Placed::of(stacks, element, first);
    let shape = shape(element, (device.architecture, device.processors), placed.extents());
    if !placed.is_for(device, &shape) {
        return Ok(false);
    }
    let tiled = placed.kernel(shape);
    let Some(function) = function(device, &tiled)? else { return Ok(false) };
    // Their shared memory is nothing that is repeated.
    call.replay.give_up();
    let tiles = placed.extents().tiles(&shape);
    let blocks = placed.extents().all_tiles(&shape) as u32;
    for place in 0..placed.others.iter().map(|axis| axis.extent).product() {
        let mut values = placed.parameters(place, tiles);
        let mut pointers = values.each_mut().map(|value| std::ptr::from_mut(value).cast::<c_void>());
        let (threads, bytes, stream) = (shape.threads(), tiled.asked_bytes(), call.stream.handle());
        let (parameters, extra) = (pointers.as_mut_ptr(), std::ptr::null_mut());
        // SAFETY: the parameters are the kernel's, in its order, which the driver copies; the memory is as the caller promises.
        unsafe { device.driver.launch(function, blocks, 1, 1, threads, 1, 1, bytes, stream, parameters, extra) }?;
    }
    Ok(true)
}
