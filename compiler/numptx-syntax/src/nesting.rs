//! How deep a statement's tree can get, bounded from its tokens before any tree is built.
//!
//! In: marks made from the tokens of one top-level statement. Out: the place where the bound goes
//! beyond what a thread's stack is sure to hold. It does not know Python's grammar: every operator
//! is taken to nest, so the bound is never too low.

use numptx_source::Span;

/// Open brackets inside one another; CPython's own limit.
const MAX_BRACKETS: usize = 200;
/// Indented blocks inside one another; CPython's own limit.
const MAX_BLOCKS: usize = 100;
/// Operators, calls and subscripts inside one another.
const MAX_LINKS: usize = 2000;

/// `elif` branches in one top-level statement.
const MAX_BRANCHES: usize = 1000;

/// What a token does to the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `(`, `[`, `{`
    Open,
    /// `)`, `]`, `}`
    Close,
    /// An operator or keyword whose operand may be nested: as many levels as the number says.
    Link(usize),
    /// A comma or the end of a line: what follows is a sibling.
    Separator,
    /// A block opens.
    Indent,
    /// A block closes.
    Dedent,
    /// An `elif`: the tree nests one deeper.
    Branch,
    /// Anything else.
    Leaf,
}

/// What went too deep, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooDeep {
    /// In the user's words.
    pub what: &'static str,
    /// The token that crossed the limit.
    pub span: Span,
}

/// The siblings between one pair of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    links: usize,
    deepest_child: usize,
    deepest_sibling: usize,
}

impl Level {
    fn end_sibling(&mut self) {
        self.deepest_sibling = self.deepest_sibling.max(self.links + self.deepest_child);
        self.links = 0;
        self.deepest_child = 0;
    }
}

/// Checks the tokens of one top-level statement.
pub(crate) fn check(marks: impl Iterator<Item = (Mark, Span)>) -> Result<(), TooDeep> {
    let mut levels = vec![Level::default()];
    let (mut blocks, mut branches) = (0usize, 0usize);
    for (mark, span) in marks {
        let top = levels.len() - 1;
        match mark {
            Mark::Open => levels.push(Level::default()),
            Mark::Close if top > 0 => close(&mut levels),
            Mark::Link(n) => levels[top].links += n,
            Mark::Separator => levels[top].end_sibling(),
            Mark::Indent => blocks += 1,
            Mark::Dedent => blocks = blocks.saturating_sub(1),
            Mark::Branch => branches += 1,
            Mark::Close | Mark::Leaf => {}
        }
        let top = levels.last().copied().unwrap_or_default();
        if levels.len() > MAX_BRACKETS {
            return Err(TooDeep { what: "too many brackets inside one another", span });
        }
        if blocks > MAX_BLOCKS {
            return Err(TooDeep { what: "too many blocks inside one another", span });
        }
        if branches > MAX_BRANCHES {
            return Err(TooDeep { what: "too many `elif` branches", span });
        }
        if top.links + top.deepest_child > MAX_LINKS {
            return Err(TooDeep { what: "too many operators in one expression", span });
        }
    }
    Ok(())
}

fn close(levels: &mut Vec<Level>) {
    let Some(mut inner) = levels.pop() else { return };
    inner.end_sibling();
    if let Some(outer) = levels.last_mut() {
        outer.deepest_child = outer.deepest_child.max(inner.deepest_sibling + 1);
        outer.links += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, check};
    use numptx_source::Span;

    fn run(marks: &[Mark]) -> bool {
        check(marks.iter().map(|m| (*m, Span::new(0, 1)))).is_ok()
    }

    #[test]
    fn siblings_do_not_add_up() {
        let mut marks = Vec::new();
        for _ in 0..5000 {
            marks.extend([Mark::Leaf, Mark::Link(1), Mark::Separator]);
        }
        assert!(run(&marks));
    }

    #[test]
    fn links_and_brackets_add_up() {
        assert!(!run(&[Mark::Link(1); 2001]));
        assert!(!run(&[Mark::Open; 201]));
        assert!(run(&[Mark::Open; 150]));
        let mut marks = vec![Mark::Open; 10];
        for _ in 0..10 {
            marks.extend([Mark::Link(1); 250]);
            marks.push(Mark::Close);
        }
        assert!(!run(&marks), "operators around nested brackets add to those inside");
    }

    #[test]
    fn unmatched_closing_brackets_are_harmless() {
        assert!(run(&[Mark::Close, Mark::Dedent, Mark::Close, Mark::Open]));
    }
}
