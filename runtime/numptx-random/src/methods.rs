//! The table of methods that draw one number for each element of their result.
//!
//! Arguments and results are words of 64 bits: the bits of a `float64` or an `int64`, and those of a `float32` below.

use crate::checks::Constraint;
use crate::draws::{Random, Style};

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `float64`
    Double,
    /// `float32`
    Single,
    /// `int64`
    Int,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in messages; empty where it is in none.
    pub name: &'static str,
    /// What it is.
    pub number: Number,
    /// What `Generator` demands of it.
    pub demands: Constraint,
    /// What `RandomState` demands of it.
    pub legacy_demands: Constraint,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// NumPy's name; `_f32` ends those of float32, `_inv` those of `method="inv"`.
    pub name: &'static str,
    /// Its parameters but `size`, `dtype`, `method` and `out`.
    pub parameters: &'static [Parameter],
    /// What is drawn.
    pub result: Number,
    /// Whether `Generator` has it.
    pub is_new: bool,
    /// Whether `RandomState` has it.
    pub is_legacy: bool,
    /// One draw. What is demanded of arguments holds.
    pub draw: fn(&mut Random, [u64; 3]) -> u64,
}

impl Method {
    /// Whether a class has it.
    pub fn is_of(&self, style: Style) -> bool {
        match style {
            Style::Generator => self.is_new,
            Style::Legacy => self.is_legacy,
        }
    }

    /// Whether each draw takes as many bits as the last one, and computes little: where the generator jumps ahead, a device draws all at once.
    pub fn is_for_devices(&self) -> bool {
        matches!(self.name, "random" | "random_f32" | "uniform" | "raw")
    }
}

/// The number of a method.
pub fn method_named(name: &str) -> Option<usize> {
    METHODS.iter().position(|method| method.name == name)
}

trait Word {
    fn word(self) -> u64;
}

impl Word for f64 {
    fn word(self) -> u64 {
        self.to_bits()
    }
}

impl Word for f32 {
    fn word(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Word for i64 {
    fn word(self) -> u64 {
        self as u64
    }
}

macro_rules! argument {
    (Double $word:expr) => {
        f64::from_bits($word)
    };
    (Single $word:expr) => {
        f32::from_bits($word as u32)
    };
    (Int $word:expr) => {
        $word as i64
    };
}

macro_rules! methods {
    ($($name:literal $class:ident ($($parameter:literal $text:literal $number:ident $demands:ident $legacy:ident),*) $result:ident $draw:ident;)*) => {
        /// All methods; their places are their numbers in compiled programs.
        pub static METHODS: &[Method] = &[$(Method {
            name: $name,
            parameters: &[$(Parameter {
                name: $text,
                number: Number::$number,
                demands: Constraint::$demands,
                legacy_demands: Constraint::$legacy,
            }),*],
            result: Number::$result,
            is_new: matches!(Class::$class, Class::Both | Class::New),
            is_legacy: matches!(Class::$class, Class::Both | Class::Old),
            draw: {
                fn draw(random: &mut Random, words: [u64; 3]) -> u64 {
                    let _ = words;
                    random.$draw($(argument!($number words[$parameter])),*).word()
                }
                draw
            },
        }),*];
    };
}

#[allow(dead_code)]
enum Class {
    Both,
    New,
    Old,
}

methods! {
    "random" Both () Double next_f64;
    "random_f32" New () Single next_f32;
    "standard_normal" Both () Double standard_normal;
    "standard_normal_f32" New () Single standard_normal_f32;
    "standard_exponential" Both () Double standard_exponential;
    "standard_exponential_f32" New () Single standard_exponential_f32;
    "standard_exponential_inv" New () Double inverse_exponential;
    "standard_exponential_inv_f32" New () Single inverse_exponential_f32;
    "standard_cauchy" Both () Double standard_cauchy;
    "tomaxint" Old () Int positive_int;
    "raw" New () Int raw_int;
    "standard_gamma" Both (0 "shape" Double NonNegative NonNegative) Double standard_gamma;
    "standard_gamma_f32" New (0 "shape" Single NonNegative NonNegative) Single standard_gamma_f32;
    "uniform" Both (0 "" Double Nothing Nothing, 1 "high - low" Double NonNegative Nothing) Double uniform;
    "exponential" Both (0 "scale" Double NonNegative NonNegative) Double exponential;
    "normal" Both (0 "" Double Nothing Nothing, 1 "scale" Double NonNegative NonNegative) Double normal;
    "lognormal" Both (0 "mean" Double Nothing Nothing, 1 "sigma" Double NonNegative NonNegative) Double lognormal;
    "laplace" Both (0 "loc" Double Nothing Nothing, 1 "scale" Double NonNegative NonNegative) Double laplace;
    "gumbel" Both (0 "loc" Double Nothing Nothing, 1 "scale" Double NonNegative NonNegative) Double gumbel;
    "logistic" Both (0 "loc" Double Nothing Nothing, 1 "scale" Double NonNegative NonNegative) Double logistic;
    "rayleigh" Both (0 "scale" Double NonNegative NonNegative) Double rayleigh;
    "gamma" Both (0 "shape" Double NonNegative NonNegative, 1 "scale" Double NonNegative NonNegative) Double gamma;
    "beta" Both (0 "a" Double Positive Positive, 1 "b" Double Positive Positive) Double beta;
    "chisquare" Both (0 "df" Double Positive Positive) Double chisquare;
    "noncentral_chisquare" Both (0 "df" Double Positive Positive, 1 "nonc" Double NonNegative NonNegative) Double noncentral_chisquare;
    "f" Both (0 "dfnum" Double Positive Positive, 1 "dfden" Double Positive Positive) Double f;
    "noncentral_f" Both (0 "dfnum" Double Positive Positive, 1 "dfden" Double Positive Positive, 2 "nonc" Double NonNegative NonNegative)
        Double noncentral_f;
    "standard_t" Both (0 "df" Double Positive Positive) Double standard_t;
    "vonmises" Both (0 "mu" Double Nothing Nothing, 1 "kappa" Double NonNegative NonNegative) Double vonmises;
    "pareto" Both (0 "a" Double Positive Positive) Double pareto;
    "weibull" Both (0 "a" Double NonNegative NonNegative) Double weibull;
    "power" Both (0 "a" Double Positive Positive) Double power;
    "wald" Both (0 "mean" Double Positive Positive, 1 "scale" Double Positive Positive) Double wald;
    "triangular" Both (0 "" Double Nothing Nothing, 1 "" Double Nothing Nothing, 2 "" Double Nothing Nothing) Double triangular;
    "poisson" Both (0 "lam" Double Poisson Poisson) Int poisson;
    "binomial" Both (0 "n" Int NonNegative NonNegative, 1 "p" Double Unit Unit) Int binomial;
    "negative_binomial" Both (0 "n" Double PositiveNumber Positive, 1 "p" Double UnitAboveZero Unit) Int negative_binomial;
    "geometric" Both (0 "p" Double UnitAboveZero UnitAboveZero) Int geometric;
    "zipf" Both (0 "a" Double AboveOne AboveOne) Int zipf;
    "logseries" Both (0 "p" Double UnitBelowOne UnitBelowOne) Int logseries;
    "hypergeometric" Both (0 "ngood" Int NonNegative NonNegative, 1 "nbad" Int NonNegative NonNegative, 2 "nsample" Int NonNegative FromOne)
        Int hypergeometric;
}

impl Random {
    fn next_f64(&mut self) -> f64 {
        self.bits.next_f64()
    }

    fn next_f32(&mut self) -> f32 {
        self.bits.next_f32()
    }

    fn raw_int(&mut self) -> i64 {
        self.bits.raw() as i64
    }

    fn positive_int(&mut self) -> i64 {
        (self.bits.next_u64() >> 1) as i64
    }

    fn exponential(&mut self, scale: f64) -> f64 {
        scale * self.standard_exponential()
    }

    fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
        scale * self.standard_gamma(shape)
    }
}
