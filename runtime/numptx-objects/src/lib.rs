//! Lists, dictionaries, sets and strings as compiled code has them at run time.
//!
//! The runtime and the compiler's reference interpreter both carry operations out with [`run`], each with references of its own kind: what is here
//! is generic over them ([`Reference`]). An element is flattened to leaves (see [`numptx_abi::object`]); an [`Object`] holds the words and references
//! of all its elements side by side, and none of them in a box of its own. Operations fail with what CPython raises ([`Failure`]), and where memory
//! runs out; where operands are not what the table of operations says the failure names a bug, and nothing panics.

#![forbid(unsafe_code)]

mod compare;
mod dictionary;
mod display;
mod elements;
mod failure;
mod format;
mod gathered;
mod hash;
mod layout;
mod list;
mod object;
mod output;
mod run;
mod set;
#[cfg(test)]
mod testing;
mod text;

pub use dictionary::Dict;
pub use elements::Element;
pub use failure::Failure;
pub use layout::Layout;
pub use list::List;
pub use object::{Embedding, Item, Object, Reference};
pub use run::run;
pub use set::Set;
pub use text::Text;
