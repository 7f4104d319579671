//! PCG with 128 bits of state (O'Neill, *PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation*,
//! 2014): a linear congruential generator whose output is permuted, by a rotation (XSL RR) or by multiplications (DXSM).

use crate::seed::SeedSequence;

/// How many words of 64 bits the state has: state and increment, each from the upper half on.
pub(super) const WORDS: usize = 4;

/// How far `jumped` goes: the golden ratio's part of all states.
pub(super) const JUMP: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

const MULTIPLIER: u128 = 2_549_297_995_355_413_924 << 64 | 4_865_540_595_714_422_341;
const CHEAP_MULTIPLIER: u64 = 0xda94_2042_e4dd_58b5;

/// What is made of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PcgOutput {
    /// Both halves xored and rotated, after the step.
    XslRr,
    /// Halves multiplied, before a step with a multiplier of 64 bits.
    Dxsm,
}

/// `PCG64` and `PCG64DXSM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg {
    /// The state.
    pub state: u128,
    /// What each step adds: it is odd.
    pub increment: u128,
    /// What is made of a state.
    pub output: PcgOutput,
}

impl Pcg {
    pub(super) fn seeded(output: PcgOutput, sequence: &SeedSequence) -> Pcg {
        let words = sequence.generate_wide(WORDS);
        let pair = |at: usize| u128::from(words[at]) << 64 | u128::from(words[at + 1]);
        let mut pcg = Pcg { state: 0, increment: pair(2) << 1 | 1, output };
        // NumPy seeds both outputs by steps of the large multiplier.
        pcg.step(MULTIPLIER);
        pcg.state = pcg.state.wrapping_add(pair(0));
        pcg.step(MULTIPLIER);
        pcg
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        match self.output {
            PcgOutput::XslRr => {
                self.step(MULTIPLIER);
                let folded = (self.state >> 64) as u64 ^ self.state as u64;
                folded.rotate_right((self.state >> 122) as u32)
            }
            PcgOutput::Dxsm => {
                let (mut high, low) = ((self.state >> 64) as u64, self.state as u64 | 1);
                high ^= high >> 32;
                high = high.wrapping_mul(CHEAP_MULTIPLIER);
                high ^= high >> 48;
                self.step(u128::from(CHEAP_MULTIPLIER));
                high.wrapping_mul(low)
            }
        }
    }

    #[inline]
    fn step(&mut self, multiplier: u128) {
        self.state = self.state.wrapping_mul(multiplier).wrapping_add(self.increment);
    }

    /// Many steps at once.
    pub(super) fn advance(&mut self, steps: u128) {
        let (multiplier, increment) = self.steps(steps);
        self.state = self.state.wrapping_mul(multiplier).wrapping_add(increment);
    }

    /// Many steps as one: what the state is multiplied by, and what is added then. The affine map of one step is squared (Brown, *Random Number
    /// Generation with Arbitrary Strides*, 1994).
    pub fn steps(&self, mut steps: u128) -> (u128, u128) {
        let mut multiplier = match self.output {
            PcgOutput::XslRr => MULTIPLIER,
            PcgOutput::Dxsm => u128::from(CHEAP_MULTIPLIER),
        };
        let (mut increment, mut all) = (self.increment, (1_u128, 0_u128));
        while steps > 0 {
            if steps & 1 == 1 {
                all = (all.0.wrapping_mul(multiplier), all.1.wrapping_mul(multiplier).wrapping_add(increment));
            }
            increment = multiplier.wrapping_add(1).wrapping_mul(increment);
            multiplier = multiplier.wrapping_mul(multiplier);
            steps >>= 1;
        }
        all
    }
}
