//! Operations on sets.

use numptx_abi::object::{
    SET_ADD, SET_CHECK_SIZE, SET_CLEAR, SET_CONTAINS, SET_COPY, SET_DIFFERENCE, SET_DIFFERENCE_UPDATE, SET_DISCARD,
    SET_EQUAL, SET_FROM_LIST, SET_INTERSECTION, SET_INTERSECTION_UPDATE, SET_IS_DISJOINT, SET_IS_SUBSET,
    SET_IS_SUPERSET, SET_KEY, SET_LENGTH, SET_NEW, SET_NEXT, SET_POP, SET_REMOVE, SET_SYMMETRIC_DIFFERENCE,
    SET_SYMMETRIC_DIFFERENCE_UPDATE, SET_TO_LIST, SET_UNION, SET_UPDATE, SET_UPDATE_KEYS, SET_UPDATE_LIST,
};

use crate::failure::Outcome;
use crate::layout::Layout;
use crate::object::{Embedding, Object, Reference};
use crate::run::operands::{dictionary, list, push_element, set, set_mut};
use crate::run::{Context, strange};
use crate::set::Set;

pub(super) fn run<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    match context.code {
        SET_NEW | SET_FROM_LIST => new(context),
        SET_ADD | SET_CONTAINS | SET_DISCARD | SET_REMOVE => element(context),
        SET_UPDATE | SET_INTERSECTION_UPDATE | SET_DIFFERENCE_UPDATE | SET_SYMMETRIC_DIFFERENCE_UPDATE => {
            update(context)
        }
        SET_UNION | SET_INTERSECTION | SET_DIFFERENCE | SET_SYMMETRIC_DIFFERENCE => make(context),
        SET_IS_SUBSET | SET_IS_SUPERSET | SET_IS_DISJOINT | SET_EQUAL => compare(context),
        _ => whole(context),
    }
}

fn new<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let mut made = Set::new(Layout::new(context.layout)?);
    if context.code == SET_FROM_LIST {
        list(context.operands.reference()?, |list| made.update_list(list))?;
    } else {
        for _ in 0..context.operands.elements_left(made.layout.items()) {
            let element = context.operands.element(&made.layout)?;
            made.add(element.element())?;
        }
    }
    context.give(Object::Set(made))
}

fn element<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let operands = &mut context.operands;
    match context.code {
        SET_CONTAINS => {
            let found = set(reference, |set| set.contains(operands.element(&set.layout)?.element()))?;
            context.give_truth(found)
        }
        code => set_mut(reference, |set| {
            let element = operands.element_for(reference, &set.layout)?;
            match code {
                SET_ADD => set.add(element.element()),
                SET_DISCARD => set.discard(element.element()).map(drop),
                _ => set.remove(element.element()),
            }
        }),
    }
}

fn update<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (a, b) = (context.operands.reference()?, context.operands.reference()?);
    let code = context.code;
    if a.same(b) {
        return set_mut(a, |a| {
            match code {
                SET_UPDATE => {}
                SET_INTERSECTION_UPDATE => a.intersect_itself()?,
                _ => a.clear(),
            }
            Ok(())
        });
    }
    set_mut(a, |a| {
        set(b, |b| match code {
            SET_UPDATE => a.update(b),
            SET_INTERSECTION_UPDATE => a.intersection_update(b),
            SET_DIFFERENCE_UPDATE => a.difference_update(b),
            _ => a.symmetric_difference_update(b),
        })
    })
}

fn make<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (a, b) = (context.operands.reference()?, context.operands.reference()?);
    let (code, is_same) = (context.code, a.same(b));
    let made = set(a, |a| {
        set(b, |b| match code {
            SET_UNION | SET_INTERSECTION if is_same => a.copied(),
            SET_UNION => a.union(b),
            SET_INTERSECTION => a.intersection(b),
            SET_DIFFERENCE => a.difference(b),
            _ => a.symmetric_difference(b),
        })
    })?;
    context.give(Object::Set(made))
}

fn compare<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (a, b) = (context.operands.reference()?, context.operands.reference()?);
    let code = context.code;
    let is_same = a.same(b);
    let is_so = set(a, |a| {
        set(b, |b| match code {
            SET_IS_SUBSET | SET_IS_SUPERSET | SET_EQUAL if is_same => Ok(true),
            SET_IS_SUBSET => a.is_subset(b),
            SET_IS_SUPERSET => b.is_subset(a),
            SET_IS_DISJOINT => a.is_disjoint(b),
            _ => a.equals(b),
        })
    })?;
    context.give_truth(is_so)
}

fn whole<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let results = &mut *context.results;
    match context.code {
        SET_LENGTH => {
            let length = set(reference, |set| Ok(set.len()))?;
            context.give_int(length as i64)
        }
        SET_POP => set_mut(reference, |set| {
            let slot = set.slot_to_pop()?;
            push_element(results, &set.layout, set.key_at(slot as i64)?);
            set.take(slot);
            Ok(())
        }),
        SET_NEXT => {
            let slot = context.operands.int()?;
            let next = set(reference, |set| Ok(set.next(slot)))?;
            context.give_place(next)
        }
        SET_KEY => {
            let slot = context.operands.int()?;
            set(reference, |set| {
                push_element(results, &set.layout, set.key_at(slot)?);
                Ok(())
            })
        }
        SET_CHECK_SIZE => {
            let length = context.operands.int()?;
            set(reference, |set| set.check_size(length))
        }
        SET_CLEAR => set_mut(reference, |set| {
            set.clear();
            Ok(())
        }),
        SET_COPY => {
            let made = set(reference, Set::copied)?;
            context.give(Object::Set(made))
        }
        SET_TO_LIST => {
            let made = set(reference, Set::to_list)?;
            context.give(Object::List(made))
        }
        SET_UPDATE_LIST => {
            let other = context.operands.reference_beside(reference)?;
            set_mut(reference, |set| list(other, |other| set.update_list(other)))
        }
        SET_UPDATE_KEYS => {
            let other = context.operands.reference_beside(reference)?;
            set_mut(reference, |set| dictionary(other, |other| set.update_keys(other)))
        }
        _ => strange(),
    }
}
