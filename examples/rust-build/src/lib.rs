//! NumPy kernels in a Rust program: compiled by `build.rs`, called as typed functions.

/// The functions of `kernels.py`.
pub mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, array, s};
    use numptx_runtime::{Device, DeviceArray};

    use super::kernels;

    #[test]
    fn a_fresh_result_is_the_callers() {
        let (x, y) = (Array1::<f32>::range(0.0, 1000.0, 1.0), Array1::<f32>::ones(1000));
        let z = kernels::saxpy(2.0, x.view(), y.view()).unwrap();
        assert!(!z.is_view_of_argument());
        drop((x, y));
        assert_eq!(z.view()[999], 1999.0);
    }

    #[test]
    fn strided_and_reversed_arguments_are_taken_as_they_are() {
        let x = Array1::<f32>::range(0.0, 10.0, 1.0);
        let z = kernels::saxpy(1.0, x.slice(s![..;-2]), x.slice(s![..;2])).unwrap();
        assert_eq!(z.to_owned(), array![9.0, 9.0, 9.0, 9.0, 9.0]);
    }

    #[test]
    fn a_returned_view_shares_its_parent() {
        let field = Array2::from_shape_fn((5, 6), |(i, j)| (10 * i + j) as f64);
        let window = kernels::window(field.view(), 2, 3).unwrap();
        assert!(window.is_view_of_argument());
        assert_eq!(window.view().as_ptr(), field.slice(s![1.., 2..]).as_ptr());
        assert_eq!(window.to_owned(), field.slice(s![1..4, 2..5]));
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
    fn device_arrays_stay_where_they_are() {
        let x = DeviceArray::from_slice(Device::Cpu, &[3], &[1.0f32, 2.0, 3.0]).unwrap();
        let z = kernels::saxpy_on_device(2.0, &x, &x).unwrap();
        assert_eq!(z.device(), Device::Cpu);
        assert_eq!(z.to_vec().unwrap(), vec![3.0, 6.0, 9.0]);
    }
}
