//! Straight-line scalar SSA: what is computed for one element.

use super::ScalarOp;
use crate::DType;

/// A value of a body: the index of its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Val(pub u32);

/// A constant of any dtype. Integers are stored as 64 bits, sign- or zero-extended; floats and complex parts as binary64.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    /// bool
    Bool(bool),
    /// Signed and unsigned integers: the two's complement bits.
    Int(i64),
    /// float16 and float32 (rounded), and float64.
    Float(f64),
    /// complex64 (rounded) and complex128: real, imaginary.
    Complex(f64, f64),
}

impl Constant {
    /// The bits of an integer.
    pub fn as_int(self) -> Option<i64> {
        if let Constant::Int(value) = self { Some(value) } else { None }
    }
}

impl PartialEq for Constant {
    /// By bits: nan equals nan, 0.0 differs from -0.0.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Constant::Bool(a), Constant::Bool(b)) => a == b,
            (Constant::Int(a), Constant::Int(b)) => a == b,
            (Constant::Float(a), Constant::Float(b)) => a.to_bits() == b.to_bits(),
            (Constant::Complex(a, b), Constant::Complex(c, d)) => {
                a.to_bits() == c.to_bits() && b.to_bits() == d.to_bits()
            }
            _ => false,
        }
    }
}

impl Eq for Constant {}

impl std::hash::Hash for Constant {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Constant::Bool(a) => (0u8, *a as u64, 0u64).hash(state),
            Constant::Int(a) => (1u8, *a as u64, 0u64).hash(state),
            Constant::Float(a) => (2u8, a.to_bits(), 0u64).hash(state),
            Constant::Complex(a, b) => (3u8, a.to_bits(), b.to_bits()).hash(state),
        }
    }
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InstrKind {
    /// The element, or scalar, of input `n` at this point of the iteration space.
    Input(u32),
    /// The index along axis `n` of the iteration space, `int64`.
    Index(u32),
    /// The element of table `n` at these indices: `int64` values, one an axis of the table, each at least 0 and below the extent.
    Element(u32, Vec<Val>),
    /// A constant.
    Constant(Constant),
    /// An operation on earlier values.
    Op(ScalarOp, Vec<Val>),
}

impl InstrKind {
    /// The earlier values that it uses.
    pub fn operands(&self) -> &[Val] {
        match self {
            InstrKind::Element(_, operands) | InstrKind::Op(_, operands) => operands,
            InstrKind::Input(_) | InstrKind::Index(_) | InstrKind::Constant(_) => &[],
        }
    }

    fn operands_mut(&mut self) -> &mut [Val] {
        match self {
            InstrKind::Element(_, operands) | InstrKind::Op(_, operands) => operands,
            InstrKind::Input(_) | InstrKind::Index(_) | InstrKind::Constant(_) => &mut [],
        }
    }
}

/// An instruction and its dtype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instr {
    /// What it does.
    pub kind: InstrKind,
    /// The dtype of its value.
    pub dtype: DType,
}

/// Instructions in order, each using earlier ones only, and the values that leave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// The instructions; value `n` is instruction `n`.
    pub instrs: Vec<Instr>,
    /// The results.
    pub outputs: Vec<Val>,
}

impl Body {
    /// The dtype of a value.
    pub fn dtype(&self, val: Val) -> DType {
        self.instrs[val.0 as usize].dtype
    }

    /// Whether any instruction reads an index.
    pub fn uses_index(&self) -> bool {
        self.instrs.iter().any(|i| matches!(i.kind, InstrKind::Index(_)))
    }

    /// How many tables it reads elements of: they come after its inputs among an op's operands.
    pub fn n_tables(&self) -> usize {
        let table = |i: &Instr| if let InstrKind::Element(n, _) = i.kind { n as usize + 1 } else { 0 };
        self.instrs.iter().map(table).max().unwrap_or(0)
    }

    /// Inputs and tables of operands that end in the body's tables; `None` if there are fewer operands than tables.
    pub fn split_tables<'o, T>(&self, operands: &'o [T]) -> Option<(&'o [T], &'o [T])> {
        Some(operands.split_at(operands.len().checked_sub(self.n_tables())?))
    }

    /// The two inputs whose product is the body's only output, where that is all that it computes.
    pub fn factors(&self) -> Option<[u32; 2]> {
        self.inputs_of(ScalarOp::Product)
    }

    /// The same of integers of 32 or 64 bits. They have no product of their own for sums: wrapping ones may be summed in any order, whoever wrote the sum.
    pub fn integer_factors(&self) -> Option<[u32; 2]> {
        let factors = self.inputs_of(ScalarOp::Mul)?;
        let is_wide = |val: &Val| matches!(self.dtype(*val), DType::I32 | DType::I64 | DType::U32 | DType::U64);
        self.outputs.iter().all(is_wide).then_some(factors)
    }

    /// The two inputs of the operation that is all that the body computes.
    fn inputs_of(&self, wanted: ScalarOp) -> Option<[u32; 2]> {
        let [output] = self.outputs.as_slice() else { return None };
        let InstrKind::Op(op, operands) = &self.instrs.get(output.0 as usize)?.kind else { return None };
        let input = |val: &Val| match self.instrs.get(val.0 as usize)?.kind {
            InstrKind::Input(n) => Some(n),
            _ => None,
        };
        let [a, b] = operands.as_slice() else { return None };
        (*op == wanted).then_some([input(a)?, input(b)?])
    }

    /// The body that returns its only input unchanged.
    pub fn identity(dtype: DType) -> Body {
        Body { instrs: vec![Instr { kind: InstrKind::Input(0), dtype }], outputs: vec![Val(0)] }
    }
}

/// Builds a body; equal instructions are shared.
#[derive(Clone, Debug, Default)]
pub struct BodyBuilder {
    instrs: Vec<Instr>,
}

impl BodyBuilder {
    /// An empty body.
    pub fn new() -> Self {
        BodyBuilder::default()
    }

    /// Adds an instruction, or finds the equal one.
    pub fn push(&mut self, kind: InstrKind, dtype: DType) -> Val {
        let instr = Instr { kind, dtype };
        let position = self.instrs.iter().position(|i| *i == instr).unwrap_or_else(|| {
            self.instrs.push(instr);
            self.instrs.len() - 1
        });
        Val(position as u32)
    }

    /// Input `n`.
    pub fn input(&mut self, n: u32, dtype: DType) -> Val {
        self.push(InstrKind::Input(n), dtype)
    }

    /// Index along axis `n`.
    pub fn index(&mut self, n: u32) -> Val {
        self.push(InstrKind::Index(n), DType::I64)
    }

    /// The element of table `n`, of this dtype, at indices in range.
    pub fn element(&mut self, n: u32, indices: &[Val], dtype: DType) -> Val {
        self.push(InstrKind::Element(n, indices.to_vec()), dtype)
    }

    /// A constant of a dtype; the number is converted to it.
    pub fn constant(&mut self, value: f64, dtype: DType) -> Val {
        let constant = match dtype {
            DType::Bool => Constant::Bool(value != 0.0),
            DType::F16 => Constant::Float(numptx_abi::half::round(value)),
            DType::F32 => Constant::Float(value as f32 as f64),
            DType::F64 => Constant::Float(value),
            DType::C64 => Constant::Complex(value as f32 as f64, 0.0),
            DType::C128 => Constant::Complex(value, 0.0),
            _ => Constant::Int(value as i64),
        };
        self.push(InstrKind::Constant(constant), dtype)
    }

    /// The dtype of a value built so far.
    pub fn dtype(&self, val: Val) -> DType {
        self.instrs[val.0 as usize].dtype
    }

    /// What a value built so far is.
    pub fn kind(&self, val: Val) -> &InstrKind {
        &self.instrs[val.0 as usize].kind
    }

    /// An operation on values of the right dtypes; `Cast` goes through [`BodyBuilder::cast`].
    ///
    /// # Panics
    /// If the operation is not defined on these dtypes: a bug of the caller, found by the table's tests.
    pub fn op(&mut self, op: ScalarOp, operands: &[Val]) -> Val {
        let dtypes: Vec<DType> = operands.iter().map(|v| self.dtype(*v)).collect();
        let dtype = op.result(&dtypes);
        let dtype = dtype.unwrap_or_else(|| panic!("`{}` is not defined on {dtypes:?}", op.name()));
        self.push(InstrKind::Op(op, operands.to_vec()), dtype)
    }

    /// A value converted to a dtype; itself if it has it already.
    pub fn cast(&mut self, val: Val, dtype: DType) -> Val {
        if self.dtype(val) == dtype { val } else { self.push(InstrKind::Op(ScalarOp::Cast, vec![val]), dtype) }
    }

    /// Copies another body in, its inputs replaced by values of this one and its indices by `indices` (identity if `None`).
    /// Returns the values of its outputs.
    pub fn inline(&mut self, body: &Body, inputs: &[Val], indices: Option<&[Val]>) -> Vec<Val> {
        self.inline_tables(body, inputs, indices, &[])
    }

    /// As [`BodyBuilder::inline`], with table `n` of the other body being table `tables[n]` of this one; `n` itself where there is no entry.
    pub fn inline_tables(&mut self, body: &Body, inputs: &[Val], indices: Option<&[Val]>, tables: &[u32]) -> Vec<Val> {
        let mut map: Vec<Val> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let val = match &instr.kind {
                InstrKind::Input(n) => inputs[*n as usize],
                InstrKind::Index(n) => match indices {
                    Some(indices) => indices[*n as usize],
                    None => self.index(*n),
                },
                InstrKind::Element(n, operands) => {
                    let table = tables.get(*n as usize).copied().unwrap_or(*n);
                    let operands = operands.iter().map(|v| map[v.0 as usize]).collect();
                    self.push(InstrKind::Element(table, operands), instr.dtype)
                }
                InstrKind::Constant(c) => self.push(InstrKind::Constant(*c), instr.dtype),
                InstrKind::Op(op, operands) => {
                    let operands = operands.iter().map(|v| map[v.0 as usize]).collect();
                    self.push(InstrKind::Op(*op, operands), instr.dtype)
                }
            };
            map.push(val);
        }
        body.outputs.iter().map(|v| map[v.0 as usize]).collect()
    }

    /// Ends the body, keeping only what its outputs need.
    pub fn finish(self, outputs: Vec<Val>) -> Body {
        let mut needed = vec![false; self.instrs.len()];
        for val in &outputs {
            needed[val.0 as usize] = true;
        }
        for position in (0..self.instrs.len()).rev() {
            if needed[position] {
                self.instrs[position].kind.operands().iter().for_each(|val| needed[val.0 as usize] = true);
            }
        }
        let mut renumbered = vec![Val(0); self.instrs.len()];
        let mut instrs = Vec::new();
        for (position, mut instr) in self.instrs.into_iter().enumerate() {
            if !needed[position] {
                continue;
            }
            for val in instr.kind.operands_mut() {
                *val = renumbered[val.0 as usize];
            }
            renumbered[position] = Val(instrs.len() as u32);
            instrs.push(instr);
        }
        Body { instrs, outputs: outputs.into_iter().map(|v| renumbered[v.0 as usize]).collect() }
    }
}
