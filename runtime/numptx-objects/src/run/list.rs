//! Operations on lists.

use std::cmp::Ordering;

use numptx_abi::object::{
    DEQUE_APPEND, DEQUE_APPENDLEFT, DEQUE_EXTEND, DEQUE_EXTENDLEFT, DEQUE_INSERT, DEQUE_LIMIT, DEQUE_NEW, DEQUE_ROTATE,
    LIST_APPEND, LIST_CLEAR, LIST_COMPARE, LIST_CONCAT, LIST_CONTAINS, LIST_COPY, LIST_COUNT, LIST_DELETE,
    LIST_DELETE_SLICE, LIST_EQUAL, LIST_EXTEND, LIST_GET, LIST_INDEX, LIST_INSERT, LIST_LENGTH, LIST_MAX, LIST_MIN,
    LIST_NEW, LIST_POP, LIST_REMOVE, LIST_REPEAT, LIST_REPEAT_IN_PLACE, LIST_REVERSE, LIST_SET, LIST_SET_SLICE,
    LIST_SLICE, LIST_SORT, LIST_SORT_BY,
};

use crate::failure::Outcome;
use crate::layout::Layout;
use crate::list::List;
use crate::object::{Embedding, Object, Reference};
use crate::run::operands::{list, list_mut, push_element};
use crate::run::{Context, strange};

pub(super) fn run<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    match context.code {
        LIST_NEW => new(context),
        LIST_GET | LIST_SET | LIST_APPEND | LIST_INSERT | LIST_POP | LIST_DELETE | DEQUE_APPEND | DEQUE_APPENDLEFT
        | DEQUE_INSERT => element(context),
        LIST_SLICE | LIST_DELETE_SLICE | LIST_SET_SLICE => slice(context),
        LIST_EXTEND | LIST_CONCAT | LIST_EQUAL | LIST_COMPARE | LIST_SORT_BY | DEQUE_EXTEND | DEQUE_EXTENDLEFT => {
            two(context)
        }
        LIST_INDEX | LIST_COUNT | LIST_REMOVE | LIST_CONTAINS => search(context),
        _ => whole(context),
    }
}

fn new<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let mut made = List::new(Layout::new(context.layout)?);
    let count = context.operands.elements_left(made.layout.items());
    made.reserve(count)?;
    for _ in 0..count {
        let element = context.operands.element(&made.layout)?;
        made.append(element.element())?;
    }
    context.give(Object::List(made))
}

fn element<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let operands = &mut context.operands;
    let results = &mut *context.results;
    let reference = operands.reference()?;
    let is_appended = matches!(context.code, LIST_APPEND | DEQUE_APPEND | DEQUE_APPENDLEFT);
    let index = if is_appended { 0 } else { operands.int()? };
    match context.code {
        LIST_GET => list(reference, |list| {
            push_element(results, &list.layout, list.get(index)?);
            Ok(())
        }),
        LIST_DELETE => list_mut(reference, |list| list.delete(index)),
        LIST_POP => list_mut(reference, |list| {
            let place = list.place_to_pop(index)?;
            push_element(results, &list.layout, list.get(place as i64)?);
            list.remove_at(place);
            Ok(())
        }),
        code => list_mut(reference, |list| {
            let element = operands.element_for(reference, &list.layout)?;
            match code {
                LIST_SET => list.set(index, element.element()),
                LIST_APPEND => list.append(element.element()),
                LIST_INSERT => list.insert(index, element.element()),
                DEQUE_APPEND => list.append_right(element.element()),
                DEQUE_APPENDLEFT => list.append_left(element.element()),
                DEQUE_INSERT => list.insert_in_deque(index, element.element()),
                _ => strange(),
            }
        }),
    }
}

fn slice<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let slice = context.operands.slice()?;
    match context.code {
        LIST_SLICE => {
            let made = list(reference, |list| list.slice(slice))?;
            context.give(Object::List(made))
        }
        LIST_DELETE_SLICE => list_mut(reference, |list| list.delete_slice(slice)),
        _ => {
            let other = context.operands.reference()?;
            if reference.same(other) {
                let copy = list(other, List::copied)?;
                return list_mut(reference, |list| list.set_slice(slice, &copy));
            }
            list_mut(reference, |changed| list(other, |other| changed.set_slice(slice, other)))
        }
    }
}

fn two<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (a, b) = (context.operands.reference()?, context.operands.reference()?);
    match context.code {
        code @ (LIST_EXTEND | DEQUE_EXTEND | DEQUE_EXTENDLEFT) => {
            let extend = |a: &mut List<R>, b: &List<R>| match code {
                LIST_EXTEND => a.extend(b),
                DEQUE_EXTEND => a.extend_right(b),
                _ => a.extend_left(b),
            };
            if a.same(b) {
                let copy = list(b, List::copied)?;
                return list_mut(a, |a| extend(a, &copy));
            }
            list_mut(a, |a| list(b, |b| extend(a, b)))
        }
        LIST_CONCAT => {
            let made = list(a, |a| list(b, |b| a.concatenated(b)))?;
            context.give(Object::List(made))
        }
        // Of itself a list has the same elements: not even nan differs.
        LIST_EQUAL => {
            let equal = list(a, |x| if a.same(b) { Ok(true) } else { list(b, |y| x.equals(y)) })?;
            context.give_truth(equal)
        }
        LIST_COMPARE => {
            let order = list(a, |x| if a.same(b) { Ok(Some(Ordering::Equal)) } else { list(b, |y| x.order(y)) })?;
            context.give_int(order.map_or(2, order_number))
        }
        _ => {
            let reverse = context.operands.truth()?;
            if a.same(b) {
                return list_mut(a, |a| a.sort(reverse));
            }
            list_mut(a, |a| list_mut(b, |b| a.sort_by(b, reverse)))
        }
    }
}

/// -1, 0 or 1.
pub(super) fn order_number(order: Ordering) -> i64 {
    order as i64
}

fn search<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let operands = &mut context.operands;
    let element = list(reference, |list| operands.element_for(reference, &list.layout))?;
    let element = element.element();
    match context.code {
        LIST_INDEX => {
            let (start, stop) = (context.operands.int()?, context.operands.int()?);
            let place = list(reference, |list| list.index(element, start, stop))?;
            context.give_int(place as i64)
        }
        LIST_COUNT => {
            let count = list(reference, |list| list.count(element))?;
            context.give_int(count as i64)
        }
        LIST_CONTAINS => {
            let found = list(reference, |list| list.contains(element))?;
            context.give_truth(found)
        }
        _ => list_mut(reference, |list| list.remove(element)),
    }
}

fn whole<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    match context.code {
        LIST_LENGTH => {
            let length = list(reference, |list| Ok(list.len()))?;
            context.give_int(length as i64)
        }
        DEQUE_NEW => {
            let limit = context.operands.int()?;
            let made = list(reference, |list| list.as_deque(limit))?;
            context.give(Object::List(made))
        }
        DEQUE_LIMIT => {
            let limit = list(reference, |list| Ok(list.limit()))?;
            context.give_int(limit)
        }
        DEQUE_ROTATE => {
            let by = context.operands.int()?;
            list_mut(reference, |list| list.rotate(by))
        }
        LIST_COPY => {
            let made = list(reference, List::copied)?;
            context.give(Object::List(made))
        }
        LIST_REPEAT => {
            let times = context.operands.int()?;
            let made = list(reference, |list| list.repeated(times))?;
            context.give(Object::List(made))
        }
        LIST_REPEAT_IN_PLACE => {
            let times = context.operands.int()?;
            list_mut(reference, |list| {
                *list = list.repeated(times)?;
                Ok(())
            })
        }
        LIST_REVERSE => list_mut(reference, |list| {
            list.reverse();
            Ok(())
        }),
        LIST_CLEAR => list_mut(reference, |list| {
            list.clear();
            Ok(())
        }),
        LIST_SORT => {
            let reverse = context.operands.truth()?;
            list_mut(reference, |list| list.sort(reverse))
        }
        LIST_MIN | LIST_MAX => {
            let is_max = context.code == LIST_MAX;
            let place = list(reference, |list| list.extreme(is_max))?;
            context.give_int(place as i64)
        }
        _ => strange(),
    }
}
