//! Numbers for descriptors and tensors: mostly such as are right, at times any.

use arbitrary::{Arbitrary, Result, Unstructured};

/// What is right, or at times something else.
#[derive(Clone, Copy, Debug)]
pub struct Odd<T>(Option<T>);

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for Odd<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Odd(if u8::arbitrary(u)? % 8 == 7 { Some(T::arbitrary(u)?) } else { None }))
    }
}

impl<T> Default for Odd<T> {
    fn default() -> Self {
        Odd(None)
    }
}

impl<T> Odd<T> {
    pub fn or(self, right: T) -> T {
        self.0.unwrap_or(right)
    }

    /// Something else, if it is not what is right.
    pub fn value(&self) -> Option<&T> {
        self.0.as_ref()
    }

    pub fn is_right(&self) -> bool {
        self.0.is_none()
    }
}

/// An integer of any size, small ones first.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Number {
    Extent(u8),
    Small(i8),
    Edge(u8),
    Power(bool, u8, i8),
    Any(i64),
}

impl Number {
    pub fn value(self) -> i64 {
        const EDGES: [i64; 12] = [
            0,
            1,
            -1,
            i64::MAX,
            i64::MIN,
            i64::MIN + 1,
            i64::MAX / 8,
            u32::MAX as i64,
            i32::MAX as i64,
            i32::MIN as i64,
            1 << 47,
            -(1 << 62),
        ];
        match self {
            Number::Extent(n) => i64::from(n % 6),
            Number::Small(n) => i64::from(n),
            Number::Edge(n) => EDGES[usize::from(n) % EDGES.len()],
            Number::Power(is_negative, n, more) => {
                let power = (1i64 << (n % 63)).wrapping_add(i64::from(more));
                if is_negative { power.wrapping_neg() } else { power }
            }
            Number::Any(n) => n,
        }
    }
}

/// Some of them, at most `most`.
pub fn few<'a, T: Arbitrary<'a>>(u: &mut Unstructured<'a>, most: usize) -> Result<Vec<T>> {
    let n = u.int_in_range(0..=most)?;
    (0..n).map(|_| T::arbitrary(u)).collect()
}
