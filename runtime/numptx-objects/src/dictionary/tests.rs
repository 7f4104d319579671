//! What dictionaries do with references, gaps and keys that are equal to nothing.

use std::rc::Rc;

use numptx_abi::error_kind;

use crate::testing::{Counted, array, called, made, number, shown, text};
use crate::{Item, Reference};

fn count(item: &Item<Counted>) -> usize {
    match item {
        Item::Reference(reference) => Rc::strong_count(&reference.0),
        Item::Words(_) => 0,
    }
}

#[test]
fn a_value_is_released_when_its_key_is_removed() {
    let (value, other) = (array("[1]"), array("[2]"));
    let operands = [Item::int(1), value.clone(), Item::int(2), other.clone(), Item::int(3), other.clone()];
    let dictionary = made("dict_new", "i64 : array", &operands);
    drop(operands);
    assert_eq!((count(&value), count(&other)), (2, 3));
    called("dict_remove_at", "", &[dictionary.clone(), Item::int(0)]).expect("it is there");
    assert_eq!((count(&value), count(&other)), (1, 3));
    called("dict_set", "", &[dictionary.clone(), Item::int(2), value.clone()]).expect("there is memory");
    assert_eq!((count(&value), count(&other)), (2, 2));
    called("dict_popitem", "", std::slice::from_ref(&dictionary)).expect("it is not empty");
    assert_eq!((count(&value), count(&other)), (2, 1));
    drop(dictionary);
    assert_eq!(count(&value), 1);
}

#[test]
fn keys_and_members_of_python_and_numpy_go_together() {
    let dictionary = made("dict_new", "i64 : f64", &[Item::int(1), Item::float(0.5)]);
    let other = made("dict_new", "np.i64 : np.f64", &[Item::int(1), Item::float(1.5), Item::int(2), Item::float(2.5)]);
    called("dict_update", "", &[dictionary.clone(), other]).expect("they lie alike");
    assert_eq!(shown("to_repr", "object", std::slice::from_ref(&dictionary)), "{1: 1.5, 2: 2.5}");
    let list = made("list_new", "f64", &[Item::float(0.5)]);
    let other = made("list_new", "np.f64", &[Item::float(1.5)]);
    called("list_extend", "", &[list.clone(), other]).expect("they lie alike");
    assert_eq!(shown("to_repr", "object", std::slice::from_ref(&list)), "[0.5, 1.5]");
    let singles = made("list_new", "np.f32", &[Item::float(1.5)]);
    called("list_extend", "", &[list, singles]).expect_err("their dtype is another");
}

#[test]
fn empty_slots_are_bugs() {
    let dictionary = made("dict_new", "i64 : i64", &[Item::int(1), Item::int(2), Item::int(3), Item::int(4)]);
    called("dict_remove_at", "", &[dictionary.clone(), Item::int(0)]).expect("it is there");
    for slot in [-1, 0, 2, i64::MAX, i64::MIN] {
        for name in ["dict_key", "dict_value", "dict_remove_at"] {
            let failure = called(name, "", &[dictionary.clone(), Item::int(slot)]).expect_err("it is empty");
            assert_eq!(failure.kind, error_kind::RUNTIME);
        }
    }
    assert_eq!(number("dict_next", &[dictionary.clone(), Item::int(-1)]), 1);
    assert_eq!(number("dict_next", &[dictionary.clone(), Item::int(i64::MAX)]), -1);
    assert_eq!(number("dict_next", &[dictionary, Item::int(i64::MIN)]), 1);
}

#[test]
fn nan_is_a_new_key_each_time() {
    let (nan, one) = (Item::float(f64::NAN), Item::int(1));
    let dictionary = made("dict_new", "f64 : i64", &[nan.clone(), one.clone(), nan.clone(), one]);
    assert_eq!(number("dict_length", std::slice::from_ref(&dictionary)), 2);
    assert_eq!(number("dict_find", &[dictionary.clone(), nan]), -1);
    called("dict_remove_at", "", &[dictionary.clone(), Item::int(0)]).expect("it is there");
    assert_eq!(shown("to_str", "object", &[dictionary]), "{nan: 1}");
}

#[test]
fn zeros_of_both_signs_are_one_key() {
    let dictionary = made("dict_new", "f64 : i64", &[Item::float(-0.0), Item::int(1)]);
    called("dict_set", "", &[dictionary.clone(), Item::float(0.0), Item::int(2)]).expect("there is memory");
    assert_eq!(shown("to_str", "object", &[dictionary]), "{-0.0: 2}");
}

#[test]
fn key_errors_show_the_key() {
    let dictionary = made("dict_new", "( str i64 ) : i64", &[]);
    let failure = called("dict_index", "", &[dictionary, text("a'b"), Item::int(3)]).expect_err("it is not there");
    assert_eq!((failure.kind, &*failure.message, failure.is_repr), (error_kind::KEY, "(\"a'b\", 3)", true));
}

#[test]
fn dictionaries_are_no_keys() {
    let inner = made("dict_new", "i64 : i64", &[]);
    let failure = called("dict_new", "object : i64", &[inner, Item::int(1)]).expect_err("it has no hash");
    assert_eq!((failure.kind, &*failure.message), (error_kind::TYPE, "unhashable type: 'dict'"));
}

#[test]
fn lists_are_keys_as_the_tuples_that_they_are() {
    let tuple = |members: &[f64]| {
        let members: Vec<_> = members.iter().map(|x| Item::float(*x)).collect();
        made("list_new", "np.f64", &members)
    };
    let dictionary = made("dict_new", "object : i64", &[tuple(&[0.0, 2.0]), Item::int(1)]);
    called("dict_set", "", &[dictionary.clone(), tuple(&[-0.0, 2.0]), Item::int(2)]).expect("there is memory");
    called("dict_set", "", &[dictionary.clone(), tuple(&[0.5]), Item::int(3)]).expect("there is memory");
    let expected = "{(np.float64(0.0), np.float64(2.0)): 2, (np.float64(0.5),): 3}";
    assert_eq!(shown("to_str", "object", std::slice::from_ref(&dictionary)), expected);
    let failure = called("dict_index", "", &[dictionary, tuple(&[])]).expect_err("it is not there");
    assert_eq!((failure.kind, &*failure.message), (error_kind::KEY, "()"));
}

#[test]
fn bytes_follow_what_is_held() {
    let dictionary = made("dict_new", "i64 : f64", &[]);
    let Item::Reference(reference) = &dictionary else { panic!("no object") };
    let bytes = || reference.with_object(crate::Object::bytes).expect("an object");
    let empty = bytes();
    for i in 0..1000 {
        called("dict_set", "", &[dictionary.clone(), Item::int(i), Item::float(0.5)]).expect("there is memory");
    }
    assert!(bytes() > empty + 24 * 1000, "{}", bytes());
    called("dict_clear", "", std::slice::from_ref(&dictionary)).expect("it is one");
    assert_eq!(bytes(), empty);
}
