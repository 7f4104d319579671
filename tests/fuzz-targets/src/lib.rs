//! What targets share: numbers that are odd at times, and memory of exactly the size that arrays reach.

pub mod memory;
pub mod odd;
