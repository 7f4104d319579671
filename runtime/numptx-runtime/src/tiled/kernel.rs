//! The kernel: which tile a block computes, and the loop over the parts of the sum.
//!
//! Parts go round through the stages: while one is multiplied, those of the next stages are on their way. A block comes to one barrier a part, before which
//! its copies have arrived and behind which nobody reads the stage that is filled next.

use std::fmt::Write as _;

use super::copies::{Copies, Factor};
use super::lanes::Lanes;
use super::matrices::Matrices;
use super::results::Target;
use super::{Tiled, Unit, WARP};
use crate::own_kernel::Text;

/// The entry's parameters, 8 bytes each: the matrices, extents, strides in bytes, and how the grid is cut.
///
/// `part`: summed elements of a block along y of the grid, whose results lie `c_part` bytes apart; where there are several, a multiple of what is copied at
/// once along that axis. Along x are the tiles, `down` × `across` of each of the batch.
pub const PARAMETERS: [&str; 19] = [
    "a", "b", "c", "rows", "columns", "summed", "part", "a_row", "a_summed", "a_each", "b_column", "b_summed",
    "b_each", "c_row", "c_column", "c_each", "c_part", "down", "across",
];

/// Shared memory that is declared in the entry, at most; more is asked for by the launch.
pub(super) const STATIC_BYTES: u32 = 48 << 10;
/// Rows of tiles that blocks which run at the same time share: they read the same parts of the factors.
const TOGETHER: u32 = 8;

/// The module's text.
pub(super) fn module(tiled: &Tiled) -> String {
    let bytes = tiled.shared_bytes();
    let (mut text, is_static) = (String::new(), bytes <= STATIC_BYTES);
    let _ = writeln!(text, ".version 8.0\n.target sm_{}\n.address_size 64\n", tiled.shape.architecture());
    if !is_static {
        text.push_str(".extern .shared .align 16 .b8 parts[];\n\n");
    }
    let parameters: Vec<String> = PARAMETERS.iter().map(|name| format!("    .param .u64 {name}")).collect();
    let _ = writeln!(text, ".visible .entry {}(\n{}\n)", Tiled::ENTRY, parameters.join(",\n"));
    let _ = writeln!(text, ".maxntid {}, 1, 1\n.minnctapersm {}\n{{", tiled.shape.threads(), tiled.shape.blocks);
    if is_static {
        let _ = writeln!(text, "    .shared .align 16 .b8 parts[{bytes}];");
    }
    text.push_str(&body(tiled));
    text.push_str("}\n");
    text
}

/// Multiplies parts in one way or the other.
enum Work {
    Lanes(Lanes),
    Matrices(Matrices),
}

/// Registers that hold parameters.
struct Parameters(Vec<String>);

impl Parameters {
    fn read(text: &mut Text) -> Parameters {
        Parameters(PARAMETERS.iter().map(|name| text.long("ld.param.u64", &format!("[{name}]"))).collect())
    }

    fn long(&self, name: &str) -> String {
        let n = PARAMETERS.iter().position(|known| *known == name).expect("a parameter");
        self.0[n].clone()
    }

    /// One that 31 bits have room for.
    fn word(&self, text: &mut Text, name: &str) -> String {
        text.word("cvt.u32.u64", &self.long(name))
    }
}

/// What a block computes: names of registers.
struct Block {
    /// Which of the batch.
    each: String,
    /// The tile's first row and column.
    tile: [String; 2],
    /// The part of the sum: where it begins and ends.
    summed: [String; 2],
    /// Which part.
    part: String,
}

impl Block {
    fn find(text: &mut Text, tiled: &Tiled, parameters: &Parameters) -> Block {
        let [down, across] = ["down", "across"].map(|name| parameters.word(text, name));
        let block = text.word("mov.u32", "%ctaid.x");
        let tiles = text.word("mul.lo.s32", &format!("{down}, {across}"));
        let each = text.word("div.u32", &format!("{block}, {tiles}"));
        let number = text.word("rem.u32", &format!("{block}, {tiles}"));
        let band = text.word("mul.lo.s32", &format!("{across}, {TOGETHER}"));
        let bands = text.word("div.u32", &format!("{number}, {band}"));
        let within = text.word("rem.u32", &format!("{number}, {band}"));
        let first = text.word("mul.lo.s32", &format!("{bands}, {TOGETHER}"));
        let height = text.word("sub.s32", &format!("{down}, {first}"));
        let height = text.word("min.s32", &format!("{height}, {TOGETHER}"));
        let row = text.word("rem.u32", &format!("{within}, {height}"));
        let row = text.word("add.s32", &format!("{first}, {row}"));
        let column = text.word("div.u32", &format!("{within}, {height}"));
        let (rows, columns) = tiled.shape.tile();
        let tile = [(row, rows), (column, columns)].map(|(n, by)| text.word("mul.lo.s32", &format!("{n}, {by}")));
        let [all, length] = ["summed", "part"].map(|name| parameters.word(text, name));
        let part = text.word("mov.u32", "%ctaid.y");
        let begin = text.word("mul.lo.s32", &format!("{part}, {length}"));
        let left = text.word("sub.s32", &format!("{all}, {begin}"));
        let left = text.word("min.s32", &format!("{left}, {length}"));
        let end = text.word("add.s32", &format!("{begin}, {left}"));
        Block { each, tile, summed: [begin, end], part }
    }
}

fn body(tiled: &Tiled) -> String {
    let mut text = Text::default();
    let parameters = Parameters::read(&mut text);
    let block = Block::find(&mut text, tiled, &parameters);
    let thread = text.word("mov.u32", "%tid.x");
    let shared = text.word("mov.u32", "parts");
    let [of_a, _] = tiled.layouts();
    let shared = [shared.clone(), text.word("add.s32", &format!("{shared}, {}", of_a.bytes()))];
    let copies = [0, 1].map(|n| copies(&mut text, tiled, &parameters, &block, (n, &thread, &shared[n])));
    let work = work(&mut text, tiled, &thread, [&shared[0], &shared[1]]);
    sum(&mut text, tiled, &block, &copies, &work);
    let first = text.stepped(&parameters.long("c"), &block.each, &parameters.long("c_each"));
    let first = text.stepped(&first, &block.part, &parameters.long("c_part"));
    let steps = ["c_row", "c_column"].map(|name| parameters.long(name));
    let extents = ["rows", "columns"].map(|name| parameters.word(&mut text, name));
    let target = Target { first, steps, tile: block.tile, extents };
    match &work {
        Work::Lanes(lanes) => lanes.sums.write(&mut text, &target, tiled.written),
        Work::Matrices(matrices) => matrices.sums.write(&mut text, &target, tiled.written),
    }
    text.line("ret");
    text.finish()
}

/// The copies of the first factor, or of the second.
fn copies(
    text: &mut Text,
    tiled: &Tiled,
    parameters: &Parameters,
    block: &Block,
    (n, thread, shared): (usize, &str, &str),
) -> Copies {
    let [first, kept, summed, each, extent] = [
        ["a", "a_row", "a_summed", "a_each", "rows"], //
        ["b", "b_column", "b_summed", "b_each", "columns"],
    ][n];
    let factor = Factor {
        first: text.stepped(&parameters.long(first), &block.each, &parameters.long(each)),
        steps: (parameters.long(kept), parameters.long(summed)),
        kept: (block.tile[n].clone(), parameters.word(text, extent)),
        summed: (block.summed[0].clone(), block.summed[1].clone()),
    };
    let sizes = (tiled.element.bytes(), tiled.shape.threads());
    Copies::begin(text, (tiled.layouts()[n], tiled.factors[n]), sizes, &factor, (thread, shared))
}

fn work(text: &mut Text, tiled: &Tiled, thread: &str, shared: [&str; 2]) -> Work {
    let lane = text.word("and.b32", &format!("{thread}, {}", WARP - 1));
    let warp = text.word("shr.u32", &format!("{thread}, {}", WARP.ilog2()));
    let down = text.word("rem.u32", &format!("{warp}, {}", tiled.shape.warps.0));
    let across = text.word("div.u32", &format!("{warp}, {}", tiled.shape.warps.0));
    let row = text.word("mul.lo.s32", &format!("{down}, {}", tiled.shape.warp.0));
    let column = text.word("mul.lo.s32", &format!("{across}, {}", tiled.shape.warp.1));
    let warp = [row.as_str(), column.as_str()];
    match tiled.shape.unit {
        Unit::Lanes => Work::Lanes(Lanes::begin(text, tiled, (&lane, warp), shared)),
        Unit::Matrices { rows, summed } => {
            Work::Matrices(Matrices::begin(text, tiled, (rows, summed), (&lane, warp), shared))
        }
    }
}

/// The loop over parts.
fn sum(text: &mut Text, tiled: &Tiled, block: &Block, copies: &[Copies; 2], work: &Work) {
    let (stages, bytes) = (tiled.shape.stages, tiled.stage_bytes());
    let left = text.word("sub.s32", &format!("{}, {}", block.summed[1], block.summed[0]));
    // What is left to be multiplied, and to be copied.
    let to_copy = text.word("mov.b32", &left);
    let [read, filled] = [0, (stages - 1) * bytes].map(|offset| text.word("mov.u32", &offset.to_string()));
    for stage in 0..stages - 1 {
        let stage = text.word("mov.u32", &(stage * bytes).to_string());
        queue(text, tiled, copies, (&to_copy, &stage));
    }
    let [again, end] = [0; 2].map(|_| text.label());
    text.place(&again);
    let is_done = text.predicate("setp.le.s32", &format!("{left}, 0"));
    text.line(&format!("@{is_done} bra {end}"));
    text.line(&format!("cp.async.wait_group {}", stages - 2));
    text.line("bar.sync 0");
    queue(text, tiled, copies, (&to_copy, &filled));
    match work {
        Work::Lanes(lanes) => lanes.multiply(text, &read),
        Work::Matrices(matrices) => matrices.multiply(text, &read),
    }
    for offset in [&read, &filled] {
        text.line(&format!("add.s32 {offset}, {offset}, {bytes}"));
        let is_over = text.predicate("setp.ge.s32", &format!("{offset}, {}", stages * bytes));
        text.line(&format!("@{is_over} mov.u32 {offset}, 0"));
    }
    text.line(&format!("sub.s32 {left}, {left}, {}", tiled.shape.summed));
    text.line(&format!("bra {again}"));
    text.place(&end);
}

/// Queues the copies of the next part, if there is one; a group of copies it is in any case.
fn queue(text: &mut Text, tiled: &Tiled, copies: &[Copies; 2], (left, stage): (&str, &str)) {
    let over = text.label();
    let is_done = text.predicate("setp.le.s32", &format!("{left}, 0"));
    text.line(&format!("@{is_done} bra {over}"));
    copies.iter().for_each(|copies| copies.queue(text, stage));
    text.line(&format!("sub.s32 {left}, {left}, {}", tiled.shape.summed));
    text.place(&over);
    text.line("cp.async.commit_group");
}
