//! Views: every basic index and every function that gives one.

use crate::value::{Form, Value, slice_length};
use crate::writer::Writer;

/// A part of an index, and the extent that it leaves; `None` where it takes the axis away.
struct Taken {
    text: String,
    extent: Option<i64>,
}

impl Taken {
    fn slice(text: impl Into<String>, extent: i64) -> Taken {
        Taken { text: text.into(), extent: Some(extent) }
    }
}

impl Writer {
    /// A view of an array, of any rank up to 4.
    pub fn view(&mut self, of: &Value) -> Value {
        let mut view = if self.percent(60) { self.indexed(of) } else { self.view_function(of) };
        if self.once_in(5) && view.is_array() {
            view = if self.once_in(2) { self.indexed(&view) } else { self.view_function(&view) };
        }
        view
    }

    /// A view of the same rank.
    pub fn view_of_same_rank(&mut self, of: &Value) -> Value {
        for _ in 0..6 {
            let view = self.view(of);
            if view.is_array() && view.rank() == of.rank() {
                return view;
            }
        }
        of.clone()
    }

    /// A basic index that leaves an array.
    pub fn indexed(&mut self, of: &Value) -> Value {
        let n_given = 1 + self.numbers.below(of.rank().max(1));
        let n_given = n_given.min(of.rank());
        let (mut parts, mut shape): (Vec<String>, Vec<i64>) = (Vec::new(), Vec::new());
        let ellipsis = if of.rank() == 0 || self.once_in(8) { Some(self.numbers.below(n_given + 1)) } else { None };
        let n_hidden = of.rank() - n_given;
        let mut axis = 0;
        for given in 0..=n_given {
            if ellipsis == Some(given) {
                parts.push("...".to_string());
                shape.extend(&of.shape[axis..axis + n_hidden]);
                axis += n_hidden;
            }
            if self.once_in(14) && of.rank() < 4 {
                parts.push(self.numbers.pick(&["None", "np.newaxis"]).to_string());
                shape.push(1);
            }
            if given < n_given {
                let taken = self.taken(of.shape[axis]);
                shape.extend(taken.extent);
                parts.push(taken.text);
                axis += 1;
            }
        }
        shape.extend(&of.shape[axis..]);
        if shape.is_empty() && ellipsis.is_none() {
            parts.push("...".to_string());
        }
        Value { text: format!("{}[{}]", of.text, parts.join(", ")), shape, ..of.clone() }
    }

    /// An index of one axis.
    fn taken(&mut self, extent: i64) -> Taken {
        match self.numbers.below(20) {
            0..=2 => Taken::slice(":", extent),
            3..=5 if extent > 0 || self.once_in(10) => Taken { text: self.position(extent), extent: None },
            6 => self.strided(None, None, self_step(extent), extent),
            7 | 8 => self.strided(None, None, -1, extent),
            9 => {
                let step = self.numbers.pick(&[2, -2, 3]);
                self.strided(None, None, step, extent)
            }
            10 | 11 => self.dynamic(extent),
            _ => {
                let lower = if self.once_in(3) { None } else { Some(self.between(-extent.min(2) - 1, extent.min(3))) };
                let upper = if self.once_in(3) { None } else { Some(self.between(-2, extent + 1)) };
                let step = self.numbers.pick(&[1, 1, 1, 1, 2, -1]);
                let length = slice_length(lower, upper, step, extent);
                if length == 0 && !self.once_in(8) {
                    return Taken::slice(":", extent);
                }
                self.strided(lower, upper, step, extent)
            }
        }
    }

    fn strided(&mut self, lower: Option<i64>, upper: Option<i64>, step: i64, extent: i64) -> Taken {
        let bound = |b: Option<i64>| b.map_or(String::new(), |b| b.to_string());
        let tail = if step == 1 { String::new() } else { format!(":{step}") };
        let text = format!("{}:{}{tail}", bound(lower), bound(upper));
        Taken::slice(text, slice_length(lower, upper, step, extent))
    }

    /// A slice whose bounds are names.
    fn dynamic(&mut self, extent: i64) -> Taken {
        let k = self.int();
        let (text, lower, upper) = match self.numbers.below(4) {
            0 => (format!("{}:", k.text), Some(k.sample), None),
            1 => (format!(":{}", k.text), None, Some(k.sample)),
            2 => (format!("{}:{} + 2", k.text, k.text), Some(k.sample), Some(k.sample + 2)),
            _ => (format!("-{}:", k.text), Some(-k.sample), None),
        };
        let length = slice_length(lower, upper, 1, extent);
        if length == 0 && !self.once_in(6) { Taken::slice(":", extent) } else { Taken::slice(text, length) }
    }

    /// An integer index, within the extent but for few.
    pub fn position(&mut self, extent: i64) -> String {
        let named = self.variable(|v| v.form == Form::Int && (v.sample < extent && v.sample >= -extent));
        match named {
            Some(k) if self.once_in(3) => k.text,
            _ if self.once_in(60) => (extent + 1).to_string(),
            _ => self.between(-extent, extent - 1).to_string(),
        }
    }

    /// One element of an array, as a NumPy scalar; `None` of an empty one.
    pub fn element(&mut self, of: &Value) -> Option<Value> {
        if of.size() == 0 || of.rank() == 0 {
            return None;
        }
        let parts: Vec<String> = of.shape.clone().iter().map(|extent| self.position(*extent)).collect();
        Some(Value::scalar(format!("{}[{}]", of.text, parts.join(", ")), of.dtype))
    }

    /// A view made by a function, a method or an attribute.
    pub fn view_function(&mut self, of: &Value) -> Value {
        let rank = of.rank();
        let with = |text: String, shape: Vec<i64>| Value { text, shape, ..of.clone() };
        let reversed: Vec<i64> = of.shape.iter().rev().copied().collect();
        let t = of.text.as_str();
        match self.numbers.below(22) {
            0 | 1 => with(self.form(&["{}.T", "{}.transpose()", "np.transpose({})"], &[t]), reversed),
            2 if rank > 1 => self.permuted(of),
            3 if rank > 1 => self.swapped(of),
            4 | 5 => self.reshaped(of),
            6 => with(self.form(&["np.ravel({})", "{}.ravel()", "{}.reshape(-1)"], &[t]), vec![of.size()]),
            7 if rank < 4 => {
                let axis = self.between(0, rank as i64);
                let mut shape = of.shape.clone();
                shape.insert(axis as usize, 1);
                with(format!("np.expand_dims({t}, {axis})"), shape)
            }
            8 if rank > 0 => with(format!("np.flip({t})"), of.shape.clone()),
            9 if rank > 0 => {
                let axis = self.between(-(rank as i64), rank as i64 - 1);
                with(format!("np.flip({t}, {axis})"), of.shape.clone())
            }
            10 if rank > 1 => with(self.form(&["np.flipud({})", "np.fliplr({})"], &[t]), of.shape.clone()),
            11 => self.squeezed(of),
            12 if rank > 0 && rank < 3 => {
                let mut shape = vec![2];
                shape.extend(&of.shape);
                let text = format!("np.broadcast_to({t}, ({}))", tuple(&shape));
                Value { writeable: false, ..with(text, shape) }
            }
            13 if of.dtype.is_complex() => {
                let text = self.form(&["{}.real", "{}.imag", "np.real({})", "np.imag({})"], &[t]);
                Value { dtype: of.dtype.real(), ..with(text, of.shape.clone()) }
            }
            14 => with(self.form(&["np.asarray({})", "np.real({})"], &[t]), of.shape.clone()).real_part(of),
            15 => with(format!("{t}[...]"), of.shape.clone()),
            16 if rank > 0 => with(format!("{t}[:]"), of.shape.clone()),
            17 if rank < 2 => self.at_least(of),
            18..=21 => self.newer_view_function(of),
            _ => self.indexed(of),
        }
    }

    fn permuted(&mut self, of: &Value) -> Value {
        let mut axes: Vec<usize> = (0..of.rank()).collect();
        for last in (1..axes.len()).rev() {
            let other = self.numbers.below(last + 1);
            axes.swap(last, other);
        }
        let shape: Vec<i64> = axes.iter().map(|a| of.shape[*a]).collect();
        let axes: Vec<String> = axes.iter().map(usize::to_string).collect();
        let text = self.form(&["{}.transpose({})", "np.transpose({}, ({}))"], &[&of.text, &axes.join(", ")]);
        Value { text, shape, ..of.clone() }
    }

    fn swapped(&mut self, of: &Value) -> Value {
        let rank = of.rank() as i64;
        let (a, b) = (self.between(-rank, rank - 1), self.between(0, rank - 1));
        let mut shape = of.shape.clone();
        let (i, j) = (((a + rank) % rank) as usize, b as usize);
        if self.once_in(2) {
            shape.swap(i, j);
            let text = self
                .form(&["np.swapaxes({}, {}, {})", "{}.swapaxes({}, {})"], &[&of.text, &a.to_string(), &b.to_string()]);
            return Value { text, shape, ..of.clone() };
        }
        let extent = shape.remove(i);
        shape.insert(j, extent);
        Value { text: format!("np.moveaxis({}, {a}, {b})", of.text), shape, ..of.clone() }
    }

    /// Another shape of the same size: a view where NumPy gives one, else a copy.
    pub fn reshaped(&mut self, of: &Value) -> Value {
        let size = of.size();
        let factors: Vec<i64> = (1..=size).filter(|f| size % f == 0).collect();
        if factors.is_empty() {
            return Value { text: format!("{}.reshape(-1)", of.text), shape: vec![size], ..of.clone() };
        }
        let a = self.numbers.pick(&factors);
        let rest: Vec<i64> = factors.iter().copied().filter(|f| (size / a) % f == 0).collect();
        let b = self.numbers.pick(&rest);
        let shape = match self.numbers.below(4) {
            0 => vec![size],
            1 if of.rank() < 4 => vec![a, b, size / a / b],
            _ => vec![a, size / a],
        };
        let mut written: Vec<i64> = shape.clone();
        if self.once_in(2) {
            let axis = self.numbers.below(written.len());
            written[axis] = -1;
        }
        let text =
            self.form(&["{}.reshape({})", "{}.reshape(({}))", "np.reshape({}, ({}))"], &[&of.text, &tuple(&written)]);
        Value { text, shape, ..of.clone() }
    }

    /// Without an axis of extent 1; with one made first where there is none.
    fn squeezed(&mut self, of: &Value) -> Value {
        let mut shape = of.shape.clone();
        if let Some(axis) = shape.iter().position(|e| *e == 1) {
            shape.remove(axis);
            let text = self.form(&["np.squeeze({}, {})", "{}.squeeze({})"], &[&of.text, &axis.to_string()]);
            return Value { text, shape, ..of.clone() };
        }
        let text = self.form(&["np.squeeze({}[None], 0)", "{}[None].squeeze(0)"], &[&of.text]);
        Value { text, ..of.clone() }
    }

    fn at_least(&mut self, of: &Value) -> Value {
        let mut shape = of.shape.clone();
        let wanted = 1 + self.numbers.below(2);
        while shape.len() < wanted {
            shape.insert(0, 1);
        }
        Value { text: format!("np.atleast_{wanted}d({})", of.text), shape, ..of.clone() }
    }

    /// A view that is broadcast to a shape as it is; `None` where the array is too small for it.
    pub fn fitted(&mut self, of: &Value, target: &[i64]) -> Option<Value> {
        let too_many = of.rank().saturating_sub(target.len());
        let mut parts = Vec::new();
        let mut shape = Vec::new();
        for extent in &of.shape[..too_many] {
            if *extent == 0 {
                return None;
            }
            parts.push(self.position(*extent));
        }
        let first = target.len() - (of.rank() - too_many);
        for (axis, extent) in of.shape[too_many..].iter().enumerate() {
            let taken = self.cut(*extent, target[first + axis])?;
            shape.extend(taken.extent);
            parts.push(taken.text);
        }
        if parts.iter().all(|p| p == ":") {
            return Some(of.clone());
        }
        if shape.is_empty() {
            return None;
        }
        Some(Value { text: format!("{}[{}]", of.text, parts.join(", ")), shape, ..of.clone() })
    }

    /// A slice of an axis that has a wanted extent, or 1.
    fn cut(&mut self, extent: i64, wanted: i64) -> Option<Taken> {
        if extent == wanted {
            return Some(if self.once_in(6) { Taken::slice("::-1", extent) } else { Taken::slice(":", extent) });
        }
        if extent > wanted && wanted > 0 {
            if extent >= 2 * wanted && self.once_in(3) {
                return Some(Taken::slice(format!(":{}:2", 2 * wanted), wanted));
            }
            let spare = extent - wanted;
            let start = self.between(0, spare);
            return Some(match self.numbers.below(3) {
                0 => Taken::slice(format!("{start}:{}", start + wanted), wanted),
                1 => Taken::slice(format!("{spare}:"), wanted),
                _ => Taken::slice(format!(":-{spare}"), wanted),
            });
        }
        match extent {
            0 => None,
            1 => Some(Taken::slice(":", 1)),
            _ => Some(if self.once_in(2) { Taken::slice(":1", 1) } else { Taken::slice("-1:", 1) }),
        }
    }
}

impl Value {
    /// `np.real` of complex numbers has another dtype.
    fn real_part(self, of: &Value) -> Value {
        if self.text.starts_with("np.real") { Value { dtype: of.dtype.real(), ..self } } else { self }
    }
}

/// A step that goes beyond the axis.
fn self_step(extent: i64) -> i64 {
    -(extent + 1)
}

/// `3, 2`; `3,` of one.
pub fn tuple(shape: &[i64]) -> String {
    let all: Vec<String> = shape.iter().map(i64::to_string).collect();
    if all.len() == 1 { format!("{},", all[0]) } else { all.join(", ") }
}
