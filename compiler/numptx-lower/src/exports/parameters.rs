//! Parameters of an exported overload: from the type as written to leaves of the function and the value that the name has.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Type};
use numptx_ir::signature::{ElementType, FieldAccess, MemoryOrder, ObjectType, ParameterType};
use numptx_source::{Span, code};
use numptx_syntax::ast::{ArraySpec, ExtentSpec, Field, OrderSpec, TypeSpec};

use crate::lowerer::Lowerer;
use crate::values::class::Class;
use crate::values::container_types::{Container, python_name};
use crate::values::value::{Value, scalar_type};

/// Records inside one another, as parameters have them.
const MAX_DEPTH: usize = 16;

/// Fields of a record that is a parameter: the binary interface counts them in a byte.
const MAX_FIELDS: usize = 255;

impl Lowerer<'_> {
    /// Adds the leaves of a parameter. `None` after a report.
    pub fn parameter(
        &mut self,
        name: &str,
        spec: &TypeSpec,
        span: Span,
        n_around: usize,
    ) -> Option<(ParameterType, Value)> {
        match spec {
            TypeSpec::Scalar(scalar) => {
                let (dtype, python) = scalar_type(*scalar);
                let value = self.builder.parameter(Type::Scalar(dtype), name);
                let value = if python { Value::python(value) } else { Value::numpy(value) };
                Some((ParameterType::Scalar { dtype, python }, value))
            }
            TypeSpec::Array(array) => self.array_parameter(name, array, span),
            TypeSpec::Tuple(members) => {
                let mut types = Vec::new();
                let mut values = Vec::new();
                for (n, member) in members.iter().enumerate() {
                    let (ty, value) = self.parameter(&format!("{name}.{n}"), member, span, n_around)?;
                    types.push(ty);
                    values.push(value);
                }
                Some((ParameterType::Tuple(types), Value::Tuple(values)))
            }
            TypeSpec::None => Some((ParameterType::None, Value::None)),
            TypeSpec::Generator | TypeSpec::RandomState => Some(self.random_parameter(name, spec, span)),
            TypeSpec::Record(class) => self.record_parameter(name, class, span, n_around),
            TypeSpec::Records(class, extents) => self.structure_parameter(name, (class, extents), span),
            TypeSpec::List(_) | TypeSpec::Set(_) | TypeSpec::Dictionary(..) | TypeSpec::Str => {
                let ElementType::Object(object) = self.element_type_of(spec, span)? else { return None };
                let value = self.builder.parameter(Type::Object, name);
                let ty = self.type_of_object(&object, span, &mut Vec::new());
                let value = match ty {
                    None => Value::Text(value),
                    Some(ty) => Value::Container(Container { value, sort: self.containers.sort(ty), ty }),
                };
                Some((ParameterType::Object(*object), value))
            }
        }
    }

    /// What a type is as that of a member; `None` after a report.
    fn element_type_of(&mut self, spec: &TypeSpec, span: Span) -> Option<ElementType> {
        let object = |object| ElementType::Object(Box::new(object));
        Some(match spec {
            TypeSpec::Scalar(scalar) => {
                // Lists are Python's: so are the numbers in them, where Python has them.
                let (dtype, python) = scalar_type(*scalar);
                let python = python || matches!(dtype, DType::F64 | DType::I64 | DType::C128);
                if dtype == DType::F16 {
                    let message = "numbers of `float16` in a list or a dictionary are not supported";
                    self.refuse(code::UNSUPPORTED_DTYPE, span, message, "take an array of them: `float16[:]`");
                    return None;
                }
                ElementType::Scalar { dtype, python }
            }
            TypeSpec::Array(array) if array.extents.len() <= 16 => {
                ElementType::Array { dtype: scalar_type(array.dtype).0, rank: array.extents.len() }
            }
            TypeSpec::Array(array) => {
                let message = format!("an array of {} axes; at most 16 are possible", array.extents.len());
                self.refuse(code::TOO_MANY_AXES, span, message, "write fewer `:`");
                return None;
            }
            TypeSpec::Tuple(members) => {
                ElementType::Tuple(members.iter().map(|m| self.element_type_of(m, span)).collect::<Option<_>>()?)
            }
            TypeSpec::List(member) => object(ObjectType::List(self.element_type_of(member, span)?)),
            TypeSpec::Set(member) => object(ObjectType::Set(self.element_type_of(member, span)?)),
            TypeSpec::Dictionary(key, value) => {
                let key = self.element_type_of(key, span)?;
                object(ObjectType::Dictionary(key, self.element_type_of(value, span)?))
            }
            TypeSpec::Str => object(ObjectType::Text),
            TypeSpec::None => ElementType::None,
            TypeSpec::Record(class) | TypeSpec::Records(class, _) => return self.refuse_records(class, span),
            TypeSpec::Generator | TypeSpec::RandomState => {
                let message = "generators in lists and dictionaries are no parameters of compiled functions";
                let help = "pass them one by one: `f(Generator, Generator)`";
                self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
                return None;
            }
        })
    }

    fn refuse_records<T>(&mut self, class: &str, span: Span) -> Option<T> {
        let message = format!("lists and arrays of `{class}` are no parameters of compiled functions");
        let help = "pass a list or an array for each field: `float64[:], float64[:]`";
        self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
        None
    }

    pub fn array_parameter(&mut self, name: &str, spec: &ArraySpec, span: Span) -> Option<(ParameterType, Value)> {
        let (dtype, _) = scalar_type(spec.dtype);
        let rank = spec.extents.len();
        if rank > 16 {
            let message = format!("an array of {rank} axes; at most 16 are possible");
            self.refuse(code::TOO_MANY_AXES, span, message, "write fewer `:`");
            return None;
        }
        let order = spec.order.map(|o| if o == OrderSpec::C { MemoryOrder::C } else { MemoryOrder::F });
        let layout = match order {
            _ if rank == 0 => Layout::C,
            Some(MemoryOrder::C) => Layout::C,
            Some(MemoryOrder::F) => Layout::F,
            None => Layout::Any,
        };
        let value = self.builder.parameter(Type::Array(ArrayType { dtype, rank, layout, writable: true }), name);
        let mut extents = self.extents(value);
        let fixed: Vec<Option<i64>> = spec.extents.iter().map(fixed_extent).collect();
        for (extent, fixed) in extents.iter_mut().zip(&fixed) {
            if let Some(n) = fixed {
                *extent = self.builder.i64(*n);
            }
        }
        self.builder.set_shape(value, extents);
        Some((ParameterType::Array { dtype, extents: fixed, order }, Value::array(value)))
    }

    /// Adds the leaves of a parameter that is a record, in so many others; `None` after a report.
    pub fn record_parameter(
        &mut self,
        parameter: &str,
        name: &str,
        span: Span,
        n_around: usize,
    ) -> Option<(ParameterType, Value)> {
        let class = self.class_of_type(name, span)?;
        if class.0.fields.len() > MAX_FIELDS {
            let message = format!("`{name}` has {} fields, and is a parameter", class.0.fields.len());
            let help = format!("pass at most {MAX_FIELDS} fields, or arrays of them");
            self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
            return None;
        }
        let (mut types, mut fields) = (Vec::new(), Vec::new());
        for field in &class.0.fields {
            let [ty] = field.types.as_slice() else {
                return self.refuse_untyped(&class, field, span);
            };
            if n_around + 1 >= MAX_DEPTH {
                return self.refuse_untyped(&class, field, span);
            }
            let (ty, value) = self.parameter(&format!("{parameter}.{}", field.name), ty, span, n_around + 1)?;
            let value = if field.is_assigned { self.callers_field(&class, field, &value, span)? } else { value };
            types.push(ty);
            fields.push(value);
        }
        let record = self.record_type(&class, span)?;
        Some((ParameterType::Record(record, types), Value::Record(class, fields)))
    }

    /// Adds the leaves of a parameter that is an array of a structured dtype; `None` after a report.
    pub fn structure_parameter(
        &mut self,
        parameter: &str,
        (name, extents): (&str, &[ExtentSpec]),
        span: Span,
    ) -> Option<(ParameterType, Value)> {
        let class = self.class_of_type(name, span)?;
        if !class.is_structure() {
            let message = format!("an array of `{name}`, which is no dtype");
            let help = "pass an array for each field, in one record: `x: \"float64[:]\"`";
            self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
            return None;
        }
        let (mut types, mut fields) = (Vec::new(), Vec::new());
        for field in &class.0.fields {
            let [TypeSpec::Scalar(dtype)] = field.types.as_slice() else { return None };
            let spec = ArraySpec { dtype: *dtype, extents: extents.to_vec(), order: None };
            let (ty, value) = self.array_parameter(&format!("{parameter}.{}", field.name), &spec, span)?;
            types.push(ty);
            fields.push(value);
        }
        Some((ParameterType::Record(self.record_type(&class, span)?, types), Value::Record(class, fields)))
    }

    fn refuse_untyped<T>(&mut self, class: &Class, field: &Field, span: Span) -> Option<T> {
        let (owner, name) = (&class.0.name, &field.name);
        let message = format!("the field `{name}` of `{owner}` says no one type, and `{owner}` is a parameter");
        let help = format!("write `{name}: float` or `{name}: \"float64[:]\"` in a class `{owner}(NamedTuple)`");
        self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
        None
    }
}

fn fixed_extent(extent: &ExtentSpec) -> Option<i64> {
    if let ExtentSpec::Fixed(n) = extent { Some(*n) } else { None }
}

/// A parameter's type as the user writes it.
pub(crate) fn type_text(ty: &ParameterType) -> String {
    match ty {
        ParameterType::Scalar { dtype, python: true } => python_name(*dtype).to_string(),
        ParameterType::Scalar { dtype, python: false } => dtype.name().to_string(),
        ParameterType::Array { dtype, extents, order } => {
            let axes = axes_text(extents);
            let order = match order {
                Some(MemoryOrder::C) => " order(C)",
                Some(MemoryOrder::F) => " order(F)",
                None => "",
            };
            format!("{dtype}[{axes}]{order}")
        }
        ParameterType::Tuple(members) => {
            let members: Vec<String> = members.iter().map(type_text).collect();
            format!("({})", members.join(", "))
        }
        ParameterType::Record(record, fields) => match fields.first() {
            Some(ParameterType::Array { extents, .. }) if record.access == FieldAccess::Items => {
                format!("{}[{}]", record.name, axes_text(extents))
            }
            _ => record.name.clone(),
        },
        ParameterType::None => "None".into(),
        ParameterType::Str(None) => "str".into(),
        ParameterType::Str(Some(text)) => format!("{text:?}"),
        ParameterType::Object(object) => object_text(object),
    }
}

fn axes_text(extents: &[Option<i64>]) -> String {
    let axes: Vec<String> = extents.iter().map(|e| e.map_or(":".into(), |n| n.to_string())).collect();
    axes.join(", ")
}

fn object_text(ty: &ObjectType) -> String {
    match ty {
        ObjectType::List(member) => format!("{} list", element_text(member)),
        ObjectType::Set(member) => format!("{} set", element_text(member)),
        ObjectType::Dictionary(key, value) => format!("{}:{} dict", element_text(key), element_text(value)),
        ObjectType::Text => "str".into(),
        ObjectType::Generator => "Generator".into(),
        ObjectType::RandomState | ObjectType::GlobalRandom => "RandomState".into(),
        ObjectType::Tuple(member) => format!("{} tuple", element_text(member)),
        ObjectType::Deque(member) => format!("{} deque", element_text(member)),
        ObjectType::Counter(key, _) => format!("{} Counter", element_text(key)),
        ObjectType::Default(_, key, value) => format!("{}:{} defaultdict", element_text(key), element_text(value)),
    }
}

fn element_text(ty: &ElementType) -> String {
    match ty {
        ElementType::Scalar { dtype, python: true } => python_name(*dtype).to_string(),
        ElementType::Scalar { dtype, python: false } => dtype.name().to_string(),
        ElementType::None => "None".into(),
        ElementType::Array { dtype, rank } => format!("{dtype}[{}]", vec![":"; *rank].join(", ")),
        ElementType::Tuple(members) => {
            format!("({})", members.iter().map(element_text).collect::<Vec<_>>().join(", "))
        }
        ElementType::Record(record, _) => record.name.clone(),
        ElementType::Object(object) => object_text(object),
    }
}
