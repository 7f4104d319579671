//! The syntax tree → array IR in `Phase::Source`: names, types, control flow.
//!
//! Goes in: a module of the accepted subset. Comes out: one function of the array IR for each exported overload, and reports. What
//! Python does is decided here (names, Python scalars, control flow, subscripts, assignment, calls of the file's functions, which are
//! inlined); what NumPy does is decided by the function table. Nothing is optimised, and nothing runs.
//!
//! An overload is lowered by evaluating the program symbolically: every expression gives a [`value::Value`], known when compiling or a
//! value of the IR, and every statement changes the names of the present call. Ops go to the builder's innermost open region.

mod assign;
mod attributes;
mod bindings;
mod builtins;
mod callables;
mod calls;
mod carried;
mod casts;
mod closures;
mod comprehensions;
mod containers;
mod control;
mod dtype_functions;
mod elements;
mod exceptions;
mod exports;
mod expressions;
mod facts;
mod filling;
mod flow;
mod folding;
mod forms;
mod further_calls;
mod generators;
mod grids;
mod growing;
mod imported;
mod index_loops;
mod ints;
mod iteration;
mod kept;
mod large_ints;
mod library;
mod limits;
mod liveness;
mod logic;
mod loops;
mod lowerer;
mod masks;
mod members;
mod memory;
mod messages;
mod missing;
mod names;
mod narrower;
mod nditer;
mod numbers;
mod objects;
mod one_of;
mod parameters;
mod parts;
mod random;
mod random_draws;
mod random_once;
mod random_seeds;
mod ranges;
mod reach;
mod records;
mod recursion;
mod remembered;
mod reshaping;
mod returns;
mod rounding;
mod routines;
mod scalars;
mod scope;
mod selections;
mod setitem;
mod slices;
mod statements;
mod strings;
mod structures;
mod subscripts;
mod types;
mod value;
mod warned;

use numptx_ir::array;
use numptx_source::Reports;
use numptx_syntax::ast;

/// Lowers a module under the name by which Python imports it. A function with errors is left out; [`Reports::has_errors`] tells whether
/// the program is refused. Codes 02 to 05.
pub fn lower(module: &ast::Module, module_name: &str) -> (array::Module, Reports) {
    exports::lower_exports(module, module_name)
}
