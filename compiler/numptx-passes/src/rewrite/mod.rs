//! Rebuilding a function op by op: `function` drives, `emit` numbers values, the others bring ops into one form.

pub mod bodies;
pub mod emit;
pub mod extents;
pub mod function;
pub mod order;
pub mod scalars;
pub mod slices;
pub mod views;
