//! What the functions of `kernels.py` give.

use ndarray::{Array1, Array2, array, s};
use numptx_runtime::{Device, DeviceArray};
use rust_build_example::kernels;

#[test]
fn a_fresh_result_is_the_callers() {
    let (x, y) = (Array1::<f32>::range(0.0, 1000.0, 1.0), Array1::<f32>::ones(1000));
    let z = kernels::saxpy(2.0, x.view(), y.view()).unwrap();
    drop((x, y));
    let mut z: Array1<f32> = z;
    z[0] = 7.0;
    assert_eq!((z[0], z[999]), (7.0, 1999.0));
}

#[test]
fn strided_and_reversed_arguments_are_taken_as_they_are() {
    let x = Array1::<f32>::range(0.0, 10.0, 1.0);
    let z = kernels::saxpy(1.0, x.slice(s![..;-2]), x.slice(s![..;2])).unwrap();
    assert_eq!(z, array![9.0, 9.0, 9.0, 9.0, 9.0]);
}

#[test]
fn arguments_broadcast_as_in_numpy() {
    let (x, one) = (array![1.0f32, 2.0, 3.0], array![10.0f32]);
    assert_eq!(kernels::saxpy(2.0, x.view(), one.view()).unwrap(), array![12.0, 14.0, 16.0]);
    let error = kernels::saxpy(2.0, x.view(), array![1.0, 2.0].view()).unwrap_err();
    assert!(error.to_string().contains("broadcast"), "{error}");
}

#[test]
fn a_returned_view_shares_its_parent() {
    let field = Array2::from_shape_fn((5, 6), |(i, j)| (10 * i + j) as f64);
    let window = kernels::window(field.view(), 2, 3).unwrap();
    assert!(window.is_view());
    assert_eq!(window.as_ptr(), field.slice(s![1.., 2..]).as_ptr());
    assert_eq!(window, field.slice(s![1..4, 2..5]));
}

#[test]
fn what_is_written_is_written_in_place() {
    let mut field = array![0.0, 1.0, 3.0];
    kernels::relax(field.view_mut(), 0.5).unwrap();
    assert_eq!(field, array![0.5, 1.0, 2.0]);
}

#[test]
fn scalars_come_back_as_scalars_and_errors_as_errors() {
    let x = array![1.0, 2.0, 6.0];
    assert_eq!(kernels::statistics(x.view()).unwrap(), (3.0, 6.0));
    let empty = Array1::<f64>::zeros(0);
    assert_eq!(kernels::statistics(empty.view()).unwrap_err().to_string(), "no elements");
}

#[test]
fn arrays_of_the_runtime_stay_where_they_are() {
    let x = DeviceArray::from_slice(Device::Cpu, &[3], &[1.0f32, 2.0, 3.0]).unwrap();
    let z = kernels::saxpy_on_device(2.0, &x, &x).unwrap();
    assert_eq!(z.device(), Device::Cpu);
    assert_eq!(z.to_vec().unwrap(), vec![3.0, 6.0, 9.0]);
}

#[test]
fn a_view_of_an_array_of_the_runtime_borrows_it() {
    let elements: Vec<f64> = (0..30).map(f64::from).collect();
    let field = DeviceArray::from_slice(Device::Cpu, &[5, 6], &elements).unwrap();
    let window = kernels::window_on_device(&field, 1, 1).unwrap();
    assert!(window.is_view());
    assert_eq!(window.data(), field.data());
    assert_eq!(window.shape(), [3, 3]);
    assert_eq!(window.to_vec().unwrap()[8], 14.0);
    let own = window.into_owned().unwrap();
    drop(field);
    assert_eq!(own.to_vec().unwrap()[8], 14.0);
}

#[test]
fn an_array_of_the_runtime_is_written_in_place() {
    let mut x = DeviceArray::from_slice(Device::Cpu, &[2], &[0.0, 3.0]).unwrap();
    kernels::relax_on_device(&mut x, 0.5).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0.5, 2.0]);
}

#[test]
fn results_go_to_other_threads() {
    let x = Array1::<f32>::ones(10);
    let z = kernels::saxpy(1.0, x.view(), x.view()).unwrap();
    let sum = std::thread::spawn(move || z.sum()).join();
    assert_eq!(sum.unwrap(), 20.0);
}
