//! LLVM's passes, in the order that each kind of module gets them.
//!
//! LLVM's own levels run the same simplifications up to nine times, for programs of many small functions that call each other. What we emit is
//! simple loops, already inlined, without memory that LLVM could not see through: each simplification runs where something new is there for it.

use inkwell::OptimizationLevel;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

use crate::error::{Emit, bug};

/// One round: what is left is found by the next one, and not by going round until nothing changes.
const COMBINE: &str = "instcombine<max-iterations=1;no-verify-fixpoint>";
/// At the end branches become selects and tables, which loops would not be recognised through.
const LAST: &str = "simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;\
    hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>";
/// Slots become values, and loops get the form that every other pass of loops wants.
const SIMPLE: [&str; 6] =
    ["sroa", "early-cse<memssa>", "simplifycfg", COMBINE, "loop-mssa(licm,loop-rotate,licm)", "simplifycfg"];
/// Loops that run a known number of times go away, and what they computed with constants.
const UNROLLED: [&str; 6] =
    ["loop(loop-idiom,indvars,loop-deletion,loop-unroll-full)", "sroa", "gvn", COMBINE, "dse", "simplifycfg"];
const FINAL: [&str; 4] = ["loop-unroll<O2>", COMBINE, "loop-mssa(licm)", LAST];
const VECTORS: [&str; 3] = ["loop-vectorize", COMBINE, LAST];

/// What a module holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Kernels for a device; `ptxas` or the driver optimises them once more.
    Device,
    /// Loops over elements on the host.
    Loops,
    /// What is around them, and calls the runtime.
    Calls,
}

impl Effort {
    /// How hard code generation tries.
    pub fn level(self) -> OptimizationLevel {
        match self {
            // What it would do more for a device is the assembler's work.
            Effort::Device => OptimizationLevel::Default,
            Effort::Loops => OptimizationLevel::Aggressive,
            Effort::Calls => OptimizationLevel::None,
        }
    }

    /// What is done once, for all processors of the module's kind.
    fn passes(self) -> String {
        match self {
            Effort::Device => format!(
                "nvvm-reflect,function(nvvm-intr-range),always-inline,globaldce,{},globaldce",
                list(&[&SIMPLE, &UNROLLED, &FINAL])
            ),
            Effort::Loops => format!("always-inline,cgscc(inline),{},globaldce", list(&[&SIMPLE, &UNROLLED])),
            Effort::Calls => format!(
                "{},globaldce,constmerge",
                list(&[&["sroa", "early-cse<memssa>", "simplifycfg", COMBINE, "dse", "simplifycfg"]])
            ),
        }
    }
}

fn list(parts: &[&[&str]]) -> String {
    format!("function<eager-inv>({})", parts.concat().join(","))
}

/// Optimises a verified module, of host loops as far as that is the same for all processors; of a device's, whatever is not in `kept` becomes internal
/// first.
pub(crate) fn optimize(module: &Module<'_>, machine: &TargetMachine, effort: Effort, kept: &[String]) -> Emit<()> {
    let kept: Vec<String> = kept.iter().map(|name| format!("preserve-gv={name}")).collect();
    let passes = match kept.is_empty() {
        true => effort.passes(),
        false => format!("internalize<{}>,globaldce,{}", kept.join(";"), effort.passes()),
    };
    run(module, machine, &passes)
}

/// Optimises what [`optimize`] left of loops that need no vectors.
pub(crate) fn optimize_plain(module: &Module<'_>, machine: &TargetMachine) -> Emit<()> {
    run(module, machine, &format!("{},globaldce,constmerge", list(&[&[COMBINE, LAST]])))
}

/// Inlines what a module calls of functions that were defined after it was optimised.
pub(crate) fn optimize_inlined(module: &Module<'_>, machine: &TargetMachine) -> Emit<()> {
    run(module, machine, &format!("always-inline,globaldce,{}", list(&[&[COMBINE, "gvn"]])))
}

/// Makes loops of a module that was optimised vectors, for one processor.
pub(crate) fn vectorize(module: &Module<'_>, machine: &TargetMachine) -> Emit<()> {
    run(module, machine, &list(&[&VECTORS]))
}

/// Optimises what [`vectorize`] left.
pub(crate) fn optimize_vectors(module: &Module<'_>, machine: &TargetMachine) -> Emit<()> {
    run(module, machine, &format!("globaldce,{},globaldce,constmerge", list(&[&FINAL])))
}

fn run(module: &Module<'_>, machine: &TargetMachine, passes: &str) -> Emit<()> {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_unrolling(true);
    let done = module.run_passes(passes, machine, options);
    done.map_err(|e| bug(format!("LLVM's passes: {}", e.to_string_lossy())))
}
