//! The memory order of fresh arrays: strides for NumPy's C, F and K order.
//!
//! In: extents, and the arrays that an order names. Out: code that computes strides when it runs; K order of several arrays is the runtime's to tell.
//! The rules are `numptx-ir`'s `array/interpret/order.rs`.

use inkwell::IntPredicate;
use inkwell::values::{BasicMetadataValueEnum, IntValue};
use numptx_ir::array::{Order, OrderTerm};

use super::runtime::RuntimeCall;
use super::values::{ArrayValue, FunctionEmitter};
use crate::error::{Emit, bug};

/// An array made in K order of terms: the result, or one that fusion removed.
struct Fresh<'s, 'ctx> {
    /// The extents of the result.
    shape: &'s [IntValue<'ctx>],
    itemsize: usize,
    /// By axis: whether the array had extent 1 there before it was broadcast; `None` for the result and one of its extents.
    abstains: Option<Vec<IntValue<'ctx>>>,
}

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// Strides of a fresh array.
    pub(super) fn ordered_strides(
        &mut self,
        order: &Order,
        shape: &[IntValue<'ctx>],
        itemsize: usize,
        inputs: &[ArrayValue<'ctx>],
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let rank = shape.len();
        match order {
            Order::K(terms) if rank > 1 && matches!(terms[..], [OrderTerm::Copy(_)]) => {
                self.term_strides(&terms[0], &Fresh { shape, itemsize, abstains: None }, inputs)
            }
            Order::K(terms) if rank > 1 && terms.iter().any(|t| matches!(t, OrderTerm::Joined(_))) => {
                self.joined_strides(terms, shape, itemsize, inputs)
            }
            Order::K(terms) if rank > 1 && !terms.is_empty() => self.k_strides(terms, shape, itemsize, inputs),
            Order::F => self.dense_strides(shape, itemsize, (0..rank).collect()),
            _ => self.dense_strides(shape, itemsize, (0..rank).rev().collect()),
        }
    }

    fn dense_strides(
        &mut self,
        shape: &[IntValue<'ctx>],
        itemsize: usize,
        axes: Vec<usize>,
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let mut strides = vec![self.e.i64(0); shape.len()];
        let mut stride = self.e.i64(itemsize as i64);
        for axis in axes {
            strides[axis] = stride;
            stride = self.e.mul(stride, shape[axis])?;
        }
        Ok(strides)
    }

    fn k_strides(
        &mut self,
        terms: &[OrderTerm],
        shape: &[IntValue<'ctx>],
        itemsize: usize,
        inputs: &[ArrayValue<'ctx>],
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let rows = self.term_rows(terms, &Fresh { shape, itemsize, abstains: None }, inputs)?;
        self.strides_of_rows(&rows, shape, itemsize)
    }

    /// Strides of each term; views of one array mostly share them, and equal ones count once.
    fn term_rows(
        &mut self,
        terms: &[OrderTerm],
        made: &Fresh<'_, 'ctx>,
        inputs: &[ArrayValue<'ctx>],
    ) -> Emit<Vec<Vec<IntValue<'ctx>>>> {
        let mut rows: Vec<Vec<IntValue<'ctx>>> = Vec::new();
        for term in terms {
            let row = self.term_strides(term, made, inputs)?;
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Asks the runtime for the strides of a fresh array in K order of these strides.
    fn strides_of_rows(
        &mut self,
        rows: &[Vec<IntValue<'ctx>>],
        shape: &[IntValue<'ctx>],
        itemsize: usize,
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let rank = shape.len();
        let extents = self.spill(shape, "extents")?;
        let n_terms = self.e.i32(rows.len() as i32);
        let strides = self.spill(&rows.concat(), "strides")?;
        let out = self.e.slot(self.e.i64_type().array_type(rank as u32), "ordered")?;
        let arguments: [BasicMetadataValueEnum; 6] = [
            self.e.i32(rank as i32).into(),
            self.e.i64(itemsize as i64).into(),
            extents.into(),
            n_terms.into(),
            strides.into(),
            out.into(),
        ];
        self.e.runtime(self.table, RuntimeCall::OrderStrides, &arguments)?;
        (0..rank).map(|axis| self.e.load_i64(out, 8 * axis)).collect()
    }

    /// As [`Self::strides_of_rows`], of an array that has the axes in this order.
    fn strides_of_permuted_rows(
        &mut self,
        rows: &[Vec<IntValue<'ctx>>],
        shape: &[IntValue<'ctx>],
        itemsize: usize,
        axes: &[usize],
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let as_it_had_them = |row: &[IntValue<'ctx>]| -> Vec<_> { axes.iter().map(|axis| row[*axis]).collect() };
        let rows: Vec<Vec<_>> = rows.iter().map(|row| as_it_had_them(row)).collect();
        let permuted = self.strides_of_rows(&rows, &as_it_had_them(shape), itemsize)?;
        let mut strides = permuted.clone();
        axes.iter().zip(permuted).for_each(|(axis, stride)| strides[*axis] = stride);
        Ok(strides)
    }

    /// Strides of a term among those of `made`, 0 where it has no say. A fresh array that was removed has one along each axis longer than 1.
    fn term_strides(
        &mut self,
        term: &OrderTerm,
        made: &Fresh<'_, 'ctx>,
        inputs: &[ArrayValue<'ctx>],
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let (shape, itemsize) = (made.shape, made.itemsize);
        let input = |n: usize| inputs.get(n).ok_or_else(|| bug("an order term names no input"));
        let strides_of =
            |n: usize| input(n)?.strides.get(..shape.len()).ok_or_else(|| bug("an order term has too few axes"));
        let (like, axes, terms) = match term {
            OrderTerm::Input(n) => return self.without_abstaining(strides_of(*n)?.to_vec(), made),
            OrderTerm::Copy(n) => {
                let strides = self.strides_of_copy(strides_of(*n)?, shape, itemsize)?;
                return self.without_abstaining(strides, made);
            }
            OrderTerm::Joined(n) => {
                let extents = inputs.get(*n).map_or(&[][..], |input| &input.shape);
                return self.joined_row(strides_of(*n)?, extents);
            }
            OrderTerm::Fresh { like, axes, terms } => (like, axes, terms),
        };
        let mut abstains = made.abstains.clone();
        if let Some(n) = like {
            let one = self.e.i64(1);
            let mut own = Vec::with_capacity(shape.len());
            for (axis, extent) in input(*n)?.shape.iter().take(shape.len()).enumerate() {
                let is_one = self.e.compare(IntPredicate::EQ, *extent, one)?;
                own.push(match &abstains {
                    Some(abstains) => self.e.builder.build_or(abstains[axis], is_one, "")?,
                    None => is_one,
                });
            }
            abstains = Some(own);
        }
        let removed = Fresh { abstains, ..*made };
        let axes = if axes.is_empty() { (0..shape.len()).collect() } else { axes.clone() };
        let strides = if terms.is_empty() {
            self.dense_strides(shape, itemsize, axes.into_iter().rev().collect())?
        } else {
            let rows = self.term_rows(terms, &removed, inputs)?;
            self.strides_of_permuted_rows(&rows, shape, itemsize, &axes)?
        };
        self.without_abstaining(strides, &removed)
    }

    /// Strides, 0 along the axes along which an array has no say.
    fn without_abstaining(
        &self,
        mut strides: Vec<IntValue<'ctx>>,
        made: &Fresh<'_, 'ctx>,
    ) -> Emit<Vec<IntValue<'ctx>>> {
        for (stride, abstains) in strides.iter_mut().zip(made.abstains.iter().flatten()) {
            *stride = self.e.select(*abstains, self.e.i64(0), *stride)?;
        }
        Ok(strides)
    }

    /// Strides of arrays put together. NumPy sorts their axes from the outermost; the runtime sorts from the innermost. So it is asked about the
    /// mirrored array, of the axes backwards and with long strides for short ones, and what lies inside there lies outside here.
    fn joined_strides(
        &mut self,
        terms: &[OrderTerm],
        shape: &[IntValue<'ctx>],
        itemsize: usize,
        inputs: &[ArrayValue<'ctx>],
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let mut rows = self.term_rows(terms, &Fresh { shape, itemsize, abstains: None }, inputs)?;
        rows.iter_mut().for_each(|row| row.reverse());
        let mirrored: Vec<IntValue<'ctx>> = shape.iter().rev().copied().collect();
        let mut distances = self.strides_of_rows(&rows, &mirrored, itemsize)?;
        distances.reverse();
        for distance in &mut distances {
            *distance = self.e.builder.build_int_sub(self.e.i64(i64::MAX), *distance, "")?;
        }
        self.strides_by_distance(&distances, shape, itemsize)
    }

    /// The mirrored strides of a joined array, none of which is 0 but along axes of extent 1.
    fn joined_row(&mut self, strides: &[IntValue<'ctx>], extents: &[IntValue<'ctx>]) -> Emit<Vec<IntValue<'ctx>>> {
        let e = &self.e;
        let (zero, one, last) = (e.i64(0), e.i64(1), e.i64(i64::MAX));
        let mut row = Vec::with_capacity(strides.len());
        for (stride, extent) in strides.iter().zip(extents) {
            let distance = self.distance(*stride)?;
            let is_one = e.compare(IntPredicate::EQ, *extent, one)?;
            row.push(e.select(is_one, zero, e.builder.build_int_sub(last, distance, "")?)?);
        }
        Ok(row)
    }

    /// Strides of a copy: the axes by descending |stride|, of equal ones the first outermost.
    fn strides_of_copy(
        &mut self,
        strides: &[IntValue<'ctx>],
        shape: &[IntValue<'ctx>],
        itemsize: usize,
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let distances = strides.iter().map(|stride| self.distance(*stride)).collect::<Emit<Vec<_>>>()?;
        self.strides_by_distance(&distances, shape, itemsize)
    }

    /// |stride|
    fn distance(&self, stride: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let is_negative = self.e.compare(IntPredicate::SLT, stride, self.e.i64(0))?;
        self.e.select(is_negative, self.e.builder.build_int_neg(stride, "")?, stride)
    }

    /// Strides without gaps: the axes by descending distance, of equal ones the first outermost.
    fn strides_by_distance(
        &mut self,
        distances: &[IntValue<'ctx>],
        shape: &[IntValue<'ctx>],
        itemsize: usize,
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let e = &self.e;
        let one = e.i64(1);
        // An axis steps over the extents of all axes that lie inside of it.
        let mut found = vec![e.i64(itemsize as i64); distances.len()];
        for second in 1..distances.len() {
            for first in 0..second {
                let is_inside = e.compare(IntPredicate::SLE, distances[second], distances[first])?;
                found[first] = e.mul(found[first], e.select(is_inside, shape[second], one)?)?;
                found[second] = e.mul(found[second], e.select(is_inside, one, shape[first])?)?;
            }
        }
        Ok(found)
    }
}
