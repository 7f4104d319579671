//! Cooperative programs: where their barriers are, and that the interpreter finds it when one is missing.

use numptx_ir::DType;
use numptx_ir::array::interpret::View;
use numptx_ir::kernel::interpret::run;
use numptx_ir::kernel::{self, Kernel, Node};
use numptx_ir::scalar::{Block, Code, CodeBuilder, Constant, Reducer, ScalarOp, StmtKind};

const F64: DType = DType::F64;
const I64: DType = DType::I64;

/// The kernel of code over a readwrite `f64[:]`, a written one, the number of their elements, and their strides.
fn kernel(code: &Code) -> Kernel {
    let head = "kernel @k rank 1 reduced 0 block 1024 vector 1 {
  operand readwrite f64[0] noalias
  operand readwrite f64[0] noalias
  scalar i64
  scalar i64
  scalar i64
  table 0 [1]
  table 1 [2]
  code {
    $0 = constant 0 : i64
    $1 = constant 0.0 : f64
    parallel {
      store $1 to 0 at $0
      store $1 to 1 at $0
      yield
    }
    yield
  }
}
";
    let mut kernel = kernel::parse::parse(head).unwrap();
    kernel.body = vec![Node::Code(code.clone())];
    if let Err(errors) = kernel::verify::verify(&kernel) {
        panic!("{errors:?}\n{kernel}");
    }
    // What is printed is read as the same.
    assert_eq!(kernel::parse::parse(&kernel.to_string()).unwrap().to_string(), kernel.to_string());
    kernel
}

fn vector(n: i64) -> View {
    let elements: Vec<Constant> = (0..n).map(|k| Constant::Float(k as f64)).collect();
    View::new(F64, &[n], &elements)
}

fn launch(code: &Code, x: &View, y: &View) -> Result<(), String> {
    for seed in 0..10 {
        let stride = Constant::Int(8);
        let scalars = [Constant::Int(x.shape[0]), stride, stride];
        run(&kernel(code), &[x.shape[0].max(1)], &[x.clone(), y.clone()], &scalars, seed)?;
    }
    Ok(())
}

/// `for t in range(3): y[i] = x[i] + x[n - 1 - i]; x[i] = y[n - 1 - i]`
fn turns() -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero, one, three) = (c.input(0, I64), c.integer(0), c.integer(1), c.integer(3));
    let last = c.op(ScalarOp::Sub, &[n, one]);
    c.open_block(&[I64]);
    for (from, to) in [(0, 1), (1, 0)] {
        let i = c.open_block(&[I64])[0];
        let j = c.op(ScalarOp::Sub, &[last, i]);
        let (a, b) = (c.load(from, &[i], F64), c.load(from, &[j], F64));
        let sum = c.op(ScalarOp::Add, &[a, b]);
        c.store(to, &[i], if from == 0 { sum } else { b });
        let body = c.close_block(&[]);
        c.parallel(&[n], body);
    }
    let body = c.close_block(&[]);
    c.for_([zero, three, one], &[], body);
    c.finish()
}

fn n_barriers(code: &Code) -> usize {
    let mut n = 0;
    code.block.for_each_stmt(&mut |stmt| n += usize::from(stmt.kind == StmtKind::Barrier));
    n
}

/// All programs that have one barrier less.
fn without_one(block: &Block) -> Vec<Block> {
    let mut fewer = Vec::new();
    for (n, stmt) in block.stmts.iter().enumerate() {
        if stmt.kind == StmtKind::Barrier {
            let mut less = block.clone();
            less.stmts.remove(n);
            fewer.push(less);
        }
        for (m, nested) in stmt.blocks.iter().enumerate() {
            for less in without_one(nested) {
                let mut block = block.clone();
                block.stmts[n].blocks[m] = less;
                fewer.push(block);
            }
        }
    }
    fewer
}

#[test]
fn every_barrier_is_needed_and_missed() {
    let code = turns().with_barriers();
    assert_eq!(n_barriers(&code), 2, "one between the steps, and one before the next iteration");
    assert_eq!(code.with_barriers(), code, "there are enough");
    let (x, y) = (vector(6), vector(6));
    assert_eq!(launch(&code, &x, &y), Ok(()));
    let fewer = without_one(&code.block);
    assert_eq!(fewer.len(), 2);
    for block in fewer {
        let failure = launch(&Code { block, ..code.clone() }, &vector(6), &vector(6)).unwrap_err();
        assert!(failure.contains("a race"), "{failure}");
    }
}

/// `while s := sum(x) > 1: x[i] *= 0.5; x[0] = s` with what every thread loads beside.
fn until() -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero) = (c.input(0, I64), c.integer(0));
    let (one, half) = (c.constant(Constant::Float(1.0), F64), c.constant(Constant::Float(0.5), F64));
    c.open_block(&[]);
    let i = c.open_block(&[I64])[0];
    let value = c.load(0, &[i], F64);
    let body = c.close_block(&[value]);
    let sum = c.reduce(Reducer::Add, &[n], body);
    let goes_on = c.op(ScalarOp::Gt, &[sum, one]);
    let condition = c.close_block(&[goes_on]);
    c.open_block(&[]);
    let first = c.load(0, &[zero], F64);
    let i = c.open_block(&[I64])[0];
    let value = c.load(0, &[i], F64);
    let value = c.op(ScalarOp::Mul, &[value, half]);
    c.store(0, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    c.open_block(&[]);
    c.store(1, &[zero], first);
    let body = c.close_block(&[]);
    c.parallel(&[], body);
    let body = c.close_block(&[]);
    c.while_(&[], condition, body);
    c.finish()
}

#[test]
fn a_reduction_is_a_barrier_and_decides_for_all() {
    let code = until().with_barriers();
    assert_eq!(n_barriers(&code), 2, "before the sum, and between the loads of every thread and the stores");
    let (x, y) = (vector(4), vector(4));
    assert_eq!(launch(&code, &x, &y), Ok(()));
    assert_eq!(x.elements().unwrap()[3], Constant::Float(0.375));
    for block in without_one(&code.block) {
        let failure = launch(&Code { block, ..code.clone() }, &vector(4), &vector(4)).unwrap_err();
        assert!(failure.contains("a race"), "{failure}");
    }
    let empty = View::new(F64, &[0], &[]);
    assert_eq!(launch(&code, &empty, &empty), Ok(()), "the sum of nothing is 0");
}

#[test]
fn points_of_one_step_must_not_meet() {
    let mut c = CodeBuilder::new();
    let (n, zero) = (c.input(0, I64), c.integer(0));
    let value = c.constant(Constant::Float(1.0), F64);
    for at_first in [false, true] {
        let i = c.open_block(&[I64])[0];
        c.store(u32::from(at_first), &[if at_first { zero } else { i }], value);
        let body = c.close_block(&[]);
        c.parallel(&[n], body);
    }
    let failure = launch(&c.finish().with_barriers(), &vector(3), &vector(3)).unwrap_err();
    assert!(failure.contains("a race"), "{failure}");
}

/// `for k in range(1, n): s = sum(x[:k]); y[:k] = x[k - 1::-1]; x[:k] += s * y[:k]; x[k - back] = s`
fn reversed(back: i64) -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero, one, back) = (c.input(0, I64), c.integer(0), c.integer(1), c.integer(back));
    let k = c.open_block(&[I64])[0];
    let i = c.open_block(&[I64])[0];
    let value = c.load(0, &[i], F64);
    let body = c.close_block(&[value]);
    let sum = c.reduce(Reducer::Add, &[k], body);
    let extent = c.op(ScalarOp::Sub, &[k, zero]);
    let i = c.open_block(&[I64])[0];
    let (last, minus) = (c.op(ScalarOp::Sub, &[k, one]), c.op(ScalarOp::Neg, &[i]));
    let from = c.op(ScalarOp::Add, &[last, minus]);
    let value = c.load(0, &[from], F64);
    c.store(1, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[extent], body);
    let i = c.open_block(&[I64])[0];
    let (old, other) = (c.load(0, &[i], F64), c.load(1, &[i], F64));
    let scaled = c.op(ScalarOp::Mul, &[sum, other]);
    let value = c.op(ScalarOp::Add, &[old, scaled]);
    c.store(0, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[k], body);
    c.open_block(&[]);
    let at = c.op(ScalarOp::Sub, &[k, back]);
    c.store(0, &[at], sum);
    let body = c.close_block(&[]);
    c.parallel(&[], body);
    let body = c.close_block(&[]);
    c.for_([one, n, one], &[], body);
    c.finish()
}

#[test]
fn what_needs_no_sum_is_done_before_it_and_other_elements_wait_for_nobody() {
    let code = reversed(0).with_barriers();
    assert_eq!(n_barriers(&code), 1, "before the copy and the sum, which ends with one");
    let mut wanted = [0.1; 7];
    let x = View::new(F64, &[7], &wanted.map(Constant::Float));
    let scalars = [7, 8, 8].map(Constant::Int);
    run(&kernel(&code), &[7], &[x.clone(), vector(7)], &scalars, 3).unwrap();
    for k in 1..7 {
        let (sum, old) = (wanted[..k].iter().sum::<f64>(), wanted);
        (0..k).for_each(|i| wanted[i] += sum * old[k - 1 - i]);
        wanted[k] = sum;
    }
    for (found, wanted) in x.elements().unwrap().into_iter().zip(wanted) {
        assert!(matches!(found, Constant::Float(found) if (found / wanted - 1.0).abs() < 1e-9), "{found:?} {wanted}");
    }
    for block in without_one(&code.block) {
        let failure = launch(&Code { block, ..code.clone() }, &vector(7), &vector(7)).unwrap_err();
        assert!(failure.contains("a race"), "{failure}");
    }
    let code = reversed(1).with_barriers();
    assert_eq!(n_barriers(&code), 2, "the last of the elements is stored again");
    assert_eq!(launch(&code, &vector(7), &vector(7)), Ok(()));
}

/// `for t in range(3): x[:] = 0.5 * x; s = 0.0; for j in range(n): s += x[j]; y[:] = s`, in which every thread adds up all by itself.
fn sums_of_every_thread() -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero, one, three) = (c.input(0, I64), c.integer(0), c.integer(1), c.integer(3));
    let (none, half) = (c.constant(Constant::Float(0.0), F64), c.constant(Constant::Float(0.5), F64));
    c.open_block(&[I64]);
    let i = c.open_block(&[I64])[0];
    let value = c.load(0, &[i], F64);
    let value = c.op(ScalarOp::Mul, &[value, half]);
    c.store(0, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    let vals = c.open_block(&[I64, F64]);
    let value = c.load(0, &[vals[0]], F64);
    let sum = c.op(ScalarOp::Add, &[vals[1], value]);
    let body = c.close_block(&[sum]);
    let sum = c.for_([zero, n, one], &[none], body)[0];
    let i = c.open_block(&[I64])[0];
    c.store(1, &[i], sum);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    let body = c.close_block(&[]);
    c.for_([zero, three, one], &[], body);
    c.finish()
}

#[test]
fn one_barrier_before_a_loop_takes_the_place_of_one_in_each_iteration() {
    let code = sums_of_every_thread().with_barriers();
    let turn = code.block.stmts.iter().find(|stmt| stmt.kind == StmtKind::For).expect("the loop around all");
    let inside = turn.blocks[0].stmts.iter().find(|stmt| stmt.kind == StmtKind::For).expect("the sum");
    assert!(inside.blocks[0].stmts.iter().all(|stmt| stmt.kind != StmtKind::Barrier));
    assert_eq!(n_barriers(&code), 2, "before the sum, and before the next iteration's stores");
    let (x, y) = (vector(6), vector(6));
    assert_eq!(launch(&code, &x, &y), Ok(()));
    for block in without_one(&code.block) {
        let failure = launch(&Code { block, ..code.clone() }, &vector(6), &vector(6)).unwrap_err();
        assert!(failure.contains("a race"), "{failure}");
    }
}

/// `for t in range(3): y[i] = sum(x[:own(i)]); x[i] = y[i] - sum(y[i], twice)`
fn sums_in_work_items(own: bool) -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero, one, three) = (c.input(0, I64), c.integer(0), c.integer(1), c.integer(3));
    c.open_block(&[I64]);
    let i = c.open_block(&[I64])[0];
    let extent = if own { c.op(ScalarOp::Add, &[i, one]) } else { n };
    let k = c.open_block(&[I64])[0];
    let value = c.load(0, &[k], F64);
    let body = c.close_block(&[value]);
    let sum = c.reduce(Reducer::Add, &[extent], body);
    c.store(1, &[i], sum);
    // A point sees what it stored.
    let two = c.integer(2);
    c.open_block(&[I64]);
    let value = c.load(1, &[i], F64);
    let body = c.close_block(&[value]);
    let twice = c.reduce(Reducer::Add, &[two], body);
    c.store(1, &[i], twice);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    let i = c.open_block(&[I64])[0];
    let value = c.load(1, &[i], F64);
    c.store(0, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    let body = c.close_block(&[]);
    c.for_([zero, three, one], &[], body);
    c.finish()
}

#[test]
fn sums_in_points_are_their_points() {
    for own in [true, false] {
        let code = sums_in_work_items(own).with_barriers();
        assert!(code.sums_in_work_items());
        assert_eq!(n_barriers(&code), 2, "between the steps, and none for what a point sums up");
        let (x, y) = (vector(5), vector(5));
        run(&kernel(&code), &[5], &[x.clone(), y], &[5, 8, 8].map(Constant::Int), 7).unwrap();
        let mut wanted = [0.0, 1.0, 2.0, 3.0, 4.0];
        for _ in 0..3 {
            let old = wanted;
            (0..5).for_each(|i| wanted[i] = 2.0 * old[..if own { i + 1 } else { 5 }].iter().sum::<f64>());
        }
        assert_eq!(x.elements().unwrap(), wanted.map(Constant::Float));
        assert_eq!(launch(&code, &vector(5), &vector(5)), Ok(()));
        for block in without_one(&code.block) {
            let failure = launch(&Code { block, ..code.clone() }, &vector(5), &vector(5)).unwrap_err();
            assert!(failure.contains("a race"), "{failure}");
        }
    }
}

/// `for k in range(n): x[k] = 1.0; y[k] = sum(x[k + 1:])`, in one step or in two
fn sums_of_the_rest(from: i64) -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero, one, from) = (c.input(0, I64), c.integer(0), c.integer(1), c.integer(from));
    let value = c.constant(Constant::Float(1.0), F64);
    let k = c.open_block(&[I64])[0];
    c.open_block(&[]);
    c.store(0, &[k], value);
    let body = c.close_block(&[]);
    c.parallel(&[], body);
    c.open_block(&[]);
    let first = c.op(ScalarOp::Add, &[k, from]);
    let extent = c.op(ScalarOp::Sub, &[n, first]);
    let at = c.open_block(&[I64])[0];
    let at = c.op(ScalarOp::Add, &[first, at]);
    let element = c.load(0, &[at], F64);
    let body = c.close_block(&[element]);
    let sum = c.reduce(Reducer::Add, &[extent], body);
    c.store(1, &[k], sum);
    let body = c.close_block(&[]);
    c.parallel(&[], body);
    let body = c.close_block(&[]);
    c.for_([zero, n, one], &[], body);
    c.finish()
}

#[test]
fn what_a_sum_does_not_meet_waits_for_nobody() {
    let n = |from: i64| n_barriers(&sums_of_the_rest(from).with_barriers());
    assert_eq!(n(0), 2, "the element that was just stored is one of them");
    assert_eq!(n(1), 1, "one before the next element is stored");
    assert_eq!(launch(&sums_of_the_rest(0).with_barriers(), &vector(5), &vector(5)), Ok(()));
    assert_eq!(launch(&sums_of_the_rest(1).with_barriers(), &vector(5), &vector(5)), Ok(()));
}
