//! Runs a kernel with its points in random order over shadow memory: finds races without a GPU.
//!
//! Goes in: a kernel, extents, arrays, scalars, a seed. Comes out: what it writes to the arrays, or what is wrong. Strict: arrays must
//! have the kernel's extents, strides of 0 where they are fixed, no writer where `noalias` is promised, and no point may read or
//! write a byte that another point writes. With reductions a point is a kept point.

use std::collections::BTreeMap;

use super::{Input, Kernel, Node, Operand, Phase};
use crate::array::interpret::{View, for_each_point};
use crate::scalar::{Accumulator, Constant, eval_body};

/// Runs a verified kernel. Arrays have the kernel's rank, or that of its kept axes if they are fixed along the others.
pub fn run(kernel: &Kernel, extents: &[i64], arrays: &[View], scalars: &[Constant], seed: u64) -> Result<(), String> {
    if extents.len() != kernel.rank || arrays.len() != kernel.operands.len() || scalars.len() != kernel.scalars.len() {
        return Err("the launch does not match the kernel".to_string());
    }
    let mut operands = Vec::new();
    for (n, (operand, array)) in kernel.operands.iter().zip(arrays).enumerate() {
        operands.push(launch_view(operand, array, extents).map_err(|message| format!("operand {n}: {message}"))?);
    }
    let mut run = Run { kernel, extents, operands, scalars, shadow: BTreeMap::new() };
    let points = run.points(seed);
    for Node::Phase(phase) in &kernel.body {
        for point in &points {
            run.point(phase, point)?;
        }
    }
    run.check_noalias()
}

/// What happened to a byte.
#[derive(Default)]
struct Shadow {
    writer: Option<Vec<i64>>,
    /// The operand through which it was written.
    written_by: Option<usize>,
    reader: Option<Vec<i64>>,
    /// Another point than `reader` read it too.
    read_by_many: bool,
    /// The `noalias` operand that read it.
    promised: Option<usize>,
}

struct Run<'a> {
    kernel: &'a Kernel,
    extents: &'a [i64],
    operands: Vec<View>,
    scalars: &'a [Constant],
    shadow: BTreeMap<(usize, i64), Shadow>,
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

    /// The kept points in an order that follows from the seed.
    fn points(&self, seed: u64) -> Vec<Vec<i64>> {
        let mut points = Vec::new();
        let collected: Result<(), ()> = for_each_point(&self.extents[..self.n_kept()], |point| {
            points.push(point.to_vec());
            Ok(())
        });
        debug_assert!(collected.is_ok());
        let mut state = seed | 1;
        for n in (1..points.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            points.swap(n, (state >> 33) as usize % (n + 1));
        }
        points
    }

    fn point(&mut self, phase: &Phase, point: &[i64]) -> Result<(), String> {
        let outputs = if phase.reducers.is_empty() {
            let inputs = self.inputs(phase, point, point)?;
            eval_body(&phase.body, &inputs, point)
        } else {
            self.reduce(phase, point)?
        };
        for store in &phase.stores {
            let mut at = point.to_vec();
            at.resize(self.kernel.rank, 0);
            self.write(store.operand, &at, point, outputs[store.output])?;
        }
        Ok(())
    }

    fn reduce(&mut self, phase: &Phase, point: &[i64]) -> Result<Vec<Constant>, String> {
        let elements = phase.body.output_dtypes();
        let mut accumulators: Vec<Accumulator> =
            phase.reducers.iter().zip(elements).map(|(reducer, dtype)| Accumulator::new(*reducer, dtype)).collect();
        let reduced = &self.extents[self.n_kept()..];
        for_each_point(reduced, |inner| {
            let index = [point, inner].concat();
            let inputs = self.inputs(phase, &index, point)?;
            let values = eval_body(&phase.body, &inputs, &index);
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
            });
        }
        Ok(inputs)
    }

    fn read(&mut self, operand: usize, index: &[i64], point: &[i64]) -> Result<Constant, String> {
        let view = &self.operands[operand];
        let offset = view.offset.wrapping_add(view.at(index));
        for byte in 0..view.dtype.itemsize() as i64 {
            let shadow = self.shadow.entry((view.buffer.identity(), offset.wrapping_add(byte))).or_default();
            if shadow.writer.as_ref().is_some_and(|writer| writer != point) {
                return Err(race(point, "reads", shadow.writer.as_deref()));
            }
            let other = shadow.reader.as_ref().is_some_and(|reader| reader != point);
            shadow.read_by_many |= other;
            shadow.reader.get_or_insert_with(|| point.to_vec());
            if self.kernel.operands[operand].noalias {
                shadow.promised.get_or_insert(operand);
            }
        }
        view.buffer.read(offset, view.dtype)
    }

    fn write(&mut self, operand: usize, index: &[i64], point: &[i64], value: Constant) -> Result<(), String> {
        let view = &self.operands[operand];
        let offset = view.offset.wrapping_add(view.at(index));
        for byte in 0..view.dtype.itemsize() as i64 {
            let shadow = self.shadow.entry((view.buffer.identity(), offset.wrapping_add(byte))).or_default();
            if shadow.writer.as_ref().is_some_and(|writer| writer != point) {
                return Err(race(point, "writes", shadow.writer.as_deref()));
            }
            if shadow.read_by_many || shadow.reader.as_ref().is_some_and(|reader| reader != point) {
                return Err(race(point, "writes what is read by others, and", shadow.reader.as_deref()));
            }
            shadow.writer.get_or_insert_with(|| point.to_vec());
            shadow.written_by = Some(operand);
        }
        view.buffer.write(offset, view.dtype, value)
    }

    /// What a `noalias` operand reads no other operand writes, not even at the same point.
    fn check_noalias(&self) -> Result<(), String> {
        let broken = |shadow: &Shadow| match (shadow.promised, shadow.written_by) {
            (Some(promised), Some(written)) => promised != written,
            _ => false,
        };
        match self.shadow.values().find(|shadow| broken(shadow)) {
            Some(shadow) => {
                let operand = shadow.promised.unwrap_or(0);
                Err(format!("operand {operand} is `noalias` and shares memory with a written one"))
            }
            None => Ok(()),
        }
    }
}

fn race(point: &[i64], what: &str, other: Option<&[i64]>) -> String {
    format!("a race: point {point:?} {what} a byte that point {:?} touches", other.unwrap_or(&[]))
}
