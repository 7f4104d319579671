//! How many work items a launch may have.
//!
//! In: the extents of a launch. Out: an error where their number is beyond what the launch code counts with; all products of extents after this one
//! are products of some of these extents: none of them wraps, but where another extent is 0 (`Axes` saturates).

use crate::error::{Error, Result};

/// The most work items. What is rounded up to chunks, pieces and blocks stays an `i64`.
const MOST: i64 = 1 << 62;

/// Refuses iteration spaces of more work items than can be counted, as NumPy does.
#[inline]
pub(super) fn check(extents: &[i64]) -> Result<()> {
    let points = extents.iter().fold(1i64, |n, extent| n.saturating_mul(*extent));
    if points <= MOST { Ok(()) } else { Err(too_large(extents)) }
}

#[cold]
fn too_large(extents: &[i64]) -> Error {
    let extents = extents.iter().map(|e| e.to_string()).collect::<Vec<_>>().join(" x ");
    Error::value(format!("iterator is too large: {extents} iterations"))
}

#[cfg(test)]
mod tests {
    use super::{MOST, check};

    #[test]
    fn products_that_wrap_are_refused() {
        let fine: [&[i64]; 6] = [&[], &[0], &[MOST], &[1 << 31, 1 << 31], &[i64::MAX, i64::MAX, 0], &[1, 7, 1]];
        assert!(fine.iter().all(|extents| check(extents).is_ok()));
        let refused: [&[i64]; 6] = [
            &[MOST + 1],
            &[1 << 32, 1 << 32],
            &[1 << 31, (1 << 33) + 1],
            &[i64::MAX, i64::MAX],
            &[i64::MAX, 1, 2],
            &[3, 1 << 61],
        ];
        assert!(refused.iter().all(|extents| check(extents).is_err()));
    }
}
