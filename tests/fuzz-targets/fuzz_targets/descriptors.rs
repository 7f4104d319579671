//! A library's descriptor made by hand, with numbers in it that may be any, bound and called as C and Rust do: an error, or a right call.
//!
//! Trusted, as the contract of `numptx_abi` says: lists are as long as their counts, names and texts are null where they may be or end with a null,
//! entries are functions that fill the results that they were given room for, and what an array argument with an address says lies there.
//! Not trusted: versions, codes, kinds, ranks, orders, counts of leaves, masks, trees of results, where functions and overloads stand, and what is
//! passed to a call.
#![no_main]

use std::ffi::CStr;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use numptx_runtime::memory_stats;

#[path = "descriptors/c.rs"]
mod c;
#[path = "descriptors/entry.rs"]
mod entry;
#[path = "descriptors/library.rs"]
mod library;
#[path = "descriptors/rust.rs"]
mod rust;

use library::{FunctionFacts, HeaderFacts, Library};
use numptx_fuzz_targets::odd::few;

/// A library, and calls of its functions.
#[derive(Debug)]
struct Program {
    header: HeaderFacts,
    functions: Vec<FunctionFacts>,
    calls: Vec<Call>,
}

#[derive(Debug, Arbitrary)]
enum Call {
    C(c::CallFacts),
    Rust(rust::CallFacts),
}

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Program { header: u.arbitrary()?, functions: few(u, 2)?, calls: few(u, 3)? })
    }
}

fuzz_target!(init: without_gpus(), |program: Program| {
    let before = memory_stats(None).live_buffers;
    let library = Library::new(&program.header, &program.functions);
    for call in &program.calls {
        match call {
            Call::C(facts) => c::call(&library, facts),
            Call::Rust(facts) => rust::call(&library, facts),
        }
    }
    assert_eq!(memory_stats(None).live_buffers, before, "buffers were kept");
});

/// Functions made here read what they are given: nothing of it is to be on a GPU, whatever the machine has.
fn without_gpus() {
    // SAFETY: no other thread is there yet.
    unsafe { std::env::set_var("NUMPTX_LIBCUDA", "/there/is/no/driver") };
}

/// What an error says: text that ends.
fn message(error: &numptx_abi::Error) -> &str {
    let bytes = error.message.map(|c| c as u8);
    let text = CStr::from_bytes_until_nul(&bytes).expect("messages end with a null").to_bytes().len();
    // SAFETY: the message's own bytes, without the null.
    let bytes = unsafe { std::slice::from_raw_parts(error.message.as_ptr().cast::<u8>(), text) };
    std::str::from_utf8(bytes).expect("messages are text")
}
