//! Libraries that are opened while a program runs find the sanitizer and the counters of coverage in it.

fn main() {
    for symbols in ["__asan_*", "__sanitizer_*", "__sancov_*"] {
        println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic-symbol={symbols}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
