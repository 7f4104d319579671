//! Calls of routines.
//!
//! A routine runs in an interpreter of its own, which borrows the arguments, hands references to its results over, and takes what it takes of
//! the same fuel.

use super::references::References;
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
        let mut buffers = Vec::new();
        for argument in &arguments {
            if let Some(given) = argument.buffer()
                && !buffers.iter().any(|(buffer, _)| buffer == given)
            {
                buffers.push((given.clone(), given.references()));
            }
        }
        let mut callee = Interpreter {
            module: self.module,
            function,
            values: vec![None; function.values.len()],
            buffers,
            references: References::new(function, None),
            measures: self.measures,
            fuel: self.fuel,
            seed: self.seed,
            n_calls: self.n_calls + 1,
        };
        callee.references.continue_counting(&self.references);
        let outcome = callee.call(&arguments);
        self.references.continue_counting(&callee.references);
        (self.fuel, self.measures) = (callee.fuel, callee.measures);
        let results = outcome?;
        for result in &results {
            if let Some(given) = result.buffer()
                && !self.buffers.iter().any(|(buffer, _)| buffer == given)
            {
                self.buffers.push((given.clone(), 0));
            }
        }
        Ok(results)
    }
}
