//! Reductions whose result tells the order of the elements, against a plain loop.

use numptx_abi::{Kernel, dtype};

use crate::kernels::{folding, kernel, module_of};
use crate::program::{
    DEVICES, array_argument, beside_others, call, elements, fresh_fold, kernel_argument, on, overload, release,
};
use crate::strided::{Random, Strided};

fn expected(x: &Strided<u64>, kept: usize) -> Vec<u64> {
    let fold = |outer: Vec<i64>| {
        Strided::<u64>::indices(&x.shape[kept..]).fold(0u64, |sum, inner| {
            let index: Vec<i64> = outer.iter().chain(&inner).copied().collect();
            sum.wrapping_mul(3).wrapping_add(x.at(&index))
        })
    };
    Strided::<u64>::indices(&x.shape[..kept]).map(fold).collect()
}

fn check(kernel: &'static Kernel, x: &mut Strided<u64>) {
    let function = overload(fresh_fold, 2, 1, 0);
    let want = expected(x, usize::from(kernel.rank - kernel.n_reduced));
    for device in DEVICES {
        let arguments = [kernel_argument(kernel), array_argument(x, dtype::UINT64)];
        let results = call(&function, &arguments, &on(device)).expect("the call is right");
        assert!(elements::<u64>(&results[0]) == want, "device {device}, shape {:?}, strides {:?}", x.shape, x.strides);
        release(&results[0]);
    }
}

const KINDS: [(u8, u8); 6] = [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (4, 2)];

#[test]
fn any_layout_in_c_order() {
    let _turn = beside_others();
    let module = module_of("7.0", KINDS.iter().map(|(rank, reduced)| folding(*rank, *reduced)).collect());
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..500 {
        let which = round % KINDS.len();
        let shape: Vec<i64> = (0..KINDS[which].0)
            .map(|_| [1, 2, 3, 7, 40, 0][random.below(if round % 9 == 0 { 6 } else { 5 }) as usize])
            .collect();
        let mut x = Strided::random(&shape, &mut random, |i| i as u64 * 7 + 1);
        check(kernel(module, which), &mut x);
    }
}

#[test]
fn an_empty_reduction_stores_the_identity() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![folding(2, 1)]);
    check(kernel(module, 0), &mut Strided::contiguous(&[4, 0], |_| 1));
    check(kernel(module, 0), &mut Strided::contiguous(&[0, 4], |_| 1));
}

#[test]
fn long_reductions_are_cut_and_combined_in_order() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![folding(1, 1), folding(2, 1), folding(2, 2)]);
    check(kernel(module, 0), &mut Strided::contiguous(&[1_000_003], |i| i as u64));
    check(kernel(module, 1), &mut Strided::contiguous(&[3, 200_001], |i| i as u64));
    check(kernel(module, 2), &mut Strided::contiguous(&[500, 801], |i| i as u64));
    let mut columns = Strided::contiguous(&[70_001, 5], |i| i as u64);
    columns.shape.reverse();
    columns.strides.reverse();
    check(kernel(module, 1), &mut columns);
    // So many outputs that each is one thread's.
    let mut many = Strided::contiguous(&[50, 20_000], |i| i as u64);
    many.shape.reverse();
    many.strides.reverse();
    check(kernel(module, 1), &mut many);
}
