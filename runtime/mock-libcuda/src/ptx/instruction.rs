//! Instructions of PTX, as far as the mock runs them.
//!
//! In: a mnemonic with its modifiers. Out: what it does; `None` for what the mock does not know, so that the kernel's host twin runs instead.

use super::numbers::compute;

/// Modifiers that change values.
const REFUSED: [&str; 5] = ["approx", "full", "sat", "ftz", "NaN"];

/// How bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Unsigned,
    Signed,
    Float,
    Predicate,
}

/// A type: `s32`, `f64`, `pred`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) bits: u32,
}

impl Type {
    pub(super) fn parse(word: &str) -> Option<Type> {
        if word == "pred" {
            return Some(Type { kind: Kind::Predicate, bits: 1 });
        }
        let kind = match word.as_bytes().first()? {
            b'b' | b'u' => Kind::Unsigned,
            b's' => Kind::Signed,
            b'f' => Kind::Float,
            _ => return None,
        };
        let bits = word[1..].parse().ok()?;
        let is_known = if kind == Kind::Float { matches!(bits, 32 | 64) } else { matches!(bits, 8 | 16 | 32 | 64) };
        is_known.then_some(Type { kind, bits })
    }

    pub(super) fn bytes(self) -> usize {
        self.bits as usize / 8
    }
}

/// What two numbers, or one, become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    MulLow,
    MulHigh,
    MulWide,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Not,
    Neg,
    Abs,
    ShiftLeft,
    ShiftRight,
    Count,
    LeadingZeros,
    Reverse,
    Root,
    Reciprocal,
    /// One over the root.
    RootBelow,
    /// A power of two, and the logarithm.
    Power,
    Logarithm,
    CopySign,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) less: bool,
    pub(super) equal: bool,
    pub(super) greater: bool,
    /// Where one is nan.
    pub(super) unordered: bool,
}

impl Relation {
    fn parse(word: &str) -> Option<Relation> {
        let of = |less, equal, greater, unordered| Some(Relation { less, equal, greater, unordered });
        match word {
            "eq" => of(false, true, false, false),
            "ne" => of(true, false, true, false),
            "lt" | "lo" => of(true, false, false, false),
            "le" | "ls" => of(true, true, false, false),
            "gt" | "hi" => of(false, false, true, false),
            "ge" | "hs" => of(false, true, true, false),
            "equ" => of(false, true, false, true),
            "neu" => of(true, false, true, true),
            "ltu" => of(true, false, false, true),
            "leu" => of(true, true, false, true),
            "gtu" => of(false, false, true, true),
            "geu" => of(false, true, true, true),
            "num" => of(true, true, true, false),
            "nan" => of(false, false, false, true),
            _ => None,
        }
    }
}

/// Whole numbers of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    None,
    ToNearest,
    Down,
    Up,
    TowardsZero,
    /// To the nearest of 0 to 1; nan is 0.
    Saturated,
}

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    Exchange,
    CompareAndSwap,
    Combine(Arithmetic),
}

/// From which lane a value comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shuffle {
    Up,
    Down,
    Across,
    Of,
}

/// What lanes find out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    Ballot,
    All,
    Any,
    Match,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Move,
    /// Parts to one value; bits of a part.
    Pack(u32),
    /// One value to its parts.
    Unpack(u32),
    Compute(Arithmetic, Type),
    /// A sum of integers that adds the carry, or leaves one.
    AddCarried {
        takes: bool,
        leaves: bool,
        ty: Type,
    },
    /// A product and a third number; of floats it is rounded once.
    MulAdd(Arithmetic, Type),
    Compare(Relation, Type),
    Select,
    Convert {
        to: Type,
        from: Type,
        rounding: Rounding,
    },
    Permute,
    /// Bits of three numbers, by a table of eight bits.
    Logic,
    Funnel {
        left: bool,
        wraps: bool,
    },
    Field(Type),
    Load(Type),
    Store(Type),
    /// Bytes on their way to shared memory: so many places there are, and so many are read.
    Copy,
    /// The copies since the last such instruction become a group.
    Group,
    /// Waits until no more groups of copies than these are on their way.
    Arrive,
    /// A product of matrices and a sum: rows and summed elements.
    Multiply(usize, usize),
    /// Where nothing is written, nobody wants the value from before.
    Atomic(Atomic, Type),
    Branch,
    Exit,
    Barrier,
    WarpBarrier,
    Shuffle(Shuffle),
    Vote(Vote, Type),
    /// Nothing: the mock runs one thread after the other.
    Fence,
}

impl Op {
    /// Of a mnemonic: `mad.lo.s32`.
    pub(super) fn parse(text: &str) -> Option<Op> {
        let words: Vec<&str> = text.split('.').collect();
        let has = |word: &str| words[1..].contains(&word);
        let last = words.last().copied().and_then(Type::parse);
        Some(match words[0] {
            "mov" | "cvta" => Op::Move,
            "setp" if words.len() == 3 => Op::Compare(Relation::parse(words[1])?, last?),
            "selp" => Op::Select,
            "cvt" if !text.contains(".sat") || is_approximate(text) => Op::convert(&words)?,
            "cp" => copy(&words)?,
            "mma" if words.ends_with(&["row", "col", "f64", "f64", "f64", "f64"]) => multiply(words.get(3)?)?,
            "ld" | "ldu" => Op::Load(last?),
            "st" => Op::Store(last?),
            "atom" | "red" => Op::Atomic(atomic(&words)?, last?),
            "bra" => Op::Branch,
            "ret" | "exit" => Op::Exit,
            "bar" if words[1..] == ["warp", "sync"] => Op::WarpBarrier,
            "bar" | "barrier" if has("sync") && !has("cluster") => Op::Barrier,
            "shfl" => Op::Shuffle(shuffle(words.get(2)?)?),
            "vote" if has("ballot") => Op::Vote(Vote::Ballot, last?),
            "vote" if has("all") => Op::Vote(Vote::All, last?),
            "vote" if has("any") => Op::Vote(Vote::Any, last?),
            "match" if has("any") => Op::Vote(Vote::Match, last?),
            "membar" | "fence" => Op::Fence,
            "prmt" if words.len() == 2 => Op::Permute,
            "lop3" if words.len() == 2 => Op::Logic,
            "shf" => Op::Funnel { left: has("l"), wraps: has("wrap") },
            "bfe" => Op::Field(last?),
            "add" | "addc" if has("cc") || words[0] == "addc" => {
                let ty = last.filter(|ty| ty.kind != Kind::Float && ty.bits >= 32)?;
                Op::AddCarried { takes: words[0] == "addc", leaves: has("cc"), ty }
            }
            _ if has("cc") => return None,
            "fma" => Op::MulAdd(Arithmetic::MulLow, last?),
            "mad" if has("wide") => Op::MulAdd(Arithmetic::MulWide, last?),
            "mad" if has("lo") => Op::MulAdd(Arithmetic::MulLow, last?),
            _ if words.iter().any(|word| REFUSED.contains(word)) && !is_approximate(text) => return None,
            _ => {
                let (op, ty) = (arithmetic(&words)?, last?);
                let is_shift = matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
                if !is_shift && compute(op, ty, 0, 1).is_none() {
                    return None;
                }
                Op::Compute(op, ty)
            }
        })
    }

    fn convert(words: &[&str]) -> Option<Op> {
        let [.., to, from] = words else { return None };
        let (to, from) = (Type::parse(to)?, Type::parse(from)?);
        let mut rounding = Rounding::None;
        for word in &words[1..words.len() - 2] {
            rounding = match *word {
                "rni" => Rounding::ToNearest,
                "rmi" => Rounding::Down,
                "rpi" => Rounding::Up,
                "rzi" => Rounding::TowardsZero,
                "rn" => Rounding::None,
                "sat" => Rounding::Saturated,
                _ => return None,
            };
        }
        Some(Op::Convert { to, from, rounding })
    }

    /// Whether the lanes of a warp do it together.
    pub(super) fn is_joint(self) -> bool {
        matches!(self, Op::WarpBarrier | Op::Shuffle(_) | Op::Vote(..) | Op::Multiply(..))
    }
}

/// Whether devices give less exact numbers for it than the mock does.
pub(super) fn is_approximate(text: &str) -> bool {
    let functions = ["rcp.approx", "rsqrt.approx", "sqrt.approx", "ex2.approx", "lg2.approx", "cvt.sat.f32.f32"];
    functions.iter().any(|function| text.starts_with(function))
}

/// `cp.async`: the number of bytes is an operand, and found there.
fn copy(words: &[&str]) -> Option<Op> {
    Some(match words[1..] {
        ["async", "ca" | "cg", "shared", "global"] => Op::Copy,
        ["async", "commit_group"] => Op::Group,
        ["async", "wait_group"] => Op::Arrive,
        _ => return None,
    })
}

/// Of a shape: `m16n8k4`.
fn multiply(shape: &str) -> Option<Op> {
    let (rows, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (columns, summed) = rest.split_once('k')?;
    let is_known = columns == "8" && matches!((rows, summed), ("8", "4") | ("16", "4" | "8" | "16"));
    is_known.then_some(Op::Multiply(rows.parse().ok()?, summed.parse().ok()?))
}

fn shuffle(word: &str) -> Option<Shuffle> {
    Some(match word {
        "up" => Shuffle::Up,
        "down" => Shuffle::Down,
        "bfly" => Shuffle::Across,
        "idx" => Shuffle::Of,
        _ => return None,
    })
}

fn atomic(words: &[&str]) -> Option<Atomic> {
    let name = words.get(words.len().checked_sub(2)?)?;
    Some(match *name {
        "exch" => Atomic::Exchange,
        "cas" => Atomic::CompareAndSwap,
        "add" | "min" | "max" | "and" | "or" | "xor" => Atomic::Combine(arithmetic(&[name])?),
        _ => return None,
    })
}

fn arithmetic(words: &[&str]) -> Option<Arithmetic> {
    let has = |word: &str| words[1..].contains(&word);
    Some(match words[0] {
        "add" => Arithmetic::Add,
        "sub" => Arithmetic::Sub,
        "mul" if has("wide") => Arithmetic::MulWide,
        "mul" if has("hi") => Arithmetic::MulHigh,
        "mul" => Arithmetic::MulLow,
        "div" => Arithmetic::Div,
        "rem" => Arithmetic::Rem,
        "min" => Arithmetic::Min,
        "max" => Arithmetic::Max,
        "and" => Arithmetic::And,
        "or" => Arithmetic::Or,
        "xor" => Arithmetic::Xor,
        "not" => Arithmetic::Not,
        "neg" => Arithmetic::Neg,
        "abs" => Arithmetic::Abs,
        "shl" => Arithmetic::ShiftLeft,
        "shr" => Arithmetic::ShiftRight,
        "popc" => Arithmetic::Count,
        "clz" => Arithmetic::LeadingZeros,
        "brev" => Arithmetic::Reverse,
        "sqrt" => Arithmetic::Root,
        "rcp" => Arithmetic::Reciprocal,
        "rsqrt" => Arithmetic::RootBelow,
        "ex2" => Arithmetic::Power,
        "lg2" => Arithmetic::Logarithm,
        "copysign" => Arithmetic::CopySign,
        _ => return None,
    })
}
