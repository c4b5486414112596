//! The results of tests, as data.

use std::error::Error;
use std::fmt;

use hookc_schema::{Diagnostic, Diagnostics, Span};
use hookc_vm::LoadError;

/// The results of all tests of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// A case per event, in order.
    pub cases: Vec<Case>,
    /// The errors of the tests themselves: such a test proves nothing, and is not a case.
    pub diagnostics: Diagnostics,
}

/// One event, and whether its decision was the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Case {
    /// From a test file or an inline example.
    pub kind: CaseKind,
    /// Its name.
    pub name: String,
    /// The span of the event.
    pub span: Span,
    /// The event's type, if it has one.
    pub event: Option<String>,
    /// The result, in a few words.
    pub outcome: String,
    /// The unmet expectations; empty if it passed.
    pub failures: Vec<Failure>,
}

hookc_base::named_enums! {
    /// The source of a case.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum CaseKind name {
        /// A test file.
        Test "test";
        /// `examples:` of a hook.
        Example "example";
    }
}

/// One unmet expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// What: one line.
    pub message: String,
    /// Why it came so, a line each: the leaves that settled it, and their values.
    pub because: Vec<String>,
}

impl Case {
    /// Whether all expectations were met.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), because: Vec::new() }
    }

    pub(super) fn because(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.because.extend(lines);
        self
    }
}

/// Why no test could run: the policy is too large.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CannotRun {
    /// The policy with all its conditions has this error.
    Policy(Box<Diagnostic>),
    /// Its module does not verify.
    Module(LoadError),
}

impl fmt::Display for CannotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(diagnostic) => write!(f, "the policy cannot be tested: {}", diagnostic.message),
            Self::Module(_) => f.write_str("the policy cannot be tested: its module does not verify"),
        }
    }
}

impl Error for CannotRun {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Policy(_) => None,
            Self::Module(error) => Some(error),
        }
    }
}

impl From<LoadError> for CannotRun {
    fn from(error: LoadError) -> Self {
        Self::Module(error)
    }
}

impl From<Diagnostic> for CannotRun {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Policy(Box::new(diagnostic))
    }
}

/// How often a result was true and false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Times it was true.
    pub yes: u64,
    /// Times it did not.
    pub no: u64,
}

impl Outcomes {
    pub(super) fn count(&mut self, truth: bool) {
        let count = if truth { &mut self.yes } else { &mut self.no };
        *count = count.saturating_add(1);
    }

    /// How many of the two results were seen.
    #[must_use]
    pub fn seen(self) -> usize {
        usize::from(self.yes > 0) + usize::from(self.no > 0)
    }
}
