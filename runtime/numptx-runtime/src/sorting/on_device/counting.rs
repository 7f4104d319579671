//! What comes before the passes: how often each digit occurs, where its elements begin, and which passes there are.
//!
//! In: rows of elements. Out: for each row, pass and digit how many elements have smaller digits; which passes are left out, because all elements have one
//! digit, and between which arrays the others move elements. Nothing waits for the host.

use std::fmt::Write as _;

use super::block::{Shape, WARP};
use super::key::{DIGITS, Key};
use crate::own_kernel::Text;

/// Threads of a block of these kernels.
pub(super) const THREADS: u32 = 256;
pub(super) const BLOCK: Shape = Shape { threads: THREADS, items: 1, blocks: 1 };
/// Elements that a thread looks at in a round.
pub(super) const AT_ONCE: u32 = 4;
/// Bytes of a vector.
pub(super) const VECTOR_BYTES: u64 = 16;

/// What a pass of a row does, as bits: it is left out, it is the first one that is not, those before are an odd number, it is the last one.
pub(super) const LEFT_OUT: u32 = 1;
pub(super) const IS_FIRST: u32 = 2;
pub(super) const IS_ODD: u32 = 4;
pub(super) const IS_LAST: u32 = 8;

pub(super) const CLEAR: [&str; 2] = ["to", "vectors"];
pub(super) const COUNT: [&str; 4] = ["first", "length", "chunks", "counts"];
pub(super) const PLAN: [&str; 3] = ["length", "counts", "plan"];
pub(super) const SETTLE: [&str; 5] = ["odd", "even", "length", "chunks", "plan"];

/// An entry with parameters of 8 bytes and some bytes of shared memory, `shared_` and its name. No parameter has an entry's name: assemblers take one for the
/// other.
pub(super) fn entry(name: &str, names: &[&str], (shape, bytes): (Shape, u32), body: Text) -> String {
    let Shape { threads, blocks, .. } = shape;
    let parameters: Vec<String> = names.iter().map(|name| format!("    .param .u64 {name}")).collect();
    let mut text = String::new();
    let _ = writeln!(text, ".visible .entry {name}(\n{}\n)", parameters.join(",\n"));
    let _ = writeln!(text, ".maxntid {threads}, 1, 1\n.minnctapersm {blocks}\n{{");
    if bytes > 0 {
        let _ = writeln!(text, "    .shared .align 16 .b8 shared_{name}[{bytes}];");
    }
    text.push_str(&body.finish());
    text.push_str("}\n\n");
    text
}

/// Registers that hold parameters.
pub(super) fn parameters<const N: usize>(text: &mut Text, names: [&str; N]) -> [String; N] {
    names.map(|name| text.long("ld.param.u64", &format!("[{name}]")))
}

/// A grid of so many blocks a row: the row, the block's first element for this thread, and elements to the next round.
pub(super) fn share(text: &mut Text, chunks: &str) -> [String; 3] {
    let [block, thread] = ["%ctaid.x", "%tid.x"].map(|name| text.word("mov.u32", name));
    let [block, thread] = [block, thread].map(|word| text.long("cvt.u64.u32", &word));
    let row = text.long("div.u64", &format!("{block}, {chunks}"));
    let chunk = text.long("rem.u64", &format!("{block}, {chunks}"));
    let first = text.long("mad.lo.u64", &format!("{chunk}, {THREADS}, {thread}"));
    let step = text.long("mul.lo.u64", &format!("{chunks}, {THREADS}"));
    [row, first, step]
}

/// Writes zeros.
pub(super) fn clear() -> String {
    let mut text = Text::default();
    let [to, vectors] = parameters(&mut text, CLEAR);
    let [block, threads, blocks] = ["%ctaid.x", "%ntid.x", "%nctaid.x"].map(|name| text.word("mov.u32", name));
    let thread = text.word("mov.u32", "%tid.x");
    let [block, threads, blocks, thread] = [block, threads, blocks, thread].map(|word| text.long("cvt.u64.u32", &word));
    let place = text.long("mad.lo.u64", &format!("{block}, {threads}, {thread}"));
    let step = text.long("mul.lo.u64", &format!("{blocks}, {threads}"));
    let zero = text.long("mov.u64", "0");
    each(&mut text, (&place, &vectors, &step), |text, place| {
        let at = text.long("mad.lo.u64", &format!("{place}, {VECTOR_BYTES}, {to}"));
        text.line(&format!("st.global.v2.u64 [{at}], {{{zero}, {zero}}}"));
    });
    text.line("ret");
    entry("sort_clear", &CLEAR, (BLOCK, 0), text)
}

/// `place`, `place + step`, … as long as it is below the end. The register changes.
pub(super) fn each(text: &mut Text, (place, end, step): (&str, &str, &str), work: impl FnOnce(&mut Text, &str)) {
    let [again, over] = [0; 2].map(|_| text.label());
    text.place(&again);
    let is_over = text.predicate("setp.ge.u64", &format!("{place}, {end}"));
    text.line(&format!("@{is_over} bra {over}"));
    work(text, place);
    text.line(&format!("add.u64 {place}, {place}, {step}"));
    text.line(&format!("bra {again}"));
    text.place(&over);
}

/// Loads some of a row's elements; whether each is there, and it.
pub(super) fn loaded(
    text: &mut Text,
    key: Key,
    (place, length, step, first): (&str, &str, &str, &str),
) -> Vec<(String, String)> {
    let mut at = text.long("mov.u64", place);
    let mut loaded = Vec::new();
    for n in 0..AT_ONCE {
        let is_there = text.predicate("setp.lt.u64", &format!("{at}, {length}"));
        let element = key.last(text);
        let address = text.long("mad.lo.u64", &format!("{at}, {}, {first}", key.bytes));
        text.line(&format!("@{is_there} ld.global.{} {element}, [{address}]", key.memory()));
        loaded.push((is_there, element));
        if n + 1 < AT_ONCE {
            at = text.long("add.u64", &format!("{at}, {step}"));
        }
    }
    loaded
}

/// Adds to `counts`, by row, pass and digit.
pub(super) fn count(key: Key) -> String {
    let mut text = Text::default();
    let [first, length, chunks, counts] = parameters(&mut text, COUNT);
    let [row, place, step] = share(&mut text, &chunks);
    let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
    let first = text.long("mad.lo.u64", &format!("{before}, {}, {first}", key.bytes));
    let thread = text.word("mov.u32", "%tid.x");
    let shared = text.word("mov.u32", "shared_sort_count");
    let own = text.word("mad.lo.u32", &format!("{thread}, 4, {shared}"));
    let slots = (0..key.passes() * DIGITS).step_by(THREADS as usize);
    slots.clone().for_each(|n| text.line(&format!("st.shared.u32 [{own}+{}], 0", 4 * n)));
    text.line("bar.sync 0");
    let round = text.long("mul.lo.u64", &format!("{step}, {AT_ONCE}"));
    each(&mut text, (&place, &length, &round), |text, place| {
        for (is_there, element) in loaded(text, key, (place, &length, &step, &first)) {
            let ordered = key.order(text, &element);
            for pass in 0..key.passes() {
                let digit = key.digit(text, &ordered, &(key.lowest() + 8 * pass).to_string());
                let to = text.word("mad.lo.u32", &format!("{digit}, 4, {shared}"));
                text.line(&format!("@{is_there} red.shared.add.u32 [{to}+{}], 1", 4 * pass * DIGITS));
            }
        }
    });
    text.line("bar.sync 0");
    let all = text.long("mul.lo.u64", &format!("{row}, {}", key.passes() * DIGITS));
    let slot = text.long("cvt.u64.u32", &thread);
    let slot = text.long("add.u64", &format!("{slot}, {all}"));
    let to = text.long("mad.lo.u64", &format!("{slot}, 8, {counts}"));
    for n in slots {
        let found = text.word("ld.shared.u32", &format!("[{own}+{}]", 4 * n));
        let is_any = text.predicate("setp.ne.u32", &format!("{found}, 0"));
        let found = text.long("cvt.u64.u32", &found);
        text.line(&format!("@{is_any} red.global.add.u64 [{to}+{}], {found}", 8 * n));
    }
    text.line("ret");
    entry("sort_count", &COUNT, (BLOCK, 4 * key.passes() * DIGITS), text)
}

/// A block a row, a thread a digit: counts become places, and the row's plan is written. `keeps_last`: there is a last pass in any case.
pub(super) fn plan(key: Key, keeps_last: bool) -> String {
    let (mut text, passes, warps) = (Text::default(), key.passes(), THREADS / WARP);
    let [length, counts, plan] = parameters(&mut text, PLAN);
    let [row, thread] = ["%ctaid.x", "%tid.x"].map(|name| text.word("mov.u32", name));
    let lane = text.word("and.b32", &format!("{thread}, {}", WARP - 1));
    let warp = text.word("shr.u32", &format!("{thread}, {}", WARP.ilog2()));
    let sums = text.word("mov.u32", "shared_sort_plan");
    let own_sum = text.word("mad.lo.u32", &format!("{warp}, 8, {sums}"));
    let one_digit = text.word("add.u32", &format!("{sums}, {}", 8 * warps));
    let is_leader = text.predicate("setp.eq.u32", &format!("{thread}, 0"));
    (0..passes).for_each(|pass| text.line(&format!("@{is_leader} st.shared.u32 [{one_digit}+{}], 0", 4 * pass)));
    text.line("bar.sync 0");
    let [wide_row, slot] = [&row, &thread].map(|word| text.long("cvt.u64.u32", word));
    let slot = text.long("mad.lo.u64", &format!("{wide_row}, {}, {slot}", passes * DIGITS));
    let at = text.long("mad.lo.u64", &format!("{slot}, 8, {counts}"));
    let is_last_lane = text.predicate("setp.eq.u32", &format!("{lane}, {}", WARP - 1));
    for pass in 0..passes {
        let place = format!("[{at}+{}]", 8 * pass * DIGITS);
        let count = text.long("ld.global.u64", &place);
        let is_all = text.predicate("setp.eq.u64", &format!("{count}, {length}"));
        text.line(&format!("@{is_all} st.shared.u32 [{one_digit}+{}], 1", 4 * pass));
        let upto = sum_of_lanes(&mut text, &count, &lane);
        text.line(&format!("@{is_last_lane} st.shared.u64 [{own_sum}], {upto}"));
        text.line("bar.sync 0");
        let mut start = text.long("sub.u64", &format!("{upto}, {count}"));
        for other in 0..warps - 1 {
            let sum = text.long("ld.shared.u64", &format!("[{sums}+{}]", 8 * other));
            let sum = text.long("add.u64", &format!("{start}, {sum}"));
            let is_before = text.predicate("setp.gt.u32", &format!("{warp}, {other}"));
            start = text.long("selp.b64", &format!("{sum}, {start}, {is_before}"));
        }
        text.line(&format!("st.global.u64 {place}, {start}"));
        text.line("bar.sync 0");
    }
    let over = text.label();
    text.line(&format!("@!{is_leader} bra {over}"));
    write_plan(&mut text, passes, (&wide_row, &plan, &one_digit), keeps_last);
    text.place(&over);
    text.line("ret");
    entry("sort_plan", &PLAN, (BLOCK, 8 * warps + 4 * passes), text)
}

/// A lane's sum of its number and those of the lanes before it.
pub(super) fn sum_of_lanes(text: &mut Text, number: &str, lane: &str) -> String {
    let mut upto = number.to_string();
    for step in (0..WARP.ilog2()).map(|n| 1 << n) {
        let halves = [0; 2].map(|_| text.fresh('r'));
        text.line(&format!("mov.b64 {{{}, {}}}, {upto}", halves[0], halves[1]));
        let others = halves.map(|half| text.word("shfl.sync.up.b32", &format!("{half}, {step}, 0, -1")));
        let other = text.long("mov.b64", &format!("{{{}, {}}}", others[0], others[1]));
        let sum = text.long("add.u64", &format!("{upto}, {other}"));
        let is_there = text.predicate("setp.ge.u32", &format!("{lane}, {step}"));
        upto = text.long("selp.b64", &format!("{sum}, {upto}, {is_there}"));
    }
    upto
}

/// One thread's work: bits for each pass, and then the number of those that are not left out.
fn write_plan(text: &mut Text, passes: u32, (row, plan, one_digit): (&str, &str, &str), keeps_last: bool) {
    let mut is_done: Vec<String> = Vec::new();
    let mut all = text.word("mov.u32", "0");
    for pass in 0..passes {
        let has_one = text.word("ld.shared.u32", &format!("[{one_digit}+{}]", 4 * pass));
        let mut does = text.word("xor.b32", &format!("{has_one}, 1"));
        if keeps_last && pass + 1 == passes {
            let is_none = text.predicate("setp.eq.u32", &format!("{all}, 0"));
            does = text.word("selp.b32", &format!("1, {does}, {is_none}"));
        }
        all = text.word("add.u32", &format!("{all}, {does}"));
        is_done.push(does);
    }
    let first = text.long("mul.lo.u64", &format!("{row}, {}", passes + 1));
    let to = text.long("mad.lo.u64", &format!("{first}, 4, {plan}"));
    let mut before = text.word("mov.u32", "0");
    for (pass, does) in (0..).zip(&is_done) {
        let behind = text.word("add.u32", &format!("{before}, {does}"));
        let bit = |text: &mut Text, condition: &str, operands: String, bit: u32| {
            let holds = text.predicate(condition, &operands);
            text.word("selp.b32", &format!("{bit}, 0, {holds}"))
        };
        let is_first = bit(text, "setp.eq.u32", format!("{before}, 0"), IS_FIRST);
        let is_last = bit(text, "setp.eq.u32", format!("{behind}, {all}"), IS_LAST);
        let is_odd = text.word("and.b32", &format!("{before}, 1"));
        let is_odd = text.word("mul.lo.u32", &format!("{is_odd}, {IS_ODD}"));
        let bits = text.word("or.b32", &format!("{is_first}, {is_last}"));
        let bits = text.word("or.b32", &format!("{bits}, {is_odd}"));
        let is_left_out = text.predicate("setp.eq.u32", &format!("{does}, 0"));
        let bits = text.word("selp.b32", &format!("{LEFT_OUT}, {bits}, {is_left_out}"));
        text.line(&format!("st.global.u32 [{to}+{}], {bits}", 4 * pass));
        before = behind;
    }
    text.line(&format!("st.global.u32 [{to}+{}], {before}", 4 * passes));
}

/// Copies the rows that an odd number of passes left in the other array.
pub(super) fn settle(key: Key) -> String {
    let mut text = Text::default();
    let [odd, even, length, chunks, plan] = parameters(&mut text, SETTLE);
    let [row, place, step] = share(&mut text, &chunks);
    let at = text.long("mad.lo.u64", &format!("{row}, {}, {}", key.passes() + 1, key.passes()));
    let at = text.long("mad.lo.u64", &format!("{at}, 4, {plan}"));
    let passes = text.word("ld.global.u32", &format!("[{at}]"));
    let rest = text.word("and.b32", &format!("{passes}, 1"));
    let is_there = text.predicate("setp.eq.u32", &format!("{rest}, 0"));
    text.line(&format!("@{is_there} ret"));
    let before = text.long("mul.lo.u64", &format!("{row}, {length}"));
    let [odd, even] = [odd, even].map(|first| text.long("mad.lo.u64", &format!("{before}, {}, {first}", key.bytes)));
    each(&mut text, (&place, &length, &step), |text, place| {
        let [from, to] =
            [&odd, &even].map(|first| text.long("mad.lo.u64", &format!("{place}, {}, {first}", key.bytes)));
        let element = key.last(text);
        text.line(&format!("ld.global.{} {element}, [{from}]", key.memory()));
        text.line(&format!("st.global.{} [{to}], {element}", key.memory()));
    });
    text.line("ret");
    entry("sort_settle", &SETTLE, (BLOCK, 0), text)
}
