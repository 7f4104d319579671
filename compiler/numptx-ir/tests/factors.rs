//! Which kernels name two factors: sums of products that are nothing else, of elements that products of matrices have.
//!
//! In: texts of kernels. Out: the operands that each multiplies, also after it was printed and read again.

use numptx_ir::kernel::{self, Kernel};

/// `c[i, j] = Σ a[i, k] ∘ b[k, j]`, by the instructions `op`; `more`: what follows the sum.
fn sum(dtype: &str, op: &str, reducer: &str, more: &str) -> Kernel {
    let text = format!(
        "kernel @k rank 3 reduced 1 block 128 vector 1 {{
  operand read {dtype}[:, 0, :]
  operand read {dtype}[0, :, :]
  operand write {dtype}[:, :, 0]
  phase {{
    load 0
    load 1
    body {{
      $0 = input 0 : {dtype}
      $1 = input 1 : {dtype}
      {op}
    }}
    reduce [{reducer}]
    {more}store 0 to 2
  }}
}}"
    );
    let kernel = kernel::parse::parse(&text).expect("the text is a kernel");
    kernel::verify::verify(&kernel).expect("the kernel is sound");
    kernel
}

/// The factors, which a kernel has after it was printed and read, too.
fn factors(kernel: &Kernel) -> Option<[usize; 2]> {
    let again = kernel::parse::parse(&kernel.to_string()).expect("what is printed can be read");
    assert_eq!(again, *kernel);
    assert_eq!(again.factors(), kernel.factors());
    kernel.factors()
}

fn product(dtype: &str, op: &str, operands: &str) -> Kernel {
    sum(dtype, &format!("$2 = {op} {operands} : {dtype}\n      yield $2"), "add", "")
}

#[test]
fn floats_have_them_in_sums_that_libraries_have() {
    for dtype in ["f32", "f64", "c64", "c128"] {
        assert_eq!(factors(&product(dtype, "product", "$0, $1")), Some([0, 1]), "{dtype}");
        assert_eq!(factors(&product(dtype, "mul", "$0, $1")), None, "{dtype}: rounded before it is added");
    }
}

#[test]
fn integers_have_them_whoever_wrote_the_sum() {
    for dtype in ["i32", "i64", "u32", "u64"] {
        assert_eq!(factors(&product(dtype, "mul", "$0, $1")), Some([0, 1]), "{dtype}");
        assert_eq!(factors(&product(dtype, "mul", "$1, $0")), Some([1, 0]), "{dtype}");
    }
    for dtype in ["i8", "i16", "u8", "u16"] {
        assert_eq!(factors(&product(dtype, "mul", "$0, $1")), None, "{dtype}: nobody else has it");
    }
}

#[test]
fn what_is_more_than_the_sum_has_none() {
    assert_eq!(factors(&product("i64", "add", "$0, $1")), None);
    let mul = "$2 = mul $0, $1 : i64\n      yield $2";
    assert_eq!(factors(&sum("i64", mul, "max", "")), None);
    let twice = "epilogue { $0 = input 0 : i64; $1 = add $0, $0 : i64; yield $1 }\n    ";
    assert_eq!(factors(&sum("i64", mul, "add", twice)), None);
    let shifted = "$2 = mul $0, $1 : i64\n      $3 = add $2, $1 : i64\n      yield $3";
    assert_eq!(factors(&sum("i64", shifted, "add", "")), None);
}
