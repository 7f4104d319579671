//! The launches of an iteration: functions, grids, and parameters as they were packed.
//!
//! In: launches. Out: comparisons with those of another iteration, and the launches themselves, one by one.

use std::ffi::c_void;

use cudarc::driver::sys;

use crate::device::Device;
use crate::driver::Failure;
use crate::stream::Stream;

/// A function with its grid: blocks, and threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) function: sys::CUfunction,
    pub(crate) blocks: (u32, u32),
    pub(crate) threads: (u32, u32),
}

/// One launch.
pub(super) struct Node {
    function: Function,
    parameters: Vec<u64>,
    /// Whether it has changed since it was looked at.
    pub(super) is_new: bool,
}

/// Launches in order.
#[derive(Default)]
pub(super) struct Sequence {
    pub(super) nodes: Vec<Node>,
    /// Where a node's parameters lie, while somebody reads them.
    pointers: Vec<*mut c_void>,
}

impl Sequence {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// One launch more.
    ///
    /// # Safety
    /// There are `n` parameters, of 8 bytes each.
    pub(super) unsafe fn push(&mut self, function: Function, parameters: *const *mut c_void, n: usize) {
        // SAFETY: as the caller promises.
        let parameters = (0..n).map(|k| unsafe { read(parameters, k) }).collect();
        self.nodes.push(Node { function, parameters, is_new: false });
    }

    /// Makes a launch this one; not if there are not so many.
    ///
    /// # Safety
    /// As [`Sequence::push`].
    pub(super) unsafe fn set(
        &mut self,
        at: usize,
        function: Function,
        parameters: *const *mut c_void,
        n: usize,
    ) -> bool {
        let Some(node) = self.nodes.get_mut(at) else { return false };
        if node.function != function || node.parameters.len() != n {
            node.is_new = true;
            node.function = function;
            node.parameters.resize(n, 0);
        }
        for (k, value) in node.parameters.iter_mut().enumerate() {
            // SAFETY: as the caller promises.
            let fresh = unsafe { read(parameters, k) };
            node.is_new |= *value != fresh;
            *value = fresh;
        }
        true
    }

    /// A launch's function, and pointers to its parameters until the next question.
    pub(super) fn at(&mut self, at: usize) -> (Function, *mut *mut c_void) {
        let Node { function, parameters, .. } = &mut self.nodes[at];
        self.pointers.clear();
        self.pointers.extend(parameters.iter_mut().map(|value| (value as *mut u64).cast::<c_void>()));
        (*function, self.pointers.as_mut_ptr())
    }

    /// Launches the first `n`. All are tried; what fails first is told.
    pub(super) fn launch(&mut self, device: &Device, stream: &Stream, n: usize) -> Result<(), Failure> {
        let mut outcome = Ok(());
        for at in 0..n {
            let (Function { function, blocks, threads }, parameters) = self.at(at);
            let (extra, stream) = (std::ptr::null_mut(), stream.handle());
            // SAFETY: the parameters are the function's; what they lead to is alive until the iteration ends.
            let launched = unsafe {
                device
                    .driver
                    .launch(function, blocks.0, blocks.1, 1, threads.0, threads.1, 1, 0, stream, parameters, extra)
            };
            outcome = outcome.and(launched);
        }
        outcome
    }
}

/// A parameter.
///
/// # Safety
/// There are more than `k`, of 8 bytes each.
unsafe fn read(parameters: *const *mut c_void, k: usize) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { (*parameters.add(k)).cast::<u64>().read() }
}

#[cfg(test)]
mod tests {
    use super::{Function, Sequence};

    fn function(number: usize, blocks: u32) -> Function {
        Function { function: std::ptr::without_provenance_mut(number), blocks: (blocks, 1), threads: (32, 1) }
    }

    fn set(sequence: &mut Sequence, at: usize, function: Function, values: &mut [u64]) -> bool {
        let pointers: Vec<_> = values.iter_mut().map(|v| (v as *mut u64).cast()).collect();
        // SAFETY: as many values as there are pointers.
        unsafe { sequence.set(at, function, pointers.as_ptr(), pointers.len()) }
    }

    #[test]
    fn what_changes_is_new() {
        let mut one = Sequence::default();
        for (number, value) in [(8, 1u64), (16, 3)] {
            let mut value = value;
            // SAFETY: one parameter.
            unsafe { one.push(function(number, 1), &(&raw mut value).cast(), 1) };
        }
        assert!(set(&mut one, 0, function(8, 1), &mut [1]) && !one.nodes[0].is_new);
        assert!(set(&mut one, 1, function(16, 1), &mut [4]) && one.nodes[1].is_new, "a parameter");
        assert!(set(&mut one, 0, function(8, 2), &mut [1]) && one.nodes[0].is_new, "a grid");
        assert!(set(&mut one, 0, function(8, 2), &mut [1]) && one.nodes[0].is_new, "until somebody has looked");
        one.nodes[0].is_new = false;
        assert!(set(&mut one, 0, function(24, 2), &mut [1]) && one.nodes[0].is_new, "a function");
        one.nodes[0].is_new = false;
        assert!(set(&mut one, 0, function(24, 2), &mut [1, 0]) && one.nodes[0].is_new, "a parameter more");
        assert!(!set(&mut one, 2, function(8, 1), &mut [1]));
        // SAFETY: the pointers are those of the two parameters.
        assert_eq!(unsafe { super::read(one.at(0).1, 1) }, 0);
    }
}
