//! Loops in a form that analyses read: one index where there were digits of it, one range where there were cases.

pub mod chosen;
pub mod clamped;
pub mod counters;
pub mod digits;
pub mod distribute;
pub mod distribute_loops;
pub mod exchanged;
pub mod flattened;
pub mod handed_on;
pub mod known_elements;
pub mod last_values;
pub mod polynomials;
pub mod radices;
pub mod rematerialise_views;
pub mod split_ranges;
pub mod triangles;
pub mod wrapped;
