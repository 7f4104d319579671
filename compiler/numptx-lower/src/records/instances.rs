//! Records: instances of named tuples and dataclasses. A record is its fields, with its class beside them.
//!
//! Nothing of a class is left at run time. What a tuple can do, a named tuple can ([`Value::plain`]); where records cross the border of a region,
//! their fields do ([`crate::values::parts`]).

use std::sync::Arc;

use numptx_ir::array::{OpKind, Order, ValueId, Writability};
use numptx_ir::functions::Family;
use numptx_source::{Span, code};
use numptx_syntax::ast::{
    Applied, CompareOp, Expr, ExprKind, Field, Function, Method, Module, Parameter, ParameterKind, Record, RecordKind,
    Stmt, StmtKind,
};

use crate::indexing::places::Place;
use crate::lowerer::Lowerer;
use crate::syntax::liveness::Names;
use crate::values::call::Call;
use crate::values::class::{Class, class_of};
use crate::values::closure::{Closure, Enclosing};
use crate::values::container_types::{Member, TypeId};
use crate::values::random::Random;
use crate::values::scope::Binding;
use crate::values::value::Value;

/// The class that a name of the module stands for.
pub(crate) fn class_named(module: &Module, name: &str) -> Option<Class> {
    let constant = module.constants.iter().rfind(|constant| constant.name == name)?;
    class_of(constant)
}

impl Lowerer<'_> {
    /// `P(1.0, y=x)`
    pub fn new_record(&mut self, class: &Class, call: &Call) -> Value {
        if let Some(random) = Random::of(class) {
            return self.new_random(random, call);
        }
        let record = &class.0;
        if record.kind == RecordKind::Structure {
            let message = format!("`{}` is a dtype, and called", record.name);
            let help = format!("make an array of it: `np.zeros(n, dtype={})`", record.name);
            return self.refuse(code::NOT_CALLABLE, call.span, message, help);
        }
        let is_given = |n: usize, field: &Field| {
            n < call.positional.len() || call.keywords.iter().any(|(name, ..)| *name == field.name)
        };
        let mut defaults = Vec::new();
        for (n, field) in record.fields.iter().enumerate() {
            let default = field.default.as_ref().filter(|_| !is_given(n, field));
            defaults.push(default.map(|default| self.default_of_field(default, field.is_made)));
        }
        let Some(mut bound) = self.bind_arguments(&as_function(record), Some(&defaults), call) else {
            return Value::Poison;
        };
        let mut field = |field: &Field| match bound.remove(&field.name) {
            // Who has the record has its lists.
            Some(Binding::Bound(value @ (Value::List(_) | Value::Filled(_)), span)) => self.contained(&value, span),
            Some(Binding::Bound(value, _)) => value,
            _ => Value::Poison,
        };
        let fields = record.fields.iter().map(&mut field).collect();
        self.record_of(class, fields)
    }

    /// A record of these fields.
    pub fn record_of(&mut self, class: &Class, fields: Vec<Value>) -> Value {
        let fields = class.0.fields.iter().zip(fields);
        let fields = fields.map(|(field, value)| match field.is_assigned {
            true => self.new_cell(class, field, &value),
            false => value,
        });
        Value::Record(class.clone(), fields.collect())
    }

    /// A default, which is the same in all instances; or one that each instance has for itself.
    fn default_of_field(&mut self, default: &Expr, is_made: bool) -> Value {
        if !is_made {
            return self.default_value(default);
        }
        let frames = std::mem::take(&mut self.calls.frames);
        let value = self.expression(default);
        self.calls.frames = frames;
        value
    }

    /// `record.name`
    pub fn record_attribute(&mut self, class: &Class, fields: &[Value], name: &str, span: Span) -> Value {
        if class.is_structure() {
            return self.structure_attribute(class, fields, name, span);
        }
        if let Some(random) = Random::of(class) {
            return self.random_attribute(random, fields, name, span);
        }
        if let Some(position) = class.position(name) {
            return self.field(class, fields, position);
        }
        let owner = Value::Record(class.clone(), fields.to_vec());
        if let Some(method) = class.method(name) {
            if !method.is_property {
                return Value::Method(Box::new(owner), name.to_owned());
            }
            let call = Call { positional: Vec::new(), keywords: Vec::new(), places: Vec::new(), span };
            return self.record_method(class, fields, name, call);
        }
        match name {
            "_fields" if class.is_tuple() => self.names_of_fields(class),
            "_replace" if class.is_tuple() => Value::Method(Box::new(owner), name.to_owned()),
            _ => {
                let message = format!("`{}` has no attribute `{name}`", class.0.name);
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, format!("it has {}", class.named_fields()))
            }
        }
    }

    /// `P.name`
    pub fn class_attribute(&mut self, class: &Class, name: &str, span: Span) -> Value {
        match (name, class.method(name)) {
            (_, Some(method)) if !method.is_property => Value::Closure(Box::new(self.as_closure(method))),
            ("_fields", _) if class.is_tuple() => self.names_of_fields(class),
            ("_make", _) if class.is_tuple() => {
                Value::Method(Box::new(Value::RecordClass(class.clone())), name.to_owned())
            }
            _ => {
                let message = format!("the class `{}` has no attribute `{name}` here", class.0.name);
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, format!("call it: `{}(…)`", class.0.name))
            }
        }
    }

    fn names_of_fields(&mut self, class: &Class) -> Value {
        Value::Tuple(class.0.fields.iter().map(|field| Value::Str(field.name.clone())).collect())
    }

    fn as_closure(&mut self, method: &Method) -> Closure {
        let function = method.function.clone();
        let defaults = function.parameters.iter().map(|p| p.default.as_ref().map(|d| self.default_value(d))).collect();
        Closure { function, defaults, enclosing: Enclosing::Module }
    }

    /// `record.name(…)`
    pub fn record_method(&mut self, class: &Class, fields: &[Value], name: &str, mut call: Call) -> Value {
        if class.is_structure() {
            return self.copied_structure(class, fields, &call);
        }
        if let Some(random) = Random::of(class) {
            return self.random_method(random, fields, name, call);
        }
        if name == "_replace" {
            return self.replaced_fields(class, fields, &call);
        }
        let Some(method) = class.method(name).cloned() else { return Value::Poison };
        if !method.function.refused.is_empty() {
            method.function.refused.iter().for_each(|r| self.report(r.clone()));
            return Value::Poison;
        }
        let closure = self.as_closure(&method);
        call.positional.insert(0, Value::Record(class.clone(), fields.to_vec()));
        call.places.insert(0, call.span);
        self.inline_closure(&closure, call)
    }

    /// `P._make(values)`
    pub fn class_method(&mut self, class: &Class, call: &Call) -> Value {
        let items = match call.positional.as_slice() {
            [value] if call.keywords.is_empty() => self.few_members(&value.as_plain()),
            _ => None,
        };
        match items.filter(|items| items.len() == class.0.fields.len()) {
            Some(items) => self.record_of(class, items),
            None => {
                let n = class.0.fields.len();
                let message = format!("`_make` takes a tuple of {n} members");
                self.refuse(code::BAD_ARGUMENT, call.span, message, format!("write `{}(a, b)`", class.0.name))
            }
        }
    }

    /// `p._replace(x=1.0)`, `dataclasses.replace(p, x=1.0)`
    fn replaced_fields(&mut self, class: &Class, fields: &[Value], call: &Call) -> Value {
        let mut fields = self.fields(class, fields);
        if !call.positional.is_empty() {
            let help = format!("write `{}`", class.made(class.0.fields.first().map_or("x", |field| &field.name)));
            return self.refuse(code::TOO_MANY_ARGUMENTS, call.span, "fields are given by name", help);
        }
        for (name, value, span) in &call.keywords {
            let Some(position) = class.position(name) else {
                let message = format!("`{name}` is no field of `{}`", class.0.name);
                return self.refuse(code::UNKNOWN_KEYWORD, *span, message, format!("it has {}", class.named_fields()));
            };
            fields[position] = value.clone();
        }
        self.record_of(class, fields)
    }

    /// `dataclasses.replace(p, x=1.0)`
    pub fn replace_call(&mut self, mut call: Call) -> Value {
        match call.positional.as_slice() {
            [Value::Record(class, fields)] if !class.is_tuple() => {
                let (class, fields) = (class.clone(), fields.clone());
                call.positional.clear();
                self.replaced_fields(&class, &fields, &call)
            }
            _ => {
                let message = "`dataclasses.replace` takes an instance of a dataclass";
                self.refuse(code::BAD_ARGUMENT, call.span, message, "of a named tuple, write `p._replace(x=1.0)`")
            }
        }
    }

    /// `left op right` of which one is a record. Instances of a dataclass are equal to those of the same class alone.
    pub fn compare_records(
        &mut self,
        op: CompareOp,
        [left, right]: [&Value; 2],
        span: Span,
        places: [Span; 2],
    ) -> Value {
        let is_equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        if let (Some((_, a)), Some((_, b))) = (self.words_in(left), self.words_in(right)) {
            return self.compare_random(op, [&a, &b], span);
        }
        if let Some(class) = [left, right].into_iter().find_map(Value::as_structure) {
            let message = format!("`{}` of arrays of `{}`", op.symbol(), class.0.name);
            let help = "compare their fields: `a[\"x\"] == b[\"x\"]`";
            return self.refuse(code::BAD_OPERAND_TYPES, span, message, help);
        }
        let (left, right) = (left.as_plain(), right.as_plain());
        match (&left, &right) {
            (Value::Record(class, a), Value::Record(other, b)) if class == other => {
                if !is_equality && !matches!(class.0.kind, RecordKind::DataClass { ordered: true, .. }) {
                    let help = "write `@dataclass(order=True)`, or compare fields";
                    let message = format!("`{}` does not exist for instances of `{}`", op.symbol(), class.0.name);
                    return self.refuse(code::BAD_OPERAND_TYPES, span, message, help);
                }
                let (a, b) = (self.fields(class, a), self.fields(class, b));
                self.compare(op, &Value::Tuple(a), &Value::Tuple(b), span, places)
            }
            (Value::Record(..), Value::Typed(typed)) | (Value::Typed(typed), Value::Record(..))
                if typed.family != Family::Python =>
            {
                self.bad_operands(op.symbol(), &left, &right, span)
            }
            (Value::Record(..), _) | (_, Value::Record(..)) if is_equality => self.bool(op == CompareOp::NotEqual),
            (Value::Record(..), _) | (_, Value::Record(..)) => self.bad_operands(op.symbol(), &left, &right, span),
            _ => self.compare(op, &left, &right, span, places),
        }
    }

    /// `record.name = value`
    pub fn assign_field(&mut self, record: &Value, name: &str, value: &Value, span: Span) {
        let Value::Record(class, fields) = record else { return };
        let cell = class.position(name).and_then(|n| class.0.fields.get(n).zip(fields.get(n)));
        match cell {
            Some((field, cell)) if field.is_assigned => self.write_cell(class, field, cell, value, span),
            _ => self.refuse_field(class, name, span),
        }
    }

    /// Says why a field is not assigned.
    fn refuse_field(&mut self, class: &Class, name: &str, span: Span) {
        let owner = &class.0.name;
        let message = match class.position(name) {
            None => format!("`{owner}` has no field `{name}`"),
            Some(_) => format!("`{name}` of a `{owner}` cannot be assigned"),
        };
        let help = match class.position(name) {
            None => format!("it has {}", class.named_fields()),
            Some(_) => format!("make another one: `p = {}`", class.made(name)),
        };
        self.refuse(code::UNSUPPORTED_STATEMENT, span, message, help);
    }

    /// The class that a type names; `None` after a report.
    pub fn class_of_type(&mut self, name: &str, span: Span) -> Option<Class> {
        if let Some(class) = class_named(self.module, name) {
            return Some(class);
        }
        let left = self.module.left.iter().find(|left| left.name == name).map(|left| left.report.clone());
        match left {
            Some(report) => self.report(report),
            None => {
                let help = "name a class of records of the file: `class P(NamedTuple): x: float`";
                self.refuse(code::UNKNOWN_DTYPE, span, format!("there is no type `{name}`"), help);
            }
        }
        None
    }

    /// Where a field of one instance is kept that some statement assigns: an array of one element, else a list of one member. Whoever has the
    /// instance sees what is assigned. Of what type it is, all instances say together (`values/container_types.rs`).
    fn new_cell(&mut self, class: &Class, field: &Field, value: &Value) -> Value {
        let (ty, span) = (self.type_of_cell(field), self.builder.span());
        let Some(known) = self.put_into_cell(class, field, ty, value, span) else { return Value::Poison };
        let Member::Scalar { dtype, .. } = known else {
            return Value::Container(self.new_list(ty, std::slice::from_ref(value), span));
        };
        let one = self.builder.i64(1);
        let cell = self.builder.alloc(dtype, &[one], Order::C);
        self.store_in_cell(cell, value, span);
        Value::array(cell)
    }

    /// States that a value is put into a cell; what the cell holds, where that is known.
    fn put_into_cell(&mut self, class: &Class, field: &Field, ty: TypeId, value: &Value, span: Span) -> Option<Member> {
        let (_, member) = self.as_member(value, span)?;
        self.containers.demand(ty, 0, member);
        let known = self.containers.member(ty);
        if let Some((one, other)) = known.different() {
            let message = format!("`{}` of `{}` is {one} and {other}", field.name, class.0.name);
            let help = format!("give it one type: `{}=0.0` and not `{0}=0` where floats are assigned", field.name);
            self.refuse(code::REBOUND_TO_OTHER_TYPE, span, message, help);
            return None;
        }
        if known == Member::Unknown { self.unknown(&known, span) } else { Some(known) }
    }

    fn store_in_cell(&mut self, cell: ValueId, value: &Value, span: Span) {
        let zero = self.builder.i64(0);
        let element = self.builder.index(cell, 0, zero);
        self.set_item(Place::Element(element), value.clone(), span);
    }

    fn write_cell(&mut self, class: &Class, field: &Field, cell: &Value, value: &Value, span: Span) {
        if value.is_poison() {
            return;
        }
        let ty = self.type_of_cell(field);
        if self.put_into_cell(class, field, ty, value, span).is_none() {
            return;
        }
        self.builder.set_span(span);
        match cell {
            Value::Typed(cell) => {
                let message = format!("`{}` of a caller's `{}` is assigned", field.name, class.0.name);
                if self.builder.writability(cell.value) == Writability::Never {
                    let help = format!("make another one, and return it: `p = replace(p, {}=1.0)`", field.name);
                    self.refuse(code::WRITE_TO_READ_ONLY, span, message, help);
                    return;
                }
                self.builder.check_writable(cell.value, &message);
                self.store_in_cell(cell.value, value, span);
            }
            Value::Container(cell) => {
                let zero = self.builder.i64(0);
                self.set_list_item(*cell, zero, value, span);
            }
            _ => {}
        }
    }

    /// A field of a caller's record that some statement assigns: it is read, and no assignment reaches it, which the caller would not see.
    pub fn callers_field(&mut self, class: &Class, field: &Field, value: &Value, span: Span) -> Option<Value> {
        match self.new_cell(class, field, value) {
            Value::Typed(cell) => {
                let view = self.builder.emit(OpKind::ReadOnly, vec![cell.value])[0];
                let extents = self.extents(cell.value);
                self.builder.set_shape(view, extents);
                Some(Value::array(view))
            }
            Value::Poison => Some(Value::Poison),
            _ => {
                let (owner, name) = (&class.0.name, &field.name);
                let message = format!("`{name}` of `{owner}` is assigned, and `{owner}` is a parameter");
                let help = format!("write into it: `p.{name}[:] = y`; or make another `{owner}`, and return it");
                self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
                None
            }
        }
    }
}

/// A module that notes the fields of dataclasses that its statements may assign, by their names.
pub(crate) fn with_assigned(module: &Module) -> Module {
    let mut module = module.clone();
    let mut names = Names::new();
    module.functions.iter().for_each(|function| assigned_attributes(&function.body, &mut names));
    for constant in &module.constants {
        if let Some(class) = class_of(constant) {
            class.0.methods.iter().for_each(|method| assigned_attributes(&method.function.body, &mut names));
        }
    }
    for constant in &mut module.constants {
        let ExprKind::Record(record) = &mut constant.value.kind else { continue };
        if matches!(record.kind, RecordKind::DataClass { frozen: false, .. })
            && record.fields.iter().any(|field| names.contains(&field.name))
        {
            let record = Arc::make_mut(record);
            record.fields.iter_mut().for_each(|field| field.is_assigned = names.contains(&field.name));
        }
    }
    module
}

fn assigned_attributes(body: &[Stmt], names: &mut Names) {
    fn in_target(target: &Expr, names: &mut Names) {
        match &target.kind {
            ExprKind::Attribute { name, .. } => drop(names.insert(name.clone())),
            ExprKind::Tuple(all) | ExprKind::List(all) => all.iter().for_each(|target| in_target(target, names)),
            ExprKind::Starred(target) => in_target(target, names),
            _ => {}
        }
    }
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| in_target(target, names)),
            StmtKind::AugAssign { target, .. } | StmtKind::For { target, .. } => in_target(target, names),
            StmtKind::Function(function) => assigned_attributes(&function.body, names),
            _ => {}
        }
        stmt.kind.blocks().into_iter().for_each(|block| assigned_attributes(block, names));
    }
}

/// A function that takes the fields of a record.
fn as_function(record: &Record) -> Function {
    let kind = match record.kind {
        RecordKind::DataClass { named: true, .. } => ParameterKind::Named,
        _ => ParameterKind::Any,
    };
    let parameter =
        |field: &Field| Parameter { name: field.name.clone(), span: field.span, default: field.default.clone(), kind };
    Function {
        name: record.name.clone(),
        name_span: record.span,
        parameters: record.fields.iter().map(parameter).collect(),
        body: Vec::new(),
        docstring: None,
        span: record.span,
        applied: Applied::Whole,
        refused: Default::default(),
    }
}
