//! Searching a text for another one, and replacing it.
//!
//! Bounds are Python's: they may count from the end and lie outside.

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::text::Text;

impl Text {
    /// The positions that two bounds stand for; the first one may lie behind the second one, or the end.
    fn bounds(&self, start: i64, stop: i64) -> (usize, usize) {
        let length = self.len() as i64;
        let stop = if stop > length { length } else { from_end(stop, length) };
        (from_end(start, length) as usize, stop as usize)
    }

    /// The text between two bounds with the byte where it begins, if as much as another text fits there.
    fn window(&self, start: i64, stop: i64) -> Option<(&str, usize)> {
        let (start, stop) = self.bounds(start, stop);
        if start > stop {
            return None;
        }
        Some((self.between(start, stop), self.offset(start)))
    }

    /// Where another text is the first time, or the last time, between two bounds; else -1.
    pub(crate) fn find(&self, other: &Text, start: i64, stop: i64, is_last: bool) -> i64 {
        let Some((window, offset)) = self.window(start, stop) else { return -1 };
        let found = if is_last { window.rfind(other.as_str()) } else { window.find(other.as_str()) };
        found.map_or(-1, |at| self.position(offset + at) as i64)
    }

    /// As [`Text::find`], of a text that is there.
    pub(crate) fn index(&self, other: &Text, start: i64, stop: i64, is_last: bool) -> Outcome<i64> {
        match self.find(other, start, stop, is_last) {
            -1 => Err(Failure::value("substring not found")),
            at => Ok(at),
        }
    }

    /// How often another text is there, without those that overlap.
    pub(crate) fn count(&self, other: &Text, start: i64, stop: i64) -> usize {
        self.window(start, stop).map_or(0, |(window, _)| window.matches(other.as_str()).count())
    }

    pub(crate) fn starts_with(&self, other: &Text, start: i64, stop: i64) -> bool {
        self.window(start, stop).is_some_and(|(window, _)| window.starts_with(other.as_str()))
    }

    pub(crate) fn ends_with(&self, other: &Text, start: i64, stop: i64) -> bool {
        self.window(start, stop).is_some_and(|(window, _)| window.ends_with(other.as_str()))
    }

    /// Another text for each place where one is, as often as `count` says, or everywhere where it is negative.
    pub(crate) fn replaced(&self, old: &Text, new: &Text, count: i64) -> Outcome<String> {
        let (mut output, mut copied) = (Output::new(), 0);
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        for (at, found) in self.as_str().match_indices(old.as_str()).take(most) {
            output.push(self.as_str().get(copied..at).unwrap_or(""))?;
            output.push(new.as_str())?;
            copied = at + found.len();
        }
        output.push(self.as_str().get(copied..).unwrap_or(""))?;
        Ok(output.done())
    }
}

fn from_end(bound: i64, length: i64) -> i64 {
    if bound < 0 { bound.saturating_add(length).max(0) } else { bound }
}
