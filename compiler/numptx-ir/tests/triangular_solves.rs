//! Triangular solves: what they give, where barriers are, and that the interpreter finds iterations that meet.

use numptx_ir::DType;
use numptx_ir::array::interpret::View;
use numptx_ir::kernel::interpret::run;
use numptx_ir::kernel::{self, Kernel};
use numptx_ir::scalar::{Constant, StmtKind};

/// `for k in range(4): x[k] = y[k] - sum(y[j] * x[j] for j in range(k))`, with some text in it replaced.
fn kernel((from, to): (&str, &str)) -> Kernel {
    let text = "kernel @k rank 1 reduced 0 block 1024 vector 1 {
  operand readwrite f64[0]
  operand read f64[0]
  scalar i64
  scalar i64
  table 0 [0]
  table 1 [1]
  code {
    $0 = constant 4 : i64
    solve add $0 to 0 at ($1: i64) {
      yield $1
    } factor ($2: i64, $3: i64) {
      $4 = load 1 at $3 : f64
      yield $4
    } term ($5: f64, $6: f64) {
      $7 = mul $5, $6 : f64
      yield $7
    } value ($8: i64, $9: f64) {
      $10 = load 1 at $8 : f64
      $11 = sub $10, $9 : f64
      yield $11
    }
    yield
  }
}
";
    assert!(text.contains(from), "{from}");
    let kernel = kernel::parse::parse(&text.replace(from, to)).unwrap();
    if let Err(errors) = kernel::verify::verify(&kernel) {
        panic!("{errors:?}\n{kernel}");
    }
    // What is printed is read as the same.
    assert_eq!(kernel::parse::parse(&kernel.to_string()).unwrap().to_string(), kernel.to_string());
    kernel
}

fn launch(kernel: &Kernel, x: &View, y: &View) -> Result<Vec<Constant>, String> {
    for seed in 0..4 {
        run(kernel, &[4], &[x.clone(), y.clone()], &[Constant::Int(8), Constant::Int(8)], seed)?;
    }
    x.elements().map_err(|failure| format!("{failure:?}"))
}

fn vector(elements: [f64; 4]) -> View {
    View::new(DType::F64, &[4], &elements.map(Constant::Float))
}

#[test]
fn iterations_sum_up_what_those_before_gave() {
    let found = launch(&kernel(("", "")), &vector([9.0; 4]), &vector([1.0, 2.0, -1.0, 0.5])).unwrap();
    // 1; 2 - 1; -1 - (1 + 2); 0.5 - (1 + 2 + 4)
    assert_eq!(found, [1.0, 1.0, -4.0, -6.5].map(Constant::Float));
    let largest = launch(&kernel(("solve add", "solve max")), &vector([9.0; 4]), &vector([1.0; 4])).unwrap();
    // Nothing is the least number.
    assert_eq!(largest[0], Constant::Float(f64::INFINITY));
}

#[test]
fn iterations_that_meet_are_races() {
    for (from, to) in [
        // All store to one element.
        ("yield $1\n", "$12 = constant 3 : i64\n      yield $12\n"),
        // An iteration loads what another one stores.
        ("$10 = load 1 at $8", "$12 = constant 0 : i64\n      $10 = load 0 at $12"),
    ] {
        let failure = launch(&kernel((from, to)), &vector([1.0; 4]), &vector([1.0; 4])).unwrap_err();
        assert!(failure.contains("a race"), "{failure}");
    }
    let shared = vector([1.0; 4]);
    let failure = launch(&kernel(("", "")), &shared, &shared).unwrap_err();
    assert!(failure.contains("a race"), "factors are loaded from what is stored to: {failure}");
    let in_place = kernel(("$10 = load 1 at $8", "$10 = load 0 at $8"));
    assert!(launch(&in_place, &vector([1.0; 4]), &vector([1.0; 4])).is_ok(), "an iteration's own element");
}

#[test]
fn what_was_stored_before_is_waited_for() {
    let (first, last) = ("    solve", "      yield $11\n    }\n");
    let stmt = |table: u32| {
        format!(
            "    parallel {{\n      $20 = constant 0 : i64\n      $21 = constant 2.0 : f64\n      store $21 to {table} at $20\n      yield\n    }}\n"
        )
    };
    for (at, text) in [(first, format!("{}{first}", stmt(0))), (last, format!("{last}{}", stmt(0)))] {
        let kernel = kernel((at, &text));
        let code = kernel.code().unwrap().with_barriers();
        let mut kinds = code.block.stmts.iter().map(|stmt| stmt.kind).skip(1);
        assert!(kinds.any(|kind| kind == StmtKind::Barrier), "{kernel}");
    }
}
