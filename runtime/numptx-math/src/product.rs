//! Products of matrices.

use std::panic::catch_unwind;

use faer::linalg::matmul::matmul;
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par, c32, c64};
use numptx_abi::{Matrix, Product, dtype, error_kind};

/// [`numptx_abi::MathTable::product`].
///
/// # Safety
/// As the table says.
pub(crate) unsafe extern "C" fn product(product: *const Product) -> i32 {
    let done = catch_unwind(|| {
        // SAFETY: as the caller promises.
        let product = unsafe { &*product };
        // SAFETY: as the caller promises, for the dtype.
        unsafe {
            match product.dtype {
                dtype::FLOAT32 => of(product, 1f32),
                dtype::FLOAT64 => of(product, 1f64),
                dtype::COMPLEX64 => of(product, c32::new(1.0, 0.0)),
                dtype::COMPLEX128 => of(product, c64::new(1.0, 0.0)),
                _ => return error_kind::RUNTIME,
            }
        }
        error_kind::OK
    });
    done.unwrap_or(error_kind::RUNTIME)
}

/// # Safety
/// The matrices' elements are of this type.
unsafe fn of<T: ComplexField>(product: &Product, one: T) {
    let side = |extent: i64| extent.cast_unsigned() as usize;
    let (rows, columns, summed) = (side(product.rows), side(product.columns), side(product.summed));
    let read = |matrix: &Matrix, rows: usize, columns: usize| {
        // SAFETY: as the caller promises.
        unsafe {
            MatRef::<T>::from_raw_parts(
                matrix.first.cast_const().cast(),
                rows,
                columns,
                matrix.row as isize,
                matrix.column as isize,
            )
        }
    };
    let (a, b) = (read(&product.a, rows, summed), read(&product.b, summed, columns));
    let c = &product.c;
    // SAFETY: as the caller promises: nobody else uses these elements meanwhile.
    let c =
        unsafe { MatMut::<T>::from_raw_parts_mut(c.first.cast(), rows, columns, c.row as isize, c.column as isize) };
    let accum = if product.adds != 0 { Accum::Add } else { Accum::Replace };
    matmul(c, accum, a, b, one, Par::Seq);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(values: &mut [f64], row: i64, column: i64) -> Matrix {
        Matrix { first: values.as_mut_ptr().cast(), row, column }
    }

    #[test]
    fn strides_of_any_sign_are_taken() {
        let (mut a, mut b, mut c) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, -1.0, 2.0, 0.5, 3.0, 0.0], [f64::NAN; 4]);
        let mut b = matrix(&mut b, -2, 1);
        b.first = b.first.wrapping_add(4 * size_of::<f64>());
        let (a, c_there) = (matrix(&mut a, 3, 1), matrix(&mut c, 1, 2));
        let asked = Product { dtype: dtype::FLOAT64, adds: 0, rows: 2, columns: 2, summed: 3, a, b, c: c_there };
        // SAFETY: the matrices are as they are described.
        assert_eq!(unsafe { product(&asked) }, error_kind::OK);
        // b = [[3, 0], [2, 0.5], [1, -1]]; c by columns.
        assert_eq!(c, [10.0, 28.0, -2.0, -3.5]);
        // SAFETY: as above.
        assert_eq!(unsafe { product(&Product { adds: 1, ..asked }) }, error_kind::OK);
        assert_eq!(c, [20.0, 56.0, -4.0, -7.0]);
    }

    #[test]
    fn a_dtype_without_products_is_refused() {
        let none = Matrix { first: std::ptr::null_mut(), row: 0, column: 0 };
        let asked = Product { dtype: dtype::INT32, adds: 0, rows: 0, columns: 0, summed: 0, a: none, b: none, c: none };
        // SAFETY: nothing is read.
        assert_eq!(unsafe { product(&asked) }, error_kind::RUNTIME);
    }
}
