//! Operations on dictionaries.

use numptx_abi::object::{
    DICT_CHECK_SIZE, DICT_CLEAR, DICT_COPY, DICT_EQUAL, DICT_FIND, DICT_FROM_PAIRS, DICT_INDEX, DICT_ITEMS, DICT_KEY,
    DICT_KEYS, DICT_LENGTH, DICT_NEW, DICT_NEXT, DICT_POPITEM, DICT_REMOVE_AT, DICT_SET, DICT_SET_VALUE, DICT_UPDATE,
    DICT_VALUE, DICT_VALUES,
};

use crate::dictionary::Dict;
use crate::failure::Outcome;
use crate::layout::Layout;
use crate::object::{Embedding, Object, Reference};
use crate::run::operands::{dictionary, dictionary_mut, list, push_element};
use crate::run::{Context, strange};

pub(super) fn run<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    match context.code {
        DICT_NEW | DICT_FROM_PAIRS => new(context),
        DICT_FIND | DICT_INDEX | DICT_SET => by_key(context),
        DICT_VALUE | DICT_KEY | DICT_SET_VALUE | DICT_REMOVE_AT | DICT_NEXT | DICT_CHECK_SIZE => by_slot(context),
        DICT_UPDATE | DICT_EQUAL => two(context),
        _ => whole(context),
    }
}

fn new<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (key, value) = Layout::pair(context.layout)?;
    let mut made = Dict::new(key, value);
    if context.code == DICT_FROM_PAIRS {
        list(context.operands.reference()?, |pairs| made.update_pairs(pairs))?;
    } else {
        for _ in 0..context.operands.elements_left(made.key.items() + made.value.items()) {
            let key = context.operands.element(&made.key)?;
            let value = context.operands.element(&made.value)?;
            made.set(key.element(), value.element())?;
        }
    }
    context.give(Object::Dict(made))
}

fn by_key<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let operands = &mut context.operands;
    match context.code {
        DICT_SET => dictionary_mut(reference, |dictionary| {
            let key = operands.element_for(reference, &dictionary.key)?;
            let value = operands.element_for(reference, &dictionary.value)?;
            dictionary.set(key.element(), value.element())
        }),
        DICT_FIND => {
            let find = |dictionary: &Dict<R>| dictionary.find(operands.element(&dictionary.key)?.element());
            let slot = dictionary(reference, find)?;
            context.give_place(slot)
        }
        _ => {
            let index = |dictionary: &Dict<R>| dictionary.index(operands.element(&dictionary.key)?.element());
            let slot = dictionary(reference, index)?;
            context.give_place(Some(slot))
        }
    }
}

fn by_slot<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let slot = context.operands.int()?;
    let (operands, results) = (&mut context.operands, &mut *context.results);
    match context.code {
        DICT_VALUE => dictionary(reference, |dictionary| {
            push_element(results, &dictionary.value, dictionary.value_at(slot)?);
            Ok(())
        }),
        DICT_KEY => dictionary(reference, |dictionary| {
            push_element(results, &dictionary.key, dictionary.key_at(slot)?);
            Ok(())
        }),
        DICT_SET_VALUE => dictionary_mut(reference, |dictionary| {
            let value = operands.element_for(reference, &dictionary.value)?;
            dictionary.set_value(slot, value.element())
        }),
        DICT_REMOVE_AT => dictionary_mut(reference, |dictionary| dictionary.remove_at(slot)),
        DICT_NEXT => {
            let next = dictionary(reference, |dictionary| Ok(dictionary.next(slot)))?;
            context.give_place(next)
        }
        _ => dictionary(reference, |dictionary| dictionary.check_size(slot)),
    }
}

fn two<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (a, b) = (context.operands.reference()?, context.operands.reference()?);
    match context.code {
        DICT_UPDATE if a.same(b) => dictionary(a, |_| Ok(())),
        DICT_UPDATE => dictionary_mut(a, |a| dictionary(b, |b| a.update(b))),
        _ => {
            let equal = dictionary(a, |x| if a.same(b) { Ok(true) } else { dictionary(b, |y| x.equals(y)) })?;
            context.give_truth(equal)
        }
    }
}

fn whole<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    match context.code {
        DICT_LENGTH => {
            let length = dictionary(reference, |dictionary| Ok(dictionary.len()))?;
            context.give_int(length as i64)
        }
        DICT_CLEAR => dictionary_mut(reference, |dictionary| {
            dictionary.clear();
            Ok(())
        }),
        DICT_COPY => {
            let made = dictionary(reference, Dict::copied)?;
            context.give(Object::Dict(made))
        }
        DICT_KEYS => {
            let made = dictionary(reference, Dict::key_list)?;
            context.give(Object::List(made))
        }
        DICT_VALUES => {
            let made = dictionary(reference, Dict::value_list)?;
            context.give(Object::List(made))
        }
        DICT_ITEMS => {
            let made = dictionary(reference, Dict::item_list)?;
            context.give(Object::List(made))
        }
        DICT_POPITEM => {
            let results = &mut *context.results;
            dictionary_mut(reference, |dictionary| {
                let slot = dictionary.last()? as i64;
                push_element(results, &dictionary.key, dictionary.key_at(slot)?);
                push_element(results, &dictionary.value, dictionary.value_at(slot)?);
                dictionary.remove_at(slot)
            })
        }
        _ => strange(),
    }
}
