//! The types of elements: `f32`, `f64` and their complex ones, with the arithmetic that routines are written in.

use faer::dyn_stack::MemStack;
use faer::traits::ext::ComplexFieldExt;
use faer::traits::{ComplexField, RealField};
use faer::{ColMut, MatMut, MatRef, c32, c64};

use crate::general;

/// A complex number of the width of an element.
pub(crate) type ComplexOf<T> = faer::complex::Complex<<T as Element>::Float>;

/// An element of a matrix.
pub(crate) trait Element: ComplexField<Real = Self::Float> + Copy {
    /// The real type of the same width.
    type Float: RealField + Copy;

    /// The type of the same kind in double precision.
    type Double: Element;

    /// The same number in double precision.
    fn double(self) -> Self::Double;

    /// The nearest complex number of this width.
    fn narrow(double: ComplexOf<Self::Double>) -> ComplexOf<Self>;

    /// Eigenvalues of a square matrix, and its eigenvectors by columns, of any length; whether it converged.
    fn eigen(
        a: MatRef<'_, Self>,
        values: ColMut<'_, ComplexOf<Self>>,
        vectors: Option<MatMut<'_, ComplexOf<Self>>>,
        stack: &mut MemStack,
    ) -> bool;

    /// A real number.
    fn of(real: Self::Float) -> Self {
        Self::from_real_impl(&real)
    }
}

macro_rules! element {
    ($type: ty, $float: ty, $eigen: path, $double: ty, |$element: ident| $to_double: expr, |$number: ident| $narrow: expr) => {
        impl Element for $type {
            type Float = $float;
            type Double = $double;

            fn double(self) -> $double {
                let $element = self;
                $to_double
            }

            fn narrow($number: c64) -> ComplexOf<Self> {
                $narrow
            }

            fn eigen(
                a: MatRef<'_, Self>,
                values: ColMut<'_, ComplexOf<Self>>,
                vectors: Option<MatMut<'_, ComplexOf<Self>>>,
                stack: &mut MemStack,
            ) -> bool {
                $eigen(a, values, vectors, stack)
            }
        }
    };
}

element!(f32, f32, general::of_real, f64, |x| f64::from(x), |z| c32::new(z.re as f32, z.im as f32));
element!(f64, f64, general::of_real, f64, |x| x, |z| z);
element!(c32, f32, general::of_complex, c64, |x| c64::new(x.re.into(), x.im.into()), |z| c32::new(
    z.re as f32,
    z.im as f32
));
element!(c64, f64, general::of_complex, c64, |x| x, |z| z);

/// `Σ conj(x) y`, in eight partial sums.
#[inline(always)]
pub(crate) fn dot<T: Element>(x: &[T], y: &[T]) -> T {
    const LANES: usize = 8;
    let n = x.len().min(y.len());
    let (x, y) = (&x[..n], &y[..n]);
    let mut sums = [T::zero(); LANES];
    let (xs, ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let mut sum = T::zero();
    for (x, y) in xs.remainder().iter().zip(ys.remainder()) {
        sum += x.conj() * *y;
    }
    for (x, y) in xs.zip(ys) {
        for lane in 0..LANES {
            sums[lane] += x[lane].conj() * y[lane];
        }
    }
    sums.iter().fold(sum, |sum, lane| sum + *lane)
}

/// `y += factor x`.
#[inline(always)]
pub(crate) fn add_multiple<T: Element>(y: &mut [T], factor: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * *x;
    }
}

/// The Euclidean norm, without overflow or underflow on the way.
#[inline(always)]
pub(crate) fn norm<T: Element>(x: &[T]) -> T::Float {
    let squares = dot(x, x).real();
    let (least, most) = (T::Float::min_positive_impl(), T::Float::max_positive_impl());
    if squares > least / T::Float::epsilon_impl() && squares <= most {
        return squares.sqrt();
    }
    if squares.is_nan() {
        return squares;
    }
    let mut largest = T::Float::zero();
    for x in x {
        let size = x.abs1();
        if size > largest {
            largest = size;
        }
    }
    if !(largest > T::Float::zero() && largest <= most) {
        return largest;
    }
    let mut squares = T::Float::zero();
    for x in x {
        let (re, im) = (x.real() / largest, x.imag() / largest);
        squares += re * re + im * im;
    }
    largest * squares.sqrt()
}
