//! Rows of class `Map`: NumPy's universal functions and what is like them.
//!
//! A row names its loops and what is computed of one element; this file chooses the loop as NumPy does and emits the computation.

use numptx_source::code;

use super::binding::Call;
use super::elementwise::{self, Compute, Typing};
use super::error::{bad_argument, listed};
use super::loops::{self, Found, Loop, LoopPattern};
use super::output::Write;
use super::value::{FunctionError, PyValue, Typed};
use super::{Class, Function, convert, counted, output};
use crate::DType;
use crate::promotion::{self, Casting, Operand};
use crate::scalar::{BodyBuilder, ScalarOp, Val};

/// What is computed of one element of each operand; the values have the loop's input dtypes, the results its output dtypes.
pub type Compose = fn(&mut BodyBuilder, &[Val]) -> Vec<Val>;

/// Emits what a call needs besides its body, and may replace the body for these operands.
pub type Specialise = fn(&mut Call, &[Typed], &Loop) -> Result<Option<Compose>, FunctionError>;

/// What is computed.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// One operation of the closed set.
    Op(ScalarOp),
    /// Several; of `float16` they are computed in `float32`, and the results rounded.
    Compose(Compose),
    /// Several, in the loop's own dtype.
    Steps(Compose),
}

/// How operands choose the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The first loop that they can be cast to safely.
    First,
    /// As `First`, but a call of bools alone is refused, as NumPy does.
    FirstNotBool,
    /// As `First`, but integers and bools alone compute in `float64`.
    Division,
    /// As `First`, but Python ints beside integers are `int64`, so that any of them can be compared.
    Comparison,
    /// Operands need not have a common dtype.
    Separate,
    /// Operands of any dtype are cast to bool.
    Truth,
}

/// The data of an elementwise row.
#[derive(Debug)]
pub struct Elementwise {
    /// Number of operands.
    pub n_inputs: usize,
    /// Number of results.
    pub n_outputs: usize,
    /// Its loops, in NumPy's order.
    pub loops: &'static [LoopPattern],
    /// How the loop is chosen.
    pub rule: Rule,
    /// What is computed.
    pub meaning: Meaning,
    /// What is computed in complex loops, where that differs.
    pub complex: Option<Compose>,
    /// What some operands need besides.
    pub specialise: Option<Specialise>,
}

pub(super) const UNARY: &str =
    "x, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None";
pub(super) const BINARY: &str =
    "x1, x2, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None";
const UNARY_TO_TWO: &str = "x, out1=None, out2=None, /, *, out=(None, None), where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None";
const BINARY_TO_TWO: &str = "x1, x2, out1=None, out2=None, /, *, out=(None, None), where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None";
const WITHOUT: &[&str] = &["order", "subok", "signature"];

/// A function of one operand.
pub(super) const fn unary(name: &'static str, loops: &'static [LoopPattern], meaning: Meaning) -> Function {
    Function::new(name, UNARY, Class::Map(elementwise(1, loops, meaning))).without(WITHOUT)
}

/// A function of two operands.
pub(super) const fn binary(name: &'static str, loops: &'static [LoopPattern], meaning: Meaning) -> Function {
    Function::new(name, BINARY, Class::Map(elementwise(2, loops, meaning))).without(WITHOUT)
}

const fn elementwise(n_inputs: usize, loops: &'static [LoopPattern], meaning: Meaning) -> Elementwise {
    Elementwise { n_inputs, n_outputs: 1, loops, rule: Rule::First, meaning, complex: None, specialise: None }
}

/// One operation of the closed set.
pub(super) const fn op(op: ScalarOp) -> Meaning {
    Meaning::Op(op)
}

/// Several operations, each in the loop's own dtype.
pub(super) const fn steps(compose: Compose) -> Meaning {
    Meaning::Steps(compose)
}

/// Several operations.
pub(super) const fn compose(compose: Compose) -> Meaning {
    Meaning::Compose(compose)
}

impl Function {
    /// What complex loops compute.
    pub(super) const fn complex(self, compose: Compose) -> Self {
        self.map(MapChange::Complex(compose))
    }

    /// How the loop is chosen.
    pub(super) const fn rule(self, rule: Rule) -> Self {
        self.map(MapChange::Rule(rule))
    }

    /// Two results.
    pub(super) const fn outputs(self, n_outputs: usize) -> Self {
        self.map(MapChange::Outputs(n_outputs))
    }

    /// What some operands need besides the body.
    pub(super) const fn specialise(self, specialise: Specialise) -> Self {
        self.map(MapChange::Specialise(specialise))
    }

    const fn map(mut self, change: MapChange) -> Self {
        if let Class::Map(map) = &mut self.class {
            match change {
                MapChange::Complex(compose) => map.complex = Some(compose),
                MapChange::Rule(rule) => map.rule = rule,
                MapChange::Outputs(n) => {
                    map.n_outputs = n;
                    self.parameters = if map.n_inputs == 1 { UNARY_TO_TWO } else { BINARY_TO_TWO };
                    self.differs = "names the outputs that NumPy takes by position, too";
                }
                MapChange::Specialise(specialise) => map.specialise = Some(specialise),
            }
        }
        self
    }
}

#[derive(Clone, Copy)]
enum MapChange {
    Complex(Compose),
    Rule(Rule),
    Outputs(usize),
    Specialise(Specialise),
}

impl Elementwise {
    /// The computation of one loop.
    pub fn compose(&self, found: &Loop, body: &mut BodyBuilder, values: &[Val]) -> Vec<Val> {
        let is_complex = found.inputs.iter().any(|d| d.is_complex());
        match (self.complex.filter(|_| is_complex), self.meaning) {
            (Some(complex), _) => complex(body, values),
            (None, Meaning::Op(op)) => vec![body.op(op, values)],
            (None, Meaning::Compose(compose)) if found.inputs.contains(&DType::F16) => {
                in_single(compose, found, body, values)
            }
            (None, Meaning::Compose(compose) | Meaning::Steps(compose)) => compose(body, values),
        }
    }

    /// The loop for some operands, unless the row looks at values before it computes: of floats it does for short ways alone.
    pub fn plain_loop(&self, operands: &[Operand]) -> Option<Loop> {
        match self.find(operands) {
            Found::Loop(found) if self.specialise.is_none() || !found.inputs[0].is_integer() => Some(found),
            _ => None,
        }
    }

    /// The loop for some operands.
    pub fn find(&self, operands: &[Operand]) -> Found {
        let all = |is: fn(DType) -> bool| operands.iter().all(|o| matches!(o, Operand::Strong(d) if is(*d)));
        let integral = |o: &Operand| match o {
            Operand::Strong(dtype) => dtype.is_integer() || *dtype == DType::Bool,
            Operand::WeakInt => true,
            Operand::WeakFloat | Operand::WeakComplex => false,
        };
        match self.rule {
            Rule::FirstNotBool if all(|d| d == DType::Bool) => Found::Nothing,
            Rule::Division if operands.iter().all(integral) => {
                loops::find(self.loops, &vec![Operand::Strong(DType::F64); operands.len()])
            }
            Rule::Comparison if operands.iter().all(integral) => loops::find(self.loops, &int64(operands)),
            Rule::Separate => loops::find(self.loops, &separate(operands)),
            Rule::Truth => Found::Loop(Loop { inputs: vec![DType::Bool; operands.len()], outputs: vec![DType::Bool] }),
            _ => loops::find(self.loops, operands),
        }
    }

    /// The dtypes that it accepts, as NumPy's type characters.
    pub fn dtypes(&self) -> String {
        let second = |d: DType| if self.rule == Rule::Separate { DType::I32 } else { d };
        let operands = |d: DType| [Operand::Strong(d), Operand::Strong(second(d))];
        let accepts = |d: &DType| matches!(self.find(&operands(*d)[..self.n_inputs]), Found::Loop(_));
        DType::ALL.into_iter().filter(accepts).map(DType::character).collect()
    }
}

/// Several operations on `float16`, in `float32` and rounded at the end, as NumPy's loops have it.
fn in_single(compose: Compose, found: &Loop, body: &mut BodyBuilder, values: &[Val]) -> Vec<Val> {
    let wide = |body: &mut BodyBuilder, v: &Val| match body.dtype(*v) {
        DType::F16 => body.cast(*v, DType::F32),
        _ => *v,
    };
    let values: Vec<Val> = values.iter().map(|v| wide(body, v)).collect();
    let results = compose(body, &values);
    results.into_iter().zip(&found.outputs).map(|(value, dtype)| body.cast(value, *dtype)).collect()
}

/// Python ints as `int64`.
fn int64(operands: &[Operand]) -> Vec<Operand> {
    let strong = |o: &Operand| if *o == Operand::WeakInt { Operand::Strong(DType::I64) } else { *o };
    operands.iter().map(strong).collect()
}

/// A second Python int is `int64`; a first one beside an integer is as narrow as any, as NumPy has it.
fn separate(operands: &[Operand]) -> Vec<Operand> {
    let mut result = int64(operands);
    if let [Operand::WeakInt, Operand::Strong(dtype)] = operands
        && dtype.is_integer()
    {
        result[0] = Operand::Strong(DType::I8);
    }
    result
}

/// Emits a call of an elementwise row.
pub(super) fn call(call: &mut Call, row: &'static Elementwise) -> Result<PyValue, FunctionError> {
    let names = if row.n_inputs == 1 { &["x"][..] } else { &["x1", "x2"][..] };
    let operands = names.iter().map(|name| call.operand(name)).collect::<Result<Vec<Typed>, _>>()?;
    let kinds: Vec<Operand> = operands.iter().map(|t| convert::operand(call.builder, *t)).collect();
    let casting = call.casting()?;
    let found = match call.dtype("dtype")? {
        Some(dtype) => loops::find_with_output(row.loops, &kinds, dtype, casting),
        None => row.find(&kinds),
    };
    let found = match found {
        Found::Loop(found) => found,
        Found::Nothing => return Err(no_loop(call, row, &operands)),
    };
    // Other rules hold in the loop that was found; any dtype has a truth of its own.
    if casting == Casting::Equivalent && row.rule != Rule::Truth {
        check_inputs(call, &kinds, &found, casting)?;
    }
    let mask = counted::chosen(call)?;
    if mask.is_some() && row.specialise.is_some() && found.inputs.iter().all(|d| d.is_integer()) {
        let message = format!("`where` of `{}` of integers is not supported", call.function.name);
        return Err(bad_argument(message).help("choose the operands first: `np.power(x, np.where(mask, n, 0))`"));
    }
    let special = match row.specialise {
        Some(specialise) => specialise(call, &operands, &found)?,
        None => None,
    };
    let mut compute = |body: &mut BodyBuilder, values: &[Val]| match special {
        Some(compose) => compose(body, values),
        None => row.compose(&found, body, values),
    };
    match mask {
        Some(mask) => emit_where(call, &operands, &found, mask, &mut compute),
        None => emit(call, &operands, &found.inputs, &mut compute),
    }
}

/// What `casting` says of the loop's inputs. Python scalars have no dtype that they could lose; only `"equiv"` refuses them, in NumPy too.
fn check_inputs(call: &Call, kinds: &[Operand], found: &Loop, casting: Casting) -> Result<(), FunctionError> {
    let is_weak = |kind: &Operand| !matches!(kind, Operand::Strong(_));
    if call.get("casting") == Some(PyValue::Str("equiv".into())) && kinds.iter().any(is_weak) {
        return Err(call.refuse("casting", "another rule where an operand is a Python number"));
    }
    for (kind, to) in kinds.iter().zip(&found.inputs) {
        if let Operand::Strong(from) = kind
            && !promotion::can_cast(*from, *to, casting)
        {
            let message = format!("`casting` of `{}` does not let `{from}` become `{to}`", call.function.name);
            let help = format!("cast first, with `.astype(np.{to})`, or leave `casting=` out");
            return Err(FunctionError::new(code::CAST_REFUSED, message).at(call.position("casting")).help(help));
        }
    }
    Ok(())
}

/// Computes where a mask is true, and leaves the other elements of `out=` as they are: the mask chooses between the two, element by element.
fn emit_where(
    call: &mut Call,
    operands: &[Typed],
    found: &Loop,
    mask: Typed,
    compute: &mut Compute,
) -> Result<PyValue, FunctionError> {
    let casting = call.casting()?;
    let outs: Vec<Typed> = call.outputs(found.outputs.len())?.into_iter().flatten().collect();
    if outs.len() < found.outputs.len() {
        let name = call.function.name;
        let message =
            format!("`{name}` with `where` needs `out`: NumPy leaves what is not computed as it finds it in memory");
        let help = "write `out=np.zeros_like(x)`, or choose with `np.where(mask, result, other)`";
        return Err(bad_argument(message).at(call.position("where")).help(help));
    }
    let mut writes = Vec::with_capacity(outs.len());
    for (n, (out, from)) in outs.iter().zip(&found.outputs).enumerate() {
        let to = call.builder.dtype(out.value);
        output::check_cast(call, *from, to, casting)?;
        let all: Vec<Typed> = operands.iter().copied().chain([mask, *out]).collect();
        let dtypes: Vec<DType> = found.inputs.iter().copied().chain([DType::Bool, to]).collect();
        let typing = Typing { operands: &all, dtypes: &dtypes };
        let chosen = elementwise::compute(call.builder, typing, &mut |b, v| {
            let (inputs, rest) = v.split_at(operands.len());
            let value = compute(b, inputs)[n];
            let value = b.cast(value, to);
            vec![b.select(rest[0], value, rest[1])]
        })?;
        writes.extend(chosen.into_iter().map(|chosen| Write { value: chosen.value, from: *from, out: *out }));
    }
    output::write_all(call, &writes)?;
    Ok(one_or_tuple(outs.into_iter().map(PyValue::Typed).collect()))
}

/// Computes, and writes to `out=` if it is given. Results that are written are computed one by one, each where it belongs.
pub(super) fn emit(
    call: &mut Call,
    operands: &[Typed],
    dtypes: &[DType],
    compute: &mut Compute,
) -> Result<PyValue, FunctionError> {
    let typing = Typing { operands, dtypes };
    let results = elementwise::compute(call.builder, typing, compute)?;
    let outs = call.outputs(results.len())?;
    if results.len() < 2 || outs.iter().all(Option::is_none) {
        return output::deliver(call, results, &outs);
    }
    // What is not written has the shape and the memory order that all have together.
    let given = outs.iter().find_map(|out| *out).zip(dtypes.first());
    let all: Vec<Typed> = operands.iter().copied().chain(given.map(|(out, _)| out)).collect();
    let all_dtypes: Vec<DType> = dtypes.iter().chain(given.map(|(_, dtype)| dtype)).copied().collect();
    let mut single = Vec::with_capacity(results.len());
    for (n, out) in outs.iter().enumerate() {
        let typing = if out.is_some() { typing } else { Typing { operands: &all, dtypes: &all_dtypes } };
        single
            .extend(elementwise::compute(call.builder, typing, &mut |b, v| vec![compute(b, &v[..operands.len()])[n]])?);
    }
    output::deliver(call, single, &outs)
}

/// What a function with these results gives.
pub(super) fn one_or_tuple(mut values: Vec<PyValue>) -> PyValue {
    if values.len() == 1 { values.remove(0) } else { PyValue::Tuple(values) }
}

fn no_loop(call: &Call, row: &Elementwise, operands: &[Typed]) -> FunctionError {
    let name = call.function.name;
    let dtypes: Vec<&str> = operands.iter().map(|t| call.builder.dtype(t.value).name()).collect();
    let accepted = row.dtypes();
    let accepted: Vec<&str> =
        DType::ALL.iter().filter(|d| accepted.contains(d.character())).map(|d| d.name()).collect();
    if let Ok(Some(dtype)) = call.dtype("dtype") {
        return bad_argument(format!("`{name}` of {} has no loop with the result `{dtype}`", listed(&dtypes)))
            .help("leave `dtype=` out, and cast the operands or the result with `.astype`");
    }
    let message = format!("`{name}` does not exist for {}", listed(&dtypes));
    let help = match (row.rule, name) {
        (Rule::FirstNotBool, "numpy.subtract") => {
            "use `a ^ b` (`np.logical_xor`) for bools, or cast them with `.astype(np.int64)`".to_string()
        }
        (Rule::FirstNotBool, "numpy.negative") => {
            "use `~a` (`np.logical_not`) for bools, or cast them with `.astype(np.int64)`".to_string()
        }
        _ => format!("it exists for {}; cast with `.astype`", listed(&accepted)),
    };
    FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message).help(help)
}
