//! Which loops become graphs: what a graph costs, and `NUMPTX_REPLAY`, which decides instead: `graph`, wherever that is possible, or `launches`.

use std::sync::OnceLock;

use crate::error::{Error, Result};

/// Iterations that are launched one by one before there is a graph.
const NOTED: i64 = 2;
/// Launches of an iteration that a graph is worth. On an H200 with driver 580 two small kernels keep the host for 7 µs, eight for 27; in a graph they take the
/// device 2.8 and 9.
const LEAST_LAUNCHES: usize = 2;
/// Launches of all iterations to come that a graph is worth: to make one and to destroy it takes about as long as ten.
const WORTH: i64 = 32;

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// A graph wherever one is possible.
    Graph,
    /// No graphs.
    Launches,
    /// Graphs where they are worth it.
    Cheapest,
}

pub(super) fn wish() -> Wish {
    // Calls look for a mistake in it before.
    *read().as_ref().unwrap_or(&Wish::Cheapest)
}

fn read() -> &'static Result<Wish> {
    static WISH: OnceLock<Result<Wish>> = OnceLock::new();
    WISH.get_or_init(|| parse(&std::env::var("NUMPTX_REPLAY").unwrap_or_default()))
}

fn parse(text: &str) -> Result<Wish> {
    match text.trim() {
        "" => Ok(Wish::Cheapest),
        "graph" => Ok(Wish::Graph),
        "launches" => Ok(Wish::Launches),
        _ => Err(Error::value(format!("NUMPTX_REPLAY is `{text}`; it may be graph or launches"))),
    }
}

/// Fails if `NUMPTX_REPLAY` is nothing that it may be.
pub(crate) fn check_wish() -> Result<()> {
    read().as_ref().map(|_| ()).map_err(Error::clone)
}

impl Wish {
    /// Whether a loop of so many iterations may become a graph.
    pub(super) fn may_replay(self, iterations: i64) -> bool {
        match self {
            Wish::Graph => iterations > NOTED,
            Wish::Launches => false,
            Wish::Cheapest => iterations > 2 * NOTED,
        }
    }

    /// Whether a graph of so many launches is worth making for so many iterations.
    pub(super) fn is_worth_a_graph(self, iterations: i64, launches: usize) -> bool {
        match self {
            Wish::Graph => iterations > 0 && launches > 0,
            Wish::Launches => false,
            Wish::Cheapest => launches >= LEAST_LAUNCHES && iterations.saturating_mul(launches as i64) >= WORTH,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Wish, parse};

    #[test]
    fn the_environment_decides() {
        for (text, wish) in [("", Wish::Cheapest), (" graph ", Wish::Graph), ("launches", Wish::Launches)] {
            assert_eq!(parse(text).ok(), Some(wish));
        }
        let error = parse("host").expect_err("it is none of the wishes");
        assert_eq!(error.message(), "NUMPTX_REPLAY is `host`; it may be graph or launches");
    }

    #[test]
    fn graphs_are_for_loops_with_much_to_launch() {
        for (iterations, launches, is_worth) in
            [(100, 1, false), (16, 2, true), (15, 2, false), (4, 8, true), (0, 8, false)]
        {
            assert_eq!(Wish::Cheapest.is_worth_a_graph(iterations, launches), is_worth, "{iterations} {launches}");
        }
        assert!(Wish::Graph.may_replay(3) && !Wish::Graph.may_replay(2) && Wish::Graph.is_worth_a_graph(1, 1));
        assert!(!Wish::Launches.may_replay(i64::MAX) && !Wish::Launches.is_worth_a_graph(i64::MAX, 500));
        assert!(Wish::Cheapest.is_worth_a_graph(i64::MAX, 2));
    }
}
