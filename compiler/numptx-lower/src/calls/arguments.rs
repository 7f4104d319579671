//! Arguments of calls: their values, with ints of any size where a function takes them, and what the table binds to its parameters.

use numptx_ir::DType;
use numptx_ir::functions::{Family, PyValue, Typed, lookup};
use numptx_ir::promotion::{Casting, can_cast};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind};

use crate::expressions::filling::is_list_of_run_time;
use crate::indexing::elements::array_of_flat;
use crate::lowerer::Lowerer;
use crate::random::generators::{BIT_GENERATORS, bit_generator};
use crate::values::call::Call;
use crate::values::class::Class;
use crate::values::container_types::Sort;
use crate::values::iterable::is_range;
use crate::values::random::Random;
use crate::values::value::Value;

/// Whether a callee takes seeds, which are ints of any size.
fn takes_seeds(callee: &Value) -> bool {
    let is_random = |class: &Class| Random::of(class).is_some();
    match callee {
        Value::Builtin(name) => {
            let is_bits = (0..BIT_GENERATORS.len()).any(|kind| bit_generator(kind) == *name);
            is_bits || matches!(*name, "numpy.random.default_rng" | "random_entropy" | "random_seeded")
        }
        Value::RecordClass(class) => is_random(class),
        Value::Method(owner, name) => name == "seed" && matches!(&**owner, Value::Record(class, _) if is_random(class)),
        _ => false,
    }
}

/// Whether a function of the table gives its numbers to the dtype of the others, or is asked for one.
fn takes_large_ints(name: &str) -> bool {
    // By another name of its row it refuses them.
    lookup(name).is_some_and(|row| row.lowering.takes_large_ints && row.name == name)
}

fn has_large(value: &Value) -> bool {
    match value {
        Value::LargeInt(_) => true,
        Value::List(items) => items.iter().any(has_large),
        _ => false,
    }
}

fn takes_generators(callee: &Value) -> bool {
    match callee {
        Value::Builtin(name) => !matches!(*name, "sum" | "any" | "all" | "enumerate" | "zip"),
        Value::Method(owner, _) => matches!(**owner, Value::Container(_) | Value::Str(_) | Value::Text(_)),
        _ => false,
    }
}

impl Lowerer<'_> {
    /// An argument or a member of a display, large ints included.
    fn wide_argument(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::List(items) if !items.iter().any(|e| matches!(e.kind, ExprKind::Starred(_))) => {
                Value::List(items.iter().map(|e| self.wide_argument(e)).collect())
            }
            _ => self.constant_expression(expr),
        }
    }

    /// The values of arguments, large ints included where the function may take them.
    pub fn large_arguments(&mut self, callee: &Value, arguments: &[Expr]) -> Vec<(Value, Span)> {
        let mut values = Vec::new();
        for argument in arguments {
            match &argument.kind {
                ExprKind::Starred(_) => values.extend(self.members(std::slice::from_ref(argument))),
                // Who takes a generator as an argument goes through it at once.
                ExprKind::Comprehension(all) if all.is_generator && takes_generators(callee) => {
                    let iterated = self.expression(&all.clauses[0].iterable);
                    let value = match iterated.is_poison() {
                        true => Value::Poison,
                        false => self.collected(all, iterated, Sort::List, argument.span),
                    };
                    values.push((value, argument.span));
                }
                _ => values.push((self.keyword(callee, argument), argument.span)),
            }
        }
        values
    }

    /// The value of one argument, a large int included where the function may take it.
    pub fn keyword(&mut self, callee: &Value, expr: &Expr) -> Value {
        match callee {
            Value::DType(_) | Value::UserFunction(_) | Value::Builtin("isinstance") => self.constant_expression(expr),
            Value::Closure(_) | Value::Builtin("print" | "str" | "repr" | "bool") => self.any_of(expr),
            Value::TableFunction(name) if takes_large_ints(name) => self.wide_argument(expr),
            callee if takes_seeds(callee) => self.seed_argument(expr),
            _ => self.expression(expr),
        }
    }

    /// A seed, or what another argument beside it is: ints of any size, also as members of a display.
    fn seed_argument(&mut self, expr: &Expr) -> Value {
        let is_display = |items: &[Expr]| !items.iter().any(|e| matches!(e.kind, ExprKind::Starred(_)));
        match &expr.kind {
            ExprKind::List(items) if is_display(items) => {
                Value::List(items.iter().map(|e| self.seed_argument(e)).collect())
            }
            ExprKind::Tuple(items) if is_display(items) => {
                Value::Tuple(items.iter().map(|e| self.seed_argument(e)).collect())
            }
            _ => match self.constant_expression(expr) {
                large @ Value::LargeInt(_) => large,
                value => self.settled(value, expr.span),
            },
        }
    }

    /// Makes the large ints among the arguments of a function of the table what NumPy makes of them there.
    pub fn settle_arguments(&mut self, name: &str, call: &mut Call) {
        let values = || call.positional.iter().chain(call.keywords.iter().map(|(_, value, _)| value));
        if !values().any(has_large) {
            return;
        }
        let asked = values().find_map(|v| if let Value::Str(_) = v { None } else { v.as_dtype() });
        // The shape of `np.full` says nothing of the number's dtype.
        let numbers = values().filter(|_| name != "numpy.full").filter_map(Value::typed);
        let numbers = numbers.filter(|t| t.family != Family::Python);
        let mut dtypes = numbers.map(|t| self.builder.dtype(t.value)).filter(|d| *d != DType::Bool);
        let dtype = asked.or_else(|| dtypes.next()).unwrap_or(DType::U64);
        let is_one = asked.is_some() || dtypes.all(|d| d == dtype);
        let dtype = if is_one { dtype } else { DType::I64 };
        for (value, place) in call.positional.iter_mut().zip(&call.places) {
            *value = self.settled_members(value, dtype, asked.is_some(), *place);
        }
        for (_, value, place) in &mut call.keywords {
            *value = self.settled_members(value, dtype, asked.is_some(), *place);
        }
    }

    /// `is_asked`: the dtype is what the program asks for, so that smaller ints of a display are of it, too.
    fn settled_members(&mut self, value: &Value, dtype: DType, is_asked: bool, span: Span) -> Value {
        match value {
            Value::LargeInt(n) => self.large_to(*n, dtype, span),
            Value::List(items) if has_large(value) => {
                let members = items.iter().map(|item| match self.known_int(item) {
                    Some(n) if is_asked => self.large_to(n, dtype, span),
                    Some(n) if i64::try_from(n).is_ok() => self.refuse_mixed(span),
                    _ => self.settled_members(item, dtype, is_asked, span),
                });
                Value::List(members.collect())
            }
            other => other.clone(),
        }
    }

    /// NumPy makes floats of such a list.
    fn refuse_mixed(&mut self, span: Span) -> Value {
        let message = "a list of ints of which some do not fit in 64 bits";
        self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, "say of which dtype they are: `dtype=np.uint64`")
    }

    /// A value as an argument of a function of the table; `None` if such functions do not take it. `dtype`: what is to be made of it,
    /// where that is said.
    pub fn table_value(&mut self, value: &Value, dtype: Option<Option<DType>>, span: Span) -> Option<PyValue> {
        match value {
            Value::Filled(list) => {
                let own = self.builder.dtype(list.array);
                let fits = |dtype: DType| can_cast(own, dtype, Casting::Safe) || own.is_float() && dtype.is_float();
                if dtype.is_some_and(|dtype| !dtype.is_some_and(fits)) {
                    let message = "a list of run-time length is made an array of a dtype that all its members have";
                    let help = "write the list in the call: `np.array([f(v) for v in x], dtype=np.float32)`";
                    self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
                    return Some(PyValue::None);
                }
                self.check_not_empty(list, dtype.is_some());
                Some(PyValue::Typed(Typed { value: list.array, family: Family::Array }))
            }
            Value::Iterable(_) if is_range(value) => match self.list_of_range(value, span)? {
                Value::Filled(list) => {
                    self.check_not_empty(&list, dtype.is_some());
                    Some(PyValue::Typed(Typed { value: list.array, family: Family::Array }))
                }
                list => list.to_table(),
            },
            Value::Iterable(_) => {
                let array = array_of_flat(value)?;
                self.flat_copy(array, span).to_table()
            }
            Value::Container(list) if list.sort == Sort::List => match self.array_of_list(*list, span) {
                Some(array) => array.to_table(),
                // Reported already.
                None => Some(PyValue::Typed(Typed { value: self.builder.i64(0), family: Family::Python })),
            },
            Value::Container(list) if matches!(list.sort, Sort::Tuple | Sort::Deque) => {
                let list = self.listed_now(value, span)?;
                self.table_value(&list, dtype, span)
            }
            Value::List(items) if items.iter().any(is_list_of_run_time) => {
                let items: Option<Vec<PyValue>> = items.iter().map(|v| self.table_value(v, dtype, span)).collect();
                Some(PyValue::List(items?))
            }
            Value::Tuple(items) => {
                let items: Option<Vec<PyValue>> = items.iter().map(|v| self.table_value(v, dtype, span)).collect();
                Some(PyValue::Tuple(items?))
            }
            other => other.to_table(),
        }
    }

    /// Two operands; a range or a list of run-time length beside an array or a NumPy scalar as the array that NumPy makes of it.
    pub fn lists_beside_arrays(&mut self, left: Value, right: Value, places: [Span; 2]) -> (Value, Value) {
        let is_of_numpy = |value: &Value| value.typed().is_some_and(|typed| typed.family != Family::Python);
        let is_list = |value: &Value| matches!(value, Value::Filled(_)) || is_range(value);
        match (&left, &right) {
            (list, array) if is_list(list) && is_of_numpy(array) => (self.as_operand(&left, places[0]), right),
            (array, list) if is_list(list) && is_of_numpy(array) => {
                let right = self.as_operand(&right, places[1]);
                (left, right)
            }
            _ => (left, right),
        }
    }

    fn as_operand(&mut self, list: &Value, span: Span) -> Value {
        self.table_value(list, None, span).map_or(Value::Poison, Value::from_table)
    }
}
