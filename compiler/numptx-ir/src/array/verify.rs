//! Checks a module against every invariant of the array IR. A failed check is a bug of the stage before, never of the user.
//!
//! Goes in: a module in any phase, also one made from arbitrary text. Comes out: nothing, or every violation with its function and op.
//! Says nothing about values at run time (extents that agree, indices in range): those the interpreter checks.
//!
//! # Invariants
//!
//! Structure
//! - `A01 definition`: every value is defined exactly once, by a parameter, an op's result or a region's parameter; ids are in range.
//! - `A02 dominance`: an operand is defined earlier in its region or in one around it.
//! - `A03 terminator`: a function's body ends in `return`, other regions in `yield`; neither stands anywhere else.
//! - `A04 regions`: ops have the regions of their kind, with parameters and yields of the types that they carry.
//! - `A05 names`: functions and kernels have distinct, non-empty names.
//! - `A06 signature`: parameters and returned values are the leaves of the signature, in order and type; after the returned leaves stand the
//!   numbers of the objects of `numbered` leaves, which are arrays. A leaf that is the `same` object as another comes after that one.
//!
//! Types
//! - `A07 operands`: an op has the operands of its kind: number, scalar or array, axes within the rank, ranks of at most 16.
//! - `A08 results`: results have the types that `typing::result_types` gives.
//! - `A09 scalars`: extents, bounds, indices and payloads are `i64`; conditions are `bool`.
//! - `A10 constants`: a constant is canonical for its dtype; a message has one placeholder for each payload, which it can show.
//! - `A11 body`: a body uses earlier values only, at dtypes that its operations take; its inputs and indices exist. So does a nest's code, whose
//!   blocks take and yield what their steps carry, and whose written tables are its first ones.
//! - `A12 inputs`: array inputs and destinations of `map`, `reduce`, `scan` and their stores have the op's rank (of the kept axes for what
//!   `store_reduce` writes); body inputs have their operands' dtypes, destinations their results'; a body's tables are the op's last operands, arrays
//!   of the dtypes that it reads and with an axis an index. Scalars and tables of a nest have the dtypes and ranks that its code takes.
//! - `A13 reduction`: one reducer an output of the body, each defined on it; no more axes reduced than there are.
//! - `A14 order`: the terms of an order name array inputs, and each axis of the result once where they name axes; `reshape`, `ravel` and `contiguous` have an
//!   order that they take.
//! - `A15 assign`: both sides have one rank and dtype.
//! - `A16 writable`: only writable arrays are written.
//! - `A17 phase`: only ops that the function's phase allows (see `Phase`).
//! - `A18 launch`: arguments match the kernel: extents, arrays by number, dtype and rank, scalars by dtype; written arrays are writable.
//! - `A19 scatter`: the body's outputs are an element of the destination's dtype, one `i64` index an axis of it, and, if there is one more, a `bool`;
//!   the first table of one that accumulates is the destination, and past phase Source nothing else that it reads is.
//! - `A26 scan`: a scan runs along an axis that it has; its body and its epilogue have one output; its reducer is defined on it and is no
//!   search for a position. The body of one by `add` may have one more output, of the same dtype.
//! - `A27 nest`: a nest stores something; a table that it stores to is no other of its tables. Nobody can see here, and the interpreter checks, what
//!   a nest promises beyond that: an element that is stored to is met through one table only and by one point only, and indices are in range. A fault
//!   is one table of a nest, that only checks meet (`A11`), an `i64` of rank 0 (`A12`).
//!
//! - `A28 call`: a call names a routine of the module, has its parameters as operands, an array of which less may be promised, and what it returns
//!   as results, of which less may be promised, too; the operands that it may write are writable arrays, those that results may view are arrays.
//! - `A29 sort`: what is sorted has an axis; the array of indices has its rank, and elements of `i64`.
//! - `A30 object`: an operation on objects stands in the table, has a layout where that says so, and takes and gives what it says.
//! - `A31 compact`: there is an axis; the last output is a `bool`; counts are a vector of `i64`, destinations are vectors of the other outputs' dtypes;
//!   what is written is not read.
//!
//! Ownership, in `Phase::Owned` alone
//!
//! Arrays and objects are meant alike. *Owned roots* are the results of `alloc`, `contiguous`, `reuse`, `reshape`, `ravel`, `call`, `object`, `if`, `for` and
//! `while`, and the array parameters of the regions of `for` and of the second region of `while`. Each starts with one reference of its own. *Borrowed roots*
//! are the function's array parameters and the parameters of the first region of `while` (the loop keeps them). The root of a view is its operand's root; any
//! other array is its own root. A use of a value is a use of its root, `dim` included.
//!
//! - `retain v` makes one *loose* reference to the buffer of v's root. `release v` drops an owned root's own reference; v is the root itself.
//! - Array operands of `return` (parameters too), array operands of `yield`, and array initial values of `for` and `while` are *consumed*:
//!   each occurrence takes one reference, a loose one to its root if there is one, else the owned root's own, which thereby *moves*.
//! - A root is *live* from its definition to its release or move.
//!
//! - `A20 live`: no root is used after its release or move; consuming a loose reference is not a use.
//! - `A21 release`: only an owned root is released, by itself and not by a view.
//! - `A22 leak`: at the end of a region no root that it defines is live.
//! - `A23 agree`: both branches of an `if` leave the same outer roots live; a loop's regions leave all of them live.
//! - `A24 consume`: every consumed operand finds a reference to take: borrowed values must be retained first.
//! - `A25 loose`: a loose reference is consumed in its region by the next op that consumes; between a `retain` and that op stand only
//!   pure scalars and views, further retains, and then releases. So no op that can fail ever meets a loose reference, and what to
//!   release when an op fails is exactly the roots that are live there.
//! - `A26 reuse`: `reuse` takes a view of a root that its own region owns. After it that root is only released, and read by the first op that
//!   uses the result: a launch without reductions that writes the result itself and reads, of the root, just the view taken, at its points;
//!   both operands without the promise of `noalias`.

mod attributes;
mod objects;
mod operands;
mod ownership;
mod reuse;
mod signature;
mod structure;

use super::print::op_line;
use super::{Function, Module, Op, Phase, Type, ValueId};
use crate::kernel;

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function's or kernel's name; empty for the module.
    pub function: String,
    /// The invariant's id: `A07`.
    pub invariant: &'static str,
    /// What is wrong.
    pub message: String,
    /// The op's first line of text; empty where no op is to blame.
    pub op: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} in `{}`: {}", self.invariant, self.function, self.message)?;
        if self.op.is_empty() { Ok(()) } else { write!(f, ": {}", self.op) }
    }
}

/// Checks every invariant of a module and of its kernels. Errors come in the order of the text.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = signature::check_names(module);
    for function in &module.functions {
        let mut checker = Checker { module, function, errors: Vec::new() };
        checker.check();
        errors.append(&mut checker.errors);
    }
    for kernel in &module.kernels {
        errors.extend(kernel::verify::verify(kernel).err().unwrap_or_default());
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The checks of one function. Later groups of checks rely on earlier ones and run only if those found nothing.
struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    errors: Vec<VerifyError>,
}

impl Checker<'_> {
    fn check(&mut self) {
        self.check_structure();
        if self.errors.is_empty() {
            self.check_signature();
            self.for_each_op(|checker, op| checker.check_op(op));
        }
        if self.errors.is_empty() {
            self.check_regions();
        }
        if self.errors.is_empty() && self.function.phase == Phase::Owned {
            self.check_ownership();
        }
    }

    fn fail(&mut self, invariant: &'static str, message: impl Into<String>, op: Option<&Op>) {
        let op = op.map_or(String::new(), |op| op_line(self.function, op));
        let function = self.function.name.clone();
        self.errors.push(VerifyError { function, invariant, message: message.into(), op });
    }

    fn types(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|v| self.function.ty(*v)).collect()
    }

    /// Every op of the function, outer ones before those nested in them.
    fn for_each_op(&mut self, mut visit: impl FnMut(&mut Self, &Op)) {
        let function = self.function;
        let mut open: Vec<&Op> = function.body.ops.iter().rev().collect();
        while let Some(op) = open.pop() {
            visit(self, op);
            open.extend(op.regions.iter().rev().flat_map(|region| region.ops.iter().rev()));
        }
    }
}
