//! `owner.name`: members of modules, properties of arrays and scalars, and methods, which are called later.

use numptx_ir::DType;
use numptx_ir::array::{Type, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::{Family, Typed, lookup, refused};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};

use crate::containers::method_names::is_method;
use crate::containers::text::is_text_method;
use crate::lowerer::Lowerer;
use crate::lowerer::reports::F_STRING;
use crate::names::standard_modules::combining;
use crate::values::iterable::Iterable;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `owner.name`
    pub fn attribute(&mut self, owner: Value, name: &str, span: Span) -> Value {
        self.builder.set_span(span);
        match &owner {
            Value::Poison => Value::Poison,
            Value::Growing(_) if name == "append" => Value::Method(Box::new(owner), name.to_string()),
            Value::Container(container) if is_method(container.sort, name) => {
                Value::Method(Box::new(owner), name.to_string())
            }
            Value::OtherStr if is_text_method(name) => {
                self.containers.want_texts();
                Value::Poison
            }
            Value::Str(_) | Value::Text(_) if is_text_method(name) => Value::Method(Box::new(owner), name.to_string()),
            Value::Builtin("str") if is_text_method(name) => Value::Method(Box::new(owner), name.to_string()),
            Value::Builtin("dict") if name == "fromkeys" => Value::Method(Box::new(owner), name.to_string()),
            Value::Builtin(builtin) if combining(&format!("{builtin}.{name}")).is_some() => {
                combining(&format!("{builtin}.{name}")).map_or(Value::Poison, Value::Builtin)
            }
            Value::Module(path) => self.member_of_module(path, name, span),
            Value::Tuple(members) => match self.library.member(members, name) {
                Some(member) => member,
                None => self.refuse_attribute_of_other(&owner, name, span),
            },
            Value::Record(class, fields) => self.record_attribute(class, fields, name, span),
            Value::RecordClass(class) => self.class_attribute(class, name, span),
            Value::Typed(typed) if typed.family == Family::Python => self.python_attribute(*typed, name, span),
            Value::Typed(typed) => self.array_attribute(*typed, name, span),
            Value::DType(dtype) => self.dtype_attribute(*dtype, name, span),
            Value::Iterable(iterable) => match &**iterable {
                Iterable::Ordered(ordered) => self.nditer_attribute(ordered, name, span),
                _ => self.refuse_attribute_of_other(&owner, name, span),
            },
            Value::Flags(array) => self.flag_of(array, name, span),
            Value::Broadcast(shape) => self.broadcast_attribute(shape, name, span),
            Value::Limits(dtype) => self.limits_attribute(*dtype, name, span),
            Value::TableFunction(function) => {
                let path = format!("{function}.{name}");
                if lookup(&path).is_some() {
                    return Value::TableFunction(path);
                }
                self.refuse(
                    code::UNKNOWN_FUNCTION,
                    span,
                    format!("`{path}` is not a function that numptx compiles"),
                    "`numptx functions` lists those that it does",
                )
            }
            other => self.refuse_attribute_of_other(other, name, span),
        }
    }

    fn refuse_attribute_of_other(&mut self, owner: &Value, name: &str, span: Span) -> Value {
        let what = owner.describe(&self.builder);
        let (message, help) = match owner {
            Value::List(_) | Value::Filled(_) if name == "append" => (
                format!(
                    "`append` of {what}: lists grow by one in every iteration of a counted loop, unread until its end, and not otherwise"
                ),
                "fill an array, and count: `y = np.empty(n)`, in the loop `y[k] = v` and `k += 1`, and then `y[:k]`; elements are chosen by `x[x > 0]`",
            ),
            Value::List(_) | Value::Filled(_) => (
                format!("`{name}` of {what}: lists neither grow nor change"),
                "fill an array, and count: `y = np.empty(n)`, in the loop `y[k] = v` and `k += 1`, and then `y[:k]`; elements are chosen by `x[x > 0]`",
            ),
            Value::Str(_) if name == "format" => (format!("{what} has no `{name}` here"), F_STRING),
            Value::Str(_) => (
                format!("{what} has no `{name}` here"),
                "strings are compared as they are: `mode == \"sum\"`, `mode in (\"sum\", \"Sum\")`",
            ),
            _ => (
                format!("{what} has no attribute `{name}`"),
                "attributes belong to arrays and modules: `x.shape`, `np.pi`",
            ),
        };
        self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, help)
    }

    fn python_attribute(&mut self, typed: Typed, name: &str, span: Span) -> Value {
        let dtype = self.builder.dtype(typed.value);
        match name {
            "real" if dtype.is_complex() => Value::python(self.builder.scalar(ScalarOp::Real, &[typed.value])),
            "imag" if dtype.is_complex() => Value::python(self.builder.scalar(ScalarOp::Imag, &[typed.value])),
            "real" if dtype == DType::Bool => Value::python(self.convert(typed.value, DType::I64)),
            "real" => Value::Typed(typed),
            "imag" if dtype == DType::F64 => Value::python(self.builder.constant(Constant::Float(0.0), DType::F64)),
            "imag" => self.int(0),
            "conjugate" => Value::Method(Box::new(Value::Typed(typed)), name.to_string()),
            _ => {
                let message = format!("{} has no attribute `{name}`", Value::Typed(typed).describe(&self.builder));
                let help = "numbers have `real` and `imag`; pass an array for the attributes of arrays: `float64[:]` in the export";
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, help)
            }
        }
    }

    fn array_attribute(&mut self, typed: Typed, name: &str, span: Span) -> Value {
        let (array, rank) = (typed.value, self.builder.rank(typed.value));
        let dtype = self.builder.dtype(array);
        match name {
            "shape" => Value::Tuple(self.extents(array).into_iter().map(Value::python).collect()),
            "ndim" => self.int(rank as i64),
            "dtype" => Value::DType(dtype),
            "itemsize" => self.int(dtype.itemsize() as i64),
            "size" => Value::python(self.size(array)),
            "nbytes" => {
                let size = self.size(array);
                let bytes = self.builder.i64(dtype.itemsize() as i64);
                Value::python(self.builder.scalar(ScalarOp::Mul, &[size, bytes]))
            }
            "strides" => self.strides(array),
            "flags" => Value::Flags(Box::new(Value::Typed(typed))),
            "T" if rank > 1 => {
                let reversed: Vec<usize> = (0..rank).rev().collect();
                Value::array(self.builder.permute(array, &reversed))
            }
            "T" if typed.family == Family::Array => Value::array(self.builder.whole(array)),
            "T" => Value::Typed(typed),
            "mT" if rank < 2 => {
                let what = Value::Typed(typed).describe(&self.builder);
                let message = format!("`mT` is of arrays of at least two axes, and this is {what}");
                self.refuse(
                    code::BAD_ARGUMENT,
                    span,
                    message,
                    "give it axes: `x[:, None]` is a column, `x[None]` a row",
                )
            }
            "mT" => self.call_on("numpy.matrix_transpose", &[Value::Typed(typed)], span, &[span]),
            "real" | "imag" => self.part(typed, name == "imag", span),
            "flat" if typed.family == Family::Array => Value::Iterable(Box::new(Iterable::Elements(array))),
            _ if name == "tolist" || lookup(&format!("ndarray.{name}")).is_some() => {
                Value::Method(Box::new(Value::Typed(typed)), name.to_string())
            }
            _ => self.refuse_attribute(name, span),
        }
    }

    /// Refuses an attribute or a method of arrays, and says what to write instead.
    fn refuse_attribute(&mut self, name: &str, span: Span) -> Value {
        let help = match refused::lookup(&format!("ndarray.{name}")) {
            Some(refused) => refused.help(),
            None => "`numptx functions` lists the methods of arrays that are compiled".to_owned(),
        };
        self.refuse(code::UNKNOWN_ATTRIBUTE, span, format!("the attribute `{name}` of arrays is not compiled"), help)
    }

    /// Number of elements. Arrays are not so large that it overflows.
    fn size(&mut self, array: ValueId) -> ValueId {
        let one = self.builder.i64(1);
        let extents = self.extents(array);
        let size = extents.into_iter().fold(one, |a, b| self.builder.scalar(ScalarOp::Mul, &[a, b]));
        if self.builder.as_i64(size).is_none() && self.fact(size) == crate::values::facts::Fact::ANY {
            self.numbers.facts.set(size, crate::values::facts::Fact::EXTENT);
        }
        size
    }

    fn part(&mut self, typed: Typed, imaginary: bool, span: Span) -> Value {
        let is_array = matches!(self.builder.ty(typed.value), Type::Array(_));
        match (self.builder.dtype(typed.value).is_complex(), imaginary) {
            (true, _) if is_array && typed.family == Family::Array => {
                Value::array(self.builder.part(typed.value, imaginary))
            }
            (false, false) => Value::Typed(typed),
            _ => {
                let name = if imaginary { "numpy.imag" } else { "numpy.real" };
                self.call_on(name, &[Value::Typed(typed)], span, &[span])
            }
        }
    }

    fn dtype_attribute(&mut self, dtype: DType, name: &str, span: Span) -> Value {
        match name {
            "itemsize" => self.int(dtype.itemsize() as i64),
            "name" => Value::Str(dtype.name().to_string()),
            "type" => Value::DType(dtype),
            "char" => Value::Str(dtype.character().to_string()),
            "kind" => Value::Str(kind_of(dtype).to_string()),
            _ => {
                let message = format!("the dtype `{dtype}` has no attribute `{name}` here");
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, "dtypes have `itemsize`, `name`, `kind` and `char`")
            }
        }
    }
}

/// NumPy's letter for the sort of a dtype.
fn kind_of(dtype: DType) -> char {
    match dtype.kind() {
        Kind::Bool => 'b',
        Kind::Signed => 'i',
        Kind::Unsigned => 'u',
        Kind::Float => 'f',
        Kind::Complex => 'c',
    }
}
