//! A CUDA driver for tests.
