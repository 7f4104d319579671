//! Passes over the host program: what it moves, where it waits, which buffers it takes, and what it owns.

pub mod elide_ownership;
pub mod hoist_allocations;
pub mod insert_ownership;
pub mod join_moves;
pub mod join_stores;
pub mod join_waits;
pub mod reuse_buffers;
pub mod rotate_buffers;
pub mod rules;
pub mod variants;
