//! Loops that are stated to be parallel, and are.

use super::Patterns;

/// What an iteration writes: the text of an element that is its own, and of the array that it is in.
struct Own {
    element: &'static str,
    array: &'static str,
    /// What the loop's index `i` goes over.
    range: &'static str,
    /// An index for arrays that the loop reads.
    index: &'static str,
}

impl Patterns {
    /// An element that no other iteration of `for i in range(…)` has.
    fn own(&mut self) -> Own {
        let own = |element, array, range| Own { element, array, range, index: "i" };
        match self.numbers.below(9) {
            0 => own("y[-1 - i]", "y", "len(y)"),
            1 => own("y[(i + k) % len(y)]", "y", "len(y)"),
            2 => own("y[2 * i]", "y", "len(y) // 2"),
            3 => own("y[2 * i + 1]", "y", "len(y) // 2"),
            4 => own("z[i, -1]", "z", "z.shape[0]"),
            5 => Own {
                index: "(i // z.shape[1])",
                ..own("z[i // z.shape[1], i % z.shape[1]]", "z", "z.shape[0] * z.shape[1]")
            },
            6 => own("z[0, i]", "z", "z.shape[1]"),
            7 => own("y[i]", "y", "1, len(y)"),
            _ => own("y[i]", "y", "len(y)"),
        }
    }

    pub fn stated(&mut self) {
        self.is_stated = true;
        let own = self.own();
        if self.once_in(2) {
            self.line(0, &format!("for i in numptx.prange({}):", own.range));
        } else {
            let comment = self.pick(&["#omp parallel for", "#numptx parallel"]);
            self.line(0, comment);
            self.line(0, &format!("for i in range({}):", own.range));
        }
        if self.once_in(5) {
            let condition = self.condition(own.index, own.array);
            self.line(1, &format!("if {condition}:"));
            self.line(2, "continue");
        }
        for _ in 0..self.numbers.pick(&[1, 1, 2]) {
            self.of_own(&own);
        }
    }

    /// A statement of an iteration that writes its own element.
    fn of_own(&mut self, own: &Own) {
        let Own { element, array: written, index, .. } = *own;
        let value = self.value(index, element, written, 2);
        match self.numbers.below(7) {
            0 => {
                let condition = self.condition(index, written);
                self.line(1, &format!("if {condition}:"));
                self.line(2, &format!("{element} = {value}"));
                if self.once_in(2) {
                    self.line(1, "else:");
                    self.line(2, &format!("{element} -= {}", self.dtype_one()));
                }
            }
            1 | 2 => {
                let total = self.name("a");
                let first = self.number(3);
                self.line(1, &format!("{total} = {first}"));
                let end = self.pick(&["len(x)", "3", index, "len(idx)"]);
                self.line(1, &format!("for j in range({end}):"));
                if self.once_in(3) {
                    let condition = self.condition("j", written);
                    self.line(2, &format!("if {condition}:"));
                    let way = self.pick(&["break", "continue"]);
                    self.line(3, way);
                }
                let term = self.value("j", "", written, 1);
                self.line(2, &format!("{total} += {term}"));
                self.line(1, &format!("{element} = {total}"));
            }
            3 => {
                let operation = self.pick(&["+=", "-="]);
                self.line(1, &format!("{element} {operation} {value}"));
            }
            4 => {
                let (v, n) = (self.name("v"), self.name("n"));
                self.line(1, &format!("{v} = {value}"));
                self.line(1, &format!("{n} = 0"));
                self.line(1, &format!("while {v} > 1 and {n} < 9:"));
                let step =
                    self.pick(&["{v} = {v} // 2", "{v} = {v} - 2", "{v} = {v} // 2 if {n} % 2 == 0 else {v} - 1"]);
                let step = step.replace("{v}", &v).replace("{n}", &n);
                self.line(2, &step);
                self.line(2, &format!("{n} += 1"));
                let result = if self.once_in(2) { n } else { v };
                self.line(1, &format!("{element} = {result}"));
            }
            _ => self.line(1, &format!("{element} = {value}")),
        }
    }

    fn dtype_one(&self) -> String {
        format!("{}(1)", self.dtype.in_numpy())
    }
}
