//! The runtime's own kernels that sort, run by the mock driver: passes over several rows of several tiles, with words of 32 and of 64 bits, which only rows
//! that are too long for tests ask for otherwise.

use numptx_abi::dtype;
use numptx_runtime::sorting::on_device::{Kernels, Key, Shape, selecting};

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

/// Rows whose middle elements were brought to their places.
fn selected<T: Copy>(code: u8, values: &[T], length: usize) -> Vec<T> {
    let key = Key::of(code).expect("a dtype that is sorted");
    let (kernels, rows) = (Kernels::selecting(key), values.len() / length);
    let states = rows * selecting::STATE_BYTES as usize;
    let working = Memory::of(&vec![0x5Au8; states + rows * selecting::DIGITS as usize * 8]);
    let first = Memory::of(values);
    let run = |entry: &str, blocks: u64, values: &mut [u64]| {
        let grid = Grid { blocks: (blocks as u32, 1), threads: THREADS, bytes: 0 };
        assert_eq!(launch(kernels.text(), entry, &grid, values), 0, "{entry}");
    };
    let (n_rows, states, counts) = (rows as u64, working.at(), working.at() + states as u64);
    let counting = n_rows * CHUNKS;
    run("sort_clear", 2, &mut [states, working.1 as u64 / 16]);
    for (n, [from, mask, upto]) in selecting::passes(key).enumerate() {
        let mut values = [first.at(), length as u64, CHUNKS, states, counts, from, mask, upto];
        run("select_count", counting, &mut values);
        run("select_choose", n_rows, &mut [states, counts, from, (length as u64 - 1) / 2, u64::from(n == 0)]);
    }
    run("select_ends", counting, &mut [first.at(), length as u64, CHUNKS, states]);
    run("select_write", n_rows, &mut [first.at(), length as u64, states]);
    first.read(values.len())
}

/// Compares what lies in the middle of rows, of an odd and of an even number of elements, and whether the last one is a nan.
fn check_selected<T: Copy + PartialEq + std::fmt::Debug>(
    code: u8,
    values: &[T],
    before: impl Fn(&T, &T) -> std::cmp::Ordering,
    is_nan: impl Fn(&T) -> bool,
) {
    for length in [2 * LENGTH - 1, LENGTH / 2 - 1, LENGTH / 2, 1, 2] {
        let values = &values[..values.len() / length * length];
        let values = &values[..values.len().min(3 * length)];
        let found = selected(code, values, length);
        for (n, (row, found)) in values.chunks(length).zip(found.chunks(length)).enumerate() {
            let mut wanted = row.to_vec();
            wanted.sort_by(&before);
            for at in [(length - 1) / 2, length / 2] {
                let is_same = before(&found[at], &wanted[at]).is_eq();
                assert!(is_same, "row {n} of {length} at {at}: {:?}, not {:?}", found[at], wanted[at]);
            }
            assert_eq!(is_nan(&found[length - 1]), is_nan(&wanted[length - 1]), "row {n} of {length}");
        }
    }
}

#[test]
fn middle_elements_are_selected_digit_by_digit() {
    let _turn = alone();
    enter();
    let none = |_: &dyn std::fmt::Debug| false;
    let longs: Vec<u64> = numbers().collect();
    check_selected(dtype::UINT64, &longs, u64::cmp, |n| none(n));
    let ends: Vec<i64> = numbers().map(|n| [i64::MIN, i64::MAX, 0, -1][(n >> 62) as usize]).collect();
    check_selected(dtype::INT64, &ends, i64::cmp, |n| none(n));
    let words: Vec<u32> = numbers().map(|n| (n >> 50) as u32).collect();
    check_selected(dtype::UINT32, &words, u32::cmp, |n| none(n));
    let bytes: Vec<i8> = numbers().map(|n| (n >> 40) as i8).collect();
    check_selected(dtype::INT8, &bytes, i8::cmp, |n| none(n));
    let same = vec![7u16; ROWS * LENGTH];
    check_selected(dtype::UINT16, &same, u16::cmp, |n| none(n));
    let order = |a: &f64, b: &f64| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
    let floats: Vec<f64> = numbers().map(|n| (n >> 12) as f64 / 1e15 - 2.0).collect();
    check_selected(dtype::FLOAT64, &floats, order, |n| n.is_nan());
    let special = [0.0, -0.0, f64::from_bits(u64::MAX), f64::INFINITY, f64::NEG_INFINITY, 5e-324, -1.5, 1.5];
    let mixed: Vec<f64> = numbers().map(|n| special[(n >> 61) as usize]).collect();
    check_selected(dtype::FLOAT64, &mixed, order, |n| n.is_nan());
    check_selected(dtype::FLOAT64, &vec![f64::NAN; 2 * LENGTH], order, |n| n.is_nan());
    // Halves, as their bits: nans have a larger part that is no sign than infinities.
    let value = |bits: &u16| match bits & 0x7FFF {
        size if size > 0x7C00 => i32::MAX,
        size if bits >> 15 == 1 => -i32::from(size),
        size => i32::from(size),
    };
    let halves: Vec<u16> = numbers().map(|n| (n >> 48) as u16).collect();
    let negative: Vec<u16> = halves.iter().map(|bits| bits & 0xFBFF | if bits & 3 == 0 { 0 } else { 0x8000 }).collect();
    for bits in [&halves, &negative] {
        check_selected(dtype::FLOAT16, bits, |a, b| value(a).cmp(&value(b)), |bits| value(bits) == i32::MAX);
    }
}

#[test]
fn of_zeros_the_middle_is_negative_where_all_are() {
    let _turn = alone();
    enter();
    assert!(selected(dtype::FLOAT32, &[-0.0f32; 4], 4)[1].is_sign_negative());
    assert!(selected(dtype::FLOAT32, &[-0.0f32, 0.0, -0.0], 3)[1].is_sign_positive());
}
