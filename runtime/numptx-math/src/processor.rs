//! Functions in two versions, of which the processor's is called: one for what every x86-64 has, one for AVX2.
//!
//! Compiled code of crates is for the former, where loops over elements take two at a time.

/// `fn name(arguments) -> result = inlined;` defines `name`, which calls a version of `inlined`: a function that is always inlined.
macro_rules! for_processor {
    ($(#[$doc: meta])* $vis: vis fn $name: ident<$t: ident>($($argument: ident: $type: ty),* $(,)?) -> $out: ty = $inlined: ident) => {
        $(#[$doc])*
        $vis fn $name<$t: $crate::element::Element>($($argument: $type),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide<$t: $crate::element::Element>($($argument: $type),*) -> $out {
                    $inlined($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has what it is compiled for.
                    return unsafe { wide($($argument),*) };
                }
            }
            $inlined($($argument),*)
        }
    };
}

pub(crate) use for_processor;
