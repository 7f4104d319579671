//! Carries an operation of the table out: what both the runtime and the interpreter call.
//!
//! A layout, as the table says, and operands go in; results are added to a vector that the caller keeps. Which operands an operation takes its row
//! says; what is not as it says ends in a failure that names a bug. Operands may be the same object: an object that is changed is never looked at
//! meanwhile, and what is read of itself is copied before.

mod dictionary;
mod list;
mod operands;
mod random;
mod set;
mod text;
mod writing;

use numptx_abi::object::{self, DICT_NEW, LIST_NEW, RANDOM_FRESH, SET_NEW, STR_CONSTANT, TO_STR};

use crate::failure::{Failure, Outcome};
use crate::object::{Embedding, Item, Reference};
use operands::Operands;
pub use random::{Draws, draw_array};

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
        TO_STR..RANDOM_FRESH => writing::run(&mut context),
        code if code < count => random::run(&mut context),
        _ => return Err(Failure::bug("an unknown operation")),
    }?;
    context.operands.end()
}

/// An operation of another family.
fn strange<T>() -> Outcome<T> {
    Err(Failure::bug("an unknown operation"))
}

#[cfg(test)]
mod tests {
    use numptx_abi::error_kind;
    use numptx_abi::object::OPERATIONS;

    use super::run;
    use crate::Item;
    use crate::testing::{Counted, Tests, array, called, made, shown, text};

    #[test]
    fn literals_come_with_the_layout() {
        let mut results: Vec<Item<Counted>> = Vec::new();
        run(super::STR_CONSTANT, "é()".as_bytes(), &[], &mut results, &mut Tests).expect("it is UTF-8");
        assert_eq!(shown("to_repr", "str", &results), "'é()'");
        let failure = run(super::STR_CONSTANT, b"\xff", &[], &mut results, &mut Tests).expect_err("it is not");
        assert_eq!(failure.kind, error_kind::RUNTIME);
    }

    #[test]
    fn what_is_too_large_ends_in_memory_error() {
        let list = made("list_new", "i64", &[Item::int(1), Item::int(2)]);
        let nothing = made("list_new", "none", &[]);
        called("list_append", "", std::slice::from_ref(&nothing)).expect("there is memory");
        for (name, operand) in [("list_repeat", list), ("list_repeat", nothing), ("str_repeat", text("ab"))] {
            for times in [i64::MAX, i64::MAX / 2, 1 << 60, 1 << 45] {
                let failure = called(name, "", &[operand.clone(), Item::int(times)]).expect_err("it is too large");
                assert_eq!(failure.kind, error_kind::MEMORY);
            }
        }
        let failure = called("str_center", "", &[text("a"), Item::int(i64::MAX), text("*")]).expect_err("so is this");
        assert_eq!(failure.kind, error_kind::MEMORY);
    }

    #[test]
    fn missing_and_strange_operands_are_bugs() {
        for (code, row) in OPERATIONS.iter().enumerate() {
            let needs_nothing = row.operands.is_empty() && row.name.starts_with("random_");
            let makes = row.name.ends_with("_new") && !row.name.starts_with("random_");
            if row.name == "str_constant" || makes || needs_nothing || row.name.starts_with("to_") {
                continue;
            }
            for operands in [vec![], vec![Item::int(1)], vec![array("[1]")], vec![array("[1]"); 6]] {
                let failure = run(code as u32, &[], &operands, &mut Vec::new(), &mut Tests);
                if row.name == "str_chr" && operands.len() == 1 && failure.is_ok() {
                    continue;
                }
                assert_eq!(failure.expect_err(row.name).kind, error_kind::RUNTIME, "{}", row.name);
            }
        }
        assert!(run::<Counted, _>(OPERATIONS.len() as u32, &[], &[], &mut Vec::new(), &mut Tests).is_err());
    }
}
