//! What an array's memory is: `x.strides`, `x.flags`, and views with strides of the caller's.

use numptx_ir::array::{Layout, OpKind, Type, ValueId, Writability};
use numptx_ir::functions::Family;
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Index};

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::value::Value;

/// Keys of `x.flags[…]`, and the attributes that are the same.
const KEYS: &[(&str, &str)] = &[
    ("C", "c_contiguous"),
    ("CONTIGUOUS", "c_contiguous"),
    ("C_CONTIGUOUS", "c_contiguous"),
    ("F", "f_contiguous"),
    ("FORTRAN", "f_contiguous"),
    ("F_CONTIGUOUS", "f_contiguous"),
    ("FNC", "fnc"),
    ("FORC", "forc"),
    ("W", "writeable"),
    ("WRITEABLE", "writeable"),
];
const HELP: &str = "`x.flags.c_contiguous`, `f_contiguous`, `forc`, `fnc`, and `writeable` of arrays that the function made, are compiled";

impl Lowerer<'_> {
    /// `x.strides`
    pub fn strides(&mut self, array: ValueId) -> Value {
        let rank = self.builder.rank(array);
        Value::Tuple((0..rank).map(|axis| Value::python(self.builder.stride(array, axis))).collect())
    }

    /// `x.flags.name`
    pub fn flag_of(&mut self, owner: &Value, name: &str, span: Span) -> Value {
        let Some(typed) = owner.typed() else { return Value::Poison };
        let array = typed.value;
        match name {
            "c_contiguous" | "contiguous" => self.is_contiguous(array, Layout::C),
            "f_contiguous" | "fortran" => self.is_contiguous(array, Layout::F),
            "forc" | "fnc" => {
                let (c, f) = (self.contiguity(array, Layout::C), self.contiguity(array, Layout::F));
                let other = if name == "fnc" { self.builder.scalar(ScalarOp::BitNot, &[c]) } else { c };
                let op = if name == "fnc" { ScalarOp::BitAnd } else { ScalarOp::BitOr };
                Value::python(self.builder.scalar(op, &[f, other]))
            }
            "writeable" if typed.family != Family::Array => self.bool(false),
            "writeable" => self.is_writeable(array, span),
            _ => {
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, format!("the flag `{name}` of arrays is not compiled"), HELP)
            }
        }
    }

    /// `x.flags["NAME"]`
    pub fn flag_item(&mut self, owner: &Value, indices: &[Index], span: Span) -> Value {
        let name = match indices {
            [Index::Expr(Expr { kind: ExprKind::Str(text), .. })] => text.clone(),
            _ => String::new(),
        };
        match KEYS.iter().find(|(key, _)| *key == name) {
            Some((_, flag)) => self.flag_of(owner, flag, span),
            None => {
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, format!("the flag `{name}` of arrays is not compiled"), HELP)
            }
        }
    }

    fn is_contiguous(&mut self, array: ValueId, wanted: Layout) -> Value {
        Value::python(self.contiguity(array, wanted))
    }

    fn contiguity(&mut self, array: ValueId, wanted: Layout) -> ValueId {
        if !matches!(self.builder.ty(array), Type::Array(_)) {
            return self.builder.constant(numptx_ir::scalar::Constant::Bool(true), numptx_ir::DType::Bool);
        }
        let reversed: Vec<usize> = (0..self.builder.rank(array)).rev().collect();
        let seen = if wanted == Layout::F { self.builder.permute(array, &reversed) } else { array };
        self.builder.is_c_contiguous(seen)
    }

    /// What is not an argument, and shows none, may be written as its type says.
    fn is_writeable(&mut self, array: ValueId, span: Span) -> Value {
        if self.builder.writability(array) == Writability::Never {
            return self.bool(false);
        }
        if self.builder.may_show_parameter(array) {
            let message = "whether an argument may be written is not known in compiled code";
            return self.refuse(
                code::UNKNOWN_ATTRIBUTE,
                span,
                message,
                "ask in Python, and pass what it says: a `bool`",
            );
        }
        match self.builder.writability(array) {
            Writability::Always => self.bool(true),
            _ => Value::python(self.builder.emit(OpKind::IsWritable, vec![array])[0]),
        }
    }

    /// `strided(x, shape, strides)`, in the library: elements of an array so many bytes apart, which the text has looked at; read-only.
    pub fn strided_builtin(&mut self, call: &Call) -> Value {
        let [Value::Typed(array), shape, strides] = call.positional.as_slice() else { return Value::Poison };
        let numbers = |s: &mut Self, value: &Value| match value {
            Value::Tuple(items) | Value::List(items) => items.iter().map(|item| s.integer(item)).collect(),
            _ => None,
        };
        let shape: Option<Vec<ValueId>> = numbers(self, shape);
        let strides: Option<Vec<ValueId>> = numbers(self, strides);
        let (Some(shape), Some(strides)) = (shape, strides) else { return Value::Poison };
        let dtype = self.builder.dtype(array.value);
        let view = self.builder.strided(array.value, dtype, &shape, &strides);
        Value::array(self.builder.read_only(view))
    }

    /// `np.broadcast(x, y)`: the shape that arrays have together.
    pub fn broadcast_call(&mut self, call: Call) -> Value {
        if let Some((keyword, _, span)) = call.keywords.first() {
            let message = format!("`numpy.broadcast` takes no keyword `{keyword}`");
            return self.refuse(
                code::UNKNOWN_KEYWORD,
                *span,
                message,
                "pass arrays by position: `np.broadcast(x, y).shape`",
            );
        }
        let span = call.span;
        let mut shapes = Vec::with_capacity(call.positional.len());
        for value in &call.positional {
            let array = self.call_on("numpy.asarray", std::slice::from_ref(value), span, &[span]);
            let Some(array) = array.typed() else { return Value::Poison };
            shapes.push(Value::Tuple(self.extents(array.value).into_iter().map(Value::python).collect()));
        }
        let shape = self.call_own("numpy_broadcast_shapes", "numpy.broadcast", shapes, span);
        if shape.is_poison() { Value::Poison } else { Value::Broadcast(Box::new(shape)) }
    }

    /// `np.broadcast(x, y).name`
    pub fn broadcast_attribute(&mut self, shape: &Value, name: &str, span: Span) -> Value {
        let Value::Tuple(extents) = shape else { return Value::Poison };
        match name {
            "shape" => shape.clone(),
            "ndim" | "nd" => self.int(extents.len() as i64),
            "size" => {
                let extents: Vec<ValueId> = extents.iter().filter_map(|v| v.typed()).map(|t| t.value).collect();
                Value::python(self.size_of_all(&extents))
            }
            _ => {
                let message = format!("`{name}` of `numpy.broadcast` is not compiled");
                let help = "it has `shape`, `ndim` and `size`; `np.broadcast_arrays(x, y)` gives the arrays";
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, help)
            }
        }
    }
}
