//! Operations give what CPython gives: `sequences.py` writes operations with results, which are carried out here with references of a test's own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use numptx_abi::error_kind;
use numptx_abi::object::{OPERATIONS, operation_named, parse_layout};
use numptx_objects::{Embedding, Failure, Item, Object, Reference, Text, run};

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

struct Tests;

impl Embedding<Counted> for Tests {
    fn make(&mut self, object: Object<Counted>) -> Result<Counted, Failure> {
        Ok(Counted(Rc::new(RefCell::new(object))))
    }

    fn array_text(&mut self, _: &Counted, _: bool) -> Result<String, Failure> {
        Err(Failure::value("there are no arrays"))
    }
}

fn unhex(hex: &str) -> String {
    let bytes = (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hexadecimal"));
    String::from_utf8(bytes.collect()).expect("UTF-8")
}

fn word(hex: &str) -> u64 {
    u64::from_str_radix(hex, 16).expect("hexadecimal")
}

fn int(text: &str) -> u64 {
    text.parse::<i128>().expect("an int") as u64
}

fn operand(text: &str, objects: &HashMap<String, Item<Counted>>) -> Item<Counted> {
    let (kind, rest) = text.split_once(':').expect("an operand has a kind");
    match kind {
        "i" => Item::Words([int(rest), 0]),
        "f" => Item::Words([word(rest), 0]),
        "c" => {
            let (real, imaginary) = rest.split_once(':').expect("two parts");
            Item::Words([word(real), word(imaginary)])
        }
        "s" => Item::Reference(Counted(Rc::new(RefCell::new(Object::Str(Text::from(unhex(rest))))))),
        _ => objects[rest].clone(),
    }
}

fn exception(failure: &Failure) -> String {
    let name = match failure.kind {
        error_kind::VALUE => "ValueError",
        error_kind::INDEX => "IndexError",
        error_kind::KEY => "KeyError",
        error_kind::TYPE => "TypeError",
        error_kind::OVERFLOW => "OverflowError",
        error_kind::RUNTIME => "RuntimeError",
        _ => "another exception",
    };
    match failure.kind {
        error_kind::KEY if !failure.is_repr => format!("{name}: '{}'", failure.message),
        _ => format!("{name}: {}", failure.message),
    }
}

/// What a result is, as it is written in a line.
fn shown(item: &Item<Counted>, expected: &str) -> String {
    match (item, expected.split_once(':').expect("a result has a kind").0) {
        (Item::Words([word, _]), "i") => format!("{}", *word as i64),
        (Item::Words([word, _]), "f") => match f64::from_bits(*word) {
            x if x.is_nan() => "nan".into(),
            x => format!("{x:?}"),
        },
        (Item::Words([real, imaginary]), _) => format!("{real:x} {imaginary:x}"),
        (Item::Reference(reference), _) => match &*reference.0.borrow() {
            Object::Str(text) => text.as_str().to_string(),
            _ => "an object".into(),
        },
    }
}

/// Carries a line out; what is wrong, if something is.
fn check(line: &str, objects: &mut HashMap<String, Item<Counted>>) -> Option<String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, layout, operands, expected] = fields[..] else { return Some("not four fields".into()) };
    let code = operation_named(name)?;
    let layout = parse_layout(layout).expect("a layout");
    let operands: Vec<_> = operands.split_whitespace().map(|text| operand(text, objects)).collect();
    let expected: Vec<&str> = expected.split_whitespace().collect();
    let mut results = Vec::new();
    let outcome = run(code, &layout, &operands, &mut results, &mut Tests);
    if let [error] = expected[..]
        && let Some(error) = error.strip_prefix('!')
    {
        let (kind, message) = error.split_once(':').expect("an exception has a message");
        let wanted = format!("{kind}: {}", unhex(message));
        let found = outcome.map_or_else(|failure| exception(&failure), |()| "no exception".into());
        return (found != wanted).then(|| format!("{found:?}, not {wanted:?}"));
    }
    if let Err(failure) = outcome {
        return Some(exception(&failure));
    }
    if results.len() != expected.len() {
        return Some(format!("{} results, not {}", results.len(), expected.len()));
    }
    for (result, expected) in results.into_iter().zip(expected) {
        if let Some(name) = expected.strip_prefix("r:") {
            objects.insert(name.into(), result);
            continue;
        }
        let (found, wanted) = (shown(&result, expected), shown(&operand(expected, objects), expected));
        if found != wanted {
            return Some(format!("{found:?}, not {wanted:?}"));
        }
    }
    None
}

/// Operations that no line has: a constant's text is in its layout, the others are the runtime's own.
const ELSEWHERE: [&str; 7] = ["str_constant", "list_to_array", "list_from_array", "print", "caught", "settle", "raise"];

#[test]
fn operations_give_what_python_gives() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sequences.py");
    let seed = std::env::var("NUMPTX_TEST_SEED").unwrap_or_else(|_| "20".into());
    let output = Command::new("python3").arg(script).arg(seed).output().expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("lines are UTF-8");
    let mut objects = HashMap::new();
    let mut wrong = Vec::new();
    for (number, line) in lines.lines().enumerate() {
        if let Some(problem) = check(line, &mut objects) {
            let fields: Vec<&str> = line.split('\t').collect();
            let operands: Vec<String> = fields[2].split(' ').map(readable).collect();
            let line = format!("{}: {} {} ({}): {problem}", number + 1, fields[0], fields[1], operands.join(" "));
            wrong.push(line.chars().take(500).collect::<String>());
        }
    }
    assert!(wrong.is_empty(), "{} lines differ\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    let unused = OPERATIONS.iter().map(|row| row.name).filter(|name| !lines.contains(&format!("{name}\t")));
    // Random numbers are held against NumPy's by tests/random.
    let unused = unused.filter(|name| !ELSEWHERE.contains(name) && !name.starts_with("random_"));
    let unused: Vec<&str> = unused.collect();
    assert!(unused.is_empty(), "no line has {unused:?}");
}

fn readable(operand: &str) -> String {
    match operand.split_once(':') {
        Some(("s", hex)) => format!("{:?}", unhex(hex)),
        Some(("f", hex)) => format!("{:?}", f64::from_bits(word(hex))),
        _ => operand.into(),
    }
}
