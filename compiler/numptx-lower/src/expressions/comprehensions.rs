//! Comprehensions: where the members are few and known, a list of them; otherwise an array that a loop fills, or a loop that folds them.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::DType;
use numptx_ir::array::{Layout, Type, ValueId};
use numptx_ir::functions::Family;
use numptx_source::{Severity, Span, code};
use numptx_syntax::ast::{Clause, Collects, Comprehension, Expr};

use crate::expressions::filling::Made;
use crate::lowerer::{Lowerer, Point};
use crate::syntax::flow::target_names;
use crate::syntax::liveness::Liveness;
use crate::values::call::Call;
use crate::values::container_types::Sort;
use crate::values::members::{Extent, Member};
use crate::values::scope::Callee;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// A comprehension where its value may be bound to a name.
    pub fn comprehension(&mut self, comprehension: &Comprehension, span: Span) -> Value {
        let iterated = self.iterated_value(&comprehension.clauses[0].iterable);
        if iterated.is_poison() {
            return Value::Poison;
        }
        let sort = match comprehension.collects {
            Collects::List => Sort::List,
            Collects::Set => Sort::Set,
            Collects::Dictionary => Sort::Dictionary,
        };
        let site = self.calls.site(span);
        if sort != Sort::List || self.containers.is_dynamic(&site) || self.is_of_containers(&iterated) {
            return self.collected(comprehension, iterated, sort, span);
        }
        if comprehension.is_generator {
            let message = "a generator expression is compiled where a function takes it at once";
            let help = "write `sum(f(v) for v in x)`, or a list: `[f(v) for v in x]`";
            return self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
        }
        let (n_reports, point) = (self.reports.len(), self.point());
        let value = match self.few_members(&iterated) {
            Some(items) => Value::List(self.listed(comprehension, &items, span)),
            None => self.filled(comprehension, &iterated, Made::List, span),
        };
        // What has no static form is a list of run time.
        if self.reports.len() > n_reports && self.reports[n_reports..].iter().any(|r| r.severity == Severity::Error) {
            self.reports.truncate(n_reports);
            self.rollback(point);
            self.containers.want(site);
            return Value::Poison;
        }
        value
    }

    /// `sum`, `min`, `max`, `any`, `all`, `tuple` and `list` of a comprehension; `None` for other functions, and where a list will do.
    pub fn folded_comprehension(&mut self, name: &str, comprehension: &Comprehension, span: Span) -> Option<Value> {
        if !matches!(name, "sum" | "min" | "max" | "any" | "all" | "tuple" | "list")
            || matches!(name, "any" | "all") && !comprehension.is_generator
        {
            return None;
        }
        let iterated = self.iterated_value(&comprehension.clauses[0].iterable);
        if iterated.is_poison() {
            return Some(Value::Poison);
        }
        if name == "list" && (self.is_of_containers(&iterated) || self.containers.is_dynamic(&self.calls.site(span))) {
            return Some(self.collected(comprehension, iterated, Sort::List, span));
        }
        let items = match (&iterated, name) {
            (_, "any" | "all") => None,
            (Value::Tuple(items) | Value::List(items), _) => Some(items.clone()),
            (_, "tuple" | "list") => self.few_members(&iterated),
            _ => None,
        };
        Some(match (name, items) {
            (_, Some(items)) => {
                let listed = Value::Tuple(self.listed(comprehension, &items, span));
                if listed.is_poison() {
                    return Some(Value::Poison);
                }
                let call = Call { positional: vec![listed], keywords: Vec::new(), places: vec![span], span };
                self.builtin(name, call)
            }
            ("list", None) => self.filled(comprehension, &iterated, Made::List, span),
            ("tuple", None) => {
                let list = self.collected(comprehension, iterated, Sort::List, span);
                if list.is_poison() { list } else { self.tuple_of(&list, span) }
            }
            _ => self.folded(name, comprehension, &iterated, span),
        })
    }

    /// The members of a comprehension over these.
    fn listed(&mut self, comprehension: &Comprehension, items: &[Value], span: Span) -> Vec<Value> {
        let mut members = Vec::new();
        if self.enter(span) {
            self.open_scope(&comprehension.clauses);
            self.collect(&comprehension.clauses, items, &comprehension.element, &mut members);
            members = members.into_iter().map(|v| self.kept(v)).collect();
            self.calls.frames.pop();
        }
        self.budget.leave();
        members
    }

    fn collect(&mut self, clauses: &[Clause], items: &[Value], element: &Expr, members: &mut Vec<Value>) {
        let Some((clause, inner)) = clauses.split_first() else { return };
        'items: for item in items {
            if !self.spend(clause.target.span) {
                return members.push(Value::Poison);
            }
            self.assign_target(&clause.target, item.clone());
            for condition in &clause.conditions {
                let holds = self.condition(condition);
                match self.known_bool(holds) {
                    Some(true) => {}
                    Some(false) => continue 'items,
                    None => {
                        let message = "whether a member of this list is left out is known at run time only";
                        let help = "give every member a value: `[x if x > 0 else 0.0 for x in (a, b)]`";
                        let refused = self.refuse(code::UNSUPPORTED_EXPRESSION, condition.span, message, help);
                        return members.push(refused);
                    }
                }
            }
            let Some(next) = inner.first() else {
                let member = self.expression(element);
                members.push(member);
                continue;
            };
            let iterated = self.expression(&next.iterable);
            match self.few_members(&iterated) {
                Some(items) => self.collect(inner, &items, element, members),
                None => {
                    if !iterated.is_poison() {
                        self.refuse_length(next.iterable.span);
                    }
                    return members.push(Value::Poison);
                }
            }
        }
    }

    /// Reports a list inside a list whose length is not known when compiling.
    pub fn refuse_length(&mut self, span: Span) {
        let message = "this length is not known when compiling, and a list of several such loops has no known length";
        let help = "fill an array in loops: `y = np.empty((n, m))` and `y[i, j] = f(i, j)`; or `np.array([[f(i, j) for j in range(m)] for i in range(n)])`";
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
    }

    /// Opens a scope for the targets of a comprehension.
    fn open_scope(&mut self, clauses: &[Clause]) {
        let mut locals = BTreeSet::new();
        clauses.iter().for_each(|c| target_names(&c.target, &mut locals));
        let enclosing = self.calls.here();
        self.calls.begin(Callee::Comprehension, enclosing, BTreeMap::new(), locals, Liveness::default());
    }

    /// What a member looks like, found by lowering one and dropping it. `None` after a report.
    pub fn member_of(&mut self, clauses: &[Clause], iterated: &[Value], element: &Expr) -> Option<Member> {
        let (point, n_writes) = (self.point(), self.loops.n_element_writes);
        let positions = self.builder.open_region(&vec![Type::Scalar(DType::I64); clauses.len()]);
        self.open_scope(clauses);
        for (n, clause) in clauses.iter().enumerate() {
            let iterated = match iterated.get(n) {
                Some(value) => value.clone(),
                None => self.iterated_value(&clause.iterable),
            };
            let item = match (&iterated, self.iterable(&iterated)) {
                (Value::Tuple(items) | Value::List(items), _) => items.first().cloned().unwrap_or(Value::Poison),
                (_, Some(iterable)) => {
                    let iterable = self.settled_iterable(iterable, clause.iterable.span);
                    self.element(&iterable, positions[n])
                }
                _ => {
                    self.refuse_iteration(&iterated, clause.iterable.span);
                    Value::Poison
                }
            };
            self.assign_target(&clause.target, item);
        }
        let value = self.expression(element);
        let member = self.looks_like(&value, &point, element.span);
        self.calls.frames.pop();
        self.rollback(point);
        self.loops.n_element_writes = n_writes;
        if value.is_poison() {
            self.containers.unknown.get_or_insert(element.span);
        }
        member
    }

    /// What a member looks like; `point`: before the loop. `None` after a report.
    pub fn looks_like(&mut self, value: &Value, point: &Point, span: Span) -> Option<Member> {
        let made = match value {
            Value::Tuple(_) | Value::List(_) => self.call_on("numpy.array", std::slice::from_ref(value), span, &[span]),
            other => other.clone(),
        };
        let (array, family, depth) = match &made {
            Value::Typed(typed) if self.builder.rank(typed.value) == 0 && typed.family != Family::Array => {
                (typed.value, typed.family, 0)
            }
            Value::Typed(typed) => (typed.value, Family::Array, 0),
            Value::Filled(list) => (list.array, list.family, list.depth),
            Value::Container(list) if matches!(list.sort, Sort::List | Sort::Tuple) => {
                // How long it is, and what it holds, the list of all of them tells.
                let (dtype, family) = (DType::F64, Family::Python);
                return Some(Member { dtype, family, depth: 1, extents: None, is_in_c_order: true });
            }
            Value::Poison => return None,
            other => {
                let message =
                    format!("a member of a list of run-time length cannot be {}", other.describe(&self.builder));
                self.refuse(
                    code::UNSUPPORTED_EXPRESSION,
                    span,
                    message,
                    "make numbers or arrays: `[2.0 * v for v in x]`",
                );
                return None;
            }
        };
        let extent = |s: &Self, e: ValueId| match s.builder.as_i64(e) {
            Some(n) => Some(Extent::Constant(n)),
            None => s.was_before(e, point).then_some(Extent::Value(e)),
        };
        let extents = self.extents(array).into_iter().map(|e| extent(self, e)).collect();
        let is_in_c_order = match self.builder.ty(array) {
            Type::Array(ty) => ty.rank < 2 || ty.layout == Layout::C,
            _ => true,
        };
        Some(Member { dtype: self.builder.dtype(array), family, depth, extents, is_in_c_order })
    }
}
