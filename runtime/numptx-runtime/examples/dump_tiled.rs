//! Writes kernels of products to a folder, one file a kernel, and a list of them: `cargo run --example dump_tiled -- FOLDER`.
//!
//! `bench/tiled_products.py` measures them.

use std::fmt::Write as _;
use std::path::Path;

use numptx_runtime::tiled::{Along, Element, Reach, Shape, Tiled, Unit};

const FMA8: Unit = Unit::Matrices { rows: 8, summed: 4 };
const LANES: Unit = Unit::Lanes;

const fn unit16(summed: u32) -> Unit {
    Unit::Matrices { rows: 16, summed }
}

const fn shape(unit: Unit, warp: (u32, u32), warps: (u32, u32), (summed, stages, blocks): (u32, u32, u32)) -> Shape {
    Shape { unit, warp, warps, summed, stages, blocks }
}

/// For each element shapes of tiles: of the first of them all ways to read the factors are written, of the others those of matrices that lie by rows, and of
/// some those of a sum over rows.
fn shapes(element: Element) -> Vec<Shape> {
    match element {
        Element::Float64 => vec![
            shape(FMA8, (64, 32), (2, 4), (16, 3, 1)),
            shape(FMA8, (64, 32), (2, 4), (8, 2, 1)),
            shape(FMA8, (64, 32), (2, 4), (8, 4, 1)),
            shape(FMA8, (64, 32), (2, 4), (16, 4, 1)),
            shape(FMA8, (32, 64), (4, 2), (16, 3, 1)),
            shape(FMA8, (32, 32), (4, 4), (16, 3, 1)),
            shape(FMA8, (32, 32), (2, 2), (16, 3, 2)),
            shape(FMA8, (32, 32), (2, 2), (8, 2, 3)),
            shape(FMA8, (64, 32), (2, 2), (16, 3, 2)),
            shape(FMA8, (32, 32), (4, 2), (16, 3, 2)),
            shape(unit16(4), (64, 32), (2, 4), (16, 3, 1)),
            shape(unit16(8), (64, 32), (2, 4), (16, 3, 1)),
            shape(unit16(16), (64, 32), (2, 4), (16, 3, 1)),
            shape(unit16(4), (64, 32), (2, 4), (8, 2, 1)),
            shape(unit16(8), (64, 32), (2, 4), (8, 4, 1)),
            shape(unit16(8), (32, 32), (4, 4), (16, 3, 1)),
            shape(unit16(16), (32, 32), (4, 4), (16, 3, 1)),
            shape(unit16(8), (32, 32), (2, 2), (16, 3, 2)),
            shape(unit16(16), (32, 32), (2, 2), (16, 3, 2)),
            shape(unit16(8), (64, 32), (2, 2), (16, 3, 2)),
            shape(FMA8, (16, 16), (1, 1), (16, 2, 16)),
            shape(FMA8, (16, 16), (1, 1), (8, 2, 16)),
            shape(unit16(16), (16, 16), (1, 1), (16, 2, 16)),
            shape(FMA8, (16, 8), (1, 2), (16, 2, 8)),
            shape(FMA8, (32, 32), (1, 1), (16, 2, 8)),
            shape(FMA8, (16, 16), (2, 2), (16, 2, 4)),
        ],
        Element::Float32 | Element::Int32 => vec![
            shape(LANES, (32, 64), (4, 2), (16, 3, 2)),
            shape(LANES, (32, 64), (4, 2), (8, 2, 2)),
            shape(LANES, (32, 64), (4, 2), (8, 4, 2)),
            shape(LANES, (32, 64), (4, 2), (16, 3, 1)),
            shape(LANES, (32, 128), (4, 2), (16, 3, 1)),
            shape(LANES, (32, 128), (4, 2), (8, 4, 1)),
            shape(LANES, (64, 64), (2, 2), (16, 3, 2)),
            shape(LANES, (64, 64), (2, 4), (16, 3, 1)),
            shape(LANES, (32, 32), (2, 2), (16, 3, 4)),
            shape(LANES, (16, 32), (2, 2), (16, 2, 4)),
            shape(LANES, (16, 32), (1, 1), (16, 2, 16)),
        ],
        Element::Complex64 => vec![
            shape(LANES, (32, 32), (4, 2), (8, 3, 2)),
            shape(LANES, (32, 32), (4, 2), (16, 2, 2)),
            shape(LANES, (32, 64), (4, 2), (8, 3, 1)),
            shape(LANES, (32, 64), (4, 2), (16, 3, 1)),
            shape(LANES, (32, 32), (4, 4), (16, 3, 1)),
            shape(LANES, (32, 32), (2, 2), (8, 3, 4)),
            shape(LANES, (16, 16), (1, 1), (16, 2, 16)),
        ],
        Element::Complex128 => vec![
            shape(FMA8, (32, 32), (2, 2), (8, 3, 2)),
            shape(FMA8, (32, 32), (2, 2), (8, 4, 1)),
            shape(FMA8, (32, 32), (2, 2), (4, 4, 2)),
            shape(FMA8, (32, 32), (4, 2), (8, 3, 1)),
            shape(FMA8, (32, 32), (2, 4), (8, 3, 1)),
            shape(FMA8, (32, 16), (2, 4), (8, 3, 2)),
            shape(unit16(4), (32, 32), (2, 2), (8, 3, 2)),
            shape(unit16(8), (32, 32), (2, 2), (8, 3, 2)),
            shape(unit16(8), (32, 32), (4, 2), (8, 3, 1)),
            shape(FMA8, (16, 16), (1, 1), (8, 2, 16)),
        ],
        Element::Int64 => vec![
            shape(LANES, (32, 32), (4, 2), (8, 3, 2)),
            shape(LANES, (32, 32), (4, 2), (16, 3, 2)),
            shape(LANES, (32, 64), (4, 2), (8, 3, 1)),
            shape(LANES, (32, 32), (2, 2), (8, 3, 4)),
            shape(LANES, (16, 16), (1, 1), (16, 2, 16)),
        ],
    }
}

const ELEMENTS: [Element; 6] =
    [Element::Float64, Element::Float32, Element::Complex64, Element::Complex128, Element::Int32, Element::Int64];

/// The kernel that reads the factors so, by vectors or by elements.
fn tiled(element: Element, shape: Shape, along: [Along; 2], by_vectors: bool) -> Tiled {
    let vector = 16 / element.bytes();
    let copied = if by_vectors { vector } else { 1 };
    let written = match (shape.unit, along[1]) {
        _ if !by_vectors => 1,
        (Unit::Lanes, Along::Kept) | (Unit::Matrices { .. }, _) => vector,
        (Unit::Lanes, Along::Summed) => 1,
    };
    Tiled { element, shape, factors: along.map(|along| Reach { along, copied }), written }
}

fn name(tiled: &Tiled) -> String {
    let Shape { unit, warp, warps, summed, stages, blocks } = tiled.shape;
    let unit = match unit {
        Unit::Lanes => "lanes".to_string(),
        Unit::Matrices { rows, summed } => format!("m{rows}k{summed}"),
    };
    let reach =
        tiled.factors.map(|reach| format!("{}{}", if reach.along == Along::Summed { 's' } else { 'k' }, reach.copied));
    let (down, across) = tiled.shape.tile();
    let element = format!("{:?}", tiled.element).to_lowercase();
    format!(
        "{element}-{down}x{across}x{summed}-{unit}-w{}x{}of{}x{}-s{stages}b{blocks}-{}{}w{}",
        warp.0, warp.1, warps.0, warps.1, reach[0], reach[1], tiled.written
    )
}

fn write(folder: &Path, list: &mut String, tiled: &Tiled) {
    let name = name(tiled);
    std::fs::write(folder.join(format!("{name}.ptx")), tiled.text()).expect("the folder takes files");
    let (down, across) = tiled.shape.tile();
    let [a, b] = tiled.factors.map(|reach| format!("[\"{:?}\", {}]", reach.along, reach.copied));
    let separator = if list.is_empty() { "" } else { ",\n" };
    let _ = write!(
        list,
        "{separator}{{\"name\": \"{name}\", \"element\": \"{:?}\", \"tile\": [{down}, {across}], \"threads\": {}, \"shared\": {}, \"architecture\": {}, \
         \"factors\": [{a}, {b}], \"written\": {}}}",
        tiled.element,
        tiled.shape.threads(),
        tiled.shared_bytes(),
        tiled.shape.architecture(),
        tiled.written,
    );
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let folder = Path::new(&folder);
    let mut list = String::new();
    for element in ELEMENTS {
        for (n, shape) in shapes(element).into_iter().enumerate() {
            write(folder, &mut list, &tiled(element, shape, [Along::Summed, Along::Kept], true));
            let (down, across) = shape.tile();
            if n > 0 {
                if down.min(across) == 64 {
                    write(folder, &mut list, &tiled(element, shape, [Along::Kept, Along::Kept], true));
                }
                continue;
            }
            for along in [[Along::Kept, Along::Kept], [Along::Summed, Along::Summed], [Along::Kept, Along::Summed]] {
                write(folder, &mut list, &tiled(element, shape, along, true));
            }
            if element != Element::Complex128 {
                write(folder, &mut list, &tiled(element, shape, [Along::Summed, Along::Kept], false));
                write(folder, &mut list, &tiled(element, shape, [Along::Kept, Along::Summed], false));
            }
        }
    }
    std::fs::write(folder.join("list.json"), format!("[{list}]\n")).expect("the folder takes files");
}
