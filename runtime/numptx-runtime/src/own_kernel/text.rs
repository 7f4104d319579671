//! The text of an entry while it is written: lines, and registers that are declared at its end.

use std::fmt::Write as _;

/// Classes of registers: predicates, 32 and 64 bits, float32 and float64.
const CLASSES: [(char, &str); 5] = [('p', "pred"), ('r', "b32"), ('d', "b64"), ('f', "f32"), ('g', "f64")];

#[derive(Default)]
pub(crate) struct Text {
    body: String,
    counts: [usize; CLASSES.len()],
    labels: usize,
}

impl Text {
    /// A register that nothing else uses.
    pub(crate) fn fresh(&mut self, class: char) -> String {
        let n = CLASSES.iter().position(|(known, _)| *known == class).expect("a class of registers");
        self.counts[n] += 1;
        format!("%{class}{}", self.counts[n])
    }

    /// An instruction.
    pub(crate) fn line(&mut self, instruction: &str) {
        self.body.push_str("    ");
        self.body.push_str(instruction);
        self.body.push_str(";\n");
    }

    /// An instruction that writes a fresh register.
    fn make(&mut self, class: char, mnemonic: &str, operands: &str) -> String {
        let to = self.fresh(class);
        self.line(&format!("{mnemonic} {to}, {operands}"));
        to
    }

    pub(crate) fn predicate(&mut self, mnemonic: &str, operands: &str) -> String {
        self.make('p', mnemonic, operands)
    }

    /// Of 32 bits.
    pub(crate) fn word(&mut self, mnemonic: &str, operands: &str) -> String {
        self.make('r', mnemonic, operands)
    }

    /// Of 64 bits.
    pub(crate) fn long(&mut self, mnemonic: &str, operands: &str) -> String {
        self.make('d', mnemonic, operands)
    }

    /// A float32.
    pub(crate) fn single(&mut self, mnemonic: &str, operands: &str) -> String {
        self.make('f', mnemonic, operands)
    }

    /// A float64.
    pub(crate) fn double(&mut self, mnemonic: &str, operands: &str) -> String {
        self.make('g', mnemonic, operands)
    }

    /// `base + word * long`, where the word is not negative.
    pub(crate) fn stepped(&mut self, base: &str, word: &str, long: &str) -> String {
        let wide = self.long("cvt.u64.u32", word);
        self.long("mad.lo.s64", &format!("{wide}, {long}, {base}"))
    }

    /// A name for a place.
    pub(crate) fn label(&mut self) -> String {
        self.labels += 1;
        format!("$L{}", self.labels)
    }

    pub(crate) fn place(&mut self, label: &str) {
        let _ = writeln!(self.body, "{label}:");
    }

    /// The declarations of registers, and the lines.
    pub(crate) fn finish(self) -> String {
        let mut text = String::new();
        for ((class, kind), n) in CLASSES.iter().zip(self.counts).filter(|(_, n)| *n > 0) {
            let _ = writeln!(text, "    .reg .{kind} %{class}<{}>;", n + 1);
        }
        text + &self.body
    }
}
