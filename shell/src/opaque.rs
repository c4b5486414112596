//! What is unknown about what runs.

/// A part of what a line runs that is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// Which program starts: `$X`, `"$(which x)"`.
    Name,
    /// The text of code: `eval "$X"`, `git -c alias.x="$Y"`.
    Code,
    /// What a shell or an interpreter reads: `curl URL | sh`.
    Input,
}

impl Opaque {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Name, Self::Code, Self::Input];

    /// Its name in the view.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Code => "code",
            Self::Input => "input",
        }
    }
}
