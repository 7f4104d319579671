//! The PTX of canonical kernels, as text: read every accepted change.
//!
//! `NUMPTX_BLESS=1 cargo test -p numptx-codegen --test snapshots` rewrites the files.

mod harness;

use std::path::PathBuf;

use harness::{map_kernel, reduce_kernel};
use numptx_codegen::{CodegenOptions, DeviceTarget, device_ptx};
use numptx_ir::DType;
use numptx_ir::kernel::{Input, Kernel};
use numptx_ir::scalar::{BodyBuilder, Reducer, ScalarOp};

/// `a * x + y`, float32, `a` a scalar.
fn saxpy() -> Kernel {
    let mut b = BodyBuilder::new();
    let (x, y, a) = (b.input(0, DType::F32), b.input(1, DType::F32), b.input(2, DType::F32));
    let product = b.op(ScalarOp::Mul, &[a, x]);
    let sum = b.op(ScalarOp::Add, &[product, y]);
    let mut kernel = map_kernel("saxpy", 2, b.finish(vec![sum]), &[DType::F32, DType::F32]);
    kernel.scalars.push(DType::F32);
    let phase = kernel.phases_mut().next().expect("one phase");
    phase.inputs.push(Input::Scalar(0));
    kernel
}

/// Row sums of a float64 matrix.
fn row_sum() -> Kernel {
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F64);
    reduce_kernel("row_sum", 2, 1, b.finish(vec![x]), &[DType::F64], vec![Reducer::Add])
}

fn check(name: &str, kernel: Kernel) {
    let target = DeviceTarget::new(75).expect("the portable target");
    let got = device_ptx(&[kernel], target, None, &CodegenOptions::default()).expect("PTX");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.ptx"));
    if std::env::var_os("NUMPTX_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(&path, &got).expect("the snapshot is written");
    }
    let expected = std::fs::read_to_string(&path).expect("the snapshot is there");
    assert_eq!(got, expected, "{} differs; NUMPTX_BLESS=1 accepts the new text", path.display());
}

#[test]
fn saxpy_float32() {
    check("saxpy", saxpy());
}

#[test]
fn row_sum_float64() {
    check("row_sum", row_sum());
}

/// A matrix product: each thread runs a loop.
#[test]
fn product_float64() {
    check("product", harness::nests::parse(harness::nests::PRODUCT));
}
