//! Conditions that several hooks share, such as the handlers of a group: each is checked once, and
//! lowered once for each kind of event and each set of tools for which it matters.

use std::collections::BTreeSet;

use foldhash::HashMap;
use hookc_schema::tree::{Family, Fold, SharedId};

use super::event::Scope;
use super::view::Polarity;
use crate::ir::LowCond;
use crate::tools::ToolSet;

/// What is known about shared conditions.
#[derive(Default)]
pub(super) struct SharedConds {
    /// Whether every leaf is valid.
    pub(super) sound: HashMap<SharedId, bool>,
    /// The conditions at an event type; `None` after an error.
    pub(super) lowered: HashMap<Context, Option<LowCond>>,
    /// The paths that they compare with absolute names of files.
    pub(super) absolute: Fold<BTreeSet<String>>,
}

/// What the lowering of a shared condition depends on.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) id: SharedId,
    pub(super) event: Fields,
    pub(super) tools: ToolSet,
    /// As in [`super::Cx`].
    pub(super) absolute: BTreeSet<String>,
    pub(super) polarity: Polarity,
}

/// The fields of an event: those of a declared type, or any.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fields {
    /// Of the type of this number.
    Declared(usize),
    /// Of an undeclared type of the vocabulary.
    Any(Family),
}

impl Fields {
    pub(super) fn from_scope(scope: &Scope) -> Self {
        match scope.declared {
            Some(_) => Self::Declared(scope.id),
            None => Self::Any(scope.family),
        }
    }
}
