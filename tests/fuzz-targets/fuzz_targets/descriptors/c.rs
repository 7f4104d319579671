//! Calls as C makes them.

use std::ptr::{null, null_mut};

use arbitrary::{Arbitrary, Result, Unstructured};
use numptx_abi::{Argument, Array, BufferInfo, InvokeOptions, MAX_RANK, Parameter, RuntimeTable, Value, dtype};
use numptx_runtime::{no_error, numptx_call};

use crate::entry;
use crate::library::{Library, OverloadParts};
use numptx_fuzz_targets::memory::{Memory, checksum, elements, is_impossible, reach};
use numptx_fuzz_targets::odd::{Number, Odd, few};

#[derive(Debug)]
pub struct CallFacts {
    place: (u8, u8),
    function: Odd<u32>,
    overload: Odd<u32>,
    arguments: Vec<ArgumentFacts>,
    n_arguments: Odd<u8>,
    n_results: Odd<u8>,
    has_room: Odd<bool>,
    options: Option<(Odd<i8>, bool, bool)>,
    has_error: bool,
}

#[derive(Clone, Debug)]
struct ArgumentFacts {
    fits: Odd<bool>,
    kind: Odd<u32>,
    dtype: Odd<u32>,
    choice: u8,
    bits: [u64; 2],
    rank: Odd<u32>,
    shape: Vec<Number>,
    strides: Vec<Number>,
    layout: u8,
    shift: u8,
    is_null: Odd<bool>,
    is_read_only: bool,
    is_in_buffer: bool,
    device: Odd<i8>,
}

impl<'a> Arbitrary<'a> for CallFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(CallFacts {
            place: u.arbitrary()?,
            function: u.arbitrary()?,
            overload: u.arbitrary()?,
            arguments: few(u, 6)?,
            n_arguments: u.arbitrary()?,
            n_results: u.arbitrary()?,
            has_room: u.arbitrary()?,
            options: u.arbitrary()?,
            has_error: u.arbitrary()?,
        })
    }
}

impl<'a> Arbitrary<'a> for ArgumentFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(ArgumentFacts {
            fits: u.arbitrary()?,
            kind: u.arbitrary()?,
            dtype: u.arbitrary()?,
            choice: u.arbitrary()?,
            bits: u.arbitrary()?,
            rank: u.arbitrary()?,
            shape: few(u, 5)?,
            strides: few(u, 5)?,
            layout: u.arbitrary()?,
            shift: u.arbitrary()?,
            is_null: u.arbitrary()?,
            is_read_only: u.arbitrary()?,
            is_in_buffer: u.arbitrary()?,
            device: u.arbitrary()?,
        })
    }
}

/// An argument, and where its elements lie.
struct Given {
    argument: Argument,
    place: Place,
    shape: Vec<i64>,
    strides: Vec<i128>,
    itemsize: usize,
}

enum Place {
    /// It has none, or none that anybody may follow.
    Nowhere,
    Memory(Memory),
    /// The runtime's, with the element `[0, …, 0]` at the address.
    Buffer(*mut numptx_abi::Buffer, *mut u8),
}

impl Drop for Given {
    fn drop(&mut self) {
        if let Place::Buffer(buffer, _) = self.place {
            // SAFETY: made here, with one reference.
            unsafe { (table().release)(buffer) };
        }
    }
}

fn table() -> &'static RuntimeTable {
    // SAFETY: the table is a static.
    unsafe { &*numptx_runtime::table() }
}

const NO_ARRAY: Array =
    Array { buffer: null_mut(), offset: 0, rank: 0, dtype: 0, shape: [0; MAX_RANK], strides: [0; MAX_RANK] };

/// Calls a function of the library, if the arguments can be made: arrays that are too large for this program are not.
pub fn call(library: &Library, facts: &CallFacts) {
    let function = facts.function.or(u32::from(facts.place.0) % library.functions.len().max(1) as u32);
    let parts = library.functions.get(function as usize);
    let n_overloads = parts.map_or(1, |parts| parts.overloads.len().max(1));
    let overload = facts.overload.or(u32::from(facts.place.1) % n_overloads as u32);
    let parts = parts.and_then(|parts| parts.overloads.get(overload as usize));
    let Some(given) = arguments(facts, parts) else { return };
    let before: Vec<u64> = given.iter().map(Given::checksum).collect();
    if let Some(parts) = parts {
        entry::tell(parts);
    }
    let passed: Vec<Argument> = given.iter().map(|given| given.argument).collect();
    let n_results = facts.n_results.or(parts.map_or(0, |parts| parts.n_results as u8)) as usize;
    let mut results: Vec<Value> = vec![value(); n_results];
    let room = if facts.has_room.or(true) { results.as_mut_ptr() } else { null_mut() };
    let options = facts.options.map(|(device, on_device, is_asked)| InvokeOptions {
        device: i32::from(device.or(-1)),
        results_on_device: u32::from(on_device),
        stream: null_mut(),
        interrupt: is_asked.then_some(go_on),
        interrupt_data: null_mut(),
    });
    let options = options.as_ref().map_or(null(), std::ptr::from_ref);
    let mut error = no_error();
    let told_error = if facts.has_error { &raw mut error } else { null_mut() };
    let n = passed.len() as u32;
    // SAFETY: the descriptor's lists are as long as their counts; there are so many arguments and results, and what the arguments show is there.
    let status = unsafe {
        numptx_call(
            library.descriptor(),
            function,
            overload,
            passed.as_ptr(),
            n,
            room,
            n_results as u32,
            options,
            told_error,
        )
    };
    let told = entry::told();
    assert!(told.n_calls <= 1, "called {} times", told.n_calls);
    assert!(library.is_right() || status != 0, "a library of another version was called");
    if status != 0 {
        assert!(
            !facts.has_error || (error.kind == status && !crate::message(&error).is_empty()) || told.raised.is_some()
        );
        assert!(told.n_calls == 0 || told.raised == Some(status), "{status} is none of {:?}", told.raised);
        return;
    }
    assert_eq!(told.n_calls, 1, "nothing was called");
    assert_eq!(told.raised, None, "an error is lost");
    assert_eq!(told.seen, before, "other elements were seen");
    let written = parts.map_or(0, |parts| parts.written);
    for (_, given) in given.iter().enumerate().filter(|(k, _)| *k < 64 && written >> k & 1 == 1) {
        assert!(given.argument.read_only == 0 || given.argument.kind != Value::ARRAY, "a read-only array was written");
        assert!(given.bytes().iter().all(|byte| *byte == 1), "what was written is not there");
    }
    for (result, made) in results.iter().zip(&told.made).filter(|(result, _)| result.kind == Value::ARRAY) {
        check(result, *made, n);
    }
    for result in results.iter().filter(|result| result.kind == Value::ARRAY && !result.array.buffer.is_null()) {
        // SAFETY: the result carries a reference.
        unsafe { (table().release)(result.array.buffer) };
    }
}

unsafe extern "C" fn go_on(_: *mut std::ffi::c_void) -> i32 {
    0
}

fn value() -> Value {
    Value {
        kind: 7,
        dtype: 99,
        parameter: 5,
        identity: 3,
        bits: [9; 2],
        array: NO_ARRAY,
        data: null_mut(),
        device: 4,
        read_only: 1,
    }
}

/// An array result shows what its function made, and names an argument that is there.
fn check(result: &Value, made: u64, n_arguments: u32) {
    assert!((-1..n_arguments as i32).contains(&result.parameter) && result.device == -1);
    let rank = result.array.rank as usize;
    let strides: Vec<i128> = result.array.strides[..rank].iter().map(|stride| i128::from(*stride)).collect();
    let itemsize = usize::from(dtype::ITEMSIZE[result.dtype as usize]);
    // SAFETY: the result's elements are there: its reference or the argument keeps them.
    let found = unsafe { elements(result.data.cast(), &result.array.shape[..rank], &strides, itemsize) };
    assert_eq!(checksum(&found), made, "a result is not what its function made");
}

fn arguments(facts: &CallFacts, parts: Option<&OverloadParts>) -> Option<Vec<Given>> {
    let n = facts.n_arguments.or(parts.map_or(0, |parts| parts.n_arguments as u8));
    let nodes: Vec<&Parameter> = parts.map_or(Vec::new(), |parts| parts.leaves().collect());
    let facts = facts.arguments.iter().cycle();
    // Without any facts there is nothing that arguments could be made of.
    let given: Vec<Option<Given>> =
        (0..usize::from(n)).zip(facts).map(|(k, facts)| facts.made(nodes.get(k).copied())).collect();
    if given.len() < usize::from(n) { None } else { given.into_iter().collect() }
}

impl ArgumentFacts {
    /// The argument, for a parameter if it fits. `None`: nothing can be made of it.
    fn made(&self, node: Option<&Parameter>) -> Option<Given> {
        let node = node.filter(|_| self.fits.or(true));
        let code = self.dtype.or(node.map_or(u32::from(self.choice % 14), |node| u32::from(node.dtype)));
        let wanted = if node.is_some_and(|node| node.kind == Parameter::SCALAR) { Value::SCALAR } else { Value::ARRAY };
        let kind = self.kind.or(wanted);
        let right = node.map_or(self.shape.len(), |node| usize::from(node.rank));
        let rank = self.rank.or(right as u32);
        let n_axes = (rank as usize).min(MAX_RANK);
        let itemsize = usize::from(dtype::ITEMSIZE.get(code as usize).copied().unwrap_or(1));
        let shape: Vec<i64> = (0..n_axes).map(|axis| self.extent(node, axis)).collect();
        let strides = self.strides(&shape, itemsize as i64);
        let wide: Vec<i128> = strides.iter().map(|stride| i128::from(*stride)).collect();
        let mut argument = Argument {
            kind,
            dtype: code,
            bits: self.bits,
            array: Array { rank, dtype: code, ..NO_ARRAY },
            data: null_mut(),
            device: i32::from(self.device.or(-1)),
            read_only: u32::from(self.is_read_only),
            stream: null_mut(),
            owner: null_mut(),
            owner_table: null(),
        };
        argument.array.shape[..n_axes].copy_from_slice(&shape);
        argument.array.strides[..n_axes].copy_from_slice(&strides);
        let place =
            if kind == Value::ARRAY { self.place(&mut argument, &shape, &wide, itemsize)? } else { Place::Nowhere };
        Some(Given { argument, place, shape, strides: wide, itemsize })
    }

    fn extent(&self, node: Option<&Parameter>, axis: usize) -> i64 {
        let own = self.shape.get(axis % self.shape.len().max(1)).map_or(2, |extent| extent.value());
        let Some(node) = node else { return own };
        let is_fixed = !node.extents.is_null() && axis < usize::from(node.rank);
        // SAFETY: a list of extents is as long as the rank.
        let wanted = if is_fixed { unsafe { *node.extents.add(axis) } } else { -1 };
        if wanted < 0 { own.rem_euclid(4) } else { wanted }
    }

    /// Bytes.
    fn strides(&self, shape: &[i64], itemsize: i64) -> Vec<i64> {
        let mut strides = vec![0i64; shape.len()];
        let mut step = itemsize;
        let axes: Vec<usize> =
            if self.layout % 8 == 1 { (0..shape.len()).collect() } else { (0..shape.len()).rev().collect() };
        for axis in axes {
            strides[axis] = match self.layout % 8 {
                3 => step.wrapping_neg(),
                4 => step.wrapping_mul(2),
                5 => 0,
                6 => self.strides.get(axis).map_or(0, |stride| stride.value()),
                7 => self.strides.get(axis).map_or(0, |stride| stride.value().wrapping_mul(itemsize)),
                _ => step,
            };
            step = step.wrapping_mul(shape[axis].max(1));
        }
        strides
    }

    /// Where the elements are. `None`: there can be such an array, and it is too large to be made here.
    fn place(&self, argument: &mut Argument, shape: &[i64], strides: &[i128], itemsize: usize) -> Option<Place> {
        let Some(reach) = reach(shape, strides, itemsize) else {
            argument.data = std::ptr::without_provenance_mut(4096);
            return is_impossible(shape, strides, itemsize).then_some(Place::Nowhere);
        };
        if self.is_null.or(false) || (argument.array.rank as usize) > MAX_RANK {
            // With elements it has to be refused, without any it may lie anywhere.
            return Some(Place::Nowhere);
        }
        if !self.is_in_buffer {
            let memory = Memory::new(reach, usize::from(self.shift % 16));
            argument.data = memory.element().cast();
            return Some(Place::Memory(memory));
        }
        let mut buffer = null_mut();
        let mut error = no_error();
        // SAFETY: out-parameters that are alive; the default stream.
        let status = unsafe { (table().buffer_new)(-1, reach.bytes as i64, null_mut(), &mut buffer, &mut error) };
        assert_eq!(status, 0, "{}", crate::message(&error));
        let mut info = BufferInfo { data: null_mut(), bytes: 0, device: 0, read_only: 0, references: 0 };
        // SAFETY: just made, of so many bytes.
        unsafe {
            (table().buffer_info)(buffer, &mut info);
            info.data.cast::<u8>().write_bytes(5, reach.bytes);
        }
        (argument.array.buffer, argument.array.offset) = (buffer, reach.low as i64);
        Some(Place::Buffer(buffer, info.data.cast::<u8>().wrapping_add(reach.low)))
    }
}

impl Given {
    /// The elements in C order; none of what has no memory.
    fn bytes(&self) -> Vec<u8> {
        let element = match &self.place {
            Place::Nowhere => return Vec::new(),
            Place::Memory(memory) => memory.element(),
            Place::Buffer(_, element) => *element,
        };
        // SAFETY: the memory was made for these elements.
        unsafe { elements(element, &self.shape, &self.strides, self.itemsize) }
    }

    /// As its function tells it.
    fn checksum(&self) -> u64 {
        match self.argument.kind {
            Value::ARRAY => checksum(&self.bytes()),
            _ => 0,
        }
    }
}
