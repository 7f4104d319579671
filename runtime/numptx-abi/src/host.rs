//! What of a library's host code is chosen when the library is bound: functions for the processor that runs, and functions of the machine's math library.

use core::ffi::{c_char, c_void};

/// The host code of a library.
///
/// Kernels and functions that compute are there several times, once for each level that they gain by. When a library is bound, each
/// [`HostChoice`] gets the function of the highest level that the processor has, and each [`MathSlot`] the function of its name.
#[repr(C)]
pub struct HostCode {
    /// Levels, at least one.
    pub n_levels: u32,
    /// Number of choices.
    pub n_choices: u32,
    /// Number of math functions.
    pub n_math: u32,
    /// Zero.
    pub reserved: u32,
    /// The levels, the least one first. Each has what those before it have.
    pub levels: *const HostLevel,
    /// The choices.
    pub choices: *const HostChoice,
    /// The math functions.
    pub math: *const MathSlot,
}

/// Processors that host code is made for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostLevel {
    /// As `--cpu` calls it: `x86-64-v3`, `native`.
    pub name: *const c_char,
    /// What a processor must have: a bit for each of [`features::NAMES`].
    pub features: u64,
}

/// A place for the address of one function, and the functions that may stand there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostChoice {
    /// Where the address is to stand; null until the library is bound. Host code reads it there, in a kernel's descriptor or before a jump.
    pub place: *mut *const c_void,
    /// One a level: the same function, or null where that of a lower level serves. The first one is not null.
    pub functions: *const *const c_void,
}

/// A place for the address of one function of the machine's math library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MathSlot {
    /// C's name: `exp`, or of a vector version `_ZGVdN4v_exp`.
    pub name: *const c_char,
    /// Where the address is to stand. A vector version's holds one of the library's own, for machines that have none, which computes element by element.
    pub place: *mut *const c_void,
}

/// Extensions of x86-64 that host code may need.
pub mod features {
    /// As LLVM names them; a set of them has bit `n` where it has name `n`. What is missing here, host code never uses beyond x86-64 itself.
    pub const NAMES: [&str; 26] = [
        "sse3",
        "ssse3",
        "sse4.1",
        "sse4.2",
        "popcnt",
        "avx",
        "avx2",
        "bmi",
        "bmi2",
        "f16c",
        "fma",
        "lzcnt",
        "movbe",
        "avx512f",
        "avx512bw",
        "avx512cd",
        "avx512dq",
        "avx512vl",
        "avx512ifma",
        "avx512vbmi",
        "avx512vbmi2",
        "avx512vnni",
        "avx512bitalg",
        "avx512vpopcntdq",
        "gfni",
        "avxvnni",
    ];

    /// The levels of the System V ABI for x86-64, and what of [`NAMES`] each has: as many from the first on.
    pub const LEVELS: [(&str, u32); 4] = [("x86-64", 0), ("x86-64-v2", 5), ("x86-64-v3", 13), ("x86-64-v4", 18)];

    /// The features of a level; `None` where there is none of this name.
    pub fn of_level(name: &str) -> Option<u64> {
        LEVELS.iter().find(|level| level.0 == name).map(|level| (1 << level.1) - 1)
    }

    /// The names of the features of a set.
    pub fn names(set: u64) -> impl Iterator<Item = &'static str> {
        NAMES.iter().enumerate().filter(move |(n, _)| set >> n & 1 == 1).map(|(_, name)| *name)
    }
}

const _: () = assert!(size_of::<HostCode>() == 40);
const _: () = assert!(size_of::<HostLevel>() == 16);
const _: () = assert!(size_of::<HostChoice>() == 16);
const _: () = assert!(size_of::<MathSlot>() == 16);
