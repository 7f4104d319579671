//! Tensors that say anything, with memory behind them where there can be such an array and it is small.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arbitrary::{Arbitrary, Result, Unstructured};
use numptx_abi::{MAX_RANK, dtype};
use pyo3::prelude::*;

use crate::exporter::ExportFacts;
use crate::python::check::{Elements, Facts};
use crate::python::package;
use numptx_fuzz_targets::memory::{Memory, Reach, is_impossible, reach};
use numptx_fuzz_targets::odd::{Number, Odd, few};

/// DLPack's kinds of devices that are usable here.
const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;
/// The mock driver's devices.
const DEVICES: i32 = 2;

/// DLPack's codes and bits, by dtype code.
const DTYPES: [(u8, u8); 14] = [
    (6, 8),
    (0, 8),
    (0, 16),
    (0, 32),
    (0, 64),
    (1, 8),
    (1, 16),
    (1, 32),
    (1, 64),
    (2, 32),
    (2, 64),
    (5, 64),
    (5, 128),
    (2, 16),
];

#[derive(Debug)]
pub struct TensorFacts {
    choice: u8,
    dtype: Odd<(u8, u8, u16)>,
    ndim: Odd<i32>,
    shape: Vec<Number>,
    layout: u8,
    strides: Vec<Number>,
    shift: Odd<u8>,
    byte_offset: Odd<u64>,
    place: u8,
    device: Odd<(i32, i32)>,
    is_null: Odd<bool>,
    flags: u8,
}

impl<'a> Arbitrary<'a> for TensorFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(TensorFacts {
            choice: u.arbitrary()?,
            dtype: u.arbitrary()?,
            ndim: u.arbitrary()?,
            shape: few(u, 5)?,
            layout: u.arbitrary()?,
            strides: few(u, 5)?,
            shift: u.arbitrary()?,
            byte_offset: u.arbitrary()?,
            place: u.arbitrary()?,
            device: u.arbitrary()?,
            is_null: u.arbitrary()?,
            flags: u.arbitrary()?,
        })
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DlTensor {
    pub data: *mut c_void,
    pub device: (i32, i32),
    pub ndim: i32,
    pub dtype: (u8, u8, u16),
    pub shape: *const i64,
    pub strides: *const i64,
    pub byte_offset: u64,
}

/// A tensor that can be exported, and what it points to.
pub struct Given {
    pub tensor: DlTensor,
    pub flags: u8,
    _shape: Box<[i64]>,
    _strides: Option<Box<[i64]>>,
    facts: Facts,
    _memory: Backing,
    counts: Counts,
}

enum Backing {
    None,
    Host(#[expect(dead_code, reason = "it is kept")] Memory),
    Device(#[expect(dead_code, reason = "it is kept")] Py<PyAny>),
}

// SAFETY: what the pointers lead to lies in this, and is read by whoever has the interpreter.
unsafe impl Send for Given {}
// SAFETY: as above.
unsafe impl Sync for Given {}

/// How many tensors were given away, and given back.
#[derive(Clone, Default)]
pub struct Counts(Arc<(AtomicUsize, AtomicUsize)>);

impl Counts {
    pub fn exported(&self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn deleted(&self) {
        self.0.1.fetch_add(1, Ordering::Relaxed);
    }

    pub fn check(&self) {
        let [exported, deleted] = [&self.0.0, &self.0.1].map(|count| count.load(Ordering::Relaxed));
        assert_eq!(exported, deleted, "{exported} tensors were exported, {deleted} given back");
    }
}

/// A stride in bytes. CuPy divides by unsigned sizes, which is understood.
fn stride_bytes(stride: i64, itemsize: usize) -> i128 {
    let wrapped = stride.wrapping_mul(itemsize as i64);
    let is_divided_unsigned = wrapped < 0 && wrapped.cast_unsigned() / itemsize as u64 == stride.cast_unsigned();
    if is_divided_unsigned { i128::from(wrapped) } else { i128::from(stride) * itemsize as i128 }
}

fn c_order(shape: &[i64], step: i128) -> Vec<i128> {
    let mut strides = vec![0; shape.len()];
    let mut step = step;
    for axis in (0..shape.len()).rev() {
        strides[axis] = step;
        step = step.saturating_mul(i128::from(shape[axis].max(1)));
    }
    strides
}

impl Given {
    /// `None`: memory of the device is not to be had.
    pub fn new(facts: &TensorFacts, export: &ExportFacts, py: Python<'_>) -> Option<Arc<Given>> {
        let code = facts.choice % 14;
        let (kind, bits) = DTYPES[usize::from(code)];
        let dtype = facts.dtype.or((kind, bits, 1));
        let code = DTYPES.iter().position(|known| (known.0, known.1, 1) == dtype).map(|code| code as u8);
        let itemsize = code.map_or(1, |code| usize::from(dtype::ITEMSIZE[usize::from(code)]));

        let ndim = facts.ndim.or(facts.shape.len() as i32);
        let n_axes = if (0..=MAX_RANK as i32).contains(&ndim) { ndim as usize } else { facts.shape.len() };
        let shape: Box<[i64]> =
            (0..n_axes).map(|axis| facts.shape.get(axis).map_or(1, |extent| extent.value())).collect();
        let strides = facts.strides(&shape);
        let wide = strides.as_ref().map_or_else(
            || c_order(&shape, itemsize as i128),
            |strides| strides.iter().map(|stride| stride_bytes(*stride, itemsize)).collect(),
        );

        let device = facts.device();
        let ordinal = match device {
            (CPU | CUDA_HOST, _) => Some(-1),
            (CUDA | CUDA_MANAGED, ordinal) if (0..DEVICES).contains(&ordinal) => Some(ordinal),
            _ => None,
        };
        let shift = usize::from(facts.shift.or(0) % 16);
        let is_odd_rank = ndim as usize != n_axes || ndim < 0;
        let mut elements = match reach(&shape, &wide, itemsize) {
            _ if is_odd_rank => Elements::Impossible,
            Some(Reach { elements: 0, .. }) => Elements::None,
            Some(_) => Elements::There,
            None if is_impossible(&shape, &wide, itemsize) => Elements::Impossible,
            None => Elements::Elsewhere,
        };
        let is_null = facts.is_null.or(false);
        if is_null && matches!(elements, Elements::There | Elements::Elsewhere) {
            elements = Elements::Impossible;
        }
        let (memory, address) = match (elements, reach(&shape, &wide, itemsize)) {
            (Elements::There, Some(reach)) => backing(py, ordinal, reach, shift)?,
            _ if is_null => (Backing::None, 0),
            _ => (Backing::None, (1 << 44) + shift),
        };
        let byte_offset = facts.byte_offset.or(0);
        let data = std::ptr::with_exposed_provenance_mut(address.wrapping_sub(byte_offset as usize));
        let is_right = matches!(elements, Elements::None | Elements::There)
            && !is_impossible(&shape, &wide, itemsize)
            && code.is_some()
            && ordinal.is_some()
            && shift == 0
            && facts.ndim.is_right()
            && export.is_right(device);
        let flags = facts.flags;
        let facts = Facts {
            code,
            shape: shape.to_vec(),
            strides: wide,
            address,
            device: ordinal,
            is_read_only: export.is_read_only(flags & 1 != 0),
            elements,
            is_right,
            raises: export.raises(),
        };
        let tensor = DlTensor {
            data,
            device,
            ndim,
            dtype,
            shape: if shape.is_empty() { std::ptr::null() } else { shape.as_ptr() },
            strides: strides.as_ref().map_or(std::ptr::null(), |strides| strides.as_ptr()),
            byte_offset,
        };
        let counts = Counts::default();
        Some(Arc::new(Given { tensor, flags, _shape: shape, _strides: strides, facts, _memory: memory, counts }))
    }

    pub fn facts(&self) -> Facts {
        Facts { shape: self.facts.shape.clone(), strides: self.facts.strides.clone(), ..self.facts }
    }

    pub fn counts(&self) -> Counts {
        self.counts.clone()
    }
}

impl TensorFacts {
    /// Elements; `None`: those of C order.
    fn strides(&self, shape: &[i64]) -> Option<Box<[i64]>> {
        let dense = c_order(shape, 1);
        let dense = dense.iter().map(|stride| i64::try_from(*stride).unwrap_or(i64::MAX));
        let own = |axis: usize| self.strides.get(axis).map_or(1, |stride| stride.value());
        Some(match self.layout % 8 {
            0 | 1 => return None,
            2 => dense.collect(),
            3 => dense.map(i64::wrapping_neg).collect(),
            4 => dense.map(|stride| stride.wrapping_mul(3)).collect(),
            5 => shape.iter().map(|_| 0).collect(),
            _ => (0..shape.len()).map(own).collect(),
        })
    }

    fn device(&self) -> (i32, i32) {
        const PLACES: [(i32, i32); 8] =
            [(CPU, 0), (CPU, 0), (CPU, 0), (CPU, 3), (CUDA, 0), (CUDA, 1), (CUDA_HOST, 0), (CUDA_MANAGED, 1)];
        self.device.or(PLACES[usize::from(self.place) % PLACES.len()])
    }
}

/// Memory on a device, whose elements are within `reach`, `shift` bytes beyond where they are aligned.
fn backing(py: Python<'_>, ordinal: Option<i32>, reach: Reach, shift: usize) -> Option<(Backing, usize)> {
    let Some(ordinal) = ordinal.filter(|ordinal| *ordinal >= 0) else {
        let memory = Memory::new(reach, shift);
        let element = memory.element().expose_provenance();
        return Some((Backing::Host(memory), element));
    };
    let before = reach.low.next_multiple_of(64) - reach.low + shift;
    let made = package().numptx.call_method1(py, "empty", (before + reach.bytes, "uint8", format!("cuda:{ordinal}")));
    None.or_else(|| {
        let made = made.ok()?;
        let (address, _): (usize, bool) =
            made.getattr(py, "__cuda_array_interface__").ok()?.bind(py).get_item("data").ok()?.extract().ok()?;
        for k in 0..before + reach.bytes {
            // SAFETY: the mock driver's memory is the host's, and so large.
            unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address + k).write((k * 37 + 11) as u8) };
        }
        Some((Backing::Device(made), address + before + reach.low))
    })
}
