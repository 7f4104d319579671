//! Loops: what a `for` runs over, loop ops, lists that grow in them.

pub mod for_and_while;
pub mod growing;
pub mod iteration;
