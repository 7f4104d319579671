//! A `build.rs` that takes its file, its module's name and a processor from the command line: what the tests run.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, name, cpu] = arguments.as_slice() else {
        eprintln!("usage: script FILE NAME CPU");
        std::process::exit(2);
    };
    numptx_build::Build::new(file).cpu(cpu).compile(name);
}
