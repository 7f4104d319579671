//! What is known of a function as it stands. Changes nothing.

pub mod ages;
pub mod apart;
pub mod choices;
pub mod compactions;
pub mod constants;
pub mod footprint;
pub mod memory;
pub mod points_to;
pub mod ranges;
pub mod readers;
pub mod roots;
pub mod short_loops;
pub mod traverse;
pub mod truths;
pub mod types;
pub mod upper_bounds;
pub mod work;
