//! No operands make an operation panic, be they what it takes or not; what an object holds stays whole.

use std::cell::RefCell;
use std::rc::Rc;

use numptx_abi::object::{OPERATIONS, Part, parse_layout};
use numptx_objects::{Embedding, Failure, Item, Layout, Object, Reference, Text, run};

#[derive(Clone)]
struct Counted(Option<Rc<RefCell<Object<Counted>>>>);

impl Reference for Counted {
    fn same(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(a), Some(b)) if Rc::ptr_eq(a, b))
    }

    fn is_array(&self) -> bool {
        self.0.is_none()
    }

    fn with_object<T>(&self, look: impl FnOnce(&Object<Self>) -> T) -> Option<T> {
        self.0.as_ref().map(|object| look(&object.borrow()))
    }

    fn with_object_mut<T>(&self, change: impl FnOnce(&mut Object<Self>) -> T) -> Option<T> {
        self.0.as_ref().map(|object| change(&mut object.borrow_mut()))
    }
}

/// What needs arrays, a place to write to or a call to end: the runtime's and the interpreter's own operations.
const OF_THE_EMBEDDING: [&str; 7] =
    ["list_to_array", "list_from_array", "print", "caught", "settle", "raise", "random_draw_array"];

struct Tests;

impl Embedding<Counted> for Tests {
    fn make(&mut self, object: Object<Counted>) -> Result<Counted, Failure> {
        Ok(Counted(Some(Rc::new(RefCell::new(object)))))
    }

    fn array_text(&mut self, _: &Counted, _: bool) -> Result<String, Failure> {
        Ok("[]".into())
    }
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

const LAYOUTS: [&str; 12] = [
    "i64",
    "f64",
    "np.f32",
    "str",
    "array",
    "none",
    "( i64 str )",
    "( ( f64 c128 ) none )",
    "bool : str",
    "str : f64",
    "c64",
    "( i64 i64 i64 i64 i64 i64 i64 i64 i64 array ) : object",
];

fn pool(random: &mut Random) -> Vec<Counted> {
    let mut pool = vec![Counted(None)];
    for text in ["", "a", "é😀", "%5.2f", "08.3e", "12", "nan", "\n\t ", "%c", "x<5"] {
        pool.extend(Tests.make(Object::Str(Text::from(text.to_string()))));
    }
    for _ in 0..20 {
        for name in ["list_new", "dict_new", "set_new"] {
            let layout = parse_layout(random.of(&LAYOUTS)).expect("a layout");
            pool.extend(made(name, &layout, &[]));
        }
    }
    for seed in 0..30 {
        pool.extend(generator(seed));
    }
    pool
}

/// The object that an operation gives, if it does.
fn made(name: &str, layout: &[u8], operands: &[Item<Counted>]) -> Option<Counted> {
    let code = numptx_abi::object::operation_named(name).expect("an operation");
    let mut results = Vec::new();
    run(code, layout, operands, &mut results, &mut Tests).ok()?;
    results.into_iter().find_map(|item| match item {
        Item::Reference(reference) => Some(reference),
        Item::Words(_) => None,
    })
}

/// The state of a seeded generator.
fn generator(seed: i64) -> Option<Counted> {
    let ints = parse_layout("i64").expect("a layout");
    let entropy = made("list_new", &ints, &[Item::int(seed)])?;
    let key = made("list_new", &ints, &[])?;
    let operands = [Item::Reference(entropy), Item::Reference(key), Item::int(4)];
    let sequence = made("random_sequence", &ints, &operands)?;
    made("random_new", &ints, &[Item::Reference(sequence), Item::int(seed % 5)])
}

fn scalar(random: &mut Random) -> Item<Counted> {
    let floats = [0.0, -0.0, f64::NAN, f64::INFINITY, 1.5, 1e300];
    match random.below(3) {
        0 => Item::float(random.of(&floats)),
        1 => Item::int(random.of(&[i64::MAX, i64::MIN, 0xffff, 970])),
        _ => Item::int(random.below(7) as i64 - 3),
    }
}

/// Operands of an object's layout, with strings and arrays for references: lists in lists could end up in themselves.
fn leaves(codes: &[u8], pool: &[Counted], random: &mut Random, operands: &mut Vec<Item<Counted>>) {
    for code in codes {
        if numptx_abi::object::words(*code) > 0 {
            operands.push(scalar(random));
        } else if numptx_abi::object::is_reference(*code) {
            operands.push(Item::Reference(pool[random.below(11)].clone()));
        }
    }
}

/// What an operation takes, of objects of the kinds that it names, mostly.
fn fitting(parts: &[Part], layout: &[u8], pool: &[Counted], random: &mut Random) -> Vec<Item<Counted>> {
    let mut operands = Vec::new();
    let (mut element, mut key, mut value) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let wanted = |object: &Object<Counted>| match (part, object) {
            (Part::Str, Object::Str(_)) => true,
            (Part::List, Object::List(list)) => element.is_empty() || list.layout().codes() == element,
            (Part::Set, Object::Set(set)) => element.is_empty() || set.layout().codes() == element,
            (Part::Dict, Object::Dict(_)) => true,
            _ => false,
        };
        match part {
            Part::Int | Part::Bool | Part::Float => operands.push(scalar(random)),
            Part::Leaves if element.is_empty() => leaves(layout, pool, random, &mut operands),
            Part::Leaves => leaves(&element, pool, random, &mut operands),
            Part::Key => leaves(&key, pool, random, &mut operands),
            Part::Value => leaves(&value, pool, random, &mut operands),
            Part::Array => operands.push(Item::Reference(pool[0].clone())),
            Part::Many => (0..random.below(4)).for_each(|_| leaves(layout, pool, random, &mut operands)),
            Part::List | Part::Dict | Part::Set | Part::Str => {
                let mut found = random.of(pool);
                for _ in 0..200 {
                    if found.with_object(wanted) == Some(true) {
                        break;
                    }
                    found = random.of(pool);
                }
                let layouts = found.with_object(|object| match object {
                    Object::List(list) => [list.layout().codes().to_vec(), Vec::new(), Vec::new()],
                    Object::Set(set) => [set.layout().codes().to_vec(), Vec::new(), Vec::new()],
                    Object::Dict(dict) => {
                        [Vec::new(), dict.key_layout().codes().to_vec(), dict.value_layout().codes().to_vec()]
                    }
                    Object::Str(_) => [Vec::new(), Vec::new(), Vec::new()],
                });
                [element, key, value] = layouts.unwrap_or_default();
                operands.push(Item::Reference(found));
            }
        }
    }
    operands
}

fn check(object: &Object<Counted>) {
    let length = |layout: &Layout, words: usize| words.checked_div(layout.words());
    match object {
        Object::List(list) => {
            assert!(length(list.layout(), list.words().len()).is_none_or(|found| found == list.len()));
            assert!((0..list.len().min(500) as i64).all(|i| list.get(i).is_ok()));
        }
        Object::Dict(dictionary) => {
            let slots = std::iter::successors(dictionary.next(-1), |slot| dictionary.next(*slot as i64));
            assert_eq!(slots.filter(|slot| dictionary.value_at(*slot as i64).is_ok()).count(), dictionary.len());
        }
        Object::Set(set) => {
            let slots = std::iter::successors(set.next(-1), |slot| set.next(*slot as i64));
            assert_eq!(slots.filter(|slot| set.key_at(*slot as i64).is_ok()).count(), set.len());
        }
        Object::Str(text) => assert_eq!(text.len(), text.as_str().chars().count()),
    }
    assert!(object.bytes() > 0);
}

#[test]
fn nothing_panics() {
    let mut random = Random(7);
    let mut succeeded = vec![0; OPERATIONS.len()];
    for _ in 0..8 {
        let mut pool = pool(&mut random);
        for round in 0..20_000 {
            let code = random.below(OPERATIONS.len());
            let row = &OPERATIONS[code];
            let layout = parse_layout(random.of(&LAYOUTS)).expect("a layout");
            let mut operands = fitting(row.operands, &layout, &pool, &mut random);
            if round % 8 == 0 && !operands.is_empty() {
                let at = random.below(operands.len());
                match random.below(4) {
                    3 if row.name.starts_with("list") => {}
                    3 => operands[at] = Item::Reference(random.of(&pool)),
                    0 => drop(operands.remove(at)),
                    1 => operands[at] = scalar(&mut random),
                    _ => operands.push(Item::Reference(random.of(&pool[..11]))),
                }
            }
            let mut results = Vec::new();
            let outcome = run(code as u32, &layout, &operands, &mut results, &mut Tests);
            succeeded[code] += usize::from(outcome.is_ok());
            for item in operands.iter().chain(&results) {
                if let Item::Reference(reference) = item {
                    reference.with_object(check);
                    // What is repeated in place again and again would take all time.
                    reference.with_object_mut(|object| match object {
                        Object::List(list) if list.len() > 200 => list.clear(),
                        _ => {}
                    });
                }
            }
            for result in results {
                if let Item::Reference(reference) = result
                    && pool.len() < 300
                    && reference.with_object(Object::bytes).is_some_and(|bytes| bytes < 5000)
                {
                    pool.push(reference);
                }
            }
        }
    }
    let never = OPERATIONS.iter().zip(&succeeded).filter(|(_, n)| **n == 0).map(|(row, _)| row.name);
    let never: Vec<&str> = never.filter(|name| !OF_THE_EMBEDDING.contains(name)).collect();
    assert!(never.is_empty(), "{never:?} never succeeded");
}

/// What no memory has room for is refused, and nothing is asked of the allocator that ends the process.
#[test]
fn draws_without_room_are_refused() {
    const HUGE: i64 = 1 << 57;
    let ints = parse_layout("i64").expect("a layout");
    let state = || Item::Reference(generator(1).expect("a generator"));
    let colors = made("list_new", &ints, &[Item::int(HUGE), Item::int(5)]).expect("a list");
    let key = || made("list_new", &ints, &[]).map(Item::Reference).expect("a list");
    let sequence = made("random_sequence", &ints, &[key(), key(), Item::int(4)]).expect("a sequence");
    let memory = Some(numptx_abi::error_kind::MEMORY);
    let calls = [
        ("random_draw_order", vec![state(), Item::int(HUGE), Item::int(1)], memory),
        // Of nothing there is one order, however often.
        ("random_draw_order", vec![state(), Item::int(0), Item::int(HUGE)], None),
        ("random_draw_sample", vec![state(), Item::int(HUGE), Item::int(HUGE / 2), Item::int(1)], memory),
        (
            "random_draw_several",
            vec![state(), state(), Item::int(2), Item::int(3), Item::Reference(colors), Item::int(1)],
            memory,
        ),
        ("random_words", vec![Item::Reference(sequence), Item::int(HUGE), Item::int(0)], memory),
    ];
    for (name, operands, expected) in calls {
        let code = numptx_abi::object::operation_named(name).expect("an operation");
        let outcome = run(code, &ints, &operands, &mut Vec::new(), &mut Tests);
        assert_eq!(outcome.err().map(|failure| failure.kind), expected, "{name}");
    }
}

/// A state that gives the same number for ever would keep a draw that rejects numbers from ending.
#[test]
fn a_state_that_does_not_change_is_refused() {
    let ints = parse_layout("i64").expect("a layout");
    let zeros = vec![Item::int(0); 8];
    let state = Item::Reference(made("list_new", &ints, &zeros).expect("a list"));
    let code = numptx_abi::object::operation_named("random_draw_order").expect("an operation");
    let outcome = run(code, &ints, &[state, Item::int(3), Item::int(1)], &mut Vec::new(), &mut Tests);
    assert_eq!(outcome.err().map(|failure| failure.kind), Some(numptx_abi::error_kind::VALUE));
}
