//! Tables of a library's functions.
//!
//! In: names and types. Out: the functions' addresses, once the library is open; a library that lacks one of a table has none of it.

/// A function of an open library, by its name and its type; `None`: it is not there.
macro_rules! function {
    ($opened:expr, $name:literal, $kind:ty) => {{
        let found = $opened.symbol($name);
        if found.is_null() {
            None
        } else {
            // SAFETY: the library's function of this name has this type in every version from CUDA 12.0 on that has it.
            Some(unsafe { std::mem::transmute::<*mut std::ffi::c_void, $kind>(found) })
        }
    }};
}
pub(super) use function;

/// A table of functions that a library has for `float32`, `float64`, `complex64` and `complex128`, all of which take a handle first: `of` fills it,
/// and a method calls each for the dtype at this position.
macro_rules! functions_by_dtype {
    ($(#[$about:meta])* $table:ident;
     $( $field:ident = [$s:literal, $d:literal, $c:literal, $z:literal] ( $($argument:ident: $ty:ty),* $(,)? ); )*) => {
        $(#[$about])*
        pub(crate) struct $table {
            $( $field: [unsafe extern "C" fn(*mut std::ffi::c_void, $($ty),*) -> std::ffi::c_int; 4], )*
        }

        impl $table {
            pub(in $crate::libraries) fn of(opened: $crate::libraries::open::Opened) -> Option<$table> {
                Some($table {
                    $( $field: [
                        $crate::libraries::functions::function!(opened, $s, unsafe extern "C" fn(*mut std::ffi::c_void, $($ty),*) -> std::ffi::c_int)?,
                        $crate::libraries::functions::function!(opened, $d, unsafe extern "C" fn(*mut std::ffi::c_void, $($ty),*) -> std::ffi::c_int)?,
                        $crate::libraries::functions::function!(opened, $c, unsafe extern "C" fn(*mut std::ffi::c_void, $($ty),*) -> std::ffi::c_int)?,
                        $crate::libraries::functions::function!(opened, $z, unsafe extern "C" fn(*mut std::ffi::c_void, $($ty),*) -> std::ffi::c_int)?,
                    ], )*
                })
            }

            $(
                /// # Safety
                /// As the library's documentation of the function asks.
                #[allow(clippy::too_many_arguments)]
                pub(crate) unsafe fn $field(
                    &self,
                    (handle, dtype): (*mut std::ffi::c_void, usize),
                    $($argument: $ty),*
                ) -> $crate::error::Result<()> {
                    const NAMES: [&std::ffi::CStr; 4] = [$s, $d, $c, $z];
                    // SAFETY: passed on to the caller.
                    let code = unsafe { (self.$field[dtype])(handle, $($argument),*) };
                    if code == 0 { Ok(()) } else { checked(&NAMES[dtype].to_string_lossy(), code) }
                }
            )*
        }
    };
}
pub(super) use functions_by_dtype;
