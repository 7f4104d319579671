//! Prints what single operations take, in nanoseconds.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

use numptx_abi::dtype::INT64;
use numptx_abi::object::{LIST_APPEND, LIST_GET, STRING};
use numptx_objects::{Dict, Element, Embedding, Failure, Item, Layout, List, Object, Reference, Set, Text, run};

#[derive(Clone)]
struct Counted(Rc<RefCell<Object<Counted>>>);

impl Reference for Counted {
    fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    fn is_array(&self) -> bool {
        false
    }

    fn with_object<T>(&self, look: impl FnOnce(&Object<Self>) -> T) -> Option<T> {
        Some(look(&self.0.borrow()))
    }

    fn with_object_mut<T>(&self, change: impl FnOnce(&mut Object<Self>) -> T) -> Option<T> {
        Some(change(&mut self.0.borrow_mut()))
    }
}

struct Plain;

impl Embedding<Counted> for Plain {
    fn make(&mut self, object: Object<Counted>) -> Result<Counted, Failure> {
        Ok(Counted(Rc::new(RefCell::new(object))))
    }

    fn array_text(&mut self, _: &Counted, _: bool) -> Result<String, Failure> {
        Ok(String::new())
    }
}

/// The best of five rounds of so many calls.
fn time(name: &str, count: usize, mut round: impl FnMut() -> Result<(), Failure>) -> Result<(), Failure> {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        round()?;
        best = best.min(start.elapsed().as_nanos() as f64 / count as f64);
    }
    println!("{name:40} {best:8.2} ns");
    Ok(())
}

fn scattered(i: usize) -> u64 {
    (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

fn main() -> Result<(), Failure> {
    let count = 1_000_000;
    let layout = Layout::new(&[INT64])?;
    let mut list: List<Counted> = List::new(layout.clone());
    time("List::append_word", count, || {
        list.clear();
        (0..count).try_for_each(|i| list.append_word(black_box(i as u64)))
    })?;
    time("List::get_word", count, || {
        (0..count).try_for_each(|i| black_box(list.get_word(black_box(i as i64))).map(drop))
    })?;
    let reference = Plain.make(Object::List(List::new(layout.clone())))?;
    let mut results = Vec::new();
    time("run(list_append)", count, || {
        let operands = [Item::Reference(reference.clone()), Item::int(3)];
        (0..count).try_for_each(|_| run(LIST_APPEND, &[], black_box(&operands), &mut results, &mut Plain))
    })?;
    time("run(list_get)", count, || {
        let operands = [Item::Reference(reference.clone()), Item::int(3)];
        (0..count).try_for_each(|_| {
            results.clear();
            run(LIST_GET, &[], black_box(&operands), &mut results, &mut Plain)
        })
    })?;
    for size in [100, 10_000, 1_000_000] {
        let mut dictionary: Dict<Counted> = Dict::new(layout.clone(), layout.clone());
        time(&format!("Dict::set, new keys, of {size}"), size, || {
            dictionary.clear();
            (0..size).try_for_each(|i| {
                let (key, value) = ([scattered(i)], [i as u64]);
                let value = Element { words: &value, references: &[] };
                dictionary.set(Element { words: &key, references: &[] }, value)
            })
        })?;
        time(&format!("Dict::find_word, there, of {size}"), count, || {
            (0..count).for_each(|i| _ = black_box(dictionary.find_word(scattered(i % size))));
            Ok(())
        })?;
        time(&format!("Dict::find_word, missing, of {size}"), count, || {
            (0..count).for_each(|i| _ = black_box(dictionary.find_word(scattered(i % size) + 1)));
            Ok(())
        })?;
        let mut set: Set<Counted> = Set::new(layout.clone());
        (0..size).try_for_each(|i| set.add(Element { words: &[scattered(i)], references: &[] }))?;
        time(&format!("Set::contains, there, of {size}"), count, || {
            (0..count).try_for_each(|i| {
                let key = [scattered(i % size)];
                black_box(set.contains(Element { words: &key, references: &[] })).map(drop)
            })
        })?;
    }
    texts(count, &layout)?;
    let mut sorted: List<Counted> = List::new(layout);
    time("List::sort of ints, an element", count, || {
        sorted.clear();
        (0..count).try_for_each(|i| sorted.append_word(scattered(i)))?;
        sorted.sort(false)
    })
}

fn texts(count: usize, value: &Layout) -> Result<(), Failure> {
    let mut dictionary: Dict<Counted> = Dict::new(Layout::new(&[STRING])?, value.clone());
    let mut keys = Vec::new();
    for i in 0..1000 {
        let key = [Some(Plain.make(Object::Str(Text::from(format!("key {i}"))))?)];
        dictionary.set(Element { words: &[], references: &key }, Element { words: &[i], references: &[] })?;
        keys.push([Some(Plain.make(Object::Str(Text::from(format!("key {i}"))))?)]);
    }
    time("Dict::find of strings, of 1000", count, || {
        (0..count)
            .try_for_each(|i| black_box(dictionary.find(Element { words: &[], references: &keys[i % 1000] })).map(drop))
    })
}
