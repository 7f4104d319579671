//! What `itertools` makes of several members: products, combinations, permutations, chains and slices, each as a list in the order of the iterator.
//!
//! How many members a tuple has is known when compiling, so that these are comprehensions over positions, or over what is iterated.

use numptx_ir::array::ValueId;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, Clause, CompareOp, Expr, ExprKind, Index};

use crate::lowerer::Lowerer;
use crate::syntax::maker::Maker;
use crate::values::call::Call;
use crate::values::container_types::Sort;
use crate::values::iterable::Iterable;
use crate::values::value::Value;
/// Tuples have no more members.
const MAX_MEMBERS: i64 = 8;
/// The list of which members are taken.
const POOL: &str = ".pool";

impl Maker {
    fn position(self, n: usize) -> Expr {
        self.name(&format!(".position{n}"))
    }
}

impl Lowerer<'_> {
    /// A call of one of these functions.
    pub fn combined(&mut self, name: &str, call: &Call) -> Value {
        let known = |s: &Self, v: &Value| s.int_of(v).filter(|n| (0..=MAX_MEMBERS).contains(n)).map(|n| n as usize);
        match (name, call.positional.as_slice(), call.keywords.as_slice()) {
            ("itertools.chain", parts, []) => self.chained(parts, call),
            ("itertools.chain.from_iterable", [parts], []) => self.chained_members(parts, call.span),
            ("itertools.product", parts, []) => self.product_of(parts, call.span),
            ("itertools.product", parts, [(keyword, times, _)]) if keyword == "repeat" => match known(self, times) {
                Some(times) => self.product_of(&vec![parts; times].concat(), call.span),
                None => self.refuse_combined(name, call),
            },
            ("itertools.combinations" | "itertools.combinations_with_replacement", [members, size], []) => {
                match known(self, size) {
                    Some(size) => {
                        let next = i64::from(name == "itertools.combinations");
                        self.chosen_members(members, size, Some(next), call.span)
                    }
                    None => self.refuse_combined(name, call),
                }
            }
            ("itertools.permutations", [members, rest @ ..], []) if rest.len() <= 1 => {
                let size = match rest.first() {
                    Some(Value::None) | None => match members {
                        Value::Tuple(items) | Value::List(items) => {
                            Some(items.len()).filter(|n| *n as i64 <= MAX_MEMBERS)
                        }
                        _ => None,
                    },
                    Some(size) => known(self, size),
                };
                match size {
                    Some(size) => self.chosen_members(members, size, None, call.span),
                    None => self.refuse_combined(name, call),
                }
            }
            ("itertools.islice", [members, bounds @ ..], []) if (1..=3).contains(&bounds.len()) => {
                self.slice_of_members(members, bounds, call)
            }
            ("itertools.count", bounds, named) if bounds.len() + named.len() <= 2 => {
                let by_name = |wanted: &str| named.iter().find(|(name, ..)| name == wanted).map(|(_, value, _)| value);
                let is_known = |name: &str| name == "step" || name == "start" && bounds.is_empty();
                if !named.iter().all(|(name, ..)| is_known(name)) {
                    return self.refuse_combined(name, call);
                }
                let start = bounds.first().or(by_name("start")).cloned().unwrap_or_else(|| self.int(0));
                let step = bounds.get(1).or(by_name("step")).cloned();
                let bounds: Vec<Value> = std::iter::once(start).chain(step).collect();
                self.count_from(&bounds, call)
            }
            _ => self.refuse_combined(name, call),
        }
    }

    fn refuse_combined(&mut self, name: &str, call: &Call) -> Value {
        let message = format!("`{name}` is not called so here: how many members it takes is known when compiling");
        let help = "write `combinations(xs, 2)`, `permutations(xs, 3)`, `product(xs, ys)`, `product(xs, repeat=2)`";
        self.refuse(code::BAD_ARGUMENT, call.span, message, help)
    }

    /// `chain(a, b)`
    fn chained(&mut self, parts: &[Value], call: &Call) -> Value {
        let list = self.empty_container(Sort::List, call.span);
        for (n, part) in parts.iter().enumerate() {
            // Each part may be a list of its own type at one place.
            let place = call.places.get(n).copied().unwrap_or(call.span);
            self.extend_list(list, part, place);
        }
        Value::Container(list)
    }

    /// `chain.from_iterable(parts)`
    fn chained_members(&mut self, parts: &Value, span: Span) -> Value {
        let make = Maker { span };
        let clauses = vec![
            make.clause(make.name(".part"), make.name(".parts")),
            make.clause(make.name(".member"), make.name(".part")),
        ];
        self.collected_members(make.name(".member"), clauses, parts.clone(), &[], span)
    }

    /// `product(a, b)`
    fn product_of(&mut self, parts: &[Value], span: Span) -> Value {
        let make = Maker { span };
        let Some(first) = parts.first() else {
            let only = Value::Tuple(Vec::new());
            let list = self.empty_container(Sort::List, span);
            self.extend_list(list, &Value::List(vec![only]), span);
            return Value::Container(list);
        };
        if parts.len() as i64 > MAX_MEMBERS {
            let help = "loop over them inside one another";
            return self.refuse(code::BAD_ARGUMENT, span, "a product of so many", help);
        }
        let names: Vec<String> = (0..parts.len()).map(|n| format!(".part{n}")).collect();
        let member = |n: usize| make.position(n);
        let clauses = (0..parts.len()).map(|n| make.clause(member(n), make.name(&names[n]))).collect();
        let element = make.expr(ExprKind::Tuple((0..parts.len()).map(member).collect()));
        let given: Vec<(&str, Value)> = names.iter().map(String::as_str).zip(parts.iter().cloned()).collect();
        self.collected_members(element, clauses, first.clone(), &given, span)
    }

    /// Tuples of so many members of a list. `next`: positions ascend, and each is so much more than the one before at least; else they differ.
    fn chosen_members(&mut self, members: &Value, size: usize, next: Option<i64>, span: Span) -> Value {
        let make = Maker { span };
        // The list of the tuples is made at the same place.
        self.calls.path.push(Span::new(0, u32::MAX));
        let pool = self.as_list(members, span);
        self.calls.path.pop();
        let Some(pool) = pool else { return Value::Poison };
        if size == 0 {
            return self.product_of(&[], span);
        }
        let length = self.container_length(pool);
        let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
        let all = |lower: ValueId| Value::Iterable(Box::new(Iterable::Range { lower, upper: length, step: one }));
        let mut clauses = Vec::new();
        for n in 0..size {
            let (position, before) = (make.position(n), n.checked_sub(1).map(|n| make.position(n)));
            let iterable = match (before, next) {
                (Some(before), Some(next)) => {
                    let (left, right) = (Box::new(before), Box::new(make.expr(ExprKind::Int(next.into()))));
                    let first = make.expr(ExprKind::Binary { op: BinaryOp::Add, left, right });
                    make.call(make.name("range"), vec![first, make.call(make.name("len"), vec![make.name(POOL)])])
                }
                _ => make.name(".all"),
            };
            let mut clause = make.clause(position.clone(), iterable);
            if next.is_none() {
                let differs = |other: usize| {
                    let operands = vec![position.clone(), make.position(other)];
                    make.expr(ExprKind::Compare { operands, ops: vec![CompareOp::NotEqual] })
                };
                clause.conditions = (0..n).map(differs).collect();
            }
            clauses.push(clause);
        }
        let member = |n: usize| {
            let (value, indices) = (Box::new(make.name(POOL)), vec![Index::Expr(make.position(n))]);
            make.expr(ExprKind::Subscript { value, indices })
        };
        let element = make.expr(ExprKind::Tuple((0..size).map(member).collect()));
        let names = [(POOL, Value::Container(pool)), (".all", all(zero))];
        self.collected_members(element, clauses, all(zero), &names, span)
    }

    fn collected_members(
        &mut self,
        element: Expr,
        clauses: Vec<Clause>,
        iterated: Value,
        names: &[(&str, Value)],
        span: Span,
    ) -> Value {
        let all = Maker { span }.list_of(element, clauses);
        self.collected_with(&all, iterated, Sort::List, names, span)
    }

    /// `islice(members, start, stop, step)`
    fn slice_of_members(&mut self, members: &Value, bounds: &[Value], call: &Call) -> Value {
        let Some(list) = self.as_list(members, call.span) else { return Value::Poison };
        let (zero, one) = (self.int(0), self.int(1));
        let [start, stop, step] = match bounds {
            [stop] => [&zero, stop, &one],
            [start, stop] => [start, stop, &one],
            [start, stop, step] => [start, stop, step],
            _ => return self.refuse_combined("itertools.islice", call),
        };
        let or = |value: &Value, default: &Value| if *value == Value::None { default.clone() } else { value.clone() };
        let length = Value::python(self.container_length(list));
        let arguments = vec![Value::Container(list), or(start, &zero), or(stop, &length), or(step, &one)];
        self.call_own("islice_of", "itertools.islice", arguments, call.span)
    }

    /// `count(start, step)`, which ends where ints do.
    fn count_from(&mut self, bounds: &[Value], call: &Call) -> Value {
        let lower = match bounds.first() {
            Some(start) => self.integer(start),
            None => Some(self.builder.i64(0)),
        };
        let step = bounds.get(1).map_or(Some(1), |step| self.int_of(step).filter(|step| *step != 0));
        let (Some(lower), Some(step)) = (lower, step) else {
            let help = "write `count(1)`, or `count(0, 2)` with a step that is known when compiling";
            return self.refuse(code::BAD_ARGUMENT, call.span, "`itertools.count` counts ints", help);
        };
        let upper = self.builder.i64(if step > 0 { i64::MAX } else { i64::MIN });
        let step = self.builder.i64(step);
        Value::Iterable(Box::new(Iterable::Range { lower, upper, step }))
    }
}
