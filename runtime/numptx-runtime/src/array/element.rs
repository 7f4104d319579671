//! What arrays hold, and elements as the words that pass at a call.

use numptx_abi::dtype;

use num_complex::Complex;

use super::float16::Float16;

use crate::buffer::BufferRef;

/// A type that arrays hold.
///
/// # Safety
/// The type has the size, the alignment and the representation of the dtype, and every bit pattern that compiled code writes is a value of it.
pub unsafe trait Element: Copy + 'static {
    /// A code of [`numptx_abi::dtype`].
    const DTYPE: u8;
    /// As [`numptx_abi::Value::bits`] holds it.
    fn words(self) -> [u64; 2];
    /// The reverse of [`Element::words`].
    fn from_words(words: [u64; 2]) -> Self;
}

macro_rules! elements {
    ($($ty:ty => $code:ident, $words:expr, $from:expr);* $(;)?) => {
        $(
            // SAFETY: the same representation; compiled code writes 0 or 1 to bools.
            unsafe impl Element for $ty {
                const DTYPE: u8 = dtype::$code;

                fn words(self) -> [u64; 2] {
                    let words: fn($ty) -> [u64; 2] = $words;
                    words(self)
                }

                fn from_words(words: [u64; 2]) -> $ty {
                    let from: fn([u64; 2]) -> $ty = $from;
                    from(words)
                }
            }

            const _: () = assert!(align_of::<$ty>() == alignment(dtype::$code as u32));
            const _: () = assert!(size_of::<$ty>() == dtype::ITEMSIZE[dtype::$code as usize] as usize);
        )*
    };
}

elements! {
    bool => BOOL, |x| [u64::from(x), 0], |w| w[0] != 0;
    i8 => INT8, |x| [x as i64 as u64, 0], |w| w[0] as i8;
    i16 => INT16, |x| [x as i64 as u64, 0], |w| w[0] as i16;
    i32 => INT32, |x| [x as i64 as u64, 0], |w| w[0] as i32;
    i64 => INT64, |x| [x as u64, 0], |w| w[0] as i64;
    u8 => UINT8, |x| [u64::from(x), 0], |w| w[0] as u8;
    u16 => UINT16, |x| [u64::from(x), 0], |w| w[0] as u16;
    u32 => UINT32, |x| [u64::from(x), 0], |w| w[0] as u32;
    u64 => UINT64, |x| [x, 0], |w| w[0];
    Float16 => FLOAT16, |x| [u64::from(x.to_bits()), 0], |w| Float16::from_bits(w[0] as u16);
    f32 => FLOAT32, |x| [u64::from(x.to_bits()), 0], |w| f32::from_bits(w[0] as u32);
    f64 => FLOAT64, |x| [x.to_bits(), 0], |w| f64::from_bits(w[0]);
    Complex<f32> => COMPLEX64,
        |x| [u64::from(x.re.to_bits()), u64::from(x.im.to_bits())],
        |w| Complex::new(f32::from_bits(w[0] as u32), f32::from_bits(w[1] as u32));
    Complex<f64> => COMPLEX128, |x| [x.re.to_bits(), x.im.to_bits()], |w| Complex::new(f64::from_bits(w[0]), f64::from_bits(w[1]));
}

/// What an element of a dtype is aligned to in Rust. A code that is unknown has none: 1.
pub(crate) const fn alignment(code: u32) -> usize {
    const ALIGNMENTS: [usize; 14] = [1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 4, 8, 2];
    if (code as usize) < ALIGNMENTS.len() { ALIGNMENTS[code as usize] } else { 1 }
}

/// The first `n` elements of a host buffer as a vector over the same memory; the buffer itself, if it is not one that a vector can have, or somebody
/// else refers to it.
///
/// # Safety
/// The buffer holds as many elements of `T`; bytes that nothing was written to count as written.
pub(crate) unsafe fn into_elements<T: Element>(buffer: BufferRef, n: usize) -> Result<Vec<T>, BufferRef> {
    let (first, bytes) = buffer.into_vector(align_of::<T>())?;
    if T::DTYPE == dtype::BOOL {
        // `np.empty` leaves what was there, which need not be a bool.
        // SAFETY: so many bytes are there, and nobody else's.
        unsafe { std::slice::from_raw_parts_mut(first, n) }.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    // SAFETY: memory of the global allocator with the alignment of `T` and a size that is a multiple of its, and nobody else's.
    Ok(unsafe { Vec::from_raw_parts(first.cast(), n, bytes / size_of::<T>()) })
}
