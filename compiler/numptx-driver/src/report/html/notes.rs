//! What is said below a line of the source.
//!
//! In: a report. Out: notes by line, the same ones of several versions once, with the versions where these are not all.

use std::collections::{BTreeMap, BTreeSet};

use super::super::model::{Action, Amount, KernelReport, LoopOutcome, ReasonReport, Report, Step, Version};
use super::super::words::{self, one_line};
use super::escape::{escaped, sentence};
use super::tables::forms;
use super::{badge, place_link};

/// Notes of a line: HTML, and the versions that say it.
type Notes = Vec<(String, Vec<String>)>;

/// What a loop is of which no op is left.
pub fn nothing_left() -> String {
    "<span class=\"badge none\">nothing is left of it when compiled</span>".to_owned()
}

/// The notes of each line, as HTML.
pub fn by_line(report: &Report) -> BTreeMap<usize, String> {
    let mut lines: BTreeMap<usize, Notes> = BTreeMap::new();
    for l in &report.loops {
        let notes = lines.entry(l.at.listed_line).or_default();
        if l.outcomes.is_empty() {
            notes.push((nothing_left(), Vec::new()));
        }
        for outcome in &l.outcomes {
            notes.push((loop_note(outcome), outcome.versions.clone()));
        }
    }
    let mut elsewhere: BTreeMap<usize, Notes> = BTreeMap::new();
    for version in &report.versions {
        version_notes(version, &report.kernels, &mut lines, &mut elsewhere);
    }
    let mut shown: BTreeMap<usize, String> = BTreeMap::new();
    for (line, notes) in &lines {
        let n = count_versions(notes);
        shown.insert(*line, notes.iter().map(|note| item(note, n)).collect());
    }
    for (line, notes) in &elsewhere {
        let n = count_versions(notes);
        let items: String = notes.iter().map(|note| item(note, n)).collect();
        let details = format!(
            "<li><details><summary>where the loop runs as it is written</summary><ul>{items}</ul></details></li>\n"
        );
        shown.entry(*line).or_default().push_str(&details);
    }
    for l in &report.loops {
        let forms = forms(l, report.versions.len());
        if !forms.is_empty() {
            shown.entry(l.at.listed_line).or_default().push_str(&format!("<li>{forms}</li>\n"));
        }
    }
    shown
}

/// How many versions say something of a line.
fn count_versions(notes: &Notes) -> usize {
    notes.iter().flat_map(|(_, versions)| versions).collect::<BTreeSet<&String>>().len()
}

fn item((html, versions): &(String, Vec<String>), n_versions: usize) -> String {
    let of = match versions.len() == n_versions {
        true => String::new(),
        false => format!(" <span class=\"of\">in {}</span>", escaped(&versions.join(", "))),
    };
    format!("<li>{html}{of}</li>\n")
}

fn add(lines: &mut BTreeMap<usize, Notes>, line: usize, html: String, version: &Version) {
    let notes = lines.entry(line).or_default();
    match notes.iter_mut().find(|(known, _)| *known == html) {
        Some((_, versions)) if versions.contains(&version.name) => {}
        Some((_, versions)) => versions.push(version.name.clone()),
        None => notes.push((html, vec![version.name.clone()])),
    }
}

fn version_notes(
    version: &Version,
    kernels: &[KernelReport],
    lines: &mut BTreeMap<usize, Notes>,
    elsewhere: &mut BTreeMap<usize, Notes>,
) {
    for fusion in &version.fusions {
        // A statement's own right side, computed where it is stored, is no news.
        if fusion.from.listed_line != fusion.into.listed_line {
            let text = escaped(&one_line(&fusion.from.text));
            let html = format!("<code>{text}</code> is computed in the kernel of {}", place_link(&fusion.into));
            add(lines, fusion.from.listed_line, html, version);
        }
    }
    for snapshot in &version.snapshots {
        let array = snapshot
            .array
            .as_ref()
            .map_or_else(|| "what it reads".to_owned(), |name| format!("<code>{}</code>", escaped(name)));
        let when = if snapshot.if_overlapping { ", if arrays turn out to overlap" } else { "" };
        let html = format!(
            "<span class=\"badge fair\">copy</span> {array} is copied first, because the store overwrites what is read{when}"
        );
        add(lines, snapshot.at.listed_line, html, version);
    }
    for step in &version.steps {
        let target = if step.elsewhere { &mut *elsewhere } else { &mut *lines };
        add(target, step.at.listed_line, step_note(step, kernels), version);
    }
}

/// How a loop runs, why, and where.
fn loop_note(outcome: &LoopOutcome) -> String {
    let mut html = badge(outcome.strategy, outcome.summary);
    if outcome.is_replayed {
        html += words::REPLAYED;
    }
    match &outcome.reason {
        Some(ReasonReport::Dependence { sort, earlier, later, distance, least, formula, .. }) => {
            let (first, then) = match *sort {
                "flow" => ("writes", "reads"),
                "output" => ("writes", "writes again"),
                _ => ("reads", "writes over"),
            };
            let when = match (distance, formula) {
                (Some(n), _) => format!("<b>{n}</b> iteration{} later", if *n == 1 { "" } else { "s" }),
                (None, Some(formula)) => format!("<code>{}</code> iterations later", escaped(formula)),
                (None, None) if *least > 1 => format!("<b>{least}</b> or more iterations later"),
                (None, None) => "in a later iteration".to_owned(),
            };
            let (earlier, later) = (place_link(earlier), place_link(later));
            html += &format!(" not parallel: {earlier} {first} what {later} {then} {when}");
        }
        Some(ReasonReport::Stated { text, at: Some(at) }) => {
            html += &format!(" {}: {}", sentence(text), place_link(at));
        }
        Some(ReasonReport::Stated { text, at: None }) => html += &format!(" {}", sentence(text)),
        None => {}
    }
    if let Some(condition) = &outcome.condition {
        let elsewhere = match outcome.is_in_order_elsewhere {
            true => "one thread runs it in its order",
            false => "the host runs it as it is written",
        };
        html += &format!("<br>where <code>{}</code>; elsewhere {elsewhere}", escaped(condition));
        match &outcome.reason_elsewhere {
            Some(ReasonReport::Dependence { text, .. }) => html += &format!(": {}", escaped(text)),
            Some(ReasonReport::Stated { text, .. }) => html += &format!(": {}", escaped(text)),
            None => {}
        }
    }
    html
}

/// What a step does.
fn step_note(step: &Step, kernels: &[KernelReport]) -> String {
    let times = times(&step.times);
    match &step.action {
        Action::Launch { kernel, extents, bytes_read, bytes_written, chooses_elements } => {
            let work_items = match extents.as_slice() {
                [] => "one work item".to_owned(),
                extents => format!("<code>{}</code> work items", escaped(&factors(extents))),
            };
            let at_most = if *chooses_elements { "arrays of " } else { "" };
            let phases = kernels.iter().find(|known| known.name == *kernel).and_then(|known| known.phases.as_ref());
            let waits = phases.map_or_else(String::new, |p| format!("; all threads wait {}", words::waits(p)));
            let name = escaped(kernel);
            format!(
                "kernel <a href=\"#K-{name}\"><code>{name}</code></a>{times}: {work_items}; reads {at_most}<code>{}</code> bytes, writes {at_most}<code>{}</code>{waits}",
                escaped(bytes_read),
                escaped(bytes_written),
            )
        }
        Action::Allocate { array, bytes, may_reuse } => {
            let array =
                array.as_ref().map_or_else(|| "an array".to_owned(), |a| format!("<code>{}</code>", escaped(a)));
            let reuse = if *may_reuse { ", or takes memory that ends here" } else { "" };
            format!("allocates {array}{times}: <code>{}</code> bytes{reuse}", escaped(bytes))
        }
        Action::Copy { bytes } => format!("copies where no view will do{times}: <code>{}</code> bytes", escaped(bytes)),
        Action::Draw { method, text, .. } => {
            format!("<code>{}</code>{times}: {}", escaped(method), escaped(text))
        }
        Action::Synchronise => format!("on a device, the host waits for this value{times}"),
    }
}

/// A product of formulas.
fn factors(extents: &[String]) -> String {
    let factor = |extent: &String| if extent.contains(' ') { format!("({extent})") } else { extent.clone() };
    if let [extent] = extents {
        extent.clone()
    } else {
        extents.iter().map(factor).collect::<Vec<String>>().join(" × ")
    }
}

/// How often, unless once.
fn times(times: &Amount) -> String {
    let chosen = times.text.strip_prefix("1 if ").and_then(|rest| rest.strip_suffix(" else 0"));
    let unchosen = times.text.strip_prefix("0 if ").and_then(|rest| rest.strip_suffix(" else 1"));
    match (chosen, unchosen) {
        _ if times.text == "1" => String::new(),
        (Some(condition), _) => format!(", if <code>{}</code>", escaped(condition)),
        (_, Some(condition)) => format!(", unless <code>{}</code>", escaped(condition)),
        _ => format!(", <code>{}</code> times", escaped(&times.text)),
    }
}
