//! Continuous draws by transformations of one or two simpler ones.
//!
//! Wald: Michael, Schucany and Haas, *Generating Random Variates Using Transformations with Multiple Roots*, 1976. von Mises: Best and Fisher,
//! *Efficient Simulation of the von Mises Distribution*, 1979.

use std::f64::consts::PI;

use super::Random;

impl Random {
    /// `uniform(low, low + range)`
    pub fn uniform(&mut self, low: f64, range: f64) -> f64 {
        low + range * self.bits.next_f64()
    }

    /// `normal(loc, scale)`
    pub fn normal(&mut self, loc: f64, scale: f64) -> f64 {
        loc + scale * self.standard_normal()
    }

    /// `lognormal(mean, sigma)`
    pub fn lognormal(&mut self, mean: f64, sigma: f64) -> f64 {
        self.normal(mean, sigma).exp()
    }

    /// `standard_cauchy()`
    pub fn standard_cauchy(&mut self) -> f64 {
        let above = self.standard_normal();
        above / self.standard_normal()
    }

    /// `pareto(a)`
    pub fn pareto(&mut self, a: f64) -> f64 {
        let scaled = self.standard_exponential() / a;
        if self.is_legacy() { scaled.exp() - 1.0 } else { scaled.exp_m1() }
    }

    /// `weibull(a)`
    pub fn weibull(&mut self, a: f64) -> f64 {
        if a == 0.0 {
            return 0.0;
        }
        self.standard_exponential().powf(1.0 / a)
    }

    /// `power(a)`
    pub fn power(&mut self, a: f64) -> f64 {
        let negative = -self.standard_exponential();
        let base = if self.is_legacy() { 1.0 - negative.exp() } else { -negative.exp_m1() };
        base.powf(1.0 / a)
    }

    /// `laplace(loc, scale)`
    pub fn laplace(&mut self, loc: f64, scale: f64) -> f64 {
        loop {
            let u = self.bits.next_f64();
            if u >= 0.5 {
                return loc - scale * (2.0 - u - u).ln();
            }
            if u > 0.0 {
                return loc + scale * (u + u).ln();
            }
        }
    }

    /// `gumbel(loc, scale)`
    pub fn gumbel(&mut self, loc: f64, scale: f64) -> f64 {
        loop {
            let u = 1.0 - self.bits.next_f64();
            if u < 1.0 {
                return loc - scale * (-u.ln()).ln();
            }
        }
    }

    /// `logistic(loc, scale)`
    pub fn logistic(&mut self, loc: f64, scale: f64) -> f64 {
        loop {
            let u = self.bits.next_f64();
            if u > 0.0 {
                return loc + scale * (u / (1.0 - u)).ln();
            }
        }
    }

    /// `rayleigh(scale)`
    pub fn rayleigh(&mut self, scale: f64) -> f64 {
        if self.is_legacy() {
            return scale * (-2.0 * (-self.bits.next_f64()).ln_1p()).sqrt();
        }
        scale * (2.0 * self.standard_exponential()).sqrt()
    }

    /// `wald(mean, scale)`
    pub fn wald(&mut self, mean: f64, scale: f64) -> f64 {
        let normal = self.standard_normal();
        let y = mean * normal * normal;
        let x = if self.is_legacy() {
            mean + mean / (2.0 * scale) * (y - (4.0 * scale * y + y * y).sqrt())
        } else {
            mean * (1.0 - 2.0 / (1.0 + (1.0 + 4.0 * scale / y).sqrt()))
        };
        let u = self.bits.next_f64();
        if u <= mean / (mean + x) { x } else { mean * mean / x }
    }

    /// `triangular(left, mode, right)`
    pub fn triangular(&mut self, left: f64, mode: f64, right: f64) -> f64 {
        let base = right - left;
        let left_base = mode - left;
        let u = self.bits.next_f64();
        if u <= left_base / base {
            left + (u * (left_base * base)).sqrt()
        } else {
            right - ((1.0 - u) * ((right - mode) * base)).sqrt()
        }
    }

    /// `vonmises(mu, kappa)`
    pub fn vonmises(&mut self, mu: f64, kappa: f64) -> f64 {
        if kappa.is_nan() {
            return f64::NAN;
        }
        if kappa < 1e-8 {
            return PI * (2.0 * self.bits.next_f64() - 1.0);
        }
        if kappa > 1e6 && !self.is_legacy() {
            return self.wrapped_normal(mu, kappa);
        }
        let s = if kappa < 1e-5 {
            1.0 / kappa + kappa
        } else {
            let r = 1.0 + (1.0 + 4.0 * kappa * kappa).sqrt();
            let rho = (r - (2.0 * r).sqrt()) / (2.0 * kappa);
            (1.0 + rho * rho) / (2.0 * rho)
        };
        let cosine = loop {
            let z = (PI * self.bits.next_f64()).cos();
            let w = (1.0 + s * z) / (s + z);
            let y = kappa * (s - w);
            let v = self.bits.next_f64();
            if y * (2.0 - y) - v >= 0.0 || (y / v).ln() + 1.0 - y >= 0.0 {
                break w;
            }
        };
        let u = self.bits.next_f64();
        let angle = if u < 0.5 { -cosine.acos() } else { cosine.acos() } + mu;
        let inside = (angle.abs() + PI) % (2.0 * PI) - PI;
        if angle < 0.0 { -inside } else { inside }
    }

    fn wrapped_normal(&mut self, mu: f64, kappa: f64) -> f64 {
        let mut angle = mu + (1.0 / kappa).sqrt() * self.standard_normal();
        if angle < -PI {
            angle += 2.0 * PI;
        }
        if angle > PI {
            angle -= 2.0 * PI;
        }
        angle
    }
}
