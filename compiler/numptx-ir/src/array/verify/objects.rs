//! `A30`: operations on objects take and give what their row of the table says.
//!
//! How many leaves an element has, only the layout tells, where the operation has one: elsewhere any number of them stands at its place.

use numptx_abi::object::{self, LayoutUse, Part};

use super::Checker;
use crate::DType;
use crate::array::{ObjectOp, Op, Type};

impl Checker<'_> {
    pub(super) fn check_object(&mut self, op: &Op, object: &ObjectOp) {
        let Some(row) = object::operation(object.operation) else {
            return self.fail("A30", format!("there is no operation {}", object.operation), Some(op));
        };
        let has_layout = match row.layout {
            LayoutUse::Nothing => object.layout.is_empty(),
            LayoutUse::Literal => std::str::from_utf8(&object.layout).is_ok(),
            LayoutUse::Element => is_layout(&object.layout) && !object.layout.contains(&object::VALUE),
            LayoutUse::Pair => {
                is_layout(&object.layout) && object.layout.iter().filter(|code| **code == object::VALUE).count() == 1
            }
        };
        if !has_layout {
            return self.fail("A30", format!("`{}` does not take this layout", row.name), Some(op));
        }
        let (operands, results) = (self.types(&op.operands), self.types(&op.results));
        for (what, parts, types) in [("operands", row.operands, operands), ("results", row.results, results)] {
            if !fit(parts, &types, object) {
                self.fail("A30", format!("`{}` has other {what}", row.name), Some(op));
            }
        }
    }
}

fn is_layout(layout: &[u8]) -> bool {
    object::is_balanced(layout) && layout.iter().all(|code| object::is_known(*code))
}

/// Whether values of these types are such parts.
fn fit(parts: &[Part], types: &[Type], object: &ObjectOp) -> bool {
    let is_open = |part: &Part| matches!(part, Part::Leaves | Part::Key | Part::Value | Part::Many);
    let Some(first) = parts.iter().position(is_open) else {
        return parts.len() == types.len() && parts.iter().zip(types).all(|(part, ty)| is_part(*part, *ty));
    };
    let last = parts.len() - parts.iter().rposition(is_open).unwrap_or(first) - 1;
    if types.len() < first + last {
        return false;
    }
    let (before, others) = types.split_at(first);
    let (leaves, after) = others.split_at(others.len() - last);
    let ends = before.iter().zip(parts).chain(after.iter().zip(&parts[parts.len() - last..]));
    ends.into_iter().all(|(ty, part)| is_part(*part, *ty)) && are_leaves(parts[first], leaves, object)
}

/// Whether values are leaves of the elements that the layout describes, as far as it does.
fn are_leaves(part: Part, types: &[Type], object: &ObjectOp) -> bool {
    if object.layout.is_empty() {
        return true;
    }
    let expected: Vec<Type> = object.layout.iter().filter_map(|code| leaf_type(*code)).collect();
    let fits = |types: &[Type]| {
        types.len() == expected.len()
            && types.iter().zip(&expected).all(|(found, leaf)| match leaf {
                Type::Array(_) => matches!(found, Type::Array(_)),
                leaf => found == leaf,
            })
    };
    match part {
        Part::Many => match expected.len() {
            0 => types.is_empty(),
            n => types.chunks(n).all(fits),
        },
        _ => fits(types),
    }
}

/// The type of a leaf; of an array some one. `None` of what has no value.
fn leaf_type(code: u8) -> Option<Type> {
    use crate::array::{ArrayType, Layout};
    match code {
        code if object::is_scalar(code) => {
            DType::ALL.into_iter().find(|dtype| dtype.code() == object::dtype_of(code)).map(Type::Scalar)
        }
        object::ARRAY => {
            Some(Type::Array(ArrayType { dtype: DType::F64, rank: 0, layout: Layout::Any, writable: true }))
        }
        object::STRING | object::OBJECT => Some(Type::Object),
        _ => None,
    }
}

fn is_part(part: Part, ty: Type) -> bool {
    match part {
        Part::List | Part::Dict | Part::Set | Part::Str => ty == Type::Object,
        Part::Int => ty == Type::Scalar(DType::I64),
        Part::Bool => ty == Type::Scalar(DType::Bool),
        Part::Float => ty == Type::Scalar(DType::F64),
        Part::Array => matches!(ty, Type::Array(_)),
        Part::Leaves | Part::Key | Part::Value | Part::Many => true,
    }
}
