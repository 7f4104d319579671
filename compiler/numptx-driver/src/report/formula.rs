//! Host scalars and extents as formulas in the function's parameters, for people.
//!
//! In: a function, after all passes. Out: sums of products of names. What no formula can say is shown as the source text or a name. Where a
//! length would be negative it is 0: formulas do not say so.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, RemarkKind, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_passes::{chunk_of, for_each_op};
use numptx_source::Source;

use super::linear::{Linear, extreme, identified, product, shown};
use super::words::one_line;

/// Guards compare sizes with this, so that nothing overflows: see `numptx-passes/src/loops/assumptions/guards.rs`.
const LARGE: i64 = 1 << 40;

/// What never holds.
const FALSE: &str = "False";

/// The definitions of a function's values.
pub struct Formulas<'f> {
    function: &'f Function,
    source: &'f Source,
    definitions: HashMap<ValueId, &'f Op>,
    /// How many work items a launch has along an axis, where it may have a part of them: and how many all launches have.
    chunks: HashMap<ValueId, ValueId>,
}

impl<'f> Formulas<'f> {
    /// Of a function.
    pub fn of(function: &'f Function, source: &'f Source) -> Self {
        let (mut definitions, mut chunks) = (HashMap::new(), HashMap::new());
        define(&function.body, &mut definitions);
        for_each_op(&function.body, &mut |op| chunks.extend(chunk_of(op).map(|part| (part, op.operands[1]))));
        Formulas { function, source, definitions, chunks }
    }

    fn name(&self, value: ValueId) -> Option<&str> {
        self.function.values[value.0 as usize].name.as_deref()
    }

    /// The name of an array, or of the one that it is a view of.
    pub fn array_name(&self, array: ValueId) -> Option<String> {
        self.named_array(array).map(|(name, _)| name.to_owned())
    }

    fn named_array(&self, array: ValueId) -> Option<(&str, ValueId)> {
        let mut array = array;
        loop {
            if let Some(name) = self.name(array) {
                return Some((name, array));
            }
            array = *self.definitions.get(&array).filter(|op| op.kind.is_view())?.operands.first()?;
        }
    }

    /// Whether a formula is short enough for a reader: where values are used several times, again and again, its length doubles each time.
    pub fn is_readable(&self, value: ValueId) -> bool {
        const LONGEST: usize = 10_000;
        let mut n_left = LONGEST;
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            if n_left == 0 {
                return false;
            }
            n_left -= 1;
            let is_part = |op: &&&Op| op.kind.is_pure_scalar_or_view() || matches!(op.kind, OpKind::Alloc { .. });
            let Some(op) = self.definitions.get(&value).filter(is_part) else { continue };
            // A product's factors, as an example, are looked at, and then written.
            let is_sum = matches!(op.kind, OpKind::Scalar(ScalarOp::Add | ScalarOp::Sub));
            (0..if is_sum { 1 } else { 3 }).for_each(|_| values.extend(&op.operands));
        }
        true
    }

    /// A host integer. Parts of the work items of a kernel are shown as all of them.
    pub fn linear(&self, value: ValueId) -> Linear {
        let value = self.chunks.get(&value).copied().unwrap_or(value);
        let Some(op) = self.definitions.get(&value) else {
            return Linear::atom(identified(self.name(value).unwrap_or("?"), value));
        };
        let of = |n: usize| op.operands.get(n).map_or_else(Linear::default, |v| self.linear(*v));
        match &op.kind {
            OpKind::Constant(Constant::Int(n)) => Linear::number(*n),
            OpKind::Dim(axis) => self.extent(op.operands[0], *axis),
            OpKind::Scalar(ScalarOp::Add) => of(0).plus(&of(1), 1),
            OpKind::Scalar(ScalarOp::Sub) => of(0).plus(&of(1), -1),
            OpKind::Scalar(ScalarOp::Neg) => Linear::default().plus(&of(0), -1),
            OpKind::Scalar(ScalarOp::Mul) => match (of(0).as_number(), of(1).as_number()) {
                (_, Some(n)) => Linear::default().plus(&of(0), n),
                (Some(n), _) => Linear::default().plus(&of(1), n),
                _ => Linear::atom(product(1, &[of(0), of(1)])),
            },
            OpKind::Scalar(ScalarOp::Min) if op.operands.iter().any(|v| self.is_limit(*v)) => {
                of(usize::from(self.is_limit(op.operands[0])))
            }
            OpKind::Scalar(kind @ (ScalarOp::Max | ScalarOp::Min)) => {
                let mut members = Vec::new();
                self.members_of(*kind, value, &mut members);
                extreme(*kind, members)
            }
            OpKind::Scalar(ScalarOp::FloorDiv) if self.name(value).is_none() => {
                let by = of(1).to_string();
                let by = if by.contains('·') || by.contains("//") { format!("({by})") } else { by };
                Linear::atom(format!("({})//{by}", of(0)))
            }
            OpKind::BroadcastExtent if of(0).as_number() == Some(1) => of(1),
            OpKind::BroadcastExtent => of(0),
            OpKind::SliceBounds { lower, upper } if op.results.get(1) == Some(&value) => {
                self.slice_length(op, *lower, *upper)
            }
            _ => Linear::atom(self.other(value, op)),
        }
    }

    /// Whether a value only keeps products within 64 bits: see `numptx-passes/src/loops/assumptions/guards.rs`.
    fn is_limit(&self, value: ValueId) -> bool {
        self.definition(value).is_some_and(|op| match op.kind {
            OpKind::Constant(Constant::Int(n)) => n >= LARGE,
            OpKind::Scalar(ScalarOp::FloorDiv) => self.linear(op.operands[0]).as_number() == Some(i64::MAX),
            _ => false,
        })
    }

    /// The values of which an extreme is taken, those of extremes in it included.
    fn members_of(&self, kind: ScalarOp, value: ValueId, members: &mut Vec<Linear>) {
        match self.definitions.get(&value).filter(|op| op.kind == OpKind::Scalar(kind)) {
            Some(op) => op.operands.iter().for_each(|v| self.members_of(kind, *v, members)),
            None => members.push(self.linear(value)),
        }
    }

    /// What no sum says: its name, else the operation, else the text.
    fn other(&self, value: ValueId, op: &Op) -> String {
        if let (None, OpKind::Scalar(scalar)) = (self.name(value), &op.kind)
            && let Some(text) = self.operation(*scalar, op)
        {
            return text;
        }
        let text = || Some(one_line(self.source.slice(op.span))).filter(|text| !text.is_empty());
        let text = self.name(value).map(str::to_owned).or_else(|| self.element(value, op)).or_else(text);
        identified(&text.unwrap_or_else(|| "?".to_owned()), value)
    }

    /// An element that is read: `x[i, 0]`; where it was computed first, the text of that.
    fn element(&self, value: ValueId, op: &Op) -> Option<String> {
        if op.kind != OpKind::Item {
            return None;
        }
        let position = op.results.iter().position(|result| *result == value)?;
        let (mut view, mut indices) = (*op.operands.get(position)?, Vec::new());
        loop {
            if let Some(name) = self.name(view).filter(|_| !indices.is_empty()) {
                return Some(format!("{name}[{}]", indices.join(", ")));
            }
            let made = self.definitions.get(&view)?;
            if made.kind != (OpKind::Index { axis: 0 }) {
                let text = one_line(self.source.slice(made.span));
                // What is read alone has its own place.
                let is_told = op.results.len() > 1 && indices.is_empty() && !text.is_empty();
                return Some(text).filter(|_| is_told);
            }
            indices.insert(0, shown(&self.linear(made.operands[1]).to_string()));
            view = made.operands[0];
        }
    }

    /// The op that makes a value; `None` for parameters.
    pub fn definition(&self, value: ValueId) -> Option<&'f Op> {
        self.definitions.get(&value).copied()
    }

    /// Whether the compiler made the `if` around the kernels of a loop.
    pub fn is_guard(&self, op: &Op) -> bool {
        let is_of = |kind: &RemarkKind| matches!(kind, RemarkKind::Loop { guard: Some(span), .. } if *span == op.span);
        self.function.remarks.iter().any(|remark| is_of(&remark.kind))
    }

    /// An operation on numbers, if that is short.
    fn operation(&self, scalar: ScalarOp, op: &Op) -> Option<String> {
        const LONGEST: usize = 80;
        let of = |n: usize| self.scalar(op.operands[n]);
        let infix = |symbol: &str| format!("{} {symbol} {}", of(0), of(1));
        let text = match scalar {
            ScalarOp::Eq => infix("=="),
            ScalarOp::Ne => infix("!="),
            ScalarOp::Lt => infix("<"),
            ScalarOp::Le => infix("<="),
            ScalarOp::Gt => infix(">"),
            ScalarOp::Ge => infix(">="),
            ScalarOp::IsFinite => format!("{} is finite", of(0)),
            ScalarOp::Select => format!("({} if {} else {})", of(1), of(0), of(2)),
            ScalarOp::Cast => of(0),
            _ => return None,
        };
        (shown(&text).len() <= LONGEST).then_some(text)
    }

    /// A host scalar of any type.
    fn scalar(&self, value: ValueId) -> String {
        let is_number = self.function.ty(value).dtype() == DType::I64;
        match self.definitions.get(&value) {
            _ if is_number => self.linear(value).to_string(),
            None => identified(self.name(value).unwrap_or("?"), value),
            Some(op) => match op.kind {
                OpKind::Constant(constant) => constant_text(constant),
                _ if self.function.ty(value).dtype() == DType::Bool => {
                    self.conjunction(value).unwrap_or_else(|| "True".to_owned())
                }
                _ => self.other(value, op),
            },
        }
    }

    /// The length of a slice of step 1 whose bounds are known; else in words.
    fn slice_length(&self, op: &Op, lower: bool, upper: bool) -> Linear {
        let mut operands = op.operands.iter().map(|v| self.linear(*v));
        let mut next = |given: bool| if given { operands.next() } else { None };
        let (lower, upper) = (next(lower), next(upper));
        let (step, extent) = (operands.next().unwrap_or_default(), operands.next().unwrap_or_default());
        let show = |bound: &Option<Linear>| bound.as_ref().map_or_else(String::new, Linear::to_string);
        let words = || Linear::atom(format!("len({}:{}:{step})", show(&lower), show(&upper)).replace(":1)", ")"));
        if step.as_number() != Some(1) {
            return words();
        }
        let place = |bound: &Option<Linear>, missing: Linear| match bound {
            None => Some(missing),
            Some(bound) => match bound.as_number()? {
                n if n < 0 => Some(extent.clone().plus(bound, 1)),
                _ => Some(bound.clone()),
            },
        };
        let (start, end) = (place(&lower, Linear::default()), place(&upper, extent.clone()));
        match (start, end, upper.as_ref().and_then(Linear::as_number)) {
            // An upper bound from the start may lie beyond the end.
            (_, _, Some(n)) if n >= 0 => words(),
            (Some(start), Some(end), _) => end.plus(&start, -1),
            _ => words(),
        }
    }

    /// The extents of an array.
    pub fn shape(&self, array: ValueId) -> Vec<Linear> {
        let rank = self.function.array(array).map_or(0, |array| array.rank);
        (0..rank).map(|axis| self.extent(array, axis)).collect()
    }

    fn extent(&self, array: ValueId, axis: usize) -> Linear {
        let own = || {
            let (name, array) = self.named_array(array).unwrap_or(("array", array));
            Linear::atom(identified(&format!("{name}.shape[{axis}]"), array))
        };
        let Some(op) = self.definitions.get(&array) else { return own() };
        let operand = |n: usize| op.operands.get(n).map_or_else(own, |v| self.linear(*v));
        let base = |axis: usize| op.operands.first().map_or_else(own, |v| self.extent(*v, axis));
        match &op.kind {
            OpKind::Slice { axis: sliced } if *sliced == axis => operand(2),
            OpKind::Slice { .. }
            | OpKind::Part { .. }
            | OpKind::ReadOnly
            | OpKind::Writable
            | OpKind::Contiguous(_) => base(axis),
            OpKind::Index { axis: dropped } | OpKind::DropAxis { axis: dropped } => {
                base(if axis >= *dropped { axis + 1 } else { axis })
            }
            OpKind::NewAxis { axis: new } if *new == axis => Linear::number(1),
            OpKind::NewAxis { axis: new } => base(if axis > *new { axis - 1 } else { axis }),
            OpKind::Permute { permutation } => base(permutation[axis]),
            OpKind::Broadcast
            | OpKind::Reshape(_)
            | OpKind::Ravel(_)
            | OpKind::Strided { .. }
            | OpKind::Reuse { .. } => operand(1 + axis),
            OpKind::Alloc { .. } => operand(axis),
            _ => own(),
        }
    }

    /// A condition in words; `None` if it always holds but for arrays of sizes that do not exist.
    pub fn condition(&self, value: ValueId) -> Option<String> {
        self.conjunction(value).map(|text| shown(&text))
    }

    fn conjunction(&self, value: ValueId) -> Option<String> {
        let (mut bounds, mut others) = (Vec::new(), Vec::new());
        self.conjuncts(value, &mut bounds, &mut others);
        if others.iter().any(|other| other == FALSE) {
            return Some(FALSE.to_owned());
        }
        let mut parts: Vec<String> = Vec::new();
        for part in bounds.into_iter().map(Linear::at_least_zero).chain(others) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Some(parts.join(" and ")).filter(|text| !text.is_empty())
    }

    /// The conditions of which any suffices, those of such conditions in it included, each once; nothing if one of them always holds.
    fn alternatives(&self, value: ValueId, found: &mut Vec<(ValueId, String)>) -> Option<()> {
        if let Some(op) = self.definition(value).filter(|op| op.kind == OpKind::Scalar(ScalarOp::BitOr)) {
            return op.operands.iter().try_for_each(|v| self.alternatives(*v, found));
        }
        let text = self.conjunction(value)?;
        if text != FALSE && found.iter().all(|(_, other)| *other != text) {
            found.push((value, text));
        }
        Some(())
    }

    /// Of a comparison that asks whether an index is not before or beyond an axis, and counts from its end where it is negative, what is at least 0: as it
    /// is written it is not beyond, and counted from the end not before.
    fn within_axis(&self, op: &Op) -> Option<Linear> {
        let [a, b] = *op.operands.first_chunk::<2>()?;
        match op.kind {
            OpKind::Scalar(ScalarOp::Ge) if self.is_zero(b) => self.counted_back(a).map(|[from_end, _]| from_end),
            OpKind::Scalar(ScalarOp::Le) if self.is_zero(a) => self.counted_back(b).map(|[from_end, _]| from_end),
            OpKind::Scalar(ScalarOp::Lt) => {
                let ([from_end, index], extent) = (self.counted_back(a)?, self.linear(b));
                let room = extent.minus(&index).plus(&Linear::number(-1), 1);
                (from_end.minus(&index) == extent).then_some(room)
            }
            _ => None,
        }
    }

    /// An index that counts from the end where it is negative: counted so, and as it is written.
    fn counted_back(&self, index: ValueId) -> Option<[Linear; 2]> {
        let op = self.definition(index).filter(|op| op.kind == OpKind::Scalar(ScalarOp::Select))?;
        let [is_negative, from_end, index] = *op.operands.first_chunk::<3>()?;
        if !self.is_int(index) {
            return None;
        }
        let (mut bounds, mut others) = (Vec::new(), Vec::new());
        self.conjuncts(is_negative, &mut bounds, &mut others);
        let (from_end, index) = (self.linear(from_end), self.linear(index));
        let is_sign = others.is_empty() && bounds == [Linear::number(-1).minus(&index)];
        (is_sign && from_end.minus(&index).is_never_negative()).then_some([from_end, index])
    }

    /// What has to hold at once: functions that are at least 0, and other conditions in words.
    pub fn conjuncts(&self, value: ValueId, bounds: &mut Vec<Linear>, others: &mut Vec<String>) {
        let Some(op) = self.definitions.get(&value) else {
            return others.push(identified(self.name(value).unwrap_or("?"), value));
        };
        let difference = |a: usize, b: usize| self.linear(op.operands[a]).plus(&self.linear(op.operands[b]), -1);
        let is_size = |linear: &Linear| linear.constant.abs() >= LARGE / 2;
        let mut bound = |linear: Linear, more: i64| {
            if is_size(&linear) {
                return;
            }
            let linear = linear.plus(&Linear::number(more), 1).reduced();
            match linear.as_number() {
                Some(n) if n >= 0 => {}
                Some(_) => others.push(FALSE.to_owned()),
                None => bounds.push(linear),
            }
        };
        if let Some(linear) = self.within_axis(op) {
            return bound(linear, 0);
        }
        match &op.kind {
            OpKind::Constant(Constant::Bool(true)) => {}
            OpKind::Constant(Constant::Bool(false)) => others.push(FALSE.to_owned()),
            OpKind::Scalar(ScalarOp::BitAnd) => op.operands.iter().for_each(|v| self.conjuncts(*v, bounds, others)),
            OpKind::Scalar(ScalarOp::BitOr) => {
                let mut any = Vec::new();
                match (self.alternatives(value, &mut any), any.as_slice()) {
                    (None, _) => {}
                    (_, []) => others.push(FALSE.to_owned()),
                    (_, [(only, _)]) => self.conjuncts(*only, bounds, others),
                    (_, several) => {
                        let texts: Vec<&str> = several.iter().map(|(_, text)| text.as_str()).collect();
                        others.push(format!("({})", texts.join(" or ")));
                    }
                }
            }
            OpKind::Scalar(ScalarOp::BitNot) => {
                others.extend(self.conjunction(op.operands[0]).map(|condition| format!("not ({condition})")));
            }
            // That no int becomes too large, as sizes do not either.
            OpKind::Scalar(ScalarOp::Ge) if self.is_sign_test(op) => {}
            OpKind::Scalar(kind @ (ScalarOp::Eq | ScalarOp::Ne)) if self.decided(op, *kind).is_some() => {
                if self.decided(op, *kind) == Some(false) {
                    others.push(FALSE.to_owned());
                }
            }
            OpKind::Scalar(ScalarOp::Eq) if self.compares_strides(op) => {
                let text = "elements of a row lie side by side";
                if others.iter().all(|other| other != text) {
                    others.push(text.to_owned());
                }
            }
            OpKind::Scalar(ScalarOp::Eq) if self.is_integer(op) => others.push(difference(0, 1).is_zero()),
            OpKind::Scalar(ScalarOp::Ge) if self.is_integer(op) => bound(difference(0, 1), 0),
            OpKind::Scalar(ScalarOp::Gt) if self.is_integer(op) => bound(difference(0, 1), -1),
            OpKind::Scalar(ScalarOp::Le) if self.is_integer(op) => bound(difference(1, 0), 0),
            OpKind::Scalar(ScalarOp::Lt) if self.is_integer(op) => bound(difference(1, 0), -1),
            OpKind::Overlap => others.push("arrays overlap".to_owned()),
            OpKind::OneRead => others.push("a device reads each row once".to_owned()),
            OpKind::OneLaunch if self.is_zero(op.operands[2]) => {
                others.push("it runs on a device".to_owned());
            }
            OpKind::OneLaunch if self.is_negative(op.operands[2]) => {
                let inside = self.linear(op.operands[1]);
                others.push(format!("launches of {inside} work items a phase of the loops in it are cheaper"));
            }
            OpKind::OneLaunch => others.push(format!(
                "one launch of at most {} work items a phase is cheaper than several",
                self.linear(op.operands[0])
            )),
            _ => others.push(self.other(value, op)),
        }
    }

    /// Whether a stride is compared with a number.
    fn compares_strides(&self, op: &Op) -> bool {
        let is_stride = |v: &ValueId| self.definition(*v).is_some_and(|op| matches!(op.kind, OpKind::Stride(_)));
        op.operands.iter().any(is_stride)
    }

    /// Whether a value is an int.
    pub fn is_int(&self, value: ValueId) -> bool {
        self.function.ty(value) == Type::Scalar(DType::I64)
    }

    /// Whether an integer is 0 in all calls.
    pub fn is_zero(&self, value: ValueId) -> bool {
        self.linear(value).as_number() == Some(0)
    }

    /// Whether an integer is written as one below 0.
    fn is_negative(&self, value: ValueId) -> bool {
        let is_neg = |op: &&Op| op.kind == OpKind::Scalar(ScalarOp::Neg);
        self.definition(value).filter(is_neg).is_some() || self.linear(value).as_number().is_some_and(|n| n < 0)
    }

    /// Whether integers are equal, or not, if that is the same in all calls.
    fn decided(&self, op: &Op, kind: ScalarOp) -> Option<bool> {
        let [a, b] = op.operands.as_slice() else { return None };
        let is_zero = self.linear(*a).minus(&self.linear(*b)).as_number().filter(|_| self.is_integer(op))? == 0;
        Some(is_zero == (kind == ScalarOp::Eq))
    }

    /// Whether a comparison looks at signs only: bits of integers against 0.
    fn is_sign_test(&self, op: &Op) -> bool {
        let bits = op.operands.first().and_then(|v| self.definitions.get(v));
        self.is_integer(op)
            && bits.is_some_and(|op| matches!(op.kind, OpKind::Scalar(ScalarOp::BitAnd | ScalarOp::BitXor)))
    }

    fn is_integer(&self, op: &Op) -> bool {
        op.operands.iter().all(|v| self.function.ty(*v).dtype() == DType::I64)
    }
}

fn constant_text(constant: Constant) -> String {
    match constant {
        Constant::Bool(true) => "True".to_owned(),
        Constant::Bool(false) => "False".to_owned(),
        Constant::Int(n) => n.to_string(),
        Constant::Float(x) => format!("{x:?}"),
        Constant::Complex(re, im) => format!("({re:?}, {im:?})"),
    }
}

fn define<'f>(region: &'f Region, definitions: &mut HashMap<ValueId, &'f Op>) {
    for op in &region.ops {
        definitions.extend(op.results.iter().map(|result| (*result, op)));
        op.regions.iter().for_each(|nested| define(nested, definitions));
    }
}
