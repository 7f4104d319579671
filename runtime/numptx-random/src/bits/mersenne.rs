//! MT19937 (Matsumoto and Nishimura, *Mersenne Twister*, 1998): a shift register of 624 words.

use super::mersenne_jump::JUMP;
use crate::seed::SeedSequence;

/// How many words of 32 bits the register has.
pub const LENGTH: usize = 624;

/// How many words of 64 bits the state has: two of the register's in each, and the place in it.
pub(super) const WORDS: usize = LENGTH / 2 + 1;

const FAR: usize = 397;

/// `MT19937`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mersenne {
    /// The register.
    pub key: [u32; LENGTH],
    /// How many of its words were drawn.
    pub drawn: usize,
}

impl Mersenne {
    pub(super) fn seeded(sequence: &SeedSequence) -> Mersenne {
        let mut key: [u32; LENGTH] = sequence.generate(LENGTH).try_into().expect("as many words as are asked for");
        key[0] = 0x8000_0000;
        // NumPy leaves the place at the last word: the first draw is that one.
        Mersenne { key, drawn: LENGTH - 1 }
    }

    /// `RandomState(seed)` of an int below 2**32, by Knuth's recurrence.
    pub fn of_int(seed: u32) -> Mersenne {
        let mut key = [seed; LENGTH];
        for at in 1..LENGTH {
            key[at] = scrambled(key[at - 1], 1_812_433_253).wrapping_add(at as u32);
        }
        Mersenne { key, drawn: LENGTH }
    }

    /// `RandomState(seeds)` of a sequence that is not empty: `init_by_array` of the authors' 2002 version.
    pub fn of_words(seeds: &[u32]) -> Mersenne {
        let mut mersenne = Mersenne::of_int(19_650_218);
        let key = &mut mersenne.key;
        let mut at = 1;
        let rounds = LENGTH.max(seeds.len());
        for (number, &seed) in seeds.iter().enumerate().cycle().take(rounds) {
            key[at] = (key[at] ^ scrambled(key[at - 1], 1_664_525)).wrapping_add(seed).wrapping_add(number as u32);
            at = after(key, at);
        }
        for _ in 1..LENGTH {
            key[at] = (key[at] ^ scrambled(key[at - 1], 1_566_083_941)).wrapping_sub(at as u32);
            at = after(key, at);
        }
        key[0] = 0x8000_0000;
        mersenne
    }

    #[inline]
    pub(super) fn next(&mut self) -> u32 {
        if self.drawn >= LENGTH {
            self.refill();
        }
        let mut word = self.key[self.drawn];
        self.drawn += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn refill(&mut self) {
        self.drawn = 0;
        for at in 0..LENGTH {
            self.step(at);
        }
    }

    /// The next word of the register, in the place of its oldest one.
    #[inline]
    fn step(&mut self, at: usize) {
        let (next, far) = (wrapped(at + 1), wrapped(at + FAR));
        let joined = self.key[at] & 0x8000_0000 | self.key[next] & 0x7fff_ffff;
        let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
        self.key[at] = self.key[far] ^ joined >> 1 ^ twist;
    }

    /// As if 2**128 words had been drawn: the jump's polynomial of the step, by Horner's rule (Haramoto, Matsumoto, Nishimura, Panneton and L'Ecuyer,
    /// *Efficient Jump Ahead for F2-Linear Random Number Generators*, 2008). The oldest word is taken to be the next that is drawn, as in NumPy.
    pub(super) fn jump(&mut self) {
        if self.drawn >= LENGTH {
            self.drawn = 0;
        }
        let coefficients = (0..32 * JUMP.len()).rev().map(|degree| JUMP[degree / 32] >> (degree % 32) & 1 == 1);
        let mut sum = self.clone();
        for is_term in coefficients.skip_while(|is_term| !is_term).skip(1) {
            sum.step(sum.drawn);
            sum.drawn = wrapped(sum.drawn + 1);
            if is_term {
                for at in 0..LENGTH {
                    sum.key[wrapped(sum.drawn + at)] ^= self.key[wrapped(self.drawn + at)];
                }
            }
        }
        *self = sum;
    }
}

#[inline]
fn wrapped(at: usize) -> usize {
    if at < LENGTH { at } else { at - LENGTH }
}

fn scrambled(word: u32, factor: u32) -> u32 {
    (word ^ word >> 30).wrapping_mul(factor)
}

fn after(key: &mut [u32; LENGTH], at: usize) -> usize {
    if at + 1 < LENGTH {
        return at + 1;
    }
    key[0] = key[LENGTH - 1];
    1
}
