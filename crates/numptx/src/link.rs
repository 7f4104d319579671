//! `numptx link`: images from files to one cubin in a file. Nothing is loaded, and no GPU is needed.

use std::path::Path;

use numptx_driver::{Artifact, Assembler, python_packages};
use numptx_runtime::abi::error_kind;
use numptx_runtime::{LinkInput, LinkOptions, find_nvjitlink};

use crate::arguments::LinkArguments;
use crate::output;
use crate::status::Status;

/// Links the files.
pub fn link(arguments: &LinkArguments) -> Status {
    match linked(arguments) {
        Ok(summary) => {
            output::note(&summary);
            Status::Done
        }
        Err((message, status)) => {
            output::error(&message);
            status
        }
    }
}

fn linked(arguments: &LinkArguments) -> Result<String, (String, Status)> {
    let usage = |message: String| (message, Status::Usage);
    let mut images = Vec::new();
    for path in &arguments.files {
        let bytes = std::fs::read(path).map_err(|e| usage(format!("{}: cannot be read: {e}", output::name(path))))?;
        images.push((output::name(path), bytes));
    }
    let inputs: Vec<LinkInput<'_>> = images.iter().map(|(name, bytes)| LinkInput { name, bytes }).collect();
    let options = LinkOptions { architecture: arguments.arch.clone(), packages: python_packages() };
    let linked = numptx_runtime::link(&inputs, &options).map_err(|error| {
        let status = if error.kind() == error_kind::VALUE { Status::Refused } else { Status::Usage };
        (error.message().to_owned(), status)
    })?;
    let target = &arguments.output;
    let name = target.file_name().ok_or_else(|| usage(format!("{}: this names no file", output::name(target))))?;
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    output::make_folder(folder).map_err(usage)?;
    let size = linked.cubin.len();
    let artifact = Artifact::binary(name.to_string_lossy().into_owned(), linked.cubin);
    output::write_all(folder, &[artifact]).map_err(usage)?;
    Ok(format!("wrote {} ({}, {size} bytes)", output::name(target), linked.architecture))
}

/// nvJitLink in the place of `ptxas`, where it is found.
pub fn assembler() -> Option<Assembler> {
    find_nvjitlink(&python_packages()).is_ok().then_some(assemble)
}

fn assemble(ptx: &str, sm: u32) -> Result<Vec<u8>, String> {
    let inputs = [LinkInput { name: "the module's PTX", bytes: ptx.as_bytes() }];
    let options = LinkOptions { architecture: Some(format!("sm_{sm}")), packages: python_packages() };
    numptx_runtime::link(&inputs, &options).map(|linked| linked.cubin).map_err(|error| error.message().to_owned())
}
