//! What a name or `owner.name` stands for.

pub mod attributes;
pub mod constants;
pub mod lookup;
pub mod missing;
pub mod standard_modules;
pub mod warned;
