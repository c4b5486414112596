//! What the compiler reports, with the sources that it is about.

use std::error::Error;
use std::fmt;

use hookc_schema::diag::render;
use hookc_schema::{Diagnostic, Severity, Sources};
use hookc_vm::LoadError;

/// Errors, warnings and notes about the sources of a policy.
///
/// `Display` is what the command line prints: each error and warning with its lines
/// of source text, then a count. So that `unwrap` and a `main` that returns an error
/// show the same, `Debug` is the same text. [`Diagnostics::iter`] gives them as data.
///
/// ```
/// use hookc::{Policy, Severity};
///
/// let error = Policy::from_yaml("hooks: [{event: Stop, action: {type: dney}}]").unwrap_err();
/// for diagnostic in &error {
///     let (file, line, column) = error.location(diagnostic).unwrap_or(("?", 0, 0));
///     println!("{file}:{line}:{column}: {} [{}]", diagnostic.message, diagnostic.code.name());
/// }
/// assert_eq!(error.iter().filter(|one| one.severity == Severity::Error).count(), 1);
/// assert_eq!(error.code(), "E0406");
/// ```
#[derive(Clone, Default)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
    sources: Sources,
    /// The compiler wrote a module that does not verify, which is its own fault.
    internal: Option<LoadError>,
}

impl Diagnostics {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>, sources: Sources) -> Self {
        Self { all: diagnostics, sources, internal: None }
    }

    pub(crate) fn with_internal_error(mut self, error: LoadError) -> Self {
        self.internal = Some(error);
        self
    }

    /// All of them in source order, notes included.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Diagnostic> {
        self.all.iter()
    }

    /// How many there are, notes included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether one of them is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.internal.is_some() || self.all.iter().any(Diagnostic::is_error)
    }

    /// The first error.
    #[must_use]
    pub fn first_error(&self) -> Option<&Diagnostic> {
        self.all.iter().find(|one| one.is_error())
    }

    /// The code of the first error, such as `E0406`; `internal` without one, which is a fault of the
    /// compiler if a policy was not built.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.first_error().map_or("internal", |first| first.code.name())
    }

    /// The name of the source, the line and the column (from 1, in characters) that
    /// a diagnostic is about; `None` if it is about no text.
    #[must_use]
    pub fn location(&self, diagnostic: &Diagnostic) -> Option<(&str, u32, u32)> {
        let span = diagnostic.span()?;
        let (line, column) = self.sources.line_col(span);
        Some((self.sources.name(span.source), line, column))
    }

    /// The text of the sources, for renderers of your own.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// One JSON object per line, as `hookc check --format json` writes them.
    #[must_use]
    pub fn to_json_lines(&self) -> String {
        render::json::render(&self.all, &self.sources)
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<Diagnostic> =
            self.all.iter().filter(|one| one.severity >= Severity::Warning).cloned().collect();
        f.write_str(&render::text::render(&shown, &self.sources))?;
        if self.internal.is_some() {
            f.write_str("internal error: the compiled module does not verify\n")?;
        }
        f.write_str(&render::summary(&shown))
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Below what `unwrap` or `main` write before it.
        write!(f, "\n{self}")
    }
}

impl Error for Diagnostics {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.internal.as_ref().map(|error| error as _)
    }
}
