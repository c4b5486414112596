//! Diagnostics as data: a code, a severity, a message, labels, notes, help, and a fix if one is
//! safe. Each renderer decides how they look.

mod code;
mod index;
mod list;
pub mod render;

pub use code::{ALL_CODES, Code};
pub use index::markdown;
pub use list::Diagnostics;

use std::borrow::Cow;

use crate::Sources;
use crate::span::Span;

hookc_base::named_enums! {
    /// The severity of a diagnostic.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Severity name {
        /// Information; nothing is wrong.
        Note "note";
        /// Compiles, but probably not as intended.
        Warning "warning";
        /// Does not compile.
        Error "error";
    }
}

/// What a problem does to the hook that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEffect {
    /// The hook never runs, or fails when it does.
    Dead,
    /// The hook runs, but perhaps not as intended.
    Doubtful,
}

/// One problem in the sources.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The code, for programs and for `hookc explain-code`.
    pub code: Code,
    /// The severity in this run, which may raise a warning to an error.
    pub severity: Severity,
    /// The problem: one line, lower case, no full stop.
    pub message: String,
    /// The spans, each with a text. The first one is the primary span; a diagnostic without a
    /// source has no labels.
    pub labels: Vec<Label>,
    /// Further facts, a line each.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// An edit that would do so.
    pub fix: Option<Fix>,
    /// Useless where the same span has a diagnostic of this code.
    pub unless: Option<Code>,
    /// What it does to the hook, where problems of this code differ in that.
    pub hook_effect: Option<HookEffect>,
}

/// An error that a diagnostic has reported.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

/// A span with a text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Label {
    /// Where.
    pub span: Span,
    /// The text at the span; may be empty.
    pub text: String,
}

/// An edit that a tool may offer: replace the text of `span`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub replacement: String,
    /// Whether quotes around the text of `span` are kept: [`Fix::written`] has them.
    pub keeps_quotes: bool,
    /// Whether the edit certainly has the intended meaning.
    pub safe: bool,
}

impl Label {
    /// A text at a span.
    #[must_use]
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// Quotes, as they are written in a file or in an attribute of XML.
const QUOTES: [&str; 4] = ["\"", "'", "&quot;", "&apos;"];

impl Fix {
    /// An edit that may be intended: a person decides.
    #[must_use]
    pub fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into(), keeps_quotes: false, safe: false }
    }

    /// An edit that certainly has the intended meaning.
    #[must_use]
    pub fn certain(span: Span, replacement: impl Into<String>) -> Self {
        Self { safe: true, ..Self::new(span, replacement) }
    }

    /// The text that replaces that of the span.
    #[must_use]
    pub fn written(&self, sources: &Sources) -> Cow<'_, str> {
        let old = sources.slice(self.span);
        let is_quoted =
            |quote: &str| old.len() >= 2 * quote.len() && old.starts_with(quote) && old.ends_with(quote);
        match QUOTES.into_iter().find(|quote| self.keeps_quotes && is_quoted(quote)) {
            Some(quote) => format!("{quote}{}{quote}", self.replacement).into(),
            None => self.replacement.as_str().into(),
        }
    }
}

impl Diagnostic {
    /// Creates a diagnostic with the default severity of `code` at one span.
    #[must_use]
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let mut new = Self::global(code, message);
        new.labels.push(Label { span, text: String::new() });
        new
    }

    /// Creates a diagnostic without a span.
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
            unless: None,
            hook_effect: None,
        }
    }

    /// Sets the text of the primary label.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// Adds a secondary label.
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

    /// Sets what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Leaves it out where the same span has a diagnostic of another code.
    #[must_use]
    pub fn unless(mut self, other: Code) -> Self {
        self.unless = Some(other);
        self
    }

    /// Sets what it does to the hook.
    #[must_use]
    pub fn with_hook_effect(mut self, effect: HookEffect) -> Self {
        self.hook_effect = Some(effect);
        self
    }

    /// Adds `did you mean ...?` with the edit, if there is a near name. Quotes around the name are kept: without them,
    /// `{"a":1}` would be `{b:1}`, which is another key in YAML.
    #[must_use]
    pub fn did_you_mean(self, near: Option<&str>, span: Span) -> Self {
        let Some(near) = near else { return self };
        let mut new = self.did_you_mean_value(near, span);
        if let Some(fix) = &mut new.fix {
            fix.keeps_quotes = true;
        }
        new
    }

    /// Like `did_you_mean` for a value that is not a text: quotes around the old one are removed.
    #[must_use]
    pub(crate) fn did_you_mean_value(self, value: &str, span: Span) -> Self {
        let mut new = self.help(format!("did you mean `{value}`?"));
        new.fix = Some(Fix::new(span, value));
        new
    }

    /// The diagnostic as a renderer may show it: code and location alone, if a label or the fix is in a source whose
    /// text must not be quoted.
    #[must_use]
    pub fn shown(&self, sources: &Sources) -> Cow<'_, Self> {
        let mut spans = self.labels.iter().map(|label| label.span).chain(self.fix.iter().map(|fix| fix.span));
        let Some(private) = spans.find(|span| sources.is_private(span.source)) else {
            return Cow::Borrowed(self);
        };
        let name = sources.name(private.source);
        let message = format!(
            "{}; the text of `{name}` is not shown, because it is in another directory",
            self.code.title()
        );
        let mut shown = Self::global(self.code, message).help("run hookc on that file to see its text");
        shown.severity = self.severity;
        shown.labels.extend(self.span().map(|span| Label { span, text: String::new() }));
        Cow::Owned(shown)
    }

    /// The primary span.
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

/// Sorts diagnostics by source, span, severity (worst first) and code, and removes exact
/// duplicates. W0648, which counts what is left out, is the last one of its source.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| {
            let (span, last) = (d.span(), d.code == Code::W0648);
            (span.map(|span| span.source), last, span, std::cmp::Reverse(d.severity), d.code)
        };
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    diagnostics.dedup();
}
