//! Every operation on a device goes through `ptxas` for three architectures.

mod harness;

use harness::assembler::{architectures, assemble, libclc, libdevice, ptx, ptx_with};
use harness::{all_operations, map_kernel, op_body, reduce_kernel};
use numptx_codegen::{CodegenOptions, Contraction, DeviceTarget, MathKind, MathLibrary, device_ptx, needs_device_math};
use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{BodyBuilder, MathFunction, Reducer, ScalarOp};

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
fn code_assembles() {
    let kernels: Vec<Kernel> = harness::nests::ALL.into_iter().map(harness::nests::parse).collect();
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}
