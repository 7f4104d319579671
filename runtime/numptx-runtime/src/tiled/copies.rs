//! A factor's way to shared memory: each thread copies a few vectors of each part, which arrive while others are multiplied.
//!
//! In: where the factor lies, and a thread's place in its block. Out: instructions that queue the copies of one part after the other. What lies beyond the
//! matrix's edges is not read, and zero.

use super::layout::{Along, Layout};
use super::{Reach, VECTOR_BYTES};
use crate::own_kernel::Text;

/// What the copies of a factor need: names of registers.
pub(super) struct Factor {
    /// The first element of the matrix.
    pub(super) first: String,
    /// Bytes from one element to the next along the kept axis and the summed one.
    pub(super) steps: (String, String),
    /// Where the tile begins along the kept axis, and the extent there.
    pub(super) kept: (String, String),
    /// Where the sum begins, and where it ends.
    pub(super) summed: (String, String),
}

/// How threads share the copies of a part.
struct Share {
    layout: Layout,
    itemsize: u32,
    /// Elements of a copy.
    copied: u32,
    /// Copies of a line: a power of two.
    across: u32,
    /// Lines that threads copy together at once.
    lines_at_once: u32,
    /// Whether there are more threads than that takes.
    has_idle: bool,
    /// Copies of a thread.
    count: u32,
}

/// The copies of a factor.
pub(super) struct Copies {
    share: Share,
    /// Where the thread's first copy of a part goes in the first stage.
    to: String,
    /// Where the next part's comes from, and bytes from one of its lines to the next and from one part to the next.
    from: String,
    line: String,
    part: String,
    /// Lines and elements of a line that are left from the thread's first on: one of both shrinks from part to part.
    lines_left: String,
    left: String,
    /// What threads that copy something wait for, where others do not.
    guard: String,
}

impl Share {
    fn of(layout: Layout, reach: Reach, itemsize: u32, threads: u32) -> Share {
        let (length, lines) = layout.lines();
        let across = length / reach.copied;
        assert!(threads.is_multiple_of(across), "threads copy whole lines");
        let lines_at_once = (threads / across).min(lines);
        assert!(lines.is_multiple_of(lines_at_once), "threads copy as many lines");
        let (has_idle, count) = (across * lines < threads, lines / lines_at_once);
        Share { layout, itemsize, copied: reach.copied, across, lines_at_once, has_idle, count }
    }
}

impl Copies {
    /// `shared`: where the factor's part of the first stage begins.
    pub(super) fn begin(
        text: &mut Text,
        (layout, reach): (Layout, Reach),
        (itemsize, threads): (u32, u32),
        factor: &Factor,
        (thread, shared): (&str, &str),
    ) -> Copies {
        let share = Share::of(layout, reach, itemsize, threads);
        let across = share.across;
        let place = text.word("and.b32", &format!("{thread}, {}", across - 1));
        let place = text.word("mul.lo.s32", &format!("{place}, {}", share.copied));
        let line = text.word("shr.u32", &format!("{thread}, {}", across.ilog2()));
        let guard = match share.has_idle {
            true => format!("@{} ", text.predicate("setp.lt.u32", &format!("{line}, {}", share.lines_at_once))),
            false => String::new(),
        };
        let to = text.word("mad.lo.s32", &format!("{place}, {itemsize}, {shared}"));
        let to = text.word("mad.lo.s32", &format!("{line}, {}, {to}", layout.line_bytes()));
        let (kept, summed) = if layout.along == Along::Summed { (&line, &place) } else { (&place, &line) };
        let at_kept = text.word("add.s32", &format!("{}, {kept}", factor.kept.0));
        let at_summed = text.word("add.s32", &format!("{}, {summed}", factor.summed.0));
        let from = text.stepped(&factor.first, &at_kept, &factor.steps.0);
        let from = text.stepped(&from, &at_summed, &factor.steps.1);
        let kept_left = text.word("sub.s32", &format!("{}, {at_kept}", factor.kept.1));
        let summed_left = text.word("sub.s32", &format!("{}, {at_summed}", factor.summed.1));
        let is_summed = layout.along == Along::Summed;
        let (line_step, (lines_left, left)) = match is_summed {
            true => (&factor.steps.0, (kept_left, summed_left)),
            false => (&factor.steps.1, (summed_left, kept_left)),
        };
        let line = text.long("mul.lo.s64", &format!("{line_step}, {}", share.lines_at_once));
        let part = text.long("mul.lo.s64", &format!("{}, {}", factor.steps.1, layout.summed));
        Copies { share, to, from, line, part, lines_left, left, guard }
    }

    /// Queues the copies of the next part, to the stage so many bytes from the first.
    pub(super) fn queue(&self, text: &mut Text, stage: &str) {
        let Share { layout, itemsize, copied, lines_at_once, count, .. } = self.share;
        let to = text.word("add.s32", &format!("{}, {stage}", self.to));
        let there = text.word("min.s32", &format!("{}, {copied}", self.left));
        let there = text.word("max.s32", &format!("{there}, 0"));
        let there = text.word("mul.lo.s32", &format!("{there}, {itemsize}"));
        let bytes = copied * itemsize;
        // Whole vectors need not stay near the processor: they are read once.
        let kind = if bytes == VECTOR_BYTES { "cg" } else { "ca" };
        let mut from = self.from.clone();
        for n in 0..count {
            let is_there = text.predicate("setp.gt.s32", &format!("{}, {}", self.lines_left, n * lines_at_once));
            let read = text.word("selp.b32", &format!("{there}, 0, {is_there}"));
            let offset = n * lines_at_once * layout.line_bytes();
            let guard = &self.guard;
            text.line(&format!("{guard}cp.async.{kind}.shared.global [{to}+{offset}], [{from}], {bytes}, {read}"));
            if n + 1 < count {
                from = text.long("add.s64", &format!("{from}, {}", self.line));
            }
        }
        text.line(&format!("add.s64 {0}, {0}, {1}", self.from, self.part));
        let shrinks = if layout.along == Along::Summed { &self.left } else { &self.lines_left };
        text.line(&format!("sub.s32 {shrinks}, {shrinks}, {}", layout.summed));
    }
}
