//! Taking characters off the ends of a text, and adding some.

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::text::Text;
use crate::text::classes::is_space;

/// An end of a text, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Both,
}

impl Text {
    /// The text without white space at its ends, or without any of some characters.
    pub(crate) fn stripped(&self, side: Side, characters: Option<&Text>) -> &str {
        let goes = |c: char| characters.map_or_else(|| is_space(c), |characters| characters.as_str().contains(c));
        match side {
            Side::Left => self.as_str().trim_start_matches(goes),
            Side::Right => self.as_str().trim_end_matches(goes),
            Side::Both => self.as_str().trim_matches(goes),
        }
    }

    /// The text in so many characters, with one that fills the rest at a side, or both.
    pub(crate) fn padded(&self, width: i64, fill: &Text, side: Side) -> Outcome<String> {
        let mut characters = fill.as_str().chars();
        let (Some(fill), None) = (characters.next(), characters.next()) else {
            return Err(Failure::type_error("The fill character must be exactly one character long"));
        };
        let width = usize::try_from(width).unwrap_or(0);
        let missing = width.saturating_sub(self.len());
        let left = match side {
            Side::Left => missing,
            Side::Right => 0,
            // The odd one goes to the right, but where the width is odd, too.
            Side::Both => missing / 2 + (missing & width & 1),
        };
        let mut output = Output::new();
        output.repeat(fill, left)?;
        output.push(self.as_str())?;
        output.repeat(fill, missing - left)?;
        Ok(output.done())
    }

    /// The text with zeros before it, behind a sign.
    pub(crate) fn zero_filled(&self, width: i64) -> Outcome<String> {
        let missing = usize::try_from(width).unwrap_or(0).saturating_sub(self.len());
        let text = self.as_str();
        let sign = text.len() - text.strip_prefix(['+', '-']).unwrap_or(text).len();
        let (sign, digits) = text.split_at(sign);
        let mut output = Output::new();
        output.push(sign)?;
        output.repeat('0', missing)?;
        output.push(digits)?;
        Ok(output.done())
    }
}
