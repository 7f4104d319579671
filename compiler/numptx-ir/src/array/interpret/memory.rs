//! Buffers and views at run time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use numptx_abi::half;

use super::objects::Held;
use super::{Failure, Outcome, invalid};
use crate::DType;
use crate::array::Layout;
use crate::scalar::{Constant, zero};

/// The largest buffer, in bytes.
const LIMIT: usize = 1 << 28;

/// Memory, or an object, with the reference count that the IR keeps. Clones are the same buffer.
#[derive(Clone, Debug)]
pub struct Buffer(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    bytes: RefCell<Vec<u8>>,
    references: Cell<i64>,
    /// What it is if it is an object; nothing once its last reference is gone.
    object: Option<RefCell<Option<numptx_objects::Object<Held>>>>,
}

impl PartialEq for Buffer {
    /// Whether they are one.
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Buffer {}

impl Buffer {
    /// A buffer with these contents and one reference.
    pub fn new(bytes: Vec<u8>) -> Buffer {
        Buffer(Rc::new(Inner { bytes: RefCell::new(bytes), references: Cell::new(1), object: None }))
    }

    /// An object with one reference.
    pub(super) fn new_object(object: numptx_objects::Object<Held>) -> Buffer {
        let object = Some(RefCell::new(Some(object)));
        Buffer(Rc::new(Inner { bytes: RefCell::default(), references: Cell::new(1), object }))
    }

    /// The object that it is.
    pub(super) fn object(&self) -> Option<&RefCell<Option<numptx_objects::Object<Held>>>> {
        self.0.object.as_ref()
    }

    /// How many references the IR holds.
    pub fn references(&self) -> i64 {
        self.0.references.get()
    }

    /// A number that tells living buffers apart.
    pub fn identity(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.0.bytes.borrow().len()
    }

    pub(super) fn set_references(&self, references: i64) {
        self.0.references.set(references);
    }

    pub(super) fn retain(&self) -> Result<(), String> {
        self.check_alive()?;
        self.set_references(self.references() + 1);
        Ok(())
    }

    pub(super) fn release(&self) -> Result<(), String> {
        self.check_alive()?;
        self.drop_reference();
        Ok(())
    }

    /// One reference less. An object lets go of what it holds with the last one.
    pub(super) fn drop_reference(&self) {
        self.set_references(self.references() - 1);
        if let (0, Some(object)) = (self.references(), self.object()) {
            let held = object.try_borrow_mut().ok().and_then(|mut object| object.take());
            drop(held);
        }
    }

    pub(super) fn check_alive(&self) -> Result<(), String> {
        if self.references() > 0 { Ok(()) } else { Err("a buffer is used after its last release".to_string()) }
    }

    /// The bytes at an offset, if the buffer has them and is alive.
    pub(crate) fn range(&self, offset: i64, length: usize) -> Result<std::ops::Range<usize>, String> {
        self.check_alive()?;
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(length)?));
        let size = self.size();
        range.filter(|range| range.end <= size).ok_or_else(|| format!("byte {offset} is outside a buffer of {size}"))
    }

    /// The element of a dtype at a byte offset.
    pub fn read(&self, offset: i64, dtype: DType) -> Result<Constant, String> {
        let range = self.range(offset, dtype.itemsize())?;
        Ok(decode(&self.0.bytes.borrow()[range], dtype))
    }

    /// Writes an element of a dtype at a byte offset.
    pub fn write(&self, offset: i64, dtype: DType, value: Constant) -> Result<(), String> {
        let range = self.range(offset, dtype.itemsize())?;
        self.0.bytes.borrow_mut()[range].copy_from_slice(&encode(value, dtype));
        Ok(())
    }
}

/// An array at run time. Offset and strides are in bytes.
#[derive(Clone, Debug)]
pub struct View {
    /// Its memory.
    pub buffer: Buffer,
    /// Its element type.
    pub dtype: DType,
    /// Where element `[0, …, 0]` is.
    pub offset: i64,
    /// One extent an axis.
    pub shape: Vec<i64>,
    /// One stride an axis.
    pub strides: Vec<i64>,
    /// Whether nothing is written through it.
    pub read_only: bool,
}

impl View {
    /// A fresh C-contiguous array of these elements; missing ones are zero.
    pub fn new(dtype: DType, shape: &[i64], elements: &[Constant]) -> View {
        let n = size(shape).unwrap_or(0);
        let element = |k: usize| elements.get(k).copied().unwrap_or_else(|| zero(dtype));
        let bytes = (0..n).flat_map(|k| encode(element(k), dtype)).collect();
        let strides = contiguous(shape, dtype, 0..shape.len());
        View { buffer: Buffer::new(bytes), dtype, offset: 0, shape: shape.to_vec(), strides, read_only: false }
    }

    /// A fresh array of undefined contents; `strides` are those of a permuted contiguous array.
    pub(super) fn alloc(dtype: DType, shape: &[i64], strides: Vec<i64>) -> Outcome<View> {
        let bytes = size(shape).and_then(|n| n.checked_mul(dtype.itemsize())).filter(|bytes| *bytes <= LIMIT);
        let Some(bytes) = bytes else { return invalid(format!("an array of {shape:?} is too large")) };
        // Not zero, so that what is read before it is written shows; a valid `bool` in every byte.
        let buffer = Buffer::new(vec![1; bytes]);
        Ok(View { buffer, dtype, offset: 0, shape: shape.to_vec(), strides, read_only: false })
    }

    /// The elements in C order.
    pub fn elements(&self) -> Result<Vec<Constant>, Failure> {
        let mut elements = Vec::new();
        for_each_point(&self.shape, |point| {
            elements.push(self.read(self.at(point))?);
            Ok(())
        })?;
        Ok(elements)
    }

    /// The bytes of a point's element in its buffer.
    pub(super) fn bytes_at(&self, point: &[i64]) -> Outcome<std::ops::Range<usize>> {
        let start = self.offset.wrapping_add(self.at(point));
        self.buffer.range(start, self.dtype.itemsize()).map_err(Failure::Invalid)
    }

    /// Byte offset of a point relative to the first element; wraps.
    pub fn at(&self, point: &[i64]) -> i64 {
        let terms = point.iter().zip(&self.strides).map(|(i, stride)| i.wrapping_mul(*stride));
        terms.fold(0, i64::wrapping_add)
    }

    pub(super) fn read(&self, at: i64) -> Outcome<Constant> {
        self.buffer.read(self.offset.wrapping_add(at), self.dtype).map_err(Failure::Invalid)
    }

    /// Where the element at indices in range is, relative to the first one.
    pub fn place(&self, indices: &[i64]) -> Result<i64, String> {
        let is_in_range = indices.iter().zip(&self.shape).all(|(i, extent)| 0 <= *i && i < extent);
        if indices.len() != self.shape.len() || !is_in_range {
            return Err(format!("the indices {indices:?} are out of range for {:?}", self.shape));
        }
        Ok(self.at(indices))
    }

    /// The element at indices in range.
    pub(super) fn element(&self, indices: &[i64]) -> Outcome<Constant> {
        self.read(self.place(indices).map_err(Failure::Invalid)?)
    }

    pub(super) fn write(&self, at: i64, value: Constant) -> Outcome<()> {
        self.buffer.write(self.offset.wrapping_add(at), self.dtype, value).map_err(Failure::Invalid)
    }

    /// Whether its strides are those of a layout; extents of 1 and empty arrays have any.
    pub fn has_layout(&self, layout: Layout) -> bool {
        let rank = self.shape.len();
        let expected = match layout {
            Layout::Any => return true,
            Layout::C => contiguous(&self.shape, self.dtype, 0..rank),
            Layout::F => contiguous(&self.shape, self.dtype, (0..rank).rev()),
        };
        self.shape.contains(&0) || (0..rank).all(|axis| self.shape[axis] == 1 || self.strides[axis] == expected[axis])
    }
}

/// Number of elements.
pub(super) fn size(shape: &[i64]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |n, extent| n.checked_mul(usize::try_from(*extent).ok()?))
}

/// Strides of a contiguous array whose axes are given from the outermost to the innermost.
pub(super) fn contiguous(shape: &[i64], dtype: DType, axes: impl DoubleEndedIterator<Item = usize>) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    let mut stride = dtype.itemsize() as i64;
    for axis in axes.rev() {
        strides[axis] = stride;
        stride = stride.saturating_mul(shape[axis].max(1));
    }
    strides
}

/// Visits the points of an iteration space in C order.
pub fn for_each_point<E>(extents: &[i64], mut visit: impl FnMut(&[i64]) -> Result<(), E>) -> Result<(), E> {
    if extents.iter().any(|extent| *extent <= 0) {
        return Ok(());
    }
    let mut point = vec![0; extents.len()];
    loop {
        visit(&point)?;
        let Some(axis) = (0..point.len()).rev().find(|axis| point[*axis] + 1 < extents[*axis]) else { return Ok(()) };
        point[axis] += 1;
        point[axis + 1..].fill(0);
    }
}

fn decode(bytes: &[u8], dtype: DType) -> Constant {
    let mut wide = [0u8; 8];
    let length = bytes.len().min(8);
    wide[..length].copy_from_slice(&bytes[..length]);
    let word = u64::from_le_bytes(wide);
    let single = |word: u64| f64::from(f32::from_bits(word as u32));
    match dtype {
        DType::Bool => Constant::Bool(word != 0),
        DType::I8 => Constant::Int(i64::from(word as i8)),
        DType::I16 => Constant::Int(i64::from(word as i16)),
        DType::I32 => Constant::Int(i64::from(word as i32)),
        DType::I64 | DType::U8 | DType::U16 | DType::U32 | DType::U64 => Constant::Int(word as i64),
        DType::F16 => Constant::Float(half::to_f64(word as u16)),
        DType::F32 => Constant::Float(single(word)),
        DType::F64 => Constant::Float(f64::from_bits(word)),
        DType::C64 => Constant::Complex(single(word), single(word >> 32)),
        DType::C128 => {
            wide.copy_from_slice(&bytes[8..16]);
            Constant::Complex(f64::from_bits(word), f64::from_le_bytes(wide))
        }
    }
}

fn encode(value: Constant, dtype: DType) -> Vec<u8> {
    let mut bytes = match (value, dtype) {
        (Constant::Bool(value), _) => vec![u8::from(value)],
        (Constant::Int(value), _) => value.to_le_bytes().to_vec(),
        (Constant::Float(value), DType::F16) => half::from_f64(value).to_le_bytes().to_vec(),
        (Constant::Float(value), DType::F32) => (value as f32).to_le_bytes().to_vec(),
        (Constant::Float(value), _) => value.to_le_bytes().to_vec(),
        (Constant::Complex(re, im), DType::C64) => [(re as f32).to_le_bytes(), (im as f32).to_le_bytes()].concat(),
        (Constant::Complex(re, im), _) => [re.to_le_bytes(), im.to_le_bytes()].concat(),
    };
    bytes.resize(dtype.itemsize(), 0);
    bytes
}
