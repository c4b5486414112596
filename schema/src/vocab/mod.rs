//! The vocabulary: event types with typed fields, operators, action kinds and return shapes. The
//! built-in vocabulary is data in `schema/data/`, in the same format as the declarations of a
//! policy and read by the same loader.

mod builtin;
mod load;
mod page;
mod roles;
mod sends;
mod tools;
mod types;
mod view;

pub use builtin::RETURNS;
pub use hookc_base::Strategy;
pub use page::markdown;
pub use roles::{
    InputRoles, ServerRoles, ToolRoles, inputs, owners, roles, roles_of, roles_without_servers, servers,
    spellings,
};
pub use types::{
    ActionKind, EventType, FieldSchema, Matcher, Names, OperatorType, ParamType, ToolField, ToolType, Tools,
    Type, TypeSet, Wrapper,
};
pub use view::{LENGTH, ViewMember, view, view_example, view_noun, view_source};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::Diagnostics;
use crate::span::Spanned;
use crate::tree::{Declarations, Family};
use crate::value::Value;

/// All names that a policy can use.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Vocabulary {
    /// Event types by family and name.
    pub events: BTreeMap<(Family, String), EventType>,
    /// The fields that all events of a family share, including declared event types.
    pub common: BTreeMap<Family, FieldSchema>,
    /// The built-in tools of coding agents.
    pub tools: Arc<Tools>,
    /// Action kinds by name.
    pub actions: BTreeMap<String, ActionKind>,
    /// Operators by name, with the types that they are declared for.
    pub operators: BTreeMap<String, OperatorType>,
    /// Combinators by name, with their key: `and`, `all`.
    pub combinators: BTreeMap<String, String>,
    /// The schema of what an action can return, which the runtime checks.
    pub returns: Option<Value>,
    /// Programs that a file declares as wrappers, for the views of command lines.
    pub wrappers: Vec<Wrapper>,
}

impl Vocabulary {
    /// The shipped vocabulary. Loaded once, then shared.
    #[must_use]
    pub fn builtin() -> Arc<Self> {
        builtin::shared()
    }

    /// This vocabulary as one file sees it: with the file's own declarations
    /// (hooks files). What is invalid in them is reported.
    ///
    /// A declaration of a known action kind or parameter can only narrow it; omitting one removes
    /// nothing. `event_context_schema` replaces the schema of every event except those that the
    /// file declares with their own schema.
    #[must_use]
    pub fn with_declarations(&self, declarations: &Declarations, out: &mut Diagnostics) -> Self {
        let mut vocabulary = self.clone();
        load::declarations(&mut vocabulary, declarations, out);
        vocabulary
    }

    /// The event type `name`: in `family` if that declares it, otherwise in the first family that
    /// does (thread, agent, repository, skill, workflow).
    #[must_use]
    pub fn event(&self, family: Family, name: &str) -> Option<&EventType> {
        let order = std::iter::once(&family).chain(Family::ALL);
        order.into_iter().find_map(|&family| self.events.get(&(family, name.to_owned())))
    }
}

/// The strategies that a file's `events:` declares, which can conflict with another file's (E0503).
/// Invalid declarations are omitted.
#[must_use]
pub fn declared_strategies(declarations: &Declarations) -> Vec<(Family, Spanned<String>, Strategy)> {
    declarations.events.as_ref().map(load::strategies).unwrap_or_default()
}
