//! The source, line by line, with what is said of each.

use super::super::model::{Action, Report};
use super::escape::escaped;
use super::{notes, rank};

/// A part of the text that is marked.
struct Mark {
    start: usize,
    end: usize,
    class: &'static str,
}

/// The listing.
pub fn listing(report: &Report) -> String {
    let notes = notes::by_line(report);
    let marks = marks(report);
    let mut html = String::from("<ol class=\"source\">\n");
    let mut offset = 0;
    for (n, line) in report.source.split_inclusive('\n').enumerate() {
        let text = line.trim_end_matches(['\n', '\r']);
        let number = n + 1;
        let code = marked(text, offset, &marks);
        html += &format!("<li id=\"L{number}\"><a class=\"n\" href=\"#L{number}\">{number}</a><code>{code}</code>");
        if let Some(notes) = notes.get(&number) {
            html += &format!("<ul class=\"notes\">\n{notes}</ul>");
        }
        html += "</li>\n";
        offset += line.len();
    }
    html + "</ol>\n"
}

/// The loops' headers, and the outermost expressions that are kernels; none overlaps another.
fn marks(report: &Report) -> Vec<Mark> {
    let mut all: Vec<Mark> = Vec::new();
    for l in &report.loops {
        let class = l.outcomes.first().map_or("none", |outcome| rank(outcome.strategy));
        all.push(Mark { start: l.at.start as usize, end: l.at.end as usize, class });
    }
    for step in report.versions.iter().flat_map(|version| &version.steps).filter(|step| !step.elsewhere) {
        if matches!(step.action, Action::Launch { .. }) {
            all.push(Mark { start: step.at.start as usize, end: step.at.end as usize, class: "kernel" });
        }
    }
    all.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    let mut apart: Vec<Mark> = Vec::new();
    for mark in all {
        if apart.last().is_none_or(|last| last.end <= mark.start) {
            apart.push(mark);
        }
    }
    apart
}

/// A line with its marks; `offset`: where it begins in the source.
fn marked(text: &str, offset: usize, marks: &[Mark]) -> String {
    let mut html = String::new();
    let mut done = 0;
    for mark in marks {
        let start = mark.start.max(offset).saturating_sub(offset).max(done);
        let end = mark.end.saturating_sub(offset).min(text.len());
        if start >= end {
            continue;
        }
        let (Some(before), Some(inside)) = (text.get(done..start), text.get(start..end)) else { continue };
        html += &format!("{}<span class=\"mark {}\">{}</span>", escaped(before), mark.class, escaped(inside));
        done = end;
    }
    html + &escaped(text.get(done..).unwrap_or_default())
}
