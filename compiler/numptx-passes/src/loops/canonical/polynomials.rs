//! Indices as polynomials of ints: what `(i * m + j) * k + l` is a sum of.
//!
//! In: how the ints of a loop are made. Out: sums of products, with numbers as factors. What is made before the loop stays what it is, but for products, so
//! that an extent is one int in all indices.

use std::collections::{BTreeMap, HashMap, HashSet};

use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

/// Limit: factors of a product.
const MOST_FACTORS: usize = 4;
/// Limit: products in a sum.
const MOST_TERMS: usize = 16;
/// Limit: ints made of ints are followed as far.
const DEPTH: usize = 12;

/// A sum of products: by their factors, sorted, the numbers that they are multiplied by, none of them 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Polynomial(BTreeMap<Vec<ValueId>, i64>);

impl Polynomial {
    fn number(n: i64) -> Self {
        let mut sum = Polynomial::default();
        sum.0.extend((n != 0).then_some((Vec::new(), n)));
        sum
    }

    fn atom(value: ValueId) -> Self {
        Polynomial(BTreeMap::from([(vec![value], 1)]))
    }

    /// The products.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&Vec<ValueId>, i64)> {
        self.0.iter().map(|(factors, number)| (factors, *number))
    }

    /// Adds a product; `None` where numbers overflow, or there are too many.
    pub(crate) fn add(&mut self, factors: Vec<ValueId>, number: i64) -> Option<()> {
        let sum = self.0.entry(factors).or_insert(0);
        *sum = sum.checked_add(number)?;
        self.0.retain(|_, number| *number != 0);
        (self.0.len() <= MOST_TERMS).then_some(())
    }

    fn plus(mut self, other: &Self, sign: i64) -> Option<Self> {
        for (factors, number) in other.terms() {
            self.add(factors.clone(), number.checked_mul(sign)?)?;
        }
        Some(self)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Polynomial::default();
        for (some, a) in self.terms() {
            for (others, b) in other.terms() {
                let mut factors = [some.as_slice(), others].concat();
                factors.sort_unstable();
                if factors.len() > MOST_FACTORS {
                    return None;
                }
                product.add(factors, a.checked_mul(b)?)?;
            }
        }
        Some(product)
    }
}

/// Factors, and the size of the number that they are multiplied by.
pub(crate) type Product = (Vec<ValueId>, u64);

/// How the ints of a loop are made.
pub(crate) struct Made {
    /// Scalars of the loop, and of what stands before it because it is the same in all iterations.
    pub ops: HashMap<ValueId, (ScalarOp, Vec<ValueId>)>,
    /// Numbers.
    pub numbers: HashMap<ValueId, i64>,
    /// What the loop defines.
    pub inside: HashSet<ValueId>,
}

impl Made {
    /// Notes a scalar.
    pub(crate) fn note(&mut self, kind: &OpKind, operands: &[ValueId], results: &[ValueId]) {
        match kind {
            OpKind::Scalar(op) => _ = self.ops.insert(results[0], (*op, operands.to_vec())),
            OpKind::Constant(Constant::Int(n)) => _ = self.numbers.insert(results[0], *n),
            _ => {}
        }
    }

    /// What an int is made by, with these operands.
    pub(crate) fn by(&self, value: ValueId) -> Option<(ScalarOp, &[ValueId])> {
        self.ops.get(&value).map(|(op, operands)| (*op, operands.as_slice()))
    }

    /// What an int is the sum or product of, as far as indices are taken apart.
    fn arithmetic(&self, value: ValueId) -> Option<(ScalarOp, &[ValueId])> {
        use ScalarOp::{Add, Mul, Neg, Sub};
        let is_inside = self.inside.contains(&value);
        self.by(value).filter(|(op, _)| *op == Mul || (is_inside && matches!(op, Add | Sub | Neg)))
    }

    /// An int as a polynomial.
    pub(crate) fn polynomial(&self, value: ValueId) -> Option<Polynomial> {
        self.polynomial_within(value, DEPTH)
    }

    fn polynomial_within(&self, value: ValueId, depth: usize) -> Option<Polynomial> {
        if let Some(n) = self.numbers.get(&value) {
            return Some(Polynomial::number(*n));
        }
        let depth = depth.checked_sub(1)?;
        let of = |value: ValueId| self.polynomial_within(value, depth);
        match self.arithmetic(value) {
            Some((ScalarOp::Add, [a, b])) => of(*a)?.plus(&of(*b)?, 1),
            Some((ScalarOp::Sub, [a, b])) => of(*a)?.plus(&of(*b)?, -1),
            Some((ScalarOp::Neg, [a])) => Polynomial::default().plus(&of(*a)?, -1),
            Some((ScalarOp::Mul, [a, b])) => of(*a)?.times(&of(*b)?),
            _ => Some(Polynomial::atom(value)),
        }
    }

    /// The products that an int is computed from, each with the size of its number, though some may cancel out: nothing that it is computed from is
    /// larger than their sum.
    pub(crate) fn products(&self, value: ValueId) -> Option<Vec<Product>> {
        self.products_within(value, DEPTH)
    }

    fn products_within(&self, value: ValueId, depth: usize) -> Option<Vec<Product>> {
        if let Some(n) = self.numbers.get(&value) {
            return Some(vec![(Vec::new(), n.unsigned_abs())]);
        }
        let depth = depth.checked_sub(1)?;
        let of = |value: &ValueId| self.products_within(*value, depth);
        let products = match self.arithmetic(value) {
            Some((ScalarOp::Mul, [a, b])) => {
                let (some, others) = (of(a)?, of(b)?);
                let pairs = some.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
                let product =
                    |(a, b): (&Product, &Product)| Some(([a.0.as_slice(), &b.0].concat(), a.1.checked_mul(b.1)?));
                pairs.map(product).collect::<Option<Vec<_>>>()?
            }
            Some((_, operands)) => operands.iter().map(of).collect::<Option<Vec<_>>>()?.concat(),
            None => vec![(vec![value], 1)],
        };
        let is_short =
            products.len() <= MOST_TERMS && products.iter().all(|(factors, _)| factors.len() <= MOST_FACTORS);
        is_short.then_some(products)
    }
}
