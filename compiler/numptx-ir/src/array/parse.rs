//! See the module's documentation.
