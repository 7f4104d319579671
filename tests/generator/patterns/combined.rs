//! Loops whose iterations combine what they compute: histograms, and positions of extremes.

use super::Patterns;
use crate::dtype::DType;

impl Patterns {
    pub fn histogram(&mut self) {
        let bins = if self.once_in(2) {
            let size = self.pick(&["1", "2", "3", "max(k, 1)", "len(y)"]);
            let name = self.name("h");
            let of = if self.once_in(3) { "np.int64".to_string() } else { self.dtype.in_numpy() };
            self.lines.insert(0, format!("{name} = np.zeros({size}, dtype={of})"));
            self.results.push(name.clone());
            name
        } else {
            self.pick(&["y", "y", "x"]).to_string()
        };
        let is_nest = self.once_in(2);
        let (index, element) = if is_nest { ("j", "z[i, j]") } else { ("i", "x[i]") };
        self.line(0, if is_nest { "for i in range(z.shape[0]):" } else { "for i in range(len(idx)):" });
        if is_nest {
            self.line(1, "for j in range(z.shape[1]):");
            self.depth += 1;
        }
        let at = match self.numbers.below(6) {
            0 => format!("idx[{index}]"),
            1 => format!("({index} * 5 + i) % len({bins})"),
            2 => format!("int(idx[i]) % len({bins})"),
            3 => format!("(idx[i] + {index}) // 2 % len({bins})"),
            4 => format!("{index} // 2 % len({bins})"),
            _ => format!("idx[i] % len({bins})"),
        };
        if self.once_in(3) {
            let condition = self.pick(&["{e} > 0", "0 <= idx[i] < 3", "{e} != 2", "i % 3 != 0"]);
            let condition = condition.replace("{e}", element);
            self.line(1, &format!("if {condition}:"));
            self.depth += 1;
            self.combine(&bins, &at, element);
            self.depth -= 1;
        } else {
            self.combine(&bins, &at, element);
        }
        self.depth -= usize::from(is_nest);
    }

    /// An update of a bin.
    fn combine(&mut self, bins: &str, at: &str, element: &str) {
        let is_own_input = element.starts_with(bins);
        let value = if is_own_input { "2".to_string() } else { element.to_string() };
        let statement = match self.numbers.below(8) {
            0 => format!("{bins}[{at}] -= {value}"),
            1 => format!("{bins}[{at}] = max({bins}[{at}], {value})"),
            2 => format!("{bins}[{at}] = min({bins}[{at}], {value})"),
            3 => format!("{bins}[{at}] = {bins}[{at}] + {value}"),
            4 | 5 => format!("{bins}[{at}] += 1"),
            _ => format!("{bins}[{at}] += {value}"),
        };
        // A bin of ints takes no floats.
        let is_mixed = bins.starts_with('h') && (self.dtype.is_float() || self.dtype == DType::U8);
        let statement = if is_mixed { format!("{bins}[{at}] += 1") } else { statement };
        self.line(1, &statement);
    }

    pub fn extreme(&mut self) {
        let first = self.pick(&["0", "3", "100"]);
        let best = self.carried("m", &format!("{}({first})", self.dtype.in_numpy()));
        let at = self.carried("at", "-1");
        let is_nest = self.once_in(2);
        let is_by_row = is_nest && self.once_in(2);
        let than = self.pick(&["<", "<=", ">", ">="]);
        self.line(0, if is_nest { "for i in range(len(z)):" } else { "for i in range(len(x)):" });
        let starts = |of: &mut Self, more: usize| {
            let value = of.pick(&["100", "1", "0"]);
            let value = format!("{}({value})", of.dtype.in_numpy());
            of.line(more, &format!("{best} = {value}"));
            of.line(more, &format!("{at} = -1"));
        };
        if is_by_row {
            starts(self, 1);
        }
        if is_nest {
            self.line(1, "for j in range(z.shape[1]):");
            self.depth += 1;
        }
        let index = if is_nest { "j" } else { "i" };
        let value = match (is_nest, self.numbers.below(4)) {
            (true, 0) => "abs(z[i, j] - x[j])".to_string(),
            (true, 1) => "(z[i, j] + x[i])".to_string(),
            (true, _) => "z[i, j]".to_string(),
            (false, 0) => "abs(x[i])".to_string(),
            (false, 1) => "(x[i] + y[i])".to_string(),
            (false, _) => "x[i]".to_string(),
        };
        let mut more = 1;
        if self.once_in(4) {
            let condition = self.condition(index, "");
            self.line(1, &format!("if {condition}:"));
            more = 2;
        }
        let value = if self.once_in(2) {
            let d = self.name("d");
            self.line(more, &format!("{d} = {value}"));
            d
        } else {
            value
        };
        self.line(more, &format!("if {value} {than} {best}:"));
        self.line(more + 1, &format!("{best} = {value}"));
        let place = if is_nest { self.numbers.pick(&["i", "j", "i * z.shape[1] + j"]) } else { "i" };
        self.line(more + 1, &format!("{at} = {place}"));
        self.depth -= usize::from(is_nest);
        if is_by_row {
            let target = self.pick(&["y[i]", "idx[i]", "y[i]"]);
            let given = if target == "idx[i]" || self.once_in(2) { at } else { best };
            self.line(1, &format!("{target} = {given}"));
        }
    }
}
