//! All programs of a few statements, as trees, in a fixed order.
//!
//! In: a number of statements. Out: every block of that many, nested ones counted, over one array parameter: what is allocated, viewed,
//! reshaped, written, computed, branched on and looped over, with every choice of operands and of what is carried.

/// A statement. Operands are positions among the visible arrays; all but `Store` and `Check` define a new one.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A new array of twice the elements.
    Fresh(usize),
    /// A new array: each element plus the one that lies as far from the other end.
    Mirror(usize),
    /// All but the first element.
    View(usize),
    /// The same extents: a view where that is possible, owned either way.
    Reshape(usize),
    /// Adds one to each element.
    Store(usize),
    /// Raises unless the flag is set.
    Check,
    /// Either block's array.
    If(Block, Block),
    /// An array carried through a counted loop.
    For(usize, Block),
    /// An array carried through a loop with a condition.
    While(usize, Block),
}

/// Statements, and which visible array is carried at their end.
#[derive(Clone, Debug)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub yielded: usize,
}

/// All sequences of `size` statements where `n_visible` arrays are visible, nested up to `depth`, with the number visible after each.
pub fn sequences(size: usize, n_visible: usize, depth: usize) -> Vec<(Vec<Statement>, usize)> {
    if size == 0 {
        return vec![(Vec::new(), n_visible)];
    }
    let mut all = Vec::new();
    for first_size in 1..=size {
        for first in statements(first_size, n_visible, depth) {
            let after = n_visible + usize::from(!matches!(first, Statement::Store(_) | Statement::Check));
            for (rest, n) in sequences(size - first_size, after, depth) {
                all.push(([vec![first.clone()], rest].concat(), n));
            }
        }
    }
    all
}

fn blocks(size: usize, n_visible: usize, depth: usize) -> Vec<Block> {
    let all = sequences(size, n_visible, depth).into_iter();
    all.flat_map(|(statements, n)| (0..n).map(move |yielded| Block { statements: statements.clone(), yielded }))
        .collect()
}

/// All statements of a size.
fn statements(size: usize, n_visible: usize, depth: usize) -> Vec<Statement> {
    use Statement::*;
    if size == 1 {
        let of_one = |v: usize| [Fresh(v), Mirror(v), View(v), Reshape(v), Store(v)];
        let mut all: Vec<Statement> = (0..n_visible).flat_map(of_one).collect();
        all.push(Check);
        all.extend(nested(0, n_visible, depth));
        return all;
    }
    nested(size - 1, n_visible, depth)
}

/// Statements with `size` statements inside.
fn nested(size: usize, n_visible: usize, depth: usize) -> Vec<Statement> {
    if depth == 0 {
        return Vec::new();
    }
    let mut all = Vec::new();
    for first in 0..=size {
        for then in blocks(first, n_visible, depth - 1) {
            all.extend(blocks(size - first, n_visible, depth - 1).into_iter().map(|b| Statement::If(then.clone(), b)));
        }
    }
    for body in blocks(size, n_visible + 1, depth - 1) {
        for initial in 0..n_visible {
            all.push(Statement::For(initial, body.clone()));
            all.push(Statement::While(initial, body.clone()));
        }
    }
    all
}
