//! Runs a kernel with its points in random order over shadow memory: finds races without a GPU.
//!
//! Goes in: a kernel, extents, arrays, scalars, a seed. Comes out: what it writes to the arrays, or what is wrong. Strict: arrays must have the kernel's
//! extents, strides of 0 where they are fixed, and no writer where `noalias` is promised. No point may read or write a byte that another point writes. With
//! reductions a point is a kept point. The rows of a scan are run in random order, each index by index, but every index counts as a point, because threads
//! share rows. A kept point of a kernel of rows goes through all phases, and is one point. Code runs step by step; its tables are met as operands of maps are.
//! Once a point has set a fault, some of the others still run. A cooperative program runs once. Of its steps no point may touch what another one, or every
//! thread, wrote since the last barrier, nor write what another read. Points of a kernel with scatters run in C order. Its scatters may meet each other and
//! read what they write, and nothing else may touch that.

mod code;
mod shadow;
mod tiles;

use super::{Access, Input, Kernel, Node, Operand, Phase};
use crate::array::interpret::{View, for_each_point};
use crate::scalar::{Accumulator, Code, Constant, Reducer, eval_body, eval_body_with};
use shadow::Shadow;

/// Runs a verified kernel. Arrays have the kernel's rank, or that of its kept axes if they are fixed along the others.
pub fn run(kernel: &Kernel, extents: &[i64], arrays: &[View], scalars: &[Constant], seed: u64) -> Result<(), String> {
    run_with(kernel, extents, arrays, scalars, seed, &mut 200_000_000)
}

/// As [`run`]; `fuel` is how many steps code may take, and then how many are left.
pub fn run_with(
    kernel: &Kernel,
    extents: &[i64],
    arrays: &[View],
    scalars: &[Constant],
    seed: u64,
    fuel: &mut u64,
) -> Result<(), String> {
    if extents.len() != kernel.rank || arrays.len() != kernel.operands.len() || scalars.len() != kernel.scalars.len() {
        return Err("the launch does not match the kernel".to_string());
    }
    let mut operands = Vec::new();
    for (n, (operand, array)) in kernel.operands.iter().zip(arrays).enumerate() {
        if let Some(table) = kernel.table_of(n) {
            let strides: Vec<Option<i64>> = table.strides.iter().map(|s| scalars[*s].as_int()).collect();
            if array.dtype != operand.dtype || !array.strides.iter().map(|s| Some(*s)).eq(strides) {
                return Err(format!("operand {n}: the strides of a table are not those of its array"));
            }
            operands.push(array.clone());
            continue;
        }
        operands.push(launch_view(operand, array, extents).map_err(|message| format!("operand {n}: {message}"))?);
    }
    let shadow = Shadow::default();
    let (random, actor, epoch, has_faulted) = (seed | 1, None, 0, false);
    let row = Row::default();
    let mut run = Run { kernel, extents, operands, scalars, shadow, fuel, random, actor, epoch, has_faulted, row };
    let points = run.points()?;
    if kernel.is_rows() {
        points.iter().try_for_each(|point| run.row(point))?;
        return run.shadow.check_promises();
    }
    for node in &kernel.body {
        if let Node::Phase(Phase { tiles: Some(tiles), .. }) = node {
            run.tiles(*tiles, points)?;
            break;
        }
        for point in &points {
            match node {
                Node::Phase(phase) => run.point(phase, point)?,
                Node::Code(code) => run.code(code, point)?,
            }
        }
    }
    run.shadow.check_promises()
}

struct Run<'a> {
    kernel: &'a Kernel,
    extents: &'a [i64],
    operands: Vec<View>,
    scalars: &'a [Constant],
    shadow: Shadow,
    /// Steps that code may still take.
    fuel: &'a mut u64,
    /// Decides about orders.
    random: u64,
    /// Who acts in a cooperative program: 0 is every thread.
    actor: Option<u64>,
    /// Barriers of a cooperative program so far.
    epoch: u64,
    /// A point of this launch set a fault.
    has_faulted: bool,
    row: Row,
}

/// What the phases of a kernel of rows gave so far at its current kept point.
#[derive(Default)]
struct Row {
    /// There, by the phases' results.
    values: Vec<Constant>,
    /// At each of its points, by their bodies' outputs.
    held: Vec<Vec<Constant>>,
    /// The point at hand, in C order.
    position: usize,
}

/// The array with one stride an axis of the kernel.
fn launch_view(operand: &Operand, array: &View, extents: &[i64]) -> Result<View, String> {
    let mut view = array.clone();
    if view.dtype != operand.dtype || view.shape.len() > extents.len() {
        return Err("dtype or rank differ".to_string());
    }
    view.strides.resize(extents.len(), 0);
    for axis in 0..extents.len() {
        let fits = view.shape.get(axis).is_none_or(|extent| *extent == extents[axis]);
        if !fits || (axis >= view.shape.len() && !operand.fixed[axis]) {
            return Err(format!("extents {:?} in an iteration space of {extents:?}", view.shape));
        }
        if operand.fixed[axis] && view.strides[axis] != 0 && extents[axis] > 1 {
            return Err(format!("the stride along axis {axis} is not 0"));
        }
    }
    Ok(view)
}

impl Run<'_> {
    fn n_kept(&self) -> usize {
        self.kernel.rank - self.kernel.n_reduced
    }

    /// The kept points in an order that follows from the seed; one point of a cooperative program, which is run once.
    fn points(&mut self) -> Result<Vec<Vec<i64>>, String> {
        if self.kernel.code().is_some_and(Code::is_cooperative) {
            return Ok(if self.extents[0] > 0 { vec![vec![0]] } else { Vec::new() });
        }
        let mut points = Vec::new();
        self.spend(self.extents[..self.n_kept()].iter().fold(1, |n: u64, extent| n.saturating_mul(*extent as u64)))?;
        let collected: Result<(), ()> = for_each_point(&self.extents[..self.n_kept()], |point| {
            points.push(point.to_vec());
            Ok(())
        });
        debug_assert!(collected.is_ok());
        if self.kernel.is_sequential() {
            return Ok(points);
        }
        self.shuffle(&mut points);
        Ok(points)
    }

    fn shuffle<T>(&mut self, points: &mut [T]) {
        let mut state = self.random;
        for n in (1..points.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            points.swap(n, (state >> 33) as usize % (n + 1));
        }
        self.random = state;
    }

    /// The number of whoever acts: of a point, or in a cooperative program.
    fn number(&self, point: &[i64]) -> u64 {
        self.actor.map_or_else(|| number(point, self.extents), |actor| actor + 1)
    }

    fn spend(&mut self, amount: u64) -> Result<(), String> {
        *self.fuel = self.fuel.checked_sub(amount).ok_or("the run takes too long")?;
        Ok(())
    }

    fn point(&mut self, phase: &Phase, point: &[i64]) -> Result<(), String> {
        if phase.is_scan {
            return self.scan(phase, point);
        }
        let outputs = if phase.reducers.is_empty() {
            let inputs = self.inputs(phase, point, point)?;
            self.evaluate(phase, &inputs, point, point)?
        } else {
            self.reduce(phase, point)?
        };
        for scatter in &phase.scatters {
            if scatter.when.is_some_and(|n| outputs[n] == Constant::Bool(false)) {
                continue;
            }
            let at: Vec<i64> = scatter.at.iter().filter_map(|n| outputs[*n].as_int()).collect();
            let (operand, value) = (self.kernel.tables[scatter.table].operand, outputs[scatter.output]);
            match scatter.is_apart {
                true => self.scatter_apart(operand, &at, point, value)?,
                false => self.scatter(operand, &at, point, value)?,
            }
        }
        for store in &phase.stores {
            let mut at = point.to_vec();
            at.resize(self.kernel.rank, 0);
            self.write(store.operand, &at, point, outputs[store.output])?;
        }
        Ok(())
    }

    /// All phases at a kept point.
    fn row(&mut self, point: &[i64]) -> Result<(), String> {
        let kernel = self.kernel;
        let width: i64 = self.extents[self.n_kept()..].iter().product();
        self.spend(width.unsigned_abs().saturating_mul(kernel.body.len() as u64))?;
        self.row = Row { held: vec![Vec::new(); width.max(0) as usize], ..Row::default() };
        for phase in kernel.phases() {
            if phase.reducers.is_empty() {
                self.map_of_row(phase, point)?;
                continue;
            }
            let outputs = self.reduce(phase, point)?;
            for store in &phase.stores {
                let mut at = point.to_vec();
                at.resize(kernel.rank, 0);
                self.write(store.operand, &at, point, outputs[store.output])?;
            }
            self.row.values.extend(outputs);
        }
        Ok(())
    }

    /// A map over the points of a kept point, which it belongs to.
    fn map_of_row(&mut self, phase: &Phase, point: &[i64]) -> Result<(), String> {
        self.row.position = 0;
        let reduced = &self.extents[self.n_kept()..];
        for_each_point(reduced, |inner| {
            let index = [point, inner].concat();
            let inputs = self.inputs(phase, &index, point)?;
            let outputs = self.evaluate(phase, &inputs, &index, point)?;
            for store in &phase.stores {
                self.write(store.operand, &index, point, outputs[store.output])?;
            }
            self.row.position += 1;
            Ok::<(), String>(())
        })
    }

    /// A row, whose index along the kept axes is `kept`.
    fn scan(&mut self, phase: &Phase, kept: &[i64]) -> Result<(), String> {
        let elements = phase.body.output_dtypes();
        let mut totals: Option<Vec<Constant>> = None;
        for last in 0..self.extents[self.kernel.rank - 1] {
            let index = [kept, &[last]].concat();
            let inputs = self.inputs(phase, &index, &index)?;
            let values = self.evaluate(phase, &inputs, &index, &index)?;
            let next = match totals {
                Some(totals) => phase.running(&totals, &values, &elements),
                None => values,
            };
            let reduced = &next[..phase.reducers.len()];
            let outputs = phase.epilogue.as_ref().map_or_else(|| reduced.to_vec(), |b| eval_body(b, reduced, &index));
            for store in &phase.stores {
                self.write(store.operand, &index, &index, outputs[store.output])?;
            }
            totals = Some(next);
        }
        Ok(())
    }

    fn reduce(&mut self, phase: &Phase, point: &[i64]) -> Result<Vec<Constant>, String> {
        let elements = phase.body.output_dtypes();
        let mut accumulators: Vec<Accumulator> =
            phase.reducers.iter().zip(elements).map(|(reducer, dtype)| Accumulator::new(*reducer, dtype)).collect();
        let reduced = &self.extents[self.n_kept()..];
        self.row.position = 0;
        for_each_point(reduced, |inner| {
            let index = [point, inner].concat();
            let inputs = self.inputs(phase, &index, point)?;
            let values = self.evaluate(phase, &inputs, &index, point)?;
            if let Some(held) = self.row.held.get_mut(self.row.position) {
                held.extend(&values);
            }
            self.row.position += 1;
            accumulators.iter_mut().zip(values).for_each(|(accumulator, value)| accumulator.push(value));
            Ok::<(), String>(())
        })?;
        let values: Vec<Constant> = accumulators.iter().map(Accumulator::finish).collect();
        Ok(phase.epilogue.as_ref().map_or_else(|| values.clone(), |body| eval_body(body, &values, point)))
    }

    fn inputs(&mut self, phase: &Phase, index: &[i64], point: &[i64]) -> Result<Vec<Constant>, String> {
        let mut inputs = Vec::with_capacity(phase.inputs.len());
        for input in &phase.inputs {
            inputs.push(match input {
                Input::Load(operand) => self.read(*operand, index, point)?,
                Input::Scalar(scalar) => self.scalars[*scalar],
                Input::Row(value) => self.row.values[*value],
                Input::Held(value) => self.row.held[self.row.position][*value],
            });
        }
        Ok(inputs)
    }

    /// The body's outputs at an index.
    fn evaluate(
        &mut self,
        phase: &Phase,
        inputs: &[Constant],
        index: &[i64],
        point: &[i64],
    ) -> Result<Vec<Constant>, String> {
        let kernel = self.kernel;
        eval_body_with(&phase.body, inputs, index, &mut |table, at| {
            let operand = kernel.tables[table as usize].operand;
            let offset = self.operands[operand].place(at)?;
            if kernel.operands[operand].access == Access::Read {
                return self.read_at(operand, offset, point);
            }
            // What is scattered to is read as the points before left it.
            let view = &self.operands[operand];
            view.buffer.read(view.offset.wrapping_add(offset), view.dtype)
        })
    }

    fn read(&mut self, operand: usize, index: &[i64], point: &[i64]) -> Result<Constant, String> {
        self.read_at(operand, self.operands[operand].at(index), point)
    }

    /// Reads the element so many bytes after an operand's first one.
    fn read_at(&mut self, operand: usize, at: i64, point: &[i64]) -> Result<Constant, String> {
        let view = &self.operands[operand];
        let offset = view.offset.wrapping_add(at);
        let (number, epoch, is_everyone) = (self.number(point), self.epoch, self.actor == Some(0));
        for byte in self.shadow.of(view, offset)? {
            byte.enter(epoch);
            if byte.writer != 0 && byte.writer != number {
                return Err(race(point, "reads what another point wrote"));
            }
            byte.read_by_many |= is_everyone || (byte.reader != 0 && byte.reader != number);
            byte.reader = number;
            byte.promise(operand, &self.kernel.operands[operand]);
        }
        view.buffer.read(offset, view.dtype)
    }

    fn write(&mut self, operand: usize, index: &[i64], point: &[i64], value: Constant) -> Result<(), String> {
        self.write_at(operand, self.operands[operand].at(index), point, value)
    }

    /// Of points that write different elements: as a store.
    fn scatter_apart(&mut self, operand: usize, at: &[i64], point: &[i64], value: Constant) -> Result<(), String> {
        let place = self.operands[operand].place(at)?;
        self.write_at(operand, place, point, value)
    }

    /// Writes the element so many bytes after an operand's first one.
    fn write_at(&mut self, operand: usize, at: i64, point: &[i64], value: Constant) -> Result<(), String> {
        let view = &self.operands[operand];
        let offset = view.offset.wrapping_add(at);
        let (number, epoch) = (self.number(point), self.epoch);
        for byte in self.shadow.of(view, offset)? {
            byte.enter(epoch);
            if byte.writer != 0 && byte.writer != number {
                return Err(race(point, "writes what another point wrote"));
            }
            if byte.read_by_many || (byte.reader != 0 && byte.reader != number) {
                return Err(race(point, "writes what another point read"));
            }
            byte.writer = number;
            byte.writes.note(operand);
            byte.promise(operand, &self.kernel.operands[operand]);
        }
        view.buffer.write(offset, view.dtype, value)
    }

    fn scatter(&mut self, operand: usize, at: &[i64], point: &[i64], value: Constant) -> Result<(), String> {
        let view = &self.operands[operand];
        let offset = view.offset.wrapping_add(view.place(at)?);
        for byte in self.shadow.of(view, offset)? {
            if byte.reader != 0 {
                return Err(race(point, "scatters to what is read, too"));
            }
            if byte.writes.is_other_than(operand) {
                return Err(race(point, "scatters to what is stored, too"));
            }
            // A writer that is no point: whoever reads it afterwards races.
            byte.writer = u64::MAX;
            byte.writes.note(operand);
        }
        view.buffer.write(offset, view.dtype, value)
    }
}

impl Phase {
    /// The next values of a scan's reducers, and its factor.
    fn running(&self, totals: &[Constant], values: &[Constant], elements: &[crate::DType]) -> Vec<Constant> {
        if let (true, [total, ..], [value, factor], [element, ..]) = (self.has_factor(), totals, values, elements) {
            let scaled = Reducer::Mul.combine(*factor, *total, *element);
            return vec![Reducer::Add.combine(scaled, *value, *element), *factor];
        }
        let both = totals.iter().zip(values);
        let combined = self.reducers.iter().zip(both).zip(elements);
        combined.map(|((reducer, (a, b)), element)| reducer.combine(*a, *b, *element)).collect()
    }
}

/// A point's number in C order, from 1.
fn number(point: &[i64], extents: &[i64]) -> u64 {
    point.iter().zip(extents).fold(0, |number, (i, extent)| number * *extent as u64 + *i as u64) + 1
}

fn race(point: &[i64], what: &str) -> String {
    format!("a race: point {point:?} {what}")
}
