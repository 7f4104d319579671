//! `A01` to `A04`: definitions, dominance, terminators, regions.

use super::Checker;
use crate::DType;
use crate::array::{ArrayType, Layout, Op, OpKind, Region, Type, ValueId};

impl Checker<'_> {
    pub(super) fn check_structure(&mut self) {
        let function = self.function;
        let mut defined = vec![false; function.values.len()];
        let mut visible = vec![false; function.values.len()];
        function.parameters.iter().for_each(|v| self.define(*v, &mut defined, &mut visible, None));
        self.check_region(&function.body, OpKind::Return, &mut defined, &mut visible);
    }

    fn define(&mut self, value: ValueId, defined: &mut [bool], visible: &mut [bool], op: Option<&Op>) {
        match defined.get_mut(value.0 as usize) {
            None => self.fail("A01", format!("{value} has no type"), op),
            Some(true) => self.fail("A01", format!("{value} is defined twice"), op),
            Some(defined) => {
                *defined = true;
                visible[value.0 as usize] = true;
            }
        }
    }

    /// Checks a region; what it defines is not visible afterwards.
    fn check_region(&mut self, region: &Region, terminator: OpKind, defined: &mut [bool], visible: &mut [bool]) {
        let outside = visible.to_vec();
        region.parameters.iter().for_each(|v| self.define(*v, defined, visible, None));
        for (position, op) in region.ops.iter().enumerate() {
            for operand in &op.operands {
                if !visible.get(operand.0 as usize).copied().unwrap_or(false) {
                    self.fail("A02", format!("{operand} is not defined before it is used"), Some(op));
                }
            }
            let last = position + 1 == region.ops.len();
            if op.kind.is_terminator() && !(last && op.kind == terminator) {
                self.fail("A03", "a terminator stands where none belongs", Some(op));
            }
            let expected = n_regions(&op.kind);
            if op.regions.len() != expected {
                self.fail("A04", format!("found {} regions, expected {expected}", op.regions.len()), Some(op));
            }
            for region in &op.regions {
                self.check_region(region, OpKind::Yield, defined, visible);
            }
            op.results.iter().for_each(|v| self.define(*v, defined, visible, Some(op)));
        }
        if !region.ops.last().is_some_and(|op| op.kind == terminator) {
            self.fail("A03", format!("a region does not end in {terminator:?}"), region.ops.last());
        }
        visible.copy_from_slice(&outside);
    }

    /// `A04` for the values that regions take and give; operand kinds are known to be right.
    pub(super) fn check_regions(&mut self) {
        self.for_each_op(|checker, op| match op.kind {
            OpKind::If => checker.check_if(op),
            OpKind::For => checker.check_for(op),
            OpKind::While => checker.check_while(op),
            OpKind::Try => checker.check_try(op),
            _ => {}
        });
    }

    fn check_if(&mut self, op: &Op) {
        let results = self.types(&op.results);
        for region in &op.regions {
            self.check_carried(op, "a branch's parameters", &self.types(&region.parameters), &[]);
            self.check_carried(op, "a branch's yield", &self.yielded(region), &results);
        }
    }

    fn check_try(&mut self, op: &Op) {
        let results = self.types(&op.results);
        let Some((Type::Scalar(DType::Bool), yielded)) = results.split_first() else {
            return self.fail("A04", "a `try`'s first result is a `bool`", Some(op));
        };
        self.check_carried(op, "a `try`'s parameters", &self.types(&op.regions[0].parameters), &[]);
        self.check_carried(op, "a `try`'s yield", &self.yielded(&op.regions[0]), yielded);
    }

    fn check_for(&mut self, op: &Op) {
        let parameters = self.types(&op.regions[0].parameters);
        let Some((Type::Scalar(DType::I64), carried)) = parameters.split_first() else {
            return self.fail("A04", "a loop's first parameter is its `i64` index", Some(op));
        };
        self.check_carried(op, "the initial values", &self.types(&op.operands[3..]), carried);
        self.check_carried(op, "the yield", &self.yielded(&op.regions[0]), carried);
        self.check_carried(op, "the carried values", carried, &self.types(&op.results));
    }

    fn check_while(&mut self, op: &Op) {
        let conditions = self.types(&op.regions[0].parameters);
        let carried = self.types(&op.regions[1].parameters);
        self.check_carried(op, "the initial values", &self.types(&op.operands), &carried);
        self.check_carried(op, "the condition's parameters", &carried, &conditions);
        self.check_carried(op, "the condition", &self.yielded(&op.regions[0]), &[Type::Scalar(DType::Bool)]);
        self.check_carried(op, "the yield", &self.yielded(&op.regions[1]), &carried);
        self.check_carried(op, "the carried values", &carried, &self.types(&op.results));
    }

    fn yielded(&self, region: &Region) -> Vec<Type> {
        region.ops.last().map_or(Vec::new(), |op| self.types(&op.operands))
    }

    fn check_carried(&mut self, op: &Op, what: &str, found: &[Type], expected: &[Type]) {
        let fits = found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| is_assignable(*f, *e));
        if !fits {
            let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("{what} are ({}), expected ({})", list(found), list(expected));
            self.fail("A04", message, Some(op));
        }
    }
}

fn n_regions(kind: &OpKind) -> usize {
    match kind {
        OpKind::If | OpKind::While => 2,
        OpKind::For | OpKind::Try => 1,
        _ => 0,
    }
}

/// Whether a value of one type may be carried as another: the same, or an array of which less is promised.
pub(super) fn is_assignable(found: Type, expected: Type) -> bool {
    match (found, expected) {
        (Type::Array(found), Type::Array(expected)) => {
            found.dtype == expected.dtype
                && found.rank == expected.rank
                && has_layout(found, expected.layout)
                && (found.writable || !expected.writable)
        }
        (found, expected) => found == expected,
    }
}

/// C and F are one for at most one axis.
fn has_layout(array: ArrayType, layout: Layout) -> bool {
    layout == Layout::Any || array.layout == layout || (array.rank <= 1 && array.layout != Layout::Any)
}
