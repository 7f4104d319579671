//! Calls of routines.
//!
//! A routine runs in an interpreter of its own, which borrows the arguments, hands references to its results over, and takes what it takes of
//! the same fuel.

use std::collections::BTreeSet;

use super::references::{Reached, References};
use super::{Interpreter, Outcome, Value, invalid};
use crate::array::ValueId;

/// Calls that may be inside one another: each takes the stack of the interpreter itself.
const MAX_NESTED: usize = 30;
/// What a call takes of the fuel: calls inside calls are soon too many.
const FUEL: usize = 200;

impl Interpreter<'_> {
    pub(super) fn call_routine(&mut self, routine: &str, operands: &[ValueId]) -> Outcome<Vec<Value>> {
        let Some(function) = self.module.functions.iter().find(|f| f.is_routine && f.name == routine) else {
            return invalid(format!("there is no routine `{routine}`"));
        };
        self.spend(FUEL)?;
        if self.n_calls == MAX_NESTED {
            return invalid("the run takes too long: too many calls inside one another");
        }
        let arguments = self.all(operands)?;
        let buffers = Reached::new(arguments.iter().filter_map(Value::buffer)).outside();
        let mut callee = Interpreter {
            module: self.module,
            function,
            values: vec![None; function.values.len()],
            buffers,
            references: References::new(function, None),
            measures: self.measures,
            printed: std::mem::take(&mut self.printed),
            raised: None,
            fuel: self.fuel,
            seed: self.seed,
            n_calls: self.n_calls + 1,
        };
        callee.references.continue_counting(&self.references);
        let outcome = callee.call(&arguments);
        self.references.continue_counting(&callee.references);
        (self.fuel, self.measures, self.printed) = (callee.fuel, callee.measures, callee.printed);
        // What it raises may be caught here, and what it changed stays.
        let results = outcome.as_deref().unwrap_or_default();
        self.meet(arguments.iter().chain(results));
        outcome
    }

    /// Knows from here on what a callee made that is reached from these values.
    fn meet<'v>(&mut self, values: impl Iterator<Item = &'v Value>) {
        let reached = Reached::new(values.filter_map(Value::buffer));
        let mut known: Option<BTreeSet<usize>> = None;
        for buffer in reached.buffers {
            let all = || self.buffers.iter().map(|(buffer, _)| buffer.identity()).collect();
            if known.get_or_insert_with(all).insert(buffer.identity()) {
                self.buffers.push((buffer, 0));
            }
        }
    }
}
