//! Loops that are one operation: reductions, scans, searches, histograms.

pub mod backwards;
pub mod batched;
pub mod chunk_counts;
pub mod compared;
pub mod histograms;
pub mod owner_computes;
pub mod positions;
pub mod preventing;
pub mod recurrences;
pub mod reductions;
pub mod scans;
pub mod searches;
pub mod streams;
pub mod totals;
pub mod updates;
