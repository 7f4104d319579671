//! Operators as text: in dumps, and in what reports say.

use crate::ast::{BinaryOp, CompareOp, UnaryOp};

impl BinaryOp {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::FloorDiv => "//",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "**",
            BinaryOp::MatMul => "@",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
        }
    }
}

impl UnaryOp {
    /// The operator as it is written, the space after `not` included.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negative => "-",
            UnaryOp::Positive => "+",
            UnaryOp::Invert => "~",
            UnaryOp::Not => "not ",
        }
    }
}

impl CompareOp {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
            CompareOp::Is => "is",
            CompareOp::IsNot => "is not",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
        }
    }
}
