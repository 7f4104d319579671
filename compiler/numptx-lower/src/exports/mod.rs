//! Exports: from a signature as written to a function of the array IR.

pub mod object_numbers;
pub mod objects;
pub mod overloads;
pub mod parameters;
pub mod returns;
