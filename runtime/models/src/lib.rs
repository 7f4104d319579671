//! Models of what the runtime's threads share: its own source, with locks and atomics that a scheduler of tests decides about.
//!
//! The tests go through the orders in which threads may take their steps; there is nothing else here.
