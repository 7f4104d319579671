//! The memory order of a computation that took in its producers.
//!
//! In: the old order, and for each old input what stands for it now. Out: the new order, giving the same strides at run time.

use numptx_ir::array::{Order, OrderTerm};

/// What an old input says about the order now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    terms: Vec<OrderTerm>,
}

impl Vote {
    /// An input that is still one, maybe at another position.
    pub fn of_input(position: usize) -> Vote {
        Vote { terms: vec![OrderTerm::Input(position)] }
    }

    /// An array that is no longer made, in K order of inputs that are repeated along no axis.
    pub fn of_inputs(positions: Vec<usize>) -> Vote {
        Vote { terms: positions.into_iter().map(OrderTerm::Input).collect() }
    }

    /// An array that is no longer made, in K order of these terms.
    pub fn of_fresh(terms: Vec<OrderTerm>) -> Vote {
        Vote { terms: vec![fresh(terms)] }
    }

    /// An array with at most one axis that is longer than 1 and not repeated: it prefers nothing.
    pub fn none() -> Vote {
        Vote { terms: Vec::new() }
    }
}

/// Puts the votes in the place of the inputs.
pub fn splice_order(order: &Order, votes: &[Vote]) -> Order {
    match order {
        Order::K(terms) => Order::K(splice(terms, votes)),
        other => other.clone(),
    }
}

fn splice(terms: &[OrderTerm], votes: &[Vote]) -> Vec<OrderTerm> {
    let mut spliced = Vec::new();
    for term in terms {
        match term {
            OrderTerm::Input(n) => spliced.extend(votes.get(*n).into_iter().flat_map(|v| v.terms.clone())),
            OrderTerm::Fresh(terms) => {
                let below = splice(terms, votes);
                // Every input abstained, but the fresh array had an order: C order, which `Fresh` of nothing is.
                spliced.push(fresh(below));
            }
        }
    }
    distinct(spliced)
}

/// Each term once: what it prefers counts no more the second time.
fn distinct(terms: Vec<OrderTerm>) -> Vec<OrderTerm> {
    let mut distinct: Vec<OrderTerm> = Vec::with_capacity(terms.len());
    for term in terms {
        if !distinct.contains(&term) {
            distinct.push(term);
        }
    }
    distinct
}

/// A fresh array in K order of one term prefers what that term prefers.
fn fresh(mut terms: Vec<OrderTerm>) -> OrderTerm {
    match terms.len() {
        1 => terms.remove(0),
        _ => OrderTerm::Fresh(terms),
    }
}
