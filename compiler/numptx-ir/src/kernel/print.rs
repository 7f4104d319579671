//! Text of the kernel IR. Reading it back and printing again gives the same text.
//!
//! The form is described in `docs/kernel-ir.md`.

use std::fmt::{self, Display, Formatter};

use super::{Access, Input, Kernel, Node, Operand, Phase, Tiles};
use crate::text::{commas, symbol, write_body, write_code};

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Kernel { rank, n_reduced, schedule, .. } = self;
        write!(f, "kernel {} rank {rank} reduced {n_reduced} ", symbol(&self.name))?;
        writeln!(f, "block {} vector {} {{", schedule.block, schedule.vector)?;
        for operand in &self.operands {
            writeln!(f, "  operand {operand}")?;
        }
        for dtype in &self.scalars {
            writeln!(f, "  scalar {}", dtype.short_name())?;
        }
        for table in &self.tables {
            writeln!(f, "  table {} [{}]", table.operand, commas(&table.strides))?;
        }
        for node in &self.body {
            match node {
                Node::Phase(phase) => write_phase(f, phase)?,
                Node::Code(code) => writeln!(f, "  code {}", write_code(code, 2))?,
            }
        }
        writeln!(f, "}}")
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let fixed = commas(self.fixed.iter().map(|fixed| if *fixed { "0" } else { ":" }));
        let noalias = if self.noalias { " noalias" } else { "" };
        write!(f, "{} {}[{fixed}]{noalias}", access_name(self.access), self.dtype.short_name())
    }
}

pub(super) fn access_name(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::ReadWrite => "readwrite",
    }
}

fn write_phase(f: &mut Formatter<'_>, phase: &Phase) -> fmt::Result {
    writeln!(f, "  phase {{")?;
    for input in &phase.inputs {
        match input {
            Input::Load(operand) => writeln!(f, "    load {operand}")?,
            Input::Scalar(scalar) => writeln!(f, "    scalar {scalar}")?,
            Input::Row(value) => writeln!(f, "    row {value}")?,
            Input::Held(value) => writeln!(f, "    held {value}")?,
        }
    }
    writeln!(f, "    body {}", write_body(&phase.body, 4))?;
    if phase.is_scan || !phase.reducers.is_empty() {
        let word = if phase.is_scan { "scan" } else { "reduce" };
        writeln!(f, "    {word} [{}]", commas(phase.reducers.iter().map(|r| r.name())))?;
    }
    if let Some(epilogue) = &phase.epilogue {
        writeln!(f, "    epilogue {}", write_body(epilogue, 4))?;
    }
    match phase.tiles {
        Some(Tiles::Count(table)) => writeln!(f, "    tiles count {table}")?,
        Some(Tiles::Move(table)) => writeln!(f, "    tiles move {table}")?,
        None => {}
    }
    for store in &phase.stores {
        writeln!(f, "    store {} to {}", store.output, store.operand)?;
    }
    for scatter in &phase.scatters {
        let at = format!("    scatter {} to {} at {}", scatter.output, scatter.table, commas(&scatter.at));
        write!(f, "{}", at.trim_end())?;
        if let Some(when) = scatter.when {
            write!(f, " when {when}")?;
        }
        writeln!(f, "{}", if scatter.is_apart { " apart" } else { "" })?;
    }
    writeln!(f, "  }}")
}
