//! Writes kernels that copy between strided arrays to a folder, one file an element and form: `cargo run --example dump_strided_copies -- FOLDER`.

use std::path::Path;

use numptx_runtime::strided_copy::{Element, Form, Kernel};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for (unit, parts) in [(1, 1), (1, 3), (2, 1), (4, 1), (4, 2), (8, 1), (8, 2), (8, 4)] {
        let element = Element { unit, parts };
        for (name, form) in [
            ("tiles", Form::Tiles),
            ("rows", Form::Rows { is_wide: false }),
            ("rows_wide", Form::Rows { is_wide: true }),
        ] {
            let text = Kernel { element, outer: 2, form }.text();
            std::fs::write(folder.join(format!("{name}_{parts}_of_{unit}.ptx")), text)?;
        }
    }
    Ok(())
}
