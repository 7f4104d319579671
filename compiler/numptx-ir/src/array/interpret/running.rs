//! Running totals, and reductions and running totals that are written to existing views.
//!
//! A scan is run sequentially along its axis. Stores are checked for hazards before anything is written.

use std::collections::BTreeMap;

use super::elementwise::{Inputs, owners, reduced_at, write_all};
use super::memory::size;
use super::{Interpreter, Outcome, Value, View, for_each_point, invalid};
use crate::array::{Reduce, Scan, ValueId};
use crate::scalar::{Constant, Reducer, eval_body};

impl Interpreter<'_> {
    pub(super) fn scan(&mut self, operands: &[ValueId], scan: &Scan) -> Outcome<Vec<Value>> {
        let (shape, inputs) = self.space(operands, scan.rank, &scan.body)?;
        let dtypes: Vec<_> = scan.result_dtype().into_iter().collect();
        let results = self.results(&dtypes, &shape, &scan.order, &inputs.values)?;
        run_along(scan, &inputs, &shape, &results[0])?;
        Ok(results.into_iter().map(Value::Array).collect())
    }

    /// Reads at an index only what that index writes, or what nobody writes.
    pub(super) fn store_scan(&mut self, operands: &[ValueId], scan: &Scan) -> Outcome<()> {
        let (shape, mut inputs) = self.space(operands, scan.rank, &scan.body)?;
        self.spend(size(&shape).unwrap_or(usize::MAX))?;
        let destinations = views(inputs.values.drain(..1));
        let owners = owners(&destinations, &shape)?;
        inputs.tables.iter().try_for_each(|table| unwritten(table, &owners))?;
        let mut number = 0;
        for_each_point(&shape, |point| {
            number += 1;
            for view in views(inputs.values.iter().cloned()) {
                let Some(owners) = owners.get(&view.buffer.identity()) else { continue };
                if owners[view.bytes_at(point)?].iter().any(|owner| *owner != 0 && *owner != number) {
                    return invalid(format!("a hazard: index {point:?} reads what another index writes"));
                }
            }
            Ok(())
        })?;
        run_along(scan, &inputs, &shape, &destinations[0])
    }

    /// Reads nothing that it writes.
    pub(super) fn store_reduce(&mut self, operands: &[ValueId], reduce: &Reduce) -> Outcome<()> {
        let shape = self.extents(&operands[..reduce.rank])?;
        let (destinations, inputs) = operands[reduce.rank..].split_at(reduce.n_results());
        let destinations = views(self.all(destinations)?.into_iter());
        let inputs = [&operands[..reduce.rank], inputs].concat();
        let (_, inputs) = self.space(&inputs, reduce.rank, &reduce.body)?;
        self.spend(size(&shape).unwrap_or(usize::MAX))?;
        let kept = &shape[..reduce.rank - reduce.n_reduced];
        if destinations.iter().any(|view| view.shape != kept) {
            return invalid(format!("a destination of other extents than {kept:?}"));
        }
        let owners = owners(&destinations, kept)?;
        views(inputs.values.iter().cloned()).iter().chain(&inputs.tables).try_for_each(|v| unwritten(v, &owners))?;
        for_each_point(kept, |point| write_all(&destinations, point, reduced_at(reduce, &inputs, &shape, point)?))
    }
}

/// That no byte of an array is written. `owners`: by buffer, for each byte who writes it.
fn unwritten(view: &View, owners: &BTreeMap<usize, Vec<u64>>) -> Outcome<()> {
    let Some(owners) = owners.get(&view.buffer.identity()) else { return Ok(()) };
    for_each_point(&view.shape, |point| match owners[view.bytes_at(point)?].iter().all(|owner| *owner == 0) {
        true => Ok(()),
        false => invalid(format!("a hazard: {point:?} is read and written")),
    })
}

fn views(values: impl Iterator<Item = Value>) -> Vec<View> {
    values.filter_map(|value| if let Value::Array(view) = value { Some(view) } else { None }).collect()
}

/// Index by index along the axis, at every index of the other axes.
fn run_along(scan: &Scan, inputs: &Inputs, shape: &[i64], result: &View) -> Outcome<()> {
    let mut outer = shape.to_vec();
    let length = std::mem::replace(&mut outer[scan.axis], 1);
    let element = scan.body.dtype(scan.body.outputs[0]);
    for_each_point(&outer, |point| {
        let mut at = point.to_vec();
        let mut total: Option<Constant> = None;
        for index in 0..length {
            at[scan.axis] = index;
            let outputs = inputs.evaluate(&scan.body, &at)?;
            let (value, factor) = (outputs[0], outputs.get(1));
            let scaled = |total| factor.map_or(total, |factor| Reducer::Mul.combine(*factor, total, element));
            let next = total.map_or(value, |total| scan.reducer.combine(scaled(total), value, element));
            total = Some(next);
            let stored = scan.epilogue.as_ref().map_or(next, |body| eval_body(body, &[next], &at)[0]);
            result.write(result.at(&at), stored)?;
        }
        Ok(())
    })
}
