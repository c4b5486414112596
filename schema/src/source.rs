//! The source texts of one compilation, by [`SourceId`], with line look-up.

use std::sync::Arc;

use crate::span::{SourceId, Span};

/// All sources of a compilation: names as the user gave them, and texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<File>>,
}

#[derive(Debug)]
struct File {
    name: String,
    text: String,
    lines: Vec<u32>,
}

impl Sources {
    /// No source yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that diagnostics show.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let text = text.into();
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        let lines = lines.collect();
        let name = name.into();
        self.files.push(Arc::new(File { name, text, lines }));
        SourceId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    fn file(&self, id: SourceId) -> Option<&File> {
        self.files.get(id.0 as usize).map(AsRef::as_ref)
    }

    /// The name of a source; empty for one that is not here.
    #[must_use]
    pub fn name(&self, id: SourceId) -> &str {
        self.file(id).map_or("", |file| &file.name)
    }

    /// The text of a source; empty for one that is not here.
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
    /// characters. `O(log lines)` plus the length of the line.
    #[must_use]
    pub fn line_col(&self, span: Span) -> (u32, u32) {
        let Some(file) = self.file(span.source) else {
            return (1, 1);
        };
        let line = file.lines.partition_point(|&start| start <= span.start).max(1);
        let start = file.lines.get(line - 1).copied().unwrap_or(0) as usize;
        let end = (span.start as usize).clamp(start, file.text.len().max(start));
        let before = file.text.as_bytes().get(start..end).unwrap_or(&[]);
        let column = before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1;
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (small(line), small(column))
    }

    /// `name:line:col` of a span, as compilers print places.
    #[must_use]
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_col(span);
        format!("{}:{line}:{column}", self.name(span.source))
    }

    /// All sources in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &str, &str)> {
        (0u32..).map(SourceId).zip(&self.files).map(|(id, file)| (id, file.name.as_str(), file.text.as_str()))
    }
}
