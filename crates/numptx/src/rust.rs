//! `numptx rust`: a file to what a Rust program includes and links, and lines for cargo.

use numptx_build::{Build, Lines};
use numptx_runtime::abi::ABI_VERSION;

use crate::arguments::RustArguments;
use crate::status::Status;
use crate::{input, output};

/// Compiles one file.
pub fn compile(arguments: &RustArguments) -> Status {
    let lines = compiled(arguments).unwrap_or_else(|message| vec![format!("error={message}")]);
    let is_refused = lines.iter().any(|line| line.starts_with("error="));
    let text: String = lines.iter().map(|line| format!("cargo::{line}\n")).collect();
    output::printed(&text).max(if is_refused { Status::Refused } else { Status::Done })
}

fn compiled(arguments: &RustArguments) -> Result<Lines, String> {
    if let Some(abi) = arguments.abi.filter(|abi| *abi != ABI_VERSION) {
        return Err(format!(
            "this compiler, numptx {}, makes libraries of ABI version {ABI_VERSION}, and the program's runtime has {abi}; take both of one version",
            numptx_driver::VERSION
        ));
    }
    let name = arguments.name.clone().map_or_else(|| input::module_name(&arguments.file), Ok)?;
    output::make_folder(&arguments.output)?;
    let build = arguments.arch.iter().fold(Build::new(&arguments.file).cpu(&arguments.cpu), |build, sm| build.arch(sm));
    Ok(build.compile_here(&name, &arguments.output))
}
