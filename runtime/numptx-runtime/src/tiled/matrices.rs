//! Warps that multiply by tensor cores, in float64: products and sums of which are rounded as those of `fma` are.
//!
//! In: where both factors' parts lie in shared memory. Out: instructions that add the products of one part. Of a matrix of 8 rows and 4 summed elements, lane
//! `4 i + k` holds one element of each factor, row (column) `i`, and of the sums two neighbours; larger matrices are several of those. Complex products are
//! four real ones.
//!
//! Source: PTX ISA, 9.7.14.5.3 and .9 to .11.

use super::lanes::{list, negated, read};
use super::layout::Layout;
use super::results::{Places, Sums};
use super::{Element, Shape, Tiled};
use crate::own_kernel::Text;

/// Rows or columns, and summed elements, of which a lane holds one.
const KEPT: u32 = 8;
const SUMMED: u32 = 4;

/// One factor's numbers in a lane's registers: by rows or columns, then by summed elements.
type Fragments = Vec<Vec<Vec<String>>>;

/// See the file's header.
pub(super) struct Matrices {
    element: Element,
    shape: Shape,
    /// Rows and summed elements of an instruction.
    unit: (u32, u32),
    layouts: [Layout; 2],
    /// Where the lane's first element of each factor lies in the first stage.
    from: [String; 2],
    pub(super) sums: Sums,
}

impl Matrices {
    /// As [`super::lanes::Lanes::begin`].
    pub(super) fn begin(
        text: &mut Text,
        tiled: &Tiled,
        unit: (u32, u32),
        (lane, warp): (&str, [&str; 2]),
        shared: [&str; 2],
    ) -> Matrices {
        let layouts = tiled.layouts();
        let group = text.word("shr.u32", &format!("{lane}, 2"));
        let place = text.word("and.b32", &format!("{lane}, 3"));
        let first = [0, 1].map(|n| text.word("add.s32", &format!("{}, {group}", warp[n])));
        let from = [0, 1].map(|n| {
            let (kept, summed) = layouts[n].steps();
            let line = text.word("mad.lo.s32", &format!("{}, {kept}, {}", first[n], shared[n]));
            text.word("mad.lo.s32", &format!("{place}, {summed}, {line}"))
        });
        let column = text.word("mad.lo.s32", &format!("{place}, 2, {}", warp[1]));
        let (rows, columns) = tiled.shape.warp;
        let rows = (0..rows).step_by(KEPT as usize).collect();
        let columns = (0..columns).filter(|n| n % KEPT < 2).collect();
        let [row, _] = first;
        let sums = Sums::begin(text, tiled.element, Places { first: [row, column], rows, columns });
        Matrices { element: tiled.element, shape: tiled.shape, unit, layouts, from, sums }
    }

    /// As [`super::lanes::Lanes::multiply`].
    pub(super) fn multiply(&self, text: &mut Text, stage: &str) {
        let from = [0, 1].map(|n| text.word("add.s32", &format!("{}, {stage}", self.from[n])));
        let extents = [self.shape.warp.0, self.shape.warp.1];
        for first in (0..self.shape.summed).step_by(self.unit.1 as usize) {
            let [a, b] = [0, 1].map(|n| self.read(text, (n, &from[n]), extents[n], first));
            self.add(text, &a, &b);
        }
    }

    fn read(&self, text: &mut Text, (n, from): (usize, &str), extent: u32, first: u32) -> Fragments {
        let mut one = |kept, k| read(text, self.element, from, self.layouts[n].offset(kept, k), 1).remove(0);
        let mut line = |kept| (first..first + self.unit.1).step_by(SUMMED as usize).map(|k| one(kept, k)).collect();
        (0..extent).step_by(KEPT as usize).map(&mut line).collect()
    }

    fn add(&self, text: &mut Text, a: &Fragments, b: &Fragments) {
        let high = (self.unit.0 / KEPT) as usize;
        for (n, rows) in a.chunks(high).enumerate() {
            let part = |part: usize| -> Vec<String> {
                (0..rows[0].len()).flat_map(|k| rows.iter().map(move |row| row[k][part].clone())).collect()
            };
            let real = part(0);
            let complex = (self.element.parts() == 2).then(|| part(1));
            let negative: Option<Vec<String>> =
                complex.as_ref().map(|part| part.iter().map(|x| negated(text, self.element, x)).collect());
            for (j, column) in b.iter().enumerate() {
                let of_b = |part: usize| -> Vec<String> { column.iter().map(|x| x[part].clone()).collect() };
                let sums = |part: usize| -> Vec<String> {
                    let lines = n * high..(n + 1) * high;
                    lines.flat_map(|i| (0..2).map(move |c| self.sums.of[i][2 * j + c][part].clone())).collect()
                };
                self.instruction(text, &sums(0), &real, &of_b(0));
                if let (Some(complex), Some(negative)) = (&complex, &negative) {
                    self.instruction(text, &sums(1), &real, &of_b(1));
                    self.instruction(text, &sums(0), negative, &of_b(1));
                    self.instruction(text, &sums(1), complex, &of_b(0));
                }
            }
        }
    }

    fn instruction(&self, text: &mut Text, sums: &[String], a: &[String], b: &[String]) {
        let (rows, summed) = self.unit;
        let braced = |registers: &[String]| format!("{{{}}}", list(registers).trim_matches(['{', '}']));
        let (sums, a, b) = (braced(sums), braced(a), braced(b));
        text.line(&format!("mma.sync.aligned.m{rows}n8k{summed}.row.col.f64.f64.f64.f64 {sums}, {a}, {b}, {sums}"));
    }
}
