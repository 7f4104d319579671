//! A loop as a program of scalars: its iterations, its accesses, and what the dependence analysis is asked about.

pub mod accesses;
pub mod affine_ops;
pub mod arithmetic;
pub mod computations;
pub mod conditions;
pub mod control;
pub mod elements;
pub mod extremes;
pub mod faults;
pub mod indexed;
pub mod iterations;
pub mod opened;
pub mod program;
pub mod requirements;
pub mod rows;
pub mod scope;
pub mod slices;
pub mod translate;
pub mod translator;
pub mod views;
