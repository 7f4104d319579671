//! Scatters as a device runs them: the device's own LLVM code, made for the host, by threads that run at the same time. Whatever they do is what the
//! points do one after the other.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use numptx_codegen::{CodegenOptions, DeviceTarget, HostTarget, device_llvm, host_object};
use numptx_ir::kernel::Kernel;
use numptx_ir::kernel::parse::parse;

/// Which thread runs, as the special registers tell it: an extent of 1 but for threads along x.
const REGISTERS: &str = "
@numptx_thread = thread_local global i32 0
@numptx_threads = global i32 1
define i32 @register.tid.x() { %v = load i32, ptr @numptx_thread ret i32 %v }
define i32 @register.ntid.x() { %v = load i32, ptr @numptx_threads ret i32 %v }
define i32 @register.ctaid.x() { ret i32 0 }
define i32 @register.nctaid.x() { ret i32 1 }
define void @numptx_become(i32 %thread, i32 %threads) {
  store i32 %thread, ptr @numptx_thread
  store i32 %threads, ptr @numptx_threads
  ret void
}
@numptx_arrived = global i32 0
define void @numptx_barrier(i32 %which) {
start:
  %threads = load i32, ptr @numptx_threads
  %before = atomicrmw add ptr @numptx_arrived, i32 1 seq_cst
  %round = udiv i32 %before, %threads
  %next = add i32 %round, 1
  %target = mul i32 %next, %threads
  br label %wait
wait:
  %arrived = load atomic i32, ptr @numptx_arrived seq_cst, align 4
  %waits = icmp ult i32 %arrived, %target
  br i1 %waits, label %wait, label %end
end:
  ret void
}
";

const THREADS: u32 = 8;
/// More than any variant takes.
const WORDS: usize = 24;

/// The module's text without what only devices have.
fn on_host(text: &str) -> String {
    let is_kept =
        |line: &&str| !(line.starts_with("target ") || line.starts_with("declare") && line.contains("llvm.nvvm"));
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    let text = lines.join("\n").replace(" addrspace(1)", "").replace(" addrspace(3)", "").replace("ptx_kernel ", "");
    let text = text.replace("llvm.nvvm.barrier.cta.sync.aligned.all", "numptx_barrier");
    text.replace("llvm.nvvm.read.ptx.sreg.", "register.") + REGISTERS
}

fn load(kernel: &Kernel) -> libloading::Library {
    load_with(kernel, &CodegenOptions::default())
}

fn load_with(kernel: &Kernel, options: &CodegenOptions) -> libloading::Library {
    let target = DeviceTarget::new(75).expect("a known architecture");
    let text = device_llvm(std::slice::from_ref(kernel), target, None, options);
    let text = on_host(&text.unwrap_or_else(|e| panic!("{e}\n{}", e.dump)));
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(&[text.as_bytes(), b"\0"].concat(), "device");
    let module = context.create_module_from_ir(buffer).unwrap_or_else(|e| panic!("{}\n{text}", e.to_string_lossy()));
    let object = host_object(&module, &HostTarget::new("x86-64").expect("a known processor"));
    let object = object.unwrap_or_else(|e| panic!("{e}\n{}", e.dump));
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("numptx-scatter-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(format!("{name}.so"));
    let object_path = std::env::temp_dir().join(format!("{name}.o"));
    std::fs::write(&object_path, object).expect("the object is written");
    let status = Command::new("cc").arg("-shared").arg("-o").arg(&path).arg(&object_path).status();
    assert!(status.expect("cc runs").success());
    // SAFETY: the library has no constructors.
    let library = unsafe { libloading::Library::new(&path) }.expect("the library loads");
    for path in [path, object_path] {
        std::fs::remove_file(&path).expect("the file is removed");
    }
    library
}

/// Runs a variant by some threads, which start with the last one.
fn run(library: &libloading::Library, kernel: &str, variant: &str, threads: u32, words: &[u64]) {
    assert!(words.len() <= WORDS);
    let mut all = [0; WORDS];
    all[..words.len()].copy_from_slice(words);
    let name = format!("{kernel}__{variant}");
    // SAFETY: the symbols have these types: words that a function does not take lie behind those that it takes.
    unsafe {
        let function = library.get::<Words>(name.as_bytes()).expect("the variant is there");
        let place = library.get::<unsafe extern "C" fn(u32, u32)>(b"numptx_become").expect("the setter is there");
        std::thread::scope(|scope| {
            for thread in (0..threads).rev() {
                let (function, place) = (&function, &place);
                scope.spawn(move || {
                    place(thread, threads);
                    call(function, &all);
                });
            }
        });
    }
}

macro_rules! words {
    ($($n:literal)*) => {
        type Words = unsafe extern "C" fn($(words!(@ty $n)),*);
        /// # Safety
        /// The words are the parameters that the function takes, and others.
        unsafe fn call(function: &Words, words: &[u64; WORDS]) {
            // SAFETY: as the caller says.
            unsafe { function($(words[$n]),*) }
        }
    };
    (@ty $n:literal) => { u64 };
}
words!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// `n` points whose targets are among `m`, as a seed says: all over, near each other, most of them the same, or all in turn.
fn targets(n: usize, m: usize, seed: u64) -> Vec<i64> {
    let mut state = seed;
    let target = |i: usize| match seed % 4 {
        0 => random(&mut state) as i64 % m as i64,
        1 => (i as i64 / 3) % m as i64,
        2 => (random(&mut state) as i64 % m as i64) * i64::from(random(&mut state).is_multiple_of(8)),
        _ => i as i64 % m as i64,
    };
    (0..n).map(target).collect()
}

/// One vector that points write into, and what they write, as bits.
struct Case {
    n: usize,
    columns: usize,
    index: Vec<i64>,
    values: Vec<u64>,
    target: Vec<u64>,
}

/// The claims' memory: as `numptx_abi::Kernel` says.
fn claims(n: usize, chains: bool) -> Vec<u32> {
    vec![u32::MAX; 1 + 2 * n + if chains { n } else { 0 }]
}

/// The target after the points ran in order, by one thread, and after they ran together.
fn both(library: &libloading::Library, case: &Case, variants: &[&str], n_claims: usize) -> [Vec<u64>; 2] {
    [true, false].map(|in_order| {
        let mut target = case.target.clone();
        let mut memory = claims(n_claims, true);
        let (columns, n) = (case.columns as u64, case.n as u64);
        let pointers = [case.index.as_ptr() as u64, case.values.as_ptr() as u64, target.as_mut_ptr() as u64];
        // The table's strides in bytes, the extents, the strides of the index and of the values in elements.
        let words = match case.columns {
            0 => vec![8, n, 1, 1],
            _ => vec![8 * columns, 8, n, columns, 1, 0, columns, 1],
        };
        let words = [&pointers[..], &words].concat();
        if in_order {
            run(library, "k", "sequential64", 1, &[&words[..], &[0, 0]].concat());
        }
        for variant in variants.iter().filter(|_| !in_order) {
            let extra = [memory.as_mut_ptr() as u64, 2 * n_claims as u64];
            run(library, "k", variant, THREADS, &[&words[..], &extra].concat());
        }
        target
    })
}

/// The target of a vector after the points ran in order, and after variants by places ran, of a buffer that begins some
/// elements before it. `ranges`: of points.
fn by_places(
    library: &libloading::Library,
    case: &Case,
    (variants, before): (&[&str], usize),
    ranges: &[[u64; 2]],
) -> [Vec<u64>; 2] {
    [true, false].map(|in_order| {
        let mut target = [vec![u64::MAX; before], case.target.clone()].concat();
        let places = target.len() as u64;
        let first = target[before..].as_mut_ptr() as u64;
        let pointers = [case.index.as_ptr() as u64, case.values.as_ptr() as u64, first];
        let words = [&pointers[..], &[8, case.n as u64, 1, 1]].concat();
        if in_order {
            run(library, "k", "sequential64", 1, &[&words[..], &[0, 0]].concat());
        }
        for range in ranges.iter().filter(|_| !in_order) {
            let mut memory = vec![0u32; 5 * places as usize];
            for variant in variants {
                let extra = [&[memory.as_mut_ptr() as u64, places, 8 * before as u64][..], range].concat();
                run(library, "k", variant, THREADS, &[&words[..], &extra].concat());
            }
        }
        assert!(target[..before].iter().all(|word| *word == u64::MAX), "what lies before the target is written");
        target[before..].to_vec()
    })
}

fn vector_kernel(dtype: &str, combine: &str) -> Kernel {
    let (element, result, access) = match combine {
        "" => ("", "$1", "write"),
        _ => ("$2 = element 0 at $0 : T; $3 = OP $2, $1 : T;", "$3", "readwrite"),
    };
    let element = element.replace('T', dtype).replace("OP", combine);
    let text = format!(
        "kernel @k rank 1 reduced 0 block 256 vector 1 {{
          operand read i64[:] noalias
          operand read {dtype}[:] noalias
          operand {access} {dtype}[0] noalias
          scalar i64
          table 2 [0]
          phase {{
            load 0
            load 1
            body {{ $0 = input 0 : i64; $1 = input 1 : {dtype}; {element} yield {result}, $0 }}
            scatter 0 to 0 at 1
          }}
        }}"
    );
    parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Rows chosen by an index, or, if `along`, an element in each row.
fn matrix_kernel(combine: &str, along: bool) -> Kernel {
    let access = if combine.is_empty() { "write" } else { "readwrite" };
    let at = if along { "$2, $0" } else { "$0, $2" };
    let (axis, index) = if along { (0, ":, :") } else { (1, ":, 0") };
    let element = format!("$3 = element 0 at {at} : f64; $4 = {combine} $3, $1 : f64;");
    let (element, result) = if combine.is_empty() { (String::new(), "$1") } else { (element, "$4") };
    let text = format!(
        "kernel @k rank 2 reduced 0 block 256 vector 1 {{
          operand read i64[{index}] noalias
          operand read f64[:, :] noalias
          operand {access} f64[0, 0] noalias
          scalar i64
          scalar i64
          table 2 [0, 1]
          phase {{
            load 0
            load 1
            body {{ $0 = input 0 : i64; $1 = input 1 : f64; $2 = index {axis} : i64; {element} yield {result}, {at} }}
            scatter 0 to 0 at 1, 2
          }}
        }}"
    );
    parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn floats(n: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    (0..n).map(|_| ((random(&mut state) as f64 - 1e9) / 7.0).to_bits()).collect()
}

fn vector_case(n: usize, m: usize, seed: u64) -> Case {
    Case { n, columns: 0, index: targets(n, m, seed), values: floats(n, seed + 1), target: floats(m, seed + 2) }
}

const SIZES: [(usize, usize); 7] = [(1, 1), (2, 5), (33, 1), (300, 7), (1000, 1000), (2000, 60), (3000, 5000)];

#[test]
fn the_last_point_of_an_element_wins() {
    let library = load(&vector_kernel("f64", ""));
    for (n, m) in SIZES {
        for seed in 0..12 {
            let case = vector_case(n, m, seed);
            let [expected, found] = both(&library, &case, &["claim64", "settle64"], n);
            assert!(expected == found, "{n} points, {m} elements, seed {seed}");
        }
    }
}

#[test]
fn places_gather_from_their_last_point() {
    let library = load(&vector_kernel("f64", ""));
    for (n, m) in SIZES {
        for seed in 0..8 {
            let case = vector_case(n, m, seed);
            let [expected, found] = by_places(&library, &case, (&["own64", "gather64"], seed as usize), &[[0, 0]]);
            assert!(expected == found, "{n} points, {m} elements, seed {seed}");
        }
    }
}

/// The sums of `n` points that are not in order are as exact as those in order: half a unit in the last place of what is added up for each of them.
#[test]
fn sums_of_floats_are_the_same_in_any_order() {
    for combine in ["add", "sub"] {
        let library = load(&vector_kernel("f64", combine));
        for (n, m) in SIZES {
            for seed in 0..8 {
                let mut case = vector_case(n, m, seed);
                let variants = &["exponent64", "sum64", "round64"];
                let half = n as u64 / 2;
                for ranges in [&[[0, n as u64]][..], &[[0, half], [half, n as u64]]] {
                    let [expected, found] = by_places(&library, &case, (variants, seed as usize), ranges);
                    let values: f64 = case.values.iter().map(|bits| f64::from_bits(*bits).abs()).fold(0.0, f64::max);
                    let bound = n as f64 * values * n as f64 * f64::EPSILON;
                    for (place, (a, b)) in expected.iter().zip(&found).enumerate() {
                        let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
                        assert!((a - b).abs() <= bound, "{combine}: {n} points, place {place}: {a} {b}");
                    }
                    if ranges.len() > 1 {
                        continue;
                    }
                    case.index.reverse();
                    case.values.reverse();
                    let [_, other] = by_places(&library, &case, (variants, 1), ranges);
                    assert!(found == other, "{combine}: {n} points, {m} elements, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn sums_of_integers_in_floats_are_exact() {
    let library = load(&vector_kernel("f64", "add"));
    for seed in 0..8 {
        let mut case = vector_case(3000, 40, seed);
        for words in [&mut case.values, &mut case.target] {
            words.iter_mut().for_each(|word| *word = f64::from_bits(*word).round().to_bits());
        }
        let [expected, found] = by_places(&library, &case, (&["exponent64", "sum64", "round64"], 3), &[[0, 3000]]);
        assert!(expected == found, "seed {seed}");
    }
}

#[test]
fn floats_are_added_by_atomic_operations_if_their_order_may_show() {
    for combine in ["add", "sub"] {
        let options = CodegenOptions { fp_atomics: true, ..CodegenOptions::default() };
        let library = load_with(&vector_kernel("f64", combine), &options);
        let mut case = vector_case(3000, 40, 4);
        for words in [&mut case.values, &mut case.target] {
            words.iter_mut().for_each(|word| *word = f64::from_bits(*word).round().to_bits());
        }
        let [expected, found] = both(&library, &case, &["combine64"], 3000);
        assert!(expected == found, "{combine}");
    }
}

#[test]
fn chains_run_in_order() {
    for combine in ["add", "mul", "sub", "div"] {
        let library = load(&vector_kernel("f64", combine));
        for (n, m) in SIZES {
            for seed in 0..8 {
                let case = vector_case(n, m, seed);
                let [expected, found] = both(&library, &case, &["claim64", "settle64", "sequential64"], n);
                assert!(expected == found, "{combine}: {n} points, {m} elements, seed {seed}");
            }
        }
    }
}

#[test]
fn rows_are_claimed_once_for_all_their_elements() {
    for (combine, variants) in [("", &["claim64", "settle64"][..]), ("sub", &["claim64", "settle64", "sequential64"])] {
        let library = load(&matrix_kernel(combine, false));
        for (n, m) in [(1, 1), (100, 3), (400, 300)] {
            for seed in 0..8 {
                let columns = 5;
                let case = Case {
                    n,
                    columns,
                    index: targets(n, m, seed),
                    values: floats(n * columns, seed),
                    target: floats(m * columns, seed),
                };
                let [expected, found] = both(&library, &case, variants, n);
                assert!(expected == found, "`{combine}`: {n} rows into {m}, seed {seed}");
            }
        }
    }
}

#[test]
fn an_axis_along_which_indices_change_is_a_part_of_the_key() {
    for (combine, variants) in [("", &["claim64", "settle64"][..]), ("sub", &["claim64", "settle64", "sequential64"])] {
        let library = load(&matrix_kernel(combine, true));
        for seed in 0..8 {
            let (n, columns) = (50, 40);
            let case = Case {
                n,
                columns,
                index: targets(n * columns, columns, seed),
                values: floats(n * columns, seed),
                target: floats(n * columns, seed),
            };
            let words = [both_along(&library, &case, variants, true), both_along(&library, &case, variants, false)];
            assert!(words[0] == words[1], "`{combine}`: seed {seed}");
        }
    }
}

/// As [`both`], of an index that changes along both axes.
fn both_along(library: &libloading::Library, case: &Case, variants: &[&str], in_order: bool) -> Vec<u64> {
    let mut target = case.target.clone();
    let n_claims = case.n * case.columns;
    let mut memory = claims(n_claims, true);
    let (columns, n) = (case.columns as u64, case.n as u64);
    let pointers = [case.index.as_ptr() as u64, case.values.as_ptr() as u64, target.as_mut_ptr() as u64];
    let words = [&pointers[..], &[8 * columns, 8, n, columns, columns, 1, columns, 1]].concat();
    if in_order {
        run(library, "k", "sequential64", 1, &[&words[..], &[0, 0]].concat());
    }
    for variant in variants.iter().filter(|_| !in_order) {
        let extra = [memory.as_mut_ptr() as u64, 2 * n_claims as u64];
        run(library, "k", variant, THREADS, &[&words[..], &extra].concat());
    }
    target
}

#[test]
fn integers_are_combined_in_any_order() {
    for combine in ["add", "sub", "min", "max", "and", "or", "xor"] {
        for dtype in ["i64", "u64"] {
            let library = load(&vector_kernel(dtype, combine));
            for (n, m) in SIZES {
                let case = vector_case(n, m, 4);
                let [expected, found] = both(&library, &case, &["combine64"], n);
                assert!(expected == found, "{combine} of {dtype}: {n} points, {m} elements");
                if m + 3 > numptx_abi::Kernel::BINS as usize {
                    continue;
                }
                let mut case = vector_case(n, m, 5);
                for wide in [false, true] {
                    let [expected, found] = by_places(&library, &case, (&["bins64"], 3), &[[0, 0]]);
                    assert!(expected == found, "{combine} of {dtype}: {n} points, {m} bins, wide: {wide}");
                    case.values.iter_mut().for_each(|bits| *bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                }
            }
        }
    }
}

#[test]
fn a_difference_from_a_value_is_no_sum() {
    let text = vector_kernel("i64", "sub").to_string().replace("sub $2, $1", "sub $1, $2");
    let library = load(&parse(&text).expect("the kernel is well written"));
    let case = vector_case(500, 20, 4);
    let [expected, found] = both(&library, &case, &["claim64", "settle64", "sequential64"], 500);
    assert!(expected == found);
}
