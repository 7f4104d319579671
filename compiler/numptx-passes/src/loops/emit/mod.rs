//! Code of kernels that loops become: store-to-load forwarding, hoisting, combining.

pub mod carried;
pub mod combined;
pub mod forward;
pub mod hoist;
