//! How the values of a program differ among the work items of a row, which differ in their last index only.
//!
//! In: a program. Out: a form a value. What every work item of a row computes alike is computed once a row, also what is loaded: an element that
//! several work items load no work item stores to.

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, ScalarOp, Stmt, StmtKind, Val};

/// How a value differs among the work items of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One value for all work items.
    Uniform,
    /// An integer that grows by one from point to work item.
    Rising,
    /// Any.
    Any,
}

/// Forms by value.
pub(super) struct Forms {
    /// `None`: nothing is known yet.
    forms: Vec<Option<Form>>,
    changed: bool,
}

/// What is one of two on the way through a program.
fn either(a: Option<Form>, b: Option<Form>) -> Option<Form> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a == b { a } else { Form::Any }),
        (known, None) | (None, known) => known,
    }
}

impl Forms {
    /// Of a program over so many axes.
    pub fn of(code: &Code, rank: usize) -> Forms {
        let mut forms = Forms { forms: vec![None; code.dtypes.len()], changed: true };
        while std::mem::take(&mut forms.changed) {
            forms.block(code, &code.block, rank);
        }
        forms
    }

    pub fn form(&self, val: Val) -> Form {
        self.forms[val.0 as usize].unwrap_or(Form::Uniform)
    }

    /// Whether the work items of a row go the same way through a statement.
    pub fn is_shared(&self, stmt: &Stmt) -> bool {
        let alike = |vals: &[Val]| vals.iter().all(|v| self.form(*v) == Form::Uniform);
        match stmt.kind {
            StmtKind::If => alike(&stmt.operands),
            StmtKind::For => alike(&stmt.operands[..3]),
            StmtKind::While => stmt.blocks.first().is_some_and(|block| alike(&block.yields)),
            _ => true,
        }
    }

    fn join(&mut self, vals: &[Val], form: impl Fn(usize) -> Option<Form>) {
        for (n, val) in vals.iter().enumerate() {
            let old = &mut self.forms[val.0 as usize];
            let new = either(*old, form(n));
            self.changed |= new != *old;
            *old = new;
        }
    }

    fn block(&mut self, code: &Code, block: &Block, rank: usize) {
        for stmt in &block.stmts {
            // Parameters first, so that nothing in a loop is taken for less than it turns out to be.
            self.step(code, stmt, rank);
            stmt.blocks.iter().for_each(|nested| self.block(code, nested, rank));
            self.step(code, stmt, rank);
        }
    }

    fn step(&mut self, code: &Code, stmt: &Stmt, rank: usize) {
        let of = |vals: &[Val]| -> Vec<Option<Form>> { vals.iter().map(|v| self.forms[v.0 as usize]).collect() };
        let operands = of(&stmt.operands);
        let yields: Vec<Vec<Option<Form>>> = stmt.blocks.iter().map(|block| of(&block.yields)).collect();
        match stmt.kind {
            StmtKind::Store(_) | StmtKind::Check(_) | StmtKind::Barrier => {}
            // Of cooperative programs, which have no rows.
            StmtKind::Parallel | StmtKind::Reduce(_) | StmtKind::Solve(..) => {
                self.join(&stmt.results, |_| Some(Form::Any));
                stmt.blocks.iter().for_each(|block| self.join(&block.parameters, |_| Some(Form::Any)));
            }
            StmtKind::Constant(_) | StmtKind::Input(_) => self.join(&stmt.results, |_| Some(Form::Uniform)),
            StmtKind::Index(axis) => {
                let form = if axis as usize + 1 == rank { Form::Rising } else { Form::Uniform };
                self.join(&stmt.results, |_| Some(form));
            }
            StmtKind::Load(_) | StmtKind::Op(_) => {
                let known: Option<Vec<Form>> = operands.into_iter().collect();
                let form = known.map(|operands| computed(code, stmt, &operands));
                self.join(&stmt.results, |_| form);
            }
            _ if !self.is_shared(stmt) => {
                self.join(&stmt.results, |_| Some(Form::Any));
                stmt.blocks.iter().for_each(|block| self.join(&block.parameters, |_| Some(Form::Any)));
            }
            StmtKind::If => self.join(&stmt.results, |n| either(yields[0][n], yields[1][n])),
            StmtKind::For => {
                self.join(&stmt.blocks[0].parameters[..1], |_| Some(Form::Uniform));
                self.join(&stmt.blocks[0].parameters[1..], |n| either(operands[3 + n], yields[0][n]));
                self.join(&stmt.results, |n| either(operands[3 + n], yields[0][n]));
            }
            StmtKind::While => {
                let carried = |n: usize| either(operands[n], yields[1][n]);
                stmt.blocks.iter().for_each(|block| self.join(&block.parameters, carried));
                self.join(&stmt.results, carried);
            }
        }
    }

    /// Whether it pays to run the work items of a row side by side through the loops that they share: there are some, and in these every element
    /// that is met is the same for all work items or lies beside its neighbour's, and no work item loops by itself.
    pub fn gain_side_by_side(&self, code: &Code) -> bool {
        let mut verdict = Verdict::default();
        self.judge(&code.block, false, &mut verdict);
        verdict.meets_neighbours && !verdict.is_spoilt
    }

    fn judge(&self, block: &Block, in_loop: bool, verdict: &mut Verdict) {
        for stmt in &block.stmts {
            let is_loop = matches!(stmt.kind, StmtKind::For | StmtKind::While);
            if !self.is_shared(stmt) && (is_loop || has_loop(stmt)) {
                verdict.is_spoilt = true;
            }
            let at = match stmt.kind {
                StmtKind::Load(_) => &stmt.operands[..],
                StmtKind::Store(_) => &stmt.operands[1..],
                _ => &[],
            };
            if let (true, Some((last, others))) = (in_loop, at.split_last()) {
                verdict.is_spoilt |= self.form(*last) == Form::Any;
                verdict.is_spoilt |= others.iter().any(|v| self.form(*v) != Form::Uniform);
                verdict.meets_neighbours |= self.form(*last) == Form::Rising;
            }
            stmt.blocks.iter().for_each(|nested| self.judge(nested, in_loop || is_loop, verdict));
        }
    }
}

/// The form of what a load or an operation gives.
fn computed(code: &Code, stmt: &Stmt, operands: &[Form]) -> Form {
    let is_index = stmt.results.iter().all(|v| code.dtype(*v) == DType::I64);
    match (stmt.kind, operands) {
        (_, operands) if operands.iter().all(|form| *form == Form::Uniform) => Form::Uniform,
        (StmtKind::Op(ScalarOp::Add), [Form::Rising, Form::Uniform] | [Form::Uniform, Form::Rising]) if is_index => {
            Form::Rising
        }
        (StmtKind::Op(ScalarOp::Sub), [Form::Rising, Form::Uniform]) if is_index => Form::Rising,
        _ => Form::Any,
    }
}

fn has_loop(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.blocks.iter().for_each(|block| {
        block.for_each_stmt(&mut |stmt| found |= matches!(stmt.kind, StmtKind::For | StmtKind::While))
    });
    found
}

#[derive(Default)]
struct Verdict {
    meets_neighbours: bool,
    is_spoilt: bool,
}
