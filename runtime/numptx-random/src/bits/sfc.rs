//! SFC64 (Doty-Humphrey, *Practically Random*, 2010): three words that are mixed, and a counter.

use crate::seed::SeedSequence;

/// How many words of 64 bits the state has.
pub(super) const WORDS: usize = 4;

/// How often a seed is mixed.
const ROUNDS: usize = 12;

/// `SFC64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sfc {
    /// Three words, and the counter.
    pub state: [u64; 4],
}

impl Sfc {
    pub(super) fn seeded(sequence: &SeedSequence) -> Sfc {
        let words = sequence.generate_wide(3);
        let mut sfc = Sfc { state: [words[0], words[1], words[2], 1] };
        for _ in 0..ROUNDS {
            sfc.next();
        }
        sfc
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        let [a, b, c, counter] = self.state;
        let sum = a.wrapping_add(b).wrapping_add(counter);
        self.state =
            [b ^ b >> 11, c.wrapping_add(c << 3), c.rotate_left(24).wrapping_add(sum), counter.wrapping_add(1)];
        sum
    }
}
