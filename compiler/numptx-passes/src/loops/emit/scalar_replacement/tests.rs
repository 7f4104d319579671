//! Programs before and after: the same memory, with fewer accesses.

use numptx_ir::scalar::{CodeBuilder, Tables, run_code};

use crate::loops::emit::scalar_replacement::*;

/// Tables of one axis, and how often they were accessed.
#[derive(Default)]
struct Memory {
    tables: Vec<Vec<i64>>,
    loads: usize,
    stores: usize,
}

impl Tables for Memory {
    fn load(&mut self, table: usize, at: &[i64]) -> Result<Constant, String> {
        self.loads += 1;
        let at = usize::try_from(at[0]).map_err(|e| e.to_string())?;
        self.tables[table].get(at).map(|n| Constant::Int(*n)).ok_or_else(|| "out of range".to_owned())
    }
    fn store(&mut self, table: usize, at: &[i64], value: Constant) -> Result<(), String> {
        self.stores += 1;
        let at = usize::try_from(at[0]).map_err(|e| e.to_string())?;
        *self.tables[table].get_mut(at).ok_or("out of range")? = value.as_int().ok_or("no integer")?;
        Ok(())
    }
    fn is_faulty(&mut self, _: usize) -> Result<bool, String> {
        Ok(false)
    }
    fn fault(&mut self, _: usize, _: Constant) -> Result<(), String> {
        Ok(())
    }
    fn spend(&mut self) -> Result<(), String> {
        Ok(())
    }
    fn act_as(&mut self, _: u64) {}
    fn barrier(&mut self) {}
    fn order(&mut self, n: usize) -> Vec<usize> {
        (0..n).collect()
    }
}

/// `for k in range(lower, upper, by): …` over tables 0 and 1; what is in the body is told the index.
fn looped(bounds: [i64; 3], body: impl FnOnce(&mut CodeBuilder, Val)) -> Code {
    let mut code = CodeBuilder::new();
    let bounds = bounds.map(|n| code.integer(n));
    let k = code.open_block(&[DType::I64])[0];
    body(&mut code, k);
    let body = code.close_block(&[]);
    code.for_(bounds, &[], body);
    code.finish()
}

/// Runs a program before and after; the results are the same. How many loads and stores there were.
fn accesses(code: &Code) -> [(usize, usize); 2] {
    let mut after = code.clone();
    carry(&mut after);
    let run = |code: &Code| {
        let tables = vec![(0..8).map(|n| 3 * n + 1).collect(), (10..18).collect()];
        let mut memory = Memory { tables, ..Memory::default() };
        run_code(code, &[], &[], &mut memory).expect("every index is in range");
        memory
    };
    let (before, after) = (run(code), run(&after));
    assert_eq!(before.tables, after.tables);
    [(before.loads, before.stores), (after.loads, after.stores)]
}

/// `y[k] = y[k + offset] + x[k]`
fn recurrence(bounds: [i64; 3], offset: i64) -> Code {
    looped(bounds, |code, k| {
        let offset = code.integer(offset);
        let other = code.op(ScalarOp::Add, &[k, offset]);
        let (y, x) = (code.load(0, &[other], DType::I64), code.load(1, &[k], DType::I64));
        let sum = code.op(ScalarOp::Add, &[y, x]);
        code.store(0, &[k], sum);
    })
}

#[test]
fn what_the_iteration_before_stored_is_loaded_once() {
    assert_eq!(accesses(&recurrence([1, 8, 1], -1)), [(14, 7), (8, 7)]);
    assert_eq!(accesses(&recurrence([2, 8, 2], -2)), [(6, 3), (4, 3)]);
    assert_eq!(accesses(&recurrence([6, -1, -1], 1)), [(14, 7), (8, 7)]);
    assert_eq!(accesses(&recurrence([1, 1, 1], -1)), [(0, 0), (0, 0)]);
}

#[test]
fn what_another_iteration_stored_or_stores_later_is_loaded() {
    for (bounds, offset) in [([2, 8, 1], -2), ([0, 7, 1], 1), ([1, 8, 2], -1), ([0, 8, 1], 0), ([7, 0, -1], -1)] {
        let [before, after] = accesses(&recurrence(bounds, offset));
        assert_eq!(before, after, "{bounds:?} {offset}");
    }
}

#[test]
fn an_element_that_all_iterations_share_is_loaded_and_stored_once() {
    let sum = |also: bool| {
        looped([0, 8, 1], |code, k| {
            let at = code.integer(3);
            let (y, x) = (code.load(0, &[at], DType::I64), code.load(1, &[k], DType::I64));
            let sum = code.op(ScalarOp::Add, &[y, x]);
            code.store(0, &[at], sum);
            if also {
                let seen = code.load(0, &[k], DType::I64);
                code.store(1, &[k], seen);
            }
        })
    };
    assert_eq!(accesses(&sum(false)), [(16, 8), (9, 1)]);
    // Another load might be of the same element.
    assert_eq!(accesses(&sum(true)), [(24, 16), (17, 16)]);
}

/// `for k in range(lower, upper, by): y[at] = y[at] + y[k + offset]`
fn rest_of_a_row(bounds: [i64; 3], at: i64, offset: i64) -> Code {
    looped(bounds, |code, k| {
        let (at, offset) = (code.integer(at), code.integer(offset));
        let other = code.op(ScalarOp::Add, &[k, offset]);
        let (y, x) = (code.load(0, &[at], DType::I64), code.load(0, &[other], DType::I64));
        let sum = code.op(ScalarOp::Add, &[y, x]);
        code.store(0, &[at], sum);
    })
}

#[test]
fn elements_beside_those_of_a_loop_are_stored_after_it() {
    for (bounds, at, offset) in [([0, 5, 1], 5, 0), ([3, 7, 1], 3, 1), ([0, 4, 1], 2, 3)] {
        assert_eq!(accesses(&rest_of_a_row(bounds, at, offset))[1].1, 1, "{bounds:?} {at} {offset}");
    }
    for (bounds, at, offset) in [([0, 6, 1], 5, 0), ([3, 7, 1], 4, 1), ([4, 0, -1], 5, 0), ([0, 5, 1], 3, 3)] {
        let [before, after] = accesses(&rest_of_a_row(bounds, at, offset));
        assert_eq!(before.1, after.1, "{bounds:?} {at} {offset}");
    }
}

/// `parallel 2 (i): for k in range(from): y[from + i] -= y[k]`
fn work_items(from: i64) -> Code {
    let mut code = CodeBuilder::new();
    let (one, from) = (code.integer(1), code.integer(from));
    let i = code.open_block(&[DType::I64])[0];
    let at = code.op(ScalarOp::Add, &[i, from]);
    let zero = code.integer(0);
    let k = code.open_block(&[DType::I64])[0];
    let (y, x) = (code.load(0, &[at], DType::I64), code.load(0, &[k], DType::I64));
    let difference = code.op(ScalarOp::Sub, &[y, x]);
    code.store(0, &[at], difference);
    let body = code.close_block(&[]);
    code.for_([zero, from, one], &[], body);
    let body = code.close_block(&[]);
    let two = code.integer(2);
    code.parallel(&[two], body);
    code.finish()
}

#[test]
fn work_items_of_a_step_carry_what_is_theirs() {
    assert_eq!(accesses(&work_items(5)), [(20, 10), (12, 2)]);
}

#[test]
fn only_the_last_store_to_an_element_stays() {
    let stores = |offset: i64| {
        looped([1, 8, 1], |code, k| {
            let offset = code.integer(offset);
            let other = code.op(ScalarOp::Add, &[k, offset]);
            code.store(0, &[k], k);
            let y = code.load(0, &[other], DType::I64);
            code.store(1, &[k], y);
            code.store(0, &[k], offset);
        })
    };
    // The load before the last store is of another element, or of the same.
    assert_eq!(accesses(&stores(-1)), [(7, 21), (1, 14)]);
    assert_eq!(accesses(&stores(0)), [(7, 21), (7, 21)]);
}
