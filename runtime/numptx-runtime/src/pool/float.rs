//! The floating-point state of a thread: how it rounds, what it does with denormals, and which exceptions it has seen.
//!
//! In: the state of a launch's caller. Out: a worker that computes with it, what was raised there, and the worker's own state afterwards.
//! On x86-64 that is MXCSR. No code here or in compiled modules computes with the x87 unit, whose control word stays what it is.

/// What decides results: rounding, denormals, masks of exceptions. A processor without a case below has one state for all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control(u64);

impl Control {
    /// The calling thread's.
    pub(super) fn of_thread() -> Control {
        Control(register::control())
    }

    /// The state of these bits of the processor's register.
    #[cfg(test)]
    pub(super) fn odd(bits: u64) -> Control {
        Control(bits)
    }

    /// Runs `work` with this state, then gives the thread its own back. Returns the exceptions that were raised.
    ///
    /// Between the two changes there is no floating-point arithmetic of Rust's, which takes the default state for granted: `work` counts with integers
    /// and calls compiled kernels, which take the state as it is.
    pub(super) fn during(self, work: impl FnOnce()) -> u64 {
        let own = register::control();
        let seen = register::raised();
        register::set(self.0, 0);
        let back = StateGuard(own, seen);
        work();
        let raised = register::raised();
        drop(back);
        raised
    }
}

/// Gives a thread its state back, also when a panic unwinds.
struct StateGuard(u64, u64);

impl Drop for StateGuard {
    fn drop(&mut self) {
        register::set(self.0, self.1);
    }
}

/// Adds exceptions to those that the calling thread has seen.
pub(super) fn raise(exceptions: u64) {
    let seen = register::raised();
    if exceptions & !seen != 0 {
        register::set(register::control(), seen | exceptions);
    }
}

#[cfg(target_arch = "x86_64")]
mod register {
    use std::arch::asm;

    /// The lowest bits of MXCSR are exceptions, the others control.
    const EXCEPTIONS: u32 = 0x3f;

    fn read() -> u32 {
        let mut csr = 0u32;
        // SAFETY: stores MXCSR into four bytes of ours.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut csr, options(nostack, preserves_flags)) };
        csr
    }

    pub(super) fn control() -> u64 {
        u64::from(read() & !EXCEPTIONS)
    }

    pub(super) fn raised() -> u64 {
        u64::from(read() & EXCEPTIONS)
    }

    pub(super) fn set(control: u64, raised: u64) {
        let csr = (control | raised) as u32;
        // SAFETY: the bits were read from the register, so that no reserved one is set; `Control::during` says who computes with them.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const csr, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    use std::arch::asm;

    pub(super) fn control() -> u64 {
        let control: u64;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) control, options(nostack, preserves_flags)) };
        control
    }

    pub(super) fn raised() -> u64 {
        let raised: u64;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpsr", out(reg) raised, options(nostack, preserves_flags)) };
        raised
    }

    pub(super) fn set(control: u64, raised: u64) {
        // SAFETY: the bits were read from the registers; `Control::during` says who computes with them.
        unsafe { asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) raised, options(nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    pub(super) fn control() -> u64 {
        0
    }

    pub(super) fn raised() -> u64 {
        0
    }

    pub(super) fn set(_control: u64, _raised: u64) {}
}
