//! What must hold for a loop to need no checks, as a condition on the host.
//!
//! In: requirements of a [`crate::loops::nest::translate::Translation`]. Out: host ops, before the loop, that compute whether all hold. Each is bounded over all
//! iterations, so the answer may be false although no check would fail; it is never true wrongly.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Function, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

use crate::loops::dependence::{Affine, LoopId, Nest, Step, Variable};
use crate::loops::schedule::least::{all_least, is_certain, keep_largest, keep_weakest, ways};

/// Captured integers up to this size, and coefficients up to [`SMALL`], cannot make 64 bits overflow.
pub const LARGE: i64 = 1 << 40;
pub(crate) const SMALL: i64 = 1 << 10;

/// Something that has to hold in every iteration.
#[derive(Clone, Debug)]
pub enum Requirement {
    /// A captured truth value.
    Holds(ValueId),
    /// One of these functions is at least 0, always the same one.
    AtLeastZero {
        /// The functions.
        any: Vec<Affine>,
        /// The innermost loop around.
        within: Option<LoopId>,
        /// What is at least 0 then: first what conditions around say.
        guards: Vec<Affine>,
        /// How many of these the conditions say.
        n_conditions: usize,
    },
}

impl Requirement {
    /// The same whatever the conditions around are.
    pub fn unconditional(&self) -> Self {
        match self {
            Requirement::AtLeastZero { any, within, guards, n_conditions } => Requirement::AtLeastZero {
                any: any.clone(),
                within: *within,
                guards: guards[*n_conditions..].to_vec(),
                n_conditions: 0,
            },
            holds => holds.clone(),
        }
    }

    /// What suffices for it to hold in all iterations, whatever the conditions around are; `None` if it holds certainly or that is not known before.
    pub fn sufficient(&self, nest: &Nest, symbols: &HashMap<Variable, ValueId>) -> Option<Affine> {
        let Requirement::AtLeastZero { any, within, guards, .. } = self else { return None };
        let [function] = any.as_slice() else { return None };
        if ways(nest, function, *within, guards).iter().any(is_certain) {
            return None;
        }
        let is_known = |f: &Affine| is_known(nest, symbols, f);
        let mut bounds = all_least(nest, function, &nest.chain(*within));
        keep_weakest(nest, &mut bounds);
        bounds.retain(|least| is_known(least) && least.as_constant().is_none());
        bounds.into_iter().max_by_key(Affine::constant_part)
    }

    /// Whether it holds in all iterations, whatever symbols are.
    pub fn is_certain(&self, nest: &Nest) -> bool {
        let Requirement::AtLeastZero { any, within, guards, .. } = self else { return false };
        any.iter().flat_map(|f| ways(nest, f, *within, guards)).any(|way| is_certain(&way))
    }

    /// Whether it can be computed before the loop, as far as this can be seen, and may be true.
    pub fn is_decidable(&self, nest: &Nest, symbols: &HashMap<Variable, ValueId>) -> bool {
        let Requirement::AtLeastZero { any, within, guards, .. } = self else { return true };
        let is_known = |f: &Affine| is_known(nest, symbols, f);
        let mut ways = any.iter().flat_map(|f| ways(nest, f, *within, guards));
        ways.any(|way| is_certain(&way) || (way.as_constant().is_none() && is_known(&way)))
    }
}

/// Whether a function can be computed before the loop.
fn is_known(nest: &Nest, symbols: &HashMap<Variable, ValueId>, function: &Affine) -> bool {
    let is_last = |v: &Variable| nest.lasts().any(|(_, last)| *v == Variable::Symbol(last));
    is_small(function) && function.terms().iter().all(|(v, _)| symbols.contains_key(v) || is_last(v))
}

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

    /// The product of two numbers that are at least 0; more than 2⁶² where it does not fit. A launch of so many points is refused (`launch/extent.rs`).
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

    fn binary(&mut self, op: ScalarOp, a: ValueId, b: ValueId, dtype: DType) -> ValueId {
        self.scalar(OpKind::Scalar(op), vec![a, b], dtype)
    }

    /// Both hold; `None` is true.
    fn both(&mut self, a: Option<ValueId>, b: ValueId) -> ValueId {
        match a {
            Some(a) => self.binary(ScalarOp::BitAnd, a, b, DType::Bool),
            None => b,
        }
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

    /// Whether all requirements hold and all symbols are of a size at which nothing overflows; `None` if that cannot be computed before the
    /// loop, or if it can be seen that it is false.
    pub fn guard(
        &mut self,
        nest: &Nest,
        symbols: &HashMap<Variable, ValueId>,
        requirements: &[Requirement],
    ) -> Option<ValueId> {
        let mut all = None;
        let mut seen: Vec<Vec<Affine>> = Vec::new();
        let values = &self.with_lasts(nest, symbols);
        for requirement in requirements {
            match requirement {
                Requirement::Holds(value) => all = Some(self.both(all, *value)),
                Requirement::AtLeastZero { any, within, guards, .. } => {
                    let mut ways: Vec<Affine> = any.iter().flat_map(|f| ways(nest, f, *within, guards)).collect();
                    keep_largest(&mut ways);
                    if ways.iter().any(is_certain) || seen.contains(&ways) {
                        continue;
                    }
                    let any = self.any(&ways, values)?;
                    all = Some(self.both(all, any));
                    seen.push(ways);
                }
            }
        }
        let mut sized: Vec<(&Variable, &ValueId)> = symbols.iter().collect();
        sized.sort_by_key(|(_, value)| **value);
        for (_, value) in sized {
            let (low, high) = (self.number(-LARGE), self.number(LARGE));
            let above = self.binary(ScalarOp::Gt, *value, low, DType::Bool);
            let below = self.binary(ScalarOp::Lt, *value, high, DType::Bool);
            all = Some(self.both(all, above));
            all = Some(self.both(all, below));
        }
        match all {
            Some(all) => Some(all),
            None => Some(self.scalar(OpKind::Constant(Constant::Bool(true)), Vec::new(), DType::Bool)),
        }
    }

    /// Values of symbols, those of last indices of loops too, which are computed here.
    fn with_lasts(&mut self, nest: &Nest, symbols: &HashMap<Variable, ValueId>) -> HashMap<Variable, ValueId> {
        let mut values = symbols.clone();
        for (of, symbol) in nest.lasts() {
            let last = self.last_in(nest, of, symbols);
            values.extend(last.map(|last| (Variable::Symbol(symbol), last)));
        }
        values
    }

    /// The last index of a loop with one end, where it has an iteration.
    fn last_in(&mut self, nest: &Nest, of: LoopId, symbols: &HashMap<Variable, ValueId>) -> Option<ValueId> {
        let header = nest.loop_of(of);
        let lower = self.value(&header.lower, symbols)?;
        let upper = self.value(header.upper.first()?, symbols)?;
        match header.step {
            Step::Known(step) => {
                let by = self.number(step);
                Some(self.last_index([lower, upper, by], step))
            }
            _ => {
                let (stride, one) = (self.value(nest.stride_of(of)?, symbols)?, self.number(1));
                let by = self.binary(ScalarOp::Max, stride, one, DType::I64);
                Some(self.last_index([lower, upper, by], i64::MAX))
            }
        }
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

    /// Whether any of these functions is at least 0.
    fn any(&mut self, ways: &[Affine], symbols: &HashMap<Variable, ValueId>) -> Option<ValueId> {
        let mut any = None;
        for way in ways.iter().filter(|way| way.as_constant().is_none()) {
            let Some(value) = self.value(way, symbols) else { continue };
            let zero = self.number(0);
            let holds = self.binary(ScalarOp::Ge, value, zero, DType::Bool);
            any = Some(match any {
                Some(any) => self.binary(ScalarOp::BitOr, any, holds, DType::Bool),
                None => holds,
            });
        }
        any
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
