//! Under which conditions a version of a loop is right, and how the host tests them.

pub mod assumed;
pub mod assuming;
pub mod bounds_as_written;
pub mod checked_reductions;
pub mod destinations;
pub mod emit;
pub mod equal_extents;
pub mod flat_checks;
pub mod guards;
pub mod kinds;
pub mod known_extents;
pub mod no_wrap_around;
pub mod offsets;
pub mod simplify;
pub mod versions;
