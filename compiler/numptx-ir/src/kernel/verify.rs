//! Checks a kernel against every invariant of the kernel IR. A failed check is a bug of the stage before.
//!
//! Goes in: a kernel, also one made from arbitrary text. Comes out: nothing, or every violation. That points do not race is
//! a matter of values at run time: the interpreter finds it.
//!
//! # Invariants
//!
//! - `K01 ranks`: at most 16 axes, no more reduced than there are; every operand says of each axis whether its stride is fixed.
//! - `K02 name`: the name is a PTX identifier: a letter or `_`, then letters, digits, `_` and `$`.
//! - `K03 inputs`: loads and scalars name operands and scalars that exist.
//! - `K04 body`: the body is well-formed, its inputs have the dtypes of what they read, its indices are axes.
//! - `K05 reducers`: one an output of the body, each defined on it; axes are reduced only by reducers. A scan by `add` alone may have one output
//!   more of the same dtype.
//! - `K06 epilogue`: stands with reducers only, is well-formed on their results; its indices are kept axes (any axes, in a scan).
//! - `K07 stores`: name an operand and an output that exist, of one dtype.
//! - `K08 access`: loaded operands are declared read, stored ones written; in a phase an operand is stored once at most.
//! - `K09 injective`: a written operand is fixed along all reduced axes and no kept one; of a scan, and of a map in a kernel of rows, along no axis.
//! - `K10 schedule`: a block is 32 to 1024 threads, a multiple of 32; the vector length is a power of two up to 16, of rows 32.
//! - `K11 work`: there is a phase, and every phase stores or scatters something; of rows, the last one does.
//! - `K12 tables`: a table is an operand that is fixed along all axes, is no other table and neither loaded nor stored at points; its strides are
//!   `i64` scalars.
//! - `K13 scatters`: name a table and outputs that exist, an element of its dtype and one `i64` index an axis; and, if they depend on an output, a `bool`
//!   one; stand without reducers; the table's operand is declared written, and read where the body reads its elements, which none that is apart does.
//! - `K14 scan`: a scan has reducers, none of them searching for a position; it is the kernel's only phase, and one axis is reduced.
//! - `K16 tiles`: a phase that counts or moves tiles of points is the kernel's only node, has an axis, no reducers and no stores, and its last output is a
//!   `bool`. The tiles' counts are a table of one axis of `int64`. One that counts writes it, and scatters nothing. One that moves reads it, and what it
//!   scatters is apart, goes to tables of one axis, names no indices and depends on the last output.
//! - `K15 code`: code is the kernel's only node, and no axis is reduced; it is well-formed on the scalars and tables, and stores something; every
//!   operand is a table; tables that it loads from are declared read, those that it stores to, written.
//! - `K17 rows`: of several phases all reduce, but for the last one, which may be a map; none scatters; `row` and `held` name what earlier phases give.

use super::{Access, Input, Kernel, Node, Phase, ScatterTo, Tiles};
use crate::DType;
use crate::array::verify::VerifyError;
use crate::scalar::{Body, BodyError, Code, InstrKind, Reducer};

/// Checks every invariant.
pub fn verify(kernel: &Kernel) -> Result<(), Vec<VerifyError>> {
    let mut checker = Checker { kernel, rows: Vec::new(), held: Vec::new(), errors: Vec::new() };
    checker.check_shape();
    if checker.errors.is_empty() {
        for node in &kernel.body {
            match node {
                Node::Phase(phase) => checker.check_phase(phase),
                Node::Code(code) => checker.check_code(code),
            }
        }
    }
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

struct Checker<'a> {
    kernel: &'a Kernel,
    /// The dtypes of what earlier phases give at a kept point, and of what their bodies give at each point.
    rows: Vec<DType>,
    held: Vec<DType>,
    errors: Vec<VerifyError>,
}

impl Checker<'_> {
    fn fail(&mut self, invariant: &'static str, message: impl Into<String>) {
        let function = self.kernel.name.clone();
        self.errors.push(VerifyError { function, invariant, message: message.into(), op: String::new() });
    }

    fn check_shape(&mut self) {
        let Kernel { name, rank, n_reduced, operands, schedule, .. } = self.kernel;
        if *rank > 16 || n_reduced > rank || operands.iter().any(|operand| operand.fixed.len() != *rank) {
            return self.fail("K01", "axes do not agree");
        }
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$')) {
            self.fail("K02", "the name is not a PTX identifier");
        }
        for (n, operand) in operands.iter().enumerate().filter(|(_, operand)| operand.access != Access::Read) {
            let (kept, reduced) = operand.fixed.split_at(rank - n_reduced);
            let is_table = self.kernel.table_of(n).is_some();
            let is_whole = self.kernel.is_scan() || self.kernel.is_mapped(n);
            if !is_table && (kept.contains(&true) || reduced.contains(&is_whole)) {
                self.fail("K09", format!("operand {n} is written and {operand}"));
            }
        }
        let vector = schedule.vector;
        if !(32..=1024).contains(&schedule.block)
            || schedule.block % 32 != 0
            || !vector.is_power_of_two()
            || vector > if self.kernel.is_rows() { 32 } else { 16 }
        {
            self.fail("K10", format!("{schedule:?}"));
        }
        if self.kernel.is_scan() && (self.kernel.body.len() != 1 || *n_reduced != 1) {
            self.fail("K14", format!("a scan over {n_reduced} axes in one of {} phases", self.kernel.body.len()));
        }
        if self.kernel.body.is_empty() {
            self.fail("K11", "the kernel does nothing");
        }
        self.check_rows();
        self.check_tables();
    }

    /// `K17`, but for what inputs name.
    fn check_rows(&mut self) {
        let kernel = self.kernel;
        if !kernel.is_rows() || kernel.is_scan() || kernel.code().is_some() {
            return;
        }
        let reduces = |phase: &Phase| !phase.reducers.is_empty() && !phase.is_scan;
        let last = kernel.body.len() - 1;
        let is_row = |(n, node): (usize, &Node)| match node {
            Node::Phase(phase) => (reduces(phase) || n == last) && phase.scatters.is_empty(),
            Node::Code(_) => false,
        };
        if kernel.n_reduced == 0 || !kernel.body.iter().enumerate().all(is_row) {
            self.fail("K17", "phases follow each other that are no reductions of the same axes, or scatter");
        }
    }

    /// `K12`, but for what phases do.
    fn check_tables(&mut self) {
        let kernel = self.kernel;
        for (n, table) in kernel.tables.iter().enumerate() {
            let is_stride = |s: &usize| kernel.scalars.get(*s) == Some(&DType::I64);
            let is_fixed = kernel.operands.get(table.operand).is_some_and(|operand| operand.is_scalar());
            let is_other = kernel.tables[..n].iter().any(|other| other.operand == table.operand);
            if !is_fixed || is_other || !table.strides.iter().all(is_stride) {
                self.fail("K12", format!("table {n} is no operand of its own, fixed, with strides among the scalars"));
            }
        }
    }

    /// The dtype and rank of each table.
    fn tables(&self) -> Vec<(DType, usize)> {
        let operands = &self.kernel.operands;
        self.kernel.tables.iter().map(|table| (operands[table.operand].dtype, table.strides.len())).collect()
    }

    /// `K12` and `K13` for the elements that a body reads.
    fn check_elements(&mut self, body: &Body) {
        for instr in &body.instrs {
            let InstrKind::Element(table, _) = instr.kind else { continue };
            let operand = self.kernel.tables[table as usize].operand;
            if self.kernel.operands[operand].access == Access::Write {
                self.fail("K13", format!("an element of table {table} is read, which is only written"));
            }
        }
    }

    /// `K15`.
    fn check_code(&mut self, code: &Code) {
        let kernel = self.kernel;
        if kernel.body.len() != 1 || kernel.n_reduced > 0 {
            self.fail("K15", "code stands beside other nodes, or axes are reduced");
        }
        if kernel.tables.len() != kernel.operands.len() {
            self.fail("K15", "an operand of a kernel with code is no table");
        }
        if let Err(BodyError::Body(message) | BodyError::Input(message)) =
            code.check(&kernel.scalars, &self.tables(), kernel.rank)
        {
            return self.fail("K15", message);
        }
        if code.n_written() == 0 {
            self.fail("K15", "the code stores nothing");
        }
        for (n, table) in kernel.tables.iter().enumerate() {
            let access = kernel.operands[table.operand].access;
            if (code.loads(n) && access == Access::Write) || (code.stores(n) && access == Access::Read) {
                self.fail("K15", format!("table {n} is not declared as the code uses it"));
            }
        }
    }

    fn check_scatter(&mut self, phase: &Phase, scatter: &ScatterTo, outputs: &[DType]) {
        let Some(table) = self.kernel.tables.get(scatter.table) else {
            return self.fail("K13", format!("there is no table {}", scatter.table));
        };
        let operand = &self.kernel.operands[table.operand];
        let is_index = |n: &usize| outputs.get(*n) == Some(&DType::I64);
        let is_moved = phase.tiles.is_some() && scatter.at.is_empty() && table.strides.len() == 1;
        let is_at = is_moved || scatter.at.len() == table.strides.len() && scatter.at.iter().all(is_index);
        if !is_at || outputs.get(scatter.output) != Some(&operand.dtype) {
            self.fail("K13", format!("{scatter:?} names no element and indices of `{}`", operand.dtype));
        }
        if scatter.when.is_some_and(|n| outputs.get(n) != Some(&DType::Bool)) {
            self.fail("K13", format!("{scatter:?} depends on an output that is no `bool`"));
        }
        if scatter.is_apart && operand.access == Access::ReadWrite {
            self.fail("K13", format!("{scatter:?} is apart and reads what it writes"));
        }
        if operand.access == Access::Read || !phase.reducers.is_empty() {
            self.fail("K13", format!("{scatter:?} to a table that is only read, or beside reducers"));
        }
    }

    fn check_phase(&mut self, phase: &Phase) {
        let before = self.errors.len();
        let inputs = self.input_dtypes(phase);
        if self.errors.len() > before {
            return;
        }
        match phase.body.check_with(&inputs, &self.tables(), self.kernel.rank) {
            Ok(()) => self.check_elements(&phase.body),
            Err(BodyError::Body(message) | BodyError::Input(message)) => return self.fail("K04", message),
        }
        if let Some(outputs) = self.output_dtypes(phase) {
            self.check_stores(phase, &outputs);
            self.held.extend(phase.body.output_dtypes());
            self.rows.extend(outputs);
        }
    }

    fn input_dtypes(&mut self, phase: &Phase) -> Vec<DType> {
        let mut dtypes = Vec::new();
        for input in &phase.inputs {
            let dtype = match input {
                Input::Load(n) => self.kernel.operands.get(*n).map(|operand| operand.dtype),
                Input::Scalar(n) => self.kernel.scalars.get(*n).copied(),
                Input::Row(n) => self.rows.get(*n).copied(),
                Input::Held(n) => self.held.get(*n).copied(),
            };
            match dtype {
                Some(dtype) => dtypes.push(dtype),
                None if matches!(input, Input::Row(_) | Input::Held(_)) => {
                    self.fail("K17", format!("{input:?} is given by no earlier phase"));
                }
                None => self.fail("K03", format!("{input:?} does not exist")),
            }
            if matches!(input, Input::Load(n) if self.kernel.table_of(*n).is_some()) {
                self.fail("K12", format!("{input:?} of a table"));
            }
            let loaded = if let Input::Load(n) = input { self.kernel.operands.get(*n) } else { None };
            if loaded.is_some_and(|operand| operand.access == Access::Write) {
                self.fail("K08", format!("{input:?} of an operand that is only written"));
            }
        }
        dtypes
    }

    /// The dtypes of what can be stored.
    fn output_dtypes(&mut self, phase: &Phase) -> Option<Vec<DType>> {
        let outputs = phase.body.output_dtypes();
        if phase.is_scan && (phase.reducers.is_empty() || phase.reducers.iter().any(|r| r.is_positional())) {
            self.fail("K14", "a scan without reducers, or of positions");
            return None;
        }
        if phase.reducers.is_empty() {
            if self.kernel.n_reduced > 0 && !self.kernel.is_rows() {
                self.fail("K05", "axes are reduced without a reducer");
            }
            if phase.epilogue.is_some() {
                self.fail("K06", "an epilogue stands without reducers");
            }
            return Some(outputs);
        }
        let takes_factor = phase.reducers == [Reducer::Add] && matches!(outputs.as_slice(), [a, b] if a == b);
        if phase.reducers.len() != outputs.len() && !(phase.is_scan && takes_factor) {
            self.fail("K05", format!("{} reducers for {} outputs", phase.reducers.len(), outputs.len()));
            return None;
        }
        let reduced: Option<Vec<DType>> =
            phase.reducers.iter().zip(outputs).map(|(r, dtype)| r.result(dtype)).collect();
        let Some(reduced) = reduced else {
            self.fail("K05", "a reducer is not defined on its element's dtype");
            return None;
        };
        let Some(epilogue) = &phase.epilogue else { return Some(reduced) };
        let axes = if phase.is_scan { self.kernel.rank } else { self.kernel.rank - self.kernel.n_reduced };
        match epilogue.check(&reduced, axes) {
            Ok(()) => Some(epilogue.output_dtypes()),
            Err(BodyError::Body(message) | BodyError::Input(message)) => {
                self.fail("K06", message);
                None
            }
        }
    }

    /// `K16`.
    fn check_tiles(&mut self, phase: &Phase, tiles: Tiles, outputs: &[DType]) {
        let Some(table) = self.kernel.tables.get(tiles.table()) else {
            return self.fail("K16", format!("there is no table {}", tiles.table()));
        };
        let operand = &self.kernel.operands[table.operand];
        let last = outputs.len().wrapping_sub(1);
        let is_moved = |scatter: &ScatterTo| {
            scatter.is_apart && scatter.at.is_empty() && scatter.when == Some(last) && scatter.table != tiles.table()
        };
        let (access, does) = match tiles {
            Tiles::Count(_) => (Access::Write, phase.scatters.is_empty()),
            Tiles::Move(_) => (Access::Read, phase.scatters.iter().all(is_moved)),
        };
        let is_alone =
            self.kernel.rank > 0 && self.kernel.body.len() == 1 && phase.reducers.is_empty() && phase.stores.is_empty();
        let is_vector = table.strides.len() == 1 && operand.dtype == DType::I64 && operand.access == access;
        if !does || !is_alone || !is_vector || outputs.last() != Some(&DType::Bool) {
            self.fail("K16", format!("{tiles:?} of {outputs:?}"));
        }
    }

    fn check_stores(&mut self, phase: &Phase, outputs: &[DType]) {
        let is_last = matches!(self.kernel.body.last(), Some(Node::Phase(last)) if std::ptr::eq(last, phase));
        if let Some(tiles) = phase.tiles {
            self.check_tiles(phase, tiles, outputs);
        }
        let counts = matches!(phase.tiles, Some(Tiles::Count(_)));
        if phase.stores.is_empty() && phase.scatters.is_empty() && !counts && is_last {
            self.fail("K11", "a phase stores nothing");
        }
        phase.scatters.iter().for_each(|scatter| self.check_scatter(phase, scatter, outputs));
        let mut stored = vec![false; self.kernel.operands.len()];
        for store in &phase.stores {
            let (Some(operand), Some(dtype)) = (self.kernel.operands.get(store.operand), outputs.get(store.output))
            else {
                self.fail("K07", format!("{store:?} names what does not exist"));
                continue;
            };
            if self.kernel.table_of(store.operand).is_some() {
                self.fail("K12", format!("{store:?} to a table"));
            }
            if operand.dtype != *dtype {
                self.fail("K07", format!("{store:?} stores `{dtype}` to `{}`", operand.dtype));
            }
            if operand.access == Access::Read || std::mem::replace(&mut stored[store.operand], true) {
                self.fail("K08", format!("{store:?} to an operand that is only read or stored already"));
            }
        }
    }
}
