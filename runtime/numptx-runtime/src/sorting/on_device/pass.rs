//! A pass: all elements of rows are put in order by one digit, in one read and one write of each.
//!
//! In: rows, where each digit's elements begin, and the row's plan. Out: the rows in the other array; with them the indices of their elements, where these are
//! asked for. A block orders its tile and tells how many elements of each digit it has; the tiles before it in the row tell how many those have
//! together, the nearest that knows all of them at once. Tiles are taken in order, so that a block waits for none that has not begun.
//!
//! Source: Merrill, Garland, «Single-pass parallel prefix scan with decoupled look-back» (2016); Adinets, Merrill, «Onesweep» (2022).

use super::block::{Block, PLACE_BYTES, Shape, Total, WARP};
use super::counting::{IS_FIRST, IS_LAST, IS_ODD, LEFT_OUT, entry, parameters};
use super::key::{DIGITS, Key};
use crate::own_kernel::Text;

/// The first pass reads `first`, those behind an odd number of passes `odd`, others `even`; each writes the other one. `states` has a word for each tile and
/// digit, `ticket` one for the pass; both begin as zero.
pub(super) const PASS: [&str; 13] = [
    "first",
    "odd",
    "even",
    "order_odd",
    "order_even",
    "order",
    "length",
    "tiles",
    "starts",
    "plan",
    "states",
    "ticket",
    "pass",
];

/// See the file's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) key: Key,
    pub(super) shape: Shape,
    /// Whether indices go with the elements.
    pub(super) has_order: bool,
    /// Whether rows are so long that numbers of elements need words of 64 bits.
    pub(super) is_wide: bool,
}

/// Registers of a block.
struct Tile {
    block: Block,
    /// Shared memory: elements, and then where each digit's elements go less their place in the block.
    elements: String,
    goes_to: String,
    /// The tile's first element in its row, and how many it has.
    begin: String,
    count: String,
    /// The thread's first element in the tile.
    own: String,
}

/// Where a row lies that is read, and that is written; and of indices.
struct Arrays {
    from: String,
    to: String,
    order_from: String,
    order_to: String,
    order: String,
    is_first: String,
    is_last: String,
}

impl Pass {
    /// Bytes of an index while it is moved, and of a word that tells of a tile.
    pub(super) fn word(self) -> u32 {
        if self.is_wide { 8 } else { 4 }
    }

    fn bits(self) -> u32 {
        8 * self.word()
    }

    /// Bytes of the part of shared memory that has elements, indices or counts at a time.
    fn element_bytes(self) -> u32 {
        let order = if self.has_order { self.word() } else { 0 };
        (self.shape.tile() * self.key.room().max(order)).max(self.shape.count_bytes())
    }

    pub(super) fn shared_bytes(self) -> u32 {
        self.element_bytes() + PLACE_BYTES + 8 * DIGITS + 16
    }

    pub(super) fn text(self) -> String {
        let mut text = Text::default();
        let names = parameters(&mut text, PASS);
        let [first, odd, even, order_odd, order_even, order, length, tiles, starts, plan, states, ticket, pass] = names;
        let elements = text.word("mov.u32", "shared_sort_pass");
        let [places, goes_to, taken] = [0, PLACE_BYTES, PLACE_BYTES + 8 * DIGITS]
            .map(|offset| text.word("add.u32", &format!("{elements}, {}", self.element_bytes() + offset)));
        let block = Block::begin(&mut text, self.shape, &elements, &places);
        let number = take(&mut text, &block, &ticket, &taken);
        let row = text.long("div.u64", &format!("{number}, {tiles}"));
        let within = text.long("rem.u64", &format!("{number}, {tiles}"));
        let at = text.long("mad.lo.u64", &format!("{row}, {}, {pass}", self.key.passes() + 1));
        let at = text.long("mad.lo.u64", &format!("{at}, 4, {plan}"));
        let bits = text.word("ld.global.u32", &format!("[{at}]"));
        let is_left_out = has(&mut text, &bits, LEFT_OUT);
        text.line(&format!("@{is_left_out} ret"));
        let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
        let named = [&first, &odd, &even, &order_odd, &order_even, &order];
        let arrays = self.arrays(&mut text, named, &bits, &before);

        let begin = text.long("mul.lo.u64", &format!("{within}, {}", self.shape.tile()));
        let left = text.long("sub.u64", &format!("{length}, {begin}"));
        let left = text.long("min.u64", &format!("{left}, {}", self.shape.tile()));
        let count = text.word("cvt.u32.u64", &left);
        let own = block.first(&mut text);
        let tile = Tile { block, elements, goes_to, begin, count, own };
        let shift = text.word("cvt.u32.u64", &pass);
        let shift = text.word("mad.lo.u32", &format!("{shift}, 8, {}", self.key.lowest()));

        let loaded = self.load(&mut text, &tile, &arrays);
        let digits = loaded.iter().map(|element| self.digit(&mut text, element, &shift)).collect();
        let ranked = tile.block.rank(&mut text, digits);
        text.line("bar.sync 0");
        // The state of this tile's digit, and those of all digits of the pass.
        let at = text.long("mul.lo.u64", &format!("{number}, {DIGITS}"));
        let digit = text.long("cvt.u64.u32", &tile.block.thread);
        let at = text.long("add.u64", &format!("{at}, {digit}"));
        let state = text.long("mad.lo.u64", &format!("{at}, {}, {states}", self.word()));
        let is_alone = text.predicate("setp.eq.u64", &format!("{within}, 0"));
        let mut total = None;
        tile.block.by_digit(&mut text, |text| {
            let found = tile.block.total(text);
            self.tell(text, &state, &found.all, &is_alone);
            total = Some(found);
        });
        let total = total.expect("it was found");
        text.line("bar.sync 0");
        let mut start = None;
        tile.block.by_digit(&mut text, |text| start = Some(tile.block.start(text, &total)));
        let start = start.expect("it was found");
        text.line("bar.sync 0");
        let places = tile.block.places(&mut text, &ranked);
        text.line("bar.sync 0");
        for (element, place) in loaded.iter().zip(&places) {
            let to = text.word("mad.lo.u32", &format!("{place}, {}, {}", self.key.room(), tile.elements));
            text.line(&format!("st.shared.{} [{to}], {element}", self.key.shared()));
        }
        tile.block.by_digit(&mut text, |text| {
            let earlier = self.look_back(text, (&state, &is_alone), &total);
            let slot = text.long("mad.lo.u64", &format!("{row}, {}, {pass}", self.key.passes()));
            let slot = text.long("mad.lo.u64", &format!("{slot}, {DIGITS}, {digit}"));
            let at = text.long("mad.lo.u64", &format!("{slot}, 8, {starts}"));
            let first = text.long("ld.global.u64", &format!("[{at}]"));
            let first = text.long("add.u64", &format!("{first}, {earlier}"));
            let start = text.long("cvt.u64.u32", &start);
            let first = text.long("sub.u64", &format!("{first}, {start}"));
            let to = text.word("mad.lo.u32", &format!("{}, 8, {}", tile.block.thread, tile.goes_to));
            text.line(&format!("st.shared.u64 [{to}], {first}"));
        });
        text.line("bar.sync 0");
        let targets = self.write(&mut text, &tile, &arrays, &shift);
        if self.has_order {
            self.move_order(&mut text, &tile, &arrays, &places, &targets);
        }
        text.line("ret");
        entry("sort_pass", &PASS, (self.shape, self.shared_bytes()), text)
    }

    fn digit(self, text: &mut Text, element: &str, shift: &str) -> String {
        let key = self.key.order(text, element);
        self.key.digit(text, &key, shift)
    }

    fn arrays(self, text: &mut Text, named: [&String; 6], bits: &str, before: &str) -> Arrays {
        let [first, odd, even, order_odd, order_even, order] = named;
        let [is_first, is_odd, is_last] = [IS_FIRST, IS_ODD, IS_LAST].map(|bit| has(text, bits, bit));
        let mut choose = |a: &str, b: &str, holds: &str| text.long("selp.b64", &format!("{a}, {b}, {holds}"));
        let from = choose(first, even, &is_first);
        let from = choose(odd, &from, &is_odd);
        let to = choose(even, odd, &is_odd);
        let order_from = choose(order_odd, order_even, &is_odd);
        let order_to = choose(order_even, order_odd, &is_odd);
        let mut along = |first: &str, bytes: u32| text.long("mad.lo.u64", &format!("{before}, {bytes}, {first}"));
        let [from, to] = [from, to].map(|first| along(&first, self.key.bytes));
        let [order_from, order_to] = [order_from, order_to].map(|first| along(&first, self.word()));
        let order = along(order, 8);
        Arrays { from, to, order_from, order_to, order, is_first, is_last }
    }

    /// Whether the thread's elements are there, and their place in the row.
    fn own_elements(self, text: &mut Text, tile: &Tile) -> (Vec<String>, String) {
        let is_there = |n: u32| {
            let place = text.word("add.u32", &format!("{}, {}", tile.own, WARP * n));
            text.predicate("setp.lt.u32", &format!("{place}, {}", tile.count))
        };
        let are_there = (0..self.shape.items).map(is_there).collect();
        let own = text.long("cvt.u64.u32", &tile.own);
        (are_there, text.long("add.u64", &format!("{}, {own}", tile.begin)))
    }

    fn load(self, text: &mut Text, tile: &Tile, arrays: &Arrays) -> Vec<String> {
        let (are_there, place) = self.own_elements(text, tile);
        let first = text.long("mad.lo.u64", &format!("{place}, {}, {}", self.key.bytes, arrays.from));
        let load = |(n, is_there): (u32, &String)| {
            let element = self.key.last(text);
            let offset = WARP * n * self.key.bytes;
            text.line(&format!("@{is_there} ld.global.{} {element}, [{first}+{offset}]", self.key.memory()));
            element
        };
        (0..).zip(&are_there).map(load).collect()
    }

    /// Tells how many elements of a digit the tile has; of a row's first tile these are all up to it.
    fn tell(self, text: &mut Text, state: &str, all: &str, is_alone: &str) {
        let bits = self.bits();
        let all = self.counted(text, all);
        let [known, whole] = [1u64, 2].map(|flag| flag << (bits - 2));
        let flag = text.fresh(if self.is_wide { 'd' } else { 'r' });
        text.line(&format!("selp.b{bits} {flag}, 0x{whole:x}, 0x{known:x}, {is_alone}"));
        text.line(&format!("or.b{bits} {flag}, {flag}, {all}"));
        text.line(&format!("st.relaxed.gpu.global.u{bits} [{state}], {flag}"));
    }

    /// A number of a tile's elements as states have it.
    fn counted(self, text: &mut Text, number: &str) -> String {
        if self.is_wide { text.long("cvt.u64.u32", number) } else { number.to_string() }
    }

    /// How many elements of a digit the row's earlier tiles have, of 64 bits; tells what that makes with the tile's own.
    fn look_back(self, text: &mut Text, (state, is_alone): (&str, &str), total: &Total) -> String {
        let (bits, class) = (self.bits(), if self.is_wide { 'd' } else { 'r' });
        let [sum, found, flag] = [0; 3].map(|_| text.fresh(class));
        let [again, known, over] = [0; 3].map(|_| text.label());
        text.line(&format!("mov.u{bits} {sum}, 0"));
        text.line(&format!("@{is_alone} bra {over}"));
        let at = text.long("mov.u64", state);
        text.place(&known);
        text.line(&format!("sub.u64 {at}, {at}, {}", DIGITS * self.word()));
        text.place(&again);
        text.line(&format!("ld.relaxed.gpu.global.u{bits} {found}, [{at}]"));
        text.line(&format!("shr.u{bits} {flag}, {found}, {}", bits - 2));
        let is_unknown = text.predicate(&format!("setp.eq.u{bits}"), &format!("{flag}, 0"));
        text.line(&format!("@{is_unknown} bra {again}"));
        text.line(&format!("and.b{bits} {found}, {found}, 0x{:x}", (1u64 << (bits - 2)) - 1));
        text.line(&format!("add.u{bits} {sum}, {sum}, {found}"));
        let is_part = text.predicate(&format!("setp.eq.u{bits}"), &format!("{flag}, 1"));
        text.line(&format!("@{is_part} bra {known}"));
        let own = self.counted(text, &total.all);
        text.line(&format!("add.u{bits} {found}, {sum}, {own}"));
        text.line(&format!("or.b{bits} {found}, {found}, 0x{:x}", 2u64 << (bits - 2)));
        text.line(&format!("st.relaxed.gpu.global.u{bits} [{state}], {found}"));
        text.place(&over);
        if self.is_wide { sum } else { text.long("cvt.u64.u32", &sum) }
    }

    /// Writes the tile's elements, neighbours by neighbouring threads; where each went, and whether it is there.
    fn write(self, text: &mut Text, tile: &Tile, arrays: &Arrays, shift: &str) -> Vec<(String, String)> {
        let first = text.word("mad.lo.u32", &format!("{}, {}, {}", tile.block.thread, self.key.room(), tile.elements));
        let write = |n: u32| {
            let place = text.word("add.u32", &format!("{}, {}", tile.block.thread, n * self.shape.threads));
            let is_there = text.predicate("setp.lt.u32", &format!("{place}, {}", tile.count));
            let element = text.fresh(if self.key.room() == 8 { 'd' } else { 'r' });
            let offset = n * self.shape.threads * self.key.room();
            text.line(&format!("ld.shared.{} {element}, [{first}+{offset}]", self.key.shared()));
            let digit = self.digit(text, &element, shift);
            let at = text.word("mad.lo.u32", &format!("{digit}, 8, {}", tile.goes_to));
            let goes_to = text.long("ld.shared.u64", &format!("[{at}]"));
            let place = text.long("cvt.u64.u32", &place);
            let target = text.long("add.u64", &format!("{goes_to}, {place}"));
            let to = text.long("mad.lo.u64", &format!("{target}, {}, {}", self.key.bytes, arrays.to));
            text.line(&format!("@{is_there} st.global.{} [{to}], {element}", self.key.memory()));
            (target, is_there)
        };
        (0..self.shape.items).map(write).collect()
    }

    /// Indices go the same way. The first pass makes them, the last one writes the result.
    fn move_order(
        self,
        text: &mut Text,
        tile: &Tile,
        arrays: &Arrays,
        places: &[String],
        targets: &[(String, String)],
    ) {
        let (bits, bytes, class) = (self.bits(), self.word(), if self.is_wide { 'd' } else { 'r' });
        let (are_there, place) = self.own_elements(text, tile);
        let first = text.long("mad.lo.u64", &format!("{place}, {bytes}, {}", arrays.order_from));
        let number = if self.is_wide { place } else { text.word("cvt.u32.u64", &place) };
        let load = |(n, is_there): (u32, &String)| {
            let index = text.fresh(class);
            text.line(&format!("add.u{bits} {index}, {number}, {}", WARP * n));
            let is_moved = text.predicate("and.pred", &format!("{is_there}, {is_there}"));
            text.line(&format!("@{} mov.pred {is_moved}, 0", arrays.is_first));
            text.line(&format!("@{is_moved} ld.global.u{bits} {index}, [{first}+{}]", WARP * n * bytes));
            index
        };
        let loaded: Vec<String> = (0..).zip(&are_there).map(load).collect();
        text.line("bar.sync 0");
        for (index, place) in loaded.iter().zip(places) {
            let to = text.word("mad.lo.u32", &format!("{place}, {bytes}, {}", tile.elements));
            text.line(&format!("st.shared.u{bits} [{to}], {index}"));
        }
        text.line("bar.sync 0");
        let first = text.word("mad.lo.u32", &format!("{}, {bytes}, {}", tile.block.thread, tile.elements));
        let [last, over] = [0; 2].map(|_| text.label());
        let offset = |n: u32| n * self.shape.threads * bytes;
        text.line(&format!("@{} bra {last}", arrays.is_last));
        for (n, (target, is_there)) in (0..).zip(targets) {
            let index = text.fresh(class);
            text.line(&format!("ld.shared.u{bits} {index}, [{first}+{}]", offset(n)));
            let to = text.long("mad.lo.u64", &format!("{target}, {bytes}, {}", arrays.order_to));
            text.line(&format!("@{is_there} st.global.u{bits} [{to}], {index}"));
        }
        text.line(&format!("bra {over}"));
        text.place(&last);
        for (n, (target, is_there)) in (0..).zip(targets) {
            let index = text.fresh(class);
            text.line(&format!("ld.shared.u{bits} {index}, [{first}+{}]", offset(n)));
            let index = if self.is_wide { index } else { text.long("cvt.u64.u32", &index) };
            let to = text.long("mad.lo.u64", &format!("{target}, 8, {}", arrays.order));
            text.line(&format!("@{is_there} st.global.u64 [{to}], {index}"));
        }
        text.place(&over);
    }
}

/// Whether a bit is set.
fn has(text: &mut Text, bits: &str, bit: u32) -> String {
    let found = text.word("and.b32", &format!("{bits}, {bit}"));
    text.predicate("setp.ne.u32", &format!("{found}, 0"))
}

/// The number of the block's tile, of 64 bits.
fn take(text: &mut Text, block: &Block, ticket: &str, taken: &str) -> String {
    let is_leader = text.predicate("setp.eq.u32", &format!("{}, 0", block.thread));
    let number = text.fresh('r');
    text.line(&format!("@{is_leader} atom.global.add.u32 {number}, [{ticket}], 1"));
    text.line(&format!("@{is_leader} st.shared.u32 [{taken}], {number}"));
    text.line("bar.sync 0");
    let number = text.word("ld.shared.u32", &format!("[{taken}]"));
    text.long("cvt.u64.u32", &number)
}
