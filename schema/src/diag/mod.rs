//! Diagnostics as data: a code, a severity, a message, places, notes, help,
//! and a fix where one is safe. How they look is each renderer's business.

mod code;
mod index;
pub mod render;

pub use code::{ALL_CODES, Code};
pub use index::markdown;

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Compiles, but hardly as meant.
    Warning,
    /// Does not compile.
    Error,
}

impl Severity {
    /// `note`, `warning`, `error`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing to tell about the sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Which thing, for machines and for `hookc explain-code`.
    pub code: Code,
    /// How bad it is here (a run may raise a warning to an error).
    pub severity: Severity,
    /// What is wrong: one line, lower case, no full stop.
    pub message: String,
    /// The place, and what is to be said right there. The first is the
    /// primary one; none at all for a diagnostic about no text.
    pub labels: Vec<Label>,
    /// Further facts, a line each.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// An edit that would do so.
    pub fix: Option<Fix>,
}

/// A place with a word about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
}

/// An edit that a tool may offer: replace the text of `span`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub replacement: String,
    /// Whether it surely means what was meant.
    pub safe: bool,
}

impl Diagnostic {
    /// A diagnostic of `code`'s own severity at one place.
    #[must_use]
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let mut new = Self::global(code, message);
        new.labels.push(Label { span, text: String::new() });
        new
    }

    /// A diagnostic that has no place in any source.
    #[must_use]
    pub fn global(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Says `text` at the primary place.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `did you mean ...?` with the edit, when there is a near name.
    #[must_use]
    pub fn did_you_mean(self, near: Option<&str>, span: Span) -> Self {
        let Some(near) = near else { return self };
        let mut new = self.help(format!("did you mean `{near}`?"));
        new.fix = Some(Fix { span, replacement: near.to_owned(), safe: false });
        new
    }

    /// The primary place.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Puts diagnostics in source order: by source, place, severity (worst
/// first), code; exact repeats go.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| (d.span().is_some(), d.span(), std::cmp::Reverse(d.severity), d.code);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    diagnostics.dedup();
}
