//! A launch's raw parameters, read in the documented order.

use std::ffi::c_void;

use numptx_abi::{Frame, Kernel, OperandInfo, dtype};

use crate::state::current_context;

/// Takes parameters one after the other, in the documented order.
pub(super) struct Parameters {
    next: *const *mut c_void,
}

impl Parameters {
    /// # Safety
    /// The launch has another parameter, of type `T`.
    pub(super) unsafe fn take<T: Copy>(&mut self) -> T {
        // SAFETY: as the caller promises; parameters need not be aligned for their type.
        unsafe {
            let value = (*self.next).cast::<T>().read_unaligned();
            self.next = self.next.add(1);
            value
        }
    }

    /// # Safety
    /// The launch has another parameter, an index of this width.
    pub(super) unsafe fn take_index(&mut self, wide: bool) -> i64 {
        // SAFETY: as the caller promises.
        unsafe { if wide { self.take::<i64>() } else { i64::from(self.take::<i32>()) } }
    }

    /// # Safety
    /// The launch has a scalar of this dtype, complex ones as two.
    pub(super) unsafe fn take_scalar(&mut self, code: u8) -> [u64; 2] {
        // SAFETY: as the caller promises.
        unsafe {
            match code {
                dtype::BOOL | dtype::UINT8 => [u64::from(self.take::<u8>()), 0],
                dtype::INT8 => [i64::from(self.take::<i8>()).cast_unsigned(), 0],
                dtype::INT16 => [i64::from(self.take::<i16>()).cast_unsigned(), 0],
                dtype::INT32 => [i64::from(self.take::<i32>()).cast_unsigned(), 0],
                dtype::UINT16 | dtype::FLOAT16 => [u64::from(self.take::<u16>()), 0],
                dtype::UINT32 | dtype::FLOAT32 => [u64::from(self.take::<u32>()), 0],
                dtype::COMPLEX64 => [u64::from(self.take::<u32>()), u64::from(self.take::<u32>())],
                dtype::COMPLEX128 => [self.take(), self.take()],
                _ => [self.take(), 0],
            }
        }
    }
}

/// The kernel's arguments, rebuilt.
pub(super) struct LaunchFrame<'a> {
    pub(super) kernel: &'a Kernel,
    /// Where it runs.
    pub(super) context: usize,
    pub(super) infos: &'a [OperandInfo],
    pub(super) pointers: Vec<*mut u8>,
    pub(super) scalars: Vec<[u64; 2]>,
    pub(super) extents: Vec<i64>,
    pub(super) strides: Vec<i64>,
    pub(super) parameters: Parameters,
}

impl LaunchFrame<'_> {
    pub(super) fn frame(&self) -> Frame {
        Frame {
            pointers: self.pointers.as_ptr(),
            scalars: self.scalars.as_ptr(),
            extents: self.extents.as_ptr(),
            strides: self.strides.as_ptr(),
            watch: std::ptr::null(),
        }
    }

    /// # Safety
    /// The launch passes extents and strides of this width next.
    pub(super) unsafe fn take_space(&mut self, wide: bool) {
        let rank = usize::from(self.kernel.rank);
        // SAFETY: as the caller promises.
        self.extents = (0..rank).map(|_| unsafe { self.parameters.take_index(wide) }).collect();
        for info in self.infos {
            for _ in 0..rank {
                // SAFETY: as the caller promises; `scalar` operands pass no strides.
                let steps = if info.scalar != 0 { 0 } else { unsafe { self.parameters.take_index(wide) } };
                self.strides.push(steps * i64::from(info.itemsize));
            }
        }
    }

    /// Makes a flat launch a space: the last axis holds everything.
    pub(super) fn flatten(&mut self, n: i64) {
        let rank = usize::from(self.kernel.rank).max(1);
        self.extents = vec![1; rank];
        self.extents[rank - 1] = n;
        for info in self.infos {
            let mut steps = vec![0; rank];
            steps[rank - 1] = if info.scalar != 0 { 0 } else { i64::from(info.itemsize) };
            self.strides.extend(steps);
        }
    }

    pub(super) fn kept(&self) -> i64 {
        let kept = usize::from(self.kernel.rank - self.kernel.n_reduced);
        self.extents[..kept].iter().product()
    }

    pub(super) fn reduced(&self) -> i64 {
        let kept = usize::from(self.kernel.rank - self.kernel.n_reduced);
        self.extents[kept..].iter().product()
    }
}

/// Reads the parameters that every variant has: pointers, then scalars.
///
/// # Safety
/// `parameters` are those of a launch of the kernel.
pub(super) unsafe fn rebuild(kernel: &'static Kernel, parameters: *const *mut c_void) -> LaunchFrame<'static> {
    let mut parameters = Parameters { next: parameters };
    // SAFETY: descriptors hold as many entries as they say; the parameters are in the documented order.
    unsafe {
        let infos = if kernel.n_operands == 0 {
            &[][..]
        } else {
            std::slice::from_raw_parts(kernel.operands, kernel.n_operands as usize)
        };
        let pointers = infos
            .iter()
            .map(|_| std::ptr::with_exposed_provenance_mut::<u8>(parameters.take::<u64>() as usize))
            .collect();
        let scalars = (0..kernel.n_scalars as usize).map(|i| parameters.take_scalar(*kernel.scalars.add(i))).collect();
        let (context, extents, strides) = (current_context(), Vec::new(), Vec::new());
        LaunchFrame { kernel, context, infos, pointers, scalars, extents, strides, parameters }
    }
}
