//! Where values of iterations live: privatised arrays, copies of what is overwritten, scratch memory.

pub mod anti_dependences;
pub mod cells;
pub mod chunks;
pub mod copies_of_overwritten;
pub mod copy_elision;
pub mod expanded_arrays;
pub mod privatised_arrays;
pub mod scratch;
pub mod snapshots;
