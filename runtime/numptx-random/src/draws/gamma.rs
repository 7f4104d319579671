//! Gamma draws and what is made of them: beta, chi-squared, F, t.
//!
//! Gamma: Marsaglia and Tsang, *A Simple Method for Generating Gamma Variables*, 2000, and for shapes below one Ahrens and Dieter, *Computer Methods
//! for Sampling from Gamma, Beta, Poisson and Binomial Distributions*, 1974. Beta with small parameters: Jöhnk, *Erzeugung von betaverteilten und
//! gammaverteilten Zufallszahlen*, 1964.

use super::Random;

/// Parameters of beta below which draws are 0 or 1.
const TINY: f64 = 3e-103;

/// Standard gamma draws of one precision: all of a draw is computed in it.
macro_rules! standard_gamma {
    ($doc:literal, $float:ty, $name:ident, $of_small_shape:ident, $exponential:ident, $normal:ident, $uniform:ident) => {
        #[doc = $doc]
        pub fn $name(&mut self, shape: $float) -> $float {
            if shape == 1.0 {
                return self.$exponential();
            }
            if shape == 0.0 {
                return 0.0;
            }
            if shape < 1.0 {
                return self.$of_small_shape(shape);
            }
            let b = shape - 1.0 / 3.0;
            let c = 1.0 / (9.0 * b).sqrt();
            loop {
                let x = self.$normal();
                let root = 1.0 + c * x;
                if root <= 0.0 {
                    continue;
                }
                let v = root * root * root;
                let u = self.bits.$uniform();
                if u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
                    return b * v;
                }
            }
        }

        fn $of_small_shape(&mut self, shape: $float) -> $float {
            loop {
                let u = self.bits.$uniform();
                let v = self.$exponential();
                if u <= 1.0 - shape {
                    let x = u.powf(1.0 / shape);
                    if x <= v {
                        return x;
                    }
                } else {
                    let y = -((1.0 - u) / shape).ln();
                    let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                    if x <= v + y {
                        return x;
                    }
                }
            }
        }
    };
}

impl Random {
    standard_gamma!(
        "`standard_gamma(shape)`",
        f64,
        standard_gamma,
        gamma_of_small_shape,
        standard_exponential,
        standard_normal,
        next_f64
    );
    standard_gamma!(
        "`standard_gamma(shape, dtype=np.float32)`",
        f32,
        standard_gamma_f32,
        gamma_of_small_shape_f32,
        standard_exponential_f32,
        standard_normal_f32,
        next_f32
    );

    /// `beta(a, b)`
    pub fn beta(&mut self, a: f64, b: f64) -> f64 {
        if a <= 1.0 && b <= 1.0 {
            return if self.is_legacy() { self.legacy_small_beta(a, b) } else { self.small_beta(a, b) };
        }
        let first = self.standard_gamma(a);
        let second = self.standard_gamma(b);
        first / (first + second)
    }

    fn small_beta(&mut self, a: f64, b: f64) -> f64 {
        if a < TINY && b < TINY {
            let u = self.bits.next_f64();
            return if (a + b) * u < a { 1.0 } else { 0.0 };
        }
        loop {
            let u = self.bits.next_f64();
            let v = self.bits.next_f64();
            let x = u.powf(1.0 / a);
            let y = v.powf(1.0 / b);
            if x + y > 1.0 || (x + y).is_nan() || u + v <= 0.0 {
                continue;
            }
            if x > 0.0 && y > 0.0 {
                return x / (x + y);
            }
            // One of them is too small for a float, and only its logarithm is known.
            let difference = u.ln() / a - v.ln() / b;
            return if difference > 0.0 {
                (-(-difference).exp().ln_1p()).exp()
            } else {
                (difference - difference.exp().ln_1p()).exp()
            };
        }
    }

    fn legacy_small_beta(&mut self, a: f64, b: f64) -> f64 {
        loop {
            let u = self.bits.next_f64();
            let v = self.bits.next_f64();
            let x = u.powf(1.0 / a);
            let y = v.powf(1.0 / b);
            if x + y > 1.0 || (x + y).is_nan() {
                continue;
            }
            if x + y > 0.0 {
                return x / (x + y);
            }
            let (mut log_x, mut log_y) = (u.ln() / a, v.ln() / b);
            let largest = if log_x > log_y { log_x } else { log_y };
            log_x -= largest;
            log_y -= largest;
            return (log_x - (log_x.exp() + log_y.exp()).ln()).exp();
        }
    }

    /// `chisquare(df)`
    pub fn chisquare(&mut self, df: f64) -> f64 {
        2.0 * self.standard_gamma(df / 2.0)
    }

    /// `noncentral_chisquare(df, nonc)`
    pub fn noncentral_chisquare(&mut self, df: f64, nonc: f64) -> f64 {
        if nonc.is_nan() && !self.is_legacy() {
            return f64::NAN;
        }
        if nonc == 0.0 {
            return self.chisquare(df);
        }
        if 1.0 < df {
            let central = self.chisquare(df - 1.0);
            let normal = self.standard_normal() + nonc.sqrt();
            return central + normal * normal;
        }
        let more = self.poisson(nonc / 2.0);
        let drawn = self.chisquare(df + 2i64.wrapping_mul(more) as f64);
        if nonc.is_nan() { f64::NAN } else { drawn }
    }

    /// `f(dfnum, dfden)`
    pub fn f(&mut self, dfnum: f64, dfden: f64) -> f64 {
        let above = self.chisquare(dfnum) * dfden;
        let below = self.chisquare(dfden) * dfnum;
        above / below
    }

    /// `noncentral_f(dfnum, dfden, nonc)`
    pub fn noncentral_f(&mut self, dfnum: f64, dfden: f64, nonc: f64) -> f64 {
        let above = self.noncentral_chisquare(dfnum, nonc) * dfden;
        above / (self.chisquare(dfden) * dfnum)
    }

    /// `standard_t(df)`
    pub fn standard_t(&mut self, df: f64) -> f64 {
        let above = self.standard_normal();
        let below = self.standard_gamma(df / 2.0);
        (df / 2.0).sqrt() * above / below.sqrt()
    }
}
