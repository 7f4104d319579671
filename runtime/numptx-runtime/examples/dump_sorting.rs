//! Writes kernels that sort to a folder, one file a dtype, shape and task: `cargo run --example dump_sorting -- FOLDER`.

use std::path::Path;

use numptx_abi::dtype;
use numptx_runtime::sorting::on_device::{Kernels, Key, Shape};

/// Elements of rows that passes sort, and of rows that are so long that numbers of elements need 64 bits.
const LENGTHS: [(&str, i64); 2] = [("", 1 << 20), ("_long", 1 << 31)];

/// Threads, elements of a thread, and blocks of a processor.
const SHAPES: [(u32, u32, u32); 18] = [
    (256, 8, 4),
    (256, 8, 6),
    (256, 12, 3),
    (256, 12, 4),
    (256, 16, 3),
    (256, 16, 4),
    (256, 20, 3),
    (256, 22, 3),
    (384, 8, 3),
    (384, 12, 2),
    (384, 12, 3),
    (384, 16, 2),
    (512, 8, 2),
    (512, 8, 3),
    (512, 11, 2),
    (512, 14, 2),
    (512, 16, 2),
    (512, 20, 2),
];

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let dtypes = [("u8", dtype::UINT8), ("f16", dtype::FLOAT16), ("i32", dtype::INT32), ("f32", dtype::FLOAT32)];
    for (name, code) in dtypes.into_iter().chain([("i64", dtype::INT64), ("f64", dtype::FLOAT64)]) {
        let key = Key::of(code).expect("it is sorted");
        std::fs::write(folder.join(format!("{name}_middle.ptx")), Kernels::selecting(key).text())?;
        for (task, has_order) in [("values", false), ("order", true)] {
            for (long, length) in LENGTHS {
                let kernels = Kernels::of(key, has_order, length, None);
                std::fs::write(folder.join(format!("{name}_{task}{long}.ptx")), kernels.text())?;
            }
            for length in [200, 3000] {
                let kernels = Kernels::of(key, has_order, length, None);
                std::fs::write(folder.join(format!("{name}_{task}_{length}.ptx")), kernels.text())?;
            }
            for (threads, items, blocks) in SHAPES {
                let shape = Shape { threads, items, blocks };
                let bytes = u64::from(shape.tile()) * if key.bytes == 8 { 8 } else { 4 } + (3 << 10);
                if bytes <= 48 << 10 && bytes * u64::from(blocks) <= 220 << 10 {
                    let text = Kernels::of(key, has_order, 1 << 20, Some(shape)).text();
                    std::fs::write(folder.join(format!("{name}_{task}_{threads}x{items}x{blocks}.ptx")), text)?;
                }
            }
        }
    }
    Ok(())
}
