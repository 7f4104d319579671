//! What the targets of the compiler share: as much stack as the command line has, the passes, and changes by tokens.

use numptx_ir::array::Module;
use numptx_passes::{Limit, Pass, Unobserved, run};

use crate::lists::ARRAY_PASSES;
use crate::numbers::Numbers;
use crate::tokens::{mutant, tokens};

/// As the command line's.
const STACK_BYTES: usize = 256 << 20;

/// Does something on a thread with as much stack as the command line has. A panic ends the process there.
pub fn with_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        thread.expect("threads start");
    });
}

/// The passes on a module that holds what the verifier asks for, from its least lowered function's phase on. What a pass leaves is verified by its runner.
pub fn pass(module: &mut Module) {
    let Some(phase) = module.functions.iter().map(|function| function.phase).min() else { return };
    let lists = ARRAY_PASSES.iter().filter(|(from, _)| *from >= phase);
    let passes: Vec<Pass> = lists.flat_map(|(_, passes)| *passes).copied().collect();
    if let Err(error) = run(module, &passes, Limit::None, &mut Unobserved) {
        panic!("{error}\n{}", error.dump);
    }
}

/// Changes bytes: every other time as the fuzzer does, else tokens of the text that they are.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, pool: &[String]) -> usize {
    let text = std::str::from_utf8(&data[..size]).ok().filter(|_| seed % 2 == 0);
    let Some(text) = text else { return libfuzzer_sys::fuzzer_mutate(data, size, max_size) };
    let changed = mutant(&tokens(text), pool, &mut Numbers(u64::from(seed))).into_bytes();
    let n = changed.len().min(max_size).min(data.len());
    data[..n].copy_from_slice(&changed[..n]);
    n
}
