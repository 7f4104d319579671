//! What the fuzzed libraries' functions do: look at every element of the arrays that they are given, write to those that they may write to, and return
//! what their description says. What they are and what they saw passes through this thread.

use std::cell::RefCell;

use arbitrary::{Arbitrary, Result, Unstructured};
use numptx_abi::{Array, Buffer, BufferInfo, Call, MAX_RANK, ResultNode, RuntimeTable, Status, Value, dtype};

use crate::library::OverloadParts;
use numptx_fuzz_targets::memory::{checksum, elements, offsets};
use numptx_fuzz_targets::odd::few;

/// What a function does after it has looked at its arguments.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The error that it raises, if it does.
    raises: Option<(u8, u8)>,
    /// Whether it fails after its results were made.
    is_late: bool,
    /// For each array result: where it comes from.
    sources: Vec<Source>,
}

#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Source {
    /// Memory of its own, with extents below these.
    Fresh([u8; 4]),
    /// An argument, and how many elements are left out at the front of its first axis; the argument itself.
    View(u8, u8, bool),
    /// The buffer of an earlier result.
    Earlier(u8),
}

impl<'a> Arbitrary<'a> for Behaviour {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let raises = if u8::arbitrary(u)? % 4 == 3 { Some(u.arbitrary()?) } else { None };
        Ok(Behaviour { raises, is_late: u.arbitrary()?, sources: few(u, 4)? })
    }
}

/// What a call's function is told, and what it tells.
#[derive(Default)]
pub struct Told {
    behaviour: Option<Behaviour>,
    nodes: Vec<ResultNode>,
    n_arguments: usize,
    n_results: usize,
    written: u64,
    /// How often it was called.
    pub n_calls: u32,
    /// The checksum of each argument's elements, in C order; 0 of others.
    pub seen: Vec<u64>,
    /// What it raised.
    pub raised: Option<Status>,
    /// The checksum of each result's elements.
    pub made: Vec<u64>,
}

thread_local! {
    static TOLD: RefCell<Told> = RefCell::default();
}

/// Before a call.
pub fn tell(overload: &OverloadParts) {
    TOLD.set(Told {
        behaviour: Some(overload.behaviour.clone()),
        nodes: overload.result_leaves().copied().collect(),
        n_arguments: overload.n_arguments as usize,
        n_results: overload.n_results as usize,
        written: overload.written,
        ..Told::default()
    });
}

/// After it.
pub fn told() -> Told {
    TOLD.take()
}

pub unsafe extern "C" fn noalias(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    TOLD.with_borrow_mut(|told| {
        told.n_calls += 1;
        // SAFETY: the runtime passes as many of each as the overload says.
        unsafe { told.run(call, arguments, results) }
    })
}

pub unsafe extern "C" fn mayalias(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: as the caller promises. Another function, so that the two differ in address.
    std::hint::black_box(unsafe { noalias(call, arguments, results) })
}

fn table() -> &'static RuntimeTable {
    // SAFETY: the table is a static.
    unsafe { &*numptx_runtime::table() }
}

/// The element `[0, …, 0]` of an array, in host memory.
///
/// # Safety
/// A live buffer.
unsafe fn first_of(array: &Array) -> *mut u8 {
    let mut info = BufferInfo { data: std::ptr::null_mut(), bytes: 0, device: 0, read_only: 0, references: 0 };
    // SAFETY: as the caller promises.
    unsafe { (table().buffer_info)(array.buffer, &mut info) };
    info.data.cast::<u8>().wrapping_offset(array.offset as isize)
}

fn axes(array: &Array) -> (&[i64], Vec<i128>) {
    let rank = array.rank as usize;
    (&array.shape[..rank], array.strides[..rank].iter().map(|stride| i128::from(*stride)).collect())
}

/// The elements of an array that a call was given or made.
///
/// # Safety
/// A live array of the host.
unsafe fn checksum_of(array: &Array) -> u64 {
    let (shape, strides) = axes(array);
    // SAFETY: as the caller promises.
    checksum(&unsafe { elements(first_of(array), shape, &strides, itemsize(array.dtype)) })
}

fn itemsize(code: u32) -> usize {
    usize::from(dtype::ITEMSIZE[code as usize])
}

impl Told {
    /// # Safety
    /// As an entry's.
    unsafe fn run(&mut self, call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
        let given = match self.n_arguments {
            0 => &[][..],
            // SAFETY: as the caller promises.
            n => unsafe { std::slice::from_raw_parts(arguments, n) },
        };
        for (k, value) in given.iter().enumerate() {
            let is_array = value.kind == Value::ARRAY;
            // SAFETY: an array argument's buffer is alive, and holds its elements.
            self.seen.push(if is_array { unsafe { checksum_of(&value.array) } } else { 0 });
            if is_array && k < 64 && self.written >> k & 1 == 1 {
                let (shape, strides) = axes(&value.array);
                // SAFETY: as above, and the array may be written.
                let first = unsafe { first_of(&value.array) };
                for at in offsets(shape, &strides) {
                    for byte in 0..itemsize(value.array.dtype) {
                        // SAFETY: as above.
                        unsafe { first.wrapping_offset(at as isize).add(byte).write(1) };
                    }
                }
            }
        }
        let behaviour = self.behaviour.take().expect("told before the call");
        match behaviour.raises {
            Some(error) if !behaviour.is_late => self.raise(call, error),
            raises => {
                // SAFETY: as the caller promises.
                let status = unsafe { self.give(call, given, results, &behaviour.sources) };
                match raises {
                    Some(error) if status == 0 => {
                        // SAFETY: each array result carries a reference, which a function that fails gives back.
                        unsafe { self.give_back(results) };
                        self.raise(call, error)
                    }
                    _ => status,
                }
            }
        }
    }

    fn raise(&mut self, call: *mut Call, (kind, text): (u8, u8)) -> Status {
        const TEXTS: [&std::ffi::CStr; 6] =
            [c"plain", c"{} {u} {b} {d} {f}", c"{.3} {:10.3e} {:5d}", c"{{}}", c"", c"{} {"];
        let status = i32::from(kind).max(1);
        let arguments = [i64::MIN, -1, 1, f64::NAN.to_bits() as i64, 0, 7, 7, 7];
        let text = TEXTS[usize::from(text) % TEXTS.len()].as_ptr();
        self.raised = Some(status);
        // SAFETY: the running call; there are more arguments than places for them.
        unsafe { (table().raise)(call, status, text, arguments.as_ptr(), arguments.len() as u32) }
    }

    /// # Safety
    /// As an entry's; the results that were made carry references.
    unsafe fn give_back(&mut self, results: *mut Value) {
        for k in 0..self.n_results {
            // SAFETY: as the caller promises.
            unsafe {
                let value = &*results.add(k);
                if value.kind == Value::ARRAY {
                    (table().release)(value.array.buffer);
                }
            }
        }
    }

    /// Makes the results that the description has room for.
    ///
    /// # Safety
    /// As an entry's.
    unsafe fn give(&mut self, call: *mut Call, given: &[Value], results: *mut Value, sources: &[Source]) -> Status {
        let nodes = self.nodes.clone();
        for (k, node) in nodes.iter().enumerate().take(self.n_results) {
            // A function that returns what no dtype is would be no function of a library.
            let code = u32::from(node.dtype) % dtype::ITEMSIZE.len() as u32;
            // SAFETY: there is room for each.
            let slot = unsafe { &mut *results.add(k) };
            if matches!(node.kind, ResultNode::PYTHON_SCALAR | ResultNode::NUMPY_SCALAR) {
                (slot.kind, slot.dtype, slot.parameter, slot.bits) = (Value::SCALAR, code, -1, [3, 5]);
                self.made.push(0);
                continue;
            }
            let source = sources.get(k).copied().unwrap_or(Source::Fresh([2; 4]));
            // SAFETY: as the caller promises.
            let made = unsafe { self.array(call, given, results, k, source, (code, node.rank)) };
            let (array, parameter, identity) = match made {
                Ok(made) => made,
                Err(status) => {
                    for earlier in 0..k {
                        // SAFETY: results before this one were made.
                        let value = unsafe { &*results.add(earlier) };
                        if value.kind == Value::ARRAY {
                            // SAFETY: it carries a reference.
                            unsafe { (table().release)(value.array.buffer) };
                        }
                    }
                    self.raised = Some(status);
                    return status;
                }
            };
            // SAFETY: a live array.
            self.made.push(unsafe { checksum_of(&array) });
            (slot.kind, slot.dtype, slot.parameter, slot.identity) = (Value::ARRAY, array.dtype, parameter, identity);
            (slot.array, slot.bits) = (array, [k as u64, 0]);
        }
        0
    }

    /// # Safety
    /// As an entry's; results before `k` were made.
    unsafe fn array(
        &self,
        call: *mut Call,
        given: &[Value],
        results: *const Value,
        k: usize,
        source: Source,
        (code, rank): (u32, u8),
    ) -> std::result::Result<(Array, i32, u32), Status> {
        let retained = |buffer: *mut Buffer| {
            // SAFETY: a live buffer.
            unsafe { (table().retain)(buffer) };
        };
        match source {
            Source::View(argument, left_out, is_itself) if !given.is_empty() => {
                let n = usize::from(argument) % given.len();
                if given[n].kind == Value::ARRAY {
                    let mut array = given[n].array;
                    retained(array.buffer);
                    if is_itself {
                        return Ok((array, n as i32, 1));
                    }
                    if array.rank > 0 && array.shape[0] > 0 {
                        let left_out = i64::from(left_out) % (array.shape[0] + 1);
                        array.shape[0] -= left_out;
                        // An array without elements lies anywhere.
                        array.offset += if array.shape[0] > 0 { left_out * array.strides[0] } else { 0 };
                    }
                    return Ok((array, -1, 0));
                }
            }
            Source::Earlier(earlier) if k > 0 => {
                // SAFETY: it was made.
                let value = unsafe { &*results.add(usize::from(earlier) % k) };
                if value.kind == Value::ARRAY {
                    retained(value.array.buffer);
                    return Ok((value.array, value.parameter, value.identity));
                }
            }
            _ => {}
        }
        let Source::Fresh(extents) = source else { return Err(self.no_memory(call)) };
        let rank = usize::from(rank).min(4);
        let mut array = Array {
            buffer: std::ptr::null_mut(),
            offset: 0,
            rank: rank as u32,
            dtype: code,
            shape: [0; MAX_RANK],
            strides: [0; MAX_RANK],
        };
        let mut bytes = itemsize(code) as i64;
        for axis in (0..rank).rev() {
            array.shape[axis] = i64::from(extents[axis] % 5);
            array.strides[axis] = bytes;
            bytes *= array.shape[axis].max(1);
        }
        // SAFETY: the running call.
        let status = unsafe { (table().alloc)(call, bytes, &mut array.buffer) };
        if status != 0 {
            return Err(status);
        }
        // SAFETY: fresh memory of so many bytes.
        unsafe { first_of(&array).write_bytes(1, bytes as usize) };
        Ok((array, -1, 0))
    }

    fn no_memory(&self, call: *mut Call) -> Status {
        // SAFETY: the running call; the text has no places.
        unsafe { (table().raise)(call, 6, c"nothing to give".as_ptr(), std::ptr::null(), 0) }
    }
}
