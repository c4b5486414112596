//! The order of keys, by the kind of mapping.

use hookc_schema::decode::Object;
use hookc_schema::dialect::{history, hooks, predicates};
use hookc_schema::tree::PredicateName;

use super::node::{Collection, Entry};

/// The position of keys that no table has: after the others, as they were written.
const LAST: usize = usize::MAX;

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
    /// The mapping under `some` or `every`.
    Quantified,
    /// The mapping under `facts`.
    Facts,
    /// A pattern of a fact, or the list of them.
    Fact,
    /// The mapping under `formerly`.
    Selection,
    /// A pattern under `of` or `since`.
    EventPattern,
    /// The mapping under `sets`.
    Sets,
    /// What is under `reads` or another predicate, or in a set: lists of patterns, and a mapping of them.
    Patterns,
    Action,
    /// The list under `examples`.
    Examples,
    Example,
    /// Data: its keys stay in order.
    Data,
}

impl Role {
    /// The table whose keys are in the order in which they are written.
    fn table(self) -> Option<&'static Object> {
        match self {
            Self::File => Some(&hooks::FILE),
            Self::Hook => Some(&hooks::HOOK),
            Self::Condition => Some(&hooks::CONDITION),
            Self::Quantified => Some(&hooks::QUANTIFIED),
            Self::Fact => Some(&history::FACT),
            Self::Selection => Some(&history::SELECTION),
            Self::EventPattern => Some(&history::PATTERN),
            Self::Patterns => Some(&predicates::GUARD),
            Self::Action => Some(&hooks::ACTION),
            Self::Example => Some(&hooks::EXAMPLE),
            Self::Hooks | Self::Conditions | Self::Examples | Self::Facts | Self::Sets | Self::Data => None,
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
            (Self::Condition, Some("all" | "any" | "only")) => Self::Conditions,
            (Self::Condition, Some("some" | "every")) => Self::Quantified,
            (Self::Condition, Some("not"))
            | (Self::Quantified | Self::Fact | Self::EventPattern, Some("condition")) => Self::Condition,
            (Self::File, Some("facts")) => Self::Facts,
            (Self::Facts, Some(_)) | (Self::Fact, None) => Self::Fact,
            (Self::Condition, Some("formerly")) => Self::Selection,
            (Self::Selection, Some("of" | "since")) => Self::EventPattern,
            (Self::Condition, Some(name)) if PredicateName::from_name(name).is_some() => Self::Patterns,
            (Self::File, Some("sets")) => Self::Sets,
            (Self::Sets | Self::Patterns, _) => Self::Patterns,
            _ => Self::Data,
        }
    }

    /// The position of an entry among its siblings.
    fn rank(self, entry: &Entry<'_>) -> usize {
        let (Some(table), Some(name)) = (self.table(), entry.key.as_ref().and_then(|key| key.name())) else {
            return LAST;
        };
        // Hooks of both sections can be in one layer, where their order matters.
        let name = if self == Self::File && name == "hooks" { "builtin_hooks" } else { name };
        table.names().position(|key| key == name).unwrap_or(LAST)
    }
}

/// The entries in order. An alias must stay after its anchor: if there are any, nothing moves.
pub(super) fn ordered<'n, 'a>(collection: &'n Collection<'a>, role: Role) -> Vec<&'n Entry<'a>> {
    let mut entries: Vec<_> = collection.entries.iter().collect();
    let fixed = |entry: &Entry<'_>| entry.value.fixed || entry.key.as_ref().is_some_and(|key| key.fixed);
    if collection.mapping && role.table().is_some() && !entries.iter().any(|entry| fixed(entry)) {
        entries.sort_by_key(|entry| role.rank(entry));
    }
    entries
}
