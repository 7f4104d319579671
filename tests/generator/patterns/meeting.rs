//! Loops over a plane in a loop over its diagonal, whose row and column all others read: shortest paths, reachability, elimination by rows.

use super::Patterns;

impl Patterns {
    pub fn meeting(&mut self) {
        let first = self.pick(&["0", "0", "0", "1", "k"]);
        let last = self.pick(&["min(z.shape)", "z.shape[1]", "2", "z.shape[0]", "min(k, len(z))"]);
        self.line(0, &format!("for p in range({first}, {last}):"));
        let of_rows = self.pick(&["len(z)", "len(z)", "min(len(z), len(x))", "p + 1"]);
        let from = self.pick(&["0", "0", "0", "1", "p"]);
        self.line(1, &format!("for i in range({from}, {of_rows}):"));
        let mut depth = 2;
        let is_skipped = self.once_in(5);
        if is_skipped {
            self.line(depth, "if i != p:");
            depth += 1;
        }
        let is_read_before = self.once_in(3);
        if is_read_before {
            self.line(depth, "to = z[i, p]");
        }
        if self.once_in(6) {
            self.line(depth, "x[i % len(x)] = z[p, 0]");
        }
        self.line(depth, "for j in range(z.shape[1]):");
        let to = if is_read_before { "to" } else { self.pick(&["z[i, p]", "z[i, p]", "z[p, p]", "z[p, i % 3]"]) };
        let on = self.pick(&["z[p, j]", "z[p, j]", "z[j % len(z), p]", "z[p, j - 1]"]);
        let least = self.pick(&["min", "max"]);
        match self.numbers.below(4) {
            0 => self.line(depth + 1, &format!("z[i, j] = {least}(z[i, j], {to})")),
            1 | 2 => {
                let order = self.pick(&["<", ">"]);
                self.line(depth + 1, &format!("if {to} {order} z[i, j]:"));
                self.line(depth + 2, &format!("z[i, j] = {on}"));
            }
            _ => self.line(depth + 1, &format!("z[i, j] = {least}({to}, {on}) - z[i, j]")),
        }
    }
}
