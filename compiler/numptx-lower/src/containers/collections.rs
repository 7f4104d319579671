//! `collections`: deques, counters, and dictionaries that make what is missing.
//!
//! A deque is a list that may have a limit; a counter and a `defaultdict` are dictionaries. What they do otherwise is here; what takes longer is
//! written in Python (`library/modules/collections.py`).

use numptx_ir::array::{ErrorKind, Type};
use numptx_ir::functions::Family;
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, object};
use numptx_source::code;

use crate::library::function_at;
use crate::lowerer::Lowerer;
use crate::names::standard_modules::class_named;
use crate::syntax::liveness::names_of;
use crate::values::call::Call;
use crate::values::closure::Enclosing;
use crate::values::container_types::{Container, Factory, Member, Sort};
use crate::values::scope::Binding;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// A call of a class of `collections`; `None` of other builtins.
    pub fn collection(&mut self, name: &str, call: &Call) -> Option<Value> {
        match name {
            "deque" => Some(self.deque_call(call)),
            "Counter" => Some(self.counter_call(call)),
            "defaultdict" => Some(self.default_call(call)),
            _ => None,
        }
    }

    /// `deque(members, maxlen)`
    fn deque_call(&mut self, call: &Call) -> Value {
        let span = call.span;
        let limit = match (call.positional.as_slice(), call.keywords.as_slice()) {
            ([] | [_], []) => None,
            ([_, limit], []) => Some((limit, span)),
            ([] | [_], [(keyword, limit, place)]) if keyword == "maxlen" => Some((limit, *place)),
            _ => {
                let help = "write `deque(xs, maxlen=10)`";
                return self.refuse(code::BAD_ARGUMENT, span, "`deque` takes members and `maxlen`", help);
            }
        };
        let limit = match limit {
            None | Some((Value::None, _)) => self.builder.i64(-1),
            Some((limit, place)) => {
                let Some(limit) = self.integer(limit) else {
                    let message = format!("`maxlen` is {}", limit.describe(&self.builder));
                    return self.refuse(code::BAD_ARGUMENT, place, message, "pass an int: `deque(maxlen=10)`");
                };
                let zero = self.builder.i64(0);
                let is_size = self.builder.scalar(ScalarOp::Le, &[zero, limit]);
                self.check(is_size, ErrorKind::Value, "maxlen must be non-negative", &[]);
                limit
            }
        };
        let site = self.calls.site(span);
        let ty = self.containers.at(Sort::Deque, site);
        let members = match call.positional.first() {
            None => {
                let layout = self.container_layout(ty);
                self.object(object::LIST_NEW, layout, Vec::new(), vec![Type::Object])[0]
            }
            Some(value) => {
                let Some(list) = self.as_list(value, span) else { return Value::Poison };
                self.containers.agree(ty, list.ty);
                list.value
            }
        };
        let value = self.object_value(object::DEQUE_NEW, vec![members, limit], Type::Object);
        Value::Container(Container { value, sort: Sort::Deque, ty })
    }

    /// `Counter(members)`, of a dictionary with its values.
    fn counter_call(&mut self, call: &Call) -> Value {
        let counter = self.empty_container(Sort::Counter, call.span);
        let member = Member::Scalar { family: Family::Python, dtype: DType::I64, is_constant: false };
        self.containers.demand(counter.ty, 1, member);
        self.count_members(counter, "update", call);
        Value::Container(counter)
    }

    /// `counter.update(members)`, `counter.subtract(members)`
    pub fn count_members(&mut self, counter: Container, name: &str, call: &Call) -> Value {
        let own = Value::Container(counter);
        let with_own = |values: &[Value]| [std::slice::from_ref(&own), values].concat();
        let values @ ([] | [_]) = call.positional.as_slice() else { return self.refuse_method(counter, name, call) };
        if let [values] = values {
            let is_mapping = matches!(values, Value::Container(c) if c.sort.object() == Sort::Dictionary);
            let function = match (name, is_mapping) {
                ("update", true) => "counts_added",
                ("update", false) => "members_counted",
                (_, true) => "counts_taken",
                (_, false) => "members_taken",
            };
            self.call_own(function, "Counter", with_own(std::slice::from_ref(values)), call.span);
        }
        for (key, count, span) in &call.keywords {
            let function = if name == "update" { "count_added" } else { "count_taken" };
            let arguments = with_own(&[Value::Str(key.clone()), count.clone()]);
            self.call_own(function, "Counter", arguments, *span);
        }
        Value::None
    }

    /// `defaultdict(function, pairs)`
    fn default_call(&mut self, call: &Call) -> Value {
        let span = call.span;
        let function = call.positional.first().cloned().unwrap_or(Value::None);
        let Some(text) = self.factory_text(&function) else {
            let message = format!("a `defaultdict` with {}", function.describe(&self.builder));
            let help = "pass `int`, `float`, `list`, `set`, `dict`, a function of the module, or a `lambda` that reads no names of the function around it";
            return self.refuse(code::BAD_ARGUMENT, span, message, help);
        };
        let function = match function {
            // It reads nothing of the call that it stands in.
            Value::Closure(mut closure) => {
                closure.enclosing = Enclosing::Kept(Default::default());
                Value::Closure(closure)
            }
            other => other,
        };
        let site = self.calls.site(span);
        let ty = self.containers.at(Sort::Default, site);
        self.containers.set_factory(ty, Factory { function, text });
        let dictionary = self.empty_container(Sort::Default, span);
        let rest = Call {
            positional: call.positional.iter().skip(1).cloned().collect(),
            keywords: call.keywords.clone(),
            places: call.places.iter().skip(1).copied().collect(),
            span,
        };
        self.update_dictionary(dictionary, &rest);
        Value::Container(dictionary)
    }

    /// What makes missing values, as it is written; `None` where that cannot be called elsewhere.
    fn factory_text(&self, function: &Value) -> Option<String> {
        match function {
            Value::None => Some("None".into()),
            Value::Builtin(name) => {
                let makes = ["int", "float", "bool", "str", "list", "dict", "set", "tuple"];
                (makes.contains(name) || class_named(name).is_some()).then(|| (*name).to_string())
            }
            Value::UserFunction(position) => Some(function_at(self.module, *position).name.clone()),
            Value::Closure(closure) => {
                let is_known = |value: &Value| {
                    matches!(value, Value::Builtin(_) | Value::Module(_) | Value::TableFunction(_) | Value::DType(_))
                };
                let is_free = |name: &String| match self.calls.find(name) {
                    None | Some(None) => true,
                    Some(Some(Binding::Bound(value, _))) => is_known(&value),
                    Some(Some(_)) => false,
                };
                let has_none = closure.defaults.is_empty() && names_of(&closure.function).iter().all(is_free);
                has_none.then(|| numptx_syntax::print_function(&closure.function))
            }
            _ => None,
        }
    }
}
