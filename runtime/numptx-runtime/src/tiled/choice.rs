//! Which tile computes a product.
//!
//! In: elements, the GPU, and how large the matrices are. Out: a shape of tiles. See Note [Measured tiles].

use numptx_abi::dtype;

use super::{Element, Shape, Unit};

/// The oldest GPUs that have copies to shared memory which nobody waits for.
pub(crate) const LEAST_ARCHITECTURE: u32 = 80;
/// The first GPUs that multiply matrices of float64 of 16 rows.
const LARGER_MATRICES: u32 = 90;
/// Rows and columns of matrices that a warp computes alone.
const SMALL: i64 = 32;

/// Matrices of a stack, rows and columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extents {
    pub(crate) count: i64,
    pub(crate) rows: i64,
    pub(crate) columns: i64,
}

impl Extents {
    /// Tiles down and across a matrix.
    pub(crate) fn tiles(&self, shape: &Shape) -> (i64, i64) {
        let (rows, columns) = shape.tile();
        let up = |n: i64, by: u32| (n + i64::from(by) - 1) / i64::from(by);
        (up(self.rows, rows), up(self.columns, columns))
    }

    /// Tiles of all matrices.
    pub(crate) fn all_tiles(&self, shape: &Shape) -> i64 {
        let (down, across) = self.tiles(shape);
        self.count.saturating_mul(down).saturating_mul(across)
    }
}

impl Element {
    /// `None`: there are no tiled products of the dtype.
    pub(crate) fn of(code: u8) -> Option<Element> {
        Some(match code {
            dtype::FLOAT32 => Element::Float32,
            dtype::FLOAT64 => Element::Float64,
            dtype::COMPLEX64 => Element::Complex64,
            dtype::COMPLEX128 => Element::Complex128,
            dtype::INT32 | dtype::UINT32 => Element::Int32,
            dtype::INT64 | dtype::UINT64 => Element::Int64,
            _ => return None,
        })
    }
}

/// Tiles of a dtype: of most products, of those that would be too few of these for the processors, and of small matrices.
struct Tiles {
    most: Shape,
    few: Shape,
    small: Shape,
}

/// The tile for products of so large matrices on a GPU of so many processors.
pub(crate) fn shape(element: Element, (architecture, processors): (u32, i64), extents: Extents) -> Shape {
    let tiles = tiles(element, architecture);
    if extents.rows.max(extents.columns) <= SMALL {
        return tiles.small;
    }
    if extents.all_tiles(&tiles.most) < processors { tiles.few } else { tiles.most }
}

const fn of(unit: Unit, warp: (u32, u32), warps: (u32, u32), (summed, stages, blocks): (u32, u32, u32)) -> Shape {
    Shape { unit, warp, warps, summed, stages, blocks }
}

/// See Note [Measured tiles].
fn tiles(element: Element, architecture: u32) -> Tiles {
    const LANES: Unit = Unit::Lanes;
    const MATRICES: Unit = Unit::Matrices { rows: 8, summed: 4 };
    let larger = |summed| match architecture {
        LARGER_MATRICES.. => Unit::Matrices { rows: 16, summed },
        _ => MATRICES,
    };
    match element {
        Element::Float64 => Tiles {
            most: of(larger(16), (32, 32), (2, 2), (16, 3, 2)),
            few: of(MATRICES, (16, 16), (2, 2), (16, 2, 4)),
            small: of(MATRICES, (16, 16), (1, 1), (16, 2, 16)),
        },
        Element::Float32 | Element::Int32 => Tiles {
            most: of(LANES, (32, 32), (2, 2), (16, 3, 4)),
            few: of(LANES, (16, 32), (2, 2), (16, 2, 4)),
            small: of(LANES, (16, 32), (1, 1), (16, 2, 16)),
        },
        Element::Complex128 => {
            let most = of(larger(4), (32, 32), (2, 2), (8, 3, 2));
            Tiles { most, few: most, small: of(MATRICES, (16, 16), (1, 1), (8, 2, 16)) }
        }
        Element::Complex64 | Element::Int64 => {
            let most = of(LANES, (32, 32), (2, 2), (8, 3, 4));
            Tiles { most, few: most, small: of(LANES, (16, 16), (1, 1), (16, 2, 16)) }
        }
    }
}

// Note [Measured tiles]
//
// On an H200, beside cuBLAS 13 (`bench/tiled_products.py`; 1 is as fast). Of float64, 64 × 64 by matrices of 16 rows: 4096² 0.86 (0.94 of a sum over rows),
// 1024² 0.79; 32 × 32: 512² 1.32, 256² 2.17; 16 × 16: 20,000 × 16² 2.99, 4000 × 32² 1.03. Of float32, 64 × 64: 4096² 0.83, 1024² 0.94; 32 × 64: 512² 1.82,
// 256² 2.27; 16 × 32: 20,000 × 16² 2.71, 4000 × 32² 1.52. Of complex128, 64 × 64: 4096² 0.86, 1024² 0.96, 256² 1.24; 16 × 16: 20,000 × 16² 3.21,
// 4000 × 32² 2.14. Tiles of 128 × 128 are no faster where the first factor lies by rows: 0.84 of float32, 0.81 of float64.
// Of complex64 and int64 nothing was measured.

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiled::{Along, Reach, Tiled};

    const ELEMENTS: [Element; 6] =
        [Element::Float32, Element::Float64, Element::Complex64, Element::Complex128, Element::Int32, Element::Int64];

    #[test]
    fn every_tile_has_a_kernel_of_every_layout() {
        const ALONG: [Along; 2] = [Along::Summed, Along::Kept];
        for (element, architecture) in ELEMENTS.into_iter().flat_map(|element| [(element, 80), (element, 90)]) {
            let Tiles { most, few, small } = tiles(element, architecture);
            for shape in [most, few, small] {
                assert!(shape.architecture() <= architecture);
                let reaches =
                    || ALONG.into_iter().flat_map(|along| [1, element.vector()].map(|copied| Reach { along, copied }));
                for factors in reaches().flat_map(|a| reaches().map(move |b| [a, b])) {
                    let tiled = Tiled { element, shape, factors, written: 1 };
                    // The least that a block may ask for on GPUs of this architecture and later ones.
                    assert!(tiled.text().contains(".entry") && tiled.shared_bytes() <= 99 << 10, "{tiled:?}");
                }
            }
        }
    }

    #[test]
    fn tiles_are_as_large_as_gives_all_processors_some() {
        let side = |count, n| shape(Element::Float64, (90, 132), Extents { count, rows: n, columns: n }).tile().0;
        assert_eq!([side(1, 4096), side(1, 512), side(1, 32), side(2000, 64)], [64, 32, 16, 64]);
    }
}
