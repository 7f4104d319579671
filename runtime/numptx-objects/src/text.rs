//! Strings: Unicode text that nothing changes.
//!
//! A position counts characters. Of text that is ASCII it is a byte's position, of other text it is searched for from the beginning. Operations take
//! texts and give new ones, or fail as CPython's methods do.

mod case;
mod classes;
mod numbers;
mod padding;
mod search;
mod split;
mod unicode;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::failure::{Failure, Outcome};
use crate::hash::text_hash;
use crate::list::Slice;
use crate::output::Output;

pub(crate) use case::Case;
pub(crate) use classes::{Class, is_printable};
pub(crate) use padding::Side;
pub(crate) use split::{join, split, split_by, split_lines};
pub(crate) use unicode::decimal_value as digit_value;

/// A string.
#[derive(Debug)]
pub struct Text {
    text: String,
    /// How many characters it has.
    length: usize,
    /// Its hash, once somebody asked for it, and 0 before.
    hash: AtomicU64,
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        let length = if text.is_ascii() { text.len() } else { text.chars().count() };
        Text { text, length, hash: AtomicU64::new(0) }
    }
}

impl Text {
    /// A copy of some text.
    pub fn new(text: &str) -> Result<Text, Failure> {
        let mut output = Output::with_room(text.len())?;
        output.push(text)?;
        Ok(output.done().into())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many characters it has.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many bytes its text takes.
    pub fn bytes(&self) -> usize {
        self.text.capacity()
    }

    pub(crate) fn is_ascii(&self) -> bool {
        self.length == self.text.len()
    }

    /// Its hash, which is not 0.
    pub(crate) fn hash(&self) -> u64 {
        let known = self.hash.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        let hash = text_hash(&self.text);
        self.hash.store(hash, Ordering::Relaxed);
        hash
    }

    /// Where a character begins, or the text ends.
    fn offset(&self, position: usize) -> usize {
        if position >= self.length {
            return self.text.len();
        }
        if self.is_ascii() {
            return position;
        }
        self.text.char_indices().nth(position).map_or(self.text.len(), |(at, _)| at)
    }

    /// Which character begins at a byte.
    fn position(&self, offset: usize) -> usize {
        if self.is_ascii() {
            return offset;
        }
        self.text.get(..offset).map_or(self.length, |before| before.chars().count())
    }

    /// The text between two positions.
    fn between(&self, start: usize, stop: usize) -> &str {
        let (start, stop) = (self.offset(start), self.offset(stop));
        self.text.get(start..stop).unwrap_or("")
    }

    /// A character, by an index that may count from the end.
    pub fn get(&self, index: i64) -> Result<&str, Failure> {
        let length = self.length as i64;
        let at = if index < 0 { index.wrapping_add(length) } else { index };
        if !(0..length).contains(&at) {
            return Err(Failure::index("string index out of range"));
        }
        let start = self.offset(at as usize);
        let rest = self.text.get(start..).unwrap_or("");
        Ok(rest.get(..rest.chars().next().map_or(0, char::len_utf8)).unwrap_or(""))
    }

    /// The characters of a slice: of its start, its number of characters and its step.
    pub fn slice(&self, (start, count, step): (i64, i64, i64)) -> Result<String, Failure> {
        let slice = Slice::new(start, count, step, self.length)?;
        let mut output = Output::new();
        if slice.step == 1 {
            output.push(self.between(slice.start, slice.start + slice.count))?;
        } else if self.is_ascii() {
            let bytes = self.text.as_bytes();
            for byte in slice.places().filter_map(|at| bytes.get(at)) {
                output.character(char::from(*byte))?;
            }
        } else {
            let mut characters = Vec::new();
            characters.try_reserve_exact(self.length)?;
            characters.extend(self.text.chars());
            for c in slice.places().filter_map(|at| characters.get(at)) {
                output.character(*c)?;
            }
        }
        Ok(output.done())
    }

    /// This text and another one.
    pub fn concatenated(&self, other: &Text) -> Result<String, Failure> {
        let mut output = Output::with_room(self.text.len().saturating_add(other.text.len()))?;
        output.push(&self.text)?;
        output.push(&other.text)?;
        Ok(output.done())
    }

    /// This text so many times.
    pub fn repeated(&self, times: i64) -> Result<String, Failure> {
        let times = usize::try_from(times).unwrap_or(0);
        let mut output = Output::with_room(self.text.len().checked_mul(times).ok_or_else(Failure::memory)?)?;
        if !self.text.is_empty() {
            (0..times).try_for_each(|_| output.push(&self.text))?;
        }
        Ok(output.done())
    }

    /// Its only character, which `ord` takes.
    pub(crate) fn code_point(&self) -> Outcome<i64> {
        let mut characters = self.text.chars();
        match (characters.next(), characters.next()) {
            (Some(c), None) => Ok(i64::from(u32::from(c))),
            _ => Err(Failure::type_error(format!(
                "ord() expected a character, but string of length {} found",
                self.length
            ))),
        }
    }
}

/// The text of a code point. Surrogates, which stand for nothing, have none here.
pub(crate) fn character(code_point: i64) -> Outcome<String> {
    if !(0..0x11_0000).contains(&code_point) {
        return Err(Failure::value("chr() arg not in range(0x110000)"));
    }
    let c = u32::try_from(code_point).ok().and_then(char::from_u32);
    c.map(String::from).ok_or_else(|| Failure::value("chr() arg is a surrogate, which numptx has no string of"))
}
