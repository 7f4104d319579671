//! Hashes: CPython's of numbers and tuples, which decide the order of a set's elements, and a quick one for dictionaries, whose order is that of
//! insertion.
//!
//! Python hashes strings with a key of the process; here they have any fixed hash, and so has nan, which CPython hashes by identity.
//! A list that is a key, or in one, is a tuple of the program, whose length only the run time knows: the compiler lets no other be a key.

use numptx_abi::dtype;
use numptx_abi::object;

use crate::compare::Number;
use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::layout::{Layout, Leaf, Leaves};
use crate::list::List;
use crate::object::{Object, Reference, with_text};

/// Numbers are hashed modulo this prime, 2⁶¹ - 1.
const MODULUS: u64 = (1 << BITS) - 1;
const BITS: u32 = 61;
const INFINITY: i64 = 314_159;
/// What an imaginary part is multiplied by.
const IMAGINARY: u64 = 1_000_003;
/// The hash of `None`.
const NONE: u64 = 0xfca8_6420;

/// A string's hash, which is not 0.
pub(crate) fn text_hash(text: &str) -> u64 {
    let folded = |hash: u64, word: u64| {
        let product = u128::from(word ^ hash) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
    };
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(0x243f_6a88_85a3_08d3, |hash, word| folded(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(text.len() as u64, |word, byte| word << 8 | u64::from(*byte));
    folded(hash, last).max(1)
}

/// Python's hash of an element: a number, a string, or a tuple of such.
#[inline]
pub(crate) fn python_hash<R: Reference>(layout: &Layout, element: Element<'_, R>) -> Outcome<i64> {
    if let (Some(code), [word]) = (layout.single(), element.words)
        && layout.is_plain()
    {
        let n = *word as i64;
        return Ok(match object::dtype_of(code) {
            dtype::UINT64 => int_hash(false, *word),
            _ => int_hash(n < 0, n.unsigned_abs()),
        });
    }
    let mut leaves = layout.leaves(element);
    let first = leaves.next().ok_or_else(|| Failure::bug("a key without leaves"))?;
    leaf_hash(&first, &mut leaves)
}

fn leaf_hash<'a, R: Reference>(leaf: &Leaf<'a, R>, rest: &mut Leaves<'a, R>) -> Outcome<i64> {
    Ok(match leaf {
        Leaf::Open => tuple_hash(rest)?,
        Leaf::None => NONE as i64,
        Leaf::Scalar(code, words) => number_hash(Number::of(*code, *words)),
        Leaf::Reference(object::STRING, text) => not_minus_one(with_text(*text, |text| text.hash() as i64)?),
        Leaf::Reference(object::OBJECT, tuple) => with_tuple(*tuple, |tuple| {
            let mut hash = TupleHash::new();
            for element in tuple.elements.iter() {
                hash.add(python_hash(&tuple.layout, element)?);
            }
            Ok(hash.done())
        })?,
        Leaf::Reference(..) | Leaf::Close => return Err(no_key(leaf)),
    })
}

/// Runs a function on the list that a tuple of the program is.
fn with_tuple<R: Reference, T>(reference: &R, look: impl FnOnce(&List<R>) -> Outcome<T>) -> Outcome<T> {
    let found = reference.with_object(|object| match object {
        Object::List(list) if list.deque.is_none() => look(list),
        other => Err(unhashable(other.type_name())),
    });
    found.unwrap_or_else(|| Err(unhashable("numpy.ndarray")))
}

fn no_key<R: Reference>(leaf: &Leaf<'_, R>) -> Failure {
    match leaf {
        Leaf::Reference(_, reference) => {
            unhashable(reference.with_object(|o| o.type_name()).unwrap_or("numpy.ndarray"))
        }
        _ => Failure::bug("a layout without form"),
    }
}

fn unhashable(name: &str) -> Failure {
    Failure::type_error(format!("unhashable type: '{name}'"))
}

/// A tuple's hash: a round of xxHash for each of its elements' hashes, and one number for their count.
struct TupleHash {
    hash: u64,
    count: u64,
}

impl TupleHash {
    const PRIMES: [u64; 3] = [0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x27d4_eb2f_1656_67c5];

    fn new() -> TupleHash {
        TupleHash { hash: Self::PRIMES[2], count: 0 }
    }

    fn add(&mut self, lane: i64) {
        let hash = self.hash.wrapping_add((lane as u64).wrapping_mul(Self::PRIMES[1]));
        self.hash = hash.rotate_left(31).wrapping_mul(Self::PRIMES[0]);
        self.count += 1;
    }

    fn done(self) -> i64 {
        let hash = self.hash.wrapping_add(self.count ^ Self::PRIMES[2] ^ 3_527_539);
        if hash == u64::MAX { 1_546_275_796 } else { hash as i64 }
    }
}

/// The hash of the tuple whose leaves follow.
fn tuple_hash<'a, R: Reference>(leaves: &mut Leaves<'a, R>) -> Outcome<i64> {
    let mut hash = TupleHash::new();
    loop {
        match leaves.next().ok_or_else(|| Failure::bug("a layout without form"))? {
            Leaf::Close => return Ok(hash.done()),
            leaf => hash.add(leaf_hash(&leaf, leaves)?),
        }
    }
}

/// -1 stands for an error in CPython, and so is nothing's hash.
fn not_minus_one(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

/// An int's magnitude modulo the prime, with its sign.
#[inline]
fn int_hash(is_negative: bool, magnitude: u64) -> i64 {
    let folded = (magnitude & MODULUS) + (magnitude >> BITS);
    let rest = (if folded >= MODULUS { folded - MODULUS } else { folded }) as i64;
    not_minus_one(if is_negative { -rest } else { rest })
}

fn number_hash(number: Number) -> i64 {
    match number {
        // Ints have at most 64 bits and a sign.
        Number::Int(n) => int_hash(n < 0, n.unsigned_abs() as u64),
        Number::Float(x) => float_hash(x),
        Number::Complex(real, imaginary) => {
            let imaginary = (float_hash(imaginary) as u64).wrapping_mul(IMAGINARY);
            not_minus_one((float_hash(real) as u64).wrapping_add(imaginary) as i64)
        }
    }
}

/// The float's value modulo the prime: its mantissa's bits, rotated by the exponent, for 2⁶¹ is 1.
fn float_hash(x: f64) -> i64 {
    if x.is_nan() {
        return 0;
    }
    if x.is_infinite() {
        return if x > 0.0 { INFINITY } else { -INFINITY };
    }
    let bits = x.abs().to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let by = exponent.rem_euclid(BITS as i32) as u32;
    let product = u128::from(mantissa) << by;
    let folded = (product & u128::from(MODULUS)) as u64 + (product >> BITS) as u64;
    let rest = (folded % MODULUS) as i64;
    not_minus_one(if x < 0.0 { -rest } else { rest })
}

/// 32 bits of a word that depend on all of it: both halves of a product.
#[inline]
pub(crate) fn mixed(word: u64) -> u32 {
    let product = u128::from(word ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
    ((product >> 64) as u64 ^ product as u64) as u32
}

/// A hash of an element for dictionaries; keys of one layout that are equal have the same.
#[inline]
pub(crate) fn quick_hash<R: Reference>(layout: &Layout, element: Element<'_, R>) -> Outcome<u32> {
    if layout.is_plain() {
        return Ok(match element.words {
            [word] => mixed(*word),
            words => words.iter().fold(0, |hash, word| combined(hash, *word)),
        });
    }
    if let (Some(object::STRING), [Some(text)]) = (layout.single(), element.references) {
        return with_text(text, |text| mixed(text.hash()));
    }
    let mut hash = 0;
    for leaf in layout.leaves(element) {
        match leaf {
            Leaf::Open | Leaf::Close | Leaf::None => {}
            Leaf::Scalar(code, words) => {
                let zero = |word: u64| match object::dtype_of(code) {
                    dtype::FLOAT32 | dtype::COMPLEX64 if f32::from_bits(word as u32) == 0.0 => 0,
                    dtype::FLOAT16 if word & 0x7fff == 0 => 0,
                    dtype::FLOAT64 | dtype::COMPLEX128 if f64::from_bits(word) == 0.0 => 0,
                    _ => word,
                };
                hash = combined(hash, zero(words[0]));
                if object::words(code) == 2 {
                    hash = combined(hash, zero(words[1]));
                }
            }
            Leaf::Reference(object::STRING, text) => hash = combined(hash, with_text(text, |text| text.hash())?),
            Leaf::Reference(object::OBJECT, tuple) => {
                let of_tuple = |tuple: &List<R>| {
                    let of_element = |element| quick_hash(&tuple.layout, element);
                    let each = |hash, element| Ok(combined(hash, u64::from(of_element(element)?)));
                    tuple.elements.iter().try_fold(tuple.len() as u32, each)
                };
                hash = combined(hash, u64::from(with_tuple(tuple, of_tuple)?));
            }
            Leaf::Reference(..) => return Err(no_key(&leaf)),
        }
    }
    Ok(hash)
}

fn combined(hash: u32, word: u64) -> u32 {
    mixed(word ^ u64::from(hash).rotate_left(17).wrapping_mul(0xff51_afd7_ed55_8ccd))
}

#[cfg(test)]
mod tests {
    use super::python_hash;
    use crate::testing::{Counted, layout, made};
    use crate::{Element, Item};

    #[test]
    fn a_tuple_has_one_hash_whatever_it_is_held_in() {
        let list = made("list_new", "i64", &[Item::int(1), Item::int(2)]);
        let Item::Reference(list) = list else { panic!("no object") };
        let element = Element { words: &[], references: &[Some(list)] };
        let held = python_hash(&layout("object"), element).expect("it has a hash");
        assert_eq!(held, hash("( i64 i64 )", &[1, 2]));
    }

    fn hash(codes: &str, words: &[u64]) -> i64 {
        python_hash(&layout(codes), Element::<Counted> { words, references: &[] }).expect("it has a hash")
    }

    #[test]
    fn hashes_are_those_of_cpython() {
        assert_eq!(hash("i64", &[-1_i64 as u64]), -2);
        assert_eq!(hash("i64", &[i64::MIN as u64]), -4);
        assert_eq!(hash("i64", &[(1 << 61) - 1]), 0);
        assert_eq!(hash("u64", &[u64::MAX]), 7);
        assert_eq!(hash("f64", &[0.5_f64.to_bits()]), 1_152_921_504_606_846_976);
        assert_eq!(hash("f64", &[(-1.0_f64).to_bits()]), -2);
        assert_eq!(hash("f64", &[1e300_f64.to_bits()]), 1_224_995_262_755_759_164);
        assert_eq!(hash("f64", &[5e-324_f64.to_bits()]), 16_777_216);
        assert_eq!(hash("f64", &[f64::NEG_INFINITY.to_bits()]), -314_159);
        assert_eq!(hash("np.f32", &[u64::from(0.5_f32.to_bits())]), 1_152_921_504_606_846_976);
        assert_eq!(hash("( )", &[]), 5_740_354_900_026_072_187);
        assert_eq!(hash("( i64 )", &[1]), -6_644_214_454_873_602_895);
        assert_eq!(hash("( i64 ( i64 f64 ) )", &[1, 2, 3.5_f64.to_bits()]), -9148893311433065316);
        assert_eq!(hash("c128", &[1.5_f64.to_bits(), (-2.0_f64).to_bits()]), 1152921504604846971);
    }
}
