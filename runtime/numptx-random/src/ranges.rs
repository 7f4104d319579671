//! Ranges that integers are drawn of: `integers` and `randint` of each dtype, with NumPy's errors.

use crate::checks::Wrong;
use crate::draws::Width;

/// The dtype of integers that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// NumPy's name.
    pub name: &'static str,
    /// How wide it is.
    pub width: Width,
    /// The least one.
    pub least: i128,
    /// The greatest one.
    pub greatest: i128,
}

const fn kind(name: &'static str, width: Width, bits: u32, is_signed: bool) -> Kind {
    let all = 1i128 << bits;
    let least = if is_signed { -(all / 2) } else { 0 };
    Kind { name, width, least, greatest: least + all - 1 }
}

/// All dtypes, by the codes of the binary interface: `bool`, signed ones, and unsigned ones by their sizes.
pub static INTEGERS: [Kind; 9] = [
    kind("bool", Width::Bit, 1, false),
    kind("int8", Width::Byte, 8, true),
    kind("int16", Width::Short, 16, true),
    kind("int32", Width::Word, 32, true),
    kind("int64", Width::Long, 64, true),
    kind("uint8", Width::Byte, 8, false),
    kind("uint16", Width::Short, 16, false),
    kind("uint32", Width::Word, 32, false),
    kind("uint64", Width::Long, 64, false),
];

/// Whether the upper end is drawn, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is not.
    Open,
    /// It is.
    Closed,
}

/// How many checks [`Kind::check`] knows of, each of which is made of all elements.
pub const RANGE_STAGES: usize = 3;

impl Kind {
    /// A check of a range.
    pub fn check(&self, stage: usize, low: i128, high: i128, end: End) -> Result<(), Wrong> {
        let last = high - i128::from(end == End::Open);
        let outside = |what: &str| Err(Wrong::value(format!("{what} is out of bounds for {}", self.name)));
        match stage {
            0 if low < self.least || low > self.greatest => outside("low"),
            1 if last > self.greatest => outside("high"),
            2 if low > last => {
                let text = match (low, end) {
                    (0, End::Closed) => "high < 0",
                    (0, End::Open) => "high <= 0",
                    (_, End::Closed) => "low > high",
                    (_, End::Open) => "low >= high",
                };
                Err(Wrong::value(text))
            }
            _ => Ok(()),
        }
    }

    /// What [`crate::Bounded::draw`] takes: the lower end, and how far the last one is from it.
    pub fn offset_and_range(&self, low: i128, high: i128, end: End) -> (u64, u64) {
        let last = high - i128::from(end == End::Open);
        (low as u64, (last - low) as u64)
    }

    /// A drawn integer as its word: a signed one with its sign.
    pub fn word(&self, drawn: u64) -> u64 {
        if self.least == 0 {
            return drawn;
        }
        let unused = self.least.leading_ones() - 65;
        ((drawn << unused) as i64 >> unused) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_signs() {
        assert_eq!(INTEGERS[1].word(0x80) as i64, -128);
        assert_eq!(INTEGERS[1].word(0x7f) as i64, 127);
        assert_eq!(INTEGERS[4].word(u64::MAX) as i64, -1);
        assert_eq!(INTEGERS[3].word(0xffff_fffe) as i64, -2);
        assert_eq!(INTEGERS[7].word(0xffff_fffe), 0xffff_fffe);
    }
}
