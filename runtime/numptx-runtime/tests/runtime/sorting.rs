//! The runtime's own kernels that sort, run by the mock driver: passes over several rows of several tiles, with words of 32 and of 64 bits, which only rows
//! that are too long for tests ask for otherwise.

use numptx_abi::dtype;
use numptx_runtime::sorting::on_device::{Kernels, Key, Shape};

use crate::own_kernels::{Grid, allocate, enter, free, launch};
use crate::program::alone;

const DIGITS: usize = 256;
/// Threads of the kernels around the passes.
const THREADS: u32 = 256;
const TILE: Shape = Shape { threads: 256, items: 3, blocks: 1 };
const ROWS: usize = 2;
/// Three tiles, the last one not full.
const LENGTH: usize = 2 * 768 + 100;
/// Blocks that count a row's elements.
const CHUNKS: u64 = 2;

/// Memory that goes at the end.
struct Memory(*mut u8, usize);

impl Memory {
    fn of<T: Copy>(values: &[T]) -> Memory {
        let bytes = size_of_val(values);
        let memory = Memory(allocate(bytes.max(16)), bytes);
        // SAFETY: the mock's device memory is memory of the process, and has as many bytes.
        unsafe { memory.0.copy_from(values.as_ptr().cast(), bytes) };
        memory
    }

    fn at(&self) -> u64 {
        self.0.expose_provenance() as u64
    }

    fn read<T: Copy>(&self, count: usize) -> Vec<T> {
        assert!(count * size_of::<T>() <= self.1);
        // SAFETY: as above; it begins at a multiple of 16 bytes.
        unsafe { std::slice::from_raw_parts(self.0.cast::<T>(), count) }.to_vec()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        free(self.0);
    }
}

/// Sorts rows by passes, or gives the indices that sort them.
fn sorted<T: Copy>(code: u8, values: &[T], has_order: bool, is_wide: bool) -> (Vec<T>, Vec<i64>) {
    let key = Key::of(code).expect("a dtype that is sorted");
    let longest = if is_wide { 1 << 31 } else { LENGTH as i64 };
    let kernels = Kernels::of(key, has_order, longest, Some(TILE));
    let (passes, word) = (key.passes() as usize, if is_wide { 8 } else { 4 });
    let tiles = LENGTH.div_ceil(TILE.tile() as usize);
    let states = ROWS * tiles * DIGITS * word;
    let starts = ROWS * passes * DIGITS * 8;
    let zeros = Memory::of(&vec![0x5Au8; starts + 64 + passes * states]);
    let [first, odd, even] = [0; 3].map(|_| Memory::of(values));
    let orders = [0; 3].map(|_| Memory::of(&vec![-1i64; values.len()]));
    let plan = Memory::of(&vec![0u32; ROWS * (passes + 1)]);
    let run = |entry: &str, blocks: u32, threads: u32, values: &mut [u64]| {
        let grid = Grid { blocks: (blocks, 1), threads, bytes: 0 };
        assert_eq!(launch(kernels.text(), entry, &grid, values), 0, "{entry}");
    };
    let (length, counting) = (LENGTH as u64, ROWS as u32 * CHUNKS as u32);
    run("sort_clear", 2, THREADS, &mut [zeros.at(), zeros.1 as u64 / 16]);
    run("sort_count", counting, THREADS, &mut [first.at(), length, CHUNKS, zeros.at()]);
    run("sort_plan", ROWS as u32, THREADS, &mut [length, zeros.at(), plan.at()]);
    let even_at = if has_order { even.at() } else { first.at() };
    for pass in 0..passes {
        let state = zeros.at() + (starts + 64 + pass * states) as u64;
        let ticket = zeros.at() + (starts + 4 * pass) as u64;
        let [a, b, c] = [0, 1, 2].map(|n| orders[n].at());
        let mut values = [
            first.at(),
            odd.at(),
            even_at,
            a,
            b,
            c,
            length,
            tiles as u64,
            zeros.at(),
            plan.at(),
            state,
            ticket,
            pass as u64,
        ];
        run("sort_pass", (ROWS * tiles) as u32, TILE.threads, &mut values);
    }
    if !has_order {
        run("sort_settle", counting, THREADS, &mut [odd.at(), first.at(), length, CHUNKS, plan.at()]);
    }
    (first.read(values.len()), orders[2].read(values.len()))
}

/// Numbers that look random, the same in each run.
fn numbers() -> impl Iterator<Item = u64> {
    (0..ROWS as u64 * LENGTH as u64).map(|n| (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23))
}

fn check<T: Copy + PartialEq + std::fmt::Debug>(code: u8, values: &[T], before: impl Fn(&T, &T) -> std::cmp::Ordering) {
    for is_wide in [false, true] {
        let (found, _) = sorted(code, values, false, is_wide);
        let (left, order) = sorted(code, values, true, is_wide);
        assert_eq!(left, values, "sorting indices leaves the elements");
        for (n, row) in values.chunks(LENGTH).enumerate() {
            let mut wanted: Vec<i64> = (0..LENGTH as i64).collect();
            wanted.sort_by(|a, b| before(&row[*a as usize], &row[*b as usize]));
            assert_eq!(order[n * LENGTH..][..LENGTH], wanted, "row {n}, wide: {is_wide}");
            let wanted: Vec<T> = wanted.iter().map(|i| row[*i as usize]).collect();
            assert_eq!(found[n * LENGTH..][..LENGTH], wanted, "row {n}, wide: {is_wide}");
        }
    }
}

#[test]
fn passes_sort_rows_with_words_of_both_widths() {
    let _turn = alone();
    enter();
    let words: Vec<i64> = numbers().map(u64::cast_signed).collect();
    check(dtype::INT64, &words, i64::cmp);
    // One digit of four differs: an odd number of passes is left.
    let few: Vec<u32> = numbers().map(|n| 0x0700_0000 | (n >> 60) as u32).collect();
    check(dtype::UINT32, &few, u32::cmp);
    let bytes: Vec<i8> = numbers().map(|n| (n >> 40) as i8).collect();
    check(dtype::INT8, &bytes, i8::cmp);
    let same = vec![7u16; ROWS * LENGTH];
    check(dtype::UINT16, &same, u16::cmp);
}

#[test]
fn zeros_are_equal_and_nans_are_last() {
    let _turn = alone();
    enter();
    let special = [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1), -1.5];
    let bits: Vec<u32> = numbers()
        .map(|n| if n >> 63 == 0 { special[(n >> 32) as usize % 8] } else { n as i32 as f32 }.to_bits())
        .collect();
    let before = |a: &u32, b: &u32| {
        let (x, y) = (f32::from_bits(*a), f32::from_bits(*b));
        x.partial_cmp(&y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan()))
    };
    check(dtype::FLOAT32, &bits, before);
}
