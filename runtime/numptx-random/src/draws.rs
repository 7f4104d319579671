//! Draws of one number: what `numpy.random.Generator` and `numpy.random.RandomState` make of a bit generator's words.
//!
//! Each draw takes the same words, and computes with the same operations in the same order, as NumPy 2.4 does: its bits are NumPy's, where the
//! functions of the C library are the same. Where both classes differ, [`Random::style`] chooses. Arguments are not checked here: see
//! [`crate::checks`].

mod bounded;
mod continuous;
mod counted;
mod factorials;
mod gamma;
mod hypergeometric;
mod several;
mod ziggurat;
mod ziggurat_tables;

use crate::bits::BitGenerator;
pub use bounded::{Bounded, Width};

/// Which class's draws they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `numpy.random.Generator`
    Generator,
    /// `numpy.random.RandomState`, whose draws are those of NumPy 1.16
    Legacy,
}

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    /// Where its bits come from.
    pub bits: BitGenerator,
    /// Which class's draws they are.
    pub style: Style,
    /// The second of two normal draws, which the legacy class makes at once.
    pub gauss: Option<f64>,
}

impl Random {
    /// A generator that has drawn nothing.
    pub fn new(bits: BitGenerator, style: Style) -> Random {
        Random { bits, style, gauss: None }
    }

    fn is_legacy(&self) -> bool {
        self.style == Style::Legacy
    }

    /// A standard normal draw of the class.
    #[inline]
    pub fn standard_normal(&mut self) -> f64 {
        match self.style {
            Style::Generator => ziggurat::normal(&mut self.bits),
            Style::Legacy => self.polar(),
        }
    }

    /// A standard exponential draw of the class.
    #[inline]
    pub fn standard_exponential(&mut self) -> f64 {
        match self.style {
            Style::Generator => ziggurat::exponential(&mut self.bits),
            Style::Legacy => -(1.0 - self.bits.next_f64()).ln(),
        }
    }

    /// `standard_normal(dtype=np.float32)`
    pub fn standard_normal_f32(&mut self) -> f32 {
        ziggurat::normal_f32(&mut self.bits)
    }

    /// `standard_exponential(dtype=np.float32)`
    pub fn standard_exponential_f32(&mut self) -> f32 {
        ziggurat::exponential_f32(&mut self.bits)
    }

    /// `standard_exponential(method="inv")`
    pub fn inverse_exponential(&mut self) -> f64 {
        -(-self.bits.next_f64()).ln_1p()
    }

    /// `standard_exponential(dtype=np.float32, method="inv")`
    pub fn inverse_exponential_f32(&mut self) -> f32 {
        // The logarithm is one of double precision.
        -f64::from(-self.bits.next_f32()).ln_1p() as f32
    }

    /// Two normal draws by Marsaglia's polar method, of which one is kept.
    fn polar(&mut self) -> f64 {
        if let Some(kept) = self.gauss.take() {
            return kept;
        }
        loop {
            let x = 2.0 * self.bits.next_f64() - 1.0;
            let y = 2.0 * self.bits.next_f64() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let scale = (-2.0 * square.ln() / square).sqrt();
                self.gauss = Some(scale * x);
                return scale * y;
            }
        }
    }
}

/// What a cast of C's makes of a float on x86-64: what has no int is the least one.
#[inline]
fn int_of(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) { x as i64 } else { i64::MIN }
}
