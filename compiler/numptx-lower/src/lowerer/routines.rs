//! The routines of a module: functions that call themselves, as the host calls them.

use std::sync::Arc;

use numptx_ir::array::{self, OpKind};
use numptx_syntax::ast::Function;

use crate::values::forms::Form;

/// The routines of a module.
#[derive(Default)]
pub(crate) struct Routines {
    pub known: Vec<Known>,
    pub functions: Vec<array::Function>,
}

impl Routines {
    /// How many routines there are, and how many of them are whole.
    pub fn known_so_far(&self) -> (usize, usize) {
        (self.known.len(), self.functions.len())
    }

    /// Forgets those that were made since.
    pub fn forget(&mut self, (n_known, n_functions): (usize, usize)) {
        self.known.truncate(n_known);
        self.functions.truncate(n_functions);
    }
}

/// Which function a routine is of.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    /// A function of the file by its position.
    Module(usize),
    /// A function inside a function, and the names that it has where it reads them.
    Local(Arc<Function>, Vec<String>),
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        match (self, other) {
            (Subject::Module(a), Subject::Module(b)) => a == b,
            (Subject::Local(a, _), Subject::Local(b, _)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// A routine by what it is called with.
pub(crate) struct Known {
    pub subject: Subject,
    /// Those of its parameters, then what it reads of the functions around it.
    pub arguments: Vec<(String, Form)>,
    pub name: String,
    pub returns: Returns,
}

/// What a call of a routine gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Returns {
    /// Not known yet: as far as is known, it never returns.
    Unknown,
    /// It calls itself on every path.
    Never,
    /// A value of this form.
    Value(Form),
    /// It is refused, and that was reported.
    Refused,
}

impl Routines {
    /// The routines that functions call, by themselves or through others, each once.
    pub fn called_by(&self, functions: &[array::Function]) -> Vec<array::Function> {
        let mut wanted: Vec<&array::Function> = Vec::new();
        let mut names: Vec<&str> = functions.iter().flat_map(|f| calls_in(&f.body)).collect();
        while let Some(name) = names.pop() {
            let Some(routine) = self.functions.iter().find(|f| f.name == name) else { continue };
            if !wanted.iter().any(|f| f.name == name) {
                wanted.push(routine);
                names.extend(calls_in(&routine.body));
            }
        }
        self.functions.iter().filter(|f| wanted.iter().any(|w| w.name == f.name)).cloned().collect()
    }
}

fn calls_in(region: &array::Region) -> Vec<&str> {
    let mut names = Vec::new();
    for op in &region.ops {
        if let OpKind::Call { routine, .. } = &op.kind {
            names.push(routine.as_str());
        }
        op.regions.iter().for_each(|nested| names.extend(calls_in(nested)));
    }
    names
}
