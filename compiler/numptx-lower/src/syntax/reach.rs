//! What an exported function needs of its module: the constants that it and the functions it calls may read.

use std::collections::BTreeSet;

use numptx_syntax::ast::{Constant, Function, Module};

use crate::library::function_at;
use crate::syntax::flow::assigned_names;
use crate::syntax::liveness::{Names, names_of, read};

/// The module-level constants that a function may read, in the module's order; `given`: names of what its arguments bring along.
pub(crate) fn constants_of(module: &Module, function: usize, given: Names) -> Vec<&Constant> {
    let names = free_names(function_at(module, function)).into_iter().chain(given).collect();
    reached(module, BTreeSet::from([function]), names).1.into_iter().map(|n| &module.constants[n]).collect()
}

/// The module-level constants that a function inside a function may read, in the module's order.
pub(crate) fn constants_of_local<'m>(module: &'m Module, function: &Function, given: Names) -> Vec<&'m Constant> {
    let names = free_names(function).into_iter().chain(given).collect();
    reached(module, BTreeSet::new(), names).1.into_iter().map(|n| &module.constants[n]).collect()
}

/// The functions that a function may call, itself included, in the module's order.
pub(crate) fn functions_of(module: &Module, function: usize) -> BTreeSet<usize> {
    needs(module, function).0
}

/// Positions of the functions and constants that a function may use.
fn needs(module: &Module, function: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
    reached(module, BTreeSet::from([function]), free_names(function_at(module, function)))
}

/// The names that a function reads and does not bind itself.
fn free_names(function: &Function) -> Names {
    let mut own = assigned_names(&function.body);
    own.extend(function.parameters.iter().map(|p| p.name.clone()));
    let mut names: Names = names_of(function).difference(&own).cloned().collect();
    // Defaults are evaluated outside.
    function.parameters.iter().filter_map(|p| p.default.as_ref()).for_each(|d| read(d, &mut names));
    names
}

/// Positions of the functions and constants that may be used by what reads these names; `seen`: functions that are known to be.
fn reached(module: &Module, mut seen: BTreeSet<usize>, names: Names) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let mut queue = vec![names];
    let mut constants: BTreeSet<usize> = BTreeSet::new();
    while let Some(mut names) = queue.pop() {
        let mut fresh = names.clone();
        while !fresh.is_empty() {
            let mut further = Names::new();
            for (n, constant) in module.constants.iter().enumerate() {
                if fresh.contains(&constant.name) && constants.insert(n) {
                    read(&constant.value, &mut further);
                }
            }
            fresh = further.difference(&names).cloned().collect();
            names.extend(further);
        }
        for (n, other) in module.functions.iter().enumerate() {
            if names.contains(&other.name) && seen.insert(n) {
                queue.push(free_names(other));
            }
        }
    }
    (seen, constants)
}

/// The constants that an expression may read, in the module's order, those before position `end`.
pub(crate) fn constants_before(module: &Module, end: usize) -> Vec<&Constant> {
    let mut wanted = Names::new();
    read(&module.constants[end].value, &mut wanted);
    let mut found = Vec::new();
    for constant in module.constants[..end].iter().rev() {
        if wanted.contains(&constant.name) {
            read(&constant.value, &mut wanted);
            found.push(constant);
        }
    }
    found.reverse();
    found
}
