//! Code of kernels that loops become: store-to-load forwarding, hoisting, combining.

pub mod combined;
pub mod hoist;
pub mod scalar_replacement;
pub mod store_to_load_forwarding;
