//! Where the descriptors of a command lead.

use std::ops::Range;

use hookc_shell::syntax::{PartKind, Redirect, Word};

use super::walk::Cause;

/// Where a stream leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// To this descriptor of the line.
    Line(u32),
    /// Elsewhere, or nowhere.
    Elsewhere,
    Unknown,
}

/// A stream of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    pub(super) origin: Origin,
    /// What makes it lead there.
    pub(super) cause: Cause,
}

impl Stream {
    pub(super) const UNKNOWN: Self = Self { origin: Origin::Unknown, cause: None };

    pub(super) const fn lost(cause: Cause) -> Self {
        Self { origin: Origin::Elsewhere, cause }
    }
}

/// The descriptors that do not lead to those of the line with their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Streams(Vec<(u32, Stream)>);

impl Streams {
    pub(super) fn get(&self, number: u32) -> Stream {
        let known = self.0.iter().find(|(known, _)| *known == number).map(|(_, stream)| stream.clone());
        known.unwrap_or_else(|| match number {
            0..=2 => Stream { origin: Origin::Line(number), cause: None },
            _ => Stream::lost(None),
        })
    }

    pub(super) fn set(&mut self, number: u32, stream: Stream) {
        self.0.retain(|(known, _)| *known != number);
        self.0.push((number, stream));
    }

    /// Applies a redirection in a text.
    pub(super) fn apply(&mut self, redirect: &Redirect, text: &str, at: impl Fn(Range<usize>) -> Cause) {
        let Some(number) = redirect.descriptor else { return };
        let cause = redirect.word.span.clone().and_then(|span| {
            let start = text.get(..span.start)?.trim_end().len().saturating_sub(redirect.operator.len());
            at(start..span.end)
        });
        let mut stream = self.target(redirect, number, text);
        stream.cause = cause;
        if redirect.operator.starts_with("&>") || redirect.operator == ">&" && !is_descriptor(&redirect.word)
        {
            self.set(2, stream.clone());
        }
        self.set(number, stream);
    }

    /// Where the target of a redirection leads.
    fn target(&self, redirect: &Redirect, number: u32, text: &str) -> Stream {
        let word = &redirect.word;
        let is_expanded =
            |word: &Word| word.parts.iter().any(|part| matches!(part.kind, PartKind::Expansion(_)));
        match redirect.operator {
            "<<" | "<<-" if !redirect.body.as_ref().is_some_and(is_expanded) => Stream::lost(None),
            "<<<" if !is_expanded(word) => Stream::lost(None),
            "<<" | "<<-" | "<<<" => Stream::UNKNOWN,
            "<&" | ">&" if is_descriptor(word) => match word.text.trim_end_matches('-').parse() {
                Ok(other) => self.get(other),
                // A denial becomes an exit status if the output is closed.
                Err(_) if number == 1 => Stream::UNKNOWN,
                Err(_) => Stream::lost(None),
            },
            _ if has_process(word) => Stream::UNKNOWN,
            _ => match device(&word.text) {
                Some(other) => self.get(other),
                None if word.text == "/dev/null" => Stream::lost(None),
                // Another command of the line writes or reads the file.
                None if is_twice(word, text) => Stream::UNKNOWN,
                None if number == 0 && is_expanded(word) => Stream::UNKNOWN,
                None => Stream::lost(None),
            },
        }
    }
}

fn is_descriptor(word: &Word) -> bool {
    word.parts.is_empty() && word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether a word is the other end of a process.
fn has_process(word: &Word) -> bool {
    use hookc_shell::syntax::Expansion::{Input, Sink};
    word.parts.iter().any(|part| match &part.kind {
        PartKind::Expansion(expansion) => matches!(**expansion, Input(_) | Sink(_)),
        _ => false,
    })
}

fn is_twice(word: &Word, text: &str) -> bool {
    let written = word.span.clone().and_then(|span| text.get(span));
    written.is_none_or(|written| text.matches(written.trim_matches(['"', '\''])).nth(1).is_some())
}

/// The descriptor that a file stands for.
fn device(path: &str) -> Option<u32> {
    match path {
        "/dev/stdin" => Some(0),
        "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        _ => path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?.parse().ok(),
    }
}
