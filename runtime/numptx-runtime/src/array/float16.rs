//! Numbers of 16 bits in Rust, which has none of its own: their bits, and what they are worth.

use numptx_abi::half;

/// A number of NumPy's `float16`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Float16(u16);

impl Float16 {
    /// The number of these bits.
    pub const fn from_bits(bits: u16) -> Float16 {
        Float16(bits)
    }

    /// Its bits.
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The nearest one, of two the one with an even last bit; infinite from 65520 on.
    pub fn from_f64(x: f64) -> Float16 {
        Float16(half::from_f64(x))
    }

    /// What it is worth.
    pub fn to_f64(self) -> f64 {
        half::to_f64(self.0)
    }
}

impl PartialEq for Float16 {
    fn eq(&self, other: &Float16) -> bool {
        self.to_f64() == other.to_f64()
    }
}

impl PartialOrd for Float16 {
    fn partial_cmp(&self, other: &Float16) -> Option<std::cmp::Ordering> {
        self.to_f64().partial_cmp(&other.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::Float16;

    #[test]
    fn numbers_compare_by_what_they_are_worth() {
        let x = Float16::from_f64;
        assert!(x(-0.0) == x(0.0) && x(1.0) < x(1.5) && x(f64::NAN) != x(f64::NAN));
        assert_eq!(x(0.1).to_f64(), 0.0999755859375);
        assert_eq!(x(-2.0).to_bits(), 0xc000);
    }
}
