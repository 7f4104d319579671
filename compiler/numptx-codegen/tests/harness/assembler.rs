//! PTX of kernels, and `ptxas` for it.
//!
//! `ptxas` is looked for in `PTXAS`, on the path, in the checkout's `.venv`, and in `VIRTUAL_ENV`. Without it tests say so; where `CI` is set they fail.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use numptx_codegen::{CodegenOptions, DeviceTarget, MathLibrary, device_ptx};
use numptx_ir::kernel::Kernel;

const PACKAGE: &str = "lib/python3.*/site-packages/nvidia/cuda_nvcc";

/// Folders of the package `nvidia-cuda-nvcc-cu12`, nearest first.
fn package_folders() -> Vec<PathBuf> {
    let checkout = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.venv");
    let environments = [std::env::var_os("VIRTUAL_ENV").map(PathBuf::from), Some(checkout)];
    let mut folders = Vec::new();
    for environment in environments.into_iter().flatten() {
        let Ok(versions) = std::fs::read_dir(environment.join("lib")) else { continue };
        for version in versions.flatten() {
            folders.push(version.path().join("site-packages/nvidia/cuda_nvcc"));
        }
    }
    folders.retain(|f| f.is_dir());
    folders
}

fn ptxas() -> Option<PathBuf> {
    let named = std::env::var_os("PTXAS").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("ptxas"));
    let packaged = package_folders().into_iter().map(|folder| folder.join("bin/ptxas"));
    let found = named.into_iter().chain(on_path).chain(packaged).find(|p| p.is_file());
    report_missing(found, "ptxas")
}

pub fn libdevice() -> Option<Vec<u8>> {
    let cuda = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let roots = cuda.map(|root| root.join("nvvm")).chain(package_folders().into_iter().map(|f| f.join("nvvm")));
    let found = roots.map(|root| root.join("libdevice/libdevice.10.bc")).find(|p| p.is_file());
    report_missing(found, "libdevice").map(|path| std::fs::read(path).expect("libdevice can be read"))
}

pub fn libclc() -> Option<Vec<u8>> {
    let found = Some(PathBuf::from("/usr/lib/clc/nvptx64--.bc")).filter(|p| p.is_file());
    report_missing(found, "libclc").map(|path| std::fs::read(path).expect("libclc can be read"))
}

fn report_missing(found: Option<PathBuf>, what: &str) -> Option<PathBuf> {
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{what} was not found (install {PACKAGE})");
        println!("{what} was not found: this test shows nothing here");
    }
    found
}

pub fn assemble(ptx: &str, sm: u32) {
    let Some(ptxas) = ptxas() else { return };
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("numptx-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(format!("{name}.ptx"));
    std::fs::write(&path, ptx).expect("the text is written");
    let output = Command::new(ptxas).arg(format!("-arch=sm_{sm}")).args(["-O0", "-o", "/dev/null"]).arg(&path).output();
    let output = output.expect("ptxas runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "sm_{sm}, {}: {message}", path.display());
    std::fs::remove_file(&path).expect("the text is removed");
}

/// With `NUMPTX_QUICK=1` in the environment the one that portable PTX is made for.
pub fn architectures() -> &'static [u32] {
    if super::is_quick() { &[75] } else { &[75, 80, 90] }
}

pub fn ptx(kernels: &[Kernel], sm: u32, math: Option<&MathLibrary>) -> String {
    ptx_with(kernels, sm, math, &CodegenOptions::default())
}

pub fn ptx_with(kernels: &[Kernel], sm: u32, math: Option<&MathLibrary>, options: &CodegenOptions) -> String {
    let target = DeviceTarget::new(sm).expect("a known architecture");
    device_ptx(kernels, target, math, options).unwrap_or_else(|e| panic!("{e}\n{}", e.dump))
}
