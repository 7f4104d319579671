//! Launches of cooperative programs as one cluster: blocks that run at once on neighbouring processors, whose barrier takes a fraction of a grid's.
//!
//! In: a kernel with a variant `cluster64`, and its extent; or with `clustered32`, and how many rows a cluster each takes. Out: one launch. How many blocks the
//! device gives to a cluster is asked once a kernel.

use std::ffi::{c_int, c_void};

use cudarc::driver::sys;
use numptx_abi::Kernel;

use super::Launch;
use super::device::{Parameters, ceil_div, power_of_two_from};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::inline::Inline;
use crate::plan::{self, Variant};

/// Blocks that every device with clusters gives to one.
const PORTABLE: u32 = 8;
/// Blocks of a cluster at most.
const MOST: u32 = 16;
/// Elements of a row that a thread holds while there are blocks for the others.
const FEW_HELD: i64 = 16;

/// A launch of clusters of so many blocks.
fn configured(
    (clusters, blocks): (u32, u32),
    threads: u32,
    stream: sys::CUstream,
    attribute: &mut sys::CUlaunchAttribute,
) -> sys::CUlaunchConfig {
    attribute.value.clusterDim = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: blocks, y: 1, z: 1 };
    sys::CUlaunchConfig {
        gridDimX: clusters * blocks,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: stream,
        attrs: attribute,
        numAttrs: 1,
    }
}

fn cluster_dimension() -> sys::CUlaunchAttribute {
    sys::CUlaunchAttribute {
        id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        pad: [0; 4],
        value: sys::CUlaunchAttributeValue { pad: [0; 64] },
    }
}

/// The most blocks that the device has room for in a cluster of a function: 16, 8 or 0.
fn most_blocks(device: &Device, function: sys::CUfunction, threads: u32) -> u32 {
    let larger = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED as c_int;
    // SAFETY: the function belongs to a loaded module.
    let may_be_larger = unsafe { device.driver.function_set_attribute(function, larger, 1) }.is_ok();
    let fits = |blocks: &u32| {
        let (mut attribute, mut clusters): (_, c_int) = (cluster_dimension(), 0);
        let config = configured((1, *blocks), threads, std::ptr::null_mut(), &mut attribute);
        // SAFETY: writes to a local; the configuration and its attribute live until the call returns.
        unsafe { device.driver.most_clusters(&mut clusters, function, &config) }.is_ok() && clusters > 0
    };
    [MOST, PORTABLE].into_iter().filter(|blocks| may_be_larger || *blocks <= PORTABLE).find(fits).unwrap_or(0)
}

/// Blocks for an extent: a power of two.
fn blocks_of(extent: i64, threads: i64, most: u32) -> u32 {
    let wanted = ceil_div(extent, threads).clamp(2, i64::from(most));
    (wanted as u32).next_power_of_two().min(most)
}

/// Whether the one cluster, of blocks for so many threads, was launched: not where the module or the device has none.
pub(super) fn launch(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    axes: &Axes,
    wanted: i64,
) -> Result<bool> {
    let threads = u32::from(Kernel::CLUSTER_THREADS.min(launch.kernel.block));
    let ask = |function| most_blocks(device, function, threads);
    let found = plan::cluster(device, launch.kernel, Variant::Cluster64, ask)?;
    let Some((function, most)) = found else { return Ok(false) };
    let blocks = blocks_of(wanted, i64::from(threads), most);
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    submit(call, device, function, (1, blocks, threads), &mut parameters)?;
    Ok(true)
}

/// Whether clusters that take a row each were launched, of blocks that hold `most_held` elements at most: not where the module or the device has none that are
/// large enough.
pub(super) fn launch_rows(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    (rows, width): (i64, i64),
    parameters: &mut Parameters,
) -> Result<bool> {
    let threads = u32::from(Kernel::CLUSTER_THREADS);
    let ask = |function| most_blocks(device, function, threads);
    let found = plan::cluster(device, launch.kernel, Variant::Clustered32, ask)?;
    let held = i64::from(threads) * i64::from(launch.kernel.vector);
    let Some((function, most)) = found.filter(|(_, most)| width <= i64::from(*most) * held) else { return Ok(false) };
    let least = power_of_two_from(ceil_div(width, held), i64::from(most));
    let wide = power_of_two_from(ceil_div(width, i64::from(threads) * FEW_HELD), i64::from(most));
    let blocks = least.max(wide) as u32;
    if rows.saturating_mul(i64::from(blocks)) > device.most_blocks[0].min(i64::from(i32::MAX)) {
        return Ok(false);
    }
    submit(call, device, function, (rows as u32, blocks, threads), parameters)?;
    Ok(true)
}

fn submit(
    call: &CallState,
    device: &'static Device,
    function: sys::CUfunction,
    (clusters, blocks, threads): (u32, u32, u32),
    parameters: &mut Parameters,
) -> Result<()> {
    call.replay.give_up();
    let mut pointers: Inline<*mut c_void, 128> = Inline::new();
    for value in parameters.values.iter_mut() {
        pointers.push((value as *mut u64).cast());
    }
    let mut attribute = cluster_dimension();
    let config = configured((clusters, blocks), threads, call.stream.handle(), &mut attribute);
    let pointers = pointers.as_mut_ptr();
    // SAFETY: the parameters are the variant's, in its order; they and the configuration live until the driver has copied them.
    unsafe { device.driver.launch_configured(&config, function, pointers, std::ptr::null_mut()) }?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::blocks_of;

    #[test]
    fn clusters_have_powers_of_two() {
        for (extent, most, blocks) in
            [(0, 16, 2), (3000, 16, 4), (4096, 16, 4), (4097, 16, 8), (1 << 40, 16, 16), (9000, 8, 8)]
        {
            assert_eq!(blocks_of(extent, 1024, most), blocks, "{extent}");
        }
    }
}
