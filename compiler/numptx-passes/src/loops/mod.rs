//! Loops over elements become kernels.
//!
//! `nest` reads a loop as a scalar program with its accesses, and `dependence` tells which of its loops may run in parallel. `canonical` brings loops
//! to a form that analyses read. `idioms`, `storage` and `schedule` propose kernels, `assumptions` guards them, `emit` improves their code.
//! `form_nests` is the pass; `tile_time` and `form_triangular_solves` come after it.

pub mod assumptions;
pub mod canonical;
pub mod dependence;
pub mod emit;
pub mod facts;
pub mod form_nests;
pub mod form_triangular_solves;
pub mod function;
pub mod idioms;
pub mod nest;
pub mod programs;
pub mod schedule;
pub mod storage;
pub mod tile_time;
