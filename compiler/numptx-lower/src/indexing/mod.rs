//! Subscripts: which place `a[…]` is, how it is read, and how it is written.

pub mod elements;
pub mod in_place;
pub mod indices;
pub mod masks;
pub mod members;
pub mod places;
pub mod selections;
pub mod setitem;
pub mod slices;
pub mod subscripts;
