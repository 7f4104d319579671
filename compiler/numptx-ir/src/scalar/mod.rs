//! Scalar computations: the closed set of operations, bodies made of them, and structured programs.
//!
//! A body is what a kernel computes for one element, and what a host scalar operation computes. Operations follow NumPy's
//! ufunc loops: integers wrap, division by zero gives 0 for integers and inf or nan for floats. Python's errors
//! (`ZeroDivisionError`, `OverflowError`) are explicit `check` operations around them, never part of an operation.

mod barriers;
mod body;
mod code;
mod eval;
mod footprints;
pub mod library;
mod merged;
mod op;
mod verify;

pub use body::{Body, BodyBuilder, Constant, Instr, InstrKind, Val};
pub use code::{Block, Code, CodeBuilder, Stmt, StmtKind};
pub use eval::{Accumulator, ElementOf, Tables, eval, eval_body, eval_body_with, is_canonical, run_code, zero};
pub use footprints::{Footprints, Sum, defined_in};
pub use library::{MATH_FUNCTIONS, MathFunction};
pub use op::{Reducer, ScalarOp};
pub use verify::BodyError;
