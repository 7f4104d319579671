//! Scatters: points in C order, each writing an element that it computes.

use std::collections::BTreeSet;

use super::elementwise::Inputs;
use super::memory::size;
use super::{Failure, Interpreter, Outcome, Value, View, for_each_point, invalid};
use crate::array::{Meeting, Phase, Scatter, ValueId};
use crate::scalar::Constant;

impl Interpreter<'_> {
    pub(super) fn scatter(&mut self, operands: &[ValueId], scatter: &Scatter) -> Outcome<()> {
        let mut operands = operands.to_vec();
        let n = scatter.n_destinations;
        let destinations: Vec<ValueId> = operands.drain(scatter.rank..scatter.rank + n).collect();
        let (shape, mut inputs) = self.space(&operands, scatter.rank, &scatter.body)?;
        self.spend(size(&shape).unwrap_or(usize::MAX))?;
        let n_itself = (scatter.meeting == Meeting::Accumulating) as usize;
        let destinations = destinations.iter().map(|v| self.array(*v)).collect::<Outcome<Vec<View>>>()?;
        match self.function.phase {
            Phase::Source => inputs = copied(&inputs, n_itself)?,
            _ => destinations.iter().try_for_each(|view| check_hazards(&inputs, n_itself, view))?,
        }
        let n_at = destinations[0].shape.len();
        let mut written = BTreeSet::new();
        for_each_point(&shape, |point| {
            let outputs = inputs.evaluate(&scatter.body, point)?;
            if outputs.get(n_at + n) == Some(&Constant::Bool(false)) {
                return Ok(());
            }
            let at: Vec<i64> = outputs[n..n_at + n].iter().filter_map(|c| c.as_int()).collect();
            if scatter.meeting == Meeting::Apart && !written.insert(at.clone()) {
                return invalid("points of a scatter that are apart write one element");
            }
            destinations.iter().zip(&outputs).try_for_each(|(destination, output)| {
                let place = destination.place(&at).map_err(Failure::Invalid)?;
                destination.write(place, *output)
            })
        })
    }
}

/// The inputs as they are now; the first tables, as many as are the destination itself, stay it.
fn copied(inputs: &Inputs, n_itself: usize) -> Outcome<Inputs> {
    let copy = |view: &View| Ok(View::new(view.dtype, &view.shape, &view.elements()?));
    let value = |value: &Value| match value {
        Value::Array(view) => copy(view).map(Value::Array),
        scalar => Ok(scalar.clone()),
    };
    let table = |(n, view): (usize, &View)| if n < n_itself { Ok(view.clone()) } else { copy(view) };
    Ok(Inputs {
        values: inputs.values.iter().map(value).collect::<Outcome<_>>()?,
        is_read: inputs.is_read.clone(),
        tables: inputs.tables.iter().enumerate().map(table).collect::<Outcome<_>>()?,
    })
}

/// Nothing that is read shares memory with the destination, but the first tables, as many as are the destination itself.
pub(super) fn check_hazards(inputs: &Inputs, n_itself: usize, destination: &View) -> Outcome<()> {
    let written = bytes(destination)?;
    let arrays = inputs.values.iter().filter_map(|v| if let Value::Array(view) = v { Some(view) } else { None });
    let tables = inputs.tables.iter().skip(n_itself);
    for view in arrays.chain(tables).filter(|view| view.buffer == destination.buffer) {
        if !bytes(view)?.is_disjoint(&written) {
            return invalid("a hazard: a scatter reads what it writes");
        }
    }
    Ok(())
}

fn bytes(view: &View) -> Outcome<BTreeSet<i64>> {
    let mut bytes = BTreeSet::new();
    for_each_point(&view.shape, |point| {
        let first = view.offset.wrapping_add(view.at(point));
        bytes.extend(first..first + view.dtype.itemsize() as i64);
        Ok::<(), Failure>(())
    })?;
    Ok(bytes)
}
