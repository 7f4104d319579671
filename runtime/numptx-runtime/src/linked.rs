//! Modules that are linked into a Rust program, and calls of their functions that need no `unsafe`.
//!
//! In: a module's descriptor, and arguments that borrow what they show. Out: results that own their memory, or borrow that of an argument.
//! Whether the arguments are what the function takes is checked by the descriptor, so that no caller is trusted. `numptx-build` writes
//! the calls: a typed function for each overload.

mod argument;
mod bindings;
mod parameters;
mod results;

use numptx_abi::{Module, Overload, ResultNode};

use crate::array::{alignment, options};
use crate::buffer::HostMemory;
use crate::error::{Error, Result, no_error};
use crate::{image, invoke};

pub use argument::CallArgument;
pub use bindings::is_module_symbol;
pub use results::{HostArray, HostCow, HostView, Results};

/// A module whose library is part of the program.
#[derive(Clone, Copy)]
pub struct LinkedModule(*const Module);

/// Where the results of a call are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPlace {
    /// In host memory.
    Host,
    /// Where the function computed.
    Device,
}

impl LinkedModule {
    /// # Safety
    /// `module` is the descriptor of a generated library that is never unloaded.
    pub unsafe fn new(module: *const Module) -> LinkedModule {
        LinkedModule(module)
    }

    /// The overload of a function, by their numbers in the library, which is bound to this runtime.
    fn overload(self, (function, overload): (usize, usize)) -> Result<&'static Overload> {
        let missing = || Error::runtime("the library linked in has no such function: it is another one's");
        // SAFETY: a generated library's descriptor, which lives as long as the program; what it holds is read once its ABI is known to be this one.
        unsafe {
            image::bind(self.0)?;
            let module = &*self.0;
            let function = (function < module.n_functions as usize).then(|| &*module.functions.add(function));
            let function = function.ok_or_else(missing)?;
            let overload = (overload < function.n_overloads as usize).then(|| &*function.overloads.add(overload));
            overload.ok_or_else(missing)
        }
    }

    /// Calls a function with `N` leaves of arguments and `R` of results: `(number of the function, number of its overload)`.
    pub fn call<'v, 'b, const N: usize, const R: usize>(
        self,
        number: (usize, usize),
        place: ResultPlace,
        arguments: [CallArgument<'v, 'b>; N],
    ) -> Result<Results<'v, 'b, R>> {
        let overload = self.overload(number)?;
        let kept = arguments.iter().enumerate().fold(0u64, |kept, (k, a)| kept | u64::from(a.is_kept()) << (k % 64));
        let arguments = arguments.map(CallArgument::into_abi);
        parameters::check(overload, &arguments)?;
        if R != overload.n_results as usize {
            return Err(Error::runtime("the function has another number of results"));
        }
        let mut options = options(None);
        options.results_on_device = u32::from(place == ResultPlace::Device);
        let memory = if place == ResultPlace::Host { memory_for(overload) } else { HostMemory::Buffers };
        let mut results = Results::new(kept);
        let mut error = no_error();
        let (first, leaves) = (arguments.as_ptr(), results.leaves());
        // SAFETY: the arguments are those of the overload, and what they show is borrowed, for writing where the function writes.
        unsafe { invoke::invoke(overload, first, leaves, (&options, memory), &mut error) }?;
        Ok(results)
    }
}

/// What a call's host memory is to be so that its arrays become vectors: of results with different alignments, the first one's.
fn memory_for(overload: &Overload) -> HostMemory {
    let nodes = nodes(overload.results, overload.n_result_nodes);
    let first = nodes.iter().find(|node| node.kind == ResultNode::ARRAY);
    first.map_or(HostMemory::Buffers, |node| HostMemory::Vectors { align: alignment(u32::from(node.dtype)) })
}

/// Nodes of a descriptor.
fn nodes<'a, T>(first: *const T, n: u32) -> &'a [T] {
    // SAFETY: descriptors hold as many entries as they say, and live as long as their library.
    if n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(first, n as usize) } }
}
