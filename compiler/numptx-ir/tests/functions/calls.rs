//! Calls of the table: what is emitted verifies, what is refused is refused with words, and nothing panics.
