//! What is unknown about what runs.

hookc_base::named_enums! {
    /// A part of what a line runs that is unknown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Opaque as_str {
        /// Which program starts: `$X`, `"$(which x)"`.
        Name "name";
        /// The text of code: `eval "$X"`, `git -c alias.x="$Y"`.
        Code "code";
        /// What a shell or an interpreter reads: `curl URL | sh`.
        Input "input";
    }
}

/// Which kinds of parts of a line are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpaqueParts {
    kinds: [bool; Opaque::ALL.len()],
}

impl OpaqueParts {
    /// Adds a kind.
    pub(crate) fn add(&mut self, kind: Opaque) {
        if let Some(flag) = self.kinds.get_mut(kind as usize) {
            *flag = true;
        }
    }

    /// Whether all that runs is known.
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The kinds in the order of [`Opaque::ALL`].
    pub(crate) fn iter(self) -> impl Iterator<Item = Opaque> + Clone {
        Opaque::ALL.iter().copied().zip(self.kinds).filter_map(|(kind, is_set)| is_set.then_some(kind))
    }
}
