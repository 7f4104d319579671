//! The runtime through its C table, on the CPU and on the mock driver: the same tests twice.

mod accounts;
mod aliasing;
mod c_calls;
mod calls;
mod captures;
mod debug;
mod environment;
mod failures;
mod fork;
mod kernels;
mod layouts;
mod levels;
mod linked;
mod loading;
mod maps;
mod memory;
mod own_kernels;
mod program;
mod reductions;
mod routines;
mod sorting;
mod stacks;
mod strided;
mod threads;
mod tiled;
mod transforms;
