//! Locations as other programs read them: URIs below the working directory, and ranges of lines and columns.

use std::fmt::Write;
use std::path::{Component, Path};

use hookc_schema::{Sources, Span};

/// The name of a file as a URI, and whether it is relative to the working directory.
pub(crate) fn uri(name: &str) -> (String, bool) {
    let path = Path::new(name);
    let cwd = std::env::current_dir().unwrap_or_default();
    let below = path.strip_prefix(&cwd).unwrap_or(path);
    let components: Vec<_> = below
        .components()
        .filter(|component| !matches!(component, Component::CurDir | Component::RootDir))
        .map(|component| encoded(component.as_os_str().as_encoded_bytes()))
        .collect();
    let joined = components.join("/");
    match joined.as_str() {
        _ if below.is_absolute() => (format!("file:///{joined}"), false),
        "" => (".".to_owned(), true),
        _ => (joined, true),
    }
}

/// Percent-encodes what a segment of a URI cannot contain.
fn encoded(segment: &[u8]) -> String {
    let mut out = String::with_capacity(segment.len());
    for &byte in segment {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            _ => _ = write!(out, "%{byte:02X}"),
        }
    }
    out
}

/// Lines and columns from 1, columns in characters; the end is after the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
}

impl Range {
    pub(crate) fn new(span: Span, sources: &Sources) -> Self {
        let at = |offset| sources.line_col(Span { start: offset, end: offset, ..span });
        Self { start: at(span.start), end: at(span.end.max(span.start)) }
    }
}
