//! Fourier transforms of rows.
//!
//! In: rows by any strides, many of one length. Out: their transforms, not scaled, which may take the rows' own place. Rows are gathered into a buffer, some
//! at a time, where their elements are not side by side; what is buffered stays in the cache.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use numptx_abi::{Rows, Status, Transform, dtype, error_kind, routine};
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

use crate::plans::Plans;
use crate::rows::{Gathered, RowsOf};

/// Bytes of rows that are buffered at once, where a row is not more.
const CHUNK_BYTES: usize = 1 << 17;

/// A real type of which there are plans.
trait Real: FftNum + Default {
    /// Plans of complex transforms.
    fn plans() -> &'static Plans<dyn Fft<Self>>;
    /// Plans of transforms of real rows.
    fn real_plans() -> &'static Plans<dyn RealToComplex<Self>>;
    /// Plans of their inverses.
    fn inverse_plans() -> &'static Plans<dyn ComplexToReal<Self>>;
}

macro_rules! real {
    ($type: ty) => {
        impl Real for $type {
            fn plans() -> &'static Plans<dyn Fft<Self>> {
                static PLANS: Plans<dyn Fft<$type>> = Plans::new();
                &PLANS
            }

            fn real_plans() -> &'static Plans<dyn RealToComplex<Self>> {
                static PLANS: Plans<dyn RealToComplex<$type>> = Plans::new();
                &PLANS
            }

            fn inverse_plans() -> &'static Plans<dyn ComplexToReal<Self>> {
                static PLANS: Plans<dyn ComplexToReal<$type>> = Plans::new();
                &PLANS
            }
        }
    };
}

real!(f32);
real!(f64);

/// [`numptx_abi::MathTable::transform`].
///
/// # Safety
/// As the table says: the rows are as they are described, and nobody else uses them meanwhile.
pub(crate) unsafe extern "C" fn transform(transform: *const Transform) -> i32 {
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as the caller promises.
        let transform = unsafe { &*transform };
        // SAFETY: as the caller promises, for the dtype.
        unsafe {
            match transform.dtype {
                dtype::COMPLEX64 => of::<f32>(transform),
                dtype::COMPLEX128 => of::<f64>(transform),
                _ => Err(error_kind::RUNTIME),
            }
        }
    }));
    done.unwrap_or(Err(error_kind::RUNTIME)).err().unwrap_or(error_kind::OK)
}

/// # Safety
/// As of [`transform`], and elements are of this type, or complex ones of it.
unsafe fn of<R: Real>(asked: &Transform) -> Result<(), Status> {
    if asked.length <= 0 {
        return Err(error_kind::RUNTIME);
    }
    let (length, count) = (asked.length as usize, asked.count.max(0) as usize);
    if count == 0 {
        return Ok(());
    }
    // SAFETY: as the caller promises.
    unsafe {
        match asked.routine {
            routine::FFT => complex::<R>(length, count, asked),
            routine::RFFT => real::<R>(length, count, &asked.input, &asked.output),
            routine::IRFFT => inverse_real::<R>(length, count, &asked.input, &asked.output),
            _ => Err(error_kind::RUNTIME),
        }
    }
}

/// # Safety
/// As of [`of`].
unsafe fn complex<R: Real>(length: usize, count: usize, asked: &Transform) -> Result<(), Status> {
    let inverse = asked.flags & routine::INVERSE != 0;
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let plan: Arc<dyn Fft<R>> = R::plans().get(length, inverse, || FftPlanner::<R>::new().plan_fft(length, direction));
    // SAFETY: as the caller promises.
    let (input, output) =
        unsafe { (RowsOf::<Complex<R>>::of(&asked.input, length), RowsOf::<Complex<R>>::of(&asked.output, length)) };
    let in_place = asked.input.first == asked.output.first;
    let mut work = buffer(plan.get_inplace_scratch_len().max(plan.get_immutable_scratch_len()))?;
    if output.is_contiguous() {
        for row in 0..count {
            // SAFETY: the row exists, and nobody else uses it.
            let target = unsafe { output.row_mut(row) };
            if in_place {
                plan.process_with_scratch(target, &mut work);
            } else if input.is_contiguous() {
                // SAFETY: the row exists, apart from the output.
                plan.process_immutable_with_scratch(unsafe { input.row(row) }, target, &mut work);
            } else {
                break;
            }
        }
        if in_place || input.is_contiguous() {
            return Ok(());
        }
    }
    let mut rows = Gathered::<Complex<R>>::new(length, chunk::<Complex<R>>(length, count))?;
    for (from, some) in chunks(count, rows.capacity()) {
        // SAFETY: these rows exist; what they become is written after all of them are read.
        unsafe { rows.gather(&input, from, some) };
        plan.process_with_scratch(rows.filled(), &mut work);
        // SAFETY: as above.
        unsafe { rows.scatter(&output, from, some) };
    }
    Ok(())
}

/// # Safety
/// As of [`of`].
unsafe fn real<R: Real>(length: usize, count: usize, input: &Rows, output: &Rows) -> Result<(), Status> {
    let half = length / 2 + 1;
    let plan = R::real_plans().get(length, false, || RealFftPlanner::<R>::new().plan_fft_forward(length));
    // SAFETY: as the caller promises.
    let (input, output) = unsafe { (RowsOf::<R>::of(input, length), RowsOf::<Complex<R>>::of(output, half)) };
    let capacity = chunk::<R>(length, count);
    let mut rows = Gathered::<R>::new(length, capacity)?;
    let mut results = Gathered::<Complex<R>>::new(half, if output.is_contiguous() { 0 } else { capacity })?;
    let mut work = buffer(plan.get_scratch_len())?;
    for (from, some) in chunks(count, capacity) {
        // SAFETY: these rows exist.
        unsafe { rows.gather(&input, from, some) };
        results.take(some);
        for at in 0..some {
            // SAFETY: the row exists, and nobody else uses it.
            let target = if output.is_contiguous() { unsafe { output.row_mut(from + at) } } else { results.at(at) };
            plan.process_with_scratch(rows.at(at), target, &mut work).map_err(|_| error_kind::RUNTIME)?;
        }
        if !output.is_contiguous() {
            // SAFETY: as above.
            unsafe { results.scatter(&output, from, some) };
        }
    }
    Ok(())
}

/// # Safety
/// As of [`of`].
unsafe fn inverse_real<R: Real>(length: usize, count: usize, input: &Rows, output: &Rows) -> Result<(), Status> {
    let half = length / 2 + 1;
    let plan = R::inverse_plans().get(length, true, || RealFftPlanner::<R>::new().plan_fft_inverse(length));
    // SAFETY: as the caller promises.
    let (input, output) = unsafe { (RowsOf::<Complex<R>>::of(input, half), RowsOf::<R>::of(output, length)) };
    let capacity = chunk::<R>(length, count);
    let mut rows = Gathered::<Complex<R>>::new(half, capacity)?;
    let mut results = Gathered::<R>::new(length, if output.is_contiguous() { 0 } else { capacity })?;
    let mut work = buffer(plan.get_scratch_len())?;
    for (from, some) in chunks(count, capacity) {
        // SAFETY: these rows exist.
        unsafe { rows.gather(&input, from, some) };
        results.take(some);
        for at in 0..some {
            let row = rows.at(at);
            // What is not read.
            row[0].im = R::zero();
            if length.is_multiple_of(2) {
                row[half - 1].im = R::zero();
            }
            // SAFETY: the row exists, and nobody else uses it.
            let target = if output.is_contiguous() { unsafe { output.row_mut(from + at) } } else { results.at(at) };
            plan.process_with_scratch(row, target, &mut work).map_err(|_| error_kind::RUNTIME)?;
        }
        if !output.is_contiguous() {
            // SAFETY: as above.
            unsafe { results.scatter(&output, from, some) };
        }
    }
    Ok(())
}

/// Rows at a time.
fn chunk<T>(length: usize, count: usize) -> usize {
    (CHUNK_BYTES / size_of::<T>() / length).clamp(1, count)
}

/// The first row of each chunk, and how many it has.
fn chunks(count: usize, capacity: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).step_by(capacity).map(move |from| (from, capacity.min(count - from)))
}

fn buffer<T: Clone + Default>(length: usize) -> Result<Vec<T>, Status> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(length).map_err(|_| error_kind::MEMORY)?;
    buffer.resize(length, T::default());
    Ok(buffer)
}
