//! Every sort of parameter and result, and every layout that `ndarray` has.

use ndarray::{Array2, ArrayD, ArrayView2, IxDyn, ShapeBuilder, array, s};
use numptx_runtime::abi::error_kind;
use numptx_runtime::{Device, DeviceArray};
use rust_build_example::types;

#[test]
fn scalars_keep_their_types_and_their_bits() {
    let found = types::negate(true, -7, 30_000, i64::MIN + 1, u64::MAX, 1.5, -0.0, [1.0, -2.0], [0.1, 0.2]).unwrap();
    assert_eq!(found, (false, 7, 60_000, i64::MAX, u64::MAX, -1.5, 0.0, [-1.0, 2.0], [-0.1, -0.2]));
    assert!(found.6.is_sign_positive());
}

#[test]
fn overloads_are_numbered() {
    assert_eq!(types::total(array![1.5, 2.0].view()).unwrap(), 3.5);
    assert_eq!(types::total_2(array![i32::MAX, 1].view()).unwrap(), 2_147_483_648i64);
    let complex = Array2::from_shape_vec((1, 2), vec![[1.0, 2.0], [3.0, -5.0]]).unwrap();
    assert_eq!(types::total_3(complex.view()).unwrap(), [4.0, -3.0]);
}

#[test]
fn views_may_run_backwards() {
    let x = Array2::from_shape_fn((3, 4), |(i, j)| (4 * i + j) as i32);
    let turned = types::turned(x.view()).unwrap();
    assert!(turned.is_view_of_argument());
    assert_eq!(turned.view().strides(), [-4, -1]);
    assert_eq!(turned.view(), x.slice(s![..;-1, ..;-1]));
    let back = types::turned(turned.view()).unwrap();
    assert_eq!(back.view(), x);
    assert_eq!(back.view().as_ptr(), x.as_ptr());
}

#[test]
fn views_may_be_of_one_row_or_of_none() {
    let x = Array2::<i32>::zeros((1, 4));
    assert_eq!(types::turned(x.view()).unwrap().view().shape(), [1, 4]);
    for shape in [(0, 4), (3, 0), (0, 0)] {
        let x = Array2::<i32>::zeros(shape);
        assert_eq!(types::turned(x.view()).unwrap().view().dim(), shape);
        assert_eq!(types::turned(x.slice(s![..;-1, ..;-1])).unwrap().to_owned().dim(), shape);
    }
    let x = array![1.0, 2.0];
    assert_eq!(types::beyond(x.view()).unwrap().view().len(), 0);
    assert_eq!(types::beyond(x.slice(s![2..])).unwrap().view().len(), 0);
}

#[test]
fn strides_may_be_zero() {
    let x = array![1.0, 2.0];
    let widened = types::widened(x.view(), 3).unwrap();
    assert_eq!(widened.view().strides(), [0, 1]);
    assert_eq!(widened.to_owned(), array![[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]);
    let one = array![5];
    let wide = one.broadcast((2, 3)).unwrap();
    assert_eq!(types::turned(wide).unwrap().to_owned(), Array2::from_elem((2, 3), 5));
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
    assert_eq!((a.to_owned(), b.to_owned()), (array![0.5, 1.5], array![2.5]));
}

#[test]
fn fixed_extents_are_checked() {
    let pixels = Array2::<u8>::from_elem((2, 3), 4);
    assert_eq!(types::rgb(pixels.view()).unwrap().to_owned(), array![4, 4]);
    let error = types::rgb(Array2::<u8>::zeros((2, 4)).view()).unwrap_err();
    assert_eq!(error.kind(), error_kind::TYPE);
    assert!(error.to_string().starts_with("`pixels` must be `uint8[:, 3]`, found shape [2, 4]"), "{error}");
    let flat = DeviceArray::from_slice(Device::Cpu, &[3], &[1u8, 2, 3]).unwrap();
    assert!(types::rgb_on_device(&flat).unwrap_err().to_string().contains("found shape [3]"));
}

#[test]
fn memory_orders_are_checked() {
    let x = Array2::<f64>::zeros((2, 3).f());
    assert_eq!(types::columns(x.view()).unwrap().to_owned(), Array2::ones((2, 3)));
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
    assert_eq!(types::deep(x.view()).unwrap().to_owned(), -x);
    assert!(types::deep(ArrayD::ones(IxDyn(&[1; 6])).view()).is_err());
    assert!(types::deep(ArrayD::ones(IxDyn(&[1; 20])).view()).is_err());
}

#[test]
fn a_written_argument_that_comes_back_is_a_view_of_it() {
    let (mut x, y) = (array![1, 2], array![10, 20]);
    let place = x.as_ptr();
    let sum = types::both(x.view_mut(), y.view()).unwrap();
    assert!(sum.is_view_of_argument());
    assert_eq!(sum.view().as_ptr(), place);
    drop(sum);
    assert_eq!(x, array![11, 22]);
    types::nothing(x.view_mut(), -1).unwrap();
    assert_eq!(x, array![11, 0]);
    assert_eq!(types::nothing(x.view_mut(), 2).unwrap_err().kind(), error_kind::INDEX);
}

#[test]
fn overlapping_arrays_of_the_runtime_act_as_in_numpy() {
    let mut x = DeviceArray::from_slice(Device::Cpu, &[3], &[1i64, 2, 3]).unwrap();
    let same = x.clone();
    types::both_on_device(&mut x, &same).unwrap();
    assert_eq!(same.to_vec().unwrap(), [2, 4, 6]);
}

#[test]
fn functions_without_arguments_give_arrays_that_outlive_everything() {
    fn made() -> types::Returned<'static, i64, ndarray::Ix1> {
        types::count().unwrap()
    }
    assert_eq!(made().to_owned(), array![0, 1, 2, 3]);
    assert_eq!(format!("{:?}", made().view().to_vec()), "[0, 1, 2, 3]");
}
