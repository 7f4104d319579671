//! Kernels with code: one text a sort of program; and the comparison of what they do, compiled, with the interpreter.

use numptx_ir::DType;
use numptx_ir::array::interpret::{Buffer, View};
use numptx_ir::kernel::{self, Kernel, interpret};
use numptx_ir::scalar::Constant;

use super::{Compiled, Launch, samples};

/// `c[i, j] += sum(a[i, k] * b[k, j])`
pub const PRODUCT: &str = "kernel @product rank 2 reduced 0 block 256 vector 1 {
  operand readwrite f64[0, 0] noalias
  operand read f64[0, 0] noalias
  operand read f64[0, 0] noalias
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  table 0 [1, 2]
  table 1 [3, 4]
  table 2 [5, 6]
  code {
    $0 = index 0 : i64
    $1 = index 1 : i64
    $2 = constant 0 : i64
    $3 = constant 1 : i64
    $4 = input 0 : i64
    $5 = load 0 at $0, $1 : f64
    $11 = for $2, $4, $3, $5 ($6: i64, $7: f64) {
      $8 = load 1 at $0, $6 : f64
      $9 = load 2 at $6, $1 : f64
      $10 = mul $8, $9 : f64
      $12 = add $7, $10 : f64
      yield $12
    } : f64
    store $11 to 0 at $0, $1
    yield
  }
}";

/// Downwards over the rest of a row, by a step that comes with the launch; elements on and above the diagonal stay.
pub const TRIANGLE: &str = "kernel @triangle rank 1 reduced 0 block 256 vector 1 {
  operand readwrite i32[0] noalias
  scalar i64
  scalar i64
  scalar i64
  table 0 [1, 2]
  code {
    $0 = index 0 : i64
    $1 = constant 1 : i64
    $2 = sub $0, $1 : i64
    $3 = input 0 : i64
    $4 = neg $1 : i64
    for $2, $4, $3 ($5: i64) {
      $6 = load 0 at $0, $5 : i32
      $7 = load 0 at $0, $0 : i32
      $8 = add $6, $7 : i32
      $9 = cast $5 : i32
      $10 = mul $8, $9 : i32
      store $10 to 0 at $0, $5
      yield
    }
    yield
  }
}";

/// How often `z = z*z + c` stays small; complex and boolean values are carried.
pub const ESCAPE: &str = "kernel @escape rank 2 reduced 0 block 256 vector 1 {
  operand write i64[0, 0] noalias
  operand read c128[0, 0] noalias
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  table 0 [1, 2]
  table 1 [3, 4]
  code {
    $0 = index 0 : i64
    $1 = index 1 : i64
    $2 = load 1 at $0, $1 : c128
    $3 = constant (0.0, 0.0) : c128
    $4 = constant 0 : i64
    $5 = constant true : bool
    $23, $24, $25 = while $3, $4, $5 ($6: c128, $7: i64, $8: bool) {
      $9 = input 0 : i64
      $10 = lt $7, $9 : bool
      $11 = and $8, $10 : bool
      yield $11
    } do ($12: c128, $13: i64, $14: bool) {
      $15 = mul $12, $12 : c128
      $16 = add $15, $2 : c128
      $17 = real $16 : f64
      $18 = constant 2.0 : f64
      $19 = lt $17, $18 : bool
      $20 = constant 1 : i64
      $21 = add $13, $20 : i64
      $26 = if $19 {
        yield $21
      } else {
        $22 = neg $21 : i64
        yield $22
      } : i64
      yield $16, $26, $19
    } : c128, i64, bool
    store $24 to 0 at $0, $1
    yield
  }
}";

/// Each element becomes what the one before it, in its new value, gives with it.
pub const RECURRENCE: &str = "kernel @recurrence rank 0 reduced 0 block 256 vector 1 {
  operand readwrite f32[] noalias
  operand write f32[] noalias
  scalar i64
  scalar i64
  table 0 [1]
  table 1 []
  code {
    $0 = constant 1 : i64
    $1 = input 0 : i64
    $2 = constant 0.5 : f32
    $9 = for $0, $1, $0, $2 ($3: i64, $4: f32) {
      $5 = sub $3, $0 : i64
      $6 = load 0 at $5 : f32
      $7 = load 0 at $3 : f32
      $8 = add $6, $7 : f32
      store $8 to 0 at $3
      yield $6
    } : f32
    store $9 to 1 at
    yield
  }
}";

/// Without loops: LLVM makes vectors of points. A branch stores for some of them.
pub const CLIP: &str = "kernel @clip rank 2 reduced 0 block 256 vector 1 {
  operand readwrite f64[0, 0] noalias
  operand read bool[0, 0] noalias
  scalar f64
  scalar i64
  scalar i64
  scalar i64
  table 0 [1, 2]
  table 1 [3]
  code {
    $0 = index 0 : i64
    $1 = index 1 : i64
    $2 = load 1 at $1 : bool
    if $2 {
      $3 = load 0 at $0, $1 : f64
      $4 = input 0 : f64
      $5 = min $3, $4 : f64
      store $5 to 0 at $0, $1
      yield
    } else {
      yield
    }
    yield
  }
}";

/// All of them.
pub const ALL: [&str; 5] = [PRODUCT, TRIANGLE, ESCAPE, RECURRENCE, CLIP];

/// A kernel of a text.
pub fn parse(text: &str) -> Kernel {
    let kernel = kernel::parse::parse(text).expect("a kernel");
    kernel::verify::verify(&kernel).expect("a sound kernel");
    kernel
}

/// How an array lies.
#[derive(Clone, Copy, Debug)]
pub enum Lies {
    C,
    F,
    /// Every other element, backwards along the last axis.
    Odd,
}

/// A table's array: bytes, and a view of them.
pub fn array(dtype: DType, shape: &[i64], lies: Lies, seed: u64) -> View {
    let size = dtype.itemsize() as i64;
    let rank = shape.len();
    let mut strides = vec![0; rank];
    let mut next = if matches!(lies, Lies::Odd) { 2 * size } else { size };
    let axes: Vec<usize> = if matches!(lies, Lies::F) { (0..rank).collect() } else { (0..rank).rev().collect() };
    for axis in axes {
        strides[axis] = next;
        next *= shape[axis].max(1);
    }
    let mut offset = 0;
    if let (Lies::Odd, Some(last)) = (lies, rank.checked_sub(1)) {
        offset = strides[last] * (shape[last] - 1).max(0);
        strides[last] = -strides[last];
    }
    let n = (next / size) as usize;
    let mut bytes = vec![0; n * size as usize];
    for (k, value) in samples(dtype, n, seed).into_iter().enumerate() {
        super::encode(value, dtype, &mut bytes[k * size as usize..]);
    }
    View { buffer: Buffer::new(bytes), dtype, offset, shape: shape.to_vec(), strides, read_only: false }
}

/// The bytes of a view's buffer.
fn bytes(view: &View) -> Vec<u8> {
    let read = |n: usize| view.buffer.read(n as i64, DType::U8).expect("a byte");
    (0..view.buffer.size()).map(|n| read(n).as_int().expect("an integer") as u8).collect()
}

fn words(value: Constant) -> [u64; 2] {
    match value {
        Constant::Int(n) => [n as u64, 0],
        Constant::Float(x) => [x.to_bits(), 0],
        Constant::Bool(b) => [u64::from(b), 0],
        Constant::Complex(re, im) => [re.to_bits(), im.to_bits()],
    }
}

/// Runs a kernel in the interpreter and compiled, its points cut in pieces of `piece`, and compares all memory.
pub fn check(compiled: &Compiled, kernel: &Kernel, extents: &[i64], tables: &[View], scalars: &[Constant], piece: i64) {
    let mut scalars = scalars.to_vec();
    scalars.extend(tables.iter().flat_map(|view| &view.strides).map(|s| Constant::Int(*s)));
    let mut memory: Vec<Vec<u8>> = tables.iter().map(bytes).collect();
    interpret::run(kernel, extents, tables, &scalars, 3).expect("the interpreter runs it");
    let pointers = memory.iter_mut().zip(tables).map(|(bytes, view)| bytes[view.offset as usize..].as_mut_ptr());
    let launch = Launch {
        pointers: pointers.collect(),
        scalars: scalars.iter().map(|s| words(*s)).collect(),
        extents: extents.to_vec(),
        strides: vec![0; tables.len() * extents.len()],
    };
    let points: i64 = extents.iter().product();
    let mut begin = 0;
    while begin < points {
        let end = points.min(begin + piece);
        // SAFETY: the interpreter has run the same within the same arrays.
        unsafe { compiled.map(&kernel.name, "strided", &launch, begin, end) };
        begin = end;
    }
    for (n, (found, view)) in memory.iter().zip(tables).enumerate() {
        let same = |k: usize| {
            let size = view.dtype.itemsize();
            let expected = bytes(view);
            let (a, b) = (&found[k * size..], &expected[k * size..]);
            let (a, b) = (super::decode(view.dtype, a), super::decode(view.dtype, b));
            assert!(
                is_same(a, b),
                "table {n} of {} in pieces of {piece}, element {k}: {a:?}, expected {b:?}",
                kernel.name
            );
        };
        (0..found.len() / view.dtype.itemsize()).for_each(same);
    }
}

/// Equal, any nan being any other.
fn is_same(a: Constant, b: Constant) -> bool {
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    match (a, b) {
        (Constant::Float(a), Constant::Float(b)) => same(a, b),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => same(a, c) && same(b, d),
        (a, b) => a == b,
    }
}
