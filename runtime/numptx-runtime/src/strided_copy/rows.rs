//! Rows along the axis along which the destination's elements lie closest: some threads a row, a few elements each.
//!
//! In: the rows' extent and steps, and the other axes, whose indices are a row's number taken apart. Out: each thread loads all of its elements before it
//! stores the first. Blocks of neighbouring rows come before those of the next elements: what they read may be the same lines of memory.

use super::{Element, THREADS, module, outer_place, parameters};
use crate::axes::Axes;
use crate::own_kernel::Text;

/// Elements of a thread in a row.
const ITEMS: u32 = 4;

const OWN: [&str; 8] = ["to", "from", "length", "step_to", "step_from", "rows", "blocks_of_rows", "bits_along"];

/// See the file's header.
pub(super) struct Rows {
    pub(super) element: Element,
    pub(super) outer: usize,
    pub(super) is_wide: bool,
}

/// Whether there are many rows, and the numbers of blocks and of [`OWN`] behind the addresses. A row has a power of 2 of threads.
pub(super) fn numbers(axes: &Axes, inner: usize) -> (bool, (u64, Vec<u64>)) {
    let length = axes.extents[inner].cast_unsigned();
    let along = length.div_ceil(u64::from(ITEMS)).next_power_of_two().min(u64::from(THREADS)) as u32;
    let rows = (axes.count() / axes.extents[inner]).cast_unsigned();
    let blocks_of_rows = rows.div_ceil(u64::from(THREADS / along));
    let chunks = length.div_ceil(u64::from(along * ITEMS));
    let steps = [0, 1].map(|side| axes.strides[side][inner].cast_unsigned());
    let is_wide = rows > u64::from(u32::MAX);
    let numbers = vec![length, steps[0], steps[1], rows, blocks_of_rows, u64::from(along.ilog2())];
    (is_wide, (blocks_of_rows.saturating_mul(chunks), numbers))
}

impl Rows {
    pub(super) fn text(&self) -> String {
        let (mut text, Element { unit, .. }) = (Text::default(), self.element);
        let [to, from, length, step_to, step_from, rows, blocks_of_rows, bits] = parameters(&mut text, OWN);
        let [block, thread] = ["%ctaid.x", "%tid.x"].map(|name| text.word("mov.u32", name));
        let [blocks_of_rows, bits] = [blocks_of_rows, bits].map(|long| text.word("cvt.u32.u64", &long));
        let one = text.word("mov.u32", "1");
        let threads = text.word("shl.b32", &format!("{one}, {bits}"));
        let last = text.word("sub.u32", &format!("{threads}, 1"));
        let in_block = text.word("mov.u32", &THREADS.to_string());
        let in_block = text.word("shr.u32", &format!("{in_block}, {bits}"));
        let chunk = text.word("div.u32", &format!("{block}, {blocks_of_rows}"));
        let of_rows = text.word("rem.u32", &format!("{block}, {blocks_of_rows}"));
        let along = text.word("and.b32", &format!("{thread}, {last}"));
        let across = text.word("shr.u32", &format!("{thread}, {bits}"));
        let [of_rows, across, chunk, along, threads, in_block] =
            [of_rows, across, chunk, along, threads, in_block].map(|word| text.long("cvt.u64.u32", &word));
        let row = text.long("mad.lo.u64", &format!("{of_rows}, {in_block}, {across}"));
        let is_over = text.predicate("setp.ge.u64", &format!("{row}, {rows}"));
        text.line(&format!("@{is_over} ret"));
        let in_chunk = text.long("mul.lo.u64", &format!("{threads}, {ITEMS}"));
        let place = text.long("mad.lo.u64", &format!("{chunk}, {in_chunk}, {along}"));
        let narrow = if self.is_wide { row.clone() } else { text.word("cvt.u32.u64", &row) };
        let [to, from] = outer_place(&mut text, self.outer, (&narrow, self.is_wide), [to, from]);
        let mut addresses = [(to, step_to), (from, step_from)].map(|(first, step)| {
            let at = text.long("mad.lo.s64", &format!("{place}, {step}, {first}"));
            let round = text.long("mul.lo.s64", &format!("{step}, {threads}"));
            (at, round)
        });
        let mut loaded = Vec::new();
        let mut at = place;
        for n in 0..ITEMS {
            let is_there = text.predicate("setp.lt.u64", &format!("{at}, {length}"));
            let registers = self.element.registers(&mut text);
            for (part, register) in (0..).zip(&registers) {
                let from = &addresses[1].0;
                text.line(&format!("@{is_there} ld.global.{} {register}, [{from}+{}]", self.element.ty(), part * unit));
            }
            let to = addresses[0].0.clone();
            loaded.push((is_there, to, registers));
            if n + 1 < ITEMS {
                at = text.long("add.u64", &format!("{at}, {threads}"));
                addresses = addresses.map(|(at, round)| (text.long("add.s64", &format!("{at}, {round}")), round));
            }
        }
        for (is_there, to, registers) in loaded {
            for (part, register) in (0..).zip(&registers) {
                text.line(&format!("@{is_there} st.global.{} [{to}+{}], {register}", self.element.ty(), part * unit));
            }
        }
        text.line("ret");
        module((&OWN, self.outer), 0, text)
    }
}
