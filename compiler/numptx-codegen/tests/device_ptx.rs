//! Every device kernel goes through `ptxas` for three architectures.
//!
//! `ptxas` is looked for in `PTXAS`, on the path, in the checkout's `.venv`, and in `VIRTUAL_ENV`. Without it these tests say so; where `CI` is set
//! they fail.

mod harness;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use harness::{affine_kernel, all_operations, map_kernel, op_body, reduce_kernel, scan_kernel};
use numptx_codegen::{CodegenOptions, Contraction, DeviceTarget, MathKind, MathLibrary, device_ptx, needs_device_math};
use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{BodyBuilder, MathFunction, Reducer, ScalarOp};

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

fn libdevice() -> Option<Vec<u8>> {
    let cuda = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let roots = cuda.map(|root| root.join("nvvm")).chain(package_folders().into_iter().map(|f| f.join("nvvm")));
    let found = roots.map(|root| root.join("libdevice/libdevice.10.bc")).find(|p| p.is_file());
    report_missing(found, "libdevice").map(|path| std::fs::read(path).expect("libdevice can be read"))
}

fn libclc() -> Option<Vec<u8>> {
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

fn assemble(ptx: &str, sm: u32) {
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
fn architectures() -> &'static [u32] {
    if harness::is_quick() { &[75] } else { &[75, 80, 90] }
}

fn ptx(kernels: &[Kernel], sm: u32, math: Option<&MathLibrary>) -> String {
    ptx_with(kernels, sm, math, &CodegenOptions::default())
}

fn ptx_with(kernels: &[Kernel], sm: u32, math: Option<&MathLibrary>, options: &CodegenOptions) -> String {
    let target = DeviceTarget::new(sm).expect("a known architecture");
    device_ptx(kernels, target, math, options).unwrap_or_else(|e| panic!("{e}\n{}", e.dump))
}

fn operation_kernels(with_library: bool) -> Vec<Kernel> {
    let kernels = all_operations().into_iter().enumerate().map(|(n, (op, dtypes, result))| {
        map_kernel(&format!("op{n}_{}_{}", op.name(), dtypes[0].short_name()), 2, op_body(op, &dtypes, result), &dtypes)
    });
    kernels.filter(|k| needs_device_math(std::slice::from_ref(k)) == with_library).collect()
}

#[test]
fn operations_without_a_library_assemble() {
    let kernels = operation_kernels(false);
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}

#[test]
fn operations_with_libdevice_assemble() {
    let Some(bitcode) = libdevice() else { return };
    let math = MathLibrary { bitcode: &bitcode, kind: MathKind::Libdevice };
    for &sm in architectures() {
        assemble(&ptx(&operation_kernels(true), sm, Some(&math)), sm);
    }
}

/// Approximations that LLVM knows must not bring anything that it cannot select.
#[test]
fn fast_math_assembles() {
    let Some(bitcode) = libdevice() else { return };
    let math = MathLibrary { bitcode: &bitcode, kind: MathKind::Libdevice };
    let kernels: Vec<Kernel> = [operation_kernels(false), operation_kernels(true)].concat();
    let floats = |k: &Kernel| k.operands[0].dtype.is_float() || k.operands[0].dtype.is_complex();
    let kernels: Vec<Kernel> = kernels.into_iter().filter(floats).collect();
    let options = CodegenOptions { fast_math: true, contraction: Contraction::Anywhere, ..CodegenOptions::default() };
    assemble(&ptx_with(&kernels, 75, Some(&math), &options), 75);
}

/// Divisions and square roots are rounded correctly, those inside libdevice's float32 functions too.
#[test]
fn roots_and_quotients_are_exact() {
    let Some(bitcode) = libdevice() else { return };
    let math = MathLibrary { bitcode: &bitcode, kind: MathKind::Libdevice };
    let floats = |(op, dtypes, _): &(ScalarOp, Vec<DType>, DType)| {
        dtypes[0] == DType::F32 && matches!(op.name(), "div" | "sqrt" | "hypot" | "acos" | "asin" | "acosh" | "asinh")
    };
    let operations = all_operations().into_iter().filter(floats);
    let kernels: Vec<Kernel> = operations
        .map(|(op, dtypes, result)| map_kernel(op.name(), 1, op_body(op, &dtypes, result), &dtypes))
        .collect();
    assert_eq!(kernels.len(), 7);
    let text = ptx(&kernels, 75, Some(&math));
    assert!(text.contains("sqrt.rn.f32") && text.contains("div.rn.f32"));
    assert!(!text.contains("\tsqrt.approx") && !text.contains("div.approx") && !text.contains("div.full"));
}

#[test]
fn products_are_fused_with_the_sum_that_takes_them() {
    let kernel = |op| {
        let mut b = BodyBuilder::new();
        let (x, y) = (b.input(0, DType::F64), b.input(1, DType::F64));
        let product = b.op(op, &[x, y]);
        [reduce_kernel("dot", 1, 1, b.finish(vec![product]), &[DType::F64, DType::F64], vec![Reducer::Add])]
    };
    let never = CodegenOptions { contraction: Contraction::Never, ..CodegenOptions::default() };
    assert!(ptx(&kernel(ScalarOp::Product), 80, None).contains("fma.rn.f64"));
    assert!(!ptx(&kernel(ScalarOp::Mul), 80, None).contains("fma"));
    assert!(!ptx_with(&kernel(ScalarOp::Product), 80, None, &never).contains("fma"));
}

#[test]
fn contraction_is_by_option_only() {
    let mut b = BodyBuilder::new();
    let (x, y) = (b.input(0, DType::F64), b.input(1, DType::F64));
    let product = b.op(ScalarOp::Mul, &[x, x]);
    let sum = b.op(ScalarOp::Add, &[product, y]);
    let kernels = [map_kernel("fused", 1, b.finish(vec![sum]), &[DType::F64, DType::F64])];
    assert!(!ptx(&kernels, 80, None).contains("fma"));
    let options = CodegenOptions { contraction: Contraction::Anywhere, ..CodegenOptions::default() };
    assert!(ptx_with(&kernels, 80, None, &options).contains("fma.rn.f64"));
}

/// What cannot be compiled is an error of ours, never an abort of LLVM.
#[test]
fn missing_functions_are_errors() {
    static NOWHERE: MathFunction = MathFunction { stem: "nowhere", eval: |x, _| x, arity: 1, ulp: 1 };
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F64);
    let y = b.op(ScalarOp::Math(&NOWHERE), &[x]);
    let kernels = [map_kernel("nowhere", 1, b.finish(vec![y]), &[DType::F64])];
    let target = DeviceTarget::new(75).expect("a known architecture");
    let compile = |math: Option<&MathLibrary>| device_ptx(&kernels, target, math, &CodegenOptions::default());
    let error = compile(None).expect_err("there is no library");
    assert!(error.message.contains("needs a device math library"), "{error}");
    let error =
        compile(Some(&MathLibrary { bitcode: b"no bitcode", kind: MathKind::Libdevice })).expect_err("no bitcode");
    assert!(error.message.contains("is no bitcode"), "{error}");
    let Some(bitcode) = libdevice() else { return };
    let error = compile(Some(&MathLibrary { bitcode: &bitcode, kind: MathKind::Libdevice })).expect_err("no function");
    assert!(error.message.contains("has no `__nv_nowhere`"), "{error}");
    assert!(DeviceTarget::new(42).is_none());
}

#[test]
fn operations_with_libclc_assemble() {
    let Some(bitcode) = libclc() else { return };
    let math = MathLibrary { bitcode: &bitcode, kind: MathKind::Libclc };
    assemble(&ptx(&operation_kernels(true), 75, Some(&math)), 75);
}

/// Sixteen bytes of the smallest elements are one access.
#[test]
fn small_elements_are_loaded_together() {
    let mut kernels = Vec::new();
    for dtype in [DType::Bool, DType::U8, DType::I16] {
        let body = op_body(ScalarOp::BitAnd, &[dtype, dtype], dtype);
        let mut kernel = map_kernel(&format!("and_{}", dtype.short_name()), 1, body, &[dtype, dtype]);
        kernel.schedule.vector = 16 / dtype.itemsize() as u32;
        kernels.push(kernel);
    }
    let text = ptx(&kernels, 75, None);
    assert!(text.matches("v4.b32").count() >= 9, "{text}");
    assemble(&text, 75);
}

#[test]
fn reductions_assemble() {
    let mut kernels = Vec::new();
    for dtype in DType::ALL {
        for (n, reducer) in Reducer::ALL.iter().enumerate() {
            if reducer.result(dtype).is_some() {
                let mut b = BodyBuilder::new();
                let input = b.input(0, dtype);
                let body = b.finish(vec![input]);
                let name = format!("reduce{n}_{}", dtype.short_name());
                kernels.push(reduce_kernel(&name, 3, 1 + n % 2, body, &[dtype], vec![*reducer]));
            }
        }
    }
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}

#[test]
fn scans_assemble() {
    let mut kernels = Vec::new();
    for dtype in DType::ALL {
        for reducer in Reducer::ALL.into_iter().filter(|r| !r.is_positional() && r.result(dtype).is_some()) {
            let rank = 1 + kernels.len() % 3;
            kernels.push(scan_kernel(&format!("{}_{}", reducer.name(), dtype.short_name()), rank, dtype, reducer));
        }
        if Reducer::Add.result(dtype).is_some() {
            kernels.push(affine_kernel(&format!("affine_{}", dtype.short_name()), 1 + kernels.len() % 3, dtype));
        }
    }
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}

#[test]
fn code_assembles() {
    let kernels: Vec<Kernel> = harness::nests::ALL.into_iter().map(harness::nests::parse).collect();
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}
