//! Fourier transforms on the mock device, by its stand-in of cuFFT: the sums that they are, in whatever steps the arrays lie.

use numptx_abi::routine::{self, INVERSE};
use numptx_runtime::Complex;

use crate::program::{alone, array_argument};
use crate::routines::run;
use crate::stacks::{C, Number};
use crate::strided::{Random, Strided};

/// Elements of an array in C order.
fn values<T: Number>(array: &Strided<T>) -> Vec<C> {
    Strided::<T>::indices(&array.shape).map(|index| array.storage[place(array, &index)].value()).collect()
}

fn place<T>(array: &Strided<T>, index: &[i64]) -> usize {
    let steps = index.iter().zip(&array.strides).map(|(i, step)| i * step).sum::<i64>();
    (array.offset + steps) as usize
}

fn filled<T: Number>(mut array: Strided<T>, values: &[C]) -> Strided<T> {
    let places: Vec<usize> = Strided::<T>::indices(&array.shape).map(|index| place(&array, &index)).collect();
    places.into_iter().zip(values).for_each(|(place, value)| array.storage[place] = T::of(*value));
    array
}

/// The sums along an axis of elements in C order.
fn along(shape: &[i64], axis: usize, is_inverse: bool, values: &[C]) -> Vec<C> {
    let (n, inner) = (shape[axis] as usize, shape[axis + 1..].iter().product::<i64>() as usize);
    let turn = (if is_inverse { 1.0 } else { -1.0 }) * std::f64::consts::TAU / n as f64;
    let sum = |at: usize| {
        let (outer, k, rest) = (at / (n * inner), at / inner % n, at % inner);
        let term = |j: usize| {
            let angle = turn * ((j * k) % n) as f64;
            values[(outer * n + j) * inner + rest] * C::new(angle.cos(), angle.sin())
        };
        (0..n).map(term).sum()
    };
    (0..values.len()).map(sum).collect()
}

fn random_values(n: i64, is_real: bool, random: &mut Random) -> Vec<C> {
    let mut part = || random.below(2001) as f64 / 1000.0 - 1.0;
    (0..n).map(|_| C::new(part(), if is_real { 0.0 } else { part() })).collect()
}

fn assert_near<T: Number>(found: &[C], wanted: &[C], what: &dyn std::fmt::Debug) {
    let size = wanted.iter().map(|x| x.norm_sqr().sqrt()).fold(1.0, f64::max);
    let is_near = |(a, b): (&C, &C)| (a - b).norm_sqr().sqrt() <= 50.0 * T::EPSILON * size;
    assert!(found.len() == wanted.len() && found.iter().zip(wanted).all(is_near), "{what:?}");
}

/// Arrays of a shape: contiguous, or in random steps.
fn laid_out<T: Number>(shape: &[i64], is_plain: bool, random: &mut Random) -> Strided<T> {
    let nothing = |_| T::of(C::new(333.0, 0.0));
    if is_plain { Strided::contiguous(shape, nothing) } else { Strided::random(shape, random, nothing) }
}

const SHAPES: [&[i64]; 9] =
    [&[8], &[1], &[7], &[5, 6], &[3, 1], &[2, 3, 4], &[4, 1, 5], &[2, 3, 2, 5], &[2, 2, 3, 4, 3]];

fn complex<T: Number>(shape: &[i64], n_axes: usize, (x_plain, y_plain): (bool, bool), random: &mut Random) {
    let count = shape.iter().product();
    for flags in [0, INVERSE] {
        let given = random_values(count, false, random);
        let mut x = filled(laid_out::<T>(shape, x_plain, random), &given);
        let mut y = laid_out::<T>(shape, y_plain, random);
        let before = x.storage.iter().map(|x| x.value()).collect::<Vec<_>>();
        let flags = flags | (n_axes as u32) << 8;
        run(routine::FFT, flags, &[array_argument(&mut y, T::CODE), array_argument(&mut x, T::CODE)]);
        let axes = shape.len() - n_axes..shape.len();
        let wanted =
            axes.fold(values(&filled(x.clone(), &given)), |sums, axis| along(shape, axis, flags & INVERSE != 0, &sums));
        assert_near::<T>(&values(&y), &wanted, &(shape, n_axes, &x.strides, &y.strides));
        assert_eq!(x.storage.iter().map(|x| x.value()).collect::<Vec<_>>(), before);
    }
}

#[test]
fn complex_transforms_of_arrays_in_any_steps() {
    let _turn = alone();
    let mut random = Random(5);
    for shape in SHAPES {
        for n_axes in 1..=shape.len().min(3) {
            complex::<Complex<f64>>(shape, n_axes, (true, true), &mut random);
            for _ in 0..8 {
                complex::<Complex<f64>>(shape, n_axes, (false, true), &mut random);
                complex::<Complex<f64>>(shape, n_axes, (false, false), &mut random);
            }
            complex::<Complex<f32>>(shape, n_axes, (true, false), &mut random);
        }
    }
}

fn half(shape: &[i64]) -> Vec<i64> {
    let mut half = shape.to_vec();
    half.last_mut().map(|last| *last = *last / 2 + 1).expect("an axis");
    half
}

fn real<R: Number>(shape: &[i64], (x_plain, y_plain): (bool, bool), random: &mut Random) {
    let half_shape = half(shape);
    let (last, rank) = (shape[shape.len() - 1] as usize, shape.len());
    let given = random_values(shape.iter().product(), true, random);
    let mut x = filled(laid_out::<R>(shape, x_plain, random), &given);
    let mut y = laid_out::<R::OfComplex>(&half_shape, y_plain, random);
    let arguments = [array_argument(&mut y, R::OfComplex::CODE), array_argument(&mut x, R::CODE)];
    run(routine::RFFT, 1 << 8, &arguments);
    let whole = along(shape, rank - 1, false, &values(&x));
    let wanted: Vec<C> = whole.chunks(last).flat_map(|row| row[..last / 2 + 1].to_vec()).collect();
    assert_near::<R>(&values(&y), &wanted, &(shape, &x.strides, &y.strides));
    // And back, of numbers some of whose imaginary parts have no meaning.
    let given = random_values(half_shape.iter().product(), false, random);
    let mut x = filled(laid_out::<R::OfComplex>(&half_shape, x_plain, random), &given);
    let mut y = laid_out::<R>(shape, y_plain, random);
    let before = values(&x);
    let arguments = [array_argument(&mut y, R::CODE), array_argument(&mut x, R::OfComplex::CODE)];
    run(routine::IRFFT, 1 << 8, &arguments);
    assert_eq!(values(&x), before, "the input is kept");
    let mirrored = |row: &[C]| -> Vec<C> {
        let at = |k: usize| match k {
            0 => C::new(row[0].re, 0.0),
            k if 2 * k == last => C::new(row[k].re, 0.0),
            k if k < row.len() => row[k],
            k => row[last - k].conj(),
        };
        (0..last).map(at).collect()
    };
    let whole: Vec<C> = before.chunks(last / 2 + 1).flat_map(mirrored).collect();
    let wanted = along(shape, rank - 1, true, &whole);
    assert_near::<R>(&values(&y), &wanted, &(shape, &x.strides, &y.strides));
}

#[test]
fn real_transforms_of_arrays_in_any_steps() {
    let _turn = alone();
    let mut random = Random(7);
    for shape in SHAPES {
        real::<f64>(shape, (true, true), &mut random);
        real::<f32>(shape, (true, true), &mut random);
        for _ in 0..8 {
            real::<f64>(shape, (false, true), &mut random);
            real::<f64>(shape, (true, false), &mut random);
            real::<f32>(shape, (false, false), &mut random);
        }
    }
}

#[test]
fn dense_arrays_are_one_call() {
    let _turn = alone();
    let mut random = Random(11);
    let shape = [3, 4, 5, 6];
    for n_axes in 1..=3 {
        let given = random_values(360, false, &mut random);
        let mut x = filled(laid_out::<Complex<f64>>(&shape, true, &mut random), &given);
        let mut y = x.clone();
        let code = Complex::<f64>::CODE;
        let arguments = [array_argument(&mut y, code), array_argument(&mut x, code)];
        assert_eq!(run(routine::FFT, n_axes << 8, &arguments).1, ["cufftExecZ2Z"]);
    }
}

#[test]
fn plans_are_kept_but_few_of_them() {
    let _turn = alone();
    let mut random = Random(13);
    // More lengths than are kept, twice: the first ones are made again, the last ones are not.
    for length in (2..30).chain(2..30).chain(20..30) {
        complex::<Complex<f64>>(&[2, length], 1, (true, true), &mut random);
    }
}
