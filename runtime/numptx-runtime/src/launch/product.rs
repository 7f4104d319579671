//! Sums of products as products of matrices, which libraries or tiled kernels compute: who computes one is decided here.
//!
//! In: a launch of a kernel that sums products of two operands, and its axes. Out: the same as matrices, where both factors and the result lie so that a
//! library takes them as they are. What an axis is, strides tell: along one of the rows the second factor stands still, along one of the columns the
//! first, and along one of a batch neither does.

use std::sync::atomic::{AtomicBool, Ordering};

use super::host::spread;
use super::{Launch, tiles};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::inline::Inline;
use crate::libraries::cublas::{self, Matrix, Product};
use crate::libraries::math::math;

/// Products of fewer elements are computed by the kernel: a library's call costs more.
const FEW: i64 = 1 << 15;
/// Rows, columns and summed elements of one matrix, at least: vectors go through memory once, whoever computes.
const THIN: i64 = 4;
/// Calls of a GPU's library for one launch, at most.
const MOST_CALLS: usize = 64;
/// Rows and columns of what one task of the host computes of a result: shapes decide, so that bits do not depend on threads.
const TILE: i64 = 512;
/// Tiles that a product is cut into at least, where they have as many rows then.
const FEWEST_TILES: i64 = 8;
const SMALL_TILE: i64 = 64;
/// Products of two numbers that a tile does at a time, between which the caller is asked whether to go on; but no fewer summed elements.
const TILE_PRODUCTS: i64 = 1 << 28;
const FEWEST_SUMMED: i64 = 1024;
/// Products of two numbers, and sums, that a thread of the host does in a nanosecond.
const PER_NS: f64 = 16.0;

/// An axis: its extent, and the elements from one index to the next of the first factor, the second, and the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) extent: i64,
    pub(super) steps: [i64; 3],
}

impl Axis {
    /// Of a matrix that has one row, or one column.
    pub(super) const NONE: Axis = Axis { extent: 1, steps: [0; 3] };

    /// Becomes the longer of two; the other one is given back.
    fn longer(&mut self, other: Axis) -> Axis {
        if other.extent > self.extent { std::mem::replace(self, other) } else { other }
    }
}

/// A sum of products as stacks of matrices.
pub(super) struct Stacks {
    pub(super) rows: Axis,
    pub(super) columns: Axis,
    pub(super) summed: Axis,
    /// The longest last.
    pub(super) batch: Inline<Axis, 8>,
}

/// The first factor, the second and the result among a launch's operands, which are of one dtype.
fn roles(launch: &Launch<'_>) -> Option<[usize; 3]> {
    let [a, b] = launch.kernel.factor_operands()?;
    let result = launch.infos.iter().position(|info| info.access & numptx_abi::OperandInfo::WRITE != 0)?;
    let is_there = |n: &usize| *n < launch.infos.len();
    let dtype = launch.infos[result].dtype;
    let is_like = |n: &usize| is_there(n) && launch.infos[*n].dtype == dtype;
    [a, b].iter().all(is_like).then_some([a, b, result])
}

impl Stacks {
    /// `None`: axes are no rows, columns or batches, or the sum goes over several.
    fn of(roles: [usize; 3], itemsize: i64, kept: &Axes, reduced: &Axes) -> Option<Stacks> {
        let axis = |axes: &Axes, n: usize| {
            let steps = roles.map(|role| axes.strides[role][n]);
            let is_whole = steps.iter().all(|step| step % itemsize == 0);
            is_whole.then(|| Axis { extent: axes.extents[n], steps: steps.map(|step| step / itemsize) })
        };
        let mut sums = (0..reduced.rank).filter(|n| reduced.extents[*n] != 1);
        let summed = axis(reduced, sums.next()?)?;
        if sums.next().is_some() {
            return None;
        }
        let mut stacks = Stacks { rows: Axis::NONE, columns: Axis::NONE, summed, batch: Inline::new() };
        for n in (0..kept.rank).filter(|n| kept.extents[*n] != 1) {
            let found = axis(kept, n)?;
            let shorter = match found.steps {
                [0, 0, _] | [_, _, 0] => return None,
                [_, 0, _] => stacks.rows.longer(found),
                [0, _, _] => stacks.columns.longer(found),
                _ => found,
            };
            if shorter != Axis::NONE {
                stacks.batch.push(shorter);
            }
        }
        stacks.batch.sort_unstable_by_key(|axis| axis.extent);
        Some(stacks)
    }

    /// Whether a library's call is worth it.
    fn is_much(&self) -> bool {
        let sides = [self.rows.extent, self.columns.extent, self.summed.extent];
        let all = sides.iter().chain(self.batch.iter().map(|axis| &axis.extent));
        all.fold(1i64, |n, extent| n.saturating_mul(*extent)) >= FEW && sides.iter().all(|extent| *extent >= THIN)
    }

    /// The products as BLAS has them, by columns: those of the result or of its transpose. `None`: matrices lie in steps that BLAS does not have, or
    /// there are too many of them. `first`: of the factors and the result.
    fn products(&self, dtype: u8, itemsize: i64, first: [*mut u8; 3]) -> Option<Vec<Product>> {
        let Stacks { rows, columns, summed, batch } = self;
        let (each, others) = match batch.split_last() {
            Some((each, others)) => (*each, others),
            None => (Axis::NONE, &[][..]),
        };
        if each.steps.iter().any(|step| *step < 0) {
            return None;
        }
        let [of_a, of_b, of_c] = [0, 1, 2].map(|n| (first[n], each.steps[n]));
        let a =
            |down: &Axis, across: &Axis| matrix(of_a, (down.extent, down.steps[0]), (across.extent, across.steps[0]));
        let b =
            |down: &Axis, across: &Axis| matrix(of_b, (down.extent, down.steps[1]), (across.extent, across.steps[1]));
        let c =
            |down: &Axis, across: &Axis| matrix(of_c, (down.extent, down.steps[2]), (across.extent, across.steps[2]));
        let as_is = c(rows, columns).filter(|c| !c.is_transposed);
        let (rows, columns, a, b, c) = match as_is {
            Some(c) => (rows.extent, columns.extent, a(rows, summed)?, b(summed, columns)?, c),
            None => {
                let turned = c(columns, rows).filter(|c| !c.is_transposed)?;
                (columns.extent, rows.extent, b(columns, summed)?, a(summed, rows)?, turned)
            }
        };
        let is_turned = as_is.is_none();
        let product = Product { dtype, rows, columns, summed: summed.extent, count: each.extent, a, b, c };
        let mut products = vec![product];
        for axis in others {
            if usize::try_from(axis.extent).map_or(true, |n| n.saturating_mul(products.len()) > MOST_CALLS) {
                return None;
            }
            let steps = axis.steps.map(|step| step * itemsize);
            let steps = if is_turned { [steps[1], steps[0], steps[2]] } else { steps };
            let moved = |product: &Product, n: i64| Product {
                a: product.a.moved(n * steps[0]),
                b: product.b.moved(n * steps[1]),
                c: product.c.moved(n * steps[2]),
                ..*product
            };
            products = products.iter().flat_map(|product| (0..axis.extent).map(move |n| moved(product, n))).collect();
        }
        Some(products)
    }
}

/// A matrix by its rows and columns, of each of which there is the number and the step from one to the next. `None`: BLAS has no such steps.
fn matrix((first, each): (*mut u8, i64), down: (i64, i64), across: (i64, i64)) -> Option<Matrix> {
    match (down, across) {
        ((rows, 1), (_, column)) if column >= rows => Some(Matrix { first, column, each, is_transposed: false }),
        ((_, column), (columns, 1)) if column >= columns => Some(Matrix { first, column, each, is_transposed: true }),
        _ => None,
    }
}

/// Queues a sum of products: as cuBLAS's, where that is there and takes it, or by tiled kernels, where the GPU has the instructions. Otherwise nothing is done.
///
/// # Safety
/// As [`super::device::reduce`].
pub(super) unsafe fn on_device(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    kept: &Axes,
    reduced: &Axes,
) -> Result<bool> {
    let Some(roles) = roles(launch) else { return Ok(false) };
    let (dtype, itemsize) = (launch.infos[roles[2]].dtype, i64::from(launch.infos[roles[2]].itemsize));
    let first = roles.map(|role| launch.pointers[role]);
    let is_aligned = first.iter().all(|first| first.addr() % itemsize as usize == 0);
    let stacks = Stacks::of(roles, itemsize, kept, reduced).filter(|stacks| is_aligned && stacks.is_much());
    let Some(stacks) = stacks else { return Ok(false) };
    // SAFETY: as the caller promises: the matrices are the launch's operands, and results share no memory with what is read.
    let by_tiles = || unsafe { tiles::multiply(call, device, dtype, &stacks, first) };
    if tiles::are_faster(device, dtype, &stacks) && by_tiles()? {
        return Ok(true);
    }
    let products = cublas::kind(dtype).and_then(|_| stacks.products(dtype, itemsize, first));
    if let Some(products) = products {
        // SAFETY: as above.
        if unsafe { cublas::multiply(call, device, &products) }? {
            return Ok(true);
        }
    }
    by_tiles()
}

/// Computes a sum of products by the host's library, tile by tile, where it is there and the product is worth it; otherwise nothing is done.
///
/// # Safety
/// As [`super::host::reduce`].
pub(super) unsafe fn on_host(call: &CallState, launch: &Launch<'_>, kept: &Axes, reduced: &Axes) -> Result<bool> {
    let Some(roles) = roles(launch) else { return Ok(false) };
    let (dtype, itemsize) = (launch.infos[roles[2]].dtype, i64::from(launch.infos[roles[2]].itemsize));
    // Integers are the kernel's: the library has none.
    let stacks = cublas::kind(dtype).and_then(|_| Stacks::of(roles, itemsize, kept, reduced)).filter(Stacks::is_much);
    let (Some(stacks), Some(math)) = (stacks, math()) else { return Ok(false) };
    let first = Firsts(roles.map(|role| launch.pointers[role]));
    let tiles = Tiles::of(&stacks);
    let failed = AtomicBool::new(false);
    let ns = (tiles.rows * tiles.columns) as f64 * tiles.summed.min(stacks.summed.extent) as f64 / PER_NS;
    let mut done = 0;
    while done < stacks.summed.extent {
        let summed = (done, tiles.summed.min(stacks.summed.extent - done));
        spread(call, tiles.count, 1, ns, &|begin, end| {
            for tile in begin..end {
                let product = tiles.product(&stacks, (tile, summed), dtype, itemsize, &first);
                // SAFETY: as the caller promises; tiles of a result are apart.
                if unsafe { (math.product)(&product) } != 0 {
                    failed.store(true, Ordering::Relaxed);
                }
            }
        })?;
        done += summed.1;
    }
    if failed.load(Ordering::Relaxed) {
        return Err(Error::runtime("the library of products failed; this is a bug of numptx"));
    }
    Ok(true)
}

/// First elements of the factors and the result.
struct Firsts([*mut u8; 3]);

// SAFETY: tasks read the factors, and each writes its own tile of the result.
unsafe impl Sync for Firsts {}

/// How a product is cut: rows, columns and summed elements of a tile, tiles of a matrix, and tiles in all.
struct Tiles {
    rows: i64,
    columns: i64,
    summed: i64,
    across: i64,
    each: i64,
    count: i64,
}

impl Tiles {
    fn of(stacks: &Stacks) -> Tiles {
        // Tiles of about one size, in whole vectors.
        let cut = |extent: i64, n: i64| ((extent + n - 1) / n + 15) / 16 * 16;
        let matrices = stacks.batch.iter().fold(1, |n, axis| n * axis.extent);
        let across = (stacks.columns.extent + TILE - 1) / TILE;
        let fewest = (FEWEST_TILES / (matrices * across)).clamp(1, (stacks.rows.extent / SMALL_TILE).max(1));
        let down = ((stacks.rows.extent + TILE - 1) / TILE).max(fewest);
        let (rows, columns) = (cut(stacks.rows.extent, down), cut(stacks.columns.extent, across));
        let down = (stacks.rows.extent + rows - 1) / rows;
        let across = (stacks.columns.extent + columns - 1) / columns;
        let summed = (TILE_PRODUCTS / (rows * columns)).max(FEWEST_SUMMED);
        Tiles { rows, columns, summed, across, each: down * across, count: matrices * down * across }
    }

    /// A tile, and where its part of the sum begins and how long it is.
    fn product(
        &self,
        stacks: &Stacks,
        (tile, (begin, length)): (i64, (i64, i64)),
        dtype: u8,
        itemsize: i64,
        first: &Firsts,
    ) -> numptx_abi::Product {
        let (mut matrix, tile) = (tile / self.each, tile % self.each);
        let (row, column) = (tile / self.across * self.rows, tile % self.across * self.columns);
        let Stacks { rows, columns, summed, batch } = stacks;
        let mut steps = [0, 1, 2].map(|n| row * rows.steps[n] + column * columns.steps[n] + begin * summed.steps[n]);
        for axis in batch.iter().rev() {
            let index = matrix % axis.extent;
            matrix /= axis.extent;
            steps.iter_mut().zip(axis.steps).for_each(|(to, step)| *to += index * step);
        }
        let at = |n: usize| first.0[n].wrapping_offset((steps[n] * itemsize) as isize);
        numptx_abi::Product {
            dtype,
            adds: u8::from(begin > 0),
            rows: self.rows.min(rows.extent - row),
            columns: self.columns.min(columns.extent - column),
            summed: length,
            a: numptx_abi::Matrix { first: at(0), row: rows.steps[0], column: summed.steps[0] },
            b: numptx_abi::Matrix { first: at(1), row: summed.steps[1], column: columns.steps[1] },
            c: numptx_abi::Matrix { first: at(2), row: rows.steps[2], column: columns.steps[2] },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTORS: [usize; 3] = [0, 1, 2];

    /// `c[i, j] = Σ a[i, k] b[k, j]` of 8 × 6 × 5 elements of 8 bytes; strides in elements by operand: along i, along j, along k.
    fn axes(strides: [[i64; 3]; 3]) -> (Axes, Axes) {
        let bytes = strides.map(|steps| steps.map(|step| 8 * step));
        let strides: Vec<&[i64]> = bytes.iter().map(|steps| &steps[..]).collect();
        (Axes::as_given(&[8, 6, 5], &strides, 0, 2), Axes::as_given(&[8, 6, 5], &strides, 2, 3))
    }

    fn products(strides: [[i64; 3]; 3]) -> Option<Vec<Product>> {
        let (kept, reduced) = axes(strides);
        let first = [1, 2, 3].map(|n| std::ptr::without_provenance_mut(0x1000 * n));
        Stacks::of(FACTORS, 8, &kept, &reduced)?.products(numptx_abi::dtype::FLOAT64, 8, first)
    }

    #[test]
    fn a_row_major_product_is_that_of_the_transposes() {
        let found = products([[5, 0, 1], [0, 1, 6], [6, 1, 0]]).expect("BLAS has these");
        let [product] = found.as_slice() else { panic!("one product") };
        assert_eq!((product.rows, product.columns, product.summed, product.count), (6, 8, 5, 1));
        assert_eq!((product.a.first.addr(), product.a.column, product.a.is_transposed), (0x2000, 6, false));
        assert_eq!((product.b.first.addr(), product.b.column, product.b.is_transposed), (0x1000, 5, false));
        assert_eq!((product.c.first.addr(), product.c.column), (0x3000, 6));
    }

    #[test]
    fn transposed_factors_and_results_are_taken_as_they_lie() {
        let found = products([[1, 0, 8], [0, 5, 1], [1, 8, 0]]).expect("BLAS has these");
        assert_eq!((found[0].a.is_transposed, found[0].b.is_transposed, found[0].rows), (false, false, 8));
        let found = products([[5, 0, 1], [0, 1, 6], [1, 10, 0]]).expect("BLAS has these");
        assert_eq!((found[0].a.is_transposed, found[0].b.is_transposed, found[0].c.column), (true, true, 10));
    }

    #[test]
    fn steps_that_blas_does_not_have_are_left_to_the_kernel() {
        assert!(products([[10, 0, 2], [0, 1, 6], [6, 1, 0]]).is_none());
        assert!(products([[5, 0, -1], [0, 1, 6], [6, 1, 0]]).is_none());
        assert!(products([[5, 0, 1], [0, 0, 6], [6, 1, 0]]).is_none());
        assert!(products([[4, 0, 1], [0, 1, 6], [6, 1, 0]]).is_none(), "rows that overlap");
    }
}
