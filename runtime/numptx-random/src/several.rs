//! Methods whose draws are several numbers at once, of words as programs have them: their checks, and as many draws as there is room for.

use crate::checks::Wrong;
use crate::draws::{Random, Style};

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Several {
    /// `multinomial(n, pvals)`
    Multinomial,
    /// `multivariate_hypergeometric(colors, n, method="marginals")`
    Marginals,
    /// `multivariate_hypergeometric(colors, n, method="count")`
    Count,
    /// `dirichlet(alpha)`
    Dirichlet,
}

/// What `sum(pvals[:-1])` may be above one.
const SLACK: f64 = 1e-12;
/// Below how many members marginals are drawn.
const MARGINALS: i64 = 1_000_000_000;

impl Several {
    /// The method of a number in programs.
    pub fn numbered(number: i64) -> Option<Several> {
        let all = [Several::Multinomial, Several::Marginals, Several::Count, Several::Dirichlet];
        all.get(usize::try_from(number).ok()?).copied()
    }

    /// What NumPy demands of the arguments.
    pub fn check(self, style: Style, n: i64, words: &[u64]) -> Result<(), Wrong> {
        let fail = |text: &str| Err(Wrong::value(text));
        match self {
            Several::Multinomial => {
                let pvals = floats(words);
                if pvals.is_empty() && style == Style::Generator {
                    return fail(
                        "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0.",
                    );
                }
                if !pvals.iter().all(|p| (0.0..=1.0).contains(p)) {
                    return fail("pvals < 0, pvals > 1 or pvals contains NaNs");
                }
                if compensated_sum(&pvals[..pvals.len().saturating_sub(1)]) > 1.0 + SLACK {
                    return fail("sum(pvals[:-1]) > 1.0");
                }
                if n < 0 { fail("n < 0") } else { Ok(()) }
            }
            Several::Marginals | Several::Count => self.check_colors(n, words),
            Several::Dirichlet => {
                let alpha = floats(words);
                match style {
                    Style::Generator if alpha.iter().any(|a| *a < 0.0) => fail("alpha < 0"),
                    Style::Legacy if alpha.iter().any(|a| *a <= 0.0) => fail("alpha <= 0"),
                    _ => Ok(()),
                }
            }
        }
    }

    fn check_colors(self, n: i64, words: &[u64]) -> Result<(), Wrong> {
        let fail = |text: &str| Err(Wrong::value(text));
        if n < 0 {
            return fail("nsample must be nonnegative.");
        }
        if words.iter().any(|word| (*word as i64) < 0) {
            return fail(
                "colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.",
            );
        }
        let total = words.iter().try_fold(0i64, |sum, word| sum.checked_add(*word as i64));
        let Some(total) = total else {
            return fail(
                "sum(colors) must not exceed the maximum value of a 64 bit signed integer (9223372036854775807)",
            );
        };
        if self == Several::Marginals && total >= MARGINALS {
            return fail("When method is \"marginals\", sum(colors) must be less than 1000000000.");
        }
        if self == Several::Count && total > i64::MAX / 8 {
            return fail("When method is 'count', sum(colors) must not exceed 1152921504606846975");
        }
        if n > total { fail("nsample > sum(colors)") } else { Ok(()) }
    }

    /// Words that a draw keeps beside its results: of `method="count"` an element for each thing of a color.
    pub fn kept(self, words: &[u64]) -> usize {
        let all = |sum: usize, word: &u64| sum.saturating_add(usize::try_from(*word).unwrap_or(usize::MAX));
        if self == Several::Count { words.iter().fold(0, all) } else { 0 }
    }

    /// As many draws as the zeros in `drawn` have room for.
    pub fn draw(self, random: &mut Random, n: i64, words: &[u64], drawn: &mut [u64]) {
        if words.is_empty() {
            return;
        }
        let (real, ints) = (floats(words), words.iter().map(|word| *word as i64).collect::<Vec<i64>>());
        let mut choices = match self {
            Several::Count => (0..ints.len()).flat_map(|color| vec![color; ints[color] as usize]).collect(),
            _ => Vec::new(),
        };
        for room in drawn.chunks_exact_mut(words.len()) {
            if self == Several::Dirichlet {
                let mut parts = vec![0.0; room.len()];
                random.dirichlet(&real, &mut parts);
                room.iter_mut().zip(parts).for_each(|(word, part)| *word = part.to_bits());
                continue;
            }
            let mut counts = vec![0; room.len()];
            match self {
                Several::Multinomial => random.multinomial(n, &real, &mut counts),
                Several::Marginals => random.hypergeometric_of_marginals(&ints, n, &mut counts),
                _ => random.hypergeometric_of_counts(&ints, n, &mut choices, &mut counts),
            }
            room.iter_mut().zip(counts).for_each(|(word, count)| *word = count as u64);
        }
    }
}

fn floats(words: &[u64]) -> Vec<f64> {
    words.iter().copied().map(f64::from_bits).collect()
}

/// Kahan's sum, which begins with the first number.
fn compensated_sum(numbers: &[f64]) -> f64 {
    let Some((first, others)) = numbers.split_first() else { return 0.0 };
    let (mut sum, mut lost) = (*first, 0.0);
    for number in others {
        let corrected = number - lost;
        let next = sum + corrected;
        lost = (next - sum) - corrected;
        sum = next;
    }
    sum
}
