//! Comments by which the user states that the iterations of a loop are independent.
//!
//! In: the comments of a file and where a `for` stands. Out: whether the comment on the line above is `#omp parallel for` or `#numptx parallel`.
//! Clauses behind it (`schedule(static)`, `private(x)`) tell how another compiler should run the loop, and change nothing here.

use numptx_source::{Source, Span};

use crate::parse::Comment;

/// Whether the loop that begins at `start` is stated to be independent.
pub(super) fn is_stated(source: &Source, comments: &[Comment], start: u32) -> bool {
    let line = source.line_column(start).0;
    let before = comments.partition_point(|comment| comment.span.start < start);
    let Some(comment) = before.checked_sub(1).and_then(|last| comments.get(last)) else { return false };
    comment.own_line && source.line_column(comment.span.start).0 + 1 == line && states(source.slice(comment.span))
}

fn states(comment: &str) -> bool {
    let words = comment.trim_start_matches('#').replace('(', " (");
    let words: Vec<&str> = words.split_whitespace().collect();
    matches!(words.as_slice(), ["omp", "parallel", "for", ..] | ["numptx", "parallel", ..])
}

/// A `for` statement that is stated to be independent, by the span of its header.
pub(super) fn note(list: &mut Vec<Span>, header: Span) {
    if !list.contains(&header) {
        list.push(header);
    }
}

#[cfg(test)]
mod tests {
    use super::states;

    #[test]
    fn pythrans_form_is_read_with_its_clauses() {
        for comment in ["#omp parallel for", "# omp parallel for schedule(static, 4) private(i)", "#numptx parallel"] {
            assert!(states(comment), "{comment}");
        }
        for comment in ["#omp parallel", "# parallel for", "#omp for", "#numptx export f(int)", "# numptx parallelism"]
        {
            assert!(!states(comment), "{comment}");
        }
    }
}
