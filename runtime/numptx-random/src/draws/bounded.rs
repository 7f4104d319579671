//! Integers of a range: Lemire's multiplication (*Fast Random Integer Generation in an Interval*, 2019), or, for the legacy class, masks and rejection.
//! Small integers take several of each 32 bits that are drawn.

use crate::bits::BitGenerator;

/// How many bits an integer has that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `bool`
    Bit,
    /// `int8`, `uint8`
    Byte,
    /// `int16`, `uint16`
    Short,
    /// `int32`, `uint32`
    Word,
    /// `int64`, `uint64`
    Long,
}

impl Width {
    fn bits(self) -> u32 {
        [1, 8, 16, 32, 64][self as usize]
    }

    fn largest(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

/// Draws of integers of one width, with the bits that are left of the last word.
#[derive(Clone, Debug)]
pub struct Bounded {
    width: Width,
    is_masked: bool,
    buffer: u32,
    left: u32,
}

impl Bounded {
    /// Draws by masks, or else by multiplications.
    pub fn new(width: Width, is_masked: bool) -> Bounded {
        Bounded { width, is_masked, buffer: 0, left: 0 }
    }

    /// An integer from `offset` to `offset + range`, both inside, in the lower bits of a word; what is above the width wraps.
    #[inline]
    pub fn draw(&mut self, bits: &mut BitGenerator, offset: u64, range: u64) -> u64 {
        let drawn = match (self.width, range) {
            (_, 0) => return offset,
            (Width::Bit, _) => return self.next(bits),
            (Width::Long, 0..=0xffff_ffff) => self.below(bits, range, Width::Word),
            (width, _) => self.below(bits, range, width),
        };
        offset.wrapping_add(drawn) & self.width.largest()
    }

    fn below(&mut self, bits: &mut BitGenerator, range: u64, width: Width) -> u64 {
        if range == width.largest() {
            return self.next_of(bits, width);
        }
        if self.is_masked {
            let mask = mask_of(range);
            return loop {
                let drawn = self.next_of(bits, width) & mask;
                if drawn <= range {
                    break drawn;
                }
            };
        }
        let count = range + 1;
        let product = |drawn: u64| {
            let wide = u128::from(drawn) * u128::from(count);
            ((wide >> width.bits()) as u64, wide as u64 & width.largest())
        };
        let (mut high, mut low) = product(self.next_of(bits, width));
        if low < count {
            let threshold = (width.largest() - range) % count;
            while low < threshold {
                (high, low) = product(self.next_of(bits, width));
            }
        }
        high
    }

    fn next(&mut self, bits: &mut BitGenerator) -> u64 {
        self.next_of(bits, self.width)
    }

    #[inline]
    fn next_of(&mut self, bits: &mut BitGenerator, width: Width) -> u64 {
        match width {
            Width::Long => bits.next_u64(),
            Width::Word => u64::from(bits.next_u32()),
            _ => {
                if self.left == 0 {
                    self.buffer = bits.next_u32();
                    self.left = 32 / width.bits();
                } else {
                    self.buffer >>= width.bits();
                }
                self.left -= 1;
                u64::from(self.buffer) & width.largest()
            }
        }
    }
}

impl BitGenerator {
    /// An integer from 0 to `largest`, by a mask: what shuffles take.
    pub fn interval(&mut self, largest: u64) -> u64 {
        if largest == 0 {
            return 0;
        }
        let mask = mask_of(largest);
        loop {
            let drawn = if largest <= 0xffff_ffff { u64::from(self.next_u32()) } else { self.next_u64() } & mask;
            if drawn <= largest {
                return drawn;
            }
        }
    }

    /// An integer from 0 to `largest` by a multiplication, as `integers` draws one.
    pub fn bounded(&mut self, largest: u64) -> u64 {
        Bounded::new(Width::Long, false).draw(self, 0, largest)
    }
}

/// The smallest mask that a number is below.
fn mask_of(number: u64) -> u64 {
    u64::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}
