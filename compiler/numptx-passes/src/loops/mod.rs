//! Loops over elements as structured scalar programs: what `form-nests` makes nests of.
//!
//! In: a `for` of the placed phase whose body reads and writes single elements, and small computations over rows. Out: its program
//! ([`numptx_ir::scalar::Code`]), what it accesses, for the dependence analysis, and the checks that have to hold for it to run without them.
//! Decides nothing.

pub mod assumptions;
pub mod canonical;
pub mod dependence;
pub mod emit;
pub mod facts;
pub mod form_nests;
pub mod form_substitutions;
pub mod idioms;
pub mod nest;
pub mod schedule;
pub mod storage;
pub mod tile_time;
