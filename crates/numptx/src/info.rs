//! `numptx info`: versions, and the tools and devices that are found here.

use std::path::Path;

use numptx_driver::{DeviceMath, DeviceTarget, HostTarget, MathKind, Toolchain};
use numptx_runtime::{Device, DeviceLibrary};

use crate::output;
use crate::status::Status;

/// Prints one line a fact.
pub fn print() -> Status {
    let tools = Toolchain::find();
    let architectures: Vec<String> = DeviceTarget::ALL.iter().map(|sm| format!("sm_{sm}")).collect();
    let host = HostTarget::new("native").map_or_else(|| "unknown".to_owned(), |t| t.cpu);
    let facts = [
        ("numptx", numptx_driver::VERSION.to_owned()),
        ("LLVM", numptx_driver::llvm_version()),
        ("processor", host),
        ("architectures", architectures.join(" ")),
        ("linker", path(tools.linker.as_deref(), "none: install a C compiler or lld, or set NUMPTX_LINKER")),
        (
            "ptxas",
            path(
                tools.ptxas.as_deref(),
                "none: PTX is compiled when it is loaded; `pip install nvidia-cuda-nvcc-cu12` brings it",
            ),
        ),
        ("nvJitLink", nvjitlink()),
        ("cuBLAS", device_library(DeviceLibrary::Cublas)),
        ("cuSOLVER", device_library(DeviceLibrary::Cusolver)),
        ("cuFFT", device_library(DeviceLibrary::Cufft)),
        ("device math", device_math(tools.device_math.as_ref())),
        ("CUDA devices", devices()),
    ];
    let lines: String = facts.iter().map(|(name, value)| format!("{name:<14} {value}\n")).collect();
    output::printed(&lines)
}

fn nvjitlink() -> String {
    match numptx_runtime::find_nvjitlink(&numptx_driver::python_packages()) {
        Ok(path) => path.display().to_string(),
        Err(_) => "none: `numptx link` needs it; `pip install nvidia-nvjitlink-cu12` brings it".to_owned(),
    }
}

/// Where a library for GPUs lies; else who computes what it would, and the package that brings it.
fn device_library(library: DeviceLibrary) -> String {
    let absent = match library {
        DeviceLibrary::Cublas => {
            "none: products of matrices are computed by our kernels; `pip install nvidia-cublas-cu12` brings it"
        }
        DeviceLibrary::Cusolver => {
            "none: most decompositions are computed by the CPU; `pip install nvidia-cusolver-cu12` brings it"
        }
        DeviceLibrary::Cufft => "none: Fourier transforms on a GPU need it; `pip install nvidia-cufft-cu12` brings it",
    };
    path(numptx_runtime::find_library(library, &numptx_driver::python_packages()).as_deref(), absent)
}

fn path(path: Option<&Path>, absent: &str) -> String {
    path.map_or_else(|| absent.to_owned(), |p| p.display().to_string())
}

fn device_math(math: Option<&DeviceMath>) -> String {
    let Some(math) = math else {
        return "none: kernels that need it run on the CPU; `pip install nvidia-cuda-nvcc-cu12`, or set NUMPTX_LIBDEVICE"
            .to_owned();
    };
    let kind = match math.kind {
        MathKind::Libdevice => "libdevice",
        MathKind::Libclc => "libclc; `pip install nvidia-cuda-nvcc-cu12` brings libdevice, which is faster",
    };
    format!("{} ({kind})", math.path.display())
}

/// One line a device, or why there is none: without a driver, what the loader said.
fn devices() -> String {
    let lines: Vec<String> = (0..Device::cuda_count().max(1)).map(|i| Device::Cuda(i).describe()).collect();
    lines.join(&format!("\n{:<14} ", ""))
}
