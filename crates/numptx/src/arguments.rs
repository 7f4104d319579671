//! What may be written on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use numptx_driver::{ARRAY_PASSES, DeviceTarget, HostLevels, Stage, optional_passes, strategies};

/// Compile typed NumPy code to shared libraries for CPUs and NVIDIA GPUs.
#[derive(Debug, Parser)]
#[command(name = "numptx", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile Python files: each gives NAME.so, NAME.ptx, NAME.pyi and NAME.h.
    Compile(CompileArguments),
    /// Report what would be refused, without writing anything.
    Check(CheckArguments),
    /// Link PTX, relocatable cubins and LTO-IR to one cubin, with NVIDIA's nvJitLink and without a GPU.
    Link(LinkArguments),
    /// Compile a Python file for a Rust program: NAME.rs and a static library. `numptx-build` runs this in a build.rs.
    Rust(RustArguments),
    /// List the functions of NumPy: those that are compiled, and what to write instead of others.
    Functions(FunctionsArguments),
    /// Explain a code such as NPX0214, with a program that works.
    Explain(ExplainArguments),
    /// Show versions, and the tools and devices that are found.
    Info,
    /// Print what a C compiler has to be told, for example `cc main.c kernels.so $(numptx config --cflags --libs)`.
    Config(ConfigArguments),
}

/// `numptx compile`
#[derive(Debug, Args)]
pub struct CompileArguments {
    /// Python files (dumps named *.array and *.kernel go on where they were taken).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Where to write; without it, beside each file.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// GPU architectures to tune for, besides the portable image: sm_80,sm_90.
    #[arg(long, value_name = "SM", value_delimiter = ',', value_parser = architecture)]
    pub arch: Vec<DeviceTarget>,

    /// Write the machine code for each --arch beside the PTX, too: NAME.sm_90.cubin. It takes ptxas or nvJitLink.
    #[arg(long, requires = "arch", conflicts_with = "host_only")]
    pub cubin: bool,

    /// The processors to make host code for: all from x86-64-v2 on, the one that compiles, or all from a level on.
    #[arg(long, value_name = "CPU", default_value = HostLevels::NAMES[0], value_parser = HostLevels::NAMES)]
    pub cpu: String,

    /// Show a stage instead of writing the library, and end there: syntax, array, array@PASS, schedule, kernel, llvm, ptx. With -o it goes to
    /// DIR/NAME.STAGE.
    #[arg(long, value_name = "STAGE[@PASS]")]
    pub emit: Vec<Emit>,

    /// Run only the first N optional passes: for finding the pass that breaks a program.
    #[arg(long, value_name = "N")]
    pub pass_limit: Option<usize>,

    /// Make a version that nobody would choose: tests compare it with the others.
    #[arg(long, value_name = "VERSION", value_delimiter = ',', hide = true)]
    pub force: Vec<Force>,

    /// Leave out optional passes, by name.
    #[arg(long, value_name = "PASS", value_delimiter = ',', value_parser = optional_passes(), hide = true)]
    pub without: Vec<String>,

    /// Run loops by one strategy, and those for which it has no kernels on the host.
    #[arg(long, value_name = "STRATEGY", value_parser = strategies(), hide = true)]
    pub choose: Option<String>,

    /// Say of each loop what it became, and why it is not parallel.
    #[arg(long)]
    pub explain_loops: bool,

    /// Write what was done with each loop and expression: a page (*.html), or JSON (*.json, or `-` for standard output).
    #[arg(long, value_name = "FILE")]
    pub report: Vec<PathBuf>,

    /// Show how long each pass and each part took.
    #[arg(long)]
    pub time_passes: bool,

    /// Make the PTX only.
    #[arg(long, conflicts_with = "host_only")]
    pub device_only: bool,

    /// Make a library that runs on the CPU only.
    #[arg(long)]
    pub host_only: bool,

    /// Make NAME.a, a part of the C or Rust program that it is linked into, and not NAME.so.
    #[arg(long = "static", conflicts_with = "device_only")]
    pub is_static: bool,

    /// Allow transformations that change values: reassociation, reciprocals, approximate functions, recurrences of floats as parallel scans.
    #[arg(long)]
    pub fast_math: bool,

    /// Contract `a * b + c` to a fused multiply-add (products, or fast if --fast-math is given).
    #[arg(long, value_name = "MODE")]
    pub fp_contract: Option<FpContract>,

    /// Add floats to elements of arrays on a GPU by atomic operations: faster, in an order that differs from run to run.
    #[arg(long)]
    pub fp_atomics: bool,
}

/// `numptx check`
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Python files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Say of each loop what it became, and why it is not parallel.
    #[arg(long)]
    pub explain_loops: bool,

    /// Allow transformations that change values, as `numptx compile --fast-math` does.
    #[arg(long)]
    pub fast_math: bool,
}

/// `numptx link`
#[derive(Debug, Args)]
pub struct LinkArguments {
    /// PTX, cubins that `ptxas -c` made, LTO-IR.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Where to write the cubin.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// The GPU architecture to link for; without it, the newest that the files are made for.
    #[arg(long, value_name = "SM")]
    pub arch: Option<String>,
}

/// `numptx config`
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(ArgGroup::new("told").required(true).multiple(true)))]
pub struct ConfigArguments {
    /// Flags that compile a C program.
    #[arg(long, group = "told")]
    pub cflags: bool,

    /// Flags that link a C program with the runtime, which is then found where it lies now.
    #[arg(long, group = "told")]
    pub libs: bool,

    /// The folder of numptx.h in the Python package, for build systems that take folders.
    #[arg(long, group = "told")]
    pub python_include: bool,

    /// The folder of numptx.pc, for PKG_CONFIG_PATH.
    #[arg(long, group = "told")]
    pub pkgconfigdir: bool,
}

/// `numptx rust`
#[derive(Debug, Args)]
pub struct RustArguments {
    /// The Python file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The module's name; without it, the file's.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Where to write. What a build script tells cargo goes to standard output.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// GPU architectures to tune for, besides the portable image: sm_80,sm_90.
    #[arg(long, value_name = "SM", value_delimiter = ',')]
    pub arch: Vec<String>,

    /// The processors to make host code for: all from x86-64-v2 on, the one that compiles, or all from a level on.
    #[arg(long, value_name = "CPU", default_value = HostLevels::NAMES[0])]
    pub cpu: String,

    /// The ABI version that the caller's runtime has.
    #[arg(long, value_name = "N", hide = true)]
    pub abi: Option<u32>,
}

/// `numptx functions`
#[derive(Debug, Args)]
pub struct FunctionsArguments {
    /// Only names that contain this.
    #[arg(conflicts_with = "json")]
    pub word: Option<String>,

    /// Print JSON: a list of objects with name, class, and more; refused functions with instead, excluded ones with reason.
    #[arg(long)]
    pub json: bool,
}

/// `numptx explain`
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The code; without it, all codes are listed.
    pub code: Option<String>,
}

/// Contraction of floating-point operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FpContract {
    /// Wherever the operands allow it.
    Fast,
    /// In the sums of products of `np.dot`, `np.matmul` and their like, as BLAS does.
    Products,
    /// Never: every operation rounds.
    Off,
}

/// What is forced; see `docs/testing.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Force {
    /// Calls take the version for arguments that may overlap.
    Mayalias,
    /// Stores copy every array that they read.
    Snapshots,
    /// Whether arrays overlap is asked when running.
    Late,
    /// Nothing is fused, and results are copied to where they belong.
    Unfused,
    /// Maps have strided variants only.
    Strided,
    /// Device indices of 32 bits have 8, and few threads make a block.
    Narrow,
}

/// A stage to show, after a pass or where it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emit {
    /// The stage.
    pub stage: Stage,
    /// The pass after which the array IR is shown.
    pub pass: Option<String>,
}

impl FromStr for Emit {
    type Err = String;

    fn from_str(text: &str) -> Result<Emit, String> {
        let (name, pass) = match text.split_once('@') {
            Some((name, pass)) => (name, Some(pass)),
            None => (text, None),
        };
        let Some(stage) = Stage::from_name(name) else {
            let names: Vec<&str> = Stage::ALL.iter().map(|s| s.name()).collect();
            return Err(format!("there is no stage `{name}`; there are {}", names.join(", ")));
        };
        if let Some(pass) = pass {
            let passes: Vec<&str> = pass_names();
            if !passes.contains(&pass) {
                return Err(format!("there is no pass `{pass}`; there are {}", passes.join(", ")));
            }
            if stage != Stage::Array {
                return Err(format!("passes run on the array IR: write `array@{pass}`"));
            }
        }
        Ok(Emit { stage, pass: pass.map(str::to_owned) })
    }
}

fn pass_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for pass in ARRAY_PASSES.iter().flat_map(|(_, passes)| passes.iter()) {
        if !names.contains(&pass.name) {
            names.push(pass.name);
        }
    }
    names
}

fn architecture(text: &str) -> Result<DeviceTarget, String> {
    let digits = text.strip_prefix("sm_").unwrap_or(text);
    digits.parse().ok().and_then(DeviceTarget::new).ok_or_else(|| {
        let names: Vec<String> = DeviceTarget::ALL.iter().map(|sm| format!("sm_{sm}")).collect();
        format!("no code can be made for it; the architectures are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{Arguments, Emit, architecture};

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn stages_and_architectures_are_checked() {
        assert!("syntax".parse::<Emit>().is_ok_and(|e| e.pass.is_none()));
        assert!("array@nothing".parse::<Emit>().is_err());
        assert!("bitcode".parse::<Emit>().is_err());
        assert_eq!(architecture("sm_80").map(|t| t.sm), Ok(80));
        assert_eq!(architecture("90").map(|t| t.sm), Ok(90));
        assert!(architecture("sm_12").is_err());
    }
}
