//! Kernels with code on the host: the same as the interpreter gives, over every layout, and cut anywhere.

mod harness;

use harness::compile;
use harness::nests::{CLIP, ESCAPE, Lies, PRODUCT, RECURRENCE, TRIANGLE, array, check, parse};
use numptx_ir::DType;
use numptx_ir::scalar::Constant;

const ALL: [Lies; 3] = [Lies::C, Lies::F, Lies::Odd];

#[test]
fn a_matrix_product() {
    let kernel = parse(PRODUCT);
    let compiled = compile(std::slice::from_ref(&kernel), "x86-64-v3");
    for (n, m, k) in [(1, 1, 1), (3, 5, 4), (7, 33, 9), (4, 3, 0)] {
        for (lies, piece) in ALL.into_iter().flat_map(|lies| [(lies, 1000), (lies, 5)]) {
            let c = array(DType::F64, &[n, m], Lies::C, 1);
            let tables = [c, array(DType::F64, &[n, k], lies, 2), array(DType::F64, &[k, m], Lies::C, 3)];
            check(&compiled, &kernel, &[n, m], &tables, &[Constant::Int(k)], piece);
        }
    }
}

#[test]
fn a_triangle_by_steps_of_any_size() {
    let kernel = parse(TRIANGLE);
    let compiled = compile(std::slice::from_ref(&kernel), "x86-64-v2");
    for (step, lies) in [-1, -2, -7, 1].into_iter().flat_map(|step| ALL.map(|lies| (step, lies))) {
        let tables = [array(DType::I32, &[12, 12], lies, 4)];
        check(&compiled, &kernel, &[12], &tables, &[Constant::Int(step)], 5);
    }
}

#[test]
fn a_loop_that_ends_when_it_may() {
    let kernel = parse(ESCAPE);
    let compiled = compile(std::slice::from_ref(&kernel), "x86-64-v3");
    for lies in ALL {
        let tables = [array(DType::I64, &[5, 9], lies, 5), array(DType::C128, &[5, 9], Lies::C, 6)];
        check(&compiled, &kernel, &[5, 9], &tables, &[Constant::Int(12)], 7);
    }
}

#[test]
fn one_point_is_a_sequential_program() {
    let kernel = parse(RECURRENCE);
    let compiled = compile(std::slice::from_ref(&kernel), "x86-64-v3");
    for (n, lies) in [0, 1, 2, 40].into_iter().flat_map(|n| ALL.map(|lies| (n, lies))) {
        let tables = [array(DType::F32, &[n], lies, 7), array(DType::F32, &[], Lies::C, 8)];
        check(&compiled, &kernel, &[], &tables, &[Constant::Int(n)], 1);
    }
}

#[test]
fn points_without_loops() {
    let kernel = parse(CLIP);
    let compiled = compile(std::slice::from_ref(&kernel), "x86-64-v3");
    for (lies, piece) in ALL.into_iter().flat_map(|lies| [(lies, 1000), (lies, 13)]) {
        let tables = [array(DType::F64, &[4, 67], lies, 9), array(DType::Bool, &[67], Lies::C, 10)];
        check(&compiled, &kernel, &[4, 67], &tables, &[Constant::Float(0.25)], piece);
    }
}
