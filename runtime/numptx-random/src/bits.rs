//! Bit generators: a source of 32 or 64 bits, and the half of 64 bits that NumPy keeps for the next draw of 32.

mod mersenne;
mod mersenne_jump;
mod pcg;
mod philox;
mod sfc;

use crate::seed::SeedSequence;
pub use mersenne::Mersenne;
pub use pcg::{Pcg, PcgOutput};
pub use philox::Philox;
pub use sfc::Sfc;

/// The kinds of bit generators, by NumPy's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// `PCG64`
    Pcg64,
    /// `PCG64DXSM`
    Pcg64Dxsm,
    /// `Philox`
    Philox,
    /// `MT19937`
    Mt19937,
    /// `SFC64`
    Sfc64,
}

/// All kinds, by their numbers.
pub const KINDS: [Kind; 5] = [Kind::Pcg64, Kind::Pcg64Dxsm, Kind::Philox, Kind::Mt19937, Kind::Sfc64];

impl Kind {
    /// NumPy's name.
    pub fn name(self) -> &'static str {
        ["PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"][self as usize]
    }

    /// How many words of 64 bits the state of its source has.
    pub fn words(self) -> usize {
        match self {
            Kind::Pcg64 | Kind::Pcg64Dxsm => pcg::WORDS,
            Kind::Philox => philox::WORDS,
            Kind::Mt19937 => mersenne::WORDS,
            Kind::Sfc64 => sfc::WORDS,
        }
    }
}

/// Where bits come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `PCG64` and `PCG64DXSM`
    Pcg(Pcg),
    /// `Philox`
    Philox(Philox),
    /// `MT19937`
    Mersenne(Box<Mersenne>),
    /// `SFC64`
    Sfc(Sfc),
}

/// A bit generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitGenerator {
    /// Where bits come from.
    pub source: Source,
    /// Whether `half` is the next draw of 32 bits.
    pub has_half: bool,
    /// The upper half of the last 64 bits that were drawn for 32.
    pub half: u32,
}

impl BitGenerator {
    /// `PCG64(sequence)`, and so on.
    pub fn seeded(kind: Kind, sequence: &SeedSequence) -> BitGenerator {
        BitGenerator::of(match kind {
            Kind::Pcg64 => Source::Pcg(Pcg::seeded(PcgOutput::XslRr, sequence)),
            Kind::Pcg64Dxsm => Source::Pcg(Pcg::seeded(PcgOutput::Dxsm, sequence)),
            Kind::Philox => Source::Philox(Philox::seeded(sequence)),
            Kind::Mt19937 => Source::Mersenne(Box::new(Mersenne::seeded(sequence))),
            Kind::Sfc64 => Source::Sfc(Sfc::seeded(sequence)),
        })
    }

    /// A bit generator that has drawn no halves.
    pub fn of(source: Source) -> BitGenerator {
        BitGenerator { source, has_half: false, half: 0 }
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        match &self.source {
            Source::Pcg(pcg) if pcg.output == PcgOutput::Dxsm => Kind::Pcg64Dxsm,
            Source::Pcg(_) => Kind::Pcg64,
            Source::Philox(_) => Kind::Philox,
            Source::Mersenne(_) => Kind::Mt19937,
            Source::Sfc(_) => Kind::Sfc64,
        }
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        match &mut self.source {
            Source::Pcg(pcg) => pcg.next(),
            Source::Philox(philox) => philox.next(),
            Source::Mersenne(mersenne) => u64::from(mersenne.next()) << 32 | u64::from(mersenne.next()),
            Source::Sfc(sfc) => sfc.next(),
        }
    }

    /// The next 32 bits: two draws of them take 64 of a source that has so many.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if let Source::Mersenne(mersenne) = &mut self.source {
            return mersenne.next();
        }
        if self.has_half {
            self.has_half = false;
            return self.half;
        }
        let both = self.next_u64();
        self.has_half = true;
        self.half = (both >> 32) as u32;
        both as u32
    }

    /// A uniform draw of [0, 1) with 53 bits.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        if let Source::Mersenne(mersenne) = &mut self.source {
            let (high, low) = (mersenne.next() >> 5, mersenne.next() >> 6);
            return (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0;
        }
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A uniform draw of [0, 1) with 24 bits.
    #[inline]
    pub fn next_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// `random_raw()`
    pub fn raw(&mut self) -> u64 {
        match &mut self.source {
            Source::Mersenne(mersenne) => u64::from(mersenne.next()),
            _ => self.next_u64(),
        }
    }

    /// As after so many draws of 64 bits, without drawing them; `None` where the kind has no way to do that. The half that is left stays.
    pub fn skip(&mut self, words: u64) -> Option<()> {
        match &mut self.source {
            Source::Pcg(pcg) => pcg.advance(u128::from(words)),
            Source::Philox(philox) => philox.skip(words),
            Source::Mersenne(_) | Source::Sfc(_) => return None,
        }
        Some(())
    }

    /// `advance(steps)`, of the lower 128 bits of the steps and of Philox's upper 128 as well; `None` where the kind has no such method.
    pub fn advance(&mut self, steps: [u128; 2]) -> Option<()> {
        match &mut self.source {
            Source::Pcg(pcg) => pcg.advance(steps[0]),
            Source::Philox(philox) => philox.advance(steps),
            Source::Mersenne(_) | Source::Sfc(_) => return None,
        }
        self.has_half = false;
        self.half = 0;
        Some(())
    }

    /// `jumped(jumps)`; `None` where the kind has no such method.
    pub fn jumped(&self, jumps: i64) -> Option<BitGenerator> {
        let mut there = self.clone();
        match &mut there.source {
            Source::Pcg(_) => there.advance([pcg::JUMP.wrapping_mul(i128::from(jumps) as u128), 0])?,
            Source::Philox(_) => there.advance([0, i128::from(jumps) as u128])?,
            Source::Mersenne(mersenne) => (0..jumps).for_each(|_| mersenne.jump()),
            Source::Sfc(_) => return None,
        }
        Some(there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same state as after draws one by one, in every position of a buffer.
    #[test]
    fn skipping_is_drawing() {
        let sequence = SeedSequence { entropy: vec![7], spawn_key: Vec::new(), pool_size: 4, spawned: 0 };
        for kind in KINDS {
            for before in 0..5 {
                let mut drawn = BitGenerator::seeded(kind, &sequence);
                (0..before).for_each(|_| {
                    drawn.next_u64();
                });
                drawn.next_u32();
                for words in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 1001] {
                    let mut skipped = drawn.clone();
                    let done = skipped.skip(words);
                    assert_eq!(done.is_none(), matches!(kind, Kind::Mt19937 | Kind::Sfc64));
                    let mut drawn = drawn.clone();
                    (0..words).for_each(|_| {
                        drawn.next_u64();
                    });
                    assert!(done.is_none() || skipped == drawn, "{kind:?} {before} {words}");
                }
            }
        }
    }
}
