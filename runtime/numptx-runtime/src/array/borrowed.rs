//! Arrays that may be views of others.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use super::{DeviceArray, DeviceArrayRef, Element};
use crate::error::Result;

/// An array that a function gave back: a view of an argument, which stays borrowed for `'a`, or an array of its own.
///
/// ```compile_fail,E0502
/// # use numptx_runtime::{Device, DeviceArray, DeviceArrayRef, DeviceCow};
/// # fn window_on_device<'a>(x: &'a DeviceArrayRef<f64>) -> DeviceCow<'a, f64> { panic!() }
/// # fn scale_on_device(x: &mut DeviceArray<f64>) {}
/// let mut x = DeviceArray::from_slice(Device::Cpu, &[2], &[1.0, 2.0]).unwrap();
/// let window = window_on_device(&x);
/// scale_on_device(&mut x); // what `window` shows would change
/// window.to_vec();
/// ```
pub enum DeviceCow<'a, T: Element> {
    /// A view of an argument.
    View(DeviceView<'a, T>),
    /// An array of its own.
    Owned(DeviceArray<T>),
}

/// A view of an array that is borrowed for `'a`.
pub struct DeviceView<'a, T: Element> {
    elements: DeviceArrayRef<T>,
    borrowed: PhantomData<&'a DeviceArrayRef<T>>,
}

impl<T: Element> DeviceView<'_, T> {
    /// # Safety
    /// The buffer stays alive, and its elements stay as they are, as long as the view lives.
    pub(crate) unsafe fn new(elements: DeviceArrayRef<T>) -> Self {
        DeviceView { elements, borrowed: PhantomData }
    }
}

impl<T: Element> Deref for DeviceView<'_, T> {
    type Target = DeviceArrayRef<T>;

    fn deref(&self) -> &DeviceArrayRef<T> {
        &self.elements
    }
}

impl<T: Element> Deref for DeviceCow<'_, T> {
    type Target = DeviceArrayRef<T>;

    fn deref(&self) -> &DeviceArrayRef<T> {
        match self {
            DeviceCow::View(view) => view,
            DeviceCow::Owned(array) => array,
        }
    }
}

impl<T: Element> fmt::Debug for DeviceView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(f)
    }
}

impl<T: Element> fmt::Debug for DeviceCow<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Element> DeviceCow<'_, T> {
    /// Whether it shares an argument's memory.
    pub fn is_view(&self) -> bool {
        matches!(self, DeviceCow::View(_))
    }

    /// The array itself, or a copy of what a view shows.
    pub fn into_owned(self) -> Result<DeviceArray<T>> {
        match self {
            DeviceCow::View(view) => view.copy(),
            DeviceCow::Owned(array) => Ok(array),
        }
    }
}
