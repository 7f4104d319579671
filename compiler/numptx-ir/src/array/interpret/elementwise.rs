//! Fresh arrays, computations, and writes.

use std::collections::BTreeMap;

use super::memory::size;
use super::order::Axes;
use super::views::{is_packed, turned};
use super::{Failure, Interpreter, Outcome, Value, View, for_each_point, fresh_strides, invalid};
use crate::DType;
use crate::array::{Map, Order, OrderTerm, Phase, Reduce, Store, ValueId};
use crate::scalar::{Accumulator, Body, Constant, InstrKind, Reducer, eval_body, eval_body_with};

impl Interpreter<'_> {
    /// A fresh buffer with one reference.
    pub(super) fn fresh(&mut self, dtype: DType, shape: &[i64], strides: Vec<i64>) -> Outcome<View> {
        self.spend(size(shape).unwrap_or(usize::MAX))?;
        let view = View::alloc(dtype, shape, strides)?;
        self.buffers.push((view.buffer.clone(), 0));
        let living = self.buffers.iter().filter(|(buffer, callers)| *callers == 0 && buffer.references() > 0);
        let bytes: usize = living.map(|(buffer, _)| buffer.size()).sum();
        self.measures.n_allocated += 1;
        self.measures.peak_bytes = self.measures.peak_bytes.max(bytes as u64);
        Ok(view)
    }

    pub(super) fn alloc(&mut self, operands: &[ValueId], dtype: DType, order: &Order) -> Outcome<Vec<Value>> {
        let (shape, strides) = self.allocated(operands, dtype, order)?;
        Ok(vec![Value::Array(self.fresh(dtype, &shape, strides)?)])
    }

    /// In the operand's memory, if it is its buffer's only view and lies in it as the new array would.
    pub(super) fn reuse(&mut self, operands: &[ValueId], dtype: DType, order: &Order) -> Outcome<Vec<Value>> {
        let taken = self.array(operands[0])?;
        let (shape, strides) = self.allocated(&operands[1..], dtype, order)?;
        let is_callers = self.buffers.iter().any(|(buffer, callers)| *callers > 0 && *buffer == taken.buffer);
        let n_bytes = size(&shape).unwrap_or(usize::MAX).saturating_mul(dtype.itemsize());
        let lies_alike = taken.offset == 0
            && taken.shape == shape
            && (0..shape.len()).all(|axis| shape[axis] == 1 || taken.strides[axis] == strides[axis]);
        // Before ownership is explicit references are not counted, and the buffer may have other views.
        let is_only = self.function.phase == Phase::Owned && taken.buffer.references() == 1;
        if is_callers || !lies_alike || !is_only || taken.buffer.size() != n_bytes {
            return Ok(vec![Value::Array(self.fresh(dtype, &shape, strides)?)]);
        }
        taken.buffer.retain().map_err(Failure::Invalid)?;
        Ok(vec![Value::Array(View { dtype, offset: 0, shape, strides, buffer: taken.buffer, read_only: false })])
    }

    /// Extents and strides of a fresh array.
    fn allocated(&self, operands: &[ValueId], dtype: DType, order: &Order) -> Outcome<(Vec<i64>, Vec<i64>)> {
        let is_array = |v: &ValueId| self.function.array(*v).is_some();
        let rank = operands.iter().position(is_array).unwrap_or(operands.len());
        let shape = self.extents(&operands[..rank])?;
        let inputs = self.all(&operands[rank..])?;
        let axes = match (order, inputs.as_slice()) {
            (Order::K(terms), [Value::Array(view)]) if matches!(terms[..], [OrderTerm::Copy(_)]) => {
                vec![Some(prototype(view, &shape))]
            }
            _ => input_axes(&inputs, rank),
        };
        let strides = fresh_strides(order, &shape, dtype, &axes);
        Ok((shape, strides))
    }

    pub(super) fn map(&mut self, operands: &[ValueId], map: &Map) -> Outcome<Vec<Value>> {
        let (shape, inputs) = self.space(operands, map.rank, &map.body)?;
        let results = self.results(&map.body.output_dtypes(), &shape, &map.order, &inputs.values)?;
        for_each_point(&shape, |point| write_all(&results, point, inputs.evaluate(&map.body, point)?))?;
        Ok(results.into_iter().map(Value::Array).collect())
    }

    pub(super) fn reduce(&mut self, operands: &[ValueId], reduce: &Reduce) -> Outcome<Vec<Value>> {
        let (shape, inputs) = self.space(operands, reduce.rank, &reduce.body)?;
        self.spend(size(&shape).unwrap_or(usize::MAX))?;
        let kept = &shape[..reduce.rank - reduce.n_reduced];
        let dtypes = reduce.result_dtypes().unwrap_or_default();
        let results = self.results(&dtypes, kept, &reduce.order, &inputs.values)?;
        for_each_point(kept, |point| write_all(&results, point, reduced_at(reduce, &inputs, &shape, point)?))?;
        Ok(results.into_iter().map(Value::Array).collect())
    }

    pub(super) fn assign(&mut self, operands: &[ValueId]) -> Outcome<()> {
        let (destination, source) = (self.array(operands[0])?, self.array(operands[1])?);
        if destination.shape != source.shape {
            return invalid(format!("{:?} is assigned to {:?}", source.shape, destination.shape));
        }
        self.spend(size(&source.shape).unwrap_or(usize::MAX))?;
        let mut elements = source.elements()?.into_iter();
        for_each_point(&destination.shape, |point| match elements.next() {
            Some(element) => destination.write(destination.at(point), element),
            None => Ok(()),
        })
    }

    /// Any order of the points gives the same, or the store has a hazard.
    pub(super) fn store(&mut self, operands: &[ValueId], store: &Store) -> Outcome<()> {
        let n = store.body.outputs.len();
        let (shape, mut inputs) = self.space(operands, store.rank, &store.body)?;
        self.spend(size(&shape).unwrap_or(usize::MAX))?;
        let destinations = inputs.values.drain(..n);
        let destinations: Vec<View> =
            destinations.filter_map(|value| if let Value::Array(view) = value { Some(view) } else { None }).collect();
        let owners = owners(&destinations, &shape)?;
        let mut number = 0;
        for_each_point(&shape, |point| {
            number += 1;
            for input in &inputs.values {
                let Value::Array(view) = input else { continue };
                let Some(owners) = owners.get(&view.buffer.identity()) else { continue };
                if owners[view.bytes_at(point)?].iter().any(|owner| *owner != 0 && *owner != number) {
                    return invalid(format!("a hazard: point {point:?} reads what another point writes"));
                }
            }
            Ok(())
        })?;
        let is_read = |table: &View| owners.contains_key(&table.buffer.identity());
        if let Some(table) = inputs.tables.iter().find(|table| is_read(table)) {
            let footprint = View { shape: table.shape.clone(), ..table.clone() };
            let owners = &owners[&table.buffer.identity()];
            for_each_point(&footprint.shape, |point| {
                match owners[footprint.bytes_at(point)?].iter().all(|o| *o == 0) {
                    true => Ok(()),
                    false => invalid("a hazard: a table is written by the store that reads it"),
                }
            })?;
        }
        for_each_point(&shape, |point| write_all(&destinations, point, inputs.evaluate(&store.body, point)?))
    }

    /// Byte by byte: whether a byte of the first array, at one point, is one of the second at another point. Points of arrays with other
    /// extents are never the same.
    pub(super) fn overlap(&mut self, operands: &[ValueId]) -> Outcome<Vec<Value>> {
        let (written, read) = (self.array(operands[0])?, self.array(operands[1])?);
        self.spend(size(&written.shape).unwrap_or(usize::MAX))?;
        self.spend(size(&read.shape).unwrap_or(usize::MAX))?;
        let mut is_overlap = false;
        if written.buffer == read.buffer {
            let mut writers: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
            for_each_point(&written.shape, |point| {
                for byte in written.bytes_at(point)? {
                    is_overlap |= writers.insert(byte, point.to_vec()).is_some() && written.shape == read.shape;
                }
                Ok(())
            })?;
            for_each_point(&read.shape, |point| {
                let is_other = |writer: &Vec<i64>| writer != point || written.shape != read.shape;
                is_overlap |= read.bytes_at(point)?.any(|byte| writers.get(&byte).is_some_and(is_other));
                Ok(())
            })?;
        }
        Ok(vec![Value::Scalar(Constant::Bool(is_overlap))])
    }

    /// The extents and the operands after them; array inputs that the body reads have exactly these extents.
    pub(super) fn space(&self, operands: &[ValueId], rank: usize, body: &Body) -> Outcome<(Vec<i64>, Inputs)> {
        let shape = self.extents(&operands[..rank])?;
        let (inputs, tables) = body.split_tables(&operands[rank..]).unwrap_or((&operands[rank..], &[]));
        let tables = tables.iter().map(|v| self.array(*v)).collect::<Outcome<Vec<View>>>()?;
        let inputs = self.all(inputs)?;
        let is_read = |n: usize| body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Input(m) if m as usize == n));
        let is_read: Vec<bool> = (0..inputs.len()).map(is_read).collect();
        for (input, is_read) in inputs.iter().zip(&is_read) {
            if let Value::Array(view) = input
                && *is_read
                && view.shape != shape
            {
                return invalid(format!("an array of {:?} in an iteration space of {shape:?}", view.shape));
            }
        }
        Ok((shape, Inputs { values: inputs, is_read, tables }))
    }

    pub(super) fn results(
        &mut self,
        dtypes: &[DType],
        shape: &[i64],
        order: &Order,
        inputs: &[Value],
    ) -> Outcome<Vec<View>> {
        let strides = input_axes(inputs, shape.len());
        let fresh = |dtype: &DType| self.fresh(*dtype, shape, fresh_strides(order, shape, *dtype, &strides));
        dtypes.iter().map(fresh).collect()
    }
}

/// Axes that sort as those of an array of these extents like a view do: of one that lies in C or F order by their places. Source: NumPy's
/// `PyArray_NewLikeArrayWithShape`.
fn prototype(view: &View, shape: &[i64]) -> Axes {
    let places = 1..=view.shape.len() as i64;
    let strides = if is_packed(view) {
        places.rev().collect()
    } else if is_packed(&turned(view.clone())) {
        places.collect()
    } else {
        view.strides.clone()
    };
    (shape.to_vec(), strides)
}

/// Extents and strides of the array inputs along the first `rank` axes.
fn input_axes(inputs: &[Value], rank: usize) -> Vec<Option<Axes>> {
    let first = |values: &[i64]| values.iter().copied().take(rank).collect::<Vec<i64>>();
    let axes = |value: &Value| match value {
        Value::Array(view) => Some((first(&view.shape), first(&view.strides))),
        _ => None,
    };
    inputs.iter().map(axes).collect()
}

/// What a computation reads.
pub(super) struct Inputs {
    /// Scalars, and arrays over the iteration space.
    pub values: Vec<Value>,
    /// Which of them the body reads; others are named by the order.
    pub is_read: Vec<bool>,
    /// Arrays of which the body says which elements it reads.
    pub tables: Vec<View>,
}

impl Inputs {
    /// The body's outputs at a point.
    pub fn evaluate(&self, body: &Body, point: &[i64]) -> Outcome<Vec<Constant>> {
        let read = |(input, is_read): (&Value, &bool)| match input {
            Value::Scalar(constant) => Ok(*constant),
            Value::Array(_) if !is_read => Ok(Constant::Bool(false)),
            Value::Array(view) => view.read(view.at(point)),
            Value::Object(_) => invalid("an object is read as an element"),
        };
        let values = self.values.iter().zip(&self.is_read).map(read).collect::<Outcome<Vec<Constant>>>()?;
        eval_body_with(body, &values, point, &mut |table, at| match self.tables.get(table as usize) {
            Some(view) => view.element(at),
            None => invalid(format!("there is no table {table}")),
        })
    }
}

/// What a reduction gives at a kept point.
pub(super) fn reduced_at(reduce: &Reduce, inputs: &Inputs, shape: &[i64], point: &[i64]) -> Outcome<Vec<Constant>> {
    let elements = reduce.body.output_dtypes();
    let new = |(reducer, dtype): (&Reducer, &DType)| Accumulator::new(*reducer, *dtype);
    let mut accumulators: Vec<Accumulator> = reduce.reducers.iter().zip(&elements).map(new).collect();
    for_each_point(&shape[reduce.rank - reduce.n_reduced..], |inner| {
        let values = inputs.evaluate(&reduce.body, &[point, inner].concat())?;
        accumulators.iter_mut().zip(values).for_each(|(accumulator, value)| accumulator.push(value));
        Ok(())
    })?;
    let values: Vec<Constant> = accumulators.iter().map(Accumulator::finish).collect();
    Ok(reduce.epilogue.as_ref().map_or_else(|| values.clone(), |body| eval_body(body, &values, point)))
}

pub(super) fn write_all(views: &[View], point: &[i64], values: Vec<Constant>) -> Outcome<()> {
    views.iter().zip(values).try_for_each(|(view, value)| view.write(view.at(point), value))
}

/// For each byte of each written buffer the number of the point that writes it, from 1; two points, or two destinations, never
/// write one byte.
pub(super) fn owners(destinations: &[View], shape: &[i64]) -> Outcome<BTreeMap<usize, Vec<u64>>> {
    let mut owners: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for view in destinations {
        let owners = owners.entry(view.buffer.identity()).or_insert_with(|| vec![0; view.buffer.size()]);
        let mut number = 0;
        for_each_point(shape, |point| {
            number += 1;
            for owner in &mut owners[view.bytes_at(point)?] {
                if std::mem::replace(owner, number) != 0 {
                    return invalid(format!("point {point:?} writes what was written before"));
                }
            }
            Ok(())
        })?;
    }
    Ok(owners)
}
