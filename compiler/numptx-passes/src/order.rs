//! The memory order of a computation that took in its producers.
//!
//! In: the old order, and for each old input what stands for it now. Out: the new order, giving the same strides at run time.

use numptx_ir::array::{Order, OrderTerm};

/// What an old input says about the order now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    terms: Vec<OrderTerm>,
    /// The position of an input that still is one.
    kept: Option<usize>,
}

impl Vote {
    /// An input that is still one, maybe at another position.
    pub fn of_kept(position: usize) -> Vote {
        Vote { terms: vec![OrderTerm::Input(position)], kept: Some(position) }
    }

    /// An array that is no longer made, in K order of an input that is repeated along no axis.
    pub fn of_input(position: usize) -> Vote {
        Vote { terms: vec![OrderTerm::Input(position)], kept: None }
    }

    /// An array that is no longer made, in K order of inputs that are repeated along no axis.
    pub fn of_inputs(positions: Vec<usize>) -> Vote {
        Vote { terms: positions.into_iter().map(OrderTerm::Input).collect(), kept: None }
    }

    /// An array that is no longer made, in K order of these terms.
    pub fn of_fresh(terms: Vec<OrderTerm>) -> Vote {
        Vote { terms: vec![fresh(terms)], kept: None }
    }

    /// An array with at most one axis that is longer than 1 and not repeated: it prefers nothing.
    pub fn none() -> Vote {
        Vote { terms: Vec::new(), kept: None }
    }
}

/// Whether the order tells where this input repeats elements.
pub fn copies(order: &Order, input: usize) -> bool {
    matches!(order, Order::K(terms) if terms.contains(&OrderTerm::Copy(input)) || terms.contains(&OrderTerm::Joined(input)))
}

/// Whether a term stands for a copy of an input.
pub fn has_copy(terms: &[OrderTerm]) -> bool {
    terms.iter().any(|term| match term {
        OrderTerm::Input(_) => false,
        OrderTerm::Copy(_) | OrderTerm::Joined(_) => true,
        OrderTerm::Fresh(terms) => has_copy(terms),
    })
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
            OrderTerm::Copy(n) | OrderTerm::Joined(n) => match votes.get(*n) {
                Some(Vote { kept: Some(position), .. }) if matches!(term, OrderTerm::Joined(_)) => {
                    spliced.push(OrderTerm::Joined(*position));
                }
                Some(Vote { kept: Some(position), .. }) => spliced.push(OrderTerm::Copy(*position)),
                // What is no longer made had no gaps and repeated nothing: a copy lies as it did.
                Some(vote) => spliced.extend(vote.terms.clone()),
                None => {}
            },
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
