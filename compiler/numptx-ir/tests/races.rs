//! The kernel interpreter: races are found whatever the order of the points, sound kernels give one result in any order.

mod sample;

use numptx_ir::DType;
use numptx_ir::array::interpret::View;
use numptx_ir::kernel::interpret::run;
use numptx_ir::kernel::{self, Kernel};
use numptx_ir::scalar::Constant;

fn kernel(operands: &str) -> Kernel {
    let text = format!(
        "kernel @k rank 1 reduced 0 block 128 vector 1 {{
  {operands}
  phase {{
    load 0
    body {{ $0 = input 0 : f64; $1 = neg $0 : f64; yield $1 }}
    store 0 to 1
  }}
}}"
    );
    let kernel = kernel::parse::parse(&text).unwrap();
    kernel::verify::verify(&kernel).unwrap();
    kernel
}

fn base() -> View {
    let elements: Vec<Constant> = (0..8).map(|n| Constant::Float(f64::from(n))).collect();
    View::new(DType::F64, &[8], &elements)
}

fn part(base: &View, offset: i64, stride: i64) -> View {
    View { offset, shape: vec![4], strides: vec![stride], ..base.clone() }
}

#[test]
fn overlaps_are_races_except_in_place() {
    let kernel = kernel("operand read f64[:]\n  operand write f64[:]");
    let cases = [
        ("in place", (0, 8), (0, 8), None),
        ("apart", (0, 8), (32, 8), None),
        ("interleaved", (0, 16), (8, 16), None),
        ("shifted forwards", (0, 8), (8, 8), Some("a race")),
        ("shifted backwards", (8, 8), (0, 8), Some("a race")),
        ("reversed", (24, -8), (0, 8), Some("a race")),
        ("partly over", (4, 8), (0, 8), Some("a race")),
        ("all write one", (0, 8), (32, 0), Some("a race")),
        ("one is read by all", (0, 0), (0, 8), Some("a race")),
        ("outside", (0, 8), (40, 8), Some("outside")),
    ];
    for (name, from, to, expected) in cases {
        for seed in 0..20 {
            let base = base();
            let arrays = [part(&base, from.0, from.1), part(&base, to.0, to.1)];
            let found = run(&kernel, &[4], &arrays, &[], seed).err();
            let fits = match (&found, expected) {
                (None, None) => true,
                (Some(found), Some(expected)) => found.contains(expected),
                _ => false,
            };
            assert!(fits, "{name} in order {seed}: {found:?}");
        }
    }
}

#[test]
fn a_broken_promise_is_found() {
    let kernel = kernel("operand read f64[:] noalias\n  operand write f64[:]");
    let base = base();
    let arrays = [part(&base, 0, 8), part(&base, 0, 8)];
    assert!(run(&kernel, &[4], &arrays, &[], 0).unwrap_err().contains("noalias"));
    assert_eq!(run(&kernel, &[4], &[part(&base, 0, 8), part(&base, 32, 8)], &[], 0), Ok(()));
}

#[test]
fn launches_must_fit() {
    let fixed = kernel("operand read f64[0]\n  operand write f64[:]");
    let base = base();
    let arrays = [part(&base, 0, 8), part(&base, 32, 8)];
    assert!(run(&fixed, &[4], &arrays, &[], 0).unwrap_err().contains("is not 0"));
    let kernel = kernel("operand read f64[:]\n  operand write f64[:]");
    assert!(run(&kernel, &[3], &arrays, &[], 0).unwrap_err().contains("extents"));
    assert!(run(&kernel, &[4], &arrays[..1], &[], 0).is_err());
    assert_eq!(run(&kernel, &[4], &arrays, &[], 0), Ok(()));
}

#[test]
fn reductions_do_not_depend_on_the_order() {
    let module = sample::modules().into_iter().find(|m| m.name == "kernels").unwrap();
    let sum = &module.kernels[1];
    let elements: Vec<Constant> = (0..12).map(|n| Constant::Float(f64::from(n) / 7.0)).collect();
    let x = View::new(DType::F64, &[4, 3], &elements);
    let mut results = Vec::new();
    for seed in 0..20 {
        let y = View::new(DType::F64, &[4], &[]);
        run(sum, &[4, 3], &[x.clone(), y.clone()], &[], seed).unwrap();
        results.push(y.elements().unwrap());
    }
    results.dedup();
    assert_eq!(results.len(), 1);
}
