//! Comprehensions of run-time length as loops: one that fills an array, or one that folds the members into one value.
//!
//! The loop is a function of its own, made of the comprehension's own expressions and lowered like any other, so that what is done for
//! loops is done for comprehensions. Names that Python cannot write hold what the loop itself needs. What a member looks like is found by
//! lowering one and dropping it.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Layout, Order, Type, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::Family;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Clause, CompareOp, Comprehension, Expr, ExprKind, LogicalOp, Stmt, StmtKind};

use crate::expressions::collecting::{MEMBER, OUT, at, over};
use crate::lowerer::Lowerer;
use crate::lowerer::Point;
use crate::syntax::flow::target_names;
use crate::syntax::liveness::Liveness;
use crate::syntax::liveness::{Names, read};
use crate::syntax::maker::Maker;
use crate::values::container_types::{Container, Member as MemberType, Sort};
use crate::values::iterable::is_range;
use crate::values::iterable::{Filled, Iterable};
use crate::values::members::{Extent, Member};
use crate::values::scope::{Binding, Callee};
use crate::values::value::Value;

const COUNT: &str = ".count";
const TOTAL: &str = ".total";
const FIRST: &str = ".first";

fn position(level: usize) -> String {
    format!(".position{level}")
}

/// What is to be made of a comprehension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Made {
    /// A list.
    List,
    /// An array: of a dtype, or of that of its members.
    Array(Option<DType>),
    /// What functions that join arrays take: an array, or a list of run time where its members may have different lengths.
    Joined,
}

impl Made {
    fn dtype(self) -> Option<DType> {
        if let Made::Array(dtype) = self { dtype } else { None }
    }
}

impl Lowerer<'_> {
    /// A comprehension as what is wanted of it. What is a list has members that are scalars, or lists of them.
    pub fn filled(&mut self, comprehension: &Comprehension, iterated: &Value, wanted: Made, span: Span) -> Value {
        if self.iterable(iterated).is_none() && !matches!(iterated, Value::Tuple(_) | Value::List(_)) {
            self.refuse_iteration(iterated, comprehension.clauses[0].iterable.span);
            return Value::Poison;
        }
        if let Some(second) = comprehension.clauses.get(1) {
            if wanted == Made::List {
                self.refuse_length(second.iterable.span);
                return Value::Poison;
            }
            return self.collected_as(wanted, comprehension, iterated, span);
        }
        let (clauses, over, element) = self.levels(comprehension, iterated);
        let Some(member) = self.member_of(&clauses, &over, element) else { return Value::Poison };
        // What joins arrays follows their order in memory.
        let extents = member.extents.clone().filter(|_| wanted != Made::Joined || member.is_in_c_order);
        let Some(extents) = extents else {
            if wanted != Made::List {
                return self.collected_as(wanted, comprehension, iterated, span);
            }
            let message = "members of this list may have different lengths";
            let help = "take members of one length: `np.array([x[i] for i in range(n)])` where `x` is an array";
            return self.refuse(code::UNSUPPORTED_EXPRESSION, element.span, message, help);
        };
        if wanted == Made::List && (member.family == Family::Array || member.depth == 0 && !extents.is_empty()) {
            let message = "a list of arrays has no length that is known when compiling";
            let help = "make one array of them at once: `np.array([2.0 * row for row in x])`";
            return self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
        }
        let (point, n_changed) = (self.point(), self.loops.n_changed_objects);
        let (n_reports, n_element_writes) = (self.reports.len(), self.loops.n_element_writes);
        let list = self.fill_array((&clauses, &over, element), (&member, &extents), wanted.dtype(), span);
        let may_change = over.iter().any(|value| self.iterable(value).is_some_and(|iterable| iterable.may_change()));
        if may_change && self.loops.n_changed_objects > n_changed {
            // How many members there are is known after the loop alone.
            self.rollback(point);
            self.reports.truncate(n_reports);
            self.loops.n_element_writes = n_element_writes;
            return self.collected_as(wanted, comprehension, iterated, span);
        }
        match (list, wanted) {
            (Some(list), Made::Array(_) | Made::Joined) => {
                self.check_not_empty(&list, wanted.dtype().is_some());
                let whole = Value::array(list.array);
                let filtered = !comprehension.clauses[0].conditions.is_empty();
                if filtered { self.call_on("numpy.copy", &[whole], span, &[span]) } else { whole }
            }
            (Some(list), Made::List) => Value::Filled(list),
            (None, _) => Value::Poison,
        }
    }

    /// The same by a list of run time: of members whose lengths, or whose number, the loop alone tells.
    fn collected_as(&mut self, wanted: Made, comprehension: &Comprehension, iterated: &Value, span: Span) -> Value {
        let list = self.collected(comprehension, iterated.clone(), Sort::List, span);
        let (Value::Container(members), Made::Array(dtype)) = (&list, wanted) else { return list };
        match dtype {
            Some(dtype) => self.array_of_list_as(*members, dtype, span),
            None => self.array_of_list(*members, span).unwrap_or(Value::Poison),
        }
    }

    /// The array of a dtype that NumPy makes of a list of run time. Python's numbers are converted one by one, arrays as a whole.
    pub fn array_of_list_as(&mut self, list: Container, dtype: DType, span: Span) -> Value {
        let member = self.containers.member(list.ty);
        if matches!(member, MemberType::Scalar { .. }) {
            return self.array_of_members(&Value::Container(list), dtype, span);
        }
        if !matches!(member, MemberType::Array { .. } | MemberType::Unknown) && dtype.is_integer() {
            let message = format!("an array of `{dtype}` of a list whose members are {}", member.describe());
            let help = "make the array first, and convert it: `np.array(rows).astype(np.int32)`";
            return self.refuse(code::BAD_ARGUMENT, span, message, help);
        }
        let Some(whole) = self.array_of_list(list, span) else { return Value::Poison };
        self.call_on("ndarray.astype", &[whole, Value::DType(dtype)], span, &[span, span])
    }

    /// The comprehension's loop and those of comprehensions that are its members, as long as what they run over does not depend on
    /// the loops around them: their clauses, what each runs over, and the innermost element.
    fn levels<'c>(
        &mut self,
        comprehension: &'c Comprehension,
        iterated: &Value,
    ) -> (Vec<Clause>, Vec<Value>, &'c Expr) {
        let (mut clauses, mut values) = (comprehension.clauses.clone(), vec![iterated.clone()]);
        let mut element = &comprehension.element;
        let mut targets = BTreeSet::new();
        while let ExprKind::Comprehension(inner) = &element.kind {
            clauses.iter().for_each(|c| target_names(&c.target, &mut targets));
            let is_plain = !inner.is_generator && inner.clauses.len() == 1;
            let filtered = clauses.iter().chain(&inner.clauses).any(|c| !c.conditions.is_empty());
            let mut names = Names::new();
            read(&inner.clauses[0].iterable, &mut names);
            if !is_plain || filtered || !names.is_disjoint(&targets) {
                break;
            }
            let Some(value) = self.pure_iterable(&inner.clauses[0].iterable) else { break };
            clauses.push(inner.clauses[0].clone());
            values.push(value);
            element = &inner.element;
        }
        (clauses, values, element)
    }

    /// What an expression iterates over, evaluated here if that cannot raise.
    fn pure_iterable(&mut self, iterable: &Expr) -> Option<Value> {
        let point = self.point();
        self.builder.open_region(&[]);
        let value = self.expression(iterable);
        let region = self.builder.close_region();
        if self.iterable(&value).is_none() || !region.ops.iter().all(|op| op.kind.is_pure_scalar_or_view()) {
            self.rollback(point);
            return None;
        }
        self.builder.splice(region);
        Some(value)
    }

    /// Makes and fills the array.
    fn fill_array(
        &mut self,
        (clauses, iterated, element): (&[Clause], &[Value], &Expr),
        (member, extents): (&Member, &[Extent]),
        dtype: Option<DType>,
        span: Span,
    ) -> Option<Filled> {
        let make = Maker { span };
        let mut arguments = BTreeMap::new();
        let mut bind = |name: String, value: Value| drop(arguments.insert(name, Binding::Bound(value, span)));
        let filtered = !clauses[0].conditions.is_empty();
        let zero = self.builder.i64(0);
        let mut lengths = Vec::new();
        for (level, value) in iterated.iter().enumerate() {
            let iterable = self.iterable(value)?;
            lengths.push(self.length(&iterable));
            let counted = if filtered { iterable } else { Iterable::Enumerate(Box::new(iterable), zero) };
            bind(over(level), Value::Iterable(Box::new(counted)));
        }
        for extent in extents {
            lengths.push(match extent {
                Extent::Constant(n) => self.builder.i64(*n),
                Extent::Value(value) => *value,
            });
        }
        let out = self.builder.alloc(dtype.unwrap_or(member.dtype), &lengths, Order::C);
        bind(OUT.into(), Value::array(out));
        bind(COUNT.into(), Value::python(zero));
        let body = if filtered {
            let store = make.assign(at(make, vec![make.name(COUNT)]), element.clone());
            let body = vec![store, make.add(COUNT, make.expr(ExprKind::Int(1)))];
            vec![make.nest(clauses, body), make.give(make.name(COUNT))]
        } else {
            let positions = (0..clauses.len()).map(|n| make.name(&position(n))).collect();
            let mut body = vec![make.assign(at(make, positions), element.clone())];
            for (level, clause) in clauses.iter().enumerate().rev() {
                let target = ExprKind::Tuple(vec![make.name(&position(level)), clause.target.clone()]);
                body = vec![make.loop_over(make.expr(target), make.name(&over(level)), body)];
            }
            body
        };
        let count = self.run(body, arguments, span);
        let array = if filtered {
            let count = count.typed()?.value;
            let one = self.builder.i64(1);
            self.builder.slice(out, 0, zero, count, one)
        } else {
            out
        };
        let family = if member.family == Family::Array { Family::Numpy } else { member.family };
        Some(Filled { array, family, depth: clauses.len() + member.depth })
    }

    /// The members of something as an array of a dtype, each converted as it is stored.
    pub fn array_of_members(&mut self, value: &Value, dtype: DType, span: Span) -> Value {
        self.filled(&each_member(span), value, Made::Array(Some(dtype)), span)
    }

    /// `sum`, `min`, `max`, `any` or `all` of the members of a comprehension, in a loop.
    pub fn folded(&mut self, name: &str, comprehension: &Comprehension, iterated: &Value, span: Span) -> Value {
        let make = Maker { span };
        let (clauses, element) = (&comprehension.clauses, &comprehension.element);
        let mut arguments = BTreeMap::new();
        arguments.insert(over(0), Binding::Bound(iterated.clone(), span));
        let body = if matches!(name, "any" | "all") {
            let found = name == "any";
            let test = if found {
                element.clone()
            } else {
                let operand = Box::new(element.clone());
                make.expr(ExprKind::Unary { op: numptx_syntax::ast::UnaryOp::Not, operand })
            };
            let leave = vec![make.when(test, vec![make.give(make.bool(found))])];
            vec![make.nest(clauses, leave), make.give(make.bool(!found))]
        } else {
            let Some(member) = self.member_of(clauses, std::slice::from_ref(iterated), element) else {
                return Value::Poison;
            };
            if member.family == Family::Array || member.depth > 0 {
                let message = format!("`{name}` takes numbers, these members are arrays or lists");
                let help = format!("write `np.{name}(np.array([f(row) for row in x]), axis=0)`");
                return self.refuse(code::BAD_ARGUMENT, element.span, message, help);
            }
            let start = self.start_of(name, &member);
            arguments.insert(TOTAL.into(), Binding::Bound(start, span));
            match name {
                "sum" => vec![make.nest(clauses, vec![make.add(TOTAL, element.clone())]), make.give(make.name(TOTAL))],
                _ => extremum(make, name, clauses, element),
            }
        };
        self.run(body, arguments, span)
    }

    /// The list of what a value iterates over.
    pub fn listed_at_run_time(&mut self, value: &Value, span: Span) -> Value {
        self.filled(&each_member(span), value, Made::List, span)
    }

    /// `sum`, `min`, `max`, `any` or `all` of a list of run-time length.
    pub fn folded_list(&mut self, name: &str, list: &Value, span: Span) -> Value {
        self.folded(name, &each_member(span), list, span)
    }

    /// What a fold starts with: a number that takes the type of the members.
    fn start_of(&mut self, name: &str, member: &Member) -> Value {
        let dtype = match (name, member.dtype, member.family) {
            ("sum", DType::Bool, _) => DType::I64,
            // Takes on the dtype of NumPy's scalars when it meets one.
            ("sum", dtype, Family::Numpy) if dtype.kind() <= Kind::Unsigned => DType::I64,
            (_, dtype, _) => dtype,
        };
        let zero = match dtype.kind() {
            Kind::Bool => Constant::Bool(false),
            Kind::Signed | Kind::Unsigned => Constant::Int(0),
            Kind::Float => Constant::Float(0.0),
            Kind::Complex => Constant::Complex(0.0, 0.0),
        };
        let value = self.builder.constant(zero, dtype);
        match (name, member.family) {
            (_, Family::Python) => Value::python(value),
            ("sum", _) if dtype == DType::I64 => Value::python(value),
            _ => Value::numpy(value),
        }
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

    /// Reports a list inside a list whose length is not known when compiling.
    pub fn refuse_length(&mut self, span: Span) {
        let message = "this length is not known when compiling, and a list of several such loops has no known length";
        let help = "fill an array in loops: `y = np.empty((n, m))` and `y[i, j] = f(i, j)`; or `np.array([[f(i, j) for j in range(m)] for i in range(n)])`";
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
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

    /// Opens a scope for the targets of a comprehension.
    pub fn open_scope(&mut self, clauses: &[Clause]) {
        let mut locals = BTreeSet::new();
        clauses.iter().for_each(|c| target_names(&c.target, &mut locals));
        let enclosing = self.calls.here();
        self.calls.begin(Callee::Comprehension, enclosing, BTreeMap::new(), locals, Liveness::default());
    }

    /// NumPy makes `float64` arrays of one axis of empty lists, whatever their members would have been.
    pub fn check_not_empty(&mut self, list: &Filled, has_dtype: bool) {
        let extents = self.extents(list.array);
        let known = has_dtype || self.builder.dtype(list.array) == DType::F64;
        // The first extent decides on the shape, the others, where there are any, on the dtype alone.
        let checked = if extents.len() == 1 && known {
            &[]
        } else if known {
            &extents[..1]
        } else {
            &extents[..]
        };
        let one = self.builder.i64(1);
        for extent in checked {
            if self.fact(*extent).low >= 1 {
                continue;
            }
            let some = self.builder.scalar(ScalarOp::Le, &[one, *extent]);
            let message =
                "an array of an empty list has another dtype or shape than one of members, which was compiled";
            self.check(some, ErrorKind::Value, message, &[]);
        }
    }
}

/// Whether a value in a display is a list or a range of a length that is known at run time.
pub(crate) fn is_list_of_run_time(value: &Value) -> bool {
    matches!(value, Value::Container(_) | Value::Filled(_)) || is_range(value)
}

/// `(v for v in …)`; what it runs over is known already.
fn each_member(span: Span) -> Comprehension {
    let make = Maker { span };
    let clause = make.clause(make.name(MEMBER), make.name(MEMBER));
    Comprehension { is_generator: true, ..make.list_of(make.name(MEMBER), vec![clause]) }
}

/// Python's rule: a later member is taken where it is really smaller or larger.
fn extremum(make: Maker, name: &str, clauses: &[Clause], element: &Expr) -> Vec<Stmt> {
    let op = if name == "min" { CompareOp::Less } else { CompareOp::Greater };
    let better = ExprKind::Compare { operands: vec![make.name(MEMBER), make.name(TOTAL)], ops: vec![op] };
    let test = ExprKind::Logical { op: LogicalOp::Or, operands: vec![make.name(FIRST), make.expr(better)] };
    let take = vec![make.assign(make.name(TOTAL), make.name(MEMBER)), make.assign(make.name(FIRST), make.bool(false))];
    let body = vec![make.assign(make.name(MEMBER), element.clone()), make.when(make.expr(test), take)];
    let message = make.expr(ExprKind::Str(format!("{name}() iterable argument is empty")));
    let raise = StmtKind::Raise { exception: "ValueError".into(), message: Some(message) };
    vec![
        make.assign(make.name(FIRST), make.bool(true)),
        make.nest(clauses, body),
        make.when(make.name(FIRST), vec![make.stmt(raise)]),
        make.give(make.name(TOTAL)),
    ]
}
