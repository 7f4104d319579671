//! What the threads of a block find out together: where each of their elements goes when the block's elements are put in order by one digit.
//!
//! In: the digits of elements. A thread has some, which lie 32 elements apart; those of a warp lie together, and warps follow each other. Out: how many
//! elements of the thread's own digit the block has, and the place of each element in the block. Elements of equal digits keep their order.
//!
//! Source: lanes with equal digits find each other by votes, a bit at a time: Ashkiani, Davidson, Meyer, Owens, «GPU multisplit» (2016).

use super::key::{DIGIT_BITS, DIGITS};
use crate::own_kernel::Text;

/// Threads of a warp.
pub(super) const WARP: u32 = 32;
/// Warps that have a digit for each lane.
const DIGIT_WARPS: u32 = DIGITS / WARP;
/// Bytes that a warp counts its elements in, by digit.
const COUNT_BYTES: u32 = 4 * DIGITS;

/// How a block's work is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Threads, at least as many as there are digits.
    pub threads: u32,
    /// Elements of a thread.
    pub items: u32,
    /// Blocks that are to have room on a processor, which bounds registers.
    pub blocks: u32,
}

impl Shape {
    /// Elements of a block.
    pub fn tile(self) -> u32 {
        self.threads * self.items
    }

    fn warps(self) -> u32 {
        self.threads / WARP
    }

    /// Bytes of shared memory for what is counted.
    pub(super) fn count_bytes(self) -> u32 {
        self.warps() * COUNT_BYTES
    }
}

/// Bytes of shared memory for the digits' places and sums of warps; beside those for what is counted.
pub(super) const PLACE_BYTES: u32 = 4 * DIGITS + 4 * DIGIT_WARPS;

/// Registers: a thread's places in its block and its warp, and where shared memory begins for what is counted and for places.
pub(super) struct Block {
    shape: Shape,
    pub(super) thread: String,
    lane: String,
    warp: String,
    counts: String,
    places: String,
}

/// Of a thread with a digit of its own: elements of this digit in the block, and those of its warp's digits up to it.
pub(super) struct Total {
    pub(super) all: String,
    upto: String,
}

/// Of one element: its digit, and its place among those of its warp that have it.
pub(super) struct Ranked {
    digit: String,
    rank: String,
}

impl Block {
    pub(super) fn begin(text: &mut Text, shape: Shape, counts: &str, places: &str) -> Block {
        let thread = text.word("mov.u32", "%tid.x");
        let lane = text.word("and.b32", &format!("{thread}, {}", WARP - 1));
        let warp = text.word("shr.u32", &format!("{thread}, {}", WARP.ilog2()));
        Block { shape, thread, lane, warp, counts: counts.to_string(), places: places.to_string() }
    }

    /// The thread's first element in the tile.
    pub(super) fn first(&self, text: &mut Text) -> String {
        text.word("mad.lo.u32", &format!("{}, {}, {}", self.warp, WARP * self.shape.items, self.lane))
    }

    /// What threads with a digit of their own do; the others wait at the next barrier.
    pub(super) fn by_digit(&self, text: &mut Text, work: impl FnOnce(&mut Text)) {
        let over = text.label();
        let has_none = text.predicate("setp.ge.u32", &format!("{}, {DIGITS}", self.thread));
        text.line(&format!("@{has_none} bra {over}"));
        work(text);
        text.place(&over);
    }

    /// Counts elements by warp and digit. A barrier has to follow.
    pub(super) fn rank(&self, text: &mut Text, digits: Vec<String>) -> Vec<Ranked> {
        let own = text.word("mad.lo.u32", &format!("{}, {COUNT_BYTES}, {}", self.warp, self.counts));
        let first = text.word("mad.lo.u32", &format!("{}, 4, {own}", self.lane));
        for n in 0..DIGIT_WARPS {
            text.line(&format!("st.shared.u32 [{first}+{}], 0", 4 * WARP * n));
        }
        text.line("bar.warp.sync -1");
        let before = text.word("mov.u32", "%lanemask_lt");
        let ranked = digits.into_iter().map(|digit| {
            let equal = equal_lanes(text, &digit);
            let at = text.word("mad.lo.u32", &format!("{digit}, 4, {own}"));
            let earlier = text.word("ld.shared.u32", &format!("[{at}]"));
            let lower = text.word("and.b32", &format!("{equal}, {before}"));
            let lower = text.word("popc.b32", &lower);
            let all = text.word("popc.b32", &equal);
            let sum = text.word("add.u32", &format!("{earlier}, {all}"));
            let is_first = text.predicate("setp.eq.u32", &format!("{lower}, 0"));
            text.line("bar.warp.sync -1");
            text.line(&format!("@{is_first} st.shared.u32 [{at}], {sum}"));
            text.line("bar.warp.sync -1");
            let rank = text.word("add.u32", &format!("{earlier}, {lower}"));
            Ranked { digit, rank }
        });
        ranked.collect()
    }

    /// Behind the barrier, of threads with a digit: adds up what warps counted, so that each warp's count becomes its first place among the digit's elements.
    /// A barrier has to follow.
    pub(super) fn total(&self, text: &mut Text) -> Total {
        let first = text.word("mad.lo.u32", &format!("{}, 4, {}", self.thread, self.counts));
        let at = |warp: u32| format!("[{first}+{}]", warp * COUNT_BYTES);
        let counts: Vec<String> = (0..self.shape.warps()).map(|n| text.word("ld.shared.u32", &at(n))).collect();
        let mut all = text.word("mov.u32", "0");
        for (n, count) in (0..).zip(&counts) {
            text.line(&format!("st.shared.u32 {}, {all}", at(n)));
            all = text.word("add.u32", &format!("{all}, {count}"));
        }
        let mut upto = all.clone();
        for step in (0..WARP.ilog2()).map(|n| 1 << n) {
            let other = text.word("shfl.sync.up.b32", &format!("{upto}, {step}, 0, -1"));
            let sum = text.word("add.u32", &format!("{upto}, {other}"));
            let is_there = text.predicate("setp.ge.u32", &format!("{}, {step}", self.lane));
            upto = text.word("selp.b32", &format!("{sum}, {upto}, {is_there}"));
        }
        let to = text.word("mad.lo.u32", &format!("{}, 4, {}", self.warp, self.places));
        let is_last = text.predicate("setp.eq.u32", &format!("{}, {}", self.lane, WARP - 1));
        text.line(&format!("@{is_last} st.shared.u32 [{to}+{}], {upto}", 4 * DIGITS));
        Total { all, upto }
    }

    /// Behind that barrier, of the same threads: the place of the digit's first element in the block. A barrier has to follow.
    pub(super) fn start(&self, text: &mut Text, total: &Total) -> String {
        let mut start = text.word("sub.u32", &format!("{}, {}", total.upto, total.all));
        for warp in 0..DIGIT_WARPS - 1 {
            let sum = text.word("ld.shared.u32", &format!("[{}+{}]", self.places, 4 * (DIGITS + warp)));
            let sum = text.word("add.u32", &format!("{start}, {sum}"));
            let is_before = text.predicate("setp.gt.u32", &format!("{}, {warp}", self.warp));
            start = text.word("selp.b32", &format!("{sum}, {start}, {is_before}"));
        }
        let to = text.word("mad.lo.u32", &format!("{}, 4, {}", self.thread, self.places));
        text.line(&format!("st.shared.u32 [{to}], {start}"));
        start
    }

    /// Behind that barrier: the place of each element in the block. Nobody needs what was counted behind the next one.
    pub(super) fn places(&self, text: &mut Text, ranked: &[Ranked]) -> Vec<String> {
        let own = text.word("mad.lo.u32", &format!("{}, {COUNT_BYTES}, {}", self.warp, self.counts));
        let place = |Ranked { digit, rank }: &Ranked| {
            let [of_warp, of_digit] = [&own, &self.places].map(|first| {
                let at = text.word("mad.lo.u32", &format!("{digit}, 4, {first}"));
                text.word("ld.shared.u32", &format!("[{at}]"))
            });
            let place = text.word("add.u32", &format!("{rank}, {of_warp}"));
            text.word("add.u32", &format!("{place}, {of_digit}"))
        };
        ranked.iter().map(place).collect()
    }
}

/// The lanes that have a lane's digit, as bits.
fn equal_lanes(text: &mut Text, digit: &str) -> String {
    let mut equal = text.word("mov.b32", "-1");
    for bit in 0..DIGIT_BITS {
        let own = text.word("bfe.s32", &format!("{digit}, {bit}, 1"));
        let is_set = text.predicate("setp.ne.s32", &format!("{own}, 0"));
        let set = text.word("vote.sync.ballot.b32", &format!("{is_set}, -1"));
        // equal & ~(set ^ own)
        equal = text.word("lop3.b32", &format!("{equal}, {set}, {own}, 0x90"));
    }
    equal
}
