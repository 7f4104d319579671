//! The syntax tree → array IR in `Phase::Source`: names, types, control flow.
//!
//! Goes in: a module of the accepted subset. Comes out: one function of the array IR for each exported overload, and reports. What
//! Python does is decided here (names, Python scalars, control flow, subscripts, assignment, calls of the file's functions, which are
//! inlined); what NumPy does is decided by the function table. Nothing is optimised, and nothing runs.
//!
//! An overload is lowered by evaluating the program symbolically: every expression gives a [`value::Value`], known when compiling or a
//! value of the IR, and every statement changes the names of the present call. Ops go to the builder's innermost open region.
//!
//! Folders use what stands before them here, but for methods of [`lowerer::Lowerer`], which all have: `library`, `syntax`, `values`, `lowerer`;
//! `joins`, `numbers`, `containers`, `types`, `arrays`, `indexing`, `random`, `records`; `names`, `expressions`, `calls`, `loops`, `statements`,
//! `exports`.

mod arrays;
mod calls;
mod containers;
mod exports;
mod expressions;
mod indexing;
mod joins;
mod library;
mod loops;
mod lowerer;
mod names;
mod numbers;
mod random;
mod records;
mod statements;
mod syntax;
mod types;
mod values;

use numptx_ir::array;
use numptx_source::Reports;
use numptx_syntax::ast;

/// Lowers a module under the name by which Python imports it. A function with errors is left out; [`Reports::has_errors`] tells whether
/// the program is refused. Codes 02 to 05.
pub fn lower(module: &ast::Module, module_name: &str) -> (array::Module, Reports) {
    exports::overloads::lower_exports(module, module_name)
}
