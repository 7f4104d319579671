//! Routines through the library's table: of every dtype, shape and layout, by what their results must satisfy.

mod factors;
mod layout;
mod solves;
mod spectra;
mod transforms;
