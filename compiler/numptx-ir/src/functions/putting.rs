//! `np.put`: writes of elements counted in C order.
//!
//! In: an array, indices, values. Out: a scatter. NumPy writes one element after the other, so that what stands before an index out of range is
//! written when it raises, unless it works on a copy of the array: of one that is not in C order, and of one that it also reads.

use super::binding::Call;
use super::selection::{Along, OutOfRange};
use super::taking::{cast_to, check_not_empty, flat, index, may_write, mode, product};
use super::value::{FunctionError, PyValue};
use super::{Class, Function};
use crate::DType;
use crate::array::{Builder, Meeting, OpKind, Reading, ValueId};
use crate::scalar::{BodyBuilder, Constant, ScalarOp, Val};

/// The row.
pub const TABLE: &[Function] = &[Function::new("numpy.put", "a, ind, v, mode='raise'", Class::Index(put))
    .aliases(&["ndarray.put"])
    .method("self, indices, values, /, mode='raise'")
    .doc("writes elements at indices into the array as if it had one axis")];

/// A write of values, again and again from the first one, to places of an array.
struct Put {
    array: ValueId,
    /// Elements of the array.
    size: ValueId,
    index: ValueId,
    /// A host scalar, or an array with one axis.
    values: ValueId,
    mode: OutOfRange,
}

fn put(call: &mut Call) -> Result<PyValue, FunctionError> {
    may_write(call, "a", "put: output array is read-only")?;
    let mode = mode(call)?;
    let array = call.array("a")?.value;
    let values = call.operand("v")?;
    let values = cast_to(call, values, call.builder.dtype(array))?;
    let index = index(call, "ind")?;
    let builder = &mut *call.builder;
    let index = flat(builder, index);
    let extents = builder.shape(index);
    let shape = builder.shape(array);
    let size = product(builder, &shape);
    check_not_empty(builder, size, &extents, "cannot replace elements of an empty array");
    let values = if builder.rank(values) > 0 { flat(builder, values) } else { values };
    let put = Put { array, size, index, values, mode };
    if builder.rank(values) == 0 {
        put.run(builder);
    } else {
        let zero = builder.i64(0);
        let n = builder.dim(values, 0);
        let is_given = builder.scalar(ScalarOp::Ne, &[n, zero]);
        builder.when(is_given, |builder| put.run(builder));
    }
    Ok(PyValue::None)
}

impl Put {
    fn run(&self, builder: &mut Builder) {
        self.place().check_after(builder, self.size, self.mode, |builder, n| self.write_before(builder, n));
        self.write(builder);
    }

    fn place(&self) -> Along {
        Along { index: self.index, name: 0, is_checked: false }
    }

    /// What is written before index `n` raises.
    fn write_before(&self, builder: &mut Builder, n: ValueId) {
        let is_read = self.is_read(builder);
        let is_written = builder.scalar(ScalarOp::BitNot, &[is_read]);
        builder.when(is_written, |builder| {
            let array = builder.contiguous(self.array, Reading::C);
            let (zero, one) = (builder.i64(0), builder.i64(1));
            let index = builder.slice(self.index, 0, zero, n, one);
            Put { array, index, ..*self }.write(builder);
        });
    }

    /// Whether what NumPy reads, a copy where it has another dtype or order than it wants, has elements of the array.
    fn is_read(&self, builder: &mut Builder) -> ValueId {
        let wanted = [(self.values, builder.dtype(self.array)), (self.index, DType::I64)];
        let mut is_read = builder.constant(Constant::Bool(false), DType::Bool);
        for (read, dtype) in wanted {
            if builder.rank(read) == 0 || builder.dtype(read) != dtype {
                continue;
            }
            let mut read = builder.contiguous(read, Reading::C);
            if builder.rank(self.array) == 1 {
                // Of arrays with another number of axes no element is at the same point.
                read = builder.new_axis(read, 0);
            }
            let is_shared = builder.emit(OpKind::Overlap, vec![self.array, read])[0];
            is_read = builder.scalar(ScalarOp::BitOr, &[is_read, is_shared]);
        }
        is_read
    }

    fn write(&self, builder: &mut Builder) {
        let extents = builder.shape(self.index);
        let shape = builder.shape(self.array);
        let mut inputs = vec![self.index, self.size];
        let mut body = BodyBuilder::new();
        let index = body.input(0, builder.dtype(self.index));
        let size = body.input(1, DType::I64);
        let mut rest = self.place().in_range(builder, &mut body, index, size, self.mode);
        let mut at = Vec::with_capacity(shape.len());
        for (axis, extent) in shape.iter().enumerate().rev() {
            if axis == 0 {
                at.push(rest);
                break;
            }
            inputs.push(*extent);
            let extent = body.input(inputs.len() as u32 - 1, DType::I64);
            at.push(body.op(ScalarOp::Mod, &[rest, extent]));
            rest = body.op(ScalarOp::FloorDiv, &[rest, extent]);
        }
        at.reverse();
        let mut tables = Vec::new();
        let value = self.value(builder, &mut body, &mut inputs, &mut tables);
        let value = body.cast(value, builder.dtype(self.array));
        let outputs = [&[value], &at[..]].concat();
        let body = body.finish(outputs);
        builder.scatter(&extents, self.array, &inputs, &tables, (body, Meeting::LastWins));
    }

    /// The value at a point.
    fn value(
        &self,
        builder: &mut Builder,
        body: &mut BodyBuilder,
        inputs: &mut Vec<ValueId>,
        tables: &mut Vec<ValueId>,
    ) -> Val {
        let dtype = builder.dtype(self.values);
        if builder.rank(self.values) == 0 {
            inputs.push(self.values);
            return body.input(inputs.len() as u32 - 1, dtype);
        }
        inputs.push(builder.dim(self.values, 0));
        let n = body.input(inputs.len() as u32 - 1, DType::I64);
        let point = body.index(0);
        let turn = body.op(ScalarOp::Mod, &[point, n]);
        tables.push(self.values);
        body.element(0, &[turn], dtype)
    }
}
