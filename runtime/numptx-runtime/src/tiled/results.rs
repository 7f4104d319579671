//! Sums in registers, and their way to the result.

use super::Element;
use super::lanes::{list, vector_of};
use crate::own_kernel::Text;

/// Which rows and columns of its tile a thread has.
pub(super) struct Places {
    /// The first row and column: registers.
    pub(super) first: [String; 2],
    /// Rows from the first one on.
    pub(super) rows: Vec<u32>,
    pub(super) columns: Vec<u32>,
}

/// A thread's sums.
pub(super) struct Sums {
    element: Element,
    places: Places,
    /// The numbers of each, by row and column.
    pub(super) of: Vec<Vec<Vec<String>>>,
}

/// Where the result lies: names of registers.
pub(super) struct Target {
    /// The first element of the matrix.
    pub(super) first: String,
    /// Bytes from one row to the next, and from one column.
    pub(super) steps: [String; 2],
    /// Where the tile begins: its row and column.
    pub(super) tile: [String; 2],
    /// Rows and columns of the matrix.
    pub(super) extents: [String; 2],
}

impl Sums {
    /// All zero.
    pub(super) fn begin(text: &mut Text, element: Element, places: Places) -> Sums {
        let mut number = || {
            let register = text.fresh(element.class());
            text.line(&format!("mov.{} {register}, {}", element.memory(), element.zero()));
            register
        };
        let mut sum = || (0..element.parts()).map(|_| number()).collect();
        let mut row = |_| places.columns.iter().map(|_| sum()).collect();
        let of = (0..places.rows.len()).map(&mut row).collect();
        Sums { element, places, of }
    }

    /// Writes what lies in the matrix, so many neighbours of a row at once.
    pub(super) fn write(&self, text: &mut Text, target: &Target, written: u32) {
        let at = [0, 1].map(|n| text.word("add.s32", &format!("{}, {}", target.tile[n], self.places.first[n])));
        let left = [0, 1].map(|n| text.word("sub.s32", &format!("{}, {}", target.extents[n], at[n])));
        let first = text.stepped(&target.first, &at[0], &target.steps[0]);
        let first = text.stepped(&first, &at[1], &target.steps[1]);
        for (row, offset) in self.of.iter().zip(&self.places.rows) {
            let is_row = text.predicate("setp.gt.s32", &format!("{}, {offset}", left[0]));
            let line = text.long("mad.lo.s64", &format!("{}, {offset}, {first}", target.steps[0]));
            for (sums, columns) in row.chunks(written as usize).zip(self.places.columns.chunks(written as usize)) {
                let is_there = text.predicate("setp.gt.s32", &format!("{}, {}", left[1], columns[0]));
                let is_there = text.predicate("and.pred", &format!("{is_there}, {is_row}"));
                let to = text.long("mad.lo.s64", &format!("{}, {}, {line}", target.steps[1], columns[0]));
                let numbers = sums.concat();
                let (width, kind) = (vector_of(numbers.len()), self.element.memory());
                text.line(&format!("@{is_there} st.global{width}.{kind} [{to}], {}", list(&numbers)));
            }
        }
    }
}
