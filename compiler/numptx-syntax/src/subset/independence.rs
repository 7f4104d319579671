//! Comments by which the user states that the iterations of a loop are independent.
//!
//! In: the comments of a file and where a `for` stands. Out: whether the comment on the line above is `#omp parallel for` or `#numptx parallel`,
//! and warnings of such comments that state nothing, because no `for` follows, or because they are written in another way.
//! Clauses behind it (`schedule(static)`, `private(x)`) tell how another compiler should run the loop, and change nothing here.

use numptx_source::{Report, Reports, Source, Span, code};

use crate::parse::Comment;

/// The comment that states of the loop that begins at `start` that it is independent, by number.
pub(super) fn statement_of(source: &Source, comments: &[Comment], start: u32) -> Option<usize> {
    let line = source.line_column(start).0;
    let last = comments.partition_point(|comment| comment.span.start < start).checked_sub(1)?;
    let comment = comments.get(last)?;
    let is_above = comment.own_line && source.line_column(comment.span.start).0 + 1 == line;
    (is_above && meaning(source.slice(comment.span)) == Some(Meaning::Statement)).then_some(last)
}

/// Warns of comments that should state something and do not; `heard` are those that do, by number.
pub(super) fn warn_of_others(source: &Source, comments: &[Comment], heard: &[usize], reports: &mut Reports) {
    for (_, comment) in comments.iter().enumerate().filter(|(number, _)| !heard.contains(number)) {
        let label = match meaning(source.slice(comment.span)) {
            Some(Meaning::Statement) => "no `for` stands on the line below",
            Some(Meaning::Misspelt) => "not read",
            None => continue,
        };
        let message = "this comment states nothing about a loop";
        let report = Report::warning(code::STATES_NOTHING, comment.span, message).label(label);
        reports.push(report.help("write `#numptx parallel` or `#omp parallel for` on the line above a `for`"));
    }
}

/// What a comment about parallel loops says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// That the iterations of a loop are independent.
    Statement,
    /// The same, as others write it, or with a mistake.
    Misspelt,
}

fn meaning(comment: &str) -> Option<Meaning> {
    let text = comment.trim_start_matches('#').replace('(', " (");
    let words: Vec<&str> = text.split_whitespace().collect();
    // Prose begins with a space.
    let is_prose = comment.starts_with("# ");
    match words.as_slice() {
        ["omp", "parallel", "for", ..] | ["numptx", "parallel"] => return Some(Meaning::Statement),
        ["numptx", "parallel", ..] if !is_prose => return Some(Meaning::Statement),
        _ => {}
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut rest = lower.iter().map(String::as_str).skip_while(|word| matches!(*word, "pragma" | "$" | "!$"));
    let is_misspelt = match (rest.next()?, rest.next()) {
        ("omp" | "$omp" | "!$omp", Some("parallel")) => !is_prose || rest.next().is_none_or(|word| word == "for"),
        ("omp" | "$omp" | "!$omp", Some("for")) => true,
        ("numptx", Some(word)) if !is_prose => is_near(word, "parallel") || word == "prange",
        _ => false,
    };
    is_misspelt.then_some(Meaning::Misspelt)
}

/// Whether a word is another with a mistake or two.
fn is_near(word: &str, wanted: &str) -> bool {
    ["paral", "parra"].iter().any(|start| word.starts_with(start)) && word.len().abs_diff(wanted.len()) <= 2
}

/// A `for` statement that is stated to be independent, by the span of its header.
pub(super) fn note(list: &mut Vec<Span>, header: Span) {
    if !list.contains(&header) {
        list.push(header);
    }
}

#[cfg(test)]
mod tests {
    use super::{Meaning, meaning};

    #[test]
    fn pythrans_form_is_read_with_its_clauses() {
        for comment in ["#omp parallel for", "# omp parallel for schedule(static, 4) private(i)", "#numptx parallel"] {
            assert_eq!(meaning(comment), Some(Meaning::Statement), "{comment}");
        }
    }

    #[test]
    fn what_others_write_and_mistakes_are_not_taken_for_prose() {
        let others = ["#omp parallel", "#OMP PARALLEL FOR", "#pragma omp parallel for", "#$ omp parallel for"];
        for comment in others.into_iter().chain(["#omp for", "#numptx paralel"]) {
            assert_eq!(meaning(comment), Some(Meaning::Misspelt), "{comment}");
        }
        let prose = ["# numptx parallel loops", "# OMP parallel regions are others", "#numptx parameters are these"];
        for comment in prose.into_iter().chain(["# parallel for", "#numptx export f(int)", "# omp simd", "#"]) {
            assert_eq!(meaning(comment), None, "{comment}");
        }
    }
}
