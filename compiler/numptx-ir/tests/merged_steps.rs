//! Steps of cooperative programs that become one, and those that do not.

use numptx_ir::DType;
use numptx_ir::scalar::{Code, CodeBuilder, Constant, Reducer, ScalarOp, StmtKind, Val};

const F64: DType = DType::F64;
const I64: DType = DType::I64;

/// How many statements of a kind there are.
fn n(code: &Code, kind: StmtKind) -> usize {
    let mut n = 0;
    code.block.for_each_stmt(&mut |stmt| n += usize::from(stmt.kind == kind));
    n
}

/// `for t in range(3): for i: y[i] = x[i] + x[i]; for i: x[i] = y[place(i)]`
fn two_steps(place: impl Fn(&mut CodeBuilder, Val, Val) -> Val) -> Code {
    let mut c = CodeBuilder::new();
    let (n, zero, one, three) = (c.input(0, I64), c.integer(0), c.integer(1), c.integer(3));
    c.open_block(&[I64]);
    let i = c.open_block(&[I64])[0];
    let value = c.load(0, &[i], F64);
    let sum = c.op(ScalarOp::Add, &[value, value]);
    c.store(1, &[i], sum);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    let i = c.open_block(&[I64])[0];
    let at = place(&mut c, n, i);
    let value = c.load(1, &[at], F64);
    c.store(0, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[n], body);
    let body = c.close_block(&[]);
    c.for_([zero, three, one], &[], body);
    c.finish()
}

#[test]
fn a_point_that_needs_itself_waits_once() {
    let code = two_steps(|_, _, i| i).with_barriers();
    assert_eq!((n(&code, StmtKind::Parallel), n(&code, StmtKind::Barrier)), (1, 1), "before the next iteration");
    assert_eq!(n(&code, StmtKind::Load(1)), 0, "what was stored is known");
}

#[test]
fn a_point_that_needs_another_one_waits() {
    let neighbour = two_steps(|c, _, i| {
        let one = c.integer(1);
        c.op(ScalarOp::Sub, &[i, one])
    });
    let mirrored = two_steps(|c, n, i| c.op(ScalarOp::Sub, &[n, i]));
    let one = two_steps(|c, _, _| c.integer(0));
    for code in [neighbour, mirrored, one] {
        let code = code.with_barriers();
        assert_eq!((n(&code, StmtKind::Parallel), n(&code, StmtKind::Barrier)), (2, 2));
    }
}

#[test]
fn points_that_store_at_one_index_wait() {
    // No two points of `x[i, i + j]` may be one: but of `y[0, j]` all `i` are.
    let mut c = CodeBuilder::new();
    let (extent, zero) = (c.input(0, I64), c.integer(0));
    let one = c.constant(Constant::Float(1.0), F64);
    for table in [0, 0] {
        let at = c.open_block(&[I64, I64]);
        c.store(table, &[zero, at[1]], one);
        let body = c.close_block(&[]);
        c.parallel(&[extent, extent], body);
    }
    assert_eq!(n(&c.finish().with_barriers(), StmtKind::Parallel), 2);
}

#[test]
fn what_is_made_of_a_sum_is_a_part_of_its_point() {
    let mut c = CodeBuilder::new();
    let extent = c.input(0, I64);
    let i = c.open_block(&[I64])[0];
    let k = c.open_block(&[I64])[0];
    let value = c.load(2, &[k], F64);
    let body = c.close_block(&[value]);
    let total = c.reduce(Reducer::Add, &[extent], body);
    c.store(1, &[i], total);
    let body = c.close_block(&[]);
    c.parallel(&[extent], body);
    let i = c.open_block(&[I64])[0];
    let (total, value) = (c.load(1, &[i], F64), c.load(0, &[i], F64));
    let sum = c.op(ScalarOp::Add, &[total, value]);
    c.store(0, &[i], sum);
    let body = c.close_block(&[]);
    c.parallel(&[extent], body);
    let code = c.finish().with_barriers();
    assert_eq!((n(&code, StmtKind::Parallel), n(&code, StmtKind::Barrier)), (1, 0));
}

#[test]
fn what_all_threads_know_is_not_loaded() {
    let mut c = CodeBuilder::new();
    let (extent, zero) = (c.input(0, I64), c.integer(0));
    let root = c.constant(Constant::Float(2.0), F64);
    c.open_block(&[]);
    c.store(1, &[zero], root);
    let body = c.close_block(&[]);
    c.parallel(&[], body);
    let i = c.open_block(&[I64])[0];
    let value = c.load(1, &[zero], F64);
    c.store(0, &[i], value);
    let body = c.close_block(&[]);
    c.parallel(&[extent], body);
    let code = c.finish().with_barriers();
    assert_eq!((n(&code, StmtKind::Load(1)), n(&code, StmtKind::Barrier)), (0, 0));
}
