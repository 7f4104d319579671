//! Calls as Rust makes them, of modules that are linked in: safe functions, whatever the descriptor says.

use std::ffi::c_void;

use arbitrary::{Arbitrary, Result, Unstructured};
use numptx_abi::Parameter;
use numptx_runtime::{
    CallArgument, Complex, Device, DeviceArray, Element, Float16, HostCow, LinkedModule, ResultPlace, Results,
};

use crate::entry;
use crate::library::Library;
use numptx_fuzz_targets::memory::{checksum, elements};
use numptx_fuzz_targets::odd::{Odd, few};

#[derive(Debug)]
pub struct CallFacts {
    place: (Odd<u16>, Odd<u8>, u8, u8),
    is_on_device: bool,
    arguments: Vec<ArgumentFacts>,
    n_arguments: Odd<u8>,
    n_results: Odd<u8>,
    ways: Vec<(u8, u8)>,
}

#[derive(Clone, Copy, Debug, Arbitrary)]
struct ArgumentFacts {
    fits: Odd<bool>,
    dtype: u8,
    way: u8,
    extents: [u8; 3],
    is_read_only: bool,
    is_reversed: bool,
}

impl<'a> Arbitrary<'a> for CallFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(CallFacts {
            place: u.arbitrary()?,
            is_on_device: u.arbitrary()?,
            arguments: few(u, 4)?,
            n_arguments: u.arbitrary()?,
            n_results: u.arbitrary()?,
            ways: few(u, 4)?,
        })
    }
}

/// Runs something with the type of a dtype's code.
macro_rules! with_type {
    ($code:expr, $run:ident ( $($argument:expr),* )) => {
        with_type!($code, $run ( $($argument),* ; ))
    };
    ($code:expr, $run:ident ( $($argument:expr),* ; $($more:ident)? )) => {
        match $code % 14 {
            0 => $run::<bool $(, $more)?>($($argument),*),
            1 => $run::<i8 $(, $more)?>($($argument),*),
            2 => $run::<i16 $(, $more)?>($($argument),*),
            3 => $run::<i32 $(, $more)?>($($argument),*),
            4 => $run::<i64 $(, $more)?>($($argument),*),
            5 => $run::<u8 $(, $more)?>($($argument),*),
            6 => $run::<u16 $(, $more)?>($($argument),*),
            7 => $run::<u32 $(, $more)?>($($argument),*),
            8 => $run::<u64 $(, $more)?>($($argument),*),
            9 => $run::<f32 $(, $more)?>($($argument),*),
            10 => $run::<f64 $(, $more)?>($($argument),*),
            11 => $run::<Complex<f32> $(, $more)?>($($argument),*),
            12 => $run::<Complex<f64> $(, $more)?>($($argument),*),
            _ => $run::<Float16 $(, $more)?>($($argument),*),
        }
    };
}

/// What an argument borrows.
struct Held {
    host: Vec<u128>,
    code: u8,
    way: u8,
    shape: Vec<usize>,
    is_written: bool,
    is_reversed: bool,
    array: *mut c_void,
    drop: fn(*mut c_void),
}

impl Drop for Held {
    fn drop(&mut self) {
        (self.drop)(self.array);
    }
}

pub fn call(library: &Library, facts: &CallFacts) {
    let (function, overload, a, b) = facts.place;
    let function = usize::from(function.or(u16::from(a) % library.functions.len().max(1) as u16));
    let parts = library.functions.get(function);
    let n_overloads = parts.map_or(1, |parts| parts.overloads.len().max(1));
    let overload = usize::from(overload.or(b % n_overloads as u8));
    let parts = parts.and_then(|parts| parts.overloads.get(overload));
    let nodes: Vec<&Parameter> = parts.map_or(Vec::new(), |parts| parts.leaves().collect());
    let n = usize::from(facts.n_arguments.or(nodes.len() as u8)).min(4);
    let mut held: Vec<Held> =
        (0..n).zip(facts.arguments.iter().cycle()).map(|(k, facts)| facts.held(nodes.get(k).copied())).collect();
    if held.len() < n {
        return;
    }
    if let Some(parts) = parts {
        entry::tell(parts);
    }
    // SAFETY: the descriptor's lists are as long as their counts, and nobody binds it after this program's end of it.
    let module = unsafe { LinkedModule::new(library.descriptor()) };
    let place = if facts.is_on_device { ResultPlace::Device } else { ResultPlace::Host };
    let n_results = usize::from(facts.n_results.or(parts.map_or(0, |parts| parts.n_results as u8))).min(3);
    let number = (function, overload);
    match n {
        0 => with_results::<0>(module, number, place, &mut held, n_results, &facts.ways),
        1 => with_results::<1>(module, number, place, &mut held, n_results, &facts.ways),
        2 => with_results::<2>(module, number, place, &mut held, n_results, &facts.ways),
        3 => with_results::<3>(module, number, place, &mut held, n_results, &facts.ways),
        _ => with_results::<4>(module, number, place, &mut held, n_results, &facts.ways),
    }
    let told = entry::told();
    assert!(told.n_calls <= 1 && (told.n_calls == 0 || library.is_right()));
}

fn with_results<const N: usize>(
    module: LinkedModule,
    number: (usize, usize),
    place: ResultPlace,
    held: &mut [Held],
    n_results: usize,
    ways: &[(u8, u8)],
) {
    match n_results {
        0 => run::<N, 0>(module, number, place, held, ways),
        1 => run::<N, 1>(module, number, place, held, ways),
        2 => run::<N, 2>(module, number, place, held, ways),
        _ => run::<N, 3>(module, number, place, held, ways),
    }
}

fn run<const N: usize, const R: usize>(
    module: LinkedModule,
    number: (usize, usize),
    place: ResultPlace,
    held: &mut [Held],
    ways: &[(u8, u8)],
) {
    let mut all = held.iter_mut();
    let arguments: [CallArgument<'_, '_>; N] =
        std::array::from_fn(|_| argument(all.next().expect("there are so many arguments")));
    match module.call::<N, R>(number, place, arguments) {
        Ok(mut results) => ways.iter().for_each(|(way, code)| with_type!(*code, take(&mut results, *way; R))),
        Err(error) => assert!(!error.message().is_empty() || error.kind() != 0),
    }
}

/// Takes the next result, as whatever it is asked to be, and looks at all its elements.
fn take<T: Element, const R: usize>(results: &mut Results<'_, '_, R>, way: u8) {
    let mut sum = 0u64;
    let mut look = |element: T| sum ^= element.words()[0];
    match way % 6 {
        0 => results.scalar::<T>().into_iter().for_each(&mut look),
        1 => results.element::<T>().into_iter().for_each(&mut look),
        2 => results.host_array::<T>().into_iter().flat_map(|array| array.into_elements()).for_each(&mut look),
        3 => match results.host_cow::<T>() {
            Ok(HostCow::Owned(array)) => array.into_elements().into_iter().for_each(&mut look),
            Ok(HostCow::View(view)) => {
                let shape: Vec<i64> = view.shape().iter().map(|extent| *extent as i64).collect();
                let strides: Vec<i128> = view.strides().iter().map(|s| *s as i128 * size_of::<T>() as i128).collect();
                // SAFETY: the argument that it views is borrowed.
                sum ^= checksum(&unsafe { elements(view.as_ptr().cast(), &shape, &strides, size_of::<T>()) });
            }
            Err(_) => {}
        },
        4 => results.device_array::<T>().and_then(|array| array.to_vec()).into_iter().flatten().for_each(&mut look),
        _ => results.device_cow::<T>().and_then(|array| array.to_vec()).into_iter().flatten().for_each(&mut look),
    }
    std::hint::black_box(sum);
}

/// An argument over what is held.
fn argument(held: &mut Held) -> CallArgument<'_, '_> {
    let is_kept = held.way & 4 != 0;
    let made = with_type!(held.code, shown(held));
    if is_kept { made.kept() } else { made }
}

fn shown<T: Element>(held: &mut Held) -> CallArgument<'_, '_> {
    match held.way % 4 {
        0 => CallArgument::scalar(T::from_words([held.code.into(), 1])),
        1 => {
            // SAFETY: made of the same type, and nobody else's.
            let array = unsafe { &mut *held.array.cast::<DeviceArray<T>>() };
            if held.is_written { CallArgument::written_array(array) } else { CallArgument::array(array) }
        }
        _ => {
            let mut strides = vec![0isize; held.shape.len()];
            let mut step = 1;
            for axis in (0..strides.len()).rev() {
                strides[axis] = step;
                step *= held.shape[axis] as isize;
            }
            let mut first = held.host.as_mut_ptr().cast::<T>().cast_const();
            if held.is_reversed && step > 0 {
                first = first.wrapping_add(step as usize - 1);
                strides.iter_mut().for_each(|stride| *stride = -*stride);
            }
            // SAFETY: the vector holds all elements, any bits of which are values as compiled code takes them; it is borrowed for writing.
            unsafe { CallArgument::host(first, (&held.shape, &strides), held.is_written) }.expect("few axes")
        }
    }
}

impl ArgumentFacts {
    fn held(&self, node: Option<&Parameter>) -> Held {
        let node = node.filter(|_| self.fits.or(true));
        let code = node.map_or(self.dtype, |node| node.dtype) % 14;
        let is_scalar = node.map_or(self.way & 8 != 0, |node| node.kind == Parameter::SCALAR);
        let way = if is_scalar { self.way & 4 } else { self.way & 4 | 1 + (self.way >> 4) % 2 };
        let rank = node.map_or(usize::from(self.dtype % 4), |node| usize::from(node.rank)).min(6);
        let shape: Vec<usize> = (0..rank).map(|axis| extent(node, axis, self.extents[axis % 3])).collect();
        let n = shape.iter().product::<usize>();
        let (array, drop) = with_type!(code, owned(&shape, n));
        let host = vec![0x0101_0101_0101_0101_0101_0101_0101_0101; n.max(1)];
        Held { host, code, way, shape, is_written: !self.is_read_only, is_reversed: self.is_reversed, array, drop }
    }
}

fn extent(node: Option<&Parameter>, axis: usize, own: u8) -> usize {
    let fixed = node.filter(|node| !node.extents.is_null() && axis < usize::from(node.rank));
    // SAFETY: a list of extents is as long as the rank.
    let wanted = fixed.map_or(-1, |node| unsafe { *node.extents.add(axis) });
    if (0..5).contains(&wanted) { wanted as usize } else { usize::from(own % 4) }
}

/// An array of the runtime, and what drops it.
fn owned<T: Element>(shape: &[usize], n: usize) -> (*mut c_void, fn(*mut c_void)) {
    let elements = vec![T::from_words([1, 1]); n];
    let array = DeviceArray::from_slice(Device::Cpu, shape, &elements).expect("memory is there");
    let drop = |array: *mut c_void| {
        // SAFETY: boxed below, of this type, and dropped once.
        drop(unsafe { Box::from_raw(array.cast::<DeviceArray<T>>()) });
    };
    (Box::into_raw(Box::new(array)).cast(), drop)
}
