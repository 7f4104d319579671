//! Fourier transforms along one axis and several, with lengths, norms and outputs.

use crate::library::{complex, in_c_order};
use crate::value::Value;
use crate::writer::Writer;

const NORMS: &[&str] = &["", "", ", norm=\"ortho\"", ", norm=\"forward\"", ", norm=\"backward\""];

impl Writer {
    /// A transform of an array or of a view, and what becomes of it.
    pub fn transform(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let mut of = self.numeric(1)?;
        let is_named = self.once_in(3);
        if is_named {
            let of_bounded = self.bounded(&of);
            of = self.made(lines, "m", &of_bounded);
        }
        match self.numbers.below(8) {
            0..=3 => self.along_one(lines, &of),
            4 => self.transform_in_place(lines, &of),
            5 => {
                let call = self.form(&["np.fft.fftshift({})", "np.fft.ifftshift({}, axes=0)"], &[&of.text]);
                self.given(lines, &of.named(call).owned_copy());
            }
            _ if of.rank() >= 2 => self.along_several(lines, &of),
            _ => self.along_one(lines, &of),
        }
        if is_named {
            self.left(lines, &of);
        }
        Some(())
    }

    fn along_one(&mut self, lines: &mut Vec<String>, of: &Value) {
        let mut names = vec!["fft", "fft", "ifft", "ifft", "irfft", "hfft"];
        if !of.dtype.is_complex() {
            names.extend(["rfft", "rfft", "rfft", "ihfft"]);
        }
        let name = self.numbers.pick(&names);
        let axis = self.numbers.below(of.rank());
        let extent = of.shape[axis];
        let usual = if matches!(name, "irfft" | "hfft") { 2 * (extent - 1) } else { extent };
        let (given, n) = match self.numbers.below(4) {
            0 => {
                let n = self.between(1, 7);
                (format!(", n={n}"), n)
            }
            1 => {
                let n = self.int();
                if n.sample > 0 { (format!(", {}", n.text), n.sample) } else { (String::new(), usual) }
            }
            _ => (String::new(), usual),
        };
        let written = if self.once_in(2) { axis as i64 } else { axis as i64 - of.rank() as i64 };
        let norm = self.numbers.pick(NORMS);
        let mut shape = of.shape.clone();
        let wide = complex(of.dtype);
        let dtype = match name {
            "irfft" | "hfft" => {
                shape[axis] = n.max(0);
                wide.real()
            }
            "rfft" | "ihfft" => {
                shape[axis] = n.max(0) / 2 + 1;
                wide
            }
            _ => {
                shape[axis] = n.max(0);
                wide
            }
        };
        let call = format!("np.fft.{name}({}{given}, axis={written}{norm}", of.text);
        let value = Value::array(format!("{call})"), dtype, shape);
        // Into an output: where the extents follow from the operand's.
        if matches!(name, "fft" | "ifft") && given.is_empty() && self.once_in(3) {
            let extents: Vec<String> = (0..of.rank()).map(|axis| format!("{}.shape[{axis}]", of.text)).collect();
            let out = self.output(lines, &extents, &value);
            self.give_output(lines, &call, &out);
            return;
        }
        self.given(lines, &value);
    }

    /// `np.fft.fft(z, out=z)`, also of a view and into one.
    fn transform_in_place(&mut self, lines: &mut Vec<String>, of: &Value) {
        let Some(z) = self.variable(|v| v.is_array() && v.writeable && v.rank() > 0 && v.dtype.is_complex()) else {
            self.along_one(lines, of);
            return;
        };
        let reversed = z.named(format!("{}[::-1]", z.text));
        let source = if self.once_in(3) { reversed.clone() } else { z.clone() };
        let target = if self.once_in(3) { reversed } else { z.clone() };
        let axis = self.numbers.below(z.rank());
        let name = self.numbers.pick(&["fft", "ifft"]);
        let norm = self.numbers.pick(NORMS);
        let call = format!("np.fft.{name}({}, axis={axis}{norm}", source.text);
        match self.numbers.below(3) {
            0 => lines.push(format!("{}[...] = {call})", target.text)),
            _ => self.give_output(lines, &call, &target),
        }
    }

    fn along_several(&mut self, lines: &mut Vec<String>, of: &Value) {
        let rank = of.rank();
        let mut names = vec!["fft2", "ifft2", "fftn", "irfftn"];
        if !of.dtype.is_complex() {
            names.extend(["rfftn", "rfftn", "rfft2"]);
        }
        let name = self.numbers.pick(&names);
        let axes = match self.numbers.below(3) {
            0 => Some([0, 1]),
            1 => Some([rank - 1, 0]),
            _ => None,
        };
        let all: Vec<usize> = match (axes, name.ends_with('2')) {
            (Some(axes), _) => axes.to_vec(),
            (None, true) => vec![rank - 2, rank - 1],
            (None, false) => (0..rank).collect(),
        };
        let mut shape = of.shape.clone();
        let mut given = String::new();
        if self.once_in(4) {
            let lengths: Vec<i64> = all.iter().map(|_| self.between(1, 5)).collect();
            all.iter().zip(&lengths).for_each(|(axis, n)| shape[*axis] = *n);
            let written: Vec<String> = lengths.iter().map(i64::to_string).collect();
            let named: Vec<String> = all.iter().map(usize::to_string).collect();
            given = format!(", s=({}), axes=({})", written.join(", "), named.join(", "));
        } else if let Some([first, last]) = axes {
            given = format!(", axes=({first}, {last})");
        }
        let last = *all.last().unwrap_or(&0);
        let wide = complex(of.dtype);
        let dtype = match name {
            "irfftn" => {
                if !given.contains("s=") {
                    shape[last] = (2 * (shape[last] - 1)).max(0);
                }
                wide.real()
            }
            "rfftn" | "rfft2" => {
                shape[last] = shape[last] / 2 + 1;
                wide
            }
            _ => wide,
        };
        let norm = self.numbers.pick(NORMS);
        let text = format!("np.fft.{name}({}{given}{norm})", of.text);
        self.given(lines, &in_c_order(Value::array(text, dtype, shape)));
    }
}

impl Value {
    /// An array of its own with the same elements.
    fn owned_copy(self) -> Value {
        Value { writeable: true, ..self }
    }
}
