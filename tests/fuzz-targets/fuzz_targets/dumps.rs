//! Text of the array IR or of one kernel: what is read prints, and reads back as the same; the verifiers look at anything; and what they accept goes
//! through every pass from its phase on.
//!
//! A finding is a panic, a text that does not come back, a pass that fails or leaves what the verifier refuses, and what takes too long.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use numptx_ir::{array, kernel};

mod compiler;
#[path = "../../../compiler/numptx-driver/src/lists.rs"]
mod lists;
#[path = "../../src/numbers.rs"]
#[allow(dead_code)]
mod numbers;
#[path = "../../src/tokens.rs"]
#[allow(dead_code)]
mod tokens;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        compiler::with_stack(|| read(text));
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    compiler::mutate(data, size, max_size, seed, &POOL)
});

/// Words that dumps have.
static POOL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = "0 1 2 99 4294967295 -1 - ( ) { } [ ] % $ %0 %1 %7 $0 $1 @f.0 f32 f64 i64 u8 bool c128 any mut C F noalias mayalias source placed host \
                 owned yield return check if loop for while map reduce scan store assign view dim constant index input element select";
    words.split(' ').chain(["\"", "\n", ""]).map(str::to_owned).collect()
});

fn read(text: &str) {
    if let Ok(kernel) = kernel::parse::parse(text) {
        let printed = kernel.to_string();
        let again = kernel::parse::parse(&printed).unwrap_or_else(|error| panic!("{error:?} in\n{printed}"));
        assert_eq!(again.to_string(), printed);
        let _ = kernel::verify::verify(&kernel);
        return;
    }
    let Ok(mut module) = array::parse::parse(text) else { return };
    let printed = module.to_string();
    let again = array::parse::parse(&printed).unwrap_or_else(|error| panic!("{error:?} in\n{printed}"));
    assert_eq!(again.to_string(), printed);
    let phases = module.functions.iter().map(|function| function.phase);
    // The compiler refuses dumps that lie in several.
    if array::verify::verify(&module).is_ok() && phases.clone().min() == phases.max() {
        compiler::pass(&mut module);
    }
}
