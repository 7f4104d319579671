//! Memory as device code sees it: addresses of global memory are the mock's own; shared and local memory, and tables of constants, lie where no allocation
//! does.

use crate::state::State;

/// Where shared memory begins.
pub(super) const SHARED: u64 = 1 << 60;
/// Where a thread's local memory begins.
pub(super) const LOCAL: u64 = 1 << 61;
/// Where the constants of an entry begin.
pub(super) const CONSTANTS: u64 = 1 << 62;

/// What a thread reaches.
pub(super) struct Memory<'a> {
    pub(super) state: &'a State,
    pub(super) parameters: &'a [u8],
    pub(super) constants: &'a [u8],
    /// The last allocation that was met: `first..end`.
    pub(super) last: (u64, u64),
}

impl Memory<'_> {
    /// Reads so many bytes at an address.
    pub(super) fn read(&mut self, address: u64, bytes: usize, shared: &[u8], local: &[u8]) -> Result<u64, String> {
        let mut word = [0; 8];
        if let Some(at) = own(address, LOCAL, bytes, local.len()) {
            word[..bytes].copy_from_slice(&local[at..at + bytes]);
        } else if let Some(at) = own(address, SHARED, bytes, shared.len()) {
            word[..bytes].copy_from_slice(&shared[at..at + bytes]);
        } else if let Some(at) = own(address, CONSTANTS, bytes, self.constants.len()) {
            word[..bytes].copy_from_slice(&self.constants[at..at + bytes]);
        } else {
            self.check(address, bytes)?;
            // SAFETY: the bytes lie in a live allocation, which is host memory.
            unsafe { std::ptr::copy_nonoverlapping(pointer(address), word.as_mut_ptr(), bytes) };
        }
        Ok(u64::from_le_bytes(word))
    }

    /// Writes so many bytes at an address.
    pub(super) fn write(
        &mut self,
        address: u64,
        bytes: usize,
        value: u64,
        shared: &mut [u8],
        local: &mut [u8],
    ) -> Result<(), String> {
        let word = value.to_le_bytes();
        if let Some(at) = own(address, LOCAL, bytes, local.len()) {
            local[at..at + bytes].copy_from_slice(&word[..bytes]);
        } else if let Some(at) = own(address, SHARED, bytes, shared.len()) {
            shared[at..at + bytes].copy_from_slice(&word[..bytes]);
        } else {
            self.check(address, bytes)?;
            // SAFETY: the bytes lie in a live allocation, which is host memory, and the driver's lock is held.
            unsafe { std::ptr::copy_nonoverlapping(word.as_ptr(), pointer(address).cast_mut(), bytes) };
        }
        Ok(())
    }

    fn check(&mut self, address: u64, bytes: usize) -> Result<(), String> {
        if !address.is_multiple_of(bytes as u64) {
            return Err(format!("an access of {bytes} bytes at {address:#x} is not aligned"));
        }
        let end = address.wrapping_add(bytes as u64);
        if !(self.last.0 <= address && end <= self.last.1) {
            let found = self.state.bounds_around(address).filter(|(_, last)| end <= *last);
            self.last = found.ok_or_else(|| format!("an access at {address:#x} is outside of live device memory"))?;
        }
        Ok(())
    }
}

fn pointer(address: u64) -> *const u8 {
    std::ptr::with_exposed_provenance(address as usize)
}

/// Where in a memory of so many bytes an access lies.
fn own(address: u64, base: u64, bytes: usize, length: usize) -> Option<usize> {
    let at = usize::try_from(address.checked_sub(base)?).ok()?;
    (at + bytes <= length).then_some(at)
}
