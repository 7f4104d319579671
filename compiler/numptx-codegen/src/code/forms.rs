//! How the values of a program differ among the points of a row, which differ in their last index only.
//!
//! In: a program. Out: a form a value. What every point of a row computes alike is computed once a row, also what is loaded: an element that
//! several points load no point stores to.

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, ScalarOp, Step, StepKind, Val};

/// How a value differs among the points of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One value for all points.
    Uniform,
    /// An integer that grows by one from point to point.
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

    /// Whether the points of a row go the same way through a step.
    pub fn is_shared(&self, step: &Step) -> bool {
        let alike = |vals: &[Val]| vals.iter().all(|v| self.form(*v) == Form::Uniform);
        match step.kind {
            StepKind::If => alike(&step.operands),
            StepKind::For => alike(&step.operands[..3]),
            StepKind::While => step.blocks.first().is_some_and(|block| alike(&block.yields)),
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
        for step in &block.steps {
            // Parameters first, so that nothing in a loop is taken for less than it turns out to be.
            self.step(code, step, rank);
            step.blocks.iter().for_each(|nested| self.block(code, nested, rank));
            self.step(code, step, rank);
        }
    }

    fn step(&mut self, code: &Code, step: &Step, rank: usize) {
        let of = |vals: &[Val]| -> Vec<Option<Form>> { vals.iter().map(|v| self.forms[v.0 as usize]).collect() };
        let operands = of(&step.operands);
        let yields: Vec<Vec<Option<Form>>> = step.blocks.iter().map(|block| of(&block.yields)).collect();
        match step.kind {
            StepKind::Store(_) | StepKind::Check(_) | StepKind::Barrier => {}
            // Of cooperative programs, which have no rows.
            StepKind::Parallel | StepKind::Reduce(_) | StepKind::Solve(..) => {
                self.join(&step.results, |_| Some(Form::Any));
                step.blocks.iter().for_each(|block| self.join(&block.parameters, |_| Some(Form::Any)));
            }
            StepKind::Constant(_) | StepKind::Input(_) => self.join(&step.results, |_| Some(Form::Uniform)),
            StepKind::Index(axis) => {
                let form = if axis as usize + 1 == rank { Form::Rising } else { Form::Uniform };
                self.join(&step.results, |_| Some(form));
            }
            StepKind::Load(_) | StepKind::Op(_) => {
                let known: Option<Vec<Form>> = operands.into_iter().collect();
                let form = known.map(|operands| computed(code, step, &operands));
                self.join(&step.results, |_| form);
            }
            _ if !self.is_shared(step) => {
                self.join(&step.results, |_| Some(Form::Any));
                step.blocks.iter().for_each(|block| self.join(&block.parameters, |_| Some(Form::Any)));
            }
            StepKind::If => self.join(&step.results, |n| either(yields[0][n], yields[1][n])),
            StepKind::For => {
                self.join(&step.blocks[0].parameters[..1], |_| Some(Form::Uniform));
                self.join(&step.blocks[0].parameters[1..], |n| either(operands[3 + n], yields[0][n]));
                self.join(&step.results, |n| either(operands[3 + n], yields[0][n]));
            }
            StepKind::While => {
                let carried = |n: usize| either(operands[n], yields[1][n]);
                step.blocks.iter().for_each(|block| self.join(&block.parameters, carried));
                self.join(&step.results, carried);
            }
        }
    }

    /// Whether it pays to run the points of a row side by side through the loops that they share: there are some, and in these every element
    /// that is met is the same for all points or lies beside its neighbour's, and no point loops by itself.
    pub fn gain_side_by_side(&self, code: &Code) -> bool {
        let mut verdict = Verdict::default();
        self.judge(&code.block, false, &mut verdict);
        verdict.meets_neighbours && !verdict.is_spoilt
    }

    fn judge(&self, block: &Block, in_loop: bool, verdict: &mut Verdict) {
        for step in &block.steps {
            let is_loop = matches!(step.kind, StepKind::For | StepKind::While);
            if !self.is_shared(step) && (is_loop || has_loop(step)) {
                verdict.is_spoilt = true;
            }
            let at = match step.kind {
                StepKind::Load(_) => &step.operands[..],
                StepKind::Store(_) => &step.operands[1..],
                _ => &[],
            };
            if let (true, Some((last, others))) = (in_loop, at.split_last()) {
                verdict.is_spoilt |= self.form(*last) == Form::Any;
                verdict.is_spoilt |= others.iter().any(|v| self.form(*v) != Form::Uniform);
                verdict.meets_neighbours |= self.form(*last) == Form::Rising;
            }
            step.blocks.iter().for_each(|nested| self.judge(nested, in_loop || is_loop, verdict));
        }
    }
}

/// The form of what a load or an operation gives.
fn computed(code: &Code, step: &Step, operands: &[Form]) -> Form {
    let is_index = step.results.iter().all(|v| code.dtype(*v) == DType::I64);
    match (step.kind, operands) {
        (_, operands) if operands.iter().all(|form| *form == Form::Uniform) => Form::Uniform,
        (StepKind::Op(ScalarOp::Add), [Form::Rising, Form::Uniform] | [Form::Uniform, Form::Rising]) if is_index => {
            Form::Rising
        }
        (StepKind::Op(ScalarOp::Sub), [Form::Rising, Form::Uniform]) if is_index => Form::Rising,
        _ => Form::Any,
    }
}

fn has_loop(step: &Step) -> bool {
    let mut found = false;
    step.blocks.iter().for_each(|block| {
        block.for_each_step(&mut |step| found |= matches!(step.kind, StepKind::For | StepKind::While))
    });
    found
}

#[derive(Default)]
struct Verdict {
    meets_neighbours: bool,
    is_spoilt: bool,
}
