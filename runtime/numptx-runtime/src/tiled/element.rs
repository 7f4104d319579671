//! Elements of matrices as registers and instructions have them.

/// What is multiplied. Unsigned integers are as signed ones: products and sums wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Element {
    Float32,
    Float64,
    Complex64,
    Complex128,
    Int32,
    Int64,
}

impl Element {
    /// Bytes of an element.
    pub fn bytes(self) -> u32 {
        match self {
            Element::Float32 | Element::Int32 => 4,
            Element::Float64 | Element::Complex64 | Element::Int64 => 8,
            Element::Complex128 => 16,
        }
    }

    /// Numbers of an element: two where it is complex.
    pub(super) fn parts(self) -> u32 {
        if matches!(self, Element::Complex64 | Element::Complex128) { 2 } else { 1 }
    }

    /// Elements that are read of shared memory at once.
    pub(crate) fn vector(self) -> u32 {
        super::VECTOR_BYTES / self.bytes()
    }

    /// The type of a number in memory.
    pub(super) fn memory(self) -> &'static str {
        match self {
            Element::Float32 | Element::Complex64 => "f32",
            Element::Float64 | Element::Complex128 => "f64",
            Element::Int32 => "b32",
            Element::Int64 => "b64",
        }
    }

    /// The class of a number's registers.
    pub(super) fn class(self) -> char {
        match self {
            Element::Float32 | Element::Complex64 => 'f',
            Element::Float64 | Element::Complex128 => 'g',
            Element::Int32 => 'r',
            Element::Int64 => 'd',
        }
    }

    /// The instruction that adds a product of two numbers.
    pub(super) fn multiply_add(self) -> &'static str {
        match self {
            Element::Float32 | Element::Complex64 => "fma.rn.f32",
            Element::Float64 | Element::Complex128 => "fma.rn.f64",
            Element::Int32 => "mad.lo.s32",
            Element::Int64 => "mad.lo.s64",
        }
    }

    /// How zero is written.
    pub(super) fn zero(self) -> &'static str {
        match self {
            Element::Float32 | Element::Complex64 => "0f00000000",
            Element::Float64 | Element::Complex128 => "0d0000000000000000",
            Element::Int32 | Element::Int64 => "0",
        }
    }
}
