//! The report as a page: one file, no script, nothing from elsewhere.
//!
//! In: a [`Report`]. Out: HTML that is read on a wide or a narrow screen, in light or dark, with a keyboard alone. What comes from the source is
//! escaped. It shows facts and adds none.

mod escape;
mod notes;
mod source;
mod tables;

use numptx_ir::array::LoopStrategy;

use super::model::{LoopReport, Place, Report};
use super::words::one_line;
use escape::escaped;

/// Nothing is loaded and nothing is run, whatever the source holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Report {
    /// As a page.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escaped(&self.file);
        let sections = [
            section("calls", "Calls", &tables::calls(self)),
            section("loops", "Loops", &loops(self)),
            section("source", "Source", &source::listing(self)),
            section("steps", "Steps of a call", &tables::steps(self)),
            section("kernels", "Kernels", &tables::kernels(self)),
        ];
        let contents: Vec<String> = sections.iter().map(|section| section.link.clone()).collect();
        let bodies: Vec<String> = sections.into_iter().map(|section| section.body).collect();
        let compiler = escaped(&self.compiler);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}: what {compiler} did</title>\n\
             <style>\n{}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#source\">Skip to the source</a>\n\
             <header>\n<h1>{title}</h1>\n<p>What {compiler} did with each loop and expression. Facts of the compiled program; nothing is measured.</p>\n\
             <nav aria-label=\"Parts\">{}</nav>\n</header>\n<main>\n{}</main>\n</body>\n</html>\n",
            include_str!("page.css"),
            contents.join(""),
            bodies.join(""),
        )
    }
}

/// A part of the page, and the link to it.
struct Section {
    link: String,
    body: String,
}

fn section(id: &str, title: &str, body: &str) -> Section {
    Section {
        link: format!("<a href=\"#{id}\">{title}</a>"),
        body: format!("<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>\n{body}</section>\n"),
    }
}

/// The loops with what they became, as links into the source.
fn loops(report: &Report) -> String {
    if report.loops.is_empty() {
        return "<p class=\"none\">The program has no loop statements.</p>\n".to_owned();
    }
    let item = |l: &LoopReport| {
        let badges: Vec<String> = l.outcomes.iter().map(|outcome| badge(outcome.strategy, outcome.summary)).collect();
        let badges = if badges.is_empty() { notes::nothing_left() } else { unique(badges).join(" ") };
        let (href, text) = (line_link(&l.at), escaped(&one_line(&l.at.text)));
        format!("<li><a href=\"{href}\">{}</a> <code>{} {text}</code> {badges}</li>\n", line_of(&l.at), l.keyword)
    };
    format!("<ul class=\"loops\">\n{}</ul>\n", report.loops.iter().map(item).collect::<String>())
}

/// The same texts once each, in order.
fn unique(texts: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for text in texts {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}

/// How a loop runs, as a mark whose colour repeats what its text says.
fn badge(strategy: LoopStrategy, summary: &str) -> String {
    format!("<span class=\"badge {}\">{}</span>", rank(strategy), escaped(summary))
}

/// The class of colour: whether a loop runs in parallel, takes part in what does, or runs alone.
fn rank(strategy: LoopStrategy) -> &'static str {
    match strategy {
        LoopStrategy::Parallel
        | LoopStrategy::ParallelWithSnapshot
        | LoopStrategy::Reduction
        | LoopStrategy::Scan
        | LoopStrategy::Wavefront => "good",
        LoopStrategy::Interchanged
        | LoopStrategy::Phases
        | LoopStrategy::TiledPhases
        | LoopStrategy::InWorkItem
        | LoopStrategy::AroundKernels
        | LoopStrategy::Host => "fair",
        LoopStrategy::OneThread | LoopStrategy::ElementByElement => "poor",
    }
}

fn line_link(place: &Place) -> String {
    format!("#L{}", place.listed_line)
}

/// `line 3`, or `line 3 of util.py`.
fn line_of(place: &Place) -> String {
    let file = place.file.as_ref().map(|file| format!(" of {}", escaped(file)));
    format!("line {}{}", place.line, file.unwrap_or_default())
}

/// A place as a link: its text, and its line.
fn place_link(place: &Place) -> String {
    let text = escaped(&one_line(&place.text));
    format!("<a href=\"{}\"><code>{text}</code> ({})</a>", line_link(place), line_of(place))
}
