//! Tiles of two axes: along the first the source's elements lie closest, along the second the destination's.
//!
//! In: both axes, and the others, whose indices are a tile's number taken apart. Out: a block reads a tile along the first axis into shared memory, and
//! writes it along the second. Lines there are some bytes longer than they need to be, so that elements above each other lie in different banks.

use super::{Element, THREADS, module, outer_place, parameters};
use crate::axes::Axes;
use crate::own_kernel::Text;

const WARP: u32 = 32;
const WARPS: u32 = THREADS / WARP;

const OWN: [&str; 10] = [
    "to",
    "from",
    "read_length",
    "read_to",
    "read_from",
    "written_length",
    "written_to",
    "written_from",
    "tiles_read",
    "tiles_written",
];

/// See the file's header.
pub(super) struct Tiles {
    pub(super) element: Element,
    pub(super) outer: usize,
}

/// Elements of a tile's side: short elements need more for lines of memory to be whole.
fn side(element: Element) -> u32 {
    if element.bytes() <= 4 { 2 * WARP } else { WARP }
}

/// Numbers of blocks, and of [`OWN`] behind the addresses.
pub(super) fn numbers(element: Element, axes: &Axes, own: [usize; 2]) -> (u64, Vec<u64>) {
    let tiles = own.map(|axis| axes.extents[axis].cast_unsigned().div_ceil(u64::from(side(element))));
    let others: i64 = axes.count() / own.map(|axis| axes.extents[axis]).iter().product::<i64>();
    let of = |axis: usize| [axes.extents[axis], axes.strides[0][axis], axes.strides[1][axis]].map(i64::cast_unsigned);
    let blocks = tiles[0].saturating_mul(tiles[1]).saturating_mul(others.cast_unsigned());
    (blocks, [&of(own[0])[..], &of(own[1]), &tiles].concat())
}

/// One axis of a thread's tile: how many elements there are from its own on, and the steps of both sides.
struct Axis {
    room: String,
    to: String,
    from: String,
}

impl Tiles {
    /// Units from one line in shared memory to the next, an odd number of banks.
    fn pitch(&self) -> u32 {
        side(self.element) + (4 / self.element.unit).max(1)
    }

    /// Bytes from one unit of elements to the next in shared memory.
    fn plane(&self) -> u32 {
        side(self.element) * self.pitch() * self.element.unit
    }

    pub(super) fn text(&self) -> String {
        let (mut text, Element { unit, parts }, side) = (Text::default(), self.element, side(self.element));
        let [to, from, read, read_to, read_from, written, written_to, written_from, tiles_read, tiles_written] =
            parameters(&mut text, OWN);
        let [block, thread] = ["%ctaid.x", "%tid.x"].map(|name| text.word("mov.u32", name));
        let lane = text.word("and.b32", &format!("{thread}, {}", WARP - 1));
        let warp = text.word("shr.u32", &format!("{thread}, {}", WARP.ilog2()));
        let split = |text: &mut Text, index: &str, by: &str| {
            let by = text.word("cvt.u32.u64", by);
            ["div.u32", "rem.u32"].map(|op| text.word(op, &format!("{index}, {by}")))
        };
        let [rest, of_read] = split(&mut text, &block, &tiles_read);
        let [rest, of_written] = split(&mut text, &rest, &tiles_written);
        let addresses = outer_place(&mut text, self.outer, (&rest, false), [to, from]);
        let begins = [of_read, of_written].map(|tile| {
            let tile = text.long("cvt.u64.u32", &tile);
            text.long("mul.lo.u64", &format!("{tile}, {side}"))
        });
        let axes = [(&begins[0], read, read_to, read_from), (&begins[1], written, written_to, written_from)];
        let axes = axes.map(|(begin, extent, to, from)| {
            let room = text.long("sub.u64", &format!("{extent}, {begin}"));
            let room = text.long("min.u64", &format!("{room}, {side}"));
            Axis { room: text.word("cvt.u32.u64", &room), to, from }
        });
        let corner = |text: &mut Text, first: &str, steps: [&str; 2]| {
            let at = text.long("mad.lo.s64", &format!("{}, {}, {first}", begins[0], steps[0]));
            text.long("mad.lo.s64", &format!("{}, {}, {at}", begins[1], steps[1]))
        };
        let to = corner(&mut text, &addresses[0], [&axes[0].to, &axes[1].to]);
        let from = corner(&mut text, &addresses[1], [&axes[0].from, &axes[1].from]);
        let shared = text.word("mov.u32", "shared_tile");
        // Read: a warp a line of the first axis.
        let own = text.word("mad.lo.u32", &format!("{warp}, {}, {shared}", self.pitch() * unit));
        let own = text.word("mad.lo.u32", &format!("{lane}, {unit}, {own}"));
        let places = self.places(&mut text, (&lane, &axes[0].room), (&warp, &axes[1].room));
        let lines = self.lines(&mut text, &from, (&lane, &axes[0].from), (&warp, &axes[1].from));
        let mut loaded = Vec::new();
        for ((is_there, along, across), at) in places.iter().zip(&lines) {
            let registers = self.element.registers(&mut text);
            for (part, register) in (0..).zip(&registers) {
                text.line(&format!("@{is_there} ld.global.{} {register}, [{at}+{}]", self.element.ty(), part * unit));
            }
            loaded.push((is_there, (across * self.pitch() + along) * unit, registers));
        }
        for (is_there, at, registers) in loaded {
            for (part, register) in (0..).zip(&registers) {
                let at = at + part * self.plane();
                text.line(&format!("@{is_there} st.shared.{} [{own}+{at}], {register}", self.element.ty()));
            }
        }
        text.line("bar.sync 0");
        // Written: a warp a line of the second axis.
        let own = text.word("mad.lo.u32", &format!("{lane}, {}, {shared}", self.pitch() * unit));
        let own = text.word("mad.lo.u32", &format!("{warp}, {unit}, {own}"));
        let places = self.places(&mut text, (&lane, &axes[1].room), (&warp, &axes[0].room));
        let lines = self.lines(&mut text, &to, (&lane, &axes[1].to), (&warp, &axes[0].to));
        for ((is_there, along, across), at) in places.iter().zip(&lines) {
            let from = (along * self.pitch() + across) * unit;
            let registers = self.element.registers(&mut text);
            for (part, register) in (0..).zip(&registers) {
                let from = from + part * self.plane();
                text.line(&format!("@{is_there} ld.shared.{} {register}, [{own}+{from}]", self.element.ty()));
            }
            for (part, register) in (0..).zip(&registers) {
                text.line(&format!("@{is_there} st.global.{} [{at}+{}], {register}", self.element.ty(), part * unit));
            }
        }
        text.line("ret");
        module((&OWN, self.outer), parts * self.plane(), text)
    }

    /// The thread's elements of a tile: whether each is there, and how far it lies along and across from the thread's first.
    fn places(
        &self,
        text: &mut Text,
        (lane, along): (&str, &str),
        (warp, across): (&str, &str),
    ) -> Vec<(String, u32, u32)> {
        let side = side(self.element);
        let within = |text: &mut Text, first: &str, step: u32, room: &str| {
            let at = text.word("add.u32", &format!("{first}, {step}"));
            text.predicate("setp.lt.u32", &format!("{at}, {room}"))
        };
        let are_along: Vec<(String, u32)> =
            (0..side).step_by(WARP as usize).map(|n| (within(text, lane, n, along), n)).collect();
        let mut places = Vec::new();
        for down in (0..side).step_by(WARPS as usize) {
            let is_across = within(text, warp, down, across);
            for (is_along, n) in &are_along {
                let is_there = text.predicate("and.pred", &format!("{is_along}, {is_across}"));
                places.push((is_there, *n, down));
            }
        }
        places
    }

    /// The addresses of these elements.
    fn lines(
        &self,
        text: &mut Text,
        corner: &str,
        (lane, along): (&str, &str),
        (warp, across): (&str, &str),
    ) -> Vec<String> {
        let side = side(self.element);
        let [lane, warp] = [lane, warp].map(|word| text.long("cvt.u64.u32", word));
        let first = text.long("mad.lo.s64", &format!("{lane}, {along}, {corner}"));
        let first = text.long("mad.lo.s64", &format!("{warp}, {across}, {first}"));
        let mut addresses = Vec::new();
        for down in (0..side).step_by(WARPS as usize) {
            let line = text.long("mad.lo.s64", &format!("{across}, {down}, {first}"));
            for n in (0..side).step_by(WARP as usize) {
                addresses.push(text.long("mad.lo.s64", &format!("{along}, {n}, {line}")));
            }
        }
        addresses
    }
}
