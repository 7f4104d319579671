//! Passes over kernels and over what becomes one.

pub mod compact_by_tiles;
pub mod form_kernels;
pub mod hoist_products;
pub mod products;
pub mod share_sums;
pub mod simplify_bodies;
