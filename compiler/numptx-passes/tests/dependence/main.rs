//! Dependence analysis: the class of each loop of nests from the literature, and random nests against what really happens when they run.

mod limits;
mod machine;
mod polybench;
mod program;
mod random;
mod remainders;
mod text;
mod wavefronts;
