//! The state of a generator as words of 64 bits, as compiled programs keep it: kind and class, the half that is left, the normal draw that is kept, and
//! the state of the source.

use crate::bits::{BitGenerator, KINDS, Kind, Mersenne, Pcg, PcgOutput, Philox, Sfc, Source};
use crate::draws::{Random, Style};

/// How many words come before the source's.
const HEAD: usize = 4;
/// Bits of the first word above the kind.
const IS_LEGACY: u64 = 1 << 8;
const HAS_HALF: u64 = 1 << 9;
const HAS_GAUSS: u64 = 1 << 10;

impl Random {
    /// How many words the state of a kind has.
    pub fn words_of(kind: Kind) -> usize {
        HEAD + kind.words()
    }

    /// The state; `words` has as many as [`Random::words_of`] says, at least.
    pub fn store(&self, words: &mut [u64]) -> Option<()> {
        let flag = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        let head = [
            self.bits.kind() as u64
                | flag(self.style == Style::Legacy, IS_LEGACY)
                | flag(self.bits.has_half, HAS_HALF)
                | flag(self.gauss.is_some(), HAS_GAUSS),
            u64::from(self.bits.half),
            self.gauss.unwrap_or(0.0).to_bits(),
            0,
        ];
        words.get_mut(..HEAD)?.copy_from_slice(&head);
        self.bits.source.store(words.get_mut(HEAD..HEAD + self.bits.kind().words())?);
        Some(())
    }

    /// The kept normal draw among the words of a state, or of those before its source's alone.
    pub fn kept(words: &[u64]) -> Option<f64> {
        let [flags, _, gauss, ..] = words else { return None };
        (flags & HAS_GAUSS != 0).then_some(f64::from_bits(*gauss))
    }

    /// Keeps a normal draw there.
    pub fn keep(gauss: Option<f64>, words: &mut [u64]) -> Option<()> {
        let [flags, _, kept, ..] = words else { return None };
        *flags = *flags & !HAS_GAUSS | if gauss.is_some() { HAS_GAUSS } else { 0 };
        *kept = gauss.unwrap_or(0.0).to_bits();
        Some(())
    }

    /// The generator of a state; `None` where the words are none, or one that gives the same number for ever.
    pub fn load(words: &[u64]) -> Option<Random> {
        let (head, words) = words.split_at_checked(HEAD)?;
        let kind = *KINDS.get((head[0] & 0xff) as usize)?;
        let words = words.get(..kind.words())?;
        let both = |at: usize| u128::from(words[at]) << 64 | u128::from(words[at + 1]);
        let pcg = |output| Source::Pcg(Pcg { state: both(0), increment: both(2), output });
        let source = match kind {
            Kind::Pcg64 => pcg(PcgOutput::XslRr),
            Kind::Pcg64Dxsm => pcg(PcgOutput::Dxsm),
            Kind::Philox => Source::Philox(Philox {
                counter: words[..4].try_into().ok()?,
                key: words[4..6].try_into().ok()?,
                buffer: words[6..10].try_into().ok()?,
                drawn: words[10].min(4) as usize,
            }),
            Kind::Mt19937 => {
                let mut mersenne = Box::new(Mersenne { key: [0; 624], drawn: 0 });
                let (last, pairs) = words.split_last()?;
                for (pair, word) in mersenne.key.chunks_exact_mut(2).zip(pairs) {
                    pair.copy_from_slice(&[*word as u32, (word >> 32) as u32]);
                }
                mersenne.drawn = (*last).min(624) as usize;
                Source::Mersenne(mersenne)
            }
            Kind::Sfc64 => Source::Sfc(Sfc { state: words.try_into().ok()? }),
        };
        let draws = match &source {
            Source::Pcg(pcg) => pcg.increment & 1 == 1,
            Source::Mersenne(mersenne) => mersenne.key.iter().any(|word| *word != 0),
            Source::Philox(_) | Source::Sfc(_) => true,
        };
        if !draws {
            return None;
        }
        let bits = BitGenerator { source, has_half: head[0] & HAS_HALF != 0, half: head[1] as u32 };
        let style = if head[0] & IS_LEGACY != 0 { Style::Legacy } else { Style::Generator };
        Some(Random { bits, style, gauss: (head[0] & HAS_GAUSS != 0).then_some(f64::from_bits(head[2])) })
    }
}

impl Source {
    /// The words of the state; there is room for as many as its kind has.
    fn store(&self, words: &mut [u64]) {
        let room = words.iter_mut();
        match self {
            Source::Pcg(pcg) => {
                let halves = [pcg.state, pcg.increment].map(|both| [(both >> 64) as u64, both as u64]);
                room.zip(halves.concat()).for_each(|(word, half)| *word = half);
            }
            Source::Philox(philox) => {
                let all = philox.counter.iter().chain(&philox.key).chain(&philox.buffer).copied();
                room.zip(all.chain([philox.drawn as u64])).for_each(|(word, own)| *word = own);
            }
            Source::Mersenne(mersenne) => {
                let pairs = mersenne.key.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32);
                room.zip(pairs.chain([mersenne.drawn as u64])).for_each(|(word, own)| *word = own);
            }
            Source::Sfc(sfc) => room.zip(sfc.state).for_each(|(word, own)| *word = own),
        }
    }
}
