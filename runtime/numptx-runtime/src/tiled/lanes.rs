//! Lanes that multiply for themselves: each keeps the sums of some rows and columns in registers.
//!
//! In: where both factors' parts lie in shared memory. Out: instructions that add the products of one part. Of a factor that lies along the kept axis a lane
//! reads neighbours at once, of another one elements that follow each other along the sum; its rows (columns) are what it reads so.

use super::layout::{Along, Layout};
use super::results::{Places, Sums};
use super::{Element, Shape, Tiled};
use crate::own_kernel::Text;

/// Lanes of a warp, down and across.
const DOWN: u32 = 4;
const ACROSS: u32 = 8;

/// One factor as lanes read it.
struct Side {
    layout: Layout,
    /// Lanes along the kept axis.
    lanes: u32,
    /// Rows or columns of a lane.
    count: u32,
    /// Elements of a read.
    vector: u32,
}

impl Side {
    /// Kept elements from a lane's first one to its `n`-th.
    fn offset(&self, n: u32) -> u32 {
        match self.layout.along {
            Along::Summed => n * self.lanes,
            Along::Kept => n / self.vector * self.lanes * self.vector + n % self.vector,
        }
    }

    /// Kept elements from one lane to the next.
    fn lane_step(&self) -> u32 {
        if self.layout.along == Along::Kept { self.vector } else { 1 }
    }
}

/// See the file's header.
pub(super) struct Lanes {
    element: Element,
    summed: u32,
    sides: [Side; 2],
    /// Where the lane's first element of each factor lies in the first stage.
    from: [String; 2],
    pub(super) sums: Sums,
}

impl Lanes {
    /// `warp`: the warp's place in the tile, in elements; `shared`: where the factors' parts of the first stage begin.
    pub(super) fn begin(text: &mut Text, tiled: &Tiled, (lane, warp): (&str, [&str; 2]), shared: [&str; 2]) -> Lanes {
        let Shape { warp: (rows, columns), summed, .. } = tiled.shape;
        let [a, b] = tiled.layouts();
        let vector = tiled.element.vector();
        let side = |layout, lanes, all| Side { layout, lanes, count: all / lanes, vector };
        let sides = [side(a, DOWN, rows), side(b, ACROSS, columns)];
        // Two by two lanes are neighbours, so that reads of a quarter of a warp meet few different vectors.
        let down = text.word("shr.u32", &format!("{lane}, 4"));
        let low = text.word("and.b32", &format!("{lane}, 1"));
        let down = text.word("mad.lo.s32", &format!("{down}, 2, {low}"));
        let across = text.word("shr.u32", &format!("{lane}, 1"));
        let across = text.word("and.b32", &format!("{across}, 7"));
        let first = [(down, 0), (across, 1)]
            .map(|(place, n)| text.word("mad.lo.s32", &format!("{place}, {}, {}", sides[n].lane_step(), warp[n])));
        let from = [0, 1]
            .map(|n| text.word("mad.lo.s32", &format!("{}, {}, {}", first[n], sides[n].layout.steps().0, shared[n])));
        let [rows, columns] = [0, 1].map(|n| (0..sides[n].count).map(|i| sides[n].offset(i)).collect());
        let sums = Sums::begin(text, tiled.element, Places { first, rows, columns });
        Lanes { element: tiled.element, summed, sides, from, sums }
    }

    /// Adds the products of the part in the stage so many bytes from the first.
    pub(super) fn multiply(&self, text: &mut Text, stage: &str) {
        let from = [0, 1].map(|n| text.word("add.s32", &format!("{}, {stage}", self.from[n])));
        let is_along = |side: &Side| side.layout.along == Along::Summed;
        let group = if self.sides.iter().any(is_along) { self.element.vector() } else { 1 };
        for first in (0..self.summed).step_by(group as usize) {
            let long = [0, 1].map(|n| is_along(&self.sides[n]).then(|| self.read_along(text, n, &from[n], first)));
            for k in 0..group {
                let [a, b] = [0, 1].map(|n| match &long[n] {
                    Some(read) => read.iter().map(|elements| elements[k as usize].clone()).collect(),
                    None => self.read_across(text, n, &from[n], first + k),
                });
                self.add(text, &a, &b);
            }
        }
    }

    /// Of each of a lane's rows some elements along the sum.
    fn read_along(&self, text: &mut Text, n: usize, from: &str, summed: u32) -> Vec<Vec<Vec<String>>> {
        let side = &self.sides[n];
        let offset = |i| side.layout.offset(side.offset(i), summed);
        (0..side.count).map(|i| read(text, self.element, from, offset(i), side.vector)).collect()
    }

    /// One element of each of a lane's rows.
    fn read_across(&self, text: &mut Text, n: usize, from: &str, summed: u32) -> Vec<Vec<String>> {
        let side = &self.sides[n];
        let offset = |i| side.layout.offset(side.offset(i), summed);
        let vectors = (0..side.count).step_by(side.vector as usize);
        vectors.flat_map(|i| read(text, self.element, from, offset(i), side.vector)).collect()
    }

    fn add(&self, text: &mut Text, a: &[Vec<String>], b: &[Vec<String>]) {
        let op = self.element.multiply_add();
        for (i, a) in a.iter().enumerate() {
            let negative = (self.element.parts() == 2).then(|| negated(text, self.element, &a[1]));
            for (j, b) in b.iter().enumerate() {
                let sum = &self.sums.of[i][j];
                text.line(&format!("{op} {0}, {1}, {2}, {0}", sum[0], a[0], b[0]));
                if let Some(negative) = &negative {
                    text.line(&format!("{op} {0}, {negative}, {1}, {0}", sum[0], b[1]));
                    text.line(&format!("{op} {0}, {1}, {2}, {0}", sum[1], a[0], b[1]));
                    text.line(&format!("{op} {0}, {1}, {2}, {0}", sum[1], a[1], b[0]));
                }
            }
        }
    }
}

pub(super) fn negated(text: &mut Text, element: Element, number: &str) -> String {
    let negative = text.fresh(element.class());
    text.line(&format!("neg.{} {negative}, {number}", element.memory()));
    negative
}

/// Neighbours in shared memory: the numbers of each.
pub(super) fn read(text: &mut Text, element: Element, from: &str, offset: u32, elements: u32) -> Vec<Vec<String>> {
    let parts = element.parts();
    let numbers: Vec<String> = (0..elements * parts).map(|_| text.fresh(element.class())).collect();
    let (width, kind) = (vector_of(numbers.len()), element.memory());
    text.line(&format!("ld.shared{width}.{kind} {}, [{from}+{offset}]", list(&numbers)));
    numbers.chunks(parts as usize).map(<[String]>::to_vec).collect()
}

/// How instructions are told of so many numbers.
pub(super) fn vector_of(numbers: usize) -> &'static str {
    match numbers {
        2 => ".v2",
        4 => ".v4",
        _ => "",
    }
}

/// Registers as an operand.
pub(super) fn list(registers: &[String]) -> String {
    if let [one] = registers { one.clone() } else { format!("{{{}}}", registers.join(", ")) }
}
