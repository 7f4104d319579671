//! Seeds of random numbers: ints, of which constants may have any size, and lists and vectors of ints.
//!
//! In: a seed as a program gives it. Out: a list of words for an operation of [`numptx_ir::object`]. A word above 32 bits is two for NumPy, which the
//! operation sees; a larger constant is as many as it has, from the lowest one on.

use numptx_ir::array::{ErrorKind, Type, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_ir::{DType, object};
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::values::container_types::{Member, Sort};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// The list of the ints of a seed; `None` after a report.
    pub fn seeds_of(&mut self, seed: &Value, span: Span) -> Option<ValueId> {
        match seed {
            Value::Typed(typed) if self.builder.rank(typed.value) == 1 && self.is_seed(*typed) => {
                Some(self.list_of_words(typed.value))
            }
            Value::Typed(_) | Value::LargeInt(_) => self.list_of_seeds(std::slice::from_ref(seed), seed),
            Value::Tuple(items) | Value::List(items) => self.list_of_seeds(items, seed),
            Value::Container(container) if container.sort == Sort::List => match self.containers.member(container.ty) {
                Member::Scalar { dtype, .. } if dtype.is_integer() => Some(container.value),
                Member::Unknown => self.unknown(&Member::Unknown, span),
                _ => self.refuse_seed(seed),
            },
            Value::Poison => None,
            _ => self.refuse_seed(seed),
        }
    }

    /// The same for `RandomState`, which takes ints of 32 bits: a larger one is not taken apart.
    pub fn legacy_seeds_of(&mut self, seed: &Value, span: Span) -> Option<ValueId> {
        match seed {
            Value::LargeInt(_) => {
                let beyond = self.builder.constant(Constant::Int(-1), DType::U64);
                Some(self.list_of_one(beyond, DType::U64))
            }
            Value::Tuple(items) | Value::List(items) if items.iter().any(|v| matches!(v, Value::LargeInt(_))) => {
                self.refuse_seed(seed)
            }
            _ => self.seeds_of(seed, span),
        }
    }

    /// The list of ints that are known one by one.
    fn list_of_seeds(&mut self, ints: &[Value], seed: &Value) -> Option<ValueId> {
        // One list has one dtype: that of the widest int.
        let unsigned = |value: &Value| value.typed().is_some_and(|typed| self.builder.dtype(typed.value) == DType::U64);
        let dtype = if ints.iter().any(unsigned) { DType::U64 } else { DType::I64 };
        let mut words = Vec::new();
        for int in ints {
            match int {
                Value::LargeInt(n) if *n >= 0 => {
                    let all: Vec<i64> = (0..4).map(|at| i64::from((n >> (32 * at)) as u32)).collect();
                    let used = all.iter().rposition(|word| *word != 0).map_or(1, |at| at + 1);
                    words.extend(all[..used].iter().map(|word| self.builder.constant(Constant::Int(*word), dtype)));
                }
                Value::Typed(typed) if self.builder.rank(typed.value) == 0 && self.is_seed(*typed) => {
                    let host = self.host(*typed)?;
                    if dtype == DType::U64 && self.builder.dtype(host) != DType::U64 {
                        self.check_seed(host);
                    }
                    words.push(self.convert(host, dtype));
                }
                _ => return self.refuse_seed(seed),
            }
        }
        let layout = vec![dtype.code() | object::NUMPY];
        Some(self.object(object::LIST_NEW, layout, words, vec![Type::Object])[0])
    }

    /// What the operation sees of a signed list, and not of an unsigned one.
    fn check_seed(&mut self, host: ValueId) {
        let (wide, zero) = (self.convert(host, DType::I64), self.builder.i64(0));
        let is_seed = self.builder.scalar(ScalarOp::Ge, &[wide, zero]);
        self.check(is_seed, ErrorKind::Value, "expected non-negative integer", &[]);
    }

    fn is_seed(&self, typed: Typed) -> bool {
        let dtype = self.builder.dtype(typed.value);
        dtype.is_integer() || (dtype == DType::Bool && typed.family == Family::Python)
    }

    /// Refuses what is no seed.
    pub fn refuse_seed<T>(&mut self, seed: &Value) -> Option<T> {
        let message = format!("{} is no seed here", seed.describe(&self.builder));
        let help = "seeds are ints, and lists and vectors of ints: `np.random.default_rng(42)`";
        self.refuse_draw(message, help);
        None
    }
}
