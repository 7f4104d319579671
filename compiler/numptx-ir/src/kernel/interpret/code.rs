//! A point of a kernel that runs code, or the whole of a cooperative program: its points in random order, step by step, each of them a thread of its own.

use super::{Run, number};
use crate::scalar::{Code, Constant, Tables, run_code};

impl Run<'_> {
    pub(super) fn code(&mut self, code: &Code, point: &[i64]) -> Result<(), String> {
        let scalars = self.scalars;
        self.actor = code.is_cooperative().then_some(0);
        run_code(code, scalars, point, &mut Point { run: self, point })
    }
}

struct Point<'r, 'a> {
    run: &'r mut Run<'a>,
    point: &'r [i64],
}

impl Point<'_, '_> {
    /// The operand of a table, and how far from its first element the one at these indices is.
    fn place(&self, table: usize, at: &[i64]) -> Result<(usize, i64), String> {
        let operand = self.run.kernel.tables[table].operand;
        Ok((operand, self.run.operands[operand].place(at)?))
    }
}

impl Tables for Point<'_, '_> {
    fn load(&mut self, table: usize, at: &[i64]) -> Result<Constant, String> {
        let (operand, at) = self.place(table, at)?;
        self.run.read_at(operand, at, self.point)
    }

    fn store(&mut self, table: usize, at: &[i64], value: Constant) -> Result<(), String> {
        let (operand, at) = self.place(table, at)?;
        self.run.write_at(operand, at, self.point, value)
    }

    fn is_faulty(&mut self, table: usize) -> Result<bool, String> {
        // What another point of the same launch has set is seen by some.
        if self.run.has_faulted && number(self.point, self.run.extents).is_multiple_of(2) {
            return Ok(false);
        }
        let (operand, at) = self.place(table, &[])?;
        let view = &self.run.operands[operand];
        Ok(view.buffer.read(view.offset.wrapping_add(at), view.dtype)? != Constant::Int(0))
    }

    fn fault(&mut self, table: usize, value: Constant) -> Result<(), String> {
        self.run.has_faulted = true;
        let (operand, at) = self.place(table, &[])?;
        let view = &self.run.operands[operand];
        view.buffer.write(view.offset.wrapping_add(at), view.dtype, value)
    }

    fn spend(&mut self) -> Result<(), String> {
        self.run.spend(1)
    }

    fn act_as(&mut self, actor: u64) {
        self.run.actor = Some(actor);
    }

    fn barrier(&mut self) {
        self.run.epoch += 1;
    }

    fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        self.run.shuffle(&mut order);
        order
    }
}
