//! Calls: what is called, with what, and how its body is inlined or called.

pub mod arguments;
pub mod bindings;
pub mod bodies;
pub mod builtins;
pub mod call_expression;
pub mod callables;
pub mod closures;
pub mod further_calls;
pub mod of_library;
pub mod recursion;
pub mod routines;
