//! Loops whose iterations compute rows of changing length, and store them in a row, a column, or both.

use super::Patterns;

impl Patterns {
    pub fn rows(&mut self) {
        let t = self.dtype.in_numpy();
        // What is written is an array of its own, or the one that is read.
        let target = if self.once_in(4) {
            "z".to_string()
        } else {
            let extents = self.pick(&["z.shape[1], z.shape[1]", "z.shape[1], z.shape[1]", "len(x), z.shape[1]"]);
            self.carried("r", &format!("np.ones(({extents}), dtype={t})"))
        };
        let header = self.pick(&[
            "z.shape[1]",
            "z.shape[1]",
            "z.shape[1]",
            "1, z.shape[1]",
            "k",
            "z.shape[1] - 1, -1, -1",
            "0, z.shape[1], 2",
        ]);
        self.line(0, &format!("for i in range({header}):"));
        for _ in 0..self.numbers.pick(&[1, 1, 2]) {
            let part = self.pick(&["i:", "i:", ":i", "i:k", "i + 1:", ":i + 1", "i // 2:i", "k:i + 1", "idx[i]:"]);
            self.row(&target, part);
        }
    }

    fn row(&mut self, target: &str, part: &str) {
        let mut value = self.of_columns(target, part);
        if self.once_in(3) {
            let row = self.name("row");
            self.line(1, &format!("{row} = {value}"));
            value = match self.numbers.below(5) {
                0 => format!("{row} - {}", self.of_columns(target, part)),
                1 => format!("{row}[::-1] + {row}"),
                2 => format!("{row} + np.sum({row})"),
                3 => format!("np.minimum({row}, {})", self.number(9)),
                _ => format!("{row} * {row}"),
            };
        }
        let [across, down] = [format!("{target}[i, {part}]"), format!("{target}[{part}, i]")];
        match self.numbers.below(6) {
            0 => self.line(1, &format!("{down} = {across} = {value}")),
            1 => self.line(1, &format!("{across} = {down} = {value}")),
            2 => self.line(1, &format!("{down} = {value}")),
            3 => self.line(1, &format!("{across} += {value}")),
            _ => self.line(1, &format!("{across} = {value}")),
        }
    }

    /// A vector as long as a part of a row.
    fn of_columns(&mut self, target: &str, part: &str) -> String {
        match self.numbers.below(9) {
            0 | 1 => format!("z[:, i] @ z[:, {part}]"),
            2 | 3 => format!("np.sum(z[:, {part}], axis=0)"),
            4 => format!("np.max(z[:, {part}] - z[:, i:i + 1], axis=0)"),
            5 => format!("{target}[i, {part}] + {}", self.number(3)),
            6 => format!("{target}[i - 1, {part}] + {}", self.number(3)),
            7 => format!("y[{part}] - x[i]"),
            _ => format!("z[0, {part}] + z[i // 2, {part}]"),
        }
    }
}
