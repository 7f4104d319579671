//! Reductions of what masks choose, with writes to the masks and to what they choose from in between. A mask of no elements is no mask of a matrix with
//! rows, for NumPy chooses none there, and does not raise.

use super::Patterns;

impl Patterns {
    pub fn masked(&mut self) {
        let mask = self.mask();
        let name = self.name("m");
        self.line(0, &format!("{name} = {mask}"));
        let n = self.numbers.pick(&[2, 3, 4]);
        let is_branch = self.once_in(4);
        for at in 0..n {
            if is_branch && at + 1 == n {
                self.line(0, "if k > 1:");
                self.depth += 1;
            }
            if self.once_in(3) {
                self.write_between(&name);
            }
            let chosen = if self.once_in(3) { self.mask() } else { self.numbers.pick(&[&name, &mask]).to_string() };
            self.reduced(&chosen);
        }
        self.depth -= usize::from(is_branch);
    }

    /// A bool for each row.
    fn mask(&mut self) -> String {
        let n = self.numbers.below(4);
        match self.numbers.below(7) {
            0 | 1 => format!("(x > {n})"),
            2 => "(y != 0)".to_string(),
            3 => format!("(idx % 3 == {n})"),
            4 => format!("((x < {n}) & (idx > 0))"),
            5 => "(z[:, 0] >= y)".to_string(),
            _ => format!("~(x == {n})"),
        }
    }

    fn write_between(&mut self, mask: &str) {
        let n = self.number(3);
        match self.numbers.below(6) {
            0 => self.line(0, &format!("x += {n}")),
            1 => self.line(0, &format!("{mask}[1:] = False")),
            2 => self.line(0, &format!("y[{mask}] = {n}")),
            3 => self.line(0, "np.logical_not(x > 2, {mask})".replace("{mask}", mask).as_str()),
            4 => self.line(0, &format!("z[:, 0] -= {n}")),
            _ => self.line(0, "idx[:] = idx[::-1] + k"),
        }
    }

    fn reduced(&mut self, mask: &str) {
        let total = self.carried("s", "np.float64(0)");
        let of = match self.numbers.below(12) {
            0..=2 => format!("x[{mask}].sum()"),
            3 => format!("np.sum(x[{mask}] * y[{mask}])"),
            4 => format!("(y[{mask}] - k).mean()"),
            5 => format!("len(x[{mask}])"),
            6 => format!("np.max(y[{mask}])"),
            7 => format!("(x[{mask}] > y[{mask}]).any()"),
            8 => format!("z[:len({mask})][{mask}].sum()"),
            9 => format!("z[:len({mask})][{mask}, 0].min()"),
            10 => format!("np.flatnonzero({mask}).sum()"),
            _ => format!("z[z > {}].sum()", self.numbers.below(4)),
        };
        self.line(0, &format!("{total} += {of}"));
        if self.once_in(4) {
            let kept = self.carried("v", "y[:0]");
            self.line(0, &format!("{kept} = y[{mask}]"));
        }
    }
}
