//! Targets: which processors code can be made for, and LLVM's machines for them.
//!
//! LLVM only warns of an unknown processor and aborts on impossible combinations, so names are checked here against own lists.

use std::sync::Once;

use inkwell::OptimizationLevel;

use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use numptx_abi::features;

use crate::error::{Emit, bug};
use crate::optimization::Effort;

/// A device architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceTarget {
    /// Compute capability times ten.
    pub sm: u32,
}

/// Capability times ten of the first devices that have clusters.
const CLUSTERS_FROM: u32 = 90;

impl DeviceTarget {
    /// The architectures that code can be made for, ascending. The first is the portable default: its PTX runs on all of them.
    pub const ALL: [u32; 8] = [75, 80, 86, 89, 90, 100, 103, 120];

    /// Whether blocks of a launch can be clusters.
    pub fn has_clusters(self) -> bool {
        self.sm >= CLUSTERS_FROM
    }

    /// The target of a compute capability times ten, if code can be made for it.
    pub fn new(sm: u32) -> Option<DeviceTarget> {
        Self::ALL.contains(&sm).then_some(DeviceTarget { sm })
    }

    /// LLVM's machine. The PTX version is left at the lowest that the architecture allows, so that old drivers load the text.
    pub(crate) fn machine(self) -> Emit<TargetMachine> {
        if !Self::ALL.contains(&self.sm) {
            return Err(bug(format!("no code can be made for sm_{}", self.sm)));
        }
        machine("nvptx64-nvidia-cuda", &format!("sm_{}", self.sm), "", RelocMode::Default, Effort::Device.level())
    }
}

/// A host processor, as LLVM names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostTarget {
    /// LLVM's processor name.
    pub cpu: String,
    /// LLVM's feature list: `+avx2,-avx512f`.
    pub features: String,
}

impl HostTarget {
    /// The accepted names.
    pub const NAMES: [&'static str; 5] = ["native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"];

    /// The target of one of [`HostTarget::NAMES`]; `native` is the processor that the compiler runs on, of which code uses what can be asked for when
    /// it is to run ([`features::NAMES`]).
    pub fn new(name: &str) -> Option<HostTarget> {
        if !Self::NAMES.contains(&name) {
            return None;
        }
        if name != "native" {
            return Some(HostTarget { cpu: name.to_string(), features: String::new() });
        }
        let text = |s: inkwell::support::LLVMString| s.to_string_lossy().into_owned();
        Some(HostTarget {
            cpu: text(TargetMachine::get_host_cpu_name()),
            features: known(&text(TargetMachine::get_host_cpu_features())),
        })
    }

    /// What of [`features::NAMES`] a processor must have for this code.
    pub(crate) fn needs(&self) -> u64 {
        let is_on = |name: &str| self.features.split(',').any(|f| f.strip_prefix('+') == Some(name));
        let named = features::NAMES.iter().enumerate().filter(|(_, name)| is_on(name));
        named.fold(features::of_level(&self.cpu).unwrap_or(0), |set, (n, _)| set | 1 << n)
    }

    /// Whether it is any processor of a level.
    pub(crate) fn is_level(&self) -> bool {
        Self::NAMES.contains(&self.cpu.as_str())
    }

    /// The widest vectors that it computes with, in bytes: 16, 32 or 64.
    pub(crate) fn vector_bytes(&self) -> u32 {
        let needs = self.needs();
        let has = |wanted: &[&str]| features::names(needs).filter(|name| wanted.contains(name)).count() == wanted.len();
        if has(&["avx512f", "avx512vl", "avx512dq"]) {
            64
        } else if has(&["avx2", "fma"]) {
            32
        } else {
            16
        }
    }

    /// LLVM's machine, for position-independent code.
    pub(crate) fn machine(&self, level: OptimizationLevel) -> Emit<TargetMachine> {
        machine("x86_64-unknown-linux-gnu", &self.cpu, &self.features, RelocMode::PIC, level)
    }
}

/// What code may use of a processor, by LLVM's list of what it has: of extensions those that the runtime knows, and what is of no matter to it.
fn known(all: &str) -> String {
    /// Every x86-64 has these, or code that computes is no other with them.
    const HARMLESS: [&str; 12] =
        ["64bit", "cmov", "crc32", "cx16", "cx8", "evex512", "fxsr", "mmx", "sahf", "sse", "sse2", "x87"];
    let is_known = |name: &str| features::NAMES.contains(&name) || HARMLESS.contains(&name);
    let chosen = all.split(',').map(|feature| match feature.strip_prefix('+') {
        Some(name) if !is_known(name) => format!("-{name}"),
        _ => feature.to_string(),
    });
    chosen.collect::<Vec<_>>().join(",")
}

/// The processors that a library is made for: its host code is there for each of them, and the machine that runs it takes the last one that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostLevels {
    /// The least one first; each has what those before it have. At least one.
    levels: Vec<Level>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// What `--cpu` calls it.
    pub name: String,
    /// The processor.
    pub target: HostTarget,
}

impl HostLevels {
    /// The accepted names. The first one is the default.
    pub const NAMES: [&'static str; 6] = ["portable", "native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"];

    /// The processors of one of [`HostLevels::NAMES`]: `portable` is all from x86-64-v2 on, the others are those of [`HostTarget::NAMES`].
    pub fn new(name: &str) -> Option<HostLevels> {
        if name == Self::NAMES[0] {
            return Some(HostLevels::default());
        }
        Some(HostLevels { levels: vec![Level { name: name.to_string(), target: HostTarget::new(name)? }] })
    }

    /// All of them, the least one first.
    pub(crate) fn all(&self) -> &[Level] {
        &self.levels
    }

    /// The least one.
    pub(crate) fn least(&self) -> &HostTarget {
        &self.levels[0].target
    }

    /// The place of the one that most machines have: code for those before it only has to run there, and code for those after it has to gain by it.
    pub(crate) fn main(&self) -> usize {
        usize::from(self.levels.len() > 1)
    }
}

impl Default for HostLevels {
    /// `portable`.
    fn default() -> HostLevels {
        let level = |(name, _): &(&str, u32)| Level {
            name: (*name).to_string(),
            target: HostTarget { cpu: (*name).to_string(), features: String::new() },
        };
        HostLevels { levels: features::LEVELS[1..].iter().map(level).collect() }
    }
}

fn machine(triple: &str, cpu: &str, features: &str, reloc: RelocMode, level: OptimizationLevel) -> Emit<TargetMachine> {
    static TARGETS: Once = Once::new();
    TARGETS.call_once(|| {
        Target::initialize_nvptx(&InitializationConfig::default());
        Target::initialize_x86(&InitializationConfig::default());
    });
    let triple = TargetTriple::create(triple);
    let target = Target::from_triple(&triple).map_err(|e| bug(format!("no LLVM target: {}", e.to_string_lossy())))?;
    let machine = target.create_target_machine(&triple, cpu, features, level, reloc, CodeModel::Default);
    machine.ok_or_else(|| bug(format!("LLVM makes no machine for `{cpu}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_what_those_before_it_have() {
        let portable = HostLevels::default();
        let needs: Vec<u64> = portable.all().iter().map(|level| level.target.needs()).collect();
        assert!(needs.windows(2).all(|pair| pair[0] & pair[1] == pair[0] && pair[0] != pair[1]), "{needs:?}");
        let widths: Vec<u32> = portable.all().iter().map(|level| level.target.vector_bytes()).collect();
        assert_eq!(widths, [16, 32, 64]);
        assert_eq!(HostLevels::new("portable"), Some(portable));
        assert_eq!(HostLevels::new("i386"), None);
        assert!(HostLevels::NAMES.iter().all(|name| HostLevels::new(name).is_some()));
    }

    #[test]
    fn code_uses_no_extension_that_the_runtime_cannot_ask_for() {
        assert_eq!(known("+sse2,+avx2,+amx-tile,-xop"), "+sse2,+avx2,-amx-tile,-xop");
        let native = HostTarget::new("native").expect("it is one of the names");
        let on = native.features.split(',').filter_map(|f| f.strip_prefix('+'));
        assert!(on.clone().count() > 0, "{}", native.features);
        let asked: Vec<&str> = features::names(native.needs()).collect();
        let others: Vec<&str> = on.filter(|name| !asked.contains(name)).collect();
        assert!(!others.iter().any(|name| name.contains("avx") || name.contains("amx")), "{others:?}");
    }
}
