//! Objects from outside: made of what they hold, and looked at.

use numptx_abi::object;
use numptx_objects::{Item, List};

use super::held::{Held, Object};
use super::words::{dtype_of, words_of};
use super::{Maker, scalar};
use crate::array::interpret::Value;

/// What an object holds.
#[derive(Clone, Debug)]
pub enum Contents {
    /// A string.
    Text(String),
    /// A list, a dictionary or a set.
    Members {
        /// [`object::LIST`], [`object::DICTIONARY`] or [`object::SET`].
        sort: u8,
        /// What its members are; of a dictionary its keys, [`object::VALUE`], and its values.
        layout: Vec<u8>,
        /// How many members it has.
        count: usize,
        /// All leaves with data of all members, in order; of a dictionary each key's before its value's.
        leaves: Vec<Value>,
    },
}

impl Object {
    /// A new object with one reference. What it holds has one more. An error says what operands the contents are not.
    pub fn new(contents: &Contents) -> Result<Object, String> {
        let (operation, layout, items) = match contents {
            Contents::Text(text) => (object::STR_CONSTANT, text.as_bytes(), Vec::new()),
            Contents::Members { sort, layout, leaves, .. } => {
                let codes = layout.iter().filter(|code| object::is_scalar(**code) || object::is_reference(**code));
                let item = |(leaf, code): (&Value, &u8)| item(leaf, *code);
                let items = leaves.iter().zip(codes.cycle()).map(item).collect::<Result<_, _>>()?;
                let operation = match *sort {
                    object::LIST => object::LIST_NEW,
                    object::DICTIONARY => object::DICT_NEW,
                    _ => object::SET_NEW,
                };
                (operation, layout.as_slice(), items)
            }
        };
        let (mut made, mut maker) = (Vec::new(), Maker::default());
        let mut run = |operation, layout: &[u8], items: &[Item<Held>], given: &mut Vec<Item<Held>>| {
            numptx_objects::run(operation, layout, items, given, &mut maker).map_err(|f| f.message.into_owned())
        };
        run(operation, layout, &items, &mut made)?;
        // Members without data are no operands.
        if let (Contents::Members { sort: object::LIST, count, .. }, true) = (contents, items.is_empty()) {
            (0..*count).try_for_each(|_| run(object::LIST_APPEND, &[], &made, &mut Vec::new()))?;
        }
        match made.pop() {
            Some(Item::Reference(held)) => match held.handed_out() {
                Value::Object(object) => Ok(object),
                _ => Err("an array".to_string()),
            },
            _ => Err("no object".to_string()),
        }
    }

    /// What it holds; nothing once its last reference is gone.
    pub fn contents(&self) -> Contents {
        let nothing = Contents::Members { sort: object::LIST, layout: Vec::new(), count: 0, leaves: Vec::new() };
        let Some(object) = self.buffer.object() else { return nothing };
        match object.borrow().as_ref() {
            Some(numptx_objects::Object::Str(text)) => Contents::Text(text.as_str().to_string()),
            Some(numptx_objects::Object::List(list)) => members(object::LIST, list.layout().codes().to_vec(), list),
            Some(numptx_objects::Object::Dict(dictionary)) => {
                let (key, value) = (dictionary.key_layout().codes(), dictionary.value_layout().codes());
                let layout = [key, &[object::VALUE], value].concat();
                dictionary.item_list().map_or(nothing, |items| members(object::DICTIONARY, layout, &items))
            }
            Some(numptx_objects::Object::Set(set)) => {
                let layout = set.layout().codes().to_vec();
                set.to_list().map_or(nothing, |list| members(object::SET, layout, &list))
            }
            None => nothing,
        }
    }
}

fn item(leaf: &Value, code: u8) -> Result<Item<Held>, String> {
    match (leaf, dtype_of(code)) {
        (Value::Scalar(constant), Some(dtype)) => Ok(Item::Words(words_of(*constant, dtype))),
        (Value::Object(object), None) => Ok(Item::Reference(Held::to(object))),
        (Value::Array(view), None) => Ok(Item::Reference(Held::to_array(view))),
        _ => Err(format!("{leaf:?} as a leaf {code}")),
    }
}

/// The leaves of a list's members.
fn members(sort: u8, layout: Vec<u8>, list: &List<Held>) -> Contents {
    let codes = list.layout().codes().repeat(list.len());
    let (mut words, mut references) = (list.words().iter().copied(), list.references().iter());
    let mut next = || words.next().unwrap_or(0);
    let leaf = |code: u8| match object::words(code) {
        0 if object::is_reference(code) => references.next()?.as_ref().map(Held::value),
        0 => None,
        1 => scalar([next(), 0], code).map(Value::Scalar),
        _ => scalar([next(), next()], code).map(Value::Scalar),
    };
    let leaves = codes.into_iter().filter_map(leaf).collect();
    Contents::Members { sort, layout, count: list.len(), leaves }
}
