//! Elements as numbers without a sign that have their order: those are sorted.
//!
//! In: a row. Out: the row sorted, its indices, or its middle elements in place. A float's key is its bits, all of them turned over where it is negative,
//! else the sign alone; nans and zeros of both signs, which bits would order, are put back as they stood.

use super::parallel::{Room, room, sort, sort_by_bytes};
use super::rows::Row;
use crate::error::Result;
use crate::room::reserved;

/// Rows below this length are not worth counting bytes.
const BY_BYTES: usize = 256;

/// An unsigned integer.
pub(super) trait Key: Ord + Copy + Send + Sync + Default {
    /// What follows every other key; that of nans.
    const LAST: Self;
    fn wide(self) -> u64;
}

/// A real number.
pub(super) trait Real: Copy + 'static {
    type Key: Key;
    /// Of a float: the keys of -0 and 0, the next one.
    const ZEROS: Option<[Self::Key; 2]>;
    fn key(self) -> Self::Key;
    fn of(key: Self::Key) -> Self;
    fn is_nan(self) -> bool;
}

/// Which parts are nan, and the keys of both: ordered as complex numbers are.
pub(super) type Rank = (u8, u64, u64);

/// A complex number.
pub(super) trait Complex: Copy + Send + Sync + 'static {
    /// In NumPy's order: those of which no part is nan, those of which the imaginary part is, the real part, both; then by parts.
    fn rank(self) -> Rank;
}

macro_rules! keys {
    ($($ty:ty),*) => {$(
        impl Key for $ty {
            const LAST: Self = <$ty>::MAX;
            #[inline]
            fn wide(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ty => $key:ty, $sign:expr),*) => {$(
        impl Real for $ty {
            type Key = $key;
            const ZEROS: Option<[$key; 2]> = None;
            #[inline]
            fn key(self) -> $key {
                self as $key ^ $sign
            }
            #[inline]
            fn of(key: $key) -> Self {
                (key ^ $sign) as $ty
            }
            #[inline]
            fn is_nan(self) -> bool {
                false
            }
        }
    )*};
}

/// A number of 16 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Half(u16);

impl Half {
    fn to_bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Half {
        Half(bits)
    }

    fn is_nan(self) -> bool {
        self.0 & 0x7fff > 0x7c00
    }
}

macro_rules! floats {
    ($($ty:ty => $key:ty, $signed:ty),*) => {$(
        impl Real for $ty {
            type Key = $key;
            const ZEROS: Option<[$key; 2]> = Some([<$key>::MAX >> 1, (<$key>::MAX >> 1) + 1]);
            #[inline]
            fn key(self) -> $key {
                let bits = self.to_bits();
                let turned = (bits.cast_signed() >> (<$key>::BITS - 1)).cast_unsigned();
                bits ^ (turned | 1 << (<$key>::BITS - 1))
            }
            #[inline]
            fn of(key: $key) -> Self {
                let turned = !(key.cast_signed() >> (<$key>::BITS - 1)).cast_unsigned();
                <$ty>::from_bits(key ^ (turned | 1 << (<$key>::BITS - 1)))
            }
            #[inline]
            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }
        }
    )*};
}

macro_rules! complex {
    ($($ty:ty),*) => {$(
        impl Complex for [$ty; 2] {
            #[inline]
            fn rank(self) -> Rank {
                let class = 2 * u8::from(self[0].is_nan()) + u8::from(self[1].is_nan());
                (class, order_key(self[0]).wide(), order_key(self[1]).wide())
            }
        }
    )*};
}

keys!(u8, u16, u32, u64);
integers!(u8 => u8, 0, u16 => u16, 0, u32 => u32, 0, u64 => u64, 0);
integers!(i8 => u8, 1 << 7, i16 => u16, 1 << 15, i32 => u32, 1 << 31, i64 => u64, 1 << 63);
floats!(Half => u16, i16, f32 => u32, i32, f64 => u64, i64);
complex!(f32, f64);

/// A key that equal elements have in common.
#[inline]
fn order_key<E: Real>(element: E) -> E::Key {
    let key = element.key();
    match E::ZEROS {
        _ if element.is_nan() => E::Key::LAST,
        Some([minus, zero]) if key == minus => zero,
        _ => key,
    }
}

/// The keys of a row without its nans, and the nans as they stand there.
fn read_keys<E: Real>(row: Row) -> Result<(Vec<E::Key>, Vec<E>)> {
    let mut keys = room(row.length, E::Key::default())?;
    let mut n = 0;
    for i in 0..row.length {
        // SAFETY: in range; the row's elements are `E`s.
        let element: E = unsafe { row.read(i) };
        keys[n] = element.key();
        n += usize::from(!element.is_nan());
    }
    keys.truncate(n);
    let mut nans = reserved(row.length - n)?;
    if n < row.length {
        nans.extend(elements(row).filter(|e: &E| e.is_nan()));
    }
    Ok((keys, nans))
}

fn elements<E: Real>(row: Row) -> impl Iterator<Item = E> {
    // SAFETY: in range; the row's elements are `E`s.
    (0..row.length).map(move |i| unsafe { row.read(i) })
}

/// Writes keys and nans to a row.
fn write_keys<E: Real>(row: Row, keys: &[E::Key], nans: &[E]) {
    let elements = keys.iter().map(|key| E::of(*key)).chain(nans.iter().copied());
    for (i, element) in elements.enumerate() {
        // SAFETY: there are as many as elements of the row.
        unsafe { row.write(i, element) };
    }
}

/// Sorts a row.
pub(super) fn sorted<E: Real>(row: Row) -> Result<()> {
    let (mut keys, nans) = read_keys::<E>(row)?;
    sort_keys(&mut keys, row.threads)?;
    if let Some([minus, zero]) = E::ZEROS {
        let begin = keys.partition_point(|key| *key < minus);
        if keys.get(begin) == Some(&minus) {
            let zeros = elements::<E>(row).map(Real::key).filter(|key| *key == minus || *key == zero);
            // The row still is as it was.
            let places = keys[begin..].iter_mut();
            places.zip(zeros).for_each(|(place, key)| *place = key);
        }
    }
    write_keys(row, &keys, &nans);
    Ok(())
}

fn sort_keys<K: Key>(keys: &mut Vec<K>, threads: usize) -> Result<()> {
    let width = size_of::<K>() as u32;
    if width == 8 || keys.len() < BY_BYTES {
        return sort(keys, threads, Room::Never, &|keys, _| keys.sort_unstable());
    }
    sort(keys, threads, Room::Always, &|keys, spare| sort_by_bytes(keys, spare, 0..width, Key::wide))
}

/// Brings the elements to their places that stand in the middle of a sorted row: the one, or both of an even number. Nans are last.
pub(super) fn selected<E: Real>(row: Row) -> Result<()> {
    let (mut keys, nans) = read_keys::<E>(row)?;
    if nans.is_empty() {
        let (lower, ..) = keys.select_nth_unstable(row.length / 2);
        if row.length.is_multiple_of(2) {
            let last = lower.len() - 1;
            lower.select_nth_unstable(last);
        }
    }
    write_keys(row, &keys, &nans);
    Ok(())
}

/// Writes the indices that sort a row.
pub(super) fn argsorted<E: Real>(row: Row) -> Result<()> {
    let width = size_of::<E::Key>() as u32;
    let key = |(i, element): (usize, E)| (order_key(element).wide(), i as u64);
    if width == 8 || u32::try_from(row.length).is_err() {
        let mut keys = room(row.length, (0, 0))?;
        keys.iter_mut().zip(elements(row).enumerate().map(key)).for_each(|(place, key)| *place = key);
        sort(&mut keys, row.threads, Room::Never, &|keys, _| keys.sort_unstable())?;
        write_indices(row, keys.iter().map(|key| key.1));
        return Ok(());
    }
    let mut keys = room(row.length, 0)?;
    let joined = elements(row).enumerate().map(key).map(|(key, i)| key << 32 | i);
    keys.iter_mut().zip(joined).for_each(|(place, key)| *place = key);
    match row.length < BY_BYTES {
        true => keys.sort_unstable(),
        false => {
            let by_bytes = |keys: &mut [u64], spare: &mut [u64]| sort_by_bytes(keys, spare, 4..4 + width, |key| key);
            sort(&mut keys, row.threads, Room::Always, &by_bytes)?;
        }
    }
    write_indices(row, keys.iter().map(|key| key & u64::from(u32::MAX)));
    Ok(())
}

fn write_indices(row: Row, indices: impl Iterator<Item = u64>) {
    for (i, index) in indices.enumerate() {
        // SAFETY: there are as many as elements of the row.
        unsafe { row.write_index(i, index.cast_signed()) };
    }
}

/// The ranks of a row of complex numbers in order, with their indices.
fn ranks<E: Complex>(row: Row) -> Result<Vec<(Rank, u64)>> {
    let mut keys = room(row.length, ((0, 0, 0), 0))?;
    for (i, place) in keys.iter_mut().enumerate() {
        // SAFETY: in range; the row's elements are `E`s.
        let element: E = unsafe { row.read(i) };
        *place = (element.rank(), i as u64);
    }
    sort(&mut keys, row.threads, Room::Never, &|keys, _| keys.sort_unstable())?;
    Ok(keys)
}

/// Sorts a row of complex numbers.
pub(super) fn complex_sorted<E: Complex>(row: Row) -> Result<()> {
    let keys = ranks::<E>(row)?;
    let mut elements = reserved::<E>(keys.len())?;
    // SAFETY: the indices are those of the row.
    elements.extend(keys.iter().map(|key| unsafe { row.read::<E>(key.1 as usize) }));
    for (i, element) in elements.into_iter().enumerate() {
        // SAFETY: in range.
        unsafe { row.write(i, element) };
    }
    Ok(())
}

/// Writes the indices that sort a row of complex numbers.
pub(super) fn complex_argsorted<E: Complex>(row: Row) -> Result<()> {
    let keys = ranks::<E>(row)?;
    write_indices(row, keys.iter().map(|key| key.1));
    Ok(())
}
