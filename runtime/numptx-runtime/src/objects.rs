//! Lists, dictionaries, sets and strings of compiled code, as [`numptx_abi::object`] has them.
//!
//! In: an operation, its operands as words. Out: its results as words. What objects are and do is in `numptx-objects`; here they are buffers, whose
//! references are counted as those of arrays, and what has to do with arrays is done here (`arrays.rs`). Bindings make and look at them by
//! `boundary.rs`.

mod arrays;
mod boundary;
mod caught;
mod drawn;
mod held;
mod print;
mod results;

use numptx_abi::{Array, ObjectCall, object};
use numptx_objects::{Embedding, Failure, Item, Object};

use crate::buffer::{Buffer, BufferRef};
use crate::call::CallState;
use crate::debug;
use crate::error::{Error, Result};

pub(crate) use boundary::{make, reference_at, view};
pub(crate) use held::{Held, HeldArray, ObjectCell};
pub(crate) use print::set_writer;
pub(crate) use results::{Counts, holds_host_arrays, settle};

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let message = match failure.kind {
            numptx_abi::error_kind::MEMORY if failure.message.is_empty() => "out of host memory for a list or a string",
            _ => &failure.message,
        };
        let kind = if failure.is_repr { numptx_abi::error_kind::KEY_REPR } else { failure.kind };
        Error::new(kind, message)
    }
}

/// Makes objects, and writes arrays.
struct Maker;

impl Embedding<Held> for Maker {
    fn make(&mut self, object: Object<Held>) -> std::result::Result<Held, Failure> {
        Ok(Held::Object(crate::buffer::new_object(object)))
    }

    fn array_text(&mut self, _: &Held, _: bool) -> std::result::Result<String, Failure> {
        Err(Failure::new(numptx_abi::error_kind::NOT_IMPLEMENTED, "the text of an array in a list"))
    }
}

/// [`numptx_abi::RuntimeTable::object`]
///
/// # Safety
/// Operands and results are as the request says: live objects and arrays, and room for as many results.
pub(crate) unsafe fn run(
    call: &CallState,
    request: &ObjectCall,
    operands: *const [u64; 2],
    results: *mut [u64; 2],
) -> Result<()> {
    let (n_operands, n_results) = (request.n_operands as usize, request.n_results as usize);
    // SAFETY: as the caller promises; slices of nothing have some address.
    let (operands, results) = unsafe {
        (
            if n_operands == 0 { &[][..] } else { std::slice::from_raw_parts(operands, n_operands) },
            if n_results == 0 { &mut [][..] } else { std::slice::from_raw_parts_mut(results, n_results) },
        )
    };
    // SAFETY: as the caller promises.
    unsafe {
        if let Some(outcome) = quickly(request.operation, operands, results) {
            return outcome;
        }
        match request.operation {
            object::LIST_TO_ARRAY => arrays::of_list(call, operands, results),
            object::LIST_FROM_ARRAY => arrays::to_list(call, request, operands, results),
            object::RANDOM_DRAW_ARRAY => drawn::array(call, request, operands, results),
            object::PRINT => print::print(cell(operands[0][0])?),
            object::CAUGHT => caught::caught(call, results),
            object::SETTLE => caught::settle(call),
            object::RAISE => raise(operands),
            _ => in_general(request, operands, results),
        }
    }
}

/// The object behind an address.
///
/// # Safety
/// A live object, or a live buffer.
unsafe fn cell<'a>(address: u64) -> Result<&'a ObjectCell> {
    let buffer = std::ptr::with_exposed_provenance_mut::<Buffer>(address as usize);
    debug::check_use(buffer)?;
    // SAFETY: as the caller promises.
    unsafe { buffer.as_ref() }
        .and_then(Buffer::object)
        .ok_or_else(|| Error::runtime("no object is there; this is a bug of numptx"))
}

/// Operations on lists of numbers, which loops are full of: nothing is gathered for them. `None`: not such a one.
///
/// # Safety
/// As [`run`].
unsafe fn quickly(operation: u32, operands: &[[u64; 2]], results: &mut [[u64; 2]]) -> Option<Result<()>> {
    let list = match operation {
        object::LIST_LENGTH | object::LIST_GET | object::LIST_SET | object::LIST_APPEND => operands.first()?[0],
        _ => return None,
    };
    // SAFETY: as the caller promises.
    let cell = match unsafe { cell(list) } {
        Ok(cell) => cell,
        Err(error) => return Some(Err(error)),
    };
    cell.change(|object| {
        let Object::List(list) = object else { return None };
        let is_word = list.layout().words() == 1 && list.layout().references() == 0;
        let outcome = match (operation, operands) {
            (object::LIST_LENGTH, _) => {
                results[0] = [list.len() as u64, 0];
                return Some(Ok(()));
            }
            (object::LIST_GET, [_, index]) if is_word => {
                list.get_word(index[0] as i64).map(|word| results[0] = [word, 0])
            }
            (object::LIST_SET, [_, index, word]) if is_word => list.set_word(index[0] as i64, word[0]),
            (object::LIST_APPEND, [_, word]) if is_word => list.append_word(word[0]),
            _ => return None,
        };
        Some(outcome.map_err(Error::from))
    })
}

/// # Safety
/// As [`run`].
unsafe fn in_general(request: &ObjectCall, operands: &[[u64; 2]], results: &mut [[u64; 2]]) -> Result<()> {
    let n_kinds = operands.len() + results.len();
    // SAFETY: a request has a kind for each operand and result, and its layout.
    let (kinds, layout) = unsafe {
        (
            if n_kinds == 0 { &[][..] } else { std::slice::from_raw_parts(request.kinds, n_kinds) },
            match request.n_layout {
                0 => &[][..],
                n => std::slice::from_raw_parts(request.layout, n as usize),
            },
        )
    };
    let (_, wanted) = kinds.split_at(operands.len());
    // SAFETY: as the caller promises.
    let items = unsafe { items(request, operands) }?;
    let mut made = Vec::with_capacity(results.len());
    numptx_objects::run(request.operation, layout, &items, &mut made, &mut Maker)?;
    if made.len() != results.len() {
        return Err(Error::runtime("an operation on objects gave other results; this is a bug of numptx"));
    }
    for item in &items {
        if let Item::Reference(Held::Object(buffer)) = item {
            buffer.object().inspect(|cell| cell.recount());
        }
    }
    for ((made, kind), result) in made.into_iter().zip(wanted).zip(results) {
        match (made, *kind) {
            (Item::Words(words), ObjectCall::SCALAR) => *result = words,
            (Item::Reference(Held::Object(buffer)), ObjectCall::OBJECT) => {
                *result = [buffer.into_raw().expose_provenance() as u64, 0];
            }
            (Item::Reference(Held::Array(array)), ObjectCall::ARRAY) => {
                let record = std::ptr::with_exposed_provenance_mut::<Array>(result[0] as usize);
                // SAFETY: the caller has room for a record there.
                unsafe { *record = array.handed_out() };
            }
            _ => {
                return Err(Error::runtime(
                    "an operation on objects gave another kind of result; this is a bug of numptx",
                ));
            }
        }
    }
    Ok(())
}

/// The operands of a request.
///
/// # Safety
/// As [`run`].
unsafe fn items(request: &ObjectCall, operands: &[[u64; 2]]) -> Result<Vec<Item<Held>>> {
    let kinds = match operands.len() {
        0 => &[][..],
        // SAFETY: a request has a kind for each operand.
        n => unsafe { std::slice::from_raw_parts(request.kinds, n) },
    };
    let mut items = Vec::with_capacity(operands.len());
    for (operand, kind) in operands.iter().zip(kinds) {
        // SAFETY: as the caller promises.
        items.push(unsafe { item(*operand, *kind) }?);
    }
    Ok(items)
}

/// # Safety
/// The operand is what its kind says.
unsafe fn item(operand: [u64; 2], kind: u8) -> Result<Item<Held>> {
    match kind {
        ObjectCall::SCALAR => Ok(Item::Words(operand)),
        ObjectCall::OBJECT => {
            let buffer = std::ptr::with_exposed_provenance_mut::<Buffer>(operand[0] as usize);
            debug::check_use(buffer)?;
            // SAFETY: a live object, as the caller promises.
            Ok(Item::Reference(Held::Object(unsafe { BufferRef::to(buffer) })))
        }
        _ => {
            let record = std::ptr::with_exposed_provenance::<Array>(operand[0] as usize);
            // SAFETY: the record of a live array, as the caller promises.
            Ok(Item::Reference(unsafe { Held::of_array(&*record) }?))
        }
    }
}

/// # Safety
/// A kind, and a live string.
unsafe fn raise(operands: &[[u64; 2]]) -> Result<()> {
    let [kind, text] = operands else { return Err(Error::runtime("what is raised has a kind and a text")) };
    // SAFETY: as the caller promises.
    let text = unsafe { cell(text[0]) }?.text().unwrap_or_default();
    Err(Error::new(kind[0] as i32, text))
}
