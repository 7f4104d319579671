//! Draws of several numbers at once: multinomial, multivariate hypergeometric and Dirichlet draws, permutations, and samples without replacement.

use super::{Random, Style};

impl Random {
    /// `multinomial(n, pvals)`: one draw, into zeros.
    pub fn multinomial(&mut self, n: i64, pvals: &[f64], counts: &mut [i64]) {
        let Some((last, others)) = counts.split_last_mut() else { return };
        let mut probability = 1.0;
        let mut left = n;
        for (count, &p) in others.iter_mut().zip(pvals) {
            // Both classes draw these with the newer binomial.
            *count = self.binomial_of(Style::Generator, left, p / probability);
            left -= *count;
            if left <= 0 {
                break;
            }
            probability -= p;
        }
        if left > 0 {
            *last = left;
        }
    }

    /// `multivariate_hypergeometric(colors, nsample, method="marginals")`: one draw, into zeros.
    pub fn hypergeometric_of_marginals(&mut self, colors: &[i64], sample: i64, counts: &mut [i64]) {
        let total: i64 = colors.iter().sum();
        let is_most = sample > total / 2;
        let mut left = if is_most { total - sample } else { sample };
        if total == 0 || sample == 0 {
            return;
        }
        let mut rest = total;
        for at in 0..colors.len().saturating_sub(1) {
            if left <= 0 {
                break;
            }
            rest -= colors[at];
            counts[at] = self.hypergeometric(colors[at], rest, left);
            left -= counts[at];
        }
        if left > 0
            && let Some(last) = counts.last_mut()
        {
            *last = left;
        }
        if is_most {
            complement(colors, counts);
        }
    }

    /// `multivariate_hypergeometric(colors, nsample, method="count")`: one draw, into zeros. `choices` are the colour of each member; they are left
    /// in the order that the next draw of the same call begins with.
    pub fn hypergeometric_of_counts(&mut self, colors: &[i64], sample: i64, choices: &mut [usize], counts: &mut [i64]) {
        let total = choices.len();
        let is_most = sample > total as i64 / 2;
        let taken = if is_most { total - sample as usize } else { sample as usize };
        if total == 0 || sample == 0 {
            return;
        }
        for at in 0..taken {
            let other = at + self.bits.interval((total - at - 1) as u64) as usize;
            choices.swap(at, other);
        }
        for &color in &choices[..taken] {
            counts[color] += 1;
        }
        if is_most {
            complement(colors, counts);
        }
    }

    /// `dirichlet(alpha)`: one draw.
    pub fn dirichlet(&mut self, alpha: &[f64], parts: &mut [f64]) {
        let largest = alpha.iter().copied().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b });
        if !self.is_legacy() && !alpha.is_empty() && largest < 0.1 {
            return self.broken_stick(alpha, parts);
        }
        let mut sum = 0.0;
        for (part, &shape) in parts.iter_mut().zip(alpha) {
            *part = self.standard_gamma(shape);
            sum += *part;
        }
        let inverse = 1.0 / sum;
        parts.iter_mut().for_each(|part| *part *= inverse);
    }

    /// Beta draws of what is left: gamma draws of so small shapes may all be zero.
    fn broken_stick(&mut self, alpha: &[f64], parts: &mut [f64]) {
        let mut sums = alpha.to_vec();
        let mut sum = 0.0;
        for slot in sums.iter_mut().rev() {
            sum += *slot;
            *slot = sum;
        }
        parts.fill(0.0);
        if sum <= 0.0 {
            return;
        }
        let mut left = 1.0;
        for at in 0..alpha.len() - 1 {
            let drawn = self.beta(alpha[at], sums[at + 1]);
            parts[at] = left * drawn;
            left *= 1.0 - drawn;
            if sums[at + 1] == 0.0 {
                break;
            }
        }
        parts[alpha.len() - 1] = left;
    }

    /// What `shuffle` exchanges: every place from the last one down to `first`, and another one at or below it.
    pub fn exchanges(&mut self, length: usize, first: usize, mut exchange: impl FnMut(usize, usize)) {
        for at in (first..length).rev() {
            exchange(at, self.bits.interval(at as u64) as usize);
        }
    }

    /// The indices that `Generator.choice(population, count, replace=False, shuffle=…)` takes; `count` is at most `population`.
    pub fn sample(&mut self, population: usize, count: usize, is_shuffled: bool) -> Vec<i64> {
        let cutoff = if is_shuffled { 50 } else { 20 };
        if population > 10_000 && count > population / cutoff {
            let mut all: Vec<i64> = (0..population as i64).collect();
            self.bounded_exchanges(&mut all, (population - count).max(1));
            return all.split_off(population - count);
        }
        let mut chosen = self.floyd(population, count);
        if is_shuffled {
            self.bounded_exchanges(&mut chosen, 1);
        }
        chosen
    }

    fn bounded_exchanges(&mut self, all: &mut [i64], first: usize) {
        for at in (first..all.len()).rev() {
            all.swap(at, self.bits.bounded(at as u64) as usize);
        }
    }

    /// Floyd's sampling (Bentley, *Programming Pearls: A Sample of Brilliance*, 1987).
    fn floyd(&mut self, population: usize, count: usize) -> Vec<i64> {
        let mut seen = Seen::new(count);
        let draw = |last: usize| {
            let drawn = self.bits.bounded(last as u64);
            let taken = if seen.insert(drawn) { drawn } else { last as u64 };
            seen.insert(taken);
            taken as i64
        };
        (population - count..population).map(draw).collect()
    }
}

fn complement(colors: &[i64], counts: &mut [i64]) {
    counts.iter_mut().zip(colors).for_each(|(count, color)| *count = color - *count);
}

/// A set of indices: a table that is at most half full.
struct Seen {
    slots: Vec<u64>,
}

impl Seen {
    const FREE: u64 = u64::MAX;

    fn new(count: usize) -> Seen {
        Seen { slots: vec![Seen::FREE; (2 * count + 1).next_power_of_two()] }
    }

    /// Whether it was not there.
    fn insert(&mut self, index: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = index as usize & mask;
        while self.slots[at] != Seen::FREE {
            if self.slots[at] == index {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = index;
        true
    }
}
