//! What one launch on a device can do at most: elements that 32-bit variants find, blocks of a grid.
//!
//! In: a kernel, the extents and strides of a launch, a device's limits. Out: which variants are right, and the grid that the device is given. What is
//! beyond a limit goes to another variant, to more launches, or along another dimension of the grid; nothing is left out.

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, ceil_div};
use crate::axes::Axes;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::plan::Variant;

/// Blocks along x and z together, whose numbers kernels compute with 32 bits.
const MOST_BLOCKS: i64 = u32::MAX as i64;

/// Whether 32-bit indices reach every element.
pub(super) fn fits_32(launch: &Launch<'_>, parts: &[&Axes]) -> bool {
    let limit = launch.kernel.index_limit();
    let points = parts.iter().map(|a| a.count()).fold(1i64, i64::saturating_mul);
    points < limit
        && launch.infos.iter().enumerate().all(|(operand, info)| {
            let reach = parts.iter().map(|a| a.reach(operand)).fold(0, i64::saturating_add);
            reach / i64::from(info.itemsize.max(1)) < limit
        })
}

/// Elements of one flat launch at most: whole warps' elements, so that what follows stays aligned.
#[inline]
pub(super) fn most_flat(device: &Device, kernel: &Kernel) -> i64 {
    kernel.flat_limit().min(device.most_blocks[0] * i64::from(kernel.block))
}

impl Grid {
    /// Blocks along x, y and z of what a device is given. Where it has no more blocks along x, kernels go on along z, or by themselves. Along y they do
    /// by themselves, but for chunks, of which there are few.
    pub(super) fn placed(self, variant: Variant, most: [i64; 3]) -> Result<(u32, u32, u32)> {
        let (x, y) = (self.blocks.0.max(1), self.blocks.1.clamp(1, most[1]));
        if x <= most[0] {
            return Ok((x as u32, y as u32, 1));
        }
        let z = if matches!(variant, Variant::Strided64 | Variant::Ragged64) { ceil_div(x, most[0]) } else { 1 };
        let has_room = z <= most[2] && most[0] * z <= MOST_BLOCKS;
        if has_room { Ok((most[0] as u32, y as u32, z as u32)) } else { Err(too_many(x)) }
    }
}

#[cold]
fn too_many(blocks: i64) -> Error {
    Error::value(format!("the last axis of a kernel takes {blocks} blocks, which are more than a grid of this GPU has"))
}

#[cfg(test)]
mod tests {
    use numptx_abi::OperandInfo;

    use super::*;
    use crate::inline::Inline;
    use crate::launch::any_kernel::any_kernel;

    const I32: i64 = i32::MAX as i64;

    fn kernel(flags: u16) -> Kernel {
        Kernel { flags, ..any_kernel() }
    }

    /// Whether one operand of these bytes an element and strides in elements is for 32-bit variants.
    fn fits(flags: u16, extents: &[i64], itemsize: u8, strides: &[i64]) -> bool {
        let kernel = kernel(flags);
        let infos = [OperandInfo { dtype: 0, itemsize, access: OperandInfo::READ, scalar: 0 }];
        let launch = Launch {
            kernel: &kernel,
            infos: &infos,
            scalars: std::ptr::null(),
            operands: &[],
            pointers: Inline::new(),
        };
        let bytes: Vec<i64> = strides.iter().map(|stride| stride * i64::from(itemsize)).collect();
        fits_32(&launch, &[&Axes::as_given(extents, &[&bytes], 0, extents.len())])
    }

    /// Indices of 32-bit variants go up to the numbers of the threads of a last block: 65536 of them are more than any block has.
    #[test]
    fn indices_below_2_to_31_have_32_bits_and_no_others() {
        const LAST: i64 = I32 - 65536 - 1;
        for itemsize in [1, 2, 4, 8, 16] {
            assert!(fits(0, &[LAST], itemsize, &[0]), "points alone");
            assert!(!fits(0, &[LAST + 1], itemsize, &[0]));
            for (extents, strides) in
                [(&[2, 3][..], &[LAST - 2, 1][..]), (&[2, 3], &[-(LAST - 2), 1]), (&[2, 3], &[LAST - 2, -1])]
            {
                assert!(fits(0, extents, itemsize, strides), "{strides:?}: elements, whatever their bytes");
                let more: Vec<i64> = vec![strides[0] + strides[0].signum(), strides[1]];
                assert!(!fits(0, extents, itemsize, &more), "{more:?}");
            }
        }
        assert!(!fits(0, &[1 << 16, 1 << 15], 1, &[0, 0]) && !fits(0, &[1 << 16, 1 << 16], 1, &[0, 0]));
        assert!(!fits(0, &[1 << 31, 1 << 31], 1, &[0, 0]) && !fits(0, &[1 << 40, 1 << 40], 1, &[i64::MAX, 1]));
        assert!(LAST + 1 + 65536 <= I32 && kernel(0).flat_limit() + 16 * 1024 <= I32);
    }

    #[test]
    fn narrow_indices_have_8_bits() {
        assert!(fits(Kernel::NARROW, &[94], 8, &[1]) && !fits(Kernel::NARROW, &[95], 8, &[1]));
        assert!(fits(Kernel::NARROW, &[2], 8, &[94]) && !fits(Kernel::NARROW, &[2], 8, &[-95]));
        let narrow = kernel(Kernel::NARROW);
        assert!(
            narrow.index_limit() - 1 + 32 <= i64::from(i8::MAX) && narrow.flat_limit() + 32 * 4 <= i64::from(u8::MAX)
        );
    }

    /// Every block has its place in what the device is given, and variants that find only those along x get no others.
    #[test]
    fn grids_hold_every_block() {
        let most = [I32, 65535, 65535];
        let placed = |x: i64, y: i64, variant| Grid { blocks: (x, y), threads: (32, 1) }.placed(variant, most).ok();
        for x in [1, 7, I32 - 1, I32, I32 + 1, 2 * I32] {
            let (a, b, c) = placed(x, 1, Variant::Strided64).expect("there is room");
            let blocks = i64::from(a) * i64::from(c);
            assert!(b == 1 && blocks >= x && blocks - x < i64::from(a), "{x}: {a} {c}");
            assert_eq!(placed(x, 1, Variant::Fold64), Some((x.min(I32) as u32, 1, 1)), "they go on by themselves");
        }
        assert_eq!(placed(0, 0, Variant::Strided64), Some((1, 1, 1)));
        assert_eq!(placed(1, 1 << 40, Variant::Strided64), Some((1, 65535, 1)));
        assert_eq!(placed(2 * I32 + 1, 1, Variant::Strided64), None);
        assert_eq!(placed(1 << 61, 1, Variant::Strided64), None);
    }
}
