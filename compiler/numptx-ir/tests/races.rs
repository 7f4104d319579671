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

/// `to[at] = from` and, where `adds`, `to[at] += from`, over three points; `at` holds the indices.
fn scattering(adds: bool) -> Kernel {
    let (access, element) = match adds {
        true => ("readwrite", "$2 = element 0 at $1 : f64\n      $3 = add $0, $2 : f64"),
        false => ("write", "$2 = constant 0.0 : f64\n      $3 = add $0, $2 : f64"),
    };
    let text = format!(
        "kernel @k rank 1 reduced 0 block 128 vector 1 {{
  operand read f64[:] noalias
  operand read i64[:]
  operand {access} f64[0]
  scalar i64
  table 2 [0]
  phase {{
    load 0
    load 1
    body {{
      $0 = input 0 : f64
      $1 = input 1 : i64
      {element}
      yield $3, $1
    }}
    scatter 0 to 0 at 1
  }}
}}"
    );
    let kernel = kernel::parse::parse(&text).unwrap();
    kernel::verify::verify(&kernel).unwrap();
    assert_eq!(kernel.to_string(), kernel::parse::parse(&kernel.to_string()).unwrap().to_string());
    kernel
}

fn scatter(kernel: &Kernel, from: View, at: &[i64], to: &View, seed: u64) -> Result<Vec<Constant>, String> {
    let at: Vec<Constant> = at.iter().map(|n| Constant::Int(*n)).collect();
    let at = View::new(DType::I64, &[3], &at);
    run(kernel, &[3], &[from, at, to.clone()], &[Constant::Int(to.strides[0])], seed)?;
    to.elements().map_err(|failure| format!("{failure:?}"))
}

#[test]
fn the_last_of_several_writes_stays_and_all_of_them_add_up() {
    let floats = |list: &[f64]| list.iter().map(|x| Constant::Float(*x)).collect::<Vec<_>>();
    let from = || View::new(DType::F64, &[3], &floats(&[1.0, 2.0, 4.0]));
    for seed in 0..20 {
        let to = View::new(DType::F64, &[2], &[]);
        assert_eq!(scatter(&scattering(false), from(), &[1, 0, 1], &to, seed), Ok(floats(&[2.0, 4.0])));
        assert_eq!(scatter(&scattering(true), from(), &[1, 0, 1], &to, seed), Ok(floats(&[4.0, 9.0])));
    }
}

/// `to[at] = 1.0` where `at` is not negative, by points in any order.
#[test]
fn points_that_are_apart_do_not_meet() {
    let text = "kernel @k rank 1 reduced 0 block 128 vector 1 {
  operand read i64[:] noalias
  operand write f64[0]
  scalar i64
  table 1 [0]
  phase {
    load 0
    body {
      $0 = input 0 : i64
      $1 = constant 0 : i64
      $2 = ge $0, $1 : bool
      $3 = constant 1.0 : f64
      yield $3, $0, $2
    }
    scatter 0 to 0 at 1 when 2 apart
  }
}";
    let kernel = kernel::parse::parse(text).unwrap();
    kernel::verify::verify(&kernel).unwrap();
    assert_eq!(kernel.to_string(), kernel::parse::parse(&kernel.to_string()).unwrap().to_string());
    let write = |at: &[i64]| {
        let at: Vec<Constant> = at.iter().map(|n| Constant::Int(*n)).collect();
        let to = View::new(DType::F64, &[2], &[]);
        run(&kernel, &[3], &[View::new(DType::I64, &[3], &at), to.clone()], &[Constant::Int(8)], 1)?;
        to.elements().map_err(|failure| format!("{failure:?}"))
    };
    assert_eq!(write(&[1, -7, 0]), Ok(vec![Constant::Float(1.0); 2]));
    assert!(write(&[1, -7, 1]).unwrap_err().contains("a race"));
    assert!(write(&[1, -7, 2]).unwrap_err().contains("out of range"));
}

#[test]
fn scatters_touch_nothing_else_and_stay_in_range() {
    let base = base();
    let overlapping = |offset: i64| View { offset, shape: vec![3], strides: vec![8], ..base.clone() };
    let to = View { offset: 0, shape: vec![4], strides: vec![8], ..base.clone() };
    let kernel = scattering(false);
    assert!(scatter(&kernel, overlapping(32), &[0, 1, 2], &to, 1).is_ok());
    assert!(scatter(&kernel, overlapping(8), &[0, 1, 2], &to, 1).unwrap_err().contains("a race"));
    assert!(scatter(&kernel, overlapping(24), &[0, 1, 3], &to, 1).unwrap_err().contains("a race"));
    assert!(scatter(&kernel, overlapping(32), &[0, 4, 1], &to, 1).unwrap_err().contains("out of range"));
    assert!(scatter(&kernel, overlapping(32), &[0, -1, 1], &to, 1).unwrap_err().contains("out of range"));
}

/// Many threads run along one row, so a scan may be written over what it reads, but neither shifted nor reversed.
#[test]
fn scans_are_sound_in_place_only() {
    let text = "kernel @k rank 1 reduced 1 block 128 vector 1 {
  operand read f64[:]
  operand write f64[:]
  phase {
    load 0
    body { $0 = input 0 : f64; yield $0 }
    scan [add]
    store 0 to 1
  }
}";
    let kernel = kernel::parse::parse(text).unwrap();
    kernel::verify::verify(&kernel).unwrap();
    let cases = [((0, 8), (0, 8), true), ((0, 8), (32, 8), true), ((0, 8), (8, 8), false), ((24, -8), (0, 8), false)];
    for (from, to, is_sound) in cases {
        let base = base();
        let arrays = [part(&base, from.0, from.1), part(&base, to.0, to.1)];
        let found = run(&kernel, &[4], &arrays, &[], 3);
        assert_eq!(found.is_ok(), is_sound, "{from:?} to {to:?}: {found:?}");
        let last = arrays[1].buffer.read(arrays[1].offset + 24, DType::F64).unwrap();
        assert!(!is_sound || last == Constant::Float(6.0), "0 + 1 + 2 + 3 is {last:?}");
    }
}

#[test]
fn scans_read_elements_of_tables() {
    let text = "kernel @k rank 1 reduced 1 block 128 vector 1 {
  operand read f64[0]
  operand write f64[:]
  table 0 []
  phase {
    body { $0 = element 0 at : f64; yield $0 }
    scan [add]
    store 0 to 1
  }
}";
    let kernel = kernel::parse::parse(text).unwrap();
    kernel::verify::verify(&kernel).unwrap();
    let to = base();
    let from = View { offset: 24, shape: Vec::new(), strides: Vec::new(), ..base() };
    run(&kernel, &[4], &[from, part(&to, 0, 8)], &[], 3).unwrap();
    assert_eq!(to.buffer.read(24, DType::F64).unwrap(), Constant::Float(12.0));
}
