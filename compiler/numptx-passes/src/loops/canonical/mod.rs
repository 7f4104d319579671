//! Loops in a form that analyses read: one index where there were digits of it, one range where there were cases.

pub mod bounding_boxes;
pub mod carried_arrays;
pub mod carried_indices;
pub mod clamped;
pub mod counters;
pub mod digits;
pub mod distribute;
pub mod distribute_loops;
pub mod double_buffers;
pub mod each_loop;
pub mod flattened;
pub mod index_set_splitting;
pub mod known_elements;
pub mod last_values;
pub mod polynomials;
pub mod radices;
pub mod rematerialise_views;
pub mod wrapped;
