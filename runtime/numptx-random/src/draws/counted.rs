//! Draws of counts.
//!
//! Poisson: multiplication of uniforms, and from a mean of 10 on Hörmann, *The Transformed Rejection Method for Generating Poisson Random Variables*,
//! 1993. Binomial: inversion, and where the smaller expectation is above 30 BTPE of Kachitvichyanukul and Schmeiser, *Binomial Random Variate
//! Generation*, 1988. Zipf: Devroye, *Non-Uniform Random Variate Generation*, 1986, X.6. Logarithmic series: Kemp, *Efficient Generation of
//! Logarithmically Distributed Pseudo-Random Variables*, 1981.

use super::factorials::log_gamma;
use super::{Random, Style, int_of};

/// Where a geometric draw goes over from a search to an inversion.
const SEARCHED: f64 = 0.333_333_333_333_333_3;

impl Random {
    /// `poisson(lam)`
    pub fn poisson(&mut self, lam: f64) -> i64 {
        if lam >= 10.0 {
            return self.large_poisson(lam);
        }
        if lam == 0.0 {
            return 0;
        }
        let least = (-lam).exp();
        let mut product = 1.0;
        let mut count = 0;
        loop {
            product *= self.bits.next_f64();
            if product > least {
                count += 1;
            } else {
                return count;
            }
        }
    }

    fn large_poisson(&mut self, lam: f64) -> i64 {
        let log_lam = lam.ln();
        let b = 0.931 + 2.53 * lam.sqrt();
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let inside = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = self.bits.next_f64() - 0.5;
            let v = self.bits.next_f64();
            let us = 0.5 - u.abs();
            let count = int_of(((2.0 * a / us + b) * u + lam + 0.43).floor());
            if us >= 0.07 && v <= inside {
                return count;
            }
            if count < 0 || us < 0.013 && v > us {
                continue;
            }
            let drawn = v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln();
            if drawn <= -lam + count as f64 * log_lam - log_gamma(count as f64 + 1.0) {
                return count;
            }
        }
    }

    /// `negative_binomial(n, p)`
    pub fn negative_binomial(&mut self, n: f64, p: f64) -> i64 {
        let mean = (1.0 - p) / p * self.standard_gamma(n);
        self.poisson(mean)
    }

    /// `binomial(n, p)`
    pub fn binomial(&mut self, n: i64, p: f64) -> i64 {
        self.binomial_of(self.style, n, p)
    }

    pub(super) fn binomial_of(&mut self, style: Style, n: i64, p: f64) -> i64 {
        if style == Style::Generator && (n == 0 || p == 0.0) {
            return 0;
        }
        let smaller = if p <= 0.5 { p } else { 1.0 - p };
        let drawn = if smaller * n as f64 <= 30.0 {
            self.inverted_binomial(style, n, smaller)
        } else {
            self.large_binomial(n, smaller)
        };
        if p <= 0.5 { drawn } else { n - drawn }
    }

    fn inverted_binomial(&mut self, style: Style, n: i64, p: f64) -> i64 {
        let q = 1.0 - p;
        let log_q = if style == Style::Legacy { q.ln() } else { (-p).ln_1p() };
        let first = (n as f64 * log_q).exp();
        let mean = n as f64 * p;
        let bound = mean + 10.0 * (mean * q + 1.0).sqrt();
        let bound = int_of(if (n as f64) < bound { n as f64 } else { bound });
        let mut count = 0i64;
        let mut part = first;
        let mut u = self.bits.next_f64();
        while u > part {
            count += 1;
            if count > bound {
                count = 0;
                part = first;
                u = self.bits.next_f64();
            } else {
                u -= part;
                part = ((n - count + 1) as f64 * p * part) / (count as f64 * q);
            }
        }
        count
    }

    /// BTPE, of a probability of at most one half. All four corrections are added, as in the paper and in NumPy 2.4, with its 13680.
    fn large_binomial(&mut self, n: i64, p: f64) -> i64 {
        let hat = Hat::new(n, p);
        loop {
            let u = self.bits.next_f64() * hat.right_tail;
            let v = self.bits.next_f64();
            if u <= hat.half_width {
                // The triangle is inside of the density.
                return int_of((hat.middle - hat.half_width * v + u).floor());
            }
            if let Some((count, v)) = hat.beside(u, v, n)
                && hat.is_below(count, v, n)
            {
                return count;
            }
        }
    }

    /// `geometric(p)`
    pub fn geometric(&mut self, p: f64) -> i64 {
        if p >= SEARCHED {
            return self.searched_geometric(p);
        }
        if self.is_legacy() {
            return int_of(((-self.bits.next_f64()).ln_1p() / (1.0 - p).ln()).ceil());
        }
        let trials = (-self.standard_exponential() / (-p).ln_1p()).ceil();
        if trials >= 9.223_372_036_854_776e18 { i64::MAX } else { int_of(trials) }
    }

    fn searched_geometric(&mut self, p: f64) -> i64 {
        let q = 1.0 - p;
        let (mut sum, mut part) = (p, p);
        let mut trials = 1;
        let u = self.bits.next_f64();
        while u > sum {
            part *= q;
            sum += part;
            trials += 1;
        }
        trials
    }

    /// `zipf(a)`
    pub fn zipf(&mut self, a: f64) -> i64 {
        let is_legacy = self.is_legacy();
        if a >= 1025.0 && !is_legacy {
            return 1;
        }
        let exponent = a - 1.0;
        let b = 2.0f64.powf(exponent);
        let least = (i64::MAX as f64).powf(-exponent);
        loop {
            let uniform = self.bits.next_f64();
            let u = if is_legacy { 1.0 - uniform } else { uniform * least + (1.0 - uniform) };
            let v = self.bits.next_f64();
            let x = u.powf(-1.0 / exponent).floor();
            if x > i64::MAX as f64 || x < 1.0 {
                continue;
            }
            let t = (1.0 + 1.0 / x).powf(exponent);
            if v * x * (t - 1.0) / (b - 1.0) <= t / b {
                return int_of(x);
            }
        }
    }

    /// `logseries(p)`
    pub fn logseries(&mut self, p: f64) -> i64 {
        let is_legacy = self.is_legacy();
        let r = if is_legacy { (1.0 - p).ln() } else { (-p).ln_1p() };
        loop {
            let v = self.bits.next_f64();
            if v >= p {
                return 1;
            }
            let u = self.bits.next_f64();
            let q = if is_legacy { 1.0 - (r * u).exp() } else { -(r * u).exp_m1() };
            if v <= q * q {
                let count = int_of((1.0 + v.ln() / q.ln()).floor());
                if count >= 1 && v != 0.0 {
                    return count;
                }
                continue;
            }
            return if v >= q { 1 } else { 2 };
        }
    }
}

/// What BTPE puts over the density: a triangle, two parallelograms and two exponential tails, by their areas summed up.
struct Hat {
    p: f64,
    q: f64,
    mode: i64,
    middle: f64,
    half_width: f64,
    left: f64,
    right: f64,
    slope: f64,
    left_rate: f64,
    right_rate: f64,
    parallelograms: f64,
    left_tail: f64,
    right_tail: f64,
}

impl Hat {
    fn new(n: i64, p: f64) -> Hat {
        let q = 1.0 - p;
        let n = n as f64;
        let mean = n * p + p;
        let mode = int_of(mean.floor());
        let half_width = (2.195 * (n * p * q).sqrt() - 4.6 * q).floor() + 0.5;
        let middle = mode as f64 + 0.5;
        let (left, right) = (middle - half_width, middle + half_width);
        let slope = 0.134 + 20.5 / (15.3 + mode as f64);
        let rate = |a: f64| a * (1.0 + a / 2.0);
        let left_rate = rate((mean - left) / (mean - left * p));
        let right_rate = rate((right - mean) / (right * q));
        let parallelograms = half_width * (1.0 + 2.0 * slope);
        let left_tail = parallelograms + slope / left_rate;
        let right_tail = left_tail + slope / right_rate;
        Hat {
            p,
            q,
            mode,
            middle,
            half_width,
            left,
            right,
            slope,
            left_rate,
            right_rate,
            parallelograms,
            left_tail,
            right_tail,
        }
    }

    /// The count of a place beside the triangle, and the height there; `None` where it is outside.
    fn beside(&self, u: f64, v: f64, n: i64) -> Option<(i64, f64)> {
        if u <= self.parallelograms {
            let x = self.left + (u - self.half_width) / self.slope;
            let v = v * self.slope + 1.0 - (self.mode as f64 - x + 0.5).abs() / self.half_width;
            return (v <= 1.0).then(|| (int_of(x.floor()), v));
        }
        if u <= self.left_tail {
            let count = int_of((self.left + v.ln() / self.left_rate).floor());
            return (count >= 0 && v != 0.0).then_some((count, v * (u - self.parallelograms) * self.left_rate));
        }
        let count = int_of((self.right - v.ln() / self.right_rate).floor());
        (count <= n && v != 0.0).then_some((count, v * (u - self.left_tail) * self.right_rate))
    }

    /// Whether a height is below the density.
    fn is_below(&self, count: i64, v: f64, n: i64) -> bool {
        let variance = n as f64 * self.p * self.q;
        let far = (count - self.mode).abs();
        if far <= 20 || far as f64 >= variance / 2.0 - 1.0 {
            return v <= self.ratio(count, n);
        }
        let distance = far as f64;
        let doubt =
            (distance / variance) * ((distance * (distance / 3.0 + 0.625) + 0.166_666_666_666_666_66) / variance + 0.5);
        let squeeze = far.wrapping_neg().wrapping_mul(far) as f64 / (2.0 * variance);
        let height = v.ln();
        if height < squeeze - doubt {
            return true;
        }
        height <= squeeze + doubt && height <= self.log_ratio(count, n)
    }

    /// The density at a count by that at the mode, one factor after the other.
    fn ratio(&self, count: i64, n: i64) -> f64 {
        let s = self.p / self.q;
        let a = s * (n + 1) as f64;
        let mut ratio = 1.0;
        for i in self.mode + 1..=count {
            ratio *= a / i as f64 - s;
        }
        for i in count + 1..=self.mode {
            ratio /= a / i as f64 - s;
        }
        ratio
    }

    /// Its logarithm by Stirling's series.
    fn log_ratio(&self, count: i64, n: i64) -> f64 {
        let (y, m, trials) = (count as f64, self.mode as f64, n as f64);
        let (x1, f1, z, w) = (y + 1.0, m + 1.0, trials + 1.0 - m, trials - y + 1.0);
        let rest = |x: f64| {
            let square = x * x;
            (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square) / x / 166_320.0
        };
        self.middle * (f1 / x1).ln()
            + ((n - self.mode) as f64 + 0.5) * (z / w).ln()
            + (count - self.mode) as f64 * (w * self.p / (x1 * self.q)).ln()
            + rest(f1)
            + rest(z)
            + rest(x1)
            + rest(w)
    }
}
