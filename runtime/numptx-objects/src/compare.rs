//! `==` and `<` of elements and objects, by value, as Python has them.
//!
//! Of tuples and lists the first leaves that are not equal decide. The order is `None` where nan decides. Numbers of different types are compared
//! exactly. An object is equal to itself; an array is equal to nothing but itself, and whether it is equal to another one is ambiguous.

use std::cmp::Ordering;

use numptx_abi::object::{self, STRING};
use numptx_abi::{dtype, half};

use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::layout::{Layout, Leaf};
use crate::object::{Object, Reference};

/// The value of a scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// An int, or a truth.
    Int(i128),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
}

impl Number {
    /// The value of a scalar's words.
    pub(crate) fn of(code: u8, words: [u64; 2]) -> Number {
        let part = |word: u64| f64::from_bits(word);
        let single = |word: u64| f64::from(f32::from_bits(word as u32));
        match object::dtype_of(code) {
            dtype::FLOAT64 => Number::Float(part(words[0])),
            dtype::FLOAT32 => Number::Float(single(words[0])),
            dtype::FLOAT16 => Number::Float(half::to_f64(words[0] as u16)),
            dtype::COMPLEX128 => Number::Complex(part(words[0]), part(words[1])),
            dtype::COMPLEX64 => Number::Complex(single(words[0]), single(words[1])),
            dtype::UINT64 => Number::Int(i128::from(words[0])),
            _ => Number::Int(i128::from(words[0] as i64)),
        }
    }

    fn equals(self, other: Number) -> bool {
        match (self, other) {
            (Number::Complex(real, imaginary), Number::Complex(x, y)) => real == x && imaginary == y,
            (Number::Complex(real, imaginary), number) | (number, Number::Complex(real, imaginary)) => {
                imaginary == 0.0 && number.order(Number::Float(real)) == Some(Ordering::Equal)
            }
            _ => self.order(other) == Some(Ordering::Equal),
        }
    }

    /// The order of real numbers; none of complex ones.
    fn order(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
            (Number::Int(a), Number::Float(b)) => int_with_float(a, b),
            (Number::Float(a), Number::Int(b)) => int_with_float(b, a).map(Ordering::reverse),
            _ => None,
        }
    }
}

/// Without rounding the int, which has at most 65 bits.
fn int_with_float(n: i128, x: f64) -> Option<Ordering> {
    if x.is_nan() {
        return None;
    }
    let whole = x.trunc();
    Some(n.cmp(&(whole as i128)).then(0.0_f64.partial_cmp(&(x - whole).max(-1.0))?))
}

/// Whether two elements are equal.
pub(crate) fn elements_equal<R: Reference>(
    (layout, a): (&Layout, Element<'_, R>),
    (other, b): (&Layout, Element<'_, R>),
) -> Outcome<bool> {
    if layout.is_plain() && layout.is(other) {
        return Ok(a.words == b.words);
    }
    let (mut a, mut b) = (layout.leaves(a), other.leaves(b));
    loop {
        let equal = match (a.next(), b.next()) {
            (None, None) => return Ok(true),
            (Some(a), Some(b)) => leaves_equal(&a, &b)?,
            _ => false,
        };
        if !equal {
            return Ok(false);
        }
    }
}

fn leaves_equal<R: Reference>(a: &Leaf<'_, R>, b: &Leaf<'_, R>) -> Outcome<bool> {
    Ok(match (a, b) {
        (Leaf::Open, Leaf::Open) | (Leaf::Close, Leaf::Close) | (Leaf::None, Leaf::None) => true,
        (Leaf::Scalar(code, words), Leaf::Scalar(other, others)) => {
            Number::of(*code, *words).equals(Number::of(*other, *others))
        }
        (Leaf::Reference(_, a), Leaf::Reference(_, b)) => references_equal(*a, *b)?,
        (Leaf::Reference(_, r), _) | (_, Leaf::Reference(_, r)) if r.is_array() => return Err(ambiguous()),
        _ => false,
    })
}

fn ambiguous() -> Failure {
    Failure::value("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
}

/// Whether two references' objects are equal.
pub(crate) fn references_equal<R: Reference>(a: &R, b: &R) -> Outcome<bool> {
    if a.same(b) {
        return Ok(true);
    }
    let equal = a.with_object(|a| b.with_object(|b| objects_equal(a, b))).flatten();
    equal.unwrap_or_else(|| Err(ambiguous()))
}

fn objects_equal<R: Reference>(a: &Object<R>, b: &Object<R>) -> Outcome<bool> {
    match (a, b) {
        (Object::List(a), Object::List(b)) => a.equals(b),
        (Object::Dict(a), Object::Dict(b)) => a.equals(b),
        (Object::Set(a), Object::Set(b)) => a.equals(b),
        (Object::Str(a), Object::Str(b)) => Ok(a.as_str() == b.as_str()),
        _ => Ok(false),
    }
}

/// The order of two elements, `None` where nan decides.
pub(crate) fn elements_order<R: Reference>(
    (layout, a): (&Layout, Element<'_, R>),
    (other, b): (&Layout, Element<'_, R>),
) -> Outcome<Option<Ordering>> {
    let (mut a, mut b) = (layout.leaves(a), other.leaves(b));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ok(Some(Ordering::Equal)),
            // The shorter one of two tuples is the lesser one.
            (Some(Leaf::Close), Some(Leaf::Close)) | (Some(Leaf::Open), Some(Leaf::Open)) => continue,
            (Some(Leaf::Close), Some(_)) => Some(Ordering::Less),
            (Some(_), Some(Leaf::Close)) => Some(Ordering::Greater),
            (Some(a), Some(b)) => leaves_order(&a, &b)?,
            _ => return Err(Failure::bug("elements of two layouts are compared")),
        };
        if order != Some(Ordering::Equal) {
            return Ok(order);
        }
    }
}

fn leaves_order<R: Reference>(a: &Leaf<'_, R>, b: &Leaf<'_, R>) -> Outcome<Option<Ordering>> {
    match (a, b) {
        (Leaf::Scalar(code, words), Leaf::Scalar(other, others)) => {
            let (x, y) = (Number::of(*code, *words), Number::of(*other, *others));
            match (x, y) {
                (Number::Complex(..), _) | (_, Number::Complex(..)) if !x.equals(y) => {
                    Err(no_order(scalar_type(*code), scalar_type(*other)))
                }
                (Number::Complex(..), _) | (_, Number::Complex(..)) => Ok(Some(Ordering::Equal)),
                _ => Ok(x.order(y)),
            }
        }
        (Leaf::Reference(STRING, a), Leaf::Reference(STRING, b)) if a.same(*b) => Ok(Some(Ordering::Equal)),
        (Leaf::Reference(_, a), Leaf::Reference(_, b)) => references_order(*a, *b),
        (Leaf::None, Leaf::None) => Ok(Some(Ordering::Equal)),
        _ => Err(no_order(leaf_type(a), leaf_type(b))),
    }
}

/// The order of two references' objects: of strings and lists.
pub(crate) fn references_order<R: Reference>(a: &R, b: &R) -> Outcome<Option<Ordering>> {
    let order = a.with_object(|a| {
        b.with_object(|b| match (a, b) {
            (Object::Str(a), Object::Str(b)) => Ok(Some(a.as_str().cmp(b.as_str()))),
            (Object::List(a), Object::List(b)) => a.order(b),
            _ if objects_equal(a, b)? => Ok(Some(Ordering::Equal)),
            _ => Err(no_order(a.type_name(), b.type_name())),
        })
    });
    order.flatten().unwrap_or_else(|| Err(ambiguous()))
}

/// What Python says of `<` of what has no order.
pub(crate) fn no_order(a: &str, b: &str) -> Failure {
    Failure::type_error(format!("'<' not supported between instances of '{a}' and '{b}'"))
}

/// What Python calls the type of a scalar.
pub(crate) fn scalar_type(code: u8) -> &'static str {
    let dtype = object::dtype_of(code);
    if object::is_numpy(code) {
        const NAMES: [&str; 14] = [
            "numpy.bool",
            "numpy.int8",
            "numpy.int16",
            "numpy.int32",
            "numpy.int64",
            "numpy.uint8",
            "numpy.uint16",
            "numpy.uint32",
            "numpy.uint64",
            "numpy.float32",
            "numpy.float64",
            "numpy.complex64",
            "numpy.complex128",
            "numpy.float16",
        ];
        return NAMES.get(usize::from(dtype)).copied().unwrap_or("object");
    }
    match dtype {
        dtype::BOOL => "bool",
        dtype::FLOAT16 | dtype::FLOAT32 | dtype::FLOAT64 => "float",
        dtype::COMPLEX64 | dtype::COMPLEX128 => "complex",
        _ => "int",
    }
}

fn leaf_type<R: Reference>(leaf: &Leaf<'_, R>) -> &'static str {
    match leaf {
        Leaf::Open | Leaf::Close => "tuple",
        Leaf::None => "NoneType",
        Leaf::Scalar(code, _) => scalar_type(*code),
        Leaf::Reference(_, reference) => reference.with_object(|o| o.type_name()).unwrap_or("numpy.ndarray"),
    }
}

#[cfg(test)]
mod tests {
    use numptx_abi::error_kind;

    use crate::Item;
    use crate::testing::{array, called, made, number, text};

    #[test]
    fn arrays_are_equal_to_themselves_only() {
        let (a, b) = (array("[1]"), array("[1]"));
        let (x, y) =
            (made("list_new", "array", std::slice::from_ref(&a)), made("list_new", "array", std::slice::from_ref(&b)));
        let failure = called("list_equal", "", &[x.clone(), y]).expect_err("it is ambiguous");
        assert_eq!(failure.kind, error_kind::VALUE);
        assert!(failure.message.starts_with("The truth value of an array"));
        let same = made("list_new", "array", std::slice::from_ref(&a));
        assert_eq!(number("list_equal", &[x.clone(), same]), 1);
        assert_eq!(number("list_index", &[x.clone(), a, Item::int(0), Item::int(9)]), 0);
        assert!(called("list_index", "", &[x.clone(), b, Item::int(0), Item::int(9)]).is_err());
        let two = made("list_new", "array", &[array("[1]"), array("[2]")]);
        assert_eq!(number("list_equal", &[x, two]), 0);
    }

    #[test]
    fn nan_is_equal_to_nothing_and_has_no_order() {
        let nan = [Item::float(f64::NAN)];
        let (a, b) = (made("list_new", "f64", &nan), made("list_new", "f64", &nan));
        assert_eq!(number("list_equal", &[a.clone(), b.clone()]), 0);
        assert_eq!(number("list_compare", &[a.clone(), b]), 2);
        assert_eq!(number("list_contains", &[a.clone(), nan[0].clone()]), 0);
        assert_eq!(number("list_equal", &[a.clone(), a.clone()]), 1);
        assert_eq!(number("list_compare", &[a.clone(), a]), 0);
    }

    #[test]
    fn what_has_no_order_is_not_sorted() {
        let complex = made("list_new", "c128", &[Item::int(0), Item::int(0)]);
        let failure = called("list_sort", "", &[complex, Item::int(0)]).expect_err("there is no order");
        assert_eq!(failure.message, "'<' not supported between instances of 'complex' and 'complex'");
        let tuples = made("list_new", "( i64 c128 )", &[Item::int(0), Item::int(0), Item::int(0), Item::int(1)]);
        assert!(called("list_sort", "", &[tuples, Item::int(0)]).is_err());
    }

    #[test]
    fn numbers_of_two_types_are_compared_exactly() {
        let big = made("list_new", "u64", &[Item::Words([u64::MAX, 0])]);
        let rounded = made("list_new", "f64", &[Item::float(u64::MAX as f64)]);
        assert_eq!(number("list_equal", &[big.clone(), rounded.clone()]), 0);
        assert_eq!(number("list_compare", &[big, rounded]), -1);
        let (one, truth) = (made("list_new", "c128", &[Item::float(1.0)]), made("list_new", "bool", &[Item::int(1)]));
        assert_eq!(number("list_equal", &[one.clone(), truth]), 1);
        assert_eq!(number("list_equal", &[one, made("list_new", "str", &[text("1")])]), 0);
    }
}
