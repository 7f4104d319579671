//! Tables: what calls cost, what they do step by step, and kernels.

use super::super::model::{Action, CandidateReport, KernelReport, LoopReport, Report, Step, Version};
use super::super::schedule::assumptions;
use super::super::words::{one_line, waits};
use super::escape::escaped;
use super::line_link;

/// A table whose cells know their columns' names, for screens on which a row is a list. Cells are HTML.
fn table(caption: &str, columns: &[&str], rows: &[(String, Vec<String>)]) -> String {
    let head: String = columns.iter().map(|column| format!("<th scope=\"col\">{column}</th>")).collect();
    let mut html = format!("<table>\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n");
    for (id, cells) in rows {
        let id = if id.is_empty() { String::new() } else { format!(" id=\"{id}\"") };
        html += &format!("<tr{id}>");
        for (column, cell) in columns.iter().zip(cells) {
            html += &format!("<td data-column=\"{column}\">{cell}</td>");
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n"
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// What a call of each version costs.
pub fn calls(report: &Report) -> String {
    let columns =
        ["function", "for arguments", "launches", "allocations", "copies", "waits for a device", "provided that"];
    let row = |version: &Version| {
        let amounts = [&version.launches, &version.allocations, &version.copies, &version.synchronisations];
        let mut cells = vec![code(&version.signature), arguments(version).to_owned()];
        cells.extend(amounts.map(|amount| code(&amount.text)));
        cells.push(match version.assumes.as_slice() {
            [] => "—".to_owned(),
            assumes => assumes.iter().map(|condition| code(condition)).collect::<Vec<String>>().join("<br>"),
        });
        (String::new(), cells)
    };
    let rows: Vec<(String, Vec<String>)> = report.versions.iter().map(row).collect();
    table(
        "What one call does. Where the last column does not hold, loops run as they are written and a call does more.",
        &columns,
        &rows,
    )
}

fn arguments(version: &Version) -> &'static str {
    if version.arguments == "any" { "any" } else { "that do not overlap" }
}

/// What a call of each version does, in order.
pub fn steps(report: &Report) -> String {
    report.versions.iter().map(version_steps).collect()
}

fn version_steps(version: &Version) -> String {
    let columns = ["line", "what", "times", "bytes read", "bytes written"];
    let rows: Vec<(String, Vec<String>)> =
        version.steps.iter().filter(|step| !step.elsewhere).map(|step| (String::new(), step_cells(step))).collect();
    let summary = format!(
        "{} for arguments {} <span class=\"of\">{}</span>",
        code(&version.signature),
        if version.arguments == "any" { "of any kind" } else { arguments(version) },
        escaped(&version.name),
    );
    let body = match rows.is_empty() {
        true => "<p class=\"none\">Nothing but arithmetic on the host.</p>\n".to_owned(),
        false => table("In the order of the program; each element is counted once.", &columns, &rows),
    };
    format!("<details>\n<summary>{summary}</summary>\n{body}</details>\n")
}

fn step_cells(step: &Step) -> Vec<String> {
    let line = format!("<a href=\"{}\">{}</a>", line_link(&step.at), step.at.line);
    let text = code(&one_line(&step.at.text));
    let times = code(&step.times.text);
    let none = || "—".to_owned();
    match &step.action {
        Action::Launch { kernel, bytes_read, bytes_written, chooses_elements, .. } => {
            let most = if *chooses_elements { "arrays of " } else { "" };
            let what = format!("launch <a href=\"#K-{0}\">{0}</a> {text}", escaped(kernel));
            vec![line, what, times, format!("{most}{}", code(bytes_read)), format!("{most}{}", code(bytes_written))]
        }
        Action::Allocate { array, bytes, .. } => {
            let array = array.as_ref().map_or_else(String::new, |array| format!(" {}", code(array)));
            vec![line, format!("allocate{array}: {} bytes, {text}", code(bytes)), times, none(), none()]
        }
        Action::Copy { bytes } => vec![line, format!("copy {text}"), times, code(bytes), code(bytes)],
        Action::Draw { method, text: how, .. } => {
            vec![line, format!("{} {text}: {}", code(method), escaped(how)), times, none(), none()]
        }
        Action::Synchronise => vec![line, format!("wait for {text}"), times, none(), none()],
    }
}

/// The forms of a loop that were compared; empty where none were. `n_versions`: of the file.
pub fn forms(l: &LoopReport, n_versions: usize) -> String {
    if l.candidates.is_empty() {
        return String::new();
    }
    let columns = ["form", "launches", "expected µs", "assumptions", "chosen"];
    let rows: Vec<(String, Vec<String>)> =
        l.candidates.iter().map(|form| (String::new(), form_cells(form, n_versions))).collect();
    table(
        "Forms of this loop, compared in pairs. Times are estimates without accesses to memory, which all forms have.",
        &columns,
        &rows,
    )
}

fn form_cells(form: &CandidateReport, n_versions: usize) -> Vec<String> {
    let of = match form.versions.len() == n_versions {
        true => String::new(),
        false => format!(" <span class=\"of\">in {}</span>", escaped(&form.versions.join(", "))),
    };
    let name = format!("{}{of}", escaped(form.form));
    let none = || "—".to_owned();
    let Some(microseconds) = form.microseconds else {
        let prevents = form.prevents.as_ref().map(|why| format!(": {}", escaped(why))).unwrap_or_default();
        return vec![name, none(), none(), none(), format!("not possible{prevents}")];
    };
    let chosen = if form.is_chosen { "<b>chosen</b>" } else { "not chosen" };
    vec![name, code(&form.launches), microseconds.to_string(), escaped(&assumptions(form)), chosen.to_owned()]
}

/// The kernels.
pub fn kernels(report: &Report) -> String {
    if report.kernels.is_empty() {
        return "<p class=\"none\">The program has no kernels.</p>\n".to_owned();
    }
    let columns = [
        "kernel",
        "class",
        "axes",
        "operands",
        "threads of a block",
        "all threads wait",
        "registers",
        "virtual registers in PTX",
    ];
    let rows: Vec<(String, Vec<String>)> = report.kernels.iter().map(kernel_row).collect();
    table(
        "Registers are known when the driver has compiled the PTX: <code>module.kernels</code> tells then. Virtual ones share far fewer real ones.",
        &columns,
        &rows,
    )
}

fn kernel_row(kernel: &KernelReport) -> (String, Vec<String>) {
    let operands: Vec<String> =
        kernel.operands.iter().map(|operand| format!("{} {}", operand.access, escaped(&operand.dtype))).collect();
    let registers = kernel.registers.map_or_else(|| "unknown until loaded".to_owned(), |n| n.to_string());
    let entries: Vec<String> = kernel
        .entries
        .iter()
        .map(|entry| {
            let variant = entry.name.strip_prefix(&kernel.name).unwrap_or(&entry.name).trim_start_matches('_');
            let counts: Vec<String> = entry.virtual_registers.iter().map(|(ty, n)| format!("{n} {ty}")).collect();
            format!("{}: {}", escaped(variant), escaped(&counts.join(", ")))
        })
        .collect();
    let entries = if entries.is_empty() { "no PTX was made".to_owned() } else { entries.join("<br>") };
    let name = escaped(&kernel.name);
    let cells = vec![
        format!("<code>{name}</code>"),
        kernel.class.to_owned(),
        kernel.axes.to_string(),
        operands.join("<br>"),
        kernel.block.to_string(),
        kernel.phases.as_ref().map_or_else(|| "—".to_owned(), waits),
        registers,
        entries,
    ];
    (format!("K-{name}"), cells)
}
