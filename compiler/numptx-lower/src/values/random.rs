//! What of `np.random` is a value.

use std::sync::{Arc, LazyLock};

use numptx_source::Span;
use numptx_syntax::ast::{Field, Record, RecordKind};

use crate::values::class::Class;

/// What of `np.random` is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Random {
    /// `Generator`
    Generator,
    /// `RandomState`
    Legacy,
    /// `PCG64` and the others: which one it is, its state tells.
    BitGenerator,
    /// `SeedSequence`
    SeedSequence,
}

/// All classes, and their names.
pub(crate) const CLASSES: [(Random, &str); 4] = [
    (Random::Generator, "Generator"),
    (Random::Legacy, "RandomState"),
    (Random::BitGenerator, "BitGenerator"),
    (Random::SeedSequence, "SeedSequence"),
];

static RECORDS: LazyLock<Vec<Class>> = LazyLock::new(|| CLASSES.iter().map(|(_, name)| record(name)).collect());

fn record(name: &str) -> Class {
    // No attribute that a program can write has a dot in its name.
    let field = |name: &str| Field {
        name: format!("numptx.{name}"),
        span: Span::default(),
        types: Vec::new(),
        default: None,
        is_made: false,
        is_assigned: false,
    };
    let fields = match name {
        "Generator" | "RandomState" => vec![field("words"), field("gauss")],
        _ => vec![field("words")],
    };
    let kind = RecordKind::DataClass { frozen: true, ordered: false, named: false };
    Class(Arc::new(Record { name: name.to_owned(), span: Span::default(), kind, fields, methods: Vec::new() }))
}

impl Random {
    /// What a class is, if it is one of these.
    pub fn of(class: &Class) -> Option<Random> {
        let position = RECORDS.iter().position(|own| own == class)?;
        CLASSES.get(position).map(|(random, _)| *random)
    }

    /// The class as records have it.
    pub fn class(self) -> Class {
        RECORDS[self as usize].clone()
    }

    /// The class of a name of `np.random`.
    pub fn named(name: &str) -> Option<Random> {
        CLASSES.iter().find(|(_, own)| *own == name).map(|(random, _)| *random)
    }

    pub fn name(self) -> &'static str {
        CLASSES[self as usize].1
    }

    /// What the names of the library's functions begin with that are its methods.
    pub fn prefixes(self) -> &'static [&'static str] {
        match self {
            Random::Generator => &["generator", "both"],
            Random::Legacy => &["legacy", "both"],
            Random::BitGenerator => &["bits"],
            Random::SeedSequence => &["sequence"],
        }
    }
}

/// Methods of generators, which are functions of `np.random` as well, of the state that NumPy keeps.
pub(crate) const METHODS: &[&str] = &[
    "beta",
    "binomial",
    "chisquare",
    "choice",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "gumbel",
    "hypergeometric",
    "integers",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_hypergeometric",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "permuted",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "tomaxint",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
];

/// Methods of bit generators and seed sequences.
pub(crate) const OTHER_METHODS: &[&str] = &["advance", "generate_state", "jumped", "random_raw", "spawn"];

/// Whether a call is one of `np.random`, by the name that reports have.
pub(crate) fn is_of_random(name: &str) -> bool {
    let is_class = CLASSES.iter().any(|(_, class)| *class == name);
    is_class || name.contains("random") || METHODS.contains(&name) || OTHER_METHODS.contains(&name)
}
