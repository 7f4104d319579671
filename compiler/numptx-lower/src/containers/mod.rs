//! Lists, dictionaries, sets and strings of run time: operations on objects of the host ([`numptx_ir::object`]).
//!
//! What of Python has a static form stays static: tuples, displays that nobody changes, lists that a counted loop fills. What changes, grows or is
//! handed in is a container. Which display makes one: `wanted.rs`; of what members it is: `types.rs`; how a member is held: `elements.rs`.

mod boundary;
mod builtins;
mod collections;
mod combined;
mod dictionaries;
mod elements;
mod iteration;
mod lists;
mod methods;
mod operators;
mod text;
mod types;
mod wanted;

pub(crate) use collections::class_named;
pub(crate) use combined::combining;
pub(crate) use elements::Container;
pub(crate) use iteration::{Gives, Walk};
pub(crate) use methods::is_method;
pub(crate) use text::is_text_method;
pub(crate) use types::{Containers, Mark, Member, Sort, TypeId};
