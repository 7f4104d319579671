//! Comprehensions: where the members are few and known, a list of them; otherwise an array that a loop fills, or a loop that folds them.

use numptx_source::{Severity, Span, code};
use numptx_syntax::ast::{Clause, Collects, Comprehension, Expr};

use crate::expressions::filling::Made;
use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::container_types::Sort;
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
}
