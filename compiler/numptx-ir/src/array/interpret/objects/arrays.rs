//! Arrays of lists, and lists of arrays' elements.

use numptx_abi::object;
use numptx_objects::{Embedding, Item, Layout, List, draw_array};

use super::words::dtype_of;
use super::{Contents, Maker, constant_of, failure, words_of};
use crate::DType;
use crate::array::ValueId;
use crate::array::interpret::memory::{contiguous, for_each_point};
use crate::array::interpret::{Interpreter, Outcome, Value, invalid};

impl Interpreter<'_> {
    /// `LIST_TO_ARRAY`
    pub(super) fn array_of_list(&mut self, operands: &[ValueId]) -> Outcome<Vec<Value>> {
        let Contents::Members { sort: object::LIST, layout, count, leaves } = self.living(operands[0])?.contents()
        else {
            return invalid(format!("{} is no list", operands[0]));
        };
        let is_tuple = layout.first() == Some(&object::OPEN);
        let dtypes: Vec<DType> = layout.iter().filter_map(|code| dtype_of(*code)).collect();
        let (dtype, shape) = match dtypes[..] {
            [first, ..] if dtypes.iter().all(|dtype| *dtype == first) => match is_tuple {
                true => (first, vec![count as i64, dtypes.len() as i64]),
                false => (first, vec![count as i64]),
            },
            // Nothing was ever put into it.
            _ => (DType::F64, vec![0]),
        };
        let strides = contiguous(&shape, dtype, 0..shape.len());
        let view = self.fresh(dtype, &shape, strides)?;
        let mut leaves = leaves.iter();
        for_each_point(&shape, |point| match leaves.next() {
            Some(Value::Scalar(constant)) => view.write(view.at(point), *constant),
            other => invalid(format!("{other:?} as an element")),
        })?;
        Ok(vec![Value::Array(view)])
    }

    /// `RANDOM_DRAW_ARRAY`
    pub(super) fn drawn(&mut self, operands: &[ValueId]) -> Outcome<Vec<Value>> {
        let items = operands.iter().map(|operand| self.item(*operand)).collect::<Outcome<Vec<_>>>()?;
        let Some(Item::Words([count, _])) = items.last() else { return invalid("how many are drawn") };
        self.spend(usize::try_from(count.cast_signed()).unwrap_or(0))?;
        let drawn: Result<(u8, Vec<u64>), numptx_objects::Failure> = draw_array(&items, |draws, random| {
            let mut words = Vec::new();
            draws.first(draws.count, random, |word| words.push(word));
            Ok((draws.dtype, words))
        });
        let (code, words) = drawn.map_err(failure)?;
        let Some(dtype) = dtype_of(code) else { return invalid("a dtype") };
        let shape = [words.len() as i64];
        let view = self.fresh(dtype, &shape, contiguous(&shape, dtype, 0..1))?;
        let mut words = words.into_iter();
        for_each_point(&shape, |point| view.write(view.at(point), constant_of([words.next().unwrap_or(0), 0], dtype)))?;
        Ok(vec![Value::Array(view)])
    }

    /// `LIST_FROM_ARRAY`
    pub(super) fn list_of_array(&mut self, operands: &[ValueId], layout: &[u8]) -> Outcome<Vec<Value>> {
        let view = self.array(operands[0])?;
        let mut list = List::new(Layout::new(layout).map_err(failure)?);
        for element in view.elements()? {
            let words = words_of(element, view.dtype);
            let words = &words[..object::words(view.dtype.code())];
            list.append(numptx_objects::Element { words, references: &[] }).map_err(failure)?;
        }
        let mut maker = Maker::default();
        let made = maker.make(numptx_objects::Object::List(list)).map_err(failure)?;
        self.account_for(maker)?;
        Ok(vec![made.handed_out()])
    }
}
