//! NumPy's random numbers, to the last bit: seed sequences, bit generators, and the draws of `Generator` and `RandomState`.
//!
//! The numbers are those of NumPy 2.4. Elementary functions are those of the C library that is linked, as NumPy's are.
//!
//! Not here: arrays, shapes and broadcasting, and `multivariate_normal`, which is linear algebra.

#![forbid(unsafe_code)]

mod bits;
mod checks;
mod draws;
mod methods;
mod ranges;
mod seed;
mod several;
mod words;

pub use bits::{BitGenerator, KINDS, Kind, Mersenne, Pcg, PcgOutput, Philox, Sfc, Source};
pub use checks::{Constraint, Of, STAGES, Wrong, check, demanded};
pub use draws::{Bounded, Random, Style, Width};
pub use methods::{METHODS, Method, Number, Parameter, method_named};
pub use ranges::{End, INTEGERS, Kind as IntegerKind, RANGE_STAGES};
pub use seed::{POOL_SIZE, SeedSequence, words_of};
pub use several::Several;
