//! What a compilation did, for people and for programs: one collection of facts, shown as lines, as JSON and as a page.
//!
//! In: the source, its loops, the module after all passes with what they decided, and PTX. Out: a [`Report`]. It computes no fact that a pass
//! decides: it reads remarks and counts ops. `model` is the schema, `version`, `loops` and `kernels` fill it, `explain` and `html` show it.

mod amount;
mod choices;
mod draws;
mod explain;
mod formula;
mod html;
mod kernels;
mod linear;
mod loops;
mod model;
mod schedule;
mod slow_versions;
mod version;
mod words;

use numptx_ir::array::Module;
use numptx_source::{InternalError, Source};

pub use loops::{SourceLoop, source_loops};
pub use model::Report;
pub use slow_versions::{SlowVersion, slow_versions};
pub use words::one_line;

use model::SCHEMA;

/// The report of a module after all passes. `ptx`: the text of the portable image, if one was made.
pub fn report(source: &Source, loops: &[SourceLoop], module: &Module, ptx: Option<&str>) -> Report {
    Report {
        schema: SCHEMA,
        compiler: format!("numptx {}", crate::VERSION),
        file: source.name.clone(),
        module: module.name.clone(),
        source: source.text.clone(),
        loops: loops::loop_reports(loops, module, source),
        versions: module.functions.iter().map(|function| version::version(module, function, source)).collect(),
        kernels: module.kernels.iter().map(|kernel| kernels::kernel_report(kernel, ptx)).collect(),
    }
}

impl Report {
    /// As JSON, ending in a line feed.
    ///
    /// # Errors
    /// None in practice: every field can be written.
    pub fn json(&self) -> Result<String, InternalError> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|e| InternalError::new("report", e.to_string()))
    }
}
