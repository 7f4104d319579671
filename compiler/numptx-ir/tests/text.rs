//! The text forms: printing and reading are inverse, and no text makes reading panic.

use numptx_ir::array::parse::parse;
use numptx_ir::kernel;

fn modules() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|p| (p.display().to_string(), std::fs::read_to_string(p).unwrap())).collect()
}

#[test]
fn printing_and_reading_are_inverse() {
    for (path, text) in modules() {
        let module = parse(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let printed = module.to_string();
        assert_eq!(parse(&printed).as_ref(), Ok(&module), "{path}");
        assert_eq!(parse(&printed).unwrap().to_string(), printed, "{path}");
        assert_eq!(printed, text, "{path} is not as printed");
        for kernel in &module.kernels {
            assert_eq!(kernel::parse::parse(&kernel.to_string()).as_ref(), Ok(kernel), "{path}");
        }
    }
}
