//! What stands in the brackets of a subscript, as items along the axes of an array, and the place in the array that they are.

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Index};

use crate::indexing::places::{IndexArray, Item, Place};
use crate::lowerer::Lowerer;
use crate::values::container_types::Sort;
use crate::values::iterable::is_range;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// What evaluated indices name in an array; `None` after a report.
    pub fn place_at(&mut self, array: ValueId, items: Vec<Item>, span: Span) -> Option<Place> {
        self.builder.set_span(span);
        if let [Item::Mask(mask, at)] = items.as_slice() {
            return self.masked(array, *mask, *at);
        }
        let rank = self.builder.rank(array);
        let used = items.iter().map(|item| self.axes_of(item)).sum();
        if !self.fits_rank(&items, used, rank, span) {
            return None;
        }
        if items.iter().any(|i| matches!(i, Item::Array(_) | Item::Mask(..))) {
            return self.selection(array, items, rank - used, span).map(Place::Selected);
        }
        let full = items.iter().all(|i| matches!(i, Item::At(..))) && used == rank;
        let view = self.apply(array, items, rank - used)?;
        Some(if full { Place::Element(view) } else { Place::View(view) })
    }

    /// Evaluates indices; `None` after a report.
    pub fn index_items(&mut self, indices: &[Index]) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        let mut sound = true;
        for index in indices {
            match index {
                Index::Expr(Expr { kind: ExprKind::Subscript { value, indices: inner }, .. })
                    if indices.len() == 1 && self.is_index_maker(value) =>
                {
                    // `x[np.s_[1:n]]` is `x[1:n]`.
                    return self.index_items(inner);
                }
                Index::Expr(expr) => {
                    let value = self.expression(expr);
                    sound &= self.index_value(&value, expr.span, indices.len() == 1, &mut items);
                }
                Index::Slice { lower, upper, step, span } => {
                    let mut bound = |expr: &Option<_>| match expr {
                        None => Some(None),
                        Some(expr) => self.slice_bound(expr),
                    };
                    match (bound(lower), bound(upper), bound(step)) {
                        (Some(lower), Some(upper), Some(step)) => {
                            items.push(Item::Slice { lower, upper, step, span: *span });
                        }
                        _ => sound = false,
                    }
                }
                Index::NewAxis(_) => items.push(Item::NewAxis),
                Index::Ellipsis(_) => items.push(Item::Ellipsis),
            }
        }
        sound.then_some(items)
    }

    /// Whether an expression is `np.s_`.
    fn is_index_maker(&mut self, expr: &Expr) -> bool {
        let ExprKind::Attribute { value, name, .. } = &expr.kind else { return false };
        matches!(name.as_str(), "s_" | "index_exp") && self.expression(value) == Value::Module("numpy".to_string())
    }

    /// A slice's bound: an int, or `None` written as such.
    fn slice_bound(&mut self, expr: &numptx_syntax::ast::Expr) -> Option<Option<ValueId>> {
        let value = self.expression(expr);
        self.bound_of(&value, expr.span)
    }

    fn bound_of(&mut self, value: &Value, span: Span) -> Option<Option<ValueId>> {
        match value {
            Value::None => Some(None),
            Value::Poison => None,
            other => match self.bound_integer(other) {
                Some(n) => Some(Some(n)),
                None => {
                    let message = format!("a slice's bound is {}, not an int", other.describe(&self.builder));
                    self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `a[int(lower):int(upper)]`");
                    None
                }
            },
        }
    }

    /// The same as a bound of a slice: one that is too large is as good as any that is.
    fn bound_integer(&mut self, value: &Value) -> Option<ValueId> {
        let mut scalar = self.host_integer(value)?;
        if self.builder.dtype(scalar) == DType::U64 {
            let limit = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
            scalar = self.builder.scalar(ScalarOp::Min, &[scalar, limit]);
        }
        Some(self.convert(scalar, DType::I64))
    }

    /// `alone`: it is the whole subscript, so that a tuple stands for its members.
    fn index_value(&mut self, value: &Value, span: Span, alone: bool, items: &mut Vec<Item>) -> bool {
        match value {
            Value::Poison => return false,
            Value::None => items.push(Item::NewAxis),
            Value::Ellipsis => items.push(Item::Ellipsis),
            Value::Slice(bounds) => return self.index_slice(bounds, span, items),
            Value::Record(class, fields) if alone && class.is_tuple() => {
                return self.index_value(&Value::Tuple(fields.clone()), span, alone, items);
            }
            Value::Tuple(members) if alone => {
                return members.iter().all(|m| self.index_value(m, span, false, items));
            }
            Value::Container(list) if list.sort == Sort::List => {
                let Some(array) = self.array_of_list(*list, span) else { return false };
                return self.index_value(&array, span, alone, items);
            }
            Value::Filled(list) => return self.index_value(&Value::array(list.array), span, false, items),
            range if is_range(range) => {
                let Some(list) = self.list_of_range(range, span) else { return false };
                return self.index_value(&list, span, false, items);
            }
            Value::List(members) => {
                let Some(list) = self.index_list(members, span) else { return false };
                match list.value.map(Value::array) {
                    Some(array) => return self.index_value(&array, span, false, items),
                    None => items.push(Item::Array(list)),
                }
            }
            Value::Typed(typed) if self.builder.rank(typed.value) > 0 => {
                let dtype = self.builder.dtype(typed.value);
                if dtype == DType::Bool {
                    items.push(Item::Mask(typed.value, span));
                    return true;
                }
                if !dtype.is_integer() {
                    let message = format!("an index is {}", value.describe(&self.builder));
                    let help = "arrays used as indices are of integers: `x[idx.astype(np.int64)]`";
                    self.refuse(code::UNSUPPORTED_INDEX, span, message, help);
                    return false;
                }
                items.push(Item::Array(IndexArray { value: Some(typed.value), leaves: Vec::new(), span }));
            }
            other => {
                let dtype = other.typed().map(|t| self.builder.dtype(t.value));
                match self.integer(other).filter(|_| dtype != Some(DType::Bool)) {
                    Some(index) => items.push(Item::At(index, span)),
                    None => {
                        let message = format!("an index is {}", other.describe(&self.builder));
                        let help = match other {
                            Value::Str(_) => {
                                "arrays have no fields; pass arrays of their own: `float64[:], float64[:]`"
                            }
                            _ => {
                                "indices are ints, slices, `None`, `...`, masks and arrays of ints: `a[n // 2]`, `a[int(x)]`"
                            }
                        };
                        self.refuse(code::UNSUPPORTED_INDEX, span, message, help);
                        return false;
                    }
                }
            }
        }
        true
    }

    fn fits_rank(&mut self, items: &[Item], used: usize, rank: usize, span: Span) -> bool {
        if used > rank {
            let axes = if rank == 1 { "axis" } else { "axes" };
            let message = format!("too many indices: the array has {rank} {axes}, {used} were indexed");
            self.refuse(code::TOO_MANY_INDICES, span, message, "give at most one index or slice for each axis");
            return false;
        }
        if items.iter().filter(|i| matches!(i, Item::Ellipsis)).count() > 1 {
            self.refuse(code::UNSUPPORTED_INDEX, span, "an index can have only one `...`", "write `:` for single axes");
            return false;
        }
        let result = rank + items.iter().filter(|i| matches!(i, Item::NewAxis)).count();
        if result > 16 {
            let message = format!("the result would have {result} axes; at most 16 are possible");
            self.refuse(code::TOO_MANY_AXES, span, message, "leave out some `None`");
            return false;
        }
        true
    }

    fn apply(&mut self, array: ValueId, items: Vec<Item>, skipped: usize) -> Option<ValueId> {
        // `axis` counts axes of the view made so far, `original` those of the array, as NumPy's messages do.
        let (mut view, mut axis, mut original) = (array, 0, 0);
        for item in items {
            match item {
                Item::At(index, span) => {
                    let index = self.normalized(view, axis, original, index, span)?;
                    view = self.builder.index(view, axis, index);
                    original += 1;
                }
                Item::Slice { lower, upper, step, span } => {
                    view = self.slice_axis(view, axis, [lower, upper, step], span)?;
                    axis += 1;
                    original += 1;
                }
                Item::NewAxis => {
                    view = self.builder.new_axis(view, axis);
                    axis += 1;
                }
                Item::Ellipsis => {
                    axis += skipped;
                    original += skipped;
                }
                Item::Mask(..) | Item::Array(_) => {}
            }
        }
        Some(view)
    }

    /// How many axes of the array an index takes.
    fn axes_of(&self, item: &Item) -> usize {
        match item {
            Item::At(..) | Item::Slice { .. } | Item::Array(_) => 1,
            Item::Mask(mask, _) => self.builder.rank(*mask),
            Item::NewAxis | Item::Ellipsis => 0,
        }
    }

    /// A slice that is a value.
    fn index_slice(&mut self, bounds: &[Value; 3], span: Span, items: &mut Vec<Item>) -> bool {
        let [Some(lower), Some(upper), Some(step)] = bounds.each_ref().map(|bound| self.bound_of(bound, span)) else {
            return false;
        };
        items.push(Item::Slice { lower, upper, step, span });
        true
    }
}
