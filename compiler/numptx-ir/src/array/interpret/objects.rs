//! Lists, dictionaries, sets and strings at run time.
//!
//! In: an operation on objects and its operands. Out: its results, or the exception that it raises. What objects are and do is in
//! `numptx-objects`, as for compiled code; here they are buffers, whose references are counted as those of arrays, and what has to do with
//! arrays, output and exceptions is done here.

mod arrays;
mod contents;
mod held;
mod words;

use numptx_abi::{error_kind, object};
use numptx_objects::{Embedding, Item};

use super::memory::Buffer;
use super::{Failure, Interpreter, Outcome, Value, int_value, invalid};
use crate::array::{ErrorKind, ObjectOp, Op, Type, ValueId};
use crate::scalar::Constant;

pub use contents::Contents;
pub(super) use held::Held;
pub use held::Object;
use words::{constant_of, words_of};

/// The most bytes of a message that an error of a call holds.
const MESSAGE_BYTES: usize = 1019;

/// Keeps the objects that an operation makes.
#[derive(Default)]
struct Maker {
    made: Vec<Buffer>,
}

impl Embedding<Held> for Maker {
    fn make(&mut self, object: numptx_objects::Object<Held>) -> Result<Held, numptx_objects::Failure> {
        let buffer = Buffer::new_object(object);
        self.made.push(buffer.clone());
        Ok(Held::taking(buffer))
    }

    fn array_text(&mut self, _: &Held, _: bool) -> Result<String, numptx_objects::Failure> {
        Err(numptx_objects::Failure::new(error_kind::NOT_IMPLEMENTED, "the text of an array in a list"))
    }
}

impl Interpreter<'_> {
    pub(super) fn object(&mut self, op: &Op, object: &ObjectOp) -> Outcome<Vec<Value>> {
        let operands = &op.operands;
        match object.operation {
            object::LIST_TO_ARRAY => self.array_of_list(operands),
            object::LIST_FROM_ARRAY => self.list_of_array(operands, &object.layout),
            object::RANDOM_DRAW_ARRAY => self.drawn(operands),
            object::PRINT => {
                let text = self.text(operands[0])?;
                self.printed.push_str(&text);
                Ok(Vec::new())
            }
            object::RAISE => {
                let code = i32::try_from(self.int(operands[0])?).unwrap_or(error_kind::OK);
                Err(raised(code, self.text(operands[1])?))
            }
            object::CAUGHT => self.caught(),
            // Nothing is found out late here.
            object::SETTLE => Ok(Vec::new()),
            _ => self.by_the_table(op, object),
        }
    }

    /// `CAUGHT`
    fn caught(&mut self) -> Outcome<Vec<Value>> {
        let Some((kind, message)) = self.raised.take() else { return invalid("nothing was raised that is not caught") };
        let mut maker = Maker::default();
        let text = made(object::STR_CONSTANT, cut(&message).as_bytes(), &[], &mut maker)?;
        let (kind, text) = match kind {
            ErrorKind::Key => {
                let operands = [Item::Reference(text)];
                (ErrorKind::KeyRepr, made(object::TO_REPR, &[object::STRING], &operands, &mut maker)?)
            }
            kind => (kind, text),
        };
        self.account_for(maker)?;
        Ok(vec![int_value(i64::from(kind as i32)), text.handed_out()])
    }

    fn by_the_table(&mut self, op: &Op, object: &ObjectOp) -> Outcome<Vec<Value>> {
        let items = op.operands.iter().map(|operand| self.item(*operand)).collect::<Outcome<Vec<_>>>()?;
        self.spend_on_repetition(object.operation, &items)?;
        let (mut maker, mut given) = (Maker::default(), Vec::new());
        let outcome = numptx_objects::run(object.operation, &object.layout, &items, &mut given, &mut maker);
        self.account_for(maker)?;
        outcome.map_err(failure)?;
        if given.len() != op.results.len() {
            return invalid(format!("`{}` gives {} results", object.row().name, given.len()));
        }
        given.into_iter().zip(&op.results).map(|(item, result)| self.result(item, *result)).collect()
    }

    /// New objects take of the fuel as many elements as they have.
    fn account_for(&mut self, maker: Maker) -> Outcome<()> {
        for buffer in maker.made {
            self.spend(held::length(&buffer))?;
            self.buffers.push((buffer, 0));
        }
        Ok(())
    }

    /// A list or a string so many times, or so wide, is paid before it is made.
    fn spend_on_repetition(&mut self, operation: u32, items: &[Item<Held>]) -> Outcome<()> {
        use object::{LIST_REPEAT, LIST_REPEAT_IN_PLACE, STR_CENTER, STR_LJUST, STR_REPEAT, STR_RJUST, STR_ZFILL};
        let operations = [LIST_REPEAT, LIST_REPEAT_IN_PLACE, STR_REPEAT, STR_ZFILL, STR_LJUST, STR_RJUST, STR_CENTER];
        if let [Item::Reference(Held::Object(repeated)), Item::Words([times, _]), ..] = items
            && operations.contains(&operation)
        {
            let times = usize::try_from(times.cast_signed()).unwrap_or(0);
            self.spend(held::length(repeated.buffer()).max(1).saturating_mul(times))?;
        }
        Ok(())
    }

    /// An operand, which is alive.
    fn item(&self, operand: ValueId) -> Outcome<Item<Held>> {
        let value = self.value(operand)?;
        value.buffer().map_or(Ok(()), Buffer::check_alive).map_err(Failure::Invalid)?;
        Ok(match value {
            Value::Scalar(constant) => Item::Words(words_of(*constant, self.function.ty(operand).dtype())),
            Value::Object(object) => Item::Reference(Held::to(object)),
            Value::Array(view) => Item::Reference(Held::to_array(view)),
        })
    }

    /// A result, with a reference of its own.
    fn result(&self, item: Item<Held>, result: ValueId) -> Outcome<Value> {
        match (item, self.function.ty(result)) {
            (Item::Words(words), Type::Scalar(dtype)) => Ok(Value::Scalar(constant_of(words, dtype))),
            (Item::Reference(held), Type::Object | Type::Array(_)) => Ok(held.handed_out()),
            (_, ty) => invalid(format!("{result}: a result that is no {ty}")),
        }
    }

    /// The object of a value, which is alive.
    fn living(&self, name: ValueId) -> Outcome<Object> {
        match self.value(name)? {
            Value::Object(object) => {
                object.buffer.check_alive().map_err(Failure::Invalid)?;
                Ok(object.clone())
            }
            _ => invalid(format!("{name} is no object")),
        }
    }

    fn text(&self, name: ValueId) -> Outcome<String> {
        match self.living(name)?.contents() {
            Contents::Text(text) => Ok(text),
            Contents::Members { .. } => invalid(format!("{name} is no string")),
        }
    }
}

/// What an operation makes that gives a string.
fn made(operation: u32, layout: &[u8], operands: &[Item<Held>], maker: &mut Maker) -> Outcome<Held> {
    let mut given = Vec::new();
    numptx_objects::run(operation, layout, operands, &mut given, maker).map_err(failure)?;
    match given.pop() {
        Some(Item::Reference(held)) => Ok(held),
        _ => invalid("no string"),
    }
}

/// A message as an error of a call holds it.
fn cut(message: &str) -> &str {
    let message = message.split('\0').next().unwrap_or_default();
    message.get(..message.floor_char_boundary(MESSAGE_BYTES)).unwrap_or(message)
}

/// What an operation fails with. Where operands are not what the table says, the IR is wrong.
fn failure(failure: numptx_objects::Failure) -> Failure {
    match failure.kind {
        error_kind::RUNTIME if failure.message.contains("this is a bug of numptx") => {
            Failure::Invalid(failure.message.into_owned())
        }
        error_kind::MEMORY if failure.message.is_empty() => {
            raised(failure.kind, "out of host memory for a list or a string".to_string())
        }
        error_kind::KEY if failure.is_repr => raised(error_kind::KEY_REPR, failure.message.into_owned()),
        kind => raised(kind, failure.message.into_owned()),
    }
}

/// The exception of a code of the ABI.
fn raised(code: i32, message: String) -> Failure {
    match ErrorKind::NAMES.iter().find(|(kind, _)| *kind as i32 == code) {
        Some((kind, _)) => Failure::Raised { kind: *kind, message },
        None => Failure::Invalid(format!("no exception has the code {code}")),
    }
}

/// A scalar as a value.
fn scalar(words: [u64; 2], code: u8) -> Option<Constant> {
    words::dtype_of(code).map(|dtype| constant_of(words, dtype))
}
