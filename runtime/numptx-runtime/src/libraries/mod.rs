//! Libraries of linear algebra, ours on the CPU and NVIDIA's on a GPU: each is found and opened at its first use, and stays open. A library that is not there
//! is no error: who asks computes without.
//!
//! In: what a library's files and folders are called, and the environment. Out: an open library, once for the process.

pub(crate) mod cublas;
pub(crate) mod cufft;
pub(crate) mod cusolver;
mod find;
mod functions;
mod handles;
pub(crate) mod math;
mod open;
mod status;

use std::path::PathBuf;

pub(crate) use find::{own_packages, set_packages, toolkits};

/// A library of NVIDIA's that computes on GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceLibrary {
    /// cuBLAS: products of matrices.
    Cublas,
    /// cuSOLVER: decompositions.
    Cusolver,
    /// cuFFT: Fourier transforms.
    Cufft,
}

/// Where a library lies, if it is found. `packages`: folders of Python packages.
pub fn find_library(library: DeviceLibrary, packages: &[PathBuf]) -> Option<PathBuf> {
    let lines: String = packages.iter().map(|folder| format!("{}\n", folder.display())).collect();
    set_packages(&lines);
    match library {
        DeviceLibrary::Cublas => cublas::LIBRARY.file(),
        DeviceLibrary::Cusolver => cusolver::LIBRARY.file(),
        DeviceLibrary::Cufft => cufft::LIBRARY.file(),
    }
}
