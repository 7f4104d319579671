//! The C table of `libnumptx_math.so`, the CPU's library of linear algebra: the only way from the runtime into it.

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

/// Exported by `libnumptx_math.so` through `numptx_math_table()`. Everything runs on the calling thread.
#[repr(C)]
pub struct MathTable {
    /// [`crate::ABI_VERSION`] of the library.
    pub abi_version: u32,
    /// `size_of::<MathTable>()`.
    pub struct_bytes: u32,
    /// A product of matrices: 0, or a code of [`crate::error_kind`].
    pub product: unsafe extern "C" fn(*const Product) -> i32,
}

/// The symbol of the library that returns its table.
pub const MATH_TABLE_SYMBOL: &str = "numptx_math_table";
