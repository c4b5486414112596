//! The order of keys, by the kind of mapping.

use hookc_schema::keys;

use super::node::{Collection, Entry};

/// The role of a node in the dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The top level.
    File,
    /// The list under `hooks`.
    Hooks,
    Hook,
    Condition,
    /// The list under `all` or `any`.
    Conditions,
    Action,
    /// The list under `examples`.
    Examples,
    Example,
    /// Data: its keys stay in order.
    Data,
}

impl Role {
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::File => keys::FILE,
            Self::Hook => keys::HOOK,
            Self::Condition => keys::LEAF,
            Self::Action => &["type"],
            Self::Example => keys::EXAMPLE,
            Self::Hooks | Self::Conditions | Self::Examples | Self::Data => &[],
        }
    }

    /// The role of an entry's value.
    pub(super) fn within(self, entry: &Entry<'_>) -> Self {
        let key = entry.key.as_ref().and_then(|key| key.name());
        match (self, key) {
            (Self::File, Some("hooks" | "builtin_hooks")) => Self::Hooks,
            (Self::Hooks, None) => Self::Hook,
            (Self::Hook, Some("condition")) | (Self::Conditions, None) => Self::Condition,
            (Self::Hook, Some("action")) => Self::Action,
            (Self::Hook, Some("examples")) => Self::Examples,
            (Self::Examples, None) => Self::Example,
            (Self::Condition, Some("all" | "any")) => Self::Conditions,
            (Self::Condition, Some("not")) => Self::Condition,
            _ => Self::Data,
        }
    }

    /// The position of an entry among its siblings.
    fn rank(self, entry: &Entry<'_>) -> usize {
        let keys = self.keys();
        let Some(name) = entry.key.as_ref().and_then(|key| key.name()) else { return keys.len() };
        // Hooks of both sections may be in one layer, where their order matters.
        let name = if self == Self::File && name == "hooks" { "builtin_hooks" } else { name };
        keys.iter().position(|key| *key == name).unwrap_or(keys.len())
    }
}

/// The entries in order. An alias must stay after its anchor: if there are any, nothing moves.
pub(super) fn ordered<'n, 'a>(collection: &'n Collection<'a>, role: Role) -> Vec<&'n Entry<'a>> {
    let mut entries: Vec<_> = collection.entries.iter().collect();
    let fixed = |entry: &Entry<'_>| entry.value.fixed || entry.key.as_ref().is_some_and(|key| key.fixed);
    if collection.mapping && !role.keys().is_empty() && !entries.iter().any(|entry| fixed(entry)) {
        entries.sort_by_key(|entry| role.rank(entry));
    }
    entries
}
