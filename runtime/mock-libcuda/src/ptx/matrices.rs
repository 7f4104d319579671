//! Products of matrices of float64 that a warp does together.
//!
//! Source: PTX ISA, 9.7.14.5 (`mma.sync`): which lane holds which element of a fragment.

use super::memory::Memory;
use super::parse::Instruction;
use super::thread::{Thread, WARP};

const COLUMNS: usize = 8;

/// `d = a b + c` of `rows` × 8 sums of so many products; all lanes are there.
pub(super) fn multiply(
    (rows, summed): (usize, usize),
    instruction: &Instruction,
    memory: &Memory<'_>,
    warp: &mut [Thread],
) -> Result<(), String> {
    let high = rows / 8;
    let (of_a, of_b, of_c) = (high * summed / 4, summed / 4, 2 * high);
    if warp.len() != WARP || instruction.from.len() != of_a + of_b + of_c || instruction.to.len() != of_c {
        return Err("a product needs a whole warp and its fragments".to_string());
    }
    let value = |lane: usize, n: usize| f64::from_bits(warp[lane].value(instruction.from[n], memory));
    let a = |i: usize, k: usize| value(4 * (i % 8) + k % 4, i / 8 + high * (k / 4));
    let b = |k: usize, j: usize| value(4 * j + k % 4, of_a + k / 4);
    let place = |i: usize, j: usize| (4 * (i % 8) + j / 2, 2 * (i / 8) + j % 2);
    let c = |i: usize, j: usize| value(place(i, j).0, of_a + of_b + place(i, j).1);
    let sum = |i, j| (0..summed).fold(c(i, j), |sum, k| a(i, k).mul_add(b(k, j), sum));
    let all = (0..rows).flat_map(|i| (0..COLUMNS).map(move |j| (i, j)));
    let sums: Vec<((usize, usize), f64)> = all.map(|(i, j)| (place(i, j), sum(i, j))).collect();
    for ((lane, n), sum) in sums {
        if let Some(to) = instruction.to[n] {
            warp[lane].registers[to] = sum.to_bits();
        }
    }
    for thread in warp {
        thread.next += 1;
        thread.standing = super::thread::Standing::Runs;
    }
    Ok(())
}
