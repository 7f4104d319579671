//! Lists of run time: how they are made, read and written.

use numptx_ir::array::{ArrayType, Layout, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::Expr;

use crate::lowerer::Lowerer;
use crate::values::container_types::{Container, Member, Sort};
use crate::values::value::Value;
impl Lowerer<'_> {
    /// The array that NumPy makes of a list of numbers, or of tuples of numbers of one type; `None` after a report.
    pub fn array_of_list(&mut self, list: Container, span: Span) -> Option<Value> {
        let member = self.containers.member(list.ty);
        let (dtype, rank) = match &member {
            Member::Scalar { dtype, .. } => (*dtype, 1),
            Member::Tuple(members) => match members.first() {
                Some(Member::Scalar { dtype, .. })
                    if members.iter().all(|m| matches!(m, Member::Scalar { dtype: d, .. } if d == dtype)) =>
                {
                    (*dtype, 2)
                }
                _ => return self.refuse_array(&member, span),
            },
            Member::Array { rank: 1.., .. } => {
                let value = self.stacked_members(Value::Container(list), span);
                return Some(value).filter(|value| !value.is_poison());
            }
            Member::Container(_) => {
                let Some((dtype, rank)) = self.numbers_in(&member) else { return self.refuse_array(&member, span) };
                let rank = self.int(rank as i64 + 1);
                let value = self.stacked_lists(vec![Value::Container(list), Value::DType(dtype), rank], span);
                return Some(value).filter(|value| !value.is_poison());
            }
            _ => return self.refuse_array(&member, span),
        };
        let ty = Type::Array(ArrayType { dtype, rank, layout: Layout::C, writable: true });
        Some(Value::array(self.object_value(object::LIST_TO_ARRAY, vec![list.value], ty)))
    }

    /// The dtype of the numbers in lists and tuples in one another, and how many axes an array of them has.
    fn numbers_in(&self, member: &Member) -> Option<(DType, usize)> {
        match member {
            Member::Scalar { dtype, .. } => Some((*dtype, 0)),
            Member::Container(ty) if matches!(self.containers.sort(*ty), Sort::List | Sort::Tuple) => {
                let (dtype, rank) = self.numbers_in(&self.containers.member(*ty))?;
                Some((dtype, rank + 1))
            }
            _ => None,
        }
    }

    fn refuse_array<T>(&mut self, member: &Member, span: Span) -> Option<T> {
        if *member == Member::Unknown {
            return self.unknown(member, span);
        }
        let message = format!("an array of a list whose members are {}", member.describe());
        let help = "make arrays of lists of numbers: `np.array(xs)`, `np.array([v for v, w in pairs])`";
        self.refuse(code::BAD_ARGUMENT, span, message, help);
        None
    }

    /// The list of what lies from a place on, so many members fewer than all.
    pub fn middle_of(&mut self, list: Container, start: usize, fewer: ValueId) -> Value {
        let length = self.container_length(list);
        let count = self.builder.scalar(ScalarOp::Sub, &[length, fewer]);
        let (start, one) = (self.builder.i64(start as i64), self.builder.i64(1));
        self.alike(list, object::LIST_SLICE, vec![list.value, start, count, one])
    }

    /// An index of a list; `None` after a report.
    pub fn list_position(&mut self, expr: &Expr) -> Option<ValueId> {
        let index = self.expression(expr);
        if index.is_poison() {
            return None;
        }
        let position = self.integer(&index);
        if position.is_none() {
            let message = format!("a list is indexed by {}", index.describe(&self.builder));
            self.refuse(code::UNSUPPORTED_INDEX, expr.span, message, "index it with ints: `xs[-1]`");
        }
        position
    }

    /// `list[position] = value`
    pub fn set_list_item(&mut self, list: Container, position: ValueId, value: &Value, span: Span) {
        if let Some(leaves) = self.put_leaves(list, 0, value, span) {
            self.object_effect(object::LIST_SET, [vec![list.value, position], leaves].concat());
        }
    }
}
