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
    /// The position of an input of the same extents, where the order asks for it.
    like: Option<usize>,
}

impl Vote {
    /// An input that is still one, maybe at another position.
    pub fn of_kept(position: usize) -> Vote {
        Vote { terms: vec![OrderTerm::Input(position)], kept: Some(position), like: Some(position) }
    }

    /// An array that is no longer made, in K order of an input that is repeated along no axis.
    pub fn of_input(position: usize) -> Vote {
        Vote { terms: vec![OrderTerm::Input(position)], kept: None, like: None }
    }

    /// An array that is no longer made, in K order of inputs that are repeated along no axis.
    pub fn of_inputs(positions: Vec<usize>) -> Vote {
        Vote { terms: positions.into_iter().map(OrderTerm::Input).collect(), kept: None, like: None }
    }

    /// An array that is no longer made, in K order of these terms. `like`: an input of its extents, where it was broadcast later; `axes`: the
    /// result's as it had them, empty if it had them so.
    pub fn of_fresh(like: Option<usize>, axes: Vec<usize>, terms: Vec<OrderTerm>) -> Vote {
        Vote { terms: vec![fresh(like, axes, terms)], kept: None, like: None }
    }

    /// An array with at most one axis that is longer than 1 before it is broadcast: it prefers nothing.
    pub fn none() -> Vote {
        Vote { terms: Vec::new(), kept: None, like: None }
    }

    /// The same vote, with an input of the array's extents.
    pub fn with_extents_of(self, like: usize) -> Vote {
        Vote { like: Some(like), ..self }
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
        OrderTerm::Fresh { terms, .. } => has_copy(terms),
    })
}

/// Puts the votes in the place of the inputs.
pub fn splice_order(order: &Order, votes: &[Vote]) -> Order {
    match order {
        Order::K(terms) => Order::K(flat(splice(terms, votes))),
        other => other.clone(),
    }
}

/// The terms in one form. Alone, a removed array of the result's extents prefers what its terms do; beside it, they prefer nothing else.
fn flat(mut terms: Vec<OrderTerm>) -> Vec<OrderTerm> {
    let of_one = |term: &OrderTerm| match term {
        OrderTerm::Fresh { like: None, axes, terms } if axes.is_empty() => {
            <&[OrderTerm; 1]>::try_from(&terms[..]).ok().map(|[t]| t.clone())
        }
        _ => None,
    };
    let told: Vec<OrderTerm> = terms.iter().filter_map(of_one).collect();
    terms.retain(|term| !matches!(term, OrderTerm::Input(_)) || !told.contains(term));
    match &mut terms[..] {
        [OrderTerm::Fresh { like: None, axes, terms }] if axes.is_empty() => std::mem::take(terms),
        _ => terms,
    }
}

/// Whether the order looks at the extents of this input.
pub fn is_like(order: &Order, input: usize) -> bool {
    fn looks(term: &OrderTerm, input: usize) -> bool {
        let OrderTerm::Fresh { like, terms, .. } = term else { return false };
        *like == Some(input) || terms.iter().any(|t| looks(t, input))
    }
    matches!(order, Order::K(terms) if terms.iter().any(|t| looks(t, input)))
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
            OrderTerm::Fresh { like, axes, terms } => {
                let like = like.and_then(|n| votes.get(n)).and_then(|vote| vote.like);
                // Every input abstained, but the fresh array had an order: C order, which `Fresh` of nothing is.
                spliced.push(fresh(like, axes.clone(), splice(terms, votes)));
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

/// A fresh array in K order of one term that repeats nothing prefers what that term prefers.
fn fresh(like: Option<usize>, axes: Vec<usize>, mut terms: Vec<OrderTerm>) -> OrderTerm {
    match (&mut terms[..], like) {
        ([OrderTerm::Copy(n)], None) => OrderTerm::Copy(*n),
        ([OrderTerm::Fresh { like: None, axes, terms }], _) => {
            OrderTerm::Fresh { like, axes: std::mem::take(axes), terms: std::mem::take(terms) }
        }
        _ => OrderTerm::Fresh { like, axes, terms },
    }
}
