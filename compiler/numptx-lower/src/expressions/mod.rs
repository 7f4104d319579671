//! Expressions: operators, truth, comprehensions, text with values in it.

pub mod collecting;
pub mod comprehensions;
pub mod expression;
pub mod filling;
pub mod logic;
pub mod messages;
pub mod operators;
