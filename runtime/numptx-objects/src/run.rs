//! Carries an operation of the table out: what both the runtime and the interpreter call.
//!
//! A layout, as the table says, and operands go in; results are added to a vector that the caller keeps. Which operands an operation takes its row
//! says; what is not as it says ends in a failure that names a bug. Operands may be the same object: an object that is changed is never looked at
//! meanwhile, and what is read of itself is copied before.

mod dictionary;
mod list;
mod operands;
mod set;
mod text;
mod writing;

use numptx_abi::object::{self, DICT_NEW, LIST_NEW, SET_NEW, STR_CONSTANT, TO_STR};

use crate::failure::{Failure, Outcome};
use crate::object::{Embedding, Item, Reference};
use operands::Operands;

/// What an operation has at hand.
struct Context<'a, R, E> {
    code: u32,
    layout: &'a [u8],
    operands: Operands<'a, R>,
    results: &'a mut Vec<Item<R>>,
    embedding: &'a mut E,
}

/// Carries an operation out. Results are added to `results`; where it fails there may be some already, which mean nothing.
pub fn run<R: Reference, E: Embedding<R>>(
    operation: u32,
    layout: &[u8],
    operands: &[Item<R>],
    results: &mut Vec<Item<R>>,
    embedding: &mut E,
) -> Result<(), Failure> {
    let count = object::OPERATIONS.len() as u32;
    let mut context = Context { code: operation, layout, operands: Operands::new(operands), results, embedding };
    match operation {
        LIST_NEW..DICT_NEW => list::run(&mut context),
        DICT_NEW..SET_NEW => dictionary::run(&mut context),
        SET_NEW..STR_CONSTANT => set::run(&mut context),
        STR_CONSTANT..TO_STR => text::run(&mut context),
        code if code < count => writing::run(&mut context),
        _ => return Err(Failure::bug("an unknown operation")),
    }?;
    context.operands.end()
}

/// An operation of another family.
fn strange<T>() -> Outcome<T> {
    Err(Failure::bug("an unknown operation"))
}
