//! Ops of the host around loops, and how large the ints may be that they compute with.
//!
//! In: ops, one after the other, and functions of ints. Out: the ops, with new values for their results. Functions of ints that are less than
//! [`LARGE`] do not overflow where they are computed: guards ask for that.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Function, Op, OpKind, Type, ValueId, typing};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

use crate::loops::dependence::{Affine, Variable};

/// Limit: captured integers that guards ask for are less than this, and as far from 0 at most.
pub const SMALL_INT: i64 = 1 << 40;
/// Limit: captured integers up to this, and coefficients up to [`SMALL`], cannot make 64 bits overflow. Sums of two small ones are not larger.
pub const LARGE: i64 = 2 * SMALL_INT;
/// Limit: coefficients are at most this where nothing may overflow.
pub(crate) const SMALL: i64 = 1 << 10;

/// Whether nothing overflows where a function of integers of the sizes that are required is computed.
pub(crate) fn is_small(function: &Affine) -> bool {
    function.constant_part().unsigned_abs() <= LARGE.unsigned_abs()
        && function.terms().len() <= 64
        && function.terms().iter().all(|(_, c)| c.unsigned_abs() <= SMALL.unsigned_abs())
}

/// Host ops under construction.
pub struct HostProgram<'f> {
    function: &'f mut Function,
    /// The ops so far.
    pub ops: Vec<Op>,
    /// Where they stand.
    pub span: Span,
}

impl<'f> HostProgram<'f> {
    /// Nothing yet.
    pub fn new(function: &'f mut Function, span: Span) -> Self {
        HostProgram { function, ops: Vec::new(), span }
    }

    /// Names a value for reports.
    pub fn name(&mut self, value: ValueId, name: &str) {
        self.function.values[value.0 as usize].name.get_or_insert_with(|| name.to_owned());
    }

    /// What a value is called in the program.
    pub fn name_of(&self, value: ValueId) -> Option<String> {
        self.function.values[value.0 as usize].name.clone()
    }

    /// What an array is.
    pub fn array(&self, array: ValueId) -> Option<ArrayType> {
        self.function.array(array)
    }

    /// A new scalar op.
    pub fn scalar(&mut self, kind: OpKind, operands: Vec<ValueId>, dtype: DType) -> ValueId {
        let result = self.function.add_value(Type::Scalar(dtype));
        self.ops.push(Op { kind, operands, results: vec![result], regions: Vec::new(), span: self.span });
        result
    }

    /// An op.
    pub fn push(&mut self, kind: OpKind, operands: Vec<ValueId>, results: Vec<ValueId>) {
        self.ops.push(Op { kind, operands, results, regions: Vec::new(), span: self.span });
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.function.ty(value)
    }

    /// A new value, which some op is to define.
    pub fn add_value(&mut self, ty: Type) -> ValueId {
        self.function.add_value(ty)
    }

    /// A new array value, which some op is to define.
    pub fn add_array(&mut self, ty: ArrayType) -> ValueId {
        self.function.add_value(Type::Array(ty))
    }

    /// An `i64` constant.
    pub fn number(&mut self, n: i64) -> ValueId {
        self.scalar(OpKind::Constant(Constant::Int(n)), Vec::new(), DType::I64)
    }

    /// The product of two numbers that are at least 0; more than 2⁶² where it does not fit. A launch of so many work items is refused (`launch/extent.rs`).
    pub fn product(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let [most, one] = [i64::MAX, 1].map(|n| self.number(n));
        let by = self.binary(ScalarOp::Max, b, one, DType::I64);
        let limit = self.binary(ScalarOp::FloorDiv, most, by, DType::I64);
        let limited = self.binary(ScalarOp::Min, a, limit, DType::I64);
        self.binary(ScalarOp::Mul, limited, b, DType::I64)
    }

    /// The same of a number and a positive constant.
    pub fn multiple(&mut self, a: ValueId, factor: i64) -> ValueId {
        let limit = self.number(i64::MAX / factor.max(1));
        let limited = self.binary(ScalarOp::Min, a, limit, DType::I64);
        let factor = self.number(factor);
        self.binary(ScalarOp::Mul, limited, factor, DType::I64)
    }

    /// Whether a `for` has an iteration, if its direction is known: else nobody is to miss memory for it.
    pub fn runs(&mut self, op: &Op, step: Option<i64>) -> Option<ValueId> {
        let [lower, upper, _] = *op.operands.first_chunk::<3>().filter(|_| op.kind == OpKind::For)?;
        let (low, high) = if step? > 0 { (lower, upper) } else { (upper, lower) };
        Some(self.binary(ScalarOp::Lt, low, high, DType::Bool))
    }

    /// A number made of two.
    pub(crate) fn binary(&mut self, op: ScalarOp, a: ValueId, b: ValueId, dtype: DType) -> ValueId {
        self.scalar(OpKind::Scalar(op), vec![a, b], dtype)
    }

    /// The value of a function of variables that have values here; `None` if there is anything else in it, or large numbers.
    pub fn value(&mut self, function: &Affine, values: &HashMap<Variable, ValueId>) -> Option<ValueId> {
        if !is_small(function) {
            return None;
        }
        let mut sum = None;
        for (variable, factor) in function.terms() {
            let mut term = *values.get(variable)?;
            if *factor != 1 {
                let factor = self.number(*factor);
                term = self.binary(ScalarOp::Mul, term, factor, DType::I64);
            }
            sum = Some(match sum {
                Some(sum) => self.binary(ScalarOp::Add, sum, term, DType::I64),
                None => term,
            });
        }
        let constant = function.constant_part();
        Some(match sum {
            Some(sum) if constant == 0 => sum,
            Some(sum) => {
                let constant = self.number(constant);
                self.binary(ScalarOp::Add, sum, constant, DType::I64)
            }
            None => self.number(constant),
        })
    }

    /// The last index of a range that is not empty. `step`: what is known of `by`: its sign, and whether it is 1.
    pub(crate) fn last_index(&mut self, [lower, upper, by]: [ValueId; 3], step: i64) -> ValueId {
        let nearer = self.number(-step.signum());
        let last = self.scalar(OpKind::Scalar(ScalarOp::Add), vec![upper, nearer], DType::I64);
        if step.abs() == 1 {
            return last;
        }
        let distance = self.scalar(OpKind::Scalar(ScalarOp::Sub), vec![last, lower], DType::I64);
        let rounds = self.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![distance, by], DType::I64);
        let moved = self.scalar(OpKind::Scalar(ScalarOp::Mul), vec![rounds, by], DType::I64);
        self.scalar(OpKind::Scalar(ScalarOp::Add), vec![lower, moved], DType::I64)
    }
}

impl HostProgram<'_> {
    /// An op whose results' types follow from its operands.
    pub fn derived(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Option<Vec<ValueId>> {
        let types: Vec<Type> = operands.iter().map(|v| self.ty(*v)).collect();
        let types = typing::result_types(&kind, &types).ok()??;
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.add_value(ty)).collect();
        self.push(kind, operands, results.clone());
        Some(results)
    }

    pub(crate) fn item(&mut self, cell: ValueId) -> ValueId {
        let dtype = self.ty(cell).dtype();
        self.scalar(OpKind::Item, vec![cell], dtype)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use numptx_ir::DType;
    use numptx_ir::array::parse::parse;
    use numptx_ir::array::{OpKind, ValueId};
    use numptx_ir::scalar::{Constant, eval};

    use super::HostProgram;

    /// What a program of constants computes.
    fn computed(make: impl FnOnce(&mut HostProgram) -> ValueId) -> Option<i64> {
        let text = "module \"m\"\nfunc @f.0 noalias placed () {\nexport \"f\" \"f()\" () -> none\nreturn\n}\n";
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}"));
        let mut host = HostProgram::new(module.functions.first_mut()?, Default::default());
        let wanted = make(&mut host);
        let mut values: HashMap<ValueId, Constant> = HashMap::new();
        for op in &host.ops {
            let value = match op.kind {
                OpKind::Constant(constant) => constant,
                OpKind::Scalar(scalar) => {
                    let operands: Vec<_> = op.operands.iter().map(|v| (values[v], DType::I64)).collect();
                    eval(scalar, &operands, DType::I64)
                }
                _ => return None,
            };
            values.insert(op.results[0], value);
        }
        values[&wanted].as_int()
    }

    #[test]
    fn products_are_exact_or_more_than_a_launch_may_have() {
        const MOST: i64 = 1 << 62;
        let numbers = [0, 1, 2, 3, 7, 1 << 20, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 33) + 1, 1 << 61, i64::MAX];
        for a in numbers {
            for b in numbers {
                let product = computed(|host| {
                    let [a, b] = [a, b].map(|n| host.number(n));
                    host.product(a, b)
                });
                let multiple = computed(|host| {
                    let a = host.number(a);
                    host.multiple(a, b.max(1))
                });
                let fits = |exact: Option<i64>, found: Option<i64>| match exact {
                    Some(exact) => found == Some(exact),
                    None => found.is_some_and(|found| found >= MOST),
                };
                assert!(fits(a.checked_mul(b), product), "{a} x {b}: {product:?}");
                assert!(fits(a.checked_mul(b.max(1)), multiple), "{a} x {b}: {multiple:?}");
            }
        }
    }
}
