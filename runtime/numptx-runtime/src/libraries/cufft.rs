//! cuFFT: Fourier transforms on a GPU, in the order of a stream.
//!
//! In: how rows lie. Out: their transforms are queued. Plans are kept for the next transform of the same rows, [`KEPT`] a device, and belong to one thread
//! while they are used. Their working memory comes from the stream's pool at each use. What a graph captured refers to its plan, which the graph keeps.
//! Source: NVIDIA, «cuFFT», chapters 2.6 (advanced data layout) and 3.

use std::ffi::{c_int, c_longlong, c_void};
use std::sync::Mutex;

use cudarc::driver::sys::CUstream;

use super::functions::function;
use super::open::{Library, Opened};
use super::status::Statuses;
use crate::buffer::BufferRef;
use crate::call::CallState;
use crate::device::{Device, MAX_DEVICES};
use crate::driver::opened;
use crate::error::{Error, Result};
use crate::first_use::FirstUse;
use crate::lock::lock;
use crate::waits;

pub(super) const LIBRARY: Library = Library {
    file: "libcufft.so",
    versions: [12, 11],
    folders: &["nvidia/cufft/lib", "nvidia/cu13/lib", "nvidia/cu12/lib"],
    symbol: c"cufftCreate",
    needs: &[],
};

/// Plans of a device that nobody uses now, at most.
const KEPT: usize = 16;

type Create = unsafe extern "C" fn(*mut c_int) -> c_int;
type Destroy = unsafe extern "C" fn(c_int) -> c_int;
type SetAutoAllocation = unsafe extern "C" fn(c_int, c_int) -> c_int;
type SetStream = unsafe extern "C" fn(c_int, CUstream) -> c_int;
type SetWorkArea = unsafe extern "C" fn(c_int, *mut c_void) -> c_int;
type MakePlan = unsafe extern "C" fn(
    c_int,
    c_int,
    *mut c_longlong,
    *mut c_longlong,
    c_longlong,
    c_longlong,
    *mut c_longlong,
    c_longlong,
    c_longlong,
    c_int,
    c_longlong,
    *mut usize,
) -> c_int;
/// Complex to complex, the last argument is the direction.
type Turn = unsafe extern "C" fn(c_int, *mut c_void, *mut c_void, c_int) -> c_int;
/// Real to complex, or back.
type Change = unsafe extern "C" fn(c_int, *mut c_void, *mut c_void) -> c_int;

struct Cufft {
    create: Create,
    destroy: Destroy,
    set_auto_allocation: SetAutoAllocation,
    set_stream: SetStream,
    set_work_area: SetWorkArea,
    make_plan: MakePlan,
    /// Of single and of double precision, as the next two.
    turn: [Turn; 2],
    to_complex: [Change; 2],
    to_real: [Change; 2],
}

static CUFFT: FirstUse<Option<Cufft>> = FirstUse::new();

/// Whether it was looked for: what that costs is behind.
pub(crate) fn is_known() -> bool {
    CUFFT.get().is_some()
}

/// What is transformed into what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Complex,
    RealToComplex,
    ComplexToReal,
}

/// How the elements of one side lie: those of a transform in steps along its last axis, in blocks of so many along the others, and those of the next
/// transform so many elements further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) embedded: [i64; 3],
    pub(crate) step: i64,
    pub(crate) each: i64,
}

/// All that a plan is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) kind: Kind,
    pub(crate) is_double: bool,
    /// One to three.
    pub(crate) rank: usize,
    pub(crate) lengths: [i64; 3],
    pub(crate) input: Side,
    pub(crate) output: Side,
    pub(crate) count: i64,
}

/// A plan. Destroyed when dropped, which waits for the device.
pub(crate) struct Plan {
    key: Key,
    handle: c_int,
    work_bytes: usize,
    library: &'static Cufft,
    device: &'static Device,
}

impl Drop for Plan {
    fn drop(&mut self) {
        if let (Some(_), Ok(_context)) = (opened(), self.device.enter()) {
            waits::before();
            // SAFETY: ours, and nobody uses it any more.
            let _ = unsafe { (self.library.destroy)(self.handle) };
        }
    }
}

/// Plans that nobody uses now, the one that was used last at the end.
static PLANS: [Mutex<Vec<Plan>>; MAX_DEVICES] = [const { Mutex::new(Vec::new()) }; MAX_DEVICES];

fn plans(device: &Device) -> &'static Mutex<Vec<Plan>> {
    &PLANS[usize::try_from(device.ordinal).unwrap_or(0)]
}

/// The library, for transforms of a call on the device.
pub(crate) struct Transforms<'a> {
    library: &'static Cufft,
    call: &'a CallState,
    device: &'static Device,
}

/// `None`: cuFFT is not to be had.
pub(crate) fn transforms<'a>(call: &'a CallState, device: &'static Device) -> Option<Transforms<'a>> {
    let Ok(library) =
        CUFFT.get_or_make(|| Ok::<_, std::convert::Infallible>(LIBRARY.open(device.driver).and_then(Cufft::of)));
    library.as_ref().map(|library| Transforms { library, call, device })
}

impl Transforms<'_> {
    /// Queues transforms of the same plan: of the elements that begin at each first address to those at the second one.
    ///
    /// # Safety
    /// What the plan reads and writes from there lies in the device's memory and is the call's to use. The device's context is current.
    pub(crate) unsafe fn queue(
        &self,
        key: &Key,
        is_inverse: bool,
        firsts: impl Iterator<Item = [*mut c_void; 2]>,
    ) -> Result<()> {
        let plan = self.plan(key)?;
        // SAFETY: as the caller promises.
        let done = unsafe { self.run(&plan, is_inverse, firsts) };
        self.give_back(plan);
        done
    }

    /// # Safety
    /// As [`Transforms::queue`].
    unsafe fn run(&self, plan: &Plan, is_inverse: bool, firsts: impl Iterator<Item = [*mut c_void; 2]>) -> Result<()> {
        let (handle, precision) = (plan.handle, usize::from(plan.key.is_double));
        let workspace: BufferRef = self.call.alloc(plan.work_bytes as i64)?;
        // SAFETY: the plan is this thread's now, and the stream the call's; the memory lives until the stream has done this.
        unsafe {
            checked("cufftSetStream", (self.library.set_stream)(handle, self.call.stream.handle()))?;
            if plan.work_bytes != 0 {
                checked("cufftSetWorkArea", (self.library.set_work_area)(handle, workspace.data.cast()))?;
            }
        }
        for [input, output] in firsts {
            // SAFETY: as the caller promises.
            let code = unsafe {
                match plan.key.kind {
                    Kind::Complex => {
                        (self.library.turn[precision])(handle, input, output, if is_inverse { 1 } else { -1 })
                    }
                    Kind::RealToComplex => (self.library.to_complex[precision])(handle, input, output),
                    Kind::ComplexToReal => (self.library.to_real[precision])(handle, input, output),
                }
            };
            checked("cufftExec", code)?;
        }
        Ok(())
    }

    /// A plan that nobody else uses: the graph's own, where the call is captured, else one that is kept, else a new one.
    fn plan(&self, key: &Key) -> Result<Plan> {
        if let Some(recording) = &self.call.recording
            && let Some(plan) = recording.take_plan(key)
        {
            return Ok(plan);
        }
        let kept = {
            let mut plans = lock(plans(self.device));
            let found = plans.iter().position(|plan| plan.key == *key);
            found.map(|position| plans.remove(position))
        };
        match kept.map_or_else(|| self.made(key), |plan| Ok(Ok(plan)))? {
            Ok(plan) => Ok(plan),
            // Plans have memory of their own.
            Err(lacking) => {
                let others = std::mem::take(&mut *lock(plans(self.device)));
                if others.is_empty() {
                    return Err(lacking);
                }
                drop(others);
                self.made(key)?
            }
        }
    }

    /// A new plan, or that there is no memory for it.
    fn made(&self, key: &Key) -> Result<std::result::Result<Plan, Error>> {
        waits::before();
        let mut handle = 0;
        // SAFETY: writes to a local.
        checked("cufftCreate", unsafe { (self.library.create)(&mut handle) })?;
        let mut plan = Plan { key: *key, handle, work_bytes: 0, library: self.library, device: self.device };
        let (mut lengths, mut input, mut output) = (key.lengths, key.input, key.output);
        // SAFETY: the plan is ours; the arrays are locals with as many numbers as the transform has axes.
        let done = unsafe {
            checked("cufftSetAutoAllocation", (self.library.set_auto_allocation)(handle, 0)).and_then(|()| {
                let code = (self.library.make_plan)(
                    handle,
                    key.rank as c_int,
                    lengths.as_mut_ptr(),
                    input.embedded.as_mut_ptr(),
                    input.step,
                    input.each,
                    output.embedded.as_mut_ptr(),
                    output.step,
                    output.each,
                    code_of(key),
                    key.count,
                    &mut plan.work_bytes,
                );
                checked("cufftMakePlanMany64", code)
            })
        };
        match done {
            Ok(()) => Ok(Ok(plan)),
            Err(error) if error.kind() == numptx_abi::error_kind::MEMORY => Ok(Err(error)),
            Err(error) => Err(error),
        }
    }

    /// Keeps a plan for the next transform.
    fn give_back(&self, plan: Plan) {
        if let Some(recording) = &self.call.recording {
            return recording.keep_plan(plan);
        }
        let surplus = {
            let mut plans = lock(plans(self.device));
            plans.push(plan);
            (plans.len() > KEPT).then(|| plans.remove(0))
        };
        drop(surplus);
    }
}

impl Plan {
    pub(crate) fn is_of(&self, key: &Key) -> bool {
        self.key == *key
    }
}

/// The library's code of what is transformed.
fn code_of(key: &Key) -> c_int {
    match (key.kind, key.is_double) {
        (Kind::Complex, false) => 0x29,
        (Kind::RealToComplex, false) => 0x2a,
        (Kind::ComplexToReal, false) => 0x2c,
        (Kind::Complex, true) => 0x69,
        (Kind::RealToComplex, true) => 0x6a,
        (Kind::ComplexToReal, true) => 0x6c,
    }
}

impl Cufft {
    fn of(opened: Opened) -> Option<Cufft> {
        Some(Cufft {
            create: function!(opened, c"cufftCreate", Create)?,
            destroy: function!(opened, c"cufftDestroy", Destroy)?,
            set_auto_allocation: function!(opened, c"cufftSetAutoAllocation", SetAutoAllocation)?,
            set_stream: function!(opened, c"cufftSetStream", SetStream)?,
            set_work_area: function!(opened, c"cufftSetWorkArea", SetWorkArea)?,
            make_plan: function!(opened, c"cufftMakePlanMany64", MakePlan)?,
            turn: [function!(opened, c"cufftExecC2C", Turn)?, function!(opened, c"cufftExecZ2Z", Turn)?],
            to_complex: [function!(opened, c"cufftExecR2C", Change)?, function!(opened, c"cufftExecD2Z", Change)?],
            to_real: [function!(opened, c"cufftExecC2R", Change)?, function!(opened, c"cufftExecZ2D", Change)?],
        })
    }
}

const STATUSES: Statuses = Statuses { library: "cuFFT", alloc_failed: 2 };

fn checked(call: &str, code: c_int) -> Result<()> {
    STATUSES.check(call, code)
}
