//! Lists, dictionaries, sets and strings of run time: operations on objects of the host ([`numptx_ir::object`]).
//!
//! What of Python has a static form stays static: tuples, displays that nobody changes, lists that a counted loop fills. What changes, grows or is
//! handed in is a container. Which display makes one: `wanted.rs`; of what members it is: `values/container_types.rs`; how a member is held: `elements.rs`.

pub mod boundary;
pub mod builtins;
pub mod changes;
pub mod collections;
pub mod combined;
pub mod defaults;
pub mod deques_and_counters;
pub mod dictionaries;
pub mod elements;
pub mod items;
pub mod iteration;
pub mod layouts;
pub mod listed;
pub mod lists;
pub mod method_names;
pub mod methods;
pub mod operators;
pub mod text;
pub mod wanted;
