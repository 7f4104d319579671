//! The tools outside the compiler: a linker, `ptxas`, a device math library. This file and `link.rs` are the only ones in
//! `compiler/` that look at the environment, read files or start processes.

use std::path::{Path, PathBuf};

use numptx_codegen::MathKind;

/// What was found. Each may be set by hand.
#[derive(Clone, Debug, Default)]
pub struct Toolchain {
    /// A linker: `NUMPTX_LINKER`, else `cc`, `gcc`, `clang`, `ld.lld`, `ld` or rustup's `rust-lld`.
    pub linker: Option<PathBuf>,
    /// `ptxas`: `NUMPTX_PTXAS`, else on the path, in a CUDA toolkit, or in NVIDIA's Python packages.
    pub ptxas: Option<PathBuf>,
    /// A device math library: `NUMPTX_LIBDEVICE`, else libdevice in a CUDA toolkit or in NVIDIA's Python packages, else libclc.
    pub device_math: Option<DeviceMath>,
    /// Another assembler, taken where there is no `ptxas`.
    pub assembler: Option<Assembler>,
}

/// Makes a cubin of PTX for an architecture (compute capability times ten), or says what is wrong.
pub type Assembler = fn(ptx: &str, sm: u32) -> Result<Vec<u8>, String>;

/// A device math library on disk.
#[derive(Clone, Debug)]
pub struct DeviceMath {
    /// LLVM bitcode.
    pub path: PathBuf,
    /// How its functions are named.
    pub kind: MathKind,
}

const LINKERS: [&str; 5] = ["cc", "gcc", "clang", "ld.lld", "ld"];

impl Toolchain {
    /// Looks for everything.
    pub fn find() -> Toolchain {
        let packages = python_packages();
        Toolchain {
            linker: find_linker(),
            ptxas: find_ptxas(&packages),
            device_math: find_device_math(&packages),
            assembler: None,
        }
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from)
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|p| p.is_file())
}

fn find_linker() -> Option<PathBuf> {
    if let Some(linker) = variable("NUMPTX_LINKER") {
        return Some(linker);
    }
    LINKERS.iter().find_map(|name| on_path(name)).or_else(|| {
        let versioned = ["/usr/lib/llvm-22/bin/ld.lld"].into_iter().map(PathBuf::from);
        versioned.chain(rust_lld()).find(|p| p.is_file())
    })
}

/// rustup's linker, where a toolchain lies.
fn rust_lld() -> Option<PathBuf> {
    let home = variable("RUSTUP_HOME").or_else(|| variable("HOME").map(|h| h.join(".rustup")))?;
    let mut toolchains: Vec<PathBuf> =
        std::fs::read_dir(home.join("toolchains")).ok()?.filter_map(|e| Some(e.ok()?.path())).collect();
    toolchains.sort();
    let lld = |t: &PathBuf| t.join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
    toolchains.iter().map(lld).find(|p| p.is_file())
}

fn cuda_homes() -> Vec<PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable);
    named.chain([PathBuf::from("/usr/local/cuda"), PathBuf::from("/usr/lib/cuda")]).collect()
}

/// Directories where Python packages lie: of the active virtual environment, and of the one that the compiler is installed in.
pub fn python_packages() -> Vec<PathBuf> {
    let executable = std::env::current_exe().ok();
    let prefix = executable.as_deref().and_then(Path::parent).and_then(Path::parent).map(Path::to_path_buf);
    let mut packages = Vec::new();
    for root in variable("VIRTUAL_ENV").into_iter().chain(prefix) {
        // Fedora's Python has packages with machine code in `lib64`, which in virtual environments is `lib` once more.
        let libraries = ["lib", "lib64"].map(|name| root.join(name)).into_iter().filter(|l| !l.is_symlink());
        let entries = libraries.filter_map(|library| std::fs::read_dir(library).ok()).flatten();
        let mut versions: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        versions.sort();
        // Debian's own Python calls them otherwise.
        let folders = versions.iter().flat_map(|v| ["site-packages", "dist-packages"].map(|name| v.join(name)));
        packages.extend(folders.filter(|p| p.is_dir()));
    }
    packages
}

fn find_ptxas(packages: &[PathBuf]) -> Option<PathBuf> {
    if let Some(ptxas) = variable("NUMPTX_PTXAS") {
        return Some(ptxas);
    }
    let wheels =
        packages.iter().flat_map(|p| ["nvidia/cuda_nvcc/bin/ptxas", "nvidia/cu13/bin/ptxas"].map(|f| p.join(f)));
    on_path("ptxas")
        .or_else(|| cuda_homes().into_iter().map(|h| h.join("bin/ptxas")).chain(wheels).find(|p| p.is_file()))
}

fn find_device_math(packages: &[PathBuf]) -> Option<DeviceMath> {
    let libdevice = |path| DeviceMath { path, kind: MathKind::Libdevice };
    if let Some(path) = variable("NUMPTX_LIBDEVICE") {
        return Some(libdevice(path));
    }
    let toolkits = cuda_homes().into_iter().map(|h| h.join("nvvm/libdevice/libdevice.10.bc"));
    let wheels = packages
        .iter()
        .flat_map(|p| ["nvidia/cuda_nvcc", "nvidia/cu13"].map(|d| p.join(d).join("nvvm/libdevice/libdevice.10.bc")));
    if let Some(path) = toolkits.chain(wheels).find(|p| p.is_file()) {
        return Some(libdevice(path));
    }
    let beside = std::env::current_exe().ok().and_then(|e| Some(e.parent()?.join("../share/numptx/libclc-nvptx64.bc")));
    let system = [PathBuf::from("/usr/lib/clc/nvptx64--.bc"), PathBuf::from("/usr/share/clc/nvptx64--.bc")];
    let path = beside.into_iter().chain(system).find(|p| p.is_file())?;
    Some(DeviceMath { path, kind: MathKind::Libclc })
}
