//! References for tests, which count, and to arrays that are but a text.

use std::cell::RefCell;
use std::rc::Rc;

use numptx_abi::object::{operation_named, parse_layout};

use crate::{Embedding, Failure, Item, Layout, Object, Reference, Text, run};

/// What a reference refers to.
#[derive(Debug)]
pub(crate) enum Target {
    Object(Box<RefCell<Object<Counted>>>),
    Array(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Counted(pub(crate) Rc<Target>);

impl Reference for Counted {
    fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    fn is_array(&self) -> bool {
        matches!(&*self.0, Target::Array(_))
    }

    fn with_object<T>(&self, look: impl FnOnce(&Object<Self>) -> T) -> Option<T> {
        match &*self.0 {
            Target::Object(object) => Some(look(&object.borrow())),
            Target::Array(_) => None,
        }
    }

    fn with_object_mut<T>(&self, change: impl FnOnce(&mut Object<Self>) -> T) -> Option<T> {
        match &*self.0 {
            Target::Object(object) => Some(change(&mut object.borrow_mut())),
            Target::Array(_) => None,
        }
    }
}

pub(crate) struct Tests;

impl Embedding<Counted> for Tests {
    fn make(&mut self, object: Object<Counted>) -> Result<Counted, Failure> {
        Ok(Counted(Rc::new(Target::Object(Box::new(RefCell::new(object))))))
    }

    fn array_text(&mut self, array: &Counted, is_repr: bool) -> Result<String, Failure> {
        match &*array.0 {
            Target::Array(text) if is_repr => Ok(format!("array({text})")),
            Target::Array(text) => Ok(text.clone()),
            Target::Object(_) => Err(Failure::bug("no array")),
        }
    }
}

pub(crate) fn array(text: &str) -> Item<Counted> {
    Item::Reference(Counted(Rc::new(Target::Array(text.into()))))
}

pub(crate) fn text(text: &str) -> Item<Counted> {
    Item::Reference(Tests.make(Object::Str(Text::from(text.to_string()))).expect("it is made"))
}

pub(crate) fn layout(text: &str) -> Layout {
    Layout::new(&parse_layout(text).expect("a layout")).expect("a layout of one")
}

/// Carries an operation out, by its name and its layout's text.
pub(crate) fn called(name: &str, layout: &str, operands: &[Item<Counted>]) -> Result<Vec<Item<Counted>>, Failure> {
    let mut results = Vec::new();
    let code = operation_named(name).expect("an operation");
    run(code, &parse_layout(layout).expect("a layout"), operands, &mut results, &mut Tests)?;
    Ok(results)
}

/// The only result of an operation.
pub(crate) fn made(name: &str, layout: &str, operands: &[Item<Counted>]) -> Item<Counted> {
    called(name, layout, operands).expect("no exception").pop().expect("a result")
}

/// The number that is the only result of an operation.
pub(crate) fn number(name: &str, operands: &[Item<Counted>]) -> i64 {
    match made(name, "", operands) {
        Item::Words([word, _]) => word as i64,
        Item::Reference(_) => panic!("{name} gives an object"),
    }
}

/// The text of a value.
pub(crate) fn shown(name: &str, layout: &str, operands: &[Item<Counted>]) -> String {
    match made(name, layout, operands) {
        Item::Reference(text) => crate::object::with_text(&text, |text| text.as_str().to_string()).expect("a text"),
        Item::Words(_) => panic!("{name} gives a number"),
    }
}
