//! Rows of class `Reduce`, and what every reduction shares: axes, accumulator dtypes, empty arrays, `keepdims` and `out`.
//!
//! The reduced axes are permuted to the end, in C order, so that one `reduce` op computes the whole call.

use super::binding::Call;
use super::convert;
use super::counted::{self, Initial};
use super::elementwise::{self, Compute, Typing};
use super::error::{bad_argument, bad_axis};
use super::ufunc::Compose;
use super::value::{Arguments, Family, FunctionError, PyValue, Typed};
use super::{Class, Function, output, variance};
use crate::DType;
use crate::array::{Builder, ErrorKind, ValueId};
use crate::dtype::Kind;
use crate::promotion::{self, Casting};
use crate::scalar::{BodyBuilder, Reducer, ScalarOp, Val};
use numptx_source::code;

/// Which dtype elements have while they are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulate {
    /// Integers and bools in 64 bits, floats in their own dtype; `dtype=` decides otherwise.
    Wide,
    /// The array's own. Complex arrays are refused.
    Own,
    /// Truth.
    Truth,
    /// Whether they are not zero, as `int64`.
    Count,
}

/// The data of a reduction row.
#[derive(Debug)]
pub struct Reduction {
    /// How elements are combined.
    pub reducer: Reducer,
    /// In which dtype.
    pub accumulate: Accumulate,
    /// What is done to an element before it is cast to the accumulator's dtype.
    pub prepare: Option<Compose>,
    /// What is raised where there is nothing to reduce, if that is an error.
    pub empty: Option<Empty>,
}

/// What a reduction of nothing raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Empty {
    /// The message of the `ValueError`.
    pub message: &'static str,
}

const NO_MAXIMUM: Empty = Empty { message: "zero-size array to reduction operation maximum which has no identity" };
const NO_MINIMUM: Empty = Empty { message: "zero-size array to reduction operation minimum which has no identity" };
const NO_SUM: Empty = Empty { message: "zero-size array to reduction operation add which has no identity" };
const NO_PRODUCT: Empty = Empty { message: "zero-size array to reduction operation multiply which has no identity" };
const NO_ARGMAX: Empty = Empty { message: "attempt to get argmax of an empty sequence" };
const NO_ARGMIN: Empty = Empty { message: "attempt to get argmin of an empty sequence" };

pub(super) const TYPED: &str = "a, axis=None, dtype=None, out=None, keepdims=False, initial=<no value>, where=True";
const EXTREMUM: &str = "a, axis=None, out=None, keepdims=False, initial=<no value>, where=True";
const TRUTH: &str = "a, axis=None, out=None, keepdims=False, *, where=True";
const POSITION: &str = "a, axis=None, out=None, *, keepdims=False";

const fn reduce(
    name: &'static str,
    parameters: &'static str,
    reducer: Reducer,
    accumulate: Accumulate,
    empty: Option<Empty>,
) -> Function {
    Function::new(name, parameters, Class::Reduce(Reduction { reducer, accumulate, prepare: None, empty }))
}

impl Function {
    /// What is done to an element before it is combined.
    const fn prepare(mut self, compose: Compose) -> Self {
        if let Class::Reduce(reduction) = &mut self.class {
            reduction.prepare = Some(compose);
        }
        self
    }
}

impl Reduction {
    /// The dtypes that it accepts, as NumPy's type characters.
    pub fn dtypes(&self) -> String {
        let accepts = |d: &DType| self.accumulate != Accumulate::Own || !d.is_complex();
        DType::ALL.into_iter().filter(accepts).map(DType::character).collect()
    }
}

/// The rows.
pub const TABLE: &[Function] = &[
    reduce("numpy.sum", TYPED, Reducer::Add, Accumulate::Wide, None)
        .aliases(&["ndarray.sum"])
        .doc("sum over axes; integers in 64 bits")
        .example("np.sum(x, axis=0)"),
    reduce("numpy.prod", TYPED, Reducer::Mul, Accumulate::Wide, None)
        .aliases(&["ndarray.prod"])
        .doc("product over axes; integers in 64 bits"),
    reduce("numpy.max", EXTREMUM, Reducer::Max, Accumulate::Own, Some(NO_MAXIMUM))
        .aliases(&["numpy.amax", "ndarray.max"])
        .doc("largest element; nan if any is"),
    reduce("numpy.min", EXTREMUM, Reducer::Min, Accumulate::Own, Some(NO_MINIMUM))
        .aliases(&["numpy.amin", "ndarray.min"])
        .doc("smallest element; nan if any is"),
    reduce("numpy.any", TRUTH, Reducer::Or, Accumulate::Truth, None)
        .aliases(&["ndarray.any"])
        .doc("whether any element is true"),
    reduce("numpy.all", TRUTH, Reducer::And, Accumulate::Truth, None)
        .aliases(&["ndarray.all"])
        .doc("whether all elements are true"),
    reduce("numpy.argmax", POSITION, Reducer::ArgMax, Accumulate::Own, Some(NO_ARGMAX))
        .aliases(&["ndarray.argmax"])
        .doc("index of the first largest element; of the first nan"),
    reduce("numpy.argmin", POSITION, Reducer::ArgMin, Accumulate::Own, Some(NO_ARGMIN))
        .aliases(&["ndarray.argmin"])
        .doc("index of the first smallest element; of the first nan"),
    reduce("numpy.count_nonzero", "a, axis=None, *, keepdims=False", Reducer::Add, Accumulate::Count, None)
        .doc("number of elements that are not 0"),
    reduce("numpy.nansum", TYPED, Reducer::Add, Accumulate::Wide, None).prepare(nan_to_zero).doc("sum without nans"),
    reduce("numpy.nanprod", TYPED, Reducer::Mul, Accumulate::Wide, None)
        .prepare(nan_to_one)
        .doc("product without nans"),
    Function::new("numpy.mean", variance::OF_MEAN, Class::Expand(variance::mean))
        .aliases(&["ndarray.mean"])
        .ulp(4)
        .doc("arithmetic mean; of integers in float64; nan of nothing"),
    Function::new("numpy.var", variance::PARAMETERS, Class::Expand(variance::var))
        .without(&["mean", "correction"])
        .aliases(&["ndarray.var"])
        .ulp(8)
        .doc("variance: mean of |x - mean|**2"),
    Function::new("numpy.std", variance::PARAMETERS, Class::Expand(variance::std))
        .without(&["mean", "correction"])
        .aliases(&["ndarray.std"])
        .ulp(8)
        .doc("standard deviation"),
    Function::new("numpy.ptp", "a, axis=None, out=None, keepdims=False", Class::Expand(peak_to_peak))
        .doc("largest minus smallest element"),
    Function::new("numpy.nanmax", EXTREMUM, Class::Expand(nanmax)).doc("largest element that is not nan"),
    Function::new("numpy.nanmin", EXTREMUM, Class::Expand(nanmin)).doc("smallest element that is not nan"),
];

pub(super) fn nan_to_zero(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![replace_nan(b, v[0], 0.0)]
}

pub(super) fn nan_to_one(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![replace_nan(b, v[0], 1.0)]
}

fn replace_nan(b: &mut BodyBuilder, x: Val, by: f64) -> Val {
    let number = b.number(by, x);
    match b.dtype(x).kind() {
        Kind::Float => {
            let nan = b.is_nan(x);
            b.select(nan, number, x)
        }
        Kind::Complex => {
            let (re, im) = b.parts(x);
            let (re, im) = (b.is_nan(re), b.is_nan(im));
            let nan = b.either(re, im);
            b.select(nan, number, x)
        }
        _ => x,
    }
}

/// An array whose reduced axes stand last.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The permuted array.
    pub array: Typed,
    /// Its extents.
    pub extents: Vec<ValueId>,
    /// The reduced axes of the array as it was, ascending.
    pub axes: Vec<usize>,
    /// Whether reduced axes stay with extent 1.
    pub keepdims: bool,
}

impl Plan {
    /// Which axes of the array as it was the plan's are.
    pub(super) fn permutation(&self) -> Vec<usize> {
        let kept = (0..self.extents.len()).filter(|k| !self.axes.contains(k));
        kept.chain(self.axes.iter().copied()).collect()
    }

    fn n_kept(&self) -> usize {
        self.extents.len() - self.axes.len()
    }

    /// The product of the reduced extents, if all are constants.
    pub fn constant_count(&self, builder: &Builder) -> Option<i64> {
        let mut extents = self.extents[self.n_kept()..].iter().map(|e| builder.as_i64(*e));
        extents.try_fold(1i64, |product, extent| Some(product.saturating_mul(extent?)))
    }
}

/// Reads `a`, `axis` and `keepdims`, and permutes.
pub(super) fn plan(call: &mut Call) -> Result<Plan, FunctionError> {
    let array = call.array("a")?;
    let rank = call.builder.rank(array.value);
    let axes = call.axes("axis", rank)?.unwrap_or_else(|| (0..rank).collect());
    let keepdims = call.flag("keepdims", false)?;
    let mut permutation: Vec<usize> = (0..rank).filter(|k| !axes.contains(k)).collect();
    permutation.extend(&axes);
    let value = call.builder.permute(array.value, &permutation);
    let extents = call.builder.shape(value);
    Ok(Plan { array: Typed { value, family: array.family }, extents, axes, keepdims })
}

impl Call<'_> {
    /// Axes by an argument: distinct and in range, ascending; `None` if it is left out.
    pub fn axes(&self, name: &str, rank: usize) -> Result<Option<Vec<usize>>, FunctionError> {
        let Some(axes) = self.constant_integers(name)? else { return Ok(None) };
        let mut result: Vec<usize> = Vec::new();
        for axis in axes {
            let axis = normalise_axis(axis, rank).map_err(|e| e.at(self.position(name)))?;
            if result.contains(&axis) {
                let message = format!("axis {axis} stands twice in `{name}` of `{}`", self.function.name);
                return Err(FunctionError::new(code::BAD_AXIS, message).at(self.position(name)));
            }
            result.push(axis);
        }
        result.sort_unstable();
        Ok(Some(result))
    }
}

/// An axis counted from the front.
pub(super) fn normalise_axis(axis: i64, rank: usize) -> Result<usize, FunctionError> {
    let from_front = if axis < 0 { axis + rank as i64 } else { axis };
    if (0..rank as i64).contains(&from_front) { Ok(from_front as usize) } else { Err(bad_axis(axis, rank)) }
}

/// What a reduction computes: of an element, by which reducers, and of the reduced values.
pub struct Parts<'a> {
    /// Of the inputs' elements, one output a reducer.
    pub body: &'a mut Compute<'a>,
    /// The reducers.
    pub reducers: &'a [Reducer],
    /// Of the reduced values.
    pub epilogue: &'a mut Compute<'a>,
}

/// Reduces inputs (the plan's array first; others broadcast to it). Results have the kept axes.
pub fn reduce_over(
    builder: &mut Builder,
    plan: &Plan,
    inputs: &[Typed],
    dtypes: &[DType],
    parts: Parts,
) -> Vec<ValueId> {
    let Parts { body, reducers, epilogue } = parts;
    if plan.axes.is_empty() {
        return elementwise::over(builder, &plan.extents, inputs, dtypes, &mut |b, v| {
            let elements = body(b, v);
            let reduced: Vec<Val> = reducers.iter().zip(elements).map(|(r, v)| of_one(b, *r, v)).collect();
            epilogue(b, &reduced)
        });
    }
    let (body, inputs) = elementwise::body(builder, inputs, dtypes, body);
    let reduced: Vec<DType> =
        (reducers.iter().zip(&body.outputs)).filter_map(|(r, v)| r.result(body.dtype(*v))).collect();
    let mut after = BodyBuilder::new();
    let values: Vec<Val> = reduced.iter().enumerate().map(|(n, d)| after.input(n as u32, *d)).collect();
    let outputs = epilogue(&mut after, &values);
    let epilogue = (outputs != values).then(|| after.finish(outputs));
    builder.reduce(&plan.extents, plan.axes.len(), &inputs, body, reducers, epilogue)
}

/// What a reducer makes of one element.
fn of_one(b: &mut BodyBuilder, reducer: Reducer, element: Val) -> Val {
    match reducer {
        Reducer::ArgMin | Reducer::ArgMax => b.constant(0.0, DType::I64),
        _ => element,
    }
}

/// The result with `keepdims` and `out=`.
pub(super) fn result(call: &mut Call, plan: &Plan, value: ValueId) -> Result<PyValue, FunctionError> {
    let mut value = value;
    if plan.keepdims {
        for axis in &plan.axes {
            value = call.builder.new_axis(value, *axis);
        }
    }
    let family = if call.builder.rank(value) == 0 { Family::Numpy } else { Family::Array };
    let typed = Typed { value, family };
    let Some(out) = call.output("out")? else { return Ok(PyValue::Typed(typed)) };
    let extents = call.builder.shape(value);
    call.check_output(out, &extents, "output parameter has a wrong shape")?;
    let value = output::cast(call, typed, out, Casting::Unsafe)?;
    call.builder.assign(out.value, value);
    Ok(PyValue::Typed(out))
}

/// Emits a call of a reduction row.
pub(super) fn call(call: &mut Call, row: &'static Reduction) -> Result<PyValue, FunctionError> {
    let plan = plan(call)?;
    let own = call.builder.dtype(plan.array.value);
    let out = call.output("out")?.map(|out| call.builder.dtype(out.value));
    let dtype = accumulator(call, row, own, out)?;
    let reducer = combining(row.reducer, dtype);
    let combined = in_single(reducer, dtype);
    if reducer.is_positional() {
        one_axis(call)?;
        // NumPy reads the array, too.
        out.map_or(Ok(()), |out| output::check_cast(call, out, DType::I64, Casting::Safe))?;
    }
    let mask = counted::mask(call, &plan)?;
    let initial = counted::initial(call, dtype)?;
    check_first(call, row, &plan, initial, mask.is_some())?;
    let element = match row.prepare {
        _ if row.accumulate == Accumulate::Count => DType::Bool,
        Some(_) => own,
        None => dtype,
    };
    let (initial, to) = match (combined == dtype, initial) {
        (true, _) => (initial, out),
        // One rounding at the end.
        (false, Initial::Value(value)) => {
            (Initial::Value(convert::cast_host(call.builder, value, combined)), out.or(Some(dtype)))
        }
        (false, _) => (initial, out.or(Some(dtype))),
    };
    let signs = counted::signs(call.builder, reducer, initial, combined);
    let mut body = |b: &mut BodyBuilder, v: &[Val]| {
        let element = row.prepare.map_or(v[0], |prepare| prepare(b, &v[..1])[0]);
        let element = b.cast(element, dtype);
        let element = b.cast(element, combined);
        let mut outputs = vec![v.get(1).map_or(element, |mask| counted::counted(b, *mask, element, reducer))];
        if signs > 0 {
            outputs.extend(counted::more_than_negative_zero(b, element, v.get(1).copied()));
        }
        outputs
    };
    let is_last = !matches!(initial, Initial::Value(_));
    let mut epilogue = |b: &mut BodyBuilder, v: &[Val]| match to.filter(|_| is_last) {
        Some(to) => vec![b.cast(v[0], to)],
        None => vec![counted::signed_sum(b, v)],
    };
    let reducers = &[reducer, Reducer::Or, Reducer::Or][..1 + signs];
    let parts = Parts { body: &mut body, reducers, epilogue: &mut epilogue };
    let inputs: Vec<Typed> = std::iter::once(plan.array).chain(mask).collect();
    let mut value = reduce_over(call.builder, &plan, &inputs, &[element, DType::Bool][..inputs.len()], parts)[0];
    if let Initial::Value(initial) = initial {
        value = counted::combined(call.builder, value, initial, reducer, to);
    }
    result(call, &plan, value)
}

/// The reducer for elements of a dtype: bools are combined as NumPy adds, multiplies and compares them.
pub(super) fn combining(reducer: Reducer, dtype: DType) -> Reducer {
    match (reducer, dtype) {
        (Reducer::Add | Reducer::Max, DType::Bool) => Reducer::Or,
        (Reducer::Mul | Reducer::Min, DType::Bool) => Reducer::And,
        (reducer, _) => reducer,
    }
}

/// The dtype of what is combined: sums and products of `float16` are those of `float32`, rounded once.
pub(super) fn in_single(reducer: Reducer, dtype: DType) -> DType {
    match (reducer, dtype) {
        (Reducer::Add | Reducer::Mul, DType::F16) => DType::F32,
        _ => dtype,
    }
}

/// Where elements are combined with no value of their own there has to be one, and a mask could leave none.
fn check_first(
    call: &mut Call,
    row: &Reduction,
    plan: &Plan,
    initial: Initial,
    is_masked: bool,
) -> Result<(), FunctionError> {
    let empty = match (row.empty, initial) {
        (_, Initial::Value(_)) | (None, Initial::Identity) => return Ok(()),
        (Some(empty), _) => empty,
        (None, Initial::First) if row.reducer == Reducer::Mul => NO_PRODUCT,
        (None, Initial::First) => NO_SUM,
    };
    if is_masked {
        let message = format!("`{}` has no value of no elements: with `where` it needs `initial`", call.function.name);
        return Err(bad_argument(message)
            .help("say what it is where no element counts: `np.max(x, where=mask, initial=-np.inf)`"));
    }
    check_not_empty(call.builder, plan, empty);
    Ok(())
}

/// The dtype that elements are combined in. That of `out` takes part as an operand's does.
fn accumulator(call: &Call, row: &Reduction, own: DType, out: Option<DType>) -> Result<DType, FunctionError> {
    match row.accumulate {
        Accumulate::Truth => Ok(DType::Bool),
        Accumulate::Count => Ok(DType::I64),
        Accumulate::Own if row.reducer.is_positional() && !own.is_complex() => Ok(own),
        Accumulate::Own => {
            let dtype = out.map_or(own, |out| promotion::promote(out, own));
            let is_defined = combining(row.reducer, dtype).result(dtype).is_some();
            if is_defined { Ok(dtype) } else { Err(undefined(call, row.reducer, dtype)) }
        }
        Accumulate::Wide => match call.dtype("dtype")? {
            Some(dtype) => Ok(dtype),
            None => Ok(out.map_or(wide(own), |out| promotion::promote(out, own))),
        },
    }
}

/// NumPy's accumulator of sums and products.
pub fn wide(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Signed => DType::I64,
        Kind::Unsigned => DType::U64,
        Kind::Float | Kind::Complex => dtype,
    }
}

/// A reducer that elements of a dtype do not have.
fn undefined(call: &Call, reducer: Reducer, dtype: DType) -> FunctionError {
    if !matches!(reducer, Reducer::And | Reducer::Or | Reducer::Xor) {
        return no_order(call, dtype);
    }
    let message = format!("`{}` does not exist for `{dtype}`", call.function.name);
    FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
        .help("cast to an integer first: `x.astype(np.int64)`")
}

pub(super) fn no_order(call: &Call, dtype: DType) -> FunctionError {
    let message =
        format!("`{}` of `{dtype}` is not supported: complex numbers have no order of their own", call.function.name);
    FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
        .help("reduce the magnitudes, `np.abs(x)`, or one part, `x.real`")
}

fn one_axis(call: &Call) -> Result<(), FunctionError> {
    match call.given("axis") {
        Some(PyValue::Tuple(_) | PyValue::List(_)) => Err(call.refuse("axis", "one integer or None")),
        _ => Ok(()),
    }
}

/// `ValueError` where there is no element to reduce.
pub(super) fn check_not_empty(builder: &mut Builder, plan: &Plan, empty: Empty) {
    let (zero, reduced) = (builder.i64(0), &plan.extents[plan.n_kept()..]);
    // The least of them: their product may wrap.
    let may_be_none = reduced.iter().copied().filter(|extent| builder.as_i64(*extent).is_none_or(|n| n == 0));
    let may_be_none: Vec<ValueId> = may_be_none.collect();
    let least = may_be_none.into_iter().reduce(|a, b| builder.scalar(ScalarOp::Min, &[a, b]));
    let Some(least) = least else { return };
    let fine = builder.scalar(ScalarOp::Ne, &[least, zero]);
    builder.check(fine, ErrorKind::Value, empty.message, &[]);
}

/// The product of extents.
pub fn product(builder: &mut Builder, extents: &[ValueId]) -> ValueId {
    let mut product = builder.i64(1);
    for extent in extents {
        product = builder.scalar(ScalarOp::Mul, &[product, *extent]);
    }
    product
}

/// Whether a predicate holds of any element, as a host bool.
pub fn any_of(
    builder: &mut Builder,
    array: ValueId,
    predicate: &mut dyn FnMut(&mut BodyBuilder, Val) -> Val,
) -> ValueId {
    let extents = builder.shape(array);
    let (axes, dtype) = ((0..extents.len()).collect(), builder.dtype(array));
    let array = Typed { value: array, family: Family::Array };
    let plan = Plan { array, extents, axes, keepdims: false };
    let mut body = |b: &mut BodyBuilder, v: &[Val]| vec![predicate(b, v[0])];
    let parts = Parts { body: &mut body, reducers: &[Reducer::Or], epilogue: &mut |_, v| v.to_vec() };
    let any = reduce_over(builder, &plan, &[array], &[dtype], parts)[0];
    builder.item(any)
}

fn peak_to_peak(call: &mut Call) -> Result<PyValue, FunctionError> {
    let plan = plan(call)?;
    let dtype = call.builder.dtype(plan.array.value);
    if dtype.is_complex() {
        return Err(no_order(call, dtype));
    }
    if dtype == DType::Bool {
        return Err(bad_argument("`numpy.ptp` does not exist for bools").help("use `np.any(x) & ~np.all(x)`"));
    }
    check_not_empty(call.builder, &plan, NO_MAXIMUM);
    if call.output("out")?.is_some() {
        return peak_to_peak_into(call, &plan, dtype);
    }
    let parts = Parts {
        body: &mut |_, v| vec![v[0], v[0]],
        reducers: &[Reducer::Max, Reducer::Min],
        epilogue: &mut |b, v| vec![b.sub(v[0], v[1])],
    };
    let value = reduce_over(call.builder, &plan, &[plan.array], &[dtype], parts)[0];
    result(call, &plan, value)
}

/// As NumPy does it: the maximum is written to `out` before the minimum is looked for, and taken from it.
fn peak_to_peak_into(call: &mut Call, plan: &Plan, dtype: DType) -> Result<PyValue, FunctionError> {
    let extremum = |call: &mut Call, reducer: Reducer| {
        let mut same = |_: &mut BodyBuilder, v: &[Val]| v.to_vec();
        let parts = Parts { body: &mut |_, v| vec![v[0]], reducers: &[reducer], epilogue: &mut same };
        reduce_over(call.builder, plan, &[plan.array], &[dtype], parts)[0]
    };
    let largest = extremum(call, Reducer::Max);
    let PyValue::Typed(out) = result(call, plan, largest)? else { return Err(call.refuse("out", "an array")) };
    let mut smallest = extremum(call, Reducer::Min);
    if plan.keepdims {
        plan.axes.iter().for_each(|axis| smallest = call.builder.new_axis(smallest, *axis));
    }
    let operands = [out, Typed { value: smallest, family: Family::Array }];
    let common = promotion::promote(call.builder.dtype(out.value), dtype);
    let typing = Typing { operands: &operands, dtypes: &[common, common] };
    let range = elementwise::compute(call.builder, typing, &mut |b, v| vec![b.sub(v[0], v[1])])?;
    let value = output::cast(call, range[0], out, Casting::SameKind)?;
    call.builder.assign(out.value, value);
    Ok(PyValue::Typed(out))
}

fn nanmax(call: &mut Call) -> Result<PyValue, FunctionError> {
    without_nans(call, Reducer::Max, f64::NEG_INFINITY, NO_MAXIMUM)
}

fn nanmin(call: &mut Call) -> Result<PyValue, FunctionError> {
    without_nans(call, Reducer::Min, f64::INFINITY, NO_MINIMUM)
}

/// Nans are replaced by the worst value; where all are nans, so is the result. What a mask leaves out counts as a nan does, and `initial` as one more
/// element. Other dtypes have no nans.
fn without_nans(call: &mut Call, reducer: Reducer, worst: f64, empty: Empty) -> Result<PyValue, FunctionError> {
    let plan = plan(call)?;
    let dtype = call.builder.dtype(plan.array.value);
    if dtype.is_complex() {
        return Err(no_order(call, dtype));
    }
    if !dtype.is_float() {
        return extremum_of_integers(call, reducer);
    }
    let mask = counted::mask(call, &plan)?;
    let initial = counted::initial(call, dtype)?;
    let row = Reduction { reducer, accumulate: Accumulate::Own, prepare: None, empty: Some(empty) };
    check_first(call, &row, &plan, initial, mask.is_some())?;
    let parts = Parts {
        body: &mut |b, v| {
            let nan = b.is_nan(v[0]);
            let left_out = match v.get(1) {
                Some(mask) => {
                    let masked = b.not(*mask);
                    b.either(nan, masked)
                }
                None => nan,
            };
            let worst = b.number(worst, v[0]);
            vec![b.select(left_out, worst, v[0]), left_out]
        },
        reducers: &[reducer, Reducer::And],
        epilogue: &mut |b, v| {
            let nan = b.number(f64::NAN, v[0]);
            vec![b.select(v[1], nan, v[0])]
        },
    };
    let inputs: Vec<Typed> = std::iter::once(plan.array).chain(mask).collect();
    let mut value = reduce_over(call.builder, &plan, &inputs, &[dtype, DType::Bool][..inputs.len()], parts)[0];
    if let Initial::Value(initial) = initial {
        let extents = call.builder.shape(value);
        let op = if reducer == Reducer::Max { ScalarOp::FMax } else { ScalarOp::FMin };
        let operands = [initial, value].map(|value| Typed { value, family: Family::Array });
        value = elementwise::over(call.builder, &extents, &operands, &[dtype; 2], &mut |b, v| vec![b.op(op, v)])[0];
    }
    result(call, &plan, value)
}

fn extremum_of_integers(call: &mut Call, reducer: Reducer) -> Result<PyValue, FunctionError> {
    let name = if reducer == Reducer::Max { "numpy.max" } else { "numpy.min" };
    let keywords = call.bound.iter().filter(|b| b.name != "a").map(|b| (b.name.to_string(), b.value.clone())).collect();
    let positional = call.get("a").into_iter().collect();
    let function = super::lookup(name).expect("the table has extremes");
    super::call(call.builder, function, &Arguments { positional, keywords, ..Arguments::default() })
}
