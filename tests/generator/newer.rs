//! Functions that are no methods of arrays or came late: each with a weight, 0 where the compiler does not have it.

use crate::dtype::{DType, Kind, promote};
use crate::value::{Value, broadcast};
use crate::writer::Writer;

/// A kind of view or computation, and how often it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feature {
    Rot90,
    Diagonal,
    Split,
    SlidingWindow,
    BroadcastArrays,
    Product,
    Scan,
    Outer,
    Gather,
    Scatter,
}

const WEIGHTS: &[(Feature, usize)] = &[
    (Feature::Rot90, 2),
    (Feature::Diagonal, 2),
    (Feature::Split, 2),
    (Feature::SlidingWindow, 1),
    (Feature::BroadcastArrays, 1),
    (Feature::Product, 2),
    (Feature::Scan, 2),
    (Feature::Outer, 2),
    (Feature::Gather, 3),
    (Feature::Scatter, 2),
];

const VIEWS: &[Feature] =
    &[Feature::Rot90, Feature::Diagonal, Feature::Split, Feature::SlidingWindow, Feature::BroadcastArrays];
const VALUES: &[Feature] = &[Feature::Product, Feature::Scan, Feature::Outer, Feature::Gather];

fn weight(feature: Feature) -> usize {
    WEIGHTS.iter().find(|(f, _)| *f == feature).map_or(0, |(_, weight)| *weight)
}

impl Writer {
    /// One of several features by weight; `None` where all have weight 0.
    fn feature(&mut self, of: &[Feature]) -> Option<Feature> {
        let all: Vec<Feature> = of.iter().flat_map(|f| vec![*f; weight(*f)]).collect();
        if all.is_empty() { None } else { Some(self.numbers.pick(&all)) }
    }

    /// `rot90`, `diagonal`, the `split` family, sliding windows.
    pub fn newer_view_function(&mut self, of: &Value) -> Value {
        let with = |text: String, shape: Vec<i64>| Value { text, shape, ..of.clone() };
        let (t, rank) = (of.text.as_str(), of.rank());
        match self.feature(VIEWS) {
            Some(Feature::Rot90) if rank >= 2 => {
                let k = self.between(-1, 4);
                let mut shape = of.shape.clone();
                if k.rem_euclid(2) == 1 {
                    shape.swap(0, 1);
                }
                with(format!("np.rot90({t}, {k})"), shape)
            }
            Some(Feature::Diagonal) if rank >= 2 => {
                let k = self.between(-1, 1);
                let (n, m) = (of.shape[0], of.shape[1]);
                let length = if k >= 0 { n.min(m - k) } else { (n + k).min(m) }.max(0);
                let mut shape = of.shape[2..].to_vec();
                shape.push(length);
                let text = self.form(&["np.diagonal({}, {})", "{}.diagonal({})"], &[t, &k.to_string()]);
                Value { writeable: false, ..with(text, shape) }
            }
            Some(Feature::Split) if rank >= 1 => self.part(of),
            Some(Feature::SlidingWindow) if rank == 1 && of.shape[0] > 0 => {
                let window = self.between(1, of.shape[0].min(3));
                let text = format!("np.lib.stride_tricks.sliding_window_view({t}, {window})");
                Value { writeable: false, ..with(text, vec![of.shape[0] - window + 1, window]) }
            }
            Some(Feature::BroadcastArrays) => {
                let other = self.matching(&of.shape);
                match broadcast(&of.shape, &other.shape) {
                    Some(shape) if other.is_array() => {
                        let text = format!("np.broadcast_arrays({t}, {})[0]", other.text);
                        Value { writeable: false, ..with(text, shape) }
                    }
                    _ => self.indexed(of),
                }
            }
            _ => self.indexed(of),
        }
    }

    /// One of the parts that an array is split into along an axis.
    fn part(&mut self, of: &Value) -> Value {
        let axis = self.numbers.below(of.rank());
        let extent = of.shape[axis];
        let mut shape = of.shape.clone();
        if extent % 2 == 0 && self.once_in(2) {
            shape[axis] = extent / 2;
            let at = self.numbers.below(2);
            return Value { text: format!("np.split({}, 2, axis={axis})[{at}]", of.text), shape, ..of.clone() };
        }
        let first = self.between(0, extent);
        let at = self.numbers.below(2);
        shape[axis] = if at == 0 { first } else { extent - first };
        let name = self.numbers.pick(&["split", "array_split"]);
        Value { text: format!("np.{name}({}, [{first}], axis={axis})[{at}]", of.text), shape, ..of.clone() }
    }

    /// Matrix products, scans, outer products, elements by an array of positions.
    pub fn newer_value(&mut self) -> Option<Value> {
        match self.feature(VALUES)? {
            Feature::Product => self.product(),
            Feature::Scan => {
                let of = self.sequence_variable();
                if of.rank() == 0 {
                    return None;
                }
                let axis = self.numbers.below(of.rank());
                let dtype = of.dtype.accumulated();
                let name = self.numbers.pick(&["cumsum", "cumsum", "cumprod"]);
                let text = match self.numbers.below(3) {
                    0 => format!("np.{name}({}, axis={axis})", of.text),
                    1 => format!("{}.{name}({axis})", of.text),
                    _ => return Some(Value::array(format!("np.{name}({})", of.text), dtype, vec![of.size()])),
                };
                Some(Value::array(text, dtype, of.shape))
            }
            Feature::Outer => {
                let is_vector = |v: &Value| v.is_array() && v.rank() == 1;
                let (a, b) = (self.variable(is_vector)?, self.variable(is_vector)?);
                let dtype = promote(a.dtype, b.dtype);
                let name = if dtype.is_complex() { "add" } else { self.numbers.pick(&["add", "multiply", "maximum"]) };
                let shape = vec![a.shape[0], b.shape[0]];
                Some(Value::array(format!("np.{name}.outer({}, {})", a.text, b.text), dtype, shape))
            }
            Feature::Gather => {
                let of = self.sequence_variable();
                let (positions, n) = self.positions(of.shape[0]);
                let mut shape = of.shape.clone();
                shape[0] = n;
                Some(Value::array(format!("{}[{positions}]", of.text), of.dtype, shape))
            }
            _ => None,
        }
    }

    /// A store by an array of positions.
    pub fn scatter(&mut self) -> Option<String> {
        if weight(Feature::Scatter) == 0 {
            return None;
        }
        let of = self.variable(|v| v.is_array() && v.writeable && v.rank() > 0)?;
        let (positions, n) = self.positions(of.shape[0]);
        let mut shape = of.shape.clone();
        shape[0] = n;
        let place = format!("{}[{positions}]", of.text);
        if self.once_in(3) && of.dtype != DType::Bool {
            return Some(format!("{place} += 1"));
        }
        let value = self.matching(&shape);
        let fits = broadcast(&value.shape, &shape).as_ref() == Some(&shape);
        let is_kept = value.dtype.casts_to(of.dtype) && value.is_array();
        Some(if fits && is_kept { format!("{place} = {}", value.text) } else { format!("{place} = 2") })
    }

    /// An array of positions within an extent: in any order, from both ends, repeated; rarely beyond.
    pub fn positions(&mut self, extent: i64) -> (String, i64) {
        let named = self.variable(|v| v.is_array() && v.rank() == 1 && v.dtype.is_integer() && v.dtype != DType::U64);
        if extent == 0 {
            return ("np.zeros(0, dtype=np.int64)".to_string(), 0);
        }
        match named {
            Some(v) if self.once_in(2) && v.dtype.kind() == Kind::Signed => {
                let n = v.shape[0];
                (format!("{} % {extent}", v.text), n)
            }
            _ => {
                let n = self.between(1, 4);
                let at = |w: &mut Writer| if w.once_in(40) { extent } else { w.between(-extent, extent - 1) };
                let all: Vec<String> = (0..n).map(|_| at(self).to_string()).collect();
                (format!("np.array([{}])", all.join(", ")), n)
            }
        }
    }

    /// `a @ b` of whole numbers.
    fn product(&mut self) -> Option<Value> {
        let a = self.variable(|v| v.is_array() && (1..=2).contains(&v.rank()) && v.dtype != DType::Bool)?;
        let wanted = *a.shape.last()?;
        let fits =
            |v: &Value| v.is_array() && (1..=2).contains(&v.rank()) && v.dtype != DType::Bool && v.shape[0] == wanted;
        let b = self.variable(fits)?;
        let mut shape = a.shape[..a.rank() - 1].to_vec();
        shape.extend(&b.shape[1..]);
        let text = self.form(&["({} @ {})", "np.dot({}, {})", "np.matmul({}, {})"], &[&a.text, &b.text]);
        Some(Value::computed(text, promote(a.dtype, b.dtype), shape))
    }
}
