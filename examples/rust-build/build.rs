fn main() {
    numptx_build::Build::new("src/kernels.py").compile("kernels");
    numptx_build::Build::new("src/types.py").cpu("x86-64-v3").compile("types");
}
