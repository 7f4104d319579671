//! Where values of iterations live: privatised arrays, copies of what is overwritten, scratch memory.

pub mod cells;
pub mod chunks;
pub mod look_ahead;
pub mod own_arrays;
pub mod reads_ahead;
pub mod rows_in_place;
pub mod scratch;
pub mod snapshots;
pub mod temporaries;
