//! Kernels that draw: uniform numbers and raw bits of PCG64 and of Philox, each the one that NumPy's generator gives at its place.
//!
//! In: what is drawn. Out: a module's text. Threads find their places in the sequence by themselves: a linear congruential generator is some steps ahead by one
//! multiplication and one addition (Brown, «Random number generation with arbitrary strides», 1994), and a counter by one addition.

use std::fmt::Write as _;

use crate::own_kernel::Text;

/// Which generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generator {
    /// PCG XSL-RR 128/64: O'Neill, «PCG: A family of simple fast space-efficient statistically good algorithms» (2014).
    Pcg64,
    /// Philox 4x64 of ten rounds: Salmon, Moraes, Dror, Shaw, «Parallel random numbers: as easy as 1, 2, 3» (2011).
    Philox,
}

/// What becomes of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// `low + span * u` of a float64 u in [0, 1).
    Uniform,
    /// Two float32 in [0, 1), the first one of the lower half.
    Singles,
    /// The 64 bits.
    Bits,
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    pub(crate) generator: Generator,
    pub(crate) drawn: Drawn,
    /// Whether the first element lies where vectors do.
    pub(crate) writes_vectors: bool,
}

/// Threads of a block.
pub(crate) const THREADS: u32 = 512;
/// Steps ahead by powers of two that threads of PCG64 know: so many bits has a thread's first place at most.
pub(crate) const STEPS: usize = 24;
/// Bytes of a vector.
pub(crate) const VECTOR_BYTES: u64 = 16;

/// The entry's parameters in order, 8 bytes each; behind those of PCG64 stand `STEPS` multipliers and then increments, of two words each.
const OF_PCG64: [&str; 10] =
    ["to", "count", "low", "span", "state_high", "state_low", "ahead_high", "ahead_low", "add_high", "add_low"];
const OF_PHILOX: [&str; 10] =
    ["to", "count", "low", "span", "counter0", "counter1", "counter2", "counter3", "key0", "key1"];

/// Multipliers and what is added to the keys of Philox.
const MULTIPLIERS: [u64; 2] = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];
const WEYL: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B];
/// -(2²⁰ + ½)
const LESS: &str = "0dC130000080000000";
/// 2⁻²⁴
const SINGLE_UNIT: &str = "0f33800000";

/// 128 bits: the high and the low word.
type Wide = [String; 2];

impl Generator {
    /// Words of 64 bits that a thread draws in a row: of PCG64 what one store writes, of Philox what a counter gives.
    pub(crate) fn in_a_row(self) -> u64 {
        match self {
            Generator::Pcg64 => 2,
            Generator::Philox => 4,
        }
    }

    /// Blocks of a processor at most: more start threads that find their places, which costs PCG64 20 multiplications each. Measured on an H200.
    pub(crate) fn blocks_per_processor(self) -> i64 {
        match self {
            Generator::Pcg64 => 2,
            Generator::Philox => 16,
        }
    }
}

impl Drawn {
    /// Elements that 64 bits give.
    pub(crate) fn per_word(self) -> u64 {
        if self == Drawn::Singles { 2 } else { 1 }
    }

    pub(crate) fn itemsize(self) -> u64 {
        8 / self.per_word()
    }
}

impl Kernel {
    pub(crate) const ENTRY: &'static str = "draw";

    /// The module's text.
    pub(crate) fn text(self) -> String {
        let names = if self.generator == Generator::Pcg64 { OF_PCG64 } else { OF_PHILOX };
        let mut parameters: Vec<String> = names.iter().map(|name| format!("    .param .u64 {name}")).collect();
        if self.generator == Generator::Pcg64 {
            parameters.push(format!("    .param .align 8 .b8 steps[{}]", 32 * STEPS));
        }
        let mut module = String::new();
        let _ = writeln!(module, ".version 6.3\n.target sm_75\n.address_size 64\n\n.visible .entry {}(", Self::ENTRY);
        let _ = writeln!(module, "{}\n)\n.maxntid {THREADS}, 1, 1\n{{", parameters.join(",\n"));
        module.push_str(&self.body(names));
        module.push_str("}\n");
        module
    }

    fn body(self, names: [&str; 10]) -> String {
        let mut text = Text::default();
        let words = names.map(|name| text.long("ld.param.u64", &format!("[{name}]")));
        let [to, count, low, span, rest @ ..] = words;
        let in_a_row = self.generator.in_a_row() * self.drawn.per_word();
        let [block, thread, threads, blocks] =
            ["%ctaid.x", "%tid.x", "%ntid.x", "%nctaid.x"].map(|name| text.word("mov.u32", name));
        let thread = text.word("mad.lo.u32", &format!("{block}, {threads}, {thread}"));
        let all = text.word("mul.lo.u32", &format!("{blocks}, {threads}"));
        let wide = text.long("cvt.u64.u32", &thread);
        let place = text.long("mul.lo.u64", &format!("{wide}, {in_a_row}"));
        let wide = text.long("cvt.u64.u32", &all);
        let step = text.long("mul.lo.u64", &format!("{wide}, {in_a_row}"));
        let store = Store { kernel: self, to, count, scale: [low, span], place, step };
        match self.generator {
            Generator::Pcg64 => pcg64(&mut text, &store, &thread, rest),
            Generator::Philox => philox(&mut text, &store, rest),
        }
        text.finish()
    }
}

/// Where numbers go: the place of a thread's next ones.
struct Store {
    kernel: Kernel,
    to: String,
    count: String,
    /// The least number, and the width of the range, as bits.
    scale: [String; 2],
    place: String,
    step: String,
}

impl Store {
    /// The loop over all places of a thread.
    fn each(&self, text: &mut Text, draw: impl FnOnce(&mut Text)) {
        let [begin, end] = [text.label(), text.label()];
        let is_done = text.predicate("setp.ge.u64", &format!("{}, {}", self.place, self.count));
        text.line(&format!("@{is_done} bra {end}"));
        text.place(&begin);
        draw(text);
        text.line(&format!("add.u64 {0}, {0}, {1}", self.place, self.step));
        let goes_on = text.predicate("setp.lt.u64", &format!("{}, {}", self.place, self.count));
        text.line(&format!("@{goes_on} bra {begin}"));
        text.place(&end);
        text.line("ret");
    }

    /// Writes what was drawn at the place and behind it, as far as there are elements.
    fn write(&self, text: &mut Text, bits: &[String]) {
        let Kernel { drawn, writes_vectors, .. } = self.kernel;
        let values: Vec<String> = bits.iter().flat_map(|bits| self.values(text, bits)).collect();
        let itemsize = drawn.itemsize();
        let address = text.long("mad.lo.u64", &format!("{}, {itemsize}, {}", self.place, self.to));
        let left = text.long("sub.u64", &format!("{}, {}", self.count, self.place));
        let bits = 8 * itemsize;
        let at_once = if writes_vectors { (VECTOR_BYTES / itemsize) as usize } else { 1 };
        for (n, vector) in values.chunks(at_once).enumerate() {
            let first = n * at_once;
            let offset = |element: usize| itemsize as usize * element;
            let has_all = text.predicate("setp.gt.u64", &format!("{left}, {}", first + at_once - 1));
            if let [value] = vector {
                text.line(&format!("@{has_all} st.global.b{bits} [{address}+{}], {value}", offset(first)));
                continue;
            }
            let (list, to) = (vector.join(", "), offset(first));
            text.line(&format!("@{has_all} st.global.v{at_once}.b{bits} [{address}+{to}], {{{list}}}"));
            // All but the last element may be the array's last ones.
            for (k, value) in vector.iter().enumerate().take(at_once - 1) {
                let has_it = match at_once - 1 - k {
                    1 => text.predicate("setp.eq.u64", &format!("{left}, {}", first + k + 1)),
                    // There are more than this one, and not all: a difference below 0 is a large number.
                    others => {
                        let more = text.long("sub.u64", &format!("{left}, {}", first + k + 1));
                        text.predicate("setp.lt.u64", &format!("{more}, {others}"))
                    }
                };
                text.line(&format!("@{has_it} st.global.b{bits} [{address}+{}], {value}", offset(first + k)));
            }
        }
    }

    /// The elements that 64 bits give.
    fn values(&self, text: &mut Text, bits: &str) -> Vec<String> {
        match self.kernel.drawn {
            Drawn::Bits => vec![bits.to_owned()],
            Drawn::Uniform => vec![self.uniform(text, bits)],
            Drawn::Singles => {
                let upper = text.long("shr.u64", &format!("{bits}, 32"));
                [bits, &upper].map(|half| single(text, half)).to_vec()
            }
        }
    }

    fn uniform(&self, text: &mut Text, bits: &str) -> String {
        let unit = unit(text, bits);
        let [low, span] = [0, 1].map(|n| text.double("mov.b64", &self.scale[n]));
        // NumPy rounds the product and the sum.
        let scaled = text.double("mul.rn.f64", &format!("{span}, {unit}"));
        let sum = text.double("add.rn.f64", &format!("{low}, {scaled}"));
        text.long("mov.b64", &sum)
    }
}

/// The upper 53 bits as a float64 in [0, 1). Processors convert few integers at a time, so the bits become significands: 2²⁰ + h of the upper 32 bits h · 2⁻³²,
/// and ½ + l of the others. Both additions are exact.
fn unit(text: &mut Text, bits: &str) -> String {
    let upper = text.long("shr.u64", &format!("{bits}, 32"));
    let upper = text.long("or.b64", &format!("{upper}, 0x4130000000000000"));
    let lower = text.long("shr.u64", &format!("{bits}, 11"));
    let lower = text.long("and.b64", &format!("{lower}, 0x1FFFFF"));
    let lower = text.long("or.b64", &format!("{lower}, 0x3FE0000000000000"));
    let [upper, lower] = [upper, lower].map(|bits| text.double("mov.b64", &bits));
    let upper = text.double("add.rn.f64", &format!("{upper}, {LESS}"));
    text.double("add.rn.f64", &format!("{upper}, {lower}"))
}

/// A float32 of the upper 24 of the lower 32 bits.
fn single(text: &mut Text, half: &str) -> String {
    let word = text.word("cvt.u32.u64", half);
    let upper = text.word("shr.u32", &format!("{word}, 8"));
    let whole = text.single("cvt.rn.f32.u32", &upper);
    let unit = text.single("mul.rn.f32", &format!("{whole}, {SINGLE_UNIT}"));
    text.word("mov.b32", &unit)
}

/// The low 128 bits of a product.
fn product(text: &mut Text, [a_high, a_low]: &Wide, [b_high, b_low]: &Wide) -> Wide {
    let low = text.long("mul.lo.u64", &format!("{a_low}, {b_low}"));
    let high = text.long("mul.hi.u64", &format!("{a_low}, {b_low}"));
    let high = text.long("mad.lo.u64", &format!("{a_low}, {b_high}, {high}"));
    let high = text.long("mad.lo.u64", &format!("{a_high}, {b_low}, {high}"));
    [high, low]
}

fn sum(text: &mut Text, [a_high, a_low]: &Wide, [b_high, b_low]: &Wide) -> Wide {
    let low = text.long("add.cc.u64", &format!("{a_low}, {b_low}"));
    let high = text.long("addc.u64", &format!("{a_high}, {b_high}"));
    [high, low]
}

/// A state some steps ahead.
fn ahead(text: &mut Text, state: &Wide, multiplier: &Wide, increment: &Wide) -> Wide {
    let scaled = product(text, state, multiplier);
    sum(text, &scaled, increment)
}

fn set(text: &mut Text, to: &Wide, from: &Wide, guard: &str) {
    for (to, from) in to.iter().zip(from) {
        text.line(&format!("{guard}mov.b64 {to}, {from}"));
    }
}

/// The state before the first number's is given, and a step of the grid ahead.
fn pcg64(text: &mut Text, store: &Store, thread: &str, rest: [String; 6]) {
    let [high, low, ahead_high, ahead_low, add_high, add_low] = rest;
    let state = [high, low];
    let step = |text: &mut Text, n: usize| -> [Wide; 2] {
        [0, STEPS].map(|from| [0, 8].map(|at| text.long("ld.param.u64", &format!("[steps+{}]", 16 * (from + n) + at))))
    };
    // A thread's first place is a multiple of two: the step of one comes behind.
    for n in 1..STEPS {
        let bit = text.word("and.b32", &format!("{thread}, {}", 1_u32 << (n - 1)));
        let goes = text.predicate("setp.ne.u32", &format!("{bit}, 0"));
        let [multiplier, increment] = step(text, n);
        let there = ahead(text, &state, &multiplier, &increment);
        set(text, &state, &there, &format!("@{goes} "));
    }
    let [multiplier, increment] = step(text, 0);
    let first = ahead(text, &state, &multiplier, &increment);
    let second = ahead(text, &first, &multiplier, &increment);
    let (far, further) = ([ahead_high, ahead_low], [add_high, add_low]);
    store.each(text, |text| {
        let bits = [&first, &second].map(|state| permuted(text, state));
        store.write(text, &bits);
        for state in [&first, &second] {
            let there = ahead(text, state, &far, &further);
            set(text, state, &there, "");
        }
    });
}

/// Both words' difference, turned to the right by the upper six bits.
fn permuted(text: &mut Text, [high, low]: &Wide) -> String {
    let both = text.long("xor.b64", &format!("{high}, {low}"));
    let by = text.long("shr.u64", &format!("{high}, 58"));
    let by = text.word("cvt.u32.u64", &by);
    let right = text.long("shr.u64", &format!("{both}, {by}"));
    // A shift by 64 gives nothing.
    let rest = text.word("sub.u32", &format!("64, {by}"));
    let left = text.long("shl.b64", &format!("{both}, {rest}"));
    text.long("or.b64", &format!("{right}, {left}"))
}

/// The counter of the first words is given.
fn philox(text: &mut Text, store: &Store, [c0, c1, c2, c3, key0, key1]: [String; 6]) {
    let elements = Generator::Philox.in_a_row() * store.kernel.drawn.per_word();
    store.each(text, |text| {
        let counted = text.long("shr.u64", &format!("{}, {}", store.place, elements.ilog2()));
        let mut words = [
            text.long("add.cc.u64", &format!("{c0}, {counted}")),
            text.long("addc.cc.u64", &format!("{c1}, 0")),
            text.long("addc.cc.u64", &format!("{c2}, 0")),
            text.long("addc.u64", &format!("{c3}, 0")),
        ];
        let mut keys = [key0, key1];
        for round in 0..10 {
            if round > 0 {
                keys = [0, 1].map(|n| text.long("add.u64", &format!("{}, {:#x}", keys[n], WEYL[n])));
            }
            let [high, low] = ["mul.hi.u64", "mul.lo.u64"].map(|mnemonic| {
                [0, 1].map(|n| text.long(mnemonic, &format!("{}, {:#x}", words[2 * n], MULTIPLIERS[n])))
            });
            let mixed = [(1, 1, 0), (0, 3, 1)].map(|(product, word, key)| {
                let mixed = text.long("xor.b64", &format!("{}, {}", high[product], words[word]));
                text.long("xor.b64", &format!("{mixed}, {}", keys[key]))
            });
            let ([a, b], [c, d]) = (mixed, low);
            words = [a, d, b, c];
        }
        store.write(text, &words);
    });
}
