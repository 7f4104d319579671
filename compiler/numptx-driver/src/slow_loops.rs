//! Which warnings of loops over elements stand.
//!
//! In: reports of lowering, which warns of every such loop, and the module once its kernels are formed. Out: the reports without the loops that
//! kernels run in parallel; a loop that is one thread's work is said to be that.

use numptx_ir::array::Module;
use numptx_passes::{Slowness, slow_loops};
use numptx_source::{Report, Reports, code};

/// The reports that stand. Each warning is about an outermost loop, and what follows it in the text up to the next.
pub fn kept(reports: &Reports, module: &Module) -> Reports {
    let slow = slow_loops(module);
    let starts: Vec<u32> = reports.iter().filter(|r| r.code == code::SLOW_LOOP).map(|r| r.span.start).collect();
    let mut kept = Reports::new();
    for report in reports.iter() {
        if report.code != code::SLOW_LOOP {
            kept.push(report.clone());
            continue;
        }
        let from = report.span.start;
        let to = starts.iter().copied().filter(|start| *start > from).min().unwrap_or(u32::MAX);
        let within = slow.iter().filter(|(span, _)| (from..to).contains(&span.start));
        match within.map(|(_, slowness)| *slowness).min() {
            Some(Slowness::KernelPerElement) => kept.push(report.clone()),
            Some(Slowness::OneThread) => kept.push(one_thread(report)),
            None => {}
        }
    }
    kept
}

fn one_thread(report: &Report) -> Report {
    let message = "this loop runs on one thread, on a GPU too: its iterations depend on each other".to_string();
    Report { message, ..report.clone() }
}
