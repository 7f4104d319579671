//! Selection: the elements that stand in the middle of rows in order, found digit by digit from the first one on, without moving any other.
//!
//! In: rows of elements, and a state for each, which begins as zeros. Out: each row's middle element, or both, at their places, and a nan at its end if it has
//! one; what stood there is lost. A pass counts the digits of those elements whose digits before are the ones that were chosen, and chooses the next one.
//! Nothing waits for the host.

use super::block::WARP;
use super::counting::{AT_ONCE, BLOCK, THREADS, each, entry, loaded, parameters, share, sum_of_lanes};
use super::key::Key;
use crate::own_kernel::Text;

/// Bits of a digit at most.
const DIGIT_BITS: u32 = 11;
/// How many digits there are.
pub const DIGITS: u32 = 1 << DIGIT_BITS;
/// Digits that a thread looks at when one is chosen.
const OWN_DIGITS: u32 = DIGITS / THREADS;

/// Words of a row's state, of 64 bits each: the digits that were chosen, as a key; how many elements with these come before the wanted one; how many have
/// the last key; and, with all bits turned, the least bits of elements with that key, the least key behind it, and the least bits of nans.
const PREFIX: u32 = 0;
const RANK: u32 = 8;
const EQUAL: u32 = 16;
const LOWER: u32 = 24;
const ABOVE: u32 = 32;
const NAN: u32 = 40;
/// Bytes of a row's state.
pub const STATE_BYTES: u32 = 64;

const COUNT: [&str; 8] = ["first", "length", "chunks", "states", "counts", "from", "mask", "upto"];
const CHOOSE: [&str; 5] = ["states", "counts", "from", "rank", "is_first"];
const ENDS: [&str; 4] = ["first", "length", "chunks", "states"];
const WRITE: [&str; 3] = ["first", "length", "states"];

/// A pass: where its digit begins in a key's register, which bits of it there are, and where those before it begin.
pub fn passes(key: Key) -> impl Iterator<Item = [u64; 3]> {
    let (bits, lowest) = (key.bits(), key.lowest());
    (lowest..bits).rev().step_by(DIGIT_BITS as usize).map(move |last| {
        let upto = last + 1;
        let from = upto.saturating_sub(DIGIT_BITS).max(lowest);
        [u64::from(from), (1 << (upto - from)) - 1, u64::from(upto)]
    })
}

/// The texts of all entries but that which clears.
pub(super) fn text(key: Key) -> String {
    count(key) + &choose() + &ends(key) + &write(key)
}

/// Where a row's state lies.
fn state_of(text: &mut Text, row: &str, states: &str) -> String {
    text.long("mad.lo.u64", &format!("{row}, {STATE_BYTES}, {states}"))
}

/// A word of 64 bits as a register of keys, or the other way round.
fn resized(text: &mut Text, key: Key, (from, to): (u32, u32), value: &str) -> String {
    match (from, to) {
        (64, 32) if key.bits() == 32 => text.word("cvt.u32.u64", value),
        (32, 64) if key.bits() == 32 => text.long("cvt.u64.u32", value),
        _ => value.to_string(),
    }
}

/// An instruction on keys.
fn of_keys(text: &mut Text, key: Key, mnemonic: &str, operands: &str) -> String {
    let register = text.fresh(key.class());
    text.line(&format!("{mnemonic}{} {register}, {operands}", key.bits()));
    register
}

/// Counts the digits of a row's elements that have the digits chosen before.
fn count(key: Key) -> String {
    let mut text = Text::default();
    let [first, length, chunks, states, counts, from, mask, upto] = parameters(&mut text, COUNT);
    let [from, mask, upto] = [from, mask, upto].map(|long| text.word("cvt.u32.u64", &long));
    let [row, place, step] = share(&mut text, &chunks);
    let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
    let first = text.long("mad.lo.u64", &format!("{before}, {}, {first}", key.bytes));
    let state = state_of(&mut text, &row, &states);
    let prefix = text.long("ld.global.u64", &format!("[{state}+{PREFIX}]"));
    let prefix = resized(&mut text, key, (64, 32), &prefix);
    // A shift by all bits gives 0.
    let prefix = of_keys(&mut text, key, "shr.u", &format!("{prefix}, {upto}"));
    let thread = text.word("mov.u32", "%tid.x");
    let shared = text.word("mov.u32", "shared_select_count");
    let own = text.word("mad.lo.u32", &format!("{thread}, 4, {shared}"));
    let slots = (0..DIGITS).step_by(THREADS as usize);
    slots.clone().for_each(|n| text.line(&format!("st.shared.u32 [{own}+{}], 0", 4 * n)));
    text.line("bar.sync 0");
    let round = text.long("mul.lo.u64", &format!("{step}, {AT_ONCE}"));
    each(&mut text, (&place, &length, &round), |text, place| {
        for (is_there, element) in loaded(text, key, (place, &length, &step, &first)) {
            let ordered = key.order(text, &element);
            let chosen = of_keys(text, key, "shr.u", &format!("{ordered}, {upto}"));
            let is_chosen = text.predicate(&format!("setp.eq.u{}", key.bits()), &format!("{chosen}, {prefix}"));
            let is_counted = text.predicate("and.pred", &format!("{is_there}, {is_chosen}"));
            let digit = of_keys(text, key, "shr.u", &format!("{ordered}, {from}"));
            let digit = if key.bits() == 64 { text.word("cvt.u32.u64", &digit) } else { digit };
            let digit = text.word("and.b32", &format!("{digit}, {mask}"));
            let to = text.word("mad.lo.u32", &format!("{digit}, 4, {shared}"));
            text.line(&format!("@{is_counted} red.shared.add.u32 [{to}], 1"));
        }
    });
    text.line("bar.sync 0");
    let slot = text.long("cvt.u64.u32", &thread);
    let slot = text.long("mad.lo.u64", &format!("{row}, {DIGITS}, {slot}"));
    let to = text.long("mad.lo.u64", &format!("{slot}, 8, {counts}"));
    for n in slots {
        let found = text.word("ld.shared.u32", &format!("[{own}+{}]", 4 * n));
        let is_any = text.predicate("setp.ne.u32", &format!("{found}, 0"));
        let found = text.long("cvt.u64.u32", &found);
        text.line(&format!("@{is_any} red.global.add.u64 [{to}+{}], {found}", 8 * n));
    }
    text.line("ret");
    entry("select_count", &COUNT, (BLOCK, 4 * DIGITS), text)
}

/// A block a row: the digit of the wanted element is chosen, and the counts are zeros again.
fn choose() -> String {
    let (mut text, warps) = (Text::default(), THREADS / WARP);
    let [states, counts, from, wanted, is_first] = parameters(&mut text, CHOOSE);
    let from = text.word("cvt.u32.u64", &from);
    let [row, thread] = ["%ctaid.x", "%tid.x"].map(|name| text.word("mov.u32", name));
    let lane = text.word("and.b32", &format!("{thread}, {}", WARP - 1));
    let warp = text.word("shr.u32", &format!("{thread}, {}", WARP.ilog2()));
    let [row, own] = [&row, &thread].map(|word| text.long("cvt.u64.u32", word));
    let state = state_of(&mut text, &row, &states);
    let slot = text.long("mul.lo.u64", &format!("{own}, {OWN_DIGITS}"));
    let slot = text.long("mad.lo.u64", &format!("{row}, {DIGITS}, {slot}"));
    let at = text.long("mad.lo.u64", &format!("{slot}, 8, {counts}"));
    let found: Vec<String> =
        (0..OWN_DIGITS).map(|n| text.long("ld.global.u64", &format!("[{at}+{}]", 8 * n))).collect();
    (0..OWN_DIGITS).for_each(|n| text.line(&format!("st.global.u64 [{at}+{}], 0", 8 * n)));
    let mut own_sum = found[0].clone();
    for n in &found[1..] {
        own_sum = text.long("add.u64", &format!("{own_sum}, {n}"));
    }
    let upto = sum_of_lanes(&mut text, &own_sum, &lane);
    let sums = text.word("mov.u32", "shared_select_choose");
    let to = text.word("mad.lo.u32", &format!("{warp}, 8, {sums}"));
    let is_last_lane = text.predicate("setp.eq.u32", &format!("{lane}, {}", WARP - 1));
    text.line(&format!("@{is_last_lane} st.shared.u64 [{to}], {upto}"));
    text.line("bar.sync 0");
    let mut before = text.long("sub.u64", &format!("{upto}, {own_sum}"));
    for other in 0..warps - 1 {
        let sum = text.long("ld.shared.u64", &format!("[{sums}+{}]", 8 * other));
        let sum = text.long("add.u64", &format!("{before}, {sum}"));
        let is_before = text.predicate("setp.gt.u32", &format!("{warp}, {other}"));
        before = text.long("selp.b64", &format!("{sum}, {before}, {is_before}"));
    }
    let rank = text.long("ld.global.u64", &format!("[{state}+{RANK}]"));
    let is_first = text.predicate("setp.ne.u64", &format!("{is_first}, 0"));
    let rank = text.long("selp.b64", &format!("{wanted}, {rank}, {is_first}"));
    text.line("bar.sync 0");
    // One thread has the digit: those before it have as many elements as the rank, or fewer, and with it there are more.
    let first = text.word("mul.lo.u32", &format!("{thread}, {OWN_DIGITS}"));
    for (n, count) in (0..).zip(&found) {
        let behind = text.long("add.u64", &format!("{before}, {count}"));
        let is_reached = text.predicate("setp.le.u64", &format!("{before}, {rank}"));
        let is_within = text.predicate("setp.lt.u64", &format!("{rank}, {behind}"));
        let is_it = text.predicate("and.pred", &format!("{is_reached}, {is_within}"));
        let rest = text.long("sub.u64", &format!("{rank}, {before}"));
        let digit = text.word("add.u32", &format!("{first}, {n}"));
        let digit = text.long("cvt.u64.u32", &digit);
        let digit = text.long("shl.b64", &format!("{digit}, {from}"));
        let prefix = text.long("mov.u64", "0");
        text.line(&format!("@{is_it} ld.global.u64 {prefix}, [{state}+{PREFIX}]"));
        let prefix = text.long("or.b64", &format!("{prefix}, {digit}"));
        text.line(&format!("@{is_it} st.global.u64 [{state}+{PREFIX}], {prefix}"));
        text.line(&format!("@{is_it} st.global.u64 [{state}+{RANK}], {rest}"));
        text.line(&format!("@{is_it} st.global.u64 [{state}+{EQUAL}], {count}"));
        before = behind;
    }
    text.line("ret");
    entry("select_choose", &CHOOSE, (BLOCK, 8 * warps), text)
}

/// The bits of elements with the key that was chosen, the key behind it, and the bits of nans.
fn ends(key: Key) -> String {
    let mut text = Text::default();
    let [first, length, chunks, states] = parameters(&mut text, ENDS);
    let [row, place, step] = share(&mut text, &chunks);
    let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
    let first = text.long("mad.lo.u64", &format!("{before}, {}, {first}", key.bytes));
    let state = state_of(&mut text, &row, &states);
    let chosen = text.long("ld.global.u64", &format!("[{state}+{PREFIX}]"));
    let shared = text.word("mov.u32", "shared_select_ends");
    let thread = text.word("mov.u32", "%tid.x");
    let is_leader = text.predicate("setp.eq.u32", &format!("{thread}, 0"));
    let found = [LOWER, ABOVE, NAN].map(|word| (word, word - LOWER, text.long("mov.u64", "0")));
    found.iter().for_each(|(_, at, _)| text.line(&format!("@{is_leader} st.shared.u64 [{shared}+{at}], 0")));
    text.line("bar.sync 0");
    let nan = text.long("mov.u64", &format!("0x{:x}", key.greatest()));
    let round = text.long("mul.lo.u64", &format!("{step}, {AT_ONCE}"));
    each(&mut text, (&place, &length, &round), |text, place| {
        for (is_there, element) in loaded(text, key, (place, &length, &step, &first)) {
            let ordered = key.order(text, &element);
            let [ordered, element] = [ordered, element].map(|value| resized(text, key, (32, 64), &value));
            let tests = [("eq", &chosen, &element), ("gt", &chosen, &ordered), ("eq", &nan, &element)];
            for ((test, other, value), (word, _, most)) in tests.into_iter().zip(&found) {
                if *word == NAN && !key.has_nans() {
                    continue;
                }
                let is_it = text.predicate(&format!("setp.{test}.u64"), &format!("{ordered}, {other}"));
                let is_it = text.predicate("and.pred", &format!("{is_it}, {is_there}"));
                let turned = text.long("not.b64", value);
                // A nan may have all bits; it is told nevertheless, as another one.
                let least = if *word == NAN { text.long("max.u64", &format!("{turned}, 1")) } else { turned };
                let turned = text.long("max.u64", &format!("{least}, {most}"));
                text.line(&format!("selp.b64 {most}, {turned}, {most}, {is_it}"));
            }
        }
    });
    for (_, at, most) in &found {
        let is_any = text.predicate("setp.ne.u64", &format!("{most}, 0"));
        text.line(&format!("@{is_any} red.shared.max.u64 [{shared}+{at}], {most}"));
    }
    text.line("bar.sync 0");
    for (word, at, most) in &found {
        text.line(&format!("ld.shared.u64 {most}, [{shared}+{at}]"));
        let is_any = text.predicate("setp.ne.u64", &format!("{most}, 0"));
        let is_told = text.predicate("and.pred", &format!("{is_any}, {is_leader}"));
        text.line(&format!("@{is_told} red.global.max.u64 [{state}+{word}], {most}"));
    }
    text.line("ret");
    entry("select_ends", &ENDS, (BLOCK, 24), text)
}

/// A block a row, of which one thread works: writes what was found.
fn write(key: Key) -> String {
    let mut text = Text::default();
    let [first, length, states] = parameters(&mut text, WRITE);
    let [row, thread] = ["%ctaid.x", "%tid.x"].map(|name| text.word("mov.u32", name));
    let is_other = text.predicate("setp.ne.u32", &format!("{thread}, 0"));
    text.line(&format!("@{is_other} ret"));
    let row = text.long("cvt.u64.u32", &row);
    let state = state_of(&mut text, &row, &states);
    let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
    let first = text.long("mad.lo.u64", &format!("{before}, {}, {first}", key.bytes));
    let [rank, equal, lower, above, nan] =
        [RANK, EQUAL, LOWER, ABOVE, NAN].map(|word| text.long("ld.global.u64", &format!("[{state}+{word}]")));
    let [lower, above, nan_bits] = [&lower, &above, &nan].map(|turned| text.long("not.b64", turned));
    let above = resized(&mut text, key, (64, 32), &above);
    let above = key.element(&mut text, &above);
    let lower = resized(&mut text, key, (64, 32), &lower);
    // The next one has the same key, if there is another one with it.
    let next = text.long("add.u64", &format!("{rank}, 1"));
    let is_same = text.predicate("setp.lt.u64", &format!("{next}, {equal}"));
    let upper = of_keys(&mut text, key, "selp.b", &format!("{lower}, {above}, {is_same}"));
    let half = text.long("shr.u64", &format!("{length}, 1"));
    let bit = text.long("and.b64", &format!("{length}, 1"));
    let is_even = text.predicate("setp.eq.u64", &format!("{bit}, 0"));
    let at = text.long("mad.lo.u64", &format!("{half}, {}, {first}", key.bytes));
    let previous = text.long("sub.u64", &format!("{at}, {}", key.bytes));
    let memory = key.memory();
    text.line(&format!("@{is_even} st.global.{memory} [{previous}], {lower}"));
    text.line(&format!("@{is_even} st.global.{memory} [{at}], {upper}"));
    text.line(&format!("@!{is_even} st.global.{memory} [{at}], {lower}"));
    let has_nan = text.predicate("setp.ne.u64", &format!("{nan}, 0"));
    let last = text.long("sub.u64", &format!("{length}, 1"));
    let last = text.long("mad.lo.u64", &format!("{last}, {}, {first}", key.bytes));
    let nan_bits = resized(&mut text, key, (64, 32), &nan_bits);
    text.line(&format!("@{has_nan} st.global.{memory} [{last}], {nan_bits}"));
    text.line("ret");
    entry("select_write", &WRITE, (BLOCK, 0), text)
}
