//! Sweeps over rows and planes that use what the same sweep wrote, as Gauss and Seidel's, one after the other.

use super::Patterns;

impl Patterns {
    pub fn sweeps(&mut self) {
        let times = self.pick(&["k", "k + 3", "4", "k, 0, -1", "1, k"]);
        self.line(0, &format!("for u in range({times}):"));
        if self.once_in(3) {
            (0..self.numbers.pick(&[1, 1, 2])).for_each(|_| self.sweep_of_row());
        } else {
            self.sweep_of_plane();
        }
    }

    fn sweep_of_row(&mut self) {
        let range = self.pick(&["1, len(y) - 1", "1, len(y)", "len(y) - 2, 0, -1", "2, len(y) - 1", "1, k"]);
        self.line(1, &format!("for i in range({range}):"));
        let near = [self.near_in_row(), self.near_in_row()];
        let value = self.combined(&near);
        self.line(2, &format!("y[i] = {value}"));
    }

    fn near_in_row(&mut self) -> String {
        self.pick(&["y[i - 1]", "y[i - 1]", "y[i + 1]", "y[i]", "x[i]", "y[i - 2]", "y[0]", "z[i, 0]"]).to_string()
    }

    fn sweep_of_plane(&mut self) {
        let rows = self.pick(&[
            "1, z.shape[0] - 1",
            "1, z.shape[0] - 1",
            "1, z.shape[0]",
            "z.shape[0] - 2, 0, -1",
            "0, k",
            "u, z.shape[0] - 1",
        ]);
        self.line(1, &format!("for i in range({rows}):"));
        if self.once_in(5) {
            let value = self.pick(&["z[i, :]", "z[i - 1, :]", "z[0, 0]"]);
            self.line(2, &format!("z[i, :] = {value}"));
        }
        for _ in 0..self.numbers.pick(&[1, 1, 1, 2]) {
            let columns = self.pick(&[
                "1, z.shape[1] - 1",
                "1, z.shape[1] - 1",
                "z.shape[1] - 2, 0, -1",
                "1, i",
                "i + 1, z.shape[1]",
                "0, z.shape[1] - 1",
                "1, k",
            ]);
            self.line(2, &format!("for j in range({columns}):"));
            let near = [self.near_in_plane(), self.near_in_plane(), self.near_in_plane()];
            let value = self.combined(&near);
            self.line(3, &format!("z[i, j] = {value}"));
        }
    }

    fn near_in_plane(&mut self) -> String {
        let row = self.pick(&["i", "i - 1", "i + 1"]);
        let column = self.pick(&["j", "j - 1", "j + 1"]);
        match self.numbers.below(10) {
            0 => "x[i]".to_string(),
            1 => format!("z[{row}, 0]"),
            _ => format!("z[{row}, {column}]"),
        }
    }

    /// Numbers stay small.
    fn combined(&mut self, near: &[String]) -> String {
        match self.numbers.below(3) {
            0 => format!("({}) % 7", near.join(" + ")),
            1 => near.iter().skip(1).fold(near[0].clone(), |so_far, next| format!("max({so_far}, {next})")),
            _ => format!("min({}, {}) - 1", near[0], near[near.len() - 1]),
        }
    }
}
