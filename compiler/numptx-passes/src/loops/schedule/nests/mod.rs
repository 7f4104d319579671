//! Loops as nests: parallel loops as work items, loops around and in them, and what one work item does alone.

pub mod axes;
pub mod host_loop;
pub mod inner_axes;
pub mod interchange;
pub mod parallel;
pub mod place;
pub mod serial_kernel;
pub mod serial_while;
