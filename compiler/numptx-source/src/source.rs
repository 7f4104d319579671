//! A source file, those that it imports, and positions in them.

use std::collections::BTreeMap;

/// A half-open range of byte offsets into a [`Source`]'s text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end: end.max(start) }
    }

    /// The smallest span that holds both.
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A named source text with its line starts, and the texts of the user's own files that it imports.
///
/// Spans count through all of them: the text of each file stands behind that of the one before, under a comment with its path.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown in reports, as the user gave it.
    pub name: String,
    /// All texts, their lines ended by `\n`.
    pub text: String,
    /// The bytes of the file that it was read from, as they lie there; none, if it is no file.
    pub file: Option<Vec<u8>>,
    /// The files that it imports, in the order in which they were found.
    pub helpers: Vec<Helper>,
    /// What its own import statements name: a module as it is written, such as `util`, `.util` or `pkg.sub`, and its number among `helpers`.
    pub imports: Imports,
    /// Where its own text ends.
    end: u32,
    /// Lines before it that are not its own.
    skipped: usize,
    line_starts: Vec<u32>,
}

/// Modules as they are written in import statements, and which file each is; `None` is the file that is compiled.
pub type Imports = BTreeMap<String, Option<usize>>;

/// A file that another one imports.
#[derive(Clone, Debug)]
pub struct Helper {
    /// The name shown in reports.
    pub name: String,
    /// From the folder of the file that is compiled, with `/`: `pkg/sub.py`.
    pub path: String,
    /// The bytes of the file.
    pub file: Vec<u8>,
    /// What its own import statements name.
    pub imports: Imports,
    /// Where its text stands in the source's.
    span: Span,
}

impl Source {
    /// Takes a text and indexes its lines.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let (end, line_starts) = (text.len() as u32, line_starts(&text));
        let (helpers, imports) = (Vec::new(), Imports::new());
        Source { name: name.into(), text, file: None, helpers, imports, end, skipped: 0, line_starts }
    }

    /// Takes the text of a file, and the bytes that it was read from.
    pub fn of_file(name: impl Into<String>, text: impl Into<String>, file: Vec<u8>) -> Self {
        Source { file: Some(file), ..Source::new(name, text) }
    }

    /// Adds a file that is imported: its name in reports, its path from the folder of the first one, its text, and the bytes of the file.
    pub fn add_helper(&mut self, name: String, path: String, text: &str, file: Vec<u8>) {
        let header = format!("\n# {path}\n");
        let start = self.text.len() + header.len();
        self.text = std::mem::take(&mut self.text) + &header + text;
        let span = Span::new(start as u32, self.text.len() as u32);
        self.line_starts = line_starts(&self.text);
        self.helpers.push(Helper { name, path, file, imports: Imports::new(), span });
    }

    /// One file by itself, the first one or a helper: its spans are those of all of them.
    #[must_use]
    pub fn alone(&self, helper: Option<usize>) -> Source {
        let Some(helper) = helper.and_then(|n| self.helpers.get(n)) else {
            let text = &self.text[..self.end as usize];
            return Source { file: self.file.clone(), imports: self.imports.clone(), ..Source::new(&self.name, text) };
        };
        let skipped = helper.span.start as usize;
        let text = "\n".repeat(skipped) + self.slice(helper.span);
        let imports = helper.imports.clone();
        Source { file: Some(helper.file.clone()), imports, skipped, ..Source::new(&helper.name, text) }
    }

    /// The helper in which a byte offset lies; `None` is the first file.
    pub fn helper_at(&self, offset: u32) -> Option<usize> {
        self.helpers.iter().rposition(|helper| helper.span.start <= offset)
    }

    /// The name of the file in which a byte offset lies.
    pub fn name_at(&self, offset: u32) -> &str {
        self.helper_at(offset).map_or(&self.name, |n| &self.helpers[n].name)
    }

    /// The span of the file in which a byte offset lies.
    pub fn file_at(&self, offset: u32) -> Span {
        self.helper_at(offset).map_or(Span::new(0, self.end), |n| self.helpers[n].span)
    }

    /// Line and column of a byte offset in its file, both counted from 1; the column counts characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let (line, column) = self.line_column_of_all(offset);
        match self.helper_at(offset) {
            Some(n) => (line + 1 - self.line_column_of_all(self.helpers[n].span.start).0, column),
            None => (line - self.skipped.min(line - 1), column),
        }
    }

    /// Line and column of a byte offset in the text of all files.
    pub fn line_column_of_all(&self, offset: u32) -> (usize, usize) {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.text.get(start..offset as usize).map_or(0, |s| s.chars().count());
        (line + 1, column + 1)
    }

    /// Byte offset at which a line of the first file (counted from 1) starts, or the text's length past the end.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts.get(line.saturating_sub(1) + self.skipped).copied().unwrap_or(self.text.len() as u32)
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
    std::iter::once(0).chain(ends.map(|(i, _)| i as u32 + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Source, Span};

    #[test]
    fn columns_count_characters() {
        let source = Source::new("a.py", "x = 'é😀' + y\r\nz");
        assert_eq!(source.line_column(0), (1, 1));
        let plus = source.text.find('+').map(|at| at as u32);
        assert_eq!(plus.map(|at| source.line_column(at)), Some((1, 10)));
        assert_eq!(source.line_column(source.text.len() as u32), (2, 2));
        assert_eq!(source.line_column(u32::MAX), (2, 2));
    }

    #[test]
    fn helpers_have_lines_of_their_own() {
        let mut source = Source::new("a.py", "import b\nb.f()");
        source.add_helper("lib/b.py".into(), "b.py".into(), "x\n  w\n", Vec::new());
        source.add_helper("lib/c.py".into(), "c.py".into(), "z", Vec::new());
        let at = |what: &str| source.text.find(what).unwrap_or_default() as u32;
        assert_eq!((source.name_at(at("w")), source.line_column(at("w"))), ("lib/b.py", (2, 3)));
        assert_eq!((source.name_at(at("z")), source.line_column(at("z"))), ("lib/c.py", (1, 1)));
        assert_eq!((source.name_at(at("b.f")), source.line_column(at("b.f"))), ("a.py", (2, 1)));
        let alone = source.alone(Some(0));
        assert_eq!(alone.slice(Span::new(at("w"), at("w") + 1)), "w");
        assert_eq!((alone.line_column(at("w")), alone.line_start(2)), ((2, 3), at("  w")));
        assert_eq!(source.alone(None).text, "import b\nb.f()");
        assert_eq!(source.slice(source.file_at(at("w"))), "x\n  w\n");
    }

    #[test]
    fn lines_start_after_each_line_feed() {
        let source = Source::new("a.py", "a\nbc\n");
        assert_eq!([1, 2, 3, 4].map(|line| source.line_start(line)), [0, 2, 5, 5]);
        assert_eq!(source.slice(Span::new(2, 4)), "bc");
        assert_eq!(source.slice(Span::new(4, 99)), "");
    }

    #[test]
    fn spans_join_and_never_run_backwards() {
        assert_eq!(Span::new(3, 5).join(Span::new(1, 4)), Span::new(1, 5));
        assert_eq!(Span::new(5, 3), Span::new(5, 5));
    }
}
