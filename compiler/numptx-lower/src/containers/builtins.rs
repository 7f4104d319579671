//! Builtins that make containers, or that take them: `list`, `set`, `dict`, `sorted`, `map`, `filter`, `sum`, `any`, `all`, `min`, `max`, `len`.

use numptx_ir::array::ErrorKind;
use numptx_ir::object;
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{Clause, ExprKind};

use crate::containers::text::is_constant_number;
use crate::lowerer::Lowerer;
use crate::lowerer::objects::INT;
use crate::syntax::maker::Maker;
use crate::values::call::Call;
use crate::values::container_types::{Container, Member, Sort};
use crate::values::iterable::{Gives, Iterable};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Whether a value is, or iterates over, a container or a string of run time.
    pub fn is_of_containers(&self, value: &Value) -> bool {
        match value {
            Value::Container(_) | Value::Text(_) => true,
            Value::Iterable(iterable) => iterable.has_objects(),
            _ => false,
        }
    }

    /// A call of a builtin that takes or makes a container; `None` where it does neither.
    pub fn container_builtin(&mut self, name: &str, call: &Call) -> Option<Value> {
        let span = call.span;
        let site = self.calls.site(span);
        if call.positional.contains(&Value::OtherStr) && !matches!(name, "isinstance" | "type" | "callable") {
            self.containers.want_texts();
            return Some(Value::Poison);
        }
        match (name, call.positional.as_slice()) {
            ("print", _) => Some(self.print_call(call)),
            ("str" | "repr" | "format" | "int" | "float" | "bool" | "ord" | "chr", _) => self.text_builtin(name, call),
            ("sorted", [value]) => Some(self.sorted_call(value, call)),
            ("set" | "frozenset", []) => Some(Value::Container(self.empty_container(Sort::Set, span))),
            ("set" | "frozenset", [value]) => {
                let set = self.empty_container(Sort::Set, span);
                self.fill_set(set, value, span);
                Some(Value::Container(set))
            }
            ("dict", _) => Some(self.dict_call(call)),
            ("list", []) if self.containers.is_dynamic(&site) => {
                Some(Value::Container(self.empty_container(Sort::List, span)))
            }
            ("list", [value]) if self.containers.is_dynamic(&site) || self.is_of_containers(value) => {
                Some(self.copied_list(value, span))
            }
            ("tuple", [value]) if self.is_of_containers(value) => Some(self.tuple_of(value, span)),
            ("len", [value]) if self.is_of_containers(value) => {
                let iterable = self.iterable(value)?;
                Some(Value::python(self.length(&iterable)))
            }
            ("map", [function, iterated @ ..]) if !iterated.is_empty() => {
                Some(self.mapped(function, iterated.to_vec(), span))
            }
            ("filter", [function, iterated]) => Some(self.filtered_list(function, iterated, span)),
            ("min" | "max", [value]) if self.is_of_containers(value) || !call.keywords.is_empty() => {
                self.extreme_call(name, value, call)
            }
            ("sum" | "any" | "all", [value, start @ ..]) if self.is_of_containers(value) => {
                self.folded_container(name, value, start.first(), span)
            }
            ("reversed", [Value::Container(container)]) if container.sort != Sort::Set => {
                self.reversed_members(*container, span)
            }
            ("reversed", [value]) if self.is_of_containers(value) => {
                let list = self.as_list(value, span)?;
                let copy = self.alike(list, object::LIST_COPY, vec![list.value]);
                if let Value::Container(copy) = copy {
                    self.object_effect(object::LIST_REVERSE, vec![copy.value]);
                }
                Some(copy)
            }
            _ => None,
        }
    }

    /// A call of a builtin that takes or makes a string; `None` where it does neither.
    fn text_builtin(&mut self, name: &str, call: &Call) -> Option<Value> {
        let span = call.span;
        match (name, call.positional.as_slice()) {
            ("str", []) => Some(Value::Str(String::new())),
            ("str" | "repr", [value]) => {
                if let (Value::Str(_), "str") = (value, name) {
                    return Some(value.clone());
                }
                Some(self.text_of(value, name == "repr", span).map_or(Value::Poison, Value::Text))
            }
            ("format", [value]) => {
                let value = self.as_formatted(value.clone());
                Some(self.text_of(&value, false, span).map_or(Value::Poison, Value::Text))
            }
            ("format", [value, Value::Str(how)]) => {
                Some(self.format_text(object::FORMAT, value, how, span).map_or(Value::Poison, Value::Text))
            }
            ("int" | "float" | "bool", [value, ..]) if Self::is_text(value) && !is_constant_number(name, call) => {
                Some(self.number_of_text(name, call).unwrap_or(Value::Poison))
            }
            ("format", [value, Value::Text(how)]) => {
                let text = self.format_text_by(object::FORMAT, value, *how, span);
                Some(text.map_or(Value::Poison, Value::Text))
            }
            ("ord", [value]) if Self::is_text(value) => {
                let text = self.as_text(value)?;
                Some(Value::python(self.object_value(object::STR_ORD, vec![text], crate::lowerer::objects::INT)))
            }
            ("chr", [value]) => {
                let code = self.integer(value)?;
                let ty = numptx_ir::array::Type::Object;
                Some(Value::Text(self.object_value(object::STR_CHR, vec![code], ty)))
            }
            _ => None,
        }
    }

    /// `list(value)`: a new one.
    fn copied_list(&mut self, value: &Value, span: Span) -> Value {
        match value {
            Value::Container(list) if list.sort == Sort::List => {
                let site = self.calls.site(span);
                let ty = self.containers.at(Sort::List, site);
                self.containers.same(ty, list.ty);
                self.alike(Container { ty, ..*list }, object::LIST_COPY, vec![list.value])
            }
            _ => match self.as_list(value, span) {
                Some(list) => Value::Container(list),
                None => Value::Poison,
            },
        }
    }

    fn fill_set(&mut self, set: Container, value: &Value, span: Span) {
        self.update_set(set, value, span);
    }

    fn dict_call(&mut self, call: &Call) -> Value {
        let span = call.span;
        if let [Value::Container(other)] = call.positional.as_slice()
            && other.sort.object() == Sort::Dictionary
        {
            let site = self.calls.site(span);
            let ty = self.containers.at(Sort::Dictionary, site);
            self.containers.agree(ty, other.ty);
            let plain = Container { sort: Sort::Dictionary, ty, ..*other };
            let copy = self.alike(plain, object::DICT_COPY, vec![other.value]);
            if let Value::Container(copy) = copy {
                let rest = Call { positional: Vec::new(), keywords: call.keywords.clone(), places: Vec::new(), span };
                self.update_dictionary(copy, &rest);
            }
            return copy;
        }
        match call.positional.as_slice() {
            [] => {
                let dictionary = self.empty_container(Sort::Dictionary, span);
                self.update_dictionary(dictionary, call);
                Value::Container(dictionary)
            }
            [pairs] => {
                let make = Maker { span };
                let pair = make.expr(ExprKind::Tuple(vec![make.name(".key"), make.name(".value")]));
                let all = make.dictionary_of(pair.clone(), make.clause(pair, make.name(".pairs")));
                self.collected(&all, pairs.clone(), Sort::Dictionary, span)
            }
            _ => self.refuse(code::BAD_ARGUMENT, span, "`dict` takes pairs", "write `dict(zip(keys, values))`"),
        }
    }

    /// A key of a sort or an extreme: of the keys of a dictionary, its `get` gives their values, for they are there.
    fn key_of_members(&self, key: &Value, members: &Value) -> Value {
        let iterated = match members {
            Value::Container(dictionary) => Some(*dictionary),
            Value::Iterable(iterable) => match **iterable {
                Iterable::Entries(dictionary, Gives::Keys) => Some(dictionary),
                _ => None,
            },
            _ => None,
        };
        match key {
            Value::Method(owner, name) if name == "get" && iterated.is_some_and(|d| **owner == Value::Container(d)) => {
                Value::Method(owner.clone(), "__getitem__".into())
            }
            other => other.clone(),
        }
    }

    /// `dict.fromkeys(keys, value)`
    pub fn dictionary_from_keys(&mut self, call: &Call) -> Value {
        let span = call.span;
        let (keys, value) = match (call.positional.as_slice(), call.keywords.is_empty()) {
            ([keys], true) => (keys, Value::None),
            // One value is that of all keys: a list, too, is the same one.
            ([keys, value], true) => (keys, self.contained(value, span)),
            _ => {
                let help = "write `dict.fromkeys(xs, 0)`";
                return self.refuse(code::BAD_ARGUMENT, span, "`dict.fromkeys` takes keys and a value", help);
            }
        };
        let make = Maker { span };
        let pair = make.expr(ExprKind::Tuple(vec![make.name(".key"), make.name(".value")]));
        let all = make.dictionary_of(pair, make.clause(make.name(".key"), make.name(".keys")));
        self.collected_with(&all, keys.clone(), Sort::Dictionary, &[(".value", value)], span)
    }

    fn sorted_call(&mut self, value: &Value, call: &Call) -> Value {
        let mut reverse = self.bool_id(false);
        let mut key = None;
        for (name, given, span) in &call.keywords {
            match (name.as_str(), given) {
                ("reverse", given) => reverse = self.truth(given, *span),
                ("key", Value::None) => {}
                ("key", given) => key = Some(self.key_of_members(given, value)),
                _ => {
                    let message = format!("`sorted` takes no keyword `{name}`");
                    return self.refuse(
                        code::UNKNOWN_KEYWORD,
                        *span,
                        message,
                        "write `sorted(xs, key=f, reverse=True)`",
                    );
                }
            }
        }
        let sorted = self.copied_list(value, call.span);
        if let Value::Container(list) = sorted {
            self.sort_in_place(list, key.map(|key| (key, Value::Container(list))), reverse, call.span);
        }
        sorted
    }

    fn extreme_call(&mut self, name: &str, value: &Value, call: &Call) -> Option<Value> {
        let (mut key, mut default) = (None, None);
        for (keyword, given, _) in &call.keywords {
            match (keyword.as_str(), given) {
                ("key", Value::None) => {}
                ("key", given) => key = Some(self.key_of_members(given, value)),
                ("default", value) => default = Some(value.clone()),
                _ => return None,
            }
        }
        let list = self.as_list(value, call.span)?;
        Some(self.extreme_of_list(name, list, key, default, call.span))
    }

    /// `sum`, `any` or `all` of what a container iterates over, in a loop.
    fn folded_container(&mut self, name: &str, value: &Value, start: Option<&Value>, span: Span) -> Option<Value> {
        if let Value::Container(container) = value
            && self.containers.member(container.ty) == Member::Unknown
        {
            self.containers.unknown.get_or_insert(span);
            return Some(Value::Poison);
        }
        let folded = self.folded_list(name, value, span);
        Some(match start {
            Some(start) => {
                let op = numptx_syntax::ast::BinaryOp::Add;
                self.binary(op, start.clone(), folded, span, [span, span])
            }
            None => folded,
        })
    }

    /// `filter(function, iterated)` as a list.
    fn filtered_list(&mut self, function: &Value, iterated: &Value, span: Span) -> Value {
        let make = Maker { span };
        let member = || make.name(".member");
        let test = match function {
            Value::None => member(),
            _ => make.call(make.name(".function"), vec![member()]),
        };
        let clause = Clause { conditions: vec![test], ..make.clause(member(), make.name(".all")) };
        let all = make.list_of(member(), vec![clause]);
        self.collected_with(&all, iterated.clone(), Sort::List, &[(".function", function.clone())], span)
    }

    /// `min` or `max` of a list, by what a function gives of its members where there is one.
    pub fn extreme_of_list(
        &mut self,
        name: &str,
        list: Container,
        key: Option<Value>,
        default: Option<Value>,
        span: Span,
    ) -> Value {
        let operation = if name == "min" { object::LIST_MIN } else { object::LIST_MAX };
        let member = self.containers.member(list.ty);
        if let (Member::Unknown, Some(default)) = (&member, &default) {
            // Most likely they are what the default is; this attempt is none.
            self.unknown::<()>(&member, span);
            return default.clone();
        }
        let find = |s: &mut Self| {
            let of = match key {
                Some(key) => match s.mapped(&key, vec![Value::Container(list)], span) {
                    Value::Container(keys) => keys,
                    other => return other,
                },
                None => list,
            };
            let position = s.object_value(operation, vec![of.value], INT);
            s.taken(object::LIST_GET, vec![list.value, position], (list.ty, 0), span)
        };
        let length = self.container_length(list);
        let zero = self.builder.i64(0);
        let some = self.builder.scalar(ScalarOp::Lt, &[zero, length]);
        match default {
            Some(default) => self.choose(some, find, |_| default, span),
            None => {
                self.check(some, ErrorKind::Value, &format!("{name}() iterable argument is empty"), &[]);
                find(self)
            }
        }
    }
}
