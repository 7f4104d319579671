//! Elements as keys: whole numbers without a sign that are in order where NumPy's elements are.
//!
//! In: a dtype. Out: instructions that make a key of an element's bits, and the digits of keys. Equal elements have equal keys, as -0 and 0 have, and so do all
//! nans, whose key is the greatest: what has equal keys keeps its order. An element is moved as its bits.

use numptx_abi::dtype;

use crate::own_kernel::Text;

/// Bits of a digit, and how many digits there are.
pub(super) const DIGIT_BITS: u32 = 8;
pub(super) const DIGITS: u32 = 1 << DIGIT_BITS;

/// How bits are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    /// So many bits are the exponent's.
    Float(u32),
}

/// See the file's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    kind: Kind,
    /// Bytes of an element.
    pub bytes: u32,
}

impl Key {
    /// Of a code of [`numptx_abi::dtype`]; `None`: elements of no such order.
    pub fn of(code: u8) -> Option<Key> {
        let (kind, bytes) = match code {
            dtype::BOOL | dtype::UINT8 => (Kind::Unsigned, 1),
            dtype::UINT16 => (Kind::Unsigned, 2),
            dtype::UINT32 => (Kind::Unsigned, 4),
            dtype::UINT64 => (Kind::Unsigned, 8),
            dtype::INT8 => (Kind::Signed, 1),
            dtype::INT16 => (Kind::Signed, 2),
            dtype::INT32 => (Kind::Signed, 4),
            dtype::INT64 => (Kind::Signed, 8),
            dtype::FLOAT16 => (Kind::Float(5), 2),
            dtype::FLOAT32 => (Kind::Float(8), 4),
            dtype::FLOAT64 => (Kind::Float(11), 8),
            _ => return None,
        };
        Some(Key { kind, bytes })
    }

    /// Digits of a key, the last one first: a pass each.
    pub fn passes(self) -> u32 {
        self.bytes
    }

    /// Whether elements may be nans.
    pub(super) fn has_nans(self) -> bool {
        matches!(self.kind, Kind::Float(_))
    }

    /// Bits of a register that holds an element, and a key.
    pub(super) fn bits(self) -> u32 {
        if self.bytes == 8 { 64 } else { 32 }
    }

    /// Bytes of an element in shared memory.
    pub(super) fn room(self) -> u32 {
        self.bits() / 8
    }

    pub(super) fn class(self) -> char {
        if self.bits() == 64 { 'd' } else { 'r' }
    }

    /// The type of an element in memory.
    pub(super) fn memory(self) -> &'static str {
        match self.bytes {
            1 => "u8",
            2 => "u16",
            4 => "u32",
            _ => "u64",
        }
    }

    /// The type of an element in shared memory.
    pub(super) fn shared(self) -> &'static str {
        if self.bits() == 64 { "u64" } else { "u32" }
    }

    /// The greatest key, as a register has it.
    pub(super) fn greatest(self) -> u64 {
        u64::MAX >> (64 - self.bits()) & (u64::MAX << self.lowest())
    }

    /// Where a key's digit of pass 0 lies in its register: keys stand at the upper end.
    pub(super) fn lowest(self) -> u32 {
        self.bits() - 8 * self.bytes
    }

    /// A register for an element, with the bits of one whose key is the greatest: what is loaded where there is no element.
    pub(super) fn last(self, text: &mut Text) -> String {
        let ones = u64::MAX >> (64 - 8 * self.bytes);
        let bits = if self.kind == Kind::Unsigned { ones } else { ones >> 1 };
        let register = text.fresh(self.class());
        text.line(&format!("mov.b{} {register}, 0x{bits:x}", self.bits()));
        register
    }

    /// The key of an element's bits.
    pub(super) fn order(self, text: &mut Text, element: &str) -> String {
        let (bits, class) = (self.bits(), self.class());
        let make = |text: &mut Text, mnemonic: &str, operands: String| {
            let register = text.fresh(class);
            text.line(&format!("{mnemonic}{bits} {register}, {operands}"));
            register
        };
        let element = match self.lowest() {
            0 => element.to_string(),
            by => make(text, "shl.b", format!("{element}, {by}")),
        };
        let sign = 1u64 << (bits - 1);
        match self.kind {
            Kind::Unsigned => element,
            Kind::Signed => make(text, "xor.b", format!("{element}, 0x{sign:x}")),
            Kind::Float(exponent) if self.bytes == 2 => {
                // All bits turn where there is a sign, else it alone.
                let turned = make(text, "shr.s", format!("{element}, {}", bits - 1));
                let turned = make(text, "or.b", format!("{turned}, 0x{sign:x}"));
                let turned = make(text, "and.b", format!("{turned}, 0x{:x}", self.greatest()));
                let key = make(text, "xor.b", format!("{element}, {turned}"));
                let size = make(text, "and.b", format!("{element}, 0x{:x}", sign - 1));
                let is_zero = text.predicate("setp.eq.u32", &format!("{size}, 0"));
                let key = make(text, "selp.b", format!("0x{sign:x}, {key}, {is_zero}"));
                let infinity = ((1u64 << exponent) - 1) << (bits - 1 - exponent);
                let is_nan = text.predicate("setp.gt.u32", &format!("{size}, 0x{infinity:x}"));
                make(text, "selp.b", format!("0x{:x}, {key}, {is_nan}", self.greatest()))
            }
            Kind::Float(_) => {
                // -0 and 0 make 0.
                let number = text.fresh(if bits == 64 { 'g' } else { 'f' });
                text.line(&format!("mov.b{bits} {number}, {element}"));
                let is_nan = text.predicate(&format!("setp.nan.f{bits}"), &format!("{number}, {number}"));
                text.line(&format!(
                    "add.rn.f{bits} {number}, {number}, {}",
                    if bits == 64 { "0d0000000000000000" } else { "0f00000000" }
                ));
                let element = make(text, "mov.b", number);
                let turned = make(text, "shr.s", format!("{element}, {}", bits - 1));
                let turned = make(text, "or.b", format!("{turned}, 0x{sign:x}"));
                let key = make(text, "xor.b", format!("{element}, {turned}"));
                make(text, "selp.b", format!("-1, {key}, {is_nan}"))
            }
        }
    }

    /// The bits of an element that has a key; of both zeros 0.
    pub(super) fn element(self, text: &mut Text, key: &str) -> String {
        let (bits, class) = (self.bits(), self.class());
        let make = |text: &mut Text, mnemonic: &str, operands: String| {
            let register = text.fresh(class);
            text.line(&format!("{mnemonic}{bits} {register}, {operands}"));
            register
        };
        let sign = 1u64 << (bits - 1);
        let element = match self.kind {
            Kind::Unsigned => key.to_string(),
            Kind::Signed => make(text, "xor.b", format!("{key}, 0x{sign:x}")),
            Kind::Float(_) => {
                // The sign turns where it is set in the key, else all bits.
                let kept = make(text, "shr.s", format!("{key}, {}", bits - 1));
                let turned = make(text, "not.b", kept);
                let turned = make(text, "or.b", format!("{turned}, 0x{sign:x}"));
                make(text, "xor.b", format!("{key}, {turned}"))
            }
        };
        match self.lowest() {
            0 => element,
            by => make(text, "shr.u", format!("{element}, {by}")),
        }
    }

    /// The digit of a key that begins at a bit, which is a register's or a number.
    pub(super) fn digit(self, text: &mut Text, key: &str, from: &str) -> String {
        if self.bits() == 32 {
            return text.word("bfe.u32", &format!("{key}, {from}, {DIGIT_BITS}"));
        }
        let digit = text.long("bfe.u64", &format!("{key}, {from}, {DIGIT_BITS}"));
        text.word("cvt.u32.u64", &digit)
    }
}
