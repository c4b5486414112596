//! Regular expressions in patterns: `/regex/`, `/regex/i`.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::choice::Choice;
use super::reading::Reading;

/// The most bytes of a compiled expression.
const SIZE: usize = 1 << 20;

/// The most bytes of the compiled expressions of a list.
const LIST_SIZE: usize = 8 * SIZE;

/// A regular expression, which is compiled when it is first needed.
#[derive(Clone, Debug)]
pub(crate) struct RegexPattern {
    pattern: String,
    ignores_case: bool,
    compiled: OnceLock<Option<Regex>>,
}

/// Regular expressions of which one must have a match. One search tells whether any of them can have one.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegexList {
    choice: Choice<RegexPattern>,
    together: OnceLock<Option<RegexSet>>,
}

impl RegexList {
    pub(crate) fn new(choice: Choice<RegexPattern>) -> Self {
        Self { choice, together: OnceLock::new() }
    }

    /// Whether a text has a match. An expression that cannot be compiled matches everything.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let together = self.together.get_or_init(|| self.build());
        together.as_ref().is_none_or(|any| any.is_match(text))
            && self.choice.matches(Reading::Guard, &|regex, _| regex.is_in(text).unwrap_or(true))
    }

    /// All expressions in one; none if that is too large.
    fn build(&self) -> Option<RegexSet> {
        let flagged = |regex: &RegexPattern| match regex.ignores_case {
            true => format!("(?i){}", regex.pattern),
            false => regex.pattern.clone(),
        };
        let patterns: Vec<String> = self.choice.iter().map(flagged).collect();
        RegexSetBuilder::new(patterns).size_limit(LIST_SIZE).build().ok()
    }
}

impl RegexPattern {
    /// The expression of a pattern `/regex/` or `/regex/i`; none if it does not have this form.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        let inner = pattern.strip_prefix('/')?;
        let (inner, ignores_case) = match inner.strip_suffix("/i") {
            Some(inner) => (inner, true),
            None => (inner.strip_suffix('/')?, false),
        };
        let pattern = (!inner.is_empty()).then(|| inner.to_owned())?;
        Some(Self { pattern, ignores_case, compiled: OnceLock::new() })
    }

    fn build(&self) -> Result<Regex, regex::Error> {
        RegexBuilder::new(&self.pattern).case_insensitive(self.ignores_case).size_limit(SIZE).build()
    }

    /// Why it cannot be compiled.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.build().map(drop).map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
            error => {
                error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
            }
        })
    }

    /// Whether a text has a match; none if the expression cannot be compiled.
    pub(crate) fn is_in(&self, text: &str) -> Option<bool> {
        let compiled = self.compiled.get_or_init(|| self.build().ok());
        compiled.as_ref().map(|regex| regex.is_match(text))
    }
}
