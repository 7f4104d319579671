//! Hypergeometric draws: HRUA of Stadlober, *The Ratio of Uniforms Approach for Generating Discrete Random Variates*, 1990, for large samples, else by
//! drawing one after the other.

use super::factorials::{log_factorial, log_gamma};
use super::{Random, int_of};

/// 2 * sqrt(2 / e)
const D1: f64 = 1.715_527_769_921_413_5;
/// 3 - 2 * sqrt(3 / e)
const D2: f64 = 0.898_916_162_058_898_8;

impl Random {
    /// `hypergeometric(good, bad, sample)`
    pub fn hypergeometric(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        if self.is_legacy() {
            return match sample {
                11.. => self.ratio_of_uniforms(good, bad, sample),
                1.. => self.legacy_one_by_one(good, bad, sample),
                _ => 0,
            };
        }
        if sample >= 10 && sample <= good + bad - 10 {
            self.ratio_of_uniforms(good, bad, sample)
        } else {
            self.one_by_one(good, bad, sample)
        }
    }

    fn one_by_one(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        let total = good + bad;
        let is_most = sample > total / 2;
        let mut left = if is_most { total - sample } else { sample };
        let (mut all, mut of_good) = (total, good);
        while left > 0 && of_good > 0 && all > of_good {
            all -= 1;
            if (self.bits.interval(all as u64) as i64) < of_good {
                of_good -= 1;
            }
            left -= 1;
        }
        if all == of_good {
            of_good -= left;
        }
        if is_most { of_good } else { good - of_good }
    }

    fn legacy_one_by_one(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        let rest = bad + good - sample;
        let smaller = bad.min(good) as f64;
        let mut y = smaller;
        let mut left = sample;
        while y > 0.0 {
            let u = self.bits.next_f64();
            y -= int_of((u + y / (rest + left) as f64).floor()) as f64;
            left -= 1;
            if left == 0 {
                break;
            }
        }
        let drawn = int_of(smaller - y);
        if good > bad { sample - drawn } else { drawn }
    }

    fn ratio_of_uniforms(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        let (smaller, larger, all) = (good.min(bad), good.max(bad), good + bad);
        let computed = sample.min(all - sample);
        let log = |k: i64, is_legacy: bool| if is_legacy { log_gamma((k + 1) as f64) } else { log_factorial(k) };
        let is_legacy = self.is_legacy();
        let logs = |k: i64| {
            log(k, is_legacy)
                + log(smaller - k, is_legacy)
                + log(computed - k, is_legacy)
                + log(larger - computed + k, is_legacy)
        };
        let p = smaller as f64 / all as f64;
        let q = if is_legacy { 1.0 - p } else { larger as f64 / all as f64 };
        let centre = computed as f64 * p + 0.5;
        // The classes differ in which of both sample sizes stands in the variance.
        let size = if is_legacy { sample } else { computed };
        let variance = (all - computed) as f64 * size as f64 * p * q / (all - 1) as f64;
        let deviation = (variance + 0.5).sqrt();
        let width = D1 * deviation + D2;
        let mode = int_of(((computed + 1) as f64 * (smaller + 1) as f64 / (all + 2) as f64).floor());
        let at_mode = logs(mode);
        // Beyond 16 deviations there is nothing that doubles could tell.
        let bound = (computed.min(smaller) as f64 + 1.0).min((centre + 16.0 * deviation).floor());
        let mut drawn = loop {
            let u = self.bits.next_f64();
            let v = self.bits.next_f64();
            let x = centre + width * (v - 0.5) / u;
            if x < 0.0 || x >= bound {
                continue;
            }
            let count = int_of(x.floor());
            let t = at_mode - logs(count);
            if u * (4.0 - u) - 3.0 <= t {
                break count;
            }
            if u * (u - t) >= 1.0 {
                continue;
            }
            if 2.0 * u.ln() <= t {
                break count;
            }
        };
        if good > bad {
            drawn = computed - drawn;
        }
        if computed < sample { good - drawn } else { drawn }
    }
}
