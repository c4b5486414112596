//! Programs that a policy declares as wrappers.

/// A program that runs the command in its arguments, in addition to those of the tables:
/// `company-sudo [OPTION...] [OPERAND...] COMMAND [ARGUMENT...]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wrapper {
    /// Its name, without a directory.
    pub name: String,
    /// Its options whose value is the next word, with their dashes.
    pub options: Vec<String>,
    /// Its own operands before the command.
    pub operands: usize,
}

impl Wrapper {
    /// A wrapper without options that take values, and without own operands.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds options whose value is the next word.
    #[must_use]
    pub fn with_options<T: Into<String>>(self, options: impl IntoIterator<Item = T>) -> Self {
        Self { options: options.into_iter().map(Into::into).collect(), ..self }
    }

    /// Adds the number of operands before the command.
    #[must_use]
    pub fn with_operands(self, operands: usize) -> Self {
        Self { operands, ..self }
    }

    /// Whether it has options of several letters after one dash.
    pub(super) fn has_long_dash(&self) -> bool {
        self.options.iter().any(|option| !option.starts_with("--") && option.chars().count() > 2)
    }
}
