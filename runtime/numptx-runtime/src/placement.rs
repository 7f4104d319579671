//! Where a call computes.
//!
//! In: the call's options, its arguments' places, `NUMPTX_DEVICE`. Out: a device, or the CPU. Device arrays decide for themselves; host
//! arrays go to a GPU when told so, or when a cost model says that it wins. Without a GPU `auto` means the CPU, silently.

mod libraries;

use std::sync::OnceLock;

use numptx_abi::{Argument, InvokeOptions, Overload, Value, error_kind};

use crate::axes::byte_range;
use crate::buffer::Buffer;
use crate::call::place_name;
use crate::copy::itemsize;
use crate::device::{Device, device, known, misplaced};
use crate::driver;
use crate::error::{Error, Result};
use crate::image::{has_images, heaviest_work, runs_on};
use crate::pool::thread_count;
use crate::stream::Stream;

/// What `NUMPTX_DEVICE` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Auto,
    Cpu,
    Cuda(i32),
}

fn parse_wish(text: &str) -> Result<Wish> {
    let ordinal = text.strip_prefix("cuda").map(|rest| match rest.strip_prefix(':') {
        None if rest.is_empty() => Some(0),
        Some(digits) => digits.parse::<u16>().ok().filter(|_| !digits.starts_with('+')).map(i32::from),
        None => None,
    });
    match (text, ordinal) {
        ("" | "auto", _) => Ok(Wish::Auto),
        ("cpu", _) => Ok(Wish::Cpu),
        (_, Some(Some(ordinal))) => Ok(Wish::Cuda(ordinal)),
        _ => Err(Error::value(format!("NUMPTX_DEVICE is `{text}`; it may be auto, cpu, cuda or cuda:N"))),
    }
}

/// Read once, at the first call that needs it.
fn wish() -> Result<Wish> {
    static WISH: OnceLock<Result<Wish>> = OnceLock::new();
    WISH.get_or_init(|| parse_wish(&std::env::var("NUMPTX_DEVICE").unwrap_or_default())).clone()
}

/// Fails if an environment variable that calls heed is nothing that it may be.
fn check_wishes() -> Result<()> {
    static FOUND: OnceLock<Result<()>> = OnceLock::new();
    match FOUND.get_or_init(|| crate::launch::check_wish().and_then(|()| crate::replay::check_wish())) {
        Ok(()) => Ok(()),
        Err(error) => Err(error.clone()),
    }
}

/// Where an argument's elements lie: -1 the host; `None` if it is not an array with elements.
#[inline]
pub(crate) fn argument_device(argument: &Argument) -> Option<i32> {
    if argument.kind != Value::ARRAY {
        return None;
    }
    if argument.array.buffer.is_null() {
        return Some(argument.device);
    }
    // SAFETY: a binding passes live buffers.
    Some(unsafe { &*argument.array.buffer.cast::<Buffer>() }.device)
}

/// What one look at a call's arguments tells of where they lie.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// The device of the arrays that lie on one.
    pub(crate) device: Option<i32>,
    /// Whether there are arrays in host memory.
    pub(crate) has_host: bool,
    /// Whether there are arrays on the device that another library works with on another stream than the call's.
    pub(crate) has_producers: bool,
}

/// Looks at the arguments of a call on a stream. Arrays on two devices are an error.
#[inline]
pub(crate) fn places(arguments: &[Argument], stream: &Stream) -> Result<Places> {
    let mut places = Places { device: None, has_host: false, has_producers: false };
    for (i, argument) in arguments.iter().enumerate() {
        let Some(here) = argument_device(argument) else { continue };
        if here < 0 {
            places.has_host = true;
            continue;
        }
        places.has_producers |= !argument.stream.is_null() && argument.stream != stream.handle().cast();
        match places.device {
            None => places.device = Some(here),
            Some(other) if other == here => {}
            Some(other) => {
                return Err(misplaced(format!(
                    "argument {} lives on CUDA device {here}, another one on CUDA device {other}; move them to one device",
                    i + 1
                )));
            }
        }
    }
    Ok(places)
}

/// The device that a call computes on; `None` is the CPU.
pub(crate) fn place(
    overload: &Overload,
    arguments: &[Argument],
    places: &Places,
    options: &InvokeOptions,
) -> Result<Option<&'static Device>> {
    check_wishes()?;
    // A program looks at what is in a list on the host.
    if arguments.iter().any(holds_host_arrays) {
        return match places.device {
            None => Ok(None),
            Some(there) => Err(misplaced(format!(
                "an array in a list lives in host memory, another one on CUDA device {there}; pass all of them in host memory"
            ))),
        };
    }
    match (options.device, places.device) {
        (InvokeOptions::AUTO, Some(there)) => Ok(Some(found(there)?)),
        (InvokeOptions::AUTO, None) => place_host_arrays(overload, arguments, options),
        (asked, Some(there)) if asked != there => Err(misplaced(format!(
            "the call is to compute on {}, but an array lives on CUDA device {there}; move it first (to_host(), or numptx.asarray(…, device=…))",
            place_name(asked)
        ))),
        (asked, _) if asked < 0 => Ok(None),
        (asked, _) => Ok(Some(found(asked)?)),
    }
}

/// Whether an argument is a list, or a dictionary, of arrays in host memory.
fn holds_host_arrays(argument: &Argument) -> bool {
    if argument.kind != Value::OBJECT || argument.array.buffer.is_null() {
        return false;
    }
    // SAFETY: a binding passes live objects.
    crate::objects::holds_host_arrays(unsafe { &*argument.array.buffer.cast::<Buffer>() })
}

/// A device, which the call enters next.
#[inline]
fn found(ordinal: i32) -> Result<&'static Device> {
    known(ordinal).map_or_else(|| device(ordinal), Ok)
}

fn place_host_arrays(
    overload: &Overload,
    arguments: &[Argument],
    options: &InvokeOptions,
) -> Result<Option<&'static Device>> {
    match wish()? {
        Wish::Cpu => Ok(None),
        Wish::Cuda(ordinal) => Ok(Some(device(ordinal)?)),
        Wish::Auto if gpu_would_win(overload, arguments) => {
            announce_long_call(options)?;
            // SAFETY: descriptors live as long as their library; overloads made by hand may have no module.
            let module = unsafe { overload.module.as_ref() };
            let suits = |device: &&Device| module.is_some_and(|module| runs_on(device, module));
            Ok(device(0).ok().filter(suits).filter(|_| arguments.iter().all(is_addressable)))
        }
        Wish::Auto => Ok(None),
    }
}

/// Asks the caller once before a driver is opened, an image loaded and memory copied, all of which takes long: bindings let their locks go.
fn announce_long_call(options: &InvokeOptions) -> Result<()> {
    match options.interrupt {
        // SAFETY: the callback and its datum are the caller's, valid during the call, and this is the caller's thread.
        Some(ask) if unsafe { ask(options.interrupt_data) } != 0 => {
            Err(Error::new(error_kind::INTERRUPTED, "the call was interrupted"))
        }
        _ => Ok(()),
    }
}

/// Whether a GPU can address the argument's elements: whole elements apart, at whole elements.
#[inline]
pub(crate) fn is_addressable(argument: &Argument) -> bool {
    if argument.kind != Value::ARRAY {
        return true;
    }
    let Ok(size) = itemsize(argument.dtype) else { return false };
    let rank = (argument.array.rank as usize).min(numptx_abi::MAX_RANK);
    let (shape, strides) = (&argument.array.shape[..rank], &argument.array.strides[..rank]);
    are_addressable(argument.data.cast(), shape, strides, size)
}

/// Whether elements of a size lie whole elements apart, from a whole one on.
#[inline]
pub(crate) fn are_addressable(first: *const u8, shape: &[i64], strides: &[i64], size: i64) -> bool {
    // Elements have a power of two of bytes.
    let aligned = first.addr() as i64 & (size.min(8) - 1) == 0;
    let whole = |(extent, stride): (&i64, &i64)| *extent == 1 || stride & (size - 1) == 0;
    (aligned && shape.iter().zip(strides).all(whole)) || shape.contains(&0)
}

/// The cost model: time on the CPU against transfers there and back. The first use of a GPU starts its driver, which takes long.
fn gpu_would_win(overload: &Overload, arguments: &[Argument]) -> bool {
    const PAGEABLE_BYTES_PER_NS: f64 = 10.0;
    const CALL_NS: f64 = 100_000.0;
    const START_NS: f64 = 500_000_000.0;
    const NS_PER_OPERATION: f64 = 0.25;
    // SAFETY: descriptors live as long as their library; overloads made by hand may have no module.
    let Some(module) = unsafe { overload.module.as_ref() }.filter(|module| has_images(module)) else { return false };
    let work = if overload.work > 0 { overload.work } else { heaviest_work(module) };
    // Most calls are too short for a GPU, however few bytes they would move.
    let is_short = count(arguments) as f64 * f64::from(work) * NS_PER_OPERATION <= CALL_NS;
    if is_short && overload.libraries == 0 {
        return false;
    }
    let (mut elements, mut bytes) = (0.0f64, 0.0f64);
    for argument in arguments.iter().filter(|a| a.kind == Value::ARRAY) {
        let rank = (argument.array.rank as usize).min(numptx_abi::MAX_RANK);
        let shape = &argument.array.shape[..rank];
        let (low, high) = byte_range(shape, &argument.array.strides[..rank], itemsize(argument.dtype).unwrap_or(8));
        elements = elements.max(shape.iter().map(|e| *e as f64).product());
        bytes += (high - low) as f64;
    }
    let libraries = libraries::costs(overload.libraries, arguments);
    let cpu = elements * f64::from(work) * NS_PER_OPERATION / thread_count() as f64 + libraries.cpu;
    let result = elements * 8.0;
    let gpu = (bytes + result) / PAGEABLE_BYTES_PER_NS + CALL_NS + libraries.gpu;
    let start = if driver::is_open() { 0.0 } else { START_NS };
    cpu > 1.2 * gpu + start + libraries.start
}

/// Elements of the largest array.
fn count(arguments: &[Argument]) -> i64 {
    let arrays = arguments.iter().filter(|a| a.kind == Value::ARRAY);
    let sizes = arrays.map(|a| {
        let extents = &a.array.shape[..(a.array.rank as usize).min(numptx_abi::MAX_RANK)];
        extents.iter().fold(1i64, |n, e| n.saturating_mul(*e))
    });
    sizes.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_few() {
        assert_eq!(parse_wish(""), Ok(Wish::Auto));
        assert_eq!(parse_wish("cpu"), Ok(Wish::Cpu));
        assert_eq!(parse_wish("cuda"), Ok(Wish::Cuda(0)));
        assert_eq!(parse_wish("cuda:3"), Ok(Wish::Cuda(3)));
        for wrong in ["gpu", "cuda:", "cuda:-1", "cuda:+1", "cudax"] {
            assert!(parse_wish(wrong).is_err_and(|e| e.message().contains("cuda:N")), "{wrong}");
        }
    }
}
