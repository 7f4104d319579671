//! Layouts as objects keep them: checked, with the numbers of words and references that they need, and walks over an element's leaves.

use std::sync::Arc;

use numptx_abi::dtype;
use numptx_abi::object::{self, CLOSE, NONE, OPEN, VALUE};

use crate::elements::Element;
use crate::failure::{Failure, Outcome};

/// Tuples are nested no deeper than this.
const MAX_DEPTH: usize = 64;

/// Codes of a layout that are kept without memory of their own.
const SHORT: usize = 14;

/// The layout of one element, key or value.
#[derive(Clone, Debug)]
pub struct Layout {
    codes: Codes,
    words: u16,
    references: u16,
    items: u16,
    is_plain: bool,
}

#[derive(Clone, Debug)]
enum Codes {
    Short(u8, [u8; SHORT]),
    Long(Arc<[u8]>),
}

/// A leaf of an element with its data, or a bracket.
#[derive(Debug)]
pub(crate) enum Leaf<'a, R> {
    Open,
    Close,
    None,
    Scalar(u8, [u64; 2]),
    Reference(u8, &'a R),
}

impl Layout {
    /// Checks a string of codes and counts what it needs. It has no [`VALUE`]: see [`Layout::pair`].
    pub fn new(codes: &[u8]) -> Result<Layout, Failure> {
        let (mut words, mut references, mut items, mut is_plain) = (0, 0, 0, true);
        let (mut depth, mut deepest) = (0_usize, 0_usize);
        for code in codes {
            match *code {
                VALUE => return Err(Failure::bug("a layout of two")),
                OPEN => depth += 1,
                CLOSE => depth = depth.saturating_sub(1),
                NONE => {}
                code if object::is_scalar(code) => {
                    (words, items) = (words + object::words(code), items + 1);
                    is_plain &= object::dtype_of(code) < dtype::FLOAT32;
                }
                code if object::is_reference(code) => {
                    (references, items, is_plain) = (references + 1, items + 1, false);
                }
                _ => return Err(Failure::bug("an unknown code in a layout")),
            }
            deepest = deepest.max(depth);
        }
        if codes.len() > usize::from(u16::MAX) / 2 || deepest > MAX_DEPTH || !object::is_balanced(codes) {
            return Err(Failure::bug("a layout without form"));
        }
        let codes = match codes.len() {
            length @ 0..=SHORT => {
                let mut short = [0; SHORT];
                short[..length].copy_from_slice(codes);
                Codes::Short(length as u8, short)
            }
            _ => Codes::Long(codes.into()),
        };
        Ok(Layout { codes, words: words as u16, references: references as u16, items: items as u16, is_plain })
    }

    /// The layouts of keys and values, which [`VALUE`] separates.
    pub fn pair(codes: &[u8]) -> Result<(Layout, Layout), Failure> {
        let at = codes.iter().position(|code| *code == VALUE).ok_or_else(|| Failure::bug("a layout without values"))?;
        Ok((Layout::new(&codes[..at])?, Layout::new(&codes[at + 1..])?))
    }

    /// The layout of strings.
    pub fn string() -> Layout {
        let mut short = [0; SHORT];
        short[0] = object::STRING;
        Layout { codes: Codes::Short(1, short), words: 0, references: 1, items: 1, is_plain: false }
    }

    /// The layout of tuples of a key and a value.
    pub(crate) fn tuple_of(key: &Layout, value: &Layout) -> Outcome<Layout> {
        Layout::new(&[&[OPEN], key.codes(), value.codes(), &[CLOSE]].concat())
    }

    /// Its codes.
    pub fn codes(&self) -> &[u8] {
        match &self.codes {
            Codes::Short(length, codes) => &codes[..usize::from(*length)],
            Codes::Long(codes) => codes,
        }
    }

    /// How many words an element has.
    pub fn words(&self) -> usize {
        usize::from(self.words)
    }

    /// How many references an element has.
    pub fn references(&self) -> usize {
        usize::from(self.references)
    }

    /// How many leaves of an element have data, and so are operands.
    pub fn items(&self) -> usize {
        usize::from(self.items)
    }

    /// Whether elements are equal where their bits are: all leaves are ints and truths.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether both are of the same numbers and references: Python's and NumPy's of one dtype lie alike, and are the same keys.
    pub(crate) fn is(&self, other: &Layout) -> bool {
        let alike = |a: u8, b: u8| {
            a == b || object::is_scalar(a) && object::is_scalar(b) && object::dtype_of(a) == object::dtype_of(b)
        };
        let (codes, others) = (self.codes(), other.codes());
        codes.len() == others.len() && codes.iter().zip(others).all(|(a, b)| alike(*a, *b))
    }

    /// The only code, of a scalar or a reference that is no tuple's.
    pub(crate) fn single(&self) -> Option<u8> {
        match self.codes() {
            [code] => Some(*code),
            _ => None,
        }
    }

    /// The leaves of an element, with the brackets around them.
    pub(crate) fn leaves<'a, R>(&'a self, element: Element<'a, R>) -> Leaves<'a, R> {
        Leaves { codes: self.codes().iter(), words: element.words.iter(), references: element.references.iter() }
    }
}

/// See [`Layout::leaves`].
pub(crate) struct Leaves<'a, R> {
    codes: std::slice::Iter<'a, u8>,
    words: std::slice::Iter<'a, u64>,
    references: std::slice::Iter<'a, Option<R>>,
}

impl<'a, R> Iterator for Leaves<'a, R> {
    type Item = Leaf<'a, R>;

    fn next(&mut self) -> Option<Leaf<'a, R>> {
        Some(match *self.codes.next()? {
            OPEN => Leaf::Open,
            CLOSE => Leaf::Close,
            NONE => Leaf::None,
            code if object::is_reference(code) => Leaf::Reference(code, self.references.next()?.as_ref()?),
            code => {
                let real = *self.words.next()?;
                let imaginary = if object::words(code) == 2 { *self.words.next()? } else { 0 };
                Leaf::Scalar(code, [real, imaginary])
            }
        })
    }
}
