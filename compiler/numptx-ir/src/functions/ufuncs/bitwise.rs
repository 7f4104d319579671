//! Operations on bits.

use crate::DType;
use crate::dtype::Kind;
use crate::functions::Function;
use crate::functions::loops::LoopPattern;
use crate::functions::ufunc::{binary, compose, op, unary};
use crate::scalar::{BodyBuilder, ScalarOp, Val};

const BITS: &[LoopPattern] = &[("?bBhHiIlL", "xx->x")];
const SHIFTED: &[LoopPattern] = &[("bBhHiIlL", "xx->x")];

/// The rows.
pub const TABLE: &[Function] = &[
    binary("numpy.bitwise_and", BITS, op(ScalarOp::BitAnd)).large_ints().doc("bits that are set in both"),
    binary("numpy.bitwise_or", BITS, op(ScalarOp::BitOr)).large_ints().doc("bits that are set in either"),
    binary("numpy.bitwise_xor", BITS, op(ScalarOp::BitXor)).large_ints().doc("bits that are set in exactly one"),
    unary("numpy.invert", &[("?bBhHiIlL", "x->x")], op(ScalarOp::BitNot))
        .aliases(&["numpy.bitwise_not", "numpy.bitwise_invert"])
        .doc("all bits flipped"),
    binary("numpy.left_shift", SHIFTED, op(ScalarOp::ShiftLeft))
        .aliases(&["numpy.bitwise_left_shift"])
        .large_ints()
        .doc("bits moved up; 0 beyond the width"),
    binary("numpy.right_shift", SHIFTED, op(ScalarOp::ShiftRight))
        .aliases(&["numpy.bitwise_right_shift"])
        .large_ints()
        .doc("bits moved down, the sign kept"),
    unary("numpy.bitwise_count", &[("bBhHiIlL", "x->B")], compose(bitwise_count)).doc("number of set bits of |x|"),
];

/// Adds up neighbouring fields of 1, 2 and 4 bits, then all bytes by one multiplication.
fn bitwise_count(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let dtype = b.dtype(v[0]);
    let magnitude = if dtype.kind() == Kind::Signed { b.abs(v[0]) } else { v[0] };
    let bits = b.cast(magnitude, unsigned(dtype));
    let mut x = b.cast(bits, DType::U64);
    for (shift, mask) in [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)] {
        let (shift, mask) = (b.integer(shift, DType::U64), b.integer(mask, DType::U64));
        let upper = b.op(ScalarOp::ShiftRight, &[x, shift]);
        let (low, high) = (b.both(x, mask), b.both(upper, mask));
        x = b.add(low, high);
    }
    let (ones, top) = (b.integer(0x0101_0101_0101_0101, DType::U64), b.integer(56, DType::U64));
    let product = b.mul(x, ones);
    let count = b.op(ScalarOp::ShiftRight, &[product, top]);
    vec![b.cast(count, DType::U8)]
}

/// The unsigned integer of as many bits.
pub(super) fn unsigned(dtype: DType) -> DType {
    match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => other,
    }
}
