//! What the text that `numptx-build` writes begins with. It holds no `unsafe`: what of it must stand beside `ndarray`, whose version the program
//! chooses, comes from here, so that crates which forbid unsafe code can have it.

/// The version of what bindings call here; `numptx-build` of another one says so instead of leaving errors in its text to the compiler.
///
/// `bindings! { 1, "SYMBOL" }` makes a private module `numptx_support` for the library that exports `SYMBOL`.
#[macro_export]
macro_rules! bindings {
    (1, $symbol:tt) => {
        #[allow(dead_code, unused_imports)]
        mod numptx_support {
            use ::ndarray::{
                Array, ArrayView, ArrayViewMut, Axis, CowArray, Dimension, IxDyn, RawArrayView, ShapeBuilder,
            };
            pub(super) use $crate::{CallArgument, Complex, DeviceArray, DeviceArrayRef, DeviceCow, Error};
            use $crate::{Element, HostArray, HostCow, HostView, LinkedModule, ResultPlace, Results, abi};

            const _: () = assert!($crate::is_module_symbol($symbol), "the symbol is no module's");

            // SAFETY: symbols of this form are descriptors that the compiler makes.
            unsafe extern "C" {
                #[link_name = $symbol]
                static MODULE: abi::Module;
            }

            /// Calls an overload by its number.
            pub(super) fn call<'v, 'b, const N: usize, const R: usize>(
                number: (usize, usize),
                on_device: bool,
                arguments: [CallArgument<'v, 'b>; N],
            ) -> Result<Results<'v, 'b, R>, Error> {
                let place = if on_device { ResultPlace::Device } else { ResultPlace::Host };
                // SAFETY: a library that is linked in is there as long as the program.
                let module = unsafe { LinkedModule::new(&raw const MODULE) };
                module.call(number, place, arguments)
            }

            /// An array that the function reads.
            pub(super) fn read<'v, 'b, T: Element, D: Dimension>(
                array: ArrayView<'b, T, D>,
            ) -> Result<CallArgument<'v, 'b>, Error> {
                // SAFETY: the view may be read for `'b`.
                unsafe { CallArgument::host(array.as_ptr(), (array.shape(), array.strides()), false) }
            }

            /// An array that the function may write.
            pub(super) fn written<'v, 'b, T: Element, D: Dimension>(
                mut array: ArrayViewMut<'b, T, D>,
            ) -> Result<CallArgument<'v, 'b>, Error> {
                let data = array.as_mut_ptr();
                // SAFETY: the view, which nobody has any more, may be written for `'b`.
                unsafe { CallArgument::host(data, (array.shape(), array.strides()), true) }
            }

            fn too_large() -> Error {
                Error::new(abi::error_kind::VALUE, "the result has a shape that `ndarray` cannot hold")
            }

            /// A result that owns its elements.
            pub(super) fn owned<T: Element, D: Dimension, const R: usize>(
                results: &mut Results<'_, '_, R>,
            ) -> Result<Array<T, D>, Error> {
                into_array(results.host_array()?)
            }

            /// A result that may be a view of an argument.
            pub(super) fn cow<'v, T: Element, D: Dimension, const R: usize>(
                results: &mut Results<'v, '_, R>,
            ) -> Result<CowArray<'v, T, D>, Error> {
                match results.host_cow()? {
                    HostCow::View(view) => into_view(&view).map(CowArray::from).ok_or_else(too_large),
                    HostCow::Owned(array) => into_array(array).map(CowArray::from),
                }
            }

            fn into_array<T: Element, D: Dimension>(array: HostArray<T>) -> Result<Array<T, D>, Error> {
                let form = IxDyn(array.shape()).strides(forward(array.strides()));
                let turned = backward(array.strides());
                let array = Array::from_shape_vec(form, array.into_elements()).ok();
                let mut array = array.and_then(|array| array.into_dimensionality::<D>().ok()).ok_or_else(too_large)?;
                turned.into_iter().for_each(|axis| array.invert_axis(axis));
                Ok(array)
            }

            /// `None` where `ndarray` refuses: more than `isize::MAX` bytes, counted as if none overlapped.
            fn into_view<'v, T: Element, D: Dimension>(view: &HostView<'v, T>) -> Option<ArrayView<'v, T, D>> {
                let (shape, strides) = (view.shape(), view.strides());
                let all = shape.iter().filter(|n| **n != 0).try_fold(size_of::<T>(), |bytes, n| bytes.checked_mul(*n));
                all.filter(|bytes| *bytes <= isize::MAX as usize)?;
                // `ndarray` makes arrays of non-negative strides only: start at the other end of the axes that run backwards, and turn them round.
                let back: isize = shape.iter().zip(strides).map(|(n, s)| s.min(&0) * (*n as isize - 1)).sum();
                let form = IxDyn(shape).strides(forward(strides));
                // SAFETY: elements of an argument that is borrowed for `'v`, the first of which in memory lies there.
                let array = unsafe { RawArrayView::from_shape_ptr(form, view.as_ptr().offset(back)).deref_into_view() };
                let mut array: ArrayView<'v, T, IxDyn> = array;
                backward(strides).into_iter().for_each(|axis| array.invert_axis(axis));
                array.into_dimensionality::<D>().ok()
            }

            fn forward(strides: &[isize]) -> IxDyn {
                let mut steps = IxDyn::zeros(strides.len());
                for (step, stride) in steps.slice_mut().iter_mut().zip(strides) {
                    *step = stride.unsigned_abs();
                }
                steps
            }

            fn backward(strides: &[isize]) -> ::std::vec::Vec<Axis> {
                strides.iter().enumerate().filter(|(_, s)| **s < 0).map(|(axis, _)| Axis(axis)).collect()
            }
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!("these bindings were made by another version of numptx-build than numptx-runtime's");
    };
}

/// Whether a symbol has the form of a generated library's descriptor: `numptx.MODULE.HASH.descriptor`.
pub const fn is_module_symbol(symbol: &str) -> bool {
    const PREFIX: &[u8] = b"numptx.";
    const SUFFIX: &[u8] = b".descriptor";
    let bytes = symbol.as_bytes();
    bytes.len() > PREFIX.len() + SUFFIX.len()
        && stands_at(bytes, 0, PREFIX)
        && stands_at(bytes, bytes.len() - SUFFIX.len(), SUFFIX)
}

const fn stands_at(bytes: &[u8], start: usize, part: &[u8]) -> bool {
    let mut at = 0;
    while at < part.len() {
        if bytes[start + at] != part[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_module_symbol;

    #[test]
    fn only_descriptors_are_taken_for_modules() {
        assert!(is_module_symbol("numptx.kernels.0123456789abcdef.descriptor"));
        for symbol in [
            "",
            "environ",
            "numptx_runtime_table",
            ".descriptor",
            "numptx.descriptor",
            "numptx_module_kernels_0123456789abcdef",
            "numptx.kernels.0123456789abcdef.images",
        ] {
            assert!(!is_module_symbol(symbol), "{symbol}");
        }
    }
}
