//! Where paths meet: what branches and loops carry, and what values of several paths have in common.

pub mod agreement;
pub mod branches;
pub mod carried;
pub mod forms;
pub mod kept;
pub mod one_of;
pub mod remembered;
