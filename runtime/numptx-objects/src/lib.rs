//! Lists, dictionaries, sets and strings as compiled code has them at run time.
//!
//! The runtime and the compiler's reference interpreter both carry operations out with [`run`], each with references of its own kind: what is here
//! is generic over them ([`Reference`]). An element is flattened to leaves (see [`numptx_abi::object`]); an [`Object`] holds the words and references
//! of all its elements side by side, and none of them in a box of its own. Operations fail with what CPython raises ([`Failure`]), and where memory
//! runs out; where operands are not what the table of operations says the failure names a bug, and nothing panics.
//!
//! What differs from CPython:
//!
//! - Elements have no identity: nan is equal to no nan, also where Python finds the same object in a list, a set or a dictionary, and `nan` is a new key
//!   each time. An object is equal to itself, whatever it holds.
//! - The hash of nan is 0, and that of strings the same in all processes. `None` hashes as from CPython 3.12 on.
//! - Arrays in lists are equal to themselves only; all others are ambiguous, also those of one element.
//! - Scalars of NumPy's are compared by value: `np.float32(0.1) == 0.1` is false. They are formatted as Python's, as NumPy does it.
//! - There are no surrogates: `chr(0xd800)` is a `ValueError`.
//! - Ints have 64 bits; `int` of a text that has more is an `OverflowError`.
//! - Upper, lower and title case are of the Unicode that the standard library has, all other properties of characters of Unicode 15.0, as in CPython
//!   3.12: of its characters U+019B, U+0264, U+A7D3 and U+A7D5 have an upper case here, and U+0295 is no lower case.
//! - `%` takes one conversion, without `*` and names; the type `n` of `format` knows no locale.

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
pub use run::{Draws, draw_array, run};
pub use set::Set;
pub use text::Text;
