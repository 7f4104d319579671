//! Accumulators of reductions: what they hold, their identity, how elements and accumulators are combined, their layout in memory.
//!
//! A reducer's accumulator is its value; of `argmin` and `argmax` the value and its index (`i64`, linear over the reduced axes). A phase's
//! accumulator is those of its reducers. Combining is commutative, except for the rounding of products and sums in different orders, and where
//! there is a factor: the accumulator of elements side by side is then the total that they make of 0, and the product of their factors, by which
//! they multiply what comes before them; of two, the first comes before the second.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, FastMathFlags, FloatValue, IntValue, PointerValue};
use inkwell::{FloatPredicate, IntPredicate};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::Phase;
use numptx_ir::scalar::{Constant, Reducer, ScalarOp};

use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// One part of an accumulator in memory: a value, or an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its dtype.
    pub dtype: DType,
    /// Bytes from the accumulator's begin.
    pub offset: u32,
}

/// Where the parts of an accumulator lie in memory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The reducers with the dtype of their elements.
    pub reducers: Vec<(Reducer, DType)>,
    /// Whether the last part is a factor of the only reducer's value.
    pub has_factor: bool,
    /// The parts, in the order of the reducers; of `argmin` and `argmax` the value, then the index; then the factor.
    pub fields: Vec<Field>,
    /// Bytes in all, a multiple of 16.
    pub bytes: u32,
}

impl Layout {
    /// The layout for a phase's reducers.
    pub fn of(phase: &Phase) -> Layout {
        let elements = phase.body.outputs.iter().map(|v| phase.body.dtype(*v));
        let layout = Layout::of_reducers(phase.reducers.iter().copied().zip(elements).collect());
        if phase.has_factor() { layout.with_factor() } else { layout }
    }

    /// The layout of a value and a factor of its dtype.
    fn with_factor(mut self) -> Layout {
        if let Some(dtype) = self.fields.first().map(|field| field.dtype) {
            let offset = dtype.itemsize() as u32;
            self.fields.push(Field { dtype, offset });
            self.bytes = (2 * offset).next_multiple_of(16);
            self.has_factor = true;
        }
        self
    }

    /// The layout for reducers with the dtype of their elements.
    pub fn of_reducers(reducers: Vec<(Reducer, DType)>) -> Layout {
        let mut fields = Vec::new();
        let mut bytes = 0u32;
        for (reducer, dtype) in &reducers {
            let index = reducer.is_positional().then_some(DType::I64);
            for dtype in [Some(*dtype), index].into_iter().flatten() {
                let size = dtype.itemsize() as u32;
                bytes = bytes.next_multiple_of(size);
                fields.push(Field { dtype, offset: bytes });
                bytes += size;
            }
        }
        Layout { reducers, has_factor: false, fields, bytes: bytes.next_multiple_of(16) }
    }
}

/// A phase's accumulator in registers: one value a field.
pub(crate) type Accumulator<'ctx> = Vec<Scalar<'ctx>>;

/// How float sums and products inside one accumulation may be ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As written.
    Fixed,
    /// As LLVM's vectoriser likes; the same whenever the same code runs.
    Free,
}

impl<'ctx> Emitter<'ctx, '_> {
    /// The accumulator of nothing.
    pub fn identity(&self, layout: &Layout) -> Emit<Accumulator<'ctx>> {
        let mut values = Vec::with_capacity(layout.fields.len());
        for (reducer, dtype) in &layout.reducers {
            values.push(self.constant(identity_of(*reducer, *dtype), *dtype)?);
            if reducer.is_positional() {
                values.push(Scalar::Int(self.i64(i64::MAX)));
            }
            if layout.has_factor {
                values.push(self.constant(Reducer::Mul.identity(*dtype), *dtype)?);
            }
        }
        Ok(values)
    }

    /// The accumulator of one element: the body's outputs at linear index `index`.
    pub fn singleton(
        &self,
        layout: &Layout,
        outputs: &[Scalar<'ctx>],
        index: IntValue<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        let mut values = Vec::with_capacity(layout.fields.len());
        for ((reducer, _), value) in layout.reducers.iter().zip(outputs) {
            values.push(*value);
            if reducer.is_positional() {
                values.push(Scalar::Int(index));
            }
        }
        values.extend(outputs.get(layout.reducers.len()).filter(|_| layout.has_factor));
        Ok(values)
    }

    /// Two accumulators as one, the first one's elements before the second one's.
    pub fn combine(
        &self,
        layout: &Layout,
        a: &[Scalar<'ctx>],
        b: &[Scalar<'ctx>],
        order: Order,
    ) -> Emit<Accumulator<'ctx>> {
        if layout.has_factor {
            return self.combine_affine(layout, a, b);
        }
        let mut values = Vec::with_capacity(layout.fields.len());
        for (reducer, dtype) in &layout.reducers {
            let n = values.len();
            let part = |of: &[Scalar<'ctx>], n: usize| of.get(n).copied().ok_or_else(|| bug("a short accumulator"));
            if reducer.is_positional() {
                let second =
                    self.second_wins(*reducer, *dtype, (part(a, n)?, part(a, n + 1)?), (part(b, n)?, part(b, n + 1)?))?;
                values.push(self.choose(second, part(b, n)?, part(a, n)?)?);
                values.push(self.choose(second, part(b, n + 1)?, part(a, n + 1)?)?);
            } else {
                values.push(self.reduce_values(*reducer, *dtype, part(a, n)?, part(b, n)?, order)?);
            }
        }
        Ok(values)
    }

    fn combine_affine(
        &self,
        layout: &Layout,
        first: &[Scalar<'ctx>],
        second: &[Scalar<'ctx>],
    ) -> Emit<Accumulator<'ctx>> {
        let (Some((_, dtype)), [total, before], [value, factor]) = (layout.reducers.first(), first, second) else {
            return Err(bug("an accumulator with a factor has two parts"));
        };
        let both = |op, a, b| self.scalar_op(op, &[(a, *dtype), (b, *dtype)], *dtype);
        let scaled = both(ScalarOp::Mul, *factor, *total)?;
        Ok(vec![both(ScalarOp::Add, scaled, *value)?, both(ScalarOp::Mul, *factor, *before)?])
    }

    /// `second`, combined with `first` before it where that is there.
    pub fn combine_if(
        &self,
        layout: &Layout,
        is_there: IntValue<'ctx>,
        first: &[Scalar<'ctx>],
        second: &[Scalar<'ctx>],
    ) -> Emit<Accumulator<'ctx>> {
        let both = self.combine(layout, first, second, Order::Fixed)?;
        both.into_iter().zip(second).map(|(both, second)| self.choose(is_there, both, *second)).collect()
    }

    /// The reducers' results.
    pub fn results(&self, layout: &Layout, values: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        let mut results = Vec::with_capacity(layout.reducers.len());
        let mut n = 0;
        for (reducer, _) in &layout.reducers {
            n += usize::from(reducer.is_positional());
            results.push(*values.get(n).ok_or_else(|| bug("a short accumulator"))?);
            n += 1;
        }
        Ok(results)
    }

    /// Reads an accumulator from memory.
    pub fn load_accumulator(&self, layout: &Layout, at: PointerValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        let load =
            |f: &Field| self.load(self.at_bytes(at, self.i64(i64::from(f.offset)))?, f.dtype, Default::default());
        layout.fields.iter().map(load).collect()
    }

    /// Writes an accumulator to memory.
    pub fn store_accumulator(&self, layout: &Layout, at: PointerValue<'ctx>, values: &[Scalar<'ctx>]) -> Emit<()> {
        for (field, value) in layout.fields.iter().zip(values) {
            let address = self.at_bytes(at, self.i64(i64::from(field.offset)))?;
            self.store(address, *value, field.dtype, Default::default())?;
        }
        Ok(())
    }

    /// Makes stack slots for an accumulator, one a component, and fills them.
    pub fn accumulator_slots(&self, layout: &Layout, values: &[Scalar<'ctx>]) -> Emit<Vec<PointerValue<'ctx>>> {
        let mut slots = Vec::new();
        for part in parts(layout, values) {
            slots.push(self.slot_with(part, "acc")?);
        }
        Ok(slots)
    }

    /// An accumulator that nothing is read of: a slot that holds it where nobody looks costs no instruction.
    pub fn unset(&self, layout: &Layout) -> Emit<Accumulator<'ctx>> {
        let unset = |value| match value {
            Scalar::Int(value) => Scalar::Int(value.get_type().get_undef()),
            Scalar::Float(value) => Scalar::Float(value.get_type().get_undef()),
            Scalar::Complex(re, im) => Scalar::Complex(re.get_type().get_undef(), im.get_type().get_undef()),
        };
        Ok(self.identity(layout)?.into_iter().map(unset).collect())
    }

    /// Writes an accumulator to its slots.
    pub fn write_accumulator(
        &self,
        slots: &[PointerValue<'ctx>],
        layout: &Layout,
        values: &[Scalar<'ctx>],
    ) -> Emit<()> {
        for (slot, part) in slots.iter().zip(parts(layout, values)) {
            self.write(*slot, part)?;
        }
        Ok(())
    }

    /// Reads an accumulator from its slots.
    pub fn read_accumulator(&self, slots: &[PointerValue<'ctx>], layout: &Layout) -> Emit<Accumulator<'ctx>> {
        let mut slots = slots.iter();
        let mut next = |ty: BasicTypeEnum<'ctx>| -> Emit<BasicValueEnum<'ctx>> {
            let slot = slots.next().ok_or_else(|| bug("a short accumulator"))?;
            Ok(self.builder.build_load(ty, *slot, "")?)
        };
        let mut values = Vec::with_capacity(layout.fields.len());
        for field in &layout.fields {
            let float = self.float_type(field.dtype).into();
            values.push(match field.dtype.kind() {
                Kind::Float => Scalar::Float(next(float)?.into_float_value()),
                Kind::Complex => Scalar::Complex(next(float)?.into_float_value(), next(float)?.into_float_value()),
                _ => Scalar::Int(next(self.int_type(field.dtype).into())?.into_int_value()),
            });
        }
        Ok(values)
    }

    fn reduce_values(
        &self,
        reducer: Reducer,
        dtype: DType,
        a: Scalar<'ctx>,
        b: Scalar<'ctx>,
        order: Order,
    ) -> Emit<Scalar<'ctx>> {
        let Some(op) = reducer.operation() else {
            return Err(bug("a positional reducer has no value alone"));
        };
        if order == Order::Fixed {
            if let (ScalarOp::Add, Scalar::Float(a), Scalar::Float(b)) = (op, a, b)
                && dtype != DType::F16
            {
                return Ok(Scalar::Float(self.sum_of_product(a, b)?));
            }
            return self.scalar_op(op, &[(a, dtype), (b, dtype)], dtype);
        }
        if dtype == DType::F16 && matches!(op, ScalarOp::Add | ScalarOp::Mul) {
            return self.scalar_op(op, &[(a, dtype), (b, dtype)], dtype);
        }
        match (a, b) {
            (Scalar::Float(a), Scalar::Float(b)) => Ok(Scalar::Float(self.free_reduction(op, a, b)?)),
            (Scalar::Complex(a, b), Scalar::Complex(c, d)) if op == ScalarOp::Add => {
                Ok(Scalar::Complex(self.free_reduction(op, a, c)?, self.free_reduction(op, b, d)?))
            }
            _ => self.scalar_op(op, &[(a, dtype), (b, dtype)], dtype),
        }
    }

    /// Only this one operation may be reassociated, so that a loop over it becomes a loop over vectors. See [`Order::Free`].
    fn free_reduction(&self, op: ScalarOp, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        match op {
            ScalarOp::Add => self.with_more_flags(self.sum_of_product(a, b)?, FastMathFlags::AllowReassoc),
            ScalarOp::Mul => self.with_flags(self.fmul(a, b)?, FastMathFlags::AllowReassoc),
            ScalarOp::Min => {
                self.with_flags(self.float_intrinsic("llvm.minimum", &[a, b])?, FastMathFlags::NoSignedZeros)
            }
            _ => self.with_flags(self.float_intrinsic("llvm.maximum", &[a, b])?, FastMathFlags::NoSignedZeros),
        }
    }

    /// Whether `b` beats `a`, both a value and its index: nan first, then the value, then the smaller index.
    pub fn second_wins(
        &self,
        reducer: Reducer,
        dtype: DType,
        a: (Scalar<'ctx>, Scalar<'ctx>),
        b: (Scalar<'ctx>, Scalar<'ctx>),
    ) -> Emit<IntValue<'ctx>> {
        let earlier = self.icmp(IntPredicate::SLT, b.1.int()?, a.1.int()?)?;
        let op = if reducer == Reducer::ArgMin { ScalarOp::Lt } else { ScalarOp::Gt };
        let compare = |op| self.scalar_op(op, &[(b.0, dtype), (a.0, dtype)], DType::Bool)?.int();
        let (better, equal) = (compare(op)?, compare(ScalarOp::Eq)?);
        let wins = self.or(better, self.and(equal, earlier)?)?;
        let (Scalar::Float(x), Scalar::Float(y)) = (a.0, b.0) else {
            return Ok(wins);
        };
        let (x_nan, y_nan) = (self.fcmp(FloatPredicate::UNO, x, x)?, self.fcmp(FloatPredicate::UNO, y, y)?);
        let wins_as_nan = self.and(y_nan, self.or(self.not(x_nan)?, earlier)?)?;
        self.or(wins_as_nan, wins)
    }
}

/// The components of an accumulator as they are in registers: bool is `i1`.
fn parts<'ctx>(layout: &Layout, values: &[Scalar<'ctx>]) -> Vec<BasicValueEnum<'ctx>> {
    let mut parts: Vec<BasicValueEnum> = Vec::new();
    for value in values.iter().take(layout.fields.len()) {
        match value {
            Scalar::Int(value) => parts.push((*value).into()),
            Scalar::Float(value) => parts.push((*value).into()),
            Scalar::Complex(re, im) => {
                parts.push((*re).into());
                parts.push((*im).into());
            }
        }
    }
    parts
}

/// What combines with any element to that element.
fn identity_of(reducer: Reducer, element: DType) -> Constant {
    match reducer {
        Reducer::ArgMin => Reducer::Min.identity(element),
        Reducer::ArgMax => Reducer::Max.identity(element),
        _ => reducer.identity(element),
    }
}
