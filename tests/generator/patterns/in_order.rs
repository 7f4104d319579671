//! Loops whose iterations need each other's results, and loops in elements that end by themselves.

use super::Patterns;

impl Patterns {
    pub fn accumulation(&mut self) {
        match self.numbers.below(8) {
            0 => {
                let total = self.carried("s", &format!("{}(0)", self.dtype.in_numpy()));
                let value = self.value("i", "", "y", 1);
                self.line(0, "for i in range(len(y)):");
                self.line(1, &format!("{total} += {value}"));
                self.line(1, &format!("y[i] = {total}"));
            }
            1 => {
                let run = self.carried("c", "0");
                let condition = self.condition("i", "y");
                self.line(0, "for i in range(len(y)):");
                self.line(1, &format!("{run} = {run} + 1 if {condition} else 0"));
                self.line(1, &format!("y[i] = {run}"));
            }
            2 => {
                let state = self.carried("q", "np.int64(1)");
                self.line(0, "for i in range(len(idx)):");
                let n = self.pick(&["5", "7", "max(k, 1)"]);
                self.line(1, &format!("{state} = ({state} * 3 + idx[i]) % {n}"));
                self.line(1, &format!("y[i] += {state}"));
            }
            3 => {
                let n = self.carried("n", "0");
                let condition = self.condition("i", "y");
                self.line(0, "for i in range(len(x)):");
                self.line(1, &format!("if {condition}:"));
                self.line(2, &format!("y[{n}] = x[i]"));
                self.line(2, &format!("{n} += 1"));
            }
            4 => {
                self.line(0, "for i in range(1, len(x)):");
                self.line(1, "v = x[i]");
                self.line(1, "j = i - 1");
                self.line(1, "while j >= 0 and x[j] > v:");
                self.line(2, "x[j + 1] = x[j]");
                self.line(2, "j -= 1");
                self.line(1, "x[j + 1] = v");
            }
            5 => {
                self.line(0, "for i in range(1, z.shape[0]):");
                self.line(1, "for j in range(1, z.shape[1]):");
                let value = self.pick(&[
                    "max(z[i - 1, j], z[i, j - 1])",
                    "max(z[i - 1, j - 1] + 1, z[i, j])",
                    "min(z[i - 1, j], min(z[i, j - 1], z[i - 1, j - 1])) + x[i]",
                    "z[i - 1, j] + z[i, j]",
                ]);
                self.line(2, &format!("z[i, j] = {value}"));
            }
            6 => {
                let (a, b) = (self.carried("p", "0"), self.carried("p", "0"));
                self.line(0, "for i in range(len(z)):");
                self.line(1, &format!("if {a} < len(x) and ({b} >= len(y) or x[{a}] <= y[{b}]):"));
                self.line(2, &format!("z[i, 0] = x[{a}]"));
                self.line(2, &format!("{a} += 1"));
                self.line(1, &format!("elif {b} < len(y):"));
                self.line(2, &format!("z[i, 0] = y[{b}]"));
                self.line(2, &format!("{b} += 1"));
            }
            _ => {
                let by = self.pick(&["1", "1", "2"]);
                self.line(0, &format!("for i in range({by}, len(y)):"));
                let value = self.value("i", "y[i]", "y", 1);
                self.line(1, &format!("y[i] = y[i - {by}] + {value}"));
            }
        }
    }

    pub fn ended(&mut self) {
        match self.numbers.below(5) {
            0 => {
                let found = self.name("g");
                self.line(0, "for i in range(len(x)):");
                self.line(1, &format!("{found} = -1"));
                self.line(1, "for j in range(len(y)):");
                let condition = self.pick(&["y[j] == x[i]", "y[j] > x[i]", "y[j] < x[i] and idx[j] > 0"]);
                self.line(2, &format!("if {condition}:"));
                self.line(3, &format!("{found} = j"));
                self.line(3, "break");
                if self.once_in(3) {
                    self.line(1, "else:");
                    self.line(2, &format!("{found} = -2"));
                }
                self.line(1, &format!("idx[i] = {found}"));
            }
            1 => {
                let (low, high) = (self.name("lo"), self.name("hi"));
                self.line(0, "for i in range(len(idx)):");
                self.line(1, &format!("{low} = 0"));
                self.line(1, &format!("{high} = len(x)"));
                self.line(1, &format!("while {low} < {high}:"));
                self.line(2, &format!("mid = ({low} + {high}) // 2"));
                let than = self.pick(&["<", "<="]);
                self.line(2, &format!("if x[mid] {than} y[i]:"));
                self.line(3, &format!("{low} = mid + 1"));
                self.line(2, "else:");
                self.line(3, &format!("{high} = mid"));
                self.line(1, &format!("idx[i] = {low}"));
            }
            2 => {
                let (a, b, n) = (self.name("u"), self.name("w"), self.name("n"));
                self.line(0, "for i in range(len(idx)):");
                self.line(1, &format!("{a} = abs(idx[i])"));
                self.line(1, &format!("{b} = abs(k)"));
                self.line(1, &format!("{n} = 0"));
                self.line(1, &format!("while {b} != 0:"));
                self.line(2, &format!("{a}, {b} = {b}, {a} % {b}"));
                self.line(2, &format!("{n} += 1"));
                let result = self.numbers.pick(&[a, n].each_ref().map(String::as_str)).to_string();
                let target = self.pick(&["idx[i]", "y[i]"]);
                self.line(1, &format!("{target} = {result}"));
            }
            3 => {
                let n = self.name("n");
                self.line(0, "for i in range(z.shape[0]):");
                self.line(1, &format!("{n} = 0"));
                self.line(1, "for j in range(z.shape[1]):");
                self.line(2, "if z[i, j] < 0:");
                let way = self.pick(&["continue", "break"]);
                self.line(3, way);
                self.line(2, &format!("{n} += 1"));
                let condition = self.condition("i", "");
                self.line(1, &format!("if {condition}:"));
                self.line(2, &format!("idx[i] = {n}"));
            }
            _ => {
                let n = self.name("n");
                self.line(0, "for i in range(len(x)):");
                self.line(1, &format!("{n} = 0"));
                self.line(1, &format!("while {n} < 6:"));
                let condition = self.pick(&["x[i] > {n}", "x[({n} + i) % len(x)] > 2", "idx[{n} - 6] > 1"]);
                let condition = condition.replace("{n}", &n);
                self.line(2, &format!("if {condition}:"));
                self.line(3, "break");
                self.line(2, &format!("{n} += 1"));
                self.line(1, &format!("y[i] = {n}"));
            }
        }
    }
}
