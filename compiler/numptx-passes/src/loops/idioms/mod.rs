//! Loops that are one operation: reductions, scans, searches, histograms.

pub mod backwards;
pub mod batched;
pub mod chunk_counts;
pub mod compared;
pub mod hindering;
pub mod histograms;
pub mod owners;
pub mod positions;
pub mod recurrences;
pub mod reductions;
pub mod scans;
pub mod searches;
pub mod streams;
pub mod totals;
pub mod updates;
