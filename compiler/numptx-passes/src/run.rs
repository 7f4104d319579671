//! Runs a list of passes over a module: skips optional ones beyond the limit, renumbers values, verifies, times.
//!
//! In: a module, passes in order, a limit. Out: the module. It does not choose passes and does not print.

use std::time::Instant;

use numptx_ir::array::{Module, verify};
use numptx_source::InternalError;

use crate::analysis::traverse::renumber;

/// What a pass does to a module. An error is our bug, never the user's.
pub type Run = fn(&mut Module) -> Result<(), InternalError>;

/// One pass.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name, as `--emit array@NAME` and dumps have it.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Whether later stages need it: such a pass runs whatever the limit.
    pub required: bool,
    /// Changes the module.
    pub run: Run,
}

impl Pass {
    /// A pass that later stages need.
    pub const fn required(name: &'static str, sentence: &'static str, run: Run) -> Self {
        Pass { name, sentence, required: true, run }
    }

    /// A pass that may be left out.
    pub const fn optional(name: &'static str, sentence: &'static str, run: Run) -> Self {
        Pass { name, sentence, required: false, run }
    }
}

/// How many optional passes run, counted along the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// All of them.
    None,
    /// The first ones only.
    Optional(usize),
}

/// Told after every pass that ran.
pub trait Observer {
    /// The module after the pass, and the seconds that the pass took (its verification not counted).
    fn reached_pass(&mut self, name: &str, module: &Module, seconds: f64);
}

/// Nobody looks.
pub struct Unobserved;

impl Observer for Unobserved {
    fn reached_pass(&mut self, _name: &str, _module: &Module, _seconds: f64) {}
}

/// Runs `passes` in order and verifies the module after each.
///
/// # Errors
/// An [`InternalError`] that names the pass: it failed, or the module that it left is not valid.
pub fn run<'p>(
    module: &mut Module,
    passes: impl IntoIterator<Item = &'p Pass>,
    limit: Limit,
    observer: &mut dyn Observer,
) -> Result<(), InternalError> {
    let mut n_optional = 0;
    for pass in passes {
        if !pass.required {
            n_optional += 1;
            if matches!(limit, Limit::Optional(n) if n_optional > n) {
                continue;
            }
        }
        let start = Instant::now();
        (pass.run)(module)?;
        module.functions.iter_mut().for_each(renumber);
        let seconds = start.elapsed().as_secs_f64();
        verify_after(pass.name, module)?;
        observer.reached_pass(pass.name, module, seconds);
    }
    Ok(())
}

fn verify_after(pass: &str, module: &Module) -> Result<(), InternalError> {
    let Err(errors) = verify::verify(module) else { return Ok(()) };
    let lines: Vec<String> =
        errors.iter().map(|e| format!("{} in `{}`: {}: {}", e.invariant, e.function, e.message, e.op)).collect();
    Err(InternalError { dump: module.to_string(), ..InternalError::new(format!("pass {pass}"), lines.join("\n")) })
}
