//! Values with named fields: records, and structured arrays.

pub mod fields;
pub mod instances;
pub mod structures;
