//! The order between a call on a device and the libraries that its arguments come from.

use cudarc::driver::sys;
use numptx_abi::Argument;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::{order, order_after};
use crate::placement::{argument_device, is_addressable};
use crate::stream::{Stream, is_captured};

/// The streams of the device arguments' producers.
fn producers(arguments: &[Argument]) -> impl Iterator<Item = sys::CUstream> {
    let of_devices = arguments.iter().filter(|a| argument_device(a).is_some_and(|d| d >= 0));
    of_devices.map(|a| a.stream.cast()).filter(|stream: &sys::CUstream| !stream.is_null())
}

/// Refuses arguments that a GPU cannot address.
#[inline]
pub(crate) fn check_addressable(arguments: &[Argument]) -> Result<()> {
    match arguments.iter().position(|argument| !is_addressable(argument)) {
        None => Ok(()),
        Some(k) => Err(Error::value(format!(
            "argument {} has elements that are not aligned to their size, which a GPU cannot address; copy it first, or compute on the CPU",
            k + 1
        ))),
    }
}

/// Orders the call after the arguments' producers.
pub(crate) fn order_after_producers(device: &'static Device, arguments: &[Argument], stream: &Stream) -> Result<()> {
    for producer in producers(arguments) {
        order(device, stream.handle(), producer)?;
    }
    Ok(())
}

/// Orders the producers' later work after the call: they may write to their arrays, or free them, as soon as it returns.
pub(crate) fn order_producers_after(device: &'static Device, arguments: &[Argument], stream: &Stream) -> Result<()> {
    for producer in producers(arguments).filter(|producer| *producer != stream.handle()) {
        if !is_captured(device.driver, producer)? {
            order_after(device, producer, &stream.noted())?;
        }
    }
    Ok(())
}
