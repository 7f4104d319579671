//! Element types.

/// An element type. The discriminants are the ABI's dtype codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum DType {
    Bool = 0,
    I8 = 1,
    I16 = 2,
    I32 = 3,
    I64 = 4,
    U8 = 5,
    U16 = 6,
    U32 = 7,
    U64 = 8,
    F32 = 9,
    F64 = 10,
    C64 = 11,
    C128 = 12,
    F16 = 13,
}

/// NumPy's kinds of element types, in promotion order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    Complex,
}

impl DType {
    /// All of them, in the order of their codes.
    pub const ALL: [DType; 14] = [
        DType::Bool,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
        DType::F16,
    ];

    /// The ABI's code.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Bytes of an element.
    pub fn itemsize(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 => 1,
            DType::I16 | DType::U16 | DType::F16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            DType::Bool => Kind::Bool,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Kind::Unsigned,
            DType::F16 | DType::F32 | DType::F64 => Kind::Float,
            DType::C64 | DType::C128 => Kind::Complex,
        }
    }

    /// Signed or unsigned integer; not `bool`.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// `float16`, `float32` or `float64`.
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// `complex64` or `complex128`.
    pub fn is_complex(self) -> bool {
        self.kind() == Kind::Complex
    }

    /// The type of the real part; itself if not complex.
    pub fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The complex type that holds it: `float16` and `float32` → `complex64`, everything wider → `complex128`.
    pub fn to_complex(self) -> DType {
        match self {
            DType::F16 | DType::F32 | DType::C64 => DType::C64,
            _ => DType::C128,
        }
    }

    /// NumPy's name: `float64`.
    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 => "uint8",
            DType::U16 => "uint16",
            DType::U32 => "uint32",
            DType::U64 => "uint64",
            DType::F16 => "float16",
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::C64 => "complex64",
            DType::C128 => "complex128",
        }
    }

    /// The IRs' short name: `f64`.
    pub fn short_name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
            DType::F16 => "f16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::C64 => "c64",
            DType::C128 => "c128",
        }
    }

    /// NumPy's type character: `d`.
    pub fn character(self) -> char {
        match self {
            DType::Bool => '?',
            DType::I8 => 'b',
            DType::I16 => 'h',
            DType::I32 => 'i',
            DType::I64 => 'l',
            DType::U8 => 'B',
            DType::U16 => 'H',
            DType::U32 => 'I',
            DType::U64 => 'L',
            DType::F16 => 'e',
            DType::F32 => 'f',
            DType::F64 => 'd',
            DType::C64 => 'F',
            DType::C128 => 'D',
        }
    }

    /// The inverse of [`DType::short_name`].
    pub fn from_short_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.short_name() == name)
    }

    /// The inverse of [`DType::name`].
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// A dtype by a string that `numpy.dtype` takes: a name, or a type character with an optional byte order and size.
    pub fn from_text(text: &str) -> Option<DType> {
        let alias = match text {
            "int" | "int_" | "intp" | "long" => Some(DType::I64),
            "uint" | "uintp" | "ulong" => Some(DType::U64),
            "intc" => Some(DType::I32),
            "uintc" => Some(DType::U32),
            "float" | "double" => Some(DType::F64),
            "single" => Some(DType::F32),
            "half" => Some(DType::F16),
            "complex" | "cdouble" => Some(DType::C128),
            "csingle" => Some(DType::C64),
            "bool_" => Some(DType::Bool),
            "byte" => Some(DType::I8),
            "ubyte" => Some(DType::U8),
            "short" => Some(DType::I16),
            "ushort" => Some(DType::U16),
            _ => None,
        };
        let code = text.trim_start_matches(['<', '=', '|']);
        let sized = |d: &DType| {
            let kind = match d.kind() {
                Kind::Bool => 'b',
                Kind::Signed => 'i',
                Kind::Unsigned => 'u',
                Kind::Float => 'f',
                Kind::Complex => 'c',
            };
            code == format!("{kind}{}", d.itemsize())
        };
        let character = |d: &DType| code.len() == 1 && code.starts_with(d.character());
        alias.or_else(|| DType::from_name(text)).or_else(|| DType::ALL.into_iter().find(|d| sized(d) || character(d)))
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
