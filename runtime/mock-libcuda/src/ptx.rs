//! Device code that runs: PTX, instruction by instruction, with `NUMPTX_MOCK_PTX=1`; with 2 it says of which kernels it does not.
//!
//! In: the image that a function came from, and a launch's raw parameters. Out: what a GPU's threads would leave in memory, or a fault. Every access is
//! checked against live allocations. Blocks run one after the other, those of a cooperative launch in turns; the threads of a block in turns, too.
//! Of a kernel with an instruction that the mock does not know (calls, approximations), no variant runs so: the host twins do.

mod block;
mod copies;
mod instruction;
mod matrices;
mod memory;
mod numbers;
mod parse;
mod thread;

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use block::Block;
use memory::Memory;
pub(crate) use parse::Entry;

use crate::state::{State, setting};

/// Instructions of a launch at most: one that does more hangs.
const MOST: u64 = 2_000_000_000;
/// Variants that no kernel needs.
const LEFT_OUT: [&str; 2] = ["cluster64", "clustered32"];

/// Whether device code runs.
pub(crate) fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| setting("NUMPTX_MOCK_PTX", 0) != 0)
}

/// The entries of an image.
#[derive(Default)]
pub(crate) struct Program {
    texts: HashMap<String, String>,
    /// By kernel: the entries of its variants, or what the mock does not know.
    kernels: HashMap<String, Result<HashMap<String, Arc<Entry>>, String>>,
}

impl Program {
    pub(crate) fn new(text: &str) -> Program {
        Program { texts: parse::entries(text), kernels: HashMap::new() }
    }

    /// A variant of a kernel, if the mock knows all instructions of all its variants.
    pub(crate) fn entry(&mut self, kernel: &str, variant: &str) -> Option<Arc<Entry>> {
        let Program { texts, kernels } = self;
        let known = kernels.entry(kernel.to_string()).or_insert_with(|| {
            let variants = texts.iter().filter_map(|(name, text)| Some((name.rsplit_once("__")?, text)));
            let own = variants.filter(|((name, variant), _)| *name == kernel && !LEFT_OUT.contains(variant));
            let known =
                own.map(|((_, variant), text)| Ok((variant.to_string(), Arc::new(parse::entry(text)?)))).collect();
            if let Err(text) = &known
                && setting("NUMPTX_MOCK_PTX", 0) > 1
            {
                eprintln!("mock libcuda: {kernel} runs on the host: {text}");
            }
            known
        });
        known.as_ref().ok()?.get(variant).cloned()
    }
}

impl Program {
    /// An entry that is no variant of a kernel; `Err` names what the mock does not know.
    pub(crate) fn own_entry(&mut self, name: &str) -> Result<Arc<Entry>, String> {
        let Program { texts, kernels } = self;
        let known = kernels.entry(name.to_string()).or_insert_with(|| {
            let text = texts.get(name).ok_or("no such entry")?;
            Ok(HashMap::from([(String::new(), Arc::new(parse::entry(text)?))]))
        });
        known.as_ref().map(|variants| variants[""].clone()).map_err(Clone::clone)
    }
}

impl Entry {
    /// The raw parameters of a launch, one after the other.
    ///
    /// # Safety
    /// There is a pointer for each parameter.
    pub(crate) unsafe fn parameters(&self, pointers: *const *mut c_void) -> Vec<u8> {
        let mut bytes = vec![0; self.parameters.last().map_or(0, |(first, length)| first + length)];
        for (n, (first, length)) in self.parameters.iter().enumerate() {
            // SAFETY: as the caller promises: it leads to a value of the parameter's type.
            unsafe {
                std::ptr::copy_nonoverlapping((*pointers.add(n)).cast::<u8>(), bytes[*first..].as_mut_ptr(), *length)
            };
        }
        bytes
    }

    /// Runs a grid; `Err` is what a GPU would stop at. `at_once`: blocks wait for each other; bytes of shared memory that the launch asks for.
    pub(crate) fn run(
        &self,
        state: &State,
        parameters: &[u8],
        grid: [u64; 3],
        threads: [u64; 3],
        (at_once, shared_bytes): (bool, u32),
    ) -> Result<(), String> {
        let mut memory = Memory { state, parameters, constants: &self.constants, last: (0, 0) };
        let all: u64 = grid.iter().product();
        let place = |n: u64| [n % grid[0], n / grid[0] % grid[1], n / grid[0] / grid[1]];
        let block = |n: u64| Block::new(self, place(n), threads, grid, shared_bytes as usize);
        let mut done = 0;
        let mut turn = |block: &mut Block| -> Result<(), String> {
            done += block.turn(self, &mut memory)?;
            if done > MOST { Err("a kernel runs for ever".to_string()) } else { Ok(()) }
        };
        if !at_once {
            return (0..all).map(block).try_for_each(|mut block| {
                while !block.has_ended() {
                    turn(&mut block)?;
                }
                Ok(())
            });
        }
        let mut blocks: Vec<Block> = (0..all).map(block).collect();
        while blocks.iter().any(|block| !block.has_ended()) {
            blocks.iter_mut().filter(|block| !block.has_ended()).try_for_each(&mut turn)?;
        }
        Ok(())
    }
}
