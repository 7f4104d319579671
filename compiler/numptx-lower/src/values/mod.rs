//! What a name can be bound to and an expression can give, and what lowering knows of it. Nothing here is lowered.

pub mod call;
pub mod class;
pub mod closure;
pub mod container_types;
pub mod facts;
pub mod forms;
pub mod iterable;
pub mod kept;
pub mod members;
pub mod one_of;
pub mod parts;
pub mod random;
pub mod scope;
pub mod value;
