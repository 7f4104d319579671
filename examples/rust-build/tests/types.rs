//! Every sort of parameter and result, and every layout that `ndarray` has.

use ndarray::{Array1, Array2, ArrayD, ArrayView2, IxDyn, ShapeBuilder, array, s};
use numptx_runtime::abi::error_kind;
use numptx_runtime::{Complex, Device, DeviceArray};
use rust_build_example::types;

#[test]
fn scalars_keep_their_types_and_their_bits() {
    let (g, h) = (Complex::new(1.0f32, -2.0), Complex::new(0.1f64, 0.2));
    let found = types::negate(true, -7, 30_000, i64::MIN + 1, u64::MAX, 1.5, -0.0, g, h).unwrap();
    assert_eq!(found, (false, 7, 60_000, i64::MAX, u64::MAX, -1.5, 0.0, -g, -h));
    assert!(found.6.is_sign_positive());
}

#[test]
fn overloads_have_the_names_of_their_types() {
    assert_eq!(types::total(array![1.5, 2.0].view()).unwrap(), 3.5);
    assert_eq!(types::total_f64_1d(array![1.5, 2.0].view()).unwrap(), 3.5);
    assert_eq!(types::total_i32_1d(array![i32::MAX, 1].view()).unwrap(), 2_147_483_648i64);
    let complex = array![[Complex::new(1.0, 2.0), Complex::new(3.0, -5.0)]];
    assert_eq!(types::total_c64_2d(complex.view()).unwrap(), Complex::new(4.0, -3.0));
}

#[test]
fn views_may_run_backwards() {
    let x = Array2::from_shape_fn((3, 4), |(i, j)| (4 * i + j) as i32);
    let turned = types::turned(x.view()).unwrap();
    assert!(turned.is_view());
    assert_eq!(turned.strides(), [-4, -1]);
    assert_eq!(turned, x.slice(s![..;-1, ..;-1]));
    let back = types::turned(turned.view()).unwrap();
    assert_eq!(back, x);
    assert_eq!(back.as_ptr(), x.as_ptr());
}

#[test]
fn views_may_be_of_one_row_or_of_none() {
    let x = Array2::<i32>::zeros((1, 4));
    assert_eq!(types::turned(x.view()).unwrap().shape(), [1, 4]);
    for shape in [(0, 4), (3, 0), (0, 0)] {
        let x = Array2::<i32>::zeros(shape);
        assert_eq!(types::turned(x.view()).unwrap().dim(), shape);
        assert_eq!(types::turned(x.slice(s![..;-1, ..;-1])).unwrap().dim(), shape);
    }
    let x = array![1.0, 2.0];
    assert_eq!(types::beyond(x.view()).unwrap().len(), 0);
    assert_eq!(types::beyond(x.slice(s![2..])).unwrap().len(), 0);
}

#[test]
fn strides_may_be_zero() {
    let x = array![1.0, 2.0];
    let widened = types::widened(x.view(), 3).unwrap();
    assert_eq!(widened.strides(), [0, 1]);
    assert_eq!(widened, array![[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]);
    let one = array![5];
    let wide = one.broadcast((2, 3)).unwrap();
    assert_eq!(types::turned(wide).unwrap(), Array2::from_elem((2, 3), 5));
}

#[test]
fn a_view_that_is_too_wide_for_ndarray_is_an_error() {
    let x = array![1.0, 2.0];
    let error = types::widened(x.view(), i64::MAX / 8).unwrap_err();
    assert_eq!(error.kind(), error_kind::VALUE, "{error}");
    assert!(types::widened(x.view(), -1).is_err());
}

#[test]
fn tuples_are_taken_apart() {
    let (x, y) = (array![1.0, 3.0], array![5.0]);
    let (a, b) = types::halves(x.view(), y.view(), 0.5).unwrap();
    assert_eq!((a, b), (array![0.5, 1.5], array![2.5]));
}

#[test]
fn fixed_extents_are_checked() {
    let pixels = Array2::<u8>::from_elem((2, 3), 4);
    assert_eq!(types::rgb(pixels.view()).unwrap(), array![4, 4]);
    let error = types::rgb(Array2::<u8>::zeros((2, 4)).view()).unwrap_err();
    assert_eq!(error.kind(), error_kind::TYPE);
    assert!(error.to_string().starts_with("`pixels` must be `uint8[:, 3]`, found shape [2, 4]"), "{error}");
    let flat = DeviceArray::from_slice(Device::Cpu, &[3], &[1u8, 2, 3]).unwrap();
    assert!(types::rgb_on_device(&flat).unwrap_err().to_string().contains("found shape [3]"));
}

#[test]
fn memory_orders_are_checked() {
    let x = Array2::<f64>::zeros((2, 3).f());
    assert_eq!(types::columns(x.view()).unwrap(), Array2::ones((2, 3)));
    let error = types::columns(Array2::zeros((2, 3)).view()).unwrap_err();
    assert!(error.to_string().contains("`float64[:, :] order(F)`"), "{error}");
    assert!(types::columns(Array2::zeros((1, 1)).view()).is_ok());
    assert!(types::columns(Array2::zeros((0, 3)).view()).is_ok());
    let one_column: ArrayView2<'_, f64> = x.slice(s![.., ..1]);
    assert!(types::columns(one_column).is_ok());
}

#[test]
fn ranks_that_no_type_says_are_checked() {
    let x = ArrayD::<f32>::ones(IxDyn(&[1, 2, 1, 2, 1, 2, 1]));
    assert_eq!(types::deep(x.view()).unwrap(), -x);
    assert!(types::deep(ArrayD::ones(IxDyn(&[1; 6])).view()).is_err());
    assert!(types::deep(ArrayD::ones(IxDyn(&[1; 20])).view()).is_err());
}

#[test]
fn a_written_argument_that_comes_back_is_a_view_of_it() {
    let (mut x, y) = (array![1, 2], array![10, 20]);
    let place = x.as_ptr();
    let sum = types::both(x.view_mut(), y.view()).unwrap();
    assert!(sum.is_view());
    assert_eq!(sum.as_ptr(), place);
    drop(sum);
    assert_eq!(x, array![11, 22]);
    types::nothing(x.view_mut(), -1).unwrap();
    assert_eq!(x, array![11, 0]);
    assert_eq!(types::nothing(x.view_mut(), 2).unwrap_err().kind(), error_kind::INDEX);
}

#[test]
fn a_written_array_of_the_runtime_comes_back_as_a_view_that_borrows_it() {
    let mut x = DeviceArray::from_slice(Device::Cpu, &[3], &[1i64, 2, 3]).unwrap();
    let y = x.copy().unwrap();
    let sum = types::both_on_device(&mut x, &y).unwrap();
    assert!(sum.is_view());
    assert_eq!(sum.to_vec().unwrap(), [2, 4, 6]);
    assert_eq!(x.to_vec().unwrap(), [2, 4, 6]);
}

#[test]
fn functions_without_arguments_give_arrays_that_outlive_everything() {
    fn made() -> Array1<i64> {
        types::count().unwrap()
    }
    assert_eq!(made(), array![0, 1, 2, 3]);
}

#[test]
fn results_that_share_memory_are_arrays_of_their_own() {
    let x = array![1.0, 2.0, 3.0];
    let (mut y, rest) = types::twice(x.view()).unwrap();
    y.fill(0.0);
    assert_eq!(rest, array![4.0, 6.0]);
    let x = DeviceArray::from_slice(Device::Cpu, &[3], &[1.0, 2.0, 3.0]).unwrap();
    let (y, rest) = types::twice_on_device(&x).unwrap();
    assert_ne!(y.data().wrapping_add(8), rest.data());
    assert_eq!((y.to_vec().unwrap(), rest.to_vec().unwrap()), (vec![2.0, 4.0, 6.0], vec![4.0, 6.0]));
}

#[test]
fn fresh_results_have_the_strides_that_they_were_made_with() {
    let x = Array2::from_shape_fn((2, 3), |(i, j)| (3 * i + j) as f64);
    let (turned, back) = types::backwards(x.view()).unwrap();
    assert_eq!(turned, x.t().mapv(|x| x + 1.0));
    assert_eq!(back, x.slice(s![..;-1, ..]).mapv(|x| x + 1.0));
}

#[test]
fn results_of_several_types_come_back_together() {
    let (double, large, short) = types::ranked(array![0.5, 2.0].view()).unwrap();
    assert_eq!((double, large, short), (array![1.0, 4.0], array![false, true], array![0.5f32, 2.0]));
}

#[test]
fn a_result_borrows_only_the_arguments_that_it_may_show() {
    let x = array![1.0, 2.0];
    let y = array![5.0];
    let found = types::chosen(x.view(), y.view(), true).unwrap();
    drop(y);
    assert!(found.is_view());
    assert_eq!(found, array![2.0]);
    let y = array![5.0];
    assert!(!types::chosen(x.view(), y.view(), false).unwrap().is_view());
}
