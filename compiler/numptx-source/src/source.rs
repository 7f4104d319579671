//! One source file and positions in it.

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

/// A named source text with its line starts.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown in reports, as the user gave it.
    pub name: String,
    /// The whole text, its lines ended by `\n`.
    pub text: String,
    /// The bytes of the file that it was read from, as they lie there; none, if it is no file.
    pub file: Option<Vec<u8>>,
    line_starts: Vec<u32>,
}

impl Source {
    /// Takes a text and indexes its lines.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Source { name: name.into(), text, file: None, line_starts }
    }

    /// Takes the text of a file, and the bytes that it was read from.
    pub fn of_file(name: impl Into<String>, text: impl Into<String>, file: Vec<u8>) -> Self {
        Source { file: Some(file), ..Source::new(name, text) }
    }

    /// Line and column of a byte offset, both counted from 1; the column counts characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.text.get(start..offset as usize).map_or(0, |s| s.chars().count());
        (line + 1, column + 1)
    }

    /// Byte offset at which a line (counted from 1) starts, or the text's length past the end.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len() as u32)
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
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
