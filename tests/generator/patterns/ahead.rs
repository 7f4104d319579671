//! Loops that read what later iterations write over.

use super::Patterns;

impl Patterns {
    pub fn ahead(&mut self) {
        match self.numbers.below(4) {
            0 | 1 => self.ahead_in_row(),
            2 => self.ahead_in_plane(),
            _ => {
                self.line(0, "for i in range(len(z) - 1):");
                let operation = self.pick(&["+", "-"]);
                self.line(1, &format!("z[i] = z[i + 1] {operation} z[i]"));
            }
        }
    }

    fn ahead_in_row(&mut self) {
        let by = self.pick(&["1", "1", "2", "3"]);
        let is_falling = self.once_in(3);
        let header = match (is_falling, self.numbers.below(3)) {
            (true, _) => format!("for i in range(len(y) - 1, {by} - 1, -1):"),
            (false, 0) => format!("for i in range(0, len(y) - {by}, 2):"),
            (false, _) => format!("for i in range(len(y) - {by}):"),
        };
        self.line(0, &header);
        let mut depth = 1;
        if self.once_in(3) {
            let condition = self.condition("i", "y[i]");
            self.line(1, &format!("if {condition}:"));
            depth = 2;
        }
        let ahead = if is_falling { format!("y[i - {by}]") } else { format!("y[i + {by}]") };
        let value = self.value("i", "y[i]", "y", 1);
        match self.numbers.below(3) {
            0 => self.line(depth, &format!("y[i] = {ahead}")),
            1 => self.line(depth, &format!("y[i] = {ahead} + {value}")),
            // What the iteration wrote itself is read where it is.
            _ => {
                self.line(depth, &format!("y[i] = {value}"));
                self.line(depth, &format!("y[i] = {ahead} + y[i]"));
            }
        }
    }

    fn ahead_in_plane(&mut self) {
        self.line(0, "for i in range(z.shape[0] - 1):");
        let from = self.pick(&["0", "0", "i"]);
        self.line(1, &format!("for j in range({from}, z.shape[1] - 1):"));
        let ahead = self.pick(&["z[i + 1, j]", "z[i, j + 1]", "z[i + 1, j + 1]", "z[i + 1, 0]", "z[i, j]"]);
        let more = self.pick(&["z[i + 1, j]", "z[i, j + 1]", "z[i + 1, j + 1]", "z[i, j]", "x[j]"]);
        self.line(2, &format!("z[i, j] = {ahead} + {more}"));
    }
}
