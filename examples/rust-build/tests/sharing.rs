//! Arrays of the runtime in several threads: what is written is never half-written for those who read.

use std::thread;

use numptx_runtime::{Device, DeviceArray, SharedDeviceArray};
use rust_build_example::kernels;

const N: usize = 100_000;

/// The CPU, and the GPU if there is one.
fn devices() -> Vec<Device> {
    let mut devices = vec![Device::Cpu];
    devices.extend((Device::cuda_count() > 0).then_some(Device::Cuda(0)));
    devices
}

/// Moves all elements, which are equal, and lets others read them.
fn step(mut x: DeviceArray<f64>) -> SharedDeviceArray<f64> {
    kernels::relax_on_device(&mut x, 0.5).unwrap();
    x.share()
}

#[test]
fn who_writes_is_the_only_owner_and_readers_see_whole_arrays() {
    for device in devices() {
        let mut x = step(DeviceArray::from_slice(device, &[N], &[1e9; N]).unwrap());
        for _ in 0..20 {
            let readers: Vec<_> = (0..3)
                .map(|_| {
                    let x = x.clone();
                    thread::spawn(move || {
                        let elements = x.to_vec().unwrap();
                        elements.iter().all(|element| *element == elements[0])
                    })
                })
                .collect();
            // As long as anybody reads, the array is not to be had for writing.
            let mut shared = x;
            let unique = loop {
                match shared.try_unique() {
                    Ok(unique) => break unique,
                    Err(still) => shared = still,
                }
                thread::yield_now();
            };
            x = step(unique);
            assert!(readers.into_iter().all(|reader| reader.join().unwrap()), "{device:?}");
        }
    }
}

#[test]
fn a_shared_array_is_not_to_be_had_for_writing() {
    let x = DeviceArray::from_slice(Device::Cpu, &[2], &[1.0, 2.0]).unwrap().share();
    let y = x.clone();
    let x = x.try_unique().expect_err("`y` owns it, too");
    drop(y);
    let mut x = x.try_unique().expect("this is the only owner");
    kernels::relax_on_device(&mut x, 1.0).unwrap();
    assert_eq!(x.to_vec().unwrap(), [1.0, 1.0]);
}

#[test]
fn arrays_of_many_owners_are_read_by_functions_on_all_threads() {
    let x = DeviceArray::from_slice(Device::Cpu, &[N], &[1.0f32; N]).unwrap().share();
    let sums = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|k| {
                let x = &x;
                scope.spawn(move || kernels::saxpy_on_device(k as f32, x, x).unwrap().to_vec().unwrap()[N - 1])
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<f32>>()
    });
    assert_eq!(sums, [1.0, 2.0, 3.0, 4.0]);
}
