//! NumPy 2 promotion (NEP 50).
