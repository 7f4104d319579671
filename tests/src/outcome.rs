//! What a run of a function gives and leaves in memory, and whether two runs gave the same.

use numptx_driver::ir::DType;
use numptx_driver::ir::array::interpret::{Contents, Failure, Object, Options, Value, View, interpret_printing};
use numptx_driver::ir::array::{Function, LoopStrategy, Module, RemarkKind};
use numptx_driver::ir::scalar::Constant;

use crate::arguments::Arguments;

/// Terms that a sum may have where arguments are small or there are no arrays: a loop counts to the ints among the arguments.
const LEAST_TERMS: usize = 16;

/// What a run gave.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// One a result; or the exception that was raised.
    pub results: Result<Vec<Returned>, String>,
    /// The elements of each base afterwards.
    pub memory: Vec<Vec<Bits>>,
    /// What each argument that is an object holds afterwards.
    pub objects: Vec<Returned>,
    /// What was printed.
    pub printed: String,
}

/// A result.
#[derive(Debug, PartialEq, Eq)]
pub enum Returned {
    /// A scalar.
    Scalar(Bits),
    /// An array.
    Array {
        /// One extent an axis.
        shape: Vec<i64>,
        /// In bytes, where more than one element lies along an axis.
        strides: Vec<Option<i64>>,
        /// In C order.
        elements: Vec<Bits>,
        /// The base, or an earlier result, whose memory it is, and the byte where it starts.
        shares: Option<(usize, i64)>,
    },
    /// A string.
    Text(String),
    /// A list, a dictionary or a set, where it is met the first time.
    Object {
        /// Its sort, as [`Contents`] has it.
        sort: u8,
        /// What its members are.
        layout: Vec<u8>,
        /// How many members it has.
        count: usize,
        /// Their leaves.
        leaves: Vec<Returned>,
    },
    /// The n-th object that was met, once more.
    Same(usize),
}

/// An element, comparable: zeros differ by their sign, and all that is no number is the same.
#[derive(Debug, PartialEq, Eq)]
pub enum Bits {
    /// `bool` and integers.
    Whole(i64),
    /// A float.
    Real(u64),
    /// Real and imaginary part.
    Complex(u64, u64),
}

impl Outcome {
    /// Whether another run gave the same: bit by bit, but for floats of a version of a function in which threads share the sums of loops that are
    /// written in order, or scans. These are rounded in another order: see Note [Sums in another order].
    #[must_use]
    pub fn agrees(&self, found: &Outcome, version: &Function) -> bool {
        let shares_sums = version.remarks.iter().any(|remark| match &remark.kind {
            RemarkKind::Loop { strategy, .. } => matches!(strategy, LoopStrategy::Reduction | LoopStrategy::Scan),
            _ => false,
        });
        self == found || (shares_sums && self.is_within(self.bound(version), found))
    }

    /// How far apart two floats may be, by the larger one or by 1.
    fn bound(&self, version: &Function) -> f64 {
        let dtypes = || version.values.iter().map(|value| value.ty.dtype().real());
        let has = |wanted: DType| dtypes().any(|dtype| dtype == wanted);
        let epsilon = match (has(DType::F16), has(DType::F32)) {
            (true, _) => 2f64.powi(-10),
            (false, true) => f32::EPSILON.into(),
            (false, false) => f64::EPSILON,
        };
        let n_terms = self.memory.iter().map(Vec::len).max().unwrap_or(0).max(LEAST_TERMS);
        n_terms as f64 * epsilon
    }

    fn is_within(&self, bound: f64, other: &Outcome) -> bool {
        let (Ok(some), Ok(others)) = (&self.results, &other.results) else { return false };
        all_within(bound, some, others)
            && all_within(bound, &self.objects, &other.objects)
            && self.printed == other.printed
            && self.memory.iter().zip(&other.memory).all(|(a, b)| are_within(bound, a, b))
    }
}

impl Returned {
    fn is_within(&self, bound: f64, other: &Returned) -> bool {
        match (self, other) {
            (Returned::Scalar(a), Returned::Scalar(b)) => a.is_within(bound, b),
            (
                Returned::Array { shape, strides, elements, shares },
                Returned::Array { shape: shape_of, strides: strides_of, elements: others, shares: shares_of },
            ) => (shape, strides, shares) == (shape_of, strides_of, shares_of) && are_within(bound, elements, others),
            (
                Returned::Object { sort, layout, count, leaves },
                Returned::Object { sort: sort_of, layout: layout_of, count: count_of, leaves: others },
            ) => (sort, layout, count) == (sort_of, layout_of, count_of) && all_within(bound, leaves, others),
            _ => self == other,
        }
    }
}

fn all_within(bound: f64, some: &[Returned], others: &[Returned]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(a, b)| a.is_within(bound, b))
}

fn are_within(bound: f64, some: &[Bits], others: &[Bits]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(a, b)| a.is_within(bound, b))
}

impl Bits {
    fn is_within(&self, bound: f64, other: &Bits) -> bool {
        let near = |a: u64, b: u64| {
            let [x, y] = [a, b].map(f64::from_bits);
            a == b || (x - y).abs() <= bound * x.abs().max(y.abs()).max(1.0)
        };
        match (self, other) {
            (Bits::Real(a), Bits::Real(b)) => near(*a, *b),
            (Bits::Complex(re, im), Bits::Complex(re_of, im_of)) => near(*re, *re_of) && near(*im, *im_of),
            _ => self == other,
        }
    }
}

fn float_bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

impl From<Constant> for Bits {
    fn from(constant: Constant) -> Bits {
        match constant {
            Constant::Bool(value) => Bits::Whole(value.into()),
            Constant::Int(value) => Bits::Whole(value),
            Constant::Float(value) => Bits::Real(float_bits(value)),
            Constant::Complex(re, im) => Bits::Complex(float_bits(re), float_bits(im)),
        }
    }
}

/// Runs a function of a module that is known to be verified.
///
/// # Errors
/// What the interpreter finds to be wrong with the IR, a race or a leak say; or that the run takes too long.
pub fn outcome(
    module: &Module,
    function: &str,
    arguments: &Arguments,
    seed: u64,
    fuel: u64,
) -> Result<Outcome, String> {
    let options = Options { fuel, seed, is_verified: true, fails_at: None };
    let named = module.functions.iter().find(|named| named.name == function);
    let numbered = named.map_or(&[][..], |named| &named.signature.numbered);
    let mut printed = String::new();
    let found = interpret_printing(module, function, &arguments.values, options, &mut printed);
    let mut met = Met { views: arguments.bases.clone(), objects: Vec::new() };
    let objects = arguments.values.iter().filter(|value| matches!(value, Value::Object(_)));
    let objects = objects.map(|value| met.returned(value, false)).collect::<Result<_, _>>()?;
    let results = match found {
        // Results that become objects by their numbers are compared: whose memory they are nobody sees.
        Ok((values, _)) => {
            let values = values.iter().enumerate();
            Ok(values.map(|(leaf, value)| met.returned(value, numbered.contains(&leaf))).collect::<Result<_, _>>()?)
        }
        Err(Failure::Raised { kind, message }) => Err(format!("{kind:?}: {message}")),
        Err(Failure::Invalid(message)) => return Err(message),
    };
    let memory = arguments.bases.iter().map(elements).collect::<Result<_, _>>()?;
    Ok(Outcome { results, memory, objects, printed })
}

fn elements(view: &View) -> Result<Vec<Bits>, String> {
    let elements = view.elements().map_err(|e| format!("{e:?}"))?;
    Ok(elements.into_iter().map(Bits::from).collect())
}

/// What was met of results and arguments so far.
struct Met {
    /// Memory: bases, and arrays that are in none of those before.
    views: Vec<View>,
    /// Objects that may change.
    objects: Vec<Object>,
}

impl Met {
    /// `is_numbered`: it does not matter whose memory it is.
    fn returned(&mut self, value: &Value, is_numbered: bool) -> Result<Returned, String> {
        match value {
            Value::Scalar(constant) => Ok(Returned::Scalar((*constant).into())),
            Value::Array(view) => self.array(view, is_numbered),
            Value::Object(object) => self.object(object),
        }
    }

    fn array(&mut self, view: &View, is_numbered: bool) -> Result<Returned, String> {
        let shares = self.views.iter().position(|known| known.buffer == view.buffer && !is_numbered);
        let is_empty = view.shape.contains(&0);
        let strides = view.shape.iter().zip(&view.strides).map(|(n, s)| (*n > 1 && !is_empty).then_some(*s));
        if shares.is_none() && !is_numbered {
            self.views.push(view.clone());
        }
        Ok(Returned::Array {
            shape: view.shape.clone(),
            strides: strides.collect(),
            elements: elements(view)?,
            shares: shares.map(|base| (base, if is_empty { 0 } else { view.offset })),
        })
    }

    /// Strings never change: which of them are one nobody sees.
    fn object(&mut self, object: &Object) -> Result<Returned, String> {
        if object.references() <= 0 {
            return Err("an object is released that is still there".to_string());
        }
        if let Some(number) = self.objects.iter().position(|known| known == object) {
            return Ok(Returned::Same(number));
        }
        match object.contents() {
            Contents::Text(text) => Ok(Returned::Text(text)),
            Contents::Members { sort, layout, count, leaves } => {
                self.objects.push(object.clone());
                let leaves = leaves.iter().map(|leaf| self.returned(leaf, false)).collect::<Result<_, _>>()?;
                Ok(Returned::Object { sort, layout, count, leaves })
            }
        }
    }
}

// Note [Sums in another order]
//
// The sum of n terms that is rounded n - 1 times is off by at most (n - 1) u Σ|x|, where u is half of the dtype's epsilon, whatever the order
// (Higham, Accuracy and Stability of Numerical Algorithms, 4.2). Two orders are thus apart by at most (n - 1) epsilon Σ|x|. As n stands the number of
// elements of the largest argument, and as Σ|x| the sum itself, or 1 where it is smaller: the elements of arguments are whole numbers up to 3
// (`arguments.rs`), whose own sums are exact. A function that computes with both kinds of floats rounds as float32 does.
