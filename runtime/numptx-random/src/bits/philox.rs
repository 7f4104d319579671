//! Philox 4x64 with ten rounds (Salmon, Moraes, Dror and Shaw, *Parallel Random Numbers: As Easy as 1, 2, 3*, 2011): a counter of 256 bits is
//! encrypted by a key, and gives four words.

use crate::seed::SeedSequence;

/// How many words of 64 bits the state has: counter, key, buffer and the place in it.
pub(super) const WORDS: usize = 11;

const ROUNDS: usize = 10;
const MULTIPLIERS: [u64; 2] = [0xd2e7_470e_e14c_6c93, 0xca5a_8263_9512_1157];
const WEYL: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];

/// `Philox`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Philox {
    /// The counter of the words in the buffer, from the lowest word on.
    pub counter: [u64; 4],
    /// The key.
    pub key: [u64; 2],
    /// What the counter was encrypted to.
    pub buffer: [u64; 4],
    /// How many words of the buffer were drawn.
    pub drawn: usize,
}

impl Philox {
    pub(super) fn seeded(sequence: &SeedSequence) -> Philox {
        let words = sequence.generate_wide(2);
        Philox::new([0; 4], [words[0], words[1]])
    }

    /// `Philox(counter=counter, key=key)`
    pub fn new(counter: [u64; 4], key: [u64; 2]) -> Philox {
        Philox { counter, key, buffer: [0; 4], drawn: 4 }
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        if self.drawn >= 4 {
            self.add([1, 0]);
            self.buffer = encrypted(self.counter, self.key);
            self.drawn = 0;
        }
        self.drawn += 1;
        self.buffer[self.drawn - 1]
    }

    /// Counts on by so many buffers, and draws the next one.
    pub(super) fn advance(&mut self, steps: [u128; 2]) {
        self.add(steps);
        self.buffer = [0; 4];
        self.drawn = 4;
    }

    /// As after so many draws.
    pub(super) fn skip(&mut self, words: u64) {
        let kept = self.kept();
        if words <= kept {
            self.drawn += words as usize;
            return;
        }
        // All buffers but the last one are passed over.
        let rest = words - kept - 1;
        self.add([u128::from(rest / 4), 0]);
        self.drawn = 4;
        (0..=rest % 4).for_each(|_| {
            self.next();
        });
    }

    /// How many words of the buffer are still to be drawn.
    pub fn kept(&self) -> u64 {
        4_u64.saturating_sub(self.drawn as u64)
    }

    fn add(&mut self, steps: [u128; 2]) {
        let pair = |at: usize| u128::from(self.counter[at + 1]) << 64 | u128::from(self.counter[at]);
        let (low, carry) = pair(0).overflowing_add(steps[0]);
        let high = pair(2).wrapping_add(steps[1]).wrapping_add(u128::from(carry));
        self.counter = [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64];
    }
}

fn encrypted(mut words: [u64; 4], mut key: [u64; 2]) -> [u64; 4] {
    for _ in 0..ROUNDS {
        let product = |of: usize| u128::from(MULTIPLIERS[of]) * u128::from(words[2 * of]);
        let (first, second) = (product(0), product(1));
        words = [
            (second >> 64) as u64 ^ words[1] ^ key[0],
            second as u64,
            (first >> 64) as u64 ^ words[3] ^ key[1],
            first as u64,
        ];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    words
}
