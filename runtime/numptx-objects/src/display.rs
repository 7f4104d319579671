//! `str` and `repr` of leaves, tuples and whole objects.
//!
//! A scalar alone is written as Python's and NumPy's `str` write it; inside of tuples and containers, and by `repr`, a scalar of NumPy's has its type
//! around it. Arrays are the embedding's to write.

use numptx_abi::message::{float_text, shortest};
use numptx_abi::object;
use numptx_abi::{dtype, half};

use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::layout::{Layout, Leaf};
use crate::object::{Embedding, Object, Reference};
use crate::output::Output;
use crate::text::is_printable;

/// From how many digits before the point on NumPy writes single floats with an exponent.
const SINGLE_DIGITS: i32 = 6;

/// The same of floats of 16 bits.
const HALF_DIGITS: i32 = 3;

/// Who writes arrays.
type Arrays<'a, R> = &'a mut dyn FnMut(&R, bool) -> Outcome<String>;

/// The text of an element, `repr` or `str`.
pub(crate) fn element_text<R: Reference>(
    layout: &Layout,
    element: Element<'_, R>,
    is_repr: bool,
    embedding: &mut impl Embedding<R>,
) -> Outcome<String> {
    let arrays: Arrays<'_, R> = &mut |array, is_repr| embedding.array_text(array, is_repr);
    let mut writer = Writer { output: Output::new(), arrays, is_in_key: false };
    writer.element(layout, element, is_repr)?;
    Ok(writer.output.done())
}

/// The `repr` of a key.
pub(crate) fn key_text<R: Reference>(layout: &Layout, element: Element<'_, R>) -> Outcome<String> {
    message_text(layout, element, true)
}

/// The `repr` of an element for a message, which does not show arrays.
pub(crate) fn member_text<R: Reference>(layout: &Layout, element: Element<'_, R>) -> Outcome<String> {
    message_text(layout, element, false)
}

fn message_text<R: Reference>(layout: &Layout, element: Element<'_, R>, is_in_key: bool) -> Outcome<String> {
    let mut writer = Writer { output: Output::new(), arrays: &mut |_, _| Ok("array(...)".into()), is_in_key };
    writer.element(layout, element, true)?;
    Ok(writer.output.done())
}

struct Writer<'a, R> {
    output: Output,
    arrays: Arrays<'a, R>,
    /// Whether lists are tuples of the program: in keys, and in members of sets.
    is_in_key: bool,
}

impl<R: Reference> Writer<'_, R> {
    fn element(&mut self, layout: &Layout, element: Element<'_, R>, is_repr: bool) -> Outcome<()> {
        // How many parts of each open tuple are written.
        let mut counts: Vec<usize> = Vec::new();
        for leaf in layout.leaves(element) {
            if matches!(leaf, Leaf::Close) {
                self.output.push(if counts.pop() == Some(1) { ",)" } else { ")" })?;
                continue;
            }
            if let Some(count) = counts.last_mut() {
                if *count > 0 {
                    self.output.push(", ")?;
                }
                *count += 1;
            }
            let is_repr = is_repr || !counts.is_empty();
            match leaf {
                Leaf::Open => {
                    self.output.push("(")?;
                    counts.push(0);
                }
                Leaf::Close => {}
                Leaf::None => self.output.push("None")?,
                Leaf::Scalar(code, words) => self.output.push(&scalar_text(code, words, is_repr))?,
                Leaf::Reference(_, reference) if reference.is_array() => {
                    let text = (self.arrays)(reference, is_repr)?;
                    self.output.push(&text)?;
                }
                Leaf::Reference(_, reference) => {
                    let written = reference.with_object(|object| self.object(object, is_repr));
                    written.unwrap_or_else(|| Err(Failure::bug("a reference to nothing")))?;
                }
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Object<R>, is_repr: bool) -> Outcome<()> {
        match object {
            Object::Str(text) if is_repr => write_text_repr(text.as_str(), &mut self.output),
            Object::Str(text) => self.output.push(text.as_str()),
            Object::Set(set) if set.is_empty() => self.output.push("set()"),
            Object::Set(set) => {
                self.output.push("{")?;
                for (i, element) in set.iter().enumerate() {
                    self.separated(i)?;
                    self.key(&set.layout, element)?;
                }
                self.output.push("}")
            }
            Object::List(list) if self.is_in_key => {
                self.output.push("(")?;
                for (i, element) in list.elements.iter().enumerate() {
                    self.separated(i)?;
                    self.element(&list.layout, element, true)?;
                }
                self.output.push(if list.len() == 1 { ",)" } else { ")" })
            }
            Object::List(list) => {
                self.output.push(if list.deque.is_some() { "deque([" } else { "[" })?;
                for (i, element) in list.elements.iter().enumerate() {
                    self.separated(i)?;
                    self.element(&list.layout, element, true)?;
                }
                self.output.push("]")?;
                match (list.deque, list.limit()) {
                    (None, _) => Ok(()),
                    (Some(_), -1) => self.output.push(")"),
                    (Some(_), limit) => self.output.push(&format!(", maxlen={limit})")),
                }
            }
            Object::Dict(dictionary) => {
                self.output.push("{")?;
                for (i, (key, value)) in dictionary.pairs().enumerate() {
                    self.separated(i)?;
                    self.key(&dictionary.key, key)?;
                    self.output.push(": ")?;
                    self.element(&dictionary.value, value, true)?;
                }
                self.output.push("}")
            }
        }
    }

    /// A key of a dictionary, or a member of a set.
    fn key(&mut self, layout: &Layout, element: Element<'_, R>) -> Outcome<()> {
        let was_in_key = std::mem::replace(&mut self.is_in_key, true);
        self.element(layout, element, true)?;
        self.is_in_key = was_in_key;
        Ok(())
    }

    fn separated(&mut self, i: usize) -> Outcome<()> {
        if i > 0 { self.output.push(", ") } else { Ok(()) }
    }
}

/// The text of a scalar.
pub(crate) fn scalar_text(code: u8, words: [u64; 2], is_repr: bool) -> String {
    let text = plain_text(object::dtype_of(code), words);
    if !is_repr || !object::is_numpy(code) {
        return text;
    }
    match object::dtype_of(code) {
        dtype::BOOL => format!("np.{text}_"),
        dtype::COMPLEX64 | dtype::COMPLEX128 => {
            let bare = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
            format!("{}({bare})", numpy_name(code))
        }
        _ => format!("{}({text})", numpy_name(code)),
    }
}

/// What NumPy's `repr` calls a type.
fn numpy_name(code: u8) -> String {
    crate::compare::scalar_type(code).replace("numpy", "np")
}

fn plain_text(dtype: u8, words: [u64; 2]) -> String {
    let single = |word: u64| single_text(f32::from_bits(word as u32));
    let double = |word: u64| float_text(f64::from_bits(word));
    match dtype {
        dtype::BOOL => if words[0] == 0 { "False" } else { "True" }.into(),
        dtype::UINT64 => words[0].to_string(),
        dtype::FLOAT16 => half_text(words[0] as u16),
        dtype::FLOAT32 => single(words[0]),
        dtype::FLOAT64 => double(words[0]),
        dtype::COMPLEX64 => complex_text(words[0] as u32 == 0, &single(words[0]), &single(words[1])),
        dtype::COMPLEX128 => complex_text(words[0] == 0, &double(words[0]), &double(words[1])),
        _ => (words[0] as i64).to_string(),
    }
}

/// A single float as NumPy writes it: the one nearest to 0.0001 is less, and so has an exponent.
fn single_text(x: f32) -> String {
    if x.abs() == 1e-4 { if x < 0.0 { "-1e-04" } else { "1e-04" }.into() } else { shortest(x, SINGLE_DIGITS) }
}

/// A float of 16 bits as NumPy writes it: with the fewest digits that give it back. Of two numbers as near with so many digits it is the one that does.
fn half_text(bits: u16) -> String {
    let x = half::to_f64(bits);
    let farther = f64::from_bits(x.to_bits().wrapping_add(1));
    let mut candidates = (0..5_usize).flat_map(|digits| [x, farther].map(|near| format!("{near:.digits$e}")));
    let found = candidates.find_map(|text| {
        let decimal: f64 = text.parse().ok()?;
        (half::from_f64(decimal) == bits).then_some(decimal)
    });
    shortest(found.unwrap_or(x), HALF_DIGITS)
}

/// Both parts as floats, without the digit that whole ones have behind the point.
fn complex_text(has_no_real: bool, real: &str, imaginary: &str) -> String {
    let whole = |part: &str| part.strip_suffix(".0").map(String::from);
    let real = whole(real).unwrap_or_else(|| real.into());
    let imaginary = whole(imaginary).unwrap_or_else(|| imaginary.into());
    if has_no_real {
        return format!("{imaginary}j");
    }
    let sign = if imaginary.starts_with('-') { "" } else { "+" };
    format!("({real}{sign}{imaginary}j)")
}

/// The `repr` of a text for a message.
pub(crate) fn text_repr(text: &str) -> String {
    let mut output = Output::new();
    match write_text_repr(text, &mut output) {
        Ok(()) => output.done(),
        Err(_) => "'...'".into(),
    }
}

fn write_text_repr(text: &str, output: &mut Output) -> Outcome<()> {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    output.character(quote)?;
    for c in text.chars() {
        match c {
            '\n' => output.push("\\n")?,
            '\r' => output.push("\\r")?,
            '\t' => output.push("\\t")?,
            '\\' => output.push("\\\\")?,
            c if c == quote => {
                output.character('\\')?;
                output.character(c)?;
            }
            c if is_printable(c) => output.character(c)?,
            c => output.push(&escaped(c))?,
        }
    }
    output.character(quote)
}

/// A character by its code point.
pub(crate) fn escaped(c: char) -> String {
    match u32::from(c) {
        code @ ..=0xff => format!("\\x{code:02x}"),
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::Item;
    use crate::testing::{array, called, made, shown, text};

    fn single(x: f32) -> Item<crate::testing::Counted> {
        Item::Words([u64::from(x.to_bits()), 0])
    }

    #[test]
    fn scalars_of_numpy_have_their_type_in_repr() {
        let half = Item::float(0.5);
        assert_eq!(shown("to_str", "np.f64", std::slice::from_ref(&half)), "0.5");
        assert_eq!(shown("to_repr", "np.f64", std::slice::from_ref(&half)), "np.float64(0.5)");
        assert_eq!(shown("to_repr", "f64", &[half]), "0.5");
        assert_eq!(shown("to_repr", "np.bool", &[Item::int(1)]), "np.True_");
        assert_eq!(shown("to_str", "np.bool", &[Item::int(1)]), "True");
        assert_eq!(shown("to_repr", "np.i8", &[Item::int(-3)]), "np.int8(-3)");
        assert_eq!(shown("to_repr", "np.u64", &[Item::int(-1)]), "np.uint64(18446744073709551615)");
        assert_eq!(shown("to_repr", "np.f32", &[single(0.1)]), "np.float32(0.1)");
        assert_eq!(shown("to_str", "np.f32", &[single(1e6)]), "1e+06");
        assert_eq!(shown("to_str", "np.f32", &[single(999000.0)]), "999000.0");
        assert_eq!(shown("to_str", "np.f32", &[single(-1e-4)]), "-1e-04");
        assert_eq!(shown("format", "np.f32", &[text(""), single(0.1)]), "0.10000000149011612");
        let complex = |x: f64, y: f64| Item::Words([x.to_bits(), y.to_bits()]);
        assert_eq!(shown("to_repr", "np.c128", &[complex(1.0, 2.0)]), "np.complex128(1+2j)");
        assert_eq!(shown("to_repr", "np.c128", &[complex(-0.0, 1.0)]), "np.complex128(-0+1j)");
        assert_eq!(shown("to_repr", "np.c128", &[complex(0.0, 1.0)]), "np.complex128(1j)");
        assert_eq!(shown("to_str", "np.c128", &[complex(f64::NAN, f64::NEG_INFINITY)]), "(nan-infj)");
        let parts = Item::Words([u64::from(1e20_f32.to_bits()), u64::from(0.1_f32.to_bits())]);
        assert_eq!(shown("to_str", "np.c64", &[parts]), "(1e+20+0.1j)");
    }

    #[test]
    fn half_floats_have_the_digits_that_tell_them_apart() {
        let texts = [
            (0x0000, "0.0"),
            (0x8000, "-0.0"),
            (0x0001, "6e-08"),
            (0x068d, "9.996e-05"),
            (0x068e, "0.0001"),
            (0x2400, "0.01563"),
            (0x2e66, "0.1"),
            (0xbc00, "-1.0"),
            (0x63cf, "999.5"),
            (0x63d0, "1e+03"),
            (0x63d1, "1.0005e+03"),
            (0x7bff, "6.55e+04"),
            (0xfc00, "-inf"),
            (0x7e00, "nan"),
            (0xfe00, "nan"),
        ];
        for (bits, expected) in texts {
            let half = Item::Words([bits, 0]);
            assert_eq!(shown("to_str", "np.f16", std::slice::from_ref(&half)), expected);
            assert_eq!(shown("to_repr", "np.f16", &[half]), format!("np.float16({expected})"));
        }
        let tenth = Item::Words([0x2e66, 0]);
        assert_eq!(shown("format", "np.f16", &[text(""), tenth.clone()]), "0.0999755859375");
        assert_eq!(shown("format", "np.f16", &[text(".3f"), tenth]), "0.100");
    }

    #[test]
    fn parts_of_containers_are_written_by_repr() {
        let list = made("list_new", "np.f32", &[single(0.5), single(2.0)]);
        assert_eq!(shown("to_str", "object", std::slice::from_ref(&list)), "[np.float32(0.5), np.float32(2.0)]");
        let operands = [Item::int(1), text("it's"), list, array("[1 2]")];
        let expected = "(1, (\"it's\", [np.float32(0.5), np.float32(2.0)]), array([1 2]), None, ())";
        assert_eq!(shown("to_str", "( i64 ( str object ) array none ( ) )", &operands), expected);
        assert_eq!(shown("to_str", "array", &[array("[1 2]")]), "[1 2]");
        assert_eq!(shown("to_str", "none", &[]), "None");
        assert_eq!(shown("to_repr", "( none )", &[]), "(None,)");
    }

    #[test]
    fn arrays_take_no_specification() {
        let failure = called("format", "array", &[text("5"), array("[1]")]).expect_err("it is refused");
        assert_eq!(failure.message, "unsupported format string passed to numpy.ndarray.__format__");
        assert_eq!(shown("format", "array", &[text(""), array("[1]")]), "[1]");
    }
}
