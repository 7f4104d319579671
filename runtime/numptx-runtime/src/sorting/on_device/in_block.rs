//! Short rows: a block orders one in shared memory, digit by digit.
//!
//! In: rows that a tile has room for. Out: the rows in place, or the indices that put them in order. Digits that all elements share cost little.

use super::block::{Block, PLACE_BYTES, Shape, WARP};
use super::counting::{entry, parameters};
use super::key::{DIGITS, Key};
use crate::own_kernel::Text;

pub(super) const IN_BLOCK: [&str; 3] = ["first", "order", "length"];

/// See the file's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InBlock {
    pub(super) key: Key,
    pub(super) shape: Shape,
    /// Whether indices are written, and the elements left.
    pub(super) has_order: bool,
}

impl InBlock {
    fn element_bytes(self) -> u32 {
        (self.shape.tile() * self.key.room()).max(self.shape.count_bytes())
    }

    fn order_bytes(self) -> u32 {
        if self.has_order { 4 * self.shape.tile() } else { 0 }
    }

    pub(super) fn shared_bytes(self) -> u32 {
        self.element_bytes() + self.order_bytes() + PLACE_BYTES + 16
    }

    pub(super) fn text(self) -> String {
        let (mut text, key) = (Text::default(), self.key);
        let [first, order, length] = parameters(&mut text, IN_BLOCK);
        let elements = text.word("mov.u32", "shared_sort_in_block");
        let order_at = text.word("add.u32", &format!("{elements}, {}", self.element_bytes()));
        let places = text.word("add.u32", &format!("{order_at}, {}", self.order_bytes()));
        let one_digit = text.word("add.u32", &format!("{places}, {PLACE_BYTES}"));
        let block = Block::begin(&mut text, self.shape, &elements, &places);
        let row = text.word("mov.u32", "%ctaid.x");
        let row = text.long("cvt.u64.u32", &row);
        let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
        let own = block.first(&mut text);
        let count = text.word("cvt.u32.u64", &length);
        let place = text.long("cvt.u64.u32", &own);
        let place = text.long("add.u64", &format!("{before}, {place}"));
        let at = text.long("mad.lo.u64", &format!("{place}, {}, {first}", key.bytes));
        let (mut loaded, mut indices, mut are_there) = (Vec::new(), Vec::new(), Vec::new());
        for n in 0..self.shape.items {
            let index = text.word("add.u32", &format!("{own}, {}", WARP * n));
            let is_there = text.predicate("setp.lt.u32", &format!("{index}, {count}"));
            let element = key.last(&mut text);
            text.line(&format!("@{is_there} ld.global.{} {element}, [{at}+{}]", key.memory(), WARP * n * key.bytes));
            loaded.push(element);
            indices.push(index);
            are_there.push(is_there);
        }
        // Elements that are not there have the last digit.
        let is_last = text.predicate("setp.eq.u32", &format!("{}, {}", block.thread, DIGITS - 1));
        let wanted = text.word("selp.b32", &format!("{}, {count}, {is_last}", self.shape.tile()));
        let is_leader = text.predicate("setp.eq.u32", &format!("{}, 0", block.thread));
        let shift = text.word("mov.u32", &key.lowest().to_string());
        let [again, next] = [0; 2].map(|_| text.label());
        text.place(&again);
        text.line(&format!("@{is_leader} st.shared.u32 [{one_digit}], 0"));
        let digit = |element: &String| {
            let ordered = key.order(&mut text, element);
            key.digit(&mut text, &ordered, &shift)
        };
        let digits = loaded.iter().map(digit).collect();
        let ranked = block.rank(&mut text, digits);
        text.line("bar.sync 0");
        let mut total = None;
        block.by_digit(&mut text, |text| {
            let found = block.total(text);
            let is_all = text.predicate("setp.eq.u32", &format!("{}, {wanted}", found.all));
            text.line(&format!("@{is_all} st.shared.u32 [{one_digit}], 1"));
            total = Some(found);
        });
        let total = total.expect("it was found");
        text.line("bar.sync 0");
        let has_one = text.word("ld.shared.u32", &format!("[{one_digit}]"));
        let has_one = text.predicate("setp.ne.u32", &format!("{has_one}, 0"));
        text.line(&format!("@{has_one} bra {next}"));
        block.by_digit(&mut text, |text| {
            block.start(text, &total);
        });
        text.line("bar.sync 0");
        let places = block.places(&mut text, &ranked);
        text.line("bar.sync 0");
        self.exchange(&mut text, (&elements, key.room(), key.shared()), (&places, &own), &loaded);
        if self.has_order {
            self.exchange(&mut text, (&order_at, 4, "u32"), (&places, &own), &indices);
        }
        text.place(&next);
        text.line("bar.sync 0");
        text.line(&format!("add.u32 {shift}, {shift}, 8"));
        let goes_on = text.predicate("setp.lt.u32", &format!("{shift}, {}", 8 * key.room()));
        text.line(&format!("@{goes_on} bra {again}"));
        let own = if self.has_order { &indices } else { &loaded };
        self.write(&mut text, (&place, &at, &order), own, &are_there);
        text.line("ret");
        entry("sort_in_block", &IN_BLOCK, (self.shape, self.shared_bytes()), text)
    }

    /// Writes the indices, or the elements, of which the first goes to `at`.
    fn write(self, text: &mut Text, (place, at, order): (&str, &str, &str), own: &[String], are_there: &[String]) {
        let to = if self.has_order { text.long("mad.lo.u64", &format!("{place}, 8, {order}")) } else { at.to_string() };
        let (memory, bytes) = if self.has_order { ("u64", 8) } else { (self.key.memory(), self.key.bytes) };
        for (n, (register, is_there)) in (0..).zip(own.iter().zip(are_there)) {
            let value = if self.has_order { text.long("cvt.u64.u32", register) } else { register.clone() };
            text.line(&format!("@{is_there} st.global.{memory} [{to}+{}], {value}", WARP * n * bytes));
        }
    }

    /// Puts what threads have to its places, and gives each thread what then lies at its own.
    fn exchange(
        self,
        text: &mut Text,
        (shared, bytes, ty): (&str, u32, &str),
        (places, own): (&[String], &str),
        registers: &[String],
    ) {
        for (register, place) in registers.iter().zip(places) {
            let to = text.word("mad.lo.u32", &format!("{place}, {bytes}, {shared}"));
            text.line(&format!("st.shared.{ty} [{to}], {register}"));
        }
        text.line("bar.sync 0");
        let first = text.word("mad.lo.u32", &format!("{own}, {bytes}, {shared}"));
        for (n, register) in (0..).zip(registers) {
            text.line(&format!("ld.shared.{ty} {register}, [{first}+{}]", WARP * n * bytes));
        }
    }
}
