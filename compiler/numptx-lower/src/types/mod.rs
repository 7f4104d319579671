//! Types as values of the program: tests of them, promotion, and the limits of dtypes.

pub mod dtype_functions;
pub mod limits;
pub mod tests;
