//! The function table: consistent in itself, equal to NumPy where NumPy can be asked beforehand, and proof against any argument.

mod behaviour;
mod calls;
mod listing;
mod promotion;
mod table;
mod values;
