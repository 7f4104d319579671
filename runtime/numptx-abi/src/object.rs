//! Layouts: how an element of a list, or a key or value of a dictionary, is flattened to leaves.
//!
//! An element has one static type. In pre-order its type is a string of codes, one byte each: a code for each leaf, and a pair of bracket marks
//! around those of a tuple. A leaf that is a scalar is held in words, one that is a string, an array, or another object in a reference; `None` has
//! no data, and takes no operand. The layout of a dictionary is that of its keys, [`VALUE`], and that of its values.
//! What can be done with objects stands in the table of operations, [`OPERATIONS`].

pub use crate::operation::*;

/// A scalar of Python's has the code of its [`crate::dtype`]; of NumPy's, that code and this bit. The family only changes how `repr` writes it.
pub const NUMPY: u8 = 16;
/// A string: a reference.
pub const STRING: u8 = 32;
/// An array: a reference, to a view with its buffer.
pub const ARRAY: u8 = 33;
/// A list, dictionary or set: a reference.
pub const OBJECT: u8 = 34;
/// `None`: a leaf without data.
pub const NONE: u8 = 35;
/// A tuple begins; no leaf.
pub const OPEN: u8 = 36;
/// A tuple ends; no leaf.
pub const CLOSE: u8 = 37;
/// Between the keys' layout and the values' one of a dictionary; no leaf.
pub const VALUE: u8 = 38;
/// In descriptions of parameters: a list, of the member that follows. Descriptions are those of members: codes of leaves and marks as in layouts, where
/// an array is followed by its dtype and its rank, and other objects stand as they are described themselves.
pub const LIST: u8 = 48;
/// In descriptions: a dictionary, of the key and the value that follow.
pub const DICTIONARY: u8 = 49;
/// In descriptions: a set, of the member that follows.
pub const SET: u8 = 50;
/// In descriptions of results: a list that becomes a tuple.
pub const TUPLE: u8 = 51;
/// In descriptions of results: a list that becomes a `collections.deque`.
pub const DEQUE: u8 = 52;
/// In descriptions of results: a dictionary that becomes a `collections.Counter`.
pub const COUNTER: u8 = 53;
/// In descriptions of results: a dictionary that becomes a `collections.defaultdict`. The name of what makes missing values follows, one of the builtins
/// or of `collections`, with a final null; then the key and the value.
pub const DEFAULT: u8 = 54;
/// In descriptions of results: a tuple that becomes an instance of a class. A text follows as [`crate::Overload::results`] has it, with a final null;
/// then the fields as members of a tuple are, and [`CLOSE`].
pub const RECORD: u8 = 55;

/// In descriptions of parameters: a `numpy.random.Generator`, whose state is a list of words of `uint64`.
pub const GENERATOR: u8 = 56;
/// In descriptions of parameters: a `numpy.random.RandomState`, likewise.
pub const RANDOM_STATE: u8 = 57;
/// In descriptions of parameters: the `RandomState` that the functions of `numpy.random` draw of, likewise. It is the last parameter of all; no caller
/// passes it, but the binding.
pub const RANDOM_GLOBAL: u8 = 58;

/// The scalars' words in text, by the codes of [`crate::dtype`].
const SCALARS: [&str; 14] =
    ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "c64", "c128", "f16"];

/// The words of what is no scalar, from [`STRING`] on.
const OTHERS: [&str; 7] = ["str", "array", "object", "none", "(", ")", ":"];

/// Whether a code is one.
pub const fn is_known(code: u8) -> bool {
    is_scalar(code) || (code >= STRING && code <= VALUE)
}

/// Whether a leaf is a scalar.
pub const fn is_scalar(code: u8) -> bool {
    code & !NUMPY < SCALARS.len() as u8
}

/// Whether a leaf is a scalar of NumPy's.
pub const fn is_numpy(code: u8) -> bool {
    is_scalar(code) && code & NUMPY != 0
}

/// The dtype of a scalar.
pub const fn dtype_of(code: u8) -> u8 {
    code & !NUMPY
}

/// Whether a leaf is held in a reference.
pub const fn is_reference(code: u8) -> bool {
    matches!(code, STRING | ARRAY | OBJECT)
}

/// How many words of 64 bits hold a leaf: two of a complex number, its real and its imaginary part, one of other scalars, none of the rest.
pub const fn words(code: u8) -> usize {
    match dtype_of(code) {
        _ if !is_scalar(code) => 0,
        crate::dtype::COMPLEX64 | crate::dtype::COMPLEX128 => 2,
        _ => 1,
    }
}

/// The text of a code.
fn word(code: u8) -> Option<String> {
    if is_scalar(code) {
        let family = if is_numpy(code) { "np." } else { "" };
        return Some(format!("{family}{}", SCALARS[usize::from(dtype_of(code))]));
    }
    OTHERS.get(usize::from(code.checked_sub(STRING)?)).map(|word| (*word).to_string())
}

/// The code of a word.
fn code(word: &str) -> Option<u8> {
    let place = |words: &[&str], word: &str| words.iter().position(|w| *w == word).map(|at| at as u8);
    if let Some(scalar) = word.strip_prefix("np.") {
        return Some(place(&SCALARS, scalar)? | NUMPY);
    }
    place(&SCALARS, word).or_else(|| Some(place(&OTHERS, word)? + STRING))
}

/// A layout in text: its codes' words with blanks between them. `None` where a byte is no code.
pub fn layout_text(layout: &[u8]) -> Option<String> {
    let words: Option<Vec<String>> = layout.iter().map(|code| word(*code)).collect();
    Some(words?.join(" "))
}

/// A layout of its text. `None` where a word is unknown, or a bracket has no other.
pub fn parse_layout(text: &str) -> Option<Vec<u8>> {
    let layout: Vec<u8> = text.split_whitespace().map(code).collect::<Option<_>>()?;
    is_balanced(&layout).then_some(layout)
}

/// Whether each bracket of a layout has another one, on the same side of [`VALUE`].
pub fn is_balanced(layout: &[u8]) -> bool {
    let mut depth = 0_usize;
    for code in layout {
        match *code {
            OPEN => depth += 1,
            CLOSE if depth == 0 => return false,
            CLOSE => depth -= 1,
            VALUE if depth > 0 => return false,
            _ => {}
        }
    }
    depth == 0
}
