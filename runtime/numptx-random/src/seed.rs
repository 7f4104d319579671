//! Seed sequences: entropy of any length in, words of state out.
//!
//! The hash is O'Neill's `seed_seq_fe` ([Developing a seed_seq Alternative](https://www.pcg-random.org/posts/developing-a-seed_seq-alternative.html),
//! 2015) as NumPy's `SeedSequence` uses it: the pool has at least four words, and a child's key follows the entropy of its parent.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::Read;

/// The smallest pool, and that of a sequence that names none.
pub const POOL_SIZE: usize = 4;

/// `numpy.random.SeedSequence`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedSequence {
    /// The entropy, in words from the lowest one on.
    pub entropy: Vec<u32>,
    /// The place in the tree of spawned sequences.
    pub spawn_key: Vec<u32>,
    /// How many words the pool has.
    pub pool_size: usize,
    /// How many children there are.
    pub spawned: u32,
}

impl SeedSequence {
    /// A sequence of entropy, of a pool of the usual size.
    pub fn new(entropy: &[u32]) -> SeedSequence {
        SeedSequence { entropy: entropy.to_vec(), spawn_key: Vec::new(), pool_size: POOL_SIZE, spawned: 0 }
    }

    /// A sequence of an int that is not negative.
    pub fn of_int(entropy: u64) -> SeedSequence {
        SeedSequence::new(&words_of(entropy))
    }

    /// A sequence of entropy of the operating system.
    pub fn fresh() -> SeedSequence {
        let mut bytes = [0; 4 * POOL_SIZE];
        let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
        if read.is_err() {
            // The keys of the standard library's hash are of the operating system as well.
            for half in bytes.chunks_exact_mut(8) {
                half.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
            }
        }
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
        SeedSequence::new(&words)
    }

    /// `generate_state(count, np.uint32)`
    pub fn generate(&self, count: usize) -> Vec<u32> {
        let pool = self.pool();
        let mut hash = Hash { factor: 0x8b51_f9dd, growth: 0x58f3_8ded };
        pool.iter().cycle().take(count).map(|&word| hash.of(word)).collect()
    }

    /// `generate_state(count, np.uint64)`
    pub fn generate_wide(&self, count: usize) -> Vec<u64> {
        let halves = self.generate(2 * count);
        halves.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
    }

    /// `spawn(count)`
    pub fn spawn(&mut self, count: u32) -> Vec<SeedSequence> {
        let first = self.spawned;
        self.spawned += count;
        (first..self.spawned).map(|child| self.child(child)).collect()
    }

    fn child(&self, number: u32) -> SeedSequence {
        let mut child = self.clone();
        child.spawn_key.push(number);
        child.spawned = 0;
        child
    }

    fn pool(&self) -> Vec<u32> {
        let mut words = self.entropy.clone();
        if !self.spawn_key.is_empty() && words.len() < self.pool_size {
            // Else a short entropy and a key were the same as a longer entropy.
            words.resize(self.pool_size, 0);
        }
        words.extend(&self.spawn_key);
        let mut hash = Hash { factor: 0x43b0_d7e5, growth: 0x931e_8875 };
        let mut pool: Vec<u32> = (0..self.pool_size).map(|at| hash.of(words.get(at).copied().unwrap_or(0))).collect();
        for from in 0..pool.len() {
            for to in 0..pool.len() {
                if from != to {
                    pool[to] = mixed(pool[to], hash.of(pool[from]));
                }
            }
        }
        for &word in words.iter().skip(self.pool_size) {
            for slot in &mut pool {
                *slot = mixed(*slot, hash.of(word));
            }
        }
        pool
    }
}

/// The words of an int, from the lowest one on: one at least.
pub fn words_of(entropy: u64) -> Vec<u32> {
    match (entropy as u32, (entropy >> 32) as u32) {
        (low, 0) => vec![low],
        (low, high) => vec![low, high],
    }
}

/// A multiplicative hash whose factor changes with every word.
struct Hash {
    factor: u32,
    growth: u32,
}

impl Hash {
    fn of(&mut self, word: u32) -> u32 {
        let xored = word ^ self.factor;
        self.factor = self.factor.wrapping_mul(self.growth);
        folded(xored.wrapping_mul(self.factor))
    }
}

fn mixed(into: u32, word: u32) -> u32 {
    folded(into.wrapping_mul(0xca01_f9dd).wrapping_sub(word.wrapping_mul(0x4973_f715)))
}

fn folded(word: u32) -> u32 {
    word ^ word >> 16
}
