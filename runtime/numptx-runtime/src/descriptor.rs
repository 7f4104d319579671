//! Whether a library's descriptor agrees with itself, which is found out once, when the library is bound.
//!
//! In: a descriptor of this version, whose lists are as long as their counts. Out: nothing, or what is wrong. Calls from C, Rust and Python count leaves by the
//! numbers of an overload, and look at them by its nodes: where both differ, they would read what is not there.

use numptx_abi::{MAX_RANK, Module, Overload, Parameter, ResultNode, dtype};

use crate::error::{Error, Result};
use crate::image::{module_name, slice_of};
use crate::invoke::MAX_ARGUMENTS;
use crate::results::signature;

/// Refuses a descriptor that contradicts itself.
pub(crate) fn check(module: &Module) -> Result<()> {
    for function in slice_of(module.functions, module.n_functions) {
        for overload in slice_of(function.overloads, function.n_overloads) {
            if let Some(fault) = fault(overload) {
                let (name, signature) = (module_name(module), signature(overload));
                return Err(Error::runtime(format!(
                    "module `{name}` contradicts itself: `{signature}` {fault}; compile it again"
                )));
            }
        }
    }
    Ok(())
}

/// What is wrong with an overload.
fn fault(overload: &Overload) -> Option<String> {
    let parameters = slice_of(overload.parameters, overload.n_parameter_nodes);
    let results = slice_of(overload.results, overload.n_result_nodes);
    let (n_parameters, n_arguments) = (overload.n_parameters as usize, overload.n_arguments as usize);
    if n_arguments > MAX_ARGUMENTS {
        return Some(format!("takes {n_arguments} arguments; at most {MAX_ARGUMENTS} are possible"));
    }
    let Some(trees) = trees(parameters.iter().map(members_of_parameter)) else {
        return Some("has a parameter that is none, or lacks members of one".to_string());
    };
    if trees != n_parameters {
        return Some(format!("says that it has {n_parameters} parameters, and describes {trees}"));
    }
    let leaves =
        parameters.iter().filter(|node| matches!(node.kind, Parameter::SCALAR | Parameter::ARRAY | Parameter::OBJECT));
    if leaves.clone().count() != n_arguments {
        return Some(format!("takes {n_arguments} arguments, and describes {}", leaves.count()));
    }
    let is_odd = |node: &Parameter| {
        !is_known(node.dtype) || (node.kind == Parameter::ARRAY && usize::from(node.rank) > MAX_RANK)
    };
    if leaves.clone().any(is_odd) {
        return Some("has a parameter of no dtype, or of too many axes".to_string());
    }
    fault_of_results(results, overload.n_results as usize)
}

fn fault_of_results(results: &[ResultNode], n_results: usize) -> Option<String> {
    match trees(results.iter().map(members_of_result)) {
        Some(0 | 1) => {}
        _ => return Some("has a result that is none, or lacks members of one".to_string()),
    }
    let leaves: Vec<&ResultNode> = results.iter().filter(|node| is_leaf(node)).collect();
    if leaves.len() != n_results {
        return Some(format!("returns {n_results} results, and describes {}", leaves.len()));
    }
    let is_odd = |(k, node): (usize, &&ResultNode)| {
        let refers_on = node.same != ResultNode::NUMBERED && usize::from(node.same) > k;
        !is_known(node.dtype) || refers_on || (node.kind == ResultNode::ARRAY && usize::from(node.rank) > MAX_RANK)
    };
    let found = leaves.iter().enumerate().any(is_odd);
    found.then(|| "has a result of no dtype, of too many axes, or that is a later one".to_string())
}

fn is_leaf(node: &ResultNode) -> bool {
    use ResultNode as Node;
    matches!(
        node.kind,
        Node::PYTHON_SCALAR | Node::NUMPY_SCALAR | Node::DEVICE_SCALAR | Node::ARRAY | Node::OBJECT | Node::ONE_OF
    )
}

fn is_known(code: u8) -> bool {
    usize::from(code) < dtype::ITEMSIZE.len()
}

/// How many nodes belong to a node; `None`: it is none.
fn members_of_parameter(node: &Parameter) -> Option<usize> {
    match node.kind {
        Parameter::TUPLE | Parameter::RECORD => Some(usize::from(node.rank)),
        Parameter::SCALAR | Parameter::ARRAY | Parameter::NONE | Parameter::STR | Parameter::OBJECT => Some(0),
        _ => None,
    }
}

/// The same of results.
fn members_of_result(node: &ResultNode) -> Option<usize> {
    match node.kind {
        ResultNode::TUPLE | ResultNode::LIST | ResultNode::RECORD | ResultNode::ONE_OF => Some(usize::from(node.rank)),
        ResultNode::NONE => Some(0),
        _ => is_leaf(node).then_some(0),
    }
}

/// How many trees nodes in pre-order are; `None` where one is no node, or the last tree lacks nodes.
fn trees(members: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    // Nodes that belong to the open tree and are still to come.
    let (mut trees, mut left) = (0, 0usize);
    for members in members {
        match left.checked_sub(1) {
            None => trees += 1,
            Some(fewer) => left = fewer,
        }
        left += members?;
    }
    (left == 0).then_some(trees)
}

#[cfg(test)]
mod tests {
    use super::trees;

    #[test]
    fn nodes_in_pre_order_are_trees() {
        let count = |members: &[usize]| trees(members.iter().map(|n| Some(*n)));
        assert_eq!(count(&[]), Some(0));
        assert_eq!(count(&[0, 0]), Some(2));
        assert_eq!(count(&[2, 1, 0, 0, 0]), Some(2));
        assert_eq!(count(&[2, 0]), None, "a member is missing");
        assert_eq!(trees([Some(0), None].into_iter()), None, "one is no node");
    }
}
