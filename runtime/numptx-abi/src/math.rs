//! The C table of `libnumptx_math.so`, the CPU's library of linear algebra and transforms: the only way from the runtime into it.

/// A matrix in memory: its first element, and the elements from one row, and from one column, to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Its element `[0, 0]`.
    pub first: *mut u8,
    /// Elements to the next row, of any sign.
    pub row: i64,
    /// Elements to the next column, of any sign.
    pub column: i64,
}

/// `c = a @ b`: of `rows` × `summed` and `summed` × `columns` elements.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// A code of [`crate::dtype`]: a float or a complex dtype.
    pub dtype: u8,
    /// 1: the product is added to what `c` holds.
    pub adds: u8,
    /// At least 1, as the next two.
    pub rows: i64,
    /// Columns of the result.
    pub columns: i64,
    /// Columns of `a`, rows of `b`.
    pub summed: i64,
    /// The first factor.
    pub a: Matrix,
    /// The second factor.
    pub b: Matrix,
    /// The result: its elements are apart from each other and from the factors'.
    pub c: Matrix,
}

/// An operand of a routine of one matrix: a vector has one column.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MatrixOperand {
    /// Where its elements lie.
    pub matrix: Matrix,
    /// Rows; of a vector its elements.
    pub rows: i64,
    /// Columns; 1 of a vector.
    pub columns: i64,
}

/// Rows of a transform: the first element of the first one, elements along a row, and from one row to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// The first element.
    pub first: *mut u8,
    /// Elements along a row, of any sign.
    pub step: i64,
    /// Elements from one row to the next, of any sign.
    pub each: i64,
}

/// Transforms of rows: [`crate::routine::FFT`], [`crate::routine::RFFT`] or [`crate::routine::IRFFT`] of one axis.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Transform {
    /// The routine.
    pub routine: u32,
    /// [`crate::routine::INVERSE`], or 0.
    pub flags: u32,
    /// A code of [`crate::dtype`]: the complex one.
    pub dtype: u8,
    /// The length of a transform: of [`crate::routine::RFFT`] and [`crate::routine::IRFFT`] that of the real row. At least 1.
    pub length: i64,
    /// How many rows.
    pub count: i64,
    /// What is transformed.
    pub input: Rows,
    /// The results; the input's own elements, or apart from them.
    pub output: Rows,
}

/// Exported by `libnumptx_math.so` through `numptx_math_table()`. Everything runs on the calling thread.
#[repr(C)]
pub struct MathTable {
    /// [`crate::ABI_VERSION`] of the library.
    pub abi_version: u32,
    /// `size_of::<MathTable>()`.
    pub struct_bytes: u32,
    /// A product of matrices: 0, or a code of [`crate::error_kind`].
    pub product: unsafe extern "C" fn(*const Product) -> i32,
    /// A routine of [`crate::routine`] but transforms, of one matrix, of this dtype: what it answers; negative: a code of [`crate::error_kind`], negated.
    /// Matrices may have any strides.
    pub routine:
        unsafe extern "C" fn(routine: u32, flags: u32, dtype: u8, operands: *const MatrixOperand, n: u32) -> i64,
    /// Transforms of rows: 0, or a code of [`crate::error_kind`].
    pub transform: unsafe extern "C" fn(*const Transform) -> i32,
}

/// The symbol of the library that returns its table.
pub const MATH_TABLE_SYMBOL: &str = "numptx_math_table";
