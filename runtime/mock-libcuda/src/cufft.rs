//! A stand-in of cuFFT: plans with an advanced data layout, and their transforms.
//!
//! In: the calls of `libcufft`. Out: transforms, with the library's own codes for what it refuses. A plan that is destroyed while work refers to it, two
//! threads at one plan, and memory that is not live are violations. As the real one may, a transform to real numbers destroys its input. That it is asked about
//! imaginary parts that have no meaning is a violation.

use std::ffi::{c_int, c_longlong, c_void};
use std::sync::Arc;
use std::thread::ThreadId;

use numptx_abi::{Rows, Transform, dtype, routine};

use crate::mathematics::{itemsize, real, table};
use crate::objects::run_due;
use crate::state::{Code, ILLEGAL_ADDRESS, State, current_context, enter, enter_work};
use crate::work::{Op, pointer};

const INVALID_PLAN: c_int = 1;
const ALLOC_FAILED: c_int = 2;
const INVALID_TYPE: c_int = 3;
const INVALID_VALUE: c_int = 4;
const EXEC_FAILED: c_int = 6;
const INVALID_SIZE: c_int = 8;
const NOT_SUPPORTED: c_int = 16;

/// What is transformed into what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Complex,
    ToComplex,
    ToReal,
}

/// A plan.
pub(crate) struct Plan {
    context: usize,
    takes_own_memory: bool,
    stream: *mut c_void,
    /// Who set the stream.
    user: Option<ThreadId>,
    work: u64,
    made: Option<Made>,
}

// SAFETY: the stream's handle is a number to the mock.
unsafe impl Send for Plan {}

/// One side: elements from one index to the next of each axis, and from one transform to the next.
#[derive(Clone, Copy)]
struct Side {
    steps: [i64; 3],
    each: i64,
}

/// What a plan does.
#[derive(Clone, Copy)]
struct Made {
    kind: Kind,
    /// The complex one.
    code: u8,
    rank: usize,
    lengths: [i64; 3],
    input: Side,
    output: Side,
    count: i64,
}

impl Made {
    fn work_bytes(&self) -> usize {
        // Transforms of one element need none.
        if self.lengths.iter().all(|length| *length == 1) { 0 } else { 256 + 16 * self.lengths[0] as usize }
    }

    /// Extents and the bytes of an element of the input, or the output.
    fn of_side(&self, is_input: bool) -> ([i64; 3], i64) {
        let (mut extents, last) = (self.lengths, self.rank - 1);
        let is_real = matches!((self.kind, is_input), (Kind::ToComplex, true) | (Kind::ToReal, false));
        if self.kind != Kind::Complex && !is_real {
            extents[last] = extents[last] / 2 + 1;
        }
        (extents, itemsize(if is_real { real(self.code) } else { self.code }))
    }

    fn check(&self, state: &mut State, first: u64, is_input: bool) -> Result<(), Code> {
        let (extents, bytes) = self.of_side(is_input);
        let side = if is_input { &self.input } else { &self.output };
        // Real numbers are read and written in pairs.
        if !first.is_multiple_of(itemsize(self.code) as u64) {
            state.violation("cufftExec: elements are not aligned");
            return Err(ILLEGAL_ADDRESS);
        }
        let inside = (0..self.rank).map(|axis| (extents[axis] - 1) * side.steps[axis]).sum::<i64>();
        let last = inside + (self.count - 1) * side.each;
        state.check_device_range(first, ((last + 1) * bytes) as usize, "cufftExec")
    }

    /// Transforms along one axis.
    fn along(&self, axis: usize, inverse: bool, (x, of_x): (u64, &Side), (y, of_y): (u64, &Side)) -> i32 {
        let others: Vec<usize> = (0..self.rank).filter(|other| *other != axis).collect();
        let uses = others.iter().map(|other| self.lengths[*other]).product::<i64>();
        let (_, bytes_of_x) = self.of_side(true);
        let (_, bytes_of_y) = self.of_side(false);
        for mut index in 0..uses {
            let mut at = [0, 0];
            for other in &others {
                let here = index % self.lengths[*other];
                index /= self.lengths[*other];
                at = [at[0] + here * of_x.steps[*other], at[1] + here * of_y.steps[*other]];
            }
            let rows =
                |first: u64, side: &Side| Rows { first: pointer(first), step: side.steps[axis], each: side.each };
            let transform = Transform {
                routine: match self.kind {
                    Kind::Complex => routine::FFT,
                    Kind::ToComplex => routine::RFFT,
                    Kind::ToReal => routine::IRFFT,
                },
                flags: if inverse { routine::INVERSE } else { 0 },
                dtype: self.code,
                length: self.lengths[axis],
                count: self.count,
                input: rows(x.wrapping_add_signed(at[0] * bytes_of_x), of_x),
                output: rows(y.wrapping_add_signed(at[1] * bytes_of_y), of_y),
            };
            // SAFETY: the rows are in live memory, which was checked.
            let code = unsafe { (table().transform)(&transform) };
            if code != 0 {
                return code;
            }
        }
        0
    }

    fn run(&self, state: &mut State, inverse: bool, x: u64, y: u64) -> Result<(), Code> {
        self.check(state, x, true)?;
        self.check(state, y, false)?;
        if self.kind == Kind::ToReal {
            self.check_imaginary(state, x);
        }
        let axes = (0..self.rank).rev().enumerate();
        let failed = axes.map(|(n, axis)| {
            let from = if n == 0 { (x, &self.input) } else { (y, &self.output) };
            self.along(axis, inverse, from, (y, &self.output))
        });
        if failed.into_iter().any(|code| code != 0) {
            state.violation("cufftExec: the CPU's library fails");
        }
        if self.kind == Kind::ToReal {
            self.each_of_row(x, |_, element| {
                // SAFETY: the element is in live memory.
                unsafe { element.write_bytes(0xff, itemsize(self.code) as usize) };
            });
        }
        Ok(())
    }

    /// Runs something with each complex element of the input of rows.
    fn each_of_row(&self, x: u64, mut run: impl FnMut(i64, *mut u8)) {
        for row in 0..self.count {
            for index in 0..self.lengths[0] / 2 + 1 {
                let elements = row * self.input.each + index * self.input.steps[0];
                run(index, pointer(x.wrapping_add_signed(elements * itemsize(self.code))));
            }
        }
    }

    fn check_imaginary(&self, state: &mut State, x: u64) {
        let part = (itemsize(self.code) / 2) as usize;
        let mut is_read = false;
        self.each_of_row(x, |index, element| {
            if index == 0 || 2 * index == self.lengths[0] {
                // SAFETY: the element is in live memory.
                let imaginary = unsafe { std::slice::from_raw_parts(element.add(part), part) };
                is_read |= imaginary.iter().any(|byte| *byte & 0x7f != 0);
            }
        });
        if is_read {
            state.violation("cufftExec: the imaginary part of a number that is real may be read");
        }
    }
}

fn status(outcome: Result<(), Code>, otherwise: c_int) -> c_int {
    run_due();
    if outcome.is_ok() { 0 } else { otherwise }
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftCreate(out: *mut c_int) -> c_int {
    status(
        enter_work("cufftCreate").map(|mut state| {
            let handle = state.fresh_handle() as c_int;
            let (context, stream) = (current_context(), std::ptr::null_mut());
            let fresh = Plan { context, takes_own_memory: true, stream, user: None, work: 0, made: None };
            state.plans.insert(handle, fresh);
            // SAFETY: as the caller promises.
            unsafe { out.write(handle) };
        }),
        ALLOC_FAILED,
    )
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftDestroy(plan: c_int) -> c_int {
    let Ok(mut state) = enter("cufftDestroy") else { return INVALID_PLAN };
    if state.plans.remove(&plan).is_none() {
        state.violation("cufftDestroy: no such plan");
        return INVALID_PLAN;
    }
    // It frees the plan's memory, and so waits for the device.
    state.run_all();
    0
}

/// Changes a plan.
fn changed(call: &'static str, plan: c_int, change: impl FnOnce(&mut Plan)) -> c_int {
    let Ok(mut state) = enter(call) else { return INVALID_PLAN };
    let Some(found) = state.plans.get_mut(&plan) else { return INVALID_PLAN };
    change(found);
    0
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftSetAutoAllocation(plan: c_int, is_on: c_int) -> c_int {
    changed("cufftSetAutoAllocation", plan, |plan| plan.takes_own_memory = is_on != 0)
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftSetStream(plan: c_int, stream: *mut c_void) -> c_int {
    changed("cufftSetStream", plan, |plan| {
        (plan.stream, plan.user, plan.work) = (stream, Some(std::thread::current().id()), 0);
    })
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftSetWorkArea(plan: c_int, work: u64) -> c_int {
    changed("cufftSetWorkArea", plan, |plan| plan.work = work)
}

fn kind_of(code: c_int) -> Option<(Kind, u8)> {
    Some(match code {
        0x29 => (Kind::Complex, dtype::COMPLEX64),
        0x2a => (Kind::ToComplex, dtype::COMPLEX64),
        0x2c => (Kind::ToReal, dtype::COMPLEX64),
        0x69 => (Kind::Complex, dtype::COMPLEX128),
        0x6a => (Kind::ToComplex, dtype::COMPLEX128),
        0x6c => (Kind::ToReal, dtype::COMPLEX128),
        _ => return None,
    })
}

/// Steps along all axes of a layout.
fn side(rank: usize, embedded: [i64; 3], step: i64, each: i64) -> Side {
    let mut steps = [0; 3];
    steps[rank - 1] = step;
    (0..rank - 1).rev().for_each(|axis| steps[axis] = steps[axis + 1] * embedded[axis + 1]);
    Side { steps, each }
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn cufftMakePlanMany64(
    plan: c_int,
    rank: c_int,
    lengths: *const c_longlong,
    embedded_in: *const c_longlong,
    step_in: c_longlong,
    each_in: c_longlong,
    embedded_out: *const c_longlong,
    step_out: c_longlong,
    each_out: c_longlong,
    code: c_int,
    count: c_longlong,
    bytes: *mut usize,
) -> c_int {
    let Some((kind, code)) = kind_of(code) else { return INVALID_TYPE };
    if !(1..=3).contains(&rank) || count < 1 {
        return INVALID_SIZE;
    }
    let rank = rank as usize;
    if kind != Kind::Complex && rank > 1 {
        return NOT_SUPPORTED;
    }
    let read = |from: *const c_longlong| {
        let mut numbers = [1; 3];
        // SAFETY: as the caller promises: a number an axis.
        (0..rank).for_each(|axis| numbers[axis] = unsafe { from.add(axis).read() });
        numbers
    };
    let (lengths, embedded_in, embedded_out) = (read(lengths), read(embedded_in), read(embedded_out));
    let input = side(rank, embedded_in, step_in, each_in);
    let output = side(rank, embedded_out, step_out, each_out);
    let made = Made { kind, code, rank, lengths, input, output, count };
    let has_room = |embedded: [i64; 3], is_input: bool| {
        let (extents, _) = made.of_side(is_input);
        (1..rank).all(|axis| embedded[axis] >= extents[axis])
    };
    let is_upwards = [step_in, step_out].iter().all(|step| *step > 0)
        && [each_in, each_out].iter().all(|each| *each > 0 || count == 1);
    if lengths.iter().any(|length| *length < 1)
        || !is_upwards
        || !has_room(embedded_in, true)
        || !has_room(embedded_out, false)
    {
        return INVALID_VALUE;
    }
    let outcome = enter_work("cufftMakePlanMany64").and_then(|mut state| {
        let found = state.plans.get_mut(&plan).filter(|plan| plan.made.is_none()).ok_or(ILLEGAL_ADDRESS)?;
        found.made = Some(made);
        Ok(())
    });
    // SAFETY: as the caller promises.
    unsafe { bytes.write(made.work_bytes()) };
    status(outcome, ALLOC_FAILED)
}

/// Gives a transform to the plan's stream.
fn exec(call: &'static str, plan: c_int, wanted: (Kind, u8), x: u64, y: u64, direction: c_int) -> c_int {
    if !matches!(direction, -1 | 1) {
        return INVALID_VALUE;
    }
    let outcome = enter_work(call).and_then(|mut state| {
        let found = state.plans.get(&plan).map(|p| (p.context, p.stream, p.user, p.work, p.takes_own_memory, p.made));
        let Some((context, stream, user, work, takes_own_memory, Some(made))) = found else {
            state.violation("cufftExec: no such plan, or it was not made");
            return Err(ILLEGAL_ADDRESS);
        };
        if context != current_context() || user != Some(std::thread::current().id()) {
            state.violation("a plan of cuFFT is used by two threads, or in another context than its own");
            return Err(ILLEGAL_ADDRESS);
        }
        if takes_own_memory || (made.kind, made.code) != wanted {
            state.violation("cufftExec: a plan of another kind, or with memory of its own, which streams share");
            return Err(ILLEGAL_ADDRESS);
        }
        let key = state.own_stream(stream)?;
        let transform = move |state: &mut State| {
            if !state.plans.contains_key(&plan) {
                state.violation("a transform refers to a plan that was destroyed");
                return Err(ILLEGAL_ADDRESS);
            }
            state.check_device_range(work, made.work_bytes(), "cufftExec (working memory)")?;
            made.run(state, direction == 1, x, y)
        };
        state.submit(key, Op::Library(Arc::new(transform)))
    });
    status(outcome, EXEC_FAILED)
}

macro_rules! transforms {
    ($($turn:ident $to_complex:ident $to_real:ident $code:ident;)*) => {$(
        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $turn(plan: c_int, x: u64, y: u64, direction: c_int) -> c_int {
            exec(stringify!($turn), plan, (Kind::Complex, dtype::$code), x, y, direction)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $to_complex(plan: c_int, x: u64, y: u64) -> c_int {
            exec(stringify!($to_complex), plan, (Kind::ToComplex, dtype::$code), x, y, -1)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $to_real(plan: c_int, x: u64, y: u64) -> c_int {
            exec(stringify!($to_real), plan, (Kind::ToReal, dtype::$code), x, y, 1)
        }
    )*};
}

transforms! {
    cufftExecC2C cufftExecR2C cufftExecC2R COMPLEX64;
    cufftExecZ2Z cufftExecD2Z cufftExecZ2D COMPLEX128;
}
