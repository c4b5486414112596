//! The source texts of one compilation, by [`SourceId`], with line look-up.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use hookc_base::row_number;

use crate::span::{SourceId, Span, saturating_offset};

/// All sources of a compilation: names as the user gave them, and texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<File>>,
    /// Those whose text no diagnostic quotes.
    private: Vec<SourceId>,
}

#[derive(Debug)]
struct File {
    name: String,
    text: String,
    /// Built when the first line or column is looked up.
    index: OnceLock<Index>,
}

/// Where the lines of a text start, and how many characters are before its bytes.
#[derive(Debug)]
struct Index {
    lines: Vec<u32>,
    /// The number of characters before each multiple of [`STRIDE`] bytes, so that computing a
    /// column does not scan a long line from its start.
    marks: Vec<u32>,
}

const STRIDE: usize = 1024;

impl Index {
    fn new(text: &str) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).map(saturating_offset);
        let marks = text.as_bytes().chunks(STRIDE).scan(0_u32, |before, chunk| {
            let mark = *before;
            *before = before.saturating_add(characters(chunk));
            Some(mark)
        });
        Self { lines: lines.collect(), marks: marks.collect() }
    }
}

impl File {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.text))
    }

    fn lines(&self) -> &[u32] {
        &self.index().lines
    }

    fn characters_before(&self, offset: usize) -> u32 {
        let marks = &self.index().marks;
        let mark = marks.get(offset / STRIDE).or(marks.last());
        let from = (offset / STRIDE).min(marks.len().saturating_sub(1)) * STRIDE;
        let rest = self.text.as_bytes().get(from..offset).unwrap_or(&[]);
        mark.copied().unwrap_or(0).saturating_add(characters(rest))
    }
}

/// The number of characters that start in `bytes` of UTF-8.
fn characters(bytes: &[u8]) -> u32 {
    let begins = bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80);
    saturating_offset(begins.count())
}

impl Sources {
    /// Creates an empty set of sources.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that diagnostics show.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let (name, text) = (name.into(), text.into());
        self.files.push(Arc::new(File { name, text, index: OnceLock::new() }));
        SourceId(row_number(self.files.len() - 1))
    }

    /// Adds a text that no diagnostic quotes: a file that a link or another file names may hold secrets.
    pub fn add_private(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let id = self.add(name, text);
        self.private.push(id);
        id
    }

    /// Whether diagnostics must not quote the text of a source.
    #[must_use]
    pub fn is_private(&self, id: SourceId) -> bool {
        self.private.contains(&id)
    }

    fn file(&self, id: SourceId) -> Option<&File> {
        self.files.get(id.0 as usize).map(AsRef::as_ref)
    }

    /// The name of a source; empty if the source is unknown.
    #[must_use]
    pub fn name(&self, id: SourceId) -> &str {
        self.file(id).map_or("", |file| &file.name)
    }

    /// The text of a source; empty if the source is unknown.
    #[must_use]
    pub fn text(&self, id: SourceId) -> &str {
        self.file(id).map_or("", |file| &file.text)
    }

    /// The text under `span`; empty if the span is not within its source.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.source).get(span.range()).unwrap_or("")
    }

    /// Line and column of a span's first character, both from 1, columns in
    /// characters. `O(log lines)`.
    #[must_use]
    pub fn line_col(&self, span: Span) -> (u32, u32) {
        let Some(file) = self.file(span.source) else {
            return (1, 1);
        };
        let line = self.line_at(span.source, span.start as usize);
        let start = file.lines().get(line - 1).copied().unwrap_or(0) as usize;
        let end = (span.start as usize).clamp(start, file.text.len().max(start));
        let column =
            file.characters_before(end).saturating_sub(file.characters_before(start)).saturating_add(1);
        (saturating_offset(line), column)
    }

    /// The line, from 1, that contains byte `offset`; 1 if the source is unknown.
    #[must_use]
    pub(crate) fn line_at(&self, id: SourceId, offset: usize) -> usize {
        let lines = self.file(id).map_or(&[][..], File::lines);
        lines.partition_point(|&start| start as usize <= offset).max(1)
    }

    /// The bytes of a line, from 1, without its end; empty for a line that is
    /// not here.
    #[must_use]
    pub fn line_range(&self, id: SourceId, line: usize) -> Range<usize> {
        let Some(file) = self.file(id) else { return 0..0 };
        let start = |line: usize| file.lines().get(line).map(|&start| start as usize);
        let from = line.checked_sub(1).and_then(start).unwrap_or(file.text.len());
        let to = start(line).map_or(file.text.len(), |next| next.saturating_sub(1));
        from..to.max(from)
    }

    /// `name:line:col` of a span, the usual format of compilers.
    #[must_use]
    pub fn location(&self, span: Span) -> String {
        let (line, column) = self.line_col(span);
        format!("{}:{line}:{column}", self.name(span.source))
    }

    /// All sources in the order of their addition.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &str, &str)> {
        (0u32..).map(SourceId).zip(&self.files).map(|(id, file)| (id, file.name.as_str(), file.text.as_str()))
    }
}
