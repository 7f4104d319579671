//! Targets: which processors code can be made for, and LLVM's machines for them.
//!
//! LLVM only warns of an unknown processor and aborts on impossible combinations, so names are checked here against own lists.

use std::sync::Once;

use inkwell::OptimizationLevel;

use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};

use crate::error::{Emit, bug};
use crate::optimization::Effort;

/// A device architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceTarget {
    /// Compute capability times ten.
    pub sm: u32,
}

impl DeviceTarget {
    /// The architectures that code can be made for, ascending. The first is the portable default: its PTX runs on all of them.
    pub const ALL: [u32; 8] = [75, 80, 86, 89, 90, 100, 103, 120];

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

    /// The target of one of [`HostTarget::NAMES`]; `native` is the processor that the compiler runs on.
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
            features: text(TargetMachine::get_host_cpu_features()),
        })
    }

    /// The widest vectors that it computes with, in bytes: 16, 32 or 64.
    pub(crate) fn vector_bytes(&self) -> u32 {
        let has = |feature: &str| self.features.split(',').any(|f| f.strip_prefix('+') == Some(feature));
        if self.cpu == "x86-64-v4" || has("avx512f") && has("avx512vl") && has("avx512dq") {
            64
        } else if self.cpu == "x86-64-v3" || has("avx2") && has("fma") {
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
