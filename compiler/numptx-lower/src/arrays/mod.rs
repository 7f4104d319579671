//! What an array is beside its elements: its memory and its shape; and what becomes an array.

pub mod grids;
pub mod memory;
pub mod nditer;
pub mod ranges;
pub mod reshaping;
