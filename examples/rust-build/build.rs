fn main() {
    numptx_build::Build::new("src/kernels.py").compile("kernels");
}
